"""Which examples differ between two rulesets, by title. Used by `report`.

Examples are compared as they are written: their lines without comments, blanks squeezed. So they
can be told even where one side's examples have errors. Of a variant, its own examples are looked
at: those of its base are run with the base.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from attrs import frozen

from dsl import program as p
from dsl.diagnostics import Findings
from dsl.layout import Line, lay_out
from lab.review.changes import Verb

_HEAD = re.compile(r'example\s+"([^"]*)"')
_STEP = "  "


@frozen
class ExampleChange:
    """An example that is new, gone or changed. `was`, `now`: its lines on both sides, none where it
    is not there."""

    title: str
    verb: Verb
    was: tuple[str, ...]
    now: tuple[str, ...]

    @property
    def lines(self) -> Iterator[str]:
        """The lines that differ: `- then P1 has 3 vp`."""
        blocks = SequenceMatcher(None, self.was, self.now, autojunk=False).get_opcodes()
        for tag, i1, i2, j1, j2 in blocks:
            if tag != "equal":
                yield from (f"- {line.strip()}" for line in self.was[i1:i2])
                yield from (f"+ {line.strip()}" for line in self.now[j1:j2])


def example_changes(one: p.Program, other: p.Program) -> tuple[ExampleChange, ...]:
    """The examples that differ: those of the right in their order, then those that are gone."""
    left, right = dict(_examples(one)), dict(_examples(other))
    found = []
    for title, now in right.items():
        was = left.get(title, ())
        if was != now:
            found.append(ExampleChange(title, Verb.CHANGED if was else Verb.NEW, was, now))
    gone = (title for title in left if title not in right)
    return (*found, *(ExampleChange(title, Verb.GONE, left[title], ()) for title in gone))


def _examples(program: p.Program) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Title and lines of every example that stands in a ruleset's file."""
    lines = lay_out(program.sources[program.file], program.file, Findings()).lines
    for line in lines:
        for head in (line, *line.children):  # a variant's stand one level deeper
            found = _HEAD.match(head.text.strip())
            if found is not None:
                yield found[1], tuple(_written(head, ""))


def _written(line: Line, lead: str) -> Iterator[str]:
    tags = f" [{', '.join(tag.text for tag in line.tags)}]" if line.tags else ""
    yield f"{lead}{' '.join(line.text.split())}{tags}"
    for child in line.children:
        yield from _written(child, lead + _STEP)
