"""The bot that searches (`lab.bots.search`), as a player."""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any

from interpreter.bots import Keyed
from interpreter.chance import mix
from lab.bots.search import search

if TYPE_CHECKING:
    from interpreter.state import State


class MctsBot(Keyed):
    """Searches anew at every choice that has more than one option.

    playouts: for each choice. seconds: the most a choice may take; None: as long as it takes.
    """

    name = "mcts"

    def __init__(self, seed: int, playouts: int, seconds: float | None = None) -> None:
        super().__init__(seed)
        self.playouts = playouts
        self.seconds = seconds

    def choose(self, state: State) -> Any:
        rng = Random(mix(*self.words(state)))
        if self.seconds is None:
            return search(state, rng, self.playouts)
        end = monotonic() + self.seconds
        return search(state, rng, self.playouts, lambda: monotonic() >= end)

    def clone(self) -> MctsBot:
        twin = MctsBot(self.seed, self.playouts, self.seconds)
        twin._asked = dict(self._asked)
        return twin
