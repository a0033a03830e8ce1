"""Statements that never stop to ask, as structured Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dsl import program as p
from interpreter.binding import Binding
from interpreter.codegen.analysis import Analysis
from interpreter.codegen.collections import Coll
from interpreter.codegen.counters import Counters
from interpreter.codegen.expressions import Code
from interpreter.codegen.rounds import Rounds
from interpreter.codegen.writer import NAME
from interpreter.codegen.writing import Routine

Loop = p.Repeat | p.Each | p.While | p.GoRound

FEW_RUNS = 100
"""Loops that never ask and surely run no more often than this, all in it together, go uncounted."""
MOST_INDENT = 40
"""How deep Python's lines may stand for a routine to be written out there: it takes 100."""


class Statements(Counters):
    """Everything about statements in one straight function."""

    def __init__(self, binding: Binding, analysis: Analysis, *, loud: bool) -> None:
        super().__init__(binding, analysis, loud=loud)
        self.rounds = Rounds(self)
        self._counting = False  # whether runs of the plain loops being written are counted

    # ── dispatch ─────────────────────────────────────────────────────────────────────────────

    def plain(self, stmt: p.Stmt) -> None:
        """Write a statement that does not split."""
        with self.at(stmt.origin):
            match stmt:
                case p.Shuffle():
                    self._shuffle(stmt)
                case p.Deal():
                    self._deal(stmt)
                case p.Move():
                    self._move(stmt)
                case p.MoveRandom():
                    self._move_random(stmt)
                case p.MoveTokens():
                    self._tokens(stmt)
                case p.SetMark():
                    self._set_mark(stmt)
                case p.SetTrack():
                    self._set_track(stmt)
                case p.SetVar():
                    self.set_var(stmt.var, stmt.value)
                case p.PassRoles():
                    roles = self.program.roles
                    seats = roles.ring(self.b.players).seats if roles else 0
                    self.fn.put(f"pass_roles(s.ring, {seats}, {stmt.clockwise})")
                    self.tell(stmt.origin, "role", f"s.ring[:{self.b.players}]")
                case p.Reveal():
                    self._reveal(stmt)
                case p.If():
                    self._if(stmt)
                case p.Repeat() | p.Each() | p.While() | p.GoRound():
                    self.plain_loop(stmt)
                case p.Turn():
                    self._turn(stmt)
                case p.Do():
                    self._do(stmt)
                case p.Apply():
                    self._apply(stmt)
                case p.Moment():
                    self._moment(stmt)
                case p.End():
                    self.end(stmt)
                case p.Choose() | p.AtOnce():
                    raise AssertionError("choices split")

    def run(self, body: tuple[p.Stmt, ...]) -> None:
        for stmt in body:
            self.plain(stmt)

    def end(self, stmt: p.End) -> None:
        """End of a plain loop's run: `continue`; the flow knows the other ends."""
        self.fn.put("continue")

    # ── blocks ───────────────────────────────────────────────────────────────────────────────

    def _if(self, stmt: p.If) -> None:
        known = self.known(stmt.condition)
        if known is not NotImplemented:
            self.run(stmt.then if known else stmt.otherwise)
            return
        before = set(self.topmost)
        with self.block(f"if {self.x(stmt.condition)}:"):
            self.run(stmt.then)
        if stmt.otherwise:
            moved, self.topmost = self.topmost - before, before
            with self.block("else:"):
                self.run(stmt.otherwise)
            self.topmost |= moved
        self._forget_bounds()

    def heading(
        self, stmt: Loop | p.Turn, value: str, *, player: bool, known: bool = False
    ) -> None:
        """A labelled loop's run begins: its coordinate (unless already kept), and a heading."""
        if stmt.label:
            plus = f"{value} + 1" if player else value
            if not known:
                self.fn.put(f"{self.label_name(stmt.label)} = {plus}")
            self.tell(stmt.origin, "phase", repr(stmt.label), value, str(player))

    def unlabel(self, stmt: Loop | p.Turn) -> None:
        if stmt.label:
            self.fn.put(f"{self.label_name(stmt.label)} = 0")

    def _turn(self, stmt: p.Turn) -> None:
        self.set_var(stmt.var, stmt.player)
        self.somebody(stmt.player, f"v{stmt.var.id}")
        self.heading(stmt, f"v{stmt.var.id}", player=True)
        self.run(stmt.body)
        self.unlabel(stmt)

    def count_runs(self, stmt: Loop, number: str) -> None:
        """Count runs of a loop (see `runtime.STEPS`); a game whose loops run too often stops."""
        self.fn.put(f"s.steps += {number}")
        self.fn.put(f"if s.steps > STEPS: fail_steps({self.rule(stmt.origin)})")

    def plain_loop(self, stmt: Loop) -> None:
        """A loop that never asks. Its runs are counted, unless it is plain that they are few."""
        before = self._counting
        self._counting = before or self.rounds.of(stmt) > FEW_RUNS
        self._plain_loop(stmt)
        self._counting = before

    def _plain_loop(self, stmt: Loop) -> None:
        self._forget_bounds()  # a later run does not see what the first one sees
        match stmt:
            case p.Repeat() if self.known(stmt.count) == 1 and not self.analysis.ends_in(stmt):
                self.fn.assign(f"v{stmt.var.id}", "1", optional=True)
                self.heading(stmt, "1", player=False)
                self.run(stmt.body)
            case p.Repeat():
                count = self.x(stmt.count)
                if self._counting:
                    count = self.atom(count)
                    self.count_runs(stmt, f"max(0, {count})")
                head = f"for v{stmt.var.id} in range(1, {count} + 1):"
                with self.block(head):
                    self.heading(stmt, f"v{stmt.var.id}", player=False)
                    self.run(stmt.body)
            case p.Each():
                self._plain_each(stmt)
            case p.While():
                self._plain_while(stmt)
            case p.GoRound():
                self._plain_round(stmt)
        self.unlabel(stmt)

    def each_items(self, coll: Coll) -> str:
        """The items an `each` runs through, fixed now."""
        whole = coll.whole if not coll.cards else None
        fixed = whole is not None and whole.startswith(
            ("range(", "numbers(", "OTHERS[", "FROM[", "by_role(", "v")
        )
        return whole if fixed and whole else self.gather(coll.item, coll)

    def each_target(self, stmt: p.Each, coll: Coll) -> str:
        if coll.cards and coll.one_place is None:
            return f"v{stmt.var.id}, q{stmt.var.id}"
        return f"v{stmt.var.id}"

    def _plain_each(self, stmt: p.Each) -> None:
        coll = self.coll(stmt.source)
        items = self.each_items(coll)
        if self._counting:
            items = self.atom(items)
            self.count_runs(stmt, f"len({items})")
        player = stmt.var.type.kind is p.K.PLAYER
        target, value = self.each_target(stmt, coll), f"v{stmt.var.id}"
        if stmt.label and not player:  # a card is no heading: it may be for one player's eyes only
            value = self.temp()
            target, items = f"{value}, ({target})", f"enumerate({items}, 1)"
        with self.block(f"for {target} in {items}:"):
            if coll.one_place is not None:
                self.fn.assign(f"q{stmt.var.id}", coll.one_place, optional=True)
            self.heading(stmt, value, player=player)
            self.run(stmt.body)

    def _plain_while(self, stmt: p.While) -> None:
        count = self.temp()
        limit = self.atom(self.x(stmt.limit))
        self.fn.put(f"{count} = 0")
        with self.block("while True:"):
            with self.at(stmt.origin), self.block(f"if not ({self.x(stmt.condition)}):"):
                self.fn.put("break")
            self.fn.put(f"if {count} >= {limit}: fail_loop({self.rule(stmt.origin)}, {limit})")
            self.fn.put(f"{count} += 1")
            if self._counting:
                self.count_runs(stmt, "1")
            self.heading(stmt, count, player=False)
            self.run(stmt.body)

    def _plain_round(self, stmt: p.GoRound) -> None:
        order, at, missed = (self.temp() for _ in range(3))
        self.fn.put(f"{order} = {self.listed(self.coll(stmt.players))}")
        start = "-1" if stmt.after is None else f"position({order}, {self.x(stmt.after)})"
        self.fn.put(f"{at} = {start}")
        self.fn.put(f"{missed} = 0")
        var = f"v{stmt.var.id}"
        with self.block(f"while {missed} < len({order}):"):
            with self.at(stmt.origin):
                self.fn.put(f"if {self.x(stmt.until)}: break")
            self.fn.put(f"{at} += 1")
            self.fn.put(f"if {at} >= len({order}): {at} = 0")
            self.fn.put(f"{var} = {order}[{at}]")
            if stmt.skipping is not None:
                with self.at(stmt.origin), self.block(f"if {self.x(stmt.skipping)}:"):
                    self.fn.put(f"{missed} += 1")
                    self.fn.put("continue")
                self.fn.put(f"{missed} = 0")
            self.count_runs(stmt, "1")
            self.heading(stmt, var, player=True)
            self.run(stmt.body)

    # ── routines ─────────────────────────────────────────────────────────────────────────────

    def call_with(self, routine: Routine, args: list[str]) -> None:
        """Call the function of a routine that never stops to ask."""
        name, _ = self.routines.setdefault(id(routine), (f"r{len(self.routines)}", routine))
        self.fn.put(f"{name}(s{''.join(', ' + a for a in args)}{self.extra})")

    def _do(self, stmt: p.Do) -> None:
        action = self.program.actions[stmt.action]
        if self.analysis.small_action(stmt) and self.room(action):
            pairs = [
                pair
                for var, arg in zip(action.params, stmt.args, strict=True)
                for pair in self.bound(var, arg)
            ]
            for var, arg in zip(action.params, stmt.args, strict=True):
                if var.type.kind is p.K.NUMBER:
                    self._note_number(var, arg)
            self.bind_params(pairs)
            self.run(action.body)
        else:
            self.call_with(action, self.arguments(action.params, stmt.args))
            self._forget_bounds()

    def _apply(self, stmt: p.Apply) -> None:
        key, me = self.atom(self.x(stmt.key)), self.atom(self.x(stmt.me))
        self.dispatch(stmt, key, me)

    def dispatch(self, stmt: p.Apply, key: str, me: str) -> None:
        word = "if"
        for effect in self.analysis.effects(stmt.family):
            if not effect.body:
                continue
            with self.block(f"{word} {key} == {effect.key}:"):
                self.routine_inline(effect, [(f"v{effect.me.id}", me)])
            word = "elif"

    def room(self, routine: Routine) -> bool:
        """Whether a routine can be written out here: it stands in the same file, and the lines
        around it leave room."""
        return routine.origin.span.file == self.fn.file and self.fn.indent <= MOST_INDENT

    def routine_inline(self, routine: Routine, bound: list[tuple[str, str]]) -> None:
        """Write a routine out where it is the only use, else call its function."""
        if self.analysis.sites.get(id(routine)) == 1 and self.room(routine):
            self.bind_params(bound)
            self.run(routine.body)
        else:
            self.call_with(routine, [code for _, code in bound])

    def bind_params(self, bound: list[tuple[str, str]]) -> None:
        """Parameters of a routine written in place: another name for a variable that stays as it
        is as long as the routine runs, else a variable of their own."""
        texts = dict(bound)
        for name, code in bound:
            number = int(name[1:])
            if name[0] == "q":
                continue
            pid = texts.get(f"q{number}")
            fixed = number not in self.analysis.assigned
            if code != name and fixed and (NAME.fullmatch(code) or code.isdigit()):
                place = None if pid is None else self._declared(pid)
                self.env[number] = Code(code, pid, None, place)
                continue
            self.env.pop(number, None)
            self.fn.assign(name, code, optional=True)
            if pid is not None:
                self.fn.assign(f"q{number}", pid, optional=True)

    def _moment(self, stmt: p.Moment) -> None:
        self.tell(stmt.origin, "moment", repr(stmt.name))
        for hook in self.analysis.hooks(stmt.name):
            var = f"v{hook.me.id}"
            with self.hooked(hook, stmt):
                self.routine_inline(hook, [(var, var)])

    @contextmanager
    def hooked(self, hook: p.Hook, stmt: p.Moment) -> Iterator[None]:
        """Bind a hook's `me`; inside, its condition holds."""
        var = f"v{hook.me.id}"
        depth = self.fn.indent
        if hook.role is None:
            self.fn.assign(var, self.x(stmt.me))
        else:
            self.fn.assign(var, f"holder(s.ring, {hook.role}, {self.b.players})")
            self.fn.put(f"if {var} is not None:")
            self.fn.indent += 1
        with self.at(hook.origin):
            if hook.when is not None:
                self.fn.put(f"if {self.x(hook.when)}:")
                self.fn.indent += 1
            before = len(self.fn.lines)
            yield
            if len(self.fn.lines) == before:
                self.fn.put("pass")
        self.fn.indent = depth
