"""What expressions become. Each case is a formula in a small ruleset, and the core it means."""

from __future__ import annotations

import pytest

from dsl import pipeline
from tests.dsl.core_text import text

RULES = """\
game "Test"
  players 2..4
options
  limit   5 in 1..9
  wrap    no
  lost_to bank or box
  settled taker or top or trump
  opening by players 2: low, 3: high, 4: low
cards
  suit    spades, hearts, crown
  rank    A, K, 10, strongest first
  number  1..limit
  job     knight 5, thief 4
  plain:  one of each suit and rank
  pip:    2 of each number
  worker: 3 of each job
  jester: 1
places
  deck             face down pile
  box              face up pile
  hand of player   private hand
  court of player  face up row
tokens
  coin of player  0
  coin in bank    9
  vp of player    0
marks
  out of player
  stormed
track
  top     play
  taker   player
  bid of player  number
  trump   suit
roles king, knight, crown on 4 seats
shapes
  pair  2 cards, same rank
  run   2..3 plain, same suit, consecutive rank
setup
  shuffle all cards into deck
phase one
  x = (FORMULA)
value best of player = the card in hand
value held(j) of player = count of cards in hand where job = j
value big(c) = number of c > limit
value able of player = hand is not empty
value mine = me is king
value rich = coins > 3
scoring
  total = coins
winner most points, then draw
"""


def lowered(formula: str) -> str:
    program, diagnostics = pipeline.load("x.rules", RULES.replace("FORMULA", formula))
    errors = [item.message for item in diagnostics if item.is_error]
    assert program is not None, errors
    return text(program.phases[0].body[0].value)  # type: ignore[union-attr]


