"""seeds/last-leaf.md, entry by entry: clauses where a slip is likely.

The worked examples stand in the ruleset itself; here is what examples don't say, or only at length:
many players and options at once, who sees what, order of events, whole games.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dsl import pipeline
from dsl.diagnostics import RulesError
from dsl.program import Program
from interpreter import State, compile_game
from interpreter.events import Event
from interpreter.scenario import answer, lying, offered, place_cards

ROOT = Path(__file__).resolve().parents[1]
RULESET = ROOT / "rulesets" / "last-leaf.rules"
SUITS = {"♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs"}


@cache
def program() -> Program:
    found, diagnostics = pipeline.load(RULESET)
    assert found is not None, diagnostics
    return found


def cards(text: str) -> list[str]:
    """`♠A ♥10` as the game calls them."""
    return [f"{SUITS[word[0]]} {word[1:]}" for word in text.split()]


def start(players: int = 2, **options: Any) -> State:
    return compile_game(program(), players, options).start(1)


def dealt(*hands: str, **options: Any) -> State:
    """The first round, with these hands."""
    state = start(len(hands), hand_size=len(hands[0].split()), **options)
    for player, hand in enumerate(hands):
        place_cards(state, "hand", player, cards(hand))
    state.game.ask_again(state)
    return state


def played(*seats: tuple[str, str], **options: Any) -> State:
    """The end of a game in which each seat laid some cards, in order, and kept one."""
    state = dealt(*(f"{laid} {kept}" for laid, kept in seats), **options)
    for turn in zip(*(cards(laid) for laid, _ in seats), strict=True):
        answer(state, *turn)
    assert state.is_over
    return state


@pytest.mark.parametrize("players", [1, 9])
def test_l1_players(players: int) -> None:
    with pytest.raises(RulesError, match="2 to 8"):
        start(players)


def test_l2_one_of_each_card() -> None:
    faces = compile_game(program(), 4).faces
    assert len(faces) == 52 and {face.copies for face in faces} == {1}


@pytest.mark.parametrize("players", range(2, 9))
def test_l2_five_cards_each_singly_from_p1(players: int) -> None:
    events: list[Event] = []
    game = compile_game(program(), players)
    state = game.start(3, events.append)
    shuffled = next(e.data["cards"] for e in events if e.kind == "shuffle")
    from_top = [game.face_label(face) for face in reversed(shuffled)]
    for player in range(players):
        hand = from_top[player : 5 * players : players]
        assert sorted(lying(state, "hand", player)) == sorted(hand)
    assert lying(state, "deck") == from_top[: 5 * players - 1 : -1]


def test_l2_nobody_sees_the_rest_or_another_hand() -> None:
    state = start(3)
    for player in range(3):
        shown = {
            state.game.place_label(q.place)
            for q in state.view(player).places
            if q.cards is not None
        }
        assert shown == {f"hand of P{player + 1}", "row of P1", "row of P2", "row of P3"}


def test_l3_cards_are_laid_in_secret_and_turned_up_together() -> None:
    state = dealt("♠A ♠K ♠Q", "♥A ♥K ♥Q", "♦A ♦K ♦Q")
    events: list[Event] = []
    for card, asked in (("spades K", 1), ("hearts A", 2)):
        state.apply(state.moves[offered(state).index(card)], events.append)
        assert state.player == asked
        assert [len(lying(state, "hand", q)) for q in range(3)] == [3, 3, 3]
        assert not any(lying(state, "row", q) for q in range(3))
    assert [e.kind for e in events] == ["choice", "choice"]
    assert all(e.data["secret"] for e in events)
    state.apply(state.moves[offered(state).index("diamonds Q")], events.append)
    assert [lying(state, "row", q) for q in range(3)] == [
        ["spades K"],
        ["hearts A"],
        ["diamonds Q"],
    ]
    assert [e.kind for e in events[2:]][:2] == ["choice", "reveal"]
    assert len(events[3].data["answers"]) == 3


def test_l3_no_view_tells_a_secret_card() -> None:
    one, other = (dealt("♠A ♠K ♠Q", "♥A ♥K ♥Q", "♦A ♦K ♦Q") for _ in range(2))
    answer(one, "spades A")
    answer(other, "spades Q")
    for player in (1, 2):
        assert one.view(player) == other.view(player)
    assert one.view(1).answered == (0,)
    assert one != other


def test_l3_a_copy_for_another_player_draws_a_secret_card_anew() -> None:
    state = dealt("♠A ♠K ♠Q", "♥A ♥K ♥Q", "♦A ♦K ♦Q")
    answer(state, "spades A")
    rng = Random(1)
    laid = set()
    for _ in range(60):
        copy = state.determinize(2, rng)
        assert copy.view(2) == state.view(2)
        for _ in range(2):
            answer(copy, offered(copy)[0])
        laid.add(lying(copy, "row", 0)[0])
    assert len(laid) > 20
    # who laid it knows it
    for _ in range(10):
        copy = state.determinize(0, rng)
        for _ in range(2):
            answer(copy, offered(copy)[0])
        assert lying(copy, "row", 0) == ["spades A"]


@pytest.mark.parametrize("players", range(2, 9))
def test_l4_four_rounds_leave_one_card(players: int) -> None:
    state = start(players)
    count = 0
    while not state.is_over:
        state.apply(state.moves[-1])
        count += 1
    assert count == 4 * players
    for player in range(players):
        assert len(lying(state, "hand", player)) == 1
        assert len(lying(state, "row", player)) == 4


def test_lr2_rows_keep_the_order() -> None:
    state = played(("♦2 ♠K ♥A ♠Q", "♠A"), ("♥Q ♦K ♥J ♣A", "♥K"))
    assert lying(state, "row", 0) == cards("♦2 ♠K ♥A ♠Q")
    assert lying(state, "row", 1) == cards("♥Q ♦K ♥J ♣A")


def test_l6_options() -> None:
    seats = (("♠K ♠Q ♥A ♦2", "♠A"), ("♥Q ♥J ♣A ♦K", "♥K"))
    assert played(*seats, suit_points=5, rank_points=0).points == [10, 15]
    assert played(*seats, suit_points=0, rank_points=5).points == [10, 10]


def test_l8_a_stronger_rank_wins_before_a_stronger_suit() -> None:
    for leaf, other in (("♣A", "♠K"), ("♣K", "♠Q"), ("♣J", "♠10"), ("♣10", "♠9"), ("♣3", "♠2")):
        state = played(("♣4 ♦5 ♦6 ♦7", leaf), ("♠4 ♥5 ♥6 ♥7", other))
        assert state.points == [1, 1]
        assert state.winners == [0]


def test_l8_suits_from_spades_to_clubs() -> None:
    order = "♠♥♦♣"
    for strong, weak in pairwise(order):
        rest = [suit for suit in order if suit not in (strong, weak)]
        table = [f"{rest[0]}2 {rest[0]}4 {rest[0]}6", f"{rest[1]}2 {rest[1]}4 {rest[1]}6"]
        state = played((table[0], f"{weak}9"), (table[1], f"{strong}9"))
        assert state.points == [0, 0]
        assert state.winners == [1]


@pytest.mark.parametrize("players", range(2, 9))
def test_l8_there_is_always_one_winner(players: int) -> None:
    game = compile_game(program(), players)
    for seed in range(50):
        rng = Random(seed)
        state = game.start(seed)
        while not state.is_over:
            state.apply(rng.choice(state.moves))
        assert len(state.winners) == 1
        best = [q for q, n in enumerate(state.points) if n == max(state.points)]
        assert state.winners == [min(best, key=lambda q: strength(lying(state, "hand", q)))]


def strength(hand: Sequence[str]) -> tuple[int, int]:
    """L8 for a leaf, strongest first."""
    suit, rank = hand[0].split()
    ranks = "A K Q J 10 9 8 7 6 5 4 3 2".split()
    return ranks.index(rank), list(SUITS.values()).index(suit)


@pytest.mark.parametrize("size", [3, 6])
def test_option_hand_size(size: int) -> None:
    state = start(8, hand_size=size)
    assert [len(lying(state, "hand", q)) for q in range(8)] == [size] * 8
    count = 0
    while not state.is_over:
        state.apply(state.moves[0])
        count += 1
    assert count == (size - 1) * 8
