"""What statements and choices become, and where in the rules they say they stand."""

from __future__ import annotations

import pytest

from dsl import pipeline
from dsl import program as p
from dsl.walk import everything, walk
from tests.dsl.core_text import lines, text

RULES = """\
game "Test"
  players 2..4
options
  limit  5 in 1..9
cards
  suit    spades, hearts
  rank    A, K, Q, strongest first
  plain:  12 of each suit and rank
  jester: 4
places
  deck             face down pile
  box              face up pile
  hand of player   private hand
  court of player  face up row
tokens
  coin of player  0
  coin in bank    endless
  vp of player    0
marks
  out of player
  stormed
track
  top     play
  taker   player
  bid of player  number
roles king, fool on 4 seats
shapes
  pair  2 cards, same rank
setup
  shuffle all cards into deck
phase one  [A]
BODY
phase two
  moment dawn
action storm n
  gain n vp
bonus spades
  gain 1 vp
bonus hearts
  do nothing
role king
  at dawn when coins > 1  [H]
    gain 1 vp
at dawn
  lose 1 vp
scoring
  total = coins
winner most points, then draw
"""


def program(body: str) -> p.Program:
    indented = "\n".join(f"  {line}" for line in body.strip("\n").split("\n"))
    made, diagnostics = pipeline.load("x.rules", RULES.replace("BODY", indented))
    assert made is not None, [d.message for d in diagnostics if d.is_error]
    return made


def lowered(body: str) -> list[str]:
    return lines(program(body).phases[0].body)


ONE_LINE = {
    "shuffle deck": "Shuffle deck",
    "shuffle box into deck": "Shuffle cards[box] deck",
    "shuffle box + every court into deck": "Shuffle cards[box, PlacesOf(court, players)] deck",
    "deal 5 from deck to every hand": "Deal 5 deck hand players",
    "deal limit from deck to every hand of others": "Deal limit deck hand after me",
    "deal 3 from deck to box": "Move Top(deck, 3) box",
    "move top of deck to hand": "Move Top(deck, ) hand me",
    "move top 2 of deck to hand of left of me": "Move Top(deck, 2) hand First(after me)",
    "move every court to box": "Move cards[PlacesOf(court, players)] box",
    "move hand + court to box": "Move cards[hand me, court me] box",
    "move jester from hand to box if any": (
        "Move First(Filter(cards[hand me], _: IsKind(jester, _))) box True"
    ),
    "move jesters from hand to box": "Move Filter(cards[hand me], _: IsKind(jester, _)) box",
    "move cards in box where suit = hearts to hand": (
        "Move Filter(cards[box], _: (Attr(suit, _) = 1:suit)) hand me"
    ),
    "move cards of top to box": "Move PlayPart(cards, top) box",
    "move up to 2 coins from bank to taker": (
        "MoveTokens coin 2 TokenEnd(bank, ) TokenEnd(coin, taker) True"
    ),
    "give 1 coin to bank": "MoveTokens coin 1 TokenEnd(coin, me) TokenEnd(bank, )",
    "take up to 1 coin from taker": (
        "MoveTokens coin 1 TokenEnd(coin, taker) TokenEnd(coin, me) True"
    ),
    "gain 2 vp": "MoveTokens vp 2 TokenEnd(, ) TokenEnd(vp, me)",
    "taker gains 2 vp": "MoveTokens vp 2 TokenEnd(, ) TokenEnd(vp, taker)",
    "holder of king gains 2 vp": ("MoveTokens vp 2 TokenEnd(, ) TokenEnd(vp, HolderOf(0:role))"),
    "my left loses 1 vp": ("MoveTokens vp 1 TokenEnd(vp, First(after me)) TokenEnd(, )"),
    "left of taker gains 1 vp": ("MoveTokens vp 1 TokenEnd(, ) TokenEnd(vp, First(after taker))"),
    "gain size of top vp": "MoveTokens vp PlayPart(size, top) TokenEnd(, ) TokenEnd(vp, me)",
    "lose coins vp": "MoveTokens vp coin me TokenEnd(vp, me) TokenEnd(, )",
    "mark out": "SetMark out me True",
    "unmark everyone out": "SetMark out players",
    "mark taker out": "SetMark out taker True",
    "mark out of taker": "SetMark out taker True",
    "unmark stormed": "SetMark stormed",
    "taker = nobody": "SetTrack taker None:player",
    "top = nothing": "SetTrack top None:play",
    "bid = 3": "SetTrack bid me 3",
    "bid of taker = 3": "SetTrack bid taker 3",
    "my bid = 3": "SetTrack bid me 3",
    "pass roles back": "PassRoles",
    "reveal every hand": "Reveal [PlacesOf(hand, players)]",
    "apply bonus of suit of the card in court": "Apply bonus Attr(suit, First(cards[court me])) me",
    "moment dawn": "Moment dawn me",
    "storm 3": "Do storm [me, 3]",
    "end game": "End game",
}


