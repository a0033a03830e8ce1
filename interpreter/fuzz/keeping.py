"""A failing game written down: as a script that plays it at the table, and as a trace to keep."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from dsl.diagnostics import RulesError
from interpreter import bots
from interpreter.fuzz.finding import Played
from interpreter.game import Game
from interpreter.state import State
from interpreter.trace import reader, text
from interpreter.trace.run import Writer, header

PERSON = "person"
MOST_KEPT = 2000  # choices of a game that is kept as a trace


@frozen
class Kept:
    """choices: lines of the trace. script: the same as a file. trace: the game up to where it
    stops; empty if it is too long to be of use."""

    choices: tuple[str, ...]
    script: str
    trace: str


def kept(played: Played, again: str) -> Kept:
    """The script and the trace of a game; `again` is the command that plays it, for the script's
    own first lines."""
    source = _told(played)
    lines = source.split("\n")
    choices = [lines[taken.line - 1].strip() for taken in reader.parse(source).choices]
    choices = choices[: len(played.picks)]
    assert played.failure is not None
    head = [f"# {played.failure.kind}: {played.failure.message}", f"# {again}", ""]
    script = "\n".join([*head, *choices]) + "\n"
    return Kept(tuple(choices), script, source if len(choices) <= MOST_KEPT else "")


def arguments(played: Played) -> tuple[str, ...]:
    """How commands are told a game: players, seed, options that are not as usual."""
    options = header(played.game, played.seed, PERSON).options
    settings = [part for name, value in options for part in ("--set", f"{name}={value}")]
    return ("--players", str(played.game.players), "--seed", str(played.seed), *settings)


def _told(played: Played) -> str:
    """The trace of a game, up to the rule that can't be carried out. One that breaks a promise
    without stopping goes on with bots."""
    parts: list[str] = []
    game: Game = played.game
    listen = Writer(game, header(game, played.seed, PERSON), parts.append)
    made = 0

    def choose(state: State) -> Any:
        return state.moves[played.picks[made]]

    try:
        state = game.start(played.seed, listen)
        while made < len(played.picks):
            state.apply(choose(state), listen)
            made += 1
        if played.failure is not None and played.failure.kind != "ends":
            bots.play_out(state, dict(enumerate(_steady(played))), listen)
    except RulesError as error:
        parts.append(text.stopped(error))
    return "".join(parts)


def _steady(played: Played) -> list[bots.Bot]:
    return [bots.make("steady", played.seed) for _ in range(played.game.players)]
