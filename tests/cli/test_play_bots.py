"""Bots of a ruleset at the table: seated by name, remembering across saves and undo."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Rules = Callable[..., Any]
FAIR = Path(__file__).parents[1] / "lab" / "fair.rules"
SEATS = ("fair.rules", "--players", "3", "--seed", "5", "--bots", "keen(greed=0.9)")
END = "The game is over."


@pytest.fixture(autouse=True)
def _fair(rules: Rules) -> None:
    shutil.copy(FAIR, "fair.rules")


def test_what_bots_remember_is_saved(rules: Rules) -> None:
    whole = rules("play", *SEATS, stdin="1\n" * 60)
    rules("play", *SEATS, "--save", "my.json", stdin="1\n" * 7 + "q\n")
    data = json.loads(Path("my.json").read_text(encoding="utf-8"))
    kept = data["memories"]["1"]["remembers"]
    assert sum(kept["shown_by"]) > 0
    rest = rules("play", "--resume", "--save", "my.json", stdin="1\n" * 60)
    assert rest.status == 0, rest.err
    assert rest.out[rest.out.index(END) :] == whole.out[whole.out.index(END) :]


def test_undo_takes_back_what_bots_remember(rules: Rules) -> None:
    whole = rules("play", *SEATS, stdin="1\n" * 60)
    back = rules("play", *SEATS, stdin="1\n1\n1\n2\nu\n1\n2\n1\nu\nu\n" + "1\n" * 60)
    assert back.status == 0, back.err
    assert back.out[back.out.index(END) :] == whole.out[whole.out.index(END) :]


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        ({"remembers": {"shown_by": [0, 0], "last": None}}, "is not of this game"),
        ({"remembers": {"mood": 3}}, "remembers other things"),
        ({"x": 1, "remembers": {"shown_by": [0, 0, 0], "last": None}}, "can't be played again"),
    ],
)
def test_memories_that_do_not_fit(rules: Rules, memory: object, said: str) -> None:
    rules("play", *SEATS, "--save", "my.json", stdin="1\nq\n")
    data = json.loads(Path("my.json").read_text(encoding="utf-8"))
    data["memories"]["1"] = memory
    Path("my.json").write_text(json.dumps(data), encoding="utf-8")
    done = rules("play", "--resume", "--save", "my.json", stdin="1\n" * 60)
    assert done.status == 1
    assert said in done.err


def test_traces_with_them_are_made_again(rules: Rules) -> None:
    done = rules("trace", *SEATS, "--record", "golden")
    assert done.status == 0, done.err
    assert rules("trace", "--check", "golden").status == 0
    kept = next(Path("golden").iterdir())
    assert "# bots keen(greed=0.9)" in kept.read_text(encoding="utf-8")
    assert rules("trace", "--replay", str(kept)).status == 0


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("kean", "there is no bot `kean` (bots: keen, twin, idler, random"),
        ("keen(greed=3)", "3 is not in 0..1"),
        ("keen(greed)", "should be NAME=VALUE"),
        ("P9=keen", "there is no seat `P9`"),
    ],
)
@pytest.mark.parametrize("command", ["play", "trace", "sim"])
def test_used_wrongly(rules: Rules, command: str, spec: str, said: str) -> None:
    done = rules(command, "fair.rules", "--players", "3", "--bots", spec)
    assert done.status == 2
    assert said in done.err


def test_many_games_with_them(rules: Rules) -> None:
    done = rules("sim", "fair.rules", "-n", "20", "--workers", "1", "--bots", "keen,P2=twin")
    assert done.status == 0, done.err
    assert "keen" in done.out and "twin" in done.out
