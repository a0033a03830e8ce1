"""The syntax tree: what a ruleset says, as it says it. Made by `dsl.parse`, read by the passes.

Every node has a span. Nodes compare by identity, so they can be keys of side tables. Names are as
written, plurals and all; nothing here knows what a name stands for.
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from dsl.layout import Comment, Tag
from dsl.program import Names, Span


@frozen(eq=False)
class Word:
    """A name, where it was written."""

    text: str
    span: Span


@frozen(eq=False)
class Named:
    """A name being declared, with what it is called in other languages."""

    word: Word
    others: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        return self.word.text

    @property
    def span(self) -> Span:
        return self.word.span

    @property
    def names(self) -> Names:
        return Names(self.word.text, self.others)


# ── expressions ──────────────────────────────────────────────────────────────────────────────


@frozen(eq=False)
class Number:
    value: int
    span: Span


@frozen(eq=False)
class Text:
    value: str
    span: Span


@frozen(eq=False)
class Ref:
    word: Word
    span: Span


@frozen(eq=False)
class Of:
    """`hand of p`, `their hand` (owner: they), `bid(x) of p` (with arguments)."""

    word: Word
    arguments: tuple[Expr, ...] | None
    owner: Expr
    span: Span


@frozen(eq=False)
class Call:
    word: Word
    arguments: tuple[Expr, ...]
    span: Span


@frozen(eq=False)
class Every:
    """`every hand`, `every hand of others`."""

    word: Word
    players: Expr | None
    span: Span


@frozen(eq=False)
class AllOf:
    """`all cards`."""

    word: Word
    span: Span


@frozen(eq=False)
class TopOf:
    """`top of deck`, `top 2 of deck`."""

    count: Expr | None
    place: Expr
    span: Span


@frozen(eq=False)
class Key:
    """`most coins`; `order` is "" for a bare `seat` or `role`."""

    order: str
    expr: Expr
    span: Span


@frozen(eq=False)
class Select:
    """`HEAD [NAME] [in SOURCE] [where C] [with KEY] [by KEYS]`."""

    head: Expr
    binder: Word | None
    source: Expr | None
    where: Expr | None
    best: Key | None
    keys: tuple[Key, ...]
    span: Span


@frozen(eq=False)
class Quantified:
    """`first`, `the`, `any`, `no`, `count of` a selection."""

    quantifier: str
    select: Select
    span: Span


@frozen(eq=False)
class Different:
    """`count of different suit in hand`."""

    word: Word
    source: Expr
    span: Span


@frozen(eq=False)
class Over:
    """`sum of E over SELECT`, `highest E over SELECT`."""

    op: str
    expr: Expr
    select: Select
    span: Span


@frozen(eq=False)
class Unary:
    op: str  # "not" | "-"
    operand: Expr
    span: Span


@frozen(eq=False)
class Binary:
    """op: and or + - * / // /^ = != < <= > >=; "/" is a division that doesn't say how it rounds."""

    op: str
    left: Expr
    right: Expr
    span: Span


@frozen(eq=False)
class In:
    """`silverback in hand`, `p in lineup`, and with `negated` the opposite."""

    item: Expr
    source: Expr
    negated: bool
    span: Span


@frozen(eq=False)
class Is:
    """`X is Y`; relation "" | "empty" | "before" | "after"; right is None only for "empty"."""

    left: Expr
    right: Expr | None
    relation: str
    negated: bool
    span: Span


@frozen(eq=False)
class Exists:
    operand: Expr
    span: Span


@frozen(eq=False)
class Conditional:
    condition: Expr
    then: Expr
    otherwise: Expr
    span: Span


@frozen(eq=False)
class Except:
    source: Expr
    card: Expr
    span: Span


Expr: TypeAlias = (
    Number
    | Text
    | Ref
    | Of
    | Call
    | Every
    | AllOf
    | TopOf
    | Select
    | Quantified
    | Different
    | Over
    | Unary
    | Binary
    | In
    | Is
    | Exists
    | Conditional
    | Except
)


# ── statements ───────────────────────────────────────────────────────────────────────────────


