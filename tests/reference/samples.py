"""Samples of every kind of expression, by type: functions from `me` to an expression.

Used by `contexts`, which puts a sample somewhere in a small game, and by the tests of single nodes.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl import program as p
from tests.reference.box import (
    NUMBER_LIST,
    PLAY_LIST,
    SUIT,
    SUITS,
    binary,
    cards_in,
    everyone,
    exists,
    names,
    nobody,
    number,
    origin,
    place,
    ref,
    span,
    truth,
    var,
)

Maker = Callable[[p.Expr], p.Expr]  # from `me` to an expression
Body = tuple[p.Stmt, ...]


def next_to(me: p.Expr) -> p.Expr:
    return p.First(p.Players(me, True, p.PLAYERS, span()), p.PLAYER, span())


def hand(me: p.Expr) -> p.CardsIn:
    return cards_in(place("hand", me))


def every(name: str, players: p.Expr | None = None) -> p.CardsIn:
    return cards_in(p.PlacesOf(name, players or everyone(), span()))


def top(name: str, count: int | None = None) -> p.Top:
    counted = None if count is None else number(count)
    return p.Top(place(name), counted, p.CARD if count is None else p.CARDS, span())


def only(source: p.Expr, condition: Callable[[p.Expr], p.Expr]) -> p.Filter:
    item = item_of(source)
    return p.Filter(source, item, condition(ref(item)), source.type, span())


def by(source: p.Expr, *keys: tuple[Callable[[p.Expr], p.Expr], bool]) -> p.Sorted:
    item = item_of(source)
    made = tuple(p.Key(key(ref(item)), largest) for key, largest in keys)
    return p.Sorted(source, item, made, source.type, span())


def best(source: p.Expr, key: Callable[[p.Expr], p.Expr], largest: bool) -> p.Best:
    item = item_of(source)
    return p.Best(source, item, p.Key(key(ref(item)), largest), source.type, span())


def fold(op: str, source: p.Expr, expr: Callable[[p.Expr], p.Expr]) -> p.Fold:
    item = item_of(source)
    return p.Fold(op, source, item, expr(ref(item)), p.NUMBER, span())


def item_of(source: p.Expr) -> p.Var:
    if source.type == PLAY_LIST:
        return var("each", p.PLAY)
    kinds = {p.K.CARDS: p.CARD, p.K.PLAYERS: p.PLAYER}
    if source.type == NUMBER_LIST:
        return var("each", p.NUMBER)
    return var("each", kinds.get(source.type.kind, SUIT))


def first(source: p.Expr) -> p.First:
    kinds = {p.K.CARDS: p.CARD, p.K.PLAYERS: p.PLAYER}
    return p.First(source, kinds.get(source.type.kind, SUIT), span())


def numbers(low: p.Expr, high: p.Expr) -> p.Range:
    return p.Range(low, high, NUMBER_LIST, span())


def suit_of(card: p.Expr) -> p.Expr:
    return p.Attr("suit", card, SUIT, span())


def rank_of(card: p.Expr) -> p.Expr:
    return p.Attr("rank", card, p.NUMBER, span())


def is_plain(card: p.Expr) -> p.Expr:
    return p.IsKind("plain", card, p.TRUTH, span())


def plays(me: p.Expr, *shapes: str) -> p.Plays:
    return p.Plays(shapes or ("one", "run", "set"), hand(me), PLAY_LIST, span())


def tally(player: p.Expr) -> p.Expr:
    return p.TrackRef("tally", player, p.NUMBER, span())


def friend(player: p.Expr) -> p.Expr:
    return p.TrackRef("friend", player, p.PLAYER, span())


def count(source: p.Expr) -> p.Count:
    return p.Count(source, p.NUMBER, span())


def any_(source: p.Expr) -> p.Any_:
    return p.Any_(source, p.TRUTH, span())


def choice_of(condition: p.Expr, a: p.Expr, b: p.Expr) -> p.Conditional:
    return p.Conditional(condition, a, b, a.type, span())


def marked(player: p.Expr) -> p.Marked:
    return p.Marked("out", player, p.TRUTH, span())


def negated(condition: p.Expr) -> p.Unary:
    return p.Unary("not", condition, p.TRUTH, span())


def suit_const(value: int) -> p.Const:
    return p.Const(value, SUIT, span())


def call(key: str, kind: p.Type, *args: p.Expr) -> p.Call:
    return p.Call(key, args, kind, span())


NUMBERS: dict[str, Maker] = {
    "const": lambda me: number(2),
    "option": lambda me: p.OptionRef("limit", p.NUMBER, span()),
    "player count": lambda me: p.PlayerCount(p.NUMBER, span()),
    "track": lambda me: tally(me),
    "track of another": lambda me: tally(next_to(me)),
    "tokens": lambda me: p.TokenCount("coin", next_to(me), p.NUMBER, span()),
    "shared tokens": lambda me: p.TokenCount("bank", None, p.NUMBER, span()),
    "endless tokens": lambda me: p.TokenCount("mint", None, p.NUMBER, span()),
    "attribute": lambda me: rank_of(first(hand(me))),
    "attribute of no card": lambda me: rank_of(first(cards_in(place("pool")))),
    "number of": lambda me: p.EnumNumber(suit_of(first(hand(me))), p.NUMBER, span()),
    "number of missing": lambda me: p.EnumNumber(suit_const(-1), p.NUMBER, span()),
    "strength": lambda me: p.Strength(suit_of(top("heap")), p.NUMBER, span()),
    "strength of missing": lambda me: p.Strength(suit_const(-1), p.NUMBER, span()),
    "negative": lambda me: p.Unary("-", tally(me), p.NUMBER, span()),
    "sum": lambda me: binary("+", tally(me), tally(next_to(me))),
    "difference": lambda me: binary("-", tally(me), number(5)),
    "nested difference": lambda me: binary("-", number(9), binary("-", tally(me), number(1))),
    "product": lambda me: binary("*", binary("-", tally(me), number(2)), number(3)),
    "rounded down": lambda me: binary("//", binary("-", tally(me), number(6)), number(2)),
    "rounded up": lambda me: binary("/^", binary("-", tally(me), number(6)), number(2)),
    "min": lambda me: binary("min", count(hand(me)), tally(me)),
    "max": lambda me: binary("max", count(hand(me)), tally(me)),
    "conditional": lambda me: choice_of(
        marked(me), tally(me), number(1)
    ),
    "conditional search": lambda me: choice_of(
        any_(only(hand(me), is_plain)), rank_of(first(only(hand(me), is_plain))), number(0)
    ),
    "call": lambda me: call("double", p.NUMBER, me, tally(me)),
    "call of a call": lambda me: call(
        "double", p.NUMBER, me, call("double", p.NUMBER, next_to(me), count(hand(me)))
    ),
    "long call": lambda me: call("wealth", p.NUMBER, next_to(me)),
    "count of cards": lambda me: count(cards_in(place("heap"), place("hand", me))),
    "count of every": lambda me: count(every("row")),
    "count of every and more": lambda me: count(
        cards_in(p.PlacesOf("hand", everyone(), span()), place("deck"))
    ),
    "count of some": lambda me: count(only(every("hand"), is_plain)),
    "count of players": lambda me: count(
        only(everyone(), lambda q: marked(q))
    ),
    "count of unmarked": lambda me: count(only(everyone(), lambda q: negated(marked(q)))),
    "count of plays": lambda me: count(plays(me)),
    "count of one face": lambda me: count(
        only(hand(me), lambda c: binary("=", suit_of(c), suit_of(top("heap"))))
    ),
    "sum over": lambda me: fold("sum", hand(me), rank_of),
    "sum over places": lambda me: fold("sum", every("row"), rank_of),
    "highest over": lambda me: fold("highest", everyone(), tally),
    "lowest over some": lambda me: fold("lowest", only(hand(me), is_plain), rank_of),
    "lowest over none": lambda me: fold("lowest", cards_in(place("pool")), rank_of),
    "different": lambda me: fold("different", every("row"), suit_of),
    "different players": lambda me: fold("different", everyone(), friend),
    "highest nested": lambda me: fold(
        "highest", everyone(), lambda q: fold("sum", hand(q), rank_of)
    ),
    "highest over plays": lambda me: fold(
        "highest", plays(me), lambda x: p.PlayAttr("rank", x, p.NUMBER, span())
    ),
    "sum over numbers": lambda me: fold("sum", numbers(number(1), tally(me)), lambda n: n),
    "count of numbers": lambda me: count(
        only(numbers(number(0), number(6)), lambda n: binary(">", n, tally(me)))
    ),
    "first number": lambda me: choice_of(
        any_(numbers(tally(me), number(1))),
        p.First(by(numbers(tally(me), number(1)), (lambda n: n, True)), p.NUMBER, span()),
        number(9),
    ),
    "of cards of plays": lambda me: fold(
        "sum", plays(me, "run", "set"),
        lambda x: fold("lowest", p.PlayPart("cards", x, p.CARDS, span()), rank_of),
    ),
}  # fmt: skip

TRUTHS: dict[str, Maker] = {
    "const": lambda me: truth(True),
    "option": lambda me: p.OptionRef("strict", p.TRUTH, span()),
    "mark": lambda me: marked(next_to(me)),
    "shared mark": lambda me: p.Marked("open", None, p.TRUTH, span()),
    "track": lambda me: p.TrackRef("done", None, p.TRUTH, span()),
    "has attribute": lambda me: p.HasAttr("rank", first(hand(me)), p.TRUTH, span()),
    "has missing attribute": lambda me: any_(
        only(hand(me), lambda c: p.Unary(
            "not", p.HasAttr("rank", c, p.TRUTH, span()), p.TRUTH, span()
        ))
    ),
    "is kind": lambda me: is_plain(top("heap")),
    "is single kind": lambda me: p.IsKind("joker", first(hand(me)), p.TRUTH, span()),
    "owner": lambda me: binary("=", p.OwnerOf(first(hand(me)), p.PLAYER, span()), me),
    "owner of shared": lambda me: binary(
        "=", p.OwnerOf(top("heap"), p.PLAYER, span()), nobody(p.PLAYER)
    ),
    "owner in many": lambda me: any_(
        only(every("hand"), lambda c: binary("=", p.OwnerOf(c, p.PLAYER, span()), next_to(me)))
    ),
    "owner guarded": lambda me: binary(
        "and", exists(first(every("row"))),
        binary("=", p.OwnerOf(first(every("row")), p.PLAYER, span()), me),
    ),
    "not": lambda me: p.Unary("not", marked(me), p.TRUTH, span()),
    "and": lambda me: binary(
        "and", marked(me), binary(">", tally(me), number(1))
    ),
    "or": lambda me: binary(
        "or", marked(me), any_(only(hand(me), is_plain))
    ),
    "and search": lambda me: binary(
        "and", any_(only(hand(me), is_plain)),
        binary(">", rank_of(first(only(hand(me), is_plain))), number(2)),
    ),
    "equal numbers": lambda me: binary("=", tally(me), number(1)),
    "equal truths": lambda me: binary(
        "=", marked(me), any_(hand(me))
    ),
    "unequal truths": lambda me: binary(
        "!=", any_(cards_in(place("pool"))), p.Marked("open", None, p.TRUTH, span())
    ),
    "equal players": lambda me: binary("=", friend(me), next_to(me)),
    "equal nobody": lambda me: binary("=", friend(me), nobody(p.PLAYER)),
    "nobody unequal": lambda me: binary("!=", nobody(p.PLAYER), friend(me)),
    "equal suits": lambda me: binary("=", suit_of(first(hand(me))), suit_of(top("heap"))),
    "equal roles": lambda me: binary("=", p.RoleOf(me, p.ROLE, span()), p.Const(1, p.ROLE, span())),
    "no role": lambda me: binary("=", p.RoleOf(me, p.ROLE, span()), nobody(p.ROLE)),
    "equal words": lambda me: binary(
        "=", p.OptionRef("way", p.Type(p.K.WORD, "way"), span()),
        p.Const("left", p.Type(p.K.WORD, "way"), span()),
    ),
    "equal cards": lambda me: binary("=", first(hand(me)), top("heap")),
    "equal no cards": lambda me: binary(
        "=", first(cards_in(place("pool"))), first(cards_in(place("stash", me)))
    ),
    "equal plays": lambda me: binary(
        "=", p.TrackRef("best", None, p.PLAY, span()), nobody(p.PLAY)
    ),
    "less": lambda me: binary("<", tally(me), tally(next_to(me))),
    "at most": lambda me: binary("<=", count(hand(me)), number(4)),
    "more": lambda me: binary(">", fold("sum", hand(me), rank_of), number(8)),
    "at least": lambda me: binary(">=", tally(me), number(1)),
    "conditional": lambda me: choice_of(
        marked(me), truth(False), any_(hand(me))
    ),
    "call": lambda me: call("rich", p.TRUTH, me),
    "exists": lambda me: exists(friend(me)),
    "card exists": lambda me: exists(top("heap")),
    "found card exists": lambda me: exists(first(only(every("row"), is_plain))),
    "any": lambda me: any_(cards_in(place("stash", me))),
    "any in several": lambda me: any_(cards_in(place("pool"), place("row", me))),
    "any of every": lambda me: any_(every("stash")),
    "any player": lambda me: any_(
        only(p.Players(me, True, p.PLAYERS, span()), lambda q: binary(">", tally(q), number(0)))
    ),
    "any play": lambda me: any_(plays(me, "run")),
    "any play such": lambda me: any_(
        only(plays(me), lambda x: binary(">", p.PlayPart("size", x, p.NUMBER, span()), number(1)))
    ),
    "any play of shape": lambda me: any_(
        only(plays(me), lambda x: binary(
            "=", p.PlayPart("shape", x, p.SHAPE, span()), p.Const(2, p.SHAPE, span())
        ))
    ),
    "any of nested": lambda me: any_(
        only(everyone(), lambda q: any_(only(hand(q), lambda c: binary("=", c, top("heap")))))
    ),
}  # fmt: skip

PLAYERS: dict[str, Maker] = {
    "everyone": lambda me: everyone(),
    "from me": lambda me: p.Players(me, False, p.PLAYERS, span()),
    "others": lambda me: p.Players(me, True, p.PLAYERS, span()),
    "others of another": lambda me: p.Players(next_to(me), True, p.PLAYERS, span()),
    "by role": lambda me: p.PlayersByRole(p.PLAYERS, span()),
    "filtered": lambda me: only(everyone(), lambda q: binary(">", tally(q), number(0))),
    "filtered twice": lambda me: only(
        only(p.Players(me, True, p.PLAYERS, span()), lambda q: any_(hand(q))),
        lambda q: binary(">", tally(q), number(0)),
    ),
    "sorted": lambda me: by(everyone(), (tally, True)),
    "sorted by two": lambda me: by(
        p.Players(me, False, p.PLAYERS, span()),
        (lambda q: count(hand(q)), False), (tally, True),
    ),
    "sorted by truth": lambda me: by(
        everyone(), (lambda q: marked(q), True)
    ),
    "sorted by player": lambda me: by(everyone(), (friend, False)),
    "sorted by role": lambda me: by(everyone(), (lambda q: p.RoleOf(q, p.ROLE, span()), False)),
    "sorted by search": lambda me: by(
        everyone(), (lambda q: rank_of(first(only(hand(q), is_plain))), False)
    ),
    "best": lambda me: best(everyone(), tally, True),
    "best by player": lambda me: best(everyone(), friend, False),
    "filtered best": lambda me: only(
        best(everyone(), lambda q: count(hand(q)), False), lambda q: binary("!=", q, me)
    ),
    "conditional": lambda me: choice_of(
        marked(me), everyone(), p.Players(me, True, p.PLAYERS, span())
    ),
    "call": lambda me: call("richest", p.PLAYERS, me),
}  # fmt: skip

CARDS: dict[str, Maker] = {
    "hand": hand,
    "pile": lambda me: cards_in(place("heap")),
    "row of another": lambda me: cards_in(place("row", next_to(me))),
    "two places": lambda me: cards_in(place("heap"), place("hand", me)),
    "every": lambda me: every("row"),
    "every of others": lambda me: every("hand", p.Players(me, True, p.PLAYERS, span())),
    "every and one": lambda me: cards_in(
        p.PlacesOf("row", p.Players(me, False, p.PLAYERS, span()), span()), place("heap")
    ),
    "filtered": lambda me: only(hand(me), is_plain),
    "filtered every": lambda me: only(
        every("hand"), lambda c: binary("!=", p.OwnerOf(c, p.PLAYER, span()), me)
    ),
    "filtered by a search": lambda me: only(
        hand(me), lambda c: any_(only(every("row"), lambda d: binary("=", suit_of(c), suit_of(d))))
    ),
    "sorted": lambda me: by(hand(me), (rank_of, True)),
    "sorted every": lambda me: by(every("row"), (suit_of, False), (rank_of, True)),
    "sorted by owner": lambda me: by(
        every("row"), (lambda c: p.OwnerOf(c, p.PLAYER, span()), True)
    ),
    "best": lambda me: best(hand(me), rank_of, True),
    "best of every": lambda me: best(every("row"), rank_of, False),
    "best filtered": lambda me: best(only(every("hand"), is_plain), rank_of, True),
    "filtered sorted": lambda me: only(by(hand(me), (rank_of, True)), is_plain),
    "without": lambda me: p.Without(hand(me), first(hand(me)), p.CARDS, span()),
    "without in many": lambda me: p.Without(
        every("hand"), first(only(every("hand"), is_plain)), p.CARDS, span()
    ),
    "without elsewhere": lambda me: p.Without(hand(me), top("heap"), p.CARDS, span()),
    "top": lambda me: top("deck", 2),
    "more than there are": lambda me: p.Top(place("row", me), number(5), p.CARDS, span()),
    "conditional": lambda me: choice_of(
        marked(me), hand(me), cards_in(place("heap"))
    ),
    "call": lambda me: call("table", p.CARDS, me),
    "call of one place": lambda me: call("mine", p.CARDS, me),
    "filtered call": lambda me: only(call("table", p.CARDS, next_to(me)), is_plain),
}  # fmt: skip

SINGLE_CARDS: dict[str, Maker] = {
    "top": lambda me: top("deck"),
    "top of a row": lambda me: p.Top(place("row", me), None, p.CARD, span()),
    "first": lambda me: first(hand(me)),
    "first of every": lambda me: first(every("row")),
    "first such": lambda me: first(only(hand(me), is_plain)),
    "first such of every": lambda me: first(
        only(every("hand"), lambda c: binary("!=", p.OwnerOf(c, p.PLAYER, span()), me))
    ),
    "first by": lambda me: first(by(hand(me), (rank_of, True))),
    "first of every by": lambda me: first(by(every("hand"), (rank_of, True), (suit_of, False))),
    "first such by": lambda me: first(by(only(every("hand"), is_plain), (rank_of, False))),
    "first of best": lambda me: first(best(every("hand"), rank_of, True)),
    "first by, backwards": lambda me: first(by(hand(me), (suit_of, True), (rank_of, True))),
    "conditional": lambda me: choice_of(marked(me), top("deck"), first(hand(me))),
    "call": lambda me: call("lowest", p.CARD, me),
    "call of another": lambda me: call("lowest", p.CARD, next_to(me)),
}

SUITS_: dict[str, Maker] = {
    "attribute": lambda me: suit_of(first(hand(me))),
    "track": lambda me: p.TrackRef("trump", None, SUIT, span()),
    "first value": lambda me: p.First(
        by(p.EnumAll("suit", SUITS, span()), (
            lambda j: count(only(hand(me), lambda c: binary("=", suit_of(c), j))), True,
        )), SUIT, span(),
    ),
    "call": lambda me: call("favourite", SUIT, next_to(me)),
}  # fmt: skip

ENUMS: dict[str, Maker] = {
    "all": lambda me: p.EnumAll("suit", SUITS, span()),
    "some": lambda me: only(
        p.EnumAll("suit", SUITS, span()),
        lambda j: any_(only(hand(me), lambda c: binary("=", suit_of(c), j))),
    ),
    "sorted": lambda me: by(
        p.EnumAll("suit", SUITS, span()), (lambda j: p.Strength(j, p.NUMBER, span()), False)
    ),
    "numbers": lambda me: numbers(tally(me), count(hand(me))),
    "some numbers": lambda me: only(
        numbers(number(-1), number(4)), lambda n: binary("!=", n, tally(me))
    ),
    "numbers backwards": lambda me: by(numbers(number(0), number(3)), (lambda n: n, True)),
}


def values() -> dict[str, p.Value]:
    """Named values that samples call."""

    def value(key: str, kind: p.Type, body: Callable[..., p.Expr], *more: p.Type) -> p.Value:
        params = (var("me", p.PLAYER), *(var("param", k) for k in more))
        made = body(*map(ref, params))
        assert made.type == kind, key
        return p.Value(names(key), params, made, origin(f"value {key}"))

    return {
        "double": value("double", p.NUMBER, lambda me, n: binary("*", number(2), n), p.NUMBER),
        "rich": value("rich", p.TRUTH, lambda me: binary(">", tally(me), number(1))),
        "richest": value("richest", p.PLAYERS, lambda me: best(everyone(), tally, True)),
        "table": value("table", p.CARDS, lambda me: every("row")),
        "mine": value("mine", p.CARDS, hand),
        "lowest": value("lowest", p.CARD, lambda me: first(by(hand(me), (rank_of, False)))),
        "favourite": value("favourite", SUIT, SUITS_["first value"]),
        "wealth": value(
            "wealth", p.NUMBER, lambda me: binary("+", NUMBERS["of cards of plays"](me), binary(
                "+", NUMBERS["highest nested"](me), NUMBERS["conditional search"](me)
            ))
        ),
    }  # fmt: skip
