"""What the commands share that play games by the thousand: options, progress, how a run ended."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import fields, frozen

from cli.common import (
    FOUND,
    INTERRUPTED,
    MISUSED,
    FilePath,
    Whole,
    compiled,
    game_options,
    known_as,
    misuse,
    needs,
    reader_may_leave,
    said,
    seats,
    show_diagnostics,
    sources_of,
    write_file,
)
from cli.endings import Ended, endings
from dsl.amounts import many

if TYPE_CHECKING:
    from dsl.program import Program
    from interpreter.game import Game
    from lab.measures import Measure
    from lab.plan import Plan
    from lab.record import Block, Failure
    from lab.simulation import Runner

GAMES = 1000
MOST_GAMES = 10**9
F = TypeVar("F", bound=Callable[..., Any])


@frozen
class Stop:
    """Why a run ended before its end, in words, and the exit status for it."""

    why: str
    status: int


@frozen
class Playing:
    """What the command line says of the games to be played."""

    players: int | None
    seed: int | None
    settings: tuple[tuple[str, str], ...]
    counted: int | None  # the games asked for, if any were
    bots: str | None
    workers: int | None
    cluster: str | None

    @property
    def games(self) -> int:
        """How many are played."""
        return GAMES if self.counted is None else self.counted

    def again(self, file: str, measures: tuple[str, ...]) -> str:
        """The command that simulates these games of a ruleset."""
        given = [("--players", self.players), ("--seed", self.seed), ("--bots", self.bots)]
        given += [("--set", f"{name}={value}") for name, value in self.settings]
        given += [("--measure", text) for text in measures]
        words = [word for name, value in given if value is not None for word in (name, str(value))]
        return shlex.join(["rules", "sim", file, *words])

    def game(self, program: Program, players: int | None = None, *more: tuple[str, str]) -> Game:
        """The game of a Program, perhaps with more settings; its errors end the command."""
        return compiled(program, players or self.players, (*self.settings, *more))

    def plan(self, game: Game, measures: tuple[str, ...] = (), **more: Any) -> Plan:
        """What is to be played, and what is asked of it."""
        from lab import plan

        names = tuple(seats(self.bots, game.players, "random", game.program))
        seed = 1 if self.seed is None else self.seed
        return plan.plan(game, names, self.games, seed, measures=asked(game, measures), **more)

    def runner(self) -> Runner:
        """What plays: this machine's cores, or a cluster."""
        if self.cluster is None:
            from lab import pool, simulation

            return simulation.locally(self.workers or pool.cores())
        if self.workers is not None:
            misuse("--workers is for this machine; with --cluster, all of the cluster plays")
        needs("cluster", "distributed")
        from lab.cluster import Cluster, NoCluster

        try:
            connected = Cluster(self.cluster)
        except NoCluster as problem:
            misuse(str(problem))
        click.get_current_context().call_on_close(connected.close)
        return connected


