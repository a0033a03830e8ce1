"""How blocks can end: by going on, or by `end phase`, `end game`, `end LABEL`. Used by checks.

An outcome is the word after `end`, or `ON` where play goes on behind. Everything a block might do
counts; so a block without `ON` never goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from dsl import program as p

ON = ""
_ON = frozenset({ON})


class Flow:
    """The outcomes of a Program's rules."""

    def __init__(self, program: p.Program):
        self._program = program
        self._known: dict[tuple[str, str], frozenset[str]] = {}

    def body(self, body: Iterable[p.Stmt]) -> frozenset[str]:
        """The outcomes of statements one after the other."""
        found: frozenset[str] = frozenset()
        for statement in body:
            here = self.statement(statement)
            found |= here - _ON
            if ON not in here:
                return found
        return found | _ON

    def statement(self, statement: p.Stmt) -> frozenset[str]:
        match statement:
            case p.End():
                return frozenset({statement.key})
            case p.If(then=then, otherwise=otherwise):
                return self.body(then) | self.body(otherwise)
            case p.Choose():
                return self._choice(statement)
            case p.AtOnce(choice=choice):
                return self._choice(choice) | _ON  # there may be no players
            case p.Turn(body=body, label=label):
                return self._run(body, label)
            case p.Repeat(count=p.Const(value=int(count)), body=body, label=label) if count > 0:
                return self._run(body, label)
            case p.Repeat() | p.Each() | p.While() | p.GoRound():
                return self._run(statement.body, statement.label) | _ON
            case p.Do(action=name):
                return self._routine("action", name, [self._program.actions[name].body])
            case p.Apply(family=name):
                effects = self._program.families[name].effects
                return _ON | self._routine("effect", name, [effect.body for effect in effects])
            case p.Moment(name=name):
                hooks = [hook.body for hook in self._program.hooks if hook.moment == name]
                return _ON | self._routine("moment", name, hooks)
            case (
                p.Shuffle()
                | p.Deal()
                | p.Move()
                | p.MoveRandom()
                | p.MoveTokens()
                | p.SetMark()
                | p.SetTrack()
                | p.SetVar()
                | p.PassRoles()
                | p.Reveal()
            ):
                return _ON
            case _:
                assert_never(statement)

    def _routine(self, kind: str, name: str, ways: list[tuple[p.Stmt, ...]]) -> frozenset[str]:
        if (kind, name) not in self._known:
            self._known[kind, name] = _ON  # in a circle, which another check reports
            self._known[kind, name] = frozenset[str]().union(*map(self.body, ways))
        return self._known[kind, name]

    def _choice(self, choice: p.Choose) -> frozenset[str]:
        skipped = _ON if choice.if_any else frozenset[str]()
        return skipped.union(*(self.body(branch.body) for branch in choice.branches))

    def _run(self, body: tuple[p.Stmt, ...], label: str) -> frozenset[str]:
        """A run of a loop's body; `end LABEL` goes on with the next run, or behind the loop, and
        `leave LABEL` behind it."""
        found = self.body(body)
        own = {label, f"leave {label}"}
        return (found - own) | _ON if label and own & found else found
