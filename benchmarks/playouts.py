"""How fast games play out at random: `python -m benchmarks.playouts [RULESET …] [--json]`.

For each ruleset: games/s, decisions/s, time of a clone and of a start, uniform random play with the
full list of options at each decision and nobody listening. Where `benchmarks.handwritten` has the
same game (a module of the ruleset's name), both are run in turn in one process, slice by slice, and
their ratio is given: machines differ and are noisy, ratios hold.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dsl import pipeline
from interpreter import Game, compile_game

SLICES = 21
RULESETS = Path(__file__).resolve().parent.parent / "rulesets"


def play_engine(game: Game, seed: int, rand: Callable[[], float]) -> int:
    """Play one game at random; how many decisions it took."""
    state = game.start(seed)
    count = 0
    while not state.is_over:
        moves = state.moves
        state.apply(moves[int(rand() * len(moves))])
        count += 1
    return count


def play_handwritten(kind: Any, players: int, seed: int, rand: Callable[[], float]) -> int:
    game = kind(players, seed)
    count = 0
    while not game.over:
        options = game.options()
        game.apply(options[int(rand() * len(options))])
        count += 1
    game.points()  # the engine has both ready when a game is over
    game.winners()
    return count


def run(play: Callable[[int], int], seconds: float, seed: int) -> tuple[int, int, float]:
    """(games, decisions, seconds) of a slice of about so many seconds of processor time."""
    games = decisions = 0
    start = time.process_time()
    while True:
        for _ in range(20):
            decisions += play(seed + games)
            games += 1
        spent = time.process_time() - start
        if spent >= seconds:
            return games, decisions, spent


def handwritten(name: str) -> Any:
    """The hand-written game of a ruleset's name, or None."""
    try:
        return importlib.import_module(f"benchmarks.handwritten.{name.replace('-', '_')}").Game
    except ModuleNotFoundError:
        return None


def clone_micros(game: Game) -> float:
    """Median time of a clone over a game's positions, in microseconds."""
    rng = random.Random(1)
    state = game.start(1)
    times = []
    while not state.is_over:
        start = time.perf_counter()
        for _ in range(100):
            state.clone()
        times.append((time.perf_counter() - start) / 100)
        state.apply(state.moves[rng.randrange(len(state.moves))])
    return statistics.median(times) * 1e6


def start_micros(game: Game) -> float:
    """Median time of a start, in microseconds."""
    times = []
    for seed in range(300):
        start = time.perf_counter()
        game.start(seed)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def measure(name: str, players: int, seconds: float) -> dict[str, Any]:
    program, found = pipeline.load(pipeline.find(name))
    if program is None:
        raise SystemExit("\n".join(d.message for d in found))
    low, high = program.players
    players = min(max(players, low), high)
    game = compile_game(program, players)
    rand = random.Random(7).random
    kind = handwritten(name.removesuffix(".rules"))
    ours: list[tuple[int, int, float]] = []
    theirs: list[tuple[int, int, float]] = []
    for i in range(SLICES):
        ours.append(run(lambda s: play_engine(game, s, rand), seconds / SLICES, i * 10**6))
        if kind is not None:
            theirs.append(
                run(lambda s: play_handwritten(kind, players, s, rand), seconds / SLICES, i * 10**6)
            )
    rates = [d / t for _, d, t in ours]
    games, decisions, spent = (sum(x) for x in zip(*ours, strict=True))
    result: dict[str, Any] = {
        "ruleset": name,
        "players": players,
        "games_per_s": round(games / spent, 1),
        "decisions_per_s": round(statistics.median(rates)),
        "decisions_per_game": round(decisions / games, 2),
        "clone_us": round(clone_micros(game), 2),
        "start_us": round(start_micros(game), 1),
    }
    result["clone_in_decisions"] = round(result["clone_us"] * result["decisions_per_s"] / 1e6, 2)
    if theirs:
        other = [d / t for _, d, t in theirs]
        result["handwritten_decisions_per_s"] = round(statistics.median(other))
        result["ratio"] = round(
            statistics.median(a / b for a, b in zip(rates, other, strict=True)), 3
        )
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesets", nargs="*")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=4.0, help="per ruleset and side")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    names = args.rulesets or sorted(path.name for path in RULESETS.glob("*.rules"))
    results = [measure(name, args.players, args.seconds) for name in names]
    if args.json:
        print(json.dumps(results, indent=2))
        return
    for result in results:
        print("  ".join(f"{key} {value}" for key, value in result.items()))


if __name__ == "__main__":
    main()
