"""Corners where generated code once went another way than the reference, as small games."""

from __future__ import annotations

import pytest

from dsl import program as p
from tests.reference.box import (
    PLAY_LIST,
    SUIT,
    binary,
    box,
    cards_in,
    everyone,
    exists,
    made,
    names,
    number,
    origin,
    place,
    ref,
    span,
    truth,
    var,
)
from tests.reference.comparing import agree
from tests.reference.contexts import ask, branch, here, note, number_player, pause
from tests.reference.samples import any_, next_to, only, tally, top

ME = var("me", p.PLAYER)
TURN_OVER = p.Move(top("deck"), place("heap"), False, origin("setup"))
SETUP = (
    p.Shuffle(p.AllCards(p.CARDS, span()), place("deck"), origin("setup/shuffle deck")),
    p.Deal(number(4), place("deck"), "hand", everyone(), origin("setup")),
    p.Repeat(number(5), var("n", p.NUMBER), "", (TURN_OVER,), origin("setup")),
)


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULES_CACHE", "off")


def same(*body: p.Stmt, **changes: object) -> None:
    """The engine and the reference play a game of one phase alike."""
    phases = (p.Phase(names("test"), body, origin("phase test")),)
    labels = {label: names(label) for label in ("round", "turn", "bout")}
    program = made(box(setup=SETUP, phases=phases, phase_me=ME, labels=labels, **changes))
    for players in (2, 3, 4):
        for seed in range(4):
            agree(program, players, {}, seed)


def action(kind: p.Type, *body: p.Stmt, params: tuple[p.Var, ...]) -> dict[str, p.Action]:
    return {"act": p.Action(names("act"), params, body, origin("action act"))}


def act(*args: p.Expr) -> p.Stmt:
    return p.Do("act", args, here())


def hand(me: p.Expr) -> p.CardsIn:
    return cards_in(place("hand", me))


def test_an_action_called_with_different_arguments() -> None:
    me, amount = var("me", p.PLAYER), var("n", p.NUMBER)
    keep = p.SetTrack("tally", ref(me), ref(amount), origin("action act"))
    both = action(p.NUMBER, keep, params=(me, amount))
    more = binary("+", number(1), tally(number_player(0)))
    same(
        act(ref(ME), number(2)), act(next_to(ref(ME)), more), act(ref(ME), more),
        act(next_to(next_to(ref(ME))), number(5)), actions=both,
    )  # fmt: skip


def test_an_action_that_asks_called_with_different_arguments() -> None:
    me, other = var("me", p.PLAYER), var("other", p.PLAYER)
    mark = p.SetTrack("taker", None, ref(other), origin("action act"))
    both = action(p.PLAYER, pause(ref(me)), mark, params=(me, other))
    near = next_to(ref(ME))
    same(act(ref(ME), near), pause(near), act(near, ref(ME)), act(near, near), actions=both)


@pytest.mark.parametrize("asking", [False, True])
def test_a_parameter_that_changes(asking: bool) -> None:
    me, n, local = var("me", p.PLAYER), var("n", p.NUMBER), var("local", p.NUMBER)
    less = p.SetVar(n, binary("-", ref(n), number(1)), origin("action act"))
    keep = p.SetTrack("tally", ref(me), ref(n), origin("action act"))
    body = (less, pause(ref(me)), keep) if asking else (less, keep)
    both = action(p.NUMBER, *body, params=(me, n))
    same(
        p.SetVar(local, number(7), here()), act(ref(ME), ref(local)), note(ref(local)),
        act(next_to(ref(ME)), number(3)), actions=both,
    )  # fmt: skip


def test_an_argument_that_changes_while_its_action_runs() -> None:
    """The parameter keeps the value it was called with."""
    me, who = var("me", p.PLAYER), var("who", p.PLAYER)
    taker = p.TrackRef("taker", None, p.PLAYER, span())
    body = (
        p.SetTrack("taker", None, ref(me), origin("action act")),
        p.SetTrack("friend", ref(who), ref(who), origin("action act")),
    )
    first = p.SetTrack("taker", None, number_player(1), here())
    same(first, act(ref(ME), taker), actions=action(p.PLAYER, *body, params=(me, who)))


