"""Choices of cards that who chooses does not see: the options would show them."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import program as p
from dsl.context import Context
from dsl.walk import everything


def unseen_choices(program: p.Program, c: Context) -> None:
    """Choices of a card from a place that surely lies hidden from who is asked. A place that some
    rule reveals is left alone."""
    revealed = {
        place.place
        for node in everything(program)
        if isinstance(node, p.Reveal)
        for place in node.places
    }
    for choice in everything(program):
        if not isinstance(choice, p.Choose):
            continue
        for branch in choice.branches:
            for place in _picked_from(program, branch.pick):
                if place.place not in revealed:
                    _look(program, c, choice, place)


def _picked_from(program: p.Program, pick: p.Pick | None) -> Iterator[p.PlaceRef | p.PlacesOf]:
    """The places that cards, or plays, are picked from."""
    match pick:
        case p.PickCard() | p.PickCards() | p.PickOne(type=p.Type(kind=p.K.PLAY)):
            yield from _places(program, pick.source)


def _look(program: p.Program, c: Context, choice: p.Choose, place: p.PlaceRef | p.PlacesOf) -> None:
    declared = program.places[place.place]
    if declared.sight == "down":
        who, hint = (
            "nobody sees",
            f"`reveal {place.place}` first, or take `top of` it without asking",
        )
    elif declared.sight == "private" and _of_another(choice.chooser, place):
        who = "only its owner sees"
        hint = (
            f"let its owner choose (`they choose … from their {place.place}`), or `reveal` it first"
        )
    else:
        return
    c.findings.error(
        "R0412",
        f"who chooses doesn't see these cards: `{place.place}` is a place {who}",
        place.span,
        related=[(declared.origin.span, f"`{place.place}` is declared here")],
        suggestion=hint,
    )


def _of_another(chooser: p.Expr, place: p.PlaceRef | p.PlacesOf) -> bool:
    """Whether a place is surely not, or not only, the chooser's."""
    if isinstance(place, p.PlacesOf):
        return True
    owner = place.player
    return owner is not None and (_beside(owner, chooser) or _beside(chooser, owner))


def _beside(one: p.Expr, other: p.Expr) -> bool:
    """Whether the one is the next player after the other."""
    match one, other:
        case p.First(source=p.Players(start=p.VarRef(var=var), after=True)), p.VarRef(var=same):
            return var is same
    return False


def _places(program: p.Program, source: p.Expr) -> Iterator[p.PlaceRef | p.PlacesOf]:
    match source:
        case p.CardsIn(places=places):
            yield from places
        case p.Top(place=place):
            yield place
        case p.Filter() | p.Sorted() | p.Best() | p.Without() | p.First() | p.Plays():
            yield from _places(program, source.source)
        case p.PlayPart(play=play):
            yield from _places(program, play)
        case p.Call(value=name):
            yield from _places(program, program.values[name].body)
