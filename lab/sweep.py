"""Options of a game varied over a grid: what each setting gives, and searching for a wanted figure.

Used by `rules sweep`. All settings are played with the same seeds, so that they differ by the rules
alone. The search plays a little of many settings, and more of those that may still give what is
wanted; at last the best is played on seeds it has not seen, since what was picked for being close
looks closer than it is.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import define, evolve, field, frozen

from dsl.amounts import many
from interpreter.chance import mix
from lab.arms import Arms, Experiment
from lab.figures import is_share
from lab.numbers import Estimate
from lab.plan import SEEDS, Plan
from lab.signals import in_one
from lab.simulation import Runner
from lab.tables import Cell, Column, Table

MOST_CELLS = 2000
FEW = 24  # settings a search begins with
LEAST_GAMES = 40  # of a setting, before anything is made of it
FRESH = 2**32  # how far off the seeds of the last look are

Setting = tuple[tuple[str, str], ...]


class Unreadable(ValueError):
    """What was typed can't be read; the text says why, for people."""


# ── grids ────────────────────────────────────────────────────────────────────────────────────


def values(text: str) -> tuple[str, list[str]]:
    """`turns=4..6`, `limit=10..20:5`, `where=stock,treasury`: an option and its values."""
    name, equals, rest = (part.strip() for part in text.partition("="))
    found: list[str] = []
    for part in filter(None, (piece.strip() for piece in rest.split(","))):
        span = re.fullmatch(r"(-?\d{1,9})\s*\.\.\s*(-?\d{1,9})(?:\s*:\s*(\d{1,9}))?", part)
        if span is None:
            found.append(part)
            continue
        low, high, step = int(span[1]), int(span[2]), int(span[3] or 1)
        if step < 1 or high < low:
            raise Unreadable(f"`{part}` in `{text}` holds no values")
        if (high - low) // step >= MOST_CELLS:
            raise Unreadable(f"`{part}` in `{text}` holds too many values")
        found += map(str, range(low, high + 1, step))
    if not (name and equals and found):
        raise Unreadable(f"`{text}` should be NAME=VALUES, for instance turns=4..6 or turns=3,5")
    return name, list(dict.fromkeys(found))


@frozen
class Grid:
    """Options with their values; a setting is one value of each."""

    axes: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.axes]

    @property
    def size(self) -> int:
        """How many settings there are."""
        return math.prod(len(options) for _, options in self.axes)

    def settings(self) -> list[Setting]:
        """All settings, the last option changing fastest."""
        names = self.names
        return [
            tuple(zip(names, chosen, strict=True))
            for chosen in itertools.product(*(options for _, options in self.axes))
        ]

    def neighbours(self, setting: Setting) -> list[Setting]:
        """Settings one step away in one option."""
        found = []
        for axis, (name, options) in enumerate(self.axes):
            at = options.index(setting[axis][1])
            for other in (at - 1, at + 1):
                if 0 <= other < len(options):
                    changed = list(setting)
                    changed[axis] = (name, options[other])
                    found.append(tuple(changed))
        return found


def grid(texts: Sequence[str]) -> Grid:
    """The grid that was typed. Raises Unreadable."""
    axes = [values(text) for text in texts]
    names = [name for name, _ in axes]
    if len(set(names)) < len(names):
        raise Unreadable("an option is varied twice; give all its values at once")
    made = Grid(tuple((name, tuple(options)) for name, options in axes))
    if made.size > MOST_CELLS:
        raise Unreadable(f"that makes {made.size:,} settings; at most {MOST_CELLS:,} are played")
    return made


# ── tables ───────────────────────────────────────────────────────────────────────────────────

USUAL = ("decisions", "points", "shared", "changes of the lead", "comeback", "wins P1")


def shown(names: Sequence[str], asked: Sequence[str], measures: Sequence[str]) -> list[str]:
    """The figures told: those asked for, or the usual ones, shares of roles, and measures."""
    if asked:
        return list(dict.fromkeys(asked))
    usual = [name for name in USUAL if name in names]
    roles = [name for name in names if name.startswith("share ")]
    return [*usual, *roles, *(name for name in measures if name in names)]


def table(run: Experiment, settings: Sequence[Setting], names: Sequence[str]) -> Table:
    """A row for each setting."""
    columns = [Column(name, name, "text") for name, _ in settings[0]]
    lost = [run.played - run.games_of(arm) for arm in range(len(settings))]
    if any(lost):
        columns.append(Column("failed", "failed", "count"))
    for name in names:
        columns.append(Column(name, name, "share" if is_share(name) else "number"))
    rows: list[tuple[Cell, ...]] = [
        (
            *(value for _, value in setting),
            *(lost[arm : arm + 1] if any(lost) else ()),
            *(run.value(arm, name) for name in names),
        )
        for arm, setting in enumerate(settings)
    ]
    title = f"{many(len(settings), 'setting')}, {many(run.played, 'game')} of each"
    return Table("sweep", title, tuple(columns), rows)


# ── searching ────────────────────────────────────────────────────────────────────────────────


@frozen
class Target:
    """A figure and where it should lie."""

    figure: str
    low: float
    high: float

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2

    def holds(self, found: Estimate) -> bool:
        """Whether a figure surely lies there (its whole interval does)."""
        return self.low <= found.low and found.high <= self.high

    def allows(self, found: Estimate) -> bool:
        """Whether a figure may lie there (its interval reaches there)."""
        return found.low <= self.high and self.low <= found.high


