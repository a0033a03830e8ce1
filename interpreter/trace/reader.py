"""Reads traces of either format, and replays them.

A trace is read for its header and its choices; everything else in it follows from these, so it is
not taken apart but compared: `replay` plays the choices again and returns the trace they make,
`differs` says where two traces part. A TraceError says what is wrong, and in which line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from dsl.diagnostics import RulesError
from interpreter import bots
from interpreter.trace import jsonl as jsonl_format
from interpreter.trace import text as text_format
from interpreter.trace.records import VERSION, Header, Recorder, player_name
from interpreter.trace.run import FORMATS, Writer

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

SHOWN = 100  # characters of a damaged line

_CHOICE = re.compile(
    r"  (?P<player>P\d+) (?P<name>[^ :]+): (?P<label>.+?)"
    r"(?P<forced> \(forced\))?(?P<secret> \(secret\))?(?P<tags> \[[^\[\]]*\])?"
)
_SET = re.compile(r"(?P<name>[^=]+)=(?P<value>.*)")


class TraceError(ValueError):
    """A trace that can't be read or replayed; `line` counts from 1 (0: the trace as a whole)."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


@frozen
class Taken:
    """A choice as the trace has it: who took what, and in which line it says so."""

    line: int
    player: str
    name: str
    label: str
    forced: bool


@frozen
class Trace:
    """A trace that was read. `complete`: it goes on to the end of the game."""

    fmt: str
    header: Header
    choices: tuple[Taken, ...]
    complete: bool
    source: str
    stopped: bool = False  # by a rule that could not be carried out
    so_far: bool = False  # kept while the game was not over


@frozen
class Difference:
    """The first line in which two traces differ; None where one of them has ended."""

    line: int
    one: str | None
    other: str | None


