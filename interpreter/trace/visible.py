"""Whether others see the cards of a choice that was taken, by the places they come from.

Used by the recorder. What can't be told from the Program counts as unseen: the move that follows
shows the card to those who may see it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dsl import program as p
from interpreter.describe import choices

if TYPE_CHECKING:
    from interpreter.binding import PlaceInst
    from interpreter.game import Game


def shown(game: Game, path: str, raw: Any, viewer: int) -> bool:
    """Whether the viewer sees the cards of an option another player took."""
    number, value = (0, raw) if game.choice_at(path).nameless else raw
    info = game.choice_at(path).branches[number]
    if info.kind not in ("card", "cards", "play"):
        return True
    if info.placed:
        faces = len(game.faces)
        match info.kind:
            case "play":
                spots = value[-1]
            case "cards":
                spots = [card // faces for card in value]
            case _:
                spots = [value // faces]
        return all(_looks_into(game.places[pid], viewer) for pid in spots)
    pick = choices(game.program)[path].branches[number].pick
    if pick is None or isinstance(pick, p.PickNumber):
        return True
    places = _places(game.program, pick.source)
    return places is not None and all(game.program.places[q].sight == "up" for q in places)


def _looks_into(place: PlaceInst, viewer: int) -> bool:
    return place.sight == "up" or (place.sight == "private" and place.player == viewer)


def _places(program: p.Program, source: p.Expr) -> set[str] | None:
    """The places cards of a collection come from; None where that can't be told."""
    match source:
        case p.CardsIn():
            return {place.place for place in source.places}
        case p.Top():
            return {source.place.place}
        case p.Without() | p.Filter() | p.Sorted() | p.Best() | p.First() | p.Plays():
            return _places(program, source.source)
        case p.Conditional():
            return _join(_places(program, source.then), _places(program, source.otherwise))
        case p.Call():
            return _places(program, program.values[source.value].body)
        case _:
            return None


def _join(one: set[str] | None, other: set[str] | None) -> set[str] | None:
    return None if one is None or other is None else one | other
