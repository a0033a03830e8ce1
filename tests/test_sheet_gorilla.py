"""seeds/gorilla.md, entry by entry: clauses where a slip is likely.

The worked examples stand in the ruleset itself; here is what examples don't say, or only at length:
many players and options at once, who sees what, order of events, whole games.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from dsl.diagnostics import RulesError
from interpreter import State, compile_game
from interpreter.events import Event
from interpreter.scenario import answer, lying, offered
from tests.sheet_gorilla import ROLES, cards, listen, moves, program, roles, start, trick

# Cards


@pytest.mark.parametrize("players", [1, 5])
def test_g1_players(players: int) -> None:
    with pytest.raises(RulesError, match="2 to 4"):
        start(players)


@pytest.mark.parametrize(("players", "top", "size"), [(2, 9, 77), (3, 11, 93), (4, 13, 109)])
def test_g2_g3_the_deck(players: int, top: int, size: int) -> None:
    game = compile_game(program(), players)
    assert len(game.binding.deck) == size
    copies = {game.face_label(face.index): face.copies for face in game.faces}
    numbered = {
        f"{suit} {n}" for suit in "coin scripture crown gorilla".split() for n in range(1, top + 1)
    }
    assert set(copies) == {*numbered, "banana", "silverback"}
    assert {copies[name] for name in numbered} == {2}
    assert (copies["banana"], copies["silverback"]) == (4, 1)


def random_game(players: int, seed: int, **options: Any) -> list[State]:
    """The States at the first choice of each trick of a random game, and the last."""
    rng = Random(seed)
    state = start(players, seed, **options)
    found, before = [], None
    while not state.is_over:
        here = state.coordinates[1:3]
        if here != before:
            found.append(state.clone())
            before = here
        state.apply(rng.choice(state.moves))
    return [*found, state]


def test_g1_four_rounds_of_four_tricks() -> None:
    tricks = [s.coordinates[1:3] for s in random_game(4, 1)[:-1]]
    wanted = [(("round", r), ("trick", t)) for r in range(1, 5) for t in range(1, 5)]
    assert tricks == wanted[: len(tricks)]
    assert len(tricks) == 16


# Roles and seats


def test_g10_everyone_has_each_role_once_a_round_in_order() -> None:
    played = random_game(4, 2)
    for player in range(4):
        held = [ROLES.index(str(roles(state)[player])) for state in played[:16]]
        assert all((a + 1) % 4 == b for a, b in pairwise(held))


@pytest.mark.parametrize("players", [2, 3])
def test_gr1_roles_on_empty_seats_have_no_holder(players: int) -> None:
    seen = set()
    for state in random_game(players, 1)[:-1]:
        held = roles(state)
        assert len(held) == players
        seen.add(tuple(held))
    assert len(seen) == 4  # over four seats, though not all are taken


def test_gr2_the_ring_starts_anywhere() -> None:
    counts = Counter(roles(start(4, seed))[0] for seed in range(400))
    assert set(counts) == set(ROLES)
    assert all(70 < count < 130 for count in counts.values())


@pytest.mark.parametrize("stagger", [False, True])
def test_gr3_roles_between_rounds(stagger: bool) -> None:
    played = random_game(4, 3, stagger=stagger)
    last, first = roles(played[3]), roles(played[4])
    moved = [last[-1], *last[:-1]]
    assert first == (last if stagger else moved)
    if stagger:  # everyone is gorilla in each place of a round once
        firsts = [roles(played[4 * r]).index("gorilla") for r in range(4)]
        assert sorted(firsts) == [0, 1, 2, 3]


# Hands


@pytest.mark.parametrize("players", [2, 3, 4])
def test_gr4_eight_cards_each_singly_from_p1(players: int) -> None:
    events: list[Event] = []
    game = compile_game(program(), players)
    game.start(5, events.append)
    shuffled = next(e.data["cards"] for e in events if e.kind == "shuffle")
    from_top = list(reversed(shuffled))
    dealt = [e.data for e in events if e.kind == "move"][: 8 * players]
    assert [face for move in dealt for face in move["cards"]] == from_top[: 8 * players]
    base = game.binding.place_base["hand"]
    assert [move["target"] for move in dealt] == [base + q for q in range(players)] * 8


def test_gr4_refill_goes_round_in_the_playing_order_until_all_have_8() -> None:
    """P1 king has 6 left, P4 merchant 8, P3 prophet (no cards), P2 gorilla 7."""
    state = trick(
        "crown 1 2 3 4 5, coin 6, crown 9",
        "scripture 1 2 3 4 5, coin 7 8",
        "",
        "gorilla 1 2 3 4 5 6 7 8",
        deck="coin 1 2 3 4 5 9 10 11 12 13, scripture 6 7 8",
    )
    events = listen(state, "lead crown 9", "pass", "pass")
    drawn = [m for m in moves(state, events) if m.startswith(("coin", "scripture"))]
    assert drawn == [
        "coin 1: deck -> hand of P1",
        "coin 2: deck -> hand of P3",
        "coin 3: deck -> hand of P2",
        "coin 4: deck -> hand of P1",
        *(f"{card}: deck -> hand of P3" for card in cards("coin 5 9 10 11 12 13, scripture 6")),
    ]
    assert lying(state, "deck") == ["scripture 8", "scripture 7"]


def test_gr4_refill_stops_when_the_deck_is_out() -> None:
    state = trick("crown 9", "coin 7", "", "gorilla 1", deck="coin 1, scripture 1")
    answer(state, "lead crown 9", "pass", "pass")
    assert lying(state, "deck") == []
    # in the order P1 (king), P4 (merchant), P3 (prophet), P2 (gorilla)
    assert lying(state, "hand", 0) == ["coin 1"]
    assert lying(state, "hand", 3) == ["scripture 1", "gorilla 1"]
    assert (lying(state, "hand", 2), lying(state, "hand", 1)) == ([], ["coin 7"])


def test_gr13_who_sees_what() -> None:
    state = trick("crown 9", "coin 7", "", "gorilla 1", scored={2: "coin 3"})
    answer(state, "lead crown 9")
    game = state.game
    for player in range(4):
        view = state.view(player)
        shown = {game.place_label(q.place) for q in view.places if q.cards is not None}
        assert shown == {
            "pile",
            f"hand of P{player + 1}",
            f"offer of P{player + 1}",
            *(f"scored of P{q}" for q in range(1, 5)),
        }
        assert view.roles == (0, 3, 2, 1)
        assert all(q.size == len(state.P[q.place]) for q in view.places)


# Who leads


@pytest.mark.parametrize("hand", ["banana, banana", "silverback", "silverback, banana", ""])
def test_gr5_a_king_who_can_lead_nothing_is_out_of_the_trick(hand: str) -> None:
    state = trick(hand, "coin 9", "", "coin 3 11", deck="", rounds=1, tricks=1)
    assert (state.player, offered(state)) == (3, ["lead coin 3", "lead coin 11"])
    events = listen(state, "lead coin 3", "lay coin 9", "lay coin 11")
    assert [e.data["player"] for e in events if e.kind == "choice"] == [3, 1, 3]
    assert (state.is_over, state.points) == (True, [0, 0, 0, 3 + 9 + 11])


def test_gr5_the_gorilla_can_lead_the_silverback_last_in_order() -> None:
    state = trick("banana", "silverback", "", "banana", deck="")
    assert (state.player, offered(state)) == (1, ["silverback"])
    state = trick("banana", "silverback, crown 3", "", "banana", deck="")
    assert (state.player, offered(state)) == (1, ["lead crown 3", "silverback"])


def test_gr5_with_all_others_out_the_lead_takes_the_trick() -> None:
    state = trick("banana", "crown 3 4", "", "banana", deck="")
    answer(state, "lead crown 3")
    assert state.coordinates[2] == ("trick", 2)
    assert "crown 3" in lying(state, "scored", 1)


def test_gr5_a_void_trick_counts_and_roles_move() -> None:
    state = trick("banana", "banana", "", "silverback", deck="")
    # Trick 1 is void. P1 merchant, P2 king, P3 gorilla, P4 prophet in trick 2, and so on.
    assert state.coordinates[2] == ("trick", 2)
    assert roles(state) == ["merchant", "king", "gorilla", "prophet"]
    assert state.player == 3  # the prophet names somebody


def test_gr5_is_judged_after_the_exchange() -> None:
    """The king gives away the only number card and gets a banana for it."""
    state = trick("crown 5", "coin 9", "banana, coin 2", "coin 3", deck="")
    answer(state, "P1", "crown 5", "banana")
    assert (state.player, offered(state)) == (3, ["lead coin 3"])


# The end


def test_g50_gr12_most_points_or_a_draw() -> None:
    for other, winners in (("crown 2", [0]), ("crown 3", [0, 1]), ("crown 4", [1])):
        state = trick("crown 3", "coin 1", scored={1: other}, deck="", rounds=1, tricks=1)
        answer(state, "lead crown 3", "pass")
        assert (state.is_over, state.winners) == (True, winners)


def test_gr16_the_game_ends_when_all_cards_are_out() -> None:
    state = trick("crown 3", "gorilla 2", deck="")
    answer(state, "lead crown 3", "pass")
    # P2 still has a card, so the game goes on with trick 2, which P2 leads alone
    assert state.coordinates[2] == ("trick", 2)
    answer(state, "lead gorilla 2")
    assert (state.is_over, state.points) == (True, [3, 2])


@pytest.mark.parametrize("rounds", [1, 3])
def test_option_rounds_and_tricks(rounds: int) -> None:
    played = random_game(4, 5, rounds=rounds, tricks=2)
    assert len(played) - 1 == rounds * 2
