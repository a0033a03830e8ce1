"""A State as it may be, for all one player knows: used by bots that look ahead.

What the player can't see is dealt anew (`knowledge.redeal`); variables of rules under way and
other players' knowledge follow the cards to their new faces; secret answers of others are drawn
anew among what they could answer; the seed is new, so that nothing of the future shows.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dsl.diagnostics import RulesError
from interpreter import knowledge

if TYPE_CHECKING:
    from interpreter.state import State


class Worlds:
    """Many States that may be the true one, for a search from one decision of a player's own.

    Each `draw` is a sample like `State.determinize`, but carries no knowledge: whatever players
    know is left out, as rules never read it, and what is the same for all samples is worked out
    once. A world is for playing out, not for asking what somebody knows.
    """

    def __init__(self, state: State, player: int) -> None:
        """`player` must be the one who is asked."""
        assert state.player == player, "worlds are drawn at the player's own decision"
        self._player = player
        facts = state.facts()
        self._base = state.clone()
        self._base.kn.clear()
        binding = state.game.binding
        self._hidden = knowledge.Hidden(state.P, binding.sees, facts, player)
        self._sorted = frozenset(
            pid for pid in self._hidden.places if binding.places[pid].kind == "hand"
        )
        self._in_flight = [
            slots for slots in state.game.card_slots if getattr(state, slots[1]) in self._hidden
        ]
        self._secret = state.game.choices[state.pc].at_once and bool(state.pend)
        self._spot = _spot(state)
        self._state = state

    def draw(self, rng: random.Random) -> State:
        """A State at the same decision, with the same options for the player."""
        for _ in range(DEALS if self._secret else 1):
            world = self._base.clone()
            deal = self._hidden.deal(rng)
            if self._in_flight:
                _follow(world, self._base.P, deal)
            for pid, faces in deal.items():
                world.P[pid] = sorted(faces) if pid in self._sorted else faces
            world.seed = rng.getrandbits(64)
            if not self._secret:
                return world
            try:
                _answer_anew(world, self._player, rng)
            except RulesError:
                continue
            if world.moves and _spot(world) == self._spot:
                return world
        world = self._state.determinize(self._player, rng)
        world.kn.clear()
        return world


DEALS = 100  # tries to find a deal in which the player who is asked has something to choose


def redealt(state: State, player: int, rng: random.Random) -> State:
    """See `State.determinize`.

    That somebody is asked tells everybody that they have something to choose; deals in which they
    would not are dealt again. Where none is found, those who are asked keep their cards.
    """
    for _ in range(DEALS):
        copy = _dealt(state, player, rng, ())
        if copy is not None:
            return copy
    sees = state.game.binding.sees
    asked = [i for i, mask in enumerate(sees) if mask >> (state.player or 0) & 1]
    keep = [(i, j) for i in asked if not sees[i] >> player & 1 for j in range(len(state.P[i]))]
    copy = _dealt(state, player, rng, keep)
    assert copy is not None, "with the true cards something can be chosen"
    return copy


def _dealt(
    state: State, player: int, rng: random.Random, keep: Iterable[tuple[int, int]]
) -> State | None:
    """One deal; None if what is asked could not be asked then."""
    game = state.game
    binding = game.binding
    copy = state.clone()
    facts = copy.facts()
    old = [list(place) for place in copy.P]
    deal = knowledge.redeal(old, binding.sees, facts, player, rng, keep=keep)
    new_facts = knowledge.remap(facts, player, old, deal, binding.sees)
    copy.kn[:] = [("facts", tuple(new_facts))] if new_facts else []
    _follow(copy, old, deal)
    for pid, faces in deal.items():
        copy.P[pid][:] = sorted(faces) if binding.places[pid].kind == "hand" else faces
    copy.seed = rng.getrandbits(64)
    if copy.player is None:
        return copy
    try:
        if game.choices[copy.pc].at_once and copy.pend:
            _answer_anew(copy, player, rng)
        elif copy.player != player:
            copy.moves = ()
            game.ask_again(copy)
    except RulesError:  # nothing to choose where something must be
        return None
    same = copy.moves and _spot(copy) == _spot(state)
    return copy if same else None


def _spot(state: State) -> tuple[Any, ...]:
    """Where a game stands: what is asked of whom, when, and how many have answered in secret."""
    return state.pc, state.player, len(state.pend), state.coordinates


def _follow(copy: State, old: list[list[int]], deal: dict[int, list[int]]) -> None:
    """Give card variables in flight the new faces of their cards."""
    used: dict[int, set[int]] = {}
    for value_slot, place_slot in copy.game.card_slots:
        pid = getattr(copy, place_slot)
        if pid not in deal:
            continue
        value = getattr(copy, value_slot)
        taken = used.setdefault(pid, set())
        if isinstance(value, int):
            setattr(copy, value_slot, _new_face(value, old[pid], deal[pid], taken))
        elif isinstance(value, tuple):
            setattr(copy, value_slot, _new_faces(copy, value, old[pid], deal[pid], taken))


def _new_face(face: int, old: list[int], new: list[int], taken: set[int]) -> int:
    for i, other in enumerate(old):
        if other == face and i not in taken:
            taken.add(i)
            return new[i]
    return face


def _new_faces(
    copy: State, value: tuple[Any, ...], old: list[int], new: list[int], taken: set[int]
) -> tuple[Any, ...]:
    if len(value) > 2 and isinstance(
        value[1], tuple
    ):  # a play: its cards are seen before it counts
        return value
    return tuple(sorted(_new_face(face, old, new, taken) for face in value))


def _answer_anew(copy: State, player: int, rng: random.Random) -> None:
    """Ask everyone again who has answered in secret; only the player's own answer is kept."""
    mine = {who: raw for who, raw in copy.game.pending(copy) if who == player}
    number, answers = copy.pc, len(copy.pend)
    copy.pend = ()
    copy.game.ask_again(copy)
    for _ in range(answers):
        if copy.pc != number or len(copy.pend) >= answers:
            return  # others were passed over, having nothing to choose; such a deal is not taken
        assert copy.player is not None
        raw = (
            mine[copy.player] if copy.player in mine else copy.moves[rng.randrange(len(copy.moves))]
        )
        copy.apply(raw)
