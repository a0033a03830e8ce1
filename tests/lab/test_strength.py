"""The ladder of strength: what its shares and intervals say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import strength
from lab import bots
from lab.numbers import wilson


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_side_sits_everywhere_equally_often(players: int) -> None:
    games = [strength.seats(players, number) for number in range(8)]
    assert [sum(seat) for seat in zip(*games, strict=True)] == [4] * players
    for one, swapped in zip(games[::2], games[1::2], strict=True):
        assert [not side for side in one] == swapped


def test_a_deal_that_decides_everything_says_nothing_of_the_bots() -> None:
    """Whoever has the better cards wins: that is one half, however wide the deals lie apart."""
    found = strength.estimate({number: float(number % 2) for number in range(40)})
    assert found is not None and found == wilson(20, 40)


def test_deals_that_agree_make_the_interval_wider_and_luck_that_cancels_narrower() -> None:
    both = [1, 1, 1, 1, 0, 0, 1, 1] * 10  # swapping sides changes nothing
    split = [1, 0, 1, 0, 0, 1, 1, 1] * 10  # the better cards win, but for one deal in four
    for shares, narrower in ((both, False), (split, True)):
        found = strength.estimate(dict(enumerate(map(float, shares))))
        plain = wilson(sum(shares), len(shares))
        assert found is not None and plain is not None
        assert (found.value, found.n) == (plain.value, plain.n)
        assert (found.high - found.low < plain.high - plain.low) is narrower


def test_half_a_deal_does_not_count() -> None:
    assert strength.estimate({0: 1.0, 1: 1.0, 2: 0.0}) is None
    found = strength.estimate({0: 1.0, 1: 1.0, 2: 1.0, 3: 1.0, 4: 0.0})
    assert found is not None and found == wilson(4, 4)


def test_all_duels_come_to_their_end_together() -> None:
    long, short = ("a", 2, "x", "y"), ("b", 2, "x", "y")
    order = strength.schedule({long: 8, short: 2})
    assert sorted(order) == [(*long, n) for n in range(8)] + [(*short, n) for n in range(2)]
    assert {match[:4] for match in order[:6]} == {long}
    assert {match[:4] for match in order[8:]} == {short}


def test_the_page_says_what_is_not_shown() -> None:
    won, even, none = ("a", 2, "x", "y"), ("b", 2, "x", "y"), ("c", 2, "x", "y")
    results = {(*won, n): 1.0 for n in range(40)} | {(*even, n): float(n % 2) for n in range(40)}
    text = strength.page(results, {won: 40, even: 40, none: 40}, None)
    assert "| a | 2 | x : y | 40 | 100.0% | 91.2% to 100.0% | shown |" in text
    assert "| b | 2 | x : y | 40 | 50.0% | 35.2% to 64.8% | not shown |" in text
    assert "| c | 2 | x : y | 0 | | | not played |" in text
    assert "Not shown by so many games: b (x : y).\n" in text
    assert "Not shown" not in strength.page(results, {won: 40}, None)


def test_results_of_other_levels_are_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    match = ("throne", 3, "easy", "random", 0)
    path.write_text(json.dumps(bots.LEVELS) + "\n" + json.dumps([match, 0.5]) + "\n")
    assert strength.kept(path) == {match: 0.5}
    path.write_text(json.dumps({"easy": 5}) + "\n")
    with pytest.raises(SystemExit, match="other levels"):
        strength.kept(path)
