"""Generated functions as lines of Python, and their way to code objects that carry `.rules` places.

A line remembers the span of the rule it comes from. After `ast.parse`, every node of a line gets
that span (lines as they are, columns as UTF-8 bytes, which is what Python counts), and the module
is compiled under the rule file's own name. So a traceback, a profiler or a coverage tool shows
rules.

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
from functools import lru_cache
from types import CodeType
from typing import Any

from attrs import define, field

from dsl.diagnostics import Diagnostic, RulesError
from dsl.program import Span

NAME = re.compile(r"\b[vq]\d+\b")
ALIASED = re.compile(r"\bs\.(P|t_\w+|kp_\w+|ring)\b(?=\[)")


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
    looks: bool = False  # counts looks from 0 (see `looks`)

    def put(self, text: str) -> None:
        self.lines.append(Line(self.indent, text, self.span))

    def assign(self, name: str, code: str, *, optional: bool = False) -> None:
        """`name = code`, for a variable that other functions may read."""
        if name == code:
            return
        self.lines.append(Line(self.indent, f"{name} = {code}", self.span, (name,), optional))


def drop_unread(functions: Iterable[Function]) -> None:
    """Leave out optional assignments whose value no function reads any more."""
    functions = list(functions)
    while True:
        live = live_names(functions)
        dropped = False
        for function in functions:
            kept = [
                line
                for i, line in enumerate(function.lines)
                if not line.optional or line.assigned[0] in live or _read_later(function.lines, i)
            ]
            dropped |= len(kept) < len(function.lines)
            function.lines = kept
        if not dropped:
            return


def _read_later(lines: list[Line], at: int) -> bool:
    """Whether a function may read what a line assigns, after that line."""
    name, indent = lines[at].assigned[0], lines[at].indent
    looping = False
    for line in reversed(lines[:at]):
        if line.indent < indent:
            indent = line.indent
            looping |= line.text.startswith(("for ", "while "))
    rest = lines if looping else lines[at + 1 :]
    return any(name in _names(_read_part(line)) for line in rest)


def _read_part(line: Line) -> str:
    return line.text.split("=", 1)[1] if line.assigned else line.text


@lru_cache(maxsize=10_000)
def _names(text: str) -> tuple[str, ...]:
    """The variables in a text; the same lines are asked about again and again."""
    return tuple(NAME.findall(text))


def live_names(functions: Iterable[Function]) -> set[str]:
    """Variables that must live in slots: those that some function reads without having written
    them first."""
    found: set[str] = set()
    for function in functions:
        if not function.plain:
            found.update(_loads(function))
    return found


def _loads(function: Function) -> list[str]:
    """The variables a function reads before it has surely written them, in order."""
    loads: list[str] = []
    scopes: list[tuple[int, set[str]]] = [(1, set())]
    for line in function.lines:
        while scopes[-1][0] > line.indent:
            scopes.pop()
        if scopes[-1][0] < line.indent:
            scopes.append((line.indent, set()))
        text = _read_part(line)
        loop = None
        if text.startswith("for ") and not line.assigned:
            loop = re.match(r"for (.+?) in (.*)", text, re.S)
        for name in _names(loop[2] if loop else text):
            if name not in loads and not any(name in written for _, written in scopes):
                loads.append(name)
        if loop:
            scopes.append((line.indent + 1, set(_names(loop[1]))))
        scopes[-1][1].update(line.assigned)
    return loads


def source_of(function: Function, shared: set[str]) -> list[tuple[str, Span | None]]:
    """The function's text, line by line, with loads, stores and aliases put in."""
    body: list[tuple[str, Span | None]] = []
    for line in function.lines:
        text = line.text
        if not function.plain:
            stored = [name for name in line.assigned if name in shared]
            if stored:
                text = f"s.{stored[0]} = {text}"
        if body and body[-1][0].endswith(":"):
            above = len(body[-1][0]) - len(body[-1][0].lstrip())
            if 4 * line.indent <= above:  # all that stood there was left out
                body.append((" " * (above + 4) + "pass", line.span))
        body.append(("    " * line.indent + text, line.span))
    if body and body[-1][0].endswith(":"):
        above = len(body[-1][0]) - len(body[-1][0].lstrip())
        body.append((" " * (above + 4) + "pass", function.span))
    loads = [] if function.plain else _loads(function)
    body = _places_of_loops(body)
    if body:
        body = _aliased(body, 4, frozenset())
    head = [(f"def {function.name}({', '.join(function.params)}):", function.span)]
    begin = [("    look.begin()", function.span)] if function.looks else []
    prologue = [(f"    {name} = s.{name}", function.span) for name in loads]
    return head + begin + prologue + (body or [("    pass", function.span)])


PLACE = re.compile(r"\bs\.P\[(\d+) \+ ([a-z]+\d+)\]")


