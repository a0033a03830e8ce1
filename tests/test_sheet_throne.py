"""seeds/throne.md, entry by entry: worked examples, and clauses where a slip is likely."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dsl import pipeline
from dsl.diagnostics import RulesError
from dsl.program import Program
from interpreter import State, compile_game
from interpreter.events import Event
from interpreter.scenario import (
    answer,
    clear,
    lying,
    offered,
    place_cards,
    set_mark,
    set_tokens,
    stack,
    tokens,
)

ROOT = Path(__file__).resolve().parents[1]
RULESET = ROOT / "rulesets" / "throne.rules"
SHEET = ROOT / "seeds" / "throne.md"
JOBS = ["barbarian", "peasant", "merchant", "thief", "knight", "priest", "senator", "magician"]


@cache
def program() -> Program:
    found, diagnostics = pipeline.load(RULESET)
    assert found is not None, diagnostics
    return found


def start(players: int = 3, **options: Any) -> State:
    return compile_game(program(), players, options).start(1)


def turn(*hand: str, players: int = 3, treasury: int = 5, **options: Any) -> State:
    """P1's first turn, after the draw, with these cards in hand."""
    state = start(players, **options)
    place_cards(state, "hand", 0, hand)
    set_tokens(state, "treasury", None, treasury)
    return asked(state)


def asked(state: State) -> State:
    """The State with its options as they are after what was set."""
    state.game.ask_again(state)
    return state


def guard(state: State, *players: int) -> State:
    set_mark(state, "guarded", players)
    return asked(state)


def coins(state: State) -> list[int]:
    return [tokens(state, "coin", q) for q in range(state.game.players)]


def vp(state: State) -> list[int]:
    return [tokens(state, "vp", q) for q in range(state.game.players)]


def treasury(state: State) -> int:
    return tokens(state, "treasury")


def give_coins(state: State, counts: Sequence[int]) -> State:
    for player, count in enumerate(counts):
        set_tokens(state, "coin", player, count)
    return asked(state)


def refill(sizes: Sequence[int], counts: Sequence[int], job: str = "", **options: Any) -> State:
    """The beginning of the refill: so many cards in hand, so many coins; courts empty."""
    state = start(len(sizes), **options)
    give_coins(state, counts)
    left = [name for name in JOBS * 8 if name != "magician"]
    for player, size in enumerate(sizes):
        place_cards(state, "hand", player, [job or left.pop(0) for _ in range(size)])
    state.game.enter_phase(state, "refill")
    return state


def settle(
    hands: Sequence[Sequence[str]], counts: Sequence[int], held: int = 5, **options: Any
) -> State:
    """The settlement of these hands with these coins, to its first choice or its end."""
    state = start(len(hands), **options)
    give_coins(state, counts)
    set_tokens(state, "treasury", None, held)
    for player, hand in enumerate(hands):
        place_cards(state, "hand", player, hand)
    state.game.enter_phase(state, "settlement")
    return state


# Setup


@pytest.mark.parametrize("players", [2, 8])
def test_t1_players(players: int) -> None:
    with pytest.raises(RulesError, match="3 to 7"):
        start(players)


def test_t2_cards_and_numbers() -> None:
    game = compile_game(program(), 3)
    assert [game.face_label(face.index) for face in game.faces] == JOBS
    assert [face.copies for face in game.faces] == [8] * 8
    numbers = [value.number for value in program().attributes["job"].values]
    assert numbers == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("players", range(3, 8))
def test_t4_one_card_each_from_p1_then_p1_draws(players: int) -> None:
    events: list[Event] = []
    game = compile_game(program(), players)
    state = game.start(3, events.append)
    shuffled = next(e.data["cards"] for e in events if e.kind == "shuffle")
    from_top = [game.face_label(face) for face in reversed(shuffled)]
    for player in range(1, players):
        assert lying(state, "hand", player) == [from_top[player]]
    assert sorted(lying(state, "hand", 0)) == sorted([from_top[0], from_top[players]])
    assert lying(state, "deck") == from_top[:players:-1]
    targets = [e.data["target"] for e in events if e.kind == "move"]
    hands = game.binding.place_base["hand"]
    assert targets == [*range(hands, hands + players), hands]


