"""The rule behind a choice, as it stands in the ruleset, and the clauses it cites."""

from __future__ import annotations

import re
from pathlib import Path

from cli.common import known_as
from dsl import files
from dsl.diagnostics import shown_file
from dsl.program import Origin, Program

MOST_LINES = 12


def place(program: Program, origin: Origin) -> str:
    """Where a rule stands, and its clause tags."""
    tags = f" [{', '.join(origin.tags)}]" if origin.tags else ""
    return f"{known_as(shown_file(origin.span.file))}:{origin.span.line}{tags}"


def behind(program: Program, origin: Origin | None) -> str:
    """A rule's lines with its file and line, then the text of its clauses; "" if unknown."""
    if origin is None:
        return ""
    lines = program.sources.get(origin.span.file, "").split("\n")
    if not 1 <= origin.span.line <= len(lines):
        return ""
    shown = [f"{place(program, origin)}  ({origin.path})"]
    first = origin.span.line
    for number in range(first, _end(lines, first) + 1):
        shown.append(f"{number:>4} | {lines[number - 1].rstrip()}")
    texts = clauses(program)
    shown += [f"{tag}: {texts[tag]}" for tag in origin.tags if tag in texts]
    return "\n".join(shown)


def _end(lines: list[str], first: int) -> int:
    """The last line of the block that begins at a line: all that is indented deeper follows it."""
    depth = _indent(lines[first - 1])
    last = first
    for number in range(first + 1, min(len(lines), first + MOST_LINES - 1) + 1):
        line = lines[number - 1]
        if line.strip():
            if _indent(line) <= depth:
                break
            last = number
    return last


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


_ENTRY = re.compile(r"- \*\*(?P<id>[^*]+)\*\* \((?P<kind>[^)]*)\) (?P<text>.*)")


def clauses(program: Program) -> dict[str, str]:
    """The text of every clause of the ruleset's sheet; empty where there is none."""
    if not program.sheet:
        return {}
    try:
        text = files.text(Path(program.file).parent / program.sheet)
    except (OSError, UnicodeDecodeError):
        return {}
    found: dict[str, str] = {}
    current = ""
    for line in text.split("\n"):
        entry = _ENTRY.fullmatch(line)
        if entry is not None:
            current = entry["id"]
            found[current] = entry["text"]
        elif current and line.startswith("  "):
            found[current] += " " + line.strip()
        else:
            current = ""
    return found
