"""Coverage: counts against the events of the same games, and what is said of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from dsl import pipeline
from dsl import program as p
from interpreter import compile_game
from lab import bots, listing
from lab.cover import Coverage, Covering, Sum, text_of
from lab.plan import plan
from lab.pool import in_order
from lab.reached import CountingGame, counted
from tests.lab.common import GAMES, game, planned

N = 12
SINGLE = {"shuffle": p.Shuffle, "role": p.PassRoles, "moment": p.Moment}
"""Events that a statement tells exactly once each time it is carried out."""


def covered(*plans: Any, games: int = N, workers: int = 1) -> Coverage:
    work, whole = Covering(plans, games), Sum()
    for block in in_order(work, work.blocks(), workers):
        whole.add(block)
    return Coverage(plans[0].program, whole.counts)


@pytest.mark.parametrize("name", GAMES)
def test_counting_changes_nothing(name: str) -> None:
    table = CountingGame(game(name).program, 3, {})
    for seed in range(N):
        ends = []
        for which in (game(name), table):
            state = which.start(seed)
            bots.play_out(state, {q: bots.make("random", seed) for q in range(3)})
            ends.append(state)
        assert (ends[0].points, ends[0].P) == (ends[1].points, ends[1].P)


@pytest.mark.parametrize("name", GAMES)
def test_counts_are_those_of_events(name: str) -> None:
    coverage = covered(planned(name, N))
    told: Counter[tuple[str, p.Span]] = Counter()  # kind and place of the rule
    taken: Counter[tuple[str, int]] = Counter()
    runs: Counter[p.Span] = Counter()

    def listen(event: Any) -> None:
        if event.rule is not None:
            told[event.kind, event.rule.span] += 1
        if event.kind == "choice":
            info = game(name).choice_at(event.data["choice"])
            taken[info.path, 0 if info.nameless else event.data["taken"][0]] += 1
        if event.kind == "phase" and event.data["label"] != "phase":
            runs[event.rule.span] += 1

    for seed in range(1, N + 1):
        state = game(name).start(seed, listen)
        bots.play_out(state, {q: bots.make("random", seed) for q in range(3)}, listen)
    checked = 0
    for node in counted(coverage.program):
        for kind, cls in SINGLE.items():
            if isinstance(node, cls):
                assert coverage.times(node) == told[kind, node.origin.span], node.origin.path
                checked += 1
        if isinstance(node, (p.Choose, p.AtOnce)):
            choice = node if isinstance(node, p.Choose) else node.choice
            for number, branch in enumerate(choice.branches):
                assert coverage.times(branch) == taken[choice.origin.path, number]
                checked += 1
        if isinstance(node, (p.Repeat, p.Each, p.Turn, p.GoRound)) and node.label and node.body:
            assert coverage.times(node.body[0]) == runs[node.origin.span]
            checked += 1
    assert checked >= 3


def test_ways_offered() -> None:
    coverage = covered(planned("throne", N))
    offered: Counter[str] = Counter()
    for seed in range(1, N + 1):
        state = game("throne").start(seed)
        seated = [bots.make("random", seed) for _ in range(3)]
        while state.decision is not None:
            decision = state.decision
            for action in {option.value.get("action", "") for option in decision.options}:
                offered[f"{decision.path}/{action}"] += 1
            state.apply(seated[decision.player].choose(state))
    ways = [item for item in coverage.items if item.kind == "way"]
    assert {way.name: way.offered for way in ways} == {way.name: offered[way.name] for way in ways}
    assert sum(way.times for way in ways) > 0


def test_the_same_for_any_number_of_workers() -> None:
    plans = [planned("throne", 40, players) for players in (3, 4, 5)]
    assert covered(*plans, games=40).data() == covered(*plans, games=40, workers=2).data()


TEXT = """
game "Some"
  players 2..3

options
  extra  no

cards
  number    1..4
  numbered: 2 of each number

places
  deck            face down pile
  hand of player  private hand

tokens
  vp of player  0

setup
  shuffle all cards into deck
  deal 2 from deck to every hand

phase play
  each player
    choose act
      keep                                      [A1]
      swap card from hand when extra            [A2]
        move it to deck
      give up when vp > 5                       [A3]
        lose 1 vp
    if vp > 9 then gain 1 vp else gain 2 vp
    if vp > 9
      prize

action prize                                    [A4]
  gain 1 vp

value unused_here of player = vp * 2

phase late
  each player where unused_here > 99
    gain unused_here vp

scoring
  total = vp

winner most points, then draw
""".replace("give up", "stop")


def test_what_is_missed_is_said_once_with_its_place() -> None:
    program, found = pipeline.load("some.rules", TEXT)
    assert program is not None, found
    table = compile_game(program, 2)
    coverage = covered(plan(table, ("random",) * 2, 10))
    missed = [text_of(program, item.origin.span) for item in coverage.missed()]
    assert [text.split(" [")[0] for text in missed] == [
        "swap card from hand when extra",
        "stop when vp > 5",
        "gain 1 vp",
        "prize",
        "action prize",
        "gain unused_here vp",
    ]
    assert coverage.clauses() == {"A1": 24, "A2": 0, "A3": 0, "A4": 0}
    said = listing.missed(coverage)
    assert "never offered\n  some.rules:27" in said
    assert "clauses no game reached\n  A2, A3, A4" in said
    lines = listing.listing(coverage).split("\n")
    assert lines[26].startswith("   24   26        keep")
    assert lines[27].startswith("    0 ! 27        swap")
    assert lines[31].startswith("   24 ~ 31      if vp > 9 then")


def test_the_page_stands_alone() -> None:
    program, _ = pipeline.load("some.rules", TEXT)
    assert program is not None
    coverage = covered(plan(compile_game(program, 2), ("random",) * 2, 10))
    page = listing.page(coverage, "<Some>", "10 games")
    assert "&lt;Some&gt;" in page
    assert page.count('class="none"') == sum(
        1 for items in coverage.lines("some.rules").values() if not any(i.times for i in items)
    )
    assert "http" not in page
    assert "<script" not in page
