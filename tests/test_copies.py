"""Copies counted for each value: which cards lie in the box, and what else is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl import format as layout
from dsl import pipeline
from dsl import program as p
from interpreter import compile_game
from lab.review.changes import Side, changes
from tests.reference.comparing import agree

GAME = """game "Letters"
  players 2..4

options
  guards  5  in 0..8
  top     4  in 3..5

cards
  title   guard ja "兵士" 1, priest 2, baron 3, princess 8
  suit    red, blue
  number  1..top
{cards}

places
  deck             face down pile
  hand of player   private hand
  table of player  face up row

setup
  shuffle all cards into deck
  deal 3 from deck to every hand

phase play
  repeat 2 as round
    each player as turn
      choose lay: card from hand
        move it to table
        if it is a_card then apply skill of title of it

skill guard
  do nothing

skill priest
  do nothing

skill baron
  do nothing

skill princess
  do nothing

scoring
  worth = sum of number of title over cards in table where title exists
  more = sum of number over cards in table where suit exists

winner most points, then draw
"""
LETTERS = "  a_card: 2 of princess, guards of guards, one of priest, players + 1 of baron"
NUMBERED = "  firework: 3 of 1, 2 of number 2, one of number 3, in each suit"
BOX = f"{LETTERS}\n{NUMBERED}\n  joker: 2"


def load(cards: str = BOX) -> p.Program:
    program, found = pipeline.load("letters.rules", GAME.format(cards=cards))
    assert program is not None, found
    assert found == []
    return program


def box(program: p.Program, players: int, **options: str) -> dict[str, int]:
    """The copies of each card, in the order in which hands are sorted."""
    game = compile_game(program, players, options)
    found: dict[str, int] = {}
    for face in game.binding.deck:
        label = game.labels.face(face)
        found[label] = found.get(label, 0) + 1
    return found


def test_what_lies_in_the_box() -> None:
    letters = {"guard": 5, "priest": 1, "baron": 3, "princess": 2}
    numbered = {"red 1": 3, "red 2": 2, "red 3": 1, "blue 1": 3, "blue 2": 2, "blue 3": 1}
    found = box(load(), 2)
    assert found == letters | numbered | {"joker": 2}
    assert list(found)[:5] == [*letters, "red 1"]


def test_copies_follow_options_and_players() -> None:
    found = box(load(), 4, guards="0")
    assert "guard" not in found
    assert (found["priest"], found["baron"]) == (1, 5)


@pytest.mark.parametrize("players", [2, 4])
def test_engine_and_reference_play_alike(players: int) -> None:
    agree(load(), players, {"guards": 3}, players)


def test_a_number_that_an_option_takes_away() -> None:
    """Told for the option's lowest setting."""
    text = GAME.format(cards=f"{LETTERS}\n  firework: 3 of number 1, 2 of number 4, in each suit")
    _, found = pipeline.load("letters.rules", text)
    assert [(item.code, item.span and item.span.line) for item in found] == [("R0236", 13)]
    assert "`top` 3, no number is 4" in found[0].message


def test_fewer_than_no_copies() -> None:
    text = GAME.format(cards=BOX.replace("players + 1 of", "players - 3 of"))
    _, found = pipeline.load("letters.rules", text)
    assert [item.code for item in found] == ["R0411"]
    assert "-1 copies of `baron`" in found[0].message


def test_too_few_cards_are_counted() -> None:
    text = GAME.format(cards="  a_card: guards of guard, one of priest, 5 of baron, 5 of princess")
    text = text.replace("if it is a_card then ", "").replace("suit exists", "number > 0")
    text = text.replace("deal 3 from", "deal 5 from").replace("  suit    red, blue\n", "")
    _, found = pipeline.load("letters.rules", text)
    short = [item for item in found if item.code == "R0406"]
    assert "with 4 players, 20 cards are taken from `deck`, which holds 16" in short[0].message


def test_a_formatted_line_is_read_alike() -> None:
    text = GAME.format(cards=BOX.replace(", ", " ,").replace("a_card: ", "a_card:"))
    assert f"\n{BOX}\n" in layout.formatted(text, "letters.rules")


def test_a_variant_changes_one_count(tmp_path: Path) -> None:
    base, variant = tmp_path / "letters.rules", tmp_path / "more.rules"
    base.write_text(GAME.format(cards=BOX), encoding="utf-8")
    changed = LETTERS.strip().replace("2 of princess", "4 of princess")
    variant.write_text(
        f'variant "more" of "letters.rules"\n  replace card {changed}\n', encoding="utf-8"
    )
    was, _ = pipeline.load(str(base))
    now, found = pipeline.load(str(variant))
    assert was is not None
    assert now is not None
    assert found == []
    assert box(now, 2) == box(was, 2) | {"princess": 4}
    (change,) = changes(Side("was", was), Side("now", now)).items
    assert change.words == ("“2 of princess” is now “4 of princess”",)
