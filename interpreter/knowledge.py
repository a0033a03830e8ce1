"""Who knows where cards lie: pure functions on plain data, used by `interpreter.state`.

A face is an int, a place is its index (place id), players are bits of a mask. `sees[place]` is the
mask of the players who see that place. A fact

    (face, places, knowers, witnesses)

says: each of the knowers knows that a card of this face lies in one of these places (bit i = place
i). Distinct facts of one knower are about distinct cards. The witnesses are those who saw the face
when the knowers learned of it, so they know that it is known.

The rules, for each observer alone:

*   A move the observer sees to a place hidden from them makes a fact about the target. If the
    source is hidden from them too, it first uses up one of their facts that the moved card may
    have been: that with the fewest places. The others it may have been then spread over its
    places as well, since any of them may be the one that was used up.
*   A move the observer does not see adds the target to all their facts about the source, whatever
    moved.
*   A reveal of a place is everything in it, seen: its cards use up facts as if they moved, and what
    is left of older facts is not about this place.
*   A place that is empty holds nothing: facts forget it. (Sizes are public.)

So a fact is kept, weakened or dropped by what the observer saw and by nothing else, and is never
false. Facts about places the observer sees are not kept.

Facts are kept in a canonical form: sorted, and equal facts of several knowers are one, so that
equal knowledge compares equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Literal, TypeAlias

Fact: TypeAlias = tuple[int, int, int, int]
"""face, places mask, knowers mask, witnesses mask"""

MoveEntry: TypeAlias = tuple[Literal["move"], tuple[int, ...], int, int, int]
"""faces, source, target, mask of the players who see the faces"""
RevealEntry: TypeAlias = tuple[Literal["reveal"], int, tuple[int, ...]]
"""place, all the faces in it: everyone sees them now"""
Entry: TypeAlias = MoveEntry | RevealEntry

_Own: TypeAlias = tuple[int, int, int]  # one player's fact: face, places, witnesses
_Slot: TypeAlias = tuple[int, int]  # place, index in it
_Places: TypeAlias = Mapping[int, Sequence[int]] | Sequence[Sequence[int]]


def fold(
    facts: Iterable[Fact],
    log: Sequence[Entry],
    sees: Sequence[int],
    *,
    sizes: Sequence[int] | None = None,
    everyone: int = 0,
) -> list[Fact]:
    """The facts after what the log says, in canonical form.

    `sizes` are the numbers of cards in the places after the log; without them facts do not forget
    empty places. `everyone` is the mask of all players; without it, of those who see something.
    Folding a log in pieces gives the same as folding it whole.
    """
    before = list(facts)
    minds = _minds(before, everyone or _crowd(before, log, sees))
    counts = None if sizes is None else _sizes_before(sizes, log)
    for entry in log:
        if entry[0] == "move":
            _, faces, source, target, seen = entry
            seen |= sees[source] | sees[target]
            for player, mind in minds.items():
                if seen >> player & 1:
                    if not sees[source] >> player & 1:
                        for face in faces:
                            _use_up(mind, face, source, seen)
                    if not sees[target] >> player & 1:
                        mind.extend((face, 1 << target, seen) for face in faces)
                else:
                    _weaken(mind, source, target)
            if counts is not None:
                counts[source] -= len(faces)
                counts[target] += len(faces)
                if not counts[source]:
                    for mind in minds.values():
                        _forget(mind, source)
        else:
            _, place, faces = entry
            witnesses = sum(1 << player for player in minds)
            for player, mind in minds.items():
                if not sees[place] >> player & 1:
                    for face in faces:
                        _use_up(mind, face, place, witnesses)
                    _forget(mind, place)
                    mind.extend((face, 1 << place, witnesses) for face in faces)
    return _merged(minds)


def known(facts: Iterable[Fact], player: int) -> list[tuple[int, int]]:
    """What a player knows of cards they do not see: (face, places mask), sorted."""
    return sorted((face, places) for face, places, knowers, _ in facts if knowers >> player & 1)


def redeal(
    places: Sequence[Sequence[int]],
    sees: Sequence[int],
    facts: Iterable[Fact],
    observer: int,
    rng: Random,
    *,
    keep: Iterable[tuple[int, int]] = (),
) -> dict[int, list[int]]:
    """New contents of each place the observer does not see, as the observer can imagine them.

    Place sizes, the hidden faces together and all of the observer's facts stay true. The card at an
    index of a place becomes the new one at that index. The sample is uniform over the ways to lay
    each known card in one of its places and the others anywhere (nearly so where known cards of
    several possible places compete for space), and depends on nothing but what the observer knows
    and `rng`: not on which hidden card lies where, nor on the order within a place.

    `keep` are slots (place, index) whose cards the observer knows to lie exactly there.
    """
    return Hidden(places, sees, facts, observer, keep=keep).deal(rng)


class Hidden:
    """What one observer can't see, ready to be dealt anew many times (see `redeal`)."""

    def __init__(
        self,
        places: Sequence[Sequence[int]],
        sees: Sequence[int],
        facts: Iterable[Fact],
        observer: int,
        *,
        keep: Iterable[tuple[int, int]] = (),
    ) -> None:
        self.places = [i for i in range(len(places)) if not sees[i] >> observer & 1]
        kept = {slot: places[slot[0]][slot[1]] for slot in sorted(keep)}
        self._now = {i: list(places[i]) for i in self.places}
        slots = [(i, j) for i in self.places for j in range(len(places[i])) if (i, j) not in kept]
        pool = Counter(places[i][j] for i, j in slots)
        self._wanted = _unkept(known(facts, observer), kept)
        pool.subtract(face for face, _ in self._wanted)
        if any(count < 0 for count in pool.values()):
            raise ValueError("the facts do not fit the hidden cards")
        self._slots = slots
        # what may lie in any of the slots is as good as not known
        everywhere = sum(1 << place for place in {place for place, _ in slots})
        anywhere = [face for face, mask in self._wanted if not everywhere & ~mask]
        self._wanted = [(face, mask) for face, mask in self._wanted if everywhere & ~mask]
        self._masks = [mask for _, mask in self._wanted]
        pool.update(anywhere)
        self._loose = [face for face, count in sorted(pool.items()) for _ in range(count)]
        self._plain = not self._wanted and not kept

    def __contains__(self, place: object) -> bool:
        return place in self._now

    def deal(self, rng: Random) -> dict[int, list[int]]:
        """One deal: the new contents of each hidden place."""
        draw = rng.random
        keys = [draw() for _ in self._loose]
        loose = [face for _, face in sorted(zip(keys, self._loose, strict=True))]
        if self._plain:
            return self._cut(loose)
        taken = _seat(self._masks, self._slots, rng)
        deal = {i: list(cards) for i, cards in self._now.items()}
        for index, (i, j) in enumerate(self._slots):
            known_card = taken.get(index)
            deal[i][j] = loose.pop() if known_card is None else self._wanted[known_card][0]
        return deal

    def _cut(self, loose: list[int]) -> dict[int, list[int]]:
        """Shuffled cards into places of the same sizes as now."""
        deal, start = {}, 0
        for place, cards in self._now.items():
            end = start + len(cards)
            deal[place] = loose[start:end]
            start = end
        return deal


