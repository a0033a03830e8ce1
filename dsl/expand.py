"""The ruleset that a variant makes, as text: `rules expand`.

The lines are those that were parsed, with the comments above and beside them, in canonical layout;
so the text is a ruleset with the same meaning. Comments of lines that the variant took away go with
them.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from pathlib import Path

from attrs import define, field

from dsl.diagnostics import Findings, RulesError
from dsl.format import formatted
from dsl.layout import Comment, Line, lay_out
from dsl.lexer import split
from dsl.parse import parse


def expanded(text: str, file: str, folder: str | None = None) -> str:
    """The text of the ruleset that a ruleset or variant makes. `folder`: where it is to lie, which
    its rule sheet is seen from; by default beside the file. Raises RulesError if it can't be read.
    """
    findings = Findings()
    ruleset = parse(text, file, findings)
    if findings.errors:
        raise RulesError(findings.in_order(), ruleset.sources)
    files = {name: _File.of(name, source) for name, source in ruleset.sources.items()}
    rows: list[str] = []
    rows += [comment.text.rstrip() for comment in files[file].above_all()]
    if rows:
        rows.append("")
    own = Path(file).parent if folder is None else Path(folder)
    for line in ruleset.lines:
        _write(_with_sheet(line, own), 0, rows, files)
    inner = [name for name in files if name != file]
    last = [comment.text for name in (*inner, file) for comment in files[name].at_end()]
    if last and inner:  # they stood at the end of a file, not below what comes before them now
        rows.append("")
    rows += last
    return formatted("\n".join(rows) + "\n", file)


@define(eq=False)
class _File:
    """The comments of a file, by the line they stand above or in."""

    inside: dict[int, Comment]
    above: dict[int, list[Comment]]
    blank: set[int]
    first: int
    last: list[Comment] = field(factory=list)

    @classmethod
    def of(cls, name: str, text: str) -> _File:
        layout = lay_out(text, name, Findings())
        starts: list[int] = []
        used: set[int] = set()
        _note(layout.lines, starts, used)
        rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        inside, above, last = {}, dict[int, list[Comment]](), []
        for comment in layout.comments:
            at = comment.span.line
            if at in used:
                inside[at] = comment
                continue
            next_start = bisect_left(starts, at)
            if next_start == len(starts):
                last.append(comment)
            else:
                above.setdefault(starts[next_start], []).append(comment)
        blank = {number for number, row in enumerate(rows, 1) if not row.strip()}
        return cls(inside, above, blank, starts[0] if starts else 0, last)

    def above_all(self) -> list[Comment]:
        """What a file begins with."""
        return self.above.pop(self.first, [])

    def at_end(self) -> list[Comment]:
        return self.last


def _note(lines: Iterable[Line], starts: list[int], used: set[int]) -> None:
    for line in lines:
        starts.append(line.line)
        used.update(range(line.line, line.line + line.text.count("\n") + 1))
        _note(line.children, starts, used)


def _write(line: Line, level: int, rows: list[str], files: Mapping[str, _File]) -> None:
    file = files[line.file]
    lead = "  " * level
    above = file.above.get(line.line, [])
    first = above[0].span.line if above else line.line
    if first - 1 in file.blank and rows:
        rows.append("")
    for comment in above:
        rows.append(lead + comment.text.rstrip())
        if comment.span.line + 1 in file.blank:
            rows.append("")
    rows += _rows(line, lead, file)
    for child in line.children:
        _write(child, level + 1, rows, files)


def _rows(line: Line, lead: str, file: _File) -> list[str]:
    """The physical lines of a logical line, under the names a variant gives its words."""
    tags: dict[int, list[str]] = {}
    for tag in line.tags:
        own = tag.span.file == line.file and line.line <= tag.span.line
        tags.setdefault(tag.span.line if own else line.line, []).append(tag.text)
    made: list[str] = []
    for number, part in enumerate(line.text.split("\n"), line.line):
        text = _renamed(part, line) if line.renamed else part
        shown = f"  [{', '.join(tags[number])}]" if number in tags else ""
        comment = file.inside.get(number)
        said = f"  {comment.text.rstrip()}" if comment is not None else ""
        if text.strip() or shown or said:
            made.append(f"{lead}{'    ' if made else ''}{text.strip()}{shown}{said}")
    return made


def _renamed(text: str, line: Line) -> str:
    made, end = "", 0
    for piece in split(text, 1):
        start = piece.column - 1
        made += text[end:start] + (line.renamed.get(piece.text, piece.text))
        end = start + len(piece.text)
    return made + text[end:]


def _with_sheet(line: Line, folder: Path) -> Line:
    """The game's lines, with its rule sheet as seen from another folder."""
    for at, child in enumerate(line.children):
        pieces = split(child.text, child.line)
        if pieces[0].text != "sheet" or len(pieces) != 2:
            continue
        path = Path(child.file).parent / pieces[1].text[1:-1]
        if Path(child.file).parent != folder:
            seen = Path(os.path.relpath(path, folder)).as_posix()
            made = Line(f'sheet "{seen}"', child.line, 1, child.tags, file=child.file)
            line.children[at] = made
    return line
