"""Collections of the typed core: as loops, comprehensions, counts, searches.

A collection becomes clauses (`for c in …`, `if …`) and the text of its element; from these
come statement loops (`each_of`), lists (`listed`), and the folds. Hands are kept sorted, piles and
rows in their order, so that every collection has its defined order without sorting.
"""

from __future__ import annotations

from attrs import evolve, frozen

from dsl import program as p
from interpreter.codegen.expressions import UNKNOWN, Code, Expressions, offset

CARD_KINDS = (p.K.CARD, p.K.CARDS)


@frozen
class Clause:
    """`for target in text`, `target = text` (`once`), or `if text` where target is ""."""

    target: str
    text: str
    once: bool = False  # `target = text`, which does not loop


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
                return self._cards_of(expr)
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
                return self._either(expr)
            case p.Call():
                return self._items(self.call_text(expr), expr.type, self._plays_spread(expr))
            case p.VarRef() | p.TrackRef():
                return self._items(self.x(expr), expr.type)
            case p.Plays():
                return self.plays(expr, None, None)
            case _:
                return self._simple(self._domain(expr))

    def play(self, expr: p.Expr) -> Code:
        """A play, and the place its cards lie in where that is known (see `Code.spread`)."""
        if isinstance(expr, p.TrackRef):
            return Code(self.x(expr))
        code = self.card(expr)
        return code if code.spread else evolve(code, spread=self.analysis.spread.of(expr))

    def _cards_of(self, expr: p.PlayPart) -> Coll:
        play = self.play(expr.play)
        if play.pid in UNKNOWN or not play.spread:
            return self._faces(f"{play.text}[1]", play.pid)
        return self._items(f"laid(s.P, {play.text}, {play.pid})", p.CARDS)

    def _either(self, expr: p.Conditional) -> Coll:
        then, other = self.coll(expr.then), self.coll(expr.otherwise)
        spread = self._plays_spread(expr)
        pairs = [self._pairs(coll, always=spread) for coll in (then, other)]
        text = f"({pairs[0]} if {self.x(expr.condition)} else {pairs[1]})"
        return self._items(text, expr.type, spread)

    def _plays_spread(self, expr: p.Expr) -> bool:
        """Whether plays come with the places of their cards."""
        return expr.type.name == "play" and self.analysis.spread.of(expr)

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
            case p.Range():
                return self.numbers(expr.low, expr.high)
            case _:
                raise AssertionError(expr)

    def numbers(self, low: p.Expr, high: p.Expr) -> str:
        """The numbers from low to high, as a range; one that is checked at run time, unless it is
        plain that there are not too many."""
        lo, most = self.known(low), self._at_most(high)
        few = isinstance(lo, int) and most is not None and most - lo < p.MOST_NUMBERS
        first, last = self.x(low), self.x(high)
        if not few and not self.hoist:
            return f"numbers({first}, {last})"
        if not few:
            first, last = self.atom(first), self.atom(last)
            self.fn.put(f"if {last} - {first} >= {p.MOST_NUMBERS}: numbers({first}, {last})")
        return f"range({first}, {last} + 1)"

    def _at_most(self, expr: p.Expr) -> int | None:
        """What a number can't exceed, where that is fixed."""
        if isinstance(expr, p.Binary) and expr.op == "min":
            found = [m for m in map(self._at_most, (expr.left, expr.right)) if m is not None]
            return min(found, default=None)
        if isinstance(expr, p.TokenCount):
            return self.b.limit[expr.holder]
        value = self.known(expr)
        return value if isinstance(value, int) else None

    def plays(self, expr: p.Plays, shape: str | None, size: str | None) -> Coll:
        """All plays of some cards; of one shape and size only, where a condition says so."""
        names = list(self.program.shapes)
        shapes = repr(tuple(names.index(name) for name in expr.shapes))
        if shape is not None:
            shapes = f"({shape},)"
            if len(expr.shapes) < len(names):
                shapes = f"({shape},) if {shape} in {shapes} else ()"
        source = self.coll(expr.source)
        asked = f"{shapes}{'' if size is None else ', ' + size}"
        if source.one_place in UNKNOWN:
            return self._items(f"PLACED({self._pairs(source)}, {asked})", expr.type, spread=True)
        faces = source.whole or self.comp(source.element.text, source)
        return self._of_one_place(f"PLAYS({faces}, {asked})", source.one_place)

    def _fresh(self) -> tuple[str, str]:
        self._temps += 1
        return f"c{self._temps}", f"d{self._temps}"

    def _simple(self, text: str) -> Coll:
        c, _ = self._fresh()
        return Coll((Clause(c, text),), Code(c), cards=False)

    def _of_one_place(self, text: str, pid: str | None) -> Coll:
        """Plays whose cards lie in one place, if that is known."""
        coll = self._simple(text)
        return evolve(coll, element=evolve(coll.element, pid=pid), one_place=pid)

    def _faces(self, text: str, pid: str | None, owner: str | None = None) -> Coll:
        c, _ = self._fresh()
        return Coll((Clause(c, text),), Code(c, pid, owner), cards=True, one_place=pid or "None")

    def _items(self, text: str, kind: p.Type, spread: bool = False) -> Coll:
        """A list of values; of cards, and of plays that are spread, with their places."""
        if kind.kind is not p.K.CARDS and not spread:
            return self._simple(text)
        c, d = self._fresh()
        return Coll((Clause(f"{c}, {d}", text),), Code(c, d, spread=spread), cards=True)

    def _cards_in(self, expr: p.CardsIn, *, owned: bool) -> Coll:
        if len(expr.places) == 1:
            ref = expr.places[0]
            if isinstance(ref, p.PlaceRef):
                base = self.b.place_base[ref.place]
                if ref.player is None:
                    return self._faces(f"s.P[{base}]", str(base))
                owner = self.x(ref.player)  # once: it may have been searched for
                pid = offset(base, owner)
                return self._faces(f"s.P[{pid}]", pid, owner)
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
        if expr.card.type.kind is p.K.CARDS:
            return self._without_several(expr)
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

    def _without_several(self, expr: p.Without) -> Coll:
        source, gone = self.coll(expr.source), self.coll(expr.card)
        if source.one_place is None:
            text = f"without_several({self._pairs(source)}, {self._pairs(gone)})"
            return self._items(text, p.CARDS)
        faces = source.whole or self.comp(source.element.text, source)
        if gone.one_place is None:
            gone = gone.where(f"{gone.element.pid} == {source.one_place}")
        less = gone.whole or self.comp(gone.element.text, gone)
        text = f"without_several({faces}, {less})"
        if gone.one_place not in (None, source.one_place):
            text = f"({text} if {gone.one_place} == {source.one_place} else {faces})"
        return self._faces(text, source.one_place, source.element.owner)

    def _filter(self, expr: p.Filter, *, owned: bool) -> Coll:
        """See `filters`."""
        raise NotImplementedError

    def _sorted(self, expr: p.Sorted) -> Coll:
        """See `searches`."""
        raise NotImplementedError

    def _best(self, expr: p.Best) -> Coll:
        """See `searches`."""
        raise NotImplementedError

    # ── lists, loops, counts, searches ───────────────────────────────────────────────────────

    def comp(self, item: str, coll: Coll, brackets: str = "[]") -> str:
        """A comprehension over a collection."""
        tail = " ".join(
            f"for {c.target} in {f'({c.text},)' if c.once else c.text}"
            if c.target
            else f"if {c.text}"
            for c in coll.clauses
        )
        return f"{brackets[0]}{item} {tail}{brackets[1]}"

    def listed(self, coll: Coll) -> str:
        """A list (or the sequence itself) of a collection's items."""
        return (
            coll.whole if coll.whole and self._item_is_whole(coll) else self.comp(coll.item, coll)
        )

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

    def _pairs(self, coll: Coll, *, always: bool = False) -> str:
        """A list of a collection's items, cards with their places; `always`: plays as well."""
        if not coll.cards and not always:
            return self.listed(coll)
        if coll.one_place == "None":
            return f"located(s.P, {self.listed(coll)})"
        place = coll.element.pid or coll.one_place
        return self.comp(f"({coll.element.text}, {place})", coll)

    def collection(self, expr: p.Expr) -> str:
        """A collection as a tuple of its items."""
        return f"tuple({self._pairs(self.coll(expr))})"


def offset_text(base: int, code: str) -> str:
    return f"{base} + {code}" if base else code