def test_t5_coins_at_the_start() -> None:
    state = start(4)
    assert (coins(state), treasury(state), vp(state)) == ([5] * 4, 5, [0] * 4)


def test_tr1_p1_begins_and_t10_turns_go_clockwise() -> None:
    state = start(3)
    turns = []
    while state.coordinates[0] == ("phase", "turns"):
        if state.decision and state.decision.name == "turn":
            turns.append(state.player)
            assert len(lying(state, "hand", state.player)) == 2  # T11: drawn already
            answer(state, offered(state)[-1])
        else:
            answer(state, offered(state)[0])
    assert turns == [0, 1, 2] * 5
    assert state.coordinates[0] == ("phase", "refill")


@pytest.mark.parametrize("turns", [1, 8])
def test_t10_number_of_turns(turns: int) -> None:
    state = start(3, turns=turns)
    for _ in range(3 * turns):
        assert state.coordinates[0] == ("phase", "turns")
        answer(state, offered(state)[0])
        while state.decision is not None and state.decision.name not in ("turn", "refill"):
            answer(state, offered(state)[0])
    assert state.coordinates[0] != ("phase", "turns")


def test_tr14_who_sees_what() -> None:
    state = turn("knight", "thief")
    place_cards(state, "discard", None, ["priest"])
    place_cards(state, "court", 0, ["senator"])
    view = state.view(1)
    game = state.game
    seen = {game.place_label(q.place): (q.size, q.cards) for q in view.places}
    assert seen["hand of P1"] == (2, None)
    assert seen["hand of P2"][1] is not None
    assert seen["deck"][1] is None and seen["deck"][0] > 0
    assert seen["discard"] == (1, (JOBS.index("priest"),))
    assert seen["court of P1"] == (1, (JOBS.index("senator"),))
    assert dict(view.tokens)["coin"] == (5, 5, 5)
    assert dict(view.tokens)["treasury"] == 5
    assert view.options == ()  # P1's


# Turns


def test_t11_the_draw_comes_first() -> None:
    state = turn("priest")
    stack(state, "deck", ["magician"])
    before = lying(state, "hand", 1)
    answer(state, "hold")
    assert state.player == 1
    assert sorted(lying(state, "hand", 1)) == sorted([*before, "magician"])


def test_t12_hold_pays_one_coin() -> None:
    state = turn("knight", "priest")
    answer(state, "hold")
    assert (coins(state), treasury(state), vp(state)) == ([4, 5, 5], 6, [0] * 3)
    assert lying(state, "hand", 0) == ["knight", "priest"]


def test_tr2_only_with_a_coin() -> None:
    state = give_coins(turn("knight"), [0, 5, 5])
    assert offered(state) == ["play knight"]
    state = give_coins(turn("knight"), [1, 5, 5])
    assert offered(state) == ["hold", "play knight"]


def test_tr2_option_hold_for_nothing() -> None:
    state = give_coins(turn("knight", hold_needs_coin=False), [0, 5, 5])
    assert offered(state) == ["hold", "play knight"]
    answer(state, "hold")
    assert (coins(state), treasury(state), vp(state)) == ([0, 5, 5], 5, [0] * 3)
    # with a coin, holding costs it all the same
    state = turn("knight", hold_needs_coin=False)
    answer(state, "hold")
    assert (coins(state), treasury(state)) == ([4, 5, 5], 6)


def test_t13_any_card_is_played_face_up() -> None:
    state = turn("priest", "knight", "priest", "senator")
    assert offered(state) == ["hold", "play knight", "play priest", "play senator"]
    assert state.decision is not None
    assert [option.ways for option in state.decision.options] == [1, 1, 2, 1]
    answer(state, "play priest")
    assert lying(state, "court", 0) == ["priest"]
    assert lying(state, "hand", 0) == ["knight", "priest", "senator"]


def test_t13_courts_keep_the_order_of_arrival() -> None:
    state = turn("priest", "knight")
    place_cards(state, "court", 0, ["senator", "barbarian"])
    answer(asked(state), "play knight")
    assert lying(state, "court", 0) == ["senator", "barbarian", "knight"]


