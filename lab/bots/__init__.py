"""All bots that play any game: those of `interpreter.bots`, and those that search.

Used by the commands and by whoever plays games with bots by name: importing this package makes the
searching ones known to `interpreter.bots`. What searches is imported when such a bot plays.

`mcts`                   information-set Monte Carlo tree search, at level `normal`
`easy` `normal` `hard`   the same at that level
`mcts(level=hard, playouts=500, seconds=1)`   the same as one likes it

A level is a number of playouts for each choice. With `seconds`, a choice takes no longer than that,
whatever the level; such a bot answers a person in time, but what it answers depends on the machine.
Without, the same seed gives the same game.
"""

from __future__ import annotations

from functools import partial
from math import isfinite
from typing import Any

from interpreter.bots import (
    BOTS,
    DECISIONS,
    Bot,
    Kind,
    Witnesses,
    check_length,
    make,
    play_out,
    seats,
    spelled,
)

__all__ = [
    "BOTS",
    "DECISIONS",
    "LEVELS",
    "Bot",
    "Witnesses",
    "check_length",
    "make",
    "play_out",
    "seats",
    "spelled",
]

LEVELS = {"easy": 4, "normal": 64, "hard": 1000}
"""Playouts for each choice: each level makes about 16 times as many as the one before, since what
more of them bring grows with their logarithm at best."""
MOST_PLAYOUTS = 1_000_000
MOST_SECONDS = 86_400.0


def _level(text: str) -> str:
    if text not in LEVELS:
        raise ValueError(f"`{text}` is no level (levels: {', '.join(LEVELS)})")
    return text


def _playouts(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= MOST_PLAYOUTS:
        return int(text)
    raise ValueError(f"`{text}` is no number from 1 to {MOST_PLAYOUTS:,}")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if isfinite(seconds) and 0 < seconds <= MOST_SECONDS:
        return seconds
    raise ValueError(f"`{text}` is no number of seconds")


def _mcts(
    seed: int, level: str = "normal", playouts: int | None = None, seconds: float | None = None
) -> Bot:
    from lab.bots.mcts import MctsBot

    return MctsBot(seed, LEVELS[level] if playouts is None else playouts, seconds)


def _register() -> None:
    settings: dict[str, Any] = {"level": _level, "playouts": _playouts, "seconds": _seconds}
    BOTS.setdefault("mcts", Kind(_mcts, settings))
    for level in LEVELS:
        kind = Kind(partial(_mcts, level=level), {"seconds": _seconds})
        BOTS.setdefault(level, kind)


_register()
