"""A game set up as somebody describes it: for examples in rulesets, tests, and puzzles.

Used by `interpreter.example_given` and the tests of the rule sheets. Names are the English labels
of `interpreter.labels`; what is not named keeps the value it has at the game's first choice, cards
named are taken from wherever they lie (shared places first, then by place), and the rest stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from interpreter.binding import PlaceInst
from interpreter.game import Game, slot_name, track_slot
from interpreter.state import State

Owner = int | None


def place_cards(state: State, place: str, player: Owner, labels: Sequence[str]) -> None:
    """Have exactly these cards in a place; what else lay there goes under the first place."""
    game = state.game
    pid = game.binding.place_base[place] + (player or 0)
    rest = game.binding.places[0].index
    if rest != pid:
        state.P[rest][:0] = state.P[pid]
    state.P[pid].clear()
    for label in labels:
        face = face_index(game, label)
        _take(state, face, not_from=pid)
        state.P[pid].append(face)
    if game.binding.places[pid].kind == "hand":
        state.P[pid].sort()


def stack(state: State, place: str, labels: Sequence[str]) -> None:
    """Put cards on top of a shared pile, the first one topmost; the rest of it stays under them."""
    pid = state.game.binding.place_base[place]
    for label in reversed(labels):
        face = face_index(state.game, label)
        _take(state, face, not_from=-1)
        state.P[pid].append(face)


def clear(state: State, place: str, player: Owner, to: tuple[str, Owner]) -> None:
    """Put everything that lies in a place under what lies in another."""
    base, game = state.game.binding.place_base, state.game
    source, target = (base[name] + (owner or 0) for name, owner in ((place, player), to))
    state.P[target][:0] = state.P[source]
    state.P[source].clear()
    if game.binding.places[target].kind == "hand":
        state.P[target].sort()


@frozen
class Laid:
    """Exactly these faces lie in a place (by its number); `top`: on top of what lies there."""

    place: int
    faces: tuple[int, ...]
    top: bool = False


def lay_out(state: State, laid: Sequence[Laid]) -> None:
    """Have cards lie as told, all at once: what is laid in one place is not taken for another.

    What else lay in these places goes under the first place; if that is itself among them, the
    game goes on without these cards. Piles and rows are told in the order the cards came; what is
    on top, from the top down. Raises ValueError if a card is nowhere else.
    """
    rest = state.game.binding.places[0].index
    fixed = {one.place for one in laid if not one.top}
    aside = state.P[rest][:] if rest in fixed else []
    for pid in sorted(fixed):
        if rest in fixed:
            aside += state.P[pid] if pid != rest else []
        else:
            state.P[rest][:0] = state.P[pid]
        state.P[pid].clear()
    order = sorted((q for q in state.game.places if q.index not in fixed), key=_shared_first)
    piles = [aside, *(state.P[q.index] for q in order)]
    for one in laid:
        for face in reversed(one.faces) if one.top else one.faces:
            source = next((pile for pile in piles if face in pile), None)
            if source is None:
                raise ValueError(f"no {state.game.face_label(face)} is left")
            source.remove(face)
            state.P[one.place].append(face)
    for inst in state.game.places:
        if inst.kind == "hand":
            state.P[inst.index].sort()


def _shared_first(inst: PlaceInst) -> tuple[bool, int]:
    return inst.player is not None, inst.index


def lying(state: State, place: str, player: Owner = None) -> list[str]:
    """The labels of the cards in a place, in its order (hands sorted, piles from the bottom up)."""
    pid = state.game.binding.place_base[place] + (player or 0)
    return [state.game.face_label(face) for face in state.P[pid]]


def tokens(state: State, holder: str, player: Owner = None) -> int:
    """How many tokens a holder has."""
    count = dict(state.game.token_counts(state))[holder]
    if isinstance(count, int):
        return count
    assert player is not None
    return count[player]


def offered(state: State) -> list[str]:
    """The labels of what can be chosen now; empty when the game is over."""
    decision = state.decision
    return [] if decision is None else [option.label for option in decision.options]


def answer(state: State, *labels: str) -> None:
    """Answer one choice after another with the options of these labels.

    Raises ValueError, with what is offered, if one is not.
    """
    for label in labels:
        there = offered(state)
        if label not in there:
            raise ValueError(f"{label!r} is not offered, but: {', '.join(there) or 'nothing'}")
        state.apply(state.moves[there.index(label)])


def face_index(game: Game, label: str) -> int:
    """The face with a label. Raises ValueError if there is none."""
    for face in game.faces:
        if game.face_label(face.index) == label:
            return face.index
    raise ValueError(f"there is no card {label!r}")


def _take(state: State, face: int, not_from: int) -> None:
    order = sorted(
        state.game.places, key=lambda q: (q.index == not_from, q.player is not None, q.index)
    )
    for inst in order:
        if face in state.P[inst.index]:
            state.P[inst.index].remove(face)
            return
    raise ValueError(f"no {state.game.face_label(face)} is left")


def set_tokens(state: State, holder: str, player: Owner, count: int) -> None:
    """Give a holder so many tokens."""
    name = slot_name("t_", holder, state.game.program.holders)
    if player is None:
        setattr(state, name, count)
    else:
        getattr(state, name)[player] = count


def set_mark(state: State, mark: str, players: Iterable[int] | bool) -> None:
    """Set a shared mark, or have exactly these players marked."""
    value = players if isinstance(players, bool) else sum(1 << q for q in players)
    setattr(state, slot_name("m_", mark, state.game.program.marks), value)


def set_track(state: State, track: str, value: object) -> None:
    """Set a shared tracked value (a player's number, an enum value's index, a play …)."""
    setattr(state, track_slot(state.game.program, track), value)


def set_roles(state: State, roles: Mapping[str, int]) -> None:
    """Turn the ring of roles so that these players hold these roles. Raises ValueError if it
    can't be turned so."""
    decl = state.game.program.roles
    assert decl is not None
    ring: list[int | None] = state.ring  # type: ignore[attr-defined]
    names = [names.name for names in decl.names]
    seats = decl.ring(state.game.players).seats
    for _ in range(seats):
        if all(ring[player] == names.index(role) for role, player in roles.items()):
            return
        ring[:seats] = [ring[seats - 1], *ring[: seats - 1]]
    raise ValueError("the ring of roles can't lie so")


def play_of(state: State, shape: str, labels: Sequence[str]) -> tuple[object, ...]:
    """The play that cards with these labels make in a shape."""
    game = state.game
    faces = tuple(sorted(face_index(game, label) for label in labels))
    return game.shapes.make(game.shapes.names.index(shape), faces)
