"""Random games with the whole contract on: `python -m benchmarks.soak -n 10000 [RULESET …]`.

Plays n games of each ruleset at every player count and holds each to `interpreter.contract`: what
is cheap to check at every decision, the rest at a random decision of each game, and every 50th game
thoroughly. One line per ruleset and player count. The first failure ends the run with status 1, the
seed, and the command that plays that game again.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from functools import cache
from multiprocessing import Pool
from pathlib import Path

from attrs import frozen

from dsl import pipeline
from dsl.diagnostics import RulesError
from dsl.program import Program
from interpreter import compile_game
from interpreter.contract import Kept, playthrough

THOROUGH = 50
CHUNK = 50  # games given to a process at a time


@frozen
class Task:
    """Some games: of a ruleset (as it was named), at a player count, with options, by seed."""

    name: str
    players: int
    options: tuple[tuple[str, str], ...]
    seeds: range


@frozen
class Outcome:
    """What came of a task; `failure` is empty if all went well."""

    games: int
    decisions: int
    failure: str = ""


@cache
def load(name: str) -> Program:
    program, found = pipeline.load(pipeline.find(name))
    if program is None:
        raise SystemExit("\n".join(d.message for d in found))
    return program


@cache
def keeper(name: str, players: int, options: tuple[tuple[str, str], ...]) -> Kept:
    return Kept(compile_game(load(name), players, dict(options)))


def run(task: Task) -> Outcome:
    """Play a task's games until one fails."""
    kept = keeper(task.name, task.players, task.options)
    decisions = 0
    for done, seed in enumerate(task.seeds):
        try:
            decisions += playthrough(kept.game, seed, thorough=seed % THOROUGH == 0, kept=kept)
        except Exception:
            again = command(task, seed)
            return Outcome(
                done, decisions, f"{traceback.format_exc()}\nseed {seed}; again: {again}"
            )
    return Outcome(len(task.seeds), decisions)


def command(task: Task, seed: int) -> str:
    """What plays one game again."""
    options = "".join(f" --set {name}={value}" for name, value in task.options)
    where = f"{task.name} --players {task.players}{options}"
    return f"python -m benchmarks.soak {where} --seed {seed} -n 1"


def tasks(job: Task) -> Iterator[Task]:
    """A job in chunks, small enough for the processes to end together."""
    for first in range(job.seeds.start, job.seeds.stop, CHUNK):
        seeds = range(first, min(first + CHUNK, job.seeds.stop))
        yield Task(job.name, job.players, job.options, seeds)


def soak(jobs: Sequence[Task], processes: int) -> str:
    """Play all jobs, telling of each; the first failure, or nothing."""
    with Pool(processes) as pool:
        for job in jobs:
            start = time.perf_counter()
            games = decisions = 0
            for outcome in pool.imap_unordered(run, tasks(job)):
                if outcome.failure:
                    return outcome.failure
                games += outcome.games
                decisions += outcome.decisions
            spent = time.perf_counter() - start
            settings = "".join(f" {name}={value}" for name, value in job.options)
            print(
                f"{Path(job.name).stem:<12} {job.players} players{settings}: {games} games, "
                f"{decisions / max(games, 1):.1f} decisions a game, {spent:.0f} s",
                flush=True,
            )
    return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesets", nargs="*", help="all that come with the program, if none")
    parser.add_argument("-n", type=int, default=1000, help="games at each player count")
    parser.add_argument("--players", type=int, help="at this count only")
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1))
    args = parser.parse_args()
    options = tuple((name, value) for name, _, value in (text.partition("=") for text in args.set))
    names = args.rulesets or sorted(p.name for p in pipeline.bundled_rulesets().glob("*.rules"))
    jobs = []
    for name in names:
        low, high = load(name).players
        for players in (args.players,) if args.players else range(low, high + 1):
            try:
                keeper(name, players, options)
            except RulesError as error:
                raise SystemExit(str(error)) from None
            jobs.append(Task(name, players, options, range(args.seed, args.seed + args.n)))
    start = time.perf_counter()
    failure = soak(jobs, args.processes)
    if failure:
        print(failure, file=sys.stderr)
        raise SystemExit(1)
    print(f"all kept, {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
