"""`rules new`: rulesets to begin with are whole, and nothing is lost for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.common import bundled
from tests.cli.conftest import Result

Rules = Callable[..., Result]


def test_the_small_game_is_checked_tested_formatted_and_can_be_played(rules: Rules) -> None:
    assert rules("new", "my.rules").out.startswith("written: my.rules\n")
    assert rules("check", "my.rules", "--strict").out == "my.rules: fine\n"
    assert rules("test", "my.rules").out == "my.rules: 2 examples, all hold\n"
    assert rules("fmt", "--check", "my.rules").status == 0
    for players in (2, 3, 4):
        assert "winners: P" in rules("trace", "my.rules", "--players", players, "--seed", 1).out


@pytest.mark.parametrize("source", bundled(), ids=lambda path: path.name)
def test_a_copy_of_a_bundled_ruleset_checks_clean(rules: Rules, source: Path) -> None:
    done = rules("new", "games/mine.rules", "--from", source.stem)
    assert done.status == 0
    assert rules("check", "games/mine.rules", "--strict").out == "games/mine.rules: fine\n"
    sheet = 'sheet "../seeds/' in source.read_text(encoding="utf-8")
    assert Path("games/mine.md").exists() == sheet
    copy = Path("games/mine.rules").read_text(encoding="utf-8")
    assert ('\n  sheet "mine.md"\n' in copy) == sheet


@pytest.mark.parametrize("there", ["mine.rules", "mine.md"])
def test_nothing_is_overwritten(rules: Rules, there: str) -> None:
    Path(there).write_text("precious", encoding="utf-8")
    done = rules("new", "mine.rules", "--from", "throne")
    assert (done.status, done.out) == (2, "")
    assert f"{there} is there already" in done.err
    assert Path(there).read_text(encoding="utf-8") == "precious"
    assert [path.name for path in Path().iterdir()] == [there]


def test_the_name_and_the_source_are_checked(rules: Rules) -> None:
    assert "ends in .rules, for instance mine.rules" in rules("new", "mine").err
    done = rules("new", "mine.rules", "--from", "thorne")
    assert done.status == 2
    assert "did you mean `throne`?" in done.err
    assert not Path("mine.rules").exists()
