"""Bots know what their player may know, and no more.

A place face up is seen by all, a private one by its owner; of any other place a bot may know how
many cards lie there. So wherever a bot reads cards, it is looked which player's place it is: that
must be `me`, through all named values. Secret answers of others are none of its business either.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import attrs
from attrs import define, field

from dsl import program as p
from dsl.context import Context
from dsl.walk import everything, fields, walk

Mine: TypeAlias = frozenset[int]
"""ids of variables that are surely the bot's player"""


def bots_that_peek(program: p.Program, c: Context) -> None:
    """Bots that read what their player can't know, or a fraction where there is none."""
    secret = {node.choice.origin.path for node in everything(program) if isinstance(node, p.AtOnce)}
    for bot in program.bots.values():
        looks = _Looks(program, bot, c)
        mine = frozenset([bot.me.id])
        for choice in bot.choices:
            for wish in choice.wishes:
                keys = tuple(key.expr for key in wish.keys)
                looks.at((wish.where, keys, wish.score, wish.when), mine)
        for trigger in bot.triggers:
            looks.at(trigger.body, mine | {trigger.they.id} if trigger.mine else mine)
            if not trigger.mine and trigger.path in secret:
                c.findings.error(
                    "R0703",
                    "all answer this choice in secret, so a bot can't know what others choose",
                    trigger.span,
                    suggestion="look at the places the cards go to, or write `on my …`",
                )


@define(eq=False)
class _Looks:
    program: p.Program
    bot: p.Bot
    c: Context
    seen: set[tuple[str, Mine]] = field(factory=set)  # values looked through
    told: set[p.Span] = field(factory=set)
    call: p.Span | None = None  # in the bot's own lines, of the value being looked through

    def at(self, node: Any, mine: Mine) -> None:
        match node:
            case tuple():
                for part in node:
                    self.at(part, mine)
            case p.Count(source=p.CardsIn() as cards) | p.Any_(source=p.CardsIn() as cards):
                for place in cards.places:  # how many there are is known to all
                    self.inside(place, mine)
            case p.PlaceRef():
                self.place(node, mine)
                self.inside(node, mine)
            case p.PlacesOf():
                if self.program.places[node.place].sight != "up":
                    self.hidden(node)
                self.inside(node, mine)
            case p.Call():
                self.inside(node, mine)
                self.value(node, mine)
            case p.Top() | p.Range():
                ends = (node.count,) if isinstance(node, p.Top) else (node.low, node.high)
                self.whole(ends)
                self.inside(node, mine)
            case _ if attrs.has(type(node)) and not isinstance(node, p.Var | p.Type):
                self.inside(node, mine)

    def inside(self, node: Any, mine: Mine) -> None:
        for part in _parts(node):
            self.at(part, mine)

    def value(self, call: p.Call, mine: Mine) -> None:
        """The body of a named value, with those of its parameters that are `me`."""
        value = self.bot.values.get(call.value) or self.program.values[call.value]
        pairs = zip(value.params, call.args, strict=True)
        inner = frozenset(v.id for v, a in pairs if isinstance(a, p.VarRef) and a.var.id in mine)
        if (call.value, inner) in self.seen:
            return
        self.seen.add((call.value, inner))
        before = self.call
        if self.call is None and call.value not in self.bot.values:
            self.call = call.span
        self.at(value.body, inner)
        self.call = before

    def place(self, ref: p.PlaceRef, mine: Mine) -> None:
        sight = self.program.places[ref.place].sight
        owner = ref.player
        own = isinstance(owner, p.VarRef) and owner.var.id in mine
        if sight == "down" or (sight == "private" and not own):
            self.hidden(ref)

    def hidden(self, ref: p.PlaceRef | p.PlacesOf) -> None:
        span = self.call or ref.span
        if span in self.told:
            return
        self.told.add(span)
        place = self.program.places[ref.place]
        who = "nobody sees" if place.sight == "down" else "only its owner sees"
        related = [(place.origin.span, f"`{ref.place}` is declared here")]
        if self.call is not None:
            related.insert(0, (ref.span, "it is looked at here"))
        self.c.findings.error(
            "R0703",
            f"{who} what lies in `{ref.place}`, so this bot can't know it",
            span,
            "a bot may read its own hand, open places, how many cards lie anywhere, what it "
            "remembers",
            related=related,
        )

    def whole(self, numbers: tuple[Any, ...]) -> None:
        """Where only whole numbers make sense."""
        for node in walk(numbers):
            inexact = isinstance(node, p.Setting | p.Noise)
            inexact |= isinstance(node, p.Const) and isinstance(node.value, float)
            inexact |= isinstance(node, p.Binary) and node.op == "/"
            if inexact:
                hint = "`… / … rounded down` is whole"
                self.c.findings.error(
                    "R0711", "a whole number is needed here", node.span, suggestion=hint
                )
                return


def _parts(node: Any) -> Iterator[Any]:
    for name in fields(type(node)):
        yield getattr(node, name)
