"""seeds/gorilla.md, entry by entry: plays, tricks, special cards and powers.

The rest is in `test_sheet_gorilla`.
"""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import State
from interpreter.scenario import answer, lying, offered
from tests.sheet_gorilla import FILL, cards, listen, moves, option, roles, trick

# Plays


def test_g22_gr6_what_can_be_led() -> None:
    state = trick("crown 4 5 6, coin 5, crown 5, scripture 5, banana", "coin 7", "", "gorilla 1")
    led = [label.removeprefix("lead ") for label in offered(state)]
    singles = ["coin 5", "scripture 5", "crown 4", "crown 5", "crown 6"]
    runs = ["crown 4 crown 5", "crown 5 crown 6", "crown 4 crown 5 crown 6"]
    assert led[:8] == singles + runs
    sets = set(led[8:])
    fives = ["coin 5", "scripture 5", "crown 5", "crown 5"]
    pairs = {f"{a} {b}" for i, a in enumerate(fives) for b in fives[i + 1 :]}
    triples = {
        f"{a} {b} {c}"
        for i, a in enumerate(fives)
        for j, b in enumerate(fives[i + 1 :], i + 1)
        for c in fives[j + 1 :]
    }
    with_banana = {f"{x} banana" for x in [*singles, *pairs]}
    assert sets == pairs | triples | with_banana


def test_gr6_runs_do_not_mix_suits_or_go_round() -> None:
    state = trick("crown 12 13 1, coin 2, gorilla 3", "coin 7", "", "gorilla 1")
    runs = [label for label in offered(state) if label.count(" ") == 4]
    assert runs == ["lead crown 12 crown 13"]


def follow(
    lead: str, hand: str, *, gorilla: bool = False, king: str = "", **options: Any
) -> list[str]:
    """What the merchant (or the gorilla) may lay on a lead; 4 players unless options say so."""
    hands = [f"{lead}, {king}", FILL, "", FILL]
    hands[1 if gorilla else 3] = hand
    state = trick(*hands, **options)
    answer(state, option(state, "lead", lead))
    if gorilla:
        answer(state, "pass")
    assert state.player == (1 if gorilla else 3)
    return [label.removeprefix("lay ") for label in offered(state)]


def test_g23_same_shape_as_well() -> None:
    # a run of two on a set of two, and the other way round
    assert follow("crown 4, coin 4", "coin 5 6, gorilla 9") == ["pass"]
    assert follow("crown 4 5", "coin 9, gorilla 9") == ["pass"]


def test_g23_a_set_on_a_set_of_the_same_number() -> None:
    laid = follow("crown 4, coin 4", "scripture 4, gorilla 4, coin 3, crown 3")
    assert laid == ["scripture 4 gorilla 4", "pass"]


def test_gr7_option_runs_follow_suit() -> None:
    hand = "scripture 6 7, crown 5 6, scripture 4 5"
    laid = follow("crown 4 5", hand, runs_follow_suit=True)
    assert laid == ["scripture 4 scripture 5", "crown 5 crown 6", "pass"]
    free = follow("crown 4 5", hand, gorilla=True, runs_follow_suit=True)
    assert "scripture 6 scripture 7" in free


def test_gr7_option_runs_follow_suit_leaves_sets_free() -> None:
    laid = follow("crown 4, coin 4", "scripture 5, gorilla 5", runs_follow_suit=True)
    assert laid == ["scripture 5 gorilla 5", "pass"]


def test_gr9_nothing_is_higher_than_the_top() -> None:
    assert follow("crown 13", "crown 1 12, coin 13") == ["coin 13", "pass"]
    assert follow("crown 12 13", "crown 1 2") == ["pass"]
    assert follow("crown 13, coin 13", "crown 1, coin 1") == ["pass"]


def test_gr9_option_wrap_singles_keep_to_the_colour() -> None:
    assert follow("crown 13", "crown 1 2, coin 1", wrap=True) == ["crown 1", "pass"]
    assert follow("crown 13", "crown 2, coin 1", gorilla=True, wrap=True) == ["coin 1", "pass"]
    assert follow("crown 12", "crown 1", wrap=True) == ["pass"]  # only over the top number
    assert follow("crown 1", "crown 2 13", wrap=True) == ["crown 2", "crown 13", "pass"]


