"""`rename thief to rogue`: a word of the base under another name, wherever it stands there.

Used by `dsl.variants`. Only the names change: which cards are drawn and what bots do is keyed by
the old ones (`Program.renamed`), so a renamed ruleset plays the same games.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from dsl.diagnostics import Findings
from dsl.layout import Line
from dsl.lexer import Piece, split
from dsl.program import Span
from dsl.suggest import did_you_mean, singulars
from dsl.vocabulary import BUILT_IN, RESERVED

_FORM = "`rename thief to rogue`"


def rename_all(lines: list[Line], operations: Iterable[Line], findings: Findings) -> dict[str, str]:
    """Give the words of a base their new names; `lines` is changed. Returns new names by old."""
    renamed: dict[str, str] = {}
    spans: dict[str, Span] = {}
    known = _words_of(lines)
    for line in operations:
        pair = _pair(line, findings)
        if pair is None:
            continue
        old, new = pair
        if old.text in renamed:
            _twice(line, old, spans[old.text], findings)
            continue
        if _allowed(line, old, new, known, findings):
            renamed[old.text] = new.text
            spans[old.text] = _span(line, old)
    if renamed:
        _with_plurals(renamed, known)
        lines[:] = [_renamed(line, renamed) for line in lines]
    return renamed


def _span(line: Line, piece: Piece) -> Span:
    end = piece.column + len(piece.text)
    return Span(line.file, piece.line, piece.column, piece.line, end)


def _words_of(lines: Iterable[Line]) -> set[str]:
    found: set[str] = set()
    for line in lines:
        for piece in split(line.text, line.line):
            if piece.kind == "WORD":
                found.add(line.renamed.get(piece.text, piece.text))
        found |= _words_of(line.children)
    return found


def _pair(line: Line, findings: Findings) -> tuple[Piece, Piece] | None:
    pieces = split(line.text, line.line)
    fits = (
        len(pieces) == 4 and pieces[2].text == "to" and pieces[1].kind == pieces[3].kind == "WORD"
    )
    if fits and not line.children:
        return pieces[1], pieces[3]
    span = _span(line, pieces[0])
    findings.error("R0246", "which name, and what is it to be?", span, suggestion=_FORM)
    return None


def _twice(line: Line, old: Piece, first: Span, findings: Findings) -> None:
    message = f"`{old.text}` is renamed twice"
    related = [(first, "the first time is here")]
    hint = "take one of these lines out"
    findings.error("R0249", message, _span(line, old), suggestion=hint, related=related)


def _allowed(line: Line, old: Piece, new: Piece, known: set[str], findings: Findings) -> bool:
    if old.text not in known or old.text in BUILT_IN or old.text in RESERVED:
        message = f"the base has nothing called `{old.text}`"
        hint = (
            did_you_mean(old.text, known) or "names of the base and values of cards can be renamed"
        )
        findings.error("R0247", message, _span(line, old), suggestion=hint)
        return False
    if new.text in BUILT_IN or new.text in RESERVED:
        message = f"`{new.text}` is a word of the language, so nothing can be called that"
        findings.error("R0204", message, _span(line, new), suggestion="take another name")
        return False
    if new.text in known:
        message = f"the base has something called `{new.text}` already"
        findings.error("R0248", message, _span(line, new), suggestion="take another name")
        return False
    return True


def _with_plurals(renamed: dict[str, str], known: set[str]) -> None:
    """`coins` goes with `coin`."""
    for word in known - renamed.keys():
        for old in singulars(word):
            if old in renamed:
                renamed[word] = f"{renamed[old]}s"
                break


def _renamed(line: Line, names: dict[str, str]) -> Line:
    older = {old: names.get(new, new) for old, new in line.renamed.items()}
    children = [_renamed(child, names) for child in line.children]
    return evolve(line, renamed=names | older, children=children)
