"""Walking through a Program, for checks and other readers that are not in a hurry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from dsl import program as p

_NAMES: dict[type, tuple[str, ...]] = {}
_BELOW: dict[type, tuple[str, ...] | None] = {}  # in `walk`, last part first; None: no node


def fields(kind: Any) -> tuple[str, ...]:
    """The names of a node's parts, without where it stands."""
    found = _NAMES.get(kind)
    if found is None:
        names = (field.name for field in attrs.fields(kind))
        found = _NAMES[kind] = tuple(name for name in names if name not in ("span", "origin"))
    return found


def walk(root: object) -> Iterator[Any]:
    """Every node below `root`, itself included, in the order written; tuples are walked through."""
    stack = [root]
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind is tuple:
            stack += reversed(node)  # type: ignore[call-overload]
            continue
        if kind not in _BELOW:
            _BELOW[kind] = _below(kind)
        names = _BELOW[kind]
        if names is not None:
            yield node
            stack += [getattr(node, name) for name in names]


def _below(kind: type) -> tuple[str, ...] | None:
    """Where `walk` goes on below a node of a kind; None if it is not for `walk`."""
    if not attrs.has(kind) or issubclass(kind, (p.Type, p.Names, p.Var)):
        return None
    return fields(kind)[::-1]


def bodies(program: p.Program) -> Iterator[tuple[p.Stmt, ...]]:
    """All bodies of statements of a Program."""
    yield program.setup
    for phase in program.phases:
        yield phase.body
    for action in program.actions.values():
        yield action.body
    for family in program.families.values():
        for effect in family.effects:
            yield effect.body
    for hook in program.hooks:
        yield hook.body


def everything(program: p.Program) -> Iterator[Any]:
    """Every node of a Program's rules: statements and expressions."""
    for body in bodies(program):
        yield from walk(body)
    yield from walk(tuple(hook.when for hook in program.hooks))
    yield from walk(tuple(value.body for value in program.values.values()))
    yield from walk((program.scoring, program.winner))
    for holder in program.holders.values():
        yield from walk((holder.start, holder.limit))
    for attribute in program.attributes.values():
        yield from walk((attribute.lo, attribute.hi))
    for kind in program.kinds.values():
        yield from walk(kind.copies)


def children(statement: p.Stmt) -> tuple[p.Stmt, ...]:
    """The statements directly inside a statement."""
    match statement:
        case p.If(then=then, otherwise=otherwise):
            return then + otherwise
        case p.Choose(branches=branches):
            return tuple(inner for branch in branches for inner in branch.body)
        case p.AtOnce(choice=choice):
            return (choice,)
        case p.Repeat() | p.Each() | p.Turn() | p.While() | p.GoRound():
            return statement.body
        case _:
            return ()
