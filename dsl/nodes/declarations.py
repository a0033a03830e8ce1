"""Nodes of declarations, and of the whole file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from attrs import frozen

from dsl.layout import Comment, Line, Tag
from dsl.nodes.bots import Bot
from dsl.nodes.expressions import Expr, Key, Named, Word
from dsl.nodes.statements import Stmt
from dsl.program import Span

if TYPE_CHECKING:
    from dsl.nodes.examples import Example


@frozen(eq=False, repr=False)
class Property:
    """`sheet "seeds/x.md"`, `ja "…"`."""

    word: Word
    value: str
    span: Span
    tags: tuple[Tag, ...]

    @property
    def path(self) -> str:
        """The file it names, which is seen from the folder of the file it stands in."""
        return str(Path(self.span.file).parent / self.value)


@frozen(eq=False, repr=False)
class PlayerRange:
    low: int
    high: int
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Game:
    title: str
    others: tuple[tuple[str, str], ...]
    properties: tuple[Property, ...]
    players: tuple[PlayerRange, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Alternative:
    """One possible setting of an option: a number (`high` given: a range) or a word."""

    low: int | None
    high: int | None
    word: Word | None
    span: Span


@frozen(eq=False, repr=False)
class Option:
    """`by_players` given: a setting for each player count; else `settings`, the first the default
    (the only one, or all there are). `allowed` is what follows `in`."""

    name: Named
    settings: tuple[Alternative, ...]
    by_players: tuple[tuple[int, Alternative], ...]
    allowed: tuple[Alternative, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class CardValue:
    name: Named
    number: int | None


@frozen(eq=False, repr=False)
class Attribute:
    """Values by name, or numbers low..high. order "" | "strong" | "weak"."""

    name: Named
    values: tuple[CardValue, ...]
    low: Expr | None
    high: Expr | None
    order: str
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Counted:
    """`5 of guard`: copies of the cards with one value; `property` is the word in front of it."""

    copies: Expr
    property: Word | None
    value: Word
    span: Span


@frozen(eq=False, repr=False)
class Kind:
    """`copies`: of each combination of `attributes`; or of one value at a time of a property that
    these don't name."""

    name: Named
    copies: Expr | tuple[Counted, ...]
    attributes: tuple[Word, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Place:
    name: Named
    owner: Word | None
    sight: str
    kind: Word
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Token:
    """`holder` given: a shared holder; else per player (`owner` is the word after `of`)."""

    name: Named
    owner: Word | None
    holder: Named | None
    start: Expr
    limit: Expr | None
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Mark:
    name: Named
    owner: Word | None
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Track:
    name: Named
    owner: Word | None
    type: Word
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class RingFor:
    """`with 2 players`: which roles there are then, on how many seats (None: as many)."""

    low: int
    high: int
    names: tuple[Word, ...]
    seats: int | None
    at_random: bool
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Roles:
    """`seats` None: as many as there are roles."""

    names: tuple[Named, ...]
    seats: int | None
    at_random: bool
    rings: tuple[RingFor, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Constraint:
    """kind "same" | "consecutive" | "different" (word: the attribute), "wild" (word: the kind)."""

    kind: str
    word: Word
    count: int
    span: Span


@frozen(eq=False, repr=False)
class Shape:
    name: Named
    low: int
    high: int
    kind: Word
    constraints: tuple[Constraint, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Value:
    name: Named
    params: tuple[Word, ...]
    owner: Word | None
    body: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Action:
    name: Named
    params: tuple[Word, ...]
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Effect:
    family: Word
    key: Word
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Hook:
    """`role` None: for the acting player."""

    role: Word | None
    moment: Word
    when: Expr | None
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Setup:
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Phase:
    name: Named
    body: tuple[Stmt, ...]
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
class Scoring:
    name: Named
    expr: Expr
    span: Span
    tags: tuple[Tag, ...]


@frozen(eq=False, repr=False)
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
    | Bot
)


@frozen(eq=False, repr=False)
class Change:
    """One operation of a variant: the line that says it, the words it takes away or changes, and
    the lines (file, number)."""

    span: Span
    words: frozenset[str]
    lines: frozenset[tuple[str, int]] = frozenset()


@frozen(eq=False, repr=False)
class Variant:
    """What is known of a ruleset that is a variant.

    `name`: its own; `game`: the line of the game that all comes from. `base`: the file it is a
    variant of. `files`: everything its making depends on, there or not. `renamed`: old names by
    new ones.
    """

    name: str
    game: Line
    base: str
    head: Span
    changes: tuple[Change, ...]
    files: tuple[str, ...]
    renamed: Mapping[str, str]


@frozen(eq=False, repr=False)
class Ruleset:
    """A whole file. Items of sections stand in `decls` in the order written.

    `comments` and `tags` are all there are in the file itself, in order; tags stand at their nodes
    as well. `lines` are what it was read from, `sources` the texts of its files: of its own, and of
    all that a variant is made from.
    """

    file: str
    text: str
    decls: tuple[Decl, ...]
    comments: tuple[Comment, ...]
    tags: tuple[Tag, ...]
    lines: tuple[Line, ...]
    sources: Mapping[str, str]
    variant: Variant | None = None
    examples: tuple[Example, ...] = ()

    @property
    def sheets(self) -> tuple[str, ...]:
        """The files of the rule sheets it says it is made from (more than one is an error)."""
        games = [decl for decl in self.decls if isinstance(decl, Game)]
        lines = [line for game in games for line in game.properties]
        return tuple(line.path for line in lines if line.word.text == "sheet")
