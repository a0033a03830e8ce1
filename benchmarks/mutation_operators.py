"""Mutants of a ruleset: texts that differ from it in one word, number or sign, or lack one line.

Used by `benchmarks.mutation`. A mutant is what a slip of the hand could make of the rules: every
operator is applied wherever it can be. Texts in quotes, comments, clause tags, examples and bots
stay as they are. Nothing here knows a game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from dsl import layout
from dsl import program as p
from dsl.diagnostics import Findings
from dsl.lexer import Piece, split

OPERATORS = {
    "number": "a number one larger, or one smaller",
    "compare": "a comparison made its opposite, or including equals made excluding, and the other "
    "way round",
    "word": "a word replaced by its counterpart (see the table of words)",
    "drop": "a word left out that may be (see the list)",
    "name": "a declared name replaced by the next, or the one before, of the same kind",
    "local": "a name of the block (a parameter, a loop's or a choice's) replaced by another",
    "line": "a line left out, with all that stands below it",
}
COMPARE: Mapping[str, tuple[str, ...]] = {
    "=": ("!=",), "!=": ("=",), "≠": ("=",),
    ">=": ("<", ">"), ">": ("<=", ">="), "<=": (">", "<"), "<": (">=", "<="),
}  # fmt: skip
COUNTERPARTS = (
    ("most", "fewest"), ("largest", "smallest"), ("highest", "lowest"), ("strongest", "weakest"),
    ("latest", "earliest"), ("up", "down"), ("before", "after"), ("any", "no"), ("and", "or"),
    ("min", "max"), ("gain", "lose"), ("gains", "loses"), ("mark", "unmark"), ("yes", "no"),
    ("clockwise", "back"), ("pile", "row"), ("my", "their"), ("me", "them"), ("me", "they"),
    ("others", "players"), ("+", "-"), ("×", "+"), ("same", "different"),
    ("it", "me"),
)  # fmt: skip
"""Words that stand for each other, where both are words of the language."""
DROPPED = (
    "not", "if any", "up to", "otherwise", "every", "my", "their", "its", "different",
)  # fmt: skip
"""Words that a phrase may do without."""
_PHRASES = {"if any": ("if", "any"), "up to": ("up", "to")}
_STATEMENTS = ("setup", "phase", "action", "role", "at", "scoring")
_ITEMS = ("game", "options", "cards", "places", "tokens", "marks", "track", "shapes")
_TAGS = re.compile(r"\[[^\[\]]*\]\s*$")
_COMMENT = re.compile(r"(\"[^\"]*\")|#.*")


@frozen
class Mutant:
    """One changed text. line: where, counted from 1. change: what became what."""

    operator: str
    line: int
    column: int
    before: str
    after: str
    text: str

    nth: int = 1  # which of the same words of its line

    @property
    def change(self) -> str:
        """`most -> fewest`; `most (2) -> fewest` for the second `most` of a line."""
        if self.operator == "line":
            return "left out"
        which = f" ({self.nth})" if self.nth > 1 else ""
        return f"{self.before}{which} -> {self.after or '(nothing)'}"


def mutants(text: str, program: p.Program) -> list[Mutant]:
    """All mutants of a ruleset, in the order of its lines."""
    found = {mutant.text: mutant for mutant in _Mutation(text, program).all()}
    found.pop(text, None)
    return sorted(found.values(), key=lambda m: (m.line, m.column, m.operator, m.after))


def families(program: p.Program) -> list[list[str]]:
    """Declared names by kind: those of one kind can be taken for each other."""
    named: list[Sequence[str]] = [
        list(program.options),
        *(decl.words for decl in program.options.values() if decl.words),
        list(program.attributes),
        *([value.names.name for value in a.values] for a in program.attributes.values()),
        list(program.kinds),
        list(program.places),
        list(program.holders),
        list(program.marks),
        list(program.tracks),
        [] if program.roles is None else [names.name for names in program.roles.names],
        list(program.shapes),
        list(program.values),
        list(program.actions),
    ]
    return [list(names) for names in named if len(names) > 1]


class _Mutation:
    def __init__(self, text: str, program: p.Program) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.families = families(program)
        self.declared = {name for family in self.families for name in family}
        self.block = ""  # the first word of the block a line stands in
        self.blocks = layout.lay_out(self.text, "", Findings()).lines
        self.starts = set(_starts(self.blocks))

    def all(self) -> Iterator[Mutant]:
        blocks = self.blocks
        for number, top in enumerate(blocks):
            self.block = top.text.split()[0]
            if self.block in ("example", "bot"):
                continue
            end = blocks[number + 1].line if number + 1 < len(blocks) else len(self.lines) + 1
            yield from self._block(top.line, end)
            if self.block in _STATEMENTS or (self.block not in _ITEMS and top.children):
                yield from self._left_out(top.children, end)

    # ── lines ────────────────────────────────────────────────────────────────────────────────

    def _left_out(self, lines: Sequence[layout.Line], end: int) -> Iterator[Mutant]:
        for index, line in enumerate(lines):
            until = lines[index + 1].line if index + 1 < len(lines) else end
            while until - 1 > line.line and not self._code(until - 1).strip():
                until -= 1  # empty lines and comments in front of what follows stay
            kept = self.lines[: line.line - 1] + self.lines[until - 1 :]
            said = self._code(line.line).strip()
            yield Mutant("line", line.line, line.column, said, "", "\n".join(kept))
            if line.children:
                yield from self._left_out(line.children, until)

    def _code(self, number: int) -> str:
        """A line without its comment and tags."""
        code = _COMMENT.sub(lambda found: found[1] or "", self.lines[number - 1])
        return _TAGS.sub("", code).rstrip()

    # ── words ────────────────────────────────────────────────────────────────────────────────

    def _block(self, start: int, end: int) -> Iterator[Mutant]:
        lines = {n: split(self._code(n), n) for n in range(start, end)}
        local = self._locals([piece for pieces in lines.values() for piece in pieces])
        for number, pieces in lines.items():
            if self._is_prose(pieces):
                continue
            for at, piece in enumerate(pieces):
                before = pieces[at - 1].text if at else ""
                after = pieces[at + 1].text if at + 1 < len(pieces) else ""
                if piece.kind == "STRING" or (len(piece.text) == 2 and after[:1] == '"'):
                    continue
                first = number == start and at == 0
                for operator, new, width in self._changes(piece, before, after, local, first):
                    yield self._mutant(operator, piece, new, width)

    def _is_prose(self, pieces: Sequence[Piece]) -> bool:
        """A line of texts: the title, its translation, the sheet."""
        words = [piece for piece in pieces if piece.kind != "STRING"]
        return len(words) <= 1 and len(pieces) > len(words)

    def _mutant(self, operator: str, piece: Piece, new: str, width: int) -> Mutant:
        line = self.lines[piece.line - 1]
        start = piece.column - 1
        old = line[start : start + width]
        rest = line[start + width :]
        changed = line[:start] + (new + rest if new else rest.lstrip(" "))
        lines = [*self.lines[: piece.line - 1], changed, *self.lines[piece.line :]]
        nth = len(re.findall(rf"(?<!\w){re.escape(old)}(?!\w)", line[:start])) + 1
        return Mutant(operator, piece.line, piece.column, old, new, "\n".join(lines), nth)

    def _changes(
        self, piece: Piece, before: str, after: str, local: Sequence[str], first: bool
    ) -> Iterator[tuple[str, str, int]]:
        """What one piece can become: operator, new text, how many characters it replaces."""
        text, width = piece.text, len(piece.text)
        if piece.kind == "NUMBER":
            yield "number", str(int(text) + 1), width
            if int(text) > 0:
                yield "number", str(int(text) - 1), width
            return
        for new in COMPARE.get(text, ()):
            if text != "=" or self._compares(piece):
                yield "compare", new, width
        for one, other in COUNTERPARTS:
            if text in (one, other):
                yield "word", other if text == one else one, width
        for phrase in DROPPED:
            words = _PHRASES.get(phrase, (phrase,))
            if text == words[0] and (len(words) == 1 or after == words[1]):
                yield "drop", "", len(phrase)
        if first or piece.kind != "WORD":
            return
        if text in local:
            if len(local) > 1:
                yield "local", local[(local.index(text) + 1) % len(local)], width
            return
        yield from self._other_names(text)

    def _other_names(self, text: str) -> Iterator[tuple[str, str, int]]:
        seen = {text}
        for name in (text, text.removesuffix("s")):
            for family in self.families:
                if name in family:
                    at = family.index(name)
                    for new in (family[(at + 1) % len(family)], family[at - 1]):
                        if new not in seen:
                            seen.add(new)
                            yield "name", new, len(text)
            if len(seen) > 1:
                return

    def _compares(self, piece: Piece) -> bool:
        """Whether this `=` compares: it does not follow the name that a line gives a value to."""
        head = self.lines[piece.line - 1][: piece.column - 1].strip()
        if "=" in head or piece.line not in self.starts:
            return True
        words = head.split()
        if words[:1] == ["value"] or not words:
            return False
        return len(words) > 1 and words[1] not in ("of", "ja")

    def _locals(self, pieces: Sequence[Piece]) -> list[str]:
        """Names that only this block knows."""
        found: list[str] = []
        if self.block == "scoring":
            return found
        words = [piece.text for piece in pieces]
        head = [piece for piece in pieces if piece.line == pieces[0].line]
        for at, word in enumerate(words):
            named = ""
            if word == "each" and at + 1 < len(words):
                named = words[at + 1]
            elif word == "=" and at and _first_of_line(pieces, at - 1):
                named = words[at - 1]
            elif pieces[at] in head and at > 1 and words[0] in ("value", "action"):
                named = word if words[0] == "action" or words[at - 1] in ("(", ",") else ""
            fits = named.isidentifier() and named not in self.declared
            if fits and named not in (*found, "player", "players", "card", "of", "min", "max"):
                found.append(named)
        return found


def _starts(lines: Sequence[layout.Line]) -> Iterator[int]:
    """The first physical line of each logical one."""
    for line in lines:
        yield line.line
        yield from _starts(line.children)


def _first_of_line(pieces: Sequence[Piece], at: int) -> bool:
    return at == 0 or pieces[at - 1].line < pieces[at].line
