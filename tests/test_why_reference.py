"""Refusals, checked by the reference evaluator, which shares no code with the engine.

Both play the same game. Wherever a condition is said to refuse something, the reference looks at
the same thing: each condition named must be as true or false as was said, with the same values, and
these conditions alone, whatever all others are, must decide that it is refused.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dsl import pipeline
from dsl import program as p
from interpreter import compile_game, why
from interpreter.describe import choices
from interpreter.why.answers import Closed, Part, Refused, Seen, Thing
from tests.reference.evaluator import Evaluator
from tests.reference.expressions import Expressions
from tests.reference.table import Card, Play

ROOT = Path(__file__).resolve().parents[1]
LONG = bool(os.environ.get("RULES_LONG"))
VARIANTS = sorted(ROOT.glob("rulesets/variants/*.rules"))
RULESETS = sorted(
    [*ROOT.glob("rulesets/*.rules"), *ROOT.glob("tests/*.rules"), *ROOT.glob("tests/dsl/games/*")]
) + (VARIANTS if LONG else VARIANTS[2::9])
GUARDED = """game "Guards"
  players 3
cards
  leaf: 4
places
  deck face down pile
tokens
  coin of player 0
marks
  guarded of player
setup
  shuffle all cards into deck
value open(house) = house is not guarded
phase play
  repeat 1 as round
    each player as turn
      choose raid if any: player in others where open(them)
        gain 1 coin
      mark guarded
scoring
  coins = coins
winner most points, then draw
"""
LOOKS = 25
MOST = 5  # things that are refused alike


@cache
def load(path: Path) -> p.Program:
    program, diagnostics = pipeline.load(path)
    assert program is not None, "\n".join(d.message for d in diagnostics)
    return program


class Judge:
    """Looks at what was said of one thing, with the reference's own values."""

    def __init__(self, reference: Expressions, parts: Sequence[Part]) -> None:
        self.reference = reference
        self.program = reference.table.program
        self.parts = {(part.span, tuple(s.text for s in part.steps)): part for part in parts}

    def decides(self, expr: p.Expr, steps: tuple[str, ...] = ()) -> bool | None:
        """What the parts alone make of a condition: None if they leave it open."""
        part = self.parts.get((expr.span, steps))
        match expr:
            case p.Binary(op="and" | "or"):
                decisive = expr.op == "or"
                left, right = self.decides(expr.left, steps), self.decides(expr.right, steps)
                if decisive in (left, right):
                    return decisive
                return None if None in (left, right) else left
            case p.Unary(op="not") if part is None:
                inner = self.decides(expr.operand, steps)
                return None if inner is None else not inner
            case p.Call():
                value = self.program.values[expr.value]
                args = [self.reference.value(arg) for arg in expr.args]
                self.reference.bind(value.params, args)
                text = source(self.program, expr.span)
                return self.decides(value.body, (*steps, text))
            case p.Conditional():
                chosen = self.decides(expr.condition, steps)
                if chosen is None:
                    return None
                return self.decides(expr.then if chosen else expr.otherwise, steps)
            case _:
                return None if part is None else self.judge(expr, part)

    def judge(self, expr: p.Expr, part: Part) -> bool:
        """One condition: as true as was said, and with these values."""
        truth = bool(self.reference.value(expr))
        assert truth == part.held, f"`{part.text}` is {truth} in the reference"
        for seen in part.seen:
            alike = [
                node
                for node in nodes(expr)
                if (node.span, node.type) == (seen.span, seen.type)
                and not isinstance(node, p.Const)
            ]
            if alike:  # a negation stands just where its operand does, and is what the part quotes
                self.same(alike[0 if seen.text == part.text else -1], seen)
        return truth

    def same(self, node: p.Expr, seen: Seen) -> None:
        if isinstance(node, p.VarRef) and node.var.id not in self.reference.vars:
            return  # a candidate inside
        value = plain(self.reference.value(node))
        if isinstance(value, list):
            return
        told = seen.value[0] if node.type.kind is p.K.CARD and seen.value else seen.value
        assert told == value, f"{seen.text} is {value} in the reference, not {told}"


