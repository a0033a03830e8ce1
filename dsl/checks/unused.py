"""What is declared and never used: warnings."""

from __future__ import annotations

import re

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.context import Context
from dsl.walk import everything, walk


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
    said = {word.text for word in walk(ruleset.examples) if isinstance(word, n.Word)}
    for kind, name, span in named:
        if (kind, name) not in known.used and not (kind == s.VALUE and name in said):
            message = f"the {kind} `{name}` is never used"
            if kind == s.HOLDER and known.holders[name].holder is None:
                message = f"the tokens `{name}` are never used"
            elif kind == s.HOLDER:
                message = f"the holder of tokens `{name}` is never used"
            c.findings.warning("R0501", message, span)
    for family, effects in known.effects.items():
        if family in c.family_types and family not in c.applied:
            message = f"no rule applies `{family}`, so its blocks do nothing"
            hint = f"`apply {family} of …`"
            c.findings.warning("R0501", message, effects[0].family.span, suggestion=hint)


def _holder(decl: n.Token) -> n.Named:
    return decl.name if decl.holder is None else decl.holder


def without_cards(program: p.Program, c: Context) -> None:
    """Values that no card has, of a property of which copies are counted value by value."""
    for name, attribute in program.attributes.items():
        having = [kind for kind in program.kinds.values() if name in kind.attributes]
        counted = [
            k.copies for k in having if isinstance(k.copies, tuple) and k.attributes[-1] == name
        ]
        if not attribute.values or not counted or len(counted) < len(having):
            continue
        there = {each.value.value for copies in counted for each in copies}
        for index, value in enumerate(c.symbols.attributes[name].values):
            if index not in there:
                c.findings.warning(
                    "R0510",
                    f"no card is a `{value.name.text}`",
                    value.name.span,
                    related=[
                        (copies[0].span, f"of each {name}, copies are counted here")
                        for copies in counted[:1]
                    ],
                    suggestion=f"`1 of {value.name.text}` where cards are counted, or take it out",
                )


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


def never_filled(program: p.Program, c: Context) -> None:
    """Places that cards are taken from or looked at in, and that no rule puts any into."""
    filled: set[str] = set()
    asked: dict[str, p.Span] = {}
    for node in everything(program):
        match node:
            case p.Shuffle(place=place):
                if node.source is not None:
                    filled.add(place.place)
            case p.Move(to=place):
                filled.add(place.place)
            case p.MoveRandom(place=source, to=place):
                filled.add(place.place)
                asked.setdefault(source.place, source.span)
            case p.Deal(place=name, source=source):
                filled.add(name)
                asked.setdefault(source.place, source.span)
            case p.Top(place=place):
                asked.setdefault(place.place, place.span)
            case p.CardsIn(places=places):
                for each in places:
                    asked.setdefault(each.place, each.span)
    for name, decl in c.symbols.places.items():
        if name in asked and name not in filled:
            c.findings.warning(
                "R0505",
                f"no rule puts cards into `{name}`, so it is always empty",
                decl.name.span,
                related=[(asked[name], "cards are looked for in it here")],
                suggestion=f"`deal … to every {name}`, or `move … to {name}`"
                if decl.owner is not None
                else f"`shuffle … into {name}`, or `move … to {name}`",
            )


def no_points(program: p.Program, c: Context) -> None:
    """A winner by points, and nothing that scores any."""
    if program.scoring or not any(key.expr is None for key in program.winner.keys):
        return
    c.findings.warning(
        "R0506",
        "nothing scores points, so all have none",
        program.winner.origin.span,
        suggestion="say below `scoring` what they are: `total = vp`",
    )


def lone_values(ruleset: n.Ruleset, c: Context, played: bool) -> None:
    """`joker 4`: a property with one value is most likely a card whose `:` was forgotten.

    Then rules that speak of jokers can't be understood (`played` says whether all can be), and
    what was said of them says nothing: the slip is elsewhere.
    """
    for name, decl in c.symbols.attributes.items():
        if len(decl.values) != 1 or not decl.values[0].name.text.isdigit():
            continue
        if not played:
            _forget(name, ruleset, c)
        tell = c.findings.warning if played else c.findings.error
        tell(
            "R0503",
            f"`{name}` is a property of cards with the single value `{decl.values[0].name.text}`",
            decl.span,
            suggestion=f"`{name}: {decl.values[0].name.text}` is that many cards",
        )


def _forget(name: str, ruleset: n.Ruleset, c: Context) -> None:
    """Take back what was said of lines that name something."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    naming = {at for at, line in enumerate(ruleset.text.split("\n"), 1) if word.search(line)}
    for item in list(c.findings.items):
        spans = [item.span, *(other.span for other in item.related)]
        if any(span and span.file == ruleset.file and span.line in naming for span in spans):
            c.findings.items.remove(item)
