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
from collections.abc import Callable

from dsl import program as p
from interpreter.codegen.analysis import same
from interpreter.codegen.jumps import Jumps, Label
from interpreter.codegen.statements import Loop
from interpreter.codegen.writing import Routine
from interpreter.runtime import ASKING_RUN, STEPS


class Flow(Jumps):
    """Everything about blocks."""

    # ── statements one after another ─────────────────────────────────────────────────────────

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
        before = set(self.topmost)
        with self.block(f"if {self.x(stmt.condition)}:"):
            self.sequence(stmt.then, k)
        moved, self.topmost = self.topmost - before, before
        self.sequence(stmt.otherwise, k)
        self.topmost |= moved

    def _head(self, stmt: Loop, write: Callable[[], None]) -> Label:
        return self.label(self.key(stmt, "loop"), write, stmt.origin.span, back=True)

    def _in_loop(self, stmt: Loop | p.Turn, target: Label, over: Label) -> None:
        """The body of a loop; ending a run of it goes to `target`, leaving it to `over`."""
        before, body = dict(self.ends), stmt.body
        if stmt.label:
            for word, label in ((stmt.label, target), (f"leave {stmt.label}", over)):
                self.ends = {**self.ends, word: label}
        opened, self._open = self._open, [*self._open, stmt]
        self.sequence(body, target)
        self._open = opened
        self.ends = before

    def _leave(self, stmt: Loop | p.Turn, k: Label) -> None:
        self.unlabel(stmt)
        self.jump(k)

    def _over(self, stmt: Loop | p.Turn, k: Label, items: str = "") -> Label:
        """Where a loop is left to, with nothing kept of what it goes through."""

        def write() -> None:
            if items:
                self.fn.put(f"{items} = ()")
            self._leave(stmt, k)

        over = self.label(self.key(stmt, "over"), write, stmt.origin.span)
        over.tiny = True
        return over

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
                self._in_loop(stmt, head, over)

        head, over = self._head(stmt, write), self._over(stmt, k)
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
                self._in_loop(stmt, head, over)

        head = self._head(stmt, write)
        over = self._over(stmt, k, "" if counted else items)
        self.jump(head)

    def _split_turn(self, stmt: p.Turn, k: Label) -> None:
        self.set_var(stmt.var, stmt.player)
        self.somebody(stmt.player, f"v{stmt.var.id}")
        self.heading(stmt, f"v{stmt.var.id}", player=True)
        over = self._over(stmt, k)
        self._in_loop(stmt, over, over)

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
                self._in_loop(stmt, head, over)

        head, over = self._head(stmt, write), self._over(stmt, k)
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
                    self._in_loop(stmt, head, over)
                self.fn.put(f"{order} = ()")
                self._leave(stmt, k)

        head, over = self._head(stmt, write), self._over(stmt, k, order)
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
            self._exits(routine, here, returns)
        for name, code in bound:
            self.fn.assign(name, code, optional=name[0] == "q")
        self.fn.put(f"{back} = {here!r}")
        if key not in self._made:
            self._made.add(key)

            def write() -> None:
                before, opened = self.ends, self._open
                self.ends = {x: v for x, v in self.ends.items() if x == "game"}
                self.ends |= self._left_by(routine, back)
                self._open = [None]
                self.sequence(routine.body, self._returning(routine, back))
                self.ends, self._open = before, opened

            self.function(f"b_{key}", ("s",), routine.origin.span, write)
        self.fn.put(f"return b_{key}(s{self.extra})")

    def _exits(self, routine: Routine, here: str, returns: dict[str, Label]) -> None:
        """Where it goes on when a routine ends or leaves loops around this use of it: functions
        that lie beside the one it returns to."""
        for number, (word, what) in enumerate(self.analysis.ends_of(routine)):
            if word in self.ends:
                target, way = self.ends[word], f"{here}_{number}"

                def write(target: Label = target, what: str = what) -> None:
                    self._close_labels(what)
                    self.jump(target)

                returns[way] = target
                self.function(f"b_{way}", ("s",), routine.origin.span, write)

    def _left_by(self, routine: Routine, back: str) -> dict[str, Label]:
        """The ends of loops around a routine used in several places: others from each place."""
        found = {}
        for number, (word, _) in enumerate(self.analysis.ends_of(routine)):

            def write(number: int = number) -> None:
                self.fn.put(f"return RETURN[{back} + '_{number}']")

            found[word] = Label(
                self.key(routine, f"exit_{number}"), write, routine.origin.span, tiny=True
            )
        return found

    def _returning(self, routine: Routine, back: str) -> Label:
        def write() -> None:
            t = self.temp()
            self.fn.put(f"{t} = {back}")
            self.fn.put(f"return RETURN[{t}]")

        key = self.key(routine, "back")
        return Label(key, write, routine.origin.span)
