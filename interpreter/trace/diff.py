"""What differs between two traces, told by what happens and not by lines of text.

Used by `rules diff`, `rules accept` and the driver for git. Traces are aligned by their headings
(phase, round, turn), and within one heading by acts: that P1 draws *another card* is told from a
draw that is no more there. What is only called otherwise (a place, an action, a mark renamed) is
found and set apart: a name counts as renamed if it is gone on one side, new on the other, and
stands in the same places throughout.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import Enum

from attrs import frozen

from interpreter.trace.diff_parts import Line, Section, renamed, take_apart, words
from interpreter.trace.records import Header

MASK = "\0"
SURE = 0.8  # of the lines with a name must agree that it is renamed
FEWEST = 2  # times it must stand somewhere
FEWEST_CARDS = 5  # and if it is a card's: another card may well come in the same place
_NAME = re.compile(r"(?!P\d+$)[^\W\d].*")


class Kind(Enum):
    """How two lines that stand side by side compare. `value` is for machines."""

    SAME = "same"
    TAGS = "tags"  # the same happens, other clauses are cited
    OFFERED = "offered"  # the same is chosen; on one side it was the only option
    CARDS = "cards"  # the same act with other cards
    CHANGED = "changed"  # the same act, another amount, option or value
    MOVED = "moved"  # the same line, earlier or later under this heading
    GONE = "gone"
    NEW = "new"


PLAY = frozenset({Kind.CARDS, Kind.CHANGED, Kind.MOVED, Kind.GONE, Kind.NEW})
"""Differences in what happens, not in how it is told."""


@frozen
class Row:
    """Two lines side by side; one of them may be missing. `where`: the headings they stand under.
    A heading itself has its depth in `heading`, and no lines."""

    kind: Kind
    where: tuple[str, ...]
    left: Line | None = None
    right: Line | None = None
    heading: int = 0


@frozen
class TraceDiff:
    """Two traces compared.

    `header`: fields that differ, each with both values. `renames`: names on the left and what they
    are on the right. `rows`: everything, aligned. `identical`: the same to the byte.
    """

    one: Header
    other: Header
    header: tuple[tuple[str, str, str], ...]
    renames: Mapping[str, str]
    rows: tuple[Row, ...]
    identical: bool

    @property
    def counts(self) -> Counter[Kind]:
        """How many lines of each kind (an act that is moved counts once)."""
        return Counter(
            row.kind
            for row in self.rows
            if not row.heading and not (row.kind is Kind.MOVED and row.left is None)
        )

    @property
    def changed(self) -> int:
        """How many lines tell of other play."""
        return sum(count for kind, count in self.counts.items() if kind in PLAY)

    @property
    def first(self) -> Row | None:
        """Where play first differs."""
        return next((row for row in self.rows if not row.heading and row.kind in PLAY), None)


def compare(one: str, other: str) -> TraceDiff:
    """Compare two traces, each in either format. TraceError where one can't be read."""
    left_head, left = take_apart(one)
    right_head, right = take_apart(other)
    names = _renames(left, right)
    back = {new: old for old, new in names.items()}
    rows = tuple(_Aligner(lambda text: renamed(text, lambda w: back.get(w, w))).rows(left, right))
    header = tuple(
        (field, mine, its)
        for (field, mine), (_, its) in zip(_fields(left_head), _fields(right_head), strict=True)
        if mine != its
    )
    return TraceDiff(left_head, right_head, header, names, rows, one == other)


def _fields(head: Header) -> list[tuple[str, str]]:
    options = ", ".join(f"{name}={value}" for name, value in head.options) or "as usual"
    return [
        ("ruleset", head.ruleset),
        ("options", options),
        ("players", str(head.players)),
        ("seed", "none" if head.seed is None else str(head.seed)),
        ("bots", head.bots),
        ("view", head.view or "all"),
    ]


# ── aligning ─────────────────────────────────────────────────────────────────────────────────


class _Aligner:
    """Puts the parts of two traces side by side. `same` brings the right one's names to the
    left's."""

    def __init__(self, same: Callable[[str], str]) -> None:
        self._same = same

    def rows(self, left: Section, right: Section, where: tuple[str, ...] = ()) -> Iterator[Row]:
        yield from self._lines(left.lines, right.lines, where)
        pairs = _matched(
            [self.key(part.title) for part in left.parts],
            [self.key(self._same(part.title)) for part in right.parts],
        )
        for i, j in pairs:
            mine = None if i is None else left.parts[i]
            its = None if j is None else right.parts[j]
            if mine is not None and its is not None:
                inside = (*where, mine.title)
                yield Row(Kind.SAME, inside, heading=mine.depth)
                yield from self.rows(mine, its, inside)
            elif mine is not None:
                yield from _one_sided(mine, where, Kind.GONE)
            elif its is not None:
                yield from _one_sided(its, where, Kind.NEW)

    def key(self, text: str) -> str:
        """What must be equal for two texts to be the same."""
        return text

    def _lines(
        self, left: Sequence[Line], right: Sequence[Line], where: tuple[str, ...]
    ) -> Iterator[Row]:
        rows = list(self._paired(left, right, where))
        gone = {self.key(r.left.text) for r in rows if r.kind is Kind.GONE and r.left}
        new = {self.key(self._same(r.right.text)) for r in rows if r.kind is Kind.NEW and r.right}
        both = gone & new
        for row in rows:
            line = row.left or row.right
            one_sided = row.kind in (Kind.GONE, Kind.NEW) and line is not None
            text = "" if line is None else line.text if row.left else self._same(line.text)
            if one_sided and self.key(text) in both:
                yield Row(Kind.MOVED, where, row.left, row.right)
            else:
                yield row

    def _paired(
        self, left: Sequence[Line], right: Sequence[Line], where: tuple[str, ...]
    ) -> Iterator[Row]:
        mine = [self.key(line.text) for line in left]
        its = [self.key(self._same(line.text)) for line in right]
        for tag, i1, i2, j1, j2 in _opcodes(mine, its):
            if tag == "equal":
                for i, j in zip(range(i1, i2), range(j1, j2), strict=True):
                    yield Row(_as_told(left[i], right[j]), where, left[i], right[j])
                continue
            acts = _matched(
                [self.key(line.act) for line in left[i1:i2]],
                [self.key(self._same(line.act)) for line in right[j1:j2]],
            )
            for mine_at, its_at in acts:
                one = None if mine_at is None else left[i1 + mine_at]
                other = None if its_at is None else right[j1 + its_at]
                yield Row(_kind(one, other), where, one, other)