def target(text: str) -> Target:
    """`share gorilla=30..35%`. Raises Unreadable."""
    name, _, rest = (part.strip() for part in text.partition("="))
    number = r"(-?\d+(?:\.\d+)?)\s*%?"
    span = re.fullmatch(rf"{number}\s*\.\.\s*{number}", rest)
    if not name or span is None:
        raise Unreadable(f"`{text}` should be FIGURE=LOW..HIGH, for instance `wins P1=24..26%`")
    low, high = float(span[1]), float(span[2])
    if high < low:
        raise Unreadable(f"`{rest}` in `{text}` holds no values")
    if "%" in rest or (is_share(name) and high > 1):
        low, high = low / 100, high / 100
    return Target(name, low, high)


@define(eq=False)
class Tried:
    """A setting and its games so far."""

    setting: Setting
    run: Experiment
    played: int = 0

    @property
    def failed(self) -> int:
        """Games that could not be played to their end."""
        return self.run.counts["failed",]

    def value(self, figure: str) -> Estimate | None:
        return self.run.value(0, figure) if self.run.games > 1 else None


@define(eq=False)
class Search:
    """A search in a grid. `plan_of` makes the plan of a setting; `each` is told of every block."""

    space: Grid
    goal: Target
    budget: int
    plan_of: Callable[[Setting], Plan]
    run: Runner
    each: Callable[[int], object] = lambda games: None
    spent: int = 0
    tried: dict[Setting, Tried] = field(factory=dict)
    fresh: Tried | None = None

    def search(self) -> None:
        """Try settings (`tried`, `ranked`), and at last the first of them once more, on fresh
        seeds (`fresh`; None if the budget did not reach that far)."""
        kept = self.budget // 5
        start = spread(self.space.settings())
        batch = max(LEAST_GAMES, min(200, (self.budget - kept) // (3 * len(start))))
        self._play(start, batch, self.budget - kept)
        while self.spent < self.budget - kept:
            best = self.ranked()
            first = best[0].value(self.goal.figure)
            if first is None or self.goal.holds(first):
                break
            new = [s for s in self.space.neighbours(best[0].setting) if s not in self.tried]
            may = [t for t in best if self._may(t)][:3] or best[:1]
            before = self.spent
            if new:
                self._play(new, batch, self.budget - kept)
            for one in may:
                self._play([one.setting], one.played, self.budget - kept)
            if self.spent == before:
                break
        self._once_more(self.ranked()[0])

    def _may(self, tried: Tried) -> bool:
        found = tried.value(self.goal.figure)
        return found is not None and self.goal.allows(found)

    def ranked(self) -> list[Tried]:
        """Tried settings: those that surely or perhaps give what is wanted first, by closeness."""

        def key(tried: Tried) -> tuple[bool, float]:
            found = tried.value(self.goal.figure)
            if found is None:
                return True, float("inf")
            return not self.goal.allows(found), abs(found.value - self.goal.middle)

        return sorted(self.tried.values(), key=key)

    def _play(self, settings: Sequence[Setting], games: int, limit: int) -> None:
        """Play so many more games of each setting, as far as the budget reaches."""
        for setting in settings:
            games = min(games, limit - self.spent)
            if games <= 0:
                return
            tried = self.tried.get(setting)
            if tried is None:
                tried = self.tried[setting] = Tried(setting, Experiment((self.plan_of(setting),)))
            self._more(tried, games)

    def _more(self, tried: Tried, games: int) -> None:
        tried.run.plans[0].game()  # made here, workers have it at once
        size = max(1, min(64, games // 8))
        edges = range(tried.played, tried.played + games, size)
        blocks = [(first, min(size, tried.played + games - first)) for first in edges]
        for block in self.run(Arms(tried.run.plans, paired=False), blocks):
            with in_one():
                tried.run.add(block)
                tried.played += block.games
                self.spent += block.games
                self.each(block.games)

    def _once_more(self, best: Tried) -> None:
        games = self.budget - self.spent
        if games < LEAST_GAMES:
            return
        (plan,) = best.run.plans
        fresh = Tried(best.setting, Experiment((evolve(plan, seed=(plan.seed + FRESH) % SEEDS),)))
        self._more(fresh, games)
        self.fresh = fresh


def spread(settings: Sequence[Setting]) -> list[Setting]:
    """All settings if they are few, else some of them, spread about and always the same."""
    if len(settings) <= FEW:
        return list(settings)
    order = sorted(range(len(settings)), key=lambda i: mix(i, 0x5EED))
    return [settings[i] for i in sorted(order[:FEW])]


def found_table(best: Sequence[Tried], goal: Target, most: int = 10) -> Table:
    """The most promising settings of a search."""
    names = [name for name, _ in best[0].setting]
    columns = [Column(name, name, "text") for name in names]
    kind = "share" if is_share(goal.figure) else "number"
    columns += [
        Column("games", "games", "count"),
        Column("figure", goal.figure, kind),
        Column("verdict", "", "text"),
    ]
    rows: list[tuple[Cell, ...]] = []
    for tried in best[:most]:
        found = tried.value(goal.figure)
        said = verdict(found, goal)
        if tried.run.failures:
            said = "the rules fail" if found is None else f"{said}; {tried.failed:,} failed"
        rows.append((*(v for _, v in tried.setting), tried.run.games, found, said))
    return Table("target", f"{many(len(best), 'setting')} tried", tuple(columns), rows)


def verdict(found: Estimate | None, goal: Target) -> str:
    """What can be said of a figure that should lie somewhere."""
    if found is None:
        return "too few games"
    if goal.holds(found):
        return "inside"
    return "perhaps" if goal.allows(found) else "outside"


def as_data(setting: Setting) -> Mapping[str, Any]:
    return dict(setting)