def decode(data: bytes) -> str:
    """A trace file's text."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data[: problem.start].count(b"\n") + 1
        raise TraceError("this is not a trace: it is not UTF-8 text", line) from None
    if "\0" in text:
        raise TraceError("this is not a trace: it holds bytes that are not text")
    return text.replace("\r\n", "\n")


def parse(source: str) -> Trace:
    """Read a trace of either format."""
    if not source.strip():
        raise TraceError("the trace is empty")
    if source.startswith("{"):
        return _parse_jsonl(source)
    if source.startswith(text_format.TITLE):
        return _parse_text(source)
    raise TraceError(
        f"this is not a trace: it should begin with `{text_format.TITLE} {VERSION}`", 1
    )


def _version(found: str, line: int = 1) -> None:
    if found != str(VERSION):
        raise TraceError(
            f"this is a trace of version {_short(found)}; this program reads version {VERSION}",
            line,
        )


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


# text


def _parse_text(source: str) -> Trace:
    lines = source.split("\n")
    head, start = _text_header(lines)
    choices = []
    complete = ended = stopped = so_far = False
    for number, line in enumerate(lines[start:], start + 1):
        if not line:
            if number != len(lines):
                raise TraceError("an empty line does not belong here", number)
        elif so_far:
            raise TraceError("something follows the end of the trace", number)
        elif line.startswith("="):
            so_far = line == text_format.SO_FAR and number < len(lines)
            ended = line == "= end"
            stopped = stopped or line == text_format.STOPPED
        elif not line.startswith("  "):
            raise TraceError(f"this line is damaged: {_short(line)!r}", number)
        elif ended:
            complete = complete or (line.startswith("  winners: ") and number < len(lines))
        elif found := _CHOICE.fullmatch(line):
            choices.append(
                Taken(number, found["player"], found["name"], found["label"], bool(found["forced"]))
            )
    return Trace("text", head, tuple(choices), complete, source, stopped, so_far)


def _text_header(lines: list[str]) -> tuple[Header, int]:
    """The header, and the index of the first line after it."""
    _version(lines[0].removeprefix(text_format.TITLE).strip() or "?")
    fields: dict[str, str] = {}
    options: dict[str, str] = {}
    for number, line in enumerate(lines[1:], 2):
        if not line and number < len(lines):
            return _header(fields, options), number
        match line.split(" ", 2):
            case ["#", "set", setting] if found := _SET.fullmatch(setting):
                options[found["name"]] = found["value"]
            case ["#", ("ruleset" | "players" | "seed" | "bots" | "view") as key, value]:
                fields[key] = value
            case [""]:
                break
            case _:
                raise TraceError(f"this line of the header is damaged: {_short(line)!r}", number)
    raise TraceError("the trace stops in its header", len(lines))


def _header(fields: dict[str, str], options: dict[str, str]) -> Header:
    for key in ("ruleset", "players", "bots"):
        if key not in fields:
            raise TraceError(f"the header does not say `{key}`", 1)
    if "view" not in fields and "seed" not in fields:
        raise TraceError("the header does not say `seed`", 1)
    try:
        seed = int(fields["seed"]) if "seed" in fields else None
        players = int(fields["players"])
    except ValueError:
        raise TraceError("the header's players and seed must be numbers", 1) from None
    return Header(
        fields["ruleset"],
        tuple(options.items()),
        players,
        seed,
        fields["bots"],
        fields.get("view"),
    )


# JSON Lines


def _parse_jsonl(source: str) -> Trace:
    records = _objects(source)
    number, first = next(records)
    _version(str(first.get("rules_trace", "?")), number)
    settings = first.get("set", {})
    if not isinstance(settings, dict):
        raise TraceError("the header's `set` is damaged", number)
    fields = {key: str(value) for key, value in first.items() if key not in ("rules_trace", "set")}
    head = _header(fields, {str(name): str(value) for name, value in settings.items()})
    choices = []
    complete = so_far = False
    for number, record in records:
        if complete or so_far:
            raise TraceError("something follows the end of the game", number)
        kind = record.get("event")
        if kind == "choice":
            try:
                player, name, label = record["player"], record["name"], record["taken"]["label"]
            except (KeyError, TypeError):
                raise TraceError("this choice is damaged", number) from None
            choices.append(Taken(number, player, name, label, bool(record.get("forced"))))
        elif kind == "end":
            complete = source.endswith("\n")
        elif kind == jsonl_format.SO_FAR:
            so_far = source.endswith("\n")
        elif not isinstance(kind, str):
            raise TraceError("this line is no event", number)
    return Trace("jsonl", head, tuple(choices), complete, source, so_far=so_far)


def _objects(source: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(source.removesuffix("\n").split("\n"), 1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):  # also of numbers too long to be read
            raise TraceError("this line is damaged: it is not JSON", number) from None
        if not isinstance(record, dict):
            raise TraceError("this line is damaged: it is not an object", number)
        yield number, record


# replaying


def replay(trace: Trace, game: Game, fmt: str | None = None, viewer: int | None = None) -> str:
    """The trace that the choices of a trace make when its game is played again: in its own format
    (or another), for all (or one viewer).

    A trace kept before the end of its game stops after the same choices. If a rule stopped the
    trace's game and stops it again, so does this trace; if the game goes on now, steady bots play
    it to its end.
    """
    head, seed = trace.header, trace.header.seed
    if head.view is not None or seed is None:
        raise TraceError(
            f"a view ({head.view}) can't be replayed: it shows neither the seed nor all cards", 1
        )
    parts: list[str] = []
    if viewer is not None:
        head = evolve(head, seed=None, view=player_name(viewer))
    listen = Writer(game, head, parts.append, fmt or trace.fmt, viewer)
    try:
        if not _choose(trace, game, listen, seed):
            parts.append(FORMATS[fmt or trace.fmt].so_far())
    except RulesError as error:
        if not trace.stopped or (fmt or trace.fmt) != "text":
            raise
        parts.append(text_format.stopped(error))
    return "".join(parts)


def _choose(trace: Trace, game: Game, listen: Writer, seed: int) -> bool:
    """Play the choices of a trace; False where the game is left before its end, as in the trace."""
    recorder = Recorder(game)
    state = game.start(seed, listen)
    left = iter(trace.choices)
    while not state.is_over:
        taken = next(left, None)
        if taken is None:
            if trace.stopped:
                steady = {q: bots.make("steady", seed) for q in range(game.players)}
                bots.play_out(state, steady, listen)
                return True
            if trace.so_far:
                return False
            if trace.complete:
                raise TraceError("the trace's game ends, but by these rules it goes on")
            raise TraceError("the trace is cut off: it stops before the end of the game")
        state.apply(_find(game, recorder, state, taken), listen)
    for taken in left:
        raise TraceError("by these rules the game is over before this choice", taken.line)
    return True


def decisions(trace: Trace, game: Game) -> Iterator[tuple[Taken | None, State]]:
    """The choices of a trace as its game is played again: what was taken, and the State that asks
    (played on afterwards: `clone` it to keep it). A trace that stops before the end of its game
    gives the choice it stops at as the last, with None.

    Raises TraceError where the choices don't fit the game; the choice itself has been given then.
    """
    if trace.header.seed is None:
        raise TraceError(
            f"a view ({trace.header.view}) can't be replayed: it shows neither the seed nor all "
            "cards", 1,
        )  # fmt: skip
    recorder = Recorder(game)
    state = game.start(trace.header.seed)
    for taken in trace.choices:
        if state.is_over:
            raise TraceError("by these rules the game is over before this choice", taken.line)
        yield taken, state
        state.apply(_find(game, recorder, state, taken))
    if not state.is_over:
        yield None, state


def _find(game: Game, recorder: Recorder, state: Any, taken: Taken) -> Any:
    """The raw option that a choice in a trace took."""
    path, moves = state.rule.path, state.moves
    name, player = game.program.choices[path].name, f"P{state.player + 1}"
    if (taken.player, taken.name) != (player, name):
        raise TraceError(
            f"here {taken.player} chooses `{taken.name}`, "
            f"but by these rules {player} chooses `{name}`",
            taken.line,
        )
    labels = [option["label"] for option in recorder.options(path, moves)]
    if taken.label not in labels:
        raise TraceError(
            f"{player} can't choose `{taken.label}` at `{name}` "
            f"(options: {'; '.join(labels[:20])}{'; …' if len(labels) > 20 else ''})",
            taken.line,
        )
    return moves[labels.index(taken.label)]


def differs(one: str, other: str) -> Difference | None:
    """The first line that differs, or None when the two are the same to the byte."""
    if one == other:
        return None
    ours, theirs = one.split("\n"), other.split("\n")
    for number in range(max(len(ours), len(theirs))):
        mine = ours[number] if number < len(ours) else None
        its = theirs[number] if number < len(theirs) else None
        if mine != its:
            return Difference(number + 1, mine, its)
    return None
