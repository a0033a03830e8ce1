"""What is counted, against a plain loop over the State's own words."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from interpreter import bots
from lab import numbers
from lab.record import WIN, Recorder
from lab.report import Report
from lab.simulation import simulate
from lab.tables import Table
from lab.totals import Totals, merged
from tests.lab.common import GAMES, game, planned

N = 12


class Naive:
    """The same games, played and counted as one would without thinking of speed."""

    def __init__(self, name: str, players: int, names: tuple[str, ...], seed: int, games: int):
        self.points: list[tuple[int, ...]] = []
        self.won: list[tuple[int, ...]] = []
        self.lengths: list[int] = []
        self.asked: Counter[str] = Counter()
        self.taken: Counter[tuple[str, str]] = Counter()
        self.each: dict[tuple[str, str], Counter[int]] = {}  # times a game -> games
        self.offered: Counter[tuple[str, str]] = Counter()
        self.users: Counter[tuple[str, str]] = Counter()
        self.winning: dict[tuple[str, str], Fraction] = {}
        self.roles: Counter[str] = Counter()
        self.changes: list[int] = []
        self.table = game(name, players)
        for index in range(games):
            self.play(index, names[index % players :] + names[: index % players], seed + index)

    def play(self, index: int, names: tuple[str, ...], seed: int) -> None:
        state = self.table.start(seed)
        seated = [bots.make(name, seed) for name in names]
        used: set[tuple[str, str, int]] = set()
        here: Counter[tuple[str, str]] = Counter()
        made, leader, changes = 0, None, 0
        spot: Any = None
        before: tuple[list[int], tuple[Any, ...]] | None = None
        while state.decision is not None:
            decision = state.decision
            roles = state.view(0).roles
            rounds = [pair for pair in state.coordinates if pair[0] in ("phase", "round")]
            if (rounds, roles) != spot:
                spot = (rounds, roles)
                self._credit(before, state.points)
                before = (state.points, roles)
                ahead = leads(state.points)
                changes += ahead is not None and leader is not None and ahead != leader
                leader = leader if ahead is None else ahead
            raw = seated[decision.player].choose(state)
            made += 1
            self.asked[decision.path] += 1
            for option in decision.options:
                action = option.value.get("action", "")
                self.offered[decision.path, option.label] += 1
                if option.raw == raw:
                    self.taken[decision.path, action] += 1
                    here[decision.path, action] += 1
                    used.add((decision.path, action, decision.player))
            state.apply(raw)
        self._credit(before, state.points)
        ahead = leads(state.points)
        self.changes.append(
            changes + (ahead is not None and leader is not None and ahead != leader)
        )
        self.points.append(tuple(state.points))
        self.won.append(tuple(state.winners))
        self.lengths.append(made)
        for key, times in here.items():
            self.each.setdefault(key, Counter())[times] += 1
        for path, action, player in used:
            self.users[path, action] += 1
            share = Fraction(player in state.winners, len(state.winners))
            self.winning[path, action] = self.winning.get((path, action), Fraction()) + share

    def _credit(self, before: tuple[list[int], tuple[Any, ...]] | None, now: list[int]) -> None:
        if before is None:
            return
        for seat, role in enumerate(before[1]):
            if role is not None:
                self.roles[self.table.labels.role(role)] += now[seat] - before[0][seat]


def leads(points: list[int]) -> int | None:
    best = max(points)
    return points.index(best) if points.count(best) == 1 else None


def column(table: Table, name: str) -> list[Any]:
    at = [column.name for column in table.columns].index(name)
    return [row[at] for row in table.rows]


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", GAMES)
def test_a_plain_loop_finds_the_same(name: str, players: int) -> None:
    names = ("random", "steady", "random", "random")[:players]
    naive = Naive(name, players, names, 40, N)
    plan = planned(name, N, players, ",".join(names), seed=40)
    run = simulate(plan)
    report = Report(plan, game(name, players), run.totals)
    seats = report.seats()
    for seat in range(players):
        mean = numbers.mean(Counter(points[seat] for points in naive.points))
        assert column(seats, "points")[seat] == mean
        share = sum(Fraction(seat in won, len(won)) for won in naive.won)
        assert column(seats, "won")[seat] == numbers.wilson(float(share), N)
    assert report.totals.under("decisions") == Counter(naive.lengths)
    assert sum(k * n for k, n in report.totals.under("width").items()) == sum(
        naive.offered.values()
    )
    assert report.totals.under("leads") == Counter(naive.changes)
    for counts in naive.each.values():
        counts[0] = N - sum(counts.values())
    rows = {(row[0], row[1]): row for row in report.choices().rows}
    for (path, action), taken in naive.taken.items():
        _, _, rate, per_game, users, won, _ = rows[path, action]
        assert per_game == numbers.mean(naive.each[path, action])
        assert users == numbers.wilson(naive.users[path, action], N * players)
        won_by = float(naive.winning[path, action])
        assert won == numbers.wilson(won_by, naive.users[path, action])
        if rate is not None:
            assert rate == numbers.wilson(taken, naive.asked[path])
    for row in report.roles().rows:
        mean = row[2]
        assert isinstance(mean, numbers.Estimate)
        assert mean.value == naive.roles[str(row[0])] / N


def test_cards_and_values_of_one_game() -> None:
    """Everybody lays four of five different cards: each is taken once, and offered till then."""
    plan = planned("last-leaf", 30)
    report = Report(plan, game("last-leaf"), simulate(plan).totals)
    cards = [row for row in report.cards().rows if row[1] == "picked"]
    assert sum(row[3].value for row in cards) == pytest.approx(3 * 4)  # type: ignore[union-attr]
    left = [row for row in report.cards().rows if row[1] == "in hand at the end"]
    assert sum(row[4].n * row[4].value for row in left) == pytest.approx(30 * 3)  # type: ignore[union-attr]
    offered = sum(report.totals.by_category("offered")[c] for c in report._known("value", 0, 0))
    assert offered == 30 * 3 * (5 + 4 + 3 + 2)


@pytest.mark.parametrize("cut", [(1, 2, 3), (4, 9), (), tuple(range(1, 12))])
def test_any_blocks_add_up_to_the_same(cut: tuple[int, ...]) -> None:
    for name in GAMES:
        recorder = Recorder(planned(name, N))
        edges = [0, *cut, N]
        parts = [recorder.block(first, end - first).counts for first, end in pairwise(edges)]
        whole = Recorder(planned(name, N)).block(0, N).counts
        assert merged(parts) == merged(reversed(parts)) == Totals(whole)


def test_every_win_is_given_once() -> None:
    totals = simulate(planned("throne", 60)).totals
    assert sum(totals.under("won").values()) == 60 * WIN == sum(totals.under("winner").values())
    assert totals.games == 60


def test_a_game_that_breaks_is_told_and_not_counted(tmp_path: Any) -> None:
    from dsl import pipeline
    from interpreter import compile_game
    from lab.plan import plan

    text = (game("last-leaf").program.sources[game("last-leaf").program.file]).replace(
        "        move it to row ",
        "        if rank of it = A then give 2 coins to left of me\n        move it to row ",
    )
    text = text.replace("\nsetup\n", "\ntokens\n  coin of player  1\n\nsetup\n", 1)
    program, found = pipeline.load(tmp_path / "breaks.rules", text)
    assert program is not None, found
    broken = compile_game(program, 3)
    run = simulate(plan(broken, ("random",) * 3, 40))
    failed = run.totals["failed",]
    assert run.totals.games + failed == 40
    assert failed > 0
    first = run.failures[0]
    assert first.seed == 1 + first.index
    assert first.diagnostics[0].code == "R0903"
