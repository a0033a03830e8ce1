"""Generated functions as lines of Python, and their way to code objects that carry `.rules` places.

A line remembers the span of the rule it comes from. After `ast.parse`, every node of a line gets
that span (lines as they are, columns as UTF-8 bytes, which is what Python counts), and the module is
compiled under the rule file's own name. So a traceback, a profiler or a coverage tool shows rules.

Local names of the generator (all chosen here and in `expressions`):
    v12 value of variable 12      q12 the place its card lies in
    c12 d12 o12 the same of a candidate in a comprehension, and its place's owner
A `v`/`q` that more than one function uses lives in a slot of the State: assignments write both,
and functions that read it before writing it load it first.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from types import CodeType

from attrs import define, field

from dsl.program import Span

NAME = re.compile(r"\b[vq]\d+\b")
ALIASED = re.compile(r"\bs\.(P|t_\w+|k_\w+|ring)\b(?=\[)")


@define
class Line:
    """One line. assigned: names it writes (dropped if `optional` and nobody reads them)."""

    indent: int
    text: str
    span: Span | None
    assigned: tuple[str, ...] = ()
    optional: bool = False


@define
class Function:
    """A function being written. `plain`: parameters and locals only, nothing kept in slots."""

    name: str
    params: tuple[str, ...]
    file: str
    plain: bool = False
    lines: list[Line] = field(factory=list)
    indent: int = 1
    span: Span | None = None

    def put(self, text: str) -> None:
        self.lines.append(Line(self.indent, text, self.span))

    def assign(self, name: str, code: str, *, optional: bool = False) -> None:
        """`name = code`, for a variable that other functions may read."""
        if name == code:
            return
        self.lines.append(Line(self.indent, f"{name} = {code}", self.span, (name,), optional))

    def reads(self) -> set[str]:
        """Variables some line reads (an assignment's own target is no read)."""
        found: set[str] = set()
        for line in self.lines:
            text = line.text
            if line.assigned:
                text = text.split("=", 1)[1]
            found.update(NAME.findall(text))
        return found


def drop_unread(functions: Iterable[Function]) -> None:
    """Leave out optional assignments to names that no function reads."""
    functions = list(functions)
    while True:
        read = set().union(*(f.reads() for f in functions)) if functions else set()
        dropped = False
        for function in functions:
            kept = [x for x in function.lines if not (x.optional and x.assigned[0] not in read)]
            dropped |= len(kept) < len(function.lines)
            function.lines = kept
        if not dropped:
            return


def shared_names(functions: Iterable[Function]) -> set[str]:
    """Variables that must live in slots: read in a function that did not surely write them."""
    users: Counter[str] = Counter()
    for function in functions:
        if not function.plain:
            users.update(function.reads() | {n for x in function.lines for n in x.assigned})
    return {name for name, count in users.items() if count > 1}


def source_of(function: Function, shared: set[str]) -> list[tuple[str, Span | None]]:
    """The function's text, line by line, with loads, stores and aliases put in."""
    body: list[tuple[str, Span | None]] = []
    loads: list[str] = []
    written: set[str] = set()
    for line in function.lines:
        text = line.text
        tail = text.split("=", 1)[1] if line.assigned else text
        for name in NAME.findall(tail):
            if name in shared and name not in written and name not in loads:
                loads.append(name)
        if not function.plain:
            for name in line.assigned:
                if name in shared:
                    text = f"s.{text.split('=', 1)[0].strip()} = {text}"
                    if line.indent == 1:
                        written.add(name)
        body.append(("    " * line.indent + text, line.span))
    if function.plain:
        loads = []
    body, aliases = _alias(body)
    head = [(f"def {function.name}({', '.join(function.params)}):", function.span)]
    prologue = [(f"    {name} = s.{name}", function.span) for name in loads]
    prologue += [(f"    {alias} = s.{alias}", function.span) for alias in aliases]
    return head + prologue + (body or [("    pass", function.span)])


def _alias(
    body: list[tuple[str, Span | None]],
) -> tuple[list[tuple[str, Span | None]], list[str]]:
    """Bind lists of the State that are used more than once to locals; they are never rebound."""
    used: Counter[str] = Counter()
    for text, _ in body:
        used.update(ALIASED.findall(text))
    names = [name for name, count in used.items() if count > 1]
    if not names:
        return body, []
    pattern = re.compile(r"\bs\.(" + "|".join(names) + r")\b(?=\[)")
    return [(pattern.sub(r"\1", text), span) for text, span in body], names


def compile_lines(
    lines: list[tuple[str, Span | None]], file: str, texts: Mapping[str, str]
) -> CodeType:
    """Compile a module whose nodes stand where the rules stand."""
    tree = ast.parse("\n".join(text for text, _ in lines))
    columns = _Columns(texts)
    places: list[tuple[int, int, int, int]] = []
    last = (1, 0, 1, 0)
    for _, span in lines:
        if span is not None:
            last = columns(span)
        places.append(last)
    for node in ast.walk(tree):
        line = getattr(node, "lineno", None)
        if line is not None:
            at = places[line - 1]
            node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = at  # type: ignore[attr-defined]
    return compile(tree, file, "exec", dont_inherit=True)


class _Columns:
    """Spans' character columns as UTF-8 byte offsets."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._lines = {file: text.split("\n") for file, text in texts.items()}

    def __call__(self, span: Span) -> tuple[int, int, int, int]:
        start = self._bytes(span.file, span.line, span.column)
        end = self._bytes(span.file, span.end_line, span.end_column)
        return (span.line, start, max(span.end_line, span.line), end)

    def _bytes(self, file: str, line: int, column: int) -> int:
        lines = self._lines.get(file, [])
        if not 0 < line <= len(lines):
            return 0
        return len(lines[line - 1][: column - 1].encode())
