"""A variant: a small file of changes to another ruleset. Used by `dsl.parse`.

    variant "Priests take two" of "throne"
      option turns 4
      in skill priest
        replace take by
          take up to 2 coins from treasury

What a variant says is done to the lines of its base, before they are parsed. So its result is a
ruleset like any other: all passes, checks, traces and positions work on it as if it had been
written so, and each line knows the file it stands in.

This module reads what a variant says; `dsl.variant_edit` does it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from dsl import nodes as n
from dsl.diagnostics import Findings
from dsl.layout import Layout, Line, is_variant, lay_out, read_text
from dsl.lexer import Piece, split
from dsl.program import Span
from dsl.suggest import did_you_mean, nearest
from dsl.variant_edit import Edit
from dsl.variant_lines import words
from dsl.variant_names import rename_all

MOST_BASES = 20  # of a variant of a variant …
OPERATIONS = ("option", "replace", "add", "remove", "rename", "in", "with", "players", "example")
_FORM = '`variant "With jokers" of "base.rules"`'


@frozen(eq=False)
class Made:
    """The lines of a ruleset, and what they were made from."""

    lines: list[Line]
    sources: dict[str, str]
    variant: n.Variant | None
    files: tuple[str, ...]


def assemble(
    layout: Layout, text: str, file: str, findings: Findings
) -> tuple[tuple[Line, ...], Mapping[str, str], n.Variant | None]:
    """The lines of the ruleset that a variant makes, the texts of all its files by name, and what
    is known of it. No lines, and errors among the findings, if it can't be made."""
    made = _make(layout, text, file, findings, (os.path.normpath(file),))
    if made is None:
        return (), {file: text}, None
    lines = () if findings.errors else tuple(made.lines)
    return lines, made.sources, made.variant


def _make(
    layout: Layout, text: str, file: str, findings: Findings, above: tuple[str, ...]
) -> Made | None:
    head = _head(layout, findings)
    if head is None:
        return None
    name, others, base_word = head
    base, tried = resolve(base_word.text[1:-1], file)
    below = _base(base_word, base, file, findings, above)
    if below is None:
        return None
    first = layout.lines[0]
    game = below.variant.game if below.variant else _game(below.lines)
    if game is None:
        span = _span(base_word, file)
        message = f"`{base}` has no `game`, so it can have no variant"
        findings.error("R0241", message, span, suggestion="name a whole ruleset")
        return None
    # an example speaks of its own ruleset, in which another thing may be right
    below.lines[:] = [line for line in below.lines if words(line)[0] != "example"]
    operations = _operations(first, findings)
    renamed = rename_all(
        below.lines, [line for word, line in operations if word == "rename"], findings
    )
    edit = Edit(below.lines, findings)
    edit.head(first, name, others, game)
    for word, line in operations:
        if word not in ("rename", "with"):
            edit.operation(word, line)
    for word, line in operations:
        if word == "with":
            edit.with_players(line)
    older = below.variant.renamed if below.variant else {}
    variant = n.Variant(
        name=name,
        game=game,
        base=base,
        head=Span(
            file, first.line, first.column, first.line, first.column + len(first.text.strip())
        ),
        changes=tuple(edit.changes),
        files=(*tried, *below.files),
        renamed={new: older.get(old, old) for old, new in renamed.items()}
        | {new: old for new, old in older.items() if new not in renamed},
    )
    return Made(edit.lines, {file: text} | below.sources, variant, variant.files)


# ── the head ─────────────────────────────────────────────────────────────────────────────────


def _span(piece: Piece, file: str) -> Span:
    end = piece.column + len(piece.text)
    return Span(file, piece.line, piece.column, piece.line, end)


