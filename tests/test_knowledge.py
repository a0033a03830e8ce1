"""Knowledge against a simulated world of physical cards: true, secret, and dealt anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.knowledge import Entry, Fact, fold, known, redeal, remap

# Places of the worked examples: 0 and 1 are face up, 2..4 are the hands of P1..P3, 5 is face down.
UP, HANDS, DOWN = 0, (2, 3, 4), 5
SEES = [0b111, 0b111, 0b001, 0b010, 0b100, 0]


class World:
    """Physical cards in places, and what everybody knows, folded after every step."""

    def __init__(self, players: int, sees: Sequence[int], places: Sequence[Sequence[int]]) -> None:
        self.players = players
        self.sees = sees
        self.places = [list(cards) for cards in places]
        self.log: list[Entry] = []
        self.facts: list[Fact] = []

    @property
    def sizes(self) -> list[int]:
        return [len(cards) for cards in self.places]

    def move(self, source: int, target: int, indexes: Sequence[int], shown_to: int = 0) -> None:
        faces = tuple(self.places[source][i] for i in indexes)
        for i in sorted(indexes, reverse=True):
            del self.places[source][i]
        self.places[target].extend(faces)
        seen = self.sees[source] | self.sees[target] | shown_to
        self.note(("move", faces, source, target, seen))

    def reveal(self, place: int) -> None:
        self.note(("reveal", place, tuple(self.places[place])))

    def note(self, entry: Entry) -> None:
        self.log.append(entry)
        everyone = (1 << self.players) - 1
        self.facts = fold(self.facts, [entry], self.sees, sizes=self.sizes, everyone=everyone)


def is_true(wanted: Sequence[tuple[int, int]], places: Sequence[Sequence[int]]) -> bool:
    """Whether distinct cards make all these (face, places mask) facts true."""
    slots = [(i, face) for i, cards in enumerate(places) for face in cards]
    holder: dict[int, int] = {}

    def settle(want: int, tried: set[int]) -> bool:
        face, mask = wanted[want]
        for k, (place, lying) in enumerate(slots):
            if lying == face and mask >> place & 1 and k not in tried:
                tried.add(k)
                if k not in holder or settle(holder[k], tried):
                    holder[k] = want
                    return True
        return False

    return all(settle(want, set()) for want in range(len(wanted)))


@st.composite
def layouts(draw: st.DrawFn) -> World:
    """A few players, places of every sight, and few faces so that many cards are alike."""
    players = draw(st.integers(2, 4))
    everyone = (1 << players) - 1
    sights = st.sampled_from([0, everyone, *(1 << p for p in range(players))])
    sees = [0, everyone, *(1 << p for p in range(players)), *draw(st.lists(sights, max_size=3))]
    faces = draw(st.lists(st.integers(0, 4), min_size=1, max_size=14))
    places: list[list[int]] = [[] for _ in sees]
    for face in faces:
        places[draw(st.integers(0, len(sees) - 1))].append(face)
    return World(players, sees, places)


Step = tuple[int, ...]
steps = st.lists(st.tuples(*[st.integers(0, 10**6)] * 5), max_size=30)


def plan(world: World, step: Step) -> tuple[int, int, list[int], int] | None:
    """What a step of plain numbers does in this world: source, target, indexes, shown to; or a
    reveal, with target -1. None: nothing."""
    a, b, c, d, e = step
    full = [i for i, cards in enumerate(world.places) if cards]
    source = full[a % len(full)]
    if e % 11 == 0:
        return source, -1, [], 0
    size = len(world.places[source])
    number = size if e % 5 == 0 else 1 + c % min(size, 2)
    indexes = Random(d).sample(range(size), number)
    shown = d % (1 << world.players) if e % 4 == 0 else 0
    return source, b % len(world.places), indexes, shown


def run(world: World, script: Sequence[Step]) -> None:
    for step in script:
        planned = plan(world, step)
        if planned is not None:
            source, target, indexes, shown = planned
            if target < 0:
                world.reveal(source)
            else:
                world.move(source, target, indexes, shown)


@given(layouts(), steps)
def test_every_fact_is_true(world: World, script: list[Step]) -> None:
    for step in script:
        run(world, [step])
        check_facts(world)


def test_every_fact_stays_true_for_long() -> None:
    """Many moves of few faces between many hidden places, so that facts compete and spread."""
    for seed in range(150):
        rng = Random(seed)
        world = World(2, [0, 1, 2, 3, 1, 2, 0], [[], [], [], [0] * 6 + [1] * 6, [], [], []])
        for _ in range(60):
            run(world, [tuple(rng.randrange(10**6) for _ in range(5))])
            check_facts(world)


def check_facts(world: World) -> None:
    for player in range(world.players):
        facts = known(world.facts, player)
        assert is_true(facts, world.places)
        for _, places in facts:
            assert places
            for place, mask in enumerate(world.sees):
                if places >> place & 1:
                    assert not mask >> player & 1, "a fact about a place its knower sees"
                    assert world.places[place], "a fact about an empty place"


@given(layouts(), steps, st.integers(0, 30))
def test_folding_in_pieces_is_folding_whole(world: World, script: list[Step], cut: int) -> None:
    run(world, script)
    everyone = (1 << world.players) - 1
    whole = fold([], world.log, world.sees, sizes=world.sizes, everyone=everyone)
    assert world.facts == whole
    assert fold(reversed(whole), [], world.sees) == whole
    rough = fold([], world.log, world.sees, everyone=everyone)
    first = fold([], world.log[:cut], world.sees, everyone=everyone)
    assert rough == fold(first, world.log[cut:], world.sees, everyone=everyone)
    for player in range(world.players):
        assert is_true(known(rough, player), world.places)


@given(layouts(), steps, st.data())
def test_what_is_not_seen_changes_nothing(
    world: World, script: list[Step], data: st.DataObject
) -> None:
    """A second world goes the same way as far as the observer can tell: whenever something moves
    unseen, other cards may move there."""
    observer = data.draw(st.integers(0, world.players - 1))
    other = World(world.players, world.sees, world.places)
    for step in script:
        planned = plan(world, step)
        if planned is None:
            continue
        source, target, indexes, shown = planned
        if target < 0:
            if Counter(world.places[source]) == Counter(other.places[source]):
                world.reveal(source)
                other.reveal(source)
            continue
        seen = world.sees[source] | world.sees[target] | shown
        if seen >> observer & 1:
            twins = find(other.places[source], [world.places[source][i] for i in indexes])
            if twins is None:
                continue  # would tell the worlds apart
        else:
            rng = Random(data.draw(st.integers(0, 100)))
            twins = rng.sample(range(len(other.places[source])), len(indexes))
        world.move(source, target, indexes, shown)
        other.move(source, target, twins, shown)
        assert known(world.facts, observer) == known(other.facts, observer)


def find(cards: Sequence[int], faces: Sequence[int]) -> list[int] | None:
    """Distinct indexes of cards with these faces."""
    found: list[int] = []
    for face in faces:
        free = [i for i, card in enumerate(cards) if card == face and i not in found]
        if not free:
            return None
        found.append(free[0])
    return found


def places_mask(*places: int) -> int:
    return sum(1 << place for place in places)


def test_a_secret_gift_tells_nothing() -> None:
    """P2 knows P1's 9; P1 secretly gives some card to P3; P2 knows the same whichever it was."""
    views = []
    for given_away in (9, 4):
        world = World(3, SEES, [[9], [], [4], [], [], []])
        world.move(UP, HANDS[0], [0])
        world.move(HANDS[0], HANDS[2], [world.places[HANDS[0]].index(given_away)])
        views.append(known(world.facts, 1))
        assert known(world.facts, 0) == [(given_away, places_mask(HANDS[2]))]
    assert views[0] == views[1] == [(9, places_mask(HANDS[0], HANDS[2]))]


