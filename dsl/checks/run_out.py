"""Decks that run out while the game goes on: cards are dealt or drawn in loops, and those that come
back are too few. A warning, as a deal then gives what is there. The rules are followed as for
choices (`dsl.checks.exhausted`), with the most cards that can lie in each place, so what is told is
surely so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from dsl import program as p
from dsl.checks.deck import Short, Table, Unknown, defaults, why, with_setting
from dsl.checks.exhausted import Walk
from dsl.context import Context
from dsl.walk import bodies, everything, walk


def decks_that_run_out(program: p.Program, c: Context) -> None:
    """With the fewest and the most players; options as usual and, one at a time, at both ends."""
    loops = [node for body in bodies(program) for node in walk(body) if isinstance(node, p.Repeat)]
    if not any(isinstance(node, p.Deal | p.Top) for loop in loops for node in walk(loop.body)):
        return
    told = {item.span for item in c.findings.items if item.code == "R0406"}
    first: Walk | None = None
    for table in _tables(program):
        look = Walk(table, set(), c, decks=True)
        if first is None:
            first = look
            look.ever = frozenset(look.targets(tuple(bodies(program)), set()))
        else:  # what rules may do is the same with all settings
            look.ever, look.fills, look.ends = first.ever, first.fills, first.ends
        try:
            with suppress(Unknown):
                look.play()
        except Short as short:
            if short.origin.span not in told:
                told.add(short.origin.span)
                _tell(short, look, c)


def _tables(program: p.Program) -> Iterator[Table]:
    counts = list(dict.fromkeys(program.players))
    named = {node.name for node in walk(_amounts(program)) if isinstance(node, p.OptionRef)}
    for players in counts:
        yield Table(program, players, defaults(program, players))
    for players in reversed(counts):
        for name, option in program.options.items():
            for end in (option.hi, option.lo):
                if option.kind == "number" and name in named and end is not None:
                    yield Table(program, players, defaults(program, players) | {name: end})


def _amounts(program: p.Program) -> tuple[object, ...]:
    """The numbers of cards, and how often things are done."""
    found: list[object] = [x for a in program.attributes.values() for x in (a.lo, a.hi)]
    for node in everything(program):
        match node:
            case p.Repeat() | p.Deal() | p.Top():
                found.append(node.count)
            case p.Do(args=args):
                found += args
            case p.SetVar(value=value):
                found.append(value)
    return (*found, *(kind.copies for kind in program.kinds.values()))


def _tell(short: Short, look: Walk, c: Context) -> None:
    table, program = look.table, look.program
    message = (
        f"{with_setting(table, program)}, `{short.place}` runs out: at some time {short.need} "
        f"cards are taken from it, and at most {short.have} are there"
    )
    related = [(span, f"this is done {times} times") for span, times in look.loops if times > 1]
    related += why(table, program, c)
    hint = "deal less, put more cards in the box or back, or say when: "
    hint += f"`if size of {short.place} >= {short.need} then …`"
    c.findings.warning("R0406", message, short.origin.span, suggestion=hint, related=related)
