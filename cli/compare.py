"""`rules compare`: versions of a game on the same seeds, and what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.common import Misuse, examples, find, load, misuse
from cli.running import (
    Playing,
    end,
    format_option,
    heading,
    measure_option,
    playing_options,
    run_through,
    tell,
    tell_data,
)
from dsl.amounts import many

if TYPE_CHECKING:
    from interpreter.game import Game
    from lab.plan import Plan


@click.command(
    epilog=examples(
        "rules compare {b} my-throne.rules",
        "rules compare {b} {b}:turns=4 {b}:turns=6 -n 5000",
        'rules compare {b} {b}:final_hand=5 --measure "rich = coins >= 10"',
    )
)
@click.argument("versions", nargs=-1, metavar="A B [C…]")
@playing_options
@click.option("--ways", is_flag=True, help="Also how often each way of each choice is taken.")
@measure_option
@format_option
def command(
    versions: tuple[str, ...],
    how: Playing,
    ways: bool,
    measures: tuple[str, ...],
    fmt: str,
) -> None:
    """Play several versions of a game with the same seeds and bots, and say what differs.

    A version is a ruleset, or a ruleset with options: throne.rules:turns=4,final_hand=5. All are
    set against the first.
    """
    if len(versions) < 2:
        misuse("what is to be compared? Name two versions or more, for instance A.rules B.rules")
    if how.games < 2:
        misuse("differences are told from two games on; -n says how many are played")
    tables = [version(text, how) for text in versions]
    short = labels(versions)
    if len({game.players for game in tables}) > 1:
        misuse("these are for different numbers of players; --players says how many play")
    from lab import compare
    from lab.arms import Experiment

    plans = tuple(
        planned(label, game, how, measures) for label, game in zip(short, tables, strict=True)
    )
    run = Experiment(plans)
    stopped = run_through(run.blocks(how.runner(), how.games), how.games)
    names = compare.shown(run.names(), ways)
    made = compare.tables(run, short, names)
    left_out = compare.shown(run.partial(), ways)
    head = heading(plans[0])
    if fmt == "json":
        data = {
            "versions": list(versions),
            "players": head["players"],
            "bots": head["bots"],
            "seed": head["seed"],
            "games": run.games,
            "failed": run.counts["failed",],
            "tables": [table.data() for table in made],
            "not_compared": left_out,
        }
        tell_data(data)
    elif run.games:
        played = (
            f"{many(head['players'], 'player')} · bots {head['bots']} · "
            f"{many(run.games, 'game')} · seeds from {head['seed']}"
        )
        parts = [played, *(table.text() for table in made)]
        if left_out:
            parts.append(f"not compared, as not all versions have it: {', '.join(left_out)}")
        tell("\n\n".join(parts))
    end(run.failures, run.counts["failed",], run.played, how.games, stopped)


def labels(versions: tuple[str, ...]) -> list[str]:
    """What versions are called in tables: without folders where that tells them apart."""
    short = [text.replace("\\", "/").rpartition("/")[2] for text in versions]
    return short if len(set(short)) == len(short) else list(versions)


def planned(label: str, game: Game, how: Playing, measures: tuple[str, ...]) -> Plan:
    """What is played of a version; what it lacks (a bot, a place to measure at) is told of it."""
    try:
        return how.plan(game, measures)
    except Misuse as problem:
        misuse(f"{label}: {problem.message}")
    except click.exceptions.Exit:
        click.echo(f"  in {label}", err=True)
        raise


def version(text: str, how: Playing) -> Game:
    """The game that a version names: a ruleset, perhaps with options after a colon."""
    from dsl import pipeline

    name, colon, options = text.rpartition(":")
    if not colon or pipeline.find(text).is_file() or "=" not in options:
        return how.game(load(str(find(text))))
    own: list[tuple[str, str]] = []
    for part in options.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value):
            misuse(f"`{part}` in `{text}` should be NAME=VALUE, for instance {name}:turns=4")
        if key in dict(own):
            misuse(f"`{key}` is set twice in `{text}`")
        if key in dict(how.settings):
            misuse(f"`{key}` is set in `{text}`, and by --set for all versions; leave one out")
        own.append((key, value))
    return how.game(load(str(find(name))), None, *own)
