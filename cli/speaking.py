"""Which rule speaks where a golden trace and the trace its rules make now first differ.

Used by `rules accept`. Of what is only in the kept trace, the rule is gone: it is looked for in the
rules of the last commit, if these made the trace; else the clauses that its line cites must do.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import frozen

from cli import golden
from cli.golden import Changed

if TYPE_CHECKING:
    from dsl.program import Origin
    from interpreter.events import Event
    from interpreter.game import Game
    from interpreter.trace.reader import Trace
    from lab.review.changes import Side

_TAGS = re.compile(r" \[([^\[\]]*)\]$")


@frozen
class Speaking:
    """What speaks at a first difference: a key that is equal for equal rules, and lines that tell
    it."""

    key: str
    told: tuple[str, ...]


def speaking(changed: Changed) -> Speaking | None:
    """The rule that spoke there before, as far as it can be known, and the one that does now."""
    from interpreter.trace.reader import differs

    trace, game = changed.trace, changed.game
    if trace is None or game is None or changed.now is None:
        return None
    difference = differs(trace.source, changed.now)
    if difference is None:
        return None
    origin = _speaking(game, changed.now, difference.line)
    now = None if origin is None else _told(game, origin)
    before = _before(trace, game, difference.line)
    if before is None or (now is not None and before[0] in (now[0], _clauses(origin))):
        return None if now is None else Speaking(now[0], (f"rule: {now[1]}",))
    lines = [f"was: {before[1]}"] + ([] if now is None else [f"now: {now[1]}"])
    return Speaking(f"{before[0]} {'' if now is None else now[0]}", tuple(lines))


def _clauses(origin: Origin | None) -> str:
    return "" if origin is None else f"[{', '.join(origin.tags)}]"


def _before(trace: Trace, game: Game, line: int) -> tuple[str, str] | None:
    """The rule that wrote a line of the kept trace: a key, and how it is told."""
    side = _last_commit(game.program.file)
    old = None if side is None else _committed(trace, side)
    if side is not None and old is not None:
        origin = _speaking(old, trace.source, line)
        if origin is not None:
            return _told(old, origin, side.files)
    from cli.rule import clauses

    lines = trace.source.split("\n")
    found = _TAGS.search(lines[line - 1]) if line <= len(lines) else None
    if found is None:
        return None
    texts = clauses(game.program)
    cited = (f"{tag} {texts.get(tag, '')}".strip() for tag in found[1].split(", "))
    return f"[{found[1]}]", "; ".join(cited)


def _committed(trace: Trace, side: Side) -> Game | None:
    """The game by the rules of the last commit, if these are the ones that made the trace."""
    from cli.common import compiled
    from dsl.diagnostics import RulesError

    head = trace.header
    try:
        old = compiled(side.program, head.players, head.options)
        return old if golden.again(trace, old) == trace.source else None
    except (click.ClickException, ValueError, RulesError):
        return None


@lru_cache(maxsize=64)
def _last_commit(file: str) -> Side | None:
    """A ruleset as it was last committed; None where it was not."""
    from cli import sides

    path = Path(file)
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            return sides.side(sides.last_commit(sides.Source(path.name, path, b"")), {})
    except (click.ClickException, click.exceptions.Exit):
        return None


def _told(game: Game, origin: Origin, files: Mapping[str, str] | None = None) -> tuple[str, str]:
    """A key for a rule (its path and text), and how it is told, with its place and clauses.
    `files`: what they are called, if not by their paths."""
    from cli.rule import place

    at = place(game.program, origin)
    for file, name in (files or {}).items():
        at = at.replace(file, name)
    lines = game.program.sources.get(origin.span.file, "").split("\n")
    text = lines[origin.span.line - 1].strip() if origin.span.line <= len(lines) else ""
    text = text.split("   ")[0]
    return f"{origin.path} {text}", f"{origin.path} ({at}): {text}"


def _speaking(game: Game, source: str, line: int) -> Origin | None:
    """The rule of the event that wrote a line of a trace, or of the last before that has one."""
    from interpreter.trace import reader
    from interpreter.trace.records import Recorder
    from interpreter.trace.run import FORMATS

    trace = reader.parse(source)
    events: list[Event] = []
    recorder = Recorder(game)
    state = game.start(trace.header.seed or 0, events.append)
    for taken in trace.choices:
        if state.rule is None:
            break
        labels = [option["label"] for option in recorder.options(state.rule.path, state.moves)]
        state.apply(state.moves[labels.index(taken.label)], events.append)
    writer, teller = FORMATS[trace.fmt], Recorder(game)
    written = writer.header(trace.header).count("\n")
    found = None
    for event in events:
        written += writer.lines(teller.record(event)).count("\n")
        found = event.rule or found
        if written >= line:
            break
    return found