def _head(
    layout: Layout, findings: Findings
) -> tuple[str, tuple[tuple[str, str], ...], Piece] | None:
    """Name, its translations, and the text that names the base."""
    first, *rest = layout.lines
    pieces = split(first.text, first.line)
    kinds = [piece.kind for piece in pieces]
    middle = pieces[2:-2]
    fits = (
        len(pieces) >= 4
        and kinds[1] == kinds[-1] == "STRING"
        and pieces[-2].text == "of"
        and len(middle) % 2 == 0
        and all(p.kind == ("STRING" if at % 2 else "WORD") for at, p in enumerate(middle))
    )
    if not fits:
        span = Span(first.file, first.line, first.column, first.line, first.column + 7)
        message = "a variant has a name, and says of what it is a variant"
        findings.error("R0241", message, span, suggestion=f"begin with {_FORM}")
        return None
    if rest:
        line = rest[0]
        end = line.column + len(line.text.split()[0])
        span = Span(line.file, line.line, line.column, line.line, end)
        message = "in a variant, everything is indented below its first line"
        findings.error("R0242", message, span, suggestion="indent this line, and what follows it")
        return None
    if not pieces[1].text[1:-1].strip():
        span = _span(pieces[1], first.file)
        findings.error("R0241", "this variant has no name", span, suggestion=f"begin with {_FORM}")
    pairs = zip(middle[::2], middle[1::2], strict=True)
    others = tuple((lang.text, text.text[1:-1]) for lang, text in pairs)
    return pieces[1].text[1:-1], others, pieces[-1]


def resolve(name: str, file: str) -> tuple[str, tuple[str, ...]]:
    """The file that a variant's base is in, and all files looked for: seen from the variant's own
    folder, else as the bundled ruleset of that name. Without its ending `.rules`, too."""
    from dsl.pipeline import bundled_named

    folder = Path(file).parent
    tried = [os.path.normpath(folder / candidate) for candidate in (name, f"{name}.rules")]
    for at, candidate in enumerate(tried):
        if Path(candidate).is_file():
            return candidate, tuple(tried[: at + 1])
    bundled = bundled_named(name)
    if bundled is not None:
        return str(bundled), (*tried, str(bundled))
    return tried[0], tuple(tried)


def _base(
    word: Piece, base: str, file: str, findings: Findings, above: tuple[str, ...]
) -> Made | None:
    """The lines of the base; None after saying what is wrong with it."""
    span = _span(word, file)
    if not Path(base).is_file():
        from dsl.pipeline import bundled_names

        named = word.text[1:-1].strip()
        message = f"there is no ruleset `{named}`" if named else "a variant of what?"
        hint = did_you_mean(word.text[1:-1], [*_beside(base), *bundled_names()])
        note = (
            "the name of the base is seen from the folder of the variant; else it is a bundled one"
        )
        findings.error("R0243", message, span, note, suggestion=hint)
        return None
    if base in above or os.path.realpath(base) in map(os.path.realpath, above):
        chain = " of ".join(f"`{Path(name).name}`" for name in (*above, base))
        message = f"a variant of itself: {chain}"
        findings.error("R0244", message, span, suggestion="name a ruleset that is not made from it")
        return None
    if len(above) > MOST_BASES:
        message = f"more than {MOST_BASES} variants of each other"
        hint = "`rules expand` makes a ruleset of one of them"
        findings.error("R0244", message, span, suggestion=hint)
        return None
    text = read_text(Path(base), findings)
    if text is None:
        return None
    layout = lay_out(text, base, findings)
    if findings.errors:
        return None
    if is_variant(layout.lines):
        return _make(layout, text, base, findings, (*above, base))
    return Made(list(layout.lines), {base: text}, None, (base,))


def _beside(base: str) -> list[str]:
    try:
        return sorted(path.name for path in Path(base).parent.glob("*.rules"))
    except OSError:
        return []


def _game(lines: list[Line]) -> Line | None:
    return next((line for line in lines if words(line)[0] == "game"), None)


# ── operations ───────────────────────────────────────────────────────────────────────────────


def _operations(first: Line, findings: Findings) -> list[tuple[str, Line]]:
    """What a variant does, line by line, with the word each line begins with. Lines such as
    `ja "…"` and `sheet "…"`, which speak of the game, go by "property"."""
    found = []
    for line in first.children:
        pieces = split(line.text, line.line)
        word = pieces[0].text
        if word in OPERATIONS:
            found.append((word, line))
        elif len(pieces) == 2 and pieces[1].kind == "STRING":
            found.append(("property", line))
        else:
            unknown(line, OPERATIONS, findings)
    return found


def unknown(line: Line, known: tuple[str, ...], findings: Findings) -> None:
    """Report a line that begins with no word of the language of variants."""
    word = words(line)[0]
    span = Span(line.file, line.line, line.column, line.line, line.column + len(word))
    near = nearest(word, known)
    hint = f"did you mean `{near}`?" if near else "`replace …`, `add …`, `remove …`, `in …`"
    findings.error("R0245", f"`{word}` is nothing a variant does", span, suggestion=hint)
