"""Odd rules that a designer may write: the game goes on, or stops with a message at the rule."""

from __future__ import annotations

import pytest

from dsl import pipeline
from dsl import program as p
from dsl.diagnostics import RulesError
from interpreter import compile_game
from interpreter.fuzz.finding import Fuzzer
from interpreter.trace.run import trace
from lab.plan import plan
from lab.simulation import simulate
from tests.reference.comparing import agree

GAME = """game "Odd"
  players 2..3

options
  zero  1  in 0..1

cards
  number  1..24
  numbered: one of each number

places
  deck             face down pile
  hand of player   private hand
  court of player  face up row

tokens
  vp of player  0

roles king, thief, monk, fool
  on 4 seats

setup
  shuffle all cards into deck
  deal 3 from deck to every hand

phase play
{phase}

scoring
  total = vp

winner most points, then draw
"""

GO_ON = {
    "who is dealt to is settled before the dealing": """
  repeat 2
    deal 2 from deck to every hand of (players where size of hand < 4)
    each player as turn
      choose give: card from hand
        move it to court
  deal 2 from court of (first player by most cards in court, then seat) to every hand""",
    "several ways that wait for the others": """
  each player as turn
    choose act
      give card from hand where number > 22
        move it to court
      rest otherwise
        gain 1 vp
      name player in others otherwise
        do nothing""",
    "a card of one place or of several": """
  each player as turn
    move (if vp > 0 then top of deck else first card in (every court + hand)) to court
    choose pay: number 0..1
      gain it vp
    move (if vp > 0 then first card in (every court + hand) else top of deck) to hand""",
    "cards are picked at random, also where there are few": """
  repeat 3
    each player as turn
      choose victim: player in others
        move random card from hand of victim to hand
        move size of hand - 4 random cards from hand to court
      move 3 random cards from deck to court of left of me
      move 2 random cards from court to court
      move 5 - zero random cards from court to deck""",
    "cards go to the right": """
  all players at once
    choose give: card from hand
      move it to court
  each player p
    move court of p to hand of right of p
  each player by latest seat as turn
    if right of left of me is me and my right is not my left then gain 1 vp""",
    "all cards are shuffled again, wherever they lie": """
  repeat 3
    shuffle all cards into deck
    deal 2 from deck to every hand
    each player as turn
      choose give: card from hand
        move it to court
  shuffle all cards into court of first player where vp = 0""",
    "nobody has anything to choose": """
  all players at once
    choose give if any: card from hand where number > 24
      move it to deck""",
    "some have nothing to choose": """
  repeat 3
    all players at once
      choose give if any: card from hand where number < 9
        move it to court""",
    "nobody is asked anything": """
  each player
    gain 1 vp""",
    "nothing is shuffled": """
  each player as turn
    choose bid: number 0..1
    shuffle court""",
    "cards move to where they lie": """
  repeat 3 as round
    each player as turn
      move all cards to deck
      choose bid: number 0..1""",
    "a division by 0 that no game comes to": """
  each player as turn
    choose bid: number 0..1
    if vp > 9 then gain 5 / zero rounded down vp""",
}

STOP = {
    "who is asked is nobody": (
        "R0906",
        """
  each player as turn
    holder of fool chooses bid: number 0..1
    pass roles clockwise""",
    ),
    "who takes a turn is nobody": (
        "R0906",
        """
  rich = first player where vp > 5
  rich chooses bid: number 0..1""",
    ),
    "a division by 0": (
        "R0905",
        """
  each player as turn
    choose bid: number 0..1
    gain 5 / zero rounded down vp""",
    ),
}


def odd(phase: str) -> p.Program:
    program, found = pipeline.load("odd.rules", GAME.format(phase=phase.strip("\n")))
    assert program is not None, [d.message for d in found]
    return program


@pytest.mark.parametrize("phase", GO_ON.values(), ids=GO_ON)
def test_the_game_goes_on(phase: str) -> None:
    program = odd(phase)
    for players in (2, 3):
        agree(program, players, {"zero": 0}, 1)
        game = compile_game(program, players, {"zero": 0})
        assert trace(game, 1, "random")
    fuzzer = Fuzzer(program, 1)
    for _ in range(10):
        fuzzer.play()
    assert not fuzzer.found


@pytest.mark.parametrize("phase", GO_ON.values(), ids=GO_ON)
def test_it_can_be_counted(phase: str) -> None:
    game = compile_game(odd(phase), 2)
    assert simulate(plan(game, ("random", "random"), 3, 1)).totals.games == 3


