"""What generated code calls: searches in lists, dealing, shuffling, scoring, and run-time errors.

Nothing here knows a game; `namespace` gives a bound game's functions to its generated modules.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, groupby
from math import comb
from operator import attrgetter, itemgetter
from typing import Any, TypeVar

from dsl.amounts import amount
from dsl.diagnostics import Diagnostic, RulesError
from dsl.program import MOST_NUMBERS, Deal, Origin, Top
from dsl.walk import everything
from interpreter import chance
from interpreter.binding import Binding

T = TypeVar("T")

ASKING_RUN = 5
"""What one run of a loop counts in which somebody may be asked; a run of any other counts 1."""
STEPS = 100_000 * ASKING_RUN
"""Most that all runs of loops in one game may count together."""
LARGEST = 10**15
"""Largest product of two numbers that are found in play: a number multiplied by itself again and
again would soon fill the machine."""
MOST_PICKS = 1_000_000
"""Most ways to pick several cards."""


MOST_LOOKS = 1_000_000
"""Most times that questions may be asked inside others in a row, where that is counted."""


class TooMany(Exception):
    """More than can be gone through; says of what. Told at the rule that was running."""


class Looks:
    """Counts the questions that are asked inside others (`codegen.looks`)."""

    __slots__ = ("_asked",)

    def __init__(self) -> None:
        self._asked = 0

    def begin(self) -> None:
        self._asked = 0

    def __call__(self) -> None:
        self._asked += 1
        if self._asked > MOST_LOOKS:
            raise TooMany(f"what this counts or searches takes more than {MOST_LOOKS:,} looks")


def holder(ring: Sequence[int | None], role: int, players: int) -> int | None:
    """The player who holds a role; None where its seat is empty."""
    try:
        seat = ring.index(role)
    except ValueError:
        return None
    return seat if seat < players else None


def by_role(ring: Sequence[int | None], players: int) -> list[int]:
    """Players who hold a role, in the declared order of roles."""
    held = [(role, q) for q, role in enumerate(ring[:players]) if role is not None]
    return [q for _, q in sorted(held)]


def pass_roles(ring: list[int | None], seats: int, clockwise: bool) -> None:
    """Every role moves one seat on (the first `seats` entries are the table's)."""
    table = ring[:seats]
    ring[:seats] = [table[-1], *table[:-1]] if clockwise else [*table[1:], table[0]]


def none_last(value: int | None, sign: int = 1) -> float:
    """A sort value for something that may be nobody, who comes last; sign -1: largest first."""
    return float("inf") if value is None else sign * value


def best(items: Iterable[T], key: Callable[[T], Any]) -> list[T]:
    """All items that come first under a key."""
    keyed = [(key(item), item) for item in items]
    if not keyed:
        return []
    least = min(k for k, _ in keyed)
    return [item for k, item in keyed if k == least]


def first(items: Sequence[T], default: Any) -> Any:
    """The first item, or the default."""
    for item in items:
        return item
    return default


def property_of(table: Sequence[Any], face: int | None, missing: Any) -> Any:
    """A property of a card that may be none."""
    return missing if face is None else table[face]


def top(place: Sequence[int], count: int) -> tuple[int, ...]:
    """The top cards of a pile, the topmost first; as many as there are."""
    return tuple(place[: -count - 1 : -1]) if count > 0 else ()


def without(cards: Sequence[T], card: T) -> list[T]:
    """Cards less one copy of a card."""
    left = list(cards)
    if card in left:
        left.remove(card)
    return left


def without_several(cards: Sequence[T], gone: Iterable[T]) -> list[T]:
    """Cards less one copy of each of several cards."""
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return left


def locate(places: Sequence[Sequence[int]], face: int | None) -> int:
    """The first place that holds a card of this face, for cards whose place is not kept."""
    for pid, place in enumerate(places):
        if face in place:
            return pid
    raise LookupError("the card lies in no place")


def together(cards: Sequence[tuple[int, int]]) -> list[tuple[tuple[int, ...], int]]:
    """Cards as (face, place id), those of one place that follow each other taken together."""
    return [
        (tuple(face for face, _ in same), pid) for pid, same in groupby(cards, key=itemgetter(1))
    ]


def whereabouts(places: Sequence[Sequence[int]], face: int | None) -> int | None:
    """The same for a card that may be none."""
    return None if face is None else locate(places, face)


def laid(
    places: Sequence[Sequence[int]], play: Any, pid: int | Sequence[int] | None
) -> list[tuple[int, int]]:
    """The cards of a play with the places they lie in. pid: the place of them all, or of each;
    None where it is not known."""
    faces: tuple[int, ...] = play[1]
    if pid is None:
        return located(places, faces)
    if isinstance(pid, int):
        return [(face, pid) for face in faces]
    return list(zip(faces, pid, strict=True))


def remove_last(place: list[int], face: int) -> None:
    """Take the topmost card of a face out of a place."""
    del place[len(place) - 1 - place[::-1].index(face)]


def located(places: Sequence[Sequence[int]], faces: Iterable[int]) -> list[tuple[int, int]]:
    """Faces with a place each, distinct cards for equal faces."""
    left = [list(place) for place in places]
    found = []
    for face in faces:
        pid = locate(left, face)
        left[pid].remove(face)
        found.append((face, pid))
    return found


def nobody() -> None:
    """A player who has to act is none. The rule's line tells which (see `interpreter.absent`)."""
    raise TypeError("nobody is there to act")


def position(order: Sequence[int], player: int | None) -> int:
    """Where a player stands in an order; -1 (so the first is next) if not at all."""
    return order.index(player) if player in order else -1


def times(a: int, b: int) -> int:
    """The product. Raises TooMany beyond `LARGEST`."""
    product = a * b
    if -LARGEST <= product <= LARGEST:
        return product
    raise TooMany(f"a number here would be larger than {LARGEST:,}")


def pick_cards(cards: Sequence[int], low: int, high: int) -> list[tuple[int, ...]]:
    """All ways to pick low..high of some sorted cards, fewer first; both cut to what is there."""
    there = len(cards)
    if low > 0 and not there:
        return []
    if low == high <= there:
        return [*dict.fromkeys(combinations(cards, low))]
    found: list[tuple[int, ...]] = []
    sizes = range(min(low, there), min(high, there) + 1)
    if there > 12 and sum(comb(there, size) for size in sizes) > MOST_PICKS:
        raise TooMany(f"there are more than {MOST_PICKS:,} ways to pick from {there} cards")
    for size in sizes:
        found += dict.fromkeys(combinations(cards, size))
    return found


def numbers(low: int, high: int) -> range:
    """The numbers from low to high; TooMany if nobody could go through them."""
    if high - low >= MOST_NUMBERS:
        raise TooMany(f"these are the numbers from {low} to {high}: more than {MOST_NUMBERS:,}")
    return range(low, high + 1)


def deal(s: Any, source: int, base: int, count: int, players: int, bag: bool) -> None:
    """Deal to everybody from P1 on, one card at a time, until the source is empty."""
    pile = s.P[source]
    take = min(count * players, len(pile))
    if take <= 0:
        return
    cards = pile[: -take - 1 : -1]
    del pile[-take:]
    places = s.P
    for q in range(players):
        place = places[base + q]
        place += cards[q::players]
        if bag and len(place) > 1:
            place.sort()
    if s.kn:
        sees = s.game.binding.sees
        for i, face in enumerate(cards):
            target = base + i % players
            s.kn.append(("move", (face,), source, target, sees[source] | sees[target]))


class Shuffler:
    """Shuffles places of one bound game; see `interpreter.chance` for the keys."""

    def __init__(self, binding: Binding, labels: Sequence[str]) -> None:
        program = binding.program
        # equal names are numbered among themselves, also where cards of several kinds have them
        self._names = [program.older(face_text(binding, f.index)) for f in binding.faces]
        self._shared = len(set(self._names)) < len(self._names)
        box = chance.item_words([self._names[face] for face in binding.deck])
        self._lanes = chance.Lanes(box, binding.deck)
        self._words: list[list[int]] = [[] for _ in binding.faces]
        for face, word in zip(binding.deck, box, strict=True):
            self._words[face].append(word)
        self._older = program.older
        self._phases = [
            0,
            *(chance.text_word(program.older(ph.names.name)) for ph in program.phases),
        ]
        self._labels = [chance.text_word(program.older(name)) for name in program.labels]
        # phase and loop counters as they are, to see whether they are the same again
        slots = ("phase", *labels)
        read = attrgetter(*slots)
        self._coordinates: Callable[[Any], tuple[int, ...]] = (
            read if labels else lambda s: (s.phase,)
        )
        self._prefixes: dict[tuple[str, tuple[int, ...]], int] = {}
        self._whole = len(binding.deck)
        self._piles = [place.kind == "pile" for place in binding.places]

    def key(self, s: Any, path: str) -> int:
        """The mix of path, active coordinates, seed (two words), and the nth time at just these."""
        here = (path, self._coordinates(s))
        nth = s.nth.get(here, 0) + 1
        s.nth[here] = nth
        prefix = self._prefixes.get(here)
        if prefix is None:
            prefix = self._prefixes[here] = self._prefix(*here)
        seed = s.seed
        return chance.mix(seed, seed >> 32, nth, onto=prefix)

    def _prefix(self, path: str, here: tuple[int, ...]) -> int:
        words = [chance.text_word(self._older(path)), self._phases[here[0]]]
        for value, label in zip(here[1:], self._labels, strict=True):
            if value:
                words += (label, value)
        return chance.mix(*words)

    def all(self, s: Any, pid: int, path: str) -> None:
        """Lay all cards of the game in a place, shuffled."""
        s.P[pid][:] = self._lanes.shuffled(self.key(s, path))

    def pick(self, s: Any, pid: int, count: int, path: str) -> tuple[int, ...]:
        """Take cards out of a place by chance: those that would lie on top, were it shuffled."""
        cards = list(s.P[pid])
        self._mix(cards, self.key(s, path))
        picked = tuple(reversed(cards[max(0, len(cards) - count) :])) if count > 0 else ()
        for face in picked:  # of equal cards the topmost of a pile
            if self._piles[pid]:
                remove_last(s.P[pid], face)
            else:
                s.P[pid].remove(face)
        return picked

    def __call__(self, s: Any, pid: int, path: str) -> None:
        """Shuffle a place."""
        self._mix(s.P[pid], self.key(s, path))

    def _mix(self, place: list[int], key: int) -> None:
        if len(place) == self._whole:
            place[:] = self._lanes.shuffled(key)
        elif place:
            place.sort()
            if self._shared:
                names = [self._names[face] for face in place]
                place[:] = chance.Lanes(chance.item_words(names), place).shuffled(key)
                return
            words, previous, copy = [], -1, 0
            for face in place:
                copy = copy + 1 if face == previous else 0
                previous = face
                words.append(self._words[face][copy])
            place[:] = chance.Lanes(words, place).shuffled(key)


def face_text(binding: Binding, index: int) -> str:
    """A face's English name: its values' names, or its kind's where it has none."""
    face = binding.faces[index]
    program = binding.program
    kind = program.kinds[face.kind]
    names = []
    for attribute, value in zip(kind.attributes, face.values, strict=True):
        if attribute in binding.numeric:
            names.append(str(value))
        else:
            names.append(program.attributes[attribute].values[value].names.name)
    return " ".join(names) if names else face.kind


def _place_text(binding: Binding, pid: int) -> str:
    place = binding.places[pid]
    return f"`{place.place}`" if place.player is None else f"`{place.place} of P{place.player + 1}`"


def _joined(texts: Sequence[str]) -> str:
    return " and ".join([*([", ".join(texts[:-1])] if texts[1:] else []), texts[-1]])


def _sources(binding: Binding) -> list[int]:
    """The shared places that rules deal or draw from: where they are empty, cards ran out."""
    found = []
    for node in everything(binding.program):
        if isinstance(node, Deal | Top):
            place = node.source if isinstance(node, Deal) else node.place
            found += [binding.place_base[place.place]] if place.player is None else []
    return list(dict.fromkeys(found))


def _are(number: int | None) -> str:
    return "is" if number == 1 else "are"


def namespace(binding: Binding, rules: Sequence[Origin], shuffler: Shuffler) -> dict[str, Any]:
    """The names generated code may use besides its own functions and constants."""
    n = binding.players
    winner = binding.program.winner
    everyone = tuple(range(n))
    by_points = bool(winner.keys) and winner.keys[0].expr is None and winner.keys[0].largest

    def broken(code: str, message: str, rule: int) -> RulesError:
        origin = rules[rule]
        return RulesError(
            [Diagnostic(code, f"{message} (in {origin.path})", origin.span)],
            binding.program.sources,
        )

    def fail_empty(s: Any, rule: int, name: str, places: tuple[int, ...]) -> None:
        empty = [pid for pid in places if not s.P[pid]]
        if places and len(empty) == len(places):
            gone = (base for base in _sources(binding) if base not in empty and not s.P[base])
            empty += gone
        said = [_place_text(binding, pid) for pid in empty]
        where = f" ({_joined(said)} {'is' if len(said) == 1 else 'are'} empty)" if said else ""
        text = f"nothing can be chosen at `{name}`{where}; `choose {name} if any` skips it then"
        raise broken("R0901", text, rule)

    def fail_loop(rule: int, limit: int) -> None:
        raise broken("R0902", f"this loop was still going after {amount(limit, 'round')}", rule)

    def fail_steps(rule: int) -> None:
        text = (
            f"this game does not end: its loops went round too often, this one last (more than "
            f"{STEPS // ASKING_RUN:,} rounds, or {STEPS:,} of loops in which nobody is asked)"
        )
        raise broken("R0902", text, rule)

    def fail_tokens(
        s: Any,
        rule: int,
        token: str,
        number: int,
        source: int | None,
        target: int | None,
        limit: int | None,
    ) -> None:
        moved = amount(number, token)
        if number < 0:
            text = f"{moved} can't be moved: less than none"
        elif source is not None and number > source:
            there = f"only {source} {_are(source)}" if source else "none is"
            text = (
                f"{moved} should move, but {there} there; take no more than that, for instance "
                "with `up to` or `min(…, …)`"
            )
        else:
            text = (
                f"{moved} should go where {target} {_are(target)} already, "
                f"and where at most {limit} may be"
            )
        raise broken("R0903", text, rule)

    def finish(s: Any, score: Any, rank: Any, listener: Any = None) -> None:
        """End the game. `score` gives everybody's points; a listener's, a player's lines."""
        points = score(s) if listener is None else [sum(score(s, q)) for q in everyone]
        ahead: Sequence[int] = everyone
        if by_points:
            most = max(points)
            if points.count(most) == 1:
                ahead = (points.index(most),)
            else:
                ahead = [q for q in everyone if points[q] == most]
        if len(ahead) > 1:
            ranks = [rank(s, q, points[q]) for q in ahead]
            least = min(ranks)
            ahead = [q for q, r in zip(ahead, ranks, strict=True) if r == least]
        winners = tuple(ahead)
        s.moves, s.player, s.pc, s.is_over = [], None, -1, True
        s.pts, s.won = tuple(points), winners
        if len(winners) > 1 and not winner.draw:
            raise RulesError(
                [
                    Diagnostic(
                        "R0904",
                        "players are tied by all of these; `then draw` lets them share",
                        winner.origin.span,
                    )
                ],
                binding.program.sources,
            )
        if listener is not None:
            listener.end(None, [score(s, q) for q in everyone], points, winners)

    return {
        "holder": holder,
        "times": times,
        "nobody": nobody,
        "by_role": by_role,
        "pass_roles": pass_roles,
        "none_last": none_last,
        "best": best,
        "first": first,
        "property_of": property_of,
        "top": top,
        "without": without,
        "without_several": without_several,
        "locate": locate,
        "located": located,
        "whereabouts": whereabouts,
        "together": together,
        "laid": laid,
        "remove_last": remove_last,
        "position": position,
        "pick_cards": pick_cards,
        "numbers": numbers,
        "look": Looks(),
        "deal": deal,
        "insort": insort,
        "INFINITY": float("inf"),
        "shuffle": shuffler,
        "STEPS": STEPS,
        "finish": finish,
        "fail_empty": fail_empty,
        "fail_loop": fail_loop,
        "fail_steps": fail_steps,
        "fail_tokens": fail_tokens,
    }
