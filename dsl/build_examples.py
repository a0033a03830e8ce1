"""From Lark's trees of an example's lines to nodes. Only `dsl.parse` uses this."""

from __future__ import annotations

from attrs import define, field

from dsl import nodes as n
from dsl.build import Builder, Piece
from dsl.layout import Tag

Tags = tuple[Tag, ...]


@define(eq=False)
class Draft:
    """An example while its lines are read."""

    players: list[n.Players] = field(factory=list)
    settings: list[n.Setting] = field(factory=list)
    entries: list[n.Entry] = field(factory=list)
    given: list[n.Claim] = field(factory=list)
    story: list[n.Step | n.Claims] = field(factory=list)


def settings(b: Builder, tree: Piece, draft: Draft) -> None:
    """The parts of a `with` line."""
    for part in tree.children:
        if part.data == "players":
            draft.players.append(n.Players(int(part.children[0]), b.span(part)))
        else:
            name, value = part.children
            draft.settings.append(n.Setting(b.word(name), b.alternative(value), b.span(part)))


def entry(b: Builder, tree: Piece) -> n.Entry:
    name, *arguments, player = tree.children
    given = tuple(b.expr(piece) for piece in arguments)
    who = None if player is None else b.word(player)
    return n.Entry(b.word(name), given, who, b.span(tree))


def claims(b: Builder, tree: Piece) -> tuple[n.Claim, ...]:
    """The facts of a line, or what it claims."""
    return tuple(_claim(b, piece) for piece in tree.children)


def _claim(b: Builder, tree: Piece) -> n.Claim:
    span, parts = b.span(tree), tree.children
    match str(tree.data):
        case "has":
            holder, amount, token = parts
            return n.Has(b.expr(holder), b.expr(amount), b.word(token), span)
        case "wins":
            return n.Wins(b.expr(parts[0]), span)
        case "may":
            player, negated, choice = parts
            return n.May(b.word(player), negated is not None, b.word(choice), None, span)
        case "may_list":
            player, negated, choice, *_, listed = parts
            options = steps(b, listed, ())
            return n.May(b.word(player), negated is not None, b.word(choice), options, span)
        case _:
            expr, *rest = parts
            words = tuple(b.word(piece.children[0]) for piece in rest)
            return n.Fact(b.expr(expr), words, span)


def steps(b: Builder, tree: Piece, tags: Tags) -> tuple[n.Step, ...]:
    return tuple(_step(b, piece, tags) for piece in tree.children)


def _step(b: Builder, tree: Piece, tags: Tags) -> n.Step:
    return n.Step(tuple(_picked(b, piece) for piece in tree.children), b.span(tree), tags)


def _picked(b: Builder, tree: Piece) -> n.Picked:
    *words, place, owner = tree.children
    where = None if place is None else b.word(place)
    whose = None if owner is None else b.word(owner)
    return n.Picked(tuple(b.word(word) for word in words), where, whose, b.span(tree))