@pytest.mark.parametrize(("line", "expected"), ONE_LINE.items(), ids=str)
def test_statement(line: str, expected: str) -> None:
    assert lowered(line) == [expected]


def test_what_is_not_understood_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should a pass give up without a word, there is a finding all the same."""

    def silent(*_: object) -> None:
        return None

    silenced = (
        "dsl.statements.lower_mark",
        "dsl.expressions._exists",
        "dsl.lower._Lowering.winner",
    )
    for name in silenced:
        with monkeypatch.context() as patched:
            patched.setattr(name, silent)
            body = "  mark out\n  if taker exists then gain 1 vp"
            made, found = pipeline.load("x.rules", RULES.replace("BODY", body))
            assert made is None
            assert [item.code for item in found if item.is_error] == ["R0199"], name


BLOCKS = {
    """
if stormed then end game
else if coins > 1
  gain 1 vp
else
  lose 1 vp
""": """
If stormed
  End game
  If (coin me > 1)
    MoveTokens vp 1 TokenEnd(, ) TokenEnd(vp, me)
    MoveTokens vp 1 TokenEnd(vp, me) TokenEnd(, )
""",
    "if stormed then end game else end phase": "If stormed\n  End game\n  End phase",
    """
repeat limit times as round
  gain round vp
""": """
Repeat limit round round
  MoveTokens vp round TokenEnd(, ) TokenEnd(vp, me)
""",
    """
each player as turn
  gain 1 vp
""": """
Each players turn turn
  MoveTokens vp 1 TokenEnd(, ) TokenEnd(vp, turn)
""",
    """
each player p in others where not out by most coins, then seat
  take coins of p coins from p
""": """
Each Sorted(Filter(after me, p: Unary(not, out p)), p, [+coin p, -p]) p
  MoveTokens coin coin p TokenEnd(coin, p) TokenEnd(coin, me)
""",
    """
each victim in others
  they lose 1 vp
""": """
Each after me victim
  MoveTokens vp 1 TokenEnd(vp, victim) TokenEnd(, )
""",
    """
each card in box
  move it to hand of taker
""": """
Each cards[box] _
  Move _ hand taker
""",
    """
each i in 1..3
  gain i vp
""": """
Each Range(1, 3) i
  MoveTokens vp i TokenEnd(, ) TokenEnd(vp, me)
""",
    """
turn of taker
  gain 1 vp
""": """
Turn taker _ turn
  MoveTokens vp 1 TokenEnd(, ) TokenEnd(vp, _)
""",
    """
while deck is not empty, at most 9 times as draw
  move top of deck to hand
""": """
While Any_(cards[deck]) 9 draw
  Move Top(deck, ) hand me
""",
    """
go round players by role after taker skipping out until stormed as turn
  mark out
""": """
GoRound PlayersByRole() taker _ out _ stormed turn
  SetMark out _ True
""",
    """
all players at once
  choose lay: card from hand
    move it to court
""": """
AtOnce players _
  Choose lay _
    Branch PickCard(cards[hand _]) lay
      Move lay court _
""",
    """
choose swap if any: 1..2 cards from hand
  move them to box
""": """
Choose swap me True
  Branch PickCards(cards[hand me], 1, 2) swap
    Move swap box
""",
    """
