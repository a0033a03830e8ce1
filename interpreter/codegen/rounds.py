"""How often loops that never ask can run at most, as far as options and player count fix it.

Used by `statements`: loops that are sure to run a few times only need no counting (the cap on a
game's loops is `runtime.STEPS`).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from dsl import program as p
from interpreter.codegen.collections import Collections

Loop = p.Repeat | p.Each | p.While | p.GoRound


class Rounds:
    """Bounds of runs; `inf` where nothing is known."""

    def __init__(self, known: Collections) -> None:
        self._known = known
        self._program = known.program

    def of(self, loop: Loop) -> float:
        """The runs of a loop and of all loops in it, once it is reached."""
        match loop:
            case p.Repeat():
                here = self._number(loop.count)
            case p.Each():
                here = self._size(loop.source)
            case p.While():
                here = self._number(loop.limit)
            case p.GoRound():
                here = inf
        return here * (1 + self._body(loop.body)) if here else 0

    def _body(self, body: Iterable[p.Stmt]) -> float:
        return sum(map(self._statement, body))

    def _statement(self, stmt: p.Stmt) -> float:
        match stmt:
            case p.Repeat() | p.Each() | p.While() | p.GoRound():
                return self.of(stmt)
            case p.If():
                return max(self._body(stmt.then), self._body(stmt.otherwise))
            case p.Turn():
                return self._body(stmt.body)
            case p.Do():
                return self._body(self._program.actions[stmt.action].body)
            case p.Apply():
                effects = self._program.families[stmt.family].effects
                return max((self._body(effect.body) for effect in effects), default=0)
            case p.Moment():
                hooks = (hook for hook in self._program.hooks if hook.moment == stmt.name)
                return sum(self._body(hook.body) for hook in hooks)
            case _:
                return 0

    def _number(self, expr: p.Expr) -> float:
        value = self._known.known(expr)
        return max(value, 0) if isinstance(value, int) else inf

    def _size(self, expr: p.Expr) -> float:
        """The most items a collection can have."""
        binding = self._known.b
        match expr.type.kind:
            case p.K.CARDS:
                return len(binding.deck)
            case p.K.PLAYERS:
                return binding.players
            case p.K.ENUMS if expr.type.name in self._program.attributes:
                if expr.type.name in binding.numeric:
                    low, high = binding.numeric[expr.type.name]
                    return max(0, high - low + 1)
                return len(self._program.attributes[expr.type.name].values)
            case _:
                return inf
