"""The typed core: what rules do, and the choices they ask for."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from dsl.core.basics import CARD, CARDS, NUMBER, Origin, Type, Var
from dsl.core.selections import Expr, PlaceRef, PlacesOf


@frozen(eq=False, repr=False)
class Shuffle:
    """Move all cards of `source` (None: nothing) to `place`, then shuffle the whole place."""

    source: Expr | None
    place: PlaceRef
    origin: Origin


@frozen(eq=False, repr=False)
class Deal:
    """`count` times round: one card from the top of `source` to `place` of each player, from P1
    clockwise; stops when the source is empty."""

    count: Expr
    source: PlaceRef
    place: str
    players: Expr
    origin: Origin


@frozen(eq=False, repr=False)
class Move:
    """Move a card (CARD) or cards (CARDS, in their order) to a place. None needs `if_any`."""

    cards: Expr
    to: PlaceRef
    if_any: bool
    origin: Origin


@frozen(eq=False, repr=False)
class MoveRandom:
    """Move `count` cards of a place, picked by chance, to another; all where there are no more.
    They arrive as they were picked."""

    place: PlaceRef
    count: Expr
    to: PlaceRef
    origin: Origin


@frozen(eq=False, repr=False)
class TokenEnd:
    """One end of a token move: a holder, and whose. holder None: nowhere (gain, lose)."""

    holder: str | None
    player: Expr | None


@frozen(eq=False, repr=False)
class MoveTokens:
    """Move `amount` tokens. `up_to`: as many as are there and as fit; otherwise too few, or more
    than the target's limit allows, is an error at run time. A negative amount is an error."""

    token: str
    amount: Expr
    source: TokenEnd
    target: TokenEnd
    up_to: bool
    origin: Origin


@frozen(eq=False, repr=False)
class SetMark:
    mark: str
    player: Expr | None  # PLAYER, PLAYERS, or None for a shared mark
    on: bool
    origin: Origin


@frozen(eq=False, repr=False)
class SetTrack:
    name: str
    player: Expr | None
    value: Expr
    origin: Origin


@frozen(eq=False, repr=False)
class SetVar:
    var: Var
    value: Expr
    origin: Origin


@frozen(eq=False, repr=False)
class PassRoles:
    """Every role moves one seat on: clockwise (to the next higher seat) or back."""

    clockwise: bool
    origin: Origin


@frozen(eq=False, repr=False)
class Reveal:
    """Everyone sees the cards in these places now (they stay where they are)."""

    places: tuple[PlaceRef | PlacesOf, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class PickCard:
    """One card of a collection. Two are one option when face and place are the same."""

    source: Expr
    type: Type = CARD


@frozen(eq=False, repr=False)
class PickCards:
    """lo..hi cards of a collection, unordered; both are cut to what is there."""

    source: Expr
    lo: Expr
    hi: Expr
    type: Type = CARDS


@frozen(eq=False, repr=False)
class PickOne:
    """One element of a collection: player, enum value, play, number."""

    source: Expr
    type: Type


@frozen(eq=False, repr=False)
class PickNumber:
    lo: Expr
    hi: Expr
    type: Type = NUMBER


Pick: TypeAlias = PickCard | PickCards | PickOne | PickNumber


@frozen(eq=False, repr=False)
class Branch:
    """One way to answer a choice. `name` is "" in a choice with one nameless way.

    `otherwise`: offered only when no other branch offers anything.
    """

    name: str
    pick: Pick | None
    var: Var | None  # what was picked
    when: Expr | None
    otherwise: bool
    body: tuple[Stmt, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class Choose:
    """Ask `chooser`. Options come branch by branch, each branch's in its collection's canonical
    order (cards by face then place; pairs lexicographically; players from P1; numbers up)."""

    name: str
    chooser: Expr
    if_any: bool
    branches: tuple[Branch, ...]
    origin: Origin  # path: "<block>/<name>"


@frozen(eq=False, repr=False)
class AtOnce:
    """Each player of `players` (bound to `me`) answers `choice` in secret, in that order; when
    the last is in all answers are shown, and the bodies run in that order."""

    players: Expr
    me: Var
    choice: Choose
    origin: Origin


@frozen(eq=False, repr=False)
class Repeat:
    """`count` times; `var` counts from 1. `label` gives a heading and a chance coordinate."""

    count: Expr
    var: Var
    label: str
    body: tuple[Stmt, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class Each:
    """Once for each element; the collection is fixed at the start."""

    source: Expr
    var: Var
    label: str
    body: tuple[Stmt, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class Turn:
    """The body with `var` bound to a player; heading and coordinate like a labelled loop."""

    player: Expr
    var: Var
    label: str
    body: tuple[Stmt, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class While:
    """While the condition holds; running a (`limit`+1)-th time is an error naming the loop."""

    condition: Expr
    limit: Expr
    label: str
    body: tuple[Stmt, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class GoRound:
    """Round and round through `players` (fixed at the start), beginning after `after` if given.

    Before each player: if `until` holds, stop; a player for whom `skipping` holds is passed by; a
    whole round of players passed by ends the loop.
    """

    players: Expr
    after: Expr | None
    var: Var
    skipping: Expr | None
    until: Expr
    label: str
    body: tuple[Stmt, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class If:
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class Do:
    """Run an action (key of Program.actions) with arguments (the first is always `me`)."""

    action: str
    args: tuple[Expr, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class Apply:
    """Run the effect of `family` for a key (value, role or shape); missing (-1, None): nothing."""

    family: str
    key: Expr
    me: Expr
    origin: Origin


@frozen(eq=False, repr=False)
class Moment:
    """A named moment: hooks run in order of roles (holders only), then the roleless ones.

    `env` are the variables of the surrounding block that hooks read, as they are now.
    """

    name: str
    me: Expr
    origin: Origin


@frozen(eq=False, repr=False)
class End:
    """End the phase ("phase"), the game ("game"), or this run of the loop so labelled (its next
    run, if any, follows). `leave`: the whole loop so labelled; play goes on behind it."""

    what: str
    origin: Origin
    leave: bool = False

    @property
    def key(self) -> str:
        """What ends, as one word or two: a loop that is left is told apart from its run."""
        return f"leave {self.what}" if self.leave else self.what


Stmt: TypeAlias = (
    Shuffle
    | Deal
    | Move
    | MoveRandom
    | MoveTokens
    | SetMark
    | SetTrack
    | SetVar
    | PassRoles
    | Reveal
    | Choose
    | AtOnce
    | Repeat
    | Each
    | Turn
    | While
    | GoRound
    | If
    | Do
    | Apply
    | Moment
    | End
)
