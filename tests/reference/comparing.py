"""Plays one game in the engine and in the reference side by side, and says where they differ.

Events may be cut differently: cards that move together may be one event or several, and what
changes nothing (a mark already set, no tokens paid) may be told or not. `Telling` evens this out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from random import Random
from typing import Any

from dsl import program as p
from dsl.diagnostics import RulesError
from interpreter import compile_game
from interpreter.events import Event
from interpreter.state import State
from tests.reference.evaluator import Evaluator, Happening, Question
from tests.reference.table import RulesBroken, Unspecified

MOST_DECISIONS = 3000

Told = tuple[str, str, tuple[tuple[str, Any], ...]]


class Telling:
    """Brings events into a form that is the same for the same game: kind, rule, data."""

    def __init__(self, program: p.Program) -> None:
        self.program = program
        self.before: dict[tuple[Any, ...], Any] = {}

    def told(self, events: Iterable[Event | Happening]) -> Iterator[Told]:
        for event in events:
            where = "" if event.rule is None else f"{event.rule.path} {event.rule.span}"
            for data in self._even(event.kind, event.data):
                yield event.kind, where, plain(data)

    def _even(self, kind: str, data: dict[str, Any]) -> list[dict[str, Any]]:
        """An event's data: one or several, or none where it tells nothing."""
        if kind == "move":
            moves = data["source"] != data["target"]
            return [{**data, "cards": (card,)} for card in data["cards"] if moves]
        if kind in ("mark", "track"):
            key = (kind, data.get("mark", data.get("name")), data["player"])
            start = False if kind == "mark" else untracked(self.program, data["name"])
            value = data["on"] if kind == "mark" else data["value"]
            if self.before.get(key, start) == value:
                return []
            self.before[key] = value
        return [] if kind == "pay" and not data["amount"] else [data]


def untracked(program: p.Program, name: str) -> Any:
    """What a tracked value starts with."""
    start = {p.K.NUMBER: 0, p.K.TRUTH: False, p.K.ENUM: -1}
    return start.get(program.tracks[name].type.kind)


def plain(data: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted((key, tuples(value)) for key, value in data.items()))


def tuples(value: Any) -> Any:
    return tuple(map(tuples, value)) if isinstance(value, (list, tuple)) else value


def differing(ours: list[Any], theirs: list[Any]) -> str:
    """What differs between two lists of options."""
    missing = [raw for raw in theirs if raw not in ours]
    added = [raw for raw in ours if raw not in theirs]
    if missing or added:
        return f"the engine lacks {missing} and has {added} too much"
    return f"their order: {ours} in the engine, not {theirs}"


class Pair:
    """The same game in both engines. `differences` stays empty as long as they agree."""

    def __init__(
        self, program: p.Program, players: int, options: dict[str, Any], seed: int
    ) -> None:
        self.program = program
        self.game = compile_game(program, players, options)
        self.reference = Evaluator(program, players, options, seed)
        self.events: list[Event] = []
        self.seed = seed
        self.state: State | None = None
        self.question: Question | None = None
        self.failed = ""
        self.ours, self.theirs = Telling(program), Telling(program)
        self.before: list[Told] = []

    def play(self) -> None:
        """Play to the end with random answers, comparing after every decision."""
        rng = Random(self.seed)
        self._step(None)
        for _ in range(MOST_DECISIONS):
            if self.failed or self.question is None:
                break
            self._step(rng.choice(self.question.options))

    def _step(self, raw: Any) -> None:
        failures = []
        first = self.state is None
        try:
            if self.state is None:
                self.state = self.game.start(self.seed, self.events.append)
            else:
                self.state.apply(raw, self.events.append)
        except RulesError as error:
            failures.append(f"engine: {error}")
        try:
            self.question = self.reference.start() if first else self.reference.answer(raw)
        except RulesBroken as error:
            failures.append(f"reference: {error}")
        except Unspecified as error:
            self.failed = f"unspecified: {error}"
            return
        if len(failures) == 1:
            raise AssertionError(f"only one fails: {failures[0]}")
        self._compare_events()
        self.failed = " / ".join(failures)
        if not failures:
            self._compare_positions()

    def _compare_events(self) -> None:
        """Compare what both told since the last time."""
        ours = list(self.ours.told(self.events))
        theirs = list(self.theirs.told(self.reference.events))
        self.events.clear()
        self.reference.events.clear()
        for mine, other in zip_longest(ours, theirs):
            assert mine == other, (
                f"events differ\n  engine    {mine}\n  reference {other}\n"
                "  before    " + "\n            ".join(map(str, self.before[-4:]))
            )
            self.before.append(mine)

    def _compare_positions(self) -> None:
        assert self.state is not None
        state, table = self.state, self.reference.table
        for place in range(len(table.spots)):
            expect(f"place {place}", tuple(state.P[place]), table.faces_at(place))
        reference = self.reference
        if self.question is None:
            assert state.is_over, f"the engine still asks {state.decision}"
            expect(
                "points and winners",
                state.points + state.winners,
                reference.points + reference.winners,
            )
            return
        asked = (state.player, self.game.choices[state.pc].path)
        expect("question", asked, (self.question.player, self.question.path))
        ours, theirs = list(state.moves), self.question.options
        assert ours == theirs, f"options of {self.question.path}: {differing(ours, theirs)}"
        coordinates = {k: v for k, v in state.coordinates if k != "phase"}
        expect("coordinates", coordinates, reference.coordinates)


def expect(what: str, ours: object, theirs: object) -> None:
    assert ours == theirs, f"{what}: {ours} in the engine, not {theirs}"


def agree(program: p.Program, players: int, options: dict[str, Any], seed: int) -> Pair:
    """Play a game in both engines. Raises AssertionError where they differ."""
    pair = Pair(program, players, options, seed)
    try:
        pair.play()
    except AssertionError as error:
        note = f"{players} players, options {options}, seed {seed}"
        raise AssertionError(f"{note}: {error}") from error
    return pair
