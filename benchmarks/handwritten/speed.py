"""How fast the handwritten games run with uniformly random players.

Run as `python -m benchmarks.handwritten.speed [players] [seconds]`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any, Protocol

from benchmarks.handwritten import gorilla, last_leaf, throne

PLAYERS = 4
SECONDS = 2.0


class Playable(Protocol):
    """What the games have in common, as far as a random player needs it."""

    over: bool

    def options(self) -> list[Any]: ...

    def apply(self, option: Any, /) -> None: ...


GAMES: dict[str, Callable[[int, int], Playable]] = {
    "throne": throne.Game,
    "last-leaf": last_leaf.Game,
    "gorilla": gorilla.Game,
}


def measure(
    game: Callable[[int, int], Playable], players: int, seconds: float
) -> tuple[int, int, float]:
    """Games and decisions played, and the time they took: `seconds` and the last game's rest."""
    random = Random(1).random
    games = decisions = 0
    start = perf_counter()
    while (elapsed := perf_counter() - start) < seconds:
        g = game(players, games)
        while not g.over:
            options = g.options()
            g.apply(options[int(random() * len(options))])
            decisions += 1
        games += 1
    return games, decisions, elapsed


def main() -> None:
    players = int(sys.argv[1]) if len(sys.argv) > 1 else PLAYERS
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS
    print(f"{'game':<10} {'players':>7} {'decisions/s':>12} {'games/s':>9} {'decisions/game':>15}")
    for name, game in GAMES.items():
        games, decisions, elapsed = measure(game, players, seconds)
        print(
            f"{name:<10} {players:>7} {decisions / elapsed:>12,.0f} {games / elapsed:>9,.0f} "
            f"{decisions / games:>15.1f}"
        )


if __name__ == "__main__":
    main()
