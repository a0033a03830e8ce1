"""Snippets of the reference as rulesets. Used by `test_docs`.

What the info string of a ```rules block says:

    rules                   a whole ruleset
    rules base              a whole ruleset, which the snippets below it on the page belong to; a
                            line `…` in it stands for what they do
    rules part              sections that go into the base: items of the same name take the place
                            of the base's, and so do blocks of the same name; phases take the place
                            of all the base's phases
    rules turn              statements that stand in the base where it says `…`
    rules values            expressions, one a line, worked out for each player in turn; a comment
                            says of which type they are: `count of cards in hand   # a number`

Findings are told in lines and columns of the snippet (`example.rules`), or of the base
(`game.rules`).
"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import evolve, frozen

from docs.pages import Fence
from dsl import pipeline
from dsl.diagnostics import Diagnostic, Related, render_text
from dsl.program import Program, Span
from dsl.type_names import called

HERE, AROUND = "example.rules", "game.rules"
KINDS = ("base", "part", "turn", "values")
MARKER = "…"
PROBE = "probe_"
MERGED = ("options", "cards", "places", "tokens", "marks", "track", "shapes", "scoring")
ALONE = ("game", "setup", "roles", "winner")


@frozen
class Place:
    """Where a line of the composed text comes from, and how far its columns are shifted."""

    file: str
    line: int
    shift: int = 0


@frozen
class Line:
    text: str
    place: Place


@frozen(eq=False)
class Snippet:
    """A block of a page, as a ruleset."""

    fence: Fence
    lines: tuple[Line, ...]
    around: str  # the base's text, "" if there is none

    @property
    def text(self) -> str:
        return "".join(f"{line.text}\n" for line in self.lines)

    def load(self, folder: Path) -> tuple[Program | None, list[Diagnostic]]:
        """The Program and the findings, told in places of the snippet."""
        file = folder / self.fence.settings.get("file", HERE)
        program, found = pipeline.load(file, self.text)
        return program, [self.told(item) for item in found]

    def told(self, item: Diagnostic) -> Diagnostic:
        related = tuple(Related(self.span(other.span), other.note) for other in item.related)
        span = None if item.span is None else self.span(item.span)
        return evolve(item, span=span, related=related)

    def span(self, span: Span) -> Span:
        first = self.lines[min(span.line, len(self.lines)) - 1].place
        last = self.lines[min(span.end_line, len(self.lines)) - 1].place
        return Span(
            first.file,
            first.line,
            max(span.column - first.shift, 1),
            last.line,
            max(span.end_column - last.shift, 1),
        )

    def messages(self, found: list[Diagnostic]) -> str:
        return render_text(found, {HERE: self.fence.text, AROUND: self.around}) + "\n"


def kind_of(fence: Fence) -> str:
    """Which kind of snippet a block is; "" for a whole ruleset."""
    return next((kind for kind in KINDS if kind in fence.words), "")


def snippet(fence: Fence, base: Fence | None) -> Snippet:
    """A block, put into the base if it is no whole ruleset."""
    kind = kind_of(fence)
    if kind in ("", "base"):
        return Snippet(fence, tuple(_filled(_lines(fence.text, HERE), [])), "")
    if base is None:
        raise ValueError(f"{fence.where}: there is no `rules base` above this snippet")
    around, mine = _lines(base.text, AROUND), _lines(fence.text, HERE)
    if kind == "turn":
        made = _filled(around, mine)
    elif kind == "values":
        made = [*_filled(around, []), *_probes(mine)]
    else:
        made = _merged(_filled(around, []), mine)
    return Snippet(fence, tuple(made), base.text)


def _lines(text: str, file: str) -> list[Line]:
    return [Line(t, Place(file, i)) for i, t in enumerate(text.splitlines(), 1)]


def _filled(around: list[Line], inner: list[Line]) -> list[Line]:
    """The base, with some statements where it says `…`, or with `do nothing`."""
    made: list[Line] = []
    for line in around:
        if line.text.strip() != MARKER:
            made.append(line)
            continue
        indent = len(line.text) - len(line.text.lstrip())
        for new in inner or [Line("do nothing", line.place)]:
            made.append(Line(" " * indent + new.text, evolve(new.place, shift=indent)))
    return made


def _probes(lines: list[Line]) -> list[Line]:
    made = []
    for line in lines:
        if line.text.strip() and not line.text.lstrip().startswith("#"):
            head = f"value {PROBE}{line.place.line} of player = "
            made.append(Line(head + line.text, evolve(line.place, shift=len(head))))
    return made


def wrong_types(snippet: Snippet, program: Program) -> list[str]:
    """Lines of a `values` block whose comment names another type than the one they have."""
    wrong = []
    for number, line in enumerate(snippet.fence.text.splitlines(), 1):
        expression, sign, comment = line.partition("#")
        if sign and expression.strip():
            value = program.values[f"{PROBE}{number}"]
            actual = called(value.body.type).replace(" (yes or no)", "")
            said = re.split(r"[:,(]", comment)[0].strip()
            if said not in (actual, f"{actual} or nobody", f"{actual} or nothing"):
                wrong.append(f"line {number}: {actual}, but the page says: {said}")
    return wrong


# ── merging ──────────────────────────────────────────────────────────────────────────────────


def _blocks(lines: list[Line]) -> list[list[Line]]:
    """Lines by block: each begins at the left margin."""
    blocks: list[list[Line]] = []
    for line in lines:
        if line.text.strip() and not line.text[0].isspace():
            blocks.append([line])
        elif blocks:
            blocks[-1].append(line)
    return blocks


def _key(block: list[Line]) -> tuple[str, ...]:
    """What a block is known by."""
    words = re.findall(r"\w+", block[0].text)
    if words[:1] == ["example"]:
        return ("example", block[0].text)
    return tuple(words[:1] if words[:1] and words[0] in (*MERGED, *ALONE) else words[:2])


def _item(line: Line, section: str) -> str:
    """What an item of a section is known by: its name, and of tokens their holder."""
    found = re.match(r"\s*(\w+)(?:\s+\w\w\s+\"[^\"]*\")?(?:\s+in\s+(\w+))?", line.text)
    if found is None:
        return ""
    return found[2] or found[1] if section == "tokens" else found[1]


def _merged(around: list[Line], mine: list[Line]) -> list[Line]:
    blocks, new = _blocks(around), _blocks(mine)
    if any(_key(block)[0] == "phase" for block in new):
        at = next(i for i, block in enumerate(blocks) if _key(block)[0] == "phase")
        blocks = [block for block in blocks if _key(block)[0] != "phase"]
    else:
        at = len(blocks)
    for block in new:
        same = next((old for old in blocks if _key(old) == _key(block)), None)
        if same is None:
            blocks.insert(at, block)
            at += 1
        elif _key(block)[0] in MERGED:
            blocks[blocks.index(same)] = _with_items(same, block)
        else:
            blocks[blocks.index(same)] = block
    return [line for block in blocks for line in block]


def _with_items(old: list[Line], new: list[Line]) -> list[Line]:
    """A section with the items of another in it, in the place of those of the same name."""
    section = _key(old)[0]
    named = {_item(line, section) for line in new[1:]}
    kept = [x for x in old[1:] if x.text.strip() and _item(x, section) not in named]
    return [new[0], *kept, *new[1:]]
