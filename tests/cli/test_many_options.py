"""Choices with many options at the table: numbers in ways, and several cards."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.ask import Cards, Found, Number, Unclear, Unknown, find, numbered, shortened

Rules = Callable[..., Any]

GAME = """game "Many"
  players 2

cards
  suit    red ja "赤", blue ja "青"
  number  1..6
  numbered: 2 of each suit and number

places
  deck            face down pile
  hand of player  private hand
  shown           face up row

tokens
  coin of player  20

setup
  shuffle all cards into deck
  deal 8 from deck to every hand

phase play
  each player as turn
    choose {choice}

scoring
  total = coins

winner most points, then draw
"""
BID = """call
      raise ja "上げる" number 3..12
        lose it coins
      fold"""
KEEP = """keep: 4 cards from hand
      move them to shown"""

CALLS = [*(f"raise {n}" for n in range(3, 13)), "fold"]
RAISED = [*range(3, 13), None]


def called(answer: str) -> object:
    return find(answer, [(label,) for label in CALLS], RAISED)


def test_ways_that_pick_numbers_are_listed_as_a_range() -> None:
    assert shortened(CALLS, RAISED) == ["raise 3–12", "fold"]
    assert not numbered(CALLS, RAISED)
    two = ["raise 3", "raise 4", "sell 4", "sell 5", "fold"]
    assert shortened(two, [3, 4, 4, 5, None]) == two
    holes = [f"take {n}" for n in (1, 2, 3, 4, 5, 6, 8)]
    assert shortened(holes, [1, 2, 3, 4, 5, 6, 8]) == ["take 1–6", "take 8"]
    cards = [f"red {n}" for n in range(1, 10)]
    assert shortened(cards, [None] * 9) == cards


@pytest.mark.parametrize(
    ("answer", "meant"),
    [
        ("raise 8", Found(5)),
        ("r 12", Found(9)),
        ("fold", Found(10)),
        ("8", Number((5,), 7)),
        ("８", Number((5,), 7)),
        ("1", Number((), 0)),
        ("12", Number((9,), None)),
        ("99", Number((), None)),
        ("raise 1", Unknown()),  # not `raise 10`
        ("raise", Unclear(tuple(range(10)))),
    ],
)
def test_a_number_alone_is_not_taken_for_a_place_in_the_list(answer: str, meant: object) -> None:
    assert called(answer) == meant


PICKS = [
    Cards((("red 1", "red 2"), ("赤1", "赤2")), ("lay", "出す", "lay pair")),
    Cards((("red 1", "blue 2"), ("赤1", "青2")), ("lay", "出す")),
    Cards((("red 2", "blue 1"), ("赤2", "青1")), ("drop",)),
    Cards((("red 2", "red 2", "blue 1"), ("赤2", "赤2", "青1")), ("drop",)),
    None,
    Cards(((), ()), ("drop",)),
]
LABELS = [
    ("lay red 1 red 2",), ("lay red 1 blue 2",), ("drop red 2, blue 1",),
    ("drop red 2, red 2, blue 1",), ("pass",), ("drop no cards",),
]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "meant"),
    [
        ("red 2, red 1", Found(0)),
        ("lay red 2 and red 1", Found(0)),
        ("l red 2 red 1", Found(0)),
        ("lay pair red 2 red 1", Found(0)),
        ("blue 2 red 1", Found(1)),
        ("blue 1, red 2", Found(2)),
        ("drop blue 1 red 2 red 2", Found(3)),
        ("赤2 赤1", Found(0)),
        ("出す　青2、赤1", Found(1)),
        ("drop red 2 red 1", Unknown()),
        ("red 2", Unclear((0, 2, 3))),
        ("5", Found(4)),
    ],
)
def test_cards_may_be_told_in_any_order(answer: str, meant: object) -> None:
    assert find(answer, LABELS, cards=PICKS) == meant


def test_the_same_cards_from_elsewhere_stay_unclear() -> None:
    same = [Cards((("red 1", "red 2"),), ("lay",))] * 2
    labels = [("lay red 1 from a, red 2 from b",), ("lay red 1 from b, red 2 from a",)]
    assert find("red 2 red 1", labels, cards=same) == Unclear((0, 1))


@pytest.fixture
def play(rules: Rules) -> Callable[..., Any]:
    def play(choice: str, *answers: str, lang: str = "en") -> Any:
        Path("many.rules").write_text(GAME.format(choice=choice), encoding="utf-8")
        told = "".join(f"{answer}\n" for answer in answers)
        return rules("play", "many.rules", "--seed", 1, "--hotseat", "--lang", lang, stdin=told)

    return play


def test_bids_at_the_table(play: Callable[..., Any]) -> None:
    done = play(BID, "raise 8", "fold")
    assert done.status == 0
    assert "P1, call:\n      raise 3–12\n      fold\n" in done.out
    assert "P1  12 points" in done.out
    done = play(BID, "8")
    assert done.status == 2
    assert "`8` alone could be a number or a place in the list" in done.err
    assert "raise 8, raise 10" in done.err


def test_scripts_may_go_on_to_count_where_no_number_is_meant(play: Callable[..., Any]) -> None:
    done = play(BID, "1", "2")
    assert done.status == 0
    assert "P1  17 points" in done.out  # raise 3
    assert "P2  16 points" in done.out


def test_bids_in_japanese(play: Callable[..., Any]) -> None:
    done = play(BID, "上げる 8", "8", lang="ja")
    assert "      上げる 3–12\n" in done.out
    assert "「8」だけでは" in done.err


def test_a_number_alone_is_asked_again_at_a_terminal(terminal: Callable[..., Any]) -> None:
    Path("many.rules").write_text(GAME.format(choice=BID), encoding="utf-8")
    at = terminal("play", "many.rules", "--seed", "1", "--bots", "random")
    at.wait_for("> ")
    at.type("8")
    assert "Type one of: raise 8, raise 10" in at.wait_for("> ")
    at.type("1")
    assert "is not among the options" in at.wait_for("> ")
    at.type("raise 8")
    at.wait_for("--seed 1")
    assert at.close() == 0


def test_many_cards_at_the_table(play: Callable[..., Any]) -> None:
    done = play(KEEP, "all", "70")
    assert done.status == 2
    short, _, everything = done.out.partition("P1, keep:\n")[2].partition("P1, keep:\n")
    assert short.startswith("   1  red ")
    listed = len(re.match(r"( +\d+  .*\n)*", everything)[0].splitlines())
    first, more, how = short.splitlines()[-3:]
    assert first.startswith("  12  ")
    assert more == f"      … and {listed - 12} more; `all` lists them."
    assert how.startswith("Cards may be told in any order, for instance: red ")
    wanted = short.splitlines()[6].split("  ", 2)[2].strip()
    turned = ", ".join(reversed(wanted.split(", ")))
    assert f"hand of P1 → shown: {wanted}" in play(KEEP, turned).out
    assert f"hand of P1 → shown: {wanted}" in play(KEEP, "7").out  # as before, by its place


def test_what_does_not_fit_lists_a_few(play: Callable[..., Any]) -> None:
    done = play(KEEP, "green 9")
    assert done.status == 2
    assert len(done.err) < 300
    done = play(KEEP, "緑9", lang="ja")
    assert "札はどの順でも入力できます。例: 赤" in done.out


def test_why_takes_a_number_for_what_is_picked(play: Callable[..., Any]) -> None:
    done = play(BID, "why 8", "why 2", "raise 3", "fold")
    assert "`raise 8` can be chosen" in done.out
    assert "`raise 2` can't be chosen: 3 to 12" in done.out
    assert "raise 10" not in done.out
