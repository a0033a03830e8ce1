"""Places, and sources that cards are looked for in."""

from __future__ import annotations

from typing import TypeAlias

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.context import Context, shown
from dsl.scope import Scope
from dsl.unknown import means_nothing, unknown

Places: TypeAlias = tuple[p.PlaceRef | p.PlacesOf, ...]


def one_place(c: Context, node: n.Expr, scope: Scope, what: str) -> p.PlaceRef | None:
    """A single place, such as a card can be moved to."""
    places = places_of(c, node, scope)
    if places is None:
        not_a_place(c, node, scope, what)
        return None
    if len(places) == 1 and isinstance(places[0], p.PlaceRef):
        return places[0]
    if places:
        c.findings.error(
            "R0330",
            f"{what} takes a single place, but this is several",
            node.span,
            suggestion=_of_whom(node),
        )
    return None


def _of_whom(node: n.Expr) -> str:
    if isinstance(node, n.Every):
        word = node.word.text
        return f"`{word}` is mine, `{word} of …` another player's"
    return ""


def not_a_place(c: Context, node: n.Expr, scope: Scope, what: str) -> None:
    if isinstance(node, n.Ref | n.Of | n.Every):
        word = node.word
        if not c.symbols.named(word.text) and scope.find(word.text) is None:
            hint = c.symbols.suggestion(word.text, s.PLACE)
            c.missing("R0331", f"there is no place `{word.text}`", word, hint)
            return
        message = f"{what} takes a place, and `{word.text}` is none"
        c.findings.error("R0331", message, node.span)
        return
    c.findings.error("R0331", f"{what} takes a place, and this is none", node.span)


def places_of(c: Context, node: n.Expr, scope: Scope) -> Places | None:
    """The places an expression names; None if it names none, which is for the caller to report; ()
    if it does but is wrong, which has been reported."""
    match node:
        case n.Ref(word=word) if scope.find(word.text) is None:
            name = c.symbols.one(word.text, s.PLACE)
            if name is None:
                return None
            player: p.Expr | None = None
            if c.symbols.places[name].owner is not None:
                player = p.VarRef(scope.whose(), p.PLAYER, node.span)
            return (p.PlaceRef(name, player, node.span),)
        case n.Of(word=word, owner=owner, arguments=None):
            name = c.symbols.one(word.text, s.PLACE)
            if name is None or c.symbols.places[name].owner is None:
                return None
            whose = c.player(owner, scope)
            return () if whose is None else (p.PlaceRef(name, whose, node.span),)
        case n.Every(word=word):
            return _every(c, node, scope)
        case n.Binary(op="+", left=left, right=right):
            first, second = places_of(c, left, scope), places_of(c, right, scope)
            if first is None or second is None:
                return None
            return first + second if first and second else ()
    return None


def _every(c: Context, node: n.Every, scope: Scope) -> Places | None:
    name = c.symbols.one(node.word.text, s.PLACE)
    if name is None:
        return None
    players: p.Expr | None = p.Players(None, False, p.PLAYERS, node.span)
    if node.players is not None:
        players = c.need(node.players, scope, p.PLAYERS)
    if c.symbols.places[name].owner is None:
        c.findings.error(
            "R0332",
            f"there is only one `{name}`",
            node.span,
            related=[(c.symbols.places[name].name.span, "it is declared without `of player`")],
            suggestion=f"write `{name}`",
        )
        return ()
    return () if players is None else (p.PlacesOf(name, players, node.span),)


def cards_in(places: Places, span: p.Span) -> p.Expr | None:
    """All cards in some places; None for those that are wrong."""
    return p.CardsIn(places, p.CARDS, span) if places else None


def cards_source(c: Context, node: n.Expr, scope: Scope) -> p.Expr | None:
    """Something that cards are looked for in."""
    if isinstance(node, n.Ref | n.Of | n.Every | n.Binary):
        places = places_of(c, node, scope)
        if places is not None:
            return cards_in(places, node.span)
        if isinstance(node, n.Every):
            not_a_place(c, node, scope, "`every`")
            return None
        if isinstance(node, n.Binary):
            return _not_joined(c, node, scope)
    if isinstance(node, n.Ref) and means_nothing(c, node.word, scope):
        unknown(c, node.word, scope, s.PLACE)
        return None
    made = c.expr(node, scope, p.CARDS)
    if made is None or made.type == p.CARDS:
        return made
    if made.type == p.PLAY:
        return p.PlayPart("cards", made, p.CARDS, node.span)
    c.mismatch(node, made.type, p.CARDS)
    return None


def _not_joined(c: Context, node: n.Binary, scope: Scope) -> p.Expr | None:
    """`+` where cards are looked for joins places only."""
    for side in (node.left, node.right):
        if places_of(c, side, scope) is None:
            not_a_place(c, side, scope, f"`{node.op}` between places")
            break
    return None


def in_order(c: Context, place: p.PlaceRef, span: p.Span, otherwise: str) -> bool:
    """Whether the cards of a place are in an order; if not, it is reported with what follows."""
    declared = c.symbols.places[place.place]
    if declared.kind.text != "hand":
        return True
    c.findings.error(
        "R0333",
        f"`{place.place}` is a hand: its cards are in no order, so {otherwise}",
        span,
        related=[(declared.name.span, "it is declared here")],
    )
    return False


def lower_top(c: Context, node: n.TopOf, scope: Scope) -> p.Expr | None:
    place = one_place(c, node.place, scope, "`top of`")
    if isinstance(node.count, n.Ref) and node.count.word.text in ("card", "cards"):
        said, of = node.count.word.text, shown(node.place)
        c.findings.error(
            "R0309",
            f"`top` is said without `{said}`",
            node.count.span,
            suggestion=f"`top of {of}` is one card, `top 2 of {of}` are several",
        )
        return None
    count = None if node.count is None else c.number(node.count, scope)
    if place is None or (node.count is not None and count is None):
        return None
    if not in_order(c, place, node.span, "none is on top"):
        return None
    return p.Top(place, count, p.CARD if count is None else p.CARDS, node.span)


def lower_except(c: Context, node: n.Except, scope: Scope) -> p.Expr | None:
    source, card = cards_source(c, node.source, scope), c.expr(node.card, scope)
    if source is None or card is None:
        return None
    if card.type == p.PLAY:
        card = p.PlayPart("cards", card, p.CARDS, card.span)
    if card.type not in (p.CARD, p.CARDS):
        c.mismatch(node.card, card.type, p.CARD)
        return None
    return p.Without(source, card, p.CARDS, node.span)
