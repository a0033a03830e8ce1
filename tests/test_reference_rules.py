"""The reference against outcomes worked out by hand, and the engine against the reference: one
small game for each kind of statement, for what is easily got wrong."""

from __future__ import annotations

from typing import Any

import pytest

from dsl import program as p
from tests.reference.box import (
    SUIT,
    binary,
    box,
    cards_in,
    everyone,
    made,
    names,
    nobody,
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
from tests.reference.evaluator import Evaluator, Happening
from tests.reference.samples import (
    any_,
    by,
    fold,
    friend,
    marked,
    negated,
    next_to,
    only,
    rank_of,
    suit_of,
    tally,
    top,
)

LABELS = ("round", "turn", "bout")
ME = var("me", p.PLAYER)


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULES_CACHE", "off")


def game(*body: p.Stmt, setup: tuple[p.Stmt, ...] = (), **changes: Any) -> p.Program:
    """A game of one phase, with ME for its `me`."""
    phases = (p.Phase(names("test"), body, origin("phase test")),)
    labels = {label: names(label) for label in LABELS}
    return made(box(setup=setup, phases=phases, phase_me=ME, labels=labels, **changes))


def played(
    program: p.Program, *answers: Any, players: int = 3, seed: int = 1
) -> tuple[Evaluator, list[Happening]]:
    """The reference's game with given answers; random ones must give the same in the engine."""
    agree(program, players, {}, seed)
    evaluator = Evaluator(program, players, {}, seed)
    question = evaluator.start()
    for answer in answers:
        assert question is not None
        assert answer in question.options
        question = evaluator.answer(answer)
    return evaluator, evaluator.events


def of(events: list[Happening], kind: str, *keys: str) -> list[Any]:
    """What events of a kind say under these keys."""
    found = [tuple(e.data[key] for key in keys) for e in events if e.kind == kind]
    return [values[0] for values in found] if len(keys) == 1 else found


def noted(events: list[Happening]) -> list[Any]:
    return of(events, "track", "value")


def deck() -> p.Stmt:
    return p.Shuffle(p.AllCards(p.CARDS, span()), place("deck"), origin("setup/shuffle deck"))


def deal(count: int, to: str = "hand") -> p.Stmt:
    return p.Deal(number(count), place("deck"), to, everyone(), origin("setup"))


def move(cards: p.Expr, to: p.PlaceRef, *, if_any: bool = False) -> p.Stmt:
    return p.Move(cards, to, if_any, here())


def tokens(
    amount: p.Expr, source: p.TokenEnd, target: p.TokenEnd, *, up_to: bool = False
) -> p.Stmt:
    return p.MoveTokens("coin", amount, source, target, up_to, here())


def player_end(player: int) -> p.TokenEnd:
    return p.TokenEnd("coin", number_player(player))


BANK, MINT = p.TokenEnd("bank", None), p.TokenEnd("mint", None)


def nothing() -> p.Stmt:
    return p.SetMark("open", None, True, here())


# ── values ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("op", "left", "right", "value"),
    [
        ("//", -7, 2, -4), ("//", 7, 2, 3), ("/^", 7, 2, 4), ("/^", -7, 2, -3), ("/^", 8, 2, 4),
        ("min", 3, -3, -3), ("max", 3, -3, 3), ("-", 2, 5, -3),
    ],
)  # fmt: skip
def test_arithmetic(op: str, left: int, right: int, value: int) -> None:
    _, events = played(game(note(binary(op, number(left), number(right)))))
    assert noted(events) == [value]


def test_strength_grows_with_what_is_declared_strongest() -> None:
    strengths = [p.Strength(p.Const(i, SUIT, span()), p.NUMBER, span()) for i in (0, 1, 2, -1)]
    _, events = played(game(*map(note, strengths)))
    assert noted(events) == [2, 1, 0, -1]


def test_nobody_comes_last() -> None:
    befriend = p.SetTrack("friend", number_player(2), number_player(0), here())
    order = by(everyone(), (friend, False))
    loop = p.Each(order, var("q", p.PLAYER), "turn", (nothing(),), here())
    _, events = played(game(befriend, loop))
    assert of(events, "phase", "value") == ["test", 2, 0, 1]


