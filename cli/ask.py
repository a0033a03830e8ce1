"""Finds the option a person means.

An answer is an option's number, its words, or beginnings of its words, as long as only one option
fits. Widths and cases of letters don't matter, so full-width digits and letters do as well.

Options that are themselves numbers (`0`, `1`, `2`) are not numbered in the list: the number typed
is the option's own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from attrs import frozen

MOST_NUMBERS = 5  # that follow one another and are listed one by one
MOST_DIGITS = 9  # of an option's number

_SCRIPT_LINE = re.compile(
    r"P(?P<player>\d+) (?P<name>[^ :]+): (?P<label>.+?)"
    r"(?P<forced> \(forced\))?( \(secret\))?( \[[^\[\]]*\])?"
)


@frozen
class Found:
    """The one option that fits, by its position."""

    index: int


@frozen
class Unclear:
    """Several options fit."""

    indexes: tuple[int, ...]


@frozen
class Unknown:
    """No option fits."""


def normal(text: str) -> str:
    """Text with differences of width and case taken out."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,_]+", normal(text)) if word]


def numbered(labels: Sequence[str]) -> bool:
    """Whether the options of a list get numbers: not when some are numbers themselves."""
    return not any(normal(label).lstrip("-").isdecimal() for label in labels)


def shortened(labels: Sequence[str]) -> list[str]:
    """The options of a list, with numbers that follow one another told as `0–20`."""
    if not all(label.isascii() and label.isdecimal() for label in labels):
        return list(labels)
    runs: list[list[int]] = []
    for number in map(int, labels):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    told: list[str] = []
    for run in runs:
        many = len(run) > MOST_NUMBERS
        told += [f"{run[0]}–{run[-1]}"] if many else map(str, run)
    return told


def find(answer: str, labels: Sequence[Sequence[str]]) -> Found | Unclear | Unknown:
    """Which option an answer means; each option comes with all that it may be called."""
    asked = words(answer)
    if not asked:
        return Unknown()
    called = [[words(name) for name in names] for names in labels]
    if len(asked) == 1 and asked[0].isdecimal() and numbered([names[0] for names in labels]):
        if len(asked[0]) > MOST_DIGITS:
            return Unknown()
        index = int(asked[0]) - 1
        return Found(index) if 0 <= index < len(labels) else Unknown()
    for fits in (_same, _begins, _scattered):
        hits = tuple(i for i, names in enumerate(called) if any(fits(asked, n) for n in names))
        if hits:
            return Found(hits[0]) if len(hits) == 1 else Unclear(hits)
    return Unknown()


def _same(asked: list[str], name: list[str]) -> bool:
    return asked == name


def _begins(asked: list[str], name: list[str]) -> bool:
    """`pl kn` for `play knight`: each word begins the one in its place; further ones may follow."""
    return len(asked) <= len(name) and all(
        full.startswith(part) for part, full in zip(asked, name, strict=False)
    )


def _scattered(asked: list[str], name: list[str]) -> bool:
    """`kn` for `play knight`: the words begin some of its words, in their order."""
    rest = iter(name)
    return all(any(full.startswith(part) for full in rest) for part in asked)


@frozen
class ScriptLine:
    """A line of a script: an answer; if it is a line of a trace, whose choice it says it is."""

    answer: str
    player: int | None = None
    name: str | None = None
    forced: bool = False


def script_line(line: str) -> ScriptLine | None:
    """What a line of a script says; None for empty lines, comments and headings."""
    line = line.strip().lstrip("\ufeff")
    if not line or line.startswith(("#", "=")):
        return None
    found = _SCRIPT_LINE.fullmatch(line)
    if found is None:
        return ScriptLine(line)
    return ScriptLine(
        found["label"], int(found["player"]) - 1, found["name"], found["forced"] is not None
    )