def remap(
    facts: Iterable[Fact],
    observer: int,
    old_places: Sequence[Sequence[int]],
    new_places: _Places,
    sees: Sequence[int],
) -> list[Fact]:
    """The facts of everybody after a redeal for an observer (`new_places` as it returned them).

    The observer's own facts stay, and so do those of others that the observer shares, witnessed or
    sees to be true. Any other fact goes over to the card that now lies where its card lay, and is
    true of that. Others keep as many facts as before, about the same places, as far as distinct
    cards can be found for them.
    """
    before = list(facts)
    deal = [old if sees[i] >> observer & 1 else new_places[i] for i, old in enumerate(old_places)]
    everyone = 0
    for _, _, knowers, _ in before:
        everyone |= knowers
    shared = Counter((face, places) for face, places in known(before, observer))
    seen_places = sum(1 << i for i, mask in enumerate(sees) if mask >> observer & 1)
    minds = _minds(before, everyone)
    for player, mind in minds.items():
        if player != observer:
            left = shared.copy()
            staying: list[_Own] = []
            moving: list[_Own] = []
            for fact in sorted(mind):
                face, places, witnesses = fact
                if witnesses >> observer & 1 or not places & ~seen_places:
                    staying.append(fact)
                elif left[face, places] > 0:
                    left[face, places] -= 1
                    staying.append(fact)
                else:
                    moving.append(fact)
            minds[player] = _carry(staying, moving, old_places, deal)
    return _merged(minds)


