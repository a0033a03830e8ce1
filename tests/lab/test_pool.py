"""Blocks on worker processes: in order, the same for any number, and whatever dies."""

from __future__ import annotations

import os
import signal
from itertools import pairwise
from pathlib import Path

import pytest

from lab import pool
from lab.plan import Blocks
from lab.report import Report
from lab.simulation import locally, simulate
from tests.lab.common import game, planned


class Squares:
    """Work whose result is easily known; it kills its worker at some blocks, once or always."""

    def __init__(self, deadly: tuple[int, ...] = (), once: Path | None = None) -> None:
        self.deadly, self.once = deadly, once
        self.home = os.getpid()

    def block(self, first: int, count: int) -> list[int]:
        if first in self.deadly:
            assert os.getpid() != self.home
            mark = None if self.once is None else self.once / str(first)
            if mark is None or not mark.exists():
                if mark is not None:
                    mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return [n * n for n in range(first, first + count)]


def squares(games: int) -> list[int]:
    return [n * n for n in range(games)]


def flat(parts: object) -> list[int]:
    return [n for part in parts for n in part]  # type: ignore[attr-defined]


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("games", [1, 7, 500])
def test_in_order(games: int, workers: int) -> None:
    assert flat(pool.in_order(Squares(), Blocks(games), workers)) == squares(games)


def test_blocks_hold_every_game_once_whatever_n() -> None:
    for games in (1, 2, 199, 200, 399, 400, 12345, 10**6 + 1):
        blocks = Blocks(games)
        assert sum(count for _, count in blocks) == games
        assert all(a + n == b for (a, n), (b, _) in pairwise(blocks))
    assert len(Blocks(10**9)) * 256 >= 10**9  # and are not listed to be counted


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    work = Squares((3, 4, 40, 77), tmp_path)
    assert flat(pool.in_order(work, Blocks(100), 2)) == squares(100)
    assert len(list(tmp_path.iterdir())) == 4


def test_a_block_that_kills_its_workers_ends_the_run_after_those_before_it() -> None:
    found: list[int] = []
    with pytest.raises(pool.WorkersDied) as death:
        for part in pool.in_order(Squares((50,)), Blocks(100), 2):
            found += part
    assert found == squares(50)
    assert (death.value.first, death.value.count) == (50, 1)


def test_workers_are_gone_when_nobody_asks_on() -> None:
    results = pool.in_order(Squares(), Blocks(1000), 2)
    next(results)
    results.close()  # type: ignore[attr-defined]
    for process in pool.multiprocessing.active_children():  # told to end: give them a moment
        process.join(30)
    assert not [p for p in pool.multiprocessing.active_children() if p.is_alive()]


@pytest.mark.parametrize("name", ["throne", "gorilla"])
def test_the_same_for_any_number_of_workers(name: str) -> None:
    plan = planned(name, 60, bots="random,steady,random")
    reports = []
    for workers in (1, 2, 4):
        run = simulate(plan, workers)
        reports.append(repr(Report(plan, game(name), run.totals).data()))
    assert reports[0] == reports[1] == reports[2]


def test_the_first_games_are_the_same_run() -> None:
    """What is kept when a run stops is what a shorter run finds."""
    plan = planned("throne", 400)
    from lab.simulation import Simulation

    run = Simulation(plan)
    for _ in run.blocks(locally(2)):
        if run.played >= 100:
            break
    assert run.totals == simulate(plan.first(run.played)).totals
