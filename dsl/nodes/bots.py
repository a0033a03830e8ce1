"""Nodes of bots: players written in the ruleset."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from dsl.layout import Tag
from dsl.nodes.expressions import Decimal, Expr, Key, Named, Number, Word
from dsl.nodes.statements import Stmt
from dsl.program import Span

Amount: TypeAlias = Number | Decimal


@frozen(eq=False, repr=False)
class BotSetting:
    """`tight 0.3 in 0..1`"""

    name: Named
    value: Amount
    low: Amount | None
    high: Amount | None
    span: Span


@frozen(eq=False, repr=False)
class Remembers:
    """`remembers keeper player`"""

    name: Named
    owner: Word | None
    type: Word
    span: Span


@frozen(eq=False, repr=False)
class BotValue:
    """`value keep = …`, known in this bot alone."""

    name: Named
    params: tuple[Word, ...]
    owner: Word | None
    body: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Preference:
    """One line of what a bot prefers: `lay where … by … when …`.

    way None: of all ways. unless: `when` is negated.
    """

    way: Word | None
    where: Expr | None
    by: tuple[Key, ...]
    prefer: Expr | None
    when: Expr | None
    unless: bool
    span: Span


@frozen(eq=False, repr=False)
class BotAt:
    """`at lead`, with its preferences in order."""

    choice: Word
    lines: tuple[Preference, ...]
    span: Span


@frozen(eq=False, repr=False)
class BotOn:
    """`on my give`, `on any lead silverback`: what is remembered then."""

    mine: bool
    choice: Word
    way: Word | None
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


BotItem: TypeAlias = BotSetting | Remembers | BotValue | BotAt | BotOn


@frozen(eq=False, repr=False)
class Bot:
    """`bot bold like careful`: all that the other says, less what this one says itself."""

    name: Named
    like: Word | None
    items: tuple[BotItem, ...]
    span: Span
    tags: tuple[Tag, ...]