class _Masked(_Aligner):
    """An aligner for which names that only one side has are all alike."""

    def __init__(self, strange: frozenset[str]) -> None:
        super().__init__(lambda text: text)
        self._strange = strange

    def key(self, text: str) -> str:
        return renamed(text, lambda word: MASK if word in self._strange else word)


def _as_told(one: Line, other: Line) -> Kind:
    if one.marks != other.marks:
        return Kind.OFFERED
    return Kind.SAME if one.tags == other.tags else Kind.TAGS


def _kind(one: Line | None, other: Line | None) -> Kind:
    if other is None:
        return Kind.GONE
    if one is None:
        return Kind.NEW
    if one.kind in ("move", "reveal", "shuffle"):
        return Kind.CARDS
    return Kind.CHANGED


def _one_sided(section: Section, where: tuple[str, ...], kind: Kind) -> Iterator[Row]:
    inside = (*where, section.title)
    yield Row(kind, inside, heading=section.depth)
    for line in section.lines:
        left, right = (line, None) if kind is Kind.GONE else (None, line)
        yield Row(kind, inside, left, right)
    for part in section.parts:
        yield from _one_sided(part, inside, kind)


def _opcodes(
    left: Sequence[Hashable], right: Sequence[Hashable]
) -> list[tuple[str, int, int, int, int]]:
    return list(SequenceMatcher(None, left, right, autojunk=False).get_opcodes())


def _matched(
    left: Sequence[Hashable], right: Sequence[Hashable]
) -> Iterator[tuple[int | None, int | None]]:
    """Positions in two sequences side by side, those of equal elements together."""
    for tag, i1, i2, j1, j2 in _opcodes(left, right):
        if tag == "equal":
            yield from zip(range(i1, i2), range(j1, j2), strict=True)
        else:
            yield from ((i, None) for i in range(i1, i2))
            yield from ((None, j) for j in range(j1, j2))


# ── renames ──────────────────────────────────────────────────────────────────────────────────


def _renames(left: Section, right: Section) -> dict[str, str]:
    """Names that are called otherwise on the right, and nothing else."""
    mine, its = _vocabulary(left), _vocabulary(right)
    strange = frozenset(mine.keys() ^ its.keys())
    if not strange & mine.keys() or not strange & its.keys():
        return {}
    votes: Counter[tuple[str, str]] = Counter()
    aligner = _Masked(strange)
    for one, other in _alike(aligner, left, right):
        for old, new in zip(words(one), words(other), strict=False):
            if old != new:
                votes[old, new] += 1
    found: dict[str, str] = {}
    taken: set[str] = set()
    cards = _cards(left) | _cards(right)
    for (old, new), count in votes.most_common():
        few = FEWEST_CARDS if {old, new} & cards else FEWEST
        if old in found or new in taken or count < few:
            continue
        if count >= SURE * mine[old] and count >= SURE * its[new]:
            found[old] = new
            taken.add(new)
    return found


def _cards(section: Section) -> set[str]:
    """The names of cards that a trace shows."""
    return {
        word
        for line in section.everything()
        if line.kind in ("move", "reveal")
        for word in words(line.what)
    }


def _alike(aligner: _Aligner, left: Section, right: Section) -> Iterator[tuple[str, str]]:
    """Texts of both sides that are equal but for names that only one has."""
    for row in aligner.rows(left, right):
        if row.kind not in PLAY and row.left and row.right:
            yield row.left.text, row.right.text
    yield from _alike_titles(aligner, left, right)


def _alike_titles(aligner: _Aligner, left: Section, right: Section) -> Iterator[tuple[str, str]]:
    keys = [aligner.key(part.title) for part in left.parts]
    others = [aligner.key(part.title) for part in right.parts]
    for i, j in _matched(keys, others):
        if i is not None and j is not None:
            yield left.parts[i].title, right.parts[j].title
            yield from _alike_titles(aligner, left.parts[i], right.parts[j])


def _vocabulary(section: Section) -> Counter[str]:
    """How often each name stands in lines and headings; numbers, signs and players are none."""
    found: Counter[str] = Counter()
    for text in (*(line.text for line in section.everything()), *section.titles()):
        found.update(word for word in words(text) if _NAME.fullmatch(word))
    return found
