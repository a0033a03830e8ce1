"""From the text of a ruleset to nested logical lines. Used by `dsl.parse` (and by the formatter).

What is settled here, so that the grammar sees one line at a time:

- blocks by indentation (spaces only; any depth, but lines of one block start in one column);
- comments and blank lines (comments are kept in a side table);
- clause tags at the end of a line: `[T14.1, T-R3]`;
- a line goes on inside open parentheses and after `,` `=` an operator, `and`, `or`;
- full-width spaces, digits, letters and punctuation, as a Japanese keyboard types them, count as
  their plain forms outside strings and comments. One character stays one character, so columns
  are those of the file;
- the limits: size of the file, length of a line, depth of nesting.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen

from dsl.diagnostics import Findings
from dsl.files import content
from dsl.program import Span

MAX_BYTES = 1_000_000
MAX_LINE = 10_000
MAX_DEPTH = 50


@frozen(eq=False)
class Tag:
    """A clause tag as written."""

    text: str
    span: Span


@frozen(eq=False)
class Comment:
    text: str
    span: Span


@frozen(eq=False)
class Line:
    """One logical line with the lines indented below it.

    `text` spans all physical lines it was written on, each from its first column, with tags,
    comments and indentation blanked out. `line` is the number of the first physical line, `file`
    the file it stands in: a variant's lines stand among those of its base. `renamed` holds the
    names that a variant gives to words of this line.
    """

    text: str
    line: int
    column: int
    tags: tuple[Tag, ...]
    children: list[Line] = field(factory=list)
    file: str = ""
    renamed: Mapping[str, str] = field(factory=dict)
    indent: int = 0  # in cells, of which a full-width blank takes two


@frozen(eq=False)
class Layout:
    """`wide`: how many full-width letters and signs there are, read as their plain forms, and
    `first_wide` where the first one is."""

    lines: tuple[Line, ...]
    comments: tuple[Comment, ...]
    tags: tuple[Tag, ...]
    wide: int = 0
    first_wide: Span | None = None


def read_text(path: Path, findings: Findings) -> str | None:
    """The text of a rules file, or None with a finding that says why it can't be read."""
    where = Span(str(path), 1, 1, 1, 2)
    try:
        data = content(path, MAX_BYTES)  # of a device or a pipe, nobody knows the size
        size = max(path.stat().st_size, len(data))
    except IsADirectoryError:
        findings.error("R0101", f"`{path}` is a folder, not a rules file", None)
        return None
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        findings.error("R0101", f"can't read `{path}`: {reason}", None)
        return None
    if len(data) > MAX_BYTES:
        counted = f"{size:,}" if size > len(data) else f"more than {MAX_BYTES:,}"
        message = f"this file has {counted} bytes; the limit is {MAX_BYTES:,}"
        findings.error("R0102", message, None)
        return None
    if b"\0" in data:
        findings.error("R0103", "this is not a text file", where)
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        findings.error(
            "R0103",
            "this file is not UTF-8 text",
            Span(str(path), line, 1, line, 2),
            "the first character that isn't is in this line",
            suggestion="save it as UTF-8 in your editor",
        )
        return None


def _plain_forms() -> dict[int, str]:
    forms = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    forms |= {ord("\u3000"): " ", ord("\u00a0"): " ", ord("、"): ",", ord("−"): "-", ord("∗"): "*"}
    forms |= {ord("≦"): "≤", ord("≧"): "≥", ord("⩽"): "≤", ord("⩾"): "≥"}
    return forms


PLAIN_FORMS = _plain_forms()
_PIECE = re.compile(r'(?P<string>["＂][^"＂]*["＂])|(?P<comment>[#＃].*)|(?P<other>.)', re.S)
_TAGS = re.compile(r"\[([^\[\]]*)\]\s*$")
_GOES_ON = re.compile(r"(?:[,=+\-*/×÷<>≤≥≠]|(?<!\w)(?:and|or))\s*$")