# Skills


def barbarian(**options: Any) -> State:
    state = turn("barbarian", "peasant", **options)
    place_cards(state, "court", 1, ["thief", "thief", "knight"])
    place_cards(state, "court", 2, ["merchant"])
    place_cards(state, "discard", None, ["magician"])
    return state


def test_t14_1_discards_a_face_up_card_for_1_vp() -> None:
    state = barbarian()
    answer(state, "play barbarian", "thief from court of P2")
    assert lying(state, "court", 1) == ["thief", "knight"]
    assert lying(state, "discard") == ["magician", "thief"]
    assert (vp(state), state.player) == ([1, 0, 0], 1)


def test_tr3_any_court_even_the_barbarian_itself_but_not_the_discard_pile() -> None:
    state = barbarian()
    answer(state, "play barbarian")
    assert offered(state) == [
        "barbarian from court of P1",
        "thief from court of P2",
        "knight from court of P2",
        "merchant from court of P3",
    ]
    answer(state, "barbarian from court of P1")
    assert (lying(state, "court", 0), vp(state)) == ([], [1, 0, 0])


def test_tr3_a_protected_court_is_out() -> None:
    state = guard(barbarian(), 1)
    answer(state, "play barbarian")
    assert offered(state) == ["barbarian from court of P1", "merchant from court of P3"]


def test_tr3_option_own_court_out() -> None:
    state = guard(barbarian(raid_own_court=False), 1)
    answer(state, "play barbarian")
    assert offered(state) == ["merchant from court of P3"]
    state = guard(barbarian(raid_own_court=False), 1, 2)
    answer(state, "play barbarian")
    assert (state.player, vp(state)) == (1, [0, 0, 0])  # no target, no VP


@pytest.mark.parametrize(("held", "numbers"), [(0, "0"), (1, "01"), (2, "012"), (5, "012")])
def test_t14_2_peasant_pays_0_to_2_coins(held: int, numbers: str) -> None:
    state = give_coins(turn("peasant"), [held, 5, 5])
    answer(state, "play peasant")
    assert offered(state) == list(numbers)
    answer(state, numbers[-1])
    paid = int(numbers[-1])
    assert (coins(state)[0], treasury(state), vp(state)[0]) == (held - paid, 5 + paid, paid)


def test_t14_3_merchant() -> None:
    state = turn("merchant")
    answer(state, "play merchant")
    assert (coins(state), treasury(state), vp(state)) == ([7, 5, 5], 6, [0, 0, 0])


def test_t14_3_the_merchants_payment_can_overflow() -> None:
    state = turn("merchant", treasury=15)
    answer(state, "play merchant")
    assert (coins(state), treasury(state), vp(state)) == ([7, 5, 5], 15, [1, 0, 0])


@pytest.mark.parametrize(("stock", "held", "after"), [(2, 0, 1), (0, 0, 0), (0, 4, 3), (3, 0, 2)])
def test_t16_a_stock_that_falls_short(stock: int, held: int, after: int) -> None:
    state = give_coins(turn("merchant", stock_coins=stock), [held, 5, 5])
    answer(state, "play merchant")
    assert coins(state)[0] == after
    assert tokens(state, "stock") == max(0, stock - 3)
    assert treasury(state) == 5 + (held + min(stock, 3) - after)


def test_t14_4_thief_takes_a_coin() -> None:
    state = turn("thief", players=4)
    answer(state, "play thief")
    assert offered(state) == ["P2", "P3", "P4"]
    answer(state, "P3")
    assert coins(state) == [6, 5, 4, 5]


def test_tr5_the_penniless_can_be_named_the_protected_not() -> None:
    state = guard(give_coins(turn("thief"), [5, 0, 5]), 2)
    answer(state, "play thief")
    assert offered(state) == ["P2"]
    answer(state, "P2")
    assert coins(state) == [5, 0, 5]


def test_tr5_with_all_others_protected_nobody_is_named() -> None:
    state = guard(turn("thief"), 1, 2)
    answer(state, "play thief")
    assert (state.player, coins(state)) == (1, [5, 5, 5])


