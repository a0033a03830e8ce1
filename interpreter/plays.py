"""Plays: the combinations of cards that the shapes of a game allow.

A play is a plain tuple `(shape, faces, size, attr…)`: the shape's index, the sorted faces, how
many, then one entry per attribute of the Program in declared order: for numbers the highest among
the cards that have it, for named values the one they share, else -1. Where its cards lie goes
beside it. Used by generated code and by whatever needs the plays of a hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, combinations, groupby, product
from math import prod

from attrs import frozen

from dsl import program as p
from interpreter.binding import Binding
from interpreter.runtime import MOST_PICKS, TooMany

Play = tuple[int, tuple[int, ...], int, *tuple[int, ...]]


@frozen(eq=False)
class _Shape:
    """A shape with tables over faces.

    group: what must be the same in a play, as one number per face; -1 for faces that can only
    stand as wild. different/consecutive: one table per such constraint.
    """

    index: int
    lo: int
    hi: int
    group: tuple[int, ...]
    different: tuple[tuple[int, ...], ...]
    consecutive: tuple[tuple[int, ...], ...]
    wilds: frozenset[int]
    wild_count: int

    @property
    def is_chain(self) -> bool:
        """Whether its plays are just consecutive numbers, without gaps to fill."""
        return len(self.consecutive) == 1 and not self.different and not self.wild_count


class Shapes:
    """The shapes of a bound game. Makes plays; makes each play of given faces only once."""

    def __init__(self, binding: Binding) -> None:
        program = binding.program
        self.names = tuple(program.shapes)
        self._attrs = [(a in binding.numeric, binding.attr[a], binding.has[a])
                       for a in program.attributes]  # fmt: skip
        self._shapes = [
            _shape(binding, i, shape) for i, shape in enumerate(program.shapes.values())
        ]
        self._made: dict[tuple[int, tuple[int, ...]], Play] = {}
        self._singles = [
            {
                f.index: self.make(s.index, (f.index,))
                for f in binding.faces
                if s.group[f.index] >= 0
            }
            for s in self._shapes
        ]

    def of(self, faces: tuple[int, ...]) -> list[Play]:
        """The plays that just these cards (sorted) make: one for each shape they have."""
        shapes = range(len(self._shapes))
        return [play for play in self.plays(faces, shapes, len(faces)) if play[1] == faces]

    def plays(
        self, cards: Sequence[int], shapes: Iterable[int], size: int | None = None
    ) -> list[Play]:
        """All plays of `shapes` (of `size` cards, if given) from `cards`, each once, in order:
        by shape, size, faces."""
        found: list[Play] = []
        hand: list[int] | None = None
        for index in shapes:
            shape = self._shapes[index]
            lo, hi = shape.lo, shape.hi
            if size is not None:
                if not lo <= size <= hi:
                    continue
                lo = hi = size
            if hand is None:
                hand = sorted(cards)
            if lo == 1:
                singles = self._singles[index]
                found += [singles[f] for f in dict.fromkeys(hand) if f in singles]
                lo = 2
            if lo <= hi and len(hand) >= lo:
                found += self._larger(shape, hand, lo, min(hi, len(hand)))
        return found

    def placed(
        self, cards: Sequence[tuple[int, int]], shapes: Iterable[int], size: int | None = None
    ) -> list[tuple[Play, tuple[int, ...]]]:
        """The same for cards that lie in several places, as pairs (face, place id): plays, each
        with the place of every card. Equal cards of one place are one, those of several differ.
        In order by shape, size, faces, places. Raises TooMany beyond `MOST_PICKS`."""
        where: dict[int, list[int]] = {}
        for face, pid in sorted(cards):
            where.setdefault(face, []).append(pid)
        found: list[tuple[Play, tuple[int, ...]]] = []
        for play in self.plays([face for face, _ in cards], shapes, size):
            ways = [
                dict.fromkeys(combinations(where[face], len(list(same))))
                for face, same in groupby(play[1])
            ]
            if len(found) + prod(map(len, ways)) > MOST_PICKS:
                raise TooMany(f"there are more than {MOST_PICKS:,} plays here")
            found += [(play, tuple(chain.from_iterable(way))) for way in product(*ways)]
        return found

    def make(self, shape: int, faces: tuple[int, ...]) -> Play:
        """The play of these sorted faces; they must fit the shape."""
        play = self._made.get((shape, faces))
        if play is None:
            values = []
            for numeric, table, has in self._attrs:
                present = [table[f] for f in faces if has[f]]
                if numeric:
                    values.append(max(present, default=0))
                else:
                    values.append(present[0] if len(set(present)) == 1 else -1)
            play = self._made[shape, faces] = (shape, faces, len(faces), *values)
        return play

    def _larger(self, shape: _Shape, hand: list[int], lo: int, hi: int) -> list[Play]:
        """Plays of two cards and more."""
        groups: dict[int, list[int]] = {}
        group = shape.group
        for face in hand:
            key = group[face]
            if key >= 0:
                groups.setdefault(key, []).append(face)
        wild = [f for f in hand if f in shape.wilds] if shape.wild_count else []
        by_size: list[list[tuple[int, ...]]] = [[] for _ in range(hi + 1)]
        for cards in groups.values():
            if len(cards) + min(len(wild), shape.wild_count) >= lo:
                if shape.is_chain:
                    _chains(cards, shape.consecutive[0], lo, hi, by_size)
                else:
                    _combinations(shape, cards, wild, lo, hi, by_size)
        return [
            self.make(shape.index, faces)
            for size in range(lo, hi + 1)
            for faces in sorted(by_size[size])
        ]


def _shape(binding: Binding, index: int, shape: p.Shape) -> _Shape:
    tables: dict[str, list[tuple[int, ...]]] = {"same": [], "different": [], "consecutive": []}
    fits = [shape.kind in ("", face.kind) for face in binding.faces]
    for constraint, attribute in shape.constraints:
        tables[constraint].append(binding.attr[attribute])
        fits = [f and h for f, h in zip(fits, binding.has[attribute], strict=True)]
    wilds = frozenset(f.index for f in binding.faces if shape.wild and f.kind == shape.wild)
    numbers: dict[tuple[int, ...], int] = {}
    group = []
    for face, fit in enumerate(fits):
        key = tuple(table[face] for table in tables["same"])
        real = fit and face not in wilds
        group.append(numbers.setdefault(key, len(numbers)) if real else -1)
    return _Shape(
        index, shape.lo, shape.hi, tuple(group), tuple(tables["different"]),
        tuple(tables["consecutive"]), wilds, shape.wild_count,
    )  # fmt: skip


def _chains(
    cards: list[int], table: tuple[int, ...], lo: int, hi: int,
    by_size: list[list[tuple[int, ...]]],
) -> None:  # fmt: skip
    """Cards whose numbers follow each other, none twice."""
    at: dict[int, list[int]] = {}
    for face in dict.fromkeys(cards):
        at.setdefault(table[face], []).append(face)
    for number, faces in at.items():
        if number + 1 not in at:
            continue
        chains: list[tuple[int, ...]] = [(face,) for face in faces]
        for length in range(2, hi + 1):
            following = at.get(number + length - 1)
            if following is None:
                break
            chains = [(*chain, face) for chain in chains for face in following]
            if length >= lo:
                by_size[length] += [tuple(sorted(chain)) for chain in chains]


def _combinations(
    shape: _Shape, cards: list[int], wild: list[int], lo: int, hi: int,
    by_size: list[list[tuple[int, ...]]],
) -> None:  # fmt: skip
    """Any cards of a group that keep the other constraints, with wild cards for what is missing."""
    for wilds in range(min(shape.wild_count, len(wild)) + 1):
        extras = list(dict.fromkeys(combinations(wild, wilds)))
        for size in range(max(lo, wilds + 1), min(hi, len(cards) + wilds) + 1):
            for base in dict.fromkeys(combinations(cards, size - wilds)):
                if _fits(shape, base, wilds):
                    by_size[size] += [tuple(sorted(base + extra)) for extra in extras]


def _fits(shape: _Shape, base: tuple[int, ...], wilds: int) -> bool:
    for table in shape.different:
        if len({table[f] for f in base}) < len(base):
            return False
    for table in shape.consecutive:
        numbers = {table[f] for f in base}
        gaps = max(numbers) - min(numbers) + 1 - len(numbers)
        if len(numbers) < len(base) or gaps > wilds:
            return False
    return True
