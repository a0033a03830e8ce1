"""The typed core: what a ruleset means, with names resolved and sugar gone.

Written by `dsl.lower`; read by the engine, the documentation, coverage, the reference evaluator.
Everything here is immutable, first-order and free of the syntax that produced it. Options stay
symbolic (`Option`), players are known only at binding. Nothing in this module knows any game.
Nodes have no `repr` of their own: making one for each class takes a third of the import.

Values at run time
    number        int; `ENDLESS` stands for "never runs out"
    truth         bool
    player        int, 0-based seat order; None is "nobody"
    enum value    int index into `Attribute.values`; -1 where a card has no such attribute
    role, shape   int index into `Program.roles.names` / `Program.shapes`; role None: no role
    card          a face (index into `Game.faces`) at a place instance; None is "no card"
    play          shape + the sorted faces that make it; None is "no play"
    collections   cards (faces with their places), players (tuple of int), enum values
"""

from __future__ import annotations

import enum
import re
from typing import TypeAlias

from attrs import field, frozen

ENDLESS = 1_000_000_000


@frozen
class Span:
    """Where something stands: file, and 1-based lines and character columns (end exclusive)."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@frozen(eq=False, repr=False)
class Origin:
    """Which rule something comes from: its path, place and clause tags.

    `tags` are the tags written on the line, or else those of the nearest enclosing tagged line.
    """

    path: str
    span: Span
    tags: tuple[str, ...] = ()


class K(enum.Enum):
    """Kinds of type."""

    NUMBER = "number"
    TRUTH = "yes or no"
    PLAYER = "player"
    CARD = "card"
    ENUM = "value"  # name: the attribute
    ROLE = "role"
    SHAPE = "shape"
    PLAY = "play"
    WORD = "word"  # name: the option
    CARDS = "cards"
    PLAYERS = "players"
    ENUMS = "values"  # a collection of enum values; name: the attribute


@frozen
class Type:
    kind: K
    name: str = ""


NUMBER, TRUTH, PLAYER, CARD = Type(K.NUMBER), Type(K.TRUTH), Type(K.PLAYER), Type(K.CARD)
ROLE, SHAPE, PLAY = Type(K.ROLE), Type(K.SHAPE), Type(K.PLAY)
CARDS, PLAYERS = Type(K.CARDS), Type(K.PLAYERS)


# ── variables ────────────────────────────────────────────────────────────────────────────────


@frozen(eq=False, repr=False)
class Var:
    """A local name in one routine: parameter, loop variable, candidate, chosen value, `me`.

    `id` is unique in the Program. `captures` is not needed: hooks list what they read in `Hook`.
    """

    id: int
    name: str
    type: Type


# ── expressions ──────────────────────────────────────────────────────────────────────────────


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
    """Every card of the game (only `shuffle all cards into …` in setup)."""

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


# ── statements ───────────────────────────────────────────────────────────────────────────────


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
    run, if any, follows)."""

    what: str
    origin: Origin


