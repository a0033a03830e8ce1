"""What a choice offers: raw options in their canonical order, and what each picks.

Raw values, as in `notes/0002`: a card of one place is its face, a card that may lie in several is
place id × number of faces + face; several cards are an ascending tuple of those.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, assert_never

from dsl import program as p
from dsl.walk import everything
from tests.reference.expressions import Expressions
from tests.reference.table import Card, Play, RulesBroken

Bindings = list[tuple[p.Var | None, p.Expr]]


@dataclass(frozen=True)
class Options:
    """The raw options, and for each the branch and the picked value behind it."""

    raw: list[Any]
    behind: list[tuple[p.Branch, Any]]

    def answer(self, raw: Any) -> tuple[p.Branch, Any]:
        return self.behind[self.raw.index(raw)]


def offered(expressions: Expressions, stmt: p.Choose) -> Options | None:
    """What a choice offers; None where it is skipped because that is nothing."""
    picks = [
        [] if branch.otherwise else branch_picks(expressions, branch) for branch in stmt.branches
    ]
    if not any(picks):
        picks = [
            branch_picks(expressions, branch) if branch.otherwise else []
            for branch in stmt.branches
        ]
    nameless = len(stmt.branches) == 1 and not stmt.branches[0].name
    options = Options([], [])
    for index, (branch, found) in enumerate(zip(stmt.branches, picks, strict=True)):
        for raw, picked in found:
            options.raw.append(raw if nameless else (index, raw))
            options.behind.append((branch, picked))
    if options.raw:
        return options
    if stmt.if_any:
        return None
    raise RulesBroken(f"nothing to choose at {stmt.origin.path}")


def branch_picks(expressions: Expressions, branch: p.Branch) -> list[tuple[Any, Any]]:
    """Pairs (raw, picked value) of one branch."""
    if branch.when is not None and not expressions.value(branch.when):
        return []
    value, pick = expressions.value, branch.pick
    match pick:
        case None:
            return [(None, None)]
        case p.PickNumber():
            return [(n, n) for n in range(value(pick.lo), value(pick.hi) + 1)]
        case p.PickCard():
            return each_once(
                (raw_card(expressions, pick.source, card), card) for card in value(pick.source)
            )
        case p.PickCards():
            return card_sets(expressions, pick)
        case p.PickOne():
            items = value(pick.source)
            if any(isinstance(item, Play) for item in items):
                together = plays_of_one_place(expressions, pick.source)
                return [
                    (play.raw if together else (*play.raw, play.places), play) for play in items
                ]
            return each_once((item, item) for item in items)
        case _:
            assert_never(pick)


def card_sets(expressions: Expressions, pick: p.PickCards) -> list[tuple[Any, Any]]:
    """lo..hi cards, both cut to what is there; nothing where some are wanted and none are."""
    cards = expressions.value(pick.source)
    low, high = expressions.value(pick.lo), expressions.value(pick.hi)
    if low > 0 and not cards:
        return []
    found: list[tuple[Any, Any]] = []
    coded = sorted(
        ((raw_card(expressions, pick.source, card), card) for card in cards),
        key=lambda pair: pair[0],
    )
    for size in range(min(low, len(cards)), min(high, len(cards)) + 1):
        groups = combinations(coded, size)
        found += each_once((tuple(c for c, _ in g), [card for _, card in g]) for g in groups)
    return found


def each_once(pairs: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Pairs of different raw values, ascending; of equal ones the first."""
    first: dict[Any, Any] = {}
    for raw, picked in pairs:
        first.setdefault(raw, picked)
    return sorted(first.items(), key=lambda pair: pair[0])


def raw_card(expressions: Expressions, source: p.Expr, card: Card) -> int:
    """The raw value of a card picked from a collection."""
    if one_place(expressions, source):
        return card.face
    return card.place * len(expressions.table.faces) + card.face


def one_place(expressions: Expressions, source: p.Expr) -> bool:
    """Whether an expression says that all its cards lie in one place."""
    match source:
        case p.CardsIn():
            places: Sequence[p.PlaceRef | p.PlacesOf] = source.places
            return len(places) == 1 and isinstance(places[0], p.PlaceRef)
        case p.Top():
            return True
        case p.Filter() | p.Sorted() | p.Best() | p.Without():
            return one_place(expressions, source.source)
        case p.Call():
            return one_place(expressions, expressions.table.program.values[source.value].body)
        case p.PlayPart():
            tracked = isinstance(source.play, p.TrackRef)
            return tracked or plays_of_one_place(expressions, source.play)
        case p.VarRef():
            return source.var.id in expressions.together
        case _:
            return False


def plays_of_one_place(expressions: Expressions, expr: p.Expr) -> bool:
    """Whether a play, or plays, can have their cards in one place only, as the rules are written:
    their options then say no places."""
    match expr:
        case p.Plays():
            return one_place(expressions, expr.source)
        case p.First() | p.Filter() | p.Sorted() | p.Best():
            return plays_of_one_place(expressions, expr.source)
        case p.Conditional():
            both = (expr.then, expr.otherwise)
            return all(plays_of_one_place(expressions, side) for side in both)
        case p.Call():
            body = expressions.table.program.values[expr.value].body
            return plays_of_one_place(expressions, body)
        case p.VarRef():
            bindings = bound_plays(expressions.table.program)
            return expr.var.id not in spread_variables(expressions, bindings)
        case _:
            return False


def spread_variables(expressions: Expressions, bindings: Bindings) -> set[int]:
    """Variables for plays of several places: all that are bound to such, in the end."""
    if not expressions.spread_known:
        expressions.spread_known = True
        while True:
            found = {
                var.id for var, value in bindings if not plays_of_one_place(expressions, value)
            }
            if found <= expressions.spread:
                break
            expressions.spread |= found
    return expressions.spread


def bound_plays(program: p.Program) -> Bindings:
    """The variables for plays in all rules, each with what it is bound to."""
    found: Bindings = []
    for node in everything(program):
        if isinstance(node, p.Branch) and isinstance(node.pick, p.PickOne):
            found.append((node.var, node.pick.source))
        elif isinstance(node, p.SetVar):
            found.append((node.var, node.value))
        elif isinstance(node, p.Each | p.Filter | p.Sorted | p.Best | p.Fold):
            found.append((node.var, node.source))
        elif isinstance(node, p.Do):
            found += zip(program.actions[node.action].params, node.args, strict=True)
        elif isinstance(node, p.Call):
            found += zip(program.values[node.value].params, node.args, strict=True)
    return [(var, value) for var, value in found if var and var.type.kind is p.K.PLAY]