def test_sorting_keeps_the_order_of_equals() -> None:
    rich = p.SetTrack("tally", number_player(1), number(4), here())
    for largest, order in ((True, [1, 0, 2]), (False, [0, 2, 1])):
        loop = p.Each(by(everyone(), (tally, largest)), var("q", p.PLAYER), "turn", (), here())
        evaluator = Evaluator(game(rich, loop), 3, {}, 1)
        evaluator.start()
        assert of(evaluator.events, "phase", "value") == ["test", *order]


def test_others_are_clockwise_from_the_left() -> None:
    others = p.Players(number_player(1), True, p.PLAYERS, span())
    loop = p.Each(others, var("q", p.PLAYER), "turn", (nothing(),), here())
    _, events = played(game(loop), players=4)
    assert of(events, "phase", "value") == ["test", 2, 3, 0]


def test_folds_over_nothing() -> None:
    empty = cards_in(place("heap"))
    _, events = played(
        game(
            note(number(9)),
            *(note(fold(op, empty, rank_of)) for op in ("sum",)),
            note(number(8)),
            note(fold("lowest", empty, rank_of)),
            note(number(7)),
            note(fold("different", empty, suit_of)),
        )
    )
    assert noted(events) == [9, 0, 8, 0, 7, 0]


def test_a_card_less_one_copy() -> None:
    """Of two equal cards in a hand, one stays when the other is left out."""
    hand = cards_in(place("hand", number_player(0)))
    item = var("it", p.CARD)
    rest = p.Without(hand, ref(item), p.CARDS, span())
    same = only(rest, lambda c: binary("=", c, ref(item)))
    body = ask("one", ref(ME), branch("", p.PickCard(hand), item, None, note(any_(same))))
    program = game(body, setup=(deck(), deal(9)))
    evaluator = Evaluator(program, 3, {}, 1)
    question = evaluator.start()
    assert question is not None
    faces = evaluator.table.faces_at(2)
    for face in question.options:
        _, events = played(program, face)
        assert noted(events) == ([True] if faces.count(face) > 1 else [False])


# ── cards ────────────────────────────────────────────────────────────────────────────────────


def test_a_deal_goes_round_from_the_first_player_until_the_source_is_empty() -> None:
    evaluator, events = played(game(setup=(deck(), deal(20))), players=4)
    targets = of(events, "move", "target")
    assert targets == [2 + i % 4 for i in range(29)]
    assert not evaluator.table.at[0]


def test_the_top_is_what_arrived_last() -> None:
    body = (move(top("deck"), place("heap")), move(top("deck"), place("heap")))
    back = (move(top("heap"), place("pool")), move(top("heap"), place("pool")))
    _, events = played(game(*body, *back, setup=(deck(),)))
    first, second, third, fourth = of(events, "move", "cards")
    assert (third, fourth) == (second, first)


def test_the_top_cards_come_from_the_top() -> None:
    """Also where equal cards lie further down."""
    laid = move(top("deck", 5), place("heap"))
    for seed in range(6):
        program = game(laid, setup=(deck(),))
        evaluator, events = played(program, players=2, seed=seed)
        shuffled = of(events, "shuffle", "cards")[0]
        assert evaluator.table.faces_at(0) == shuffled[:-5]


def test_a_moved_place_keeps_its_order() -> None:
    over = move(cards_in(place("deck")), place("heap"))
    evaluator, events = played(game(over, setup=(deck(),)))
    assert evaluator.table.faces_at(1) == of(events, "shuffle", "cards")[0]
    assert set(of(events, "move", "seen")) == {0b111}


def test_who_sees_a_move() -> None:
    """Those who see either end: P1 gives from hand to the stash of P2."""
    gift = move(
        p.First(cards_in(place("hand", number_player(0))), p.CARD, span()),
        place("stash", number_player(1)),
    )
    _, events = played(game(gift, setup=(deck(), deal(1))))
    assert of(events, "move", "seen") == [0b001, 0b010, 0b100, 0b011]


