"""Search: fair to what is hidden, the same every time, and better than chance."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from dsl import pipeline
from interpreter import Game, State, compile_game
from interpreter.determinize import Worlds
from lab import bots
from lab.bots.search import Node, Purse, playout, search

GAMES = ["last-leaf", "throne", "gorilla", "oh-hell"]
PLAYERS = {"last-leaf": 3, "throne": 3, "gorilla": 3, "oh-hell": 3}


def game(name: str) -> Game:
    program, _ = pipeline.load(pipeline.find(name))
    assert program is not None
    return compile_game(program, PLAYERS[name])


def decisions(name: str, seeds: range, share: float) -> list[State]:
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


@pytest.mark.parametrize("name", GAMES)
def test_worlds_are_what_the_player_may_believe(name: str) -> None:
    """Everything the player sees is as it is; nothing that may be there is left out."""
    for number, state in enumerate(decisions(name, range(2), 0.3)):
        me = state.player
        assert me is not None
        worlds, rng = Worlds(state, me), Random(number)
        for _ in range(5):
            world = worlds.draw(rng)
            seen, was = world.view(me), state.view(me)
            assert seen.places == was.places
            assert (seen.tokens, seen.marks, seen.tracks) == (was.tokens, was.marks, was.tracks)
            assert (seen.choice, seen.options, seen.answered) == (
                was.choice, was.options, was.answered,
            )  # fmt: skip
            lying = Counter(face for place in world.P for face in place)
            assert lying == Counter(face for place in state.P for face in place)
            for face, places in was.known:  # known cards lie where they may
                assert any(face in world.P[place] for place in places)
            hands = [p for p, inst in zip(world.P, state.game.places, strict=True)
                     if inst.kind == "hand"]  # fmt: skip
            assert all(hand == sorted(hand) for hand in hands)
            assert world.seed != state.seed


@pytest.mark.parametrize("name", GAMES)
def test_worlds_agree_with_determinize(name: str) -> None:
    """Drawn and determinized States hold each card in each hidden place about as often."""
    state = decisions(name, range(3), 0.2)[-1]
    me = state.player
    assert me is not None
    worlds, rng, times = Worlds(state, me), Random(1), 400
    drawn: Counter[tuple[int, int]] = Counter()
    for sign, sample in ((1, worlds.draw), (-1, lambda rng: state.determinize(me, rng))):
        for _ in range(times):
            for place, cards in enumerate(sample(rng).P):
                for face in set(cards):
                    drawn[place, face] += sign
    assert all(abs(n) < 5 * (times / 2) ** 0.5 for n in drawn.values())


@pytest.mark.parametrize("name", GAMES)
def test_hidden_cards_and_chance_to_come_change_nothing(name: str) -> None:
    for number, state in enumerate(decisions(name, range(1), 0.1)):
        assert state.player is not None
        other = state.determinize(state.player, Random(number))
        picks = [bots.make("mcts(playouts=30)", 1).choose(s) for s in (state, other)]
        assert picks[0] == picks[1]


def test_the_same_seed_gives_the_same_game() -> None:
    ends = []
    for _ in range(2):
        state = game("throne").start(3)
        bots.play_out(state, {q: bots.make("mcts(playouts=15)", 8) for q in range(3)})
        ends.append(state)
    assert ends[0] == ends[1]


def test_a_choice_of_one_is_no_search() -> None:
    state = next(s for s in decisions("gorilla", range(1), 1) if len(s.moves) > 3)
    state.moves = state.moves[:1]
    assert bots.make("mcts(playouts=1000000)", 1).choose(state) == state.moves[0]


def test_time_can_be_limited() -> None:
    """However short the time, one playout is made; the rest are not."""
    state = decisions("throne", range(1), 1)[0]
    asked = []

    def enough() -> bool:
        asked.append(1)
        return len(asked) == 4

    assert search(state, Random(1), 1_000_000, enough) in state.moves
    assert len(asked) == 4
    assert bots.make("mcts(playouts=1000000, seconds=0.001)", 1).choose(state) in state.moves


def test_each_answers_at_once_without_the_others() -> None:
    """In matching pennies, whoever saw the other's answer would always win; neither can."""
    text = """
game "Pennies"
  players 2
cards
  coin heads, tails
  penny: one of each coin
places
  deck face down pile
tokens
  bet of player 0
setup
  shuffle all cards into deck
phase play
  all players at once
    choose show: coin
      gain (if it is heads then 1 else 2) bet
scoring
  won = if (bet = bet of left of me) = (me is first player) then 1 else 0
winner most points, then draw
"""
    program, found = pipeline.load("pennies.rules", text)
    assert program is not None, found
    table = compile_game(program, 2)
    shown: Counter[tuple[Any, Any]] = Counter()
    for seed in range(60):
        state = table.start(seed)
        first = bots.make("mcts(playouts=40)", seed).choose(state)
        state.apply(first)
        second = bots.make("mcts(playouts=40)", seed + 1000).choose(state)
        shown[first, second] += 1
    assert len(shown) == 4, shown  # each pair comes up


def test_an_option_is_tried_as_often_as_it_can_be() -> None:
    """Availability, not visits, counts for exploring: a rare option is not starved."""
    node, rng = Node(), Random(1)
    for number in range(300):
        moves = [0, 1, 2] if number % 10 == 0 else [0, 1]
        raw = node.select(moves, rng)
        node.arms[raw].total += 0.5
    assert node.arms[2].available == 30
    assert node.arms[2].visits > 20
    assert node.arms[0].available == 300


def test_a_tree_ends_where_somebody_else_chooses() -> None:
    """Answers of one turn are planned together; what can only be known later is left open."""
    for name, turns in [("throne", True), ("last-leaf", False)]:
        state = next(s for s in decisions(name, range(1), 1))
        assert state.player is not None
        worlds, rng, purse = Worlds(state, state.player), Random(1), Purse()
        roots = [Node() for _ in range(3)]
        for _ in range(200):
            playout(worlds.draw(rng), roots, rng, purse)
        assert all(root.arms for root in roots)  # also others answer from trees
        assert any(root.after for root in roots) is turns


def test_search_beats_chance() -> None:
    games, won = 40, 0.0
    table = game("throne")
    for seed in range(games):
        me = seed % 3
        state = table.start(seed)
        seats = {i: bots.make("mcts(playouts=30)" if i == me else "random", seed) for i in range(3)}
        bots.play_out(state, seats)
        won += (me in state.winners) / len(state.winners)
    assert won / games > 0.5


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("mcts(level=odd)", "is no level"),
        ("mcts(playouts=0)", "is no number from 1"),
        ("mcts(playouts=1.5)", "is no number from 1"),
        ("mcts(seconds=nan)", "is no number of seconds"),
        ("mcts(seconds=-1)", "is no number of seconds"),
        ("mcts(depth=3)", "has no setting `depth`"),
        ("mcts(level)", "should be NAME=VALUE"),
        ("mcts(level=easy, level=hard)", "is set twice"),
        ("random(level=easy)", "has no setting `level`"),
        ("easy(playouts=3)", "has no setting `playouts`"),
        ("mcts(level=easy", "is not closed"),
        ("clever", "there is no bot"),
    ],
)
def test_what_cannot_be_asked_for(spec: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        bots.seats(spec, 3)


def test_settings_keep_their_spelling() -> None:
    names = bots.seats("hard, P2 = mcts( level=easy , seconds=2 ),P3=random", 3)
    assert names == ["hard", "mcts(level=easy,seconds=2)", "random"]
    assert bots.seats(bots.spelled(names), 3) == names
