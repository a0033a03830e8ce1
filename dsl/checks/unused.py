"""What is declared and never used: warnings."""

from __future__ import annotations

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.context import Context
from dsl.walk import everything


def unused(ruleset: n.Ruleset, c: Context) -> None:
    """Declarations no rule names."""
    known = c.symbols
    named: list[tuple[str, str, p.Span]] = []
    named += [(s.OPTION, name, d.name.span) for name, d in known.options.items()]
    named += [(s.ATTRIBUTE, name, d.name.span) for name, d in known.attributes.items()]
    named += [(s.PLACE, name, d.name.span) for name, d in known.places.items()]
    named += [(s.HOLDER, key, _holder(d).span) for key, d in known.holders.items()]
    named += [(s.MARK, name, d.name.span) for name, d in known.marks.items()]
    named += [(s.TRACK, name, d.name.span) for name, d in known.tracks.items()]
    named += [(s.SHAPE, name, d.name.span) for name, d in known.shapes.items()]
    named += [(s.VALUE, name, d.name.span) for name, d in known.values.items()]
    named += [(s.ACTION, name, d.name.span) for name, d in known.actions.items()]
    for kind, name, span in named:
        if (kind, name) not in known.used:
            what = {s.HOLDER: "holder of tokens", s.ATTRIBUTE: "property"}.get(kind, kind)
            c.findings.warning("R0501", f"the {what} `{name}` is never used", span)
    for family, effects in known.effects.items():
        if family in c.family_types and family not in c.applied:
            message = f"no rule applies `{family}`, so its blocks do nothing"
            hint = f"`apply {family} of …`"
            c.findings.warning("R0501", message, effects[0].family.span, suggestion=hint)


def _holder(decl: n.Token) -> n.Named:
    return decl.name if decl.holder is None else decl.holder


def never_read(program: p.Program, c: Context) -> None:
    """Marks and tracks that are set, but that nothing asks for."""
    read: set[tuple[str, str]] = set()
    for node in everything(program):
        if isinstance(node, p.Marked):
            read.add((s.MARK, node.mark))
        elif isinstance(node, p.TrackRef):
            read.add((s.TRACK, node.name))
    for kind, name, span in (
        *((s.MARK, name, d.name.span) for name, d in c.symbols.marks.items()),
        *((s.TRACK, name, d.name.span) for name, d in c.symbols.tracks.items()),
    ):
        if (kind, name) in c.symbols.used and (kind, name) not in read:
            message = f"the {kind} `{name}` is set, but no rule asks for it"
            c.findings.warning("R0502", message, span)


def lone_values(ruleset: n.Ruleset, c: Context) -> None:
    """`joker 4`: a property with one value is most likely a card whose `:` was forgotten."""
    for name, decl in c.symbols.attributes.items():
        if len(decl.values) == 1 and decl.values[0].name.text.isdigit():
            c.findings.warning(
                "R0503",
                f"`{name}` is a property of cards with the single value "
                f"`{decl.values[0].name.text}`",
                decl.span,
                suggestion=f"`{name}: {decl.values[0].name.text}` is that many cards",
            )
