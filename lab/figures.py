"""Figures of a game that can be compared, swept over and searched for.

Used by `lab.arms`. Every figure is a ratio: in each game it has two whole numbers x and y, and its
value over many games is the sum of x over the sum of y. For a mean, y is 1; for the share of a role
in all points, x is the role's points and y everybody's; for how often a way is taken, x counts the
answers that took it and y all answers to its choice. So one formula (`numbers.ratio_of`, and
`difference` here) gives all their intervals, with games, not answers, as what was drawn.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from lab import numbers
from lab.numbers import Estimate
from lab.record import WIN, Played, Recorder, role_points, story

Values = dict[str, tuple[int, int]]
OF_GAMES = ("shared", "comeback")
"""Figures that are shares of games."""
SHARES = ("wins ", "share ", "way ")
"""Beginnings of the names of others that are shares; all are told per cent."""
MEANS = (
    "decisions", "options a decision", "points", "most points", "lead over the next",
    "changes of the lead", "made up",
)  # fmt: skip
PRODUCTS = ("xx", "xy", "yy")


def is_share(name: str) -> bool:
    return name in OF_GAMES or name.startswith(SHARES)


def is_of_games(name: str) -> bool:
    """Whether a figure is the share of games that are so: its interval is Wilson's."""
    return name in OF_GAMES or re.fullmatch(r"wins P\d+", name) is not None


def is_taken(name: str) -> bool:
    """Whether some game has a figure by this name, so that no measure can have it."""
    return is_share(name) or name in MEANS or name.startswith("points ")


def figures(recorder: Recorder, played: Played) -> Values:
    """All figures of one game: name -> (x, y)."""
    end = played.end
    won, points = end.won, end.pts
    changes, behind, trailed = story(played)
    others = [value for seat, value in enumerate(points) if seat not in won]
    found: Values = {
        "decisions": (len(played.widths), 1),
        "options a decision": (sum(played.widths), len(played.widths)),
        "points": (sum(points), len(points)),
        "most points": (max(points), 1),
        "lead over the next": (points[won[0]] - max(others) if others else 0, int(bool(others))),
        "changes of the lead": (changes, 1),
        "made up": (behind, 1),
        "shared": (int(len(won) > 1), 1),
        "comeback": (int(bool(trailed)), int(trailed is not None)),
    }
    for seat in range(recorder.count):
        found[f"wins P{seat + 1}"] = (WIN // len(won) if seat in won else 0, WIN)
    for seat in range(recorder.count):
        found[f"points P{seat + 1}"] = (points[seat], 1)
    if recorder.plan.mixed:
        found |= _of_bots(played)
    roles = recorder.game.program.roles
    if roles is not None:
        gained = role_points(played)
        whole = sum(gained.values())
        for number, names in enumerate(roles.names):
            found[f"points {names.name}"] = (gained.get(number, 0), 1)
            found[f"share {names.name}"] = (gained.get(number, 0), whole)
    for number, measure in enumerate(recorder.plan.measures):
        values = [m.value for m in played.measured if m.measure == number and m.value is not None]
        found[measure.name] = (sum(values), len(values))
    return found | _ways(recorder, played)


def _of_bots(played: Played) -> Values:
    found: Values = {}
    for seat, name in enumerate(played.seats):
        share = WIN // len(played.end.won) if seat in played.end.won else 0
        points = played.end.pts[seat]
        for key, value, unit in ((f"wins {name}", share, WIN), (f"points {name}", points, 1)):
            x, y = found.get(key, (0, 0))
            found[key] = (x + value, y + unit)
    return found


def _ways(recorder: Recorder, played: Played) -> Values:
    """How often each way of each choice with several ways was taken."""
    found: Values = {}
    choices = recorder.game.choices
    for info in choices:
        if len(info.branches) > 1:
            found |= {f"way {info.path}/{branch.name}": (0, 0) for branch in info.branches}
    for choice, _, raw in played.log:
        info = choices[choice]
        if len(info.branches) > 1:
            for way, branch in enumerate(info.branches):
                name = f"way {info.path}/{branch.name}"
                x, y = found[name]
                found[name] = (x + (raw[0] == way), y + 1)
    return found


# ── sums over games ──────────────────────────────────────────────────────────────────────────


@frozen
class Pair:
    """Sums over games of two figures' x and y (a: of the one, b: of the other)."""

    n: int
    a: tuple[int, int]
    b: tuple[int, int]
    aa: tuple[int, int, int]  # sums of xx, xy, yy
    bb: tuple[int, int, int]
    ab: tuple[int, int, int, int]  # sums of xa·xb, xa·yb, ya·xb, ya·yb
    unequal: int  # games in which x or y differ


def value(n: int, sums: Mapping[str, int]) -> Estimate | None:
    """A figure over n games, from its sums."""
    x, y, xx, xy, yy = (sums.get(key, 0) for key in ("x", "y", *PRODUCTS))
    return numbers.ratio_of(n, x, y, xx, xy, yy)


def difference(pair: Pair, level: float = numbers.LEVEL) -> tuple[Estimate, float] | None:
    """b less a, with an interval and a two-sided p value, game by game on the same seeds.

    The linearised variance of a difference of ratios: for each game, (x_b − R_b y_b) / mean y_b
    less the same of a. With y = 1 this is the paired t test.
    """
    n, (xa, ya), (xb, yb) = pair.n, pair.a, pair.b
    if n < 2 or not ya or not yb:
        return None
    ra, rb = xa / ya, xb / yb
    # sums of the products of residuals, all over integers until the last step
    own_a = _residuals(pair.aa, xa, ya)
    own_b = _residuals(pair.bb, xb, yb)
    xx, xy, yx, yy = pair.ab
    both = (xx * ya * yb - xy * ya * xb - yx * xa * yb + yy * xa * xb) / (ya * yb)
    squares = n * n * (own_a / ya**2 + own_b / yb**2 - 2 * both / (ya * yb))
    error = math.sqrt(max(0.0, squares) / (n * (n - 1)))
    gap = rb - ra
    if not pair.unequal or (error == 0 and gap == 0):
        return Estimate(gap, gap, gap, n), 1.0
    half = numbers.t_quantile(n - 1, level) * error
    p = numbers.t_tail(gap / error, n - 1) if error > 1e-12 * abs(gap) else 0.0
    return Estimate(gap, gap - half, gap + half, n), p


def _residuals(products: tuple[int, int, int], x: int, y: int) -> float:
    xx, xy, yy = products
    return (xx * y * y - 2 * xy * x * y + yy * x * x) / (y * y)


def tally(totals: dict[Any, int], arm: int, values: Values) -> None:
    """Add one game's figures to an arm's sums."""
    for name, (x, y) in values.items():
        for key, amount in (("x", x), ("y", y), ("xx", x * x), ("xy", x * y), ("yy", y * y)):
            if amount or key == "y":  # the order of figures is that of the first game
                whole = ("arm", arm, name, key)
                totals[whole] = totals.get(whole, 0) + amount


def tally_pair(totals: dict[Any, int], arm: int, base: Values, values: Values) -> None:
    """Add one game's products of an arm's figures with the first arm's."""
    for name in base.keys() & values.keys():
        (xa, ya), (xb, yb) = base[name], values[name]
        products = (("xx", xa * xb), ("xy", xa * yb), ("yx", ya * xb), ("yy", ya * yb),
                    ("unequal", int((xa, ya) != (xb, yb))))  # fmt: skip
        for key, amount in products:
            if amount:
                whole = ("pair", arm, name, key)
                totals[whole] = totals.get(whole, 0) + amount
