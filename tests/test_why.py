"""What refuses what, with which values: cases of every ruleset, in the words people use.

A case is a position, what is asked, and what must be answered: the kind of answer, the path and
clauses of the rule that refuses it, and some of the conditions and values shown.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dsl import pipeline
from dsl.program import Program
from interpreter import State, compile_game, why
from interpreter.scenario import (
    answer,
    clear,
    place_cards,
    play_of,
    set_mark,
    set_roles,
    set_tokens,
    set_track,
)
from interpreter.why.answers import (
    AnotherChoice,
    NotAsked,
    NotNamed,
    Offered,
    Unclear,
    all_rules,
    innermost,
)
from interpreter.why.wording import Wording

RULESETS = Path(__file__).resolve().parents[1] / "rulesets"


@cache
def load(name: str) -> Program:
    program, diagnostics = pipeline.load(RULESETS / f"{name}.rules")
    assert program is not None, diagnostics
    return program


def begin(name: str, players: int, seed: int = 1, **options: Any) -> State:
    return compile_game(load(name), players, options).start(seed)


def ask(state: State, path: str, player: int) -> State:
    """Have a choice asked of a player, with everything as it lies."""
    state.game.enter_choice(state, path, player)
    return state


# ── positions ────────────────────────────────────────────────────────────────────────────────


def throne(
    hand: str = "thief priest", coins: int = 5, guarded: tuple[int, ...] = (), **options: Any
) -> State:
    """P1's first turn; P2 has a knight and P3 a thief lying before them."""
    state = begin("throne", 3, **options)
    place_cards(state, "hand", 0, hand.split())
    place_cards(state, "court", 1, ["knight"])
    place_cards(state, "court", 2, ["thief"])
    set_tokens(state, "coin", 0, coins)
    set_mark(state, "guarded", guarded)
    state.game.ask_again(state)
    return state


def after(card: str, coins: int = 5, guarded: tuple[int, ...] = (), **options: Any) -> State:
    """What P1 is asked after playing a card."""
    state = throne(f"{card} priest", coins, guarded, **options)
    answer(state, f"play {card}")
    return state


def refill(**options: Any) -> State:
    state = throne(**options)
    for player in range(3):
        set_tokens(state, "coin", player, 0)
    state.game.enter_phase(state, "refill")
    return state


def follow(hand: str, top: tuple[str, str], roles: str = "merchant", **options: Any) -> State:
    """P1 is asked to follow a play (its shape, and its cards) with these cards in hand."""
    state = begin("gorilla", 4, **options)
    set_roles(state, {roles: 0})
    shape, cards = top[0], named(top[1])
    place_cards(state, "hand", 0, named(hand))
    clear(state, "pile", None, to=("deck", None))
    place_cards(state, "pile", None, cards)
    set_track(state, "top", play_of(state, shape, cards))
    set_mark(state, "stormed", False)
    return ask(state, "phase play/follow", 0)


def named(text: str) -> list[str]:
    """`crown 4 5, banana` as the game calls these cards."""
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, *numbers = part.split()
        found += [f"{name} {number}" for number in numbers] or [name]
    return found


def prophet() -> State:
    """P1, who is prophet, has named P2, who has to give the highest card."""
    state = begin("gorilla", 4)
    set_roles(state, {"prophet": 0})
    place_cards(state, "hand", 1, named("coin 3 7, banana"))
    ask(state, "role prophet at before_lead/name", 0)
    answer(state, "P2")
    return state


def trick(hand: str, led: str | None) -> State:
    """P1 plays to an Oh Hell trick in which a suit was led."""
    state = begin("oh-hell", 3)
    suits = [value.names.name for value in load("oh-hell").attributes["suit"].values]
    place_cards(state, "hand", 0, [part.strip() for part in hand.split(",")])
    set_track(state, "led", -1 if led is None else suits.index(led))
    return ask(state, "action play_trick/play", 0)


def last_bid(*before: int) -> State:
    """P3, the last to bid for 7 tricks, after these bids of P1 and P2."""
    state = begin("oh-hell", 3)
    answer(state, *map(str, before))
    return state


def leaf() -> State:
    state = begin("last-leaf", 3)
    place_cards(state, "hand", 0, ["spades A", "hearts 10", "hearts 9", "clubs 2", "clubs 3"])
    state.game.ask_again(state)
    return state


