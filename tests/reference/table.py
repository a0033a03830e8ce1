"""The table of one game: physical cards, tokens, marks, tracked values, roles.

Used by the evaluator, which changes it, and by `expressions`, which reads it. A `Card` is a value
of the language, a face in a place; behind it is the physical `Piece` that was meant. What the
typed core leaves open raises `Unspecified`: a card that has left the place it was found in, and
one of several equal cards of a pile that is neither the first of them nor on top.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import Any

from dsl import program as p


@dataclass(eq=False)
class Piece:
    """A physical card. place: where it lies (-1: still in the box)."""

    face: int
    place: int = -1


@dataclass(frozen=True, eq=False)
class Card:
    """A card as a rule found it in a place."""

    piece: Piece
    place: int

    @property
    def face(self) -> int:
        return self.piece.face


@dataclass(eq=False)
class Play:
    """Cards that make a shape, in order of their faces. attributes: see `program.PlayAttr`."""

    shape: int
    cards: list[Card]
    attributes: tuple[int, ...]

    @property
    def faces(self) -> tuple[int, ...]:
        return tuple(card.face for card in self.cards)

    @property
    def places(self) -> tuple[int, ...]:
        return tuple(card.place for card in self.cards)

    @property
    def raw(self) -> tuple[Any, ...]:
        return (self.shape, self.faces, len(self.cards), *self.attributes)


@dataclass(frozen=True)
class Face:
    """What a card shows. values: of the attributes that its kind has."""

    kind: str
    values: dict[str, int]
    copies: int


@dataclass(frozen=True)
class Spot:
    """One place on the table: a shared one, or one player's."""

    name: str
    player: int | None
    kind: str
    sees: int


class RulesBroken(Exception):
    """A rule can't be carried out."""


class Unspecified(Exception):
    """What happens now, the typed core leaves open."""


@dataclass(eq=False)
class Table:
    """Everything that lies on the table. ring: the role at each seat."""

    program: p.Program
    players: int
    options: dict[str, Any]
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    faces: list[Face] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    at: list[list[Piece]] = field(default_factory=list)
    tokens: dict[tuple[str, int | None], int] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)
    marks: set[tuple[str, int | None]] = field(default_factory=set)
    tracks: dict[tuple[str, int | None], Any] = field(default_factory=dict)
    ring: list[int | None] = field(default_factory=list)

    # ── reading ──────────────────────────────────────────────────────────────────────────────

    def spot(self, name: str, player: int | None) -> int:
        """The place id of a place."""
        for index, spot in enumerate(self.spots):
            if spot.name == name and spot.player == player:
                return index
        raise RulesBroken(f"{name} of nobody")

    def cards_at(self, place: int) -> list[Card]:
        """The cards of a place in its order."""
        pieces = list(self.at[place])
        if self.spots[place].kind == "hand":
            pieces.sort(key=lambda piece: piece.face)
        return [Card(piece, place) for piece in pieces]

    def faces_at(self, place: int) -> tuple[int, ...]:
        return tuple(card.face for card in self.cards_at(place))

    def role_of(self, player: int) -> int | None:
        return self.ring[player] if player < len(self.ring) else None

    def holder_of(self, role: int | None) -> int | None:
        for player in range(self.players):
            if role is not None and self.role_of(player) == role:
                return player
        return None

    def text(self, face: int) -> str:
        """A face in words, as chance names it."""
        shown = self.faces[face]
        words = []
        for attribute, value in shown.values.items():
            values = self.program.attributes[attribute].values
            words.append(values[value].names.name if values else str(value))
        return " ".join(words) or shown.kind

    # ── changing ─────────────────────────────────────────────────────────────────────────────

    def lay(self, piece: Piece, place: int) -> None:
        """Put a piece into a place, on top or as the last to arrive."""
        if piece.place >= 0:
            self.at[piece.place].remove(piece)
        self.at[place].append(piece)
        piece.place = place

    def check(self, card: Card) -> None:
        """Whether it is clear which card is meant."""
        if card.piece.place != card.place:
            raise Unspecified("the card lies elsewhere by now")
        if self.spots[card.place].kind != "hand":
            pieces = self.at[card.place]
            equal = [piece for piece in pieces if piece.face == card.face]
            if card.piece not in (equal[0], pieces[-1]):
                raise Unspecified("there are equal cards")

    def pass_roles(self, clockwise: bool) -> None:
        step = -1 if clockwise else 1
        seats = len(self.ring)
        self.ring = [self.ring[(seat + step) % seats] for seat in range(seats)]


def chosen_options(program: p.Program, players: int, given: dict[str, Any]) -> dict[str, Any]:
    """The value of every option: as given, else the default for this number of players."""
    chosen: dict[str, Any] = {}
    for name, option in program.options.items():
        defaults = dict(option.default)
        chosen[name] = given[name] if name in given else defaults.get(players, defaults.get(0))
    return chosen


def set_up(table: Table, value: Any) -> None:
    """Lay out a table before setup. `value` works out an expression."""
    program, players = table.program, table.players
    for name, attribute in program.attributes.items():
        if attribute.lo is not None:
            table.ranges[name] = (value(attribute.lo), value(attribute.hi))
        else:
            table.ranges[name] = (0, len(attribute.values) - 1)
    for name, kind in program.kinds.items():
        domains = [range(low, high + 1) for low, high in (table.ranges[a] for a in kind.attributes)]
        for values in product(*domains):
            shown = dict(zip(kind.attributes, values, strict=True))
            if not isinstance(kind.copies, tuple):
                table.faces.append(Face(name, shown, value(kind.copies)))
                continue
            for each in kind.copies:
                if each.value.value == values[-1]:
                    table.faces.append(Face(name, shown, value(each.copies)))
    for index, face in enumerate(table.faces):
        table.pieces += [Piece(index) for _ in range(face.copies)]
    for name, place in program.places.items():
        for owner in range(players) if place.per_player else [None]:
            sees = (1 << players) - 1 if place.sight == "up" else 0
            if place.sight == "private" and owner is not None:
                sees = 1 << owner
            table.spots.append(Spot(name, owner, place.kind, sees))
    table.at = [[] for _ in table.spots]
    for key, holder in program.holders.items():
        table.limits[key] = p.ENDLESS if holder.limit is None else value(holder.limit)
        for owner in range(players) if holder.per_player else [None]:
            table.tokens[key, owner] = value(holder.start)
    start = {p.K.NUMBER: 0, p.K.TRUTH: False, p.K.ENUM: -1}
    for name, track in program.tracks.items():
        for owner in range(players) if track.per_player else [None]:
            table.tracks[name, owner] = start.get(track.type.kind)