def test_no_card_moves_only_if_any() -> None:
    _, events = played(game(move(top("heap"), place("pool"), if_any=True)))
    assert not of(events, "move", "cards")
    assert agree(game(move(top("heap"), place("pool"))), 2, {}, 1).failed


def test_shuffles_move_first_and_then_shuffle_everything() -> None:
    """The nth shuffle at one place of the rules is another than the first."""
    again = p.Shuffle(cards_in(place("deck")), place("heap"), here("phase test/shuffle heap"))
    back = p.Shuffle(cards_in(place("heap")), place("deck"), here("phase test/shuffle deck"))
    loop = p.Repeat(number(2), var("n", p.NUMBER), "", (again, back), here())
    _, events = played(game(loop, setup=(deck(),)))
    orders = of(events, "shuffle", "cards")
    assert len({orders[1], orders[3]}) == 2
    assert len({orders[2], orders[4]}) == 2
    assert len({tuple(sorted(order)) for order in orders}) == 1


def test_taking_a_card_out_keeps_the_order_of_the_others() -> None:
    without = game(setup=(deck(),), kinds={**box()["kinds"]})
    fewer = dict(box()["kinds"])
    fewer["joker"] = p.CardKind(names("joker"), (), number(1), origin("cards joker"))
    _, before = played(without)
    _, after = played(game(setup=(deck(),), kinds=fewer))
    joker = 15
    full, less = (of(events, "shuffle", "cards")[0] for events in (before, after))
    assert [face for face in full if face != joker] == [face for face in less if face != joker]


# ── tokens, marks, roles ─────────────────────────────────────────────────────────────────────


def test_up_to_takes_what_is_there_and_what_fits() -> None:
    evaluator, events = played(
        game(
            tokens(number(9), player_end(0), BANK, up_to=True),  # 3 of 9: all there is
            tokens(number(9), MINT, BANK, up_to=True),  # 8 in the bank, 9 fit: 1
            tokens(number(2), BANK, player_end(0)),
        )
    )
    assert of(events, "pay", "amount") == [3, 1, 2]
    assert evaluator.table.tokens["bank", None] == 7
    assert evaluator.table.tokens["mint", None] == p.ENDLESS


@pytest.mark.parametrize(
    "stmt",
    [
        tokens(number(4), player_end(0), BANK),
        tokens(number(5), MINT, BANK),
        tokens(number(-1), MINT, BANK),
        tokens(number(-1), MINT, BANK, up_to=True),
    ],
    ids=["too few", "too little room", "less than none", "up to less than none"],
)
def test_tokens_that_can_not_move(stmt: p.Stmt) -> None:
    assert agree(game(stmt), 2, {}, 1).failed


def test_roles_sit_so_that_passing_goes_through_them_in_order() -> None:
    """Four seats, three roles: at two, three and four players, in declared order with a gap."""
    for players in (2, 3, 4):
        passing = p.PassRoles(True, here())
        loop = p.Repeat(number(4), var("n", p.NUMBER), "", (passing,), here())
        _, events = played(game(loop), players=players)
        rings = of(events, "role", "roles")
        assert len(rings) == 5
        for player in range(players):
            held = [ring[player] for ring in rings]
            start = held.index(None) if None in held[:4] else 0
            turned = [held[:4][(start + i) % 4] for i in range(4)]
            assert turned == [None, 0, 1, 2]
            assert held[4] == held[0]


def test_marks_of_several_players() -> None:
    others = p.Players(number_player(0), True, p.PLAYERS, span())
    unmark = p.SetMark("out", number_player(1), False, here())
    evaluator, _ = played(game(p.SetMark("out", others, True, here()), unmark))
    assert evaluator.table.marks == {("out", 2)}


# ── flow ─────────────────────────────────────────────────────────────────────────────────────


def headings(events: list[Happening], label: str) -> list[Any]:
    return [e.data["value"] for e in events if e.kind == "phase" and e.data["label"] == label]


def mark_me(me: p.Var) -> p.Stmt:
    return p.SetMark("out", ref(me), True, here())


