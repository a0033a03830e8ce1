"""`rules why`: which rule offers or refuses something at a choice of a game."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from cli.common import (
    FOUND,
    Seat,
    compiled,
    examples,
    game_options,
    legible,
    load,
    misuse,
    seats,
)
from cli.words import LANGUAGES

if TYPE_CHECKING:
    from cli.moment import Moment
    from interpreter.game import Game
    from interpreter.trace.reader import Trace
    from interpreter.why.wording import Wording

MOST_PLACES = 12


@click.command(
    epilog=examples(
        'rules why {b} --trace my.trace --at "round 2, turn P3"',
        'rules why {b} --trace my.trace --at 57 "hold"',
        'rules why {a} --players 3 --seed 7 --at "choice 12" --view P2',
    )
)
@click.argument("file")
@click.argument("what", nargs=-1)
@click.option(
    "--at",
    "where",
    required=True,
    help="Which choice: its line in the trace, `choice N`, or what stands around it.",
)
@click.option(
    "--trace",
    "path",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The game's trace, text or JSON Lines.",
)
@game_options
@click.option("--bots", help="Who plays, as for trace.  [default: steady]")
@click.option("--view", type=Seat(), help="Only what this player may know.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="The language.")
def command(
    file: str,
    what: tuple[str, ...],
    where: str,
    path: Path | None,
    players: int | None,
    seed: int | None,
    settings: tuple[tuple[str, str], ...],
    bots: str | None,
    view: int | None,
    lang: str,
) -> None:
    """Say why WHAT can or can't be chosen at a choice of a game of FILE; without WHAT, what can,
    and what can't.

    The game is that of a trace, or the one that `rules trace` plays with the same players, seed,
    options and bots. --at says which choice: its line in the trace by number or as it stands there,
    `choice 12` for the twelfth, or what stands around it, as `round 2, turn P3`.
    """
    from cli.moment import Unfound, find

    if path is not None:
        if any(value is not None for value in (players, seed, bots)) or settings:
            misuse("the trace itself says players, seed, options and bots")
        game, trace = _recorded(file, path)
    else:
        game, trace = _played(file, players, seed, settings, bots)
    if view is not None and view >= game.players:
        misuse(f"there is no seat P{view + 1} in a game of {game.players}")
    moments, problem = _moments(trace, game)
    try:
        moment = find(where, moments)
    except Unfound as unfound:
        if problem is not None:
            _damaged(path, problem)
        listed = [f"\n  {_place(q, view, lang)}" for q in unfound.moments[:MOST_PLACES]]
        more = "\n  …" if len(unfound.moments) > MOST_PLACES else ""
        misuse(legible(str(unfound)) + (":" + "".join(listed) + more if listed else ""))
    _answer(moment, " ".join(what), view, lang)


# the game


def _recorded(file: str, path: Path) -> tuple[Game, Trace]:
    """A trace that was kept, and its game by the rules of FILE."""
    from cli import golden
    from interpreter.trace.reader import TraceError

    try:
        trace = golden.read(path)
        return golden.game_of(file, path, trace), trace
    except TraceError as problem:
        _damaged(path, problem)


def _played(
    file: str,
    players: int | None,
    seed: int | None,
    settings: tuple[tuple[str, str], ...],
    bots: str | None,
) -> tuple[Game, Trace]:
    """The trace that `rules trace` would print."""
    from interpreter.trace import reader, run
    from lab import bots as players_

    game = compiled(load(file), players, settings)
    names = players_.spelled(seats(bots, game.players, "steady", game.program))
    return game, reader.parse(run.trace(game, 1 if seed is None else seed, names))


def _moments(trace: Trace, game: Game) -> tuple[list[Moment], Exception | None]:
    """The choices of a trace, as far as it fits the game; and what ends that, if something does."""
    from cli.moment import Moment
    from interpreter.trace.reader import TraceError, decisions

    found: list[Moment] = []
    try:
        for taken, state in decisions(trace, game):
            found.append(Moment(len(found) + 1, state.clone(), taken))
    except TraceError as problem:
        return found, problem
    return found, None


def _damaged(path: Path | None, problem: Exception) -> NoReturn:
    line = getattr(problem, "line", 0)
    where = f"{path}:{line}: " if line else f"{path}: "
    click.echo(f"Error: {where if path else ''}{problem}", err=True)
    raise click.exceptions.Exit(FOUND)


# the answer


def _place(moment: Moment, view: int | None, lang: str) -> str:
    """Where a choice is, and what was taken there, if it is the viewer's to know."""
    own = view in (None, moment.state.player)
    taken = f": {moment.taken.label}" if own and moment.taken is not None else ""
    line = f"line {moment.line}" if moment.line else f"choice {moment.number}"
    return f"{line}: {moment.called(lang)}{taken}"


def _answer(moment: Moment, what: str, view: int | None, lang: str) -> None:
    """Print what there is to say about a choice, to one viewer or to one who sees everything."""
    from cli.rule import place
    from interpreter.why.answers import AnotherChoice, NotNamed, Unclear
    from interpreter.why.wording import Wording

    state = moment.state
    wording = Wording(state.game, lang, partial(place, state.game.program))
    assert state.rule is not None
    mine = view in (None, state.player)
    if what:
        answer = state.why_not(legible(what), view, everything=view is None)
        text = wording.answer(answer, state.rule.path)
        match answer:
            case NotNamed() | Unclear() | AnotherChoice():
                misuse(text)
        click.echo(text)
        return
    click.echo(_place(moment, view, lang))
    if not mine:
        click.echo(wording.answer(state.why_not("", view), state.rule.path))
        return
    for line in _options(moment, wording, lang):
        click.echo(line)
    click.echo(wording.groups(state.refused(view, everything=view is None), state.rule.path))


def _options(moment: Moment, wording: Wording, lang: str) -> list[str]:
    """What is offered, by the rule that offers it; what was taken."""
    state = moment.state
    info = state.game.choices[state.pc]
    by_rule: dict[int, list[str]] = {}
    for raw in state.moves:
        label = state.game.option_label(info.path, raw, lang)
        by_rule.setdefault(0 if info.nameless else raw[0], []).append(label)
    lines = []
    for number, labels in by_rule.items():
        lines += wording.options(info.branches[number].rule, labels)
    return lines
