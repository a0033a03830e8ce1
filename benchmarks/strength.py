"""Which bot is the stronger: `python -m benchmarks.strength [RULESET …] [--out F] [--write]`.

For each ruleset, duels up the ladder: `easy` against `random`, `normal` against `easy`, `hard`
against `normal` (`LADDER`: more games where luck is large and games are quick). In a duel half of
the seats are of one bot, half of the other; each deal is played twice with the sides swapped, and
who sits where moves round from deal to deal. So equal bots win half each, whatever the seats are
worth. Tables are as small as a game allows: fewer players make fewer choices and less luck, so a
game tells more.

A share of wins (a draw counts by parts) stands with its 95 % interval: Wilson's, for as many games
as would vary so much by themselves, since the two games of a deal are not independent (`estimate`).
A rung is shown where the interval lies above one half; then the two bots' intervals are apart.

All duels advance together, and each game is written to F when it is done. Started again with the
same F, it goes on where it was stopped, by Ctrl-C or `--minutes`. It may run for an hour and more.
`--write` makes docs/strength.md of F, and of what `python -m benchmarks.bots --json` found.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from dsl import pipeline
from interpreter import Game, compile_game
from lab import bots
from lab.numbers import Estimate, wilson

PAGE = Path(__file__).parent.parent / "docs" / "strength.md"

Duel: TypeAlias = tuple[str, int, str, str]
"""ruleset, players, one bot, the other"""
Match: TypeAlias = tuple[str, int, str, str, int]
"""a duel, and the number of the game"""

LADDER: dict[Duel, int] = {
    ("throne", 3, "easy", "random"): 300,
    ("throne", 3, "normal", "easy"): 90,
    ("throne", 3, "hard", "normal"): 300,
    ("last-leaf", 2, "easy", "random"): 300,
    ("last-leaf", 2, "normal", "easy"): 300,
    ("last-leaf", 2, "hard", "normal"): 1500,
    ("gorilla", 2, "easy", "random"): 76,
    ("gorilla", 2, "normal", "easy"): 30,
    ("gorilla", 2, "hard", "normal"): 60,
    ("oh-hell", 3, "easy", "random"): 76,
    ("oh-hell", 3, "normal", "easy"): 46,
    ("oh-hell", 3, "hard", "normal"): 60,
}
"""How many games of each duel."""


BEGINNING = """\
<!-- Made by `python -m benchmarks.strength --write`. -->

# How strong the bots are

