"""A game as its events alone tell it, to be compared with the game itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from dsl import program as p
from interpreter.contract.promises import require
from interpreter.events import KINDS, Event
from interpreter.game import Game
from interpreter.state import State

MOST_ORDERS = 5_000  # beyond, it isn't worked out how cards may lie


class Told:
    """The table as the events alone tell it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        n, program = game.players, game.program
        self.places: list[list[int]] = [[] for _ in game.places]
        self._before: list[list[int]] = [[] for _ in game.places]  # when it was compared last
        self._since: list[tuple[int | None, int, Sequence[int]]] = []  # from where, to where, what
        self.tokens: dict[tuple[str, int | None], int] = {}
        for key, holder in program.holders.items():
            for q in range(n) if holder.per_player else (None,):
                self.tokens[key, q] = game.binding.start[key]
        self.marked: set[tuple[str, int | None]] = set()
        self.tracked: dict[tuple[str, int | None], Any] = {}
        self.roles: tuple[int | None, ...] = ()
        self.end: dict[str, Any] | None = None
        self.choices: list[Any] = []

    def __call__(self, event: Event) -> None:
        require("events", event.kind in KINDS, f"an event of kind {event.kind}")
        require("events", self.end is None, "something happens after the end")
        getattr(self, "_" + event.kind, self._other)(**event.data)

    def _other(self, **_: Any) -> None: ...

    def _shuffle(self, place: int, cards: Sequence[int]) -> None:
        lay = self.places[place]
        if lay or not cards:
            require("events", sorted(lay) == sorted(cards), "a shuffle changes the cards")
        else:
            require("events", not any(self.places), "a shuffle makes cards")
        self.places[place] = list(cards)
        self._since.append((None, place, cards))

    def _move(self, cards: Sequence[int], source: int, target: int, seen: int) -> None:
        sees = self.game.binding.sees
        require(
            "events",
            not (sees[source] | sees[target]) & ~seen,
            "a move is not seen by those who see it",
        )
        self._since.append((source, target, cards))
        for face in cards:
            place = self.places[source]
            require(
                "events",
                face in place,
                f"a move of {self.game.face_label(face)}, which is not there",
            )
            if self.game.places[source].kind == "pile":
                del place[len(place) - 1 - place[::-1].index(face)]  # the topmost of its kind
            else:
                place.remove(face)
            self.places[target].append(face)

    def _pay(
        self, token: str, amount: int,
        source: tuple[str | None, int | None], target: tuple[str | None, int | None],
    ) -> None:  # fmt: skip
        require("events", amount >= 0, "less than nothing is paid")
        for (holder, player), sign in ((source, -1), (target, 1)):
            key = token if holder is None else holder
            if (key, player) in self.tokens and self.tokens[key, player] != p.ENDLESS:
                self.tokens[key, player] += sign * amount

    def _mark(self, mark: str, player: int | None, on: bool) -> None:
        (self.marked.add if on else self.marked.discard)((mark, player))

    def _track(self, name: str, player: int | None, value: Any) -> None:
        self.tracked[name, player] = value

    def _role(self, roles: Sequence[int | None]) -> None:
        self.roles = tuple(roles)

    def _choice(self, options: Sequence[Any], taken: Any, **_: Any) -> None:
        require("events", taken in options, "an option was taken that was not offered")
        self.choices.append(taken)

    def _end(self, **data: Any) -> None:
        self.end = data

    def _may_lie(self, place: int, lies: Sequence[int]) -> bool:
        """Whether cards may lie so after what was told: which of equal cards goes is not told."""
        orders = {tuple(self._before[place])}
        for source, target, cards in self._since:
            if source is None:
                orders = {tuple(cards)} if target == place else orders
                continue
            for face in cards:
                if source == place:
                    orders = {
                        order[:i] + order[i + 1 :]
                        for order in orders
                        for i, card in enumerate(order)
                        if card == face
                    }
                if target == place:
                    orders = {(*order, face) for order in orders}
            if len(orders) > MOST_ORDERS:
                return True
        return tuple(lies) in orders

    def compare(self, state: State) -> None:
        """That a State's table is the one that was told."""
        game = self.game
        for inst, told, lies in zip(game.places, self.places, state.P, strict=True):
            name = game.place_label(inst.index)
            require("events", Counter(told) == Counter(lies), f"events tell other cards in {name}")
            if inst.kind != "hand":
                so = told == lies or self._may_lie(inst.index, lies)
                require("events", so, f"events tell another order in {name}")
        self.places = [list(cards) for cards in state.P]
        self._before = [list(cards) for cards in state.P]
        self._since.clear()
        for key, count in game.token_counts(state):
            told_counts = [n for (k, _), n in self.tokens.items() if k == key]
            counts = [count] if isinstance(count, int) else list(count)
            require("events", told_counts == counts, f"events tell another number of {key}")
        for name, value in game.mark_values(state):
            found = {(name, None)} if value is True else {(name, q) for q in value or ()}
            told_marks = {(mark, q) for mark, q in self.marked if mark == name}
            require("events", told_marks == found, f"events tell other marks `{name}`")
        tracks = dict(game.track_values(state))
        for (name, player), value in self.tracked.items():
            held = tracks[name] if player is None else tracks[name][player]
            require("events", held == value, f"events tell another {name}")
        require(
            "events", self.roles == tuple(getattr(state, "ring", ())[: game.players]), "other roles"
        )
        require("events", (self.end is not None) == state.is_over, "the end was not told")
        if self.end is not None:
            require("events", list(self.end["points"]) == state.points, "events tell other points")
            require(
                "events",
                [sum(line) for line in self.end["lines"]] == state.points,
                "lines don't add up",
            )
            require(
                "events", list(self.end["winners"]) == state.winners, "events tell other winners"
            )
