"""`rules cover`: what no game reaches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import FOUND, FilePath, Misuse, examples, load, misuse, write_file
from cli.running import (
    Playing,
    end,
    format_option,
    heading,
    playing_options,
    run_through,
    tell,
    tell_data,
)
from dsl.amounts import many

if TYPE_CHECKING:
    from dsl.program import Program
    from lab.cover import Coverage
    from lab.plan import Plan


@click.command(
    epilog=examples(
        "rules cover {b}",
        "rules cover {b} -n 5000 --players 3 --list",
        "rules cover {a} --html cover.html --strict",
    )
)
@click.argument("file")
@playing_options
@click.option("--list", "listed", is_flag=True, help="Print the ruleset with a count at each line.")
@click.option(
    "--html",
    type=FilePath(dir_okay=False),
    help="Write the ruleset with counts as a page.",
)
@click.option("--strict", is_flag=True, help="Exit status 1 if something was not reached.")
@format_option
def command(
    file: str,
    how: Playing,
    listed: bool,
    html: Path | None,
    strict: bool,
    fmt: str,
) -> None:
    """Play FILE many times with bots, and say which rules, ways, and clauses no game reached.

    Without --players, games of every number of players are played in turn.
    """
    program = load(file)
    low, high = program.players
    counts = range(low, high + 1) if how.players is None else (how.players,)
    from lab import listing
    from lab.cover import Coverage, Covering, Sum

    work = Covering(tuple(planned(program, count, how) for count in counts), how.games)
    work.prepared()
    whole = Sum()
    stopped = run_through(how.runner()(work, work.blocks()), how.games, whole.add)
    coverage = Coverage(program, whole.counts)
    played = work.plans[: max(1, whole.games)]  # of fewer games, fewer numbers of players
    if fmt == "json":
        head = heading(work.plans[0])
        head["players"] = [plan.players for plan in played]
        tell_data({**head, **coverage.data()})
    elif whole.games:  # of none, nothing can be said
        parts = [_headline(played, coverage), listing.summary(coverage)]
        parts.append(listing.missed(coverage))
        if listed:
            parts.append(listing.listing(coverage))
        tell("\n\n".join(filter(None, parts)))
    if html is not None and whole.games:
        title = f"{program.title.name}: what games reach"
        write_file(html, listing.page(coverage, title, _headline(played, coverage)))
        click.echo(f"written to {html}", err=True)
    failed = whole.counts["failed",]
    end(whole.failures, failed, whole.games, how.games, stopped)
    if strict and any(not item.times for item in coverage.items):
        raise click.exceptions.Exit(FOUND)


def planned(program: Program, players: int, how: Playing) -> Plan:
    """What is played with a number of players."""
    game = how.game(program, players)
    try:
        return how.plan(game)
    except Misuse as problem:
        if how.players is not None:
            raise
        misuse(f"with {many(players, 'player')}, {problem.message}; --players says how many play")


def _headline(plans: tuple[Plan, ...], coverage: Coverage) -> str:
    """What was played, in a line."""
    head = heading(plans[0])
    low, high = plans[0].players, plans[-1].players
    parts = [head["ruleset"], many(low, "player") if low == high else f"{low}–{high} players"]
    parts += [f"{name} = {value}" for name, value in head["options"].items()]
    bots = dict.fromkeys(name for plan in plans for name in plan.bots)
    parts.append(f"bots {', '.join(bots)}")
    return " · ".join([*parts, f"{many(coverage.games, 'game')}, seeds from {head['seed']}"])
