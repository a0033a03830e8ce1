"""Plays: the combinations of cards that the shapes of a game allow.

A play is a plain tuple `(shape, faces, size, attr…)`: the shape's index, the sorted faces, how
many, then one entry per attribute of the Program in declared order: for numbers the highest among
the cards that have it, for named values the one they share, else -1. Used by generated code and
by whatever needs the plays of a hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations

from attrs import frozen

from interpreter.binding import Binding

Play = tuple[int, tuple[int, ...], int, *tuple[int, ...]]


@frozen(eq=False)
class _Shape:
    """A shape with its attributes as tables over faces. `fits`: faces that can be a real card."""

    lo: int
    hi: int
    fits: tuple[bool, ...]
    same: tuple[tuple[int, ...], ...]
    different: tuple[tuple[int, ...], ...]
    consecutive: tuple[tuple[int, ...], ...]
    wilds: frozenset[int]
    wild_count: int


class Shapes:
    """The shapes of a bound game. Makes plays; makes each play of given faces only once."""

    def __init__(self, binding: Binding) -> None:
        program = binding.program
        self.names = tuple(program.shapes)
        self._attrs = [(a in binding.numeric, binding.attr[a], binding.has[a])
                       for a in program.attributes]  # fmt: skip
        self._shapes: list[_Shape] = []
        for shape in program.shapes.values():
            tables: dict[str, list[tuple[int, ...]]] = {
                "same": [], "different": [], "consecutive": []
            }  # fmt: skip
            fits = [shape.kind in ("", face.kind) for face in binding.faces]
            for constraint, attribute in shape.constraints:
                tables[constraint].append(binding.attr[attribute])
                fits = [f and h for f, h in zip(fits, binding.has[attribute], strict=True)]
            wilds = frozenset(f.index for f in binding.faces if f.kind == shape.wild)
            self._shapes.append(
                _Shape(
                    shape.lo, shape.hi,
                    tuple(f and i not in wilds for i, f in enumerate(fits)),
                    tuple(tables["same"]), tuple(tables["different"]),
                    tuple(tables["consecutive"]), wilds, shape.wild_count,
                )
            )  # fmt: skip
        # The plays of a hand are asked for again and again while the hand stays the same (by
        # the rules that look ahead, and by every search), so the last ones are kept.
        self._of = lru_cache(maxsize=4096)(self._enumerate)
        self._made = lru_cache(maxsize=65536)(self._make)

    def plays(
        self, cards: Sequence[int], shapes: Iterable[int], size: int | None = None
    ) -> list[Play]:
        """All plays of `shapes` (of `size` cards, if given) from `cards`, each once, in order."""
        hand = tuple(sorted(cards))
        found: list[Play] = []
        for shape in shapes:
            found += self._of(shape, hand, size)
        return found

    def make(self, shape: int, faces: tuple[int, ...]) -> Play:
        """The play of these sorted faces; they must fit the shape."""
        return self._made(shape, faces)

    def _make(self, shape: int, faces: tuple[int, ...]) -> Play:
        values = []
        for numeric, table, has in self._attrs:
            present = [table[f] for f in faces if has[f]]
            if numeric:
                values.append(max(present, default=0))
            else:
                values.append(present[0] if len(set(present)) == 1 else -1)
        return (shape, faces, len(faces), *values)

    def _enumerate(self, index: int, hand: tuple[int, ...], size: int | None) -> tuple[Play, ...]:
        shape = self._shapes[index]
        lo, hi = shape.lo, min(shape.hi, len(hand))
        if size is not None:
            if not lo <= size <= hi:
                return ()
            lo = hi = size
        real = [f for f in hand if shape.fits[f]]
        wild = [f for f in hand if f in shape.wilds]
        groups = _groups(shape, real)
        found: list[tuple[int, ...]] = []
        for total in range(lo, hi + 1):
            sized: set[tuple[int, ...]] = set()
            for wilds in range(min(shape.wild_count, len(wild), total - 1) + 1):
                for group in groups:
                    for base in combinations(group, total - wilds):
                        if self._fits(shape, base, wilds):
                            for extra in set(combinations(wild, wilds)):
                                sized.add(tuple(sorted(base + extra)))
            found += sorted(sized)
        return tuple(self._made(index, faces) for faces in found)

    def _fits(self, shape: _Shape, base: tuple[int, ...], wilds: int) -> bool:
        for table in shape.different:
            if len({table[f] for f in base}) < len(base):
                return False
        for table in shape.consecutive:
            numbers = sorted(table[f] for f in base)
            gaps = numbers[-1] - numbers[0] + 1 - len(numbers)
            if len(set(numbers)) < len(numbers) or gaps > wilds:
                return False
        return True


def _groups(shape: _Shape, real: list[int]) -> list[list[int]]:
    """The real cards, split by the attributes that must be the same in a play."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for f in real:
        groups.setdefault(tuple(table[f] for table in shape.same), []).append(f)
    return list(groups.values())
