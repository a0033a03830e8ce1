"""`rules sim`: many games at once, and what they have in common."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.common import (
    FOUND,
    INTERRUPTED,
    MISUSED,
    compiled,
    examples,
    game_options,
    load,
    misuse,
    needs,
    said,
    seats,
    show_diagnostics,
    sources_of,
)

if TYPE_CHECKING:
    from interpreter.game import Game
    from lab.measures import Measure
    from lab.out import Out
    from lab.plan import Plan
    from lab.simulation import Runner, Simulation

GAMES = 1000
MOST_GAMES = 10**9
BY = ("seat", "bot", "role", "line", "choice", "value", "card")


def playing_options(command: Any) -> Any:
    """-n, --bots and --workers: how games are played by the thousand."""
    for option in (
        click.option(
            "--workers", type=click.IntRange(1, 512), help="Processes.  [default: all cores]"
        ),
        click.option(
            "--bots",
            help="Who plays: NAME for all, P2=NAME,… for some; they move round the seats."
            "  [default: random]",
        ),
        click.option(
            "-n",
            "--games",
            type=click.IntRange(1, MOST_GAMES),
            default=GAMES,
            show_default=True,
            help="How many games.",
        ),
    ):
        command = option(command)
    return command


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
    by: tuple[str, ...],
    measures: tuple[str, ...],
    out: Path | None,
    fmt: str,
) -> None:
    """Play FILE many times with bots, and count what happens.

    Game number i (from 0) has the seed SEED + i: `rules trace` with that seed and those bots shows
    it. The result does not depend on how many workers play.
    """
    game = compiled(load(file), players, settings)
    plan = planned(game, bots, games, seed, measures=asked(game, measures), rows=out is not None)
    from lab.simulation import Simulation

    run = Simulation(plan)
    rows = None if out is None else out_files(out, plan)
    try:
        stopped = played_out(run, local(workers), rows)
    except BaseException:
        if rows is not None:
            rows.drop()
        raise
    show(run, game, by, fmt)
    if rows is not None:
        stopped = kept(rows) or stopped
    end(run, stopped)


# ── running ──────────────────────────────────────────────────────────────────────────────────


def planned(game: Game, bots: str | None, games: int, seed: int | None, **more: Any) -> Plan:
    """The plan that the command line describes."""
    from lab import plan

    names = tuple(seats(bots, game.players, "random"))
    return plan.plan(game, names, games, 1 if seed is None else seed, **more)


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


def local(workers: int | None) -> Runner:
    """A runner on this machine's cores."""
    from lab import pool, simulation

    return simulation.locally(workers or pool.cores())


def played_out(run: Simulation, runner: Runner, each: Callable[[Any], None] | None = None) -> str:
    """Play all games. What stopped it before the end, in words; "" if nothing did."""
    from lab.pool import WorkersDied

    progress = Progress(run.plan.games)
    try:
        for block in run.blocks(runner):
            if each is not None:
                each(block)
            progress(run.played)
    except KeyboardInterrupt:
        return "stopped"
    except WorkersDied as death:
        last = death.first + death.count - 1
        return (
            f"workers kept dying at the games {death.first} to {last} "
            "(out of memory, perhaps: --workers 1 needs the least)"
        )
    finally:
        progress.clear()
    return ""


class Progress:
    """How far it is, on the terminal's last line; nothing elsewhere."""

    def __init__(self, whole: int) -> None:
        self._whole = whole
        self._shown = sys.stderr.isatty()
        self._start = self._last = time.monotonic()

    def __call__(self, done: int) -> None:
        now = time.monotonic()
        if not self._shown or now - self._last < 0.2:
            return
        self._last = now
        rate = done / (now - self._start)
        left = (self._whole - done) / rate if rate else 0
        text = f"{done:,} of {self._whole:,} games · {rate:,.0f}/s · {_duration(left)} left"
        click.echo(f"\r\x1b[K{text}", err=True, nl=False)

    def clear(self) -> None:
        if self._shown:
            click.echo("\r\x1b[K", err=True, nl=False)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def out_files(path: Path, plan: Plan) -> Out:
    """The Parquet files of a run."""
    needs("lab", "pyarrow")
    from lab.out import Out

    roles = plan.program.roles
    names = [] if roles is None else [names.name for names in roles.names]
    return Out(path, plan.players, names, bool(plan.measures))


def kept(rows: Out) -> str:
    """Complete the files, and say what they hold; what went wrong with them, if anything did."""
    for file in rows.close():
        click.echo(f"kept {file.rows:,} rows in {file.path}", err=True)
    return "the disk is full, so rows are missing in the files" if rows.full else ""


# ── telling ──────────────────────────────────────────────────────────────────────────────────


def heading(plan: Plan) -> dict[str, Any]:
    """What was played, as data."""
    from interpreter import bots
    from interpreter.trace.run import header

    head = header(plan.game(), plan.seed, bots.spelled(plan.bots))
    return {
        "ruleset": head.ruleset,
        "players": plan.players,
        "options": dict(head.options),
        "bots": head.bots,
        "seed": plan.seed,
    }


def headline(plan: Plan) -> str:
    """What was played, in a line."""
    head = heading(plan)
    parts = [head["ruleset"], f"{head['players']} players"]
    parts += [f"{name} = {value}" for name, value in head["options"].items()]
    parts += [f"bots {head['bots']}", f"seeds from {head['seed']}"]
    return " · ".join(parts)


def show(run: Simulation, game: Game, by: tuple[str, ...], fmt: str) -> None:
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


def end(run: Simulation, stopped: str) -> None:
    """Say what went wrong, if anything did, and leave with the fitting status."""
    for failure in run.failures:
        errors = failure.diagnostics
        show_diagnostics(errors, sources_of(errors), err=True)
        click.echo(
            f"  in game {failure.index}: rules trace {run.plan.program.file} "
            f"--players {run.plan.players} --seed {failure.seed} --bots {failure.bots}",
            err=True,
        )
    failed = run.totals["failed",]
    if failed == 1:
        click.echo("1 game could not be played to its end, and is not counted", err=True)
    elif failed:
        click.echo(
            f"{failed:,} games could not be played to their end, and are not counted", err=True
        )
    if stopped:
        click.echo(
            f"{stopped}: these are the first {run.played:,} of {run.plan.games:,} games", err=True
        )
        raise click.exceptions.Exit(INTERRUPTED if stopped == "stopped" else FOUND)
    if failed:
        raise click.exceptions.Exit(FOUND)
