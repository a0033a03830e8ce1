"""`rules new`: rulesets to begin with are whole, and nothing is lost for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cli import ask
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


def test_a_slip_in_a_name_finds_the_ruleset_beside_it(rules: Rules) -> None:
    rules("new", "bad-sevens.rules")
    assert "did you mean `bad-sevens.rules`?" in rules("check", "bad-seven.rules").err


@pytest.mark.parametrize("line", ["given P1 has 3 coin, P9 has 1 coin", "when P1 flies"])
def test_a_wrong_example_blocks_neither_play_nor_fmt(rules: Rules, line: str) -> None:
    rules("new", "my.rules")
    text = Path("my.rules").read_text(encoding="utf-8")
    bad = f'{text}\nexample "wrong"\n    {line}\n    then P1 has  1 coin\n'
    Path("my.rules").write_text(bad, encoding="utf-8")
    assert rules("check", "my.rules").status == 1
    assert rules("play", "my.rules", "--watch", "--seed", 1).status == 0
    assert rules("fmt", "my.rules").out == "my.rules: formatted\n"
    assert f"\n  {line}\n  then P1 has 1 coin\n" in Path("my.rules").read_text(encoding="utf-8")


ASKING = """
game "問い"
  players 2

cards
  数  1..9
  札: 2 of each 数

places
  山札            face down pile
  手札 of player  private hand

setup
  shuffle all cards into 山札
  deal 2 from 山札 to every 手札

phase 場面
  each player as turn
    choose 出す "Which one?" ja "どれを出しますか？": card from 手札
      move it to 山札
    choose way
      go_home ja "帰る"
        end turn
      stay_on
        end turn

scoring
  残り = size of 手札

winner most points, then draw
"""


def test_a_question_is_asked_and_its_name_logged(rules: Rules) -> None:
    Path("ask.rules").write_text(ASKING, encoding="utf-8")
    done = rules("play", "ask.rules", "--lang", "ja", "--seed", 1, stdin="ヒント\nなぜ\n9\n帰\n")
    assert "どれを出しますか？" in done.out
    assert "ヒント: " in done.out
    assert "\n  P2 出す\n" in done.out
    assert "P2 どれを" not in done.out


def test_a_piped_answer_that_fails_is_told_in_the_language_of_the_table(rules: Rules) -> None:
    Path("ask.rules").write_text(ASKING, encoding="utf-8")
    done = rules("play", "ask.rules", "--lang", "ja", "--seed", 1, stdin="9\n飛ぶ\n")
    assert "選択肢にありません: 帰る, stay_on" in done.err
    done = rules("play", "ask.rules", "--lang", "ja", "--seed", 1, stdin="9\n")
    assert "入力が終わりましたが、ゲームはまだ続きます" in done.err


@pytest.mark.parametrize("answer", ["go home", "go_home", "GO HO"])
def test_a_space_stands_for_an_underscore_at_the_table(rules: Rules, answer: str) -> None:
    Path("ask.rules").write_text(ASKING, encoding="utf-8")
    assert rules("play", "ask.rules", "--seed", 1, stdin=f"9\n{answer}\n").status == 0


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ([str(n) for n in range(21)], ["0–20"]),
        (["0", "1", "2"], ["0", "1", "2"]),
        (["0", *map(str, range(4, 11))], ["0", "4–10"]),
        (["3", "3", "pass"], ["3", "3", "pass"]),
    ],
)
def test_numbers_that_follow_one_another_are_told_as_a_range(
    labels: list[str], told: list[str]
) -> None:
    assert ask.shortened(labels) == told


@pytest.mark.parametrize(
    ("claim", "way_out"),
    [
        ("hand of P1 has 1 card", "`(count of hand of P1) = 2`"),
        ("deck is empty and P1 has 0 points", "divide what is said by commas"),
    ],
)
def test_a_slip_in_a_claim_is_told_a_way_out(rules: Rules, claim: str, way_out: str) -> None:
    rules("new", "my.rules")
    with Path("my.rules").open("a", encoding="utf-8") as file:
        file.write(f'\nexample "wrong"\n  then {claim}\n')
    assert way_out in rules("check", "my.rules").out
