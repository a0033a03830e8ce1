"""From Lark's tree of one line to declarations. Only `dsl.parse` uses this."""

from __future__ import annotations

from dsl import nodes as n
from dsl.build import Builder, Piece, is_token
from dsl.layout import Tag

Tags = tuple[Tag, ...]


def item(b: Builder, tree: Piece, tags: Tags) -> n.Decl:
    """An item of a section: option, cards, place, token, mark, track, shape, scoring line."""
    span, parts = b.span(tree), tree.children
    match str(tree.data):
        case "option":
            return _option(b, tree, tags)
        case "kind" | "attribute" | "number_attribute":
            return _card(b, tree, tags)
        case "place":
            owned, sight, kind = parts
            return n.Place(*b.owned(owned), str(sight.data), b.word(kind), span, tags)
        case "token":
            return _token(b, tree, tags)
        case "mark":
            return n.Mark(*b.owned(parts[0]), span, tags)
        case "track":
            return n.Track(*b.owned(parts[0]), b.word(parts[1]), span, tags)
        case "shape":
            name, translations, size, kind, *constraints = parts
            least, most = size.children
            low, high = int(least), int(most if most is not None else least)
            made = tuple(b.constraint(piece) for piece in constraints)
            named = b.named(name, translations)
            return n.Shape(named, low, high, b.word(kind), made, span, tags)
        case "scoring":
            name, translations, expr = parts
            return n.Scoring(b.named(name, translations), b.expr(expr), span, tags)
    raise AssertionError(tree.data)


def _option(b: Builder, tree: Piece, tags: Tags) -> n.Option:
    name, translations, setting, allowed = tree.children
    counts: list[tuple[int, n.Alternative]] = []
    settings: tuple[n.Alternative, ...] = ()
    if setting.data == "by_players":
        for pair in setting.children:
            counts.append((int(pair.children[0]), b.alternative(pair.children[1])))
    else:
        settings = b.alternatives(setting.children[0])
    named, limits = b.named(name, translations), b.alternatives(allowed)
    return n.Option(named, settings, tuple(counts), limits, b.span(tree), tags)


def _card(b: Builder, tree: Piece, tags: Tags) -> n.Decl:
    name, translations, *rest = tree.children
    named, span = b.named(name, translations), b.span(tree)
    if tree.data == "kind":
        copies, *each = rest
        attributes = tuple(b.word(word) for word in each if word is not None)
        return n.Kind(named, b.expr(copies), attributes, span, tags)
    if tree.data == "number_attribute":
        low, high = (b.expr(piece) for piece in rest)
        return n.Attribute(named, (), low, high, "", span, tags)
    *values, last = rest
    order = {"strongest": "strong", "weakest": "weak"}.get(str(last), "")
    if last is not None and not is_token(last, "ORDER"):
        values.append(last)
    listed = tuple(b.card_value(value) for value in values)
    return n.Attribute(named, listed, None, None, order, span, tags)


def _token(b: Builder, tree: Piece, tags: Tags) -> n.Token:
    name, translations, held, start, limit = tree.children
    amounts, span = (b.expr(start), b.maybe(limit)), b.span(tree)
    if held.data == "in_holder":
        holder = b.named(*held.children)
        return n.Token(b.named(name, translations), None, holder, *amounts, span, tags)
    owner, more = held.children
    named = b.named(name, translations, more)
    return n.Token(named, b.word(owner), None, *amounts, span, tags)
