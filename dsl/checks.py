"""Checks."""

from dsl import nodes as n
from dsl import program as p
from dsl.context import Context


def check(ruleset: n.Ruleset, program: p.Program | None, context: Context) -> None:
    pass
