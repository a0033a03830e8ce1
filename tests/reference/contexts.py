"""Small games around one expression: a context puts it somewhere in a rule and makes its value show
in events, options or moves. `program` makes the whole game, around one sample or several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from dsl import program as p
from tests.reference.box import (
    binary,
    box,
    cards_in,
    everyone,
    exists,
    made,
    names,
    nobody,
    number,
    origin,
    place,
    ref,
    span,
    var,
)
from tests.reference.samples import (
    Body,
    Maker,
    by,
    call,
    choice_of,
    count,
    first,
    fold,
    item_of,
    marked,
    next_to,
    only,
    rank_of,
    values,
)

Context = Callable[[Maker, p.Expr], Body]


def here(path: str = "phase test") -> p.Origin:
    return origin(path)


def note(expr: p.Expr) -> p.Stmt:
    """Make a value show."""
    kinds = {p.K.NUMBER: "round_no", p.K.TRUTH: "done", p.K.ENUM: "trump", p.K.PLAYER: "taker"}
    return p.SetTrack(kinds[expr.type.kind], None, expr, here())


def ask(name: str, chooser: p.Expr, *branches: p.Branch, if_any: bool = True) -> p.Choose:
    return p.Choose(name, chooser, if_any, branches, here(f"phase test/{name}"))


def branch(
    name: str, pick: p.Pick | None, variable: p.Var | None, when: p.Expr | None, *body: p.Stmt
) -> p.Branch:
    return p.Branch(name, pick, variable, when, False, body, here(f"phase test/ask/{name}"))


def pause(me: p.Expr) -> p.Stmt:
    """A question, so that what is around it stops and goes on."""
    return ask("pause", me, branch("wait", None, None, None))


def in_statement(make: Maker, me: p.Expr) -> Body:
    return (note(make(me)),)


def in_variable(make: Maker, me: p.Expr) -> Body:
    expr = make(me)
    local = var("local", expr.type)
    return (p.SetVar(local, expr, here()), pause(me), note(ref(local)))


def in_filter(make: Maker, me: p.Expr) -> Body:
    chosen = only(everyone(), lambda q: as_truth(make(q)))
    return (note(count(chosen)),)


def in_key(make: Maker, me: p.Expr) -> Body:
    return (note(first(by(everyone(), (make, True), (lambda q: q, True)))),)


def in_fold(make: Maker, me: p.Expr) -> Body:
    return (note(fold("sum", everyone(), lambda q: as_number(make(q)))),)


def in_when(make: Maker, me: p.Expr) -> Body:
    return (
        ask(
            "ask", me, branch("yes", None, None, as_truth(make(me)), note(make(me))),
            branch("stay", None, None, None),
        ),
    )  # fmt: skip


def in_if(make: Maker, me: p.Expr) -> Body:
    return (p.If(as_truth(make(me)), (note(make(me)),), (pause(me),), here()),)


def in_junction(make: Maker, me: p.Expr) -> Body:
    return (
        note(binary("and", marked(me), as_truth(make(me)))),
        note(binary("or", marked(me), as_truth(make(me)))),
        note(choice_of(marked(me), as_number(make(me)), as_number(make(next_to(me))))),
    )


def in_value(make: Maker, me: p.Expr) -> Body:
    expr = make(me)
    return (note(call("sample", expr.type, next_to(me))),)


def in_while(make: Maker, me: p.Expr) -> Body:
    laps = p.TrackRef("laps", None, p.NUMBER, span())
    condition = binary("and", binary("<", laps, number(3)), as_truth(make(me)))
    step = p.SetTrack("laps", None, binary("+", laps, number(1)), here())
    return (p.While(condition, number(9), "round", (step,), here()),)


def in_round(make: Maker, me: p.Expr) -> Body:
    laps = p.TrackRef("laps", None, p.NUMBER, span())
    step = p.SetTrack("laps", None, binary("+", laps, number(1)), here())
    q = var("me", p.PLAYER)
    until = binary("or", binary(">", laps, number(9)), as_truth(make(me)))
    return (
        p.GoRound(everyone(), me, q, as_truth(make(ref(q))), until, "turn", (step,), here()),
        p.GoRound(everyone(), None, q, None, until, "turn", (step, pause(ref(q))), here()),
    )


def as_truth(expr: p.Expr) -> p.Expr:
    return expr if expr.type == p.TRUTH else binary(">", as_number(expr), number(1))


def as_number(expr: p.Expr) -> p.Expr:
    match expr.type.kind:
        case p.K.TRUTH:
            return choice_of(expr, number(1), number(0))
        case p.K.ENUM:
            return p.Strength(expr, p.NUMBER, span())
    return expr


CONTEXTS: dict[str, Context] = {
    "statement": in_statement, "variable": in_variable, "filter": in_filter, "key": in_key,
    "fold": in_fold, "when": in_when, "if": in_if, "junction": in_junction, "value": in_value,
    "while": in_while, "round": in_round,
}  # fmt: skip


def each_over(make: Maker, me: p.Expr) -> Body:
    """Loops over a collection, with and without a question inside."""
    a, b = (item_of(make(me)) for _ in range(2))
    label = "bout" if a.type == p.PLAYER else ""
    return (
        p.Each(make(me), a, label, (show_item(a),), here()),
        p.Each(make(me), b, "", (pause(me), show_item(b)), here()),
    )


def show_item(item: p.Var) -> p.Stmt:
    if item.type == p.CARD:
        owner = p.OwnerOf(ref(item), p.PLAYER, span())
        return p.SetTrack("taker", None, owner, here())
    return note(ref(item))


def pick_from(make: Maker, me: p.Expr) -> Body:
    """Choices among a collection, nameless and named."""
    item = item_of(make(me))
    pick: p.Pick = p.PickOne(make(me), item.type)
    if item.type == p.CARD:
        pick = p.PickCard(make(me))
    return (
        ask("alone", me, branch("", pick, item, None, show_item(item))),
        ask(
            "among",
            me,
            branch("pass", None, None, None),
            branch("take", pick, item, None, show_item(item)),
        ),
    )


def move_picked(make: Maker, me: p.Expr) -> Body:
    one, some = var("it", p.CARD), var("them", p.CARDS)
    lay = p.Move(ref(one), place("heap"), False, here())
    give = p.Move(ref(some), place("hand", next_to(me)), False, here())
    few = p.PickCards(make(me), number(1), number(2))
    return (
        ask("one", me, branch("", p.PickCard(make(me)), one, None, lay)),
        ask("some", me, branch("take", few, some, None, pause(me), give)),
    )


def move_all(make: Maker, me: p.Expr) -> Body:
    return (
        p.Move(make(me), place("stash", next_to(me)), False, here()),
        p.Shuffle(cards_in(place("stash", next_to(me))), place("heap"), here()),
    )


def move_one(make: Maker, me: p.Expr) -> Body:
    return (p.Move(make(me), place("stash", me), True, here()),)


def move_variable(make: Maker, me: p.Expr) -> Body:
    local = var("local", p.CARD)
    return (
        p.SetVar(local, make(me), here()),
        p.Move(ref(local), place("row", me), True, here()),
        pause(me),
        p.Move(ref(local), place("heap"), True, here()),
    )


def show_card(make: Maker, me: p.Expr) -> Body:
    card = make(me)
    owner = choice_of(exists(card), p.OwnerOf(make(me), p.PLAYER, span()), nobody(p.PLAYER))
    return (note(rank_of(make(me))), note(owner), note(exists(make(me))))


def give_card(make: Maker, me: p.Expr) -> Body:
    return (p.If(exists(make(me)), (p.Do("give", (me, make(me)), here()),), (), here()),)


CARD_CONTEXTS: dict[str, Context] = {
    "move": move_one, "move variable": move_variable, "show": show_card, "give": give_card,
}  # fmt: skip
COLLECTION_CONTEXTS: dict[str, Context] = {
    "each": each_over, "pick": pick_from,
}  # fmt: skip
CARDS_CONTEXTS: dict[str, Context] = {
    **COLLECTION_CONTEXTS, "pick and move": move_picked, "move all": move_all,
}  # fmt: skip


def give_action() -> p.Action:
    me, card = var("me", p.PLAYER), var("card", p.CARD)
    gift = p.Move(ref(card), place("hand", next_to(ref(me))), False, here("action give"))
    return p.Action(names("give"), (me, card), (gift,), origin("action give"))


def program(makers: Sequence[Maker], context: Context) -> p.Program:
    """A game that shows samples, one after another, each in the same context; for each player in
    turn, twice over. In the context `in_value` there can be but one."""
    setup_me, phase_me = var("me", p.PLAYER), var("me", p.PLAYER)
    me, lap = var("me", p.PLAYER), var("lap", p.NUMBER)
    param = var("me", p.PLAYER)
    sample = makers[0](ref(param))
    deck = place("deck")
    laid = p.Top(deck, None, p.CARD, span())
    q, r = var("q", p.PLAYER), var("q", p.PLAYER)
    count_up = p.SetTrack("tally", ref(q), ref(q), origin("setup"))
    setup: Body = (
        p.Shuffle(p.AllCards(p.CARDS, span()), deck, origin("setup/shuffle deck")),
        p.Deal(number(5), deck, "hand", everyone(), origin("setup")),
        p.Deal(number(1), deck, "row", everyone(), origin("setup")),
        p.Move(laid, place("heap"), False, origin("setup")),
        p.Each(everyone(), q, "", (count_up,), origin("setup")),
        p.SetTrack("friend", number_player(1), number_player(0), origin("setup")),
        p.SetMark("out", number_player(1), True, origin("setup")),
    )
    body = tuple(chain.from_iterable(context(make, ref(me)) for make in makers))
    turns = p.Each(everyone(), me, "turn", body, here())
    more = p.SetMark("out", ref(r), True, here())
    between = (p.PassRoles(True, here()), p.Turn(number_player(0), r, "", (more,), here()))
    rounds = p.Repeat(number(2), lap, "round", (turns, *between), here())
    shown = p.Value(names("sample"), (param,), sample, origin("value sample"))
    return made(
        box(
            setup=setup,
            setup_me=setup_me,
            phase_me=phase_me,
            phases=(p.Phase(names("test"), (rounds,), origin("phase test")),),
            values={**values(), "sample": shown},
            actions={"give": give_action()},
            labels={label: names(label) for label in ("round", "turn", "bout")},
        )
    )


def number_player(player: int) -> p.Const:
    return p.Const(player, p.PLAYER, span())
