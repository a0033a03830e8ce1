"""A game that counts how often each of its rules is carried out.

Used by `lab.cover`. The code generator writes, in front of every statement, way of a choice and
named value, a line that counts it; everything else is written as for play, except that named values
are never written out in place (they would not be counted there). So the counts are those of play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from dsl import program as p
from dsl.walk import bodies
from interpreter.binding import OptionValue, bind
from interpreter.codegen.analysis import Analysis
from interpreter.codegen.jumps import Label
from interpreter.codegen.module import Generator, generate
from interpreter.compiled import Generated
from interpreter.game import Game

Counted = p.Stmt | p.Branch | p.Value


def counted(program: p.Program) -> list[Counted]:
    """Everything of a Program that is counted, in the order it is numbered."""
    found: list[Counted] = []
    for body in bodies(program):
        found += walked(body)
    return [*found, *program.values.values()]


def walked(body: tuple[p.Stmt, ...]) -> Iterator[p.Stmt | p.Branch]:
    """The statements of a body and the ways of its choices, outer ones first."""
    for stmt in body:
        yield stmt
        match stmt:
            case p.If():
                yield from walked(stmt.then)
                yield from walked(stmt.otherwise)
            case p.Repeat() | p.Each() | p.Turn() | p.While() | p.GoRound():
                yield from walked(stmt.body)
            case p.Choose():
                yield from _ways(stmt)
            case p.AtOnce():
                yield from _ways(stmt.choice)
            case _:
                pass


def _ways(choice: p.Choose) -> Iterator[p.Stmt | p.Branch]:
    for branch in choice.branches:
        yield branch
        yield from walked(branch.body)


class _Analysis(Analysis):
    """Facts about a Program, among them the number of each thing that is counted."""

    def __init__(self, program: p.Program) -> None:
        super().__init__(program)
        self.numbers = {id(node): number for number, node in enumerate(counted(program))}

    def small(self, expr: p.Call) -> bool:
        return False


class _Generator(Generator):
    """Writes a game that counts."""

    def note_reached(self, node: Counted) -> None:
        assert isinstance(self.analysis, _Analysis)
        self.fn.put(f"REACHED[{self.analysis.numbers[id(node)]}] += 1")

    def plain(self, stmt: p.Stmt) -> None:
        if not isinstance(stmt, p.End):  # see `end`
            with self.at(stmt.origin):
                self.note_reached(stmt)
        super().plain(stmt)

    def _split(self, stmt: p.Stmt, k: Label) -> None:
        self.note_reached(stmt)
        super()._split(stmt, k)

    def end(self, stmt: p.End) -> None:
        self.note_reached(stmt)
        super().end(stmt)

    def branches(self, stmt: p.Choose, body: Callable[[p.Branch], None]) -> None:
        def counting(branch: p.Branch) -> None:
            self.note_reached(branch)
            body(branch)

        super().branches(stmt, counting)

    def _value(self, value: p.Value) -> None:
        self.note_reached(value)
        super()._value(value)


class CountingGame(Game):
    """A game whose `reached` says how often each of `counted` was carried out so far."""

    def __init__(
        self, program: p.Program, players: int, options: Mapping[str, OptionValue]
    ) -> None:
        binding = bind(program, players, options)
        self.reached = [0] * len(counted(program))
        key = (program.source_hash, players, tuple(sorted(binding.options.items())))
        super().__init__(binding, key)

    def _code(self) -> tuple[Generated, Generated]:
        return generate(self.binding, _Analysis(self.program), _Generator)

    def _load(self, generated: Generated) -> dict[str, Any]:
        names = super()._load(generated)
        names["REACHED"] = self.reached
        return names