choose call: number 0..3 where it != coins
  bid = it
choose raise if any: number 1..limit where it > bid
  bid = it
""": """
Choose call me
  Branch PickOne(Filter(Range(0, 3), _: (_ != coin me))) call
    SetTrack bid me call
Choose raise me True
  Branch PickOne(Filter(Range(1, limit), _: (_ > TrackRef(bid, me)))) raise
    SetTrack bid me raise
""",
    """
choose name: player in others
  they choose give: card from their hand
    move it to my court
gain coins of name vp
""": """
Choose name me
  Branch PickOne(after me) name
    Choose give name
      Branch PickCard(cards[hand name]) give
        Move give court me
MoveTokens vp coin name TokenEnd(, ) TokenEnd(vp, me)
""",
    """
choose what
  pay number 0..coins when coins > 0
    give it coins to bank
  lay pair from hand
    top = it
  name suit
    do nothing
  pass otherwise
""": """
Choose what me
  Branch pay PickNumber(0, coin me) pay (coin me > 0)
    MoveTokens coin pay TokenEnd(coin, me) TokenEnd(bank, )
  Branch lay PickOne(Plays([pair], cards[hand me])) lay
    SetTrack top lay
  Branch name PickOne(EnumAll(suit)) name
  Branch pass True
""",
    """
best = first player by most coins
best gains 1 vp
left_over = 3
left_over = left_over - 1
""": """
SetVar best First(Sorted(players, _, [+coin _]))
MoveTokens vp 1 TokenEnd(, ) TokenEnd(vp, best)
SetVar left_over 3
SetVar left_over (left_over - 1)
""",
}


@pytest.mark.parametrize(
    ("body", "expected"), BLOCKS.items(), ids=lambda text: text.strip().split("\n")[0]
)
def test_block(body: str, expected: str) -> None:
    assert lowered(body) == expected.strip("\n").split("\n")


def test_paths_and_tags() -> None:
    made = program("""
gain 1 vp
repeat 2  [B]
  gain 1 vp
  choose way
    lay card from hand  [C]
      move it to court
      gain 1 vp  [D]
    pass
      shuffle deck
""")
    found = [
        (type(node).__name__, node.origin.path, node.origin.tags)
        for node in walk(made.phases[0].body)
        if hasattr(node, "origin")
    ]
    assert found == [
        ("MoveTokens", "phase one", ("A",)),
        ("Repeat", "phase one", ("B",)),
        ("MoveTokens", "phase one", ("B",)),
        ("Choose", "phase one/way", ("B",)),
        ("Branch", "phase one/way/lay", ("C",)),
        ("Move", "phase one/way/lay", ("C",)),
        ("MoveTokens", "phase one/way/lay", ("D",)),
        ("Branch", "phase one/way/pass", ("B",)),
        ("Shuffle", "phase one/way/pass/shuffle deck", ("B",)),
    ]
    assert list(made.choices) == ["phase one/way", "phase one/way/lay", "phase one/way/pass"]


def test_hooks_effects_and_their_paths() -> None:
    made = program("moment dawn\napply bonus of hearts\nstorm 1")
    assert [(hook.moment, hook.role, hook.origin.path) for hook in made.hooks] == [
        ("dawn", 0, "role king at dawn"),
        ("dawn", None, "at dawn"),
    ]
    assert text(made.hooks[0].when) == "(coin me > 1)"
    assert made.hooks[0].body[0].origin.tags == ("H",)
    family = made.families["bonus"]
    assert family.key_type == p.Type(p.K.ENUM, "suit")
    assert [(e.key, e.names.name, e.origin.path) for e in family.effects] == [
        (0, "spades", "bonus spades"),
        (1, "hearts", "bonus hearts"),
    ]


def test_variables_are_unique_in_a_program() -> None:
    made = program("each player\n  gain 1 vp\neach player\n  gain 1 vp\nmoment dawn\nstorm 2")
    declared = [
        node.var.id
        for node in everything(made)
        if isinstance(node, p.Each | p.Filter | p.Sorted | p.Repeat)
    ]
    assert len(set(declared)) == len(declared)
