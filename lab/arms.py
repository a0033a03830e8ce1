"""Several versions of a game, played with the same seeds: the arms of an experiment.

Used by `rules compare` and `rules sweep`. `Arms` is the work for `lab.pool`: it plays game number i
of every arm and adds up each arm's figures, and, if asked for, their products with the first arm's,
from which differences game by game follow. Where arms are compared in pairs, a game that
can't be played to its end in some arm counts in none, so that all hold the same games; else it
counts in those that it could be played in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeAlias

from attrs import define, field

from dsl.diagnostics import RulesError
from lab import figures, numbers
from lab.figures import Pair
from lab.numbers import Estimate
from lab.plan import Blocks, Plan
from lab.record import MOST_FAILURES, WIN, Block, Failure, Recorder
from lab.signals import in_one
from lab.simulation import Runner

Outcome: TypeAlias = tuple[figures.Values, tuple[Any, ...]]
"""A game's figures, and how it ended."""


class Arms:
    """Plays blocks of games in every arm."""

    def __init__(self, plans: tuple[Plan, ...], *, paired: bool = True) -> None:
        self.plans, self.paired = plans, paired
        self._recorders: list[Recorder] = []

    def block(self, first: int, count: int) -> Block:
        if not self._recorders:
            self._recorders = [Recorder(plan) for plan in self.plans]
        totals: Counter[tuple[Any, ...]] = Counter()
        failures: list[Failure] = []
        for recorder in self._recorders:
            recorder.begin()
        for index in range(first, first + count):
            values: list[Outcome | None] = []
            for recorder in self._recorders:
                seats = recorder.plan.seated(index)
                try:
                    values.append(self._game(recorder, index, seats))
                except RulesError as problem:
                    failures.append(Failure.of(recorder.plan, index, problem))
                    if self.paired:
                        values.clear()
                        break
                    values.append(None)
            self._add(totals, values)
        totals["failed",] = len(failures)
        return Block(first, count, dict(totals), failures[:MOST_FAILURES], [], [])

    def _game(self, recorder: Recorder, index: int, seats: tuple[str, ...]) -> Outcome:
        played = recorder.play(index, seats)
        return figures.figures(recorder, played), (played.end.pts, played.end.won)

    def _add(self, totals: Counter[tuple[Any, ...]], values: list[Outcome | None]) -> None:
        if any(values):
            totals["games",] += 1
        for arm, outcome in enumerate(values):
            if outcome is not None:
                totals["games", arm] += 1
                figures.tally(totals, arm, outcome[0])
        if not self.paired or not values or values[0] is None:
            return
        base, end = values[0]
        for arm, outcome in enumerate(values[1:], 1):
            if outcome is not None:
                figures.tally_pair(totals, arm, base, outcome[0])
                totals["same end", arm] += end == outcome[1]

    def __getstate__(self) -> dict[str, Any]:
        return {"plans": self.plans, "paired": self.paired, "_recorders": []}


@define(eq=False)
class Experiment:
    """Arms, and what they came to so far."""

    plans: tuple[Plan, ...]
    counts: Counter[tuple[Any, ...]] = field(factory=Counter)
    failures: list[Failure] = field(factory=list)
    played: int = 0
    _sums: dict[tuple[str, int, str], dict[str, int]] = field(factory=dict)

    def blocks(self, run: Runner, games: int, *, paired: bool = True) -> Iterator[Block]:
        """Play all arms' games; each block is added before it is handed on."""
        for plan in self.plans:
            plan.game()  # made here, workers have it at once
        for block in run(Arms(self.plans, paired=paired), Blocks(games)):
            with in_one():
                self.add(block)
                yield block

    def add(self, block: Block) -> None:
        self.counts.update(block.counts)
        self.failures += block.failures[: MOST_FAILURES - len(self.failures)]
        self.played += block.games
        self._sums.clear()

    @property
    def games(self) -> int:
        """Games that were played to their end: in all arms compared in pairs, else in any arm."""
        return self.counts["games",]

    def games_of(self, arm: int) -> int:
        """Games that an arm played to their end."""
        return self.counts["games", arm]

    def names(self) -> list[str]:
        """Figures that all arms have which played any game, in the order of the first of these."""
        arms = self._names()
        arms = [names for arm, names in enumerate(arms) if self.games_of(arm)] or arms
        return [name for name in arms[0] if all(name in arm for arm in arms[1:])]

    def partial(self) -> list[str]:
        """Figures that some arms have and others don't."""
        arms = self._names()
        every = dict.fromkeys(name for arm in arms for name in arm)
        return [name for name in every if not all(name in arm for arm in arms)]

    def _names(self) -> list[dict[str, None]]:
        """The figures of each arm, in order."""
        arms: list[dict[str, None]] = [{} for _ in self.plans]
        for key in self.counts:
            if key[0] == "arm" and key[3] == "y":
                arms[key[1]][key[2]] = None
        return arms

    def _of(self, kind: str, arm: int, name: str) -> dict[str, int]:
        if not self._sums:
            for key, amount in self.counts.items():
                if key[0] in ("arm", "pair"):
                    self._sums.setdefault(key[:3], {})[key[3]] = amount
        return self._sums.get((kind, arm, name), {})

    def value(self, arm: int, name: str) -> Estimate | None:
        """An arm's figure."""
        sums = self._of("arm", arm, name)
        if figures.is_of_games(name):
            unit = WIN if name.startswith("wins") else 1
            return numbers.wilson(sums.get("x", 0) / unit, sums.get("y", 0) // unit)
        return figures.value(self.games_of(arm), sums)

    def difference(self, arm: int, name: str) -> tuple[Estimate, float] | None:
        """An arm's figure less the first arm's, game by game; and its p value."""
        a, b = self._of("arm", 0, name), self._of("arm", arm, name)
        both = self._of("pair", arm, name)
        pair = Pair(
            self.games,
            (a.get("x", 0), a.get("y", 0)),
            (b.get("x", 0), b.get("y", 0)),
            (a.get("xx", 0), a.get("xy", 0), a.get("yy", 0)),
            (b.get("xx", 0), b.get("xy", 0), b.get("yy", 0)),
            (both.get("xx", 0), both.get("xy", 0), both.get("yx", 0), both.get("yy", 0)),
            both.get("unequal", 0),
        )
        return figures.difference(pair)

    def unequal(self, arm: int, name: str) -> int:
        """In how many games an arm's figure is not the first arm's."""
        return self._of("pair", arm, name).get("unequal", 0)
