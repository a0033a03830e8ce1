"""What a rule may have found missing, in the words of its line. Used by `interpreter.game` when a
rule failed because a card, a player or a play was not there."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from dsl import program as p
from dsl.program import K
from dsl.suggest import listing
from dsl.walk import everything

_NOTHING = (K.CARD, K.PLAY, K.ROLE, K.SHAPE)
_WHY = {
    p.HolderOf: "nobody has that role",
    p.OwnerOf: "the card lies in a place that belongs to nobody",
    p.First: "there is none to be the first",
    p.Top: "the pile is empty",
    p.TrackRef: "nothing has been put into the track",
}


@frozen
class Absent:
    message: str
    notes: tuple[str, ...]
    suggestion: str


def absent(program: p.Program, file: str, line: int) -> Absent:
    """What stands in this line that may be nobody or nothing."""
    lines = program.sources[file].split("\n")
    made = _made(program)
    found: dict[str, Any] = {}
    for node in everything(program):
        span = getattr(node, "span", None)
        if span is None or (span.file, span.line, span.end_line) != (file, line, line):
            continue
        if _may_be_absent(node, made):
            found.setdefault(lines[line - 1][span.column - 1 : span.end_column - 1], node)
    if not found:
        message = "this rule needs a card, player or play that is not there now"
        return Absent(message, (), "ask first: `if … exists`, or `if any`")
    names = list(found)
    if len(names) == 1:
        node = found[names[0]]
        message = f"`{names[0]}` is {_none(node)} now, and this rule needs it"
    else:
        message = f"of {listing(names, 'and')}, one is not there now, and this rule needs it"
    return Absent(message, _reasons(program, found, made), f"ask first: `if {names[0]} exists`")


def _reasons(
    program: p.Program, found: dict[str, Any], made: dict[p.Var, list[p.Expr]]
) -> tuple[str, ...]:
    """Why each may be missing; a name is what it was made of."""
    notes: list[str] = []
    for name, node in found.items():
        values = made[node.var] if isinstance(node, p.VarRef) else [node]
        for value in values:
            why = _WHY.get(type(value))
            if why is not None:
                notes.append(f"`{name}` is {_none(node)} when {why}")
    return tuple(dict.fromkeys(notes))


def _none(node: Any) -> str:
    return "nobody" if node.type.kind is K.PLAYER else "nothing"


def _made(program: p.Program) -> dict[p.Var, list[p.Expr]]:
    """The names that rules set, and to what."""
    made: dict[p.Var, list[p.Expr]] = {}
    for node in everything(program):
        if isinstance(node, p.SetVar):
            made.setdefault(node.var, []).append(node.value)
    return made


def _may_be_absent(node: Any, made: dict[p.Var, list[p.Expr]]) -> bool:
    match node:
        case p.VarRef(var=var):
            return var in made and _single(node)
        case p.First(source=p.Players()):
            return False
        case p.TrackRef() | p.HolderOf() | p.OwnerOf() | p.First():
            return _single(node)
        case p.Top(count=None):
            return True
        case _:
            return False


def _single(node: Any) -> bool:
    return node.type.kind is K.PLAYER or node.type.kind in _NOTHING
