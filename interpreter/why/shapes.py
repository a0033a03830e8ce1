"""Why cards don't make a shape. Used by `interpreter.why.members`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.why.answers import Unfit

if TYPE_CHECKING:
    from interpreter.game import Game


def unfit(game: Game, index: int, faces: tuple[int, ...]) -> Unfit:
    """The first thing that keeps cards from making a shape.

    The rules of shapes are those of `dsl.program.Shape`: so many cards of a kind, constraints on
    them, and cards of another kind that may stand for any.
    """
    binding = game.binding
    shape = list(game.program.shapes.values())[index]
    if not shape.lo <= len(faces) <= shape.hi:
        return Unfit(index, "size", "", (shape.lo, shape.hi, len(faces)))
    wild = [f for f in faces if shape.wild and binding.faces[f].kind == shape.wild]
    real = [f for f in faces if f not in wild]
    if len(wild) > shape.wild_count:
        return Unfit(index, "wild", shape.wild, (len(wild), shape.wild_count))
    if not real:
        return Unfit(index, "all wild", shape.wild, faces)
    others = tuple(f for f in real if shape.kind not in ("", binding.faces[f].kind))
    if others:
        return Unfit(index, "kind", shape.kind, others)
    for constraint, attribute in shape.constraints:
        lacking = tuple(f for f in real if not binding.has[attribute][f])
        if lacking:
            return Unfit(index, "lacking", attribute, lacking)
        values = [binding.attr[attribute][f] for f in real]
        if constraint == "same" and len(set(values)) > 1:
            return Unfit(index, "same", attribute, tuple(dict.fromkeys(values)))
        if constraint == "different" and len(set(values)) < len(values):
            return Unfit(index, "different", attribute, tuple(values))
        if constraint == "consecutive":
            gaps = max(values) - min(values) + 1 - len(set(values))
            if len(set(values)) < len(values) or gaps > len(wild):
                return Unfit(index, "consecutive", attribute, tuple(sorted(values)))
    return Unfit(index, "", "", faces)
