"""Questions of one's own: an expression in the rules language, evaluated at some moment of play.

    NAME=EXPR              at the end of the game, for every player
    NAME=EXPR at CHOICE    when that choice is asked, for who is asked
    NAME=EXPR at MOMENT    at that moment of the rules, for every player
    NAME=EXPR at LOOP      when the loop so labelled begins a run (of a player: for that player)
    NAME=EXPR at PHASE     when the phase begins, for every player

EXPR reads what a scoring line reads: `me` is the player, everything declared can be asked for. It
is compiled as the scoring line of a twin of the game, whose scoring function reads the States of
the real one: both keep the same places, tokens, marks and roles. An expression that reads variables
of the rules means something at a choice only, where they have values: see `lab.inside`.

Moments, loops and phases are only told by loud code, so measures there make play slower.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from dsl import pipeline
from dsl import program as p
from dsl.diagnostics import Diagnostic, RulesError
from dsl.suggest import did_you_mean
from interpreter.events import Listener
from interpreter.game import Game, compile_game
from interpreter.state import State
from lab.inside import NOTE, Notes, loaded, noting, ruleset_text, variables

_AT = re.compile(r"^(.*\S)\s+at\s+([^()=]+?)\s*$", re.S)
TRUTH_LINE = "if {} then 1 else 0"
END = "end"
OUTSIDE = (
    "it has a value in a block of the rules only: ask `at` a choice that stands there, "
    "or have the rules keep it in a `track`"
)
MOST_TWINS = 50


@frozen
class Measure:
    """A question. when: "end", "choice", "moment", "loop" or "phase"; at: its name (of a choice,
    its path). truth: whether it asks for yes or no (1 or 0). inside: whether it reads variables of
    the rules, and so has the meaning it would have in front of its choice."""

    name: str
    expr: str
    when: str
    at: str
    truth: bool = False
    inside: bool = False

    @property
    def line(self) -> str:
        """The expression as it is written in a twin, on one line."""
        expr = " ".join(self.expr.split())
        return TRUTH_LINE.format(f"({expr})") if self.truth else expr


_TWINS: dict[tuple[str, str, Measure], p.Program] = {}
_NOTING: dict[tuple[str, str, tuple[Measure, ...]], tuple[p.Program, frozenset[int]]] = {}


@frozen
class Measured:
    """One answer: of which measure, of which player in which role, what (None: none)."""

    measure: int
    player: int
    role: int | None
    value: int | None


def parse(program: p.Program, text: str) -> Measure:
    """A measure as it is written. Raises RulesError, in words, if it is none."""
    name, equals, rest = (part.strip() for part in text.partition("="))
    if not (equals and rest and re.fullmatch(r"\w[\w ]*", name)):
        raise _wrong(f"`{text}` should be NAME=EXPR or NAME=EXPR at MOMENT")
    found = _AT.match(rest)
    expr = rest if found is None else found[1]
    if re.search(r"\bat\b", expr):
        raise _wrong(
            f"`{text}` should be NAME=EXPR or NAME=EXPR at MOMENT",
            "`at` stands once, in front of one name",
        )
    if found is None:
        return Measure(name, rest, END, END)
    return Measure(name, found[1], *_moment(program, found[2]))


def _moment(program: p.Program, at: str) -> tuple[str, str]:
    """What kind of thing a name after `at` is, and its full name."""
    if at == END:
        return END, END
    if at in program.moments:
        return "moment", at
    phases = [phase.names.name for phase in program.phases]
    if at.removeprefix("phase ") in phases:
        return "phase", at.removeprefix("phase ")
    if at in program.labels:
        return "loop", at
    paths = [path for path in program.choices if path.rpartition("/")[0] not in program.choices]
    fitting = [path for path in paths if path == at or path.endswith((f"/{at}", f" {at}"))]
    if len(fitting) == 1:
        return "choice", fitting[0]
    if fitting:
        raise _wrong(
            f"there are several choices called `{at}`", "name one whole: " + ", ".join(fitting)
        )
    known = [END, *program.moments, *phases, *program.labels]
    known += [path.rpartition("/")[2] for path in paths]
    raise _wrong(
        f"there is no moment, phase, loop or choice called `{at}`",
        did_you_mean(at, known) or "known: " + ", ".join(dict.fromkeys(known)),
    )


def _wrong(message: str, suggestion: str = "") -> RulesError:
    return RulesError([Diagnostic("R0805", message, None, suggestion=suggestion)])


def checked(program: p.Program, measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """The measures with what their expressions turn out to be. Raises RulesError for what can't
    be understood, at its place in the expression."""
    return tuple(_checked(program, measure) for measure in measures)


def _checked(program: p.Program, measure: Measure) -> Measure:
    problems: list[RulesError] = []
    for inside in (False, True) if measure.when == "choice" else (False,):
        for truth in (False, True):
            tried = evolve(measure, truth=truth, inside=inside)
            try:
                _noting(program, [tried]) if inside else _twin(program, tried)
                return tried
            except RulesError as problem:
                if not truth:
                    problems.append(problem)
        if any(d.code != "R0304" for d in problems[0].diagnostics):
            break  # what is wrong is not that a name means nothing
    raise problems[-1]  # of what was written, not of a yes or no made of it


def _noting(program: p.Program, measures: Sequence[Measure]) -> tuple[p.Program, frozenset[int]]:
    """The twin that notes measures (see `lab.inside`), and those noted of every player; kept."""
    key = (program.file, program.source_hash, tuple(measures))
    if key not in _NOTING:
        if len(_NOTING) >= MOST_TWINS:
            _NOTING.clear()
        made = noting(program, measures, [measure.line for measure in measures])
        twin, errors = loaded(program, made)
        if twin is None:
            raise _told(errors, measures, made.lines, program)
        _NOTING[key] = twin, made.players
    return _NOTING[key]


def _twin(program: p.Program, measure: Measure) -> p.Program:
    """The Program with a measure for its scoring line; kept, since several ask for it."""
    key = (program.file, program.source_hash, measure)
    if key not in _TWINS:
        if len(_TWINS) >= MOST_TWINS:
            _TWINS.clear()
        _TWINS[key] = _made_twin(program, measure)
    return _TWINS[key]


def _made_twin(program: p.Program, measure: Measure) -> p.Program:
    start = f"  {NOTE.format(1)}"
    text = ruleset_text(program).rstrip("\n") + f"\n\nscoring\n{start}{measure.line}\n"
    made, found = pipeline.load(program.file, text)
    errors = [d for d in found if d.is_error]
    if made is None or errors:
        raise _told(errors, [measure], {text.count("\n"): (0, len(start))}, program)
    return evolve(made, scoring=made.scoring[-1:])


def _told(
    errors: Sequence[Diagnostic],
    measures: Sequence[Measure],
    lines: Mapping[int, tuple[int, int]],
    program: p.Program,
) -> RulesError:
    """Errors in measures, at their places in what was typed. `lines`: see `lab.inside.Noting`."""
    told, sources = [], dict(program.sources)
    for error in errors:
        span = error.span
        if span is None or span.line not in lines:
            told.append(error)
            continue
        number, start = lines[span.line]
        measure = measures[number]
        file = f"--measure {measure.name}"
        sources[file] = " ".join(measure.expr.split())
        shift = start + (4 if measure.truth else 0)
        last = len(sources[file]) + 1
        columns = [min(max(c - shift, 1), last) for c in (span.column, span.end_column)]
        place = p.Span(file, 1, columns[0], 1, max(columns[1], columns[0] + 1))
        message = error.message.replace("for scoring", "for a measure")
        way_out = error.suggestion
        word = sources[file][columns[0] - 1 : columns[1] - 1]
        if error.code == "R0304" and word in variables(program):
            way_out = OUTSIDE
        told.append(evolve(error, message=message, span=place, related=(), suggestion=way_out))
    return RulesError(told, sources)


class Probe:
    """Evaluates measures on the States of a game."""

    def __init__(self, game: Game, measures: Sequence[Measure]) -> None:
        self.measures = measures
        self._players = game.players
        self._has_roles = game.program.roles is not None
        # a twin for each: what one measure can't find must not keep others from being asked
        self._twins = [
            None
            if measure.inside
            else compile_game(_twin(game.program, measure), game.players, dict(game.options))
            for measure in measures
        ]
        self._paths = [info.path for info in game.choices]
        self._notes: Notes | None = None
        inside = [measure for measure in measures if measure.inside]
        self._noted = {n: inside.index(m) for n, m in enumerate(measures) if m.inside}
        if inside:
            noted, everyone = _noting(game.program, inside)
            self._notes = Notes(noted, game.players, game.options, len(inside), everyone)
        self._at: dict[tuple[str, str], list[int]] = {}
        for number, measure in enumerate(measures):
            self._at.setdefault((measure.when, measure.at), []).append(number)
        self.choices = {
            number: self._at["choice", info.path]
            for number, info in enumerate(game.choices)
            if ("choice", info.path) in self._at
        }
        self.loud = any(m.when in ("moment", "loop", "phase") for m in measures)

    def at(self, state: State, when: str, name: str, player: int | None = None) -> list[Measured]:
        """What is measured at such a moment, of one player or of all."""
        numbers = self._at.get((when, name))
        return self.ask(state, numbers, player) if numbers else []

    def ask(
        self, state: State, numbers: Sequence[int], player: int | None = None
    ) -> list[Measured]:
        found = []
        for who in range(self._players) if player is None else (player,):
            role = state.ring[who] if self._has_roles else None  # type: ignore[attr-defined]
            found += [Measured(n, who, role, self._value(n, state, who)) for n in numbers]
        return found

    def _value(self, number: int, state: State, who: int) -> int | None:
        twin = self._twins[number]
        if twin is None:
            assert self._notes is not None
            return self._notes.of(self._noted[number], who, self._paths[state.pc])
        try:
            return twin.score_of(state, who)[0]
        except Exception:  # a card or play that is not there now
            return None

    def begin(self, seed: int) -> None:
        """A game with this seed begins."""
        if self._notes is not None:
            self._notes.start(seed)

    def answered(self, raw: Any) -> None:
        """Whoever was asked in it has answered so."""
        if self._notes is not None:
            self._notes.apply(raw)


class Watcher(Listener):
    """Listens to loud code for the moments that are measured, and lets all else go by."""

    __slots__ = ("_probe", "found")

    def __init__(self, game: Game, probe: Probe) -> None:
        super().__init__(game, lambda event: None)
        self._probe = probe
        self.found: list[Measured] = []

    def _send(self, kind: str, rule: int | None, **data: Any) -> None:
        """No event is made."""

    def moment(self, rule: int, name: str) -> None:
        assert self.state is not None
        self.found += self._probe.at(self.state, "moment", name)

    def phase(self, rule: int | None, label: str, value: int | str, player: bool) -> None:
        assert self.state is not None
        if label == "phase":
            self.found += self._probe.at(self.state, "phase", str(value))
        else:
            who = int(value) if player else None
            self.found += self._probe.at(self.state, "loop", label, who)


def tally(
    totals: dict[tuple[Any, ...], int], measured: Sequence[Measured], groups: Mapping[int, Any]
) -> None:
    """Count one game's answers. `groups`: for each player, further groups it belongs to.

    Under ("measure", number, group): the histogram of values; under ("measured", number, group):
    s, c, ss, sc, cc, the sums over games of the sum of values, their count, and their products,
    for a mean whose interval allows for answers of one game being alike.
    """
    sums: dict[tuple[int, Any], list[int]] = {}
    for one in measured:
        if one.value is None:
            _count(totals, ("unmeasured", one.measure))
            continue
        own = [("all",), ("seat", one.player), *groups[one.player]]
        if one.role is not None:
            own.append(("role", one.role))
        for group in own:
            both = sums.setdefault((one.measure, group), [0, 0])
            both[0] += one.value
            both[1] += 1
            _count(totals, ("measure", one.measure, group, one.value))
    for (number, group), (s, c) in sums.items():
        for name, value in (("s", s), ("c", c), ("ss", s * s), ("sc", s * c), ("cc", c * c)):
            _count(totals, ("measured", number, group, name), value)


def _count(totals: dict[tuple[Any, ...], int], key: tuple[Any, ...], times: int = 1) -> None:
    totals[key] = totals.get(key, 0) + times
