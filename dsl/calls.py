"""Calls of named values: arguments, hidden arguments, and the types parameters get from them."""

from __future__ import annotations

from dsl import nodes as n
from dsl import program as p
from dsl.context import Context
from dsl.program import Type
from dsl.scope import Scope
from dsl.type_names import called


def call_value(
    c: Context,
    name: str,
    word: n.Word,
    owner: p.Expr | None,
    arguments: tuple[n.Expr, ...],
    scope: Scope,
    span: p.Span,
) -> p.Expr | None:
    """A named value, worked out on its first use (its parameters' types come from that)."""
    state = c.values[name]
    c.symbols.used.add(("named value", name))
    decl = state.decl
    if len(arguments) != len(decl.params):
        c.findings.error(
            "R0320",
            f"`{decl.name.text}` takes {_counted(len(decl.params))}, "
            f"but {_given(len(arguments))} here",
            span,
            related=[(decl.name.span, "it is defined here")],
        )
        return None
    given = typed_arguments(c, name, arguments, state.types, state.typed_by, scope)
    if name in c.working_on:
        report_loop(c, name, word)
        return None
    made = c.lower_value(c, name)
    if made is None or made.made is None or given is None:
        return None
    hidden = hidden_arguments(made.decl, list(made.routine.hidden), owner, scope, word.span)
    return p.Call(name, (*hidden, *given), made.made.body.type, span)


def hidden_arguments(
    decl: n.Value | n.BotValue, hidden: list[str], owner: p.Expr | None, scope: Scope, span: p.Span
) -> list[p.Expr]:
    """The player a value is of, or what it needs of `me` and the subject where it is used."""
    if decl.owner is not None:
        return [owner or p.VarRef(scope.whose(), p.PLAYER, span)]
    return [
        p.VarRef(scope.acting() if role == "me" else scope.whose(), p.PLAYER, span)
        for role in hidden
    ]


def typed_arguments(
    c: Context,
    name: str,
    arguments: tuple[n.Expr, ...],
    types: list[Type | None],
    typed_by: list[p.Span | None],
    scope: Scope,
) -> tuple[p.Expr, ...] | None:
    """Arguments, checked against the types of earlier calls; the first call decides."""
    given: list[p.Expr] = []
    complete = True
    for index, node in enumerate(arguments):
        made = c.expr(node, scope, types[index])
        if made is None:
            complete = False
            continue
        known = types[index]
        if known is None:
            types[index], typed_by[index] = made.type, node.span
        elif made.type != known:
            first = typed_by[index]
            c.findings.error(
                "R0321",
                f"`{name}` is given {called(made.type)} here, but {called(known)} elsewhere",
                node.span,
                related=[(first, "it was given that here")] if first is not None else [],
            )
            complete = False
            continue
        given.append(made)
    return tuple(given) if complete else None


def report_loop(c: Context, name: str, word: n.Word) -> None:
    """A value that needs itself, directly or by way of others."""
    ring = c.working_on[c.working_on.index(name) :]
    if ring == [name]:
        message = f"`{name}` is defined by itself, so it could never be worked out"
    else:
        way = " → ".join(f"`{step}`" for step in [*ring, name])
        message = f"these values are defined by each other, so none can be worked out: {way}"
    c.findings.error("R0322", message, word.span)
    c.values[name].failed = True


def _counted(count: int) -> str:
    return {0: "nothing in parentheses", 1: "one thing in parentheses"}.get(
        count, f"{count} things in parentheses"
    )


def _given(count: int) -> str:
    return {0: "none is given", 1: "one is given"}.get(count, f"{count} are given")