@frozen(eq=False)
class Shuffle:
    source: Expr | None
    place: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Deal:
    count: Expr
    source: Expr
    target: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Move:
    what: Expr
    to: Expr
    if_any: bool
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
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
    who: Word | None
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class SetMark:
    """`mark guarded` (what: the mark), `mark p out` (what: p, mark: out)."""

    on: bool
    what: Expr
    mark: Word | None
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class PassRoles:
    clockwise: bool
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Reveal:
    source: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Apply:
    family: Word
    key: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Moment:
    name: Named
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class End:
    word: Word
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Nothing:
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Assign:
    word: Word
    owner: Expr | None
    value: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Do:
    word: Word
    arguments: tuple[Expr, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class If:
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Repeat:
    count: Expr
    label: Named | None
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Each:
    select: Select
    label: Named | None
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class AtOnce:
    select: Select
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Turn:
    player: Expr
    label: Named | None
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class While:
    condition: Expr
    limit: Expr | None
    label: Named | None
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class GoRound:
    players: Expr
    after: Expr | None
    skipping: Expr | None
    until: Expr | None
    label: Named | None
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class PickNumber:
    low: Expr
    high: Expr | None
    span: Span


@frozen(eq=False)
class PickSome:
    """`2 cards from hand`, `1..3 cards from hand`."""

    low: Expr
    high: Expr | None
    select: Select
    span: Span


@frozen(eq=False)
class PickOne:
    """`card from hand where …`, `player in others`, `shape from hand`, `suit`."""

    select: Select
    span: Span


Pick: TypeAlias = PickNumber | PickSome | PickOne


@frozen(eq=False)
class Branch:
    name: Named
    pick: Pick | None
    when: Expr | None
    otherwise: bool
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Choose:
    """With `pick`: one nameless way, and `body` follows it. Without: named ways, `branches`."""

    chooser: Word | None
    name: Named
    prompt: str
    if_any: bool
    pick: Pick | None
    body: tuple[Stmt, ...]
    branches: tuple[Branch, ...]
    span: Span
    tags: tuple[Tag, ...]


Stmt: TypeAlias = (
    Shuffle
    | Deal
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


# ── declarations ─────────────────────────────────────────────────────────────────────────────


@frozen(eq=False)
class Property:
    """`sheet "seeds/x.md"`, `ja "…"`."""

    word: Word
    value: str
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class PlayerRange:
    low: int
    high: int
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Game:
    title: str
    others: tuple[tuple[str, str], ...]
    properties: tuple[Property, ...]
    players: tuple[PlayerRange, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Alternative:
    """One possible setting of an option: a number (`high` given: a range) or a word."""

    low: int | None
    high: int | None
    word: Word | None
    span: Span


@frozen(eq=False)
class Option:
    """`by_players` given: a setting for each player count; else `settings`, the first the default
    (the only one, or all there are). `allowed` is what follows `in`."""

    name: Named
    settings: tuple[Alternative, ...]
    by_players: tuple[tuple[int, Alternative], ...]
    allowed: tuple[Alternative, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class CardValue:
    name: Named
    number: int | None


@frozen(eq=False)
class Attribute:
    """Values by name, or numbers low..high. order "" | "strong" | "weak"."""

    name: Named
    values: tuple[CardValue, ...]
    low: Expr | None
    high: Expr | None
    order: str
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Kind:
    name: Named
    copies: Expr
    attributes: tuple[Word, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Place:
    name: Named
    owner: Word | None
    sight: str
    kind: Word
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Token:
    """`holder` given: a shared holder; else per player (`owner` is the word after `of`)."""

    name: Named
    owner: Word | None
    holder: Named | None
    start: Expr
    limit: Expr | None
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Mark:
    name: Named
    owner: Word | None
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Track:
    name: Named
    owner: Word | None
    type: Word
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Roles:
    """`seats` None: as many as there are roles."""

    names: tuple[Named, ...]
    seats: int | None
    at_random: bool
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Constraint:
    """kind "same" | "consecutive" | "different" (word: the attribute), "wild" (word: the kind)."""

    kind: str
    word: Word
    count: int
    span: Span


@frozen(eq=False)
class Shape:
    name: Named
    low: int
    high: int
    kind: Word
    constraints: tuple[Constraint, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Value:
    name: Named
    params: tuple[Word, ...]
    owner: Word | None
    body: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Action:
    name: Named
    params: tuple[Word, ...]
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Effect:
    family: Word
    key: Word
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Hook:
    """`role` None: for the acting player."""

    role: Word | None
    moment: Word
    when: Expr | None
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Setup:
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Phase:
    name: Named
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Scoring:
    name: Named
    expr: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False)
class Winner:
    keys: tuple[Key, ...]
    span: Span
    tags: tuple[Tag, ...]


Decl: TypeAlias = (
    Game
    | Option
    | Attribute
    | Kind
    | Place
    | Token
    | Mark
    | Track
    | Roles
    | Shape
    | Value
    | Action
    | Effect
    | Hook
    | Setup
    | Phase
    | Scoring
    | Winner
)


@frozen(eq=False)
class Ruleset:
    """A whole file. Items of sections stand in `decls` in the order written."""

    file: str
    text: str
    decls: tuple[Decl, ...]
    comments: tuple[Comment, ...]
