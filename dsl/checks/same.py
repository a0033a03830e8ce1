"""Conditions on players that ask the same of all of them: `each player where me is king`. Warnings.

In `where`, bare things and `they` are of the player looked at, while `me` is still who acts.
"""

from __future__ import annotations

import re

from dsl import program as p
from dsl.context import Context
from dsl.source_text import source_text
from dsl.walk import everything, walk


def same_for_all(program: p.Program, c: Context) -> None:
    """Filters of players that look at some player, and never at the one looked at."""
    told: set[p.Span] = set()
    for node in everything(program):
        if not isinstance(node, p.Filter) or node.var.type != p.PLAYER:
            continue
        asked = [ref.var for ref in walk(node.condition) if isinstance(ref, p.VarRef)]
        span = node.condition.span
        others = [var for var in asked if var.type == p.PLAYER]
        if node.var in asked or not others or span in told:
            continue
        told.add(span)
        text = source_text(program, span)
        they = re.sub(r"\bme\b", "they", text)
        they = re.sub(r"\bmy\b", "their", they)
        c.findings.warning(
            "R0515",
            "this asks the same for each player looked at",
            span,
            "in `where`, `me` is still the player who acts; `they` is the one looked at",
            suggestion=f"`where {they}`" if they != text else "ask something of `they`",
        )
