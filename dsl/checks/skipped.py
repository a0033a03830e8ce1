"""Answers of choices that may have been skipped.

After `choose raid if any: …`, in the rest of the block, `raid` may stand for nothing. There it can
be asked for (`if raid exists`), compared, and handed on to a track or a name. All else needs the
answer: it has to stand below the choice, or where a condition says that there is one. There is no
asking for numbers and several cards, so these are used only below the choice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from dsl import program as p
from dsl.checks.flow import ON, Flow
from dsl.context import Context
from dsl.program import K
from dsl.walk import bodies, fields

_MAY_BE_ABSENT = (K.PLAYER, K.CARD, K.PLAY, K.ROLE, K.ENUM, K.SHAPE)


def skipped_answers(program: p.Program, c: Context) -> None:
    reader = _Reader(Flow(program), c)
    for body in bodies(program):
        reader.body(body)


@attrs.define(eq=False)
class _Reader:
    """Goes through blocks with the answers that may be missing: `open`, by the choice's place."""

    flow: Flow
    context: Context
    open: dict[p.Var, p.Span] = attrs.field(factory=dict)
    told: set[p.Var] = attrs.field(factory=set)

    def body(self, body: Iterable[p.Stmt], there: frozenset[p.Var] = frozenset()) -> None:
        """A block in which some answers are certain to be there."""
        before = self.open
        self.open = {var: span for var, span in before.items() if var not in there}
        for statement in body:
            self.statement(statement)
        self.open = before

    def statement(self, statement: p.Stmt) -> None:
        match statement:
            case p.If(condition=condition, then=then, otherwise=otherwise):
                self.expr(condition)
                yes, no = known(condition)
                self.body(then, yes)
                self.body(otherwise, no)
                if ON not in self.flow.body(then):
                    self.close(no)
                if ON not in self.flow.body(otherwise):
                    self.close(yes)
            case p.Choose(branches=(p.Branch(name="", var=p.Var() as var),), if_any=True):
                self.parts(statement)
                self.open[var] = statement.origin.span
            case p.Move(cards=p.VarRef(), if_any=True):
                self.expr(statement.to)
            case p.SetVar(value=p.VarRef(type=kind)) if kind.kind in _MAY_BE_ABSENT:
                self.close({statement.var})
            case p.SetVar():
                self.expr(statement.value)
                self.close({statement.var})
            case p.SetTrack(value=p.VarRef(type=kind)) if kind.kind in _MAY_BE_ABSENT:
                self.expr(statement.player)
            case _:
                self.parts(statement)

    def parts(self, node: Any) -> None:
        """What a node consists of: blocks, ways of a choice, and expressions."""
        for name in fields(type(node)):
            part = getattr(node, name)
            if name == "body":
                self.body(part)
            elif name == "choice":
                self.statement(part)
            else:
                self.expr(part)

    def expr(self, node: Any, there: frozenset[p.Var] = frozenset()) -> None:
        match node:
            case tuple():
                for part in node:
                    self.expr(part, there)
            case p.Branch(when=p.Binary() | p.Exists() | p.Unary() as when, pick=pick, body=body):
                yes, _ = known(when)
                self.expr(when, there)
                self.expr(pick, there | yes)
                self.body(body, yes)
            case p.Branch(when=when, pick=pick, body=body):
                self.expr((when, pick), there)
                self.body(body)
            case p.VarRef(var=var, span=span):
                if var not in there:
                    self.used(var, span)
            case p.Exists(operand=p.VarRef()):
                pass
            case p.Binary(op="=" | "!=", left=left, right=right):
                sides = [side for side in (left, right) if not isinstance(side, p.VarRef)]
                self.expr(tuple(sides), there)
            case p.Binary(op="and" | "or" as op, left=left, right=right):
                yes, no = known(left)
                self.expr(left, there)
                self.expr(right, there | (yes if op == "and" else no))
            case p.Conditional(condition=condition, then=then, otherwise=otherwise):
                yes, no = known(condition)
                self.expr(condition, there)
                self.expr(then, there | yes)
                self.expr(otherwise, there | no)
            case _ if attrs.has(type(node)) and not isinstance(node, p.Type | p.Names | p.Var):
                self.expr(tuple(getattr(node, name) for name in fields(type(node))), there)

    def close(self, there: Iterable[p.Var]) -> None:
        """From here to the end of the block these are certain to be there."""
        self.open = {var: span for var, span in self.open.items() if var not in there}

    def used(self, var: p.Var, span: p.Span) -> None:
        if var not in self.open or var in self.told:
            return
        self.told.add(var)
        asked = f", or below `if {var.name} exists`" if var.type.kind in _MAY_BE_ABSENT else ""
        self.context.findings.error(
            "R0408",
            f"`{var.name}` may stand for nothing here: its choice is skipped where nothing can be "
            "chosen",
            span,
            related=[(self.open[var], "this is the choice")],
            suggestion=f"put this below the choice{asked}",
        )


def known(condition: p.Expr) -> tuple[frozenset[p.Var], frozenset[p.Var]]:
    """The answers that are certain to be there if a condition holds, and if it doesn't."""
    none: frozenset[p.Var] = frozenset()
    match condition:
        case p.Exists(operand=p.VarRef(var=var)):
            return frozenset({var}), none
        case p.Binary(op="=", left=p.VarRef(var=var), right=p.Const(value=value)):
            return (none, frozenset({var})) if _absent(value) else (frozenset({var}), none)
        case p.Binary(op="!=", left=p.VarRef(var=var), right=p.Const(value=value)):
            return (frozenset({var}), none) if _absent(value) else (none, frozenset({var}))
        case p.Unary(op="not", operand=operand):
            yes, no = known(operand)
            return no, yes
        case p.Binary(op="and", left=left, right=right):
            (yes, no), (more, less) = known(left), known(right)
            return yes | more, no & less
        case p.Binary(op="or", left=left, right=right):
            (yes, no), (more, less) = known(left), known(right)
            return yes & more, no | less
        case _:
            return none, none


def _absent(value: object) -> bool:
    return value is None or value == -1