def playing_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say how games are played by the thousand; the command gets them as `how`."""

    @wraps(command)
    def called(**given: Any) -> None:
        mine = {field.name: given.pop(field.name) for field in fields(Playing)}
        command(how=Playing(**mine), **given)

    wrapped: Callable[..., None] = called
    for option in (
        click.option(
            "--cluster", metavar="ADDRESS", help="Play on a Dask cluster: its scheduler's address."
        ),
        click.option("--workers", type=Whole(1, 512), help="Processes.  [default: all cores]"),
        click.option(
            "--bots",
            help="Who plays: NAME for all, P2=NAME,… for some; they move round the seats."
            "  [default: random]",
        ),
        click.option(
            "-n",
            "--games",
            "counted",
            type=Whole(1, MOST_GAMES),
            help=f"How many games.  [default: {GAMES}]",
        ),
    ):
        wrapped = option(wrapped)
    return game_options(wrapped)


def format_option(command: F) -> F:
    """--format, for what is told as text or as data."""
    return click.option(
        "--format", "fmt", type=click.Choice(["text", "json"]), default="text", show_default=True
    )(command)


def measure_option(command: F) -> F:
    """--measure."""
    return click.option(
        "--measure",
        "measures",
        multiple=True,
        metavar="NAME=EXPR",
        help="A question of your own in the rules language, for each player at the end of the "
        "game; `NAME=EXPR at MOMENT` asks at a moment, phase, loop or choice.",
    )(command)


def asked(game: Game, texts: tuple[str, ...]) -> tuple[Measure, ...]:
    """The measures that were typed."""
    if not texts:
        return ()
    from dsl.diagnostics import RulesError
    from lab import figures, measures

    try:
        parsed = [measures.parse(game.program, text) for text in texts]
        names = [measure.name for measure in parsed]
        for name in names:
            if figures.is_taken(name):
                misuse(f"there is a figure `{name}` already; give the measure another name")
            if names.count(name) > 1:
                misuse(f"two measures are called `{name}`")
        return measures.checked(game.program, parsed)
    except RulesError as problem:
        if all(d.span is None for d in problem.diagnostics):
            misuse("; ".join(" – ".join(filter(None, said(d))) for d in problem.diagnostics))
        show_diagnostics(problem.diagnostics, problem.sources, err=True)
        raise click.exceptions.Exit(MISUSED) from None


def run_through(
    blocks: Iterable[Block], games: int, each: Callable[[Block], object] | None = None
) -> Stop | None:
    """Play all blocks, with progress. What stopped it before the end, if anything did."""
    progress = Progress(games)

    def play() -> None:
        played = 0
        for block in blocks:
            if each is not None:
                each(block)
            played += block.games
            progress(played)

    return until_stopped(play, progress)


def until_stopped(play: Callable[[], object], progress: Progress) -> Stop | None:
    """Do it; what stopped it before its end, if anything did: Ctrl-C, a closed terminal, whoever
    ends programs, or workers that are gone. So what was finished can be told and kept."""
    from lab.pool import RunEnded

    try:
        with endings():
            play()
    except KeyboardInterrupt:
        return Stop("stopped", INTERRUPTED)
    except Ended as ended:
        return Stop("stopped", ended.status)
    except RunEnded as ended:
        return Stop(str(ended), FOUND)
    finally:
        progress.clear()
    return None


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
        columns = shutil.get_terminal_size().columns  # a line that is broken can't be taken back
        click.echo(f"\r\x1b[K{text[: columns - 1]}", err=True, nl=False)

    def clear(self) -> None:
        if self._shown:
            click.echo("\r\x1b[K", err=True, nl=False)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"


# ── pictures ─────────────────────────────────────────────────────────────────────────────────


def plot_option(command: Any) -> Any:
    """--plot."""
    return click.option(
        "--plot",
        type=FilePath(dir_okay=False),
        callback=_plottable,
        help="Draw it: a page (.html) that needs no network, or an image (.png, .svg).",
    )(command)


def _plottable(_: click.Context, __: click.Parameter, path: Path | None) -> Path | None:
    """Stop before the games are played if they could not be drawn."""
    if path is not None:
        from lab.charts import SUFFIXES

        if path.suffix.lower() not in SUFFIXES:
            misuse(f"{path} should end in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")
        needs("lab", "altair", "vl_convert")
    return path


def draw(path: Path, chart: Any) -> None:
    """Write a picture."""
    from lab import charts

    write_file(path, charts.drawn(chart, path.suffix.lower()))
    click.echo(f"drawn in {path}", err=True)


# ── telling ──────────────────────────────────────────────────────────────────────────────────


def tell(text: str) -> None:
    """Print what was found, for as long as somebody reads it."""
    with reader_may_leave():
        click.echo(text)


def tell_data(data: Mapping[str, Any]) -> None:
    """Print what was found, as JSON."""
    tell(json.dumps(data, ensure_ascii=False, indent=2))


def heading(plan: Plan) -> dict[str, Any]:
    """What was played, as data."""
    from interpreter.trace.run import header
    from lab import bots

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
    parts = [head["ruleset"], many(head["players"], "player")]
    parts += [f"{name} = {value}" for name, value in head["options"].items()]
    parts += [f"bots {head['bots']}", f"seeds from {head['seed']}"]
    return " · ".join(parts)


def end(
    failures: Sequence[Failure],
    failed: int,
    played: int,
    games: int,
    stopped: Stop | None,
) -> None:
    """Say what went wrong, if anything did, and leave with the fitting status."""
    tell_failures(failures)
    if failed == 1:
        click.echo("1 game could not be played to its end, and is not counted", err=True)
    elif failed:
        click.echo(
            f"{failed:,} games could not be played to their end, and are not counted", err=True
        )
    if stopped is not None:
        click.echo(f"{stopped.why}: these are the first {played:,} of {games:,} games", err=True)
        raise click.exceptions.Exit(stopped.status)
    if failed:
        raise click.exceptions.Exit(FOUND)


def tell_failures(failures: Sequence[Failure]) -> None:
    """Say which rules could not go on, and the commands that show it."""
    for failure in failures:
        show_diagnostics(failure.diagnostics, sources_of(failure.diagnostics), err=True)
        words = ["rules", "trace", known_as(failure.file), "--players", str(failure.players)]
        words += [word for name, value in failure.options for word in ("--set", f"{name}={value}")]
        words += ["--seed", str(failure.seed), "--bots", failure.bots]
        click.echo(f"  in game {failure.index}: {shlex.join(words)}", err=True)
