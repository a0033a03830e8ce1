"""Every ruleset, played in the engine and in the naive reference, is the same game."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dsl import pipeline
from dsl import program as p
from tests.contract import changed
from tests.reference.comparing import agree

ROOT = Path(__file__).parent.parent
RULESETS = sorted([*ROOT.glob("rulesets/**/*.rules"), *ROOT.glob("tests/*.rules")])
LONG = bool(os.environ.get("RULES_LONG"))
BASES = [path for path in RULESETS if LONG or path.parent.name != "variants"]
SEEDS = range(4 if LONG else 2)


def loaded(path: Path) -> p.Program:
    program, diagnostics = pipeline.load(str(path))
    assert program is not None, diagnostics
    return program


def other_values(decl: p.OptionDecl, players: int) -> list[Any]:
    """Values of an option that are not its default: of a number the ends of its range."""
    defaults = dict(decl.default)
    default = defaults.get(players, defaults.get(0))
    values: list[Any] = []
    if decl.kind == "flag":
        values = [False, True]
    elif decl.kind == "word":
        values = list(decl.words)
    else:
        values = [value for value in (decl.lo, decl.hi) if value is not None]
        values += [p.ENDLESS] if decl.endless else []
    return [value for value in values if value != default]


def test_there_are_rulesets() -> None:
    assert RULESETS


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_same_games(path: Path) -> None:
    program = loaded(path)
    low, high = program.players
    for players in range(low, high + 1) if path in BASES else sorted({low, high}):
        for seed in SEEDS if path in BASES else SEEDS[:1]:
            assert not agree(program, players, {}, seed).failed


@pytest.mark.timeout(1800 if LONG else 150)
@pytest.mark.parametrize("path", BASES, ids=lambda path: path.stem)
def test_same_games_with_each_option_changed(path: Path) -> None:
    """At each player count; in the plain suite at one count for each value, in turn."""
    program = loaded(path)
    for players, name, value in everywhere(program) if LONG else changed(program):
        agree(program, players, {name: value}, 1)


def everywhere(program: p.Program) -> Iterator[tuple[int, str, Any]]:
    """Each option's other values at each player count."""
    for name, decl in program.options.items():
        for players in range(program.players[0], program.players[1] + 1):
            for value in other_values(decl, players):
                yield players, name, value
