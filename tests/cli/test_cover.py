"""`rules cover`: what it prints and writes, and how it ends."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Rules = Callable[..., Any]


def test_summary_and_what_is_missed(rules: Rules) -> None:
    done = rules("cover", "gorilla", "-n", 30, "--workers", 1)
    assert done.status == 0, done.err
    assert done.out.startswith("gorilla.rules · 2–4 players · bots random · 30 games")
    assert "\nreached: " in done.out
    assert "value starts_at(p)" in done.out  # only `wrap` asks for it
    wrapped = rules("cover", "gorilla", "-n", 30, "--set", "wrap=yes", "--workers", 1)
    assert "wrap = yes" in wrapped.out
    assert "value starts_at(p)" not in wrapped.out


def test_listing_page_and_strictness(rules: Rules, tmp_path: Path) -> None:
    page = tmp_path / "new" / "cover.html"
    done = rules(
        "cover", "last-leaf", "-n", 10, "--players", 3, "--list", "--html", page, "--strict"
    )
    assert done.status == 0, done.err + done.out
    assert re.search(r"(?m)^ +10 +\d+ +shuffle all cards into deck", done.out)
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    missed = rules("cover", "throne", "-n", 2, "--players", 3, "--strict")
    assert missed.status == 1
    assert "no game reached" in missed.out


def test_data(rules: Rules) -> None:
    outs = [
        rules("cover", "throne", "-n", 25, "--format", "json", "--workers", workers).out
        for workers in (1, 2)
    ]
    assert outs[0] == outs[1]
    data = json.loads(outs[0])
    assert data["games"] == 25
    assert data["reached"]["rules"]["of"] == sum(i["kind"] == "rule" for i in data["items"])
    assert data["clauses"]["T10"] == 25
    assert (data["players"], data["seed"]) == ([3, 4, 5, 6, 7], 1)
    assert {item["file"] for item in data["items"]} == {"throne.rules"}


def test_of_no_games_nothing_is_said(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped before the first game: that no game reached a rule would be true, and mislead."""

    def stopped(self: object, first: int, count: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lab.cover.Covering.block", stopped)
    done = rules("cover", "throne", "-n", 3, "--workers", 1, "--strict", "--html", "x.html")
    assert (done.status, done.out) == (130, "")
    assert done.err == "stopped: these are the first 0 of 3 games\n"
    assert not Path("x.html").exists()


def test_it_is_said_who_played(rules: Rules) -> None:
    """With fewer games than numbers of players, not all of these were played."""
    done = rules("cover", "throne", "-n", 3, "--workers", 1)
    assert done.out.startswith("throne.rules · 3–5 players · bots random · 3 games")
    done = rules("cover", "throne", "-n", 1, "--workers", 1)
    assert done.out.startswith("throne.rules · 3 players · bots random · 1 game,")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["nowhere"], "there is no ruleset `nowhere`"),
        (["throne", "--players", "9"], "for 3 to 7 players, not 9"),
        (["throne", "--bots", "smart"], "there is no bot `smart`"),
        (["throne", "--bots", "P7=steady"], "with 3 players, there is no seat `P7`"),
        (["throne", "-n", "2", "--html", "/dev/null/x.html"], "/dev/null"),
    ],
)
def test_used_wrongly(rules: Rules, args: list[str], message: str) -> None:
    done = rules("cover", *args)
    assert done.status == 2
    assert message in done.err
