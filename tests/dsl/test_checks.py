"""What the checks of the flow let pass. What they find stands in tests/wrong."""

from __future__ import annotations

import pytest

from dsl import pipeline

RULES = """\
game "Test"
  players 2..4
cards
  suit   spades, hearts
  plain: 12 of each suit
places
  deck             face down pile
  box              face up pile
  hand of player   private hand
tokens
  vp of player  0
track
  top    card
  taker  player
setup
  shuffle all cards into deck
  deal 5 from deck to every hand
phase one
  repeat 3 as round
    each player as turn
{body}
phase two
  each player
    gain size of hand vp
    if top exists and taker is me then gain 1 vp
action stop
  end game
action go_away
  end turn
action play c
  move c to box
scoring
  points = vp
winner most points, then draw
"""
PICK = "choose raid if any: card from box\n  gain 1 vp\n"


def found(body: str) -> list[str]:
    rules = RULES.format(body="\n".join(f"      {line}" for line in body.strip().split("\n")))
    for name in ("stop", "go_away", "play c"):  # only those that are used
        if name.split(" ")[0] not in body.split():
            start = rules.index(f"action {name}")
            end = rules.index("\n", rules.index("\n", start) + 1) + 1
            rules = rules[:start] + rules[end:]
    said = [item.code for item in pipeline.load("test.rules", rules)[1]]
    return [code for code in said if code not in ("R0501", "R0502", "R0505")]


@pytest.mark.parametrize(
    "rest",
    [
        "if raid exists then move raid to deck",
        "move raid to deck if any",
        "top = raid",
        "if raid is not nothing and suit of raid is spades then gain 1 vp",
        "if raid = nothing or suit of raid is spades then gain 1 vp",
        "gain (if raid exists then size of hand of owner of raid else 0) vp",
        "if raid = nothing then end turn\nmove raid to deck",
        "if raid exists\n  gain 1 vp\nelse\n  end turn\nmove raid to deck",
        "raid = first card in box\nmove raid to deck if any",
        "choose what\n  take when raid exists\n    move raid to deck\n  pass\n    gain 1 vp",
    ],
)
def test_answers_that_are_asked_for(rest: str) -> None:
    assert found(PICK + rest) == []


@pytest.mark.parametrize(
    "rest",
    [
        "move raid to deck",
        "if suit of raid is spades then gain 1 vp",
        "if raid exists or suit of raid is spades then gain 1 vp",
        "if raid = nothing then gain 1 vp\nmove raid to deck",
        "repeat 2\n  move raid to deck",
        "choose what\n  take\n    move raid to deck\n  pass\n    gain 1 vp",
    ],
)
def test_answers_that_are_not(rest: str) -> None:
    assert found(PICK + rest) == ["R0408"]


@pytest.mark.parametrize("pick", ["number 1..size of box", "1..2 cards from box"])
@pytest.mark.parametrize("use", ["gain {} vp", "vp_then = {}"])
def test_numbers_and_several_cards_cannot_be_asked_for(pick: str, use: str) -> None:
    answer = "some" if pick.startswith("number") else "(count of some)"
    assert found(f"choose some if any: {pick}\n  {use.format(answer)}") == []
    assert found(f"choose some if any: {pick}\n  gain 1 vp\n{use.format(answer)}") == ["R0408"]


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("choose go: card from hand\n  top = it\n  move it to box", []),
        ("choose go: card from hand\n  move it to box\ntop = go", []),
        ("choose go: card from hand\n  top = it\n  play it", []),
        ("reveal hand\ntop = first card in hand", []),
        ("move first card in hand to box\ntop = top of box", []),
        ("top = nothing", []),
        ("choose go: card from hand\n  top = it\n  move it to deck", ["R0409"]),
        ("top = first card in hand where suit is spades", ["R0409"]),
    ],
)
def test_tracked_cards(body: str, codes: list[str]) -> None:
    assert found(body) == codes


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("choose go: card from hand\n  move it to box", []),
        ("choose go: card from hand of left of me\n  move it to box", ["R0412"]),
        ("left of me chooses go: card from hand\n  move it to box", ["R0412"]),
        ("left of me chooses go: card from hand of left of me\n  move it to box", []),
        ("choose go: card from every hand of others\n  move it to box", ["R0412"]),
        ("choose go: card from top 2 of deck\n  move it to box", ["R0412"]),
        ("reveal deck\nchoose go: card from top 2 of deck\n  move it to box", []),
    ],
)
def test_choices_of_hidden_cards(body: str, codes: list[str]) -> None:
    assert found(body) == codes


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("if deck is empty then end game\ngain 1 vp", []),
        ("choose go if any: card from box\n  end turn\ngain 1 vp", []),
        ("choose go\n  a\n    end turn\n  b\n    end round\ngain 1 vp", ["R0504"]),
        ("choose go\n  a\n    end turn\n  b\n    gain 1 vp\ngain 1 vp", []),
        ("repeat 2 as lap\n  end lap\ngain 1 vp", []),
        ("repeat 2 as lap\n  end turn\ngain 1 vp", ["R0504"]),
        ("repeat size of hand as lap\n  end turn\ngain 1 vp", []),
        ("each card in hand\n  end turn\ngain 1 vp", []),
        ("go_away\ngain 1 vp", ["R0504"]),
        ("leave turn\ngain 1 vp", ["R0504"]),
        ("repeat 2 as lap\n  leave lap\ngain 1 vp", []),
        ("repeat 2 as lap\n  leave turn\ngain 1 vp", ["R0504"]),
        ("repeat 2 as lap\n  repeat 2 as leg\n    leave lap\n  gain 1 vp", ["R0504"]),
        ("turn of me as lap\n  end phase\ngain 1 vp", ["R0504"]),
        ("stop", []),  # a loop over players might not run, as far as is told here
    ],
)
def test_ends(body: str, codes: list[str]) -> None:
    assert found(body) == codes


@pytest.mark.parametrize(("example", "told"), [("riches of P1 is 0", False), ("P1 has 0 vp", True)])
def test_a_value_that_an_example_asks_for_is_used(example: str, told: bool) -> None:
    text = RULES.format(body="      gain 1 vp")
    text += f'value riches of player = vp\n\nexample "rich"\n  at one\n  then {example}\n'
    messages = [item.message for item in pipeline.load("x.rules", text)[1]]
    assert ("the named value `riches` is never used" in messages) == told
