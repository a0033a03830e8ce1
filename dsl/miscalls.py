"""Actions that are given more or less than they name: said once, and at the definition if no call
fits it. Used by `dsl.lower`.
"""

from __future__ import annotations

from dsl import nodes as n
from dsl.context import Context
from dsl.program import Span
from dsl.suggest import listing
from dsl.walk import walk


def report_miscalls(c: Context) -> None:
    """Calls of actions with another number of arguments than their definition names."""
    for name, calls in c.miscalled.items():
        decl = c.actions[name].decl
        counts = {len(call.arguments) for call in calls}
        if len(calls) > 1 and len(counts) == 1 and not c.actions[name].calls:
            _definition(c, decl, calls)
        else:
            _calls(c, decl, calls)
    c.miscalled.clear()


def _calls(c: Context, decl: n.Action, calls: list[n.Do]) -> None:
    wanted = listing((param.text for param in decl.params), "and") or "nothing"
    message = f"`{decl.name.text}` needs {wanted} after it"
    for call in calls:
        related = [(decl.name.span, "it is defined here")]
        c.findings.error("R0320", message, call.span, related=related)


def _definition(c: Context, decl: n.Action, calls: list[n.Do]) -> None:
    """All calls agree with each other, so the definition is what differs."""
    name, given = decl.name.text, len(calls[0].arguments)
    ends = [node.span.end_line for node in walk(decl.body) if isinstance(node, n.Word | n.Do)]
    lines = range(decl.span.line, max(ends, default=decl.span.line) + 1)
    inside = [word for word, found in c.absent.items() if all(_in(d.span, lines) for d in found)]
    names = [param.text for param in decl.params]
    if len(names) + len(inside) == given:  # what it speaks of, and doesn't name
        names += inside
        for word in inside:
            del c.absent[word]
    else:
        names = [f"n{at}" for at in range(1, given + 1)]
    head = " ".join(["action", name, *names])
    known = listing((param.text for param in decl.params), "and") or "nothing"
    message = f"`{name}` is given {_things(given)} wherever it is done, but its definition "
    c.findings.error(
        "R0320",
        f"{message}names {known}",
        decl.name.span,
        related=[(calls[0].span, "it is done here, for instance")],
        suggestion=f"`{head}`",
    )


def _in(span: Span | None, lines: range) -> bool:
    return span is not None and span.line in lines


def _things(count: int) -> str:
    return {0: "nothing", 1: "one thing"}.get(count, f"{count} things")
