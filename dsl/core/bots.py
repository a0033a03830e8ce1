"""The typed core: what a ruleset's bots prefer and keep in mind."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from dsl.core.basics import Origin, Span, Type, Var
from dsl.core.declarations import Names, Value
from dsl.core.selections import Expr, Key


@frozen(eq=False, repr=False)
class BotSetting:
    """A number somebody may set when the bot is seated, from lo to hi where these are given."""

    names: Names
    default: int | float
    lo: int | float | None
    hi: int | float | None


@frozen(eq=False, repr=False)
class Memory:
    """What a bot keeps in mind beside the State. Starts as a `Track` of that type does."""

    names: Names
    type: Type
    per_player: bool


@frozen(eq=False, repr=False)
class Wish:
    """A line of preferences about the options of one way of a choice (`var`: what is picked).

    Of the options for which `where` holds: those with the best `keys` (not `weighed`), of these
    the first, if then `when` holds for it; or (`weighed`) those for which `when` holds too, with
    `score`.
    """

    way: int  # index of the branch
    var: Var | None
    where: Expr | None
    keys: tuple[Key, ...]
    score: Expr | None
    when: Expr | None
    span: Span

    @property
    def weighed(self) -> bool:
        return self.score is not None


@frozen(eq=False, repr=False)
class BotChoice:
    """What a bot prefers at a choice: lines in order, the first that gives an option decides.

    Weighed lines that follow each other are one: of all their options that with the highest
    score is taken (of equals the first).
    """

    path: str
    wishes: tuple[Wish, ...]
    draws: int  # how many sites of noise and chance there are
    span: Span


@frozen(eq=False, repr=False)
class Remember:
    """Keep a value in mind."""

    name: str
    player: Expr | None
    value: Expr
    span: Span


@frozen(eq=False, repr=False)
class RememberIf:
    condition: Expr
    then: tuple[Remembering, ...]
    otherwise: tuple[Remembering, ...]
    span: Span


Remembering: TypeAlias = Remember | RememberIf


@frozen(eq=False, repr=False)
class Trigger:
    """What a bot keeps in mind when a choice is made: by itself (`mine`), or by anyone.

    way: index of the branch, None for any. `they` is who chooses; `var` what is picked, only where
    the bot may know it. Looked at as things stand before the choice has any effect.
    """

    path: str
    way: int | None
    mine: bool
    they: Var
    var: Var | None
    body: tuple[Remembering, ...]
    span: Span


@frozen(eq=False, repr=False)
class Bot:
    """A player written in the ruleset: it reads what its player (`me`) may know, and its memory.

    values: named values of its own, beside those of the Program (keys differ from theirs).
    """

    names: Names
    me: Var
    settings: dict[str, BotSetting]
    memory: dict[str, Memory]
    values: dict[str, Value]
    choices: tuple[BotChoice, ...]
    triggers: tuple[Trigger, ...]
    origin: Origin
