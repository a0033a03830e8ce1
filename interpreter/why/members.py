"""Whether something is among what a way of a choice offers, and if not, what keeps it out.

A way's collection is layers (conditions, `with best …`, an order) around a base: cards in places,
players, numbers, values, plays. What is asked about is looked for in the base, and then has to pass
the layers from the inside out.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

from attrs import frozen

from dsl import program as p
from dsl.source_text import source_text
from interpreter.why.answers import (
    Beaten,
    Elsewhere,
    Misfit,
    NotAmong,
    OutOfRange,
    Part,
    Refusal,
    Refused,
    Seen,
    Thing,
)
from interpreter.why.reasons import Here, explain, look, seen_once
from interpreter.why.shapes import unfit
from interpreter.why.unseen import Hidden

Layer: TypeAlias = tuple[p.Filter | p.Best, Here]


@frozen(eq=False)
class Base:
    """What a collection is made of: the innermost expression, where it stands, and the layers
    around it, inside out."""

    expr: p.Expr
    here: Here
    layers: tuple[Layer, ...]


@frozen(eq=False)
class Ask:
    """A thing, and the way's rule."""

    thing: Thing
    rule: p.Origin

    def verdict(self, pick: p.Pick, here: Here) -> Refusal | tuple[Part, ...]:
        """What keeps the thing out of a pick; else the conditions that it meets."""
        match pick:
            case p.PickNumber():
                return self._in_range(self.thing.value, pick.lo, pick.hi, here)
            case p.PickCard():
                return self._cards(pick.source, (self.thing.value,), here)
            case p.PickCards():
                return self._several(pick, here)
            case p.PickOne(type=p.Type(kind=p.K.PLAY)):
                return self._play(pick.source, here)
            case p.PickOne():
                return self._one(pick.source, here)

    def nothing(self, pick: p.Pick, here: Here) -> Refusal:
        """That there is nothing to pick at all."""
        if isinstance(pick, p.PickNumber):
            found = self._in_range(-1, pick.lo, pick.hi, here)
            assert not isinstance(found, tuple)
            return found
        base = base_of(pick.source, here)
        if isinstance(base.expr, (p.Plays, p.CardsIn, p.Top)):
            return self._elsewhere(base.expr, (), base.here)
        return NotAmong(self.thing, self.rule, self._members(base, []))

    # ── kinds of things ──────────────────────────────────────────────────────────────────────

    def _in_range(
        self, number: int, low: p.Expr, high: p.Expr, here: Here
    ) -> OutOfRange | tuple[Part, ...]:
        seen = seen_once([low, high], here)
        try:
            ends = here.value(low), here.value(high)
        except Hidden:
            return OutOfRange(self.thing, self.rule, number, 0, 0, seen, hidden=True)
        if ends[0] <= number <= ends[1]:
            return ()
        return OutOfRange(self.thing, self.rule, number, *ends, seen)

    def _several(self, pick: p.PickCards, here: Here) -> Refusal | tuple[Part, ...]:
        found = self._cards(pick.source, self.thing.value, here)
        if not isinstance(found, tuple):
            return found
        try:
            there = len(here.value(pick.source))
            low, high = here.value(pick.lo), min(here.value(pick.hi), there)
        except Hidden:
            seen = seen_once([pick.lo, pick.hi], here)
            return OutOfRange(self.thing, self.rule, 0, 0, 0, seen, hidden=True)
        if low > 0 and not there:
            return self.nothing(pick, here)
        low, count = min(low, there), len(self.thing.value)
        if low <= count <= high:
            return found
        seen = seen_once([pick.lo, pick.hi], here)
        return OutOfRange(self.thing, self.rule, count, low, high, seen)

    def _one(self, source: p.Expr, here: Here) -> Refusal | tuple[Part, ...]:
        """A player, value or number."""
        base = base_of(source, here)
        value = self.thing.value
        if isinstance(base.expr, p.Range):
            outside = self._in_range(value, base.expr.low, base.expr.high, base.here)
            if outside:
                return outside
        elif not isinstance(base.expr, p.EnumAll):
            try:
                members = base.here.value(base.expr)
            except Hidden:
                members = None
            if members is None or value not in members:
                return NotAmong(self.thing, self.rule, self._members(base, members))
        return self._through(base, value, None)

    def _members(self, base: Base, members: list[Any] | None) -> Seen:
        text = source_text(base.here.probe.game.program, base.expr.span)
        text = text.partition(" where ")[0]
        return Seen(text, base.expr.type, members, base.expr.span, members is None)

    def _cards(
        self, source: p.Expr, cards: tuple[tuple[int, int | None], ...], here: Here
    ) -> Refusal | tuple[Part, ...]:
        base = base_of(source, here)
        lying = self._lying(base.expr, [face for face, _ in cards], base.here)
        if isinstance(lying, Elsewhere):
            return lying
        parts: list[Part] = []
        used: Counter[tuple[int, int]] = Counter()
        for face, place in cards:
            spots = [
                spot for spot, count in lying.items()
                if spot[0] == face and place in (None, spot[1]) and count > used[spot]
            ]  # fmt: skip
            if not spots:
                return self._elsewhere(base.expr, (face,), here)
            found: Refusal | tuple[Part, ...] = ()
            refusal: Refusal | None = None
            for spot in spots:
                found = self._through(base, *spot)
                if isinstance(found, tuple):
                    used[spot] += 1
                    break
                refusal = refusal or found
            if not isinstance(found, tuple):
                assert refusal is not None
                return refusal
            parts += found
        return tuple(dict.fromkeys(parts))

    def _lying(
        self, expr: p.Expr, faces: list[int], here: Here
    ) -> Counter[tuple[int, int]] | Elsewhere:
        """The cards of a base, by face and place."""
        try:
            return Counter(here.value(expr))
        except Hidden:
            return self._elsewhere(expr, tuple(faces), here, hidden=True)

    def _elsewhere(
        self, expr: p.Expr, faces: tuple[int, ...], here: Here, *, hidden: bool = False
    ) -> Elsewhere:
        return Elsewhere(self.thing, self.rule, places_text(expr, here), faces, hidden=hidden)

    def _play(self, source: p.Expr, here: Here) -> Refusal | tuple[Part, ...]:
        base = base_of(source, here)
        wanted, faces, *named = self.thing.value
        if not isinstance(base.expr, p.Plays):  # plays that something else lists
            try:
                listed = [play for play in base.here.value(base.expr) if play[0][1] == faces]
            except Hidden:
                listed = []
            if not listed:
                return self._elsewhere(base.expr, faces, here)
            return self._through(base, *listed[0])
        lying = self._lying(base.expr.source, list(faces), base.here)
        if isinstance(lying, Elsewhere):
            return lying
        missing = Counter(faces)
        missing.subtract(Counter(face for face, _ in lying.elements()))
        if absent := tuple(missing.elements()):
            return self._elsewhere(base.expr.source, tuple(absent), base.here)
        game = here.probe.game
        allowed = [game.shapes.names.index(name) for name in base.expr.shapes]
        allowed = [s for s in allowed if wanted in (None, s)]
        cards = [(face, pid) for face, pid in lying.elements() if face in faces]
        plays = [
            (play, pids)
            for play, pids in game.shapes.placed(cards, allowed, len(faces))
            if play[1] == faces
        ]
        if not plays:
            return Misfit(self.thing, self.rule, tuple(unfit(game, s, faces) for s in allowed))
        refusals = []
        for play, pids in [q for q in plays if named in ([], [q[1]])] or plays:
            found = self._through(base, play, pids[0] if len(set(pids)) == 1 else pids)
            if isinstance(found, tuple):
                return found
            refusals.append(found)
        return refusals[0]

    # ── layers ───────────────────────────────────────────────────────────────────────────────

    def _through(
        self, base: Base, value: Any, place: int | tuple[int, ...] | None
    ) -> Refusal | tuple[Part, ...]:
        """The first layer that keeps an element out; else the conditions that it meets."""
        met: list[Part] = []
        for layer, here in base.layers:
            inside = here.with_(layer.var, value, place)
            if isinstance(layer, p.Best):
                beaten = self._best(layer, here, inside)
                if beaten is not None:
                    return beaten
                continue
            held, parts = explain(layer.condition, inside)
            if held is not True:
                return Refused(self.thing, self.rule, parts)
            met += parts
        return tuple(met)

    def _best(self, layer: p.Best, here: Here, inside: Here) -> Refusal | None:
        """Whether others come before an element under the key."""
        key, kind = layer.key, layer.source.type
        placed = kind.kind is p.K.CARDS or kind.name == "play"
        mine = next(iter(look(key.expr, inside)))
        try:
            if mine.hidden:
                raise Hidden
            others = []
            for item in here.value(layer.source):
                each = here.with_(layer.var, *item) if placed else here.with_(layer.var, item)
                others.append(each.value(key.expr))
        except Hidden:
            return Beaten(self.thing, self.rule, mine, None, key.largest)
        known = [other for other in others if other is not None]
        best = (max if key.largest else min)(known, default=None)
        if mine.value == best:
            return None
        body, steps = key.expr, here.steps
        while isinstance(body, p.Call):
            body, deeper = inside.into(body)
            steps = deeper.steps
        return Beaten(self.thing, self.rule, mine, best, key.largest, steps)


def base_of(expr: p.Expr, here: Here) -> Base:
    """The base of a collection, and the layers around it."""
    match expr:
        case p.Sorted():
            return base_of(expr.source, here)
        case p.Filter() | p.Best():
            inner = base_of(expr.source, here)
            return Base(inner.expr, inner.here, (*inner.layers, (expr, here)))
        case p.Call():
            return base_of(*here.into(expr))
        case p.Conditional():
            chosen, _ = explain(expr.condition, here)
            if chosen is None:
                return Base(expr, here, ())
            return base_of(expr.then if chosen else expr.otherwise, here)
        case _:
            return Base(expr, here, ())


def places_text(expr: p.Expr, here: Here) -> str:
    """The places cards come from, as the rules say it."""
    program = here.probe.game.program
    if isinstance(expr, p.CardsIn):
        return " + ".join(source_text(program, ref.span) for ref in expr.places)
    if isinstance(expr, p.Plays):
        return places_text(expr.source, here)
    return source_text(program, expr.span)
