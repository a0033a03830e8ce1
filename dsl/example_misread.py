"""Facts of an example in words that say none, and what to write instead. Part of
`dsl.example_facts`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import nodes as n
from dsl.context import shown

if TYPE_CHECKING:
    from dsl.example_facts import Facts

# Words between a place or player and what is said of it, and what is written instead.
INSTEAD = {
    "are": "write `is`: `{} is …`",
    "contains": "`{0} is …` says all that lies there; `banana in {0}` that one of these does",
    "can": "`P1 may …`, and the name of the choice or of the way",
    "cannot": "`P1 may not …`, and the name of the choice or of the way",
}
INSTEAD |= dict.fromkeys(("contain", "includes", "include", "holds"), INSTEAD["contains"])


def misread(facts: Facts, node: n.Fact) -> bool:
    """Report a fact about cards, or a claim of what may be chosen, in words that say none."""
    expr = node.expr
    message, span, hint = "", node.span, ""
    if isinstance(expr, n.Binary) and expr.op == "=" and facts.is_place(expr.left):
        if isinstance(expr.right, n.Ref | n.Number) and not facts.is_place(expr.right):
            message = "what lies in a place is said with `is`"
            hint = f"`{shown(expr.left)} is …`"
    elif isinstance(expr, n.Binary) and expr.op == "and" and is_list(facts, expr.left):
        message = "the cards of a place, and what is said of them, are divided by commas"
        hint = f"`{shown(leftmost(expr))} is crown 7, banana`"
    elif node.rest and facts.card_list(node) is None:
        word, said = node.rest[0], shown(expr)
        message, span = f"`{word.text}` doesn't fit here", word.span
        hint = INSTEAD.get(word.text, "").format(said)
    if message:
        facts.c.findings.error("R0113", message, span, suggestion=hint)
    return bool(message)


def is_list(facts: Facts, node: n.Expr) -> bool:
    """Whether something before `and` says of a place what lies there."""
    if isinstance(node, n.Binary) and node.op == "and":
        return is_list(facts, node.left)
    return isinstance(node, n.Is) and node.relation == "" and facts.is_place(node.left)


def leftmost(node: n.Expr) -> n.Expr:
    """What the first of several facts, joined by `and`, speaks of."""
    while isinstance(node, n.Binary | n.Is):
        node = node.left
    return node
