"""Measures: against the events and States of the same games."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from attrs import evolve

from dsl.diagnostics import RulesError
from interpreter import bots
from lab.measures import checked, parse
from lab.simulation import simulate
from lab.totals import Totals
from tests.lab.common import game, planned

N = 8


def measured(name: str, *texts: str) -> Totals:
    program = game(name).program
    plan = planned(name, N)
    measures = checked(program, [parse(program, text) for text in texts])
    return simulate(evolve(plan, measures=measures)).totals


def at_events(name: str, kind: str, label: str, look: Any) -> Counter[int]:
    """The answers of a function of the State, for every player at every such event."""
    found: Counter[int] = Counter()
    table = game(name)
    for seed in range(1, N + 1):
        holder: list[Any] = []

        def listen(event: Any, holder: list[Any] = holder) -> None:
            if event.kind == kind and label in (event.data.get("name"), event.data.get("label")):
                whose = event.data["value"] if event.data.get("player") else None
                for player in range(table.players) if whose is None else (whose,):
                    found[look(holder[0], player)] += 1

        state = table.start(seed)
        holder.append(state)
        bots.play_out(state, {i: bots.make("random", seed) for i in range(3)}, listen)
    return found


def place(state: Any, name: str, player: int | None) -> list[int]:
    table = state.game
    return next(
        cards
        for inst, cards in zip(table.places, state.P, strict=True)
        if (inst.place, inst.player) == (name, player)
    )


def numbers_of(state: Any, cards: list[int]) -> int:
    return sum(state.game.binding.attr["number"][face] for face in cards)


def test_at_a_moment() -> None:
    totals = measured(
        "gorilla",
        "pile=sum of number over cards in pile at sharing_out",
        "scored = sum of number over cards in scored at sharing_out",
    )
    expected = at_events(
        "gorilla", "moment", "sharing_out", lambda s, q: numbers_of(s, place(s, "pile", None))
    )
    assert totals.under("measure", 0, ("all",)) == expected
    expected = at_events(
        "gorilla", "moment", "sharing_out", lambda s, q: numbers_of(s, place(s, "scored", q))
    )
    assert totals.under("measure", 1, ("all",)) == expected
    by_role = [totals.under("measure", 1, ("role", role)) for role in range(4)]
    assert sum(map(Counter, by_role), Counter()) == expected


def test_at_a_loop_of_turns_it_is_the_one_whose_turn_it_is() -> None:
    totals = measured("throne", "coins=coins at turn")
    expected = at_events("throne", "phase", "turn", lambda s, q: s.t_coin[q])
    found = totals.under("measure", 0, ("all",))
    assert sum(found.values()) == sum(expected.values()) + N  # the first turn begins with the game
    assert Counter(found) - expected == Counter({5: N})


def test_at_a_choice_it_is_the_one_who_is_asked() -> None:
    totals = measured("throne", "cards=size of hand at refill/refill", "any=treasury >= 1 at turn")
    expected: Counter[int] = Counter()
    for seed in range(1, N + 1):
        state = game("throne").start(seed)
        seated = [bots.make("random", seed) for _ in range(3)]
        while state.player is not None:
            if state.rule is not None and state.rule.path == "phase refill/refill":
                expected[len(place(state, "hand", state.player))] += 1
            state.apply(seated[state.player].choose(state))
    assert totals.under("measure", 0, ("all",)) == expected


def test_at_the_end_by_winner() -> None:
    totals = measured("throne", "vp=vp", "rich = coins > 10")
    plan = planned("throne", N)
    run = simulate(plan)
    lines = run.totals["line", 0, "x"]
    values = totals.under("measure", 0, ("all",))
    assert sum(value * times for value, times in values.items()) == lines
    assert set(totals.under("measure", 1, ("all",))) <= {0, 1}
    both = Counter(totals.under("measure", 0, ("won", 1)))
    both += Counter(totals.under("measure", 0, ("won", 0)))
    assert both == values


def test_measuring_changes_nothing_else() -> None:
    bare = simulate(planned("gorilla", N)).totals
    with_measures = measured("gorilla", "x=size of hand at trick", "y=size of hand at follow")
    rest = {k: v for k, v in with_measures.counts.items() if k[0] not in ("measure", "measured")}
    assert rest == bare.counts


def test_what_is_not_there_is_not_measured() -> None:
    totals = measured("gorilla", "top=number of top at lead")
    assert totals["unmeasured", 0] > 0
    assert not totals.under("measure", 0, ("all",))


def test_what_is_not_there_keeps_nothing_else_from_being_measured() -> None:
    totals = measured("gorilla", "top=number of top", "cards=size of hand + size of scored")
    assert totals["unmeasured", 0] == sum(totals.under("measure", 1, ("all",)).values()) == 3 * N


@pytest.mark.parametrize(
    ("text", "code", "message", "column"),
    [
        ("pile", "R0805", "should be NAME=EXPR", None),
        ("x=coins at nowhere", "R0805", "no moment, phase, loop or choice called", None),
        ("x=coinz", "R0304", "coinz", 1),
        ("x=1 + coinz", "R0304", "coinz", 5),
        ("x=hand", "R0301", "needed for a measure", 1),
        ("x=1 +", "R0103", "", None),
        ("x=(1", "", "", None),
    ],
)
def test_wrong_measures(text: str, code: str, message: str, column: int | None) -> None:
    program = game("throne").program
    with pytest.raises(RulesError) as caught:
        checked(program, [parse(program, text)])
    (first, *_) = caught.value.diagnostics
    assert message in first.message
    if code.startswith("R03"):
        assert first.code == code
    if column is not None:
        assert first.span is not None
        assert (first.span.file, first.span.line, first.span.column) == ("--measure x", 1, column)
    assert "measured_" not in str(caught.value)


def test_a_variant_is_asked_as_its_base_is() -> None:
    told = measured("throne-uncapped-treasury", "purse = coins", "rich = coins > treasury")
    purses: Counter[int] = Counter()
    for seed in range(1, N + 1):
        state = game("throne-uncapped-treasury").start(seed)
        bots.play_out(state, {i: bots.make("random", seed) for i in range(3)})
        purses.update(state.t_coin)
    assert told.under("measure", 0, ("all",)) == purses
