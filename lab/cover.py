"""Which rules, ways and clauses no game reached.

Used by `rules cover`. `Covering` is the work for `lab.pool`: it plays games of every player count
in turn with a `CountingGame` for each, and counts; `Coverage` reads the counts against the Program.
Games are numbered and seeded as in `lab.plan`; game i has player count number i modulo how many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from pathlib import PurePath
from typing import Any

from attrs import define, frozen

from dsl import program as p
from dsl.diagnostics import RulesError
from lab import bots
from lab.plan import Blocks, Plan
from lab.reached import Counted, CountingGame, counted
from lab.record import MOST_FAILURES, Block, Failure
from lab.signals import in_one


class Covering:
    """Plays blocks of games, counting what is reached. Made once, sent to each worker."""

    def __init__(self, plans: tuple[Plan, ...], games: int) -> None:
        self.plans, self.games = plans, games
        self._tables: list[CountingGame] = []

    def blocks(self) -> Blocks:
        return Blocks(self.games)

    def prepared(self) -> list[CountingGame]:
        if not self._tables:
            self._tables = [CountingGame(q.program, q.players, q.options) for q in self.plans]
        return self._tables

    def block(self, first: int, count: int) -> Block:
        tables = self.prepared()
        for table in tables:
            table.reached[:] = [0] * len(table.reached)
        totals: Counter[tuple[Any, ...]] = Counter()
        failures: list[Failure] = []
        for index in range(first, first + count):
            number = index % len(self.plans)
            plan, table = self.plans[number], tables[number]
            seats = plan.seated(index)
            try:
                _play(table, plan, seats, index, totals)
            except RulesError as problem:
                totals["failed",] += 1
                if len(failures) < MOST_FAILURES:
                    failures.append(Failure.of(plan, index, problem))
                continue
            totals["games",] += 1
        for table in tables:
            for node, times in enumerate(table.reached):
                if times:
                    totals["node", node] += times
        return Block(first, count, dict(totals), failures, [], [])

    def __getstate__(self) -> dict[str, Any]:
        return {"plans": self.plans, "games": self.games, "_tables": []}


def _play(
    table: CountingGame,
    plan: Plan,
    seats: tuple[str, ...],
    index: int,
    totals: Counter[tuple[Any, ...]],
) -> None:
    """Play a game, counting at which choices which ways were offered."""
    seed = plan.seed_of(index)
    state = table.start(seed)
    seated = plan.take_seats(table, seats, seed)
    tell = bots.Witnesses(seated).tell
    made = 0
    while state.player is not None:
        info = table.choices[state.pc]
        ways = (0,) if info.nameless else {raw[0] for raw in state.moves}
        for way in ways:
            totals["offered", info.path, way] += 1
        raw = seated[state.player].choose(state)
        tell(state, raw)
        state.apply(raw)
        made += 1
        if made >= bots.DECISIONS:
            bots.check_length(state, made)
    best = max(state.pts)
    if state.pts.count(best) > 1:
        totals["level",] += 1


# ── what was counted, against the Program ────────────────────────────────────────────────────


@frozen(eq=False)
class Item:
    """Something that games can reach. kind: "rule", "way", "value", "block", "scoring", "winner".

    times: how often it was carried out (a block: its first rule); offered: of a way, how often.
    alone: whether what it stands in was reached.
    """

    kind: str
    name: str
    origin: p.Origin
    times: int
    offered: int | None = None
    alone: bool = True


@define(eq=False)
class Coverage:
    """Counts of a Program's rules."""

    program: p.Program
    counts: Mapping[tuple[Any, ...], int]

    @property
    def games(self) -> int:
        return self.counts.get(("games",), 0)

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {id(node): number for number, node in enumerate(counted(self.program))}

    def times(self, node: Counted) -> int:
        return self.counts.get(("node", self._numbers[id(node)]), 0)

    @cached_property
    def items(self) -> list[Item]:
        """Everything, in the order of the Program."""
        program = self.program
        found = self._rules(program.setup)
        for phase in program.phases:
            found += self._block(f"phase {phase.names.name}", phase.origin, phase.body)
        for action in program.actions.values():
            found += self._block(f"action {action.names.name}", action.origin, action.body)
        for family in program.families.values():
            for effect in family.effects:
                name = f"{effect.family} {effect.names.name}"
                found += self._block(name, effect.origin, effect.body)
        for hook in program.hooks:
            found += self._block(f"at {hook.moment}", hook.origin, hook.body)
        for value in program.values.values():
            found.append(Item("value", value.names.name, value.origin, self.times(value)))
        for line in program.scoring:
            found.append(Item("scoring", line.names.name, line.origin, self.games))
        level = self.counts.get(("level",), 0)
        for number, key in enumerate(program.winner.keys):
            found.append(Item("winner", "winner", key.origin, level if number else self.games))
        return found

    def _block(self, name: str, origin: p.Origin, body: tuple[p.Stmt, ...]) -> list[Item]:
        if not body:
            return []
        times = self.times(body[0])
        return [Item("block", name, origin, times), *self._rules(body, times > 0)]

    def _rules(self, body: tuple[p.Stmt, ...], around: bool = True) -> list[Item]:
        """The items of a body; `around`: whether what it stands in was reached."""
        found: list[Item] = []
        for stmt in body:
            times = self.times(stmt)
            found.append(Item("rule", stmt.origin.path, stmt.origin, times, None, around))
            here = times > 0
            match stmt:
                case p.If():
                    found += self._rules(stmt.then, here) + self._rules(stmt.otherwise, here)
                case p.Repeat() | p.Each() | p.Turn() | p.While() | p.GoRound():
                    found += self._rules(stmt.body, here)
                case p.Choose():
                    found += self._ways(stmt, here)
                case p.AtOnce(choice=choice):
                    given = sum(map(self.times, choice.branches))
                    path = choice.origin.path
                    found.append(Item("rule", path, choice.origin, given, None, here))
                    found += self._ways(choice, here)
                case _:
                    pass
        return found

    def _ways(self, choice: p.Choose, around: bool) -> list[Item]:
        found: list[Item] = []
        for number, branch in enumerate(choice.branches):
            times, path = self.times(branch), choice.origin.path
            if branch.name:
                offered = self.counts.get(("offered", path, number), 0)
                name = f"{path}/{branch.name}"
                found.append(Item("way", name, branch.origin, times, offered, around))
            found += self._rules(branch.body, times > 0)
        return found

    def summary(self) -> list[tuple[str, int, int]]:
        """(what, how many were reached, how many there are)."""
        kinds = [("rules", ("rule",)), ("ways", ("way",)), ("values", ("value",)),
                 ("blocks", ("block",))]  # fmt: skip
        found = []
        for name, which in kinds:
            items = [item for item in self.items if item.kind in which]
            if items:
                found.append((name, sum(1 for i in items if i.times), len(items)))
        clauses = self.clauses()
        if clauses:
            found.append(("clauses", sum(1 for n in clauses.values() if n), len(clauses)))
        return found

    def clauses(self) -> dict[str, int]:
        """Clauses that rules cite: how often the most frequent of their rules was carried out."""
        found: dict[str, int] = {}
        for item in self.items:
            for tag in item.origin.tags:
                found[tag] = max(found.get(tag, 0), item.times)
        return found

    def missed(self) -> list[Item]:
        """What no game reached; of what stands in something not reached, nothing."""
        found = [item for item in self.items if not item.times and item.alone]
        return sorted(found, key=lambda item: (item.origin.span.file, item.origin.span.line))

    def lines(self, file: str) -> dict[int, list[Item]]:
        """The items of each line of a file."""
        found: dict[int, list[Item]] = {}
        for item in self.items:
            if item.origin.span.file == file:
                found.setdefault(item.origin.span.line, []).append(item)
        return found

    def data(self) -> dict[str, Any]:
        """Everything as JSON can hold it."""
        return {
            "games": self.games,
            "failed": self.counts.get(("failed",), 0),
            "reached": {name: {"of": of, "reached": n} for name, n, of in self.summary()},
            "clauses": self.clauses(),
            "items": [
                {
                    "kind": item.kind,
                    "name": item.name,
                    "file": PurePath(item.origin.span.file.replace("\\", "/")).name,
                    "line": item.origin.span.line,
                    "column": item.origin.span.column,
                    "tags": list(item.origin.tags),
                    "times": item.times,
                    **({} if item.offered is None else {"offered": item.offered}),
                }
                for item in self.items
            ],
        }


def text_of(program: p.Program, span: p.Span) -> str:
    """What stands at a place, the first line of it."""
    lines = program.sources.get(span.file, "").split("\n")
    if not 0 < span.line <= len(lines):
        return ""
    line = lines[span.line - 1]
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    return " ".join(line[span.column - 1 : end].split())


class Sum:
    """What several blocks counted."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[Any, ...]] = Counter()
        self.failures: list[Failure] = []
        self.games = 0

    def add(self, block: Block) -> None:
        with in_one():
            self.counts.update(block.counts)
            self.failures += block.failures[: MOST_FAILURES - len(self.failures)]
            self.games += block.games
