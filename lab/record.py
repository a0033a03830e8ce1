"""Plays games of a plan and counts what happens in them.

Used by `lab.simulation`. What is counted are integers under keys (see `KEYS` in `lab.totals`), so
that counts of any blocks of games can be added in any order. The loop that plays does little: it
notes each answer, and counts the options offered with what C has for it; all else is worked out
once a game, or once a block.
"""

from __future__ import annotations

from collections import Counter
from collections import _count_elements as count_elements  # type: ignore[attr-defined]
from itertools import chain
from math import lcm
from operator import attrgetter
from typing import Any

from attrs import define, field, frozen

from dsl import program as p
from dsl.diagnostics import Diagnostic, RulesError
from interpreter.game import Game
from interpreter.state import State
from interpreter.trace.run import header
from lab import bots
from lab.categories import SEATS, Categories, Marks, Numbers
from lab.measures import Measured, Probe, Watcher, tally
from lab.plan import Plan

WIN = lcm(*range(1, 21))
"""A win in units that every number of winners up to 20 divides."""
MOST_FAILURES = 3

Key = tuple[Any, ...]


@frozen
class Failure:
    """A game that a rule could not carry on, with all that is needed to play it again. options:
    those that are not set as usual, in words."""

    index: int
    file: str
    players: int
    options: tuple[tuple[str, str], ...]
    seed: int
    bots: str
    diagnostics: tuple[Diagnostic, ...]

    @classmethod
    def of(cls, plan: Plan, index: int, problem: RulesError) -> Failure:
        """That of a game of a plan."""
        seed, seats = plan.seed_of(index), bots.spelled(plan.seated(index))
        head = header(plan.game(), seed, seats)
        file, found = plan.program.file, tuple(problem.diagnostics)
        return cls(index, file, plan.players, head.options, seed, seats, found)


@frozen
class Sample:
    """Points in the middle of a game, and the roles held then (by player; () without roles)."""

    points: tuple[int, ...]
    roles: tuple[int | None, ...]


@define(eq=False)
class Played:
    """One game as it was played."""

    index: int
    seats: tuple[str, ...]
    end: State
    log: list[tuple[int, int, Any]]  # number of the choice, who, answer
    widths: list[int]
    samples: list[Sample]
    measured: list[Measured] = field(factory=list)


@define(eq=False)
class Block:
    """What a block of games came to."""

    first: int
    games: int
    counts: dict[Key, int]
    failures: list[Failure]
    rows: list[dict[str, Any]]
    measured: list[dict[str, Any]]


