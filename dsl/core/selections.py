"""The typed core: places, and expressions about several cards, players or values."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from dsl.core.basics import Span, Type, Var
from dsl.core.expressions import (
    Attr,
    Binary,
    Call,
    Conditional,
    Const,
    EnumNumber,
    Exists,
    HasAttr,
    HolderOf,
    IsKind,
    Marked,
    OptionRef,
    OwnerOf,
    PlayAttr,
    PlayerCount,
    PlayPart,
    RoleOf,
    Strength,
    TokenCount,
    TrackRef,
    Unary,
    VarRef,
)


@frozen(eq=False, repr=False)
class PlaceRef:
    """One place instance: a shared place, or the place of one player."""

    place: str
    player: Expr | None
    span: Span


@frozen(eq=False, repr=False)
class CardsIn:
    """All cards in some places, place by place. Within a place: a pile from bottom to top, a row
    in order of arrival, a hand sorted by face."""

    places: tuple[PlaceRef | PlacesOf, ...]
    type: Type  # CARDS
    span: Span


@frozen(eq=False, repr=False)
class PlacesOf:
    """The same place of several players, in the collection's order (`every hand of others`)."""

    place: str
    players: Expr
    span: Span


@frozen(eq=False, repr=False)
class AllCards:
    """Every card of the game, wherever it lies (only in `shuffle all cards into …`)."""

    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Without:
    """A collection of cards less one physical copy of a card (`hand except it`), or of each of
    several cards (`card` is CARDS)."""

    source: Expr
    card: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Top:
    """The top `count` cards of a pile or row (the last arrived first); CARD when count is None
    (None if the place is empty), else CARDS (as many as there are)."""

    place: PlaceRef
    count: Expr | None
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Players:
    """All players clockwise from P1; `start` given: from that player on; `after` true: from the
    next one on, and without `start` itself (`others of p`: clockwise from p's left)."""

    start: Expr | None
    after: bool
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class PlayersByRole:
    """Players who hold a role, in the declared order of roles."""

    type: Type
    span: Span


@frozen(eq=False, repr=False)
class EnumAll:
    """All values of an attribute (enum values, or the numbers lo..hi), in declared order."""

    attribute: str
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Range:
    """The numbers low..high, ascending; none if low is more than high."""

    low: Expr
    high: Expr
    type: Type  # Type(K.ENUMS, "number")
    span: Span


@frozen(eq=False, repr=False)
class Filter:
    source: Expr
    var: Var
    condition: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Key:
    """A sort key: smaller first, or larger first."""

    expr: Expr
    largest: bool


@frozen(eq=False, repr=False)
class Sorted:
    """Sorted by keys, the first key weighing most; stable. Truths and None players sort by
    (value is None last, value)."""

    source: Expr
    var: Var
    keys: tuple[Key, ...]
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Best:
    """The elements that are first under one key (all of them: `card with highest x`)."""

    source: Expr
    var: Var
    key: Key
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class First:
    """The first element of a collection, None if it is empty."""

    source: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Count:
    source: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Any_:
    """Whether a collection has an element."""

    source: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Fold:
    """op over a collection: "sum" (0 if empty), "highest", "lowest" (0 if empty), "different"
    (how many distinct values)."""

    op: str
    source: Expr
    var: Var
    expr: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Plays:
    """All plays of the given shapes that some cards can make, each once by faces; ordered by
    shape, size, then faces. Only as the object of a choice or under Any_/Count."""

    shapes: tuple[str, ...]
    source: Expr  # CARDS
    type: Type  # a collection of plays: Type(K.ENUMS, "play")
    span: Span


# Only in bots.


@frozen(eq=False, repr=False)
class Setting:
    """A setting of the bot, whole or not."""

    name: str
    type: Type  # NUMBER
    span: Span


@frozen(eq=False, repr=False)
class RunOf:
    """Which run of a labelled loop over numbers is under way, from 1; 0 where none is."""

    label: str
    type: Type  # NUMBER
    span: Span


@frozen(eq=False, repr=False)
class Remembered:
    """What the bot remembers under a name, of `player` if it is kept per player."""

    name: str
    player: Expr | None
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Noise:
    """A number from low to high by chance, keyed by the choice, `site` and the option looked at.

    `per_way`: the largest of as many as there are physical ways of the option.
    """

    low: Expr
    high: Expr
    per_way: bool
    site: int  # counts the noises and chances of one `at`
    type: Type  # NUMBER
    span: Span


@frozen(eq=False, repr=False)
class Chance:
    """Whether something with probability part/whole is so; keyed like `Noise`."""

    part: int
    whole: int
    site: int
    type: Type  # TRUTH
    span: Span


Expr: TypeAlias = (
    Const
    | OptionRef
    | PlayerCount
    | VarRef
    | TrackRef
    | TokenCount
    | Marked
    | RoleOf
    | HolderOf
    | Attr
    | HasAttr
    | IsKind
    | EnumNumber
    | Strength
    | OwnerOf
    | PlayPart
    | PlayAttr
    | Unary
    | Binary
    | Conditional
    | Call
    | Exists
    | CardsIn
    | AllCards
    | Without
    | Top
    | Players
    | PlayersByRole
    | EnumAll
    | Range
    | Filter
    | Sorted
    | Best
    | First
    | Count
    | Any_
    | Fold
    | Plays
    | Setting
    | RunOf
    | Remembered
    | Noise
    | Chance
)
