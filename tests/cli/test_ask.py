"""Answers in numbers, words and beginnings of words."""

from __future__ import annotations

import pytest

from cli.ask import Found, ScriptLine, Unclear, Unknown, find, numbered, script_line

CARDS = ["hold", "play knight", "play king", "play thief"]


def found(answer: str, labels: list[str]) -> Found | Unclear | Unknown:
    return find(answer, [(label,) for label in labels])


@pytest.mark.parametrize(
    ("answer", "index"),
    [
        ("1", 0),
        ("4", 3),
        ("４", 3),  # full-width
        ("hold", 0),
        ("HO", 0),
        ("play knight", 1),
        ("p kn", 1),
        ("play kn", 1),
        ("kn", 1),
        ("  play   thief ", 3),
        ("t", 3),
    ],
)
def test_one_fits(answer: str, index: int) -> None:
    assert found(answer, CARDS) == Found(index)


@pytest.mark.parametrize(
    ("answer", "indexes"), [("p", (1, 2, 3)), ("play k", (1, 2)), ("k", (1, 2))]
)
def test_several_fit(answer: str, indexes: tuple[int, ...]) -> None:
    assert found(answer, CARDS) == Unclear(indexes)


@pytest.mark.parametrize("answer", ["", "0", "5", "-1", "queen", "thief play", "knightly", "seven"])
def test_none_fits(answer: str) -> None:
    assert found(answer, CARDS) == Unknown()


def test_a_whole_name_wins_over_longer_ones() -> None:
    assert found("run", ["run", "run away"]) == Found(0)


def test_options_that_are_numbers_are_meant_by_themselves() -> None:
    assert not numbered(["0", "1", "2"])
    assert found("0", ["0", "1", "2"]) == Found(0)
    assert found("2", ["0", "1", "2"]) == Found(2)
    assert found("10", ["A", "K", "10"]) == Found(2)
    assert found("1", ["A", "K", "10"]) == Unknown()  # which is not the beginning of 10


def test_numbers_count_options_whose_names_hold_numbers() -> None:
    assert numbered(["crown 7", "crown 8"])
    assert found("2", ["crown 7", "crown 8"]) == Found(1)
    assert found("crown 8", ["crown 7", "crown 8"]) == Found(1)
    assert found("c 8", ["crown 7", "crown 8"]) == Found(1)


def test_every_name_of_an_option_counts() -> None:
    names = [("ホールド", "hold"), ("プレイ 騎士", "play knight")]
    assert find("プレイ", names) == Found(1)
    assert find("プ　騎", names) == Found(1)
    assert find("kn", names) == Found(1)


def test_script_lines() -> None:
    assert script_line("  play knight \n") == ScriptLine("play knight")
    assert script_line("# a comment") is None
    assert script_line("") is None
    assert script_line("== round 1") is None
    assert script_line("  P2 turn: play knight (forced) [T11, T12]") == ScriptLine(
        "play knight", 1, "turn", True
    )
