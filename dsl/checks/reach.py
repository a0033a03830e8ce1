"""Rules that play never comes to: behind an `end`, or used only by unused ones. Warnings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

from dsl import program as p
from dsl import symbols as s
from dsl.checks.flow import ON, Flow
from dsl.context import Context
from dsl.walk import bodies, walk

Rule: TypeAlias = tuple[str, str]  # (symbols.ACTION, name), (symbols.VALUE, name), (EFFECT, family)
EFFECT, MOMENT = "effect", "moment"


def unreached(program: p.Program, c: Context) -> None:
    flow = Flow(program)
    for body in bodies(program):
        _behind_an_end(body, flow, c)
    _phases(program, flow, c)
    _used_by_unused(program, c)


# ── behind an end ────────────────────────────────────────────────────────────────────────────


def _behind_an_end(body: tuple[p.Stmt, ...], flow: Flow, c: Context) -> None:
    """The first statement that play can't come to, in each block."""
    for block in _blocks(body):
        for statement, following in pairwise(block):
            if ON not in flow.statement(statement):
                c.findings.warning(
                    "R0504",
                    "play never comes to this line",
                    following.origin.span,
                    related=[(statement.origin.span, "it never goes on behind this")],
                )
                break


def _blocks(body: tuple[p.Stmt, ...]) -> Iterator[tuple[p.Stmt, ...]]:
    """A body and all blocks inside it."""
    yield body
    for node in walk(body):
        match node:
            case p.If(then=then, otherwise=otherwise):
                yield then
                yield otherwise
            case p.Branch() | p.Repeat() | p.Each() | p.Turn() | p.While() | p.GoRound():
                yield node.body


def _phases(program: p.Program, flow: Flow, c: Context) -> None:
    """Phases after one that always ends the game."""
    parts = [("the setup", program.setup)]
    parts += [(f"the phase `{phase.names.name}`", phase.body) for phase in program.phases]
    for (what, body), following in zip(parts, program.phases, strict=False):
        if flow.body(body) == {"game"}:
            name = following.names.name
            c.findings.warning(
                "R0504",
                f"the phase `{name}` is never played: {what} always ends the game",
                following.origin.span,
            )
            return


# ── used by what is not used ─────────────────────────────────────────────────────────────────


def _used_by_unused(program: p.Program, c: Context) -> None:
    """What is named by a rule, so that it counts as used, but by none that play comes to."""
    reached = _reached(program)
    known = c.symbols
    named: list[tuple[str, str, p.Span]] = []
    named += [(s.VALUE, name, decl.name.span) for name, decl in known.values.items()]
    named += [(s.ACTION, name, decl.name.span) for name, decl in known.actions.items()]
    for kind, name, span in named:
        if (kind, name) in known.used and (kind, name) not in reached:
            message = f"the {kind} `{name}` is used only by rules that are never used"
            c.findings.warning("R0504", message, span)
    for family, effects in known.effects.items():
        if family in c.applied and (EFFECT, family) not in reached:
            message = f"only rules that are never used apply `{family}`"
            c.findings.warning("R0504", message, effects[0].family.span)
    for name in dict.fromkeys(hook.moment.text for hook in known.hooks):
        if name in program.moments and (MOMENT, name) not in reached:
            span = next(hook.moment.span for hook in known.hooks if hook.moment.text == name)
            message = f"only rules that are never used make the moment `{name}` come"
            c.findings.warning("R0504", message, span)


def _reached(program: p.Program) -> set[Rule]:
    """The rules that play, or counting its points, comes to."""
    found: set[Rule] = set()
    waiting: list[object] = [program.setup, program.scoring, program.winner]
    waiting += [phase.body for phase in program.phases]
    waiting += [(holder.start, holder.limit) for holder in program.holders.values()]
    waiting += [(attribute.lo, attribute.hi) for attribute in program.attributes.values()]
    waiting += [kind.copies for kind in program.kinds.values()]
    for bot in program.bots.values():
        own = tuple(value.body for value in bot.values.values())
        waiting += [bot.choices, bot.triggers, own]
    while waiting:
        for node in walk(waiting.pop()):
            rule = _rule(node)
            if rule is not None and rule not in found:
                found.add(rule)
                waiting += _content(program, *rule)
    return found


def _rule(node: object) -> Rule | None:
    match node:
        case p.Do(action=name):
            return s.ACTION, name
        case p.Call(value=name):
            return s.VALUE, name
        case p.Apply(family=name):
            return EFFECT, name
        case p.Moment(name=name):
            return MOMENT, name
        case _:
            return None


def _content(program: p.Program, kind: str, name: str) -> list[object]:
    if kind == s.ACTION:
        return [program.actions[name].body]
    if kind == s.VALUE:  # a bot's own are looked at with the bot
        return [program.values[name].body] if name in program.values else []
    if kind == EFFECT:
        return [effect.body for effect in program.families[name].effects]
    return [(hook.when, hook.body) for hook in program.hooks if hook.moment == name]
