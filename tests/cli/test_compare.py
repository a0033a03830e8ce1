"""`rules compare` and `rules sweep`: what they print, and how they end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Rules = Callable[..., Any]


def test_versions(rules: Rules) -> None:
    done = rules("compare", "throne", "throne:turns=2,final_hand=4", "throne", "-n", 60)
    assert done.status == 0, done.err
    assert "throne (A) and throne:turns=2,final_hand=4 (B): 0 of 60 games end alike" in done.out
    assert "throne (A) and throne (B): 60 of 60 games end alike" in done.out
    decisions = next(line for line in done.out.splitlines() if line.startswith("  decisions"))
    assert decisions.endswith("<0.001  lower")
    assert "in the same" not in done.out
    assert "(Holm)" in done.out


def test_data_is_the_same_for_any_number_of_workers(rules: Rules) -> None:
    args = ("compare", "gorilla", "gorilla:stagger=yes", "-n", 24, "--ways", "--format", "json")
    outs = [rules(*args, "--workers", workers).out for workers in (1, 2)]
    assert outs[0] == outs[1]
    data = json.loads(outs[0])
    assert data["games"] == 24
    names = [row["figure"] for row in data["tables"][0]["rows"]]
    assert "share gorilla" in names
    assert "way phase play/follow/pass" in names


def test_measures_are_compared(rules: Rules) -> None:
    done = rules(
        "compare", "throne", "throne:turns=2", "-n", 30, "--measure", "mine=coins at refill",
        "--format", "json",
    )  # fmt: skip
    rows = json.loads(done.out)["tables"][0]["rows"]
    (mine,) = (row for row in rows if row["figure"] == "mine")
    assert mine["difference"]["n"] == 30


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["throne"], "Name two versions or more"),
        (["throne", "nowhere"], "there is no ruleset `nowhere`"),
        (["throne", "throne:turns"], "there is no ruleset `throne:turns`"),
        (["throne", "throne:turns=4,x"], "`x` in `throne:turns=4,x` should be NAME=VALUE"),
        (["throne", "throne:turns=99"], "`turns` can't be 99"),
        (["throne", "throne:turn=4"], "turn"),
        (["throne", "throne:turns=4,turns=5"], "`turns` is set twice in `throne:turns=4,turns=5`"),
        (["throne", "throne:turns=4", "--set", "turns=3"], "and by --set for all versions"),
        (["throne", "gorilla", "--bots", "saver"], "gorilla: there is no bot `saver`"),
        (["throne", "gorilla", "--measure", "x=coins at turn"], "in gorilla"),
    ],
)
def test_compare_used_wrongly(rules: Rules, args: list[str], message: str) -> None:
    done = rules("compare", *args)
    assert (done.status, done.out) == (2, "")
    assert message in done.err


def test_what_not_all_versions_have(rules: Rules) -> None:
    """Roles of one game are no figures of another: what is left out is said."""
    args = ("compare", "throne", "gorilla", "-n", 4, "--workers", 1)
    done = rules(*args)
    assert done.status == 0, done.err
    roles = [f"{what} {role}" for role in ("king", "merchant", "prophet", "gorilla")
             for what in ("points", "share")]  # fmt: skip
    assert f"not compared, as not all versions have it: {', '.join(roles)}" in done.out
    assert json.loads(rules(*args, "--format", "json").out)["not_compared"] == roles


def test_one_of_each(rules: Rules) -> None:
    done = rules("sweep", "last-leaf", "--vary", "hand_size=4", "-n", 1, "--figure", "points",
                 "--figure", "points")  # fmt: skip
    assert "\n1 setting, 1 game of each\n" in done.out
    assert done.out.count("points") == 1


def test_a_sweep(rules: Rules) -> None:
    done = rules(
        "sweep", "throne", "--vary", "turns=2..3", "--vary", "final_hand=4,6", "-n", 20,
        "--figure", "decisions", "--figure", "wins P2",
    )  # fmt: skip
    assert done.status == 0, done.err
    head, _, rest = done.out.partition("\n\n")
    assert head == "throne.rules · 4 players · bots random · seeds from 1"
    lines = rest.splitlines()
    assert lines[0] == "4 settings, 20 games of each"
    assert lines[1].split() == ["turns", "final_hand", "decisions", "wins", "P2"]
    assert [line.split()[:2] for line in lines[2:6]] == [
        ["2", "4"], ["2", "6"], ["3", "4"], ["3", "6"],
    ]  # fmt: skip


def test_sweep_data_is_the_same_for_any_number_of_workers(rules: Rules) -> None:
    args = ("sweep", "throne", "--vary", "turns=2..3", "-n", 20, "--format", "json")
    outs = [rules(*args, "--workers", workers).out for workers in (1, 2)]
    assert outs[0] == outs[1]
    assert [row["turns"] for row in json.loads(outs[0])["rows"]] == ["2", "3"]


def test_a_search(rules: Rules) -> None:
    args = ("sweep", "throne", "--vary", "turns=1..2", "--vary", "final_hand=3..5", "--players", 3)
    done = rules(*args, "--target", "decisions=14..16", "--budget", 900)
    assert done.status == 0, done.err
    assert "6 settings tried" in done.out
    assert "fresh seeds" in done.out
    assert "look closer: rules sim throne --players 3 --set=turns=" in done.out
    small = rules(*args, "--target", "decisions=14..16", "--budget", 100)
    assert small.status == 1
    assert "2 settings tried" in small.out
    assert "the budget of 100 games did not reach further: there are 6 settings" in small.err
    none = rules(*args, "--target", "decisions=900..999", "--budget", 600, "--format", "json")
    assert none.status == 1
    data = json.loads(none.out)
    assert data["played"] <= 600
    assert data["rows"][0]["verdict"] == "outside"


FAILING = """game "Deplete"
  players 2..4
