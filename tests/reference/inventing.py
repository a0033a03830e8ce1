"""Invents Programs at random: well typed, bounded, pointless. They reach corners of the typed core
that no ruleset does, so that engine and reference can be compared there too.

`invented(seed, size)` is the way in. Expressions that may be absent (a player, a card, a play) are
mostly guarded, since a game that fails early shows little.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

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

SHARED = ("deck", "heap", "pool")
OWN = ("hand", "row", "stash")


class Expressions:
    """Random expressions over the variables in scope."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.scope: list[p.Var] = []
        self.values: dict[str, p.Value] = {}
        self.pure = False  # inside a named value

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def pick(self, *makers: Callable[[], p.Expr]) -> p.Expr:
        return self.rng.choice(makers)()

    def known(self, kind: p.Type) -> list[p.Expr]:
        """Variables of a type, and values that give it."""
        found: list[p.Expr] = [ref(v) for v in self.scope if v.type == kind]
        return found[-4:]

    def within(self, variable: p.Var, kind: p.Type, depth: int) -> p.Expr:
        """An expression that may read one more variable."""
        self.scope.append(variable)
        made = self.expr(kind, depth)
        self.scope.remove(variable)
        return made

    def call(self, kind: p.Type, depth: int) -> p.Expr | None:
        fitting = [key for key, value in self.values.items() if value.body.type == kind]
        if not fitting or depth <= 0:
            return None
        key = self.rng.choice(fitting)
        args = tuple(self.expr(param.type, depth - 1) for param in self.values[key].params)
        return p.Call(key, args, kind, span())

    def expr(self, kind: p.Type, depth: int) -> p.Expr:
        """An expression of a type. Players are somebody; cards and plays may be none."""
        if self.chance(0.25):
            known = self.known(kind)
            if known:
                return self.rng.choice(known)
        if self.chance(0.15):
            call = self.call(kind, depth)
            if call is not None and kind.kind not in (p.K.PLAYER,):
                return call
        if self.chance(0.06) and depth > 0 and kind != PLAY_LIST:
            return p.Conditional(
                self.expr(p.TRUTH, depth - 1), self.expr(kind, depth - 1),
                self.expr(kind, depth - 1), kind, span(),
            )  # fmt: skip
        return self._make(kind, max(depth, 0))

    def _make(self, kind: p.Type, depth: int) -> p.Expr:
        match kind.kind:
            case p.K.NUMBER:
                return self._number(depth)
            case p.K.TRUTH:
                return self._truth(depth)
            case p.K.PLAYER:
                return self._player(depth)
            case p.K.CARD:
                return self._card(depth)
            case p.K.ENUM:
                return self._enum(depth)
            case p.K.ROLE:
                return p.Const(self.rng.randrange(3), p.ROLE, span())
            case p.K.SHAPE:
                return p.Const(self.rng.randrange(3), p.SHAPE, span())
            case p.K.PLAY:
                return p.TrackRef("best", None, p.PLAY, span())
            case p.K.CARDS:
                return self._cards(depth)
            case p.K.PLAYERS:
                return self._players(depth)
            case _ if kind == SUITS:
                return self._enums(depth)
        raise AssertionError(kind)

    # ── single values ────────────────────────────────────────────────────────────────────────

    def _number(self, depth: int) -> p.Expr:
        if depth == 0:
            return self.pick(
                lambda: number(self.rng.randint(0, 4)),
                lambda: p.OptionRef("limit", p.NUMBER, span()),
                lambda: p.PlayerCount(p.NUMBER, span()),
                lambda: p.TrackRef("round_no", None, p.NUMBER, span()),
            )
        return self.pick(
            lambda: self._number(0),
            lambda: p.TrackRef("tally", self.expr(p.PLAYER, depth - 1), p.NUMBER, span()),
            lambda: self.tokens(depth),
            lambda: p.Attr("rank", self.expr(p.CARD, depth - 1), p.NUMBER, span()),
            lambda: p.EnumNumber(self.expr(SUIT, depth - 1), p.NUMBER, span()),
            lambda: p.Strength(self.expr(SUIT, depth - 1), p.NUMBER, span()),
            lambda: self._arithmetic(depth),
            lambda: p.Count(self.some(depth - 1), p.NUMBER, span()),
            lambda: self._fold(depth),
            lambda: self._of_play(depth),
        )

    def tokens(self, depth: int) -> p.Expr:
        holder = self.rng.choice(("coin", "bank", "vp", "coin"))
        owner = None if holder == "bank" else self.expr(p.PLAYER, depth - 1)
        return p.TokenCount(holder, owner, p.NUMBER, span())

    def _arithmetic(self, depth: int) -> p.Expr:
        op = self.rng.choice(("+", "-", "*", "//", "/^", "min", "max", "neg"))
        left = self.expr(p.NUMBER, depth - 1)
        if op == "neg":
            return p.Unary("-", left, p.NUMBER, span())
        if op in ("//", "/^"):
            return binary(op, left, number(self.rng.randint(1, 3)))
        return binary(op, left, self.expr(p.NUMBER, depth - 1))

    def _fold(self, depth: int) -> p.Expr:
        op = self.rng.choice(("sum", "highest", "lowest", "different"))
        source = self.some(depth - 1, plays=False)
        item = self.element(source)
        kind = self.rng.choice((p.NUMBER, SUIT)) if op == "different" else p.NUMBER
        return p.Fold(op, source, item, self.within(item, kind, depth - 1), p.NUMBER, span())

    def _of_play(self, depth: int) -> p.Expr:
        play = self.expr(p.PLAY, depth - 1)
        part = self.pick(
            lambda: p.PlayPart("size", play, p.NUMBER, span()),
            lambda: p.PlayAttr("rank", play, p.NUMBER, span()),
        )
        return p.Conditional(exists(play), part, number(0), p.NUMBER, span())

    def _truth(self, depth: int) -> p.Expr:
        if depth == 0:
            return self.pick(
                lambda: truth(self.chance(0.5)),
                lambda: p.OptionRef("strict", p.TRUTH, span()),
                lambda: p.Marked("open", None, p.TRUTH, span()),
                lambda: p.TrackRef("done", None, p.TRUTH, span()),
            )
        return self.pick(
            lambda: self._truth(0),
            lambda: p.Marked("out", self.expr(p.PLAYER, depth - 1), p.TRUTH, span()),
            lambda: self._about_card(depth),
            lambda: self._comparison(depth),
            lambda: self._comparison(depth),
            lambda: self._junction(depth),
            lambda: self._junction(depth),
            lambda: p.Unary("not", self.expr(p.TRUTH, depth - 1), p.TRUTH, span()),
            lambda: exists(self.absent(depth)),
            lambda: p.Any_(self.some(depth - 1), p.TRUTH, span()),
        )

    def _about_card(self, depth: int) -> p.Expr:
        card = self.expr(p.CARD, depth - 1)
        asked = self.pick(
            lambda: p.HasAttr("rank", card, p.TRUTH, span()),
            lambda: p.IsKind(self.rng.choice(("plain", "flag", "joker")), card, p.TRUTH, span()),
            lambda: binary("=", p.OwnerOf(card, p.PLAYER, span()), self.maybe_player(depth - 1)),
        )
        return binary("and", exists(card), asked)

    def _comparison(self, depth: int) -> p.Expr:
        if self.chance(0.5):
            op = self.rng.choice(("=", "!=", "<", "<=", ">", ">="))
            return binary(op, self.expr(p.NUMBER, depth - 1), self.expr(p.NUMBER, depth - 1))
        op = self.rng.choice(("=", "!="))
        match self.rng.randrange(8):
            case 0:
                return binary(op, self.maybe_player(depth - 1), self.maybe_player(depth - 1))
            case 1:
                return binary(op, self._role(depth - 1), self._role(depth - 1))
            case 2:
                word = p.Const(self.rng.choice(("left", "right")), p.Type(p.K.WORD, "way"), span())
                return binary(op, p.OptionRef("way", word.type, span()), word)
            case 3:
                play = self.expr(p.PLAY, depth - 1)
                shape = p.PlayPart("shape", play, p.SHAPE, span())
                return binary("and", exists(play), binary(op, shape, self.expr(p.SHAPE, 0)))
            case 4:
                return binary(op, self.expr(p.PLAY, depth - 1), self.expr(p.PLAY, depth - 1))
            case 5:
                return binary(op, self.expr(p.TRUTH, depth - 1), self.expr(p.TRUTH, depth - 1))
            case 6:
                return binary(op, self.expr(p.CARD, depth - 1), self.expr(p.CARD, depth - 1))
            case _:
                return binary(op, self.expr(SUIT, depth - 1), self.expr(SUIT, depth - 1))

    def _junction(self, depth: int) -> p.Expr:
        op = self.rng.choice(("and", "or"))
        return binary(op, self.expr(p.TRUTH, depth - 1), self.expr(p.TRUTH, depth - 1))

    def absent(self, depth: int) -> p.Expr:
        """Something that may not be there."""
        return self.pick(
            lambda: self.expr(p.CARD, depth - 1),
            lambda: self.expr(p.PLAY, depth - 1),
            lambda: self.maybe_player(depth - 1),
        )

    def _role(self, depth: int) -> p.Expr:
        return self.pick(
            lambda: p.RoleOf(self.expr(p.PLAYER, depth), p.ROLE, span()),
            lambda: self.expr(p.ROLE, 0),
            lambda: nobody(p.ROLE),
        )

    def maybe_player(self, depth: int) -> p.Expr:
        return self.pick(
            lambda: self.expr(p.PLAYER, depth),
            lambda: nobody(p.PLAYER),
            lambda: p.TrackRef("taker", None, p.PLAYER, span()),
            lambda: p.TrackRef("friend", self.expr(p.PLAYER, depth - 1), p.PLAYER, span()),
            lambda: p.HolderOf(self.expr(p.ROLE, 0), p.PLAYER, span()),
            lambda: p.First(self.expr(p.PLAYERS, depth), p.PLAYER, span()),
        )

    def _player(self, depth: int) -> p.Expr:
        known = self.known(p.PLAYER)
        if known and (depth == 0 or self.chance(0.5)):
            return self.rng.choice(known)
        if depth == 0:
            return p.First(everyone(), p.PLAYER, span())
        start = self.expr(p.PLAYER, depth - 1)
        near = p.First(p.Players(start, True, p.PLAYERS, span()), p.PLAYER, span())
        if self.chance(0.4):
            return near
        maybe = self.maybe_player(depth - 1)
        return p.Conditional(exists(maybe), maybe, near, p.PLAYER, span())

    def _card(self, depth: int) -> p.Expr:
        return self.pick(
            lambda: p.Top(self.place(depth, ordered=True), None, p.CARD, span()),
            lambda: p.First(self.expr(p.CARDS, depth), p.CARD, span()),
        )

    def _enum(self, depth: int) -> p.Expr:
        if depth == 0:
            return self.pick(
                lambda: p.Const(self.rng.randrange(3), SUIT, span()),
                lambda: p.TrackRef("trump", None, SUIT, span()),
            )
        play = self.expr(p.PLAY, depth - 1)
        missing = p.Const(-1, SUIT, span())
        return self.pick(
            lambda: self._enum(0),
            lambda: p.Attr("suit", self.expr(p.CARD, depth - 1), SUIT, span()),
            lambda: p.Conditional(
                exists(play), p.PlayAttr("suit", play, SUIT, span()), missing, SUIT, span()
            ),
        )

    # ── places and collections ───────────────────────────────────────────────────────────────

    def place(self, depth: int, *, ordered: bool = False) -> p.PlaceRef:
        shared, own = (("deck", "heap"), ("row", "stash")) if ordered else (SHARED, OWN)
        if self.chance(0.5):
            return place(self.rng.choice(shared))
        return place(self.rng.choice(own), self.expr(p.PLAYER, depth - 1))

    def places(self, depth: int) -> tuple[p.PlaceRef | p.PlacesOf, ...]:
        found: list[p.PlaceRef | p.PlacesOf] = []
        for _ in range(self.rng.choice((1, 1, 1, 2))):
            if self.chance(0.65):
                found.append(self.place(depth))
            else:
                players = self.expr(p.PLAYERS, depth - 1)
                found.append(p.PlacesOf(self.rng.choice(OWN), players, span()))
        different = {x.place: x for x in found}
        return tuple(different.values())

    def some(self, depth: int, *, plays: bool = True) -> p.Expr:
        """A collection of anything."""
        if plays and self.chance(0.1):
            return self.plays(depth)
        if self.chance(0.1):
            ends = self.expr(p.NUMBER, 0), self.expr(p.NUMBER, min(depth, 1))
            return p.Range(*ends, NUMBER_LIST, span())
        return self.expr(self.rng.choice((p.CARDS, p.CARDS, p.PLAYERS, SUITS)), depth)

    def plays(self, depth: int) -> p.Expr:
        shapes = tuple(s for s in ("one", "run", "set") if self.chance(0.7)) or ("one",)
        source = cards_in(self.place(0)) if self.chance(0.5) else cards_in(*self.places(1))
        made: p.Expr = p.Plays(shapes, source, PLAY_LIST, span())
        if self.chance(0.5):
            item = var("play", p.PLAY)
            made = p.Filter(
                made, item, self.within(item, p.TRUTH, min(depth, 2)), PLAY_LIST, span()
            )
        return made

    def element(self, source: p.Expr) -> p.Var:
        kinds = {p.K.CARDS: p.CARD, p.K.PLAYERS: p.PLAYER}
        special = {PLAY_LIST: p.PLAY, NUMBER_LIST: p.NUMBER}
        return var("each", special.get(source.type) or kinds.get(source.type.kind, SUIT))

    def _filtered(self, source: p.Expr, depth: int) -> p.Expr:
        item, kind = self.element(source), source.type
        match self.rng.randrange(4):
            case 0 | 1:
                return p.Filter(source, item, self.within(item, p.TRUTH, depth - 1), kind, span())
            case 2:
                keys = tuple(self.key(item, depth) for _ in range(self.rng.choice((1, 2))))
                return p.Sorted(source, item, keys, kind, span())
            case _:
                return p.Best(source, item, self.key(item, depth), kind, span())

    def key(self, item: p.Var, depth: int) -> p.Key:
        kind = self.rng.choice((p.NUMBER, p.NUMBER, p.TRUTH, p.PLAYER))
        if kind == p.PLAYER and item.type == p.PLAYER and self.chance(0.5):
            return p.Key(p.TrackRef("friend", ref(item), p.PLAYER, span()), False)
        return p.Key(self.within(item, kind, depth - 1), self.chance(0.5))

    def _cards(self, depth: int) -> p.Expr:
        if depth <= 1:
            return cards_in(*self.places(depth))
        return self.pick(
            lambda: cards_in(*self.places(depth)),
            lambda: cards_in(self.place(depth)),
            lambda: self._filtered(self.expr(p.CARDS, depth - 1), depth),
            lambda: self._filtered(self.expr(p.CARDS, depth - 1), depth),
            lambda: p.Top(self.place(depth, ordered=True), self.expr(p.NUMBER, 0), p.CARDS, span()),
            lambda: self._without(depth),
        )

    def _without(self, depth: int) -> p.Expr:
        known = self.known(p.CARD)
        card = self.rng.choice(known) if known else self.expr(p.CARD, depth - 1)
        return p.Without(self.expr(p.CARDS, depth - 1), card, p.CARDS, span())

    def _players(self, depth: int) -> p.Expr:
        if depth <= 1:
            return self.pick(everyone, lambda: p.PlayersByRole(p.PLAYERS, span()))
        return self.pick(
            everyone,
            lambda: p.PlayersByRole(p.PLAYERS, span()),
            lambda: p.Players(self.expr(p.PLAYER, depth - 1), self.chance(0.6), p.PLAYERS, span()),
            lambda: self._filtered(self.expr(p.PLAYERS, depth - 1), depth),
        )

    def _enums(self, depth: int) -> p.Expr:
        whole = p.EnumAll("suit", SUITS, span())
        return whole if depth <= 1 else self._filtered(whole, depth)

    def small(self, depth: int, most: int = 4) -> p.Expr:
        """A number in 0..most."""
        return binary("max", number(0), binary("min", number(most), self.expr(p.NUMBER, depth)))

    def value(self, key: str, depth: int) -> p.Value:
        """A named value over its parameters."""
        kinds = (p.PLAYER, p.NUMBER, p.CARD, SUIT, p.TRUTH)
        params = tuple(
            var("param", self.rng.choice(kinds)) for _ in range(self.rng.choice((0, 1, 2)))
        )
        params = (var("me", p.PLAYER), *params)
        outside, self.scope = self.scope, list(params)
        kind = self.rng.choice((p.NUMBER, p.TRUTH, p.CARDS, p.PLAYERS, p.CARD, SUIT))
        body = self.expr(kind, depth)
        self.scope = outside
        return p.Value(names(key), params, body, origin(f"value {key}"))
