"""The typed core as text, so that tests can say what an expression or a rule should become."""

from __future__ import annotations

from typing import Any

import attrs

from dsl import program as p

LEFT_OUT = {"span", "origin", "type"}
BODIES = ("body", "then", "otherwise", "branches", "choice")


def text(node: Any) -> str:
    """An expression: `Count(CardsIn(hand me))`; variables by name, `_` where they have none."""
    match node:
        case p.Var():
            return node.name or "_"
        case p.VarRef():
            return text(node.var)
        case p.Const(type=kind):
            named = kind.name or (kind.kind.value if kind not in (p.NUMBER, p.TRUTH) else "")
            return f"{node.value}:{named}" if named else str(node.value)
        case p.Names():
            return node.name
        case p.OptionRef() | p.TrackRef(player=None):
            return node.name
        case p.PlaceRef(player=None) | p.TokenCount(player=None) | p.Marked(player=None):
            return getattr(node, "place", None) or getattr(node, "holder", None) or node.mark
        case p.PlaceRef():
            return f"{node.place} {text(node.player)}"
        case p.TokenCount():
            return f"{node.holder} {text(node.player)}"
        case p.Marked():
            return f"{node.mark} {text(node.player)}"
        case p.CardsIn(places=places):
            return f"cards[{', '.join(text(place) for place in places)}]"
        case p.Players(start=start, after=after):
            if start is None:
                return "players"
            return f"{'after' if after else 'from'} {text(start)}"
        case p.Binary(op=op, left=left, right=right):
            return f"({text(left)} {op} {text(right)})"
        case p.Filter(source=source, var=var, condition=condition):
            return f"Filter({text(source)}, {text(var)}: {text(condition)})"
        case p.Key(expr=expr, largest=largest):
            return f"{'+' if largest else '-'}{text(expr)}"
        case dict():
            return f"{{{', '.join(f'{key}: {text(value)}' for key, value in node.items())}}}"
        case tuple():
            return f"[{', '.join(map(text, node))}]"
    if attrs.has(type(node)):
        names = [field.name for field in attrs.fields(type(node))]
        parts = [text(getattr(node, name)) for name in names if name not in LEFT_OUT]
        return f"{type(node).__name__}({', '.join(parts)})"
    return "" if node is None else str(node)


def lines(body: tuple[Any, ...], depth: int = 0) -> list[str]:
    """Statements, one a line, bodies indented."""
    found = []
    for node in body:
        parts, inner = [], []
        for field in attrs.fields(type(node)):
            value = getattr(node, field.name)
            if field.name in BODIES and not isinstance(value, bool):
                inner += lines(value if isinstance(value, tuple) else (value,), depth + 1)
            elif field.name not in LEFT_OUT:
                parts.append(text(value))
        words = " ".join(part for part in parts if part and part != "False")
        found.append(f"{'  ' * depth}{type(node).__name__} {words}".rstrip())
        found += inner
    return found
