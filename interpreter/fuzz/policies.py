"""How a seat chooses when the aim is to break rules: not well, but unlike others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

from interpreter.state import State

Taken: TypeAlias = "Counter[tuple[int, Any]]"
"""How often each option was taken, by the choice's number and what it is (`what`)."""

NOISE = 0.1  # the share of choices that a stubborn seat makes at random, where it makes any


def what(state: State, raw: Any) -> Any:
    """An option without what differs from deal to deal: the way, or the value."""
    return raw if state.game.choices[state.pc].nameless else raw[0]


def uniform(state: State, rng: Random, taken: Taken) -> int:
    return rng.randrange(len(state.moves))


def first(state: State, rng: Random, taken: Taken) -> int:
    return 0


def last(state: State, rng: Random, taken: Taken) -> int:
    return len(state.moves) - 1


def rare(state: State, rng: Random, taken: Taken) -> int:
    """One of those taken least often in all games so far."""
    counts = [taken[state.pc, what(state, raw)] for raw in state.moves]
    least = min(counts)
    return rng.choice([i for i, count in enumerate(counts) if count == least])


Policy: TypeAlias = Callable[[State, Random, Taken], int]
POLICIES: Sequence[Policy] = (uniform, uniform, first, last, rare)


class Seats:
    """The seats of one game, each with a policy of its own; or all with the same, at times one
    that repeats itself."""

    def __init__(self, players: int, rng: Random, taken: Taken) -> None:
        self._rng, self._taken = rng, taken
        same = rng.random() < 0.3
        one = rng.choice(POLICIES)
        self._policies = [one if same else rng.choice(POLICIES) for _ in range(players)]
        self._again = rng.random() < 0.2  # whether seats answer a choice as they did before
        self._noise = rng.choice((0.0, NOISE))
        self._before: dict[tuple[int, int], int] = {}

    def choose(self, state: State) -> int:
        """The position of an option of the choice now asked."""
        assert state.player is not None
        rng, spot = self._rng, (state.player, state.pc)
        if self._noise and rng.random() < self._noise:
            index = rng.randrange(len(state.moves))
        elif self._again and spot in self._before:
            index = min(self._before[spot], len(state.moves) - 1)
        else:
            index = self._policies[state.player](state, rng, self._taken)
        self._before[spot] = index
        self._taken[state.pc, what(state, state.moves[index])] += 1
        return index