Stmt: TypeAlias = (
    Shuffle
    | Deal
    | Move
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


# ── declarations ─────────────────────────────────────────────────────────────────────────────


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
class CardKind:
    """`copies` of each combination of `attributes` (in that order, the last varying fastest)."""

    names: Names
    attributes: tuple[str, ...]
    copies: Expr
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


# ── bots ─────────────────────────────────────────────────────────────────────────────────────


@frozen(eq=False, repr=False)
class BotSetting:
    """A number somebody may set when the bot is seated, from lo to hi where these are given."""

    names: Names
    default: int | float
    lo: int | float | None
    hi: int | float | None


@frozen(eq=False, repr=False)
class Memory:
    """What a bot keeps in mind beside the State. Starts as a `Track` of that type does."""

    names: Names
    type: Type
    per_player: bool


@frozen(eq=False, repr=False)
class Wish:
    """A line of preferences about the options of one way of a choice (`var`: what is picked).

    Of the options for which `where` holds: those with the best `keys` (not `weighed`), of these
    the first, if then `when` holds for it; or (`weighed`) those for which `when` holds too, with
    `score`.
    """

    way: int  # index of the branch
    var: Var | None
    where: Expr | None
    keys: tuple[Key, ...]
    score: Expr | None
    when: Expr | None
    span: Span

    @property
    def weighed(self) -> bool:
        return self.score is not None


@frozen(eq=False, repr=False)
class BotChoice:
    """What a bot prefers at a choice: lines in order, the first that gives an option decides.

    Weighed lines that follow each other are one: of all their options that with the highest
    score is taken (of equals the first).
    """

    path: str
    wishes: tuple[Wish, ...]
    draws: int  # how many sites of noise and chance there are
    span: Span


@frozen(eq=False, repr=False)
class Remember:
    """Keep a value in mind."""

    name: str
    player: Expr | None
    value: Expr
    span: Span


@frozen(eq=False, repr=False)
class RememberIf:
    condition: Expr
    then: tuple[Remembering, ...]
    otherwise: tuple[Remembering, ...]
    span: Span


Remembering: TypeAlias = Remember | RememberIf


@frozen(eq=False, repr=False)
class Trigger:
    """What a bot keeps in mind when a choice is made: by itself (`mine`), or by anyone.

    way: index of the branch, None for any. `they` is who chooses; `var` what is picked, only where
    the bot may know it. Looked at as things stand before the choice has any effect.
    """

    path: str
    way: int | None
    mine: bool
    they: Var
    var: Var | None
    body: tuple[Remembering, ...]
    span: Span


@frozen(eq=False, repr=False)
class Bot:
    """A player written in the ruleset: it reads what its player (`me`) may know, and its memory.

    values: named values of its own, beside those of the Program (keys differ from theirs).
    """

    names: Names
    me: Var
    settings: dict[str, BotSetting]
    memory: dict[str, Memory]
    values: dict[str, Value]
    choices: tuple[BotChoice, ...]
    triggers: tuple[Trigger, ...]
    origin: Origin


@frozen(eq=False, repr=False)
class Program:
    """One game, complete. Dicts keep declaration order."""

    title: Names
    sheet: str
    file: str
    source_hash: str  # sha256 of all the text it was made from
    players: tuple[int, int]
    options: dict[str, OptionDecl]
    attributes: dict[str, Attribute]
    kinds: dict[str, CardKind]
    places: dict[str, Place]
    holders: dict[str, Holder]
    tokens: dict[str, Names]
    marks: dict[str, Mark]
    tracks: dict[str, Track]
    roles: Roles | None
    shapes: dict[str, Shape]
    setup: tuple[Stmt, ...]
    setup_me: Var  # the first player, for `me` in setup
    phases: tuple[Phase, ...]
    phase_me: Var  # the first player, for `me` outside any turn
    values: dict[str, Value]
    actions: dict[str, Action]
    families: dict[str, Family]
    hooks: tuple[Hook, ...]
    scoring: tuple[ScoringLine, ...]
    winner: Winner
    labels: dict[str, Names]  # loop labels: round, turn, trick …
    choices: dict[str, Names]  # choice path -> its name, and `path/branch` -> the branch's
    prompts: dict[str, Names]  # choice path -> the question asked of a person
    moments: dict[str, Names]
    bots: dict[str, Bot]
    sources: dict[str, str]  # file -> text, for positions and listings
    examples: bytes = b""  # packed; `dsl.examples.examples_of` has them
    # words a variant renamed -> what its base calls them; chance goes by the old ones
    renamed: dict[str, str] = field(factory=dict)

    def older(self, text: str) -> str:
        """A path, a card or another text under the names it had before a variant renamed some."""
        if not self.renamed:
            return text
        return re.sub(r"\w+", lambda word: self.renamed.get(word[0], word[0]), text)
