"""The handwritten games follow the rules: worked examples, and what holds all through a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain, combinations, pairwise
from random import Random
from typing import Any

import pytest

from benchmarks.handwritten import gorilla, last_leaf, throne
from benchmarks.handwritten.gorilla import BANANA, COIN, CROWN, GORILLA, SCRIPTURE, SILVERBACK
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

SEATS = [
    *[(last_leaf, players) for players in range(2, 9)],
    *[(throne, players) for players in range(3, 8)],
    *[(gorilla, players) for players in range(2, 5)],
]


# Any game


def together(lists: Iterable[list[int]]) -> list[int]:
    return list(chain.from_iterable(lists))


def finish(game: Any, seed: int) -> list[tuple[Any, Any]]:
    """Play on at random; returns what was offered and what was chosen, in order."""
    random = Random(seed)
    story = []
    while not game.over:
        options = game.options()
        option = random.choice(options)
        story.append((options, option))
        game.apply(option)
    return story


@pytest.mark.parametrize(("module", "players"), SEATS)
def test_options_are_some_sorted_and_distinct(module: Any, players: int) -> None:
    for seed in range(4):
        for options, _ in finish(module.Game(players, seed), seed):
            assert options
            assert options == sorted(set(options))


@pytest.mark.parametrize(("module", "players"), SEATS)
def test_same_seed_same_game_and_another_seed_another(module: Any, players: int) -> None:
    one, same, another = (finish(module.Game(players, seed), 0) for seed in (5, 5, 6))
    assert one == same
    assert one != another


@pytest.mark.parametrize(("module", "players"), SEATS)
def test_clone_has_the_same_future_and_its_own_state(module: Any, players: int) -> None:
    game = module.Game(players, 1)
    random = Random(2)
    clones = []
    while not game.over:
        if random.random() < 0.1:
            clones.append(game.clone())
        game.apply(random.choice(game.options()))
    for clone in clones:
        twin = clone.clone()
        assert finish(clone, 3) == finish(twin, 3)
        assert clone.points() == twin.points()
        assert clone.winners() == twin.winners()


@pytest.mark.parametrize(
    ("module", "players"), [(last_leaf, 1), (last_leaf, 9), (throne, 2), (throne, 8), (gorilla, 5)]
)
def test_wrong_number_of_players_is_refused(module: Any, players: int) -> None:
    with pytest.raises(ValueError, match="players"):
        module.Game(players, 0)


# The Last Leaf

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def leaf_cards(text: str) -> list[int]:
    return [4 * RANKS.index(word[1:]) + "♣♦♥♠".index(word[0]) for word in text.split()]


def leaf_end(*seats: tuple[str, str]) -> last_leaf.Game:
    """The end of a game in which each seat kept the first card and laid the others."""
    game = last_leaf.Game(len(seats), 0)
    game.hands = [leaf_cards(leaf) for leaf, _ in seats]
    game.laid = [leaf_cards(laid) for _, laid in seats]
    game.over = True
    return game


def test_leaf_scores_suit_and_rank_on_the_table() -> None:
    game = leaf_end(("♥3", "♥9 ♥K ♠4 ♠8"), ("♠2", "♥5 ♥6 ♦3 ♠7"))
    assert game.points()[0] == 6
    game = leaf_end(("♠A", "♠K ♠Q ♥A ♦2"), ("♥K", "♥Q ♥J ♣A ♦K"))
    assert game.points() == [6, 7]
    assert game.winners() == [1]


def test_leaf_tie_goes_to_the_stronger_leaf() -> None:
    game = leaf_end(("♥9", "♥2 ♥4 ♥6 ♣9"), ("♠9", "♠2 ♠4 ♠6 ♦5"))
    assert game.points() == [5, 5]
    assert game.winners() == [1]


def test_leaf_cards_are_turned_up_together() -> None:
    game = last_leaf.Game(3, 0)
    hands = [hand[:] for hand in game.hands]
    game.apply(game.options()[0])
    game.apply(game.options()[1])
    assert (game.player, game.hands, game.laid) == (2, hands, [[], [], []])
    game.apply(game.options()[2])
    assert game.laid == [[hand[seat]] for seat, hand in enumerate(hands)]


@pytest.mark.parametrize("players", range(2, 9))
def test_leaf_keeps_all_cards_and_one_winner(players: int) -> None:
    for seed in range(10):
        game = last_leaf.Game(players, seed)
        dealt = sorted(together(game.hands))
        assert len(set(dealt)) == 5 * players
        assert len(finish(game, seed)) == 4 * players
        assert sorted(together(game.hands + game.laid)) == dealt
        assert len(game.winners()) == 1


# Throne of Empire


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


# Profits, Prophets, Gorillas, and Kings


def number_card(suit: int, number: int) -> int:
    return 4 * number + suit


def coin(number: int) -> int:
    return number_card(COIN, number)


def scripture(number: int) -> int:
    return number_card(SCRIPTURE, number)


def crown(number: int) -> int:
    return number_card(CROWN, number)


def herd(number: int) -> int:
    return number_card(GORILLA, number)


def gorilla_cards(game: gorilla.Game) -> list[int]:
    handed = [game.handed] * (game.handed >= 0)
    return sorted(together(game.hands + game.scored) + game.deck + game.pile + handed)


def gorilla_trick(king: int, hands: list[list[int]]) -> gorilla.Game:
    """The start of a trick with these hands."""
    game = gorilla.Game(len(hands), 0)
    game.king = king
    game.hands = [sorted(hand) for hand in hands]
    game._begin_play()
    return game


def may_lay(play: tuple[int, ...], top: tuple[int, ...], is_gorilla: bool) -> bool:
    """The rules for a play, clause by clause."""
    if play == (SILVERBACK,):
        return is_gorilla
    if SILVERBACK in play or play.count(BANANA) > 1:
        return False
    numbers = [card >> 2 for card in play if card != BANANA]
    if not numbers:
        return False

    def shape(cards: tuple[int, ...]) -> str:
        inside = [card >> 2 for card in cards if card != BANANA]
        if len(cards) == 1:
            return "single"
        if len(set(inside)) == 1:
            return f"set of {len(cards)}"
        steps = [higher - lower for lower, higher in pairwise(cards)]
        return f"run of {len(cards)}" if set(steps) == {4} and BANANA not in cards else "none"

    if shape(play) == "none":
        return False
    if not top:
        return True
    if shape(play) != shape(top):
        return False
    mine, other = play[-1] >> 2, top[-1] >> 2
    if mine == other:
        return True
    return mine > other and (len(play) > 1 or is_gorilla or play[0] & 3 == top[0] & 3)


@pytest.mark.parametrize("players", range(2, 5))
def test_gorilla_offers_exactly_the_legal_plays(players: int) -> None:
    for seed in range(3):
        game = gorilla.Game(players, seed)
        random = Random(seed)
        while not game.over:
            options = game.options()
            if game.phase == gorilla.PLAY:
                hand = game.hands[game.player]
                is_gorilla = game.player == (game.king + 1) % 4
                every = {play for size in (1, 2, 3) for play in combinations(hand, size)}
                legal = {play for play in every if may_lay(play, game.top, is_gorilla)}
                if game.top:
                    legal.add(gorilla.PASS)
                assert options == sorted(legal)
            game.apply(random.choice(options))


@pytest.mark.parametrize(("players", "size"), [(2, 77), (3, 93), (4, 109)])
def test_gorilla_keeps_cards_and_counts_points(players: int, size: int) -> None:
    everything = gorilla.deck_for(players)
    assert len(everything) == size
    for seed in range(6):
        game = gorilla.Game(players, seed)
        random = Random(seed)
        while not game.over:
            assert gorilla_cards(game) == everything
            assert max(map(len, game.hands)) <= 8
            game.apply(random.choice(game.options()))
        assert game.scores == [sum(card >> 2 for card in cards) for cards in game.scored]
        assert game.trick == 16 or not any([*game.hands, game.deck])


def test_gorilla_singles_follow_the_suit_except_for_the_gorilla() -> None:
    many = [crown(6), crown(8), scripture(7), scripture(9), coin(9)]
    hands = [[crown(7), coin(1)], many, [crown(1)], many]
    game = gorilla_trick(0, hands)
    game.apply((crown(7),))
    assert game.player == 3
    assert game.options() == [gorilla.PASS, (scripture(7),), (crown(8),)]
    game.apply(gorilla.PASS)
    assert game.options() == [gorilla.PASS]
    game.apply(gorilla.PASS)
    free = [(scripture(7),), (crown(8),), (coin(9),), (scripture(9),)]
    assert game.options() == [gorilla.PASS, *free]


def test_gorilla_runs_and_sets_are_raised_in_any_suit() -> None:
    both = [scripture(4), scripture(5), coin(3), coin(4), crown(5), crown(6), crown(7)]
    assert sorted(gorilla.runs(both, 2, 5)) == [
        (scripture(4), scripture(5)),
        (crown(5), crown(6)),
        (crown(6), crown(7)),
    ]
    assert gorilla.runs([BANANA, SILVERBACK, coin(1), scripture(1)], 2, 1) == []
    hand = [BANANA, BANANA, crown(5), herd(5), crown(6), crown(6)]
    assert gorilla.sets(hand, 3, 4) == {
        (BANANA, crown(5), herd(5)),
        (BANANA, crown(6), crown(6)),
    }


def test_gorilla_merchant_gets_the_cut() -> None:
    # Seat 0 is king, 3 merchant, 2 prophet, 1 gorilla.
    game = gorilla_trick(0, [[crown(9), 5], [herd(9), 5], [coin(9), 5], [coin(1)]])
    game.deck = []
    game.pile = [coin(3)]
    game.apply((crown(9),))
    game.apply(gorilla.PASS)
    game.apply((coin(9),))
    game.apply((herd(9),))
    while game.trick == 0:
        game.apply(gorilla.PASS)
    assert game.scored[3] == [coin(9)]
    assert game.points() == [0, 21, 0, 9]


def test_gorilla_silverback_leads_the_herd() -> None:
    game = gorilla_trick(1, [[coin(4)], [crown(2), 5], [SILVERBACK, 5], [coin(1)]])
    game.scored = [[herd(7), herd(3)], [herd(11)], [], []]
    game.scores = [10, 11, 0, 0]
    game.pile, game.deck = [crown(5)], []
    game.apply((crown(2),))
    while game.player != 2:
        assert (SILVERBACK,) not in game.options()
        game.apply(gorilla.PASS)
    game.apply((SILVERBACK,))
    assert game.points() == [3, 0, 25, 0]
    assert game.trick == 1
    assert together([*game.hands, game.deck]).count(SILVERBACK) == 1


def test_gorilla_roles_move_one_seat_clockwise() -> None:
    game = gorilla_trick(2, [[coin(1)], [coin(2)], [coin(3)], [coin(4)]])
    assert game._in_order() == [2, 1, 0, 3]
    game.deck = []
    game.apply((coin(3),))
    while game.trick == 0:
        game.apply(gorilla.PASS)
    assert game._in_order() == [3, 2, 1, 0]


def test_gorilla_only_lead_goes_to_the_first_who_can() -> None:
    game = gorilla_trick(0, [[BANANA, SILVERBACK], [coin(2)], [coin(3)], [BANANA]])
    assert game.player == 2
    assert game.waiting == [2, 1]
    # A gorilla leads the silverback too, though with no number card.
    assert gorilla_trick(3, [[SILVERBACK], [BANANA], [], [BANANA]]).options() == [(SILVERBACK,)]


def test_gorilla_void_tricks_count() -> None:
    game = gorilla.Game(2, 0)
    game.deck, game.king = [], 3
    game.hands = [[BANANA], []]
    game._begin_trick()
    assert game.over
    assert game.trick == 16


def test_gorilla_prophet_gets_the_best_card_and_gives_another_back() -> None:
    game = gorilla.Game(3, 0)
    game.king = 2  # so seat 0 is the prophet
    game.hands = [[coin(2), coin(2), herd(9)], [coin(9), crown(9), crown(9)], [BANANA, BANANA]]
    game._begin_trick()
    assert game.options() == [(1,), (2,)]
    asked = game.clone()
    game.apply((1,))
    assert (game.player, game.options()) == (1, [(coin(9),), (crown(9),)])
    game.apply((crown(9),))
    assert (game.player, game.options()) == (0, [(coin(2),), (herd(9),)])
    game.apply((coin(2),))
    assert game.hands[0] == [coin(2), crown(9), herd(9)]
    assert game.hands[1] == [coin(2), coin(9), crown(9)]
    asked.apply((2,))
    assert asked.options() == [(BANANA,)]
    asked.hands[2] = [SILVERBACK, herd(11)]
    assert asked.options() == [(SILVERBACK,)]


def test_gorilla_refill_in_the_order_of_the_trick() -> None:
    game = gorilla_trick(0, [[crown(9)], [coin(1)], [coin(1)], [coin(1)]])
    game.deck = [crown(number) for number in range(6, 0, -1)]
    game.apply((crown(9),))
    while game.trick == 0:
        game.apply(gorilla.PASS)
    # King 0, merchant 3, prophet 2, gorilla 1; the cards come as 1, 2, 3, ...
    assert game.hands[0] == [crown(1), crown(5)]
    assert game.hands[3] == [coin(1), crown(2), crown(6)]
    assert game.hands[2] == [coin(1), crown(3)]
    assert game.hands[1] == [coin(1), crown(4)]
