"""`rules cover`: what no game reaches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import FOUND, FilePath, examples, load, write_file
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
    tables = [
        how.game(program, count)
        for count in (range(low, high + 1) if how.players is None else (how.players,))
    ]
    from lab import listing
    from lab.cover import Coverage, Covering, Sum

    work = Covering(tuple(how.plan(game) for game in tables), how.games)
    work.prepared()
    whole = Sum()
    stopped = run_through(how.runner()(work, work.blocks()), how.games, whole.add)
    coverage = Coverage(program, whole.counts)
    if fmt == "json":
        tell_data(coverage.data())
    else:
        parts = [_headline(work.plans, coverage), listing.summary(coverage)]
        parts.append(listing.missed(coverage))
        if listed:
            parts.append(listing.listing(coverage))
        tell("\n\n".join(filter(None, parts)))
    if html is not None:
        title = f"{program.title.name}: what games reach"
        write_file(html, listing.page(coverage, title, _headline(work.plans, coverage)))
        click.echo(f"written to {html}", err=True)
    failed = whole.counts["failed",]
    end(program.file, whole.failures, failed, whole.games, how.games, stopped)
    if strict and any(not item.times for item in coverage.items):
        raise click.exceptions.Exit(FOUND)


def _headline(plans: tuple[Plan, ...], coverage: Coverage) -> str:
    """What was played, in a line."""
    head = heading(plans[0])
    low, high = plans[0].players, plans[-1].players
    parts = [head["ruleset"], f"{low} players" if low == high else f"{low}–{high} players"]
    parts += [f"{name} = {value}" for name, value in head["options"].items()]
    bots = dict.fromkeys(name for plan in plans for name in plan.bots)
    parts.append(f"bots {', '.join(bots)}")
    return " · ".join([*parts, f"{many(coverage.games, 'game')}, seeds from {head['seed']}"])
