"""Types of parameters that are plain before any use. Used by `dsl.lower`."""

from __future__ import annotations

from dsl import nodes as n
from dsl import symbols as s
from dsl.program import Type
from dsl.symbols import Symbols
from dsl.walk import walk


def compared_with(symbols: Symbols, body: n.Expr, name: str) -> Type | None:
    """The type of the property of cards that a name is compared with (`job = j`)."""
    for node in walk(body):
        pair: tuple[n.Expr | None, n.Expr | None]
        match node:
            case n.Binary(op="=" | "!=", left=left, right=right):
                pair = (left, right)
            case n.Is(left=left, right=right, relation=""):
                pair = (left, right)
            case _:
                continue
        for one, other in (pair, pair[::-1]):
            if not (isinstance(one, n.Ref) and one.word.text == name):
                continue
            found = symbols.named(_word(other), s.ATTRIBUTE)
            if found:
                return symbols.enum(found[0].name)
    return None


def _word(node: n.Expr | None) -> str:
    return node.word.text if isinstance(node, n.Ref | n.Of) else ""
