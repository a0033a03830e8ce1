"""Finding things in the lines of a base, and saying what is not there. For `dsl.variant_edit`."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from dsl import nodes as n
from dsl.diagnostics import Findings
from dsl.layout import Line
from dsl.lexer import split
from dsl.program import Span
from dsl.suggest import listing, nearest
from dsl.variant_lines import Spot, below, outline, words


class Core:
    """The lines of a base, being changed by one variant: what all its operations need."""

    def __init__(self, lines: list[Line], findings: Findings):
        self.lines = lines
        self.findings = findings
        self.changes: list[n.Change] = []
        self.touched: dict[int, Line] = {}  # by id of a line: the operation that made or cut it
        self.gone: dict[str, Line] = {}
        self.kept: list[Line] = []  # so that no id is given away again

    # ── places and messages ──

    def span(self, line: Line, first: int = 0, last: int = -1) -> Span:
        """Some of the words of a line, all by default."""
        pieces = split(line.text, line.line)
        start, end = pieces[min(first, len(pieces) - 1)], pieces[last]
        return Span(line.file, start.line, start.column, end.line, end.column + len(end.text))

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        suggestion: str = "",
        related: Iterable[tuple[Span, str]] = (),
    ) -> None:
        self.findings.error(code, message, span, suggestion=suggestion, related=related)

    def changed(self, operation: Line, *lines: Line) -> None:
        """Note an operation and the lines of the base that it changes or takes away."""
        said = {word for line in lines for word in _all_words(line)}
        span = self.span(operation)
        there = frozenset((line.file, line.line) for line in lines)
        self.changes.append(n.Change(span, frozenset(said | set(words(operation))), there))

    def touch(self, operation: Line, *lines: Line) -> None:
        for line in lines:
            self.touched[id(line)] = operation
            self.kept.append(line)

    def is_taken(self, line: Line, operation: Line) -> bool:
        """Whether something of these lines was changed before; reports it."""
        for part in (line, *(spot.line for spot in below(line))):
            before = self.touched.get(id(part))
            if before is not None:
                self.twice(operation, before)
                return True
        return False

    def twice(self, operation: Line, before: Line) -> None:
        self.error(
            "R0249",
            "two lines of this variant change the same thing",
            self.span(operation),
            "make them one line, or take one of them out",
            related=[(self.span(before), "the other one is here")],
        )

    def find(self, name: str, operation: Line, span: Span) -> Spot | None:
        """A block or an item by name; None after saying that there is none."""
        spots = [spot for known, spot in outline(self.lines) if known == name]
        if spots:
            return spots[0]
        if name in self.gone:
            self.twice(operation, self.gone[name])
            return None
        known = [other for other, _ in outline(self.lines)]
        last = name.split()[-1]
        kin = [other for other in known if other.split()[1:] == [last]]
        near = nearest(name, known)
        if kin and (near is None or near.split()[0] != name.split()[0]):
            near = kin[0]
        kind = [other for other in known if other.split()[0] == name.split()[0]]
        hint = f"did you mean `{near}`?" if near else f"there are {listing(kind or known, 'and')}"
        self.error("R0247", f"the base has no `{name}`", span, suggestion=hint)
        return None

    def has_lines(self, line: Line) -> bool:
        if not line.children:
            message = "there is nothing below this line to put in"
            self.error("R0246", message, self.span(line), "indent the new lines below it")
        return bool(line.children)


def _all_words(line: Line) -> set[str]:
    return set(words(line)).union(*map(_all_words, line.children))


def without_words(line: Line, count: int) -> Line | None:
    """A line with blanks for its first words; None if nothing else is on it."""
    pieces = split(line.text, line.line)
    if len(pieces) <= count:
        return None
    rows = line.text.split("\n")
    for piece in pieces[:count]:
        row = rows[piece.line - line.line]
        start, end = piece.column - 1, piece.column - 1 + len(piece.text)
        rows[piece.line - line.line] = row[:start] + " " * (end - start) + row[end:]
    return evolve(line, text="\n".join(rows), column=pieces[count].column)