def _places_of_loops(
    body: list[tuple[str, Span | None]],
) -> list[tuple[str, Span | None]]:
    """Take the place of a loop's own variable once per run, where it is used more than once.

    Only loops in front of which nothing is kept (`for c1 in …`) are changed: there the variable
    stays as it is within a run.
    """
    out: list[tuple[str, Span | None]] = []
    for i, (text, span) in enumerate(body):
        out.append((text, span))
        head = re.match(r"( *)for (c\d+) in ", text) if " for c" in text else None
        if not head:
            continue
        depth, name = len(head[1]), head[2]
        end = i + 1
        while end < len(body) and len(body[end][0]) - len(body[end][0].lstrip()) > depth:
            end += 1
        inside = body[i + 1 : end]
        used = Counter(m[0] for line, _ in inside for m in PLACE.finditer(line) if m[2] == name)
        for number, (place, count) in enumerate(used.items()):
            if count > 1:
                local = f"p{name[1:]}_{number}"
                out.append((" " * (depth + 4) + f"{local} = {place}", span))
                sizes = sum(line.count(f"len({place})") for line, _ in inside)
                for j in range(i + 1, end):
                    text = body[j][0].replace(place, local)
                    if sizes > 1:
                        text = text.replace(f"len({local})", f"n{local}")
                    body[j] = (text, body[j][1])
                if sizes > 1 and not _changes(body[i + 1 : end], local):
                    out.append((" " * (depth + 4) + f"n{local} = len({local})", span))
                elif sizes > 1:
                    for j in range(i + 1, end):
                        text = body[j][0].replace(f"n{local}", f"len({local})")
                        body[j] = (text, body[j][1])
    return out


def _changes(lines: list[tuple[str, Span | None]], local: str) -> bool:
    """Whether lines may change how many cards a place holds: anything but reading it."""
    return any(
        re.search(
            r"\.(append|pop|remove|extend|clear)\(|insort\(|\br\d+\(|deal\(|shuffle(\.\w+)?\(", text
        )
        for text, _ in lines
    )


def _aliased(
    body: list[tuple[str, Span | None]], depth: int, bound: frozenset[str]
) -> list[tuple[str, Span | None]]:
    """Bind lists of the State (they are never rebound) to locals where a block uses them twice.

    Uses in a block's own lines and in its loops count; what only branches use is left to them.
    """
    blocks = _blocks(body, depth)
    used: dict[str, int] = {}
    for start, end in blocks:
        loop = end - start > 1 and body[start][0].startswith(("for ", "while "), depth)
        for text, _ in body[start : end if loop else start + 1]:
            if "s." in text:
                for name in ALIASED.findall(text):
                    used[name] = used.get(name, 0) + (2 if loop else 1)
    names = [n for n, count in used.items() if count > 1 and n not in bound]
    pad = " " * depth
    out = [(f"{pad}{name} = s.{name}", body[0][1]) for name in names]
    bound |= set(names)
    pattern = re.compile(r"\bs\.(" + "|".join(bound) + r")\b(?=\[)") if bound else None
    for start, end in blocks:
        text, span = body[start]
        out.append((pattern.sub(r"\1", text) if pattern else text, span))
        if end - start > 1:
            inner = body[start + 1 : end]
            out += _aliased(inner, len(inner[0][0]) - len(inner[0][0].lstrip()), bound)
    return out


def _blocks(body: list[tuple[str, Span | None]], depth: int) -> list[tuple[int, int]]:
    """The lines of a block at its own depth, each with the lines indented below it."""
    pad = " " * depth
    starts = [
        i
        for i, (text, _) in enumerate(body)
        if text[:depth] == pad and text[depth : depth + 1] != " "
    ]
    return list(zip(starts, [*starts[1:], len(body)], strict=True))


def compile_lines(
    lines: list[tuple[str, Span | None]], file: str, texts: Mapping[str, str]
) -> CodeType:
    """Compile a module whose nodes stand where the rules stand.

    Raises RulesError (R0102) for what Python can't take: too many parts inside each other.
    """
    try:
        tree = ast.parse("\n".join(text for text, _ in lines))
    except (SyntaxError, RecursionError, MemoryError) as problem:
        at = (getattr(problem, "lineno", None) or 1) - 1
        raise _too_deep(lines[min(at, len(lines) - 1)][1], texts) from None
    columns = _Columns(texts)
    places: list[tuple[int, int, int, int]] = []
    last = (1, 0, 1, 0)
    for _, span in lines:
        if span is not None:
            last = columns(span)
        places.append(last)
    _stand(tree, places)
    try:
        return compile(tree, file, "exec", dont_inherit=True)
    except (SyntaxError, RecursionError, MemoryError) as problem:  # its lines are the rules'
        line = getattr(problem, "lineno", None) or 0
        at = next((span for _, span in lines if span is not None and span.line == line), None)
        raise _too_deep(at, texts) from None


def _stand(tree: ast.Module, places: list[tuple[int, int, int, int]]) -> None:
    """Put every node where its line (by number, from 1) stands."""
    stack: list[Any] = [tree]
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind is list:
            stack += node
            continue
        if kind not in _PARTS:
            _PARTS[kind] = _parts(kind)
        parts, placed = _PARTS[kind]
        if placed:
            at = places[node.lineno - 1]
            node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = at
        for name in parts:
            stack.append(getattr(node, name))


_PARTS: dict[type, tuple[tuple[str, ...], bool]] = {}
_NO_PLACES = ("ctx", "op", "ops", "id", "attr", "arg", "kind", "type_comment", "type_ignores")


def _parts(kind: type) -> tuple[tuple[str, ...], bool]:
    """The parts of a kind of node that may have places; whether it has one itself."""
    if not issubclass(kind, ast.AST) or kind is ast.Constant:
        return (), kind is ast.Constant
    names = tuple(name for name in kind._fields if name not in _NO_PLACES)
    return names, "lineno" in kind._attributes


def _too_deep(span: Span | None, texts: Mapping[str, str]) -> RulesError:
    text = "what this rule does has too many parts inside each other"
    way = "put the inner parts into actions or values of their own"
    return RulesError([Diagnostic("R0102", text, span, suggestion=way)], dict(texts))


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
