"""What every ruleset must keep, whatever the game: the checks of `interpreter.contract`, and one
that only tests need: that copies dealt for a player know nothing of the hidden cards.

Used by tests/test_contract.py and benchmarks/soak.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property
from random import Random

from dsl.program import Program
from interpreter import State
from interpreter.binding import OptionValue
from interpreter.contract import Kept, default, flips, imagined, playthrough

__all__ = ["Foresight", "Kept", "changed", "default", "flips", "imagined", "playthrough"]


def changed(program: Program) -> list[tuple[int, str, OptionValue]]:
    """Each option's other values, each at one player count: from few to many players in turn."""
    low, high = program.players
    cases: list[tuple[int, str, OptionValue]] = []
    for name, decl in program.options.items():
        for value in flips(decl, low):
            cases.append((low + len(cases) % (high - low + 1), name, value))
    return cases


class Foresight:
    """How well copies dealt for a player agree with the hidden cards as they really lie.

    A copy's agreement: for each hidden card in a place with an order, 1 if the copy has the same
    card there; for each hidden hand, the number of pairs of equal cards, one of the hand as it is
    and one of the copy's. Each is a sum over the copy's cards, so if all deals are equally likely
    its mean is known exactly.
    """

    def __init__(self, state: State, player: int) -> None:
        self.state, self.player = state, player
        binding = state.game.binding
        self.hidden = [i for i, sees in enumerate(binding.sees) if not sees >> player & 1]
        self.bags = {i for i in self.hidden if binding.places[i].kind == "hand"}

    @cached_property
    def pool(self) -> Counter[int]:
        """All cards that the player does not see."""
        return Counter(face for i in self.hidden for face in self.state.P[i])

    @property
    def expected(self) -> float:
        """The mean agreement of deals that know nothing."""
        total = self.pool.total()
        mean = 0.0
        for i in self.hidden:
            cards = self.state.P[i]
            weight = len(cards) if i in self.bags else 1
            mean += weight * sum(self.pool[face] / total for face in cards)
        return mean

    def agreement(self, copy: State) -> int:
        """How far a copy's hidden cards agree with the true ones."""
        found = 0
        for i in self.hidden:
            mine, true = copy.P[i], self.state.P[i]
            if i in self.bags:
                counts = Counter(true)
                found += sum(counts[face] for face in mine)
            else:
                found += sum(a == b for a, b in zip(mine, true, strict=True))
        return found

    def bias(
        self, number: int, rng: Random, deal: Callable[[State, int, Random], State] | None = None
    ) -> float:
        """How many standard errors the mean agreement of so many copies is from that of deals that
        know nothing. For players who know no hidden card. `deal` makes a copy; if none is given,
        the State does."""
        deal = deal or type(self.state).determinize
        found = [self.agreement(deal(self.state, self.player, rng)) for _ in range(number)]
        mean = sum(found) / number
        spread = sum((x - mean) ** 2 for x in found) / (number - 1)
        if spread == 0:
            return 0.0 if mean == self.expected else float("inf")
        return float((mean - self.expected) / (spread / number) ** 0.5)
