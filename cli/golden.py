"""Golden traces: finding them, and playing them again. Used by the commands that keep them."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from cli.common import Misuse, compiled, legible, load

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.trace.reader import Trace

SUFFIXES = {"text": ".trace", "jsonl": ".jsonl"}


def kept(folder: Path) -> list[Path]:
    """All traces in a folder and those below it; a file alone is meant itself."""
    if folder.is_file():
        return [folder]
    return sorted(p for p in folder.rglob("*") if p.suffix in SUFFIXES.values() and p.is_file())


def read(path: Path) -> Trace:
    """A trace file. Raises TraceError."""
    from interpreter.trace import reader

    return reader.parse(reader.decode(path.read_bytes()))


def again(trace: Trace, game: Game) -> str:
    """The trace that the header's bots make now; with people among them, that the choices make."""
    from interpreter.trace import reader, run
    from lab import bots as players

    head = trace.header
    try:
        players.seats(head.bots, game.players)
    except ValueError:
        return reader.replay(trace, game)
    if head.view is not None or head.seed is None:
        return reader.replay(trace, game)  # says why it can't be
    return run.trace(game, head.seed, head.bots, trace.fmt)


def game_of(file: str | None, path: Path, trace: Trace) -> Game:
    """The game a trace was made with: FILE, or the ruleset its header names, looked for beside the
    trace and one folder up, then as any ruleset is."""
    from interpreter.trace.reader import TraceError

    head = trace.header
    folder = path.resolve().parent
    beside = (folder / head.ruleset, folder.parent / head.ruleset)
    plain = PurePath(head.ruleset).name == head.ruleset and head.ruleset not in ("", "..")
    if not plain or "\0" in head.ruleset:
        raise TraceError(f"the header names no ruleset: {legible(head.ruleset)!r}", 1)
    name = file or next((str(p) for p in beside if p.is_file()), head.ruleset)
    try:
        return compiled(load(name), head.players, head.options)
    except Misuse as problem:
        raise TraceError(str(problem), 1) from None


def at(line: int) -> str:
    """`:12` for a line that is known."""
    return f":{line}" if line else ""