def discarding() -> State:
    """P1 has played the magician, and has two of these three cards to discard."""
    state = throne("magician priest")
    answer(state, "play magician")
    place_cards(state, "hand", 0, ["thief", "thief", "priest"])
    state.game.ask_again(state)
    return state


# ── cases ────────────────────────────────────────────────────────────────────────────────────

Case = tuple[Callable[[], State], str, str, str, str, str]

THRONE_HOLD = ("phase turns/turn/hold", "T12, T-R2")
COVERS = ("value covers", "G23")
SINGLE_7 = ("single", "scripture 7")

CASES: list[Case] = [
    # position, words, kind of answer, path, clauses, what is said of conditions and values
    (lambda: throne(coins=0), "hold", "Closed", *THRONE_HOLD, "coins >= 1: no, coins = 0"),
    (lambda: throne(coins=0), "ho", "Closed", *THRONE_HOLD, "not hold_needs_coin: no"),
    (throne, "play knight", "Elsewhere", "phase turns/turn/play", "T13", "not in hand: knight"),
    (throne, "knight", "Elsewhere", "phase turns/turn/play", "T13", "not in hand: knight"),
    (throne, "プレイ　騎士", "Elsewhere", "phase turns/turn/play", "T13", "not in hand: knight"),
    (lambda: after("peasant", 1), "2", "OutOfRange", "skill peasant/tithe", "T-R4",
     "2 not in 0..1; min(2, coins) = 1, coins = 1"),
    (lambda: after("peasant", 5), "３", "OutOfRange", "skill peasant/tithe", "T-R4",
     "3 not in 0..2; min(2, coins) = 2, coins = 5"),
    (lambda: after("peasant", 5), "-1", "OutOfRange", "skill peasant/tithe", "T-R4",
     "-1 not in 0..2"),
    (lambda: after("thief", guarded=(1,)), "P2", "Refused", "skill thief/mark", "T-R5, T-R6",
     "not guarded: no, guarded of P2 = yes"),
    (lambda: after("thief"), "P1", "NotAmong", "skill thief/mark", "T-R5, T-R6",
     "not among others = P2, P3"),
    (lambda: after("senator", guarded=(2,)), "p3", "Refused", "skill senator/favour",
     "T-R6, T-R7", "not guarded: no, guarded of P3 = yes"),
    (lambda: after("barbarian", guarded=(1,)), "knight", "Refused", "value open_to_raids",
     "T-R3", "house is not guarded: no, guarded of P2 = yes"),
    (lambda: after("barbarian", guarded=(1,)), "knight from court of P2", "Refused",
     "value open_to_raids", "T-R3", "house is not guarded: no, guarded of P2 = yes"),
    (lambda: after("barbarian", raid_own_court=False), "barbarian", "Refused",
     "value open_to_raids", "T-R3",
     "raid_own_court: no; house is not me: no, owner = P1, me = P1"),
    (lambda: after("barbarian"), "senator", "Elsewhere", "skill barbarian/raid", "T-R3, T-R6",
     "not in every court: senator"),
    (lambda: after("barbarian"), "thief from court of P2", "Elsewhere", "skill barbarian/raid",
     "T-R3, T-R6", "not in every court: thief"),
    (discarding, "thief", "OutOfRange", "skill magician/discarding", "T-R8", "1 not in 2..2"),
    (discarding, "priest priest", "Elsewhere", "skill magician/discarding", "T-R8",
     "not in hand: priest"),
    (discarding, "thief, knight", "Elsewhere", "skill magician/discarding", "T-R8",
     "not in hand: knight"),
    (refill, "buy", "Closed", "phase refill/refill/buy", "T41, T-R10",
     "coins >= 1: no, coins = 0"),
    (refill, "pass", "Closed", "phase refill/refill/pass", "T42, T-R10", ""),
    (refill, "take senator", "Elsewhere", "phase refill/refill/take", "T41",
     "not in every court of others: senator"),
    # climbing tricks
    (lambda: follow("crown 9", SINGLE_7), "crown 9", "Refused", "value covers", "G23",
     "number of new = number of old: no, number of new = 9, number of old = 7; "
     "me is gorilla: no, role of P1 = merchant; "
     "suit of new = suit of old: no, suit of new = crown, suit of old = scripture; "
     "s is single: yes, s = single"),
    (lambda: follow("coin 5", SINGLE_7), "coin 5", "Refused", *COVERS,
     "number of new > number of old: no, number of new = 5, number of old = 7; wrap: no"),
    (lambda: follow("scripture 3", SINGLE_7, wrap=True), "3", "Refused", *COVERS,
     "starts_at(new) = 1: no, starts_at(new) = 3"),
    (lambda: follow("coin 8, crown 8", SINGLE_7), "coin 8 crown 8", "Refused", *COVERS,
     "shape of new = shape of old: no, shape of new = set, shape of old = single"),
    (lambda: follow("coin 4 5 6", ("run", "crown 3 4")), "coin 4 5 6", "Refused", *COVERS,
     "size of new = size of old: no, size of new = 3, size of old = 2"),
    (lambda: follow("coin 4 6", SINGLE_7), "coin 4 6", "Misfit", "phase play/follow/lay", "G23",
     "single: size 1, 1, 2; run: consecutive number 4, 6; set: same number 4, 6"),
    (lambda: follow("coin 4, crown 5", SINGLE_7), "coin 4 crown 5", "Misfit",
     "phase play/follow/lay", "G23", "run: same suit"),
    (lambda: follow("banana, banana, coin 5", SINGLE_7), "coin 5 banana banana", "Misfit",
     "phase play/follow/lay", "G23", "set: wild banana 2, 1"),
    (lambda: follow("banana, coin 5", SINGLE_7), "banana", "Misfit", "phase play/follow/lay",
     "G23", "single: kind numbered"),
    (lambda: follow("coin 8", SINGLE_7), "gorilla 9", "Elsewhere", "phase play/follow/lay", "G23",
     "not in hand: gorilla 9"),
    (lambda: follow("coin 8", SINGLE_7), "coin 8 8", "Elsewhere", "phase play/follow/lay", "G23",
     "not in hand: coin 8"),
    (lambda: follow("silverback", SINGLE_7), "silverback", "Closed",
     "phase play/follow/silverback", "G31", "me is gorilla: no, role of P1 = merchant"),
    (lambda: follow("coin 8", SINGLE_7, "gorilla"), "silverback", "Closed",
     "phase play/follow/silverback", "G31", "silverback in hand: no"),
    (prophet, "coin 3", "Beaten", "value tribute", "G42", "tribute(it) = 3, best 7"),
    (prophet, "banana", "Beaten", "value tribute", "G42", "tribute(it) = 0, best 7"),
    # follow suit, and bids
    (lambda: trick("hearts 9, spades 2", "hearts"), "spades 2", "Refused",
     "action play_trick/play", "",
     "led = nothing: no, led = hearts; suit = led: no, suit = spades, led = hearts; "
     "any card in hand where suit = led: yes, it = hearts 9"),
    (lambda: trick("hearts 9", "hearts"), "hearts 10", "Elsewhere", "action play_trick/play", "",
     "not in hand: hearts 10"),
    (lambda: last_bid(3, 2), "2", "Refused", "phase play/bidding", "",
     "hook: yes; left of me is starter: yes, left of me = P1, starter = P1; "
     "bids_so_far + it != tricks: no, bids_so_far + it = 7, bids_so_far = 5, it = 2, tricks = 7"),
    (lambda: last_bid(3, 2), "8", "OutOfRange", "phase play/bidding", "",
     "8 not in 0..7; tricks = 7"),
    (leaf, "spades K", "Elsewhere", "phase laying/lay", "L3", "not in hand: spades K"),
    (leaf, "♠ K", "Elsewhere", "phase laying/lay", "L3", "not in hand: spades K"),
    (lambda: follow("coin 8", SINGLE_7), "冠 4 冠5", "Elsewhere", "phase play/follow/lay", "G23",
     "not in hand: crown 4, crown 5"),
    (leaf, "♠K", "Elsewhere", "phase laying/lay", "L3", "not in hand: spades K"),
]  # fmt: skip


