"""What only bots reckon with: decimals, noise, chance."""

from __future__ import annotations

from dsl import nodes as n
from dsl import program as p
from dsl.context import Context
from dsl.scope import Scope


def lower_inexact(c: Context, node: n.Decimal | n.Noise | n.Chance, scope: Scope) -> p.Expr | None:
    if isinstance(node, n.Decimal):
        if not c.in_bot:
            message, hint = f"`{node.value}`: numbers are whole", "only bots reckon with decimals"
            c.findings.error("R0111", message, node.span, suggestion=hint)
            return None
        return p.Const(node.value, p.NUMBER, node.span)
    what = "noise" if isinstance(node, n.Noise) else "chance"
    if c.draws is None or c.working_on:
        message = f"`{what}` stands only in the lines below a bot's `at`"
        reason = "everywhere else the same question always has the same answer"
        c.findings.error("R0704", message, node.span, reason)
        return None
    site = c.draws
    c.draws += 1
    if isinstance(node, n.Chance):
        if node.part > node.whole or node.whole == 0:
            message = f"a chance is at most {node.whole} in {node.whole}"
            if node.whole == 0:
                message = "there is no chance in 0"
            c.findings.error(
                "R0704", message, node.span, suggestion="`chance 1 in 4`, for instance"
            )
            return None
        return p.Chance(node.part, node.whole, site, p.TRUTH, node.span)
    low, high = c.number(node.low, scope), c.number(node.high, scope)
    if low is None or high is None:
        return None
    return p.Noise(low, high, node.per_way, site, p.NUMBER, node.span)
