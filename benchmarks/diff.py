"""How long a comparison takes: `python -m benchmarks.diff [--seeds N] [--workers N]`.

Two rulesets made of `throne.rules` are compared as `rules diff` does it, for 4 players and for
every number of players; also one with another card in the box, where events are compared by name.
Times are of the wall, and of the processors (on an idle machine the wall's is theirs shared by the
workers), compiling and reporting included. How fast the machine is now is told by the games of
plain play in a second, on one core.
"""

from __future__ import annotations

import argparse
import re
import resource
import time

from attrs import frozen

from dsl import pipeline
from dsl.program import Program
from interpreter import compile_game
from lab import bots
from lab.pool import cores
from lab.review import as_markdown, words
from lab.review.changes import Side
from lab.review.report import review

RULESET = "throne.rules"


@frozen
class Case:
    """An edit of the ruleset: what is replaced by what."""

    name: str
    old: str
    new: str


CASES = (
    Case("the same rules", "", ""),
    Case("treasury_limit 12", "treasury_limit      15", "treasury_limit      12"),
    Case("priest takes 2", "take up to 3 coins from treasury", "take up to 2 coins from treasury"),
    Case("a card more", "8 of each job ", "8 of each job\n  stranger: 1 "),
)


def edited(case: Case) -> Program:
    """The ruleset with an edit."""
    path = pipeline.find(RULESET)
    whole = path.read_text(encoding="utf-8")
    text = re.sub(
        r"^example\b.*\n(?:[ \t]+.*\n|\n)*", "", whole, flags=re.M
    )  # edits may break them
    assert case.old in text, case.name
    program, found = pipeline.load(path, text.replace(case.old, case.new) if case.old else text)
    assert program is not None, [diagnostic.message for diagnostic in found]
    return program


def plain_games(program: Program, players: int, seconds: float = 1.0) -> float:
    """Games of steady bots in a second, nobody listening."""
    game = compile_game(program, players)
    games, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        state = game.start(games)
        bots.play_out(state, {q: bots.make("steady", games) for q in range(players)})
        games += 1
    return games / (time.perf_counter() - start)


def processor_time() -> float:
    """Seconds of processors that this process and its workers have used."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=min(2, cores()))
    said = parser.parse_args()
    before = edited(CASES[0])
    low, high = before.players
    print(f"{plain_games(before, 4):,.0f} games/s of 4 players, one core, nobody listening")
    for case in CASES:
        after = edited(case)
        for players in ((4,), tuple(range(low, high + 1))):
            start, used = time.perf_counter(), processor_time()
            made = review(
                Side("before", before),
                Side("after", after),
                range(1, said.seeds + 1),
                players,
                workers=said.workers,
            )
            as_markdown.markdown(made, words.FULL)
            spent, used = time.perf_counter() - start, processor_time() - used
            counts = "4" if len(players) == 1 else f"{low}–{high}"
            print(
                f"{case.name:18} {counts:>4} players  {made.games:6,} pairs  "
                f"{made.different:6,} differ  {spent:6.1f} s on {said.workers} workers  "
                f"({used:5.1f} s of processors)"
            )


if __name__ == "__main__":
    main()