@pytest.mark.parametrize("asking", [False, True])
def test_go_round(asking: bool) -> None:
    """Everyone marks themselves when their turn comes; those marked are passed by."""
    me = var("me", p.PLAYER)
    body = (mark_me(me), pause(ref(me))) if asking else (mark_me(me),)
    for after, order in ((None, [0, 1, 2]), (1, [2, 0, 1])):
        start = nobody(p.PLAYER) if after is None else number_player(after)
        loop = p.GoRound(everyone(), start, me, marked(ref(me)), truth(False), "turn", body, here())
        _, events = played(game(loop), *[(0, None)] * 3 * asking)
        assert headings(events, "turn") == order


@pytest.mark.parametrize("asking", [False, True])
def test_go_round_looks_whether_to_stop_before_each_player(asking: bool) -> None:
    """Two laps and a half: also before one who would be passed by."""
    me = var("me", p.PLAYER)
    laps = p.TrackRef("laps", None, p.NUMBER, span())
    step = p.SetTrack("laps", None, binary("+", laps, number(1)), here())
    body = (step, pause(ref(me))) if asking else (step,)
    until = binary(">=", laps, number(5))
    skipping = binary("=", ref(me), number_player(1))
    loop = p.GoRound(everyone(), None, me, skipping, until, "turn", body, here())
    _, events = played(game(loop), *[(0, None)] * 5 * asking)
    assert headings(events, "turn") == [0, 2, 0, 2, 0]


@pytest.mark.parametrize("asking", [False, True])
def test_while_stops_with_an_error_after_its_limit(asking: bool) -> None:
    laps = p.TrackRef("laps", None, p.NUMBER, span())
    step = p.SetTrack("laps", None, binary("+", laps, number(1)), here())
    body = (step, pause(ref(ME))) if asking else (step,)
    for limit, failed in ((3, False), (2, True)):
        loop = p.While(binary("<", laps, number(3)), number(limit), "bout", body, here())
        assert bool(agree(game(loop), 2, {}, 1).failed) == failed


@pytest.mark.parametrize("asking", [False, True])
def test_loops_fix_what_they_run_through(asking: bool) -> None:
    """Whoever is unmarked at the start has a turn, though the first turn marks everyone."""
    q = var("q", p.PLAYER)
    mark_all = p.SetMark("out", everyone(), True, here())
    body = (mark_all, pause(ref(q))) if asking else (mark_all,)
    loop = p.Each(only(everyone(), lambda x: negated(marked(x))), q, "turn", body, here())
    _, events = played(game(loop), *[(0, None)] * 3 * asking)
    assert headings(events, "turn") == [0, 1, 2]


@pytest.mark.parametrize("asking", [False, True])
def test_end_of_a_run_goes_on_with_the_next(asking: bool) -> None:
    q, n = var("q", p.PLAYER), var("n", p.NUMBER)
    end = p.If(binary("=", ref(q), number_player(1)), (p.End("round", here()),), (), here())
    inner = (end, pause(ref(q))) if asking else (end,)
    loop = p.Repeat(number(2), n, "round", (p.Each(everyone(), q, "turn", inner, here()),), here())
    _, events = played(game(loop), *[(0, None)] * 2 * asking)
    assert headings(events, "turn") == [0, 1, 0, 1]
    assert headings(events, "round") == [1, 2]


@pytest.mark.parametrize("asking", [False, True])
def test_end_of_a_phase(asking: bool) -> None:
    me = var("me", p.PLAYER)
    inside = (pause(ref(me)), p.End("phase", here())) if asking else (p.End("phase", here()),)
    first = p.Phase(names("one"), (p.Turn(number_player(1), me, "turn", inside, here()),), here())
    second = p.Phase(names("two"), (pause(number_player(0)),), here())
    program = made(box(phases=(first, second), labels={label: names(label) for label in LABELS}))
    evaluator, events = played(program, *[(0, None)] * asking)
    assert headings(events, "phase") == ["one", "two"]
    assert evaluator.coordinates == {}


def test_hooks_run_by_role_and_then_for_the_one_who_acts() -> None:
    hooks = []
    for role in (None, 2, 0):
        me = var("me", p.PLAYER)
        body = (p.SetTrack("taker", None, ref(me), origin(f"role {role}")),)
        hooks.append(p.Hook("dawn", role, me, None, body, origin(f"role {role}")))
    dawn = p.Moment("dawn", number_player(1), here())
    evaluator, events = played(game(dawn, hooks=tuple(hooks)), players=4)
    rules = [e.rule.path for e in events if e.kind == "track" and e.rule is not None]
    assert rules == ["role 0", "role 2", "role None"]
    assert noted(events) == [evaluator.table.holder_of(r) for r in (0, 2)] + [1]


