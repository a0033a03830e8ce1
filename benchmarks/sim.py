"""What statistics cost: `python -m benchmarks.sim [RULESET …] [-n GAMES] [--workers N]`.

For each ruleset the same games with the same bots are played twice on the same worker processes:
bare (start, ask the bots, apply) and as `rules sim` plays them, slice by slice in turn, since
machines are noisy. Told are the times of both (start-up left out), their ratio, and the most memory
that counting took in this process and the largest worker after a tenth of the games and at the end.
"""

from __future__ import annotations

import argparse
import resource
import time

from dsl import pipeline
from interpreter import compile_game
from lab import pool
from lab.plan import Plan, plan
from lab.simulation import Playing
from lab.totals import Totals

SLICES = 10


class Bare:
    """The games of a plan, played and forgotten."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def block(self, first: int, count: int) -> int:
        game = self.plan.game()
        made = 0
        for index in range(first, first + count):
            seed = self.plan.seed_of(index)
            state = game.start(seed)
            seated = self.plan.take_seats(game, self.plan.seated(index), seed)
            while not state.is_over:
                state.apply(seated[state.player].choose(state))  # type: ignore[index]
                made += 1
        return made


def memory() -> tuple[float, float]:
    """Most memory so far of this process and of the largest worker that ended, in MB."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    own, children = (resource.getrusage(w).ru_maxrss / 1024 for w in who)
    return own, children


def measure(name: str, players: int, games: int, workers: int) -> str:
    program, found = pipeline.load(pipeline.find(name))
    if program is None:
        raise SystemExit("\n".join(d.message for d in found))
    low, high = program.players
    count = min(max(players, low), high)
    game = compile_game(program, count)
    made = plan(game, ("random",) * count, games, details=False)  # as `rules sim` has it
    whole = len(made.blocks())
    totals, times, sizes = Totals(), [0.0, 0.0], []
    for number in range(SLICES):
        part = made.blocks()[whole * number // SLICES : whole * (number + 1) // SLICES]
        for which, work in enumerate((Bare(made), Playing(made))):
            results = pool.in_order(work, part, workers)
            first = next(results, None)  # workers are up; the first block is not timed
            start = time.perf_counter()
            for result in results:
                if which:
                    totals.add(result.counts)
            times[which] += time.perf_counter() - start
            if which and first is not None:
                totals.add(first.counts)
        sizes.append(memory())
    assert totals.games == games
    return (
        f"{name}  players {count}  games {games:,}  workers {workers}  "
        f"bare {times[0]:.2f} s  sim {times[1]:.2f} s  ratio {times[1] / times[0]:.2f}  "
        f"memory {sizes[0][0]:.0f}+{sizes[0][1]:.0f} MB, at the end "
        f"{sizes[-1][0]:.0f}+{sizes[-1][1]:.0f} MB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesets", nargs="*", default=["throne"])
    parser.add_argument("-n", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--workers", type=int, default=pool.cores())
    args = parser.parse_args()
    for name in args.rulesets:
        print(measure(name, args.players, args.n, args.workers), flush=True)


if __name__ == "__main__":
    main()
