"""Names in other languages: each says something, and no two things of one kind share one. At the
table nobody could tell such options or cards apart.
"""

from __future__ import annotations

from collections.abc import Iterable

from dsl import nodes as n
from dsl import symbols as s
from dsl.context import Context
from dsl.walk import walk


def translations(ruleset: n.Ruleset, c: Context) -> None:
    """Errors in what things are called in other languages."""
    known = c.symbols
    for attribute in known.attributes.values():
        _told_apart(c, s.ENUM_VALUE, (value.name for value in attribute.values))
    for kind, names in (
        (s.ATTRIBUTE, (decl.name for decl in known.attributes.values())),
        (s.KIND, (decl.name for decl in known.kinds.values())),
        (s.PLACE, (decl.name for decl in known.places.values())),
        (s.MARK, (decl.name for decl in known.marks.values())),
        (s.TRACK, (decl.name for decl in known.tracks.values())),
        (s.SHAPE, (decl.name for decl in known.shapes.values())),
        (s.ROLE, () if known.roles is None else known.roles.names),
    ):
        _told_apart(c, kind, names)
    for node in walk(ruleset.decls):
        match node:
            case n.Choose(branches=branches):
                _told_apart(c, "way", (branch.name for branch in branches))
            case n.Named():
                _says_something(c, node)


def _told_apart(c: Context, kind: str, names: Iterable[n.Named]) -> None:
    first: dict[tuple[str, str], n.Named] = {}
    for name in names:
        for lang, text in name.others:
            other = first.setdefault((lang, text.strip()), name)
            if other is name or other.text == name.text or not text.strip():
                continue
            c.findings.error(
                "R0205",
                f'the {kind} `{name.text}` is called `{lang} "{text}"`, as `{other.text}` is',
                name.span,
                related=[(other.span, "the first one stands here")],
                suggestion="give one of them another name in that language",
            )


def _says_something(c: Context, name: n.Named) -> None:
    for lang, text in name.others:
        if not text.strip():
            c.findings.error(
                "R0118",
                f'`{name.text}` has an empty name: `{lang} "{text}"`',
                name.span,
                suggestion=f"write what it is called between the quotes, or leave out `{lang}`",
            )
