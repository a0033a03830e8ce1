"""Chance stays put when rules change: random edits of the real rulesets, and what they may touch.

An edit adds something: a card, an option of a choice, a round, a power of a role, a rule that never
fires. Both versions are played with the same seeds by `steady` bots. Then

- in every game, what differs first cites the rule that was edited, or shows the card or the option
  that was added;
- shuffles under the same key have the cards that are in both in the same order;
- games that the edit does not reach are the same to the byte.

A few edits in the plain suite; `RULES_LONG=1` tries some hundred.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from attrs import frozen
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dsl import pipeline
from dsl import program as p
from dsl.walk import bodies, walk
from interpreter import Game, compile_game
from interpreter.events import Event
from interpreter.runtime import Shuffler
from interpreter.trace import run
from lab import bots
from lab.review.changes import Side
from lab.review.games import First, Pair
from lab.review.report import review
from rulesets import FOLDER
from tests.edits import plain

LONG = bool(os.environ.get("RULES_LONG"))
SEEDS = range(1, 13) if LONG else range(1, 5)
NAMES = ("throne", "last-leaf", "gorilla", "oh-hell")


@frozen(eq=False)
class Edit:
    """A ruleset that was changed, and what may be seen of it first. `reach`: whether the edit can
    touch play at all."""

    text: str
    seen: Callable[[First], bool]
    reach: bool = True


class Unfit(Exception):
    """A ruleset that has no place for such an edit."""


def fits(there: bool) -> None:
    if not there:
        raise Unfit


@cache
def source(name: str) -> tuple[str, p.Program]:
    path, text = plain(name)
    program, _ = pipeline.load(path, text)
    assert program is not None
    return text, program


def changed(name: str, text: str) -> p.Program | None:
    program, _ = pipeline.load(FOLDER / f"{name}.rules", text)
    return program


# ── edits ────────────────────────────────────────────────────────────────────────────────────


def inserted(text: str, before: int, *lines: str) -> str:
    """The text with lines put in before a line (counted from 1), indented as that one."""
    there = text.split("\n")
    like = there[before - 1]
    indent = like[: len(like) - len(like.lstrip())]
    there[before - 1 : before - 1] = [indent + line for line in lines]
    return "\n".join(there)


def with_ghost(text: str, program: p.Program) -> str:
    """The text with a mark that nothing sets, for conditions that never hold."""
    if program.marks:
        first = min(mark.origin.span.line for mark in program.marks.values())
        return inserted(text, first, "haunted")
    head = next(i for i, line in enumerate(text.split("\n"), 1) if line.startswith("setup"))
    return inserted(text, head, "marks", "  haunted", "")


def shift(text: str, line: int, edited: str) -> int:
    """Where a line of a text stands after lines were put in before it."""
    return line + edited.count("\n") - text.count("\n")


def never_fires(text: str, program: p.Program, dice: random.Random) -> Edit:
    """A rule under a condition that never holds, before any statement."""
    line = dice.choice(sorted(_statements(text, program)))
    made = with_ghost(text, program)
    rule = dice.choice(["end game", "end phase"])
    made = inserted(made, shift(text, line, made), f"if haunted then {rule}")
    return Edit(made, lambda _: False, reach=False)


def never_used(text: str, program: p.Program, dice: random.Random) -> Edit:
    """Values and actions that nothing uses."""
    more = [
        "value spare = 1",
        "action spare_time\n  repeat 2\n    end phase",
        "value far of player = 2",
    ]
    return Edit(f"{text}\n{dice.choice(more)}\n", lambda _: False, reach=False)


def card(text: str, program: p.Program, dice: random.Random) -> Edit:
    """A new kind of card."""
    last = max(kind.origin.span.end_line for kind in program.kinds.values())
    first = min(kind.origin.span.line for kind in program.kinds.values())
    lines = text.split("\n")
    indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
    lines.insert(last, f"{indent}stranger: {dice.randint(1, 3)}")
    return Edit("\n".join(lines), shows_stranger)


def suit(text: str, program: p.Program, dice: random.Random) -> Edit:
    """Cards of a new suit, rank or job."""
    used = {name for kind in program.kinds.values() for name in kind.attributes}
    named = [a for name, a in program.attributes.items() if name in used and a.values]
    fits(bool(named))
    span = dice.choice(named).origin.span
    lines = text.split("\n")
    line = lines[span.end_line - 1]
    order = re.search(r", (strongest|weakest) first", line)
    end = span.end_column - 1 if order is None else order.start()
    lines[span.end_line - 1] = f"{line[:end]}, stranger{line[end:]}"
    return Edit("\n".join(lines), shows_stranger)


def shows_stranger(first: First) -> bool:
    shown = [card for at in (first.left, first.right) if at is not None for card in at.cards]
    return any("stranger" in card.split() for card in shown)


def option(text: str, program: p.Program, dice: random.Random) -> Edit:
    """One more way to answer a choice."""
    found = [
        node
        for body in bodies(program)
        for node in walk(body)
        if isinstance(node, p.Choose) and all(branch.name for branch in node.branches)
    ]
    fits(bool(found))
    choose = dice.choice(found)
    branch = dice.choice(choose.branches)
    made = with_ghost(text, program)
    line = shift(text, branch.origin.span.line, made)
    made = inserted(made, line, "loiter", "  if haunted then end phase")
    return Edit(made, lambda first: first.right is not None and first.right.taken == "loiter")


def round_(text: str, program: p.Program, dice: random.Random) -> Edit:
    """One more run of a loop whose number of runs is an option used nowhere else."""
    nodes = [node for body in bodies(program) for node in walk(body)]
    uses = [node.name for node in nodes if isinstance(node, p.OptionRef)]
    loops = [
        node
        for node in nodes
        if isinstance(node, p.Repeat)
        and node.label
        and isinstance(node.count, p.OptionRef)
        and uses.count(node.count.name) == 1
    ]
    fits(bool(loops))
    loop = dice.choice(loops)
    assert isinstance(loop.count, p.OptionRef)
    decl = program.options[loop.count.name]
    usual = dict(decl.default)
    fits(list(usual) == [0] and decl.hi is not None and int(usual[0]) < (decl.hi or 0))
    lines = text.split("\n")
    at = decl.origin.span.line - 1
    lines[at] = lines[at].replace(str(usual[0]), str(int(usual[0]) + 1), 1)
    title = f"{loop.label} {int(usual[0]) + 1}"

    def seen(first: First) -> bool:
        return first.right is not None and first.right.text == title

    return Edit("\n".join(lines), seen)


def power(text: str, program: p.Program, dice: random.Random) -> Edit:
    """A power of a role, at a moment there is."""
    moments = sorted({n.name for body in bodies(program) for n in walk(body)
                      if isinstance(n, p.Moment)})  # fmt: skip
    fits(program.roles is not None and bool(moments))
    assert program.roles is not None
    role = dice.choice(program.roles.names).name
    moment = dice.choice(moments)
    made = with_ghost(text, program)
    made += f"\nrole {role}\n  at {moment}\n    mark haunted\n    unmark haunted\n"

    def seen(first: First) -> bool:
        return first.right is not None and first.right.path == f"role {role} at {moment}"

    return Edit(made, seen)


def _statements(text: str, program: p.Program) -> Iterator[int]:
    """Lines that begin with a statement."""
    lines = text.split("\n")
    for body in bodies(program):
        for node in walk(body):
            if isinstance(node, p.Branch) or getattr(node, "origin", None) is None:
                continue
            span = node.origin.span
            line = lines[span.line - 1]
            if len(line) - len(line.lstrip()) == span.column - 1:
                yield span.line


EDITS = {
    "a rule that never fires": never_fires,
    "something never used": never_used,
    "a card": card,
    "a suit": suit,
    "an option": option,
    "a round": round_,
    "a power": power,
}


# ── playing ──────────────────────────────────────────────────────────────────────────────────


def shuffles(game: Game, seed: int, patch: pytest.MonkeyPatch) -> dict[int, list[str]]:
    """The order of every shuffle of a game, by its key."""
    keys: list[int] = []
    orders: list[list[str]] = []
    plain = Shuffler.key

    def spying(self: Shuffler, state: object, path: str) -> int:
        key = plain(self, state, path)
        if path != "roles":
            keys.append(key)
        return key

    def listen(event: Event) -> None:
        if event.kind == "shuffle":
            orders.append([game.face_label(face) for face in event.data["cards"]])

    with patch.context() as context:
        context.setattr(Shuffler, "key", spying)
        state = game.start(seed, listen)
        players = {q: bots.make("steady", seed) for q in range(game.players)}
        bots.play_out(state, players, listen)
    assert len(keys) == len(orders)
    return dict(zip(keys, orders, strict=True))


def same_order(one: list[str], other: list[str]) -> bool:
    """Whether cards of which there are as many on both sides lie in one order."""
    common = {card for card in {*one} & {*other} if one.count(card) == other.count(card)}
    return [c for c in one if c in common] == [c for c in other if c in common]


def played(game: Game, seed: int) -> str:
    """A trace without what it tells of options that were not taken."""
    return run.trace(game, seed).replace(" (forced)", "")


def check(name: str, kind: str, number: int, patch: pytest.MonkeyPatch) -> None:
    """Make an edit and hold all three promises against some games."""
    text, program = source(name)
    dice = random.Random(number)
    edit = EDITS[kind](text, program, dice)
    other = changed(name, edit.text)
    fits(other is not None)
    assert other is not None
    players = dice.choice(range(program.players[0], program.players[1] + 1))
    games = compile_game(program, players), compile_game(other, players)
    pair = Pair(*games)
    for seed in SEEDS:
        outcome = pair.play(seed)
        where = f"{name}, {kind} {number}, {players} players, seed {seed}"
        if outcome.first is not None:
            assert edit.reach, f"{where}: touched, by {outcome.first}"
            assert edit.seen(outcome.first), f"{where}: {outcome.first}"
        elif not outcome.box:
            assert played(games[0], seed) == played(games[1], seed), where
            if "loiter" not in run.trace(games[1], seed, fmt="jsonl"):
                assert run.trace(games[0], seed) == run.trace(games[1], seed), where
        if not edit.reach:
            jsonl = [run.trace(game, seed, fmt="jsonl") for game in games]
            assert jsonl[0] == jsonl[1], where
        if outcome.failed == ("", ""):
            one, two = (shuffles(game, seed, patch) for game in games)
            shared = one.keys() & two.keys()
            assert shared or not one, where
            for key in shared:
                assert same_order(one[key], two[key]), where


@settings(
    max_examples=300 if LONG else 8,
    derandomize=not LONG,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(st.sampled_from(NAMES), st.sampled_from(sorted(EDITS)), st.integers(0, 10**6))
def test_random_edits(name: str, kind: str, number: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        try:
            check(name, kind, number, patch)
        except Unfit:
            assume(False)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("throne", "a card"),
        ("throne", "an option"),
        ("throne", "a round"),
        ("throne", "a rule that never fires"),
        ("gorilla", "a power"),
        ("gorilla", "an option"),
        ("oh-hell", "a rule that never fires"),
        ("last-leaf", "a suit"),
        ("oh-hell", "a card"),
    ],
)
def test_each_kind_of_edit(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check(name, kind, 1, monkeypatch)


def test_an_edit_that_does_touch_play_is_seen() -> None:
    """The promises above are not empty: the same check finds an edit that breaks them."""
    text, program = source("throne")
    other = changed("throne", text.replace("opening_coins       5", "opening_coins       4"))
    assert other is not None
    made = review(Side("a", program), Side("b", other), SEEDS, (3,), workers=1)
    assert made.different


def test_the_order_of_cards_is_compared() -> None:
    assert same_order(["a", "x", "b", "c"], ["a", "b", "c", "y"])
    assert not same_order(["a", "b"], ["b", "a"])
    assert same_order(["a", "b", "b"], ["b", "a"])  # as many b are not on both sides
