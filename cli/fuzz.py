"""`rules fuzz`: plays wildly with the contract on, and shrinks what fails."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import click

from cli.common import (
    FOUND,
    INTERRUPTED,
    FilePath,
    Seconds,
    Whole,
    compiled,
    examples,
    game_options,
    known_as,
    load,
    misuse,
    show_diagnostics,
    sources_of,
    write_file,
)
from dsl.amounts import many

if TYPE_CHECKING:
    from dsl.program import Program
    from interpreter.fuzz import Fuzzer, Played, Shrunk

GAMES = 1000
MOST_FAILURES = 8  # kinds of failure that are shrunk and told
MOST_REFUSED = 1000  # settings in a row
SHOWN = 12  # choices of a game that are printed


@click.command(
    epilog=examples(
        "rules fuzz my.rules",
        "rules fuzz {b} --players 3 -n 5000",
        "rules fuzz {b} --time 60 --seed 7",
        "rules fuzz my.rules --set turns=1 --out failures",
    )
)
@click.argument("file")
@game_options
@click.option("-n", "games", type=Whole(1), help=f"How many games.  [default: {GAMES}]")
@click.option("--time", "seconds", type=Seconds(), help="Play for so many seconds.")
@click.option(
    "--out",
    type=FilePath(file_okay=False),
    default=Path("fuzz"),
    help="Where failing games are kept.  [default: fuzz]",
)
def command(
    file: str,
    players: int | None,
    seed: int | None,
    settings: tuple[tuple[str, str], ...],
    games: int | None,
    seconds: float | None,
    out: Path,
) -> None:
    """Play FILE wildly, and find games in which its rules fail.

    Random games at all player counts and settings, by players that choose at random, always the
    first, always the last, or what is chosen least; while it is checked that no card or token is
    lost, limits are kept, nobody sees too much, and games end. A failing game is made as short as
    it can be, and kept as a script and a trace.
    """
    if games is not None and seconds is not None:
        misuse("use one of -n and --time")
    program = load(file)
    game = compiled(program, players, settings)  # says what is wrong with them
    fixed = {name: game.options[name] for name, _ in settings}
    from interpreter.fuzz import Fuzzer

    fuzzer = Fuzzer(program, seed or 0, players, fixed)
    interrupted = not _search(fuzzer, games or GAMES, seconds)
    found = sorted(fuzzer.found.items(), key=lambda item: -fuzzer.times[item[0]])
    for key, played in found[:MOST_FAILURES]:
        interrupted |= _tell(program, file, played, fuzzer.times[key], out, not interrupted)
    if len(found) > MOST_FAILURES:
        click.echo(f"{len(found) - MOST_FAILURES} more kinds of failure, not told here\n")
    _sum_up(fuzzer, known_as(program.file), interrupted)
    if interrupted:
        raise click.exceptions.Exit(INTERRUPTED)
    if found:
        raise click.exceptions.Exit(FOUND)


def _search(fuzzer: Fuzzer, games: int, seconds: float | None) -> bool:
    """Play; False if stopped with Ctrl-C."""
    shows = sys.stderr.isatty()
    start = shown = time.monotonic()
    refused = 0  # in a row
    try:
        while (
            refused < MOST_REFUSED
            and not fuzzer.tired
            and (fuzzer.games < games if seconds is None else time.monotonic() - start < seconds)
        ):
            refused = refused + 1 if fuzzer.play() is None else 0
            if shows and time.monotonic() - shown > 0.1:
                shown = time.monotonic()
                much = f"of {games:,} games" if seconds is None else f"games, {shown - start:.0f} s"
                failed = sum(fuzzer.times.values())
                click.echo(f"\r\x1b[K{fuzzer.games:,} {much}, {failed} failed", err=True, nl=False)
    except KeyboardInterrupt:
        return False
    finally:
        if shows:
            click.echo("\r\x1b[K", err=True, nl=False)
    return True


def _tell(
    program: Program, file: str, found: Played, times: int, out: Path, shrinking: bool
) -> bool:
    """Shrink a failing game, keep it, and say all about it; True if stopped with Ctrl-C."""
    from interpreter.fuzz import Shrunk, arguments, kept, shrink

    shrunk, interrupted = Shrunk(found, False), False
    if shrinking:
        try:
            shrunk = shrink(found)
        except KeyboardInterrupt:
            interrupted = True
    played = shrunk.played
    assert played.failure is not None
    name = known_as(program.file)
    stem = _stem(program, played)
    script, trace = out / f"{stem}.script", out / f"{stem}.trace"
    play = ["rules", "play", file, *arguments(played), "--hotseat", "--script", str(script)]
    text = kept(played, shlex.join(play))
    _say_what(program, played, times, name)
    _say_game(shrunk, text.choices)
    write_file(script, text.script)
    click.echo(f"kept: {script}\n  {shlex.join(play)}")
    if text.trace:
        write_file(trace, text.trace)
        check = ["rules", "trace", file, "--check", str(trace)]
        click.echo(f"kept: {trace}\n  {shlex.join(check)}")
    click.echo()
    return interrupted


def _stem(program: Program, played: Played) -> str:
    """What a failing game's files are called: ruleset, what failed, and at which line."""
    assert played.failure is not None
    span = played.failure.span
    line = "" if span is None else f"-line{span.line}"
    return f"{PurePath(program.file.replace(chr(92), '/')).stem}-{played.failure.kind}{line}"


def _say_what(program: Program, played: Played, times: int, name: str) -> None:
    from dsl.diagnostics import RulesError

    failure = played.failure
    assert failure is not None
    if isinstance(failure.error, RulesError):
        found = failure.error.diagnostics
        show_diagnostics(found, sources_of(found))
    else:
        click.echo(f"{click.style('error', fg='red', bold=True)}: {failure.message}")
    if not failure.of_rules:
        click.echo("  This is a fault of the program, not of your rules: please report it.")
    click.echo(f"{many(times, 'game')} of {name} failed so.")


def _say_game(shrunk: Shrunk, choices: Sequence[str]) -> None:
    from interpreter.fuzz import arguments

    played = shrunk.played
    size = len(choices)
    told = many(size, "choice") if size else "no choice at all"
    which = "The shortest game of its deal" if shrunk.shortest else "The shortest game found"
    click.echo(f"{which} takes {told}: {shlex.join(arguments(played))}")
    for line in choices[:SHOWN]:
        click.echo(f"  {line}")
    if size > SHOWN:
        click.echo(f"  … {size - SHOWN:,} more")


def _sum_up(fuzzer: Fuzzer, name: str, interrupted: bool) -> None:
    for refused in fuzzer.refused:
        players, options = refused.setting
        click.echo(f"not played: {_setting(players, options.items())}: {refused.reason}")
    failed = sum(fuzzer.times.values())
    result = f"{failed:,} failed" if failed else "none failed"
    stopped = "stopped; " if interrupted else ""
    click.echo(
        f"{name}: {stopped}{many(fuzzer.games, 'game')} played "
        f"({many(fuzzer.settings, 'setting')}, {many(fuzzer.decisions, 'decision')}), {result}"
    )


def _setting(players: int, options: Iterable[tuple[str, object]]) -> str:
    from interpreter.trace.run import option_text

    return ", ".join([many(players, "player"), *(f"{n}={option_text(v)}" for n, v in options)])