def test_t14_5_the_knight_protects_player_and_court_until_the_next_turn_begins() -> None:
    state = turn("knight", "priest")
    for player, job in ((1, "barbarian"), (2, "thief")):
        place_cards(state, "hand", player, [job])
    stack(state, "deck", ["priest", "priest"])
    answer(state, "play knight", "play barbarian")
    assert offered(state) == ["barbarian from court of P2"]
    answer(state, "barbarian from court of P2", "play thief")
    assert offered(state) == ["P2"]
    answer(state, "P2")
    assert state.player == 0
    assert not dict(state.game.mark_values(state))["guarded"]


def test_tr6_protection_ends_before_the_draw() -> None:
    state = turn("knight", "priest", players=3)
    events: list[Event] = []
    answer(state, "play knight", "hold")
    state.apply(state.moves[0], events.append)
    kinds = [(e.kind, e.data.get("on")) for e in events if e.kind in ("mark", "move")]
    assert kinds == [("mark", False), ("move", None)]


def test_tr6_a_knight_of_the_last_turn_protects_while_others_play() -> None:
    state = turn("knight", turns=1)
    place_cards(state, "hand", 1, ["thief"])
    place_cards(state, "hand", 2, ["senator"])
    answer(state, "play knight", "play thief")
    assert offered(state) == ["P3"]
    answer(state, "P3", "play senator")
    assert offered(state) == ["P2"]


def test_t14_6_priest_takes_what_there_is() -> None:
    for held, got in ((5, 3), (2, 2), (0, 0)):
        state = turn("priest", treasury=held)
        answer(state, "play priest")
        assert (coins(state)[0], treasury(state)) == (5 + got, held - got)


def test_t14_7_senator_gives_from_the_treasury_and_gains_2_vp() -> None:
    state = turn("senator")
    answer(state, "play senator")
    assert offered(state) == ["P2", "P3"]
    answer(state, "P2")
    assert (coins(state), treasury(state), vp(state)) == ([5, 6, 5], 4, [2, 0, 0])


def test_tr7_an_empty_treasury_still_asks_for_a_name() -> None:
    state = turn("senator", treasury=0)
    answer(state, "play senator", "P3")
    assert (coins(state), treasury(state), vp(state)) == ([5, 5, 5], 0, [2, 0, 0])


def test_tr7_with_all_others_protected_2_vp_all_the_same() -> None:
    state = guard(turn("senator"), 1, 2)
    answer(state, "play senator")
    assert (state.player, coins(state), vp(state)) == (1, [5, 5, 5], [2, 0, 0])


def test_t14_8_magician_draws_2_and_discards_an_unordered_pair() -> None:
    state = turn("magician", "peasant")
    stack(state, "deck", ["thief", "peasant"])
    answer(state, "play magician")
    assert sorted(lying(state, "hand", 0)) == ["peasant", "peasant", "thief"]
    assert offered(state) == ["peasant, peasant", "peasant, thief"]
    answer(state, "peasant, thief")
    assert lying(state, "hand", 0) == ["peasant"]
    assert sorted(lying(state, "discard")) == ["peasant", "thief"]


def test_tr8_with_fewer_than_2_cards_what_there_is() -> None:
    state = turn("magician", "peasant")
    clear(state, "deck", None, ("court", 2))
    answer(state, "play magician")
    assert offered(state) == ["peasant"]
    answer(state, "peasant")
    assert (lying(state, "hand", 0), lying(state, "discard")) == ([], [])  # drawn again by P2
    state = turn("magician")
    clear(state, "deck", None, ("court", 2))
    answer(state, "play magician")
    assert state.player == 1  # nothing to discard, nothing asked


def test_tr9_the_discard_pile_becomes_the_deck() -> None:
    state = turn("magician")
    clear(state, "deck", None, ("court", 2))
    place_cards(state, "discard", None, ["thief", "knight"])
    answer(state, "play magician")
    assert (lying(state, "discard"), lying(state, "deck")) == ([], [])
    assert offered(state) == ["thief, knight"]


