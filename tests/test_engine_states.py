"""States from outside: what they compare with, how they are entered, copied and sent to other
processes."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from dsl.diagnostics import RulesError
from interpreter import compile_game
from interpreter.events import Event
from interpreter.scenario import answer, clear, offered, place_cards, set_roles
from tests.tiny import GO, begin, bundled, tiny


def test_states_compare_only_with_states() -> None:
    state = begin(GO)
    assert state != 1
    assert state == begin(GO)
    assert state != compile_game(tiny(GO), 2).start(2)
    assert len({state, begin(GO), state.clone()}) == 1


def test_a_game_is_made_once_and_pickles_to_itself() -> None:
    game = compile_game(bundled("throne.rules"), 3)
    assert compile_game(bundled("throne.rules"), 3, {"turns": 5}) is game
    assert pickle.loads(pickle.dumps(game)) is game
    state = game.start(1)
    again = pickle.loads(pickle.dumps([state, state.clone()]))
    assert again[0].game is game
    assert again == [state, state]


def test_silent_and_loud_take_turns_in_one_game() -> None:
    game = compile_game(bundled("gorilla.rules"), 4)
    silent, mixed = game.start(1), game.start(1, lambda event: None)
    rng = Random(1)
    events: list[Event] = []
    while not silent.is_over:
        raw = rng.choice(silent.moves)
        silent.apply(raw)
        mixed.apply(raw, events.append if rng.random() < 0.5 else None)
        assert silent == mixed
    assert events


def test_options_and_raw_options_do_the_same() -> None:
    game = compile_game(bundled("throne.rules"), 3)
    one, other = game.start(1), game.start(1)
    while not one.is_over:
        assert one.decision is not None
        one.apply(one.decision.options[-1])
        other.apply(other.moves[-1])
    assert one == other


def test_an_option_that_is_not_offered_is_refused() -> None:
    state = begin(f"choose lay: card from hand\n  move it to row\n{GO}")
    assert state.decision is not None
    old = state.decision.options[0]
    state.apply(old)
    with pytest.raises(ValueError):
        state.apply(old)


def test_position_key_leaves_out_seed_and_knowledge_but_not_the_loops() -> None:
    game = compile_game(bundled("last-leaf.rules"), 3)
    state = game.start(1)
    other = state.clone()
    other.seed = 99
    assert other != state
    assert other.position_key() == state.position_key()
    laps = begin("repeat 3 as lap\n  choose go\n    on\n      take 0 coins from bank")
    keys = []
    while not laps.is_over:
        keys.append(laps.position_key())
        laps.apply(laps.moves[0])
    assert len(set(keys)) == 3


def test_points_on_the_way_are_as_scoring_would_count_now() -> None:
    state = begin(GO, purse=2)
    assert (state.points, state.winners) == ([2, 2], [])
    answer(state, "on")
    assert state.points == [3, 2]


def test_coordinates_and_rule() -> None:
    go = "    choose go\n      on\n        take 0 coins from bank"
    state = begin(f"repeat 2 as lap\n  each player as turn\n{go}")
    seen = []
    while not state.is_over:
        seen.append(state.coordinates)
        assert state.rule is not None and state.rule.path == "phase play/go"
        answer(state, "on")
    where = [("lap", 1), ("turn", 1)], [("lap", 1), ("turn", 2)], [("lap", 2), ("turn", 1)]
    assert seen[:3] == [(("phase", "play"), *found) for found in where]
    assert state.rule is None and state.coordinates == (("phase", "play"),)


def test_entering_a_choice_asks_again() -> None:
    state = begin("choose lay: card from hand\n  move it to row\n" + GO)
    place_cards(state, "hand", 0, ["4", "6"])
    state.game.enter_choice(state, "phase play/lay", 0)
    assert offered(state) == ["4", "6"]
    state.game.enter_choice(state, "phase play/go", 0)
    assert offered(state) == ["on"]


# Copies dealt for a player


def test_a_copy_offers_what_its_own_cards_allow() -> None:
    """P1 was asked, so P1 has a 5 or 6; which, P2 can't know."""
    rule = "choose lay if any: card from hand where number >= 5\n  move it to row\n"
    state = begin(rule + GO)
    place_cards(state, "hand", 0, ["1", "6"])
    place_cards(state, "hand", 1, ["2", "3"])
    state.game.enter_choice(state, "phase play/lay", 0)
    rng = Random(1)
    seen = set()
    for _ in range(60):
        copy = state.determinize(1, rng)
        assert copy.view(1) == state.view(1)
        assert set(copy.moves) <= set(copy.P[1])
        seen.update(offered(copy))
    assert seen == {"5", "6"}


def test_a_copy_for_a_player_asks_the_same_choice_of_the_same_player() -> None:
    """P2 sees that P1 leads, so P1 has something to lead; a deal of only bananas is no deal."""
    state = compile_game(bundled("gorilla.rules"), 2).start(1)
    set_roles(state, {"king": 0})
    for player in range(2):
        clear(state, "hand", player, ("deck", None))
    clear(state, "deck", None, ("scored", 1))
    place_cards(state, "hand", 0, ["crown 5"])
    place_cards(state, "hand", 1, ["crown 6"])
    row = state.game.binding.place_base["scored"] + 1
    deck = state.game.binding.place_base["deck"]
    banana = next(f.index for f in state.game.faces if f.kind == "banana")
    for _ in range(2):
        state.P[row].remove(banana)
        state.P[deck].append(banana)
    state.game.enter_phase(state, "play")
    assert (state.player, offered(state)) == (0, ["lead crown 5"])
    rng = Random(1)
    for _ in range(50):
        copy = state.determinize(1, rng)
        assert copy.view(1) == state.view(1)
        assert copy.moves


LAY_AT_ONCE = """repeat 2 as lap
  all players at once
    choose lay if any: card from hand where number >= 4
      move it to row
"""


def test_a_copy_in_the_middle_of_secret_answers_asks_the_same() -> None:
    """P2 is asked, so P2 has a 4 to 6; P1 has answered, so P1 had one. P3 knows no more."""
    state = compile_game(tiny(LAY_AT_ONCE + GO), 3).start(1)
    for player, hand in enumerate((["4", "1"], ["6", "2"], ["5", "3"])):
        place_cards(state, "hand", player, hand)
    state.game.enter_phase(state, "play")
    answer(state, "4")
    assert state.player == 1
    for seed in range(200):
        copy = state.determinize(2, Random(seed))
        assert copy.view(2) == state.view(2)
        assert copy.moves and set(copy.moves) <= set(copy.P[2])


def test_errors_come_through_other_processes() -> None:
    with pytest.raises(RulesError) as raised:
        compile_game(tiny(GO), 9)
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value)
    assert [found.code for found in again.diagnostics] == ["R0801"]
