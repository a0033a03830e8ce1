"""Values of expressions, worked out by walking the tree. Nothing here changes anything but the
variables that expressions bind themselves.

Truths are bools, players and numbers ints, cards `Card`, plays `Play`, collections lists. Variables
live in one dictionary: their ids are unique, and nothing in a Program runs inside itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key
from typing import Any

from dsl import program as p
from tests.reference import plays
from tests.reference.table import Card, Face, Play, RulesBroken, Table, Unspecified

CARD_EXPRESSIONS = p.Attr | p.HasAttr | p.IsKind | p.OwnerOf
COLLECTIONS = (
    p.CardsIn | p.AllCards | p.Without | p.Players | p.PlayersByRole | p.EnumAll | p.Range
    | p.Filter | p.Sorted | p.Best | p.Plays
)  # fmt: skip
REDUCTIONS = p.First | p.Count | p.Any_ | p.Fold


class Expressions:
    """Works out expressions at a table, with the variables bound so far."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.vars: dict[int, Any] = {}
        self.together: set[int] = set()  # variables for cards that were picked from one place
        self.spread: set[int] = set()  # variables for plays whose cards may lie in several places
        self.spread_known = False

    def value(self, expr: p.Expr) -> Any:
        """The value of an expression now."""
        table = self.table
        match expr:
            case p.Const():
                return expr.value
            case p.OptionRef():
                return table.options[expr.name]
            case p.PlayerCount():
                return table.players
            case p.VarRef():
                return self.vars[expr.var.id]
            case p.TrackRef():
                return table.tracks[expr.name, self._owner(expr.player)]
            case p.TokenCount():
                return table.tokens[expr.holder, self._owner(expr.player)]
            case p.Marked():
                return (expr.mark, self._owner(expr.player)) in table.marks
            case p.RoleOf():
                return table.role_of(self.player(expr.player))
            case p.HolderOf():
                return table.holder_of(self.value(expr.role))
            case p.EnumNumber() | p.Strength():
                return self._enum(expr)
            case p.PlayPart() | p.PlayAttr():
                return self._play(expr)
            case p.Unary():
                operand = self.value(expr.operand)
                return not operand if expr.op == "not" else -operand
            case p.Binary():
                return self._binary(expr)
            case p.Conditional():
                return self.value(expr.then if self.value(expr.condition) else expr.otherwise)
            case p.Call():
                value = self.table.program.values[expr.value]
                self.bind(value.params, [self.value(arg) for arg in expr.args])
                return self.value(value.body)
            case p.Exists():
                return self.value(expr.operand) is not None
            case p.Top():
                return self._top(expr)
            case p.Attr() | p.HasAttr() | p.IsKind() | p.OwnerOf():
                return self._card(expr)
            case p.First() | p.Count() | p.Any_() | p.Fold():
                return self._reduced(expr)
            case _:
                return self._collection(expr)

    def bind(self, params: tuple[p.Var, ...], args: list[Any]) -> None:
        for var, arg in zip(params, args, strict=True):
            self.vars[var.id] = arg

    def player(self, expr: p.Expr) -> int:
        """A player who must be somebody."""
        player: int | None = self.value(expr)
        if player is None:
            raise RulesBroken("nobody")
        return player

    def _owner(self, expr: p.Expr | None) -> int | None:
        return None if expr is None else self.player(expr)

    def spot(self, ref: p.PlaceRef) -> int:
        """The place id that a reference means now."""
        return self.table.spot(ref.place, self._owner(ref.player))

    def spots(self, refs: tuple[p.PlaceRef | p.PlacesOf, ...]) -> list[int]:
        """The place ids of several references, in order."""
        found = []
        for ref in refs:
            if isinstance(ref, p.PlaceRef):
                found.append(self.spot(ref))
            else:
                found += [self.table.spot(ref.place, q) for q in self.value(ref.players)]
        return found

    # ── single values ────────────────────────────────────────────────────────────────────────

    def _enum(self, expr: p.EnumNumber | p.Strength) -> int:
        value: int = self.value(expr.value)
        attribute = self.table.program.attributes[expr.value.type.name]
        if isinstance(expr, p.EnumNumber):
            return 0 if value < 0 else attribute.values[value].number or 0
        if value < 0:
            return -1
        return len(attribute.values) - 1 - value if attribute.order == "strong" else value

    def _play(self, expr: p.PlayPart | p.PlayAttr) -> Any:
        play = self.value(expr.play)
        if play is None:
            raise RulesBroken("no play")
        assert isinstance(play, Play)
        if isinstance(expr, p.PlayAttr):
            return play.attributes[list(self.table.program.attributes).index(expr.attribute)]
        return {"shape": play.shape, "size": len(play.cards), "cards": play.cards}[expr.part]

    def _card(self, expr: CARD_EXPRESSIONS) -> Any:
        card = self.value(expr.card)
        if card is None and not isinstance(expr, p.Attr):
            raise RulesBroken("no card")
        face = Face("", {}, 0) if card is None else self.table.faces[card.face]
        match expr:
            case p.Attr():
                missing = -1 if self.table.program.attributes[expr.attribute].values else 0
                return face.values.get(expr.attribute, missing)
            case p.HasAttr():
                return expr.attribute in face.values
            case p.IsKind():
                return face.kind == expr.kind
            case p.OwnerOf():
                if card.piece.place != card.place:
                    raise Unspecified("the card lies elsewhere by now")
                tracked = isinstance(expr.card, p.TrackRef)
                if tracked and self.table.faces[card.face].copies > 1:
                    raise Unspecified("a track keeps a face, which others have too")
                return self.table.spots[card.place].player

    def _binary(self, expr: p.Binary) -> Any:
        left = self.value(expr.left)
        if expr.op == "and":
            return left and self.value(expr.right)
        if expr.op == "or":
            return left or self.value(expr.right)
        right = self.value(expr.right)
        if expr.op in ("=", "!="):
            return same(left, right) == (expr.op == "=")
        if left is None or right is None:
            raise RulesBroken("nothing has no size")
        try:
            return ARITHMETIC[expr.op](left, right)
        except ZeroDivisionError:
            raise RulesBroken("a division by 0") from None

    def _top(self, expr: p.Top) -> Any:
        cards = self.table.cards_at(self.spot(expr.place))[::-1]
        if expr.count is None:
            return cards[0] if cards else None
        return cards[: max(0, self.value(expr.count))]

    # ── collections ──────────────────────────────────────────────────────────────────────────

    def _collection(self, expr: COLLECTIONS) -> list[Any]:
        table = self.table
        match expr:
            case p.CardsIn():
                return [card for i in self.spots(expr.places) for card in table.cards_at(i)]
            case p.AllCards():
                return [Card(piece, piece.place) for piece in table.pieces]
            case p.Without():
                return self._without(self.value(expr.source), self.value(expr.card))
            case p.Players():
                if expr.start is None:
                    return list(range(table.players))
                start = self.player(expr.start)
                ring = [(start + i) % table.players for i in range(table.players)]
                return ring[1:] if expr.after else ring
            case p.PlayersByRole():
                count = len(table.program.roles.names) if table.program.roles else 0
                holders = [table.holder_of(role) for role in range(count)]
                return [player for player in holders if player is not None]
            case p.EnumAll():
                low, high = table.ranges[expr.attribute]
                return list(range(low, high + 1))
            case p.Range():
                return list(range(self.value(expr.low), self.value(expr.high) + 1))
            case p.Filter():
                source = self.value(expr.source)
                return [x for x in source if self.value_of(expr.condition, expr.var, x)]
            case p.Sorted():
                return self.ranked(self.value(expr.source), expr.var, expr.keys)
            case p.Best():
                return self._best(expr)
            case p.Plays():
                return plays.plays(table, expr.shapes, self.value(expr.source))

    def _without(self, cards: list[Card], card: Card | list[Card] | None) -> list[Card]:
        if isinstance(card, list):
            for one in card:
                cards = self._without(cards, one)
            return cards
        if card is not None and any(other.piece is card.piece for other in cards):
            self.table.check(card)
            return [other for other in cards if other.piece is not card.piece]
        return cards

    def value_of(self, expr: p.Expr, var: p.Var, item: Any) -> Any:
        """An expression about one element."""
        self.vars[var.id] = item
        return self.value(expr)

    def ranked(self, items: list[Any], var: p.Var, keys: tuple[p.Key, ...]) -> list[Any]:
        """Items in the order of keys, the first weighing most."""
        ranks = [[self.value_of(key.expr, var, item) for key in keys] for item in items]

        def order(i: int, j: int) -> int:
            return compare(ranks[i], ranks[j], keys)

        return [items[i] for i in sorted(range(len(items)), key=cmp_to_key(order))]

    def _best(self, expr: p.Best) -> list[Any]:
        ranked = self.ranked(self.value(expr.source), expr.var, (expr.key,))
        ranks = [self.value_of(expr.key.expr, expr.var, item) for item in ranked]
        return [item for item, rank in zip(ranked, ranks, strict=True) if rank == ranks[0]]

    def _reduced(self, expr: REDUCTIONS) -> Any:
        items = self.value(expr.source)
        match expr:
            case p.First():
                return items[0] if items else None
            case p.Count():
                return len(items)
            case p.Any_():
                return bool(items)
            case p.Fold():
                values = [self.value_of(expr.expr, expr.var, item) for item in items]
                if expr.op == "sum":
                    return sum(values)
                if expr.op == "different":
                    return len(
                        {value.face if isinstance(value, Card) else value for value in values}
                    )
                return (max if expr.op == "highest" else min)(values, default=0)


def same(left: Any, right: Any) -> bool:
    """Equality as rules mean it: cards by face, plays by shape and faces."""
    if isinstance(left, Card) and isinstance(right, Card):
        return left.face == right.face
    if isinstance(left, Play) and isinstance(right, Play):
        return left.raw == right.raw
    return bool(left == right)


def compare(left: list[Any], right: list[Any], keys: Sequence[p.Key | p.WinnerKey]) -> int:
    """Which of two comes first: negative for the left one. Nobody comes last."""
    for a, b, key in zip(left, right, keys, strict=True):
        if a is None or b is None:
            if (a is None) != (b is None):
                return 1 if a is None else -1
        elif a != b:
            return -1 if (a > b) == key.largest else 1
    return 0


ARITHMETIC: dict[str, Callable[[int, int], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "/^": lambda a, b: -(-a // b),
    "min": min,
    "max": max,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
