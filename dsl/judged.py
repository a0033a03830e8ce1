"""Whether examples can be looked at though rules have errors: a slip in one block is no reason to
hide those of others. Used by `dsl.lower`.
"""

from __future__ import annotations

from dsl import nodes as n
from dsl import program as p
from dsl.context import Context
from dsl.walk import walk


def can_be_judged(c: Context, bodies: tuple[tuple[p.Stmt, ...], ...]) -> bool:
    """Whether all that examples name is there: every choice of the text and every action. What is
    in the box must have been found right before."""
    made = [node for node in walk(bodies) if isinstance(node, p.Choose)]
    asked = {node.name.text for node in walk(c.decls) if isinstance(node, n.Choose)}
    whole = asked <= {node.name for node in made}
    return whole and set(c.choice_spans) <= {node.origin.path for node in made}
