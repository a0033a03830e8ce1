"""Moving cards: dealing, shuffling, revealing, and the log of what players learn and lose sight of.

Knowledge is kept as a log in `s.kn` (see `interpreter.knowledge`): a move is logged where somebody
learns or may lose track of something; a move that can only touch facts already there is logged only
when there are any.
"""

from __future__ import annotations

import re

from dsl import program as p
from dsl.walk import bodies, walk
from interpreter.codegen.collections import Coll
from interpreter.codegen.expressions import UNKNOWN, Code, lying, simple
from interpreter.codegen.writer import NAME
from interpreter.codegen.writing import Writing


class Moves(Writing):
    """Everything about cards on the move."""

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
        seen = self.seen(source, target)
        one = re.fullmatch(r"\((\w+),\)", faces)  # a single card is logged flat
        what = one[1] if one else f"'move', {faces}"
        entry = f"s.kn.append(({what}, {source}, {target}, {seen}))"
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
            if not self._comes_once(stmt):  # the cards may lie on the table by now
                span = stmt.source.span
                everyone = p.Players(None, False, p.PLAYERS, span)
                places = tuple(
                    p.PlacesOf(name, everyone, span)
                    if place.per_player
                    else p.PlaceRef(name, None, span)
                    for name, place in self.program.places.items()
                )
                self._move_cards(p.CardsIn(places, p.CARDS, span), target, stmt.origin)
            self.fn.put(f"shuffle.all(s, {target}, {stmt.origin.path!r})")
            self.tell(stmt.origin, "shuffle", target, f"tuple(s.P[{target}])")
            return
        if stmt.source is not None:
            self._move_cards(stmt.source, target, stmt.origin)
        self.fn.put(f"shuffle(s, {target}, {stmt.origin.path!r})")
        self.tell(stmt.origin, "shuffle", target, f"tuple(s.P[{target}])")

    def _comes_once(self, stmt: p.Shuffle) -> bool:
        """Whether this is the one line that brings the cards out of the box, and comes once."""
        if self.brings is None:
            found = (node for body in bodies(self.program) for node in walk(body))
            self.brings = sum(isinstance(node, p.AllCards) for node in found)
        return self.brings == 1 and any(stmt is line for line in self.program.setup)

    def _deal(self, stmt: p.Deal) -> None:
        source, base = self.pid(stmt.source), self.b.place_base[stmt.place]
        every = isinstance(stmt.players, p.Players) and stmt.players.start is None
        bag = self.program.places[stmt.place].kind == "hand"
        if every and not self.loud and self._sight(source) == "down":
            n = self.b.players  # nobody sees what is dealt, but whoever gets it
            self.fn.put(f"deal(s, {source}, {base}, {self.x(stmt.count)}, {n}, {bag})")
            return
        if "(" in source:  # once: what a card that is dealt changes doesn't change the dealing
            source = self.atom(source)
        if every:
            players = self.fixed(self.coll(stmt.players))
        else:
            players = self.temp()
            self.fn.put(f"{players} = sorted({self.listed(self.coll(stmt.players))})")
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
        source = lying(Code(face, card.pid))
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
        if "(" in source:  # once: where it lay is asked again when it lies there no more
            source = self.atom(source)
        if self.is_topmost(stmt.cards):
            self.fn.put(f"remove_last(s.P[{source}], {face})")
        else:
            self.fn.put(f"s.P[{source}].remove({face})")
        self._arrive(face, source, target, stmt.origin)
        self._after_move(moved, target)

    def _after_move(self, moved: p.Var | None, target: str) -> None:
        """A variable's cards lie elsewhere now."""
        if moved is None:
            return
        self.topmost.add(moved.id)  # it arrived last: of equal cards it is the one that is meant
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
            self._move_pairs(self.listed(coll), target, origin, top=self.is_topmost(cards))
            name = self.var(cards.var).text if isinstance(cards, p.VarRef) else ""
            if NAME.fullmatch(name):
                moved = f"tuple([(f, {target}) for f, _ in {name}])"
                self.fn.assign(name, moved, optional=True)
            return
        if source in UNKNOWN and isinstance(cards, p.PlayPart):
            raise self.refused(
                "R0908",
                "the rules don't say where the cards of this play lie; "
                "move them from their place: `move cards in PLACE to …`",
                origin,
            )
        if source in UNKNOWN:
            t = self.temp()
            self.fn.put(f"{t} = {self._pairs_by_search(coll)}")
            self._move_pairs(t, target, origin, top=self.is_topmost(cards))
            return
        if coll.whole == f"s.P[{source}]":
            self._move_all(source, target, origin)
            return
        moved = self.temp()
        if isinstance(cards, p.Top):
            self.fn.put(f"{moved} = {self.listed(coll)}")
            self.fn.put(f"del s.P[{source}][len(s.P[{source}]) - len({moved}):]")
            self._land(moved, source, target, origin)
            return
        fixed = isinstance(cards, p.VarRef | p.PlayPart) and coll.whole is not None
        self.fn.put(f"{moved} = {coll.whole if fixed else f'tuple({self.listed(coll)})'}")
        loose = self.temp()
        if self.is_topmost(cards):
            self.fn.put(f"for e in {moved}: remove_last(s.P[{source}], e)")
        else:
            self.fn.put(f"{loose} = s.P[{source}].remove")
            self.fn.put(f"for e in {moved}: {loose}(e)")
        self._land(moved, source, target, origin)
        self._after_move(cards.var if isinstance(cards, p.VarRef) else None, target)

    def _move_random(self, stmt: p.MoveRandom) -> None:
        source, target = self.pid(stmt.place), self.pid(stmt.to)
        picked = self.temp()
        text = f"shuffle.pick(s, {source}, {self.x(stmt.count)}, {stmt.origin.path!r})"
        self.fn.put(f"{picked} = {text}")
        self._land(picked, source, target, stmt.origin)

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

    def _move_pairs(self, pairs: str, target: str, origin: p.Origin, *, top: bool) -> None:
        """Move cards from several places, those that lie beside each other together; those that
        lie in the target already stay where they are. `top`: of equal cards the topmost go."""
        faces, q = self.temp(), self.temp()
        with self.block(f"for {faces}, {q} in together({pairs}):"):
            self.fn.put(f"if {q} == {target}: continue")
            taken = f"remove_last(s.P[{q}], e)" if top else f"s.P[{q}].remove(e)"
            self.fn.put(f"for e in {faces}: {taken}")
            self.put_in(target, faces, many=True)
            if self._sight(target) != "up":
                self.fn.put(
                    f"s.kn.append(('move', {faces}, {q}, {target}, {self.seen(q, target)}))"
                )
            else:
                self.log_move(faces, q, target)
            self.tell(origin, "move", faces, q, target, self.seen(q, target))

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
