"""`rules sim`: many games at once, and what they have in common."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import (
    FOUND,
    MISUSED,
    compiled,
    examples,
    game_options,
    load,
    misuse,
    needs,
    said,
    show_diagnostics,
)
from cli.running import (
    draw,
    end,
    heading,
    headline,
    planned,
    playing_options,
    plot_option,
    run_through,
    runner,
)

if TYPE_CHECKING:
    from interpreter.game import Game
    from lab.measures import Measure
    from lab.out import Out
    from lab.plan import Plan
    from lab.report import Report
    from lab.simulation import Simulation

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
@game_options
@playing_options
@click.option(
    "--by",
    type=click.Choice(BY),
    multiple=True,
    help="Which tables (several times for several).  [default: all but value and card]",
)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME=EXPR",
    help="A question of your own in the rules language, for each player at the end of the game; "
    "`NAME=EXPR at MOMENT` asks at a moment, phase, loop or choice.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a Parquet file with a row for each game; measures go beside it.",
)
@plot_option
@click.option(
    "--format", "fmt", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def command(
    file: str,
    players: int | None,
    seed: int | None,
    settings: tuple[tuple[str, str], ...],
    games: int,
    bots: str | None,
    workers: int | None,
    cluster: str | None,
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
    game = compiled(load(file), players, settings)
    details = fmt == "json" or "value" in by or "card" in by
    plan = planned(
        game,
        bots,
        games,
        seed,
        measures=asked(game, measures),
        rows=out is not None,
        details=details,
    )
    from lab.simulation import Simulation

    run = Simulation(plan)
    rows = None if out is None else out_files(out, plan)
    try:
        stopped = run_through(run.blocks(runner(workers, cluster)), games, rows)
    except BaseException:
        if rows is not None:
            rows.drop()
        raise
    report = show(run, game, by, fmt)
    if plot is not None and run.totals.games:
        from lab import charts

        title = f"{headline(plan)} · {run.totals.games:,} games"
        draw(plot, charts.of_report(report, title))
    whole = rows is None or kept(rows)
    failed = run.totals["failed",]
    end(game.program.file, run.failures, failed, run.played, games, stopped)
    if not whole:
        raise click.exceptions.Exit(FOUND)


def asked(game: Game, texts: tuple[str, ...]) -> tuple[Measure, ...]:
    """The measures that were typed."""
    if not texts:
        return ()
    from dsl.diagnostics import RulesError
    from lab import measures

    try:
        return measures.checked(game.program, [measures.parse(game.program, t) for t in texts])
    except RulesError as problem:
        if all(d.span is None for d in problem.diagnostics):
            misuse("; ".join(" – ".join(filter(None, said(d))) for d in problem.diagnostics))
        show_diagnostics(problem.diagnostics, problem.sources, err=True)
        raise click.exceptions.Exit(MISUSED) from None


def out_files(path: Path, plan: Plan) -> Out:
    """The Parquet files of a run."""
    needs("lab", "pyarrow")
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


def show(run: Simulation, game: Game, by: tuple[str, ...], fmt: str) -> Report:
    """Print what was found."""
    from lab.report import USUAL, Report

    report = Report(run.plan, game, run.totals)
    if fmt == "json":
        data = {**heading(run.plan), "asked": run.plan.games, **report.data()}
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
    elif run.totals.games:
        click.echo(headline(run.plan))
        click.echo()
        click.echo(report.text(by or USUAL))
    return report
