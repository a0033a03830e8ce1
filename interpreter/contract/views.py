"""What players see and know: true, no less than they may and no more."""

from __future__ import annotations

from random import Random

from interpreter.contract.answers import check_answers
from interpreter.contract.promises import require
from interpreter.contract.table import Kept
from interpreter.state import State


def check_view(kept: Kept, state: State, player: int, rng: Random) -> None:
    """What a player sees is the same in any State that the player may be in, and a copy dealt for
    the player depends on nothing but what the player sees."""
    name = f"P{player + 1}"
    view = state.view(player)
    hash(view)
    check_sight(state, player)
    copy = state.determinize(player, rng)
    kept.check(copy)
    check_facts(copy, rng.randrange(kept.game.players))
    again = copy.clone()
    state.game.ask_again(again)
    require(
        "views", list(again.moves) == list(copy.moves), "a copy offers what its cards do not allow"
    )
    require("views", copy.seed != state.seed, "a determinized copy has the game's own seed")
    require(
        "views", copy.view(player) == view, f"swapping cards that {name} can't see changes its view"
    )
    if state.player == player:
        check_answers(state, copy)
    number = rng.getrandbits(32)
    one, other = (s.determinize(player, Random(number)) for s in (state, copy))
    require("views", one.P == other.P, f"a deal for {name} depends on cards {name} can't see")
    require(
        "views",
        (one.seed, list(one.moves), one.pend) == (other.seed, list(other.moves), other.pend),
        f"a copy for {name} depends on cards {name} can't see",
    )


def check_sight(state: State, player: int) -> None:
    """A view shows the cards of the places its player sees, and the sizes of all."""
    view, sees = state.view(player), state.game.binding.sees
    for seen, cards in zip(view.places, state.P, strict=True):
        shown = tuple(cards) if sees[seen.place] >> player & 1 else None
        require(
            "views", (seen.size, seen.cards) == (len(cards), shown), "a view shows a place wrongly"
        )
    mine = tuple(state.moves) if state.player == player else ()
    require("views", view.options == mine, "a view shows options wrongly")
    hidden = {place for place, mask in enumerate(sees) if not mask >> player & 1}
    about = all(hidden & set(places) for _, places in view.known)
    require("views", about, "something is known of no hidden place")
    check_facts(state, player)


def check_facts(state: State, player: int) -> None:
    """What a player knows of hidden cards is true, each fact of a card of its own."""
    taken: dict[tuple[int, int], int] = {}
    facts = state.view(player).known
    lying: dict[int, list[tuple[int, int]]] = {}
    for place, cards in enumerate(state.P):
        for index, face in enumerate(cards):
            lying.setdefault(face, []).append((place, index))

    def find(fact: int, tried: set[tuple[int, int]]) -> bool:
        face, places = facts[fact]
        for spot in lying.get(face, ()):
            if spot[0] in places and spot not in tried:
                tried.add(spot)
                if spot not in taken or find(taken[spot], tried):
                    taken[spot] = fact
                    return True
        return False

    for fact in range(len(facts)):
        require("views", find(fact, set()), f"P{player + 1} knows something false")
