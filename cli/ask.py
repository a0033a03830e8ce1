"""Finds the option a person means.

An answer is an option's number, its words, or beginnings of its words, as long as only one option
fits. Widths and cases of letters don't matter, so full-width digits and letters do as well.

Options that are themselves numbers (`0`, `1`, `2`) are not numbered in the list: the number typed
is the option's own. Nor are lists in which a way picks a number (`raise 8`): a number alone could
be meant as that, or as a place in the list. Several cards may be told in any order.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from attrs import frozen

MOST_NUMBERS = 5  # that follow one another and are listed one by one
MOST_DIGITS = 9  # of an option's number
MOST_READINGS = 50  # of words as cards one after the other

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


@frozen
class Number:
    """A number alone, where ways pick numbers: the options that pick this one, and the one that
    stands there in the list."""

    indexes: tuple[int, ...]
    place: int | None


@frozen
class Cards:
    """The cards that an option picks, by name, once for each language; and what may stand in front
    of them: the name of the way, or of the shape."""

    names: tuple[tuple[str, ...], ...]
    heads: tuple[str, ...] = ()


def normal(text: str) -> str:
    """Text with differences of width and case taken out."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,、_]+", normal(text)) if word]


def numbered(labels: Sequence[str], numbers: Iterable[int | None] = ()) -> bool:
    """Whether the options of a list get numbers: not when some are numbers themselves, or pick
    one (`numbers`: what they pick)."""
    if any(number is not None for number in numbers):
        return False
    return not any(normal(label).lstrip("-").isdecimal() for label in labels)


def shortened(labels: Sequence[str], numbers: Sequence[int | None] = ()) -> list[str]:
    """The options of a list, with those that differ by a number only, and follow one another, told
    as `0–20` or `raise 3–12`. numbers: what they pick; if not given, what they are."""
    if not numbers:
        if not all(label.isascii() and label.isdecimal() for label in labels):
            return list(labels)
        numbers = [int(label) for label in labels]
    runs: list[list[tuple[str, int | None]]] = []  # what stands before the number, and it
    for label, number in zip(labels, numbers, strict=True):
        head = label.removesuffix(str(number))
        if number is None or number < 0 or head == label:
            runs.append([(label, None)])
        elif runs and runs[-1][-1] == (head, number - 1):
            runs[-1].append((head, number))
        else:
            runs.append([(head, number)])
    told: list[str] = []
    for run in runs:
        (head, first), (_, last) = run[0], run[-1]
        if len(run) > MOST_NUMBERS:
            told.append(f"{head}{first}–{last}")
        else:
            told += [head if number is None else f"{head}{number}" for head, number in run]
    return told


def find(
    answer: str,
    labels: Sequence[Sequence[str]],
    numbers: Sequence[int | None] = (),
    cards: Sequence[Cards | None] = (),
) -> Found | Unclear | Unknown | Number:
    """Which option an answer means; each option comes with all that it may be called, and with the
    number or the cards that it picks."""
    asked = words(answer)
    if not asked:
        return Unknown()
    called = [[words(name) for name in names] for names in labels]
    hits = _hits(_same, asked, called)
    if not hits and len(asked) == 1 and asked[0].isdecimal():
        wholly = [names[0] for names in labels]
        if len(asked[0]) > MOST_DIGITS:
            return Unknown()
        place = int(asked[0]) - 1 if 0 < int(asked[0]) <= len(labels) else None
        if numbered(wholly, numbers):
            return Unknown() if place is None else Found(place)
        if numbered(wholly):
            wanted = (i for i, number in enumerate(numbers) if number == int(asked[0]))
            return Number(tuple(wanted), place)
    told = None if hits else in_any_order(asked, cards)
    if told is not None:  # these words are cards: what has other cards is not meant
        called = [[] if cards[i] is not None else names for i, names in enumerate(called)]
        hits = told.just or told.among
    for fits in (_begins, _scattered):
        hits = hits or _hits(fits, asked, called)
    if not hits:
        return Unknown()
    return Found(hits[0]) if len(hits) == 1 else Unclear(hits)


def _hits(
    fits: Callable[[list[str], list[str]], bool], asked: list[str], called: list[list[list[str]]]
) -> tuple[int, ...]:
    return tuple(i for i, names in enumerate(called) if any(fits(asked, n) for n in names))


def _same(asked: list[str], name: list[str]) -> bool:
    return asked == name


def _begins(asked: list[str], name: list[str]) -> bool:
    """`pl kn` for `play knight`: each word begins the one in its place; further ones may follow."""
    return len(asked) <= len(name) and all(map(_begin, asked, name))


def _scattered(asked: list[str], name: list[str]) -> bool:
    """`kn` for `play knight`: the words begin some of its words, in their order."""
    rest = iter(name)
    return all(any(_begin(part, full) for full in rest) for part in asked)


def _begin(part: str, full: str) -> bool:
    """Whether letters begin a word. Digits don't begin a longer number: 1 is not 10."""
    return full == part if part.isdecimal() else full.startswith(part)


@frozen
class Told:
    """Cards that were told: the options that pick just these, and those that pick more."""

    just: tuple[int, ...]
    among: tuple[int, ...]


def in_any_order(asked: Sequence[str], cards: Sequence[Cards | None]) -> Told | None:
    """What words mean as cards, in whatever order, each by its whole name; `and` may stand between
    them, and what an option begins with in front. None: they are no cards."""
    by_cards: dict[tuple[str, ...], list[int]] = {}
    names: dict[tuple[str, ...], str] = {}  # in any language -> in the first
    heads = {(): None, **{tuple(words(h)): None for c in cards if c for h in c.heads}}
    for index, option in enumerate(cards):
        if option is None or not option.names[0]:
            continue
        by_cards.setdefault(tuple(sorted(option.names[0])), []).append(index)
        for language in option.names:
            for name, first in zip(language, option.names[0], strict=True):
                if name:
                    names.setdefault(tuple(words(name)), first)
    just: set[int] = set()
    among: set[int] = set()
    readable = False
    for head in heads if by_cards else ():
        if not all(map(_begin, asked, head)) or len(asked) <= len(head):
            continue
        rest = tuple(word for word in asked[len(head) :] if word != "and")
        for told in _readings(rest, names, {}):
            readable = True
            fitting = [i for i in by_cards.get(told, ()) if _has_head(cards[i], head)]
            just.update(fitting)
            if not fitting:
                want = Counter(told)
                more = (i for key, found in by_cards.items() if want <= Counter(key) for i in found)
                among.update(i for i in more if _has_head(cards[i], head))
    return Told(tuple(sorted(just)), tuple(sorted(among))) if readable else None


def _has_head(option: Cards | None, head: tuple[str, ...]) -> bool:
    if option is None:
        return False
    return not head or any(tuple(words(called)) == head for called in option.heads)


def _readings(
    told: tuple[str, ...], names: dict[tuple[str, ...], str], known: dict[int, set[tuple[str, ...]]]
) -> set[tuple[str, ...]]:
    """The cards, sorted, that words can name one after the other."""
    if not told:
        return {()}
    if len(told) not in known:
        found: set[tuple[str, ...]] = set()
        for size in range(1, len(told) + 1):
            name = names.get(told[:size])
            if name is not None and len(found) < MOST_READINGS:
                found |= {tuple(sorted((name, *r))) for r in _readings(told[size:], names, known)}
        known[len(told)] = found
    return known[len(told)]


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
