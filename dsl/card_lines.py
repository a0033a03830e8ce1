"""How many cards of a kind there are: of each combination of properties, or of one value at a time
(`letter: 5 of guard, 2 of priest`). From a line of `cards` to its entry in the Program. Used by
`dsl.items`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from attrs import evolve

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.context import Context
from dsl.suggest import listing, nearest_or_all, singulars

Fixed: TypeAlias = Callable[[n.Expr, str], p.Expr | None]


def lower_kind(c: Context, decl: n.Kind, fixed: Fixed, origin: p.Origin) -> p.CardKind | None:
    """A kind of cards. `fixed` lowers a number that is known before the game."""
    attributes = []
    for word in decl.attributes:
        found = c.symbols.one(word.text, s.ATTRIBUTE)
        if found is None:
            no_property(c, word, decl)
            continue
        attributes.append(found)
    if isinstance(decl.copies, tuple):
        return _of_values(c, decl, decl.copies, attributes, fixed, origin)
    copies = _copies(decl.copies, fixed)
    if copies is None:
        return None
    return p.CardKind(decl.name.names, tuple(attributes), copies, origin)


def no_property(c: Context, word: n.Word, decl: n.Kind | None = None) -> None:
    hint = c.symbols.suggestion(word.text, s.ATTRIBUTE)
    if decl is not None and c.symbols.named(word.text, s.ENUM_VALUE):
        hint = f"of a value, copies are counted without `each`: `5 of {word.text}`"
    c.missing("R0227", f"cards have no `{word.text}`", word, hint)


def _copies(node: n.Expr, fixed: Fixed) -> p.Expr | None:
    if isinstance(node, n.Ref) and node.word.text == "one":
        return p.Const(1, p.NUMBER, node.span)
    return fixed(node, "the number of copies")


# ── of one value at a time ───────────────────────────────────────────────────────────────────


def _of_values(
    c: Context,
    decl: n.Kind,
    parts: tuple[n.Counted, ...],
    spread: list[str],
    fixed: Fixed,
    origin: p.Origin,
) -> p.CardKind | None:
    attribute = _attribute(c, parts)
    if attribute is None:
        return None
    if attribute in spread:
        message = f"copies are counted for each `{attribute}` already"
        hint = f"name another property behind `in each`, or take `{attribute}` out there"
        c.findings.error("R0236", message, decl.attributes[-1].span, suggestion=hint)
        return None
    c.symbols.used.add((s.ATTRIBUTE, attribute))
    counted: dict[int, p.Counted] = {}
    for part in parts:
        value = _value(c, attribute, part.value.text)
        copies = _copies(part.copies, fixed)
        if value is None or copies is None:
            return None
        if value in counted:
            message = f"`{part.value.text}` is counted twice"
            first = (counted[value].span, "the first time is here")
            hint = "keep one of them, with all the copies"
            c.findings.error("R0206", message, part.span, suggestion=hint, related=[first])
            continue
        known = p.Const(value, c.symbols.enum(attribute), part.value.span)
        counted[value] = p.Counted(known, copies, part.span)
    word = n.Word(attribute, decl.name.span)
    c.symbols.kinds[decl.name.text] = evolve(decl, attributes=(*decl.attributes, word))
    in_order = tuple(counted[value] for value in sorted(counted))
    return p.CardKind(decl.name.names, (*spread, attribute), in_order, origin)


def _attribute(c: Context, parts: tuple[n.Counted, ...]) -> str | None:
    """The one property that all the values are of; None after reporting why there is none."""
    found = set(c.symbols.attributes)
    first: n.Counted | None = None
    for part in parts:
        having = _having(c, part)
        if not having:
            return None
        if not found & having:
            assert first is not None
            was, now = sorted(found)[0], sorted(having)[0]
            message = f"`{part.value.text}` is a {now}, `{first.value.text}` a {was}"
            note = "a line counts the copies of values of one property"
            hint = f"a line for each; of cards with both: `2 of {first.value.text}, in each {now}`"
            related = [(first.span, f"`{was}` began here")]
            c.findings.error("R0236", message, part.span, note, suggestion=hint, related=related)
            return None
        found &= having
        first = part if first is None else first
    if len(found) > 1:
        names = [name for name in c.symbols.attributes if name in found]
        value = parts[0].value
        message = f"`{value.text}` can be of {listing(names)}, and nothing here decides"
        hint = f"say which in front of it: `of {names[0]} {value.text}`"
        c.findings.error("R0302", message, value.span, suggestion=hint)
        return None
    return found.pop()


def _having(c: Context, part: n.Counted) -> set[str]:
    """The properties that may have the value of one part; none after reporting why."""
    word, said = part.value, part.property
    named = list(c.symbols.attributes)
    if said is not None:
        one = c.symbols.one(said.text, s.ATTRIBUTE)
        values = c.symbols.named(said.text, s.ENUM_VALUE)
        if one is None and values:
            message = "one value is counted at a time"
            hint = f"of cards with both properties: `2 of {word.text}, in each {values[0].owner}`"
            c.findings.error("R0236", message, part.span, suggestion=hint)
        elif one is None:
            no_property(c, said)
        if one is None:
            return set()
        named = [one]
    found = {name for name in named if _value(c, name, word.text) is not None}
    if not found and not _said_otherwise(c, part):
        message = f"no property of cards has a value `{word.text}`"
        known = [value.name.text for name in named for value in c.symbols.attributes[name].values]
        if said is not None:
            message = f"no {said.text} is called `{word.text}`"
        hint = nearest_or_all(word.text, known)
        c.findings.error("R0236", message, word.span, suggestion=hint)
    return found


def _said_otherwise(c: Context, part: n.Counted) -> bool:
    """Whether what stands for a value is nothing at all, or a whole property."""
    word = part.value
    if not word.text and isinstance(part.copies, n.Ref) and not _is_number(c, part.copies):
        message = "values of a property are listed without `:`"
        hint = "`suit spades, hearts`; after `:` stands how many copies of a card there are"
        c.findings.error("R0117", message, part.span, suggestion=hint)
        return True
    if not word.text:
        message, hint = "copies of which value?", "say it behind `of`: `5 of guard, 2 of priest`"
        c.findings.error("R0236", message, part.span, suggestion=hint)
        return True
    if c.symbols.named(word.text, s.ATTRIBUTE):
        message = f"`{word.text}` is a property, with several values"
        hint = f"`2 of each {word.text}`, or the copies of each value: `5 of guard, 2 of priest`"
        c.findings.error("R0236", message, word.span, suggestion=hint)
        return True
    return False


def _is_number(c: Context, node: n.Ref) -> bool:
    word = node.word.text
    return word in ("one", "players") or bool(c.symbols.named(word, s.OPTION))


def _value(c: Context, attribute: str, word: str) -> int | None:
    """A value of a property by its name or its number."""
    decl = c.symbols.attributes[attribute]
    if not decl.values:
        return int(word) if word.isdecimal() and _may_be(decl, int(word)) else None
    names = [value.name.text for value in decl.values]
    return next((names.index(form) for form in (word, *singulars(word)) if form in names), None)


def _may_be(decl: n.Attribute, number: int) -> bool:
    """Whether a number is not outside a range that is written out."""
    low, high = decl.low, decl.high
    below = isinstance(low, n.Number) and number < low.value
    return not below and not (isinstance(high, n.Number) and number > high.value)
