"""`rules play`: sets up the table, and seats people and bots at it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import (
    FOUND,
    FilePath,
    Misuse,
    Seat,
    bundled,
    compiled,
    examples,
    find,
    game_options,
    known_as,
    load,
    misuse,
    new_seed,
    on_terminal,
    seats,
    titles,
)
from cli.words import LANGUAGES

if TYPE_CHECKING:
    from cli.saves import Save
    from cli.session import Session
    from dsl.program import Program
    from interpreter.game import Game

OPPONENT = "normal"


@click.command(
    epilog=examples(
        "rules play {a}",
        "rules play {b} --players 4 --lang ja",
        "rules play {b} --me P2 --bots easy,P3=hard",
        "rules play my.rules --hotseat --set turns=4",
        "rules play my.rules --seed 7 --script moves.txt",
        "rules play {a} --watch --bots random",
        "rules play --resume",
        "rules play --list",
    )
)
@click.argument("file", required=False)
@game_options
@click.option("--me", type=Seat(), multiple=True, help="Where you sit.  [default: P1]")
@click.option("--hotseat", is_flag=True, help="People at all seats that get no bot.")
@click.option("--watch", is_flag=True, help="Bots at all seats.")
@click.option("--bots", help=f"Who plays: NAME for all, P2=NAME,… for some.  [default: {OPPONENT}]")
@click.option("--lang", type=click.Choice(LANGUAGES), help="The language at the table.")
@click.option(
    "--script",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Answers to begin with, one a line.",
)
@click.option("--resume", is_flag=True, help="Go on with the saved game (of FILE, or the latest).")
@click.option(
    "--save",
    "save_file",
    type=FilePath(dir_okay=False),
    help="Where to save, and with --resume where from.",
)
@click.option("--list", "listing", is_flag=True, help="Say which rulesets come with the program.")
@click.option("--force", is_flag=True, help="Resume even if the rules have changed since.")
def command(
    file: str | None,
    players: int | None,
    seed: int | None,
    settings: tuple[tuple[str, str], ...],
    me: tuple[int, ...],
    hotseat: bool,
    watch: bool,
    bots: str | None,
    lang: str | None,
    script: Path | None,
    resume: bool,
    save_file: Path | None,
    force: bool,
    listing: bool,
) -> None:
    """Play FILE at the table: a ruleset's path, or the name of a bundled one.

    You sit at P1 against bots. Answer with an option's number or the beginning of its words; `?`
    says what else you can type. Without a terminal, answers are read from standard input, one a
    line.
    """
    if listing:
        others = {
            "the ruleset": file, "--players": players, "--seed": seed, "--set": settings,
            "--me": me, "--hotseat": hotseat, "--watch": watch, "--bots": bots, "--lang": lang,
            "--script": script, "--resume": resume, "--save": save_file, "--force": force,
        }  # fmt: skip
        if extra := [name for name, value in others.items() if value not in (None, False, ())]:
            misuse(f"--list lists all that comes with the program; leave out {', '.join(extra)}")
        _list()
        return
    if force and not resume:
        misuse("--force belongs to --resume")
    if watch and (hotseat or me):
        misuse("--watch has no seats for people")
    if hotseat and me:
        misuse("--hotseat has people at all seats that get no bot; leave out --me")
    if resume:
        fixed = {
            "--players": players is not None,
            "--seed": seed is not None,
            "--set": bool(settings),
            "--bots": bots is not None,
            "--me": bool(me),
            "--hotseat": hotseat,
            "--watch": watch,
        }
        if any(fixed.values()):
            given = ", ".join(name for name, is_given in fixed.items() if is_given)
            misuse(f"the saved game says all about itself; leave out {given}")
        session, save_file = _resume(file, save_file, lang, force)
    else:
        if file is None:
            names = ", ".join(path.name for path in bundled())
            misuse(
                f"which game? A path to a ruleset, or one of: {names}; "
                "`rules play --list` lists their variants too"
            )
        from cli.session import Session

        game = compiled(load(file), players, settings)
        people = _seat(bots, game, me, hotseat, watch)
        session = Session(game, new_seed() if seed is None else seed, people, lang or "en")
    _sit(session, script, save_file)


def _list() -> None:
    """Print what comes with the program, one a line: the name to play it by, and its title."""
    known = titles()
    width = max(len(name) for name, _ in known)
    for name, title in known:
        click.echo(f"{name:{width}}  {title}")


def _seat(bots: str | None, game: Game, me: Sequence[int], hotseat: bool, watch: bool) -> list[str]:
    """Who sits where: bots' names, and people."""
    from cli.session import PERSON

    named = seats(bots, game.players, PERSON if hotseat else OPPONENT, game.program)
    if hotseat and PERSON not in named:
        misuse("with these bots, --hotseat has no seats for people")
    if watch or hotseat:
        return named
    given = {part.partition("=")[0].strip().upper() for part in re.split(r"[,)]", bots or "")}
    for seat in me or (0,):
        if seat >= game.players:
            misuse(f"there is no seat P{seat + 1} in a game of {game.players}")
        if f"P{seat + 1}" in given:
            misuse(f"P{seat + 1} is where you sit, but --bots has a bot there; --me says where")
        named[seat] = PERSON
    return named


def _sit(session: Session, script: Path | None, save_file: Path | None) -> None:
    """Play a session with whatever screen and keyboard there are."""
    from cli import saves
    from cli.answers import Answers
    from cli.screen import PlainScreen, RichScreen, Screen
    from cli.sitting import Sitting
    from cli.words import Words

    words = Words(session.lang)
    keyboard = on_terminal()
    screen: Screen = RichScreen(words) if keyboard else PlainScreen(words)
    program = session.game.program
    usual = save_file or saves.default_path(saves.ruleset_name(program))

    def save(where: Path | None) -> Path:
        path = where or usual
        saves.write(path, saves.of(session))
        return path

    status = Sitting(session, screen, words, Answers(script, keyboard), keyboard, save).run()
    if session.over and save_file is not None and saves.holds(save_file, session):
        save_file.unlink(missing_ok=True)
    if status:
        raise click.exceptions.Exit(status)


def _resume(
    file: str | None, save_file: Path | None, lang: str | None, force: bool
) -> tuple[Session, Path]:
    """The session of a saved game, and where it was saved."""
    from cli import saves

    path = save_file
    if path is None:
        name = None if file is None else known_as(find(file).resolve())
        path = saves.latest() if name is None else saves.default_path(name)
    if path is None:
        misuse("there is no saved game")
    if not path.exists():
        misuse(
            f"there is no saved game {path}"
            if file is None
            else f"there is no saved game of {file}"
        )
    try:
        save = saves.read(path)
        program = load(file or save.ruleset)
        if not force:
            saves.check(save, program)
        return _restore(save, program, lang), path
    except saves.SaveError as problem:
        hint = "; --force tries to go on with it" if problem.force else ""
        click.echo(f"Error: {problem}{hint}", err=True)
        raise click.exceptions.Exit(FOUND) from None


def _restore(save: Save, program: Program, lang: str | None) -> Session:
    from cli.saves import SaveError
    from cli.session import Session

    try:
        game = compiled(program, save.players, save.settings.items())
    except Misuse as problem:
        raise SaveError(f"the saved game can't be played again: {problem}") from None
    try:
        session = Session(game, save.seed, save.seats, lang or save.lang)
        session.replay(save.made(), save.memories)
    except ValueError as problem:
        raise SaveError(f"the saved game can't be played again: {problem}") from None
    for viewer in session.people:
        session.news(viewer)
    return session
