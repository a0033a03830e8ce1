"""The table as a person sees it: what lies where, as data; and as plain text.

`lay` reads a player's view, so nothing hidden can get here. `cli.screen` shows the same data with
colours on a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from cli.session import Session
from cli.story import value_text
from cli.words import Words
from dsl.program import ENDLESS, Names, Type
from interpreter.describe import player_labels
from interpreter.labels import say
from interpreter.state import SeenPlace
from interpreter.trace.records import Recorder

MOST_CARDS = 8  # of a pile, shown side by side


@frozen
class Pair:
    """A name and what there is: `hand`: `2 cards`."""

    name: str
    text: str


@frozen
class Seat:
    """One player's side of the table."""

    player: str
    you: bool
    asked: bool
    role: str
    tokens: tuple[Pair, ...]
    places: tuple[Pair, ...]
    marks: tuple[str, ...]


@frozen
class Table:
    """Everything on the screen but the news and the question."""

    title: str
    where: str
    seats: tuple[Seat, ...]
    shared: tuple[Pair, ...]
    own: tuple[Pair, ...]
    known: tuple[Pair, ...]


def grouped(cards: Sequence[str]) -> str:
    """Cards side by side, equal neighbours counted: `2 × knight, thief`."""
    parts: list[str] = []
    counts: list[int] = []
    for card in cards:
        if parts and parts[-1] == card:
            counts[-1] += 1
        else:
            parts.append(card)
            counts.append(1)
    return ", ".join(
        card if n == 1 else f"{n} × {card}" for card, n in zip(parts, counts, strict=True)
    )


def plain(table: Table, words: Words) -> str:
    """The table as lines of text."""
    lines = [f"── {table.title} · {table.where} ──" if table.where else f"── {table.title} ──"]
    names = [_seat_name(seat, words) for seat in table.seats]
    span = max(cells(name) for name in names)
    for seat, name in zip(table.seats, names, strict=True):
        parts = [seat.role] if seat.role else []
        parts += [f"{pair.name} {pair.text}" for pair in seat.tokens]
        parts += [f"{pair.name}: {pair.text}" for pair in seat.places]
        parts += seat.marks
        mark = ">" if seat.asked else " "
        lines.append(f"{mark} {name}{' ' * (span - cells(name))}  {' · '.join(parts)}")
    if table.shared:
        lines.append("  " + " · ".join(f"{pair.name}: {pair.text}" for pair in table.shared))
    for pair in table.known:
        lines.append(f"  {pair.name}: {words('known', cards=pair.text)}")
    for pair in table.own:
        lines.append(f"{words('yours', place=pair.name)}: {pair.text}")
    return "\n".join(lines)


def _seat_name(seat: Seat, words: Words) -> str:
    return f"{seat.player} ({words('you')})" if seat.you else seat.player


def cells(text: str) -> int:
    """How wide a text is on a terminal."""
    from dsl.diagnostics import width

    return width(text)


# ── reading a view ───────────────────────────────────────────────────────────────────────────


def lay(session: Session, player: int, words: Words) -> Table:
    """The table as a player sees it now."""
    return _Layer(session, player, words).table()


