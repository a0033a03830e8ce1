"""The typed core: expressions that have one value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from dsl.core.basics import Span, Type, Var

if TYPE_CHECKING:
    from dsl.core.selections import Expr


@frozen(eq=False, repr=False)
class Const:
    """A fixed number, truth, enum/role/shape index, word, or None (nobody, no card, no play).

    Only bots have numbers that are not whole."""

    value: int | float | bool | str | None
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class OptionRef:
    """The value of an option of the game (bound with the player count)."""

    name: str
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class PlayerCount:
    type: Type  # NUMBER
    span: Span


@frozen(eq=False, repr=False)
class VarRef:
    var: Var
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class TrackRef:
    """A tracked value (`track` section): `name`, of `player` if it is kept per player."""

    name: str
    player: Expr | None
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class TokenCount:
    """How many tokens a holder has: a player's (`player` given) or a shared holder's."""

    holder: str  # key of Program.holders: "coin" for coin of player, "treasury" for a shared one
    player: Expr | None
    type: Type  # NUMBER
    span: Span


@frozen(eq=False, repr=False)
class Marked:
    mark: str
    player: Expr | None
    type: Type  # TRUTH
    span: Span


@frozen(eq=False, repr=False)
class RoleOf:
    """The role a player holds now (None where none)."""

    player: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class HolderOf:
    """The player who holds a role now (None where its seat is empty)."""

    role: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Attr:
    """An attribute of a card. Missing, or no card: -1 for enum attributes, 0 for numeric ones."""

    attribute: str
    card: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class HasAttr:
    attribute: str
    card: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class IsKind:
    """Whether a card is of a declared kind (`it is banana`)."""

    kind: str
    card: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class EnumNumber:
    """The number written beside an enum value (`number of head`)."""

    value: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Strength:
    """An enum value as a number that grows with strength, by the declared order; missing: -1."""

    value: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class OwnerOf:
    """Whose place a card lies in (None in a shared place)."""

    card: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class PlayPart:
    """`shape` (SHAPE), `size` (NUMBER) or `cards` (CARDS) of a play; None play: error."""

    part: str
    play: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class PlayAttr:
    """An attribute of a play: numeric: the highest among its cards (of those that have it);
    enum: the value all its cards that have it share, else -1."""

    attribute: str
    play: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Unary:
    op: str  # "not" | "-"
    operand: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Binary:
    """op: and or + - * // (rounded down) /^ (rounded up) min max = != < <= > >=.

    In bots also / (not rounded).

    = and != compare numbers, truths, players, enum values, roles, shapes, words, cards (same
    face), plays (same shape and faces); nobody equals only nobody.
    """

    op: str
    left: Expr
    right: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Conditional:
    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Call:
    """A named value applied to arguments (never recursive)."""

    value: str  # key of Program.values
    args: tuple[Expr, ...]
    type: Type
    span: Span


@frozen(eq=False, repr=False)
class Exists:
    """Whether a player, card or play is there at all (not None)."""

    operand: Expr
    type: Type
    span: Span


# Collections. Element order is defined for each; filters and sorting keep it (sorting is stable).