def test_gr9_option_wrap_sets_and_runs() -> None:
    laid = follow("crown 13, coin 13", "scripture 1, coin 1, crown 2, coin 2, banana", wrap=True)
    ones = ["coin 1 scripture 1", "coin 1 banana", "scripture 1 banana"]
    assert sorted(laid) == sorted([*ones, "pass"])
    laid = follow("crown 12 13", "coin 1 2 3, crown 1 2", wrap=True)
    assert laid == ["coin 1 coin 2", "crown 1 crown 2", "pass"]
    assert follow("crown 11 12 13", "coin 1 2 3", wrap=True) == ["coin 1 coin 2 coin 3", "pass"]
    laid = follow("crown 12 13", "coin 1 2 3, crown 1 2", wrap=True, runs_follow_suit=True)
    assert laid == ["crown 1 crown 2", "pass"]
    # a run itself never goes from the top to 1
    assert follow("coin 11 12", "crown 13 1", wrap=True) == ["pass"]


@pytest.mark.parametrize(("players", "top"), [(2, 9), (3, 11)])
def test_gr9_the_top_number_is_that_of_the_player_count(players: int, top: int) -> None:
    hands = [f"crown {top}", "crown 1", ""][:players]
    state = trick(*hands, wrap=True)
    answer(state, f"lead crown {top}")
    assert offered(state) == ["lay crown 1", "pass"]


# The trick


def test_g25_round_and_round_until_all_but_one_have_passed() -> None:
    state = trick("crown 1 5 9", "scripture 2 6", "", "crown 2 6", deck="")
    story = []
    for label in (
        "lead crown 1",
        "lay crown 2",
        "lay scripture 2",
        "pass",  # P1 has no scripture and no 2
        "pass",  # P4 as well
    ):
        story.append(state.player)
        answer(state, label)
    assert story == [0, 3, 1, 0, 3]
    assert state.points[1] == 1 + 2 + 2
    assert state.coordinates[2] == ("trick", 2)


def test_g25_who_has_passed_is_not_asked_again() -> None:
    state = trick("crown 1 5 9", "crown 3 7", "", "crown 2 6", deck="")
    answer(
        state, "lead crown 1", "pass", "lay crown 3", "lay crown 5", "lay crown 7", "lay crown 9"
    )
    # P4 passed in the first round; P2 has no cards left and is out unasked
    assert state.coordinates[2] == ("trick", 2)
    assert state.points[0] == 1 + 3 + 5 + 7 + 9


def test_gr8_without_cards_unasked_without_a_play_asked_to_pass() -> None:
    state = trick("crown 9", "", "", "coin 3", deck="")
    answer(state, "lead crown 9")
    assert (state.player, offered(state)) == (3, ["pass"])
    answer(state, "pass")
    assert "crown 9" in lying(state, "scored", 0)
    assert state.coordinates[2] == ("trick", 2)


def test_g26_the_last_to_play_takes_all_whatever_the_role() -> None:
    state = trick("crown 4", "crown 5", "", "crown 6, coin 3", deck="")
    events = listen(state, "lead crown 4", "lay crown 6", "pass")
    assert [m for m in moves(state, events) if "pile -> scored" in m]
    assert state.points[3] == 10
    assert lying(state, "pile") == []


# Bananas and the silverback


def test_g30_a_banana_scores_nothing() -> None:
    state = trick("crown 4, banana", "crown 5", "", "crown 6", deck="")
    answer(state, "lead crown 4 banana", "pass", "pass")
    assert lying(state, "scored", 0) == ["crown 4", "banana"]
    assert state.points[0] == 4


def test_g30_also_with_the_real_card_in_hand() -> None:
    state = trick("crown 4, coin 4, banana", "crown 5", "", "crown 6")
    assert "lead crown 4 banana" in offered(state)
    assert "lead coin 4 crown 4 banana" in offered(state)


