"""The canonical layout of a ruleset. Used by `rules fmt`; may assume nothing about the text.

The text's own pieces are set anew, line by line: what a line says, its tags and its comment stay in
it; blanks, indentation, blank lines and full-width forms become what they are everywhere.

- Two blanks for each level; a line that goes on stands four deeper, or in the column of a section
  in which it was broken off.
- Items of a section stand in columns, two blanks apart; a blank line ends the columns.
- Clause tags stand in column 75, or four blanks behind a line that is too long for that: so a
  change to one line moves nothing in another. Cells count, of which Japanese letters take two.
- Comments at ends of lines that follow each other stand in one column.
- A comment on a line of its own is as deep as the line it stands above. At the end of a block it
  may also be of that block, where the author indented it so.
- One blank line between top-level blocks, except where lines of the same kind were left together;
  elsewhere at most one, where the author left one; none below the head of a block.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from attrs import define

from dsl.diagnostics import Findings, RulesError, width
from dsl.format_line import Joints, cells, joints, written_joints
from dsl.layout import Comment, Layout, Line, is_variant, lay_out
from dsl.lexer import Piece, split
from dsl.parse import parse

TAG_COLUMN = 74
TAG_GAP = 4
GAP = 2
LONGEST = 100  # lines that go on beyond don't move the comments of their neighbours


@define(eq=False)
class Row:
    """A physical line to be. `number`: the line of the source it comes from."""

    number: int
    level: int
    text: str = ""  # with its indentation
    tags: str = ""
    comment: str = ""
    gap: int = 0  # in front of the comment
    head: bool = False  # blank lines below it are dropped
    joined: bool = False  # goes on from the row above
    apart: bool = False  # a blank line has to stand above it

    @property
    def body(self) -> str:
        """What stands in front of the comment."""
        if not self.tags:
            return self.text
        cells = width(self.text)
        column = TAG_COLUMN if cells + GAP <= TAG_COLUMN else cells + TAG_GAP
        return self.text + " " * (column - cells) + self.tags


@define(eq=False)
class Item:
    """A logical line being set: the cells of its first row, what stands in the further ones."""

    rows: list[Row]
    cells: list[str]
    further: list[str]


def formatted(text: str, file: str = "<text>") -> str:
    """The text in canonical layout. Raises RulesError if it can't be read; an example that can't be
    keeps nothing from being set, and stays as it was typed."""
    findings = Findings()
    layout = lay_out(text, file, findings)
    if is_variant(layout.lines):  # what its lines mean is known only beside those of its base
        joined = written_joints(layout.lines)
    else:
        joined = joints(parse(text, file, findings), file)
        if findings.errors:
            rules = Findings()
            ruleset = parse(text, file, rules, examples=False)
            if not rules.errors:
                examples = [line for line in layout.lines if line.text.startswith("example ")]
                findings, joined = rules, joints(ruleset, file) | written_joints(examples)
    if findings.errors:
        raise RulesError(findings.in_order(), {file: text})
    setter = _Setter(text, layout, joined)
    made = setter.text()
    _verify(layout, made, file)
    return made


class _Setter:
    """Sets the lines of one file anew."""

    def __init__(self, text: str, layout: Layout, joined: Joints):
        self.source = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self.layout = layout
        self.joints = joined
        self.rows: list[Row] = []
        self.depths: dict[int, int] = {}  # by level: the indentation in the source
        self.tags: dict[int, list[str]] = {}
        for tag in layout.tags:
            self.tags.setdefault(tag.span.line, []).append(tag.text)
        self.comments = {comment.span.line: comment for comment in layout.comments}
        self.occupied = {*self.comments, *self.tags}

    def text(self) -> str:
        for line in self.layout.lines:
            self.occupy(line)
        last: Line | None = None
        waiting = deque(sorted(self.comments))  # the lines of comments that aren't set yet
        for line in self.layout.lines:
            start = len(self.rows)
            self.with_comments(self.block([line], 0, ""), waiting)
            first = next(r for r in self.rows[start:] if r.level == 0)
            first.apart = last is not None and not _may_touch(last, line)
            last = line
        self.rows += self.own_comments(waiting, None)
        return self.joined_up()

    def is_blank_between(self, above: int, below: int) -> bool:
        return any(number not in self.occupied for number in range(above + 1, below))

    def occupy(self, line: Line) -> None:
        """Note which lines of the source something stands in."""
        parts = enumerate(line.text.split("\n"), line.line)
        self.occupied.update(number for number, part in parts if part.strip())
        for child in line.children:
            self.occupy(child)

    # ── lines ──

    def block(self, lines: Sequence[Line], level: int, section: str) -> list[Row]:
        """The rows of a block and of all below it."""
        rows: list[Row] = []
        for group in self.groups(lines):
            items = [self.item(line, level, section) for line in group]
            _set_columns(items, level)
            for line, item in zip(group, items, strict=True):
                word = item.rows[0].text.split()[0] if level == 0 else ""
                rows += item.rows
                rows += self.block(line.children, level + 1, word)
        return rows

    def groups(self, lines: Sequence[Line]) -> Iterator[list[Line]]:
        """The lines of a block that share columns: those without a blank line between them."""
        group: list[Line] = []
        for line in lines:
            if group and self.is_blank_between(_last(group[-1]), line.line):
                yield group
                group = []
            group.append(line)
        if group:
            yield group

    def item(self, line: Line, level: int, section: str) -> Item:
        pieces = [self.as_written(piece) for piece in split(line.text, line.line)]
        joined = self.joints.without_formulas(pieces) if section == "options" else self.joints
        by_row = {number: list(found) for number, found in groupby(pieces, lambda p: p.line)}
        rows: list[Row] = []
        for number in sorted(by_row.keys() | (self.tags.keys() & _numbers(line))):
            tags = self.tags.get(number, ())
            shown = f"[{', '.join(tags)}]" if tags else ""
            rows.append(Row(number, level, tags=shown, joined=number > line.line))
        rows[-1].head = bool(line.children)
        first = cells(section, by_row[line.line])
        further = [joined.written(by_row.get(row.number, [])) for row in rows[1:]]
        return Item(rows, [joined.written(cell) for cell in first], further)

    def as_written(self, piece: Piece) -> Piece:
        """Texts with the blanks and tabs they have in the source."""
        if piece.kind != "STRING":
            return piece
        start = piece.column
        inner = self.source[piece.line - 1][start : start + len(piece.text) - 2]
        return piece._replace(text=f'"{inner}"')

    # ── comments ──

    def with_comments(self, rows: list[Row], waiting: deque[int]) -> None:
        """Append rows, with the comments in them and above them."""
        for row in rows:
            self.rows += self.own_comments(waiting, row)
            if waiting and waiting[0] == row.number:
                row.comment = self.comments[waiting.popleft()].text.rstrip()
            if not row.joined:
                self.depths[row.level] = self.depth(row.number)
            self.rows.append(row)

    def own_comments(self, waiting: deque[int], below: Row | None) -> list[Row]:
        """The comments that stand on lines of their own above a row, or at the end of the file."""
        made: list[Row] = []
        low = 0 if below is None else below.level
        high = max(low, self.rows[-1].level) if self.rows else low
        while waiting and (below is None or waiting[0] < below.number):
            comment = self.comments[waiting.popleft()]
            if below is not None and below.joined:
                lead = below.text[: len(below.text) - len(below.text.lstrip())]
                row = Row(comment.span.line, high, joined=True)
            else:
                high = self.level_of(comment, low, high)
                lead = " " * (GAP * high)
                row = Row(comment.span.line, high)
            row.text = lead + comment.text.rstrip()
            made.append(row)
        return made

    def level_of(self, comment: Comment, low: int, high: int) -> int:
        """The innermost block that reaches as far as the comment and that it is indented for."""
        depth = self.depth(comment.span.line)
        fitting = (at for at in range(high, low, -1) if self.depths.get(at, depth + 1) <= depth)
        return next(fitting, low)

    def depth(self, number: int) -> int:
        """The indentation of a line of the source, in cells."""
        depth = 0
        for char in self.source[number - 1]:
            if not char.isspace():
                break
            depth += 2 if char in "\u3000\t" else 1
        return depth

    # ── the whole ──

    def joined_up(self) -> str:
        for above, row in pairwise(self.rows):
            if not row.joined and not above.head:
                row.apart |= self.is_blank_between(above.number, row.number)
        _set_gaps(self.rows)
        lines: list[str] = []
        for row in self.rows:
            lines += [""] * row.apart
            lines.append(row.body + " " * row.gap + row.comment)
        return "\n".join(lines) + "\n"


def _numbers(line: Line) -> set[int]:
    """The lines of the source that a logical line is written on."""
    return set(range(line.line, line.line + line.text.count("\n") + 1))


def _last(line: Line) -> int:
    """The last line of the source that belongs to a line and what is below it."""
    while line.children:
        line = line.children[-1]
    return line.line + line.text.count("\n")


def _may_touch(above: Line, below: Line) -> bool:
    """Whether two top-level lines may stand without a blank line between them."""
    if above.children or below.children:
        return False
    return above.text.split()[0] == below.text.split()[0]


def _set_columns(items: Sequence[Item], level: int) -> None:
    """The rows of items of a block, their cells in columns."""
    widths = [
        max((width(item.cells[at]) for item in items if len(item.cells) > at + 1), default=0)
        for at in range(max(len(item.cells) for item in items))
    ]
    for item in items:
        *cells, last = item.cells
        text = " " * (GAP * level)
        for cell, widest in zip(cells, widths, strict=False):
            text += cell + " " * (widest - width(cell) + GAP)
        hang = width(text) if cells else GAP * level + 2 * GAP
        item.rows[0].text = text + last
        for row, rest in zip(item.rows[1:], item.further, strict=True):
            row.text = " " * hang + rest


def _set_gaps(rows: Sequence[Row]) -> None:
    """The gaps in front of the comments of rows, so that those of a run stand in one column."""
    runs: list[list[Row]] = [[]]
    for row in rows:
        if row.apart or not row.comment:
            runs.append([])
        if row.comment:
            runs[-1].append(row)
    for run in runs:
        ends = [width(row.body) for row in run]
        column = max((end for end in ends if end <= LONGEST), default=0) + GAP
        for row, end in zip(run, ends, strict=True):
            row.gap = max(column - end, GAP)


# ── what a text says, whatever its layout ────────────────────────────────────────────────────


def said(layout: Layout) -> list[tuple[object, ...]]:
    """Line by line: its level, words, tags, comment. Blanks and blank lines are left out."""
    tags, comments = dict[int, list[str]](), dict[int, str]()
    for tag in layout.tags:
        tags.setdefault(tag.span.line, []).append(tag.text)
    for comment in layout.comments:
        comments[comment.span.line] = comment.text.rstrip()
    words, levels = dict[int, list[str]](), dict[int, int]()
    stack = [(0, line) for line in layout.lines]
    while stack:
        level, line = stack.pop()
        stack += [(level + 1, child) for child in line.children]
        for piece in split(line.text, line.line):
            levels[piece.line] = level
            text = piece.text if piece.kind == "STRING" else "".join(piece.text.split())
            words.setdefault(piece.line, []).append(text)
    return [
        (levels.get(at), words.get(at), tags.get(at), comments.get(at))
        for at in sorted({*tags, *comments, *words})
    ]


def _verify(layout: Layout, made: str, file: str) -> None:
    """See that the text made says the same: a fault of the formatter must not cost any rules."""
    findings = Findings()
    again = lay_out(made, file, findings)
    for item in findings.items:
        problem = Findings()
        problem.error(item.code, f"this file can't be formatted: then, {item.message}", None)
        raise RulesError(problem.items)
    if said(layout) != said(again):
        raise AssertionError(f"{file}: formatted, it would say something else")
