"""Measures that read variables of the rules, and the twin that notes them."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from dsl import pipeline
from dsl.diagnostics import RulesError
from dsl.program import Program
from interpreter import bots
from interpreter.game import compile_game
from lab.inside import Notes, loaded, noting
from lab.measures import Measure, checked, parse
from lab.plan import plan
from lab.simulation import simulate
from lab.totals import Totals
from rulesets import FOLDER, VARIANTS

# the deck holds each number from 1 to 6 once, so that what is laid says what was asked
SPLIT = """\
game "Split"
  players 2..3
cards
  number 1..6
  numbered: 1 of each number
places
  deck            face down pile
  hand of player  private hand
  laid of player  face up row
tokens
  coin of player  2
track
  thanked  player
setup
  shuffle all cards into deck
  deal 2 from deck to every hand
phase play
  each player as turn
    held = highest number over cards in hand
    choose show: card from hand
      gone = number of it
      move it to laid
      both = held + gone
      choose pay if any: number 1..2 where it <= coins and gone > 3
        lose it coins
      choose who: player in others
        thanked = they
        they choose thank: number 0..1
          gain it coins
phase last
  limit = 3
  all players at once
    choose bet: number 0..1
      gain it coins
scoring
  total = coins
winner most points, then draw
"""


def program(name: str, folder: Path) -> Program:
    path = folder / f"{name}.rules"
    if name == "split":
        path.write_text(SPLIT)
    made, found = pipeline.load(pipeline.find(str(path) if name == "split" else name))
    assert made is not None, found
    return made


def measured(made: Program, *texts: str, games: int = 12) -> Totals:
    game = compile_game(made, 3)
    asked = checked(made, [parse(made, text) for text in texts])
    return simulate(plan(game, ("random",) * 3, games, measures=asked)).totals


def test_what_a_block_knows(tmp_path: Path) -> None:
    split = program("split", tmp_path)
    found = measured(split, "x = gone at pay", "y = gone > 3 at who", "z = held - gone at who")
    laid: Counter[int] = Counter()
    paid: Counter[int] = Counter()
    for seed in range(1, 13):
        state = compile_game(split, 3).start(seed)
        seated = [bots.make("random", seed) for _ in range(3)]
        while state.player is not None:
            assert state.rule is not None
            shown = [number for place in state.P[-3:] for number in place]
            path = state.rule.path.rpartition("/")[2]
            if path == "who":
                number = state.P[-3:][state.player][-1] % 6 + 1
                laid[int(number > 3)] += 1
            if path == "pay":
                paid[state.P[-3:][state.player][-1] % 6 + 1] += 1
            assert len(shown) <= 3
            state.apply(seated[state.player].choose(state))
    assert found.under("measure", 0, ("all",)) == paid
    assert found.under("measure", 1, ("all",)) == laid
    assert min(found.under("measure", 2, ("all",))) >= 0


def test_it_is_told_of_who_is_asked_and_means_what_it_means_there(tmp_path: Path) -> None:
    """`they choose` asks somebody else than the `me` of its block."""
    split = program("split", tmp_path)
    found = measured(split, "mine = coins + 0 × gone at thank", "theirs = coins at thank")
    assert sum(found.under("measure", 0, ("all",)).values()) == 36
    assert found.under("measure", 0, ("all",)) != found.under("measure", 1, ("all",))
    later = measured(split, "x = both at thank", "y = held + gone at thank")
    assert later.under("measure", 0, ("all",)) == later.under("measure", 1, ("all",))


def test_all_at_once_everybody_is_asked_of_their_own(tmp_path: Path) -> None:
    split = program("split", tmp_path)
    found = measured(split, "x = limit + coins at bet", "y = coins + 3 at bet")
    for group in (("all",), ("seat", 0), ("seat", 1), ("seat", 2), ("won", 1)):
        values = found.under("measure", 0, group)
        assert values
        assert values == found.under("measure", 1, group)


def test_play_is_the_same(tmp_path: Path) -> None:
    split = program("split", tmp_path)
    bare = measured(split)
    noted = measured(split, "x = gone at pay", "y = limit at bet", "z = coins at who")
    rest = {k: v for k, v in noted.counts.items() if k[0] not in ("measure", "measured")}
    assert rest == bare.counts


def test_what_is_not_there_is_not_noted(tmp_path: Path) -> None:
    split = program("split", tmp_path)
    found = measured(split, "x = coins of thanked + held at show", games=2)
    assert found["unmeasured", 0] == 2  # nobody is thanked in the first turn
    assert sum(found.under("measure", 0, ("all",)).values()) == 4


EVERY = sorted(path.stem for folder in (FOLDER, VARIANTS) for path in folder.glob("*.rules"))
SOME = ["gorilla-2.6", "last-leaf-deep"]


@pytest.mark.parametrize("name", EVERY if os.environ.get("RULES_LONG") else SOME)
def test_twins_go_together(name: str) -> None:
    """With every choice noted, the twin offers the same all through the game."""
    made = program(name, Path())
    game = compile_game(made, 3)
    measures = [Measure("x", "7", "choice", info.path, inside=True) for info in game.choices]
    twin, errors = loaded(made, text := noting(made, measures, ["7"] * len(measures)))
    assert twin is not None, errors
    notes = Notes(twin, 3, game.options, len(measures), text.players)
    state = game.start(5)
    notes.start(5)
    seated = [bots.make("random", 5) for _ in range(3)]
    while state.player is not None:
        assert notes.of(state.pc, state.player, game.choices[state.pc].path) == 7
        raw = seated[state.player].choose(state)
        state.apply(raw)
        notes.apply(raw)
    assert notes.points == list(state.points)


@pytest.mark.parametrize(
    ("text", "message", "way_out"),
    [
        ("x = gone", "nothing called `gone`", "ask `at` a choice that stands there"),
        ("x = gone at turn", "nothing called `gone`", "ask `at` a choice that stands there"),
        ("x = gone at show", "nothing called `gone`", "have the rules keep it in a `track`"),
        ("x = gon at pay", "nothing called `gon`", "did you mean `gone`?"),
        ("x = it at pay", "", ""),
        ("x = gone + hand at pay", "", ""),
        ("x = gone gone at pay", "", ""),
    ],
)
def test_variables_that_mean_nothing(tmp_path: Path, text: str, message: str, way_out: str) -> None:
    split = program("split", tmp_path)
    with pytest.raises(RulesError) as caught:
        checked(split, [parse(split, text)])
    first = caught.value.diagnostics[0]
    assert message in first.message
    assert way_out in first.suggestion
    assert first.span is not None
    assert first.span.file == "--measure x"
    assert "measured_" not in str(caught.value)