def test_g31_only_the_gorilla_may_play_the_silverback() -> None:
    assert "silverback" not in follow("crown 7", "silverback, crown 8")
    assert "silverback" in follow("crown 7", "silverback, crown 8", gorilla=True)
    assert "silverback" in follow("crown 4 5", "silverback", gorilla=True)
    assert "silverback" in follow("crown 4, coin 4, scripture 4", "silverback", gorilla=True)


def test_g31_it_takes_the_trick_at_once() -> None:
    state = trick("crown 4 9", "silverback, coin 2", "", "crown 6, coin 3", deck="")
    answer(state, "lead crown 4", "lay crown 6", "silverback")
    assert state.coordinates[2] == ("trick", 2)
    assert "crown 4" in lying(state, "scored", 1)
    assert "crown 6" in lying(state, "scored", 1)


def test_g31_not_after_passing() -> None:
    state = trick("crown 4 9", "silverback, coin 2", "", "crown 6 10", deck="")
    answer(state, "lead crown 4", "lay crown 6", "pass", "lay crown 9")
    assert state.player == 3  # the gorilla is out


def test_g32_every_other_player_gives_the_largest_one() -> None:
    state = trick(
        "crown 2",
        "silverback",
        "",
        "crown 5",
        scored={0: "gorilla 1 13 12", 1: "gorilla 2", 2: "gorilla 4 9, coin 13", 3: "coin 12"},
        deck="",
    )
    answer(state, "lead crown 2", "lay crown 5", "silverback")
    assert sorted(lying(state, "scored", 1)) == sorted(
        cards("crown 2 5, gorilla 2, gorilla 13, gorilla 9")
    )
    assert lying(state, "scored", 0) == cards("gorilla 1 12")
    assert sorted(lying(state, "scored", 2)) == sorted(cards("gorilla 4, coin 13"))
    assert lying(state, "scored", 3) == ["coin 12"]


def test_g33_the_silverback_goes_back_into_the_deck_and_may_be_drawn_at_once() -> None:
    state = trick("crown 2", "silverback, coin 2", "", "crown 5", deck="")
    events = listen(state, "lead crown 2", "pass", "silverback")
    # G-R15: the deck is empty, so the king, first in order, draws it in the refill
    assert moves(state, events)[-1] == "silverback: deck -> hand of P1"
    assert lying(state, "hand", 0) == ["silverback"]
    assert any(e.kind == "shuffle" for e in events)


def test_g33_in_hand_at_the_end_it_scores_nothing() -> None:
    state = trick("silverback, crown 3", "coin 2", "", "crown 5", deck="", rounds=1, tricks=1)
    answer(state, "lead crown 3", "pass", "pass")
    assert (state.is_over, state.points) == (True, [3, 0, 0, 0])


# Powers


def test_g41_whether_or_not_still_in_the_trick() -> None:
    state = trick("coin 3", "gorilla 2", "", "coin 9, banana", deck="")
    answer(state, "lead coin 3", "pass", "pass")
    assert lying(state, "scored", 3) == ["coin 3"]


def test_g41_without_coins_nothing() -> None:
    state = trick("crown 3", "gorilla 2", "", "coin 9, banana", deck="")
    answer(state, "lead crown 3", "pass", "pass")
    assert lying(state, "scored", 3) == []


def test_gr15_order_when_a_trick_is_taken() -> None:
    state = trick(
        "coin 3, crown 9",
        "silverback, coin 2",
        "",
        "crown 5, coin 4",
        scored={2: "gorilla 4", 3: "gorilla 6"},
        deck="crown 1",
    )
    events = listen(state, "lead coin 3", "lay coin 4", "silverback")
    told = [
        moves(state, [e])[0] if e.kind == "move" else e.kind
        for e in events
        if e.kind in ("move", "shuffle", "role")
    ]
    after = told[told.index("silverback: hand of P2 -> pile") + 1 :]
    kinds = [
        "cut" if line.startswith("coin 4: pile")
        else "rest" if line.startswith("coin 3: pile")
        else "deck" if line in ("silverback: pile -> deck", "shuffle")
        else "herd" if line.startswith("gorilla")
        else "roles" if line == "role"
        else "refill"
        for line in after
    ]  # fmt: skip
    assert kinds == ["cut", "rest", "deck", "deck", "herd", "herd", "roles", "refill", "refill"]


