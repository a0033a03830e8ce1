"""Examples as data: what a ruleset's `example` blocks mean, with names resolved.

Made by `dsl.lower_examples`, run by `interpreter.examples`. A Program carries them packed, so that
whoever only plays doesn't pay for them; `examples_of` unpacks them.

Cards are named by their labels (`crown 7`, `banana`), players by index. Expressions speak of the
players through `Example.seats`: variables that stand for P1, P2, …
"""

from __future__ import annotations

import pickle
from typing import TypeAlias

from attrs import frozen

from dsl import program as p
from dsl.program import Span


@frozen(eq=False)
class Lay:
    """Exactly these cards lie in a place; `top`: on top of what lies there. A pile or row is
    listed as its cards came, so the last one is on top; with `top`, from the top down."""

    place: str
    player: int | None
    cards: tuple[str, ...]
    top: bool
    span: Span


@frozen(eq=False)
class SetTokens:
    holder: str
    player: int | None
    amount: p.Expr
    span: Span


@frozen(eq=False)
class SetMark:
    mark: str
    player: int | None
    on: bool
    span: Span


@frozen(eq=False)
class SetRole:
    role: int
    player: int
    span: Span


@frozen(eq=False)
class SetTrack:
    """`value` is an expression, or labels of cards for a track of a card or play. `shape`: that of
    the play, where it is said."""

    name: str
    player: int | None
    value: p.Expr | tuple[str, ...]
    span: Span
    shape: str = ""


@frozen(eq=False)
class SetVar:
    """A named value of the rules under way (`tricks`), where play starts in the midst of them."""

    var: p.Var
    value: p.Expr
    span: Span


Given: TypeAlias = Lay | SetTokens | SetMark | SetRole | SetTrack | SetVar


@frozen(eq=False)
class Picked:
    """What an option picks: sorted labels, each with its place (`court of P2`) or "". `shape`: that
    of a play, where it is said."""

    things: tuple[tuple[str, str], ...]
    span: Span
    shape: str = ""


@frozen
class Way:
    """A choice by its path, and one way of it ("": whichever)."""

    choice: str
    branch: str


@frozen(eq=False)
class Option:
    """An option in words: the ways it may be meant of, and what it picks."""

    ways: tuple[Way, ...]
    picked: Picked
    span: Span


@frozen(eq=False)
class Step:
    """What a player chooses; `player` None: whoever is asked."""

    player: int | None
    option: Option
    span: Span
    tags: tuple[str, ...]


@frozen(eq=False)
class Holds:
    """A condition. `left`: what to show of it where it does not hold."""

    condition: p.Expr
    left: p.Expr | None
    span: Span
    tags: tuple[str, ...]


@frozen(eq=False)
class CardsAre:
    """A place (its name and player), or a card or play, is these cards. `top`: they lie on top of
    the place, from the top down. `shape`: that of the play, where it is said."""

    place: tuple[str, int | None] | None
    value: p.Expr | None
    cards: tuple[str, ...]
    top: bool
    span: Span
    tags: tuple[str, ...]
    shape: str = ""


@frozen(eq=False)
class PointsAre:
    player: int
    amount: p.Expr
    span: Span
    tags: tuple[str, ...]


@frozen(eq=False)
class Winners:
    players: tuple[int, ...]
    span: Span
    tags: tuple[str, ...]


@frozen(eq=False)
class Offers:
    """A player is asked, and these are exactly the options (`options` None: there are some)."""

    player: int
    ways: tuple[Way, ...]
    options: tuple[Option, ...] | None
    span: Span
    tags: tuple[str, ...]


@frozen(eq=False)
class Refuses:
    """None of these can be chosen by a player now (`options` None: none of these ways). `tags`:
    the clauses that forbid it."""

    player: int
    ways: tuple[Way, ...]
    options: tuple[Option, ...] | None
    span: Span
    tags: tuple[str, ...]


Claim: TypeAlias = Holds | CardsAre | PointsAre | Winners | Offers | Refuses


@frozen(eq=False)
class AtChoice:
    path: str
    player: int


@frozen(eq=False)
class AtPhase:
    name: str


@frozen(eq=False)
class AtRules:
    """Some rules alone, as if a player carried them out: an action, an effect, a moment."""

    me: p.Var
    player: int
    body: tuple[p.Stmt, ...]


Entry: TypeAlias = AtChoice | AtPhase | AtRules


@frozen(eq=False)
class Example:
    """`options` are those that differ from their defaults; `entry` None: the first choice."""

    names: p.Names
    players: int
    options: tuple[tuple[str, int | bool | str], ...]
    seats: tuple[p.Var, ...]
    entry: Entry | None
    given: tuple[Given, ...]
    story: tuple[Step | Claim, ...]
    span: Span
    tags: tuple[str, ...]


def pack(examples: tuple[Example, ...]) -> bytes:
    return pickle.dumps(examples, protocol=5) if examples else b""


def examples_of(program: p.Program) -> tuple[Example, ...]:
    """The examples of a ruleset, in the order written."""
    if not program.examples:
        return ()
    found: tuple[Example, ...] = pickle.loads(program.examples)
    return found