# ── one player's facts ───────────────────────────────────────────────────────────────────────


def _use_up(mind: list[_Own], face: int, source: int, seen: int) -> None:
    """A card of this face, at `source`, is seen: one of the facts that may be about it goes."""
    candidates = [i for i, fact in enumerate(mind) if fact[0] == face and fact[1] >> source & 1]
    if not candidates:
        return
    used = min(candidates, key=lambda i: (mind[i][1].bit_count(), mind[i]))
    _, places, witnesses = mind[used]
    for i in candidates:
        if places & ~mind[i][1]:
            mind[i] = (face, mind[i][1] | places, mind[i][2] & witnesses & seen)
    del mind[used]


def _weaken(mind: list[_Own], source: int, target: int) -> None:
    """Something went from `source` to `target` unseen."""
    for i, (face, places, witnesses) in enumerate(mind):
        if places >> source & 1:
            mind[i] = (face, places | 1 << target, witnesses)


def _forget(mind: list[_Own], place: int) -> None:
    """None of these facts is about a card in this place."""
    for i, (face, places, witnesses) in enumerate(mind):
        if places >> place & 1:
            mind[i] = (face, places & ~(1 << place), witnesses)
    mind[:] = [fact for fact in mind if fact[1]]


# ── canonical form ───────────────────────────────────────────────────────────────────────────


def _crowd(facts: Iterable[Fact], log: Iterable[Entry], sees: Iterable[int]) -> int:
    """All players that the arguments of `fold` mention."""
    crowd = 0
    for mask in sees:
        crowd |= mask
    for _, _, knowers, _ in facts:
        crowd |= knowers
    for entry in log:
        if entry[0] == "move":
            crowd |= entry[4]
    return crowd


def _sizes_before(sizes: Sequence[int], log: Sequence[Entry]) -> list[int]:
    """How many cards each place had before the log."""
    counts = list(sizes)
    for entry in log:
        if entry[0] == "move":
            counts[entry[2]] += len(entry[1])
            counts[entry[3]] -= len(entry[1])
    return counts


def _minds(facts: Iterable[Fact], everyone: int) -> dict[int, list[_Own]]:
    """The facts of each player alone."""
    minds: dict[int, list[_Own]] = {
        player: [] for player in range(everyone.bit_length()) if everyone >> player & 1
    }
    for face, places, knowers, witnesses in facts:
        for player, mind in minds.items():
            if knowers >> player & 1:
                mind.append((face, places, witnesses))
    return minds


def _merged(minds: Mapping[int, Iterable[_Own]]) -> list[Fact]:
    """The canonical form: the nth copy of a fact joins all the players who have n copies of it."""
    knowers: Counter[tuple[_Own, int]] = Counter()
    for player, mind in minds.items():
        copies: Counter[_Own] = Counter()
        for fact in mind:
            copies[fact] += 1
            knowers[fact, copies[fact]] += 1 << player
    return sorted(
        (face, places, mask, witnesses) for ((face, places, witnesses), _), mask in knowers.items()
    )


# ── dealing anew ─────────────────────────────────────────────────────────────────────────────


def _unkept(wanted: list[tuple[int, int]], kept: Mapping[_Slot, int]) -> list[tuple[int, int]]:
    """The facts that are not about the kept cards: each of those uses up its narrowest fact."""
    rest = list(wanted)
    for (place, _), face in kept.items():
        about = [fact for fact in rest if fact[0] == face and fact[1] >> place & 1]
        if about:
            rest.remove(min(about, key=lambda fact: (fact[1].bit_count(), fact[1])))
    return rest


def _seat(masks: Sequence[int], slots: Sequence[_Slot], rng: Random) -> dict[int, int]:
    """A slot for each known card (mask of its places), drawn at random: slot index -> card index.

    First the narrowest cards take any free slot that suits, pushing others on where none is free;
    then exchanges and rotations that suit everyone mix the seating. Every step is as likely as its
    reverse, so they lead towards the uniform distribution. With one place for each card the first
    seating is uniform already.
    """
    suits = {
        mask: [index for index, (place, _) in enumerate(slots) if mask >> place & 1]
        for mask in set(masks)
    }
    seated: dict[int, int] = {}
    order = list(range(len(masks)))
    rng.shuffle(order)
    order.sort(key=lambda card: masks[card].bit_count())
    for card in order:
        free = [slot for slot in suits[masks[card]] if slot not in seated]
        if free:
            seated[rng.choice(free)] = card
        elif not _push(card, masks, suits, seated, set(), rng):
            raise ValueError("the facts do not fit the places")
    at = {card: slot for slot, card in seated.items()}
    movable = [card for card in range(len(masks)) if masks[card].bit_count() > 1]
    for _ in range(8 * len(movable) + 8 if movable else 0):
        first = rng.choice(movable)
        ring = [at[first], rng.choice(suits[masks[first]])]
        if rng.random() < 0.5:
            ring.append(rng.randrange(len(slots)))
        _rotate(ring, masks, slots, seated, at)
    return seated