class Recorder:
    """Plays and counts. Made once for a worker and plan; `block` may be asked for any block."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.game: Game = plan.game()
        self.categories = Categories(self.game)
        self.marks = Marks(self.game, self.categories)
        self.numbers = Numbers(self.marks, all_of_them=plan.details)
        self.count = self.game.players
        self._where = attrgetter("phase", *boundaries(self.game))
        self.probe = Probe(self.game, plan.measures) if plan.measures else None
        self._has_roles = self.game.program.roles is not None
        self._taken: Counter[tuple[int, int, Any]] = Counter()
        self._offered: list[Counter[Any]] = []
        self._totals: Counter[Key] = Counter()
        self._widths: Counter[int] = Counter()
        self._uses: Counter[int] = Counter()
        self._squares: Counter[int] = Counter()
        self._wins: dict[int, Counter[int]] = {}

    # ── a block ──────────────────────────────────────────────────────────────────────────────

    def block(self, first: int, games: int) -> Block:
        """Play games first, first + 1, …"""
        self.begin()
        block = Block(first, games, {}, [], [], [])
        for index in range(first, first + games):
            seats = self.plan.seated(index)
            try:
                played = self.play(index, seats)
            except RulesError as problem:
                self._totals["failed",] += 1
                if len(block.failures) < MOST_FAILURES:
                    block.failures.append(Failure.of(self.plan, index, problem))
                continue
            self._tally(played)
            if self.plan.rows:
                block.rows.append(self.row(played))
                block.measured += self.measured_rows(played)
        block.counts = self._counted()
        return block

    def begin(self) -> None:
        """Forget what was counted so far."""
        self._taken, self._totals = Counter(), Counter()
        self._uses, self._widths, self._wins = Counter(), Counter(), {}
        self._squares = Counter()
        self._offered = [Counter() for _ in self.game.choices]

    def play(self, index: int, names: tuple[str, ...]) -> Played:
        """Play one game. Raises RulesError where a rule can't be carried out."""
        seed = self.plan.seed_of(index)
        measured: list[Measured] = []
        probe, watcher = self.probe, None
        if probe is not None:
            watcher = Watcher(self.game, probe) if probe.loud else None
        state = self.game.start(seed, watcher)
        if probe is not None:
            probe.begin(seed)
        seated = self.plan.take_seats(self.game, names, seed)
        tell = bots.Witnesses(seated).tell
        log: list[tuple[int, int, Any]] = []
        widths: list[int] = []
        samples: list[Sample] = []
        note, wide, offered, where = log.append, widths.append, self._offered, self._where
        players, roles = self.count, self._has_roles
        last: Any = None
        while not state.is_over:
            who = state.player
            here = where(state)
            if roles:
                ring = tuple(state.ring[:players])  # type: ignore[attr-defined]
                here = (here, ring)
            if here != last:
                last = here
                self._sample(state, samples)
            moves, choice = state.moves, state.pc
            wide(len(moves))
            count_elements(offered[choice], moves)
            raw = seated[who].choose(state)  # type: ignore[index]
            tell(state, raw)
            if roles:
                role = ring[who]  # type: ignore[index]
                if role is not None:
                    who += players * (role + 1)
            note((choice, who, raw))  # type: ignore[arg-type]
            if probe is not None and choice in probe.choices:
                measured += probe.ask(state, probe.choices[choice], state.player)
            state.apply(raw, watcher)
            if probe is not None:  # after it: a rule that breaks breaks in the game, not in a twin
                probe.answered(raw)
            if len(widths) >= bots.DECISIONS:
                bots.check_length(state, len(widths))
        if watcher is not None:
            measured += watcher.found
        if probe is not None:
            measured += probe.at(state, "end", "end")
        return Played(index, names, state, log, widths, samples, measured)

    def _sample(self, state: State, samples: list[Sample]) -> None:
        """Points as scoring would count them now; left out where scoring is not possible yet."""
        try:
            points = tuple(state.points)
        except Exception:
            self._totals["unscored",] += 1
            return
        roles = tuple(state.ring[: self.count]) if self._has_roles else ()  # type: ignore[attr-defined]
        samples.append(Sample(points, roles))

    # ── a game ───────────────────────────────────────────────────────────────────────────────

    def _tally(self, played: Played) -> None:
        totals, end = self._totals, played.end
        won, points = end.won, end.pts
        share = WIN // len(won)
        totals["games",] += 1
        totals["shared", len(won)] += 1
        asked, options = len(played.widths), sum(played.widths)
        totals["decisions", asked] += 1
        totals["options", "xx"] += options * options
        totals["options", "xy"] += options * asked
        totals["options", "yy"] += asked * asked
        best = max(points)
        totals["best", best] += 1
        totals["level", points.count(best)] += 1
        for seat, value in enumerate(points):
            totals["points", seat, value] += 1
        for seat in won:
            totals["won", seat] += share
            totals["winner", points[seat]] += share
        others = [value for seat, value in enumerate(points) if seat not in won]
        if others:
            totals["margin", points[won[0]] - max(others)] += 1
        count_elements(self._widths, played.widths)
        if self.plan.mixed:
            for seat, name in enumerate(played.seats):
                totals["bot points", name, points[seat]] += 1
                if seat in won:
                    totals["bot won", name] += share
        self._tally_lines(end, won)
        self._tally_story(played)
        if self._has_roles:
            self._tally_roles(played)
        self._tally_uses(played, won)
        if played.measured:
            groups: dict[int, list[Any]] = {}
            for seat, name in enumerate(played.seats):
                groups[seat] = [("won", int(seat in won))]
                if self.plan.mixed:
                    groups[seat].append(("bot", name))
            tally(totals, played.measured, groups)

    def _tally_lines(self, end: State, won: tuple[int, ...]) -> None:
        """Points by scoring line: of everybody (x; y is all points), and of winners (w)."""
        totals, share = self._totals, WIN // len(won)
        lines = self.game.score(end)
        whole = sum(end.pts)
        totals["points", "yy"] += whole * whole
        for number, values in enumerate(zip(*lines, strict=True)):
            x, w = sum(values), share * sum(values[seat] for seat in won)
            totals["line", number, "x"] += x
            totals["line", number, "xx"] += x * x
            totals["line", number, "xy"] += x * whole
            totals["line", number, "w"] += w
            totals["line", number, "ww"] += w * w

    def _tally_story(self, played: Played) -> None:
        """Changes of the lead, and what winners had to make up for."""
        totals = self._totals
        changes, behind, trailed = story(played)
        totals["samples", len(played.samples)] += 1
        totals["leads", changes] += 1
        totals["behind", behind] += 1
        if trailed is not None:
            totals["comeback", int(trailed)] += 1

    def _tally_roles(self, played: Played) -> None:
        """Points gained while holding each role (between two changes of roles or rounds), and
        decisions made."""
        totals = self._totals
        gained = role_points(played)
        whole = sum(gained.values())
        totals["role total", " "] += whole
        totals["role total", "²"] += whole * whole
        for number, points in gained.items():
            totals["role", number, "x"] += points
            totals["role", number, "xx"] += points * points
            totals["role", number, "xy"] += points * whole
        decisions = Counter(who // self.count - 1 for _, who, _ in played.log)
        for number, times in decisions.items():
            if number >= 0:
                totals["role", number, "d"] += times
                totals["role", number, "dd"] += times * times
        won = played.end.won
        for seat, role in enumerate(played.samples[0].roles if played.samples else ()):
            if role is not None:
                totals["first role", role] += 1
                totals["first role won", role] += WIN // len(won) if seat in won else 0

    def _tally_uses(self, played: Played, won: tuple[int, ...]) -> None:
        """Who took what at least once, and who of them won; cards that lie with players at the
        end."""
        count_elements(self._taken, played.log)
        often: dict[int, int] = {}  # how often this game each category came
        count_elements(often, chain.from_iterable(map(self.numbers.__getitem__, played.log)))
        squares = self._squares
        for number, times in often.items():
            squares[number] += times * times
        marks = set().union(*map(self.marks.__getitem__, set(played.log)))
        places = played.end.P
        for place, of_face in self.marks.places:
            marks.update(map(of_face.__getitem__, places[place]))
        count_elements(self._uses, marks)
        if len(won) == 1:
            winner = won[0]
            winning = [mark for mark in marks if mark % SEATS == winner]
        else:
            winning = [mark for mark in marks if mark % SEATS in won]
        count_elements(self._wins.setdefault(len(won), Counter()), winning)

    def row(self, played: Played) -> dict[str, Any]:
        """A game as a row of a table."""
        end = played.end
        changes, behind, trailed = story(played)
        row: dict[str, Any] = {
            "game": played.index,
            "seed": self.plan.seed_of(played.index),
            "decisions": len(played.widths),
            "options": sum(played.widths),
            "winners": len(end.won),
            "lead_changes": changes,
            "made_up": behind,
            "comeback": trailed,
        }
        for seat in range(self.count):
            row[f"bot_P{seat + 1}"] = played.seats[seat]
            row[f"points_P{seat + 1}"] = end.pts[seat]
            row[f"won_P{seat + 1}"] = (WIN // len(end.won) if seat in end.won else 0) / WIN
        if self._has_roles and self.game.program.roles is not None:
            gained = role_points(played)
            for number, names in enumerate(self.game.program.roles.names):
                row[f"points_{names.name}"] = gained.get(number, 0)
        return row

    def measured_rows(self, played: Played) -> list[dict[str, Any]]:
        """A game's measures as rows of a table."""
        roles = self.game.program.roles
        return [
            {
                "game": played.index,
                "measure": self.plan.measures[one.measure].name,
                "player": f"P{one.player + 1}",
                "role": None if one.role is None or roles is None else roles.names[one.role].name,
                "value": one.value,
            }
            for one in played.measured
        ]

    # ── what a block counted ─────────────────────────────────────────────────────────────────

    def _counted(self) -> dict[Key, int]:
        """All counts of the block, by category instead of by answer."""
        totals, categories = self._totals, self.categories
        for choice, offers in enumerate(self._offered):
            for raw, times in offers.items():
                for category in categories[choice, raw]:
                    totals["offered", category] += times
        for (choice, who, raw), times in self._taken.items():
            seat, role = who % self.count, who // self.count - 1
            totals["asked", choice] += times
            for category in categories[choice, raw]:
                totals["taken", category, seat, role] += times
        names = self.marks.names
        for mark, times in self._uses.items():
            totals["users", names[mark // SEATS], mark % SEATS] += times
        for number, squares in self._squares.items():
            totals["taken²", names[number]] += squares
        for winners, wins in self._wins.items():
            for mark, times in wins.items():
                totals["users won", names[mark // SEATS]] += times * (WIN // winners)
        for width, times in self._widths.items():
            totals["width", width] += times
        return dict(totals)


def boundaries(game: Game) -> list[str]:
    """Slots of the labels of each phase's outermost loops: where they change, points are looked
    at in the middle of a game."""
    names: list[str] = []

    def search(stmts: tuple[p.Stmt, ...]) -> None:
        for stmt in stmts:
            match stmt:
                case p.Repeat() | p.Each() | p.While() | p.GoRound():
                    if stmt.label:
                        names.append(stmt.label)
                    else:
                        search(stmt.body)
                case p.Turn():
                    search(stmt.body)
                case p.If():
                    search(stmt.then)
                    search(stmt.otherwise)
                case _:
                    pass

    for phase in game.program.phases:
        search(phase.body)
    slots = dict(game.label_slots)
    return [slots[name] for name in dict.fromkeys(names)]


def story(played: Played) -> tuple[int, int, bool | None]:
    """How often the lead went to another player; the most a winner was behind the leader; whether
    all winners were behind half-way (None where nobody looked half-way)."""
    standings = [sample.points for sample in played.samples]
    won = played.end.won
    changes, behind, leader = 0, 0, None
    for points in [*standings, played.end.pts]:
        best = max(points)
        if points.count(best) == 1:
            ahead = points.index(best)
            changes += leader is not None and leader != ahead
            leader = ahead
        behind = max(behind, best - max(points[seat] for seat in won))
    if len(standings) < 2:
        return changes, behind, None
    half = standings[len(standings) // 2]
    return changes, behind, max(half) > max(half[seat] for seat in won)


def role_points(played: Played) -> dict[int, int]:
    """Points that players gained while they held each role (what others lost counts with them)."""
    gained: dict[int, int] = {}
    if not played.samples:
        return gained  # nobody was asked anything
    afterwards = [sample.points for sample in played.samples[1:]] + [played.end.pts]
    for sample, after in zip(played.samples, afterwards, strict=True):
        for role, before, now in zip(sample.roles, sample.points, after, strict=True):
            if role is not None:
                gained[role] = gained.get(role, 0) + now - before
    return gained