def test_a_play_kept_and_asked_about_at_once() -> None:
    item = var("it", p.PLAY)
    pick = p.PickOne(p.Plays(("one", "run", "set"), hand(ref(ME)), PLAY_LIST, span()), p.PLAY)
    best = p.TrackRef("best", None, p.PLAY, span())
    shown = (
        p.SetTrack("best", None, ref(item), here()),
        note(p.PlayAttr("rank", best, p.NUMBER, span())),
        note(p.PlayAttr("suit", best, SUIT, span())),
        note(p.PlayPart("size", best, p.NUMBER, span())),
    )
    chosen = ask("ask", ref(ME), branch("", pick, item, None, *shown))
    same(chosen, p.Repeat(number(2), var("n", p.NUMBER), "round", (chosen,), here()))


def test_several_cards_at_once_from_hands_of_others() -> None:
    me, item = var("me", p.PLAYER), var("it", p.CARDS)
    source = cards_in(place("heap"), place("hand", next_to(ref(me))))
    keep = p.SetTrack("tally", ref(me), number(1), here())
    choice = ask(
        "ask", ref(me), branch("", p.PickCards(source, number(1), number(1)), item, None, keep)
    )
    same(p.AtOnce(everyone(), me, choice, here()))


@pytest.mark.parametrize("asking", [False, True])
def test_each_card_moves_on(asking: bool) -> None:
    card = var("card", p.CARD)
    lay = p.Move(ref(card), place("row", ref(ME)), False, here())
    body = (pause(ref(ME)), lay) if asking else (lay,)
    same(p.Each(cards_in(place("heap")), card, "", body, here()))
    same(p.Each(cards_in(place("heap"), place("hand", ref(ME))), card, "", body, here()))


def test_cards_from_several_places_move_twice() -> None:
    cards = var("cards", p.CARDS)
    several = cards_in(p.PlacesOf("hand", everyone(), span()))
    on = p.Move(ref(cards), place("pool"), False, here())
    back = p.Move(ref(cards), place("stash", ref(ME)), False, here())
    pick = p.PickCards(several, number(1), number(2))
    same(ask("ask", ref(ME), branch("", pick, cards, None, on, pause(ref(ME)), back)))


def test_any_of_some_picked_cards() -> None:
    cards = var("cards", p.CARDS)
    several = cards_in(place("heap"), place("hand", ref(ME)))
    suits = p.EnumAll("suit", p.Type(p.K.ENUMS, "suit"), span())
    marks = note(any_(only(suits, lambda j: any_(ref(cards)))))
    pick = p.PickCards(several, number(0), number(1))
    same(ask("ask", ref(ME), branch("", pick, cards, None, marks)))


def test_otherwise_may_come_first_and_may_offer_nothing() -> None:
    first = p.Branch("rest", None, None, None, True, (), here())
    second = branch("out", None, None, p.Marked("out", ref(ME), p.TRUTH, span()))
    same(ask("ask", ref(ME), first, second))
    empty = p.PickCard(cards_in(place("pool")))
    rest = p.Branch("rest", empty, var("it", p.CARD), None, True, (), here())
    same(ask("ask", ref(ME), second, rest), pause(ref(ME)))


def test_a_loop_whose_body_does_nothing_with_these_options() -> None:
    wrapped = p.OptionRef("strict", p.TRUTH, span())
    q, n, c = var("q", p.PLAYER), var("n", p.NUMBER), var("c", p.CARD)
    body = (p.If(wrapped, (p.SetMark("out", ref(ME), True, here()),), (), here()),)
    lap = (p.GoRound(everyone(), None, q, None, truth(True), "", body, here()),)
    same(
        p.Each(everyone(), q, "", body, here()), p.Repeat(number(2), n, "", body, here()),
        p.Each(cards_in(place("heap")), c, "", body, here()), *lap, *body,
        p.If(any_(cards_in(place("heap"))), body, body, here()),
    )  # fmt: skip


def test_the_game_may_end_before_a_phase_is_reached() -> None:
    end = p.Phase(names("end"), (p.End("game", here()),), origin("phase end"))
    never = p.Phase(names("never"), (pause(ref(ME)),), origin("phase never"))
    program = made(box(setup=SETUP, phases=(end, never), phase_me=ME))
    agree(program, 2, {}, 1)


