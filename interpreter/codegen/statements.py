"""Statements that never stop to ask, as structured Python.

`loud` code has a second parameter E, a `Listener`, and tells it what happens; silent code has
neither. Knowledge is kept as a log in `s.kn` (see `interpreter.knowledge`): a move is logged where
somebody learns or may lose track of something; a move that can only touch facts already there is
logged only when there are any.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dsl import program as p
from interpreter.binding import Binding
from interpreter.codegen.analysis import Analysis, walk
from interpreter.codegen.collections import Coll, Collections
from interpreter.codegen.expressions import Code, simple
from interpreter.codegen.writer import NAME

Loop = p.Repeat | p.Each | p.While | p.GoRound
Routine = p.Action | p.Effect | p.Hook

_INLINE_SIZE = 50
"""Most nodes of an action that is written out where it is used."""


class Statements(Collections):
    """Everything about statements in one straight function."""

    def __init__(self, binding: Binding, analysis: Analysis, *, loud: bool) -> None:
        super().__init__(binding, analysis)
        self.loud = loud
        self.rules: list[p.Origin] = []
        self._rule_ids: dict[int, int] = {}
        self.natural: set[int] = set()  # number variables that can't be negative
        self.most: dict[int, set[str]] = {}  # number variable -> texts of what it can't exceed
        self.routines: dict[int, tuple[str, Routine]] = {}

    # ── small things ─────────────────────────────────────────────────────────────────────────

    @property
    def extra(self) -> str:
        return ", E" if self.loud else ""

    def rule(self, origin: p.Origin) -> int:
        """The number of a rule in the table of rules."""
        key = id(origin)
        if key not in self._rule_ids:
            self._rule_ids[key] = len(self.rules)
            self.rules.append(origin)
        return self._rule_ids[key]

    def tell(self, origin: p.Origin | None, event: str, *args: str) -> None:
        """In loud code: an event."""
        if self.loud:
            number = "None" if origin is None else str(self.rule(origin))
            self.fn.put(f"E.{event}({', '.join([number, *args])})")

    def fail(self, code: str, text: str, origin: p.Origin) -> None:
        self.fn.put(f"fail({code!r}, {text!r}, {self.rule(origin)})")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.fn.put(head)
        self.fn.indent += 1
        before = len(self.fn.lines)
        yield
        if len(self.fn.lines) == before:
            self.fn.put("pass")
        self.fn.indent -= 1

    @contextmanager
    def at(self, origin: p.Origin) -> Iterator[None]:
        """Lines written inside stand where a rule stands, and may evaluate ahead."""
        before, self.fn.span = self.fn.span, origin.span
        hoist, self.hoist = self.hoist, True
        yield
        self.fn.span, self.hoist = before, hoist

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
                case p.MoveTokens():
                    self._tokens(stmt)
                case p.SetMark():
                    self._set_mark(stmt)
                case p.SetTrack():
                    self._set_track(stmt)
                case p.SetVar():
                    self.set_var(stmt.var, stmt.value)
                case p.PassRoles():
                    seats = self.program.roles.seats if self.program.roles else 0
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

    def set_var(self, var: p.Var, value: p.Expr) -> None:
        if var.type.kind is p.K.CARD:
            if not isinstance(value, p.VarRef) or value.var.id in self.maybe:
                self.maybe.add(var.id)
            card = self.card(value)
            text = card.text
            self.fn.assign(f"v{var.id}", text)
            self.fn.assign(f"q{var.id}", card.pid or "None", optional=True)
        else:
            self._note_number(var, value)
            for name, code in self.bound(var, value):
                self.fn.assign(name, code, optional=name[0] == "q")

    def _note_number(self, var: p.Var, value: p.Expr) -> None:
        """Remember what a number can't exceed, and whether it can't be negative."""
        if var.id in self.analysis.reassigned:
            return
        if self._natural(value):
            self.natural.add(var.id)
        else:
            self.natural.discard(var.id)
        self.most[var.id] = self._bounds(value)

    def _bounds(self, value: p.Expr) -> set[str]:
        """Texts of what a number can't exceed, as things stand now."""
        match value:
            case p.Binary(op="min"):
                return self._bounds(value.left) | self._bounds(value.right)
            case p.VarRef():
                return {self.x(value)} | self.most.get(value.var.id, set())
            case p.Const() | p.OptionRef() | p.TokenCount():
                return {self.x(value)}
            case p.Binary(op="-", right=p.TokenCount()):
                with self.unhoisted():
                    return {self.x(value)}
            case _:
                return set()

    def _forget_bounds(self) -> None:
        """Something changed: what was known of numbers holds for the fixed ones only."""
        for var, texts in self.most.items():
            self.most[var] = {t for t in texts if t.isalnum()}

    # ── cards ────────────────────────────────────────────────────────────────────────────────

    def sees(self, pid: str) -> str:
        """Text of the mask of players who see a place."""
        sight = self._sight(pid)
        if sight in ("up", "down"):
            return str(self.b.everyone if sight == "up" else 0)
        return f"{self.constant('SEES', self.b.sees)}[{pid}]"

    def _sight(self, pid: str) -> str:
        """Sight of a place: up, down, private; "any" where only play can tell."""
        place = self._declared(pid)
        return "any" if place is None else self.program.places[place].sight

    def _declared(self, pid: str) -> str | None:
        """The declared place of an instance, where the text tells."""
        head = pid.removeprefix("(").split(" + ")[0]
        if head.isdigit() and pid.count(" + ") <= 1:
            return self.b.places[int(head)].place
        if pid[0] == "q" and pid[1:].isdigit():
            return self.var_place.get(int(pid[1:]))
        return None

    def log_move(self, faces: str, source: str, target: str) -> None:
        """Log what a move teaches and hides, if it can do either."""
        a, b = self._sight(source), self._sight(target)
        if source == target or (a == b == "up"):
            return
        entry = f"s.kn.append(('move', {faces}, {source}, {target}, {self.seen(source, target)}))"
        if a == "down" or b == "up":
            self.fn.put(f"if s.kn: {entry}")
        elif a == b == "private" and source.split(" + ")[1:] == target.split(" + ")[1:]:
            self.fn.put(f"if s.kn: {entry}")  # from one place to another of the same player
        else:
            self.fn.put(entry)

    def seen(self, source: str, target: str) -> str:
        a, b = self.sees(source), self.sees(target)
        if a.isdigit() and b.isdigit():
            return str(int(a) | int(b))
        if a == str(self.b.everyone) or b == str(self.b.everyone):
            return str(self.b.everyone)
        return f"{a} | {b}" if a != "0" else b

    def put_in(self, pid: str, faces: str, *, many: bool) -> None:
        """Lay a card (or several) in a place; hands stay sorted."""
        bag = self._kind(pid) == "hand"
        place = f"s.P[{pid}]"
        if many:
            self.fn.put(f"{place}.extend({faces})")
            if bag:
                self.fn.put(f"{place}.sort()")
        elif bag:
            self.fn.put(f"insort({place}, {faces})")
        else:
            self.fn.put(f"{place}.append({faces})")

    def _kind(self, pid: str) -> str:
        place = self._declared(pid)
        return "row" if place is None else self.program.places[place].kind

    def _shuffle(self, stmt: p.Shuffle) -> None:
        target = self.pid(stmt.place)
        if isinstance(stmt.source, p.AllCards):
            self.fn.put(f"s.P[{target}].extend(DECK)")
            self.constant("DECK", self.b.deck)
        elif stmt.source is not None:
            self._move_cards(stmt.source, target, stmt.origin)
        self.fn.put(f"shuffle(s, {target}, {stmt.origin.path!r})")
        self.tell(stmt.origin, "shuffle", target, f"tuple(s.P[{target}])")

    def _deal(self, stmt: p.Deal) -> None:
        source, base = self.pid(stmt.source), self.b.place_base[stmt.place]
        every = isinstance(stmt.players, p.Players) and stmt.players.start is None
        bag = self.program.places[stmt.place].kind == "hand"
        if every and not self.loud:
            n = self.b.players
            self.fn.put(f"deal(s, {source}, {base}, {self.x(stmt.count)}, {n}, {bag})")
            return
        players = self.listed(self.coll(stmt.players))
        q = self.temp()
        with (
            self.block(f"for _ in range({self.x(stmt.count)}):"),
            self.block(f"for {q} in {players}:"),
            self.block(f"if s.P[{source}]:"),
        ):
            f = self.temp()
            self.fn.put(f"{f} = s.P[{source}].pop()")
            self._arrive(f, source, f"{base} + {q}", stmt.origin)

    def _arrive(self, face: str, source: str, target: str, origin: p.Origin) -> None:
        self.put_in(target, face, many=False)
        self.log_move(f"({face},)", source, target)
        self.tell(origin, "move", f"({face},)", source, target, self.seen(source, target))

    def _move(self, stmt: p.Move) -> None:
        target = self.pid(stmt.to)
        if stmt.cards.type.kind is p.K.CARD:
            self._move_card(stmt, target)
        else:
            self._move_cards(stmt.cards, target, stmt.origin)

    def _move_card(self, stmt: p.Move, target: str) -> None:
        if isinstance(stmt.cards, p.Top):
            source = self.pid(stmt.cards.place)
            if stmt.if_any:
                with self.block(f"if s.P[{source}]:"):
                    self._pop(source, target, stmt.origin)
            else:
                self._pop(source, target, stmt.origin)
            return
        card = self.card(stmt.cards)
        if not simple(card.text):
            face = self.temp()
            self.fn.put(f"{face} = {card.text}")
        else:
            face = card.text
        source = card.pid or f"locate(s.P, {face})"
        if stmt.if_any:
            with self.block(f"if {face} is not None:"):
                self._take(face, source, target, stmt)
        else:
            self._take(face, source, target, stmt)

    def _pop(self, source: str, target: str, origin: p.Origin) -> None:
        if not self.loud and "kn" not in source:
            a, b = self._sight(source), self._sight(target)
            if a == b == "up":
                self.put_in(target, f"s.P[{source}].pop()", many=False)
                return
        face = self.temp()
        self.fn.put(f"{face} = s.P[{source}].pop()")
        self._arrive(face, source, target, origin)

    def _take(self, face: str, source: str, target: str, stmt: p.Move) -> None:
        moved = stmt.cards.var if isinstance(stmt.cards, p.VarRef) else None
        if not source.isdigit() and moved is None:
            source = self.atom(source) if source.startswith("locate") else source
        self.fn.put(f"s.P[{source}].remove({face})")
        self._arrive(face, source, target, stmt.origin)
        self._after_move(moved, target)

    def _after_move(self, moved: p.Var | None, target: str) -> None:
        """A variable's cards lie elsewhere now."""
        if moved is None:
            return
        self.var_place.pop(moved.id, None)
        code = self.env.get(moved.id)
        if code is None:
            self.fn.assign(f"q{moved.id}", target, optional=True)
        elif code.pid is not None:
            self.env[moved.id] = Code(code.text, target)

    def _move_cards(self, cards: p.Expr, target: str, origin: p.Origin) -> None:
        coll = self.coll(cards)
        source = coll.one_place
        if source is None:
            self._move_pairs(self.listed(coll), target, origin)
            return
        if source == "None":
            t = self.temp()
            self.fn.put(f"{t} = {self._pairs_by_search(coll)}")
            self._move_pairs(t, target, origin)
            return
        if coll.whole == f"s.P[{source}]":
            self._move_all(source, target, origin)
            return
        moved = self.temp()
        keep_type = coll.whole is not None and not coll.whole.startswith(("sorted", "best"))
        self.fn.put(f"{moved} = {coll.whole if keep_type else 'tuple(' + self.listed(coll) + ')'}")
        loose = self.temp()
        self.fn.put(f"{loose} = s.P[{source}].remove")
        self.fn.put(f"for e in {moved}: {loose}(e)")
        self._land(moved, source, target, origin)
        self._after_move(cards.var if isinstance(cards, p.VarRef) else None, target)

    def _land(self, moved: str, source: str, target: str, origin: p.Origin) -> None:
        self.put_in(target, moved, many=True)
        faces = f"tuple({moved})"
        self.log_move(faces, source, target)
        if self.loud:
            with self.block(f"if {moved}:"):
                self.tell(origin, "move", faces, source, target, self.seen(source, target))

    def _move_all(self, source: str, target: str, origin: p.Origin) -> None:
        if source == target:
            return
        moved = self.temp()
        self.fn.put(f"{moved} = tuple(s.P[{source}])")
        self.fn.put(f"s.P[{source}].clear()")
        self._land(moved, source, target, origin)

    def _pairs_by_search(self, coll: Coll) -> str:
        return f"located(s.P, {self.listed(coll)})"

    def _move_pairs(self, pairs: str, target: str, origin: p.Origin) -> None:
        f, q = self.temp(), self.temp()
        with self.block(f"for {f}, {q} in {pairs}:"):
            self.fn.put(f"s.P[{q}].remove({f})")
            self.put_in(target, f, many=False)
            if self._sight(target) != "up":
                self.fn.put(
                    f"s.kn.append(('move', ({f},), {q}, {target}, {self.seen(q, target)}))"
                )
            else:
                self.log_move(f"({f},)", q, target)
            self.tell(origin, "move", f"({f},)", q, target, self.seen(q, target))

    def _reveal(self, stmt: p.Reveal) -> None:
        for ref in stmt.places:
            if isinstance(ref, p.PlaceRef):
                self._reveal_one(self.pid(ref), stmt.origin)
            else:
                q = self.temp()
                base = self.b.place_base[ref.place]
                with self.block(f"for {q} in {self.listed(self.coll(ref.players))}:"):
                    self._reveal_one(f"{base} + {q}", stmt.origin)

    def _reveal_one(self, pid: str, origin: p.Origin) -> None:
        if self._sight(pid) != "up":
            self.fn.put(f"s.kn.append(('reveal', {pid}, tuple(s.P[{pid}])))")
        self.tell(origin, "reveal", pid, f"tuple(s.P[{pid}])")

    # ── tokens, marks, tracks ────────────────────────────────────────────────────────────────

    def _end_code(self, end: p.TokenEnd) -> str | None:
        """The text that holds an end's count; None where nothing is counted."""
        if end.holder is None or self.b.start[end.holder] >= p.ENDLESS:
            return None
        player = "" if end.player is None else f"[{self.atom(self.x(end.player))}]"
        return self.holder(end.holder) + player

    def _tokens(self, stmt: p.MoveTokens) -> None:
        source, target = self._end_code(stmt.source), self._end_code(stmt.target)
        known = self.known(stmt.amount)
        amount = self.x(stmt.amount)
        limit = None if stmt.target.holder is None else self.b.limit[stmt.target.holder]
        if stmt.up_to:
            bounds = [source] if source else []
            if limit is not None and target:
                bounds.append(f"{limit} - {target}")
            if bounds:
                t = self.temp()
                self.fn.put(f"{t} = {amount}")
                for bound in bounds:
                    self.fn.put(f"if {t} > {bound}: {t} = {bound}")
                amount = t
        else:
            if not amount.isalnum():  # it may read the very counts that change
                t = self.temp()
                self.fn.put(f"{t} = {amount}")
                amount = t
            self._check_tokens(stmt, amount, known, source, target, limit)
        if source:
            self.fn.put(f"{source} -= {amount}")
        if target:
            self.fn.put(f"{target} += {amount}")
        self._tell_tokens(stmt, amount, known)
        self._forget_bounds()

    def _check_tokens(
        self, stmt: p.MoveTokens, amount: str, known: object,
        source: str | None, target: str | None, limit: int | None,
    ) -> None:  # fmt: skip
        tests = []
        if not (isinstance(known, int) and known >= 0) and not self._natural(stmt.amount):
            tests.append(f"{amount} < 0")
        with self.unhoisted():
            bounds = self._bounds(stmt.amount)
        if source and source not in bounds:
            tests.append(f"{amount} > {source}")
        if limit is not None and target and f"({limit} - {target})" not in bounds:
            tests.append(f"{target} + {amount} > {limit}")
        if tests:
            with self.block(f"if {' or '.join(tests)}:"):
                self.fn.put(
                    f"fail_tokens(s, {self.rule(stmt.origin)}, {stmt.token!r}, {amount}, "
                    f"{source or 'None'}, {target or 'None'}, {limit})"
                )

    def _natural(self, expr: p.Expr) -> bool:
        """Whether a number can't be negative, by its form."""
        match expr:
            case p.Const() | p.OptionRef() | p.PlayerCount():
                known = self.known(expr)
                return isinstance(known, int) and known >= 0
            case p.TokenCount() | p.Count() | p.Fold(op="different") | p.EnumNumber():
                return True
            case p.Binary(op="+" | "*" | "min" | "max" | "//" | "/^"):
                return self._natural(expr.left) and self._natural(expr.right)
            case p.VarRef():
                return expr.var.id in self.natural or isinstance(self.known(expr), int)
            case p.Binary(op="-", right=p.VarRef(var=v)):
                return self.x(expr.left) in self.most.get(v.id, ())
            case p.Binary(op="-", right=p.TokenCount(holder=holder)):
                return self.known(expr.left) == self.b.limit[holder]  # a limit is never exceeded
            case p.Conditional():
                return self._natural(expr.then) and self._natural(expr.otherwise)
            case p.Call():
                inlined = self.analysis.inline(expr)
                body = self.program.values[expr.value].body
                return self._natural(body if isinstance(inlined, p.Call) else inlined)
            case _:
                return False

    def _tell_tokens(self, stmt: p.MoveTokens, amount: str, known: object) -> None:
        if not self.loud:
            return
        ends = [
            f"({e.holder!r}, {'None' if e.player is None else self.x(e.player)})"
            for e in (stmt.source, stmt.target)
        ]
        if isinstance(known, int) and amount == repr(known) and known > 0:
            self.tell(stmt.origin, "pay", repr(stmt.token), amount, *ends)
        else:
            with self.block(f"if {amount}:"):
                self.tell(stmt.origin, "pay", repr(stmt.token), amount, *ends)

    def _set_mark(self, stmt: p.SetMark) -> None:
        mark = self.mark(stmt.mark)
        if stmt.player is None:
            self.fn.put(f"{mark} = {stmt.on}")
            self.tell(stmt.origin, "mark", repr(stmt.mark), "None", str(stmt.on))
            return
        if stmt.player.type.kind is p.K.PLAYERS:
            everyone = isinstance(stmt.player, p.Players) and stmt.player.start is None
            if everyone and not self.loud:
                self.fn.put(f"{mark} = {self.b.everyone if stmt.on else 0}")
                return
            q = self.temp()
            with self.block(f"for {q} in {self.listed(self.coll(stmt.player))}:"):
                self._mark_one(stmt, mark, q)
            return
        self._mark_one(stmt, mark, self.atom(self.x(stmt.player)))

    def _mark_one(self, stmt: p.SetMark, mark: str, player: str) -> None:
        if self.loud:
            with self.block(f"if ({mark} >> {player} & 1) != {int(stmt.on)}:"):
                self.tell(stmt.origin, "mark", repr(stmt.mark), player, str(stmt.on))
        operator = "|= 1 << " if stmt.on else "&= ~(1 << "
        self.fn.put(f"{mark} {operator}{player}{'' if stmt.on else ')'}")

    def _set_track(self, stmt: p.SetTrack) -> None:
        slot = self.track(stmt.name)
        player = None if stmt.player is None else self.atom(self.x(stmt.player))
        code = self.stored(stmt.value)
        where = slot if player is None else f"{slot}[{player}]"
        if self.loud:
            code = self.atom(code)
            with self.block(f"if {where} != {code}:"):
                self.tell(stmt.origin, "track", repr(stmt.name), player or "None", code)
        self.fn.put(f"{where} = {code}")

    # ── blocks ───────────────────────────────────────────────────────────────────────────────

    def _if(self, stmt: p.If) -> None:
        known = self.known(stmt.condition)
        if known is not NotImplemented:
            self.run(stmt.then if known else stmt.otherwise)
            return
        with self.block(f"if {self.x(stmt.condition)}:"):
            self.run(stmt.then)
        if stmt.otherwise:
            with self.block("else:"):
                self.run(stmt.otherwise)
        self._forget_bounds()

    def heading(self, stmt: Loop | p.Turn, value: str, *, player: bool) -> None:
        """A labelled loop's run begins: its coordinate, and a heading."""
        if stmt.label:
            plus = f"{value} + 1" if player else value
            self.fn.put(f"{self.label_name(stmt.label)} = {plus}")
            self.tell(stmt.origin, "phase", repr(stmt.label), value, str(player))

    def unlabel(self, stmt: Loop | p.Turn) -> None:
        if stmt.label:
            self.fn.put(f"{self.label_name(stmt.label)} = 0")

    def _turn(self, stmt: p.Turn) -> None:
        self.set_var(stmt.var, stmt.player)
        self.heading(stmt, f"v{stmt.var.id}", player=True)
        self.run(stmt.body)
        self.unlabel(stmt)

    def plain_loop(self, stmt: Loop) -> None:
        self._forget_bounds()  # a later run does not see what the first one sees
        match stmt:
            case p.Repeat() if self.known(stmt.count) == 1:
                self.fn.assign(f"v{stmt.var.id}", "1", optional=True)
                self.heading(stmt, "1", player=False)
                self.run(stmt.body)
            case p.Repeat():
                head = f"for v{stmt.var.id} in range(1, {self.x(stmt.count)} + 1):"
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
        fixed = whole is not None and whole.startswith(("range(", "OTHERS[", "FROM[", "by_role(", "v"))
        return whole if fixed and whole else self.comp(coll.item, coll)

    def each_target(self, stmt: p.Each, coll: Coll) -> str:
        if coll.cards and coll.one_place is None:
            return f"v{stmt.var.id}, q{stmt.var.id}"
        return f"v{stmt.var.id}"

    def _plain_each(self, stmt: p.Each) -> None:
        coll = self.coll(stmt.source)
        items = self.each_items(coll)
        with self.block(f"for {self.each_target(stmt, coll)} in {items}:"):
            if coll.cards and coll.one_place is not None:
                self.fn.assign(f"q{stmt.var.id}", coll.one_place, optional=True)
            self.heading(stmt, f"v{stmt.var.id}", player=stmt.var.type.kind is p.K.PLAYER)
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
            self.heading(stmt, count, player=False)
            self.run(stmt.body)

    def _plain_round(self, stmt: p.GoRound) -> None:
        order, at, missed, steps = (self.temp() for _ in range(4))
        self.fn.put(f"{order} = {self.listed(self.coll(stmt.players))}")
        start = "-1" if stmt.after is None else f"position({order}, {self.x(stmt.after)})"
        self.fn.put(f"{at} = {start}")
        self.fn.put(f"{missed} = {steps} = 0")
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
            self.fn.put(f"{steps} += 1")
            self.fn.put(f"if {steps} > STEPS: fail_loop({self.rule(stmt.origin)}, STEPS)")
            self.heading(stmt, var, player=True)
            self.run(stmt.body)

    # ── routines ─────────────────────────────────────────────────────────────────────────────

    def call_with(self, routine: Routine, args: list[str]) -> None:
        """Call the function of a routine that never stops to ask."""
        name, _ = self.routines.setdefault(id(routine), (f"r{len(self.routines)}", routine))
        self.fn.put(f"{name}(s{''.join(', ' + a for a in args)}{self.extra})")

    def _do(self, stmt: p.Do) -> None:
        action = self.program.actions[stmt.action]
        size = sum(1 for s in action.body for n in walk(s))
        if action.origin.span.file == self.fn.file and size <= _INLINE_SIZE:
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

    def routine_inline(self, routine: Routine, bound: list[tuple[str, str]]) -> None:
        """Write a routine out where it is the only use, else call its function."""
        if self.analysis.sites.get(id(routine)) == 1 and routine.origin.span.file == self.fn.file:
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
            if code != name and (NAME.fullmatch(code) or code.isdigit()):
                place = None if pid is None else self._declared(pid)
                self.env[number] = Code(code, pid, None, place)
                continue
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