@frozen(eq=False)
class _Physical:
    """A physical line: `text` without comment and tags, padded so that columns stay."""

    number: int
    text: str
    indent: int
    tags: tuple[Tag, ...]


class _Reader:
    """Turns text into layout; one per file."""

    def __init__(self, text: str, file: str, findings: Findings):
        self.file = file
        self.findings = findings
        self.comments: list[Comment] = []
        self.tags: list[Tag] = []
        self.wide = 0
        self.first_wide: Span | None = None
        self.source = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def physical(self, number: int, raw: str) -> _Physical | None:
        """None for a line with nothing on it but space or a comment, or that can't be used."""
        if len(raw) > MAX_LINE:
            where = Span(self.file, number, 1, number, 2)
            message = f"this line has {len(raw):,} characters; the limit is {MAX_LINE:,}"
            self.findings.error("R0102", message, where)
            return None
        text = self.strip_comment(number, raw)
        body = text.lstrip(" \t")
        if not body.strip():
            return None
        lead = raw[: len(text) - len(body)]
        if "\t" in lead:
            at = lead.index("\t") + 1
            self.findings.error(
                "R0104",
                "a tab in the indentation",
                Span(self.file, number, at, number, at + 1),
                "editors show tabs at different widths, so blocks could look other than they are",
                suggestion="indent with spaces",
            )
        indent = sum(2 if char in "\u3000\t" else 1 for char in lead)
        text, tags = self.take_tags(number, text.rstrip())
        if not text.strip():
            self.findings.error(
                "R0112",
                "there are only clause tags in this line",
                tags[0].span if tags else Span(self.file, number, 1, number, 2),
                suggestion="put them at the end of the line they belong to",
            )
            return None
        return _Physical(number, text.replace("\t", " "), indent, tags)

    def strip_comment(self, number: int, raw: str) -> str:
        if raw.isascii() and "#" not in raw:
            return raw
        pieces = []
        for piece in _PIECE.finditer(raw):
            if piece["comment"]:
                end = len(raw) + 1
                span = Span(self.file, number, piece.start() + 1, number, end)
                self.comments.append(Comment(piece["comment"], span))
            elif piece["string"]:
                pieces.append('"' + piece["string"][1:-1] + '"')
                self.count_wide(number, piece.start(), piece["string"][0], '"')
                self.count_wide(number, piece.end() - 1, piece["string"][-1], '"')
            else:
                plain = piece["other"].translate(PLAIN_FORMS)
                pieces.append(plain)
                if plain != piece["other"]:
                    self.count_wide(number, piece.start(), piece["other"], plain)
        return "".join(pieces)

    def count_wide(self, number: int, at: int, typed: str, plain: str) -> None:
        if typed != plain and typed != "\u00a0":  # a blank that only looks like any other
            self.wide += 1
            if self.first_wide is None:
                self.first_wide = Span(self.file, number, at + 1, number, at + 2)

    def take_tags(self, number: int, text: str) -> tuple[str, tuple[Tag, ...]]:
        found = _TAGS.search(text)
        if found is None:
            return text, ()
        tags = []
        for word in re.finditer(r"[^,\s][^,]*", found[1]):
            at = found.start(1) + word.start() + 1
            name = word[0].rstrip()
            tags.append(Tag(name, Span(self.file, number, at, number, at + len(name))))
        self.tags += tags
        return text[: found.start()].rstrip(), tuple(tags)

    def logical(self) -> list[tuple[int, Line]]:
        """Logical lines with their indentation."""
        lines: list[tuple[int, Line]] = []
        parts: list[_Physical] = []
        for number, raw in enumerate(self.source, 1):
            part = self.physical(number, raw)
            if part is None:
                continue
            if parts and part.indent <= parts[0].indent and not _open(parts):
                # What looks unfinished but is followed by a line no deeper ends here: the
                # grammar then speaks of this line, not of the next.
                lines.append(self.join(parts))
                parts = []
            parts.append(part)
            if (not _open(parts) and not _GOES_ON.search(part.text)) or (
                _open(parts) and len(parts) > 40
            ):
                lines.append(self.join(parts))
                parts = []
        if parts:
            lines.append(self.join(parts))
        return lines

    def join(self, parts: list[_Physical]) -> tuple[int, Line]:
        first = parts[0]
        text, previous = first.text, first.number
        tags = list(first.tags)
        for part in parts[1:]:
            text += "\n" * (part.number - previous) + part.text
            previous = part.number
            tags += part.tags
        column = len(first.text) - len(first.text.lstrip()) + 1
        made = Line(text, first.number, column, tuple(tags), file=self.file, indent=first.indent)
        return first.indent, made

    def nest(self, lines: list[tuple[int, Line]]) -> tuple[Line, ...]:
        top: list[Line] = []
        base = min((indent for indent, _ in lines), default=0)
        if lines and lines[0][0] > base:
            first = lines[0][1]
            span = Span(self.file, first.line, first.column, first.line, first.column + 1)
            message = "the first line is indented, but there is nothing it could belong to"
            self.findings.error("R0105", message, span)
            lines = [(base, first), *lines[1:]]
        stack: list[tuple[int, list[Line]]] = [(base, top)]
        for indent, line in lines:
            if indent > stack[-1][0]:
                stack.append((indent, self.children_of(stack[-1][1], line, len(stack))))
            while indent < stack[-1][0] and len(stack) > 1:
                stack.pop()
            if indent != stack[-1][0]:
                self.findings.error(
                    "R0105",
                    "this line starts in a column where no block starts",
                    Span(self.file, line.line, line.column, line.line, line.column + 1),
                    "lines that belong together start in the same column",
                )
                # Said once. To which block this line and those below it belong isn't known, so
                # they are left out: read as of the wrong one, they would be called wrong again.
                stack.append((indent, []))
            stack[-1][1].append(line)
        return tuple(top)

    def children_of(self, siblings: list[Line], line: Line, depth: int) -> list[Line]:
        if depth == MAX_DEPTH:
            where = Span(self.file, line.line, line.column, line.line, line.column + 1)
            self.findings.error("R0102", f"more than {MAX_DEPTH} blocks inside each other", where)
        return siblings[-1].children if siblings and depth < MAX_DEPTH else []


