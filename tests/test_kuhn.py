"""Kuhn poker, counted whole: small enough that every number is known.

Six deals (two of three cards, in order). In each, the first player checks or bets, the second
answers, and after check and bet the first answers: four public histories at which somebody chooses
and five at which the game is over. So 6 × 4 = 24 choices and 6 × 5 = 30 ends: 54 nodes, 55 with the
deal itself. Players know their own card and the public history: 3 × 4 = 12 information sets. The
first player loses 1/18 of an ante a game when both play perfectly (H. W. Kuhn, 1950).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from pathlib import Path
from random import Random

import pytest
from attrs import frozen

from dsl import pipeline
from interpreter import Game, State, View, compile_game
from interpreter.scenario import lying, offered, place_cards

RANKS = "KQJ"
DEALS = list(permutations(RANKS, 2))
SHORT = {"check": "p", "fold": "p", "bet": "b", "call": "b"}  # passing and betting
ASKED = {"": 0, "p": 1, "b": 1, "pb": 0}
ENDS = ["pp", "pbp", "pbb", "bp", "bb"]

Strategy = Mapping[tuple[str, str], Fraction]
"""(card, public history) -> the chance to bet there."""


@cache
def kuhn() -> Game:
    program, diagnostics = pipeline.load(Path(__file__).parent / "kuhn.rules")
    assert program is not None, diagnostics
    return compile_game(program, 2)


def dealt(deal: Sequence[str]) -> State:
    state = kuhn().start(1)
    for player, card in enumerate(deal):
        place_cards(state, "hand", player, [card])
    return state


@frozen(eq=False)
class Node:
    """A State of the tree, with the deal and the public history that lead to it."""

    deal: tuple[str, ...]
    history: str
    state: State


def below(node: Node) -> Iterator[Node]:
    """A node and all that can come of it."""
    yield node
    for raw, label in zip(node.state.moves, offered(node.state), strict=True):
        state = node.state.clone()
        state.apply(raw)
        yield from below(Node(node.deal, node.history + SHORT[label], state))


@cache
def tree() -> tuple[Node, ...]:
    return tuple(node for deal in DEALS for node in below(Node(deal, "", dealt(deal))))


CHOICES = [node for node in tree() if not node.state.is_over]
OVER = [node for node in tree() if node.state.is_over]


def test_nodes() -> None:
    assert len(tree()) == 54
    assert len(CHOICES) == 24
    assert len(OVER) == 30
    assert len({node.state for node in tree()}) == 54


def test_public_histories() -> None:
    assert Counter(node.history for node in CHOICES) == dict.fromkeys(ASKED, 6)
    assert Counter(node.history for node in OVER) == dict.fromkeys(ENDS, 6)


def test_who_is_asked_what() -> None:
    for node in CHOICES:
        assert node.state.player == ASKED[node.history]
        answers = ["fold", "call"] if "b" in node.history else ["check", "bet"]
        assert offered(node.state) == answers


def test_information_sets() -> None:
    """What the player who is asked sees is the same exactly where card and history are."""
    seen: dict[View, set[tuple[str, str]]] = defaultdict(set)
    for node in CHOICES:
        player = ASKED[node.history]
        seen[node.state.view(player)].add((node.deal[player], node.history))
    assert len(seen) == 12
    assert all(len(known) == 1 for known in seen.values())
    assert {known.pop() for known in seen.values()} == set(product(RANKS, ASKED))


def test_the_other_player_sees_as_little() -> None:
    seen = {node.state.view(1 - ASKED[node.history]) for node in CHOICES}
    assert len(seen) == 12


def payoff(deal: Sequence[str], history: str) -> int:
    """What the first player wins, from the rules of the game as everyone tells them."""
    if history in ("pbp", "bp"):
        return -1 if history == "pbp" else 1
    stake = 1 if history == "pp" else 2
    return stake if RANKS.index(deal[0]) < RANKS.index(deal[1]) else -stake


def test_payoffs() -> None:
    for node in OVER:
        won = payoff(node.deal, node.history)
        assert node.state.points == [won, -won]
        assert node.state.winners == [0 if won > 0 else 1]
    assert Counter(abs(node.state.points[0]) for node in OVER) == {1: 18, 2: 12}
    assert sum(node.state.points[0] for node in OVER) == 0


def test_every_deal_comes_up_equally_often() -> None:
    deals = Counter(
        tuple(lying(state, "hand", q)[0] for q in range(2))
        for state in (kuhn().start(seed) for seed in range(1200))
    )
    assert set(deals) == set(DEALS)
    assert all(150 < count < 250 for count in deals.values())


def test_a_copy_for_a_player_has_one_of_the_other_cards() -> None:
    rng = Random(1)
    for node in CHOICES:
        player = ASKED[node.history]
        copies = [node.state.determinize(player, rng) for _ in range(200)]
        cards = Counter(lying(copy, "hand", 1 - player)[0] for copy in copies)
        assert set(cards) == set(RANKS) - {node.deal[player]}
        assert all(60 < count < 140 for count in cards.values())


# The value of the game


def value(first: Strategy, second: Strategy) -> Fraction:
    """What the first player wins on average, worked out over the engine's own tree."""
    total = Fraction(0)
    for node in OVER:
        chance = Fraction(1, len(DEALS))
        for i, letter in enumerate(node.history):
            before = node.history[:i]
            player = ASKED[before]
            bets = (first, second)[player][node.deal[player], before]
            chance *= bets if letter == "b" else 1 - bets
        total += chance * node.state.points[0]
    return total


def pure(histories: Sequence[str]) -> Iterator[Strategy]:
    """All ways to bet or pass at each information set of a player."""
    sets = list(product(RANKS, histories))
    for bets in product((Fraction(0), Fraction(1)), repeat=len(sets)):
        yield dict(zip(sets, bets, strict=True))


def equilibrium(alpha: Fraction) -> tuple[Strategy, Strategy]:
    """Kuhn's: the first player bets J with a chance of alpha, and K three times as often."""
    first = {
        ("K", ""): 3 * alpha,
        ("Q", ""): Fraction(0),
        ("J", ""): alpha,
        ("K", "pb"): Fraction(1),
        ("Q", "pb"): alpha + Fraction(1, 3),
        ("J", "pb"): Fraction(0),
    }
    second = {
        ("K", "p"): Fraction(1),
        ("Q", "p"): Fraction(0),
        ("J", "p"): Fraction(1, 3),
        ("K", "b"): Fraction(1),
        ("Q", "b"): Fraction(1, 3),
        ("J", "b"): Fraction(0),
    }
    return first, second


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 6), Fraction(1, 3)])
def test_the_game_is_worth_minus_one_eighteenth(alpha: Fraction) -> None:
    first, second = equilibrium(alpha)
    assert value(first, second) == Fraction(-1, 18)
    assert max(value(other, second) for other in pure(["", "pb"])) == Fraction(-1, 18)
    assert min(value(first, other) for other in pure(["p", "b"])) == Fraction(-1, 18)
