"""From Lark's tree of one line to declarations. Only `dsl.parse` uses this."""

from __future__ import annotations

from lark import Token, Tree

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
        case "kind" | "counted_kind" | "attribute" | "number_attribute":
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
        attributes = tuple(b.word(word) for word in each)
        return n.Kind(named, b.expr(copies), attributes, span, tags)
    if tree.data == "counted_kind":
        return _counted(b, tree, tags)
    if tree.data == "number_attribute":
        low, high = (b.expr(piece) for piece in rest)
        return n.Attribute(named, (), low, high, "", span, tags)
    *values, last = rest
    order = {"strongest": "strong", "weakest": "weak"}.get(str(last), "")
    if last is not None and not is_token(last, "ORDER"):
        values.append(last)
    listed = tuple(b.card_value(value) for value in values)
    return n.Attribute(named, listed, None, None, order, span, tags)


def _counted(b: Builder, tree: Piece, tags: Tags) -> n.Kind:
    """`joker: 2`; or copies of one value at a time, in each of some properties."""
    name, translations, *parts, spread = tree.children
    named, span = b.named(name, translations), b.span(tree)
    if len(parts) == 1 and spread is None and parts[0].data == "copies":
        (copies,) = parts[0].children
        if _last(copies).data != "of":
            return n.Kind(named, b.expr(copies), (), span, tags)
    attributes = () if spread is None else tuple(b.word(word) for word in spread.children)
    counted = tuple(_copies_of(b, part) for part in parts)
    return n.Kind(named, counted, attributes, span, tags)


def _copies_of(b: Builder, part: Piece) -> n.Counted:
    """`5 of guard`, `one of rank 1`. `one of guard` alone is read as something `of` something, as
    anywhere: here it is copies of a value."""
    first, *rest = part.children
    if part.data == "copies_of":
        copies = b.ref(first) if isinstance(first, Token) else b.expr(first)
        said, value = rest
        return n.Counted(copies, b.maybe_word(said), b.word(value), b.span(part))
    last = _last(first)
    if last.data == "of" and last.children[1].data in ("ref", "number"):
        word, value = last.children[0], b.word(last.children[1].children[0])
        amount = _instead(first, last, Tree("ref", [word]))
        return n.Counted(b.expr(amount), None, value, b.span(part))
    return n.Counted(b.expr(first), None, n.Word("", b.span(part)), b.span(part))


def _instead(tree: Piece, last: Piece, other: Piece) -> Piece:
    """A sum with another part at its end; trees may be read again, so they stay as they are."""
    if tree is last:
        return other
    end = _instead(tree.children[-1], last, other)
    return Tree(tree.data, [*tree.children[:-1], end], tree.meta)


def _last(tree: Piece) -> Piece:
    """The part of a sum that stands last."""
    while tree.data in ("binary", "negative"):
        tree = tree.children[-1]
    return tree


def _token(b: Builder, tree: Piece, tags: Tags) -> n.Token:
    name, translations, held, start, limit = tree.children
    amounts, span = (b.expr(start), b.maybe(limit)), b.span(tree)
    if held.data == "in_holder":
        holder = b.named(*held.children)
        return n.Token(b.named(name, translations), None, holder, *amounts, span, tags)
    owner, more = held.children
    named = b.named(name, translations, more)
    return n.Token(named, b.word(owner), None, *amounts, span, tags)