def test_tr9_between_the_two_cards_of_one_draw() -> None:
    state = turn("magician")
    clear(state, "deck", None, ("court", 2))
    place_cards(state, "deck", None, ["thief"])
    place_cards(state, "discard", None, ["knight", "priest"])
    answer(state, "play magician")
    hand = lying(state, "hand", 0)
    assert len(hand) == 2 and "thief" in hand
    assert (lying(state, "discard"), len(lying(state, "deck"))) == ([], 1)


def test_tr9_with_both_empty_nothing_is_drawn() -> None:
    state = turn("knight")
    place_cards(state, "hand", 1, ["thief"])
    clear(state, "deck", None, ("court", 2))
    answer(state, "play knight")
    assert (state.player, lying(state, "hand", 1)) == (1, ["thief"])


# Paying into the treasury


def test_t20_example_a_second_coin_overflows() -> None:
    state = turn("peasant", treasury=14)
    answer(state, "play peasant", "1")
    assert (coins(state)[0], treasury(state), vp(state)[0]) == (4, 15, 1)
    state = turn("peasant", treasury=14)
    answer(state, "play peasant", "2")
    assert (coins(state)[0], treasury(state), vp(state)[0]) == (3, 15, 3)


def test_t20_holds_for_hold_and_refill() -> None:
    state = turn("knight", treasury=15)
    answer(state, "hold")
    assert (coins(state)[0], treasury(state), vp(state)[0]) == (4, 15, 1)
    state = refill([5, 6, 6], [1, 0, 0])
    set_tokens(state, "treasury", None, 15)
    answer(state, "buy")
    assert (tokens(state, "treasury"), vp(state)[0]) == (15, 1)


def test_t20_overflow_goes_to_the_stock() -> None:
    state = turn("peasant", treasury=15, stock_coins=10)
    answer(state, "play peasant", "2")
    assert (tokens(state, "stock"), treasury(state), vp(state)[0]) == (12, 15, 4)


def test_t20_option_limit() -> None:
    state = turn("knight", treasury=5, treasury_limit=5)
    answer(state, "hold")
    assert (treasury(state), vp(state)[0]) == (5, 1)
    state = turn("knight", treasury=100, treasury_limit="endless")
    answer(state, "hold")
    assert (treasury(state), vp(state)[0]) == (101, 0)


# Refill


def test_t43_the_smallest_hand_is_next() -> None:
    state = refill([1, 3, 3], [9, 9, 9])
    order = []
    while state.decision is not None and state.decision.name == "refill":
        order.append("ABC"[state.player or 0])
        answer(state, "buy")
    assert order == list("AAABCABCABC")
    assert [len(lying(state, "hand", q)) for q in range(3)] == [6, 6, 6]


def test_t40_full_hands_are_not_asked() -> None:
    state = refill([6, 5, 6], [9, 9, 9])
    assert state.player == 1
    answer(state, "buy")
    assert state.decision is None or state.decision.name != "refill"
    state = refill([7, 6, 5], [9, 9, 9])
    assert state.player == 2


def test_t41_a_card_from_anothers_court_or_pay_and_draw() -> None:
    state = refill([4, 6, 6], [1, 0, 0])
    place_cards(state, "court", 0, ["magician"])
    place_cards(state, "court", 1, ["knight", "knight", "thief"])
    place_cards(state, "court", 2, ["priest"])
    set_mark(state, "guarded", [1])  # T-R10: no protection here
    state.game.enter_phase(state, "refill")
    assert offered(state) == [
        "take thief from court of P2",
        "take knight from court of P2",
        "take priest from court of P3",
        "buy",
    ]
    one = state.clone()
    answer(one, "take thief from court of P2")
    assert lying(one, "court", 1) == ["knight", "knight"]
    assert (len(lying(one, "hand", 0)), tokens(one, "coin", 0)) == (5, 1)
    stack(state, "deck", ["magician"])
    answer(state, "buy")
    assert "magician" in lying(state, "hand", 0)
    assert (tokens(state, "coin", 0), treasury(state)) == (0, 6)


