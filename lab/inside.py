"""Measures that read variables of the rules: noted where the variables are.

Used by `lab.measures`. Such an expression means something only in the block that gives the
variables their values. So a twin of the ruleset gets a track more for each measure, and in front of
its choice a line that keeps the expression there. Nothing reads these tracks, and no path or key of
chance comes from a line's place: so with the same seed and the same answers the twin is the same
game. The game itself is played as ever, and the twin beside it, with the same answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from dsl import pipeline
from dsl import program as p
from dsl.diagnostics import Diagnostic
from dsl.expand import expanded
from dsl.walk import bodies, walk
from interpreter.binding import OptionValue, bind
from interpreter.codegen.analysis import Analysis
from interpreter.codegen.module import Generator, generate
from interpreter.compiled import Generated
from interpreter.game import Game, track_slot
from interpreter.state import State

if TYPE_CHECKING:
    from lab.measures import Measure

TRACK = "measured_{}"
NOTE = TRACK + " = "


@frozen
class Noting:
    """The text of a twin. lines: the number of a line that notes a measure -> the measure's, and
    how far its expression is indented; players: measures noted for every player."""

    text: str
    lines: Mapping[int, tuple[int, int]]
    players: frozenset[int]


def ruleset_text(program: p.Program) -> str:
    """The text of a ruleset; of a variant, that of what it makes, since only that can have sections
    more."""
    text = program.sources[program.file]
    return text if len(program.sources) == 1 else expanded(text, program.file)


def noting(program: p.Program, measures: Sequence[Measure], written: Sequence[str]) -> Noting:
    """The text of the twin that notes measures at choices, as they are `written` in it."""
    text = ruleset_text(program)
    base, _ = pipeline.load(program.file, text)
    assert base is not None  # it was, to get here
    asked = _choices(base)
    before: dict[int, list[tuple[int, bool]]] = {}
    for number, measure in enumerate(measures):
        stmt, at_once = asked[measure.at]
        before.setdefault(stmt.origin.span.line, []).append((number, at_once))
    rows: list[str] = []
    lines: dict[int, tuple[int, int]] = {}
    everyone: set[int] = set()
    for line, row in enumerate(text.rstrip("\n").split("\n"), 1):
        indent = re.match(r"\s*", row)[0]  # type: ignore[index]
        for number, at_once in before.get(line, ()):
            inner = indent
            if at_once:  # nobody is `me` in front of such a choice
                rows.append(f"{indent}each player")
                inner += "  "
                everyone.add(number)
            note = inner + NOTE.format(number + 1)
            rows.append(note + written[number])
            lines[len(rows)] = (number, len(note))
        rows.append(row)
    rows += ["", "track"]
    for number in range(len(measures)):
        whose = " of player" if number in everyone else ""
        rows.append(f"  {TRACK.format(number + 1)}{whose}  number")
    return Noting("\n".join(rows) + "\n", lines, frozenset(everyone))


def _choices(program: p.Program) -> dict[str, tuple[p.Stmt, bool]]:
    """The statement that begins each choice, by the choice's path; whether all choose at once."""
    found: dict[str, tuple[p.Stmt, bool]] = {}
    for body in bodies(program):
        for node in walk(body):
            if isinstance(node, p.AtOnce):
                found[node.choice.origin.path] = node, True
            elif isinstance(node, p.Choose):
                found.setdefault(node.origin.path, (node, False))
    return found


def variables(program: p.Program) -> set[str]:
    """The names of everything that has a value for a while in some block of the rules."""
    nodes = (node for body in bodies(program) for node in walk(body))
    return {var.name for node in nodes if isinstance(var := getattr(node, "var", None), p.Var)}


def loaded(program: p.Program, made: Noting) -> tuple[p.Program | None, list[Diagnostic]]:
    """The twin, if its text is understood, and the errors in it."""
    twin, found = pipeline.load(program.file, made.text)
    errors = [d for d in found if d.is_error]
    if twin is None or errors:
        return None, errors
    return evolve(twin, renamed=program.renamed), []


class _Generator(Generator):
    """Writes a game in which what can't be noted (a card that is not there) is noted as None."""

    def plain(self, stmt: p.Stmt) -> None:
        if not (isinstance(stmt, p.SetTrack) and stmt.name.startswith(TRACK.format(""))):
            super().plain(stmt)
            return
        with self.at(stmt.origin):
            slot = self.track(stmt.name)
            where = slot if stmt.player is None else f"{slot}[{self.x(stmt.player)}]"
            with self.block("try:"):
                super().plain(stmt)
            with self.block("except Exception:"):
                self.fn.put(f"{where} = None")


class _Twin(Game):
    """The game of a twin."""

    def __init__(
        self, program: p.Program, players: int, options: Mapping[str, OptionValue]
    ) -> None:
        binding = bind(program, players, options)
        super().__init__(binding, (program.source_hash, players, ()))

    def _code(self) -> tuple[Generated, Generated]:
        return generate(self.binding, Analysis(self.program), _Generator)


class Notes:
    """What measures noted at the choices of games that are played elsewhere with the same answers.

    `measures`: how many there are.
    """

    def __init__(
        self,
        twin: p.Program,
        players: int,
        options: Mapping[str, OptionValue],
        measures: int,
        everyone: frozenset[int],
    ) -> None:
        self._game = _Twin(twin, players, options)
        self._slots = [track_slot(twin, TRACK.format(n)) for n in range(1, measures + 1)]
        self._everyone = everyone
        self._state: State | None = None

    def start(self, seed: int) -> None:
        """Begin a game."""
        self._state = self._game.start(seed)

    def apply(self, raw: Any) -> None:
        """Whoever is asked answers so."""
        assert self._state is not None
        self._state.apply(raw)

    def of(self, number: int, player: int, choice: str) -> int | None:
        """What a measure noted at the choice of that path, which is asked now, of who is asked;
        None: nothing was there to be noted."""
        assert self._state is not None
        asked = self._game.choices[self._state.pc].path  # a variant's may have other numbers
        assert (asked, self._state.player) == (choice, player), "twins go together"
        value: Any = getattr(self._state, self._slots[number])
        if number in self._everyone:
            value = value[player]
        return None if value is None else int(value)

    @property
    def points(self) -> list[int]:
        """The points as they stand there: those of the game itself."""
        assert self._state is not None
        return list(self._state.points)
