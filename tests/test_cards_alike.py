"""Cards of several kinds with the same values: they mix, and are told apart by their kinds."""

from __future__ import annotations

from itertools import pairwise

import pytest

from dsl import pipeline
from dsl import program as p
from interpreter import compile_game, examples
from interpreter.contract.promises import Broken
from interpreter.contract.told import Told
from interpreter.fuzz.finding import Fuzzer
from tests.reference.comparing import agree

TWINS = """game "Twins"
  players 2

cards
  light 1..6
  bang  1..6
  lantern ja "提灯": 2 of each light
  firework ja "花火": 2 of each bang
  fan: 2

places
  deck            face down pile
  hand of player  private hand
  table           face up row

setup
  shuffle all cards into deck
  deal 5 from deck to every hand

phase play
  repeat 2
    each player as turn
      choose keep: card from hand
        move it to table
    shuffle deck

scoring
  total = 0

winner earliest seat

example "named by kind"
  at play
  given hand of P1 is lantern 2, firework 2, fan
    hand of P2 is lantern 3, firework 3
  when P1 keeps lantern 2, P2 keeps firework 3
  then table is lantern 2, firework 3
"""


def twins(text: str = TWINS) -> p.Program:
    program, found = pipeline.load("twins.rules", text)
    assert program is not None, [d.message for d in found]
    return program


def test_they_mix() -> None:
    """In a fair shuffle a card has one of the other kind and its number behind it 7 times in 100:
    24 cards of 26, times 2 of 25."""
    game = compile_game(twins(), 2)
    (deck,) = (place.index for place in game.places if place.place == "deck")
    pairs = beside = 0
    for seed in range(100):
        state = game.start(seed)
        labels = [game.face_label(face) for face in state.P[deck]]
        both = list(pairwise(labels))
        pairs += len(both)
        beside += sum(a != b and a[-1] == b[-1] and "fan" not in (a, b) for a, b in both)
    assert 0.04 < beside / pairs < 0.11


@pytest.mark.parametrize("seed", range(4))
def test_the_reference_shuffles_alike(seed: int) -> None:
    agree(twins(), 2, {}, seed)


def test_they_are_called_by_their_kinds() -> None:
    game = compile_game(twins(), 2)
    labels = [game.face_label(face.index) for face in game.faces]
    assert len(set(labels)) == len(labels)
    assert {"lantern 4", "firework 4", "fan"} <= set(labels)
    assert game.face_label(game.faces[0].index, "ja") == "提灯 1"


def test_examples_name_them() -> None:
    assert all(result.holds for result in examples.run(twins()))


def test_an_example_must_say_which_kind() -> None:
    program, found = pipeline.load("twins.rules", TWINS.replace("keeps lantern 2", "keeps 2"))
    assert program is None
    (error,) = [d for d in found if d.is_error]
    assert error.code == "R0604"
    assert "lantern 2" in error.suggestion


EQUAL = TWINS.partition("phase play")[0].replace(
    "table           face up row", "table           face up pile"
)
FROM_BELOW = """phase play
  move top 12 of deck to table
  repeat 3
    each player as turn
      choose keep: card from hand
        move it to table
        move first card in table where light exists to hand if any

scoring
  total = 0

winner earliest seat
"""


@pytest.mark.parametrize("kind", ["pile", "row"])
def test_what_is_told_leaves_open_which_of_equal_cards_goes(kind: str) -> None:
    program = twins((EQUAL + FROM_BELOW).replace("face up pile", f"face up {kind}"))
    fuzzer = Fuzzer(program, 1)
    for _ in range(20):
        fuzzer.play()
    assert not fuzzer.found
    agree(program, 2, {}, 1)


def test_what_is_told_must_fit_the_table() -> None:
    game = compile_game(twins(), 2)
    told = Told(game)
    state = game.start(1, told)
    told.compare(state)
    (deck,) = (place.index for place in game.places if place.place == "deck")
    state.P[deck][:2] = reversed(state.P[deck][:2])
    assert state.P[deck][0] != state.P[deck][1]
    with pytest.raises(Broken):
        told.compare(state)
