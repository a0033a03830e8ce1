"""The values that a ruleset's options can be set to. Used by tests and by fuzzing."""

from __future__ import annotations

from dsl import program as p

Value = int | bool | str


def default(decl: p.OptionDecl, players: int) -> Value:
    """An option's default value for a player count."""
    defaults = dict(decl.default)
    return defaults[players] if players in defaults else defaults[0]


def flips(decl: p.OptionDecl, players: int) -> list[Value]:
    """Other values of an option: the other flag, each other word, the ends of a range and endless;
    where a number has no range, its neighbours."""
    usual = default(decl, players)
    values: list[Value]
    if decl.kind == "flag":
        values = [not usual]
    elif decl.kind == "word":
        values = list(decl.words)
    elif decl.lo is None or decl.hi is None:
        near = [int(usual) - 1, int(usual) + 1] if usual != p.ENDLESS else []
        values = [value for value in near if value >= 0]
    else:
        values = [decl.lo, decl.hi]
    if decl.endless:
        values.append(p.ENDLESS)
    return [value for value in values if value != usual]


def within(decl: p.OptionDecl) -> range | None:
    """The numbers an option may be, where it is a number with a range."""
    if decl.kind in ("flag", "word") or decl.lo is None or decl.hi is None:
        return None
    return range(decl.lo, decl.hi + 1)
