"""How deep a heading stands: which phase and loops play is in when one begins.

Events tell when a phase or a labelled loop's run begins, not when it ends. But a loop can only be
inside another if the Program says so, directly or through what it calls: so a new heading closes
all open ones that can't contain it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from dsl import program as p


class Nesting:
    """Follows the headings of one game."""

    def __init__(self, program: p.Program) -> None:
        self._inside = _inside(program)
        self._open: list[p.Span] = []

    def enter(self, rule: p.Origin | None) -> int:
        """The depth (from 1) of a heading that now begins."""
        if rule is None:
            self._open.clear()
            return 1
        while self._open and rule.span not in self._inside.get(self._open[-1], frozenset()):
            self._open.pop()
        self._open.append(rule.span)
        return len(self._open)


@lru_cache(maxsize=16)
def _inside(program: p.Program) -> dict[p.Span, frozenset[p.Span]]:
    """For each phase and labelled loop, those that may run inside it, by their places."""
    found: dict[p.Span, frozenset[p.Span]] = {}
    called: dict[int, frozenset[p.Span]] = {}

    def block(stmts: Iterable[p.Stmt]) -> frozenset[p.Span]:
        return frozenset().union(*(loops(stmt) for stmt in stmts))

    def routine(bodies: Iterable[tuple[p.Stmt, ...]]) -> frozenset[p.Span]:
        total: frozenset[p.Span] = frozenset()
        for body in bodies:
            if id(body) not in called:
                called[id(body)] = frozenset()  # nothing recurses; this only makes sure
                called[id(body)] = block(body)
            total |= called[id(body)]
        return total

    def loops(stmt: p.Stmt) -> frozenset[p.Span]:
        match stmt:
            case p.Repeat() | p.Each() | p.Turn() | p.While() | p.GoRound():
                within = block(stmt.body)
                if not stmt.label:
                    return within
                found[stmt.origin.span] = within
                return within | {stmt.origin.span}
            case p.If():
                return block(stmt.then) | block(stmt.otherwise)
            case p.Choose():
                return frozenset().union(*(block(branch.body) for branch in stmt.branches))
            case p.AtOnce():
                return loops(stmt.choice)
            case p.Do():
                return routine([program.actions[stmt.action].body])
            case p.Apply():
                return routine(effect.body for effect in program.families[stmt.family].effects)
            case p.Moment():
                return routine(hook.body for hook in program.hooks if hook.moment == stmt.name)
            case _:
                return frozenset()

    block(program.setup)
    for phase in program.phases:
        found[phase.origin.span] = block(phase.body)
    return found
