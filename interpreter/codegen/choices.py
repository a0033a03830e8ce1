"""Choices: the list of options where play stops, and the functions that take an answer.

Options are plain values ("raw"). A choice with one nameless branch: the picked value; else
`(branch, value)`, value None for a branch that picks nothing. Values:
    a card from one place      its face
    a card from several        place id * number of faces + face
    several cards              a tuple of those, ascending
    a play                     its tuple (see interpreter.plays)
    a play of several places   its tuple, and at the end the place ids of its cards
    player, value, number      an int
Options come branch by branch; inside one ascending, several cards by how many first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import evolve

from dsl import program as p
from interpreter.codegen.analysis import is_atom
from interpreter.codegen.collections import Clause, Coll
from interpreter.codegen.statements import Loop, Statements
from interpreter.compiled import BranchInfo, ChoiceInfo, LoopSlots

if TYPE_CHECKING:
    from interpreter.codegen.jumps import Label


class Choices(Statements):
    """Everything about asking."""

    choice_infos: list[ChoiceInfo]
    at_once_slots: dict[int, str]
    slots: dict[str, str]
    _open: list[Loop | p.Turn | None]

    # The flow's part, see `interpreter.codegen.flow` and `jumps`.

    def jump(self, label: Label) -> None: ...
    def sequence(self, stmts: tuple[p.Stmt, ...], k: Label) -> None: ...
    def key(self, stmt: object, role: str) -> str:
        raise NotImplementedError

    def label(self, key: str, write: Callable[[], None], span: p.Span | None,
              *, back: bool = False) -> Label:  # fmt: skip
        raise NotImplementedError

    def function(self, name: str, params: tuple[str, ...], span: p.Span | None,
                 write: Callable[[], None], *, plain: bool = False) -> None: ...  # fmt: skip

    def slot(self, text: str, start: str = "None") -> None:
        """Have a slot in the State (`s.name`)."""
        self.slots.setdefault(text.removeprefix("s."), start)

    # ── asking ───────────────────────────────────────────────────────────────────────────────

    def choose(self, stmt: p.Choose, k: Label) -> None:
        """Stop to ask; go on at `k` after the answer's block."""
        number = self._info(stmt, at_once=False)
        self._put_question(stmt, number, lambda: self.jump(k))

        def resume() -> None:
            with self.at(stmt.origin):
                self.tell(
                    stmt.origin, "choice", "s.player", repr(stmt.origin.path), "tuple(s.moves)",
                    "x", "False",
                )  # fmt: skip
                self.branches(stmt, lambda branch: self.sequence(branch.body, k))

        self.function(f"c_{number}", ("s", "x"), stmt.origin.span, resume)
        if not self.loud:

            def again() -> None:
                with self.at(stmt.origin):
                    self._put_question(stmt, number, lambda: self.fn.put("return None"))

            self.function(f"e_{number}", ("s",), stmt.origin.span, again)

    def _put_question(self, stmt: p.Choose, number: int, skip: Callable[[], None]) -> None:
        chooser = self.x(stmt.chooser)
        if not self.surely_somebody(stmt.chooser):
            chooser = self.atom(chooser)
            self.somebody(stmt.chooser, chooser)
        options = self.options(stmt)
        self._when_empty(stmt, options, skip)
        self._ask(number, chooser, options)

    def _ask(self, number: int, chooser: str, options: str) -> None:
        self.fn.put(f"s.player = {chooser}")
        self.fn.put(f"s.pc = {number}")
        self.fn.put(f"s.go = {f'QUIET[{number}]' if self.loud else f'c_{number}'}")
        self.fn.put(f"s.moves = {options}")
        self.fn.put("return None")

    def _when_empty(self, stmt: p.Choose, options: str, skip: Callable[[], None]) -> None:
        if any(b.pick is None and b.when is None for b in stmt.branches):
            return
        with self.block(f"if not {options}:"):
            if stmt.if_any:
                skip()
            else:
                places = dict.fromkeys(self.pid(place) for place in _places_of(stmt))
                named = "".join(f"{place}, " for place in places)
                self.fn.put(f"fail_empty(s, {self.rule(stmt.origin)}, {stmt.name!r}, ({named}))")

    def _info(self, stmt: p.Choose, *, at_once: bool) -> int:
        nameless = len(stmt.branches) == 1 and not stmt.branches[0].name
        infos = tuple(
            BranchInfo(b.name, _pick_kind(b.pick), self._placed(b.pick), b.origin)
            for b in stmt.branches
        )
        self.choice_infos.append(
            ChoiceInfo(
                stmt.origin.path,
                stmt.name,
                nameless,
                infos,
                stmt.origin,
                at_once,
                self.x(stmt.chooser),
                self._around(stmt),
            )
        )
        return len(self.choice_infos) - 1

    def _around(self, stmt: p.Choose) -> tuple[LoopSlots, ...]:
        """The loops around a choice that can be entered at it, innermost first."""
        found: list[LoopSlots] = []
        chooser = stmt.chooser.var.id if isinstance(stmt.chooser, p.VarRef) else None
        for loop in reversed(self._open):
            match loop:
                case None:
                    break
                case p.Turn(var=var, player=p.VarRef(var=whose)) if var.id == chooser:
                    chooser = whose.id
                case p.Repeat(var=var):
                    found.append(LoopSlots(f"v{var.id}", "", ""))
                case p.Each(var=var) if var.id == chooser:
                    at, items = (f"n_{self.key(loop, role)}" for role in ("at", "items"))
                    found.append(LoopSlots(f"v{var.id}", at, items))
                case _:
                    pass
        return tuple(found)

    def _placed(self, pick: p.Pick | None) -> bool:
        """Whether an answer says for each card where it lies."""
        match pick:
            case p.PickCard() | p.PickCards() | p.PickOne(type=p.Type(kind=p.K.PLAY)):
                with self.unhoisted():
                    coll = self.coll(pick.source)
                return coll.one_place is None and (coll.cards or coll.element.spread)
            case _:
                return False

    def options(self, stmt: p.Choose) -> str:
        """Write what makes the list of options; its name."""
        first = stmt.branches[0]
        if len(stmt.branches) == 1 and not first.name and first.pick is not None:
            return self._nameless_options(first, first.pick)
        o = self.temp()
        started = False
        ways = sorted(enumerate(stmt.branches), key=lambda way: way[1].otherwise)
        last, others = None, any(not b.otherwise for b in stmt.branches)
        for index, branch in ways:  # `otherwise` waits for all others, wherever it stands
            with self.at(branch.origin):
                if branch.otherwise and others and last is None:
                    last = f"not {o}"
                    if sum(b.otherwise for b in stmt.branches) > 1:  # none waits for the next
                        last = self.temp()
                        self.fn.put(f"{last} = not {o}")
                started = self._branch_options(o, index, branch, last, started=started)
        return o

    def _nameless_options(self, branch: p.Branch, pick: p.Pick) -> str:
        o = self.temp()
        known = True if branch.when is None else self.known(branch.when)
        if known is NotImplemented and branch.when is not None:
            self.fn.put(f"{o} = []")
            with self.block(f"if {self.x(branch.when)}:"):
                self.fn.put(f"{o} = {self._picks(pick, None)}")
        else:
            self.fn.put(f"{o} = {self._picks(pick, None) if known else '[]'}")
        return o

    def _branch_options(
        self, o: str, index: int, branch: p.Branch, last: str | None, *, started: bool
    ) -> bool:
        """Write the options of a branch, before which some may be there; True: now there may be.
        last: under which condition one that waits for others has its turn."""
        known = True if branch.when is None else self.known(branch.when)
        if known is False:
            if not started:
                self.fn.put(f"{o} = []")
            return True
        condition = None
        if known is NotImplemented and branch.when is not None:
            condition = self.x(branch.when)
        if branch.otherwise and last is not None:
            condition = last if condition is None else f"{last} and {condition}"
        if branch.pick is None:
            self._add_one(o, index, condition, started=started)
            return True
        if condition is not None:
            if not started:
                self.fn.put(f"{o} = []")
            self.fn.put(f"if {condition}:")
            self.fn.indent += 1
            started = True
        picks = self._picks(branch.pick, index)
        if started and picks.startswith("[*map("):
            self.fn.put(f"{o}.extend({picks.removeprefix('[*').removesuffix(']')})")
        else:
            self.fn.put(f"{o} {'+=' if started else '='} {picks}")
        if condition is not None:
            self.fn.indent -= 1
        return True

    def _add_one(self, o: str, index: int, condition: str | None, *, started: bool) -> None:
        """Add an option that picks nothing."""
        if started:
            guard = "" if condition is None else f"if {condition}: "
            self.fn.put(f"{guard}{o}.append(({index}, None))")
        else:
            rest = "" if condition is None else f" if {condition} else []"
            self.fn.put(f"{o} = [({index}, None)]{rest}")

    # ── what can be picked ───────────────────────────────────────────────────────────────────

    def _wrapped(self, item: str, index: int | None, size: int) -> str:
        """The raw option for a picked int: from a table of ready tuples."""
        if index is None:
            return item
        table = tuple((index, value) for value in range(size))
        return f"{self.constant(f'RAW_{index}_{size}', table)}[{item}]"

    def _picks(self, pick: p.Pick, index: int | None) -> str:
        match pick:
            case p.PickCard():
                return self._pick_card(pick, index)
            case p.PickCards():
                return self._pick_cards(pick, index)
            case p.PickNumber():
                numbers = self.numbers(pick.lo, pick.hi)
                return f"list({numbers})" if index is None else f"[({index}, i) for i in {numbers}]"
            case p.PickOne():
                return self._pick_one(pick, index)

    def _pick_one(self, pick: p.PickOne, index: int | None) -> str:
        coll = self.coll(pick.source)
        head = coll.clauses[0]
        ordered = pick.type.kind is p.K.PLAY
        if head.text.startswith("OTHERS["):
            n = self.b.players
            table = tuple(tuple(q for q in range(n) if q != me) for me in range(n))
            text = self.constant("OTHERS_UP", table) + head.text.removeprefix("OTHERS")
            coll = evolve(coll, clauses=(Clause(head.target, text), *coll.clauses[1:]))
            ordered = True
        elif head.text.startswith(("range(", "numbers(")):
            ordered = True
        element = coll.element.text
        if coll.element.spread:
            element = f"(*{element}, {coll.element.pid})"
        if index is None:
            if coll.whole is not None:
                return f"list({coll.whole})" if ordered else f"sorted({coll.whole})"
            found = self._some(element, coll, pick)
            return found if ordered else f"sorted({found})"
        found = self._some(f"({index}, {element})", coll, pick)
        return found if ordered else f"sorted({found})"

    def _some(self, item: str, coll: Coll, pick: p.PickOne) -> str:
        if pick.type.kind is p.K.PLAY:  # there may be many
            return self.comp(item, coll)
        return self.gather(item, coll)

    def _distinct(self, coll: Coll) -> Coll:
        """The cards of one place, each face once, ascending."""
        head = coll.clauses[0]
        plain = head.text == f"s.P[{coll.one_place}]" and self._kind(coll.one_place or "") == "hand"
        if plain and all(face.copies <= 1 for face in self.b.faces):
            return coll  # no two cards alike
        # hands are sorted
        text = f"dict.fromkeys({head.text})" if plain else f"sorted(set({head.text}))"
        return evolve(coll, clauses=(Clause(head.target, text), *coll.clauses[1:]))

    def _pick_card(self, pick: p.PickCard, index: int | None) -> str:
        coll = self.coll(pick.source)
        faces = len(self.b.faces)
        if coll.one_place is not None:
            coll = self._distinct(coll)
            if index is None:
                head = coll.whole
                if head is not None:
                    copied = head.startswith(("sorted", "best"))
                    return head if copied else f"list({head})" if "(" in head else f"{head}[:]"
                return self.gather(coll.element.text, coll)
            if coll.whole is not None:
                raw = self._wrapped("", index, faces).removesuffix("[]")
                return f"[*map(get_{raw}, {coll.whole})]"
            return self.gather(self._wrapped(coll.element.text, index, faces), coll)
        code = self._placed_code(coll)
        offset, _, face = code.rpartition(" + ")
        at = max(i for i, c in enumerate(coll.clauses) if c.target)
        if face == coll.element.text == coll.clauses[at].target:
            # the place's part is worked out once a place
            k = self._fresh()[0]
            clauses = (*coll.clauses[:at], Clause(k, offset, once=True), *coll.clauses[at:])
            coll = evolve(coll, clauses=clauses)
            code = f"{k} + {face}"
        placed = f"sorted({self.gather(code, coll, '{}')})"
        if index is None:
            return placed
        raw = self._wrapped("", index, faces * len(self.b.places)).removesuffix("[]")
        return f"[*map(get_{raw}, {placed})]"

    def _placed_code(self, coll: Coll) -> str:
        """Place id * number of faces + face."""
        faces = len(self.b.faces)
        pid = (coll.element.pid or "").removeprefix("(").removesuffix(")")
        base, _, player = pid.partition(" + ")
        if base.isdigit() and player:
            return f"{int(base) * faces} + {player} * {faces} + {coll.element.text}"
        return f"{coll.element.pid} * {faces} + {coll.element.text}"

    def _pick_cards(self, pick: p.PickCards, index: int | None) -> str:
        coll = self.coll(pick.source)
        lo, hi = self.x(pick.lo), self.x(pick.hi)
        if coll.one_place is None:
            cards = f"sorted({self.comp(self._placed_code(coll), coll)})"
        elif coll.whole == f"s.P[{coll.one_place}]" and self._kind(coll.one_place) == "hand":
            cards = coll.whole  # hands are sorted
        else:
            cards = f"sorted({self.listed(coll)})"
        listed = f"pick_cards({cards}, {lo}, {hi})"
        return listed if index is None else f"[({index}, e) for e in {listed}]"

    # ── answers ──────────────────────────────────────────────────────────────────────────────

    def branches(self, stmt: p.Choose, body: Callable[[p.Branch], None]) -> None:
        """Read the answer `x`, and write each branch's block."""
        if len(stmt.branches) == 1 and not stmt.branches[0].name:
            self._bind_pick(stmt.branches[0], "x")
            body(stmt.branches[0])
            return
        self.fn.put("b, y = x")
        for index, branch in enumerate(stmt.branches):
            last = index == len(stmt.branches) - 1
            if last:
                self._bind_pick(branch, "y")
                body(branch)
            else:
                with self.block(f"if b == {index}:"), self.at(branch.origin):
                    self._bind_pick(branch, "y")
                    body(branch)

    def _bind_pick(self, branch: p.Branch, x: str) -> None:
        if branch.pick is None or branch.var is None:
            return
        with self.unhoisted():  # only the places of the source are needed
            self._bind(branch.var, branch.pick, x)

    def _bind(self, var: p.Var, pick: p.Pick, x: str) -> None:
        v, q = f"v{var.id}", f"q{var.id}"
        self._note_place(var, pick)
        if isinstance(pick, p.PickNumber) and self._natural(pick.lo):
            self.natural.add(var.id)
        faces = len(self.b.faces)
        if isinstance(pick, p.PickCard):
            pid = self.coll(pick.source).one_place
            if pid is None:
                self.fn.assign(q, f"{x} // {faces}", optional=True)
                self.fn.assign(v, f"{x} % {faces}", optional=True)
                return
            self.fn.assign(q, pid, optional=True)
        elif isinstance(pick, p.PickCards):
            pid = self.coll(pick.source).one_place
            if pid is None:
                self.fn.assign(v, f"tuple([(e % {faces}, e // {faces}) for e in {x}])")
                return
            self.plain_cards.add(var.id)
            self.fn.assign(q, pid, optional=True)
        elif isinstance(pick, p.PickOne) and pick.type.kind is p.K.PLAY:
            if self._placed(pick):
                self.fn.assign(q, f"{x}[-1]", optional=True)
                self.fn.assign(v, f"{x}[:-1]", optional=True)
                return
            self.fn.assign(q, self._plays_from(pick.source), optional=True)
        self.fn.assign(v, x, optional=True)

    def _note_place(self, var: p.Var, pick: p.Pick) -> None:
        if isinstance(pick, (p.PickCard, p.PickCards)):
            coll = self.coll(pick.source)
            place = coll.element.place
            if coll.one_place is not None:
                place = self._declared(coll.one_place)
            if place is not None:
                self.var_place[var.id] = place
            if self.is_topmost(pick.source):
                self.topmost.add(var.id)

    def _plays_from(self, source: p.Expr) -> str:
        while isinstance(source, (p.Filter, p.Sorted, p.Best)):
            source = source.source
        if isinstance(source, p.Plays):
            return self.coll(source.source).one_place or "None"
        return "None"


def _pick_kind(pick: p.Pick | None) -> str:
    match pick:
        case None:
            return ""
        case p.PickCard():
            return "card"
        case p.PickCards():
            return "cards"
        case p.PickNumber():
            return "number"
        case p.PickOne():
            kind = pick.type.kind
            if kind is p.K.ENUM:
                return f"enum:{pick.type.name}"
            return str(kind.value)


def _places_of(stmt: p.Choose) -> list[p.PlaceRef]:
    """The places, told by name, that a choice takes its options from."""
    found: list[p.PlaceRef] = []
    for branch in stmt.branches:
        if branch.pick is None or isinstance(branch.pick, p.PickNumber):
            continue
        source = branch.pick.source
        while isinstance(source, p.Filter | p.Sorted | p.Best | p.Plays | p.Without):
            source = source.source
        if isinstance(source, p.CardsIn):
            found += [place for place in source.places if isinstance(place, p.PlaceRef)]
        elif isinstance(source, p.Top):
            found.append(source.place)
    return [place for place in found if place.player is None or is_atom(place.player)]
