"""Statistics: against scipy and numpy, textbooks, and the plain definitions."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import numbers

HISTOGRAMS = st.dictionaries(st.integers(-50, 300), st.integers(1, 40), min_size=1, max_size=30)


def values(histogram: dict[int, int]) -> list[int]:
    return [value for value, times in histogram.items() for _ in range(times)]


@pytest.mark.parametrize(
    ("successes", "n"), [(0, 1), (1, 1), (0, 10), (3, 10), (81, 263), (999, 1000)]
)
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_wilson(stats: Any, successes: int, n: int, level: float) -> None:
    found = numbers.wilson(successes, n, level)
    assert found is not None
    theirs = stats.binomtest(successes, n).proportion_ci(level, "wilson")
    assert found.value == successes / n
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_wilson_of_a_published_example() -> None:
    """R. G. Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263, 15 of 148, 0 of 20."""
    for successes, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
    ):
        found = numbers.wilson(successes, n)
        assert found is not None
        assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_nothing_has_no_share_and_no_mean() -> None:
    assert numbers.wilson(0, 0) is None
    assert numbers.mean({}) is None
    assert numbers.ratio_of(0, 0, 0, 0, 0, 0) is None
    with pytest.raises(ValueError, match="of nothing"):
        numbers.percentile({}, 50)


@pytest.mark.parametrize("df", [1, 2, 3, 4, 5, 10, 29, 30, 99, 399, 400, 401, 1000, 10**6])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_t_quantiles(stats: Any, df: int, level: float) -> None:
    assert numbers.t_quantile(df, level) == pytest.approx(
        stats.t.ppf((1 + level) / 2, df), rel=1e-7
    )


@pytest.mark.parametrize("df", [1, 2, 7, 50, 400, 401, 5000])
@pytest.mark.parametrize("t", [0.0, 0.3, 1.0, 2.5, -2.5, 4.0])
def test_t_tails(stats: Any, df: int, t: float) -> None:
    assert numbers.t_tail(t, df) == pytest.approx(2 * stats.t.sf(abs(t), df), rel=2e-3, abs=1e-12)


@given(HISTOGRAMS)
def test_means_and_deviations(stats: Any, histogram: dict[int, int]) -> None:
    sample = values(histogram)
    found = numbers.mean(histogram)
    assert found is not None
    assert found.n == len(sample)
    assert found.value == pytest.approx(numpy.mean(sample), abs=1e-9)
    if len(sample) > 1:
        assert numbers.deviation(histogram) == pytest.approx(numpy.std(sample, ddof=1), abs=1e-9)
        half = stats.t.ppf(0.975, len(sample) - 1) * stats.sem(sample)
        assert (found.low, found.high) == pytest.approx((found.value - half, found.value + half))


def test_one_observation_says_nothing_of_the_spread() -> None:
    found = numbers.mean({7: 1})
    assert found is not None
    assert (found.value, found.low, found.high) == (7, -math.inf, math.inf)


@given(HISTOGRAMS, st.integers(0, 100))
def test_percentiles(histogram: dict[int, int], percent: int) -> None:
    theirs = numpy.percentile(values(histogram), percent, method="inverted_cdf")
    assert numbers.percentile(histogram, percent) == theirs


@given(HISTOGRAMS, st.integers(1, 30))
def test_bins_hold_everything_once(histogram: dict[int, int], most: int) -> None:
    bins = numbers.bins(histogram, most)
    assert len(bins) <= most + 1
    assert len({high - low for low, high, _ in bins}) == 1
    for low, high, times in bins:
        assert times == sum(n for value, n in histogram.items() if low <= value <= high)
    assert sum(times for _, _, times in bins) == sum(histogram.values())


def test_ratios_cover_the_truth_as_often_as_they_say() -> None:
    """Games of very different length: the share of a part, which is 0.3 in truth."""
    rng = random.Random(5)
    inside = 0
    for _ in range(400):
        games = []
        for _ in range(60):
            whole = rng.randint(1, 40)
            games.append((sum(rng.random() < 0.3 for _ in range(whole)), whole))
        sums = [sum(f(x, y) for x, y in games) for f in FORMS]
        found = numbers.ratio_of(len(games), *sums)
        assert found is not None
        assert found.value == sums[0] / sums[1]
        inside += found.low <= 0.3 <= found.high
    assert 0.91 <= inside / 400 <= 0.985


FORMS = (
    lambda x, y: x,
    lambda x, y: y,
    lambda x, y: x * x,
    lambda x, y: x * y,
    lambda x, y: y * y,
)


def test_ratio_against_the_formula_written_out(stats: Any) -> None:
    games = [(3, 10), (5, 12), (0, 7), (9, 20), (4, 4)]
    x, y = sum(a for a, _ in games), sum(b for _, b in games)
    rest = sum((a - x / y * b) ** 2 for a, b in games)
    half = stats.t.ppf(0.975, 4) * math.sqrt(rest / 4 / 5) / (y / 5)
    found = numbers.ratio_of(5, *(sum(f(a, b) for a, b in games) for f in FORMS))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((x / y - half, x / y + half))


def test_holm() -> None:
    """By hand: 0.01 × 4, 0.02 × 3, 0.03 × 2 and 0.04 × 1, never falling."""
    assert numbers.holm([0.03, 0.01, 0.04, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert numbers.holm([0.5, 0.9]) == [1.0, 1.0]
    assert numbers.holm([]) == []
