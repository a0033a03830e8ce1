"""What the front end has to say to a designer: diagnostics as data, and one renderer for each form.

Every pass returns or collects `Diagnostic`s; only `cli` and `web` print them. Titles and
explanations of codes live in `dsl.codes`.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from attrs import define, evolve, field, frozen

from dsl.program import Span
from dsl.ways_out import WAYS_OUT

# An error keeps a game from being played; a warning is probably a slip; a note is worth knowing.
ERROR, WARNING, NOTE = "error", "warning", "note"


@frozen(eq=False)
class Related:
    """Another place that matters to a diagnostic, and what it has to do with it."""

    span: Span
    note: str


@frozen(eq=False)
class Diagnostic:
    """One finding: what is wrong, where, why, and what would mend it."""

    code: str
    message: str
    span: Span | None
    severity: str = ERROR
    related: tuple[Related, ...] = ()
    notes: tuple[str, ...] = ()
    suggestion: str = ""

    @property
    def is_error(self) -> bool:
        return self.severity == ERROR


class RulesError(Exception):
    """Something a person can mend in a ruleset, or in what they asked of it."""

    def __init__(self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, str] | None = None):
        self.diagnostics = list(diagnostics)
        self.sources = dict(sources or {})
        super().__init__(render_text(self.diagnostics, self.sources))

    def __reduce__(self) -> tuple[type[RulesError], tuple[list[Diagnostic], dict[str, str]]]:
        return RulesError, (self.diagnostics, self.sources)


@define(eq=False)
class Findings:
    """Collects diagnostics during a run; passes share one."""

    items: list[Diagnostic] = field(factory=list)
    errors: int = 0  # how many of them are errors

    def error(
        self,
        code: str,
        message: str,
        span: Span | None,
        *notes: str,
        suggestion: str = "",
        related: Iterable[tuple[Span, str]] = (),
    ) -> None:
        self._add(code, message, span, ERROR, notes, suggestion, related)

    def warning(
        self,
        code: str,
        message: str,
        span: Span | None,
        *notes: str,
        suggestion: str = "",
        related: Iterable[tuple[Span, str]] = (),
    ) -> None:
        self._add(code, message, span, WARNING, notes, suggestion, related)

    def note(self, code: str, message: str, span: Span | None, *, suggestion: str) -> None:
        self._add(code, message, span, NOTE, (), suggestion, ())

    def add(self, item: Diagnostic) -> None:
        """Add a finding; one that names no way out gets the one of its code."""
        if not item.notes and not item.suggestion:
            item = evolve(item, suggestion=WAYS_OUT.get(item.code, ""))
        self.items.append(item)
        self.errors += item.is_error

    def in_order(self) -> list[Diagnostic]:
        """By place, errors and warnings together; those without a place come first. The same
        said twice of one place (a line that several bots share) is one finding."""
        found: dict[tuple[object, ...], Diagnostic] = {}
        for item in self.items:
            found.setdefault((position(item), item.code, item.message), item)
        return sorted(found.values(), key=position)

    def _add(
        self,
        code: str,
        message: str,
        span: Span | None,
        severity: str,
        notes: tuple[str, ...],
        suggestion: str,
        related: Iterable[tuple[Span, str]],
    ) -> None:
        others = tuple(Related(where, note) for where, note in related)
        self.add(Diagnostic(code, message, span, severity, others, notes, suggestion))


def position(item: Diagnostic) -> tuple[str, int, int]:
    """What findings are put in order by."""
    if item.span is None:
        return "", 0, 0
    return item.span.file, item.span.line, item.span.column


# ── rendering ────────────────────────────────────────────────────────────────────────────────


def render_text(items: Iterable[Diagnostic], sources: Mapping[str, str]) -> str:
    """For a terminal: each finding with its line, the spot underlined, and the way out."""
    return "\n\n".join(_one_text(item, sources) for item in items)


def render_json(items: Iterable[Diagnostic]) -> str:
    """For programs: a list of objects, lines and columns from 1, ends exclusive."""
    return json.dumps([as_dict(item) for item in items], ensure_ascii=False, indent=2)


def render_github(items: Iterable[Diagnostic]) -> str:
    """Workflow commands, which GitHub shows beside the line they speak of."""
    return "\n".join(_one_github(item) for item in items)


def as_dict(item: Diagnostic) -> dict[str, object]:
    return {
        "code": item.code,
        "severity": item.severity,
        "message": item.message,
        "span": _span_dict(item.span),
        "related": [{"span": _span_dict(r.span), "note": r.note} for r in item.related],
        "notes": list(item.notes),
        "suggestion": item.suggestion or None,
    }


def _span_dict(span: Span | None) -> dict[str, object] | None:
    if span is None:
        return None
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _one_text(item: Diagnostic, sources: Mapping[str, str]) -> str:
    lines = [f"{item.severity} {item.code}: {item.message}"]
    if item.span is not None:
        lines += _excerpt(item.span, sources)
    for other in item.related:
        lines.append(f"  {other.note}:")
        lines += _excerpt(other.span, sources)
    lines += [f"  note: {note}" for note in item.notes]
    if item.suggestion:
        lines.append(f"  help: {item.suggestion}")
    return "\n".join(lines)


def _excerpt(span: Span, sources: Mapping[str, str]) -> list[str]:
    lines = [f"  --> {shown_file(span.file)}:{span.line}:{span.column}"]
    text = _lines(sources.get(span.file, ""))
    if not 1 <= span.line <= len(text):
        return lines
    source = text[span.line - 1].rstrip("\r")
    end = span.end_column if span.end_line == span.line else len(source) + 1
    margin = " " * len(str(span.line))
    shown, before, marked = _clip(source, span.column - 1, max(end - 1, span.column))
    lines.append(f"{margin} |")
    lines.append(f"{span.line} | {shown}".rstrip())
    lines.append(f"{margin} | {' ' * before}{'^' * max(marked, 1)}")
    return lines


@lru_cache(maxsize=8)
def _lines(text: str) -> list[str]:
    return text.split("\n")


def shown_file(file: str) -> str:
    """The path as a person would type it: relative where it lies below the current folder."""
    path = Path(file)
    if not path.is_absolute():
        return file
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file


LONGEST_LINE_SHOWN = 160


def _clip(source: str, start: int, end: int) -> tuple[str, int, int]:
    """A stretch of the line around the spot, the spot's offset in cells, and its width in cells."""
    end = min(end, len(source)) if end > start else start
    first = 0
    if len(source) > LONGEST_LINE_SHOWN:
        first = max(0, start - LONGEST_LINE_SHOWN // 2)
    shown = source[first : first + LONGEST_LINE_SHOWN].replace("\t", " ")
    before = width(source[first:start])
    marked = width(source[start : min(end, first + LONGEST_LINE_SHOWN)])
    if first > 0:
        return "…" + shown, before + 1, marked
    return shown, before, marked


def width(text: str) -> int:
    """Cells a text takes on a terminal: wide characters two, combining marks none."""
    cells = 0
    for char in text:
        if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Cf"):
            continue
        cells += 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
    return cells


def _one_github(item: Diagnostic) -> str:
    extra = [*item.notes, *([f"help: {item.suggestion}"] if item.suggestion else [])]
    message = _escape("\n".join([item.message, *extra]))
    where = f"title={item.code}"
    if item.span is not None:
        span = item.span
        file = _escape(shown_file(span.file)).replace(":", "%3A").replace(",", "%2C")
        where = (
            f"file={file},line={span.line},col={span.column},"
            f"endLine={span.end_line},endColumn={span.end_column},{where}"
        )
    kind = "notice" if item.severity == NOTE else item.severity
    return f"::{kind} {where}::{message}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
