"""Plays whose cards lie in several places, and cards whose place is not fixed by the rules: each
card is moved from where it lies, and belongs to whom it lies before."""

from __future__ import annotations

import pytest

from dsl import pipeline
from dsl import program as p
from dsl.diagnostics import RulesError, render_text
from interpreter import compile_game
from interpreter.examples import run
from interpreter.fuzz.finding import Fuzzer
from interpreter.trace.run import trace
from interpreter.why.answers import Offered, Refused
from lab import bots
from tests.reference.comparing import agree

HEAD = """game "Spread"
  players 2..3

cards
  suit    red, blue
  number  1..9
  numbered: {copies} of each suit and number
  joker: {copies}

places
  deck            face down pile
  hand of player  private hand
  seen of player  face up row
  melds           face up row
  lost            face down row

tokens
  vp of player  0

track
  kept   play
  spare  card

shapes
  run   2..4 numbered, same suit, consecutive number, up to 1 joker as any
  pair  2 numbered, same number

setup
  shuffle all cards into deck
  deal 3 from deck to every hand
  deal 1 from deck to every seen
  move top 4 of deck to melds

phase play
  repeat 3 as round
    each player as turn
      add_on

"""
TAIL = """
value mixed(play) = any card in cards of play where owner is me

scoring
  total = vp

winner most points, then draw
"""
MANY_WAYS = """action add_on
  choose lay if any
    add shape from (hand + melds) where mixed(it) or size = 2
      gain (count of cards in cards of it where owner is me) vp
      kept = it
      if size of it > 2 then pay_for it
      else move first card in cards of it where owner exists to melds if any
    take run from every seen
      each card picked in cards of it
        if owner of picked is me then gain 1 vp
        move picked to melds
    steal pair from (hand + seen of left of me)
      swap = it
      move cards of swap where it in hand to lost
    pass otherwise
      do nothing
  if kept exists and suit of kept = red then gain 1 vp

action pay_for play
  choose cost: card from cards of play
    move it to lost
"""
LAY_OFF = """action add_on
  choose add if any: run from (hand + melds) where mixed(it)
    move it to seen
"""
EXAMPLE = """
example "a card of mine goes on a run of the table"
  with 2 players
  at add_on of P1
  given hand of P1 is red 3, blue 6
    melds is red 4, red 5, blue 1
    seen of P1 is empty
  then P1 may add: red 3 and red 4, red 3 and red 4 and red 5
  when P1 adds red 3 from hand of P1 and red 4 from melds
  then hand of P1 is blue 6, seen of P1 is red 3, red 4

example "the same cards from elsewhere are another play"
  with 2 players
  at add_on of P1
  given hand of P1 is red 3
    melds is red 3, red 4
  then P1 may add: red 3 and red 4
"""


def load(action: str, copies: int = 2, more: str = "") -> p.Program:
    text = HEAD.format(copies=copies) + action + TAIL + more
    program, diagnostics = pipeline.load(pipeline.find("spread.rules"), text)
    assert program is not None, render_text(diagnostics, {})
    return program


@pytest.mark.parametrize("copies", [1, 2])
@pytest.mark.parametrize("action", [MANY_WAYS, LAY_OFF], ids=["many ways", "lay off"])
def test_the_reference_agrees_and_the_contract_holds(action: str, copies: int) -> None:
    program = load(action, copies)
    for seed in range(6):
        agree(program, 2 + seed % 2, {}, seed)
    fuzzer = Fuzzer(program, 1)
    for _ in range(10):
        fuzzer.play()
    assert not fuzzer.found


def test_examples_name_the_cards_and_where_they_lie() -> None:
    program = load(LAY_OFF, more=EXAMPLE)
    assert [report.failures for report in run(program)] == [(), ()]


def test_each_card_is_moved_from_where_it_lies() -> None:
    lines = trace(compile_game(load(LAY_OFF), 3), 3, "random").splitlines()
    at = lines.index("  P1 add: blue 1 from hand of P1, blue 2 blue 3 from melds")
    assert lines[at + 1 : at + 3] == [
        "  hand of P1 -> seen of P1: blue 1",
        "  melds -> seen of P1: blue 2, blue 3",
    ]