def test_a_last_card_that_leaves_has_left() -> None:
    world = World(3, SEES, [[9], [], [], [], [], []])
    world.move(UP, HANDS[0], [0])
    world.move(HANDS[0], HANDS[2], [0])
    assert known(world.facts, 1) == [(9, places_mask(HANDS[2]))]


def test_a_card_seen_again_uses_up_the_narrowest_fact() -> None:
    world = World(3, SEES, [[9, 9], [], [4], [], [5], []])
    world.move(UP, HANDS[0], [0])
    world.move(HANDS[0], HANDS[2], [0])  # a 4, in fact
    world.move(UP, HANDS[0], [0])
    assert known(world.facts, 1) == [
        (9, places_mask(HANDS[0])),
        (9, places_mask(HANDS[0], HANDS[2])),
    ]
    world.move(HANDS[0], UP, [world.places[HANDS[0]].index(9)])
    assert known(world.facts, 1) == [(9, places_mask(HANDS[0], HANDS[2]))]

    facts = [(9, places_mask(HANDS[0], *more), 0b010, 0) for more in ([], [HANDS[2]], [DOWN])]
    after = fold(facts, [("move", (9,), HANDS[0], UP, 0b111)], SEES)
    assert after == sorted(facts)[1:]


def test_facts_that_may_have_been_used_up_spread() -> None:
    """One of two 9s that may lie in P1's hand leaves it: the other may be where either could."""
    facts = [
        (9, places_mask(HANDS[0], HANDS[2]), 0b010, 0),
        (9, places_mask(HANDS[0], DOWN), 0b010, 0),
    ]
    after = fold(facts, [("move", (9,), HANDS[0], UP, 0b111)], SEES)
    assert known(after, 1) == [(9, places_mask(HANDS[0], HANDS[2], DOWN))]


