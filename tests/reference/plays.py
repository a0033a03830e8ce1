"""The plays that some cards can make, by trying every combination against the shape's words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product

from dsl import program as p
from tests.reference.table import Card, Play, Table


def plays(table: Table, shapes: Iterable[str], cards: Sequence[Card]) -> list[Play]:
    """All plays of these shapes, each once by faces and places; by shape, size, faces, places."""
    names = list(table.program.shapes)
    ordered = sorted(cards, key=lambda card: (card.face, card.place))
    found: list[Play] = []
    for name in sorted(shapes, key=names.index):
        shape = table.program.shapes[name]
        for size in range(shape.lo, min(shape.hi, len(ordered)) + 1):
            groups: dict[tuple[tuple[int, ...], tuple[int, ...]], list[Card]] = {}
            for group in combinations(ordered, size):
                faces = tuple(card.face for card in group)
                groups.setdefault((faces, tuple(card.place for card in group)), list(group))
            for faces, places in sorted(groups):
                if fits(table, shape, faces):
                    play = Play(names.index(name), groups[faces, places], shown(table, faces))
                    found.append(play)
    return found


def fits(table: Table, shape: p.Shape, faces: Sequence[int]) -> bool:
    """Whether these faces make the shape."""
    wild = [face for face in faces if table.faces[face].kind == shape.wild]
    real = [face for face in faces if table.faces[face].kind != shape.wild]
    if len(wild) > shape.wild_count or not real:
        return False
    for face in real:
        if shape.kind and table.faces[face].kind != shape.kind:
            return False
        if any(a not in table.faces[face].values for _, a in shape.constraints):
            return False
    for constraint, attribute in shape.constraints:
        low, high = table.ranges[attribute]
        values = [table.faces[face].values[attribute] for face in real]
        if not any(
            holds(constraint, [*values, *stand_ins])
            for stand_ins in product(range(low, high + 1), repeat=len(wild))
        ):
            return False
    return True


def holds(constraint: str, values: list[int]) -> bool:
    """Whether values are the same, all different, or follow each other."""
    if constraint == "same":
        return len(set(values)) == 1
    if constraint == "different":
        return len(set(values)) == len(values)
    return sorted(values) == list(range(min(values), min(values) + len(values)))


def shown(table: Table, faces: Sequence[int]) -> tuple[int, ...]:
    """The attributes of a play: of numbers the highest, of names the one that all share."""
    result = []
    for name, attribute in table.program.attributes.items():
        values = [table.faces[f].values[name] for f in faces if name in table.faces[f].values]
        if attribute.values:
            result.append(values[0] if len(set(values)) == 1 else -1)
        else:
            result.append(max(values, default=0))
    return tuple(result)