@pytest.mark.parametrize(("code", "phase"), STOP.values(), ids=STOP)
def test_the_rule_is_told(code: str, phase: str) -> None:
    game = compile_game(odd(phase), 2, {"zero": 0})
    with pytest.raises(RulesError) as caught:
        state = game.start(1)
        while not state.is_over:
            state.apply(state.moves[0])
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert found.span is not None
    agree(odd(phase), 2, {"zero": 0}, 1)


def test_numbers_that_grow_without_end() -> None:
    phase = """
  each player as turn
    choose bid: number 0..1
    repeat 40
      gain vp × vp + 2 vp"""
    game = compile_game(odd(phase), 2)
    with pytest.raises(RulesError) as caught:
        simple = game.start(1)
        simple.apply(simple.moves[0])
    assert caught.value.diagnostics[0].code == "R0909"


def test_loops_left_from_answers_given_at_once_and_from_rounds() -> None:
    """Whose answers come later, and who would have had a turn, are left behind."""
    phase = """  repeat 3 as round
    all players at once
      choose lay: card from hand
        if number of it > 18 then leave round
        move it to court
        if number of it > 14 then end round
        gain 1 vp
    gain 10 vp
  shuffle deck
  each player clockwise from left of me as turn
    go round players until every hand is empty as lap
      choose throw if any: card from hand
        move it to court
        if number of it > 20 then leave turn
        if number of it > 12 then leave lap
        if number of it > 6 then end lap
      gain 1 vp
    gain 100 vp
  shuffle deck"""
    program, found = pipeline.load("odd.rules", GAME.format(phase=phase))
    assert program is not None
    assert [item.code for item in found if item.is_error] == []
    for seed in range(6):
        agree(program, 2 + seed % 2, {}, seed)


def test_an_action_used_in_several_loops_of_one_name_ends_the_one_around_it() -> None:
    """Also where it asks, from an action inside an action, with loops around in another order."""
    rules = """
  each player as turn
    repeat 2 as lap
      shuffle deck
      tire
      gain 1 vp
  each player as turn
    tire
    gain 10 vp
  repeat 3 as lap
    shuffle deck
    each player as turn
      shuffle deck
      tire
      wake
      gain 100 vp
  shuffle deck

phase again
  each player as turn
    repeat 2 as lap
      wake
    tire
  shuffle deck

action wake
  repeat 2 as nap
    choose see if any: card from hand
      move it to court
      if number of it > 18 then leave turn
    tire

action tire
  if number of top of deck > 20 then leave turn
  repeat 2 as nap
    choose lay if any: card from hand
      move it to court
      if number of it > 16 then leave turn
      if number of it > 10 then end turn
      if number of it > 6 then leave nap"""
    for seed in range(12):
        agree(odd(rules), 2 + seed % 2, {}, seed)


@pytest.mark.parametrize(("line", "told"), [("gain 1 vp", True), (
    "if deck is empty then move 99 random cards from court to deck", False)])  # fmt: skip
def test_a_pile_that_chance_fills_again_does_not_run_out(line: str, told: bool) -> None:
    phase = f"""
  repeat 30 as round
    each player as turn
      {line}
      move top of deck to hand
      move 2 random cards from hand to court"""
    _, found = pipeline.load("odd.rules", GAME.format(phase=phase))
    assert ("R0406" in [item.code for item in found]) == told


def test_of_equal_cards_in_a_row_the_one_that_is_looked_at_moves() -> None:
    """Also where another way of the rule moved it: the 2s end behind the others."""
    phase = """
  each player as turn
    move 6 random cards from deck to court
    each card c in court as item
      if number of c = 1 then move c to hand
      else if number of c = 2 then move c to court
    repeat 6
      move first card in court to deck if any"""
    text = GAME.format(phase=phase).replace("1..24", "1..4").replace("one of each", "6 of each")
    program, _ = pipeline.load("odd.rules", text)
    assert program is not None
    mixed = 0
    for seed in range(20):
        told = trace(compile_game(program, 2), seed, "random")
        row: list[str] = []
        for line in told.splitlines():
            if "  deck -> court" in line:
                row = [card for card in line.partition(": ")[2].split(", ") if card != "1"]
                mixed += sorted(row, key=lambda card: card == "2") != row
                row.sort(key=lambda card: card == "2")
            elif "-> deck" in line:
                assert row.pop(0) == line.partition(": ")[2]
    assert mixed