def test_a_reveal_settles_a_place() -> None:
    facts = [
        (9, places_mask(HANDS[0], HANDS[2]), 0b010, 0),
        (9, places_mask(HANDS[0], HANDS[2]), 0b010, 0),
        (4, places_mask(HANDS[0], HANDS[2]), 0b010, 0),
    ]
    after = fold(facts, [("reveal", HANDS[0], (9, 5))], SEES)
    assert known(after, 1) == [
        (4, places_mask(HANDS[2])),
        (5, places_mask(HANDS[0])),
        (9, places_mask(HANDS[0])),
        (9, places_mask(HANDS[2])),
    ]
    assert known(after, 2) == [(5, places_mask(HANDS[0])), (9, places_mask(HANDS[0]))]
    assert known(after, 0) == []


def test_sharers_of_a_fact_part_when_one_sees_more() -> None:
    world = World(3, SEES, [[9], [], [], [], [], [4]])
    world.move(UP, DOWN, [0])
    assert world.facts == [(9, places_mask(DOWN), 0b111, 0b111)]
    world.move(DOWN, HANDS[0], [0])
    assert world.facts == [
        (9, places_mask(DOWN), 0b001, 0b111),
        (9, places_mask(DOWN, HANDS[0]), 0b110, 0b111),
    ]


# ── dealing anew ─────────────────────────────────────────────────────────────────────────────


@given(layouts(), steps, st.integers(0, 10**6))
def test_a_new_deal_agrees_with_the_observer(world: World, script: list[Step], seed: int) -> None:
    run(world, script)
    for observer in range(world.players):
        deal = redeal(world.places, world.sees, world.facts, observer, Random(seed))
        hidden = [i for i, mask in enumerate(world.sees) if not mask >> observer & 1]
        assert list(deal) == hidden
        assert [len(deal[i]) for i in hidden] == [len(world.places[i]) for i in hidden]
        dealt = Counter(face for i in hidden for face in deal[i])
        assert dealt == Counter(face for i in hidden for face in world.places[i])
        places = [deal.get(i, cards) for i, cards in enumerate(world.places)]
        assert is_true(known(world.facts, observer), places)

        facts = remap(world.facts, observer, world.places, deal, world.sees)
        assert known(facts, observer) == known(world.facts, observer)
        assert fold(facts, [], world.sees) == facts
        for player in range(world.players):
            assert is_true(known(facts, player), places)
            assert len(known(facts, player)) <= len(known(world.facts, player))


