"""A trace taken apart for comparing: headings with what stands under them, lines with their act.

Used by `interpreter.trace.diff`. Reads either format; JSON Lines become the lines of text that say
the same. A line's *act* is what happens, to whom, where (a move from the deck to P1's hand); its
*what* is the part that can differ while it is still the same act (which card).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from attrs import define, field, frozen

from interpreter.trace import reader
from interpreter.trace import text as text_format
from interpreter.trace.records import Header

_MARKS = re.compile(r"(?: \((?:forced|secret)\))*$")
_TAGS = re.compile(r" \[([^\[\]]*)\]$")
_MOVE = re.compile(r"(?P<act>.+? -> .+?): (?P<what>.+)")
_SHUFFLE = re.compile(r"(?P<act>shuffle .+): (?P<what>\d+ cards?)")
_REVEAL = re.compile(r"(?P<act>reveal .+?): (?P<what>.+)")
_PAYS = re.compile(r"(?P<who>.+) pays (?P<what>\d+ .+?) to (?P<whom>.+)")
_GAINS = re.compile(r"(?P<act>.+ (?:gains|loses)) (?P<what>\d+ .+)")
_MARK = re.compile(r"(?P<what>mark|unmark) (?P<act>.+)")
_CHOICE = re.compile(r"(?P<act>P\d+ [^ :]+): (?P<what>.+)")
_ROLES = re.compile(r"(?P<act>roles): (?P<what>.+)")
_TRACK = re.compile(r"(?P<act>.+?) = (?P<what>.+)")
_RESULT = re.compile(r"(?P<act>P\d+|winners): (?P<what>.+)")

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("move", _MOVE),
    ("shuffle", _SHUFFLE),
    ("reveal", _REVEAL),
    ("pay", _PAYS),
    ("pay", _GAINS),
    ("mark", _MARK),
    ("result", _RESULT),
    ("choice", _CHOICE),
    ("role", _ROLES),
    ("track", _TRACK),
)


@frozen
class Line:
    """An event's line. `text`: without its indentation, tags, and marks ("(forced)"); `number`
    counts from 1 in the text form of the trace. `kind`: that of the event, "result" for points
    and winners."""

    number: int
    kind: str
    text: str
    act: str
    what: str
    marks: str
    tags: tuple[str, ...]

    @property
    def ending(self) -> str:
        """What follows the text: marks and tags."""
        return f"{self.marks} [{', '.join(self.tags)}]" if self.tags else self.marks

    @property
    def full(self) -> str:
        """The line as it stands in the trace, less its indentation."""
        return self.text + self.ending


@define
class Section:
    """A heading (depth 0: the whole trace), the lines right under it, and the headings in it."""

    title: str
    depth: int
    number: int
    lines: list[Line] = field(factory=list)
    parts: list[Section] = field(factory=list)

    def everything(self) -> Iterator[Line]:
        """All lines under this heading, in order."""
        yield from self.lines
        for part in self.parts:
            yield from part.everything()

    def titles(self) -> Iterator[str]:
        """All headings under this one."""
        for part in self.parts:
            yield part.title
            yield from part.titles()


def take_apart(source: str) -> tuple[Header, Section]:
    """The header and the headings of a trace. TraceError where it can't be read."""
    trace = reader.parse(source)
    body = _from_jsonl(source) if trace.fmt == "jsonl" else source
    whole = Section("", 0, 0)
    opened = [whole]
    lines = body.rstrip("\n").split("\n")
    start = 0 if trace.fmt == "jsonl" else lines.index("") + 1 if "" in lines else len(lines)
    for number, line in enumerate(lines[start:], start + 1):
        if line.startswith("="):
            bars, _, title = line.partition(" ")
            while opened[-1].depth >= len(bars):
                opened.pop()
            section = Section(title, len(bars), number)
            opened[-1].parts.append(section)
            opened.append(section)
        elif line:
            opened[-1].lines.append(_line(number, line.strip()))
    return trace.header, whole


def _from_jsonl(source: str) -> str:
    """The body of the text format, from lines that `reader.parse` has found to be sound."""
    made = []
    for number, line in enumerate(source.rstrip("\n").split("\n")[1:], 2):
        try:
            made.append(text_format.lines(json.loads(line)))
        except (KeyError, TypeError, AttributeError):
            raise reader.TraceError("this event is damaged", number) from None
    return "".join(made)


def _line(number: int, line: str) -> Line:
    tags: tuple[str, ...] = ()
    found = _TAGS.search(line)
    if found is not None:
        tags, line = tuple(found[1].split(", ")), line[: found.start()]
    bare = _MARKS.sub("", line)
    marks = line[len(bare) :]
    for kind, pattern in _KINDS:
        match = pattern.fullmatch(bare)
        if match is None:
            continue
        parts = match.groupdict()
        act = parts.get("act") or f"{parts['who']} pays {parts['whom']}"
        return Line(number, kind, bare, f"{kind} {act}", parts["what"], marks, tags)
    return Line(number, "moment", bare, bare, "", marks, tags)


# ── names ────────────────────────────────────────────────────────────────────────────────────

_WORD = re.compile(r"[^\s,;:()\[\]=]+|[,;:()\[\]=]")


def words(text: str) -> list[str]:
    """The names and signs of a line."""
    return _WORD.findall(text)


def renamed(text: str, names: Callable[[str], str]) -> str:
    """A line with each name as `names` has it."""
    return _WORD.sub(lambda found: names(found[0]), text)
