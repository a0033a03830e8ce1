"""Bots, from lines to nodes. Only `dsl.parse` uses this."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import nodes as n
from dsl.build import Builder, Piece
from dsl.layout import Line

if TYPE_CHECKING:
    from dsl.parse import _Reader as Reader


# Clauses of a preference that can stand there once.
CLAUSES = {
    "kept": "`where`",
    "by": "what is best",
    "prefer": "what is best",
    "asked_when": "when it holds",
    "asked_unless": "when it holds",
}


def bot(reader: Reader, line: Line, tree: Piece) -> n.Bot:
    """A bot and the lines indented below it."""
    b = reader.at(line)
    name, translations, like = tree.children
    named, other = b.named(name, translations), None if like is None else b.word(like)
    if not line.children and other is None:
        message = f"there is nothing below `bot {named.text}`"
        hint = "say what it prefers: `at CHOICE`, and below it the options it likes, best first"
        reader.findings.error("R0108", message, named.span, suggestion=hint)
    items = []
    for child in line.children:
        found = reader.line(child, "bot_item")
        if found is not None:
            items.append(_item(reader, child, found))
    return n.Bot(named, other, tuple(items), b.span(tree), line.tags)


def _item(reader: Reader, line: Line, tree: Piece) -> n.BotItem:
    b = reader.at(line)
    span, parts = b.span(tree), tree.children
    kind = str(tree.data)
    if kind in ("bot_setting", "remembers", "bot_value"):
        reader.no_children(line, "this line")
    match kind:
        case "bot_setting":
            name, translations, *amounts = parts
            value, low, high = (None if piece is None else _amount(b, piece) for piece in amounts)
            assert value is not None
            return n.BotSetting(b.named(name, translations), value, low, high, span)
        case "remembers":
            owned, word = parts
            return n.Remembers(*b.owned(owned), b.word(word), span)
        case "bot_value":
            name, params, owner, translations, body = parts
            words = () if params is None else tuple(b.word(p) for p in params.children)
            of = None if owner is None else b.word(owner)
            named = b.named(name, translations)
            return n.BotValue(named, words, of, b.expr(body), span, line.tags)
        case "bot_at":
            choice, first = parts
            return n.BotAt(b.word(choice), _lines(reader, line, first), span)
        case "bot_on":
            who, choice, way = parts
            branch = None if way is None else b.word(way)
            mine, body = str(who.data) == "mine", reader.body(line)
            return n.BotOn(mine, b.word(choice), branch, body, span, line.tags)
    raise AssertionError(kind)


def _lines(reader: Reader, line: Line, first: Piece) -> tuple[n.Preference, ...]:
    """The preferences of an `at`: one on its own line, or those below it."""
    if first is not None:
        reader.no_children(line, "an `at` that says on its line what is preferred")
        parts = [part for part in first.children if part is not None]
        return (_preference(reader, line, first, parts),)
    if not line.children:
        message, hint = "nothing is preferred here", "list the options below it, best first"
        reader.findings.error("R0108", message, reader.whole_span(line), suggestion=hint)
    made = []
    for child in line.children:
        tree = reader.line(child, "preference")
        if tree is not None:
            parts = [part for part in tree.children if part is not None]
            made.append(_preference(reader, child, tree, parts + _clauses(reader, child)))
    return tuple(made)


def _clauses(reader: Reader, line: Line) -> list[Piece]:
    """`where`, `by`, `prefer` and `when` on lines of their own below the way they speak of."""
    found = []
    for child in line.children:
        tree = reader.line(child, "bot_clause")
        if tree is not None:
            reader.no_children(child, "this line")
            found.append(tree.children[0])
    return found


def _preference(reader: Reader, line: Line, tree: Piece, parts: list[Piece]) -> n.Preference:
    b, way = reader.at(line), None
    if tree.data == "way":
        way = b.word(parts.pop(0))
    where: n.Expr | None = None
    by: tuple[n.Key, ...] = ()
    prefer: n.Expr | None = None
    when: n.Expr | None = None
    unless = False
    seen: set[str] = set()
    for part in parts:
        inner = part.children[0]
        kind = CLAUSES[str(part.data)]
        if kind in seen:
            message = f"this preference says {kind} twice"
            hint = "keep one of them"
            reader.findings.error("R0124", message, b.span(part), suggestion=hint)
        seen.add(kind)
        match str(part.data):
            case "kept":
                where = b.expr(inner)
            case "by":
                by = b.keys(inner)
            case "prefer":
                prefer = b.expr(inner)
            case "asked_when" | "asked_unless":
                when, unless = b.expr(inner), part.data == "asked_unless"
    return n.Preference(way, where, by, prefer, when, unless, b.span(tree))


def _amount(b: Builder, tree: Piece) -> n.Number | n.Decimal:
    made = b.expr(tree)
    assert isinstance(made, n.Number | n.Decimal)
    return made
