"""How examples are laid out, kept, and left out where nobody needs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl import kept, pipeline
from dsl.diagnostics import RulesError
from dsl.examples import examples_of
from dsl.format import formatted
from interpreter import compile_game

RULESET = pipeline.bundled_rulesets() / "throne.rules"
WRONG = '\nexample "wrong"\n  given hand of P1 is nobody_knows\n  then P1 has 1 vp\n'


def test_layout() -> None:
    text = RULESET.read_text(encoding="utf-8")
    example = (
        'example   "it"   [T20]\n'
        "    with 3 players,limit 4\n"
        "    given P1 has ( min( 2,3 ) ) coins , hand of P1 is   knight\n"
        "    then P1 may not  turn  with : hold , play knight\n"
        "    then P1 has - 3 points,P2 has (- 3) points\n"
    )
    made = formatted(f"{text}\n{example}")
    assert made.endswith(
        '\n\nexample "it"' + " " * 62 + "[T20]\n"
        "  with 3 players, limit 4\n"
        "  given P1 has (min(2, 3)) coins, hand of P1 is knight\n"
        "  then P1 may not turn with: hold, play knight\n"
        "  then P1 has -3 points, P2 has (-3) points\n"
    )


def test_an_example_that_cannot_be_read_stays_as_typed_and_the_rules_are_set() -> None:
    text = RULESET.read_text(encoding="utf-8").replace("\nphase refill", "\nphase   refill")
    broken = 'example  "it"\n     when P1 go-home -3\n     then  P1 has (2)  coins [T1]\n'
    made = formatted(f"{text}\n{broken}")
    assert "\nphase refill" in made
    assert made.endswith(
        'example "it"\n  when P1 go-home -3\n  then P1 has (2) coins' + " " * 51 + "[T1]\n"
    )
    with pytest.raises(RulesError):
        formatted(f"{text}\nphase nine to five\n")


def test_wrong_examples_stop_nobody_who_plays(tmp_path: Path) -> None:
    path = tmp_path / "mine.rules"
    text = RULESET.read_text(encoding="utf-8").replace('  sheet "../seeds/throne.md"\n', "")
    path.write_text(text + WRONG, encoding="utf-8")
    for _ in range(2):  # the second time from what was kept
        program, found = pipeline.load(path)
        assert program is None
        assert [d.code for d in found if d.is_error] == ["R0604"]
        program, found = pipeline.load(path, examples=False)
        assert program is not None and not any(d.is_error for d in found)
        assert compile_game(program, 3).start(1).player == 0


def test_examples_are_kept_with_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULES_CACHE", str(tmp_path / "kept"))
    text = RULESET.read_text(encoding="utf-8")
    first, _ = pipeline.load(RULESET)
    again = kept.recall(str(RULESET), text)
    assert first is not None and again is not None and again[0] is not None
    names = [example.names.name for example in examples_of(first)]
    assert names and [example.names.name for example in examples_of(again[0])] == names


CARDS = """game "Cards"
  players 2
cards
  fore red, blue
  back gold, grey
  fores: 2 of each fore
  backs: 2 of each back
  both: 2 of each fore and back
places
  deck            face down pile
  hand of player  private hand
setup
  shuffle all cards into deck
  deal 4 from deck to every hand
phase play
  each player
    choose drop: 1..3 cards from hand
      move them to deck
scoring
  none = 0
winner most points, then draw
example "it"
  with 2 players
  given hand of P1 is red gold, red, red, gold
"""


END = "  then deck is not empty\n"


def test_cards_one_after_the_other_that_can_be_read_in_two_ways() -> None:
    program, found = pipeline.load("cards.rules", f"{CARDS}  when P1 drops red gold red\n{END}")
    assert program is None
    assert [(d.code, d.message) for d in found if d.is_error] == [
        ("R0604", "these cards can be read as `red and gold and red` or `red gold and red`")
    ]
    for said in ("red and gold and red", "red gold, red", "red red and gold and red"):
        program, found = pipeline.load("cards.rules", f"{CARDS}  when P1 drops {said}\n{END}")
        assert program is not None, found
