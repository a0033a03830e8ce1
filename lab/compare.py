"""What differs between versions of a game, in tables.

Used by `rules compare`. Every version is set against the first, game by game on the same seeds. A
difference is called one only if it stays clear after correction for how many were asked about
(Holm): then at most one run in twenty would call any of them different by chance alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lab import numbers
from lab.arms import Experiment
from lab.figures import is_share
from lab.tables import Cell, Column, Table

CLEAR = 1 - numbers.LEVEL
NOTE = (
    "differences are game by game on the same seeds; higher, lower: clear at 95 % after\n"
    "correction for all {many} figures told (Holm); not clear: these games can't tell;\n"
    "differences of shares are in percentage points"
)


def shown(names: Sequence[str], ways: bool, asked: Sequence[str] = ()) -> list[str]:
    """The figures told: those asked for, or all; ways of choices only if wanted."""
    if asked:
        return [name for name in names if name in asked]
    return [name for name in names if ways or not name.startswith("way ")]


def tables(run: Experiment, labels: Sequence[str], names: Sequence[str]) -> list[Table]:
    """A table for every arm but the first."""
    found: list[tuple[int, str, Any]] = []
    for arm in range(1, len(run.plans)):
        for name in names:
            gap = run.difference(arm, name)
            if gap is not None:
                found.append((arm, name, gap))
    corrected = numbers.holm([gap[1] for _, _, gap in found])
    made = []
    for arm in range(1, len(run.plans)):
        rows: list[tuple[Cell, ...]] = []
        for (which, name, (gap, _)), p in zip(found, corrected, strict=True):
            if which == arm:
                unequal = run.unequal(arm, name)
                row = (name, run.value(0, name), run.value(arm, name), gap)
                rows.append((*row, unequal / run.games, p, verdict(gap.value, p, unequal)))
        same = run.counts["same end", arm]
        title = f"{labels[0]} (A) and {labels[arm]} (B): {same:,} of {run.games:,} games end alike"
        made.append(
            Table(f"arm{arm}", title, COLUMNS, rows, NOTE.format(many=len(found)), _shares(rows))
        )
    return made


def _shares(rows: Sequence[tuple[Cell, ...]]) -> frozenset[int]:
    """Rows whose figures are shares."""
    return frozenset(i for i, row in enumerate(rows) if is_share(str(row[0])))


def verdict(gap: float, p: float, unequal: int) -> str:
    """What can be said of a difference."""
    if not unequal:
        return "the same in every game"
    if p >= CLEAR:
        return "not clear"
    return "higher" if gap > 0 else "lower"


COLUMNS = (
    Column("figure", "figure", "text"),
    Column("a", "A"),
    Column("b", "B"),
    Column("difference", "B − A"),
    Column("unequal", "differs in", "share"),
    Column("p", "p", "p"),
    Column("verdict", "B is", "text"),
)
