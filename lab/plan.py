"""What is to be simulated: a game, who plays it, which seeds. All that a worker needs to be sent.

Game number i (from 0) of a plan has the seed `seed + i`, and the bots moved on by i seats, so that
no bot keeps a seat. It is the game `rules trace` plays with that seed and those bots, and does not
depend on which worker plays it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import overload

from attrs import evolve, frozen

from dsl.program import Program
from interpreter.binding import OptionValue
from interpreter.bots import Bot
from interpreter.game import Game, compile_game
from lab import bots
from lab.measures import Measure

SEEDS = 2**64
MOST_IN_BLOCK, BLOCKS = 256, 200


@frozen(eq=False)
class Plan:
    """Games to play. `bots`: as many as players, who sit so in game 0 and move round after that.

    rows: whether a row for each game is wanted, besides the counts. details: whether intervals of
    how often a game values and cards were picked are wanted (those of ways always are).
    """

    program: Program
    players: int
    options: Mapping[str, OptionValue]
    bots: tuple[str, ...]
    seed: int
    games: int
    measures: tuple[Measure, ...] = ()
    rows: bool = False
    details: bool = True

    def game(self) -> Game:
        return compile_game(self.program, self.players, dict(self.options))

    def seated(self, index: int) -> tuple[str, ...]:
        """The bot of each seat in a game."""
        shift = index % self.players
        return self.bots[shift:] + self.bots[:shift]

    def seed_of(self, index: int) -> int:
        return (self.seed + index) % SEEDS

    def take_seats(self, game: Game, names: tuple[str, ...], seed: int) -> list[Bot]:
        """The bots of a game, by seat: where the lab makes bots, and nowhere else."""
        return [bots.make(name, seed, game) for name in names]

    @property
    def mixed(self) -> bool:
        """Whether different bots play against each other."""
        return len(set(self.bots)) > 1

    def blocks(self) -> Sequence[tuple[int, int]]:
        """(first game, how many): the parts in which games are played. They depend on the number
        of games alone, not on the workers."""
        return Blocks(self.games)

    def first(self, games: int) -> Plan:
        """The same plan for its first games only."""
        return evolve(self, games=games)


class Blocks(Sequence[tuple[int, int]]):
    """The blocks of so many games, worked out as they are asked for."""

    def __init__(self, games: int) -> None:
        self.games = games
        self.size = max(1, min(MOST_IN_BLOCK, games // BLOCKS))

    def __len__(self) -> int:
        return -(-self.games // self.size)

    @overload
    def __getitem__(self, number: int) -> tuple[int, int]: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[tuple[int, int]]: ...
    def __getitem__(self, number: int | slice) -> tuple[int, int] | Sequence[tuple[int, int]]:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        first = number * self.size
        if not 0 <= number < len(self):
            raise IndexError(number)
        return first, min(self.size, self.games - first)


def plan(
    game: Game,
    bots_: tuple[str, ...],
    games: int,
    seed: int = 1,
    *,
    measures: tuple[Measure, ...] = (),
    rows: bool = False,
    details: bool = True,
) -> Plan:
    """A plan for a compiled game."""
    return Plan(
        game.program, game.players, dict(game.options), bots_, seed, games, measures, rows, details
    )
