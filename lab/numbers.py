"""Statistics from counts: everything is worked out of exact integers.

Used by the reports. Sums of integers do not depend on the order they are added in, so results are
the same to the last bit however games were spread over workers. Nothing here needs numpy.

Intervals are two-sided, at 95 % unless told otherwise. Sources of the formulas stand with them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from statistics import NormalDist

from attrs import frozen

LEVEL = 0.95
Histogram = Mapping[int, int]  # value -> how often


@frozen
class Estimate:
    """A figure with the interval it lies in; `n`: from how many observations."""

    value: float
    low: float
    high: float
    n: int

    def data(self) -> dict[str, float | int]:
        return {"value": self.value, "low": self.low, "high": self.high, "n": self.n}


def wilson(successes: float, n: int, level: float = LEVEL) -> Estimate | None:
    """A share with Wilson's score interval (E. B. Wilson, JASA 22, 1927); None of nothing.

    `successes` may be fractional, where shared wins count in part: such shares vary less than
    shares of whole wins, so the interval is then too wide rather than too narrow.
    """
    if n <= 0:
        return None
    z = normal_quantile(level)
    share = successes / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    spread = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Estimate(share, max(0.0, middle - spread), min(1.0, middle + spread), n)


def mean_of(count: int, total: int, squares: int, level: float = LEVEL) -> Estimate | None:
    """A mean with Student's t interval, from a count, a sum and a sum of squares (all exact)."""
    if count <= 0:
        return None
    value = total / count
    if count == 1:
        return Estimate(value, -math.inf, math.inf, 1)
    spread = t_quantile(count - 1, level) * math.sqrt(variance(count, total, squares) / count)
    return Estimate(value, value - spread, value + spread, count)


def scaled(estimate: Estimate | None, unit: int) -> Estimate | None:
    """A figure counted in parts of a unit, in whole ones."""
    if estimate is None:
        return None
    value, low, high = (x / unit for x in (estimate.value, estimate.low, estimate.high))
    return Estimate(value, low, high, estimate.n)


def variance(count: int, total: int, squares: int) -> float:
    """The sample variance; 0 of fewer than two."""
    if count < 2:
        return 0.0
    return (count * squares - total * total) / (count * (count - 1))


def ratio_of(
    n: int, x: int, y: int, xx: int, xy: int, yy: int, level: float = LEVEL
) -> Estimate | None:
    """Sum of x over sum of y, with an interval, where games are drawn and both vary by game.

    The linearised variance of a ratio estimator (W. G. Cochran, Sampling Techniques, 6.3).
    """
    if n <= 0 or y == 0:
        return None
    ratio = x / y
    if n == 1:
        return Estimate(ratio, -math.inf, math.inf, 1)
    # sum of (x - ratio * y)^2, over a common denominator so that it stays exact
    residuals = (xx * y * y - 2 * x * y * xy + x * x * yy) / (y * y)
    spread = t_quantile(n - 1, level) * math.sqrt(max(0.0, residuals) * n / (n - 1)) / abs(y)
    return Estimate(ratio, ratio - spread, ratio + spread, n)


# ── histograms ───────────────────────────────────────────────────────────────────────────────


def moments(histogram: Histogram) -> tuple[int, int, int]:
    """Count, sum and sum of squares."""
    count = total = squares = 0
    for value, times in histogram.items():
        count += times
        total += times * value
        squares += times * value * value
    return count, total, squares


def mean(histogram: Histogram, level: float = LEVEL) -> Estimate | None:
    return mean_of(*moments(histogram), level=level)


def deviation(histogram: Histogram) -> float:
    """The standard deviation (of a sample)."""
    return math.sqrt(variance(*moments(histogram)))


def percentile(histogram: Histogram, percent: int) -> int:
    """The smallest value that at least so many per cent of all are not above (0: the least)."""
    if not histogram:
        raise ValueError("a percentile of nothing")
    needed = max(1, -(-sum(histogram.values()) * percent // 100))
    seen = 0
    for value in sorted(histogram):
        seen += histogram[value]
        if seen >= needed:
            break
    return value


def added(histograms: Iterable[Histogram]) -> dict[int, int]:
    """Several histograms as one."""
    whole: dict[int, int] = {}
    for histogram in histograms:
        for value, times in histogram.items():
            whole[value] = whole.get(value, 0) + times
    return whole


def bins(histogram: Histogram, most: int = 20) -> list[tuple[int, int, int]]:
    """(lowest value, highest value, how often): at most so many, all of the same round width."""
    if not histogram:
        return []
    low, high = min(histogram), max(histogram)
    width = _width(high - low + 1, most)
    first = low // width
    counts = [0] * (high // width - first + 1)
    for value, times in histogram.items():
        counts[value // width - first] += times
    return [
        ((first + i) * width, (first + i + 1) * width - 1, times) for i, times in enumerate(counts)
    ]


def _width(span: int, most: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50 … that cuts a span into few enough pieces."""
    unit = 1
    while True:
        for width in (unit, 2 * unit, 5 * unit):
            if -(-span // width) < most or span <= width:
                return width
        unit *= 10


# ── distributions ────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=256)
def normal_quantile(level: float) -> float:
    """The z such that a standard normal variable lies within ±z with probability `level`."""
    return NormalDist().inv_cdf((1 + level) / 2)


@lru_cache(maxsize=4096)
def t_quantile(df: int, level: float = LEVEL) -> float:
    """The t such that Student's t with `df` degrees of freedom lies within ±t so often."""
    if df < 1:
        raise ValueError("Student's t needs a degree of freedom")
    if df > 400:
        return _t_far(df, normal_quantile(level))
    low, high = 0.0, 2.0
    while t_within(high, df) < level:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if t_within(middle, df) < level:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def t_within(t: float, df: int) -> float:
    """The probability that Student's t lies within ±t, for t ≥ 0.

    The finite sums for whole degrees of freedom (Abramowitz and Stegun 26.7.3, 26.7.4).
    """
    angle = math.atan2(t, math.sqrt(df))
    sine, cosine = math.sin(angle), math.cos(angle)
    square = cosine * cosine
    term, total = 1.0, 0.0
    if df % 2:
        if df > 1:
            term = total = cosine
            for k in range(3, df - 1, 2):
                term *= square * (k - 1) / k
                total += term
        return 2 / math.pi * (angle + sine * total)
    total = term
    for k in range(2, df - 1, 2):
        term *= square * (k - 1) / k
        total += term
    return sine * total


def _t_far(df: int, z: float) -> float:
    """Student's t from the normal quantile, for many degrees of freedom (A. and S. 26.7.5)."""
    one = (z**3 + z) / 4
    two = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    three = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + one / df + two / df**2 + three / df**3


def t_tail(t: float, df: int) -> float:
    """The two-sided p value of a t statistic."""
    t = abs(t)
    if df <= 400:
        return max(0.0, 1 - t_within(t, df))
    # the normal deviate that corresponds to t (A. and S. 26.7.8)
    z = t * (1 - 1 / (4 * df)) / math.sqrt(1 + t * t / (2 * df))
    return math.erfc(z / math.sqrt(2))


def holm(values: Sequence[float]) -> list[float]:
    """p values corrected for how many there are (S. Holm, Scand. J. Statist. 6, 1979)."""
    order = sorted(range(len(values)), key=values.__getitem__)
    corrected = [0.0] * len(values)
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[index]))
        corrected[index] = highest
    return corrected
