"""The handwritten Profits, Prophets, Gorillas, and Kings follows the rules."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

import pytest

from benchmarks.handwritten import gorilla
from benchmarks.handwritten.gorilla import BANANA, COIN, CROWN, GORILLA, SCRIPTURE, SILVERBACK
from tests.handwritten import together


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
