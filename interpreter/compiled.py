"""What the code generator makes, as data: code objects, and how choices and rules are read.

Kept by `interpreter.cache` and used by `interpreter.game`; neither needs the generator for it.
"""

from __future__ import annotations

from collections.abc import Container
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


@frozen
class LoopSlots:
    """Where a loop around a choice keeps how far it is. var: its player, or the number of its
    run. at: how many players it has come to, itself among them; "" for `repeat`. items: who the
    loop goes through; no slot of the State where that is everybody, by seat."""

    var: str
    at: str
    items: str

    def enter(self, state: object, slots: Container[str], player: int) -> None:
        """Have the loop be under way in a State that has these slots, at `player`."""
        if not self.at:
            if self.var in slots and not getattr(state, self.var):
                setattr(state, self.var, 1)
            return
        at = player
        if self.items in slots:
            items = getattr(state, self.items)
            if player not in items:
                items = (player,)
                setattr(state, self.items, items)
            at = items.index(player)
        for slot, value in ((self.at, at + 1), (self.var, player)):
            if slot in slots:
                setattr(state, slot, value)


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
    around: tuple[LoopSlots, ...]  # loops that play can enter at the choice


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
