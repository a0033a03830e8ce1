"""Runs the examples of rulesets. Used by `rules test`, and by tests that ask whether a change to a
ruleset is noticed.

An example is played with several shuffles: what it claims must not hang on cards, roles or dice
that it doesn't give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import evolve, frozen

from dsl import examples as x
from dsl import program as p
from dsl.diagnostics import RulesError
from dsl.examples import examples_of
from interpreter import compile_game
from interpreter.example_claims import Asides, check
from interpreter.example_given import Impossible, enter, set_up
from interpreter.example_options import chosen, listed
from interpreter.game import Game
from interpreter.state import State
from interpreter.trace import text
from interpreter.trace.records import Recorder

SEEDS = (1, 2, 3)
END = "example"
"""Phases called like this stand for the rules that an example starts at."""


@frozen
class Failure:
    """Something in an example that is not so: its place, what was expected, what was found.

    trace: what happened since `given`, as text lines. note: what else there is to say.
    """

    span: p.Span
    expected: str
    found: str
    trace: tuple[str, ...]
    note: str = ""


@frozen
class Result:
    """How an example came out; it holds if nothing failed."""

    name: str
    names: p.Names
    span: p.Span
    tags: tuple[str, ...]
    failures: tuple[Failure, ...]

    @property
    def holds(self) -> bool:
        return not self.failures


def run(program: p.Program, wanted: Callable[[x.Example], bool] | None = None) -> list[Result]:
    """Run a ruleset's examples, or those wanted, in the order written."""
    examples = examples_of(program)
    tables: dict[object, _Table] = {}
    results = []
    for example in examples:
        if wanted is not None and not wanted(example):
            continue
        key = example.players, example.options
        try:
            if key not in tables:
                same = [e for e in examples if (e.players, e.options) == key]
                tables[key] = _Table(program, same)
            failures = tables[key].failures(example)
        except RulesError as problem:  # no such game can be set up at all
            wanted_game = "a game with these players and options"
            said = problem.diagnostics[0].message
            failures = (Failure(example.span, wanted_game, said, ()),)
        names = example.names
        results.append(Result(names.name, names, example.span, example.tags, failures))
    return results


class _Table:
    """The game of examples that have players and options in common."""

    def __init__(self, program: p.Program, examples: Sequence[x.Example]):
        first = examples[0]
        options = dict(first.options)
        rules = [e for e in examples if isinstance(e.entry, x.AtRules)]
        played = [e for e in examples if not isinstance(e.entry, x.AtRules)]
        self.phases: dict[int, str] = {}
        self.games: dict[bool, tuple[Game, Asides]] = {}  # whether rules are run alone in it
        if played:
            game = compile_game(program, first.players, options)
            self.games[False] = game, Asides(game, played)
        if rules:
            more = tuple(_phase(f"{END} {i}", e.entry) for i, e in enumerate(rules)
                         if isinstance(e.entry, x.AtRules))  # fmt: skip
            self.phases = {id(e): phase.names.name for e, phase in zip(rules, more, strict=True)}
            other = evolve(
                program,
                phases=program.phases + more,
                source_hash=f"{program.source_hash}+{len(more)}",
            )
            alone = compile_game(other, first.players, options)
            self.games[True] = alone, Asides(alone, rules)

    def failures(self, example: x.Example) -> tuple[Failure, ...]:
        """What fails in an example, with the first shuffle in which something does."""
        for seed in SEEDS:
            found = self.played(example, seed)
            if found and seed != SEEDS[0]:
                note = "with another shuffle it holds: give the cards or roles it hangs on"
                found = tuple(evolve(failure, note=failure.note or note) for failure in found)
            if found:
                return found
        return ()

    def played(self, example: x.Example, seed: int) -> tuple[Failure, ...]:
        phase = self.phases.get(id(example))
        game, asides = self.games[phase is not None]
        return tuple(_Play(game, example, phase, asides).failures(seed))


def _phase(name: str, entry: x.AtRules) -> p.Phase:
    """Some rules as a phase, which stops with a question of its own."""
    span = _first_origin(entry).span
    player = p.Const(entry.player, p.PLAYER, span)
    origin = p.Origin(name, span)
    branch = p.Branch("end", None, None, None, False, (), origin)
    stop = p.Choose("end", player, False, (branch,), p.Origin(f"{name}/end", span))
    body: tuple[p.Stmt, ...] = (p.Turn(player, entry.me, "", entry.body, origin), stop)
    return p.Phase(p.Names(name), body, origin)


def _first_origin(entry: x.AtRules) -> p.Origin:
    return entry.body[0].origin


class _Play:
    """One run of an example."""

    def __init__(self, game: Game, example: x.Example, phase: str | None, asides: Asides):
        self.game = game
        self.example = example
        self.phase = phase
        self.asides = asides
        self.lines: list[str] = []
        self.recorder = Recorder(game)

    def listen(self, event: Any) -> None:
        if event.kind == "phase" and event.data["value"] == self.phase:
            return
        self.lines += text.lines(self.recorder.record(event)).splitlines()

    def failure(self, span: p.Span, expected: str, found: str, note: str = "") -> Failure:
        return Failure(span, expected, found, tuple(self.lines), note)

    def failures(self, seed: int) -> Iterator[Failure]:
        at = self.example.span
        try:
            state = self.game.start(seed)
            set_up(state, self.example, self.asides)
            enter(state, self.example, self.phase, self.listen)
        except Impossible as problem:
            yield self.failure(problem.span, problem.expected, problem.found)
            return
        except RulesError as problem:
            yield self.broken(at, problem)
            return
        for part in self.example.story:
            if isinstance(part, x.Step):
                at = part.span
                try:
                    found = self.step(state, part)
                except RulesError as problem:
                    found = self.broken(at, problem)
                if found is not None:
                    yield found
                    return
                continue
            try:
                wrong = check(state, part, self.asides)
            except RulesError as problem:
                yield self.broken(part.span, problem)
                continue
            if wrong is not None:
                yield self.failure(part.span, wrong.expected, wrong.found, wrong.note)

    def broken(self, span: p.Span, problem: RulesError) -> Failure:
        """The rules themselves could not be carried out."""
        first = problem.diagnostics[0]
        where = "" if first.span is None else f" (line {first.span.line})"
        return self.failure(
            span, "that the rules can be carried out", first.message + where, first.suggestion
        )

    def step(self, state: State, step: x.Step) -> Failure | None:
        """Carry out a step, or say why it can't be."""
        said = self.asides.said(step.span)
        asked = state.decision
        if asked is None or asked.path == f"{self.phase}/end":
            ended = "the game is over" if asked is None else "nothing more is asked"
            return self.failure(step.span, said, ended)
        choices = {way.choice for way in step.option.ways}
        wrong_player = step.player is not None and asked.player != step.player
        if wrong_player or asked.path not in choices:
            return self.failure(step.span, said, f"P{asked.player + 1} is asked `{asked.name}`")
        found = chosen(asked.path, asked.options, step.option)
        if len(found) != 1:
            among = found or asked.options
            what = "it could be" if found else "only these can be chosen:"
            return self.failure(step.span, said, f"{what} {listed(among)}")
        state.apply(found[0], self.listen)
        return None