options
  rounds  2  in 1..6
cards
  number    1..6
  numbered: 4 of each number
places
  deck            face down pile
  hand of player  private hand
  box             face up pile
setup
  shuffle all cards into deck
phase play
  repeat rounds as round
    deal 3 from deck to every hand
    each player as turn
      choose keep: card from hand
        move it to box
    move every hand to box
scoring
  n = size of hand
winner most points, then draw
"""


def test_a_sweep_tells_the_settings_in_which_the_rules_fail(rules: Rules) -> None:
    Path("deplete.rules").write_text(FAILING)
    args = ("sweep", "deplete.rules", "--vary", "rounds=2..3", "--players", 4)
    done = rules(*args, "-n", 4, "--figure", "decisions")
    assert done.status == 1
    assert [line.split() for line in done.out.splitlines()[3:6]] == [
        ["rounds", "failed", "decisions"], ["2", "0", "8", "(8–8)"], ["3", "4", "–"],
    ]  # fmt: skip
    assert "rules trace deplete.rules --players 4 --set rounds=3 --seed 1 --bots random" in done.err
    assert "4 games could not be played to their end" in done.err
    search = rules(*args, "--target", "decisions=8..9", "--budget", 100)
    assert search.status == 1
    assert "the rules fail" in search.out
    assert "--set rounds=3" in search.err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "Missing option '--vary'"),
        (["--vary", "turns"], "`turns` should be NAME=VALUES"),
        (["--vary", "turns=8..3"], "holds no values"),
        (["--vary", "turns=3..12"], "`turns` can't be 9"),
        (["--vary", "turnz=3"], "turnz"),
        (["--vary", "turns=3", "--figure", "decision"], "did you mean `decisions`?"),
        (["--vary", "turns=3", "--target", "decisions"], "should be FIGURE=LOW..HIGH"),
        (["--vary", "turns=3", "--target", "length=3..4"], "this game has no figure `length`"),
        (["--vary", "turns=3", "--budget", "500"], "--budget belongs to --target"),
        (["--vary", "turns=3", "--target", "points=1..2", "-n", "9"], "-n belongs to a sweep"),
        (
            ["--vary", "turns=3", "--target", "points=1..2", "--figure", "points"],
            "--figure belongs",
        ),
    ],
)
def test_sweep_used_wrongly(rules: Rules, args: list[str], message: str) -> None:
    done = rules("sweep", "throne", *args)
    assert (done.status, done.out) == (2, "")
    assert message in done.err
