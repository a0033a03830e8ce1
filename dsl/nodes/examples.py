"""Nodes of examples: what is set up, what players choose, what is so then."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from dsl.layout import Tag
from dsl.nodes.declarations import Alternative
from dsl.nodes.expressions import Expr, Word
from dsl.program import Span


@frozen(eq=False, repr=False)
class Players:
    """`with 3 players`."""

    count: int
    span: Span


@frozen(eq=False, repr=False)
class Setting:
    """`with treasury_limit 12`."""

    name: Word
    value: Alternative
    span: Span


@frozen(eq=False, repr=False)
class Entry:
    """`at follow of P2`, `at skill knight of P1`, `at settlement`."""

    name: Word
    arguments: tuple[Expr, ...]
    player: Word | None
    span: Span


@frozen(eq=False, repr=False)
class Fact:
    """A condition, or the beginning of one about cards (`hand of P1 is crown`), whose further words
    are `rest` (`9`). In a list of cards, also a card alone."""

    expr: Expr
    rest: tuple[Word, ...]
    span: Span


@frozen(eq=False, repr=False)
class Has:
    """`P1 has 5 coins`."""

    holder: Expr
    amount: Expr
    token: Word
    span: Span


@frozen(eq=False, repr=False)
class Wins:
    """`P1 wins`, `P1 and P2 win`."""

    players: Expr
    span: Span


@frozen(eq=False, repr=False)
class Picked:
    """Words for one thing that can be picked, and where it lies (`thief from court of P2`)."""

    words: tuple[Word, ...]
    place: Word | None
    owner: Word | None
    span: Span


@frozen(eq=False, repr=False)
class Step:
    """What a player chooses, the first words being who and the name of the choice or way:
    `P1 plays peasant`, `discards thief and peasant`. Several things are joined by `and`."""

    parts: tuple[Picked, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class May:
    """`P2 may follow with: crown 9, pass`, `P1 may not hold`. `options` None: any at all."""

    player: Word
    negated: bool
    choice: Word
    options: tuple[Step, ...] | None
    span: Span


Claim: TypeAlias = Fact | Has | Wins | May


@frozen(eq=False, repr=False)
class Claims:
    """A line of claims, all to be true at once."""

    claims: tuple[Claim, ...]
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Example:
    """`story`: steps and lines of claims in the order written."""

    title: str
    others: tuple[tuple[str, str], ...]
    players: tuple[Players, ...]
    settings: tuple[Setting, ...]
    entry: Entry | None
    given: tuple[Claim, ...]
    story: tuple[Step | Claims, ...]
    span: Span
    tags: tuple[Tag, ...]
