"""How the words of one logical line stand: blanks between them, and columns in sections.

Used by `dsl.format`. Works on the lexer's pieces of lines that were read without an error; what
pieces alone can't tell (whether `(` belongs to a name, `-` to one number or to two) is looked up in
the syntax tree, by place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from attrs import frozen

from dsl import nodes as n
from dsl.layout import Line
from dsl.lexer import Piece, split
from dsl.walk import walk

Place: TypeAlias = tuple[int, int]


@frozen(eq=False)
class Joints:
    """Where pieces hang together: names that a `(` (or, as typed, a `-`) follows closely, `-` in
    front of one number."""

    calls: frozenset[Place]
    minuses: frozenset[Place]

    def __or__(self, other: Joints) -> Joints:
        return Joints(self.calls | other.calls, self.minuses | other.minuses)

    def without_formulas(self, pieces: Iterable[Piece]) -> Joints:
        """For lines that hold no formulas, so that their numbers aren't in the tree."""
        signs = {(piece.line, piece.column) for piece in pieces if piece.text == "-"}
        return Joints(self.calls, self.minuses | signs)

    def between(self, left: Piece, right: Piece) -> str:
        """What stands between two pieces of a line: a blank or nothing."""
        place = left.line, left.column
        if right.text[0] in "),:" or right.text == ".." or left.text in ("(", ".."):
            return ""
        if right.text in "(-" and place in self.calls:
            return ""
        if left.text == "-" and place in self.minuses:
            return ""
        return " "

    def written(self, pieces: Sequence[Piece]) -> str:
        """Pieces as they stand in one physical line."""
        text, last = "", None
        for piece in pieces:
            if last is not None:
                text += self.between(last, piece)
            text += ", then" if piece.text[0] == "," and len(piece.text) > 1 else piece.text
            last = piece
        return text


def joints(ruleset: n.Ruleset, file: str) -> Joints:
    """Those of one file of a ruleset (a variant has several)."""
    calls, minuses = set[Place](), set[Place]()
    for node in walk((ruleset.decls, ruleset.examples)):
        match node:
            case n.Call(word=word) | n.Of(word=word, arguments=tuple()) if word.span.file == file:
                calls.add((word.span.line, word.span.column))
            case n.Value(name=name, params=params) | n.BotValue(name=name, params=params) if (
                params and name.span.file == file
            ):
                calls.add((name.span.line, name.span.column))
            case n.Unary(op="-", span=span) if span.file == file:
                minuses.add((span.line, span.column))
    return Joints(frozenset(calls), frozenset(minuses))


def written_joints(lines: Iterable[Line]) -> Joints:
    """Those of a text as it was typed, for lines whose tree can't be known."""
    calls, minuses = set[Place](), set[Place]()
    waiting = list(lines)
    while waiting:
        line = waiting.pop()
        waiting += line.children
        pieces = split(line.text, line.line)
        for left, right in pairwise(pieces):
            close = left.line == right.line and left.column + len(left.text) == right.column
            if close and left.kind == "WORD" and right.text in "(-":
                calls.add((left.line, left.column))
            if close and left.text == "-":
                minuses.add((left.line, left.column))
    return Joints(frozenset(calls), frozenset(minuses))


# ── columns of sections ──────────────────────────────────────────────────────────────────────


def _after_name(pieces: Sequence[Piece], at: int = 0) -> int:
    """Behind the name at `at` and its translations."""
    at += 1
    while at + 1 < len(pieces) and pieces[at].kind == "WORD" and pieces[at + 1].kind == "STRING":
        at += 2
    return at


def _is(pieces: Sequence[Piece], at: int, *texts: str) -> bool:
    return at < len(pieces) and pieces[at].text in texts


def _owned(pieces: Sequence[Piece]) -> list[int]:
    """`hand of player | private hand`, `coin in bank | endless`"""
    at = _after_name(pieces)
    return [_after_name(pieces, at + 1) if _is(pieces, at, "of", "in") else at]


def _option(pieces: Sequence[Piece]) -> list[int]:
    """`turns | 5 | in 1..8`"""
    at = _after_name(pieces)
    return [at, *(i for i in range(at + 1, len(pieces)) if _is(pieces, i, "in"))]


def _card(pieces: Sequence[Piece]) -> list[int]:
    """`suit | hearts, spades`; kinds have no columns"""
    at = _after_name(pieces)
    return [] if _is(pieces, at, ":") else [at]


def _shape(pieces: Sequence[Piece]) -> list[int]:
    """`run | 2..3 numbered, same suit`"""
    return [_after_name(pieces)]


CELLS: dict[str, Callable[[Sequence[Piece]], list[int]]] = {
    "options": _option,
    "cards": _card,
    "places": _owned,
    "tokens": _owned,
    "track": _owned,
    "shapes": _shape,
}


def cells(section: str, pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces of a section's item, by the column they stand in."""
    find = CELLS.get(section)
    starts = [] if find is None else [at for at in find(pieces) if at < len(pieces)]
    bounds = [0, *starts, len(pieces)]
    return [list(pieces[a:b]) for a, b in pairwise(bounds)]