def test_coordinates_end_with_the_phase() -> None:
    """A shuffle in the second phase has the same place in the game however the first ended."""
    shuffle = p.Shuffle(None, place("deck"), here("phase two/shuffle deck"))
    q = var("q", p.PLAYER)
    loop = p.Each(everyone(), q, "turn", (pause(ref(q)), p.End("phase", here())), here())
    one = p.Phase(names("one"), (loop,), origin("phase one"))
    two = p.Phase(names("two"), (shuffle, pause(ref(ME))), origin("phase two"))
    labels = {"turn": names("turn")}
    agree(made(box(setup=SETUP, phases=(one, two), phase_me=ME, labels=labels)), 3, {}, 1)


LOOPS = ("repeat", "once", "each", "cards", "turn", "while", "round")


@pytest.mark.parametrize("kind", LOOPS)
@pytest.mark.parametrize("asking", ["", "first", "last", "both"])
@pytest.mark.parametrize("leave", [True, False])
def test_a_loop_is_left_or_its_run_ends(kind: str, asking: str, leave: bool) -> None:
    """In all loops; from inside another loop or not; and play goes on behind them."""
    inner_end = p.If(
        binary("=", tally(ref(ME)), number(2)), (p.End("round", here(), leave),), (), here()
    )
    own_end = p.If(
        binary("=", tally(ref(ME)), number(5)), (p.End("turn", here(), leave),), (), here()
    )
    count = p.SetTrack("tally", ref(ME), binary("+", tally(ref(ME)), number(1)), here())
    ask_first = (pause(ref(ME)),) if asking in ("first", "both") else ()
    ask_last = (pause(ref(ME)),) if asking in ("last", "both") else ()
    body = (count, *ask_first, inner_end, own_end, *ask_last, note(tally(ref(ME))))
    inner = _loop(kind, "turn", body)
    outer = p.Repeat(number(3), var("n", p.NUMBER), "round", (inner, count, *ask_last), here())
    shuffle = p.Shuffle(None, place("deck"), here("phase test/shuffle deck"))
    labels = {label: names(label) for label in ("round", "turn")}
    phase = p.Phase(names("test"), (outer, count, shuffle, pause(ref(ME))), origin("phase test"))
    agree(made(box(setup=SETUP, phases=(phase,), phase_me=ME, labels=labels)), 3, {}, 1)


def _loop(kind: str, label: str, body: tuple[p.Stmt, ...]) -> p.Stmt:
    """A loop of each kind, with a few runs."""
    match kind:
        case "repeat" | "once":
            times = number(3 if kind == "repeat" else 1)
            return p.Repeat(times, var("m", p.NUMBER), label, body, here())
        case "each":
            return p.Each(everyone(), var("q", p.PLAYER), label, body, here())
        case "cards":
            return p.Each(cards_in(place("heap")), var("c", p.CARD), label, body, here())
        case "turn":
            return p.Turn(number_player(1), var("q", p.PLAYER), label, body, here())
        case "while":
            few = binary("<", tally(ref(ME)), number(9))
            return p.While(few, number(20), label, body, here())
        case _:
            late = binary(">", tally(ref(ME)), number(8))
            return p.GoRound(everyone(), None, var("q", p.PLAYER), None, late, label, body, here())


def test_an_action_leaves_the_loop_it_is_used_in() -> None:
    leave = p.End("round", here(), True)
    for pausing in ((), (pause(ref(ME)),)):
        me = var("me", p.PLAYER)
        action = {"act": p.Action(names("act"), (me,), (*pausing, leave), origin("action act"))}
        body = (pause(ref(ME)), p.Do("act", (ref(ME),), here()), pause(ref(ME)))
        loop = p.Repeat(number(3), var("n", p.NUMBER), "round", body, here())
        same(loop, pause(ref(ME)), actions=action)


def test_a_run_of_each_counts_from_one() -> None:
    """A loop over something else than players counts its runs."""
    suits = p.EnumAll("suit", p.Type(p.K.ENUMS, "suit"), span())
    for item in (var("j", SUIT), var("j", SUIT)):
        mark = p.SetTrack("trump", None, ref(item), here())
        body = (mark, pause(ref(ME))) if item.id % 2 else (mark,)
        same(p.Each(suits, item, "bout", body, here()))


def test_the_first_card_of_many_places_leaves_from_where_it_lies() -> None:
    card = p.First(cards_in(p.PlacesOf("hand", everyone(), span())), p.CARD, span())
    same(p.Move(card, place("stash", ref(ME)), True, here()), pause(ref(ME)))
    found = p.Conditional(exists(top("heap")), top("heap"), top("heap"), p.CARD, span())
    same(p.Move(found, place("stash", ref(ME)), True, here()), pause(ref(ME)))
