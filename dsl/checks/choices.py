"""Choices that can be empty with no way on."""

from __future__ import annotations

from dsl import program as p
from dsl.context import Context
from dsl.walk import bodies, walk


def empty_choices(program: p.Program, c: Context) -> None:
    for body in bodies(program):
        for node in walk(body):
            if isinstance(node, p.Choose) and not node.if_any:
                _check(program, node, c)


def _check(program: p.Program, choice: p.Choose, c: Context) -> None:
    reasons = [_why_empty(program, branch) for branch in choice.branches]
    if any(reason is None for reason in reasons):
        return
    if len(choice.branches) == 1 and not choice.branches[0].name:
        c.findings.error(
            "R0405",
            f"there may be nothing to choose at `{choice.name}`: {reasons[0]}",
            choice.origin.span,
            suggestion=f"`choose {choice.name} if any: …` skips it then",
        )
        return
    c.findings.error(
        "R0405",
        f"all ways of `{choice.name}` can be closed at once",
        choice.origin.span,
        related=[(branch.origin.span, "this is not always open") for branch in choice.branches],
        suggestion="add a way that is always open, or `NAME otherwise` for when no other is",
    )


def _why_empty(program: p.Program, branch: p.Branch) -> str | None:
    """Why a way can offer nothing, as far as that can be told; None if it always offers, or if it
    depends on the course of the game."""
    if branch.when is not None:
        return "its condition may not hold"
    match branch.pick:
        case None:
            return None
        case p.PickNumber(lo=lo, hi=hi):
            return _no_number(lo, hi)
        case p.PickCard(source=source) | p.PickOne(source=source):
            return _empty(program, source)
        case _:
            return None


def _empty(program: p.Program, source: p.Expr) -> str | None:
    match source:
        case p.Filter(condition=p.Binary(op="or")):
            # Alternatives are how rules say "or else any of them"; whether they cover every case
            # is for the game to show.
            return None
        case p.Filter(source=p.Range() as numbers, var=var, condition=p.Binary(op="!=") as test):
            return _all_but_one(numbers, var, test)
        case p.Filter(source=inner):
            return _empty(program, inner) or "none may meet the condition"
        case p.Sorted(source=inner) | p.Best(source=inner):
            return _empty(program, inner)
        case p.Players(after=True) if program.players[0] == 1:
            return "with one player there are no others"
        case p.PlayersByRole():
            return None
        case _:
            return None


def _no_number(low: p.Expr, high: p.Expr) -> str | None:
    match low, high:
        case p.Const(value=int(lo)), p.Const(value=int(hi)) if lo > hi:
            return f"there is no number from {lo} to {hi}"
        case _:
            return None


def _all_but_one(numbers: p.Range, var: p.Var, test: p.Binary) -> str | None:
    """`number 0..n where it != forbidden` leaves some if there are two."""
    sides = (test.left, test.right)
    alone = [isinstance(side, p.VarRef) and side.var is var for side in sides]
    others = [side for side, itself in zip(sides, alone, strict=True) if not itself]
    fixed = len(others) == 1 and not any(
        isinstance(node, p.VarRef) and node.var is var for node in walk(others[0])
    )
    match numbers:
        case p.Range(low=p.Const(value=int(lo)), high=p.Const(value=int(hi))) if lo >= hi:
            return "none may meet the condition"
        case _:
            return None if fixed else "none may meet the condition"
