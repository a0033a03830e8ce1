"""Collections of the typed core: as loops, comprehensions, counts, searches.

A collection becomes clauses (`for c in …`, `if …`) and the text of its element; from these
come statement loops (`each_of`), lists (`listed`), and the folds. Hands are kept sorted, piles and
rows in their order, so that every collection has its defined order without sorting.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from attrs import evolve, frozen

from dsl import program as p
from interpreter.binding import operate
from interpreter.codegen.analysis import conjuncts, reads, reads_only_owner, same, walk
from interpreter.codegen.expressions import Code, Expressions

CARD_KINDS = (p.K.CARD, p.K.CARDS)


@frozen
class Clause:
    """`for target in text`, or `if text` where target is ""."""

    target: str
    text: str


@frozen
class Coll:
    """Clauses that run through a collection, and its element."""

    clauses: tuple[Clause, ...]
    element: Code
    cards: bool
    one_place: str | None = None  # the place's id where all cards lie in one

    def where(self, condition: str, *, early: bool = False) -> Coll:
        """The elements for which a condition holds; early: before the last `for`."""
        clause = Clause("", condition)
        if early:
            at = max(i for i, c in enumerate(self.clauses) if c.target)
            return evolve(self, clauses=(*self.clauses[:at], clause, *self.clauses[at:]))
        return evolve(self, clauses=(*self.clauses, clause))

    @property
    def whole(self) -> str | None:
        """The text of the list itself, where the collection is just that."""
        if len(self.clauses) == 1 and self.clauses[0].target == self.element.text:
            return self.clauses[0].text
        return None

    @property
    def item(self) -> str:
        """One element as a list holds it: a face of a known place, else a pair; or a value."""
        if self.cards and self.one_place is None:
            return f"({self.element.text}, {self.element.pid})"
        return self.element.text

    @property
    def single_loop(self) -> bool:
        return sum(1 for c in self.clauses if c.target) == 1


class Collections(Expressions):
    """Everything about collections."""

    def coll(self, expr: p.Expr, *, owned: bool = True) -> Coll:
        """The clauses of a collection. Not `owned`: nobody asks where its cards lie."""
        if isinstance(expr, p.Call):
            expr = self.analysis.inline(expr)
        match expr:
            case p.CardsIn():
                return self._cards_in(expr, owned=owned)
            case p.AllCards():
                name = self.constant("DECK", self.b.deck)
                return self._faces(name, None)
            case p.PlayPart():
                play = self.play(expr.play)
                return self._faces(f"{play.text}[1]", play.pid)
            case p.Without():
                return self._without(expr)
            case p.Top():
                count = self.x(expr.count) if expr.count is not None else "1"
                return self._faces(f"top({self.place(expr.place)}, {count})", self.pid(expr.place))
            case p.Filter():
                return self._filter(expr, owned=owned)
            case p.Sorted():
                return self._sorted(expr)
            case p.Best():
                return self._best(expr)
            case p.VarRef() if expr.var.id in self.plain_cards:
                code = self.var(expr.var)
                return self._faces(code.text, code.pid)
            case p.Conditional():
                then, other = self.coll(expr.then), self.coll(expr.otherwise)
                text = f"({self._pairs(then)} if {self.x(expr.condition)} else {self._pairs(other)})"
                return self._items(text, expr.type)
            case p.Call():
                return self._items(self.call_text(expr), expr.type)
            case p.VarRef() | p.TrackRef():
                return self._items(self.x(expr), expr.type)
            case _:
                return self._simple(self._domain(expr))

    def play(self, expr: p.Expr) -> Code:
        """A play, and the place its cards lie in where that is known."""
        if isinstance(expr, p.VarRef):
            return self.var(expr.var)
        return Code(self.x(expr))

    def _domain(self, expr: p.Expr) -> str:
        n = self.b.players
        match expr:
            case p.Players(start=None):
                return f"range({n})"
            case p.Players():
                ring = [[(a + i) % n for i in range(n)] for a in range(n)]
                if expr.after:
                    name = self.constant("OTHERS", tuple(tuple(r[1:]) for r in ring))
                else:
                    name = self.constant("FROM", tuple(tuple(r) for r in ring))
                return f"{name}[{self.x(expr.start)}]"  # type: ignore[arg-type]
            case p.PlayersByRole():
                return f"by_role(s.ring, {n})"
            case p.EnumAll():
                if expr.attribute in self.b.numeric:
                    lo, hi = self.b.numeric[expr.attribute]
                    return f"range({lo}, {hi + 1})"
                return f"range({len(self.program.attributes[expr.attribute].values)})"
            case p.Plays():
                return self.plays(expr, None, None)
            case _:
                raise AssertionError(expr)

    def plays(self, expr: p.Plays, shape: str | None, size: str | None) -> str:
        """All plays of some cards; of one shape and size only, where a condition says so."""
        names = list(self.program.shapes)
        shapes = repr(tuple(names.index(name) for name in expr.shapes))
        if shape is not None:
            shapes = f"({shape},)"
            if len(expr.shapes) < len(names):
                shapes = f"({shape},) if {shape} in {shapes} else ()"
        source = self.coll(expr.source)
        faces = source.whole or self.comp(source.element.text, source)
        return f"PLAYS({faces}, {shapes}{'' if size is None else ', ' + size})"

    def _fresh(self) -> tuple[str, str]:
        self._temps += 1
        return f"c{self._temps}", f"d{self._temps}"

    def _simple(self, text: str) -> Coll:
        c, _ = self._fresh()
        return Coll((Clause(c, text),), Code(c), cards=False)

    def _faces(self, text: str, pid: str | None, owner: str | None = None) -> Coll:
        c, _ = self._fresh()
        return Coll((Clause(c, text),), Code(c, pid, owner), cards=True, one_place=pid or "None")

    def _items(self, text: str, kind: p.Type) -> Coll:
        if kind.kind is not p.K.CARDS:
            return self._simple(text)
        c, d = self._fresh()
        return Coll((Clause(f"{c}, {d}", text),), Code(c, d), cards=True)

    def _cards_in(self, expr: p.CardsIn, *, owned: bool) -> Coll:
        if len(expr.places) == 1:
            ref = expr.places[0]
            if isinstance(ref, p.PlaceRef):
                owner = None if ref.player is None else self.x(ref.player)
                return self._faces(self.place(ref), self.pid(ref), owner)
            owners = self.coll(ref.players)
            c, d = self._fresh()
            if owners.whole == f"range({self.b.players})" and not owned:
                base = self.b.place_base[ref.place]
                text = f"s.P[{base}:{base + self.b.players}]"
                return Coll((Clause(d, text), Clause(c, d)), Code(c), cards=True)
            pid = offset_text(self.b.place_base[ref.place], owners.element.text)
            clauses = (*owners.clauses, Clause(c, f"s.P[{pid}]"))
            element = Code(c, f"({pid})", owners.element.text, ref.place)
            return Coll(clauses, element, cards=True)
        parts = []
        for ref in expr.places:
            if isinstance(ref, p.PlaceRef):
                parts.append(self.pid(ref))
            else:
                owners = self.coll(ref.players)
                pid = offset_text(self.b.place_base[ref.place], owners.element.text)
                parts.append("*" + self.comp(pid, owners))
        c, d = self._fresh()
        clauses = (Clause(d, f"({', '.join(parts)},)"), Clause(c, f"s.P[{d}]"))
        return Coll(clauses, Code(c, d), cards=True)

    def _without(self, expr: p.Without) -> Coll:
        source, card = self.coll(expr.source), self.card(expr.card)
        if source.one_place is None:
            return self._items(
                f"without({self._pairs(source)}, ({card.text}, {card.pid}))", p.CARDS
            )
        faces = source.whole or self.comp(source.element.text, source)
        text = f"without({faces}, {card.text})"
        if card.pid != source.one_place:
            text = f"({text} if {card.pid} == {source.one_place} else {faces})"
        return self._faces(text, source.one_place, source.element.owner)

    def _filter(self, expr: p.Filter, *, owned: bool) -> Coll:
        if isinstance(expr.source, p.Plays):
            return self._filter_plays(expr, expr.source)
        owned = owned or any(isinstance(x, p.OwnerOf) for x in walk(expr.condition))
        coll = self.coll(expr.source, owned=owned)
        condition = self._ahead(self.analysis.inline(expr.condition), expr.var)
        self.env[expr.var.id] = coll.element
        last_is_loop = bool(coll.clauses[-1].target) and len(coll.clauses) > 1
        with self.unhoisted():
            for part in conjuncts(condition):
                known = self.known(part)
                if known is True:
                    continue
                early = last_is_loop and coll.cards and coll.element.owner is not None
                early = early and reads_only_owner(part, expr.var)
                faces = self.static_faces(part, expr.var)
                if faces is not None and coll.element.text.isidentifier():
                    coll = coll.where(self._among(coll.element.text, faces))
                else:
                    coll = coll.where(self.x(part), early=early)
        return coll

    def _among(self, face: str, faces: list[int]) -> str:
        """Whether a face is one of some."""
        missing = [f for f in range(len(self.b.faces)) if f not in faces]
        if len(faces) == 1:
            return f"{face} == {faces[0]}"
        if len(missing) == 1:
            return f"{face} != {missing[0]}"
        if faces and faces[-1] - faces[0] == len(faces) - 1:
            return f"{faces[0]} <= {face} <= {faces[-1]}" if faces[0] else f"{face} <= {faces[-1]}"
        return f"{face} in {self.face_set(faces)}"

    def face_set(self, faces: list[int]) -> str:
        number = self._face_sets.setdefault(frozenset(faces), len(self._face_sets))
        return self.constant(f"F_{number}", frozenset(faces))

    def _ahead(self, condition: p.Expr, var: p.Var) -> p.Expr:
        """A condition whose `property = expression` parts have the expression, where it does not
        depend on the candidate, worked out before the loop (it is total, so this is safe)."""
        if not self.hoist:
            return condition
        parts = []
        for part in conjuncts(condition):
            if isinstance(part, p.Binary) and part.op in ("=", "!=") and isinstance(part.right, p.Attr):
                right = part.right
                if not reads(right, var) and not isinstance(right.card, p.VarRef):
                    t = self.temp()
                    self.fn.put(f"{t} = {self.x(right)}")
                    self._temps += 1
                    held = p.Var(-self._temps, t, right.type)
                    self.env[held.id] = Code(t)
                    part = evolve(part, right=p.VarRef(held, right.type, right.span))
            parts.append(part)
        whole = parts[0]
        for part in parts[1:]:
            whole = p.Binary("and", whole, part, p.TRUTH, part.span)
        return whole

    def _filter_plays(self, expr: p.Filter, source: p.Plays) -> Coll:
        """Ask only for plays of the shape and size that the condition requires anyway."""
        shape = size = None
        rest = []
        for part in self.flat_conjuncts(expr.condition):
            wanted = self._required(part, expr.var)
            if wanted is not None and wanted[0] == "shape" and shape is None:
                shape = self.x(wanted[1])
            elif wanted is not None and wanted[0] == "size" and size is None:
                size = self.x(wanted[1])
            else:
                rest.append(part)
        coll = self._simple(self.plays(source, shape, size))
        pid = self.coll(source.source).one_place
        self.env[expr.var.id] = Code(coll.element.text, pid)
        with self.unhoisted():
            for part in rest:
                if self.known(part) is not True:
                    coll = coll.where(self.x(part))
        return coll

    def flat_conjuncts(self, expr: p.Expr) -> list[p.Expr]:
        """Conjuncts, with small values written out on the way."""
        found = []
        for part in conjuncts(self.analysis.inline(expr)):
            inlined = self.analysis.inline(part)
            found += [part] if inlined is part else self.flat_conjuncts(inlined)
        return found

    def _required(self, part: p.Expr, var: p.Var) -> tuple[str, p.Expr] | None:
        if not (isinstance(part, p.Binary) and part.op == "="):
            return None
        for mine, other in ((part.left, part.right), (part.right, part.left)):
            if (
                isinstance(mine, p.PlayPart)
                and isinstance(mine.play, p.VarRef)
                and mine.play.var is var
                and not reads(other, var)
            ):
                return mine.part, other
        return None

    def static_faces(self, condition: p.Expr, var: p.Var) -> list[int] | None:
        """The faces for which a condition holds, where nothing else decides it."""
        found = []
        for face in range(len(self.b.faces)):
            value = self._at_face(condition, var, face)
            if value is NotImplemented:
                return None
            if value:
                found.append(face)
        return found

    def _at_face(self, expr: p.Expr, var: p.Var, face: int) -> object:
        match expr:
            case p.Attr(card=p.VarRef(var=v)) if v is var:
                return self.b.attr[expr.attribute][face]
            case p.HasAttr(card=p.VarRef(var=v)) if v is var:
                return self.b.has[expr.attribute][face]
            case p.IsKind(card=p.VarRef(var=v)) if v is var:
                return self.b.faces[face].kind == expr.kind
            case p.Unary(op="not"):
                value = self._at_face(expr.operand, var, face)
                return value if value is NotImplemented else not value
            case p.Binary():
                left = self._at_face(expr.left, var, face)
                right = self._at_face(expr.right, var, face)
                if left is NotImplemented or right is NotImplemented:
                    return NotImplemented
                return operate(expr.op, left, right)  # type: ignore[arg-type]
            case _:
                return self.known(expr)

    # ── sorting ──────────────────────────────────────────────────────────────────────────────

    def sort_key(
        self, keys: tuple[p.Key, ...], var: p.Var, element: Code, *, ahead: bool = False
    ) -> str:
        """A sort key: smaller comes first."""
        self.env[var.id] = element
        parts = []
        with nullcontext() if ahead else self.unhoisted():
            for key in keys:
                code = self.x(key.expr)
                if key.expr.type.kind in (p.K.PLAYER, p.K.ROLE) and not self._candidate(key.expr, var):
                    code = f"none_last({code})"
                parts.append(f"-{code}" if key.largest else code)
        return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"

    def _candidate(self, expr: p.Expr, var: p.Var) -> bool:
        return isinstance(expr, p.VarRef) and expr.var is var

    def needed_keys(self, keys: tuple[p.Key, ...], var: p.Var, source: p.Expr) -> tuple[p.Key, ...]:
        """Keys less a last one by seat where the players come in that order anyway."""
        while isinstance(source, p.Filter):
            source = source.source
        by_seat = isinstance(source, p.Players) and source.start is None
        if by_seat and keys and self._candidate(keys[-1].expr, var) and not keys[-1].largest:
            return keys[:-1]
        return keys

    def _lambda(self, keys: tuple[p.Key, ...], var: p.Var, coll: Coll) -> str:
        pair = coll.cards and coll.one_place is None
        e = self._fresh()[0]
        element = Code(f"{e}[0]", f"{e}[1]") if pair else Code(e, coll.one_place, coll.element.owner)
        return f"lambda {e}: {self.sort_key(keys, var, element)}"

    def _sorted(self, expr: p.Sorted) -> Coll:
        coll = self.coll(expr.source)
        keys = self.needed_keys(expr.keys, expr.var, expr.source)
        if not keys:
            return coll
        if self.hoist and not (coll.cards and coll.one_place is None):
            return self._again(coll, self._sorted_ahead(coll, keys, expr.var))
        text = f"sorted({self.listed(coll)}, key={self._lambda(keys, expr.var, coll)})"
        return self._again(coll, text)

    def _sorted_ahead(self, coll: Coll, keys: tuple[p.Key, ...], var: p.Var) -> str:
        """A sorted list made by a loop in front: keys may then search in loops of their own."""
        t = self.temp()
        self.fn.put(f"{t} = []")
        with self.each_of(coll):
            self.hoist, self.memo = True, []
            key = self.sort_key(keys, var, coll.element, ahead=True)
            self.memo = None
            key = key[1:-1] if len(keys) > 1 else key
            self.fn.put(f"{t}.append(({key}, len({t}), {coll.element.text}))")
        self.fn.put(f"{t}.sort()")
        return f"[e[-1] for e in {t}]"

    def _best(self, expr: p.Best) -> Coll:
        coll = self.coll(expr.source)
        key = self._lambda((expr.key,), expr.var, coll)
        return self._again(coll, f"best({self.listed(coll)}, {key})")

    def _again(self, coll: Coll, text: str) -> Coll:
        if coll.cards and coll.one_place is not None:
            return self._faces(text, coll.one_place, coll.element.owner)
        return self._items(text, p.CARDS if coll.cards else p.PLAYERS)

    # ── lists, loops, counts, searches ───────────────────────────────────────────────────────

    def comp(self, item: str, coll: Coll, brackets: str = "[]") -> str:
        """A comprehension over a collection."""
        tail = " ".join(
            f"for {c.target} in {c.text}" if c.target else f"if {c.text}" for c in coll.clauses
        )
        return f"{brackets[0]}{item} {tail}{brackets[1]}"

    def listed(self, coll: Coll) -> str:
        """A list (or the sequence itself) of a collection's items."""
        return coll.whole if coll.whole and self._item_is_whole(coll) else self.comp(coll.item, coll)

    def fixed(self, coll: Coll) -> str:
        """A collection's items as they are now, in a form that nothing can change."""
        n = self.b.players
        if coll.whole == f"range({n})":
            return self.constant("ALL", tuple(range(n)))
        if coll.whole and coll.whole.startswith(("OTHERS[", "FROM[")):
            return coll.whole
        return f"tuple({self.listed(coll)})"

    def _item_is_whole(self, coll: Coll) -> bool:
        return not coll.cards or coll.one_place is not None

    def _pairs(self, coll: Coll) -> str:
        if not coll.cards:
            return self.listed(coll)
        return self.comp(f"({coll.element.text}, {coll.element.pid})", coll)

    def collection(self, expr: p.Expr) -> str:
        """Expressions about collections: a value, or the collection as a tuple of items."""
        match expr:
            case p.Count():
                return self._count(expr)
            case p.Any_():
                return self._any(expr)
            case p.Fold():
                return self._fold(expr)
            case p.First():
                return self._first(expr).text
            case _:
                return f"tuple({self._pairs(self.coll(expr))})"

    @contextmanager
    def each_of(self, coll: Coll) -> Iterator[None]:
        """Statement loops through a collection; what is put inside runs per element."""
        depth = self.fn.indent
        for clause in coll.clauses:
            text = clause.text
            if clause.target and text == f"range({self.b.players})":
                text = self.constant("ALL", tuple(range(self.b.players)))
            self.fn.put(f"for {clause.target} in {text}:" if clause.target else f"if {text}:")
            self.fn.indent += 1
        with self.unhoisted():
            yield
        self.fn.indent = depth

    def _by_face(self, source: p.Expr) -> tuple[str, str] | None:
        """(list, face) where a filter keeps just one face of one place: C can look for it."""
        if not isinstance(source, p.Filter):
            return None
        place = source.source
        if not (isinstance(place, p.CardsIn) and len(place.places) == 1):
            return None
        ref = place.places[0]
        if not isinstance(ref, p.PlaceRef):
            return None
        condition = self.analysis.inline(source.condition)
        faces = self.static_faces(condition, source.var)
        if faces is not None:
            return (self.place(ref), str(faces[0])) if len(faces) == 1 else None
        if isinstance(condition, p.Binary) and condition.op == "=":
            for mine, other in (
                (condition.left, condition.right),
                (condition.right, condition.left),
            ):
                if (
                    isinstance(mine, p.Attr)
                    and isinstance(mine.card, p.VarRef)
                    and mine.card.var is source.var
                    and not reads(other, source.var)
                    and self.b.attr[mine.attribute] == tuple(range(len(self.b.faces)))
                ):
                    return self.place(ref), self.x(other)
        return None

    def _disjoint(self, source: p.Expr) -> str | None:
        """Whether one place holds a card of a fixed set of faces: C can look for it."""
        if isinstance(source, p.Filter) and isinstance(source.source, p.CardsIn):
            refs = source.source.places
            faces = self.static_faces(self.analysis.inline(source.condition), source.var)
            if faces is not None and len(refs) == 1 and isinstance(refs[0], p.PlaceRef):
                return f"(not {self.face_set(faces)}.isdisjoint({self.place(refs[0])}))"
        return None

    def _count(self, expr: p.Count) -> str:
        found = self._by_face(expr.source)
        if found is not None:
            return f"{found[0]}.count({found[1]})"
        marked = self._marked_players(expr.source)
        if marked is not None:
            return marked
        coll = self.coll(expr.source, owned=False)
        if coll.whole is not None:
            return f"len({coll.whole})"
        if not any(not c.target for c in coll.clauses) and coll.cards:
            last = coll.clauses[-1].text
            heads = evolve(coll, clauses=coll.clauses[:-1])
            return f"sum({self.comp(f'len({last})', heads)})"
        if not self.hoist:
            return f"len({self.comp('1', coll)})"
        t = self.temp()
        self.fn.put(f"{t} = 0")
        with self.each_of(coll):
            self.fn.put(f"{t} += 1")
        return t

    def _marked_players(self, source: p.Expr) -> str | None:
        """How many players have (not) a mark: bits of a mask."""
        match source:
            case p.Filter(
                source=p.Players(start=None),
                condition=p.Marked(player=p.VarRef(var=v)) as marked,
            ) if v is source.var:
                return f"{self.mark(marked.mark)}.bit_count()"
            case p.Filter(
                source=p.Players(start=None),
                condition=p.Unary(op="not", operand=p.Marked(player=p.VarRef(var=v)) as marked),
            ) if v is source.var:
                return f"({self.b.players} - {self.mark(marked.mark)}.bit_count())"
            case _:
                return None

    def _any(self, expr: p.Any_) -> str:
        found = self._by_face(expr.source)
        if found is not None:
            return f"({found[1]} in {found[0]})"
        disjoint = self._disjoint(expr.source)
        if disjoint is not None:
            return disjoint
        coll = self.coll(expr.source, owned=False)
        if coll.whole is not None:
            return coll.whole
        if not self.hoist or not coll.single_loop:
            if not any(not c.target for c in coll.clauses) and coll.cards:
                last = coll.clauses[-1].text
                return self.comp("1", evolve(coll, clauses=coll.clauses[:-1]).where(last))
            return self.comp("1", coll)
        t = self.temp()
        self.fn.put(f"{t} = False")
        with self.each_of(coll):
            self.fn.put(f"{t} = True")
            self.fn.put("break")
        return t

    def _fold(self, expr: p.Fold) -> str:
        owned = any(isinstance(x, p.OwnerOf) for x in walk(expr.expr))
        coll = self.coll(expr.source, owned=owned)
        self.env[expr.var.id] = coll.element
        with self.unhoisted():
            code = self.x(expr.expr)
        if expr.op == "different":
            if code == coll.element.text and coll.whole:
                return f"len(set({coll.whole}))"
            return f"len({self.comp(code, coll, '{}')})"
        if expr.op == "sum":
            return f"sum({self.comp(code, coll)})"
        return f"{'max' if expr.op == 'highest' else 'min'}({self.comp(code, coll)}, default=0)"

    def card(self, expr: p.Expr) -> Code:
        """A card: its face, and the id of its place."""
        match expr:
            case p.VarRef():
                return self.var(expr.var)
            case p.First():
                return self._first(expr)
            case p.Top():
                place = self.place(expr.place)
                return Code(f"({place}[-1] if {place} else None)", self.pid(expr.place))
            case p.Call():
                inlined = self.analysis.inline(expr)
                if not isinstance(inlined, p.Call):
                    return self.card(inlined)
                if self.hoist:
                    t = self.temp()
                    self.fn.put(f"{t} = {self.call_text(inlined)}")
                    return Code(f"{t}[0]", f"{t}[1]")
                return Code(f"{self.call_text(inlined)}[0]", f"{self.call_text(inlined)}[1]")
            case _:
                return Code(self.x(expr))

    def _first(self, expr: p.First) -> Code:
        if id(expr) in self.searched:
            return self.searched.pop(id(expr))
        if self.memo is not None and self.hoist:
            for other, code in self.memo:
                if same(expr, other):
                    return code
            remembered, self.memo = self.memo, None
            code = self._find(expr)
            self.memo = remembered
            self.memo.append((expr, code))
            return code
        return self._find(expr)

    def _find(self, expr: p.First) -> Code:
        source = expr.source
        if isinstance(source, p.Call):
            source = self.analysis.inline(source)
        keys: tuple[p.Key, ...] = ()
        var = None
        if isinstance(source, p.Sorted):
            keys, var, source = source.keys, source.var, source.source
            keys = self.needed_keys(keys, var, source)
        coll = self.coll(source)
        if self.hoist and (keys or coll.single_loop):
            return self._search(coll, keys, var)
        pair = coll.cards and coll.one_place is None
        default = "(None, None)" if pair else "None"
        if keys and var is not None:
            text = f"min({self.listed(coll)}, key={self._lambda(keys, var, coll)}, default={default})"
        else:
            text = f"first({self.listed(coll)}, {default})"
        if pair:
            return Code(f"{text}[0]", f"{text}[1]")
        return Code(text, coll.one_place, coll.element.owner)

    def _search(self, coll: Coll, keys: tuple[p.Key, ...], var: p.Var | None) -> Code:
        """A loop that finds the first element, or the first under some keys."""
        t = self.temp()
        pid = coll.one_place
        if coll.cards and pid is None:
            pid = self.temp()
            self.fn.put(f"{t} = {pid} = None")
        else:
            self.fn.put(f"{t} = None")
        moving = coll.cards and coll.one_place is None
        sentinel = len(keys) == 1 and keys[0].expr.type.kind is p.K.NUMBER
        k = self.temp()
        if sentinel:
            self.fn.put(f"b{k} = {'-' if keys[0].largest else ''}INFINITY")
        best = Code(t, pid, None if moving else coll.element.owner)
        with self.each_of(coll):
            if keys and var is not None:
                self.hoist = True
                self._compare(k, keys, var, coll.element, best, sentinel=sentinel)
            self.fn.put(f"{t} = {coll.element.text}")
            if moving:
                self.fn.put(f"{pid} = {coll.element.pid}")
            if not keys:
                self.fn.put("break")
        return best

    def _compare(
        self, k: str, keys: tuple[p.Key, ...], var: p.Var, element: Code, best: Code,
        *, sentinel: bool,
    ) -> None:  # fmt: skip
        """`continue` unless an element comes before the best so far. Later keys are only looked
        at where the earlier ones are equal."""
        depth = self.fn.indent
        up = (evolve(keys[0], largest=False),)
        worse = "<" if keys[0].largest else ">"
        self.fn.put(f"{k} = {self.sort_key(up, var, element, ahead=True)}")
        if sentinel:
            self.fn.put(f"if {k} {worse}= b{k}: continue")
            self.fn.put(f"b{k} = {k}")
            return
        self.fn.put(f"if {best.text} is not None:")
        self.fn.indent += 1
        if len(keys) == 1:
            self.fn.put(f"if {k} {worse}= b{k}: continue")
        else:
            self.fn.put(f"if {k} {worse} b{k}: continue")
            self.fn.put(f"if {k} == b{k}:")
            for key in keys[1:]:
                self.fn.indent += 1
                one = (evolve(key, largest=False),)
                worse = "<" if key.largest else ">"
                mine, other = self.temp(), self.temp()
                self.fn.put(f"{mine} = {self.sort_key(one, var, element)}")
                self.fn.put(f"{other} = {self.sort_key(one, var, best)}")
                if key is keys[-1]:
                    self.fn.put(f"if {mine} {worse}= {other}: continue")
                else:
                    self.fn.put(f"if {mine} {worse} {other}: continue")
                    self.fn.put(f"if {mine} == {other}:")
        self.fn.indent = depth
        self.fn.put(f"b{k} = {k}")

def offset_text(base: int, code: str) -> str:
    return f"{base} + {code}" if base else code
