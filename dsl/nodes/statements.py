"""Nodes of statements. Each has the clause tags on its own lines."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from dsl.layout import Tag
from dsl.nodes.expressions import Expr, Named, Select, Word
from dsl.program import Span


@frozen(eq=False, repr=False)
class Shuffle:
    source: Expr | None
    place: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Deal:
    count: Expr
    source: Expr
    target: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Move:
    what: Expr
    to: Expr
    if_any: bool
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class MoveRandom:
    """`move 2 random cards from hand of victim to hand`; count None: one."""

    count: Expr | None
    word: Word
    source: Expr
    to: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class MoveTokens:
    """`move`, `give` (source None: me), `take` (target None: me), `gain` and `lose` (both None).

    `who` is the player who gains or loses, None for me.
    """

    verb: str
    up_to: bool
    amount: Expr
    token: Word
    source: Expr | None
    target: Expr | None
    who: Expr | None
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class SetMark:
    """`mark guarded` (what: the mark), `mark p out` (what: p, mark: out)."""

    on: bool
    what: Expr
    mark: Word | None
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class PassRoles:
    clockwise: bool
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Reveal:
    source: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Apply:
    family: Word
    key: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Moment:
    name: Named
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class End:
    """`end NAME`; `leave NAME`, where `leave`."""

    word: Word
    leave: bool
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Nothing:
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Assign:
    word: Word
    owner: Expr | None
    value: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Do:
    word: Word
    arguments: tuple[Expr, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class If:
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Repeat:
    count: Expr
    label: Named | None
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Each:
    select: Select
    label: Named | None
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class AtOnce:
    select: Select
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Turn:
    player: Expr
    label: Named | None
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class While:
    condition: Expr
    limit: Expr | None
    label: Named | None
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class GoRound:
    players: Expr
    after: Expr | None
    skipping: Expr | None
    until: Expr | None
    label: Named | None
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class PickNumber:
    """`number 0..tricks`, `number 1..5 where it != forbidden`."""

    low: Expr
    high: Expr | None
    where: Expr | None
    span: Span


@frozen(eq=False, repr=False)
class PickSome:
    """`2 cards from hand`, `1..3 cards from hand`."""

    low: Expr
    high: Expr | None
    select: Select
    span: Span


@frozen(eq=False, repr=False)
class PickOne:
    """`card from hand where …`, `player in others`, `shape from hand`, `suit`."""

    select: Select
    span: Span


Pick: TypeAlias = PickNumber | PickSome | PickOne


@frozen(eq=False, repr=False)
class Branch:
    name: Named
    pick: Pick | None
    when: Expr | None
    otherwise: bool
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Choose:
    """`prompt_others`: the question in other languages.

    With `pick`: one nameless way, and `body` follows it. Without: named ways, `branches`."""

    chooser: Expr | None
    name: Named
    prompt: str
    prompt_others: tuple[tuple[str, str], ...]
    if_any: bool
    pick: Pick | None
    body: tuple[Stmt, ...]
    branches: tuple[Branch, ...]
    span: Span
    tags: tuple[Tag, ...]


Stmt: TypeAlias = (
    Shuffle
    | Deal
    | MoveRandom
    | Move
    | MoveTokens
    | SetMark
    | PassRoles
    | Reveal
    | Apply
    | Moment
    | End
    | Nothing
    | Assign
    | Do
    | If
    | Repeat
    | Each
    | AtOnce
    | Turn
    | While
    | GoRound
    | Choose
)
