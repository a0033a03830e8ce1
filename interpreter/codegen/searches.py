"""Sorting, counting, finding: what is asked of collections.

Where the statement evaluates the question unconditionally, the answer comes from a loop in front
of it; elsewhere from a comprehension. Questions that C can answer (`in`, `count`, `len`, bits of a
mask) go to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from attrs import evolve

from dsl import program as p
from interpreter.codegen.analysis import reads, same, walk
from interpreter.codegen.collections import Coll
from interpreter.codegen.expressions import Code, place_of
from interpreter.codegen.filters import Filters


class Searches(Filters):
    """Everything about questions to collections."""

    def sort_key(
        self, keys: tuple[p.Key, ...], var: p.Var, element: Code, *, ahead: bool = False
    ) -> str:
        """A sort key: smaller comes first."""
        self.env[var.id] = element
        parts = []
        with nullcontext() if ahead else self.unhoisted():
            for key in keys:
                code = self.stored(key.expr)
                if self._candidate(key.expr, var) or not self._may_be_none(key):
                    parts.append(f"-{code}" if key.largest else code)
                else:
                    parts.append(f"none_last({code}{', -1' if key.largest else ''})")
        return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"

    def _may_be_none(self, key: p.Key) -> bool:
        return key.expr.type.kind in (p.K.PLAYER, p.K.ROLE)

    def _rising(self, key: p.Key) -> tuple[p.Key, str]:
        """A key to compare by, and the sign that says one is worse than the best so far."""
        if self._may_be_none(key):
            return key, ">"  # written so that smaller comes first, and nobody last
        return evolve(key, largest=False), "<" if key.largest else ">"

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
        element = (
            Code(f"{e}[0]", f"{e}[1]", spread=coll.element.spread)
            if pair
            else Code(e, coll.one_place, coll.element.owner)
        )
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
        if coll.one_place is not None:
            return self._of_one_place(text, coll.one_place)
        return self._items(text, p.CARDS if coll.cards else p.PLAYERS, coll.element.spread)

    def collection(self, expr: p.Expr) -> str:
        """Expressions about collections: a value, or the collection as a tuple of items."""
        return self.counted(expr, self._question(expr))

    def _question(self, expr: p.Expr) -> str:
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
                return super().collection(expr)

    @contextmanager
    def each_of(self, coll: Coll) -> Iterator[None]:
        """Statement loops through a collection; what is put inside runs per element."""
        depth = self.fn.indent
        for clause in coll.clauses:
            text = clause.text
            if clause.once:
                self.fn.put(f"{clause.target} = {text}")
                continue
            if clause.target and text == f"range({self.b.players})":
                text = self.constant("ALL", tuple(range(self.b.players)))
            self.fn.put(f"for {clause.target} in {text}:" if clause.target else f"if {text}:")
            self.fn.indent += 1
        with self.unhoisted():
            yield
        self.fn.indent = depth

    def gather(self, item: str, coll: Coll, brackets: str = "[]") -> str:
        """A list or set of items: by a loop in front where that is possible. (A comprehension is a
        function: making and calling it costs more than a short loop, and the variables it reads
        become slower everywhere else.)"""
        if not self.hoist:
            return self.comp(item, coll, brackets)
        t = self.temp()
        self.fn.put(f"{t} = {'set()' if brackets == '{}' else '[]'}")
        with self.each_of(coll):
            self.fn.put(f"{t}.{'add' if brackets == '{}' else 'append'}({item})")
        return t

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
            unfiltered = all(c.target for c in coll.clauses) and len(coll.clauses) > 1
            if unfiltered and coll.cards:
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
                pid = self.pid(expr.place)
                return Code(f"(s.P[{pid}][-1] if s.P[{pid}] else None)", pid)
            case p.Conditional():
                return self._either_card(expr)
            case p.Call():
                inlined = self.analysis.inline(expr)
                if not isinstance(inlined, p.Call):
                    return self.card(inlined)
                text = self.call_text(inlined)
                if self.hoist:
                    text = self.atom(text)
                return Code(f"{text}[0]", f"{text}[1]")
            case _:
                return Code(self.x(expr))

    def _either_card(self, expr: p.Conditional) -> Code:
        condition = self.x(expr.condition)
        if self.hoist:
            condition = self.atom(condition)
        with self.unhoisted():
            then, other = self.card(expr.then), self.card(expr.otherwise)
        text = f"({then.text} if {condition} else {other.text})"
        if expr.type.kind is p.K.CARD:
            return Code(text, f"({place_of(then)} if {condition} else {place_of(other)})")
        return Code(text, f"({then.pid} if {condition} else {other.pid})")

    def _first(self, expr: p.First) -> Code:
        if id(expr) in self.searched:
            return self.searched.pop(id(expr))
        if self.memo is not None and self.hoist:
            for other, code in self.memo:
                if same(expr, other):
                    return code
            remembered, self.memo = self.memo, None
            code = self._find(expr)
            code = evolve(code, text=self.atom(code.text))
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
        if var is not None and isinstance(source, p.EnumAll):
            coll, keys = self._in_order(source, coll, keys, var)
            counted = self._most_counted(coll, keys, var)
            if counted is not None:
                return Code(counted)
        if self.hoist and (keys or coll.single_loop):
            return self._search(coll, keys, var)
        pair = coll.cards and coll.one_place is None
        default = "(None, None)" if pair else "None"
        if keys and var is not None:
            text = (
                f"min({self.listed(coll)}, key={self._lambda(keys, var, coll)}, default={default})"
            )
        else:
            text = f"first({self.listed(coll)}, {default})"
        if pair:
            if self.hoist:
                text = self.atom(text)
            return Code(f"{text}[0]", f"{text}[1]", spread=coll.element.spread)
        return Code(text, coll.one_place, coll.element.owner)

    def _in_order(
        self, source: p.EnumAll, coll: Coll, keys: tuple[p.Key, ...], var: p.Var
    ) -> tuple[Coll, tuple[p.Key, ...]]:
        """All values of an attribute, laid in the order of the later keys where these are fixed:
        then the first key alone decides, since the first of equals is taken."""
        if source.attribute in self.b.numeric:
            return coll, keys
        values = range(len(self.program.attributes[source.attribute].values))
        ranks: list[list[int]] = [[] for _ in values]
        for key in keys[1:]:
            for value in values:
                self.env[var.id] = Code(str(value))
                text = self.x(key.expr).strip("()")
                if not text.isdigit():
                    return coll, keys
                ranks[value].append(-int(text) if key.largest else int(text))
        order = tuple(sorted(values, key=lambda value: (ranks[value], value)))
        name = self.constant(f"ORDER_{'_'.join(map(str, order))}", order)
        return self._simple(name), keys[:1]

    def _most_counted(self, coll: Coll, keys: tuple[p.Key, ...], var: p.Var) -> str | None:
        """The value that a place holds most (or fewest) cards of: C can look for it."""
        if len(keys) != 1:
            return None
        element = coll.element.text
        with self.unhoisted():
            text = self.sort_key((evolve(keys[0], largest=False),), var, coll.element)
        place, found, rest = text.partition(".count(")
        if not found or rest != f"{element})" or element in place:
            return None
        return f"{'max' if keys[0].largest else 'min'}({coll.whole}, key={place}.count)"

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
        owner = None if moving else coll.element.owner
        best = Code(t, pid, owner, spread=coll.element.spread)
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
        up, worse = self._rising(keys[0])
        self.fn.put(f"{k} = {self.sort_key((up,), var, element, ahead=True)}")
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
                one, worse = self._rising(key)
                mine, other = self.temp(), self.temp()
                self.fn.put(f"{mine} = {self.sort_key((one,), var, element)}")
                self.fn.put(f"{other} = {self.sort_key((one,), var, best)}")
                if key is keys[-1]:
                    self.fn.put(f"if {mine} {worse}= {other}: continue")
                else:
                    self.fn.put(f"if {mine} {worse} {other}: continue")
                    self.fn.put(f"if {mine} == {other}:")
        self.fn.indent = depth
        self.fn.put(f"b{k} = {k}")