def test_t42_without_a_coin_only_courts_and_then_pass() -> None:
    state = refill([4, 6, 6], [0, 9, 9])
    place_cards(state, "court", 0, ["magician"])  # one's own is no help
    place_cards(state, "court", 1, ["thief"])
    state.game.enter_phase(state, "refill")
    answer(state, "take thief from court of P2")
    assert (state.player, offered(state)) == (0, ["pass"])
    answer(state, "pass")
    assert len(lying(state, "hand", 0)) == 5
    assert state.decision is None or state.decision.name != "refill"


def test_t42_who_has_passed_is_not_asked_again() -> None:
    state = refill([3, 4, 6], [0, 9, 9])
    order = []
    while state.decision is not None and state.decision.name == "refill":
        order.append((state.player, offered(state)))
        answer(state, offered(state)[0])
    assert order == [(0, ["pass"]), (1, ["buy"]), (1, ["buy"])]


def test_tr10_no_draw_without_cards_to_draw() -> None:
    state = refill([4, 6, 6], [9, 9, 9])
    clear(state, "deck", None, ("court", 0))
    state.game.enter_phase(state, "refill")
    assert offered(state) == ["pass"]
    place_cards(state, "discard", None, ["thief"])
    state.game.enter_phase(state, "refill")
    assert offered(state) == ["buy"]
    answer(state, "buy")
    assert "thief" in lying(state, "hand", 0)
    assert offered(state) == ["pass"]


def test_tr10_pass_is_never_offered_beside_something_else() -> None:
    for held, court in ((0, ["thief"]), (1, []), (1, ["thief"])):
        state = refill([5, 6, 6], [held, 0, 0])
        place_cards(state, "court", 1, court)
        state.game.enter_phase(state, "refill")
        assert "pass" not in offered(state)


def test_t40_option_final_hand() -> None:
    state = refill([3, 3, 4], [9, 9, 9], final_hand=4)
    answer(state, "buy", "buy")
    assert [len(lying(state, "hand", q)) for q in range(3)] == [4, 4, 4]
    assert state.decision is None or state.decision.name != "refill"


# Settlement


def test_e1_head_is_the_most_held_then_the_larger_number() -> None:
    hand = ["thief", "thief", "magician", "magician", "knight", "peasant"]
    state = settle([hand, ["barbarian"], ["barbarian"]], [0, 0, 0])
    # the magician's policy: 4 different jobs
    assert (state.is_over, vp(state)) == (True, [8, 0, 0])


def test_t50_hands_are_revealed_first() -> None:
    state = refill([6, 6, 5], [9, 9, 9])
    events: list[Event] = []
    state.apply(state.moves[0], events.append)
    reveals = [e.data["place"] for e in events if e.kind == "reveal"]
    base = state.game.binding.place_base["hand"]
    assert reveals == [base, base + 1, base + 2]


def test_e2_order_of_settling() -> None:
    """B pays into the treasury first, then A has B and C pay, then C has A and B pay."""
    state = refill([6, 6, 5], [8, 9, 6])
    place_cards(state, "hand", 0, ["barbarian"] * 2 + ["peasant", "merchant", "thief", "priest"])
    place_cards(state, "hand", 1, ["knight"] * 3 + ["peasant", "merchant", "priest"])
    place_cards(state, "hand", 2, ["barbarian"] * 2 + ["peasant", "merchant", "thief"])
    stack(state, "deck", ["senator"])
    events: list[Event] = []
    answer(asked(state), "buy")
    assert state.player == 1
    state.apply(state.moves[4], events.append)
    payers = [e.data["source"][1] for e in events if e.kind == "pay" and e.data["token"] == "coin"]
    assert payers == [1, 1, 2, 0, 1]
    assert coins(state) == [4, 1, 2]


def test_t51_more_cards_first_then_smaller_number_then_seat() -> None:
    # P3's 2 priests empty the treasury, then P2's single priest finds nothing.
    state = settle([["magician"], ["priest"], ["priest"] * 2], [0, 0, 0], held=5)
    assert coins(state) == [0, 0, 5]
    # Equal counts: the knight (5) fills before the priest (6) takes; whatever the seats.
    state = settle([["priest"], ["magician"], ["knight"]], [0, 0, 3], held=1)
    assert state.player == 2
    answer(state, "3")
    assert coins(state) == [4, 0, 0]
    # Equal count and number: P2 before P3.
    state = settle([["magician"], ["priest"], ["priest"]], [0, 0, 0], held=5)
    assert coins(state) == [0, 5, 0]