def plain(value: Any) -> Any:
    if isinstance(value, Card):
        return value.face
    return value.raw if isinstance(value, Play) else value


def nodes(expr: p.Expr) -> list[Any]:
    from interpreter.codegen.analysis import children

    bound = (p.Filter, p.Sorted, p.Best, p.Fold)
    return [expr, *(n for c in children(expr) if not isinstance(c, bound) for n in nodes(c))]


def source(program: p.Program, span: p.Span) -> str:
    from dsl.source_text import source_text

    return source_text(program, span)


def elements(reference: Expressions, expr: p.Expr, thing: Thing) -> list[tuple[Any, list[Any]]]:
    """The reference's own elements of a collection that a thing may be, with the filters around."""
    match expr:
        case p.Filter():
            return [(e, [*around, expr]) for e, around in elements(reference, expr.source, thing)]
        case p.Sorted() | p.Best():
            return elements(reference, expr.source, thing)
        case p.Call():
            value = reference.table.program.values[expr.value]
            reference.bind(value.params, [reference.value(arg) for arg in expr.args])
            return elements(reference, value.body, thing)
        case _:
            return [(e, []) for e in reference.value(expr) if fits(e, thing.value)]


def fits(element: Any, value: Any) -> bool:
    if isinstance(element, Card):
        card = value[0] if value and isinstance(value[0], tuple) else value
        return element.face == card[0] and card[1] in (None, element.place)
    if isinstance(element, Play):
        return bool(element.faces == value[1] and value[0] in (None, element.shape))
    return bool(element == value)


def check(reference: Expressions, choice: p.Choose, answer: Refused | Closed) -> None:
    """The reference finds that just these conditions refuse it."""
    branch = choice.branches[answer.thing.branch]
    before = dict(reference.vars)
    judge = Judge(reference, answer.parts)
    if isinstance(answer, Closed):
        if branch.when is not None and answer.parts:
            assert judge.decides(branch.when) is False
        return
    assert branch.pick is not None and not isinstance(branch.pick, p.PickNumber)
    decided = []
    for element, filters in elements(reference, branch.pick.source, answer.thing):
        for layer in filters:
            reference.vars[layer.var.id] = element
            if not reference.value(layer.condition):
                decided.append(judge.decides(layer.condition))
                break
        else:
            raise AssertionError(f"{answer.thing} meets all conditions")
    assert False in decided, f"{[part.text for part in answer.parts]} don't refuse {answer.thing}"
    reference.vars.clear()
    reference.vars.update(before)


def test_a_negation_stands_where_its_operand_does() -> None:
    """`house is not guarded` and the mark it asks for have one place: they are told apart by what
    is quoted."""
    program, diagnostics = pipeline.load("guards.rules", GUARDED)
    assert program is not None, diagnostics
    state, reference = compile_game(program, 3).start(1), Evaluator(program, 3, {}, 1)
    reference.start()
    state.apply(state.moves[0])
    question = reference.answer(state.moves[0])
    assert question is not None
    (answer,) = [a for g in why.refused(state, everything=True) for a in g.answers]
    assert isinstance(answer, Refused)
    assert [(s.text, s.value) for part in answer.parts for s in part.seen] == [
        ("guarded of P1", True)
    ]
    check(reference.expressions, choices(program)[question.path], answer)


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_conditions_that_refuse_are_false(path: Path) -> None:
    program = load(path)
    rng = Random(path.stem)
    for players in sorted(set(program.players)):
        looked, seed = 0, rng.randrange(1000)
        state = compile_game(program, players).start(seed)
        reference = Evaluator(program, players, {}, seed)
        question = reference.start()
        while question is not None and looked < LOOKS:
            assert question.options == list(state.moves)
            if looked < 5 or rng.random() < 0.2:
                looked += 1
                choice = choices(program)[question.path]
                for group in why.refused(state, everything=True):
                    for answer in group.answers[:MOST]:
                        if isinstance(answer, (Refused, Closed)):
                            check(reference.expressions, choice, answer)
            raw = rng.choice(question.options)
            state.apply(raw)
            question = reference.answer(raw)
        assert looked
