"""Bots: reproducible, stable under edits, without foresight; their memory is theirs."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dsl import pipeline
from interpreter import Game, State, bots, compile_game

BOTS = ["random", "steady", "greedy"]
GAMES = ["last-leaf", "throne", "gorilla"]


def game(name: str, players: int = 3) -> Game:
    program, _ = pipeline.load(pipeline.find(name))
    assert program is not None
    return compile_game(program, players)


def decisions(name: str, seeds: range, share: float = 1.0) -> list[State]:
    """States of random games, with a choice to make."""
    found = []
    for seed in seeds:
        rng = Random(seed)
        state = game(name).start(seed)
        while not state.is_over:
            if len(state.moves) > 1 and rng.random() < share:
                found.append(state.clone())
            state.apply(rng.choice(state.moves))
    return found


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("name", GAMES)
def test_the_same_choice_every_time(name: str, bot: str) -> None:
    for state in decisions(name, range(1), share=0.05 if bot == "greedy" else 1):
        one, other = bots.make(bot, 5), bots.make(bot, 5)
        taken = one.choose(state)
        assert taken in state.moves
        assert other.choose(state.clone()) == taken


@pytest.mark.parametrize("bot", ["random", "steady"])
def test_another_seed_is_another_bot(bot: str) -> None:
    states = decisions("throne", range(3))
    picks = [[bots.make(bot, seed).choose(s) for s in states] for seed in (1, 2)]
    assert picks[0] != picks[1]


def test_random_is_uniform() -> None:
    state = game("throne").start(1)
    counts = dict.fromkeys(state.moves, 0)
    for seed in range(3000):
        counts[bots.make("random", seed).choose(state)] += 1
    expected = 3000 / len(counts)
    assert all(abs(n - expected) < 5 * expected**0.5 for n in counts.values())


def fewer(state: State, moves: list[Any]) -> State:
    """A State with some options taken away."""
    other = state.clone()
    other.moves = moves
    return other


@pytest.mark.parametrize("name", GAMES)
def test_steady_changes_only_where_it_must(name: str) -> None:
    for state in decisions(name, range(3)):
        taken = bots.make("steady", 3).choose(state)
        for gone in state.moves:
            if gone != taken:
                left = fewer(state, [raw for raw in state.moves if raw != gone])
                assert bots.make("steady", 3).choose(left) == taken


def test_asked_again_at_the_same_place_is_another_choice() -> None:
    state = next(s for s in decisions("gorilla", range(9)) if len(s.moves) > 6)
    bot = bots.make("steady", 1)
    assert len({bot.choose(state) for _ in range(30)}) > 1


@pytest.mark.parametrize("bot", BOTS)
def test_memory_is_cloned_and_saved(bot: str) -> None:
    state = next(s for s in decisions("throne", range(9)) if len(s.moves) > 4)
    first = bots.make(bot, 1)
    first.choose(state)
    twin, loaded = first.clone(), bots.make(bot, 1)
    loaded.restore(first.memory())
    nexts = [[b.choose(state) for _ in range(5)] for b in (first, twin, loaded)]
    assert nexts[0] == nexts[1] == nexts[2]


@pytest.mark.parametrize("name", GAMES)
def test_greedy_sees_no_hidden_card_and_no_future(name: str) -> None:
    """It chooses the same when everything its player can't see, and all chance to come, is
    another."""
    for number, state in enumerate(decisions(name, range(1), share=0.1)):
        assert state.player is not None
        other = state.determinize(state.player, Random(number))
        assert bots.make("greedy", 1).choose(state) == bots.make("greedy", 1).choose(other)


def test_greedy_beats_random() -> None:
    """In games of three it takes clearly more than its third of the wins."""
    games, won = 15, 0.0
    table = game("throne")
    for seed in range(games):
        me = seed % 3
        state = table.start(seed)
        seats = {i: bots.make("greedy" if i == me else "random", seed) for i in range(3)}
        bots.play_out(state, seats)
        won += (me in state.winners) / len(state.winners)
    assert won / games > 0.4


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ("", ["steady"] * 3),
        ("random", ["random"] * 3),
        ("P2=greedy", ["steady", "greedy", "steady"]),
        ("random, p3=greedy", ["random", "random", "greedy"]),
    ],
)
def test_seats(spec: str, names: list[str]) -> None:
    assert bots.seats(spec, 3, "steady") == names
    assert bots.seats(bots.spelled(names), 3) == names


@pytest.mark.parametrize("spec", ["clever", "P4=random", "P0=random", "2=random", "P1", "=", "P1="])
def test_seats_that_are_none(spec: str) -> None:
    with pytest.raises(ValueError, match=r"There are random|there is no"):
        bots.seats(spec, 3)