def test_t51_order_is_fixed_before_the_first_policy() -> None:
    """Policies move no cards, so the order of heads cannot change; both merchants count."""
    state = settle([["merchant"] * 2, ["merchant"], ["merchant"]], [1, 1, 2], held=0)
    assert state.points == [4, 4, 8]


def test_e3_two_merchants_after_a_barbarian() -> None:
    state = settle([["barbarian"] * 3, ["merchant"] * 2, ["merchant"] * 2], [0, 9, 5])
    assert coins(state) == [0, 4, 2]
    assert state.points == [0, 16, 8]


def test_t52_1_halved_rounded_down_for_all_others() -> None:
    state = settle([["barbarian"], ["magician"], ["magician"], ["magician"]], [7, 0, 1, 6])
    assert coins(state) == [7, 0, 0, 3]
    assert treasury(state) == 5


def test_tr11_what_is_lost_goes_to_the_stock() -> None:
    state = settle([["barbarian"], ["magician"], ["magician"]], [7, 5, 4], stock_coins=0)
    assert (coins(state), tokens(state, "stock"), treasury(state)) == ([7, 2, 2], 5, 5)


def test_tr11_option_to_the_treasury() -> None:
    hands = [["barbarian"], ["magician"], ["magician"]]
    state = settle(hands, [7, 5, 4], halved_coins_go_to="treasury")
    assert (coins(state), treasury(state)) == ([7, 2, 2], 10)


def test_tr11_option_to_the_treasury_what_does_not_fit_goes_to_the_stock() -> None:
    hands = [["barbarian"], ["magician"], ["magician"]]
    state = settle(hands, [7, 5, 4], held=14, halved_coins_go_to="treasury", stock_coins=0)
    assert (coins(state), treasury(state), tokens(state, "stock")) == ([7, 2, 2], 15, 4)
    assert vp(state) == [0, 2, 2]  # the magicians' policy: no VP for overflow


def test_t52_2_3_vp_for_each_peasant_then_all_own_coins_go() -> None:
    state = settle([["peasant"] * 4 + ["thief"], ["magician"], ["magician"]], [9, 5, 4])
    assert (coins(state), vp(state), treasury(state)) == ([0, 5, 4], [12, 2, 2], 5)


def test_t52_3_each_coin_counts_4_at_the_end() -> None:
    """Also coins that come after the merchant's own policy: here from the senator."""
    state = settle([["merchant"] * 2, ["senator"], ["magician"]], [5, 5, 5], held=3)
    assert coins(state) == [6, 6, 6]
    assert state.points == [24, 3 + 6, 2 + 6]


def thief_policy(counts: Sequence[int]) -> State:
    """P2 is the thief; P4 has a thief in hand as well; P1 and P3 come later in the settlement."""
    hands = [["priest"], ["thief", "thief"], ["priest"], ["thief", "priest"], ["priest"]]
    return settle(hands, counts)


def test_t52_4_up_to_8_from_players_without_a_thief_clockwise() -> None:
    state = thief_policy([4, 0, 6, 9, 5])
    assert (state.player, offered(state)) == (1, ["0", "1", "2", "3", "4", "5", "6"])  # P3
    answer(state, "5")
    assert (state.player, offered(state)) == (1, ["0", "1", "2", "3"])  # P5: 3 left of 8
    answer(state, "2")
    assert (state.player, offered(state)) == (1, ["0", "1"])  # P1
    answer(state, "1")
    assert coins(state)[1:3] == [8, 1]
    assert coins(state)[3] == 9  # has a thief: left alone


def test_tr12_asked_also_where_only_0_is_left_and_less_than_8_is_fine() -> None:
    state = thief_policy([0, 0, 9, 9, 9])
    answer(state, "8")
    assert offered(state) == ["0"]
    answer(state, "0")
    assert offered(state) == ["0"]
    state = thief_policy([9, 0, 9, 9, 9])
    answer(state, "0", "0", "0")
    assert coins(state)[1] == 0


