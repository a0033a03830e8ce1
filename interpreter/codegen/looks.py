"""How often an expression looks at something at most, and where that has to be counted.

Used by `searches` and `expressions`. A question inside a question (`count of cards in deck where
number > count of …`) is asked for every element; a few of them inside each other are more than
anybody waits for. Where what is known of decks and ranges allows so many, the inner questions are
counted as they are asked (`runtime.Looks`). Usual expressions are far from that, and cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from dsl import program as p
from dsl.walk import everything
from interpreter.binding import Binding
from interpreter.codegen.analysis import Analysis, children

MANY = 1_000_000
"""Looks of one expression from which on its inner questions are counted."""
PLAYS = 100
"""Taken for the number of plays that some cards make."""
NUMBERS = 100_000
"""Taken for a range of numbers whose ends are not fixed (`program.MOST_NUMBERS`)."""
_ENDS = 10**12  # no matter how many more

Asked = p.Count | p.Any_ | p.Fold | p.First | p.Call
Place = tuple[type, p.Span]


class Looks:
    """The questions of a bound game that are counted, by kind and place: written out somewhere
    else, a question keeps them."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self._program = binding.program
        self._known: dict[int, int] = {}
        self.counted: set[Place] = set()
        self._done: set[int] = set()
        for node in everything(self._program):
            if isinstance(node, Asked) and self.of(node) > MANY:
                self._count([*children(node), *self._named(node)])

    def of(self, node: Any) -> int:
        """How many looks a part of an expression takes at most."""
        known = self._known.get(id(node))
        if known is None:
            known = self._known[id(node)] = min(self._work_out(node), _ENDS)
        return known

    def _work_out(self, node: Any) -> int:
        match node:
            case p.Filter():
                return self.of(node.source) + self._size(node) * self.of(node.condition)
            case p.Fold():
                return self.of(node.source) + self._size(node.source) * self.of(node.expr)
            case p.Sorted():
                each = sum(self.of(key.expr) for key in node.keys)
                return self.of(node.source) + self._size(node) * each
            case p.Best():
                return self.of(node.source) + self._size(node) * self.of(node.key.expr)
            case p.Call():
                inner = self.of(self._program.values[node.value].body)
                return 1 + inner + sum(map(self.of, node.args))
            case _:
                return 1 + sum(map(self.of, children(node)))

    def _size(self, expr: p.Expr) -> int:
        """The most elements a collection can have, or what is taken for it."""
        binding, kind = self._binding, expr.type
        match kind.kind:
            case p.K.CARDS:
                return len(binding.deck)
            case p.K.PLAYERS:
                return binding.players
            case _ if kind.name == "play":
                return PLAYS
            case p.K.ENUMS if kind.name in binding.numeric:
                low, high = binding.numeric[kind.name]
                return max(0, high - low + 1)
            case p.K.ENUMS if kind.name in self._program.attributes:
                return len(self._program.attributes[kind.name].values)
            case _:
                return NUMBERS

    def _count(self, nodes: Iterable[Any]) -> None:
        """Have the questions in some nodes counted, in values that they name as well."""
        for node in _all(nodes):
            if isinstance(node, Asked):
                self.counted.add((type(node), node.span))
            for body in self._named(node):
                if id(body) not in self._done:
                    self._done.add(id(body))
                    self._count([body])

    def _named(self, node: Any) -> list[p.Expr]:
        """What a named value stands for."""
        return [self._program.values[node.value].body] if isinstance(node, p.Call) else []


def _all(nodes: Iterable[Any]) -> Iterator[Any]:
    stack = list(nodes)
    while stack:
        node = stack.pop()
        yield node
        stack += children(node)


def looks_of(binding: Binding, analysis: Analysis) -> set[Place]:
    """The questions that are counted, found once for each game that is made."""
    if not isinstance(analysis.looks, Looks):
        analysis.looks = Looks(binding)
    return analysis.looks.counted
