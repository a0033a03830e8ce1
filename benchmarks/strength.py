"""Which bot is the stronger: `python -m benchmarks.strength [RULESET …] [--games N] [--out F]`.

For each ruleset, duels: `hard` against `normal`, `normal` against `easy`, `easy` against `random`,
and each of the ruleset's own bots against `random`. In a duel half of the seats are of one bot,
half of the other; each deal is played twice with the sides swapped, and who sits where moves round
from deal to deal. So equal bots win half each, whatever the seats are worth. The share of wins (a
draw counts by parts) is given with its 95 % interval (Wilson); a `*` marks duels where that is
above one half, so that the two bots' intervals are apart.

All duels advance together, and each game is written to F when it is done. Started again with the
same F, it goes on where it was stopped. It may run for an hour and more.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from dsl import pipeline
from interpreter import Game, compile_game
from lab import bots
from lab.numbers import wilson

LADDER = (("hard", "normal"), ("normal", "easy"), ("easy", "random"))

Match: TypeAlias = tuple[str, int, str, str, int]
"""ruleset, players, one bot, the other, number of the game"""


@cache
def load(name: str, players: int) -> Game:
    program, found = pipeline.load(pipeline.find(name))
    if program is None:
        raise SystemExit("\n".join(d.message for d in found))
    low, high = program.players
    return compile_game(program, min(max(players, low), high))


def seats(players: int, number: int) -> list[bool]:
    """For each seat, whether the first bot sits there. With an odd number of seats one side has one
    seat more, in turn."""
    deal, swapped = divmod(number, 2)
    first = [(seat + deal // 2) % 2 == 0 for seat in range(players)]
    return [side != bool(swapped) for side in first]


def play(match: Match) -> tuple[Match, float, int]:
    """The first bot's share of the win, and how many seats it had."""
    name, players, one, other, number = match
    game = load(name, players)
    sides = seats(game.players, number)
    seed = number // 2
    state = game.start(seed)
    seated = [bots.make(one if mine else other, 2 * seed + mine, game) for mine in sides]
    bots.play_out(state, seated)
    share = sum(sides[winner] for winner in state.won) / len(state.won)
    return match, share, sum(sides)


def matches(args: argparse.Namespace, done: set[Match]) -> Iterator[Match]:
    """All games to play, all duels a few games at a time."""
    for number in range(args.games):
        for name in args.rulesets:
            game = load(name, args.players)
            duels = [*LADDER, *((bot, "random") for bot in game.program.bots)]
            if args.duel:
                duels = [tuple(pair.split(":")) for pair in args.duel]
            for one, other in duels:
                match = (name, game.players, one, other, number)
                if match not in done:
                    yield match


def report(results: dict[tuple[str, int, str, str], list[float]]) -> str:
    lines = []
    for (name, players, one, other), shares in results.items():
        games = len(shares)
        found = wilson(sum(shares), games)
        assert found is not None
        apart = "*" if found.low > 0.5 else " "
        lines.append(
            f"{name}, {players} players: {one:>9} beats {other:<7} in {found.value:6.1%} "
            f"({found.low:.1%}..{found.high:.1%}) of {games} games {apart}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesets", nargs="*", default=["throne", "last-leaf", "gorilla"])
    parser.add_argument("--games", type=int, default=200, help="for each duel")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--duel", action="append", metavar="ONE:OTHER", help="these duels only")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, help="results, one a line; gone on with if it exists")
    args = parser.parse_args()
    results: dict[tuple[str, int, str, str], list[float]] = defaultdict(list)
    done: set[Match] = set()
    if args.out is not None and args.out.exists():
        for line in args.out.read_text(encoding="utf-8").splitlines():
            match, share = json.loads(line)
            done.add(tuple(match))
            results[tuple(match[:4])].append(share)
    todo = matches(args, done)
    keep: Any = args.out.open("a", encoding="utf-8") if args.out is not None else None
    try:
        with multiprocessing.Pool(args.workers) as pool:
            for match, share, _ in pool.imap(play, todo):
                results[match[:4]].append(share)
                if keep is not None:
                    keep.write(json.dumps([match, share]) + "\n")
                    keep.flush()
    except KeyboardInterrupt:
        print("stopped; started again with --out it goes on from here")
    print(report(results))


if __name__ == "__main__":
    main()
