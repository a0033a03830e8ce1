"""Effects, moments and actions that don't hang together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from dsl import program as p
from dsl.context import Context
from dsl.program import K
from dsl.suggest import did_you_mean, listing
from dsl.walk import walk


def missing_effects(program: p.Program, c: Context) -> None:
    """A family that is applied says what happens for each value of its kind."""
    for name, family in program.families.items():
        if name not in c.applied:
            continue
        names = _keys(program, family.key_type)
        have = {effect.key for effect in family.effects}
        missing = [key for index, key in enumerate(names) if index not in have]
        if missing:
            first = missing[0]
            blocks = listing((f"{name} {key}" for key in missing), "and")
            c.findings.error(
                "R0401",
                f"`apply {name}` finds no block for {listing(missing, 'and')}",
                c.applied[name],
                related=[(family.effects[0].origin.span, f"the blocks of `{name}` begin here")],
                suggestion=f"add {blocks}; `do nothing` below one that has no effect"
                if len(missing) < 4
                else f"add a block `{name} {first}` and so on",
            )


def _keys(program: p.Program, kind: p.Type) -> list[str]:
    if kind.kind is K.ENUM:
        return [value.names.name for value in program.attributes[kind.name].values]
    if kind.kind is K.ROLE and program.roles is not None:
        return [name.name for name in program.roles.names]
    return list(program.shapes)


def unknown_moments(program: p.Program, c: Context) -> None:
    """What happens at a moment needs a rule that lets the moment come."""
    for hook in c.symbols.hooks:
        name = hook.moment.text
        if name not in program.moments:
            c.findings.error(
                "R0402",
                f"the moment `{name}` never comes",
                hook.moment.span,
                "a rule makes it come: `moment before_lead`",
                suggestion=did_you_mean(name, program.moments),
            )


# ── circles ──────────────────────────────────────────────────────────────────────────────────

Node: TypeAlias = tuple[str, str]  # ("action", name), ("effect", family), ("moment", name)


def endless_circles(program: p.Program, c: Context) -> None:
    """Actions, effects and moments that lead back to themselves would never end."""
    edges = {node: list(_steps(bodies)) for node, bodies in _nodes(program).items()}
    done: set[Node] = set()
    for start in edges:
        ring = _ring(start, edges, [], done)
        if ring is not None:
            _report(ring, edges, c)
            return


def _nodes(program: p.Program) -> dict[Node, tuple[object, ...]]:
    found: dict[Node, tuple[object, ...]] = {}
    for name, action in program.actions.items():
        found["action", name] = action.body
    for name, family in program.families.items():
        found["effect", name] = tuple(effect.body for effect in family.effects)
    for name in program.moments:
        found["moment", name] = tuple(h.body for h in program.hooks if h.moment == name)
    return found


def _steps(body: tuple[object, ...]) -> Iterator[tuple[Node, p.Span]]:
    for node in walk(body):
        match node:
            case p.Do(action=name, origin=origin):
                yield ("action", name), origin.span
            case p.Apply(family=name, origin=origin):
                yield ("effect", name), origin.span
            case p.Moment(name=name, origin=origin):
                yield ("moment", name), origin.span


def _ring(
    node: Node, edges: dict[Node, list[tuple[Node, p.Span]]], way: list[Node], done: set[Node]
) -> list[Node] | None:
    """A way from a node back to itself."""
    if node in way:
        return way[way.index(node) :]
    if node in done:
        return None
    for following, _ in edges.get(node, ()):
        found = _ring(following, edges, [*way, node], done)
        if found is not None:
            return found
    done.add(node)
    return None


def _report(ring: list[Node], edges: dict[Node, list[tuple[Node, p.Span]]], c: Context) -> None:
    last, first = ring[-1], ring[0]
    span = next(span for node, span in edges[last] if node == first)
    way = " → ".join(f"{kind} `{name}`" for kind, name in [*ring, first])
    c.findings.error(
        "R0403",
        f"this leads back to itself: {way}",
        span,
        "rules that start themselves again would never end",
        suggestion="use a loop: `repeat`, `while … at most …`, `go round`",
    )