@given(layouts(), steps, st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_a_new_deal_does_not_depend_on_the_true_one(
    world: World, script: list[Step], seed: int, mixer: Random
) -> None:
    run(world, script)
    for observer in range(world.players):
        hidden = [i for i, mask in enumerate(world.sees) if not mask >> observer & 1]
        cards = [face for i in hidden for face in world.places[i]]
        mixer.shuffle(cards)
        swapped = [list(place) for place in world.places]
        for i in hidden:
            swapped[i] = [cards.pop() for _ in world.places[i]]
        deal = redeal(world.places, world.sees, world.facts, observer, Random(seed))
        assert deal == redeal(swapped, world.sees, world.facts, observer, Random(seed))


def frequencies(
    places: Sequence[Sequence[int]], facts: Sequence[Fact], number: int
) -> Counter[tuple[tuple[int, ...], ...]]:
    """How often P2 imagines which deal of the places hidden from them."""
    rng = Random(1)
    counts: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for _ in range(number):
        deal = redeal(places, SEES, facts, 1, rng)
        counts[tuple(tuple(deal[i]) for i in (*HANDS[::2], DOWN))] += 1
    return counts


def test_deals_without_facts_are_uniform() -> None:
    counts = frequencies([[], [], [1, 2], [], [3], [4]], [], 4800)
    assert len(counts) == 24
    assert all(140 <= count <= 260 for count in counts.values())


def test_deals_with_known_places_are_uniform() -> None:
    facts = [(1, places_mask(HANDS[0]), 0b010, 0)]
    counts = frequencies([[], [], [1, 2], [], [3], [4]], facts, 4800)
    assert len(counts) == 12
    assert all(320 <= count <= 480 for count in counts.values())


def test_deals_with_competing_facts_are_uniform() -> None:
    """Each known card may lie in two of three places with room for one: all deals that fit come
    up equally often, also those that no exchange of two cards connects."""
    masks = {1: places_mask(2, 4), 2: places_mask(4, 5), 3: places_mask(5, 2)}
    facts = [(face, mask, 0b010, 0) for face, mask in masks.items()]
    counts = frequencies([[], [], [1], [], [2], [3]], facts, 2000)
    assert len(counts) == 2
    assert all(900 <= count <= 1100 for count in counts.values())

    places = [[], [], [1, 2], [], [3, 4], [5]]
    counts = frequencies(places, facts, 8000)
    fits = {
        deal
        for order in permutations((1, 2, 3, 4, 5))
        for deal in [((order[0], order[1]), (order[2], order[3]), (order[4],))]
        if all(
            masks[face] >> place & 1
            for place, cards in zip((2, 4, 5), deal, strict=True)
            for face in cards
            if face in masks
        )
    }
    assert set(counts) == fits
    mean = 8000 / len(fits)
    assert all(0.7 * mean <= count <= 1.3 * mean for count in counts.values())


@given(st.randoms(use_true_random=False))
def test_kept_slots_stay(rng: Random) -> None:
    places = [[], [], [9, 4, 9], [7], [1, 2], [3, 5]]
    facts = [(9, places_mask(HANDS[0]), 0b010, 0)]
    deal = redeal(places, SEES, facts, 1, rng, keep=[(HANDS[0], 2)])
    assert deal[HANDS[0]][2] == 9
    assert sorted(face for cards in deal.values() for face in cards) == [1, 2, 3, 4, 5, 9, 9]


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_others_know_what_now_lies_there(seed: int) -> None:
    """P1 knows a card of P3 that P2 never saw: P2 imagines that P1 knows whatever it now is."""
    world = World(3, SEES, [[], [], [9, 1], [], [4, 5], []])
    world.move(HANDS[0], HANDS[2], [0])
    assert world.facts == [(9, places_mask(HANDS[2]), 0b001, 0b101)]
    deal = redeal(world.places, SEES, world.facts, 1, Random(seed))
    facts = remap(world.facts, 1, world.places, deal, SEES)
    assert facts == [(deal[HANDS[2]][2], places_mask(HANDS[2]), 0b001, 0b101)]


def test_what_the_observer_witnessed_stays() -> None:
    """P2 gave P1 a 9 that P3 saw go: in whatever P2 imagines, P3 knows the 9."""
    world = World(3, SEES, [[], [], [2, 3], [9], [4, 5], []])
    world.move(HANDS[1], HANDS[0], [0], shown_to=0b111)
    for seed in range(20):
        deal = redeal(world.places, SEES, world.facts, 1, Random(seed))
        assert remap(world.facts, 1, world.places, deal, SEES) == world.facts
