"""Finds the choice of a game that somebody means, by words people would read off its trace.

Used by `rules why`. A place is said by the line of the trace (`57`), by the number of the choice
(`choice 12`), or by parts of what stands around it, in any order: `round 2, turn P3, follow`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from cli import ask
from interpreter.describe import player_labels
from interpreter.labels import say

if TYPE_CHECKING:
    from dsl.program import Names
    from interpreter.state import State
    from interpreter.trace.reader import Taken

_PLAYER = re.compile(r"p([1-9][0-9]?)")


@frozen(eq=False)
class Moment:
    """A choice of a game: its number (from 1), the State that asks, and what was taken there (None:
    the trace stops here)."""

    number: int
    state: State
    taken: Taken | None

    @property
    def line(self) -> int:
        """The line of the trace that tells of it; 0 where it stops before."""
        return 0 if self.taken is None else self.taken.line

    def called(self, lang: str = "en") -> str:
        """Where it is, in words: `round 2, turn P3, P3 follow`."""
        program, state = self.state.game.program, self.state
        assert state.player is not None and state.rule is not None
        parts = []
        for label, value in state.coordinates:
            if label == "phase":
                if isinstance(value, str) and value != "setup":
                    names = [q.names for q in program.phases if q.names.name == value]
                    parts.append(say(names[0], lang))
                continue
            shown = f"P{value}" if label in player_labels(program) else str(value)
            parts.append(f"{say(program.labels[label], lang)} {shown}")
        name = say(program.choices[state.rule.path], lang)
        return ", ".join([*parts, f"P{state.player + 1} {name}"])


class Unfound(ValueError):
    """No choice, or not one only, is where it was said; in words."""

    def __init__(self, message: str, moments: Sequence[Moment] = ()) -> None:
        super().__init__(message)
        self.moments = tuple(moments)


def find(where: str, moments: Sequence[Moment]) -> Moment:
    """The choice that is meant. Raises Unfound."""
    place = ask.normal(where)
    if re.fullmatch(r"(line )?[0-9]{1,9}", place):
        return _by_line(int(place.removeprefix("line ")), moments)
    if re.fullmatch(r"(choice |#)[0-9]{1,9}", place):
        number = int(place.removeprefix("choice ").removeprefix("#"))
        if not 1 <= number <= len(moments):
            raise Unfound(f"there is no choice {number}: the game has {len(moments)}")
        return moments[number - 1]
    left = list(moments)
    for part in _parts(where):
        fitting = [moment for moment in left if _fits(part, moment)]
        if not fitting:
            raise Unfound(_none(part, left, moments), left if len(left) < len(moments) else ())
        left = fitting
    if len(left) > 1:
        raise Unfound(f"`{where}` fits {len(left)} choices; say which, for instance by line", left)
    return left[0]


def _by_line(line: int, moments: Sequence[Moment]) -> Moment:
    at = [moment for moment in moments if moment.line == line]
    if at:
        return at[0]
    before = [moment for moment in moments if 0 < moment.line < line][-2:]
    after = [moment for moment in moments if moment.line > line or not moment.line][:2]
    raise Unfound(f"line {line} of the trace is no choice; the nearest are", [*before, *after])


def _parts(where: str) -> list[str]:
    """The parts of a place: between commas; a line of a trace is one for itself."""
    line = ask.script_line(where)
    if line is not None and line.player is not None:
        return [where]
    return [part for part in (q.strip(" =") for q in re.split(r"[,、]", where)) if part]


def _none(part: str, left: Sequence[Moment], moments: Sequence[Moment]) -> str:
    if any(_fits(part, moment) for moment in moments):
        return f"no choice is both there and at `{part}`; there are"
    return (
        f"no choice of this game is at `{part}`; a place is, for instance, `{moments[0].called()}`"
    )


def _fits(part: str, moment: Moment) -> bool:
    """Whether a part of a place is true of a choice."""
    state = moment.state
    line = ask.script_line(part)
    if line is not None and line.player is not None:  # `P3 follow: lay crown 9`
        same = line.player == state.player and _named(line.name or "", moment)
        return same and moment.taken is not None and moment.taken.label == line.answer
    first, _, rest = ask.normal(part).partition(" ")
    found = _PLAYER.fullmatch(first)
    if found is not None:
        return int(found[1]) - 1 == state.player and (not rest or _fits(rest, moment))
    return _named(part, moment) or _at(part, moment)


def _named(part: str, moment: Moment) -> bool:
    """Whether the choice is called so, or this is its path."""
    rule = moment.state.rule
    assert rule is not None
    names = moment.state.game.program.choices[rule.path]
    return ask.normal(part) in (*_called(names), ask.normal(rule.path))


def _at(part: str, moment: Moment) -> bool:
    """Whether a phase or a loop's run is under way there: `refill`, `round 2`, `turn P3`."""
    program = moment.state.game.program
    words = ask.words(part)
    if not words:
        return False
    for label, value in moment.state.coordinates:
        if label == "phase":
            names = [q.names for q in program.phases if q.names.name == value]
            called = [name for q in names for name in _called(q)]
            if " ".join(words[1:] if words[0] == "phase" and words[1:] else words) in called:
                return True
        elif len(words) == 2 and words[0] in _called(program.labels[label]):
            shown = f"p{value}" if label in player_labels(program) else str(value)
            if words[1] in (shown, str(value)):
                return True
    return False


def _called(names: Names) -> list[str]:
    return [ask.normal(say(names, lang)) for lang in ("en", "ja")]