class _Layer:
    """Names everything in one player's view."""

    def __init__(self, session: Session, player: int, words: Words) -> None:
        self._game = session.game
        self._program = session.game.program
        self._words = words
        self._view = session.state.view(player)
        self._recorder = Recorder(session.game, player, words.lang)
        # the place people think of as their hand is shown even while it is empty everywhere
        private = (q.place for q in session.game.places if q.sight == "private")
        self._main = next(private, "")

    def table(self) -> Table:
        used = {
            inst.place
            for inst, seen in zip(self._game.places, self._view.places, strict=True)
            if seen.size
        }
        own: list[Pair] = []
        shared: list[Pair] = []
        sides: list[list[Pair]] = [[] for _ in range(self._game.players)]
        for inst, seen in zip(self._game.places, self._view.places, strict=True):
            name = self._name(self._program.places[inst.place].names)
            pair = Pair(name, self._cards(seen, inst.kind))
            if inst.player is None:
                shared.append(pair)
            elif inst.place not in used and inst.place != self._main:
                continue  # nobody has cards there now
            elif inst.sight == "up":
                sides[inst.player].append(pair)
            else:
                sides[inst.player].append(Pair(name, self._count(seen.size)))
                if inst.player == self._view.player and seen.cards is not None:
                    own.append(pair)
        tokens = self._tokens(shared)
        marks = self._marks(shared)
        self._tracks(shared, marks)
        seats = tuple(
            Seat(
                f"P{q + 1}",
                q == self._view.player,
                q == self._view.asked,
                self._role(q),
                tuple(tokens[q]),
                tuple(sides[q]),
                tuple(marks[q]),
            )
            for q in range(self._game.players)
        )
        title = self._name(self._program.title)
        return Table(title, self._where(), seats, tuple(shared), tuple(own), self._known())

    def _name(self, names: Names) -> str:
        return say(names, self._words.lang)

    def _where(self) -> str:
        """Phase and loops; whose turn it is shows at the seats."""
        phases = {phase.names.name: phase.names for phase in self._program.phases}
        over_players = player_labels(self._program)
        parts = []
        for label, value in self._view.coordinates:
            if label == "phase":
                parts += [self._name(phases[value])] if value in phases else []
            elif label not in over_players:
                parts.append(f"{self._name(self._program.labels[label])} {value}")
        return " · ".join(parts)

    def _cards(self, seen: SeenPlace, kind: str) -> str:
        if seen.cards is None:
            return self._count(seen.size)
        names = [self._game.face_label(face, self._words.lang) for face in seen.cards]
        if kind == "pile" and len(names) > MOST_CARDS:
            top = self._words("top", card=names[-1])
            return f"{self._words.cards(len(names))} ({top})"
        return grouped(names) or self._words("empty")

    def _count(self, size: int) -> str:
        return self._words.cards(size) if size else self._words("empty")

    def _tokens(self, shared: list[Pair]) -> list[list[Pair]]:
        """Each player's tokens; what shared holders have goes to the middle."""
        found: list[list[Pair]] = [[] for _ in range(self._game.players)]
        for key, counts in self._view.tokens:
            name = self._name(self._program.holders[key].names)
            if isinstance(counts, tuple):
                for q, count in enumerate(counts):
                    found[q].append(Pair(name, str(count)))
            else:
                endless = counts >= ENDLESS
                shared.append(Pair(name, self._words("endless") if endless else str(counts)))
        return found

    def _marks(self, shared: list[Pair]) -> list[list[str]]:
        found: list[list[str]] = [[] for _ in range(self._game.players)]
        for key, value in self._view.marks:
            name = self._name(self._program.marks[key].names)
            if isinstance(value, tuple):
                for q in value:
                    found[q].append(name)
            elif value:
                shared.append(Pair(name, self._words("yes")))
        return found

    def _tracks(self, shared: list[Pair], marks: list[list[str]]) -> None:
        """Values the game keeps; those that are not set are left out."""
        for key, value in self._view.tracks:
            track = self._program.tracks[key]
            name = self._name(track.names)
            if not track.per_player:
                if value is not None:
                    shared.append(Pair(name, self._value(track.type, value)))
                continue
            for q, of_player in enumerate(value):
                if of_player is not None:
                    marks[q].append(f"{name} {self._value(track.type, of_player)}")

    def _value(self, kind: Type, value: object) -> str:
        return value_text(self._recorder.value(kind, value), self._words)

    def _role(self, player: int) -> str:
        roles, held = self._program.roles, self._view.roles
        if roles is None:
            return ""
        index = held[player]
        return self._words("none") if index is None else self._name(roles.names[index])

    def _known(self) -> tuple[Pair, ...]:
        """Cards out of sight that the player has seen, by where they may be."""
        found: dict[str, list[str]] = {}
        for face, places in self._view.known:
            where = " / ".join(self._game.place_label(q, self._words.lang) for q in places)
            found.setdefault(where, []).append(self._game.face_label(face, self._words.lang))
        return tuple(Pair(where, grouped(cards)) for where, cards in found.items())
