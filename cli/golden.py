"""Golden traces: where they lie, what they are called, and playing them again.

Used by `rules trace --record` and `--check`, `rules accept`, `rules play`, `rules diff`, and git.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from attrs import frozen

from cli.common import Misuse, bundled, compiled, legible, load

if TYPE_CHECKING:
    from cli.session import Session
    from interpreter.game import Game
    from interpreter.trace.reader import Trace
    from interpreter.trace.records import Header

SUFFIXES = {"text": ".trace", "jsonl": ".jsonl"}
FOLDER = "golden"


def kept(folder: Path) -> list[Path]:
    """All traces in a folder and those below it; a file alone is meant itself."""
    if folder.is_file():
        return [folder]
    return sorted(p for p in folder.rglob("*") if p.suffix in SUFFIXES.values() and p.is_file())


def folders() -> list[Path]:
    """All folders called `golden` here and below."""
    here = Path()
    found = (path for path in here.rglob(FOLDER) if path.is_dir())
    return sorted(p for p in found if not any(part.startswith(".") for part in p.parts))


def file_name(head: Header, fmt: str = "text", what: str = "") -> str:
    """What a golden trace is called: by ruleset, players, seed, options and bots, or `what` it
    is."""
    changed = "".join(f"-{name}={value}" for name, value in head.options)
    who = what or ("" if head.bots == "steady" else f"-{head.bots}")
    stem = PurePath(head.ruleset).stem
    return f"{stem}-{head.players}p-{head.seed}{changed}{who}{SUFFIXES[fmt]}"


def read(path: Path) -> Trace:
    """A trace file. Raises TraceError."""
    from interpreter.trace import reader

    return reader.parse(reader.decode(path.read_bytes()))


def again(trace: Trace, game: Game) -> str:
    """The trace that the header's bots make now; with people among them, or where it stops before
    the end of the game, that the choices make. Raises TraceError."""
    from interpreter.trace import reader, run
    from lab import bots as players

    head = trace.header
    try:
        players.seats(head.bots, game.players, program=game.program)
    except ValueError:
        return reader.replay(trace, game)
    if head.view is not None or head.seed is None or trace.so_far:
        return reader.replay(trace, game)  # of a view, this says why it can't be
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


# ── those that changed ───────────────────────────────────────────────────────────────────────


@frozen(eq=False)
class Changed:
    """A golden trace that its rules no longer make. `now`: what they make instead; None where the
    game can't be played again, and `problem` says why."""

    path: Path
    trace: Trace | None
    game: Game | None
    now: str | None
    problem: str = ""


def changed(paths: Iterable[Path], file: str | None = None) -> Iterable[Changed | Path]:
    """Each trace: its path if it is as before, else what changed."""
    from interpreter.trace.reader import TraceError

    for path in paths:
        trace = game = None
        try:
            trace = read(path)
            game = game_of(file, path, trace)
            now = again(trace, game)
        except TraceError as problem:
            yield Changed(path, trace, game, None, f"{at(problem.line)}: {problem.message}")
            continue
        yield path if now == trace.source else Changed(path, trace, game, now)


# ── from the table ───────────────────────────────────────────────────────────────────────────


def of_session(session: Session) -> tuple[str, str]:
    """A game at the table, as far as it goes, as a golden trace: its name and text."""
    from interpreter.trace import reader, run
    from interpreter.trace.reader import Taken, Trace
    from lab import bots

    head = run.header(session.game, session.seed, bots.spelled(session.seats))
    program = session.game.program
    choices = tuple(
        Taken(0, f"P{made.player + 1}", program.choices[made.path].name, made.label, False)
        for made in session.choices
    )
    trace = Trace("text", head, choices, session.over, "", so_far=not session.over)
    what = "-played" if session.over else f"-played{len(choices)}"
    return file_name(head, what=what), reader.replay(trace, session.game)


def folder_of(file: str) -> Path:
    """Where golden traces of a ruleset lie: beside it; here for those of the box."""
    path = Path(file)
    return Path(FOLDER) if path.resolve() in bundled() else path.parent / FOLDER