def described(state: State, said: why.Refusal) -> str:
    """All that a refusal tells, in a fixed form."""
    words = Wording(state.game)
    name = type(said).__name__
    fields: dict[str, Any] = {f: getattr(said, f) for f in said.__slots__ if f[0] != "_"}

    def values(seen: Any) -> str:
        return ", ".join(f"{s.text} = {words.value(s.type, s.value)}" for s in seen)

    if name in ("Refused", "Closed"):
        rows = [
            f"{q.text}: {'yes' if q.held else 'no'}"
            + "".join(f", {values([s])}" for s in q.seen if s.text != q.text)
            for q in fields["parts"]
        ]
        return "; ".join(rows)
    if name == "Elsewhere":
        faces = ", ".join(state.game.face_label(f) for f in fields["missing"])
        return f"not in {fields['source']}: {faces}"
    if name == "OutOfRange":
        return f"{fields['number']} not in {fields['low']}..{fields['high']}; " + values(
            fields["seen"]
        )
    if name == "NotAmong":
        return f"not among {values([fields['source']])}"
    if name == "Beaten":
        return f"{values([fields['key']])}, best {fields['best']}"
    shapes = list(state.game.program.shapes)
    return "; ".join(
        f"{shapes[u.shape]}: {u.reason} {u.about and u.about + ' '}{', '.join(map(str, u.found))}"
        for u in fields["shapes"]
    )