def _open(parts: list[_Physical]) -> bool:
    """Whether a parenthesis is still open (parentheses in strings don't count)."""
    depth = 0
    for part in parts:
        bare = re.sub(r'"[^"]*"', "", part.text) if '"' in part.text else part.text
        depth += bare.count("(") - bare.count(")")
    return depth > 0


def lay_out(text: str, file: str, findings: Findings) -> Layout:
    """Split a ruleset into nested logical lines."""
    if len(text) > MAX_BYTES:
        size = f"{len(text):,}"
        message = f"this file has {size} characters; the limit is {MAX_BYTES:,}"
        findings.error("R0102", message, None)
        return Layout((), (), ())
    reader = _Reader(text, file, findings)
    lines = reader.nest(reader.logical())
    if not lines and not findings.errors:
        findings.error("R0106", "there are no rules in this file", Span(file, 1, 1, 1, 2))
    comments, tags = tuple(reader.comments), tuple(reader.tags)
    return Layout(lines, comments, tags, reader.wide, reader.first_wide)


def say_wide(layout: Layout, findings: Findings) -> None:
    """Say once in a file that full-width letters and signs are read as plain ones."""
    if layout.wide:
        many = (
            f"{layout.wide} full-width letters and signs are"
            if layout.wide > 1
            else ("a full-width letter or sign is")
        )
        findings.note(
            "R0508",
            f"{many} read as plain",
            layout.first_wide,
            suggestion="`rules fmt` writes them plain",
        )


def is_variant(lines: tuple[Line, ...]) -> bool:
    """Whether a file is a variant of another: it begins with `variant`."""
    return bool(lines) and lines[0].text.split()[0] == "variant"
