"""Expressions beside the rules as functions of a State: what examples claim. Used by
`interpreter.examples`.

The rules' own code is left as it is; these functions only read a State. They are written against
the slots that the game's code keeps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from dsl import program as p
from interpreter.binding import Binding
from interpreter.codegen.analysis import Analysis
from interpreter.codegen.expressions import Code
from interpreter.codegen.module import Generator, assemble
from interpreter.compiled import Generated


class _Asides(Generator):
    """One function for each expression, and what they call."""

    def write(self, exprs: Sequence[p.Expr]) -> None:
        for index, expr in enumerate(exprs):

            def body(expr: p.Expr = expr) -> None:
                self.hoist = True
                self.fn.put(f"return {self.x(expr)}")

            self._plain(f"x_{index}", ("s",), expr.span, body)
        self.work()
        self._routines()


def generate_asides(
    binding: Binding, exprs: Sequence[p.Expr], seats: Mapping[int, int], slots: Collection[str]
) -> Generated:
    """Functions `x_0`, `x_1`, … of a State. seats: variables that stand for a player, by id.
    slots: those of the game; variables of the rules are read from theirs."""
    generator = _Asides(binding, Analysis(binding.program), loud=False, jumps=Counter(), keys={})
    for slot in slots:
        if slot[0] == "v" and slot[1:].isdigit():
            place = f"q{slot[1:]}"
            generator.env[int(slot[1:])] = Code(f"s.{slot}", f"s.{place}" if place in slots else "")
    for number, player in seats.items():
        generator.env[number] = Code(str(player))
    generator.write(exprs)
    return assemble(generator, set(), dict(generator.slots))
