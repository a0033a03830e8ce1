"""The Last Leaf: of five cards four are laid on the table, and the one kept scores by them."""

from __future__ import annotations

from random import Random

# A card is 4 * rank + suit, ranks 0 to 12 for 2 to ace, suits clubs, diamonds, hearts, spades:
# so the stronger of two leaves is the larger number.
DECK = range(52)
HAND = 5


class Game:
    """One deal for 2 to 8 players."""

    __slots__ = ("chosen", "hands", "laid", "over", "player")

    hands: list[list[int]]  # sorted
    laid: list[list[int]]  # by seat, in the order laid
    chosen: list[int]  # this round's cards so far, still face down, in seat order
    player: int
    over: bool

    def __init__(self, players: int, seed: int) -> None:
        if not 2 <= players <= 8:
            raise ValueError(f"2 to 8 players, not {players}")
        dealt = Random(seed).sample(DECK, HAND * players)
        self.hands = [sorted(dealt[seat::players]) for seat in range(players)]
        self.laid = [[] for _ in range(players)]
        self.chosen = []
        self.player = 0
        self.over = False

    def options(self) -> list[int]:
        """The cards the player may lay."""
        return [] if self.over else self.hands[self.player][:]

    def apply(self, option: int) -> None:
        """Choose a card; once all have chosen, all cards are turned up."""
        chosen = self.chosen
        chosen.append(option)
        self.player += 1
        if self.player < len(self.hands):
            return
        for hand, row, card in zip(self.hands, self.laid, chosen, strict=True):
            hand.remove(card)
            row.append(card)
        self.chosen = []
        self.player = 0
        self.over = len(self.hands[0]) == 1

    def clone(self) -> Game:
        copy = Game.__new__(Game)
        copy.hands = [hand[:] for hand in self.hands]
        copy.laid = [row[:] for row in self.laid]
        copy.chosen = self.chosen[:]
        copy.player = self.player
        copy.over = self.over
        return copy

    def points(self) -> list[int]:
        """What each leaf scores; nothing while there are no leaves yet."""
        if not self.over:
            return [0] * len(self.hands)
        suits = [0] * 4
        ranks = [0] * 13
        for row in self.laid:
            for card in row:
                suits[card & 3] += 1
                ranks[card >> 2] += 1
        return [suits[leaf & 3] + 2 * ranks[leaf >> 2] for (leaf,) in self.hands]

    def winners(self) -> list[int]:
        """The seat with most points, among equals the one with the stronger leaf."""
        if not self.over:
            return []
        standing = zip(self.points(), self.hands, range(len(self.hands)), strict=True)
        return [max(standing)[2]]
