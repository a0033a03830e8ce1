"""What the code generator makes, as data: code objects, and how choices and rules are read.

Kept by `interpreter.cache` and used by `interpreter.game`; neither needs the generator for it.
"""

from __future__ import annotations

from types import CodeType

from attrs import frozen

from dsl import program as p


@frozen
class BranchInfo:
    """How raw values of a branch are to be read: kind "", "card", "cards", "player", "number",
    "play", "enum:ATTRIBUTE", "role"…; placed: cards carry their place."""

    name: str
    kind: str
    placed: bool
    rule: p.Origin


@frozen(eq=False)
class ChoiceInfo:
    """A choice as the State and its readers need it."""

    path: str
    name: str
    nameless: bool
    branches: tuple[BranchInfo, ...]
    rule: p.Origin
    at_once: bool
    chooser: str  # the slot that says who is asked, where that is a plain variable


@frozen(eq=False)
class Generated:
    """Code and tables of one mode. codes: one module per rule file. slots: name -> start value
    as Python text. mutable: slots that hold lists (of lists, for P)."""

    codes: tuple[CodeType, ...]
    constants: dict[str, object]
    slots: dict[str, str]
    choices: tuple[ChoiceInfo, ...]
    rules: tuple[p.Origin, ...]
    returns: dict[str, str]
    phase_ends: dict[int, str]
    at_once: tuple[tuple[int, str], ...]  # simultaneous choices: number -> slot of the players
    listing: str


@frozen(eq=False)
class BotCode:
    """Code of a ruleset's bot: `w_i` for the i-th choice it speaks of, `o_i` for the i-th thing it
    keeps in mind."""

    codes: tuple[CodeType, ...]
    constants: dict[str, object]
    rules: tuple[p.Origin, ...]
    listing: str
