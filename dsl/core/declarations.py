"""The typed core: what a ruleset declares."""

from __future__ import annotations

from attrs import frozen

from dsl.core.basics import Origin, Span, Type, Var
from dsl.core.expressions import Const
from dsl.core.selections import Expr
from dsl.core.statements import Stmt


@frozen(eq=False, repr=False)
class Names:
    """A declared name and what it is called elsewhere, by language (`{"ja": "国庫"}`)."""

    name: str
    others: tuple[tuple[str, str], ...] = ()


@frozen(eq=False, repr=False)
class OptionDecl:
    """kind "number" | "flag" | "word". `default` holds one entry (0, value), or one per player
    count. A number option allows lo..hi, and ENDLESS where `endless`; a word option `words`."""

    names: Names
    kind: str
    default: tuple[tuple[int, int | bool | str], ...]
    lo: int | None
    hi: int | None
    endless: bool
    words: tuple[str, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class EnumValue:
    names: Names
    number: int | None


@frozen(eq=False, repr=False)
class Attribute:
    """A property of cards: named values (`values`), or numbers lo..hi (expressions over options).

    order: "strong" (strongest first), "weak" (weakest first), or "" (no order).
    """

    names: Names
    values: tuple[EnumValue, ...]
    lo: Expr | None
    hi: Expr | None
    order: str
    origin: Origin


@frozen(eq=False, repr=False)
class Counted:
    """`copies` of the cards with a value: of named ones its index, else the number itself."""

    value: Const
    copies: Expr
    span: Span


@frozen(eq=False, repr=False)
class CardKind:
    """`copies` of each combination of `attributes` (in that order, the last varying fastest). Where
    copies are counted for each value of the last attribute, there are cards with these values
    alone, in the order of the values."""

    names: Names
    attributes: tuple[str, ...]
    copies: Expr | tuple[Counted, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class Place:
    """kind "pile" | "hand" | "row"; sight "up" (all see), "down" (nobody), "private" (owner)."""

    names: Names
    per_player: bool
    kind: str
    sight: str
    origin: Origin


@frozen(eq=False, repr=False)
class Holder:
    """Something that holds tokens. Key in Program.holders: the token's name for `coin of player`,
    the holder's own name for `coin in treasury`. limit None: none. A start of ENDLESS never
    changes. `free`: the token has no shared holder, so it is gained from and lost to nowhere."""

    names: Names
    token: str
    per_player: bool
    start: Expr
    limit: Expr | None
    origin: Origin


@frozen(eq=False, repr=False)
class Mark:
    names: Names
    per_player: bool
    origin: Origin


@frozen(eq=False, repr=False)
class Track:
    """A value the game keeps: starts as None (players, cards, plays), 0, no, or -1 (enum)."""

    names: Names
    type: Type
    per_player: bool
    origin: Origin


@frozen(eq=False, repr=False)
class Ring:
    """The roles that lie on the ring of seats for low..high players, in declared order."""

    low: int
    high: int
    roles: tuple[int, ...]
    seats: int
    at_random: bool
    origin: Origin


@frozen(eq=False, repr=False)
class Roles:
    """Roles on a ring of seats. Seat of the first role at the start: random, or seat 1.

    Players sit on seats 1..N. Clockwise from the seat of the first role lie the last, the last but
    one, …, the second, so that when all roles move one seat clockwise each player goes through
    them in declared order. `rings`: for some player counts, other roles or seats; a role that is
    not used there is held by nobody.
    """

    names: tuple[Names, ...]
    seats: int
    at_random: bool
    origin: Origin
    rings: tuple[Ring, ...] = ()

    def ring(self, players: int) -> Ring:
        """What lies on the table with so many players."""
        for ring in self.rings:
            if ring.low <= players <= ring.high:
                return ring
        every = tuple(range(len(self.names)))
        return Ring(players, players, every, self.seats, self.at_random, self.origin)


@frozen(eq=False, repr=False)
class Shape:
    """lo..hi cards of `kind` ("" any) with constraints ("same" | "consecutive" | "different",
    attribute), and up to `wild_count` cards of kind `wild` standing for any. At least one card is
    no wild. Cards that lack a constrained attribute only fit as wild."""

    names: Names
    lo: int
    hi: int
    kind: str
    constraints: tuple[tuple[str, str], ...]
    wild: str
    wild_count: int
    origin: Origin


@frozen(eq=False, repr=False)
class Value:
    """A named value: pure, never recursive. The parameters are all there is (a hidden `me`
    comes first where the body needs it)."""

    names: Names
    params: tuple[Var, ...]
    body: Expr
    origin: Origin


@frozen(eq=False, repr=False)
class Action:
    """A named action. params[0] is always `me`."""

    names: Names
    params: tuple[Var, ...]
    body: tuple[Stmt, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class Effect:
    """What `apply FAMILY of KEY` does; `me` is its only parameter."""

    family: str
    key: int
    names: Names
    me: Var
    body: tuple[Stmt, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class Family:
    """A family of effects: keys of one type (enum attribute, role or shape)."""

    name: str
    key_type: Type
    effects: tuple[Effect, ...]


@frozen(eq=False, repr=False)
class Hook:
    """What happens at a moment: for the holder of a role (`role`), or for the acting player.

    Order of hooks: roles in declared order, within a role as written; then those without a role.
    """

    moment: str
    role: int | None
    me: Var
    when: Expr | None
    body: tuple[Stmt, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class Phase:
    names: Names
    body: tuple[Stmt, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class ScoringLine:
    names: Names
    me: Var
    expr: Expr
    origin: Origin


@frozen(eq=False, repr=False)
class WinnerKey:
    """Over players; `points` None means the sum of the scoring lines."""

    me: Var
    expr: Expr | None
    largest: bool
    origin: Origin


@frozen(eq=False, repr=False)
class Winner:
    """The best by all keys. `draw`: those still tied share the win; otherwise ties after the last
    key are an error at run time."""

    keys: tuple[WinnerKey, ...]
    draw: bool
    origin: Origin