CASES = {
    # numbers
    "1 + 2 × 3": "(1 + (2 * 3))",
    "(1 + 2) * 3": "((1 + 2) * 3)",
    "1 - 2 - 3": "((1 - 2) - 3)",
    "- coins + 1": "(Unary(-, coin me) + 1)",
    "coins / 2 rounded up": "(coin me /^ 2)",
    "coins ÷ 2 rounded down": "(coin me // 2)",
    "min(1, coins, limit)": "((1 min coin me) min limit)",
    "players × 2": "(PlayerCount() * 2)",
    "if wrap then 1 else limit": "Conditional(wrap, 1, limit)",
    # conditions
    "not wrap and coins > 1 or stormed": "((Unary(not, wrap) and (coin me > 1)) or stormed)",
    "not (wrap or stormed)": "Unary(not, (wrap or stormed))",
    "coins ≥ 1 and coins ≠ 3": "((coin me >= 1) and (coin me != 3))",
    "lost_to is box": "(lost_to = box:lost_to)",
    "lost_to = bank": "(lost_to = bank:lost_to)",
    # who
    "coins of taker": "coin taker",
    "coins of bank": "bank",
    "bank": "bank",
    "bid": "TrackRef(bid, me)",
    "bid of taker": "TrackRef(bid, taker)",
    "taker is nobody": "Unary(not, Exists(taker))",
    "taker is not nobody": "Exists(taker)",
    "taker exists": "Exists(taker)",
    "taker = me": "(taker = me)",
    "me is out": "out me",
    "taker is not out": "Unary(not, out taker)",
    "taker is king": "(RoleOf(taker) = 0:role)",
    "taker is able": "Call(able, [taker])",
    "opening = low": "(opening = low:opening)",
    "settled is taker": "(settled = taker:settled)",
    "taker is settled": "(taker:settled = settled)",
    "settled = top": "(settled = top:settled)",
    "me is not out": "Unary(not, out me)",
    "me is king": "(RoleOf(me) = 0:role)",
    "me is able": "Call(able, [me])",
    "role of me is king": "(RoleOf(me) = 0:role)",
    "role of me is before role of taker": "(RoleOf(me) < RoleOf(taker))",
    "holder of king": "HolderOf(0:role)",
    "left of me": "First(after me)",
    "others of taker": "after taker",
    "players clockwise from taker": "from taker",
    # values
    "able of taker": "Call(able, [taker])",
    "held(thief)": "Call(held, [me, 1:job])",
    "held(knight) of taker": "Call(held, [taker, 0:job])",
    "mine": "Call(mine, [me])",
    "any player where rich": "Any_(Filter(players, _: Call(rich, [_])))",
    "any player where mine": "Any_(Filter(players, _: Call(mine, [me])))",
    # places and cards
    "count of cards in hand": "Count(cards[hand me])",
    "count of cards in hand > 2": "(Count(cards[hand me]) > 2)",
    "count of cards in (hand + court of taker)": "Count(cards[hand me, court taker])",
    "size of box": "Count(cards[box])",
    "deck is empty": "Unary(not, Any_(cards[deck]))",
    "deck is not empty": "Any_(cards[deck])",
    "count of cards in every hand of others": "Count(cards[PlacesOf(hand, after me)])",
    "top of deck": "Top(deck, )",
    "count of different suit in hand": (
        "Fold(different, Filter(cards[hand me], _: HasAttr(suit, _)), _, Attr(suit, _))"
    ),
    "top 2 of deck": "Top(deck, 2)",
    "hand except the card in hand": "Without(cards[hand me], First(cards[hand me]))",
    "the card in hand": "First(cards[hand me])",
    "first card in box where suit = crown": (
        "First(Filter(cards[box], _: (Attr(suit, _) = 2:suit)))"
    ),
    "first card in box by highest number, then weakest rank": (
        "First(Sorted(cards[box], _, [+Attr(number, _), -Strength(Attr(rank, _))]))"
    ),
    "cards in box with highest number": "Best(cards[box], _, +Attr(number, _))",
    # kinds and properties
    "suit of best": "Attr(suit, Call(best, [me]))",
    "number of job of best": "EnumNumber(Attr(job, Call(best, [me])))",
    "strength of rank of best": "Strength(Attr(rank, Call(best, [me])))",
    "rank of best > K": "(Strength(Attr(rank, Call(best, [me]))) > Strength(1:rank))",
    "rank of best = 10": "(Attr(rank, Call(best, [me])) = 2:rank)",
    "best is jester": "IsKind(jester, Call(best, [me]))",
    "best is thief": "(Attr(job, Call(best, [me])) = 1:job)",
    "suit of best exists": "HasAttr(suit, Call(best, [me]))",
    "trump exists": "(trump != -1:suit)",
    "trump = nothing": "(trump = -1:suit)",
    "suit of best = crown": "(Attr(suit, Call(best, [me])) = 2:suit)",
    "owner of best is me": "(OwnerOf(Call(best, [me])) = me)",
    "jester in hand": "Any_(Filter(cards[hand me], _: IsKind(jester, _)))",
    "jester not in hand": "Unary(not, Any_(Filter(cards[hand me], _: IsKind(jester, _))))",
    "no thief in hand": "Unary(not, Any_(Filter(cards[hand me], _: (Attr(job, _) = 1:job))))",
    "count of thieves in hand": "Count(Filter(cards[hand me], _: (Attr(job, _) = 1:job)))",
    "taker in others": "Any_(Filter(after me, _: (_ = taker)))",
    "taker is not in others": "Unary(not, Any_(Filter(after me, _: (_ = taker))))",
    # looking at players
    "first player where not out": "First(Filter(players, _: Unary(not, out _)))",
    "first player where no jester in their hand by fewest coins, then latest seat": (
        "First(Sorted(Filter(players, _: Unary(not, Any_(Filter(cards[hand _], _: "
        "IsKind(jester, _))))), _, [-coin _, +_]))"
    ),
    "first player p in others where coins of p > coins of me": (
        "First(Filter(after me, p: (coin p > coin me)))"
    ),
    "players by role": "PlayersByRole()",
    "players where out by role": "Filter(PlayersByRole(), _: out _)",
    "others by most cards in hand": "Sorted(after me, _, [+Count(cards[hand _])])",
    "others by most hand": "Sorted(after me, _, [+Count(cards[hand _])])",
    "first player by strongest rank of best": (
        "First(Sorted(players, _, [+Strength(Attr(rank, Call(best, [_])))]))"
    ),
    "the job j by most held(j), then largest number of j": (
        "First(Sorted(EnumAll(job), j, [+Call(held, [me, j]), +EnumNumber(j)]))"
    ),
    "first job where number > 4": "First(Filter(EnumAll(job), _: (EnumNumber(_) > 4)))",
    "king in others": "Any_(Filter(after me, _: (RoleOf(_) = 0:role)))",
    # sums
    "sum of number over cards in hand": "Fold(sum, cards[hand me], _, Attr(number, _))",
    "sum of coins over players": "Fold(sum, players, _, coin _)",
    "highest number over cards in box": (
        "Fold(highest, Filter(cards[box], _: HasAttr(number, _)), _, Attr(number, _))"
    ),
    "sum of n over number n in 1..limit": "Fold(sum, Range(1, limit), n, n)",
    "coins in 1..3": "Any_(Filter(Range(1, 3), _: (_ = coin me)))",
    "first number n in 1..9 where n > coins": ("First(Filter(Range(1, 9), n: (n > coin me)))"),
    # plays
    "size of top": "PlayPart(size, top)",
    "shape of top is run": "(PlayPart(shape, top) = 1:shape)",
    "top is run": "(PlayPart(shape, top) = 1:shape)",
    "number of top": "PlayAttr(number, top)",
    "count of cards of top": "Count(PlayPart(cards, top))",
    "lowest number over cards of top": (
        "Fold(lowest, Filter(PlayPart(cards, top), _: HasAttr(number, _)), _, Attr(number, _))"
    ),
    "any run in hand where size = 3": (
        "Any_(Filter(Plays([run], cards[hand me]), _: (PlayPart(size, _) = 3)))"
    ),
    "top is nothing": "Unary(not, Exists(top))",
}


@pytest.mark.parametrize(("formula", "expected"), CASES.items(), ids=str)
def test_formula(formula: str, expected: str) -> None:
    assert lowered(formula) == expected


def test_a_parameter_gets_its_type_from_its_use() -> None:
    assert lowered("big(best)") == "Call(big, [Call(best, [me])])"


def test_spans_are_those_of_the_file() -> None:
    program, _ = pipeline.load("x.rules", RULES.replace("FORMULA", "coins of taker"))
    assert program is not None
    span = program.phases[0].body[0].value.span  # type: ignore[union-attr]
    line = RULES.split("\n").index("  x = (FORMULA)") + 1
    assert (span.line, span.column, span.end_column) == (line, 8, 22)
