"""A tiny game around some rules, and what goes wrong in it. Used by the tests of the engine."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dsl import pipeline
from dsl.diagnostics import RulesError
from dsl.program import Program
from interpreter import State, compile_game

ROOT = Path(__file__).resolve().parents[1]
TINY = """game "Tiny"
  players 2..3

options
  purse   3  in 0..9
  bonus   no
  colour  red or blue
  reach   endless or 1..9

cards
  number  1..6
  numbered: 1 of each number

places
  deck            face down pile
  hand of player  private hand
  row of player   face up row

tokens
  coin of player    purse
  coin in bank      4, at most 6

setup
  shuffle all cards into deck
  deal 2 from deck to every hand

phase play
{phase}
scoring
  total = coins
  extra = (if bonus then 1 else 0) + (if colour is red then 0 else 1) + min(reach, 0)

winner most points{winner}
"""

GO = "choose go\n  on\n    take 1 coin from bank"
COUNTED = "choose go\n  on when x > 0\n    take 1 coin from bank\n  off"


def tiny(phase: str, winner: str = ", then draw", file: str = "tiny.rules") -> Program:
    """The program of a small game with these rules."""
    rules = "\n".join(f"  {line}" for line in phase.strip("\n").split("\n"))
    program, diagnostics = pipeline.load(file, TINY.format(phase=rules, winner=winner))
    assert program is not None, "\n".join(d.message for d in diagnostics)
    return program


def begin(phase: str, winner: str = ", then draw", **options: Any) -> State:
    return compile_game(tiny(phase, winner), 2, options).start(1)


@cache
def bundled(name: str) -> Program:
    program, diagnostics = pipeline.load(ROOT / "rulesets" / name)
    assert program is not None, diagnostics
    return program


def fault(action: Callable[[], object]) -> tuple[str, str]:
    """The code of the one diagnostic that an action raises, and the rule line it points to."""
    with pytest.raises(RulesError) as raised:
        action()
    (found,) = raised.value.diagnostics
    assert found.span is not None
    text = raised.value.sources[found.span.file]
    assert f"{found.span.file}:{found.span.line}" in str(raised.value)
    line = text.split("\n")[found.span.line - 1]
    return found.code, line[found.span.column - 1 :].strip()
