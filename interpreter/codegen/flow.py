"""The flow of a game between choices: blocks that run from one choice to the next.

A game never hangs in mid-air: where play stops to ask, all that is needed to go on lies in slots
of the State. So whatever may ask is cut into functions that each run up to the next choice and
return None; a function that is returned instead is called next (loops go round that way, and the
Python stack stays flat).

`sequence(statements, k)` writes statements, then the jump to `k`, a `Label`: the place where play
goes on. A label that only one place jumps to is written out there; the others become functions.
The generator runs twice: the first run counts the jumps.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from attrs import define

from dsl import program as p
from interpreter.binding import Binding
from interpreter.codegen.analysis import Analysis, same
from interpreter.codegen.at_once import Simultaneous
from interpreter.codegen.statements import Loop
from interpreter.codegen.writer import Function
from interpreter.codegen.writing import Routine
from interpreter.runtime import ASKING_RUN, STEPS


@define(eq=False)
class Label:
    """A place to go on from. back: the head of a loop, always a function, reached by returning
    it to the driver."""

    key: str
    write: Callable[[], None]
    span: p.Span | None
    back: bool = False
    tiny: bool = False  # so short that it is written out wherever it is jumped to


class Flow(Simultaneous):
    """Everything about blocks."""

    def __init__(
        self, binding: Binding, analysis: Analysis, *, loud: bool, jumps: Counter[str]
    ) -> None:
        super().__init__(binding, analysis, loud=loud)
        self.functions: list[Function] = []
        self.expected = jumps  # of an earlier run
        self.jumps: Counter[str] = Counter()
        self.queue: list[tuple[Function, Callable[[], None]]] = []
        self.ends: dict[str, Label] = {}
        self.targets: dict[str, dict[str, Label]] = {}  # label -> where its loops' runs end
        self.returns: dict[int, dict[str, Label]] = {}
        self._made: set[str] = set()
        self._loops: list[str] = []  # labels of the plain loops being written
        self._open: list[Loop | p.Turn | None] = []  # loops around, outermost first; None: unknown

    # ── functions and jumps ──────────────────────────────────────────────────────────────────

    def function(self, name: str, params: tuple[str, ...], span: p.Span | None,
                 write: Callable[[], None], *, plain: bool = False) -> None:  # fmt: skip
        """Have a function written when the present one is done."""
        file = span.file if span is not None else self.program.file
        fn = Function(name, (*params, *(("E",) if self.loud else ())), file, plain)
        fn.span = span
        self.functions.append(fn)
        ends, loops, opened = dict(self.ends), list(self._loops), list(self._open)

        def writing() -> None:
            self.ends, self._loops, self._open = ends, loops, opened
            if plain:
                self._loops, self._open = [], []
            write()

        self.queue.append((fn, writing))

    def work(self) -> None:
        """Write all functions asked for."""
        while self.queue:
            self.fn, write = self.queue.pop(0)
            self.hoist = True
            self._forget_bounds()
            write()

    def jump(self, label: Label) -> None:
        """Go on at a label."""
        self.jumps[label.key] += 1
        other_file = label.span is not None and label.span.file != self.fn.file
        if label.tiny and not other_file:
            label.write()
            return
        if not label.back and self.expected[label.key] == 1 and not other_file:
            label.write()
            return
        if label.key not in self._made:
            self._made.add(label.key)
            self.function(f"b_{label.key}", ("s",), label.span, label.write)
        # An answer starts on a fresh stack, so it may call a loop's head right away.
        call = not label.back or self.fn.name.startswith("c_")
        self.fn.put(f"return b_{label.key}{f'(s{self.extra})' if call else ''}")

    def label(self, key: str, write: Callable[[], None], span: p.Span | None,
              *, back: bool = False) -> Label:  # fmt: skip
        ends, opened = dict(self.ends), list(self._open)

        def writing() -> None:
            before, self.ends = self.ends, ends
            open_before, self._open = self._open, opened
            self._forget_bounds()
            write()
            self._forget_bounds()
            self.ends, self._open = before, open_before

        return Label(key, writing, span, back)

    def sequence(self, stmts: tuple[p.Stmt, ...], k: Label) -> None:
        """Write statements, and go on at `k`."""
        for i, stmt in enumerate(stmts):
            if isinstance(stmt, p.End):
                with self.at(stmt.origin):
                    self.end(stmt)
                return
            if not self.analysis.splits(stmt):
                self.plain(stmt)
                continue
            rest = stmts[i + 1 :]
            after = k
            if rest:
                after = self.label(
                    self.key(stmt, "after"), lambda r=rest: self.sequence(r, k),  # type: ignore[misc]
                    rest[0].origin.span,
                )  # fmt: skip
            with self.at(stmt.origin):
                self._split(stmt, after)
            return
        self.jump(k)

    def key(self, stmt: object, role: str) -> str:
        """A name for a place in the flow, the same in every run of the generator."""
        number = self._keys.setdefault(id(stmt), len(self._keys))
        return f"{number}_{role}"

    _keys: dict[int, int]

    def plain_loop(self, stmt: Loop) -> None:
        self._loops.append(stmt.label)
        self._open.append(stmt)
        super().plain_loop(stmt)
        self._open.pop()
        self._loops.pop()

    def end(self, stmt: p.End) -> None:
        if self._loops and self._loops[-1] == stmt.what:
            self.fn.put("continue")
            return
        self._close_labels(stmt.what)
        if stmt.what in self.ends:
            self.jump(self.ends[stmt.what])
        elif stmt.what in self.targets:
            self._end_any(stmt)
        else:
            self.fn.put(f"return PHASE_END[s.phase](s{self.extra})")

    def _end_any(self, stmt: p.End) -> None:
        """End a run of a loop that an action used in several places stands in: of the one loop so
        labelled. Several such loops can't be told apart here."""
        targets = list(self.targets[stmt.what].values())
        if len(targets) > 1:
            raise self.refused(
                "R0907",
                f"this action is used in several loops called `{stmt.what}`; "
                "give them names of their own",
                stmt.origin,
            )
        self.jump(targets[0])

    def _close_labels(self, what: str) -> None:
        """The loops that are left are no longer under way: their coordinates go."""
        for label in self.program.labels:
            if label != what and (what in ("phase", "game") or label in self._inside(what)):
                self.fn.put(f"{self.label_name(label)} = 0")

    def _inside(self, what: str) -> list[str]:
        """Labels of the loops that are open here inside the one labelled `what`."""
        labels = ["" if loop is None else loop.label for loop in self._open]
        return labels[labels.index(what) + 1 :] if what in labels else []

    # ── statements that split ────────────────────────────────────────────────────────────────

    def _split(self, stmt: p.Stmt, k: Label) -> None:
        match stmt:
            case p.Choose():
                self.choose(stmt, k)
            case p.AtOnce():
                self.at_once(stmt, k)
            case p.If():
                self._split_if(stmt, k)
            case p.Repeat():
                self._split_repeat(stmt, k)
            case p.Each():
                self._split_each(stmt, k)
            case p.Turn():
                self._split_turn(stmt, k)
            case p.While():
                self._split_while(stmt, k)
            case p.GoRound():
                self._split_round(stmt, k)
            case p.Do():
                action = self.program.actions[stmt.action]
                bound = [
                    pair
                    for var, arg in zip(action.params, stmt.args, strict=True)
                    for pair in self.bound(var, arg)
                ]
                self.enter(stmt, action, bound, k)
            case p.Apply():
                self._split_apply(stmt, k)
            case p.Moment():
                self.tell(stmt.origin, "moment", repr(stmt.name))
                self._split_hooks(stmt, self.analysis.hooks(stmt.name), k)
            case _:
                raise AssertionError(stmt)

    def _split_if(self, stmt: p.If, k: Label) -> None:
        known = self.known(stmt.condition)
        if known is not NotImplemented:
            self.sequence(stmt.then if known else stmt.otherwise, k)
            return
        with self.block(f"if {self.x(stmt.condition)}:"):
            self.sequence(stmt.then, k)
        self.sequence(stmt.otherwise, k)

    def _head(self, stmt: Loop, write: Callable[[], None]) -> Label:
        return self.label(self.key(stmt, "loop"), write, stmt.origin.span, back=True)

    def _in_loop(self, stmt: Loop | p.Turn, target: Label, body: tuple[p.Stmt, ...]) -> None:
        """The body of a loop; ending a run of it goes to `target`."""
        before = dict(self.ends)
        if stmt.label:
            self.ends = {**self.ends, stmt.label: target}
            self.targets.setdefault(stmt.label, {})[target.key] = target
        opened, self._open = self._open, [*self._open, stmt]
        self.sequence(body, target)
        self._open = opened
        self.ends = before

    def _leave(self, stmt: Loop | p.Turn, k: Label) -> None:
        self.unlabel(stmt)
        self.jump(k)

    def _split_repeat(self, stmt: p.Repeat, k: Label) -> None:
        var, most = f"v{stmt.var.id}", f"s.n_{self.key(stmt, 'most')}"
        known = self.known(stmt.count)
        if known is NotImplemented:
            self.slot(most, "0")
            self.fn.put(f"{most} = {self.x(stmt.count)}")
        else:
            most = repr(known)

        def write() -> None:
            with self.at(stmt.origin):
                with self.block(f"if {var} >= {most}:"):
                    self._leave(stmt, k)
                self.fn.assign(var, f"{var} + 1")
                self._count_step(stmt)
                self.heading(stmt, var, player=False)
                self._in_loop(stmt, head, stmt.body)

        head = self._head(stmt, write)
        self.fn.assign(var, "0")
        self.jump(head)

    def _count_step(self, stmt: Loop) -> None:
        """A run of a loop that may ask. Loops share one count, so that every game ends."""
        self.count_runs(stmt, str(ASKING_RUN))

    def _split_each(self, stmt: p.Each, k: Label) -> None:
        at, items = f"s.n_{self.key(stmt, 'at')}", f"s.n_{self.key(stmt, 'items')}"
        coll = self.coll(stmt.source)
        n = self.b.players
        counted = coll.whole == f"range({n})"
        self.slot(at, str(n) if counted else "0")
        player = stmt.var.type.kind is p.K.PLAYER
        if not counted:
            self.slot(items, "()")
            self.fn.put(f"{items} = tuple({self.each_items(coll)})")
        place = coll.one_place
        if place is not None and re.search(r"\bt\d", place):  # it was searched for just here
            found, place = place, f"s.n_{self.key(stmt, 'place')}"
            self.slot(place)
            self.fn.put(f"{place} = {found}")
        self.fn.put(f"{at} = 0")
        runs = str(n * ASKING_RUN) if counted else f"len({items}) * {ASKING_RUN}"
        self.count_runs(stmt, runs)

        def write() -> None:
            with self.at(stmt.origin):
                i = self.temp()
                self.fn.put(f"{i} = {at}")
                end = str(n) if counted else f"len({items})"
                with self.block(f"if {i} >= {end}:"):
                    if not counted:
                        self.fn.put(f"{items} = ()")
                    self._leave(stmt, k)
                both = f"{self.label_name(stmt.label)} = " if counted and stmt.label else ""
                self.fn.put(f"{at} = {both}{i} + 1")
                if counted:
                    self.fn.assign(f"v{stmt.var.id}", i)
                elif coll.cards and coll.one_place is None:
                    self.fn.assign(f"v{stmt.var.id}", f"{items}[{i}][0]")
                    self.fn.assign(f"q{stmt.var.id}", f"{items}[{i}][1]", optional=True)
                else:
                    self.fn.assign(f"v{stmt.var.id}", f"{items}[{i}]")
                if place is not None:
                    self.fn.assign(f"q{stmt.var.id}", place, optional=True)
                value = f"v{stmt.var.id}" if player else f"({i} + 1)"
                self.heading(stmt, value, player=player, known=bool(both))
                self._in_loop(stmt, head, stmt.body)

        head = self._head(stmt, write)
        self.jump(head)

    def _split_turn(self, stmt: p.Turn, k: Label) -> None:
        self.set_var(stmt.var, stmt.player)
        self.somebody(stmt.player, f"v{stmt.var.id}")
        self.heading(stmt, f"v{stmt.var.id}", player=True)
        over = self.label(self.key(stmt, "over"), lambda: self._leave(stmt, k), stmt.origin.span)
        over.tiny = True
        self._in_loop(stmt, over, stmt.body)

    def _split_while(self, stmt: p.While, k: Label) -> None:
        count = f"s.n_{self.key(stmt, 'count')}"
        self.slot(count, "0")
        self.fn.put(f"{count} = 0")
        # runs are counted at the end where there is only one, and it surely comes
        most = self.known(stmt.limit)
        late = isinstance(most, int) and most * ASKING_RUN <= STEPS
        late = late and not self.analysis.leaves(stmt)

        def write() -> None:
            with self.at(stmt.origin):
                with self.block(f"if not ({self._while_condition(stmt)}):"):
                    if late:
                        self.count_runs(stmt, f"{count} * {ASKING_RUN}")
                    self._leave(stmt, k)
                limit, so_far = self.atom(self.x(stmt.limit)), self.temp()
                self.fn.put(f"{so_far} = {count}")
                failing = f"fail_loop({self.rule(stmt.origin)}, {limit})"
                self.fn.put(f"if {so_far} >= {limit}: {failing}")
                self.fn.put(f"{count} = {so_far} + 1")
                if not late:
                    self._count_step(stmt)
                self.heading(stmt, count, player=False)
                self._in_loop(stmt, head, stmt.body)

        head = self._head(stmt, write)
        self.jump(head)

    def _while_condition(self, stmt: p.While) -> str:
        """`while any X …` whose first statement is a turn of the first X by some order: the
        search for that X tells whether there is any."""
        first = stmt.body[0] if stmt.body else None
        if isinstance(stmt.condition, p.Any_) and isinstance(first, p.Turn):
            found = first.player
            if isinstance(found, p.First):
                source = found.source
                while isinstance(source, p.Sorted):
                    source = source.source
                if same(source, stmt.condition.source):
                    self.searched[id(found)] = code = self._first(found)
                    return f"{code.text} is not None"
        return self.x(stmt.condition)

    def _split_round(self, stmt: p.GoRound, k: Label) -> None:
        order, at = (f"s.n_{self.key(stmt, x)}" for x in ("order", "at"))
        for slot, start in ((order, "()"), (at, "0")):
            self.slot(slot, start)
        self.fn.put(f"{order} = {self.fixed(self.coll(stmt.players))}")
        start = "-1" if stmt.after is None else f"position({order}, {self.x(stmt.after)})"
        self.fn.put(f"{at} = {start}")
        var = f"v{stmt.var.id}"

        def write() -> None:
            o, i, steps_left = self.temp(), self.temp(), self.temp()
            with self.at(stmt.origin):
                self.fn.put(f"{o} = {order}")
                self.fn.put(f"{i} = {at}")
                self._count_step(stmt)
                with self.block(f"for {steps_left} in range(len({o})):"):
                    with self.at(stmt.origin):
                        self.fn.put(f"if {self.x(stmt.until)}: break")
                    self.fn.put(f"{i} += 1")
                    self.fn.put(f"if {i} >= len({o}): {i} = 0")
                    self.fn.assign(var, f"{o}[{i}]")
                    if stmt.skipping is not None:
                        with self.at(stmt.origin):
                            self.fn.put(f"if {self.x(stmt.skipping)}: continue")
                    self.fn.put(f"{at} = {i}")
                    self.heading(stmt, var, player=True)
                    self._in_loop(stmt, head, stmt.body)
                self.fn.put(f"{order} = ()")
                self._leave(stmt, k)

        head = self._head(stmt, write)
        self.jump(head)

    def _split_apply(self, stmt: p.Apply, k: Label) -> None:
        key, me = self.atom(self.x(stmt.key)), self.atom(self.x(stmt.me))
        effects = sorted(self.analysis.effects(stmt.family), key=lambda effect: effect.key)
        if stmt.key.type.kind is p.K.ROLE and len(effects) > 3:  # no role is less than any
            maybe, key = key, self.temp()
            self.fn.put(f"{key} = -1 if {maybe} is None else {maybe}")
        self._effects(stmt, effects, key, me, k)

    def _effects(self, stmt: p.Apply, effects: list[p.Effect], key: str, me: str, k: Label) -> None:
        """Find the effect of a key by halves."""
        if len(effects) > 3:
            middle = len(effects) // 2
            with self.block(f"if {key} < {effects[middle].key}:"):
                self._effects(stmt, effects[:middle], key, me, k)
            self._effects(stmt, effects[middle:], key, me, k)
            return
        for effect in effects:
            with self.block(f"if {key} == {effect.key}:"), self.at(effect.origin):
                self.enter(stmt, effect, [(f"v{effect.me.id}", me)], k)
        self.jump(k)

    def _split_hooks(self, stmt: p.Moment, hooks: list[p.Hook], k: Label) -> None:
        if not hooks:
            self.jump(k)
            return
        hook, rest = hooks[0], hooks[1:]
        then = k
        if rest:
            then = self.label(
                f"{self.key(stmt, 'hook')}{len(rest)}",
                lambda: self._split_hooks(stmt, rest, k), stmt.origin.span,
            )  # fmt: skip
        var = f"v{hook.me.id}"
        with self.hooked(hook, stmt):
            self.enter(hook, hook, [(var, var)], then)
        self.jump(then)

    # ── routines that ask ────────────────────────────────────────────────────────────────────

    def enter(self, site: object, routine: Routine, bound: list[tuple[str, str]], k: Label) -> None:
        """Run a routine, and go on at `k`: in place where this is its only use."""
        if not self.analysis.routine_splits(routine.body):
            if routine.body:
                self.routine_inline(routine, bound)
            self.jump(k)
            return
        if self.analysis.sites.get(id(routine)) == 1 and self.room(routine):
            self.bind_params(bound)
            self.sequence(routine.body, k)
            return
        self._enter_shared(site, routine, bound, k)

    def _enter_shared(
        self, site: object, routine: Routine, bound: list[tuple[str, str]], k: Label
    ) -> None:
        """Run a routine used in several places: the place to return to lies in a slot."""
        key = self.key(routine, "routine")
        back = f"s.n_{key}"
        self.slot(back)
        returns = self.returns.setdefault(id(routine), {})
        here = self.key(site, f"return_{len(returns)}" if site is routine else "return")
        if here not in returns:
            returns[here] = k
            self.function(f"b_{here}", ("s",), routine.origin.span, lambda: self.jump(k))
        for name, code in bound:
            self.fn.assign(name, code, optional=name[0] == "q")
        self.fn.put(f"{back} = {here!r}")
        if key not in self._made:
            self._made.add(key)

            def write() -> None:
                before = self.ends
                self.ends = {x: v for x, v in self.ends.items() if x == "game"}
                self._open.append(None)
                self.sequence(routine.body, self._returning(routine, back))
                self._open.pop()
                self.ends = before

            self.function(f"b_{key}", ("s",), routine.origin.span, write)
        self.fn.put(f"return b_{key}(s{self.extra})")

    def _returning(self, routine: Routine, back: str) -> Label:
        def write() -> None:
            t = self.temp()
            self.fn.put(f"{t} = {back}")
            self.fn.put(f"return RETURN[{t}]")

        key = self.key(routine, "back")
        return Label(key, write, routine.origin.span)