# ── choices ──────────────────────────────────────────────────────────────────────────────────


def test_otherwise_is_offered_when_nothing_else_is() -> None:
    rich = binary(">", tally(number_player(0)), number(0))
    last = p.Branch("rest", None, None, None, True, (), here())
    for amount, options in ((0, [(1, None)]), (1, [(0, None)])):
        made_rich = p.SetTrack("tally", number_player(0), number(amount), here())
        asked = ask("ask", ref(ME), branch("spend", None, None, rich), last)
        program = game(made_rich, asked)
        agree(program, 2, {}, 1)
        question = Evaluator(program, 2, {}, 1).start()
        assert question is not None
        assert question.options == options


def test_a_nameless_way_may_have_a_condition() -> None:
    pick = p.PickNumber(number(0), number(2))
    asked = ask("ask", ref(ME), branch("", pick, var("it", p.NUMBER), truth(False)))
    played(game(asked, nothing()))


def test_choices_of_several_cards() -> None:
    pick = p.PickCards(cards_in(place("hand", ref(ME))), number(0), number(2))
    asked = ask("ask", ref(ME), branch("", pick, var("it", p.CARDS), None))
    evaluator = Evaluator(game(asked, setup=(deck(), deal(3))), 2, {}, 4)
    agree(game(asked, setup=(deck(), deal(3))), 2, {}, 4)
    question = evaluator.start()
    assert question is not None
    hand = evaluator.table.faces_at(2)
    singles = sorted({(face,) for face in hand})
    pairs = sorted({(hand[i], hand[j]) for i in range(3) for j in range(i + 1, 3)})
    assert question.options == [(), *singles, *pairs]


def test_answers_at_once_take_effect_when_all_are_in() -> None:
    me, item = var("me", p.PLAYER), var("it", p.NUMBER)
    keep = p.SetTrack("tally", ref(me), ref(item), here())
    asked = p.PickNumber(number(0), binary("+", number(2), tally(next_to(ref(me)))))
    choice = ask("bid", ref(me), branch("", asked, item, None, keep))
    both = p.AtOnce(everyone(), me, choice, here())
    evaluator, events = played(game(both), 1, 0, 2)
    assert of(events, "choice", "player", "secret") == [(0, True), (1, True), (2, True)]
    assert of(events, "reveal", "answers") == [((0, 1), (1, 0), (2, 2))]
    kinds = [e.kind for e in events if e.kind in ("choice", "reveal", "track")]
    assert kinds == ["choice"] * 3 + ["reveal"] + ["track"] * 3
    assert [evaluator.table.tracks["tally", q] for q in range(3)] == [1, 0, 2]


# ── the end ──────────────────────────────────────────────────────────────────────────────────


def test_winners() -> None:
    me = var("me", p.PLAYER)
    points = (p.ScoringLine(names("tally"), me, tally(ref(me)), origin("scoring")),)
    key = p.WinnerKey(me, None, True, origin("winner"))
    later = p.WinnerKey(me, friend(ref(me)), False, origin("winner"))
    scores = tuple(
        p.SetTrack("tally", number_player(q), number(n), here()) for q, n in ((0, 2), (2, 2))
    )
    befriend = p.SetTrack("friend", number_player(2), number_player(0), here())
    for keys, draw, winners in (
        ((key,), True, [0, 2]),
        ((key, later), True, [2]),
        ((key,), False, None),
    ):
        winner = p.Winner(keys, draw, origin("winner"))
        program = game(*scores, befriend, scoring=points, winner=winner)
        if winners is None:
            assert agree(program, 3, {}, 1).failed
        else:
            evaluator, events = played(program)
            assert evaluator.winners == winners
            assert evaluator.points == [2, 0, 2]
            assert of(events, "end", "lines") == [((2,), (0,), (2,))]