def test_options_say_where_the_cards_lie_in_words_and_as_data() -> None:
    state = compile_game(load(LAY_OFF), 2).start(6)
    assert state.decision is not None
    first = state.decision.options[0]
    assert first.label == "red 2 from hand of P1, red 3 from melds"
    assert first.value == {
        "shape": "run",
        "cards": ["red 2", "red 3"],
        "places": ["hand of P1", "melds"],
    }
    assert state.game.labels.option("action add_on/add", first.raw, "ja") == (
        "P1のhandのred2、meldsのred3"
    )


def test_why_tells_plays_of_several_places_apart() -> None:
    state = compile_game(load(LAY_OFF), 2).start(6)
    assert state.decision is not None
    for option in state.decision.options:
        in_japanese = state.game.labels.option("action add_on/add", option.raw, "ja")
        for said in (option.label, option.value, in_japanese):
            answer = state.why_not(said)
            assert isinstance(answer, Offered)
            assert answer.parts == state.why(option.raw).parts, said
    assert isinstance(state.why_not("red 3 from melds, red 4 from melds"), Refused)


OWNERS = {
    "a card that a track keeps": """
  choose lay: card from hand
    move it to seen
    spare = it
  if spare exists and owner of spare is me then gain 1 vp""",
    "a card that is one or another": """
  card_meant = if vp > 0 then first card in melds else first card in seen
  if card_meant exists and owner of card_meant is me then gain 1 vp
  move card_meant to lost if any
  choose lay: card from hand
    move it to seen""",
    "a tracked card under another name": """
  spare = first card in seen
  other = spare
  if other exists and owner of other is me then gain 1 vp
  move other to lost if any
  choose lay: card from hand
    move it to seen""",
    "a play that is one or another": """
  choose lay if any: run from hand
    other = if vp > 0 then it else first run in melds
    if other exists and any card in cards of other where owner is nobody then gain 1 vp
    kept = it""",
    "cards of a tracked play": """
  choose lay if any: run from (hand + seen)
    kept = it
    old = kept
    gain (count of cards in cards of old where owner is me) vp
    move cards of old where it in hand to lost""",
}


@pytest.mark.parametrize("body", OWNERS.values(), ids=OWNERS)
def test_the_owner_of_any_card_can_be_asked(body: str) -> None:
    program = load(f"action add_on{body}\n", copies=1)
    for seed in range(4):
        agree(program, 2 + seed % 2, {}, seed)


def test_nobody_chooses_a_play_of_cards_that_are_not_seen() -> None:
    text = HEAD.format(copies=1) + LAY_OFF.replace("melds", "lost") + TAIL
    _, diagnostics = pipeline.load(pipeline.find("spread.rules"), text)
    assert [d.code for d in diagnostics] == ["R0412"]


def test_a_card_that_is_nothing_has_no_owner() -> None:
    body = "action add_on\n  choose lay: number 0..1\n  if owner of spare is me then gain 1 vp\n"
    state = compile_game(load(body), 2).start(1)
    with pytest.raises(RulesError) as caught:
        state.apply(state.moves[0])
    assert [d.code for d in caught.value.diagnostics] == ["R0906"]


@pytest.mark.parametrize("entry", ["at add_on of P1", "at play"])
def test_a_rule_that_fails_on_the_way_into_an_example_is_told(entry: str) -> None:
    body = "  choose lay if any: card from hand where owner of spare is me\n    do nothing\n"
    example = f'\nexample "it"\n  with 2 players\n  {entry}\n  then P1 may lay: red 1\n'
    (result,) = run(load(f"action add_on\n{body}", more=example))
    (failure,) = result.failures
    assert failure.expected == "that the rules can be carried out"
    assert "`spare` is nothing now" in failure.found or "`owner of spare`" in failure.found


BOT = """
bot hoarder
  at add
    by largest own(it)
  value own(play) = count of cards in cards of play where owner is me
"""


def test_a_bot_of_the_ruleset_looks_at_the_owners_too() -> None:
    game = compile_game(load(LAY_OFF, more=BOT), 2)
    asked = 0
    for seed in range(6):
        bot, state = bots.make("hoarder", seed, game), game.start(seed)
        while not state.is_over:
            player = state.player
            assert player is not None
            seats = [place.player for place in game.places]
            own = {raw: [seats[q] for q in raw[-1]].count(player) for raw in state.moves}
            taken = bot.choose(state)
            assert own[taken] == max(own.values())
            asked += len(set(own.values())) > 1
            state.apply(taken)
    assert asked > 2
