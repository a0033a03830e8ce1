"""A rule that needs what is not there: the message says what, in words of its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl import pipeline
from interpreter.absent import absent

GAME = """game "Lost"
  players 2..3

cards
  number  1..4
  plain: 6 of each number

places
  deck            face down pile
  pot of player   face up pile

track
  taker  player

setup
  shuffle all cards into deck

phase play
  best = first player where vp > 9
  {rule}

tokens
  vp of player  0

scoring
  score = vp

winner most points, then draw
"""


@pytest.mark.parametrize(
    ("rule", "message", "notes"),
    [
        (
            "move deck to pot of taker",
            "`taker` is nobody now, and this rule needs it",
            ("`taker` is nobody when nothing has been put into the track",),
        ),
        (
            "move deck to pot of best",
            "`best` is nobody now, and this rule needs it",
            ("`best` is nobody when there is none to be the first",),
        ),
        (
            "move top of deck to pot of best",
            "of `top of deck` and `best`, one is not there now, and this rule needs it",
            (
                "`top of deck` is nothing when the pile is empty",
                "`best` is nobody when there is none to be the first",
            ),
        ),
        (
            "move deck to pot of first player",
            "this rule needs a card, player or play that is not there now",
            (),
        ),
    ],
)
def test_what_is_missing(rule: str, message: str, notes: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "lost.rules"
    file.write_text(GAME.format(rule=rule), encoding="utf-8")
    program, _ = pipeline.load(file)
    assert program is not None
    found = absent(program, str(file), 20)
    assert (found.message, found.notes) == (message, notes)
