"""Winner rules that could leave a tie undecided without saying `draw`."""

from __future__ import annotations

from dsl import program as p
from dsl.context import Context
from dsl.walk import walk


def open_ties(program: p.Program, c: Context) -> None:
    winner = program.winner
    if winner.draw or program.players == (1, 1) or c.findings.errors:
        return  # what is wrong elsewhere, as with the cards, may decide this
    if any(_is_seat(key) for key in winner.keys) or _names_one_card(program):
        return
    c.findings.error(
        "R0404",
        "who wins when players are equal by all of this?",
        winner.origin.span,
        suggestion="end with `, then draw` if they share the win, or with a key that no two share, "
        "such as `then earliest seat`",
    )


def _is_seat(key: p.WinnerKey) -> bool:
    return isinstance(key.expr, p.VarRef) and key.expr.var is key.me


def _names_one_card(program: p.Program) -> bool:
    """Whether keys ask for all properties of a player's card, of cards that are all different."""
    asked: dict[str, set[str]] = {}
    for key in program.winner.keys:
        expr = key.expr.value if isinstance(key.expr, p.Strength) else key.expr
        if isinstance(expr, p.Attr) and _depends_on(expr.card, key.me):
            asked.setdefault(_shape(expr.card, key.me), set()).add(expr.attribute)
    return any(
        all(
            all(isinstance(x, p.Const) and x.value == 1 for x in _copies(kind))
            and set(kind.attributes) <= attributes
            for kind in program.kinds.values()
        )
        and len(program.kinds) == 1
        for attributes in asked.values()
    )


def _copies(kind: p.CardKind) -> list[p.Expr]:
    if isinstance(kind.copies, tuple):
        return [each.copies for each in kind.copies]
    return [kind.copies]


def _depends_on(expr: p.Expr, var: p.Var) -> bool:
    return any(isinstance(node, p.VarRef) and node.var is var for node in walk(expr))


def _shape(expr: p.Expr, me: p.Var) -> str:
    """A text that is the same for the same expression about different `me`s."""
    parts = []
    for node in walk(expr):
        names = [type(node).__name__]
        for name in ("value", "place", "name", "attribute", "kind"):
            content = getattr(node, name, None)
            if isinstance(content, str | int):
                names.append(str(content))
        if isinstance(node, p.VarRef):
            names.append("me" if node.var is me else "…")
        parts.append(":".join(names))
    return " ".join(parts)
