"""`rules trace`: games as text, golden traces, and replaying a trace."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli import golden
from cli.common import (
    FOUND,
    FilePath,
    Seat,
    compiled,
    examples,
    find,
    game_options,
    load,
    misuse,
    seats,
    write_file,
)

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.trace.reader import Trace


@click.command(
    epilog=examples(
        "rules trace {b}",
        "rules trace {b} --players 4 --seed 7 --view P2",
        "rules trace {a} --bots random,P1=greedy --format jsonl",
        "rules trace {a} --record golden",
        "rules trace --check golden",
        "rules trace --replay golden/my-4p-1.trace",
    )
)
@click.argument("file", required=False)
@game_options
@click.option("--bots", help="Who plays: NAME for all, P2=NAME,… for some.  [default: steady]")
@click.option("--format", "fmt", type=click.Choice(list(golden.SUFFIXES)), help="[default: text]")
@click.option("--view", type=Seat(), help="Only what this player could see.")
@click.option(
    "--record",
    type=FilePath(file_okay=False),
    help="Keep the trace in this folder; without --players, one for each player count.",
)
@click.option(
    "--check",
    type=click.Path(exists=True, path_type=Path),
    help="Play the traces kept in this folder (or file) again, and compare.",
)
@click.option(
    "--replay",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Play the choices of a trace again; with --view or --format, print it so.",
)
def command(
    file: str | None,
    players: int | None,
    seed: int | None,
    settings: tuple[tuple[str, str], ...],
    bots: str | None,
    fmt: str | None,
    view: int | None,
    record: Path | None,
    check: Path | None,
    replay: Path | None,
) -> None:
    """Play FILE with bots and print what happens, one event a line.

    The same ruleset, players, seed, options and bots always give the same trace.
    """
    if sum(folder is not None for folder in (record, check, replay)) > 1:
        misuse("use one of --record, --check and --replay")
    if check is not None or replay is not None:
        if any(value is not None for value in (players, seed, bots)) or settings:
            misuse("the trace itself says players, seed, options and bots")
        if check is not None and (fmt is not None or view is not None):
            misuse("--check compares whole traces as they are; leave out --format and --view")
        if check is not None:
            _check(file, check)
        elif replay is not None:
            _replay(file, replay, fmt, view)
        return
    if file is None:
        misuse("which ruleset? For instance: rules trace my.rules")
    program = load(file)
    chosen_seed = 1 if seed is None else seed
    if record is not None:
        if view is not None:
            misuse("a view can't be played again, so it can't be kept with --record")
        low, high = program.players
        counts = range(low, high + 1) if players is None else (players,)
        _record([compiled(program, n, settings) for n in counts], record, chosen_seed, bots, fmt)
        return
    game = compiled(program, players, settings)
    _in_game(view, game)
    names = seats(bots, game.players, "steady", game.program)
    from interpreter.trace import run
    from lab import bots as players_

    run.write(game, sys.stdout.write, chosen_seed, players_.spelled(names), fmt or "text", view)


def _in_game(view: int | None, game: Game) -> None:
    if view is not None and view >= game.players:
        misuse(f"there is no seat P{view + 1} in a game of {game.players}")


# golden traces


def _record(
    games: Iterable[Game], folder: Path, seed: int, bots: str | None, fmt: str | None
) -> None:
    from interpreter.trace import run
    from lab import bots as players

    form = fmt or "text"
    for game in games:
        names = players.spelled(seats(bots, game.players, "steady", game.program))
        text = run.trace(game, seed, names, form)
        head = run.header(game, seed, names)
        path = folder / golden.file_name(head, form)
        write_file(path, text)
        click.echo(f"kept {path}")


def _check(file: str | None, folder: Path) -> None:
    """Play every kept trace again; say which differ, and where first."""
    from interpreter.trace.reader import TraceError

    only = None if file is None else find(file)
    same = different = 0
    for path in golden.kept(folder):
        try:
            trace = golden.read(path)
            if only is not None and trace.header.ruleset != only.name:
                continue
            matches = _compare(trace, golden.again(trace, golden.game_of(file, path, trace)), path)
        except TraceError as problem:
            click.echo(f"{path}{golden.at(problem.line)}: {problem.message}")
            matches = False
        same += matches
        different += not matches
    if same + different == 0:
        misuse(f"there are no traces in {folder}")
    click.echo(f"{same} as before, {different} different")
    if different:
        raise click.exceptions.Exit(FOUND)


def _compare(trace: Trace, now: str, path: Path) -> bool:
    from interpreter.trace.reader import TraceError, differs
    from interpreter.trace.text import STOPPED

    difference = differs(trace.source, now)
    if difference is None:
        return True
    if now.startswith(trace.source.rstrip("\n")):
        raise TraceError("the trace is cut off: it stops before the end of the game")
    click.echo(f"{path}:{difference.line}: differs")
    if trace.stopped and difference.one == STOPPED:
        click.echo("  the game was stopped here by a rule, and goes on now")
    for sign, colour, line in (("-", "red", difference.one), ("+", "green", difference.other)):
        click.echo(click.style(f"  {sign} {'(the trace ends)' if line is None else line}", colour))
    return False


# replaying


def _replay(file: str | None, path: Path, fmt: str | None, view: int | None) -> None:
    """Play the choices of a trace; they must make the same trace."""
    from dsl.amounts import amount
    from interpreter.trace import reader

    if file is not None:
        find(file)
    try:
        trace = golden.read(path)
        game = golden.game_of(file, path, trace)
        if not _compare(trace, reader.replay(trace, game), path):
            raise click.exceptions.Exit(FOUND)
        if fmt is None and view is None:
            click.echo(f"{path}: {amount(len(trace.choices), 'choice')} replayed, the same trace")
            return
        _in_game(view, game)
        click.echo(reader.replay(trace, game, fmt, view), nl=False)
    except reader.TraceError as problem:
        click.echo(f"Error: {path}{golden.at(problem.line)}: {problem.message}", err=True)
        raise click.exceptions.Exit(FOUND) from None
