"""Facts about a Program that those who show games need: its choices, and what its loops run over.

Used by traces and screens; pure lookups, kept per Program.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import attrs

from dsl import program as p


def nodes(*roots: Any) -> Iterator[Any]:
    """Everything below some parts of a Program, in no particular order."""
    stack: list[Any] = list(roots)
    while stack:
        node = stack.pop()
        if isinstance(node, (tuple, list)):
            stack.extend(node)
        elif attrs.has(type(node)) and not isinstance(node, (p.Span, p.Origin, p.Names, p.Type)):
            yield node
            stack.extend(getattr(node, a.name) for a in attrs.fields(type(node)))


def rules(program: p.Program) -> Iterator[Any]:
    """Everything in what happens in a game: statements, branches, expressions, variables."""
    return nodes(
        program.setup,
        program.phases,
        list(program.actions.values()),
        list(program.families.values()),
        program.hooks,
    )


@lru_cache(maxsize=16)
def choices(program: p.Program) -> dict[str, p.Choose]:
    """Every choice by its path."""
    return {node.origin.path: node for node in rules(program) if isinstance(node, p.Choose)}


@lru_cache(maxsize=16)
def player_labels(program: p.Program) -> frozenset[str]:
    """The labels of loops that run over players: their value is a seat, not a number."""
    found = set()
    for node in rules(program):
        match node:
            case p.Turn() | p.GoRound():
                found.add(node.label)
            case p.Each() if node.source.type.kind is p.K.PLAYERS:
                found.add(node.label)
    return frozenset(found)
