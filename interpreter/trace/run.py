"""Plays games and writes their traces.

`Writer` is what a State's `listen` is given; `trace` plays a whole game with bots and returns its
trace, which is also what golden traces are made and checked with.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import TYPE_CHECKING

from dsl.diagnostics import RulesError
from dsl.program import ENDLESS
from interpreter import bots as players
from interpreter.binding import bind_options
from interpreter.trace import jsonl, text
from interpreter.trace.records import Header, Recorder, player_name

if TYPE_CHECKING:
    from interpreter.events import Event
    from interpreter.game import Game

FORMATS = {"text": text, "jsonl": jsonl}


class Writer:
    """Writes each event it is called with, in a format, for all or for one viewer."""

    def __init__(
        self,
        game: Game,
        head: Header,
        emit: Callable[[str], object],
        fmt: str = "text",
        viewer: int | None = None,
    ) -> None:
        self._recorder = Recorder(game, viewer)
        self._lines = FORMATS[fmt].lines
        self._emit = emit
        emit(FORMATS[fmt].header(head))

    def __call__(self, event: Event) -> None:
        self._emit(self._lines(self._recorder.record(event)))


def option_text(value: object) -> str:
    """An option's value as a person writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "endless" if value == ENDLESS else str(value)


def header(game: Game, seed: int, bots: str, viewer: int | None = None) -> Header:
    """The header for a game with that seed and those bots; a view's has no seed."""
    default = bind_options(game.program, game.players, {})
    changed = tuple(
        (name, option_text(value)) for name, value in game.options.items() if value != default[name]
    )
    name = PurePath(game.program.file.replace("\\", "/")).name
    if viewer is not None:
        return Header(name, changed, game.players, None, bots, player_name(viewer))
    return Header(name, changed, game.players, seed, bots)


def write(
    game: Game,
    emit: Callable[[str], object],
    seed: int = 1,
    bots: str = "steady",
    fmt: str = "text",
    viewer: int | None = None,
) -> None:
    """Play a game with bots (named as `bots.seats` reads them), emitting its trace as it goes.

    It is emitted between choices: an `emit` that fails is no fault of the rule that was running.
    """
    names = players.seats(bots, game.players, "steady", game.program)
    head = header(game, seed, players.spelled(names), viewer)
    parts: list[str] = []

    def pass_on() -> None:
        text = "".join(parts)
        parts.clear()
        emit(text)

    listen = Writer(game, head, parts.append, fmt, viewer)
    try:
        state = game.start(seed, listen)
        pass_on()
        seated = [players.make(name, seed, game) for name in names]
        players.play_out(state, seated, listen, pass_on)
    except RulesError:
        pass_on()
        raise


def trace(
    game: Game, seed: int = 1, bots: str = "steady", fmt: str = "text", viewer: int | None = None
) -> str:
    """The trace of a game played with bots."""
    parts: list[str] = []
    write(game, parts.append, seed, bots, fmt, viewer)
    return "".join(parts)