def test_g42_the_prophet_names_another_player_before_the_lead() -> None:
    state = trick("crown 9", "coin 7 8", "coin 2, crown 3", "gorilla 1")
    assert (state.player, offered(state)) == (2, ["P1", "P2", "P4"])
    answer(state, "P2")
    assert (state.player, offered(state)) == (1, ["coin 8"])
    answer(state, "coin 8")
    # the prophet gives back another card than the one just received
    assert (state.player, offered(state)) == (2, ["coin 2", "crown 3"])
    answer(state, "crown 3")
    assert lying(state, "hand", 2) == ["coin 2", "coin 8"]
    assert lying(state, "hand", 1) == ["coin 7", "crown 3"]
    assert (state.player, offered(state)) == (0, ["lead crown 9"])


def test_g42_a_card_that_looks_the_same_may_go_back() -> None:
    state = trick("crown 9", "coin 8", "coin 8", "gorilla 1")
    answer(state, "P2", "coin 8")
    assert offered(state) == ["coin 8"]
    answer(state, "coin 8")
    assert (lying(state, "hand", 1), lying(state, "hand", 2)) == (["coin 8"], ["coin 8"])


def test_gr10_among_equals_the_named_player_chooses() -> None:
    state = trick("crown 9", "coin 8, crown 8, coin 8, gorilla 3, banana", "coin 2", "gorilla 1")
    answer(state, "P2")
    assert (state.player, offered(state)) == (1, ["coin 8", "crown 8"])
    state = trick("crown 9", "banana, banana", "coin 2", "gorilla 1")
    answer(state, "P2")
    assert offered(state) == ["banana"]


def test_gr11_players_without_cards_are_not_named() -> None:
    state = trick("crown 9", "", "coin 2", "gorilla 1")
    assert offered(state) == ["P1", "P4"]
    state = trick("", "", "coin 2", "", deck="")
    assert (state.player, offered(state)) == (2, ["lead coin 2"])


def test_gr11_a_prophet_without_cards_names_nobody() -> None:
    state = trick("crown 9", "coin 8", "", "gorilla 1")
    assert state.player == 0


def test_g42_only_the_two_know() -> None:
    views = []
    for given in ("coin 13", "crown 13"):
        state = trick("coin 3", "coin 13, crown 13, coin 5", "coin 2", "gorilla 1")
        answer(state, "P2", given, "coin 2")
        views.append([state.view(q) for q in range(4)])
        assert known(state) == [[], [given], ["coin 2"], []]
    one, other = views
    assert (one[0], one[3]) == (other[0], other[3])
    assert one[1] != other[1] and one[2] != other[2]


def known(state: State) -> list[list[str]]:
    """What each player knows to lie somewhere out of sight."""
    return [
        [state.game.face_label(face) for face, _ in state.view(q).known]
        for q in range(state.game.players)
    ]


def test_a_secret_pass_shows_the_same_whichever_card_it_was() -> None:
    """P3 knows that P1 has coin 13. In the next trick P1 gives one of two 13s to P4 in secret, and
    P3 sees the same whichever it was: coin 13 is with P1, or on its way."""
    stories = []
    for given in ("coin 13", "gorilla 13"):
        state = trick(
            "crown 13, gorilla 13, crown 4", "scripture 5", "coin 13", "crown 2 3", deck=""
        )
        answer(state, "P1", "crown 13", "coin 13")
        assert known(state)[2] == ["coin 13"]
        answer(state, "lead crown 4", "pass", "pass", "pass")
        assert (state.player, roles(state)[3]) == (3, "prophet")
        answer(state, "P1")
        views = []
        for label in (given, "crown 2"):
            answer(state, label)
            views.append([state.view(q) for q in range(4)])
        stories.append(views)
        places = [state.game.place_label(q) for q in state.view(2).known[0][1]]
        assert known(state)[2] == ["coin 13"]
        assert {"hand of P1", "hand of P4"} <= set(places)
    for one, other in zip(*stories, strict=True):
        assert (one[1], one[2]) == (other[1], other[2])
        assert one[3] != other[3]
