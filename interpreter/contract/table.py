"""The table at every decision: cards, tokens, options, the result. Cheap enough to be always on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from operator import lt
from typing import Any

from dsl import program as p
from interpreter.contract.promises import Broken, require
from interpreter.game import Game
from interpreter.state import State


class Kept:
    """What a game must keep at every decision, with all that can be worked out beforehand."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.deck = sorted(game.binding.deck)
        self.hands = [inst.index for inst in game.places if inst.kind == "hand"]
        self.orders = [_order(info.branches, info.nameless) for info in game.choices]
        holders = game.program.holders
        self.limits = game.binding.limit
        closed = {
            token
            for token in game.program.tokens
            if any(h.token == token and not h.per_player for h in holders.values())
            and not any(
                game.binding.start[key] == p.ENDLESS
                for key, h in holders.items()
                if h.token == token
            )
        }
        self.groups = {key: h.token for key, h in holders.items() if h.token in closed}
        self.totals = self._totals(game.binding.start.items())

    def _totals(self, counts: Iterable[tuple[str, int | tuple[int, ...]]]) -> dict[str, int]:
        """Tokens by kind, of those kinds that can't come from or go to nowhere."""
        totals: dict[str, int] = {}
        for key, count in counts:
            if key in self.groups:
                if isinstance(count, int) and self.game.program.holders[key].per_player:
                    count *= self.game.players
                number = count if isinstance(count, int) else sum(count)
                totals[self.groups[key]] = totals.get(self.groups[key], 0) + number
        return totals

    def check(self, state: State) -> None:
        """Cards, tokens, limits, and the options or the result, of a State."""
        self.check_cards(state)
        self.check_tokens(state)
        if state.is_over:
            self.check_end(state)
        else:
            self.check_options(state)

    def check_cards(self, state: State) -> None:
        """The cards in all places are those of the box; hands are sorted, as all hands are."""
        places = state.P
        if sorted([face for place in places for face in place]) != self.deck:
            raise Broken("cards", self._missing(state))
        for pid in self.hands:
            if places[pid] != sorted(places[pid]):
                raise Broken("cards", f"{self.game.place_label(pid)} is not sorted")

    def _missing(self, state: State) -> str:
        lying = Counter(face for place in state.P for face in place)
        box = Counter(self.deck)
        parts = []
        for sign, cards in (("missing", box - lying), ("too many", lying - box)):
            if cards:
                names = (f"{n} {self.game.face_label(face)}" for face, n in sorted(cards.items()))
                parts.append(f"{sign}: {', '.join(names)}")
        return f"the cards on the table are not those of the box ({'; '.join(parts)})"

    def check_tokens(self, state: State) -> None:
        """No count is below 0 or above its limit, and none came from nowhere."""
        counts = self.game.token_counts(state)
        for key, count in counts:
            limit = self.limits[key]
            for number in (count,) if isinstance(count, int) else count:
                if number < 0:
                    raise Broken("tokens", f"{key} is {number}, below 0")
                if limit is not None and number > limit:
                    raise Broken("tokens", f"{key} is {number}, above its limit {limit}")
        totals = self._totals(counts)
        if totals != self.totals:
            found = (f"{n} {key} instead of {self.totals[key]}" for key, n in totals.items())
            raise Broken("tokens", f"tokens were lost or made ({', '.join(found)})")

    def check_options(self, state: State) -> None:
        """There are some; each is there once; they lie in canonical order."""
        moves = state.moves
        require("options", moves, "nothing can be chosen")
        require("options", state.player in range(self.game.players), "nobody is asked")
        order = self.orders[state.pc]
        keys = list(moves) if order is None else list(map(order, moves))
        if not all(map(lt, keys, islice(keys, 1, None))):
            raise Broken("options", f"options are twice there or out of order: {moves}")
        require("end", not state.won, "there are winners before the end")

    def check_end(self, state: State) -> None:
        """A game that is over has points for all, and winners among them; nothing is asked."""
        silent = state.player is None and not state.moves
        require(
            "end",
            silent and state.decision is None and state.rule is None,
            "the game is over and still asks",
        )
        points, winners = state.points, state.winners
        require("end", len(points) == self.game.players, "not everyone has points")
        require("end", all(type(n) is int for n in points), "points are not numbers")
        require("end", winners and winners == sorted(set(winners)), "no winners, or not in order")
        require("end", set(winners) <= set(range(self.game.players)), "a winner does not play")
        rule = self.game.program.winner
        if rule.keys and rule.keys[0].expr is None:
            best = max(points) if rule.keys[0].largest else min(points)
            require("end", all(points[q] == best for q in winners), "a winner is not ahead")
        require("end", len(winners) == 1 or rule.draw, "a tie that is no draw")


def _order(branches: Sequence[Any], nameless: bool) -> Callable[[Any], Any] | None:
    """The sort key that a choice's options are in order of; None: they themselves."""
    keys = [_value_key(branch.kind) for branch in branches]
    if nameless:
        return keys[0]

    def key(raw: Any) -> Any:
        index, value = raw
        inner = keys[index]
        return index, value if inner is None or value is None else inner(value)

    return None if all(k is None for k in keys) else key


def _value_key(kind: str) -> Callable[[Any], Any] | None:
    if kind == "cards":  # fewer first
        return lambda cards: (len(cards), cards)
    if kind == "play":  # by shape, size, faces, and their places if these differ
        return lambda play: (play[0], play[2], play[1], play[3:])
    return None
