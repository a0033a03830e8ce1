"""The handwritten Throne of Empire follows the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest

from benchmarks.handwritten import throne
from benchmarks.handwritten.throne import (
    BARBARIAN,
    DRAW,
    HOLD,
    KNIGHT,
    MAGICIAN,
    MERCHANT,
    PASS,
    PEASANT,
    PRIEST,
    SENATOR,
    THIEF,
)
from tests.handwritten import together


def throne_cards(game: throne.Game) -> Counter[int]:
    courts = [code % 10 for code in together(game.courts)]
    return Counter(together(game.hands) + courts + game.deck + game.discard)


def throne_turn(job: int, players: int = 3) -> throne.Game:
    """The first turn, with the job and a peasant in hand."""
    game = throne.Game(players, 0)
    game.hands[0] = [job, PEASANT]
    return game


def throne_settled(
    hands: Iterable[list[int]], coins: list[int], treasury: int = 5, choices: Iterable[int] = ()
) -> throne.Game:
    """A settlement, with the choices made in it."""
    game = throne.Game(len(coins), 0)
    game.hands = list(hands)
    game.coins = coins
    game.treasury = treasury
    game._begin_settlement()
    for choice in choices:
        assert choice in game.options()
        game.apply(choice)
    return game


@pytest.mark.parametrize("players", range(3, 8))
def test_throne_keeps_cards_and_limits(players: int) -> None:
    for seed in range(6):
        game = throne.Game(players, seed)
        random = Random(seed)
        while not game.over:
            assert throne_cards(game) == Counter(throne.DECK)
            assert 0 <= game.treasury <= 15
            assert min(game.coins) >= 0
            assert max(map(len, game.hands)) <= 8
            game.apply(random.choice(game.options()))
        assert max(map(len, game.hands)) <= 6
        assert game.turn == 5 * players


def test_throne_setup_and_turn_options() -> None:
    game = throne.Game(4, 0)
    assert list(map(len, game.hands)) == [2, 1, 1, 1]
    assert (game.coins, game.treasury, game.player) == ([5] * 4, 5, 0)
    game.hands[0] = [PRIEST, PRIEST]
    assert game.options() == [HOLD, PRIEST]
    game.coins[0] = 0
    assert game.options() == [PRIEST]


def test_throne_hold_pays() -> None:
    game = throne_turn(PRIEST)
    game.apply(HOLD)
    assert (game.coins[0], game.treasury, game.player) == (4, 6, 1)


def test_throne_barbarian_may_hit_any_open_court() -> None:
    game = throne_turn(BARBARIAN)
    game.courts = [[], [THIEF, THIEF], [KNIGHT]]
    game.protected[2] = True
    game.apply(BARBARIAN)
    assert game.options() == [(0, BARBARIAN), (1, THIEF)]
    game.apply((1, THIEF))
    assert (game.courts[1], game.discard, game.vp[0]) == ([THIEF], [THIEF], 1)


def test_throne_peasant_pays_into_a_full_treasury() -> None:
    game = throne_turn(PEASANT)
    game.treasury = 14
    game.apply(PEASANT)
    assert game.options() == [0, 1, 2]
    game.apply(2)
    assert (game.treasury, game.coins[0], game.vp[0]) == (15, 3, 3)
    game = throne_turn(PEASANT)
    game.coins[0] = 0
    game.apply(PEASANT)
    assert game.options() == [0]


def test_throne_merchant_and_priest() -> None:
    game = throne_turn(MERCHANT)
    game.treasury = 15
    game.apply(MERCHANT)
    assert (game.coins[0], game.treasury, game.vp[0]) == (7, 15, 1)
    game = throne_turn(PRIEST)
    game.treasury = 2
    game.apply(PRIEST)
    assert (game.coins[0], game.treasury) == (7, 0)


def test_throne_thief_names_the_unprotected() -> None:
    game = throne_turn(THIEF)
    game.protected[1] = True
    game.coins[2] = 0
    game.apply(THIEF)
    assert game.options() == [2]
    game.apply(2)
    assert game.coins == [5, 5, 0]


@pytest.mark.parametrize(("job", "vp"), [(THIEF, 0), (SENATOR, 2)])
def test_throne_nobody_is_named_when_all_are_protected(job: int, vp: int) -> None:
    game = throne_turn(job)
    game.protected = [False, True, True]
    game.apply(job)
    assert (game.phase, game.player, game.vp[0]) == (throne.TURN, 1, vp)
    assert (game.coins, game.treasury) == ([5] * 3, 5)


def test_throne_senator_gives_from_the_treasury() -> None:
    game = throne_turn(SENATOR)
    game.apply(SENATOR)
    assert game.options() == [1, 2]
    game.apply(2)
    assert (game.coins, game.treasury, game.vp[0]) == ([5, 5, 6], 4, 2)


def test_throne_knight_protects_until_the_own_next_turn() -> None:
    game = throne_turn(KNIGHT)
    game.apply(KNIGHT)
    for hand in game.hands:
        hand[:] = [PRIEST]
    game.apply(PRIEST)
    assert game.protected == [True, False, False]
    game.apply(PRIEST)
    assert game.protected == [False, False, False]


def test_throne_magician_drops_an_unordered_pair() -> None:
    game = throne_turn(MAGICIAN)
    game.deck[-2:] = [PEASANT, THIEF]
    game.apply(MAGICIAN)
    assert game.options() == [(PEASANT, PEASANT), (PEASANT, THIEF)]
    game.apply((PEASANT, THIEF))
    assert game.hands[0] == [PEASANT]
    assert sorted(game.discard) == [PEASANT, THIEF]


def test_throne_empty_deck_is_made_of_the_discard_pile() -> None:
    game = throne_turn(PRIEST)
    game.deck, game.discard = [], [KNIGHT]
    game.apply(PRIEST)
    assert KNIGHT in game.hands[1]
    assert (game.deck, game.discard) == ([], [])


def throne_refill(sizes: list[int], coins: int) -> throne.Game:
    game = throne.Game(len(sizes), 0)
    game.hands = [[PRIEST] * size for size in sizes]
    game.coins = [coins] * len(sizes)
    game._begin_refill()
    return game


def test_throne_shortest_hand_refills_first() -> None:
    game = throne_refill([1, 3, 3], coins=9)
    order = []
    while game.phase == throne.REFILL and not game.over:
        order.append(game.player)
        game.apply(DRAW)
    assert order == [0, 0, 0, 1, 2, 0, 1, 2, 0, 1, 2]


def test_throne_refill_options() -> None:
    game = throne_refill([5, 6, 6], coins=1)
    game.courts = [[PRIEST], [KNIGHT, KNIGHT], [THIEF]]
    assert game.options() == [DRAW, (1, KNIGHT), (2, THIEF)]
    game.coins[0] = 0
    assert game.options() == [(1, KNIGHT), (2, THIEF)]
    game.courts[1:] = [[], []]
    assert game.options() == [PASS]
    game.coins[0] = 1
    game.deck = game.discard = []
    assert game.options() == [PASS]
    game.apply(PASS)
    assert game.phase != throne.REFILL or game.over
    assert len(game.hands[0]) == 5


def test_throne_head_is_the_most_held_then_the_largest() -> None:
    hand = [THIEF, THIEF, MAGICIAN, MAGICIAN, KNIGHT, PEASANT]
    game = throne_settled([hand, [PRIEST], [PRIEST]], [0, 0, 0])
    assert game.heads == [MAGICIAN, PRIEST, PRIEST]
    assert game.vp[0] == 8


def test_throne_policies_are_applied_most_cards_first() -> None:
    # The knight pays before the barbarians halve: 9 - 9 for seat 1, and 8 -> 4 -> 4 for seat 0.
    hands = [[BARBARIAN] * 2, [KNIGHT] * 3, [BARBARIAN] * 2]
    game = throne_settled(hands, [8, 9, 4], treasury=0)
    assert (game.player, game.options()) == (1, list(range(10)))
    game.apply(9)
    assert game.over
    assert game.coins == [4, 0, 2]
    assert game.points() == [4, 27, 2]


def test_throne_merchants_after_a_barbarian() -> None:
    hands = [[BARBARIAN] * 3, [MERCHANT] * 2, [MERCHANT] * 2]
    game = throne_settled(hands, [0, 9, 5])
    assert game.points() == [0, 16, 8]


def test_throne_senator_shares_out_what_there_is() -> None:
    game = throne_settled([[PEASANT], [PEASANT], [SENATOR] * 2], [0, 0, 0], treasury=2)
    assert (game.vp[2], game.treasury) == (2, 0)
    # The peasants' policies then return the two coins.
    assert game.points() == [3, 3, 2]


def test_throne_knight_pays_up_to_the_limit() -> None:
    game = throne_settled([[KNIGHT], [PRIEST], [PRIEST]], [9, 0, 0], treasury=11)
    assert game.options() == [0, 1, 2, 3, 4]
    game.apply(4)
    assert (game.vp[0], game.coins[0]) == (12, 5)
    assert game.points()[0] == 17


def test_throne_magician_counts_different_jobs() -> None:
    hand = [BARBARIAN, PEASANT, MERCHANT, THIEF, KNIGHT, MAGICIAN]
    assert throne_settled([hand, [PRIEST], [PRIEST]], [0, 0, 0]).vp[0] == 12


def test_throne_thief_asks_for_each_victim_clockwise() -> None:
    hands = [[PRIEST], [PEASANT, THIEF, THIEF], [PEASANT], [THIEF]]
    game = throne_settled(hands, [5, 1, 6, 5])
    assert (game.player, game.options()) == (1, [0, 1, 2, 3, 4, 5, 6])
    game.apply(6)
    assert (game.player, game.options()) == (1, [0, 1, 2])
    game.apply(0)
    # The other thief comes after the peasant, whose coins are gone.
    assert (game.player, game.options()) == (3, [0, 1, 2, 3, 4, 5])
    game.apply(5)
    assert game.options() == [0]
    game.apply(0)
    # The priest comes last and takes the treasury.
    assert game.over
    assert game.coins == [5, 7, 0, 10]


def test_throne_ties_go_to_the_smaller_head_or_are_drawn() -> None:
    game = throne_settled([[PRIEST], [PEASANT], [PEASANT]], [0, 0, 0], treasury=3)
    assert game.points() == [3, 3, 3]
    assert game.winners() == [1, 2]