@pytest.mark.parametrize(
    ("position", "words", "kind", "path", "tags", "told"),
    CASES,
    ids=[f"{i}-{case[1]}-{case[2]}" for i, case in enumerate(CASES)],
)
def test_what_refuses(
    position: Callable[[], State], words: str, kind: str, path: str, tags: str, told: str
) -> None:
    state = position()
    said = state.why_not(words)
    assert type(said).__name__ == kind, Wording(state.game).answer(said, state.rule.path)
    rule = innermost(said)
    assert (rule.path, ", ".join(rule.tags)) == (path, tags)
    assert told in described(state, said)
    for lang in ("en", "ja"):
        assert Wording(state.game, lang).answer(said, state.rule.path)
    clause = why.refusal(state, words)
    assert clause is not None
    assert (clause.path, clause.tags) == (path, rule.tags)
    assert set(rule.tags) <= set(clause.all_tags)
    assert all_rules(said)[0].path.startswith(state.rule.path)


# ── what is no refusal ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("position", "words", "label", "held"),
    [
        (throne, "hold", "hold", "coins >= 1: yes, coins = 5"),
        (throne, "th", "play thief", ""),
        (throne, "プレイ 盗賊", "play thief", ""),
        (lambda: after("thief"), "P2", "P2", "not guarded: yes, guarded of P2 = no"),
        (lambda: after("barbarian"), "thief", "thief from court of P3",
         "house is not guarded: yes"),
        (lambda: follow("scripture 9", SINGLE_7), "9", "lay scripture 9",
         "suit of new = suit of old: yes, suit of new = scripture, suit of old = scripture"),
        (lambda: follow("coin 1, scripture 1, banana", SINGLE_7), "pass", "pass", ""),
        (lambda: trick("hearts 9, spades 2", "clubs"), "spades 2", "spades 2",
         "any card in hand where suit = led: no"),
    ],
)  # fmt: skip
def test_what_is_offered_after_all(
    position: Callable[[], State], words: str, label: str, held: str
) -> None:
    state = position()
    said = state.why_not(words)
    assert isinstance(said, Offered)
    assert state.game.option_label(state.rule.path, said.raw) == label
    assert said == named_as(state.why(said.raw), said)
    assert held in described_parts(state, said)
    assert why.refusal(state, words) is None


def named_as(found: Offered, like: Offered) -> Offered:
    """The same answer about the thing as it was named."""
    return Offered(like.thing, found.raw, found.rule, found.parts)


def described_parts(state: State, said: Offered) -> str:
    from interpreter.why.answers import Refused

    return described(state, Refused(said.thing, said.rule, said.parts))


