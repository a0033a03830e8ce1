"""seeds/throne.md, entry by entry: clauses where a slip is likely.

The worked examples stand in the ruleset itself; here is what examples don't say, or only at length:
many players and options at once, who sees what, order of events, whole games.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from dsl.diagnostics import RulesError
from interpreter import State, compile_game
from interpreter.events import Event
from interpreter.scenario import (
    answer,
    clear,
    lying,
    offered,
    place_cards,
    set_tokens,
    stack,
    tokens,
)
from tests.sheet_throne import (
    JOBS,
    asked,
    coins,
    give_coins,
    guard,
    program,
    refill,
    settle,
    start,
    treasury,
    turn,
    vp,
)

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


# Skills


def barbarian(**options: Any) -> State:
    state = turn("barbarian", "peasant", **options)
    place_cards(state, "court", 1, ["thief", "thief", "knight"])
    place_cards(state, "court", 2, ["merchant"])
    place_cards(state, "discard", None, ["magician"])
    return state


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


def test_tr6_protection_ends_before_the_draw() -> None:
    state = turn("knight", "priest", players=3)
    events: list[Event] = []
    answer(state, "play knight", "hold")
    state.apply(state.moves[0], events.append)
    kinds = [(e.kind, e.data.get("on")) for e in events if e.kind in ("mark", "move")]
    assert kinds == [("mark", False), ("move", None)]


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


# Paying into the treasury


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


def test_t40_full_hands_are_not_asked() -> None:
    state = refill([6, 5, 6], [9, 9, 9])
    assert state.player == 1
    answer(state, "buy")
    assert state.decision is None or state.decision.name != "refill"
    state = refill([7, 6, 5], [9, 9, 9])
    assert state.player == 2


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


def thief_policy(counts: Sequence[int]) -> State:
    """P2 is the thief; P4 has a thief in hand as well; P1 and P3 come later in the settlement."""
    hands = [["priest"], ["thief", "thief"], ["priest"], ["thief", "priest"], ["priest"]]
    return settle(hands, counts)


def test_tr12_asked_also_where_only_0_is_left_and_less_than_8_is_fine() -> None:
    state = thief_policy([0, 0, 9, 9, 9])
    answer(state, "8")
    assert offered(state) == ["0"]
    answer(state, "0")
    assert offered(state) == ["0"]
    state = thief_policy([9, 0, 9, 9, 9])
    answer(state, "0", "0", "0")
    assert coins(state)[1] == 0


def test_t52_5_no_more_than_the_coins_there_are() -> None:
    state = settle([["knight"], ["magician"], ["magician"]], [2, 0, 0], held=0)
    assert offered(state) == ["0", "1", "2"]
    state = settle([["knight"], ["magician"], ["magician"]], [9, 0, 0], held=15)
    assert offered(state) == ["0"]


def test_t52_5_with_an_endless_limit() -> None:
    hands = [["knight"], ["magician"], ["magician"]]
    state = settle(hands, [9, 0, 0], held=30, treasury_limit="endless")
    assert offered(state) == [str(n) for n in range(10)]


def test_t52_7_the_senator_gets_a_coin_too() -> None:
    state = settle([["magician"], ["senator"], ["magician"]], [0, 0, 0], held=7)
    assert (vp(state)[1], coins(state), treasury(state)) == (7, [1, 1, 1], 4)


# The end


def test_t60_coins_count_1() -> None:
    state = settle([["barbarian"], ["knight"], ["magician"]], [3, 4, 8], held=15)
    assert offered(state) == ["0"]
    answer(state, "0")
    assert state.points == [3, 2, 2 + 4]
    assert state.winners == [2]


def test_t61_still_tied_is_a_draw() -> None:
    state = settle([["magician"], ["magician"], ["barbarian"]], [0, 0, 0], held=0)
    assert state.points == [2, 2, 0]
    assert state.winners == [0, 1]