def test_t15_a_knight_of_the_last_turn_is_no_protection_at_settlement() -> None:
    state = start(3)
    give_coins(state, [5, 5, 5])
    for player, job in enumerate(("thief", "magician", "magician")):
        place_cards(state, "hand", player, [job])
    set_mark(state, "guarded", [1, 2])
    state.game.enter_phase(state, "settlement")
    answer(state, "5", "3")
    assert coins(state) == [13, 0, 2]


def test_e5_knight_pays_up_to_the_limit() -> None:
    state = settle([["knight"], ["magician"], ["magician"]], [9, 0, 0], held=11)
    assert offered(state) == ["0", "1", "2", "3", "4"]
    answer(state, "4")
    assert (vp(state)[0], coins(state)[0], treasury(state)) == (12, 5, 15)
    assert state.points[0] == 17


def test_t52_5_no_more_than_the_coins_there_are() -> None:
    state = settle([["knight"], ["magician"], ["magician"]], [2, 0, 0], held=0)
    assert offered(state) == ["0", "1", "2"]
    state = settle([["knight"], ["magician"], ["magician"]], [9, 0, 0], held=15)
    assert offered(state) == ["0"]


def test_t52_5_with_an_endless_limit() -> None:
    hands = [["knight"], ["magician"], ["magician"]]
    state = settle(hands, [9, 0, 0], held=30, treasury_limit="endless")
    assert offered(state) == [str(n) for n in range(10)]


def test_t52_6_priest_takes_the_whole_treasury() -> None:
    state = settle([["priest"], ["magician"], ["magician"]], [1, 0, 0], held=15)
    assert (coins(state), treasury(state)) == ([16, 0, 0], 0)


def test_e4_senator() -> None:
    # P3 is the senator; the others' magicians come later and leave the treasury alone.
    state = settle([["magician"], ["magician"], ["senator"]], [0, 0, 0], held=2)
    assert (vp(state)[2], coins(state), treasury(state)) == (2, [1, 1, 0], 0)


def test_t52_7_the_senator_gets_a_coin_too() -> None:
    state = settle([["magician"], ["senator"], ["magician"]], [0, 0, 0], held=7)
    assert (vp(state)[1], coins(state), treasury(state)) == (7, [1, 1, 1], 4)


def test_e6_magician_counts_different_jobs() -> None:
    hand = ["barbarian", "peasant", "merchant", "thief", "knight", "magician"]
    state = settle([hand, ["barbarian"], ["barbarian"]], [0, 0, 0])
    assert vp(state)[0] == 12
    state = settle([["magician"] * 6, ["barbarian"], ["barbarian"]], [0, 0, 0])
    assert vp(state)[0] == 2


# The end


def test_t60_coins_count_1() -> None:
    state = settle([["barbarian"], ["knight"], ["magician"]], [3, 4, 8], held=15)
    assert offered(state) == ["0"]
    answer(state, "0")
    assert state.points == [3, 2, 2 + 4]
    assert state.winners == [2]


def test_t61_ties_go_to_the_smaller_head() -> None:
    # P1: priest takes 2 coins. P2: magician, 2 VP. P3: barbarian, nothing.
    state = settle([["priest"], ["magician"], ["barbarian"]], [0, 0, 0], held=2)
    assert state.points == [2, 2, 0]
    assert state.winners == [0]


def test_t61_still_tied_is_a_draw() -> None:
    state = settle([["magician"], ["magician"], ["barbarian"]], [0, 0, 0], held=0)
    assert state.points == [2, 2, 0]
    assert state.winners == [0, 1]


def test_t61_the_head_only_decides_between_those_ahead() -> None:
    state = settle([["barbarian"], ["magician"], ["magician"]], [0, 2, 2], held=0)
    assert state.points == [0, 3, 3]
    assert state.winners == [1, 2]


def test_every_worked_example_has_a_test() -> None:
    examples = re.findall(r"^- \*\*(\S+)\*\* \(example\)", SHEET.read_text("utf-8"), re.M)
    tested = {name.split("_")[1] for name in globals() if name.startswith("test_")}
    assert examples
    assert {name.lower() for name in examples} <= tested
