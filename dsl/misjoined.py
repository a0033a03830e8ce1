"""What is said of `or` and `+` between things they don't join: `round = 2 or 3`, `count of red in
hand + table`. Used by `dsl.expressions`."""

from __future__ import annotations

from dsl import nodes as n
from dsl import symbols as s
from dsl.context import Context, shown
from dsl.scope import Scope


def one_of_several(c: Context, node: n.Binary, scope: Scope) -> bool:
    """`round = 2 or 3`: whether it is one of several is asked of each, or with `in`."""
    left: n.Expr = node.left
    others = [node.right]
    while isinstance(left, n.Binary) and left.op == "or":
        others.insert(0, left.right)
        left = left.left
    lone = next((other for other in others if _is_a_value(c, other, scope)), None)
    if node.op != "or" or lone is None:
        return False
    match left:
        case n.Binary(op="=" | "!=", left=what, right=first):
            sign = left.op
        case n.Is(left=what, right=n.Ref() | n.Number() as first, relation="", negated=negated):
            sign = "is not" if negated else "is"
        case _:
            return False
    message = f"`{shown(lone)}` alone is neither so nor not so: what is compared stands at each"
    hint = f"`… or {shown(what)} {sign} {shown(lone)}`"
    numbers = [each.value for each in (first, *others) if isinstance(each, n.Number)]
    start = numbers[0] if numbers else 0
    in_a_row = numbers == list(range(start, start + len(others) + 1))
    if sign == "=" and in_a_row:
        hint += f", or `{shown(what)} in {start}..{numbers[-1]}`"
    c.findings.error("R0301", message, lone.span, suggestion=hint)
    return True


def _is_a_value(c: Context, node: n.Expr, scope: Scope) -> bool:
    """Whether an expression is a number as written, or the name of a value of cards or a role."""
    if isinstance(node, n.Number):
        return True
    if not isinstance(node, n.Ref) or scope.find(node.word.text) is not None:
        return False
    found = c.symbols.named(node.word.text)
    return bool(found) and all(meaning.kind in (s.ENUM_VALUE, s.ROLE) for meaning in found)


def _is_place(c: Context, node: n.Expr, scope: Scope) -> bool:
    """Whether an expression is a place by its name, perhaps of somebody."""
    if isinstance(node, n.Ref) and scope.find(node.word.text) is not None:
        return False
    return isinstance(node, n.Ref | n.Of) and bool(c.symbols.named(node.word.text, s.PLACE))


def cards_added(c: Context, node: n.Binary, scope: Scope) -> bool:
    """`count of red in hand + table`, `both = hand + table`."""
    counted = isinstance(node.left, n.Quantified) or _is_place(c, node.left, scope)
    if not counted or not _is_place(c, node.right, scope):
        return False
    if _is_place(c, node.left, scope):
        both = f"({shown(node.left)} + {shown(node.right)})"
        message = "these are cards of two places, but a number is needed here"
        hint = f"`cards in {both}` are all of them, `count of cards in {both}` how many"
        c.findings.error("R0301", message, node.span, suggestion=hint)
        return True
    message = "these are cards, but a number is needed here"
    hint = f"places are joined in parentheses: `count of … in (… + {shown(node.right)})`"
    c.findings.error("R0301", message, node.right.span, suggestion=hint)
    return True
