"""How fast bots play: `python -m benchmarks.bots [RULESET …] [--players 4] [--set NAME=VALUE]`.

For each ruleset: games/s of processor time when one of its own bots plays all seats, beside games/s
when options are taken at random, in turn in one process, slice by slice; and for every number of
players, how long `normal` takes for a move (median, longest of twenty, longest), by the clock and
in processor time, at choices of random games that have more than one option.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from random import Random
from typing import Any

from dsl import pipeline
from interpreter import Game, compile_game
from lab import bots

SLICES = 11
MOVES = 60  # of `normal`, for each ruleset and number of players


def play_bots(game: Game, name: str, seed: int) -> None:
    state = game.start(seed)
    bots.play_out(state, [bots.make(name, seed, game) for _ in range(game.players)])


def play_random(game: Game, seed: int) -> None:
    rand = Random(seed).random
    state = game.start(seed)
    while not state.is_over:
        moves = state.moves
        state.apply(moves[int(rand() * len(moves))])


def rate(play: Callable[[int], None], seconds: float, seed: int) -> float:
    """Games/s of processor time, over about so many seconds."""
    games, start = 0, time.process_time()
    while True:
        for _ in range(5):
            play(seed + games)
            games += 1
        spent = time.process_time() - start
        if spent >= seconds:
            return games / spent


def rates(game: Game, seconds: float) -> dict[str, Any]:
    """Games/s of each of the ruleset's bots, and at random."""
    found: dict[str, Any] = {}
    for name in game.program.bots:
        play_bots(game, name, 0)  # compiled
        ours, theirs = [], []
        for number in range(SLICES):
            first, each = number * 10**6, seconds / SLICES
            ours.append(rate(lambda seed, n=name: play_bots(game, n, seed), each, first))  # type: ignore[misc]
            theirs.append(rate(lambda seed: play_random(game, seed), each, first))
        ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
        found[name] = {
            "games_per_s": round(statistics.median(ours), 1),
            "random_games_per_s": round(statistics.median(theirs), 1),
            "of_random": round(statistics.median(ratios), 2),
        }
    return found


def move_times(game: Game, name: str = "normal") -> dict[str, float]:
    """Milliseconds of a move, over moves from all of a game: by the clock, but for `cpu`."""
    times: list[float] = []
    cpu = 0.0
    seed = 0
    while len(times) < MOVES:
        seed += 1
        state, seated = game.start(seed), bots.make(name, seed, game)
        rng = Random(seed)
        while state.player is not None:
            raw = state.moves[0]
            # not every choice: moves of all parts of the game should be among the first sixty
            if len(state.moves) > 1 and (rng.random() < 0.3 or len(times) >= MOVES):
                start, spent = time.perf_counter(), time.process_time()
                raw = seated.choose(state)
                cpu = max(cpu, (time.process_time() - spent) * 1000)
                times.append((time.perf_counter() - start) * 1000)
            else:
                raw = rng.choice(state.moves)
            state.apply(raw)
            if len(times) >= MOVES:
                break
    times.sort()
    return {
        "median_ms": round(statistics.median(times)),
        "one_in_20_ms": round(times[len(times) * 19 // 20]),
        "longest_ms": round(times[-1]),
        "longest_cpu_ms": round(cpu),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesets", nargs="*", help="all that come with the program")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seconds", type=float, default=4.0, help="per bot and side")
    parser.add_argument("--no-moves", action="store_true", help="leave out how long moves take")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    folder = pipeline.bundled_rulesets()
    names = args.rulesets or sorted(path.name for path in folder.glob("*.rules"))
    results: dict[str, Any] = {}
    for name in names:
        program, found = pipeline.load(pipeline.find(name))
        if program is None:
            raise SystemExit("\n".join(d.message for d in found))
        options = dict(pair.split("=", 1) for pair in args.set)
        options = {key: value for key, value in options.items() if key in program.options}
        low, high = program.players
        game = compile_game(program, min(max(args.players, low), high), options)
        result: dict[str, Any] = {"players": game.players, "bots": rates(game, args.seconds)}
        if not args.no_moves:
            result["moves"] = {
                f"{count} players": move_times(compile_game(program, count, options))
                for count in range(low, high + 1)
            }
        results[name] = result
        if not args.json:
            print(f"{name}, {game.players} players", flush=True)
            for bot, figures in result["bots"].items():
                print(f"  {bot}: " + "  ".join(f"{k} {v}" for k, v in figures.items()))
            for count, figures in result.get("moves", {}).items():
                print(f"  normal, {count}: " + "  ".join(f"{k} {v}" for k, v in figures.items()))
    if args.json:
        print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
