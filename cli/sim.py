"""`rules sim`: many games at once, and what they have in common."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import (
    FOUND,
    FilePath,
    examples,
    load,
    misuse,
    needs,
)
from cli.running import (
    Playing,
    draw,
    end,
    format_option,
    heading,
    headline,
    measure_option,
    playing_options,
    plot_option,
    run_through,
    tell,
    tell_data,
)
from dsl.amounts import many

if TYPE_CHECKING:
    from lab.out import Out
    from lab.plan import Plan
    from lab.report import Report

BY = ("seat", "bot", "role", "line", "choice", "value", "card")


@click.command(
    epilog=examples(
        "rules sim {b} -n 10000",
        "rules sim {b} --players 3 --bots random,P1=greedy -n 400",
        "rules sim {a} --by card --by value",
        "rules sim {b} --set turns=4 --format json",
    )
)
@click.argument("file")
@playing_options
@click.option(
    "--by",
    type=click.Choice(BY),
    multiple=True,
    help="Which tables (several times for several).  [default: all but value and card]",
)
@measure_option
@click.option(
    "--out",
    type=FilePath(dir_okay=False),
    help="Write a Parquet file with a row for each game; measures go beside it.",
)
@plot_option
@format_option
def command(
    file: str,
    how: Playing,
    by: tuple[str, ...],
    measures: tuple[str, ...],
    out: Path | None,
    plot: Path | None,
    fmt: str,
) -> None:
    """Play FILE many times with bots, and count what happens.

    Game number i (from 0) has the seed SEED + i: `rules trace` with that seed and those bots shows
    it. The result does not depend on how many workers play.
    """
    game = how.game(load(file))
    details = fmt == "json" or "value" in by or "card" in by
    plan = how.plan(game, measures, rows=out is not None, details=details)
    told_apart(by, plan)
    from lab.report import Report
    from lab.simulation import Simulation

    run = Simulation(plan)
    rows = None if out is None else out_files(out, plan)
    try:
        stopped = run_through(run.blocks(how.runner()), how.games, rows)
    except BaseException:
        if rows is not None:
            rows.drop()
        raise
    whole = rows is None or kept(rows)  # before anything is told: whoever reads it may leave
    report = Report(run.plan, game, run.totals)
    show(report, by, fmt)
    if plot is not None and run.totals.games:
        from lab import charts

        title = f"{headline(plan)} · {many(run.totals.games, 'game')}"
        draw(plot, charts.of_report(report, title))
    failed = run.totals["failed",]
    end(run.failures, failed, run.played, how.games, stopped)
    if not whole:
        raise click.exceptions.Exit(FOUND)


def told_apart(by: tuple[str, ...], plan: Plan) -> None:
    """Stop if a table is asked for that this game, with these bots, has nothing for."""
    title, scoring = plan.program.title.name, plan.program.scoring
    if "role" in by and plan.program.roles is None:
        misuse(f"{title} has no roles; leave out --by role")
    if "bot" in by and not plan.mixed:
        misuse(f"all seats have the same bot, {plan.bots[0]}; --bots gives them different ones")
    if "line" in by and len(scoring) < 2:
        names = "".join(f", `{line.names.name}`" for line in scoring)
        misuse(f"{title} has no scoring lines to be told apart{names and f': there is one{names}'}")


def out_files(path: Path, plan: Plan) -> Out:
    """The Parquet files of a run."""
    needs("lab", "pyarrow")
    if path.exists() and not path.is_file():
        misuse(f"{path} is no ordinary file; rows need one")
    from lab.out import Out

    roles = plan.program.roles
    names = [] if roles is None else [names.name for names in roles.names]
    return Out(path, plan.players, names, bool(plan.measures))


def kept(rows: Out) -> bool:
    """Complete the files, and say what they hold; whether they hold everything."""
    for file in rows.close():
        click.echo(f"kept {file.rows:,} rows in {file.path}", err=True)
    if rows.full:
        click.echo("the disk is full: the rows that come after these are missing", err=True)
    return not rows.full


def show(report: Report, by: tuple[str, ...], fmt: str) -> None:
    """Print what was found."""
    from lab.report import USUAL

    if fmt == "json":
        tell_data({**heading(report.plan), "asked": report.plan.games, **report.data()})
    elif report.totals.games:
        tell(f"{headline(report.plan)}\n\n{report.text(by or USUAL)}")
        there = {table.name for table in report.tables(by)}
        for name in dict.fromkeys(by):
            if name not in there:
                click.echo(f"--by {name}: in these games there was nothing to tell", err=True)
