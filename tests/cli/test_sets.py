"""`--set` means the same to all commands: one parser, one check, one message, status 2."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.main import COMMANDS

Rules = Callable[..., Any]

SETTING = {
    "play": ["play", "small.rules", "--watch"],
    "trace": ["trace", "small.rules"],
    "fuzz": ["fuzz", "small.rules"],
    "sim": ["sim", "small.rules", "-n", "1"],
    "compare": ["compare", "small.rules", "small.rules"],
    "sweep": ["sweep", "small.rules", "--vary", "other=1,2", "-n", "1"],
    "cover": ["cover", "small.rules", "-n", "1"],
    "diff": ["diff", "small.rules", "small.rules"],
    "why": ["why", "small.rules", "--at", "1"],
    "explain": ["explain", "--python", "small.rules"],
}
SMALL = """game "Small"
  players 2

options
  turns    2  in 1..3
  other    1  in 1..2
  open     no
  side     east  or west

cards
  number    1..9
  numbered: 3 of each number

places
  deck             face down pile
  hand of player   private hand
  table of player  face up row

setup
  shuffle all cards into deck
  deal turns + other - 1 from deck to every hand

phase play
  repeat turns as turn
    each player
      choose lay: card from hand
        move it to table

scoring
  highest = if open or side = west then 0 else number of top of table

winner most points, then draw
"""


@pytest.fixture(autouse=True)
def _small() -> None:
    Path("small.rules").write_text(SMALL, encoding="utf-8")


def test_all_commands_with_settings_are_here() -> None:
    taking = {
        name
        for name, (module, *_) in COMMANDS.items()
        if any("--set" in p.opts for p in importlib.import_module(module).command.params)
    }
    assert taking == set(SETTING)


@pytest.mark.parametrize("command", SETTING)
@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("turns=4", "`turns` can't be 4: it is a number from 1 to 3 (small.rules:5)"),
        ("turns=0", "`turns` can't be 0: it is a number from 1 to 3 (small.rules:5)"),
        ("turns=two", "`turns` can't be two: it is a number from 1 to 3 (small.rules:5)"),
        ("open=3", "`open` can't be 3: it is yes or no (small.rules:7)"),
        ("side=north", "`side` can't be north: it is east or west (small.rules:8)"),
        ("tunrs=2", "there is no option `tunrs` (options: turns, other, open, side)"),
        ("turns", "`turns` should be NAME=VALUE"),
    ],
)
def test_a_setting_that_does_not_fit(
    rules: Rules, command: str, setting: str, message: str
) -> None:
    done = rules(*SETTING[command], "--set", setting)
    assert (done.status, done.out) == (2, "")
    assert message in done.err


@pytest.mark.parametrize("option", ["--set-a", "--set-b"])
def test_settings_of_one_side(rules: Rules, option: str) -> None:
    done = rules(*SETTING["diff"], option, "turns=4")
    assert (done.status, done.out) == (2, "")
    assert "it is a number from 1 to 3 (small.rules:5)" in done.err


@pytest.mark.parametrize(
    "args",
    [
        ["compare", "small.rules", "small.rules:turns=4"],
        ["sweep", "small.rules", "--vary", "turns=1..4", "-n", "1"],
    ],
)
def test_settings_written_otherwise(rules: Rules, args: list[str]) -> None:
    done = rules(*args)
    assert (done.status, done.out) == (2, "")
    assert "`turns` can't be 4: it is a number from 1 to 3 (small.rules:5)" in done.err


def test_what_is_varied_is_not_set_too(rules: Rules) -> None:
    done = rules("sweep", "small.rules", "--vary", "turns=1,2", "--set", "turns=3", "-n", "1")
    assert (done.status, done.out) == (2, "")
    assert "`turns` is varied; leave out --set turns=…" in done.err


# ── what is bundled ──────────────────────────────────────────────────────────────────────────


def test_list_names_all_that_comes_with_the_program(rules: Rules) -> None:
    from dsl.pipeline import bundled_names

    done = rules("play", "--list")
    assert done.status == 0
    names = [line.split()[0] for line in done.out.splitlines()]
    assert sorted(f"{name}.rules" for name in names) == sorted(bundled_names())


def test_list_has_titles_and_bases(rules: Rules) -> None:
    lines = [line.split(maxsplit=1) for line in rules("play", "--list").out.splitlines()]
    titles = dict(lines)
    assert titles["oh-hell"] == "Oh Hell"
    assert titles["gorilla-2.6"] == "“2.6” of gorilla-2.5"
    names = list(titles)
    assert names.index("throne") < names.index("throne-display")
    assert names.index("throne-display") < names.index("throne-table-settlement")


def test_list_is_of_no_ruleset(rules: Rules) -> None:
    done = rules("play", "--list", "throne")
    assert (done.status, done.out) == (2, "")
    assert "leave out the ruleset" in done.err
