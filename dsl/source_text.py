"""The text that stands at a place of a ruleset. Used by checks, and by what tells why."""

from __future__ import annotations

from dsl import program as p


def source_text(program: p.Program, span: p.Span) -> str:
    """What stands in a ruleset from a place to another, on one line."""
    lines = program.sources.get(span.file, "").split("\n")[span.line - 1 : span.end_line]
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(" ".join(line.partition("#")[0].split()) for line in lines)