The levels of `mcts` differ in how many games a choice plays through: {levels}.
[The bots](reference/commands.md#bots-by-name) says more of them.

In a duel, half of the seats are of one bot, half of the other. Each deal is played twice, with
sides swapped, and who sits where moves round, so equal bots win half each. A rung of the
ladder is shown where the interval lies above one half: then the two bots' intervals are apart.
The games can be stopped and gone on with, so duels may stand at different parts of their ladder.
"""
OPEN = """
Not shown by so many games: {names}.
There the first bot may be the stronger by less than the interval is wide, or not at all.
"""
MADE = """\
Made by `python -m benchmarks.strength --out results.jsonl`; its beginning tells how intervals are
worked out. The same seeds give the same games.
"""
TIMES = """\
## How long `normal` takes

How soon so many of its moves were made, at choices of whole games with more than one option."""
RATES = """\
## How fast the rulesets' own bots play

Whole games a second of one processor, with the same bot at all seats; beside it, games in which any
option is taken."""
SOURCE = """\
Made by `python -m benchmarks.bots --json`. These two tables depend on the machine, and on what else
it does meanwhile; the table of strength does not.
""".splitlines()


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


def play(match: Match) -> tuple[Match, float]:
    """The first bot's share of the win."""
    name, players, one, other, number = match
    game = load(name, players)
    sides = seats(game.players, number)
    seed = number // 2
    state = game.start(seed)
    seated = [bots.make(one if mine else other, 2 * seed + mine, game) for mine in sides]
    bots.play_out(state, seated)
    return match, sum(sides[winner] for winner in state.won) / len(state.won)


def estimate(shares: Mapping[int, float]) -> Estimate | None:
    """The mean of shares by number of game, over the deals that were played both ways.

    Wilson's interval with the effective number of games (N. Dean & M. Pagano, Journal of Survey
    Statistics and Methodology 3, 2015): p(1-p) by the variance of the mean, which the deals give.
    """
    pairs = [(shares[n] + shares[n + 1]) / 2 for n in shares if n % 2 == 0 and n + 1 in shares]
    count = len(pairs)
    if count < 2:
        return None
    share = sum(pairs) / count
    variance = sum((pair - share) ** 2 for pair in pairs) / (count - 1) / count
    games = 2 * count
    effective = max(1, round(share * (1 - share) / variance)) if variance > 0 else games
    found = wilson(share * effective, effective)
    return found and Estimate(share, found.low, found.high, games)


def duels(args: argparse.Namespace) -> dict[Duel, int]:
    """The duels asked for, with the number of games of each."""
    found: dict[Duel, int] = {}
    if not (args.duel or args.players):
        found = {duel: n for duel, n in LADDER.items() if duel[0] in args.rulesets}
    else:
        pairs = args.duel or sorted({f"{one}:{other}" for _, _, one, other in LADDER})
        for name in args.rulesets:
            players = load(name, args.players or 4).players
            for pair in pairs:
                one, _, other = pair.partition(":")
                found[name, players, one, other] = 200
    return {duel: args.games or n for duel, n in found.items()}


def schedule(asked: Mapping[Duel, int]) -> list[Match]:
    """All games to play, so that all duels come to their end together."""
    order = [((n // 2 + 1) / games, d, n) for d, games in asked.items() for n in range(games)]
    order.sort(key=lambda item: item[0])
    return [(*duel, number) for _, duel, number in order]


def kept(path: Path | None) -> dict[Match, float]:
    """The games already played. SystemExit if the levels were others then."""
    if path is None or not path.exists():
        return {}
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    if json.loads(first) != bots.LEVELS:
        raise SystemExit(f"{path} is of other levels: {first}")
    return {tuple(match): share for match, share in map(json.loads, lines)}


def run(todo: Sequence[Match], results: dict[Match, float], args: argparse.Namespace) -> None:
    """Play, and keep what was played."""
    end = time.monotonic() + args.minutes * 60
    out: Path | None = args.out
    if out is not None and not out.exists():
        out.write_text(json.dumps(bots.LEVELS) + "\n", encoding="utf-8")
    with multiprocessing.Pool(args.workers) as pool:
        try:
            for match, share in pool.imap(play, todo):
                results[match] = share
                if out is not None:
                    with out.open("a", encoding="utf-8") as lines:
                        lines.write(json.dumps([match, share]) + "\n")
                if time.monotonic() > end:
                    break
        except KeyboardInterrupt:
            print("stopped; started again with --out it goes on from here")


def table(results: Mapping[Match, float], asked: Mapping[Duel, int]) -> list[str]:
    """The rungs as lines of Markdown."""
    by_duel: dict[Duel, dict[int, float]] = defaultdict(dict)
    for (name, players, one, other, number), share in results.items():
        by_duel[name, players, one, other][number] = share
    lines = [
        "| game | players | duel | games | wins of the first | 95 % interval | |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for duel in asked:
        name, players, one, other = duel
        found = estimate(by_duel[duel])
        if found is None:
            lines.append(f"| {name} | {players} | {one} : {other} | 0 | | | not played |")
            continue
        shown = "shown" if found.low > 0.5 else "not shown"
        lines.append(
            f"| {name} | {players} | {one} : {other} | {found.n:,} | {found.value:.1%} | "
            f"{found.low:.1%} to {found.high:.1%} | {shown} |"
        )
    return lines


def speeds(path: Path) -> list[str]:
    """What `python -m benchmarks.bots --json` found, as lines of Markdown."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    moves = [
        "| game | players | half of the moves | 19 of 20 | all | all, processor time |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    rates = ["| game | players | bot | games/s | at random |", "| --- | --- | --- | --- | --- |"]
    for file, figures in found.items():
        name = file.removesuffix(".rules")
        for count, took in figures.get("moves", {}).items():
            moves.append(
                f"| {name} | {count.split()[0]} | {took['median_ms']} ms | "
                f"{took['one_in_20_ms']} ms | {took['longest_ms']} ms | "
                f"{took['longest_cpu_ms']} ms |"
            )
        for bot, rate in figures["bots"].items():
            rates.append(
                f"| {name} | {figures['players']} | {bot} | {rate['games_per_s']:,.0f} | "
                f"{rate['random_games_per_s']:,.0f} |"
            )
    return [*TIMES.splitlines(), "", *moves, "", *RATES.splitlines(), "", *rates, "", *SOURCE, ""]


def page(results: Mapping[Match, float], asked: Mapping[Duel, int], speed: Path | None) -> str:
    """The text of docs/strength.md."""
    levels = ", ".join(f"`{level}` {n:,}" for level, n in bots.LEVELS.items())
    rungs = table(results, asked)
    open_ones = [line.split("|") for line in rungs if line.endswith("not shown |")]
    names = ", ".join(f"{cells[1].strip()} ({cells[3].strip()})" for cells in open_ones)
    parts = [BEGINNING.format(levels=levels), *rungs]
    parts += [OPEN.format(names=names) if names else "", MADE]
    return "\n".join(parts + ([] if speed is None else speeds(speed)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "rulesets", nargs="*", default=["throne", "last-leaf", "gorilla", "oh-hell"]
    )
    parser.add_argument("--games", type=int, help="for each duel, in place of the ladder's")
    parser.add_argument("--players", type=int, help="in place of the ladder's")
    parser.add_argument("--duel", action="append", metavar="ONE:OTHER", help="these duels only")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--out", type=Path, help="results, one a line; gone on with if it exists")
    parser.add_argument("--write", action="store_true", help="write docs/strength.md; play nothing")
    parser.add_argument("--speed", type=Path, help="what benchmarks.bots --json found, for --write")
    args = parser.parse_args()
    asked = duels(args)
    results = kept(args.out)
    if args.write:
        PAGE.write_text(page(results, asked, args.speed), encoding="utf-8")
        return
    run([match for match in schedule(asked) if match not in results], results, args)
    print("\n".join(table(results, asked)))


if __name__ == "__main__":
    main()
