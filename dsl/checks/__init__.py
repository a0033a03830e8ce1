"""What is found before the first game: rules that read well and can't work.

A check looks at the whole and adds findings. Those of the first list need a Program, so they run
when everything else is in order; the others always run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from dsl import nodes as n
from dsl import program as p
from dsl.checks.allow import take_allowed
from dsl.checks.amounts import amounts
from dsl.checks.bots import bots_that_peek
from dsl.checks.choices import empty_choices
from dsl.checks.deck import short_decks, too_many_cards
from dsl.checks.effects import endless_circles, missing_effects, unknown_moments
from dsl.checks.ends import ends_of_nothing
from dsl.checks.exhausted import exhausted_choices
from dsl.checks.hidden import shown_by_tracks
from dsl.checks.owners import owners_of_nothing
from dsl.checks.reach import unreached
from dsl.checks.run_out import decks_that_run_out
from dsl.checks.same import same_for_all
from dsl.checks.sheet import clauses
from dsl.checks.skipped import skipped_answers
from dsl.checks.translations import translations
from dsl.checks.unread import unread_loops, unread_names, unread_of_bots
from dsl.checks.unseen import unseen_choices
from dsl.checks.unused import (
    lone_values,
    never_filled,
    never_read,
    no_points,
    unused,
    without_cards,
)
from dsl.checks.whose import bare_things_of_nobody
from dsl.checks.winner import open_ties
from dsl.context import Context
from dsl.variant_blame import blame

ProgramCheck: TypeAlias = Callable[[p.Program, Context], None]
RulesetCheck: TypeAlias = Callable[[n.Ruleset, Context], None]

PROGRAM_CHECKS: tuple[ProgramCheck, ...] = (
    missing_effects,
    unknown_moments,
    endless_circles,
    ends_of_nothing,
    too_many_cards,
    amounts,
    short_decks,
    empty_choices,
    skipped_answers,
    shown_by_tracks,
    unseen_choices,
    owners_of_nothing,
    open_ties,
    bots_that_peek,
    bare_things_of_nobody,
    same_for_all,
    exhausted_choices,
    decks_that_run_out,
)
LEFTOVERS: tuple[ProgramCheck, ...] = (
    never_read,
    unread_names,
    unread_loops,
    unread_of_bots,
    never_filled,
    no_points,
    without_cards,
    unreached,
)
RULESET_CHECKS: tuple[RulesetCheck, ...] = (clauses, translations)


def check(ruleset: n.Ruleset, program: p.Program | None, context: Context) -> None:
    """Run all checks that can run. What is unused or never reached is told only when nothing else
    is wrong: it is often so because of that."""
    lone_values(ruleset, context, program is not None)
    if program is not None:
        for program_check in PROGRAM_CHECKS:
            program_check(program, context)
    ran = program is not None and not context.findings.errors
    if ran and program is not None:
        unused(ruleset, context)
        for program_check in LEFTOVERS:
            program_check(program, context)
    for ruleset_check in RULESET_CHECKS:
        ruleset_check(ruleset, context)
    if ruleset.variant is not None:
        blame(ruleset, context.findings)
    take_allowed(ruleset.sources, ruleset.comments, context.findings, ran)
