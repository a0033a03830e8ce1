"""The handwritten games follow the rules: worked examples, and what holds all through a game."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from benchmarks.handwritten import gorilla, last_leaf, throne
from tests.handwritten import finish, together

SEATS = [
    *[(last_leaf, players) for players in range(2, 9)],
    *[(throne, players) for players in range(3, 8)],
    *[(gorilla, players) for players in range(2, 5)],
]


# Any game


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
