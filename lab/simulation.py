"""Simulating a plan: blocks of games on any number of workers, added up in order.

    run = Simulation(plan)
    for block in run.blocks(workers=4): ...
    run.totals

Used by the commands, and from Python. The result is the same to the last bit for any number of
workers, here or on a cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lab import pool
from lab.plan import Plan
from lab.record import MOST_FAILURES, Block, Failure, Recorder
from lab.signals import in_one
from lab.totals import Totals

Runner = Callable[[pool.Work, Sequence[tuple[int, int]]], Iterator[Any]]
"""What runs blocks: takes the work and the blocks, gives the results in order."""


class Playing:
    """The work of a simulation: sent to a worker, makes its recorder when first asked."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._recorder: Recorder | None = None

    def block(self, first: int, count: int) -> Block:
        if self._recorder is None:
            self._recorder = Recorder(self.plan)
        return self._recorder.block(first, count)

    def __getstate__(self) -> dict[str, Any]:
        return {"plan": self.plan, "_recorder": None}


class Simulation:
    """The games of a plan, as far as they have been played."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.totals = Totals()
        self.failures: list[Failure] = []
        self.played = 0

    def blocks(self, run: Runner) -> Iterator[Block]:
        """Play on; each block is added to `totals` before it is handed on. Signals that end the
        program wait until the next block is asked for: so whoever writes a block down has written
        what `totals` holds."""
        for block in run(Playing(self.plan), self.plan.blocks()):
            with in_one():
                self.totals.add(block.counts)
                self.failures += block.failures[: MOST_FAILURES - len(self.failures)]
                self.played += block.games
                yield block


def locally(workers: int) -> Runner:
    """A runner on so many processes of this machine."""
    return lambda work, blocks: pool.in_order(work, blocks, workers)


def simulate(plan: Plan, workers: int = 1) -> Simulation:
    """Play all games of a plan."""
    run = Simulation(plan)
    for _ in run.blocks(locally(workers)):
        pass
    return run
