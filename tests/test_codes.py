"""The pages of codes that come up when a game is started or played: what they call wrong gets the
code, what they call right doesn't.

Lines of a ruleset are put into `BASE`, in the place where such lines stand, and played with the
first option always; lines that begin with `rules` are commands.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from dsl import codes, pipeline
from dsl.diagnostics import RulesError
from interpreter import compile_game

BASE = """game "Probe"
  players 2..4

options
  limit  3  in 1..9

cards
  number    1..36
  numbered: one of each number

places
  deck            face down pile
  discard         face up pile
  hand of player  private hand

tokens
  vp of player    0
  coin of player  0
  coin in bank  2

setup
  shuffle all cards into deck
  deal 3 from deck to every hand

phase play
  move every hand to deck
  do nothing

scoring
  total = coin + vp

winner most points, then draw
"""
# What needs two games, a damaged file, a fault of the engine, many options at their ends, or cards
# whose number the checker can't tell.
WITHOUT_SNIPPETS = {"R0802", "R0806", "R0811", "R0812", "R0900", "R0908"}
CODES = sorted({code for code in codes.entries() if code >= "R08"} - WITHOUT_SNIPPETS)


@pytest.mark.parametrize("code", CODES)
def test_the_snippets_of_a_page_trigger_and_cure(code: str) -> None:
    snippets = codes.snippets(code)
    assert snippets is not None, "the page shows no snippets"
    wrong, right = (list(found(lines)) for lines in snippets)
    assert wrong == [code]
    assert right == []


def found(lines: str) -> Iterable[str]:
    """The codes that come up."""
    if lines.startswith("rules "):
        return asked_for(lines.split()[1:])
    program, messages = pipeline.load("probe.rules", put_in(lines))
    if program is None:  # so plain that it is told before play
        return [item.code for item in messages if item.is_error]
    try:
        state = compile_game(program, 2).start(1)
        while state.decision is not None:
            state.apply(state.decision.options[0])
    except RulesError as problem:
        return [item.code for item in problem.diagnostics]
    return []


def asked_for(command: list[str]) -> list[str]:
    """The codes of what a command asks for: `trace NAME --players 4 --set OPTION=NUMBER`."""
    program, _ = pipeline.load(pipeline.find(command[1]))
    assert program is not None
    asked = dict(zip(command[2::2], command[3::2], strict=True))
    name, _, value = asked.get("--set", "").partition("=")
    options = {name: int(value)} if name else {}
    try:
        compile_game(program, int(asked.get("--players", "4")), options).start(1)
    except RulesError as problem:
        return [item.code for item in problem.diagnostics]
    return []


def put_in(lines: str) -> str:
    """A ruleset with these lines in it."""
    before = "  do nothing"
    if lines.startswith("phase "):
        before = "phase play\n  move every hand to deck\n  do nothing"
    elif lines.startswith("winner "):
        before = "winner most points, then draw"
    elif lines.startswith("  coin in "):
        before = "  coin in bank  2"
    assert BASE.count(before) == 1
    return BASE.replace(before, lines)
