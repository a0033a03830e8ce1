"""Nodes of expressions, and of the names in them and in declarations."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from dsl.program import Names, Span


@frozen(eq=False, repr=False)
class Word:
    """A name, where it was written."""

    text: str
    span: Span


@frozen(eq=False, repr=False)
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


@frozen(eq=False, repr=False)
class Number:
    value: int
    span: Span


@frozen(eq=False, repr=False)
class Decimal:
    """`0.3`; only bots reckon with such numbers."""

    value: float
    span: Span


@frozen(eq=False, repr=False)
class Noise:
    """`noise 0..2 per way`: a number by chance, another for each option (only in bots)."""

    low: Expr
    high: Expr
    per_way: bool
    span: Span


@frozen(eq=False, repr=False)
class Chance:
    """`chance 1 in 4` (only in bots)."""

    part: int
    whole: int
    span: Span


@frozen(eq=False, repr=False)
class Text:
    value: str
    span: Span


@frozen(eq=False, repr=False)
class Ref:
    word: Word
    span: Span


@frozen(eq=False, repr=False)
class Of:
    """`hand of p`, `their hand` (owner: they), `bid(x) of p` (with arguments)."""

    word: Word
    arguments: tuple[Expr, ...] | None
    owner: Expr
    span: Span


@frozen(eq=False, repr=False)
class Call:
    word: Word
    arguments: tuple[Expr, ...]
    span: Span


@frozen(eq=False, repr=False)
class Every:
    """`every hand`, `every hand of others`."""

    word: Word
    players: Expr | None
    span: Span


@frozen(eq=False, repr=False)
class AllOf:
    """`all cards`."""

    word: Word
    span: Span


@frozen(eq=False, repr=False)
class TopOf:
    """`top of deck`, `top 2 of deck`."""

    count: Expr | None
    place: Expr
    span: Span


@frozen(eq=False, repr=False)
class Range:
    """`1..5`, where a collection is expected."""

    low: Expr
    high: Expr
    span: Span


@frozen(eq=False, repr=False)
class Key:
    """`most coins`; `order` is "" for a bare `seat` or `role`."""

    order: str
    expr: Expr
    span: Span


@frozen(eq=False, repr=False)
class Select:
    """`HEAD [NAME] [in SOURCE | clockwise from START] [where C] [with KEY] [by KEYS]`."""

    head: Expr
    binder: Word | None
    source: Expr | None
    start: Expr | None
    where: Expr | None
    best: Key | None
    keys: tuple[Key, ...]
    span: Span


@frozen(eq=False, repr=False)
class Quantified:
    """`first`, `the`, `any`, `no`, `count of` a selection."""

    quantifier: str
    select: Select
    span: Span


@frozen(eq=False, repr=False)
class Different:
    """`count of different suit in hand`."""

    word: Word
    source: Expr
    span: Span


@frozen(eq=False, repr=False)
class Over:
    """`sum of E over SELECT`, `highest E over SELECT`."""

    op: str
    expr: Expr
    select: Select
    span: Span


@frozen(eq=False, repr=False)
class Unary:
    op: str  # "not" | "-"
    operand: Expr
    span: Span


@frozen(eq=False, repr=False)
class Binary:
    """op: and or + - * / // /^ = != < <= > >=; "/" is a division that doesn't say how it rounds."""

    op: str
    left: Expr
    right: Expr
    span: Span


@frozen(eq=False, repr=False)
class In:
    """`joker in hand`, `p in lineup`, and with `negated` the opposite."""

    item: Expr
    source: Expr
    negated: bool
    span: Span


@frozen(eq=False, repr=False)
class Is:
    """`X is Y`; relation "" | "empty" | "before" | "after"; right is None only for "empty"."""

    left: Expr
    right: Expr | None
    relation: str
    negated: bool
    span: Span


@frozen(eq=False, repr=False)
class Exists:
    operand: Expr
    span: Span


@frozen(eq=False, repr=False)
class Conditional:
    condition: Expr
    then: Expr
    otherwise: Expr
    span: Span


@frozen(eq=False, repr=False)
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
    | Range
    | Decimal
    | Noise
    | Chance
)