@pytest.mark.parametrize(
    ("position", "words", "kind"),
    [
        (throne, "zzz", NotNamed),
        (throne, "", NotNamed),
        (throne, "play", Unclear),
        (throne, "P2", AnotherChoice),
        (throne, "raid", AnotherChoice),
        (leaf, "h", Unclear),
        (lambda: follow("coin 8, crown 8", SINGLE_7), "8", Unclear),
        (lambda: follow("coin 8", SINGLE_7), "coin 8 nonsense", NotNamed),
    ],
)
def test_what_means_no_one_thing(position: Callable[[], State], words: str, kind: type) -> None:
    state = position()
    said = state.why_not(words)
    assert isinstance(said, kind)
    assert Wording(state.game).answer(said, state.rule.path)
    with pytest.raises(ValueError, match=kind.__name__):
        why.refusal(state, words)


def test_a_way_whose_picks_are_all_refused_alike_is_refused_for_that() -> None:
    state = follow("coin 3, crown 4", SINGLE_7)
    clause = why.refusal(state, "lay")
    assert clause is not None
    assert (clause.path, clause.tags) == ("value covers", ("G23",))


def test_when_nobody_is_asked() -> None:
    state = throne()
    assert state.why_not("hold", 1) == NotAsked(0)
    while not state.is_over:
        state.apply(state.moves[0])
    assert state.why_not("hold") == NotAsked(None)
    assert state.refused() == ()
    with pytest.raises(ValueError, match="not offered"):
        state.why((0, None))


def test_options_as_data() -> None:
    """What `Option.value` says of each option is understood, and means that option."""
    climbing = follow("coin 8, crown 8", SINGLE_7)
    suits = trick("hearts 9, spades 2", None)
    throne_ = (throne(), after("barbarian"), discarding(), refill())
    for state in (*throne_, climbing, prophet(), suits, last_bid(3, 2)):
        assert state.decision is not None
        for option in state.decision.options:
            said = state.why_not(option.value)
            assert isinstance(said, Offered)
            assert said.raw == option.raw
            by_label = state.why_not(option.label)
            assert isinstance(by_label, Offered)
            assert by_label.raw == option.raw
    refused = throne().why_not({"action": "play", "card": "knight"})
    assert type(refused).__name__ == "Elsewhere"
    assert isinstance(throne().why_not({"card": "no such card"}), NotNamed)
    assert isinstance(throne().why_not({"number": 3}), AnotherChoice)


def test_what_can_not_be_done_here_in_groups() -> None:
    state = follow("coin 5 6 9, scripture 8, silverback", SINGLE_7)
    groups = {
        tuple(Wording(state.game).thing(thing, state.rule.path) for thing in group.things)
        for group in state.refused()
    }
    assert groups == {
        ("lay coin 5", "lay coin 6"),
        ("lay coin 9",),
        ("lay coin 5 coin 6",),
        ("silverback",),
    }


def test_every_label_in_japanese_names_its_option() -> None:
    for state in (throne(), after("barbarian"), follow("coin 8, crown 8", SINGLE_7), leaf()):
        for raw in state.moves:
            said = state.why_not(state.game.option_label(state.rule.path, raw, "ja"))
            assert isinstance(said, Offered)
            assert said.raw == raw


EXACT = """game "Exact"
  players 2
cards
  number  1..4
  leaf: 2 of each number
places
  deck            face down pile
  hand of player  private hand
tokens
  coin of player  0
setup
  shuffle all cards into deck
  deal 3 from deck to every hand
phase play
  turn of first player
    choose bid: number 2..2
      gain it coins
    choose drop: {} cards from hand
      move them to deck
scoring
  coins = coins
winner most points, then draw
"""


@pytest.mark.parametrize(
    ("number", "words", "told"),
    [("2", "1", "that is 1, not 2 cards"), ("1", "1, 1", "that is 2, not 1 card"),
     ("1..2", "", "that is 0, not 1 to 2 cards")],
)  # fmt: skip
def test_a_range_of_one_is_no_range(number: str, words: str, told: str) -> None:
    program, found = pipeline.load("exact.rules", EXACT.format(number))
    assert program is not None, found
    state = compile_game(program, 2).start(1)
    place_cards(state, "hand", 0, ["1", "1", "2"])
    state.game.ask_again(state)
    words_of = Wording(state.game)
    assert "`3` can't be chosen: only 2;" in words_of.answer(state.why_not("3"), state.rule.path)
    state.apply(2)
    refused = state.why_not(words or "no cards")
    assert told in words_of.answer(refused, state.rule.path)
