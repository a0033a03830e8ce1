"""What was counted over all games: integers under keys, added block by block.

Written by `lab.record` in the workers, added up here, read by the reports. Memory depends on how
many different things can happen (points, options, cards), not on how many games were played.

KEYS (role -1: none; shares of wins in units of `record.WIN`; categories: see `lab.categories`)
    games, failed, unscored
    shared n, level n               games with n winners; with n players on the most points
    decisions n, width n            games by decisions; decisions by options offered
    options xx|xy|yy                options x and decisions y of a game
    points seat n, won seat         points by seat; shares of wins
    best n, winner n, margin n      the most points; winners' (shares); winner's less the next
    bot points name n, bot won name
    line i x|xx|xy|w|ww, points yy  a scoring line's points x, all points y; winners' w (shares)
    samples n, leads n, behind n, comeback 0|1
    role r x|xx|xy|d|dd, role total ' '|², first role r, first role won r   (d: decisions)
    asked choice, offered category, taken category seat role, taken² category
    users category seat, users won category
    measure …                       see `lab.measures`
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from lab.categories import Category
from lab.record import Key


class Totals:
    """Counts of any number of games."""

    def __init__(self, counts: Mapping[Key, int] | None = None) -> None:
        self.counts: Counter[Key] = Counter(counts or {})
        self._index: dict[Key, dict[Any, int]] | None = None
        self._sums: dict[str, dict[Category, int]] = {}

    def add(self, counts: Mapping[Key, int]) -> None:
        """Add what another block counted."""
        self.counts.update(counts)
        self._index = None
        self._sums = {}

    def __getitem__(self, key: Key) -> int:
        return self.counts.get(key, 0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Totals) and self.counts == other.counts

    __hash__ = None  # type: ignore[assignment]

    def under(self, *prefix: Any) -> dict[Any, int]:
        """The counts of all keys one longer than this, by what comes last, in order."""
        if self._index is None:
            self._index = {}
            for key, count in self.counts.items():
                self._index.setdefault(key[:-1], {})[key[-1]] = count
        found = self._index.get(prefix, {})
        try:
            return dict(sorted(found.items()))
        except TypeError:  # things of different kinds
            return dict(sorted(found.items(), key=lambda pair: repr(pair[0])))

    def by_category(self, kind: str) -> dict[Category, int]:
        """The counts of a kind by category, over all seats and roles."""
        sums = self._sums.get(kind)
        if sums is None:
            sums = self._sums[kind] = {}
            for key, count in self.counts.items():
                if key[0] == kind:
                    sums[key[1]] = sums.get(key[1], 0) + count
        return sums

    @property
    def games(self) -> int:
        return self["games",]


def merged(parts: Iterable[Mapping[Key, int]]) -> Totals:
    """Several blocks as one."""
    whole = Totals()
    for part in parts:
        whole.add(part)
    return whole