def _push(
    card: int,
    masks: Sequence[int],
    suits: Mapping[int, Sequence[int]],
    seated: dict[int, int],
    tried: set[int],
    rng: Random,
) -> bool:
    """Seat a card by moving others to free slots along a path."""
    slots = [slot for slot in suits[masks[card]] if slot not in tried]
    rng.shuffle(slots)
    for slot in sorted(slots, key=lambda slot: slot in seated):
        if slot in tried:
            continue
        tried.add(slot)
        sitting = seated.get(slot)
        if sitting is None or _push(sitting, masks, suits, seated, tried, rng):
            seated[slot] = card
            return True
    return False


def _rotate(
    ring: Sequence[int],
    masks: Sequence[int],
    slots: Sequence[_Slot],
    seated: dict[int, int],
    at: dict[int, int],
) -> None:
    """Move whatever lies in each slot of the ring to the next, if all suit where they come."""
    if len(set(ring)) < len(ring):
        return
    moves = [
        (seated[slot], after)
        for slot, after in zip(ring, [*ring[1:], ring[0]], strict=True)
        if slot in seated
    ]
    if all(masks[card] >> slots[after][0] & 1 for card, after in moves):
        for slot in ring:
            seated.pop(slot, None)
        for card, after in moves:
            seated[after] = card
            at[card] = after


def _carry(
    staying: Sequence[_Own],
    moving: Sequence[_Own],
    old: Sequence[Sequence[int]],
    new: Sequence[Sequence[int]],
) -> list[_Own]:
    """One player's facts in the new deal: distinct slots for those that stay, and for the others.

    A fact that should stay and cannot (its card is not to be found in the new deal) moves as well.
    """
    result: list[_Own] = []
    found = _match([(face, places) for face, places, _ in staying], new, frozenset())
    used = frozenset(slot for slot in found if slot is not None)
    going = [*moving]
    for fact, slot in zip(staying, found, strict=True):
        (going if slot is None else result).append(fact)
    lay = _match([(face, places) for face, places, _ in going], old, used)
    taken = used | {slot for slot in lay if slot is not None}
    for (_, places, witnesses), at in zip(going, lay, strict=True):
        slot = at or _spare(places, new, taken)
        if slot is not None:
            taken |= {slot}
            result.append((new[slot[0]][slot[1]], places, witnesses))
    return result


def _spare(mask: int, places: Sequence[Sequence[int]], taken: frozenset[_Slot]) -> _Slot | None:
    """The first slot of these places that is not taken."""
    for place, cards in enumerate(places):
        if mask >> place & 1:
            for index in range(len(cards)):
                if (place, index) not in taken:
                    return place, index
    return None


def _match(
    wanted: Sequence[tuple[int, int]], places: Sequence[Sequence[int]], barred: frozenset[_Slot]
) -> list[_Slot | None]:
    """Distinct slots for (face, places mask) pairs, as many as can be."""
    lying: dict[int, list[_Slot]] = {}
    for place, cards in enumerate(places):
        for index, face in enumerate(cards):
            if (place, index) not in barred:
                lying.setdefault(face, []).append((place, index))
    holder: dict[_Slot, int] = {}

    def settle(want: int, tried: set[_Slot]) -> bool:
        face, mask = wanted[want]
        for slot in lying.get(face, ()):
            if mask >> slot[0] & 1 and slot not in tried:
                tried.add(slot)
                if slot not in holder or settle(holder[slot], tried):
                    holder[slot] = want
                    return True
        return False

    for want in range(len(wanted)):
        settle(want, set())
    found: list[_Slot | None] = [None] * len(wanted)
    for slot, want in holder.items():
        found[want] = slot
    return found
