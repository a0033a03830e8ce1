"""A review: which rules differ, what that does to play, how results move. Data only.

`review` makes it; the modules `as_text`, `as_markdown`, `as_html` and `as_data` show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean

from attrs import define, field, frozen

from dsl.diagnostics import RulesError
from interpreter import compile_game
from lab.numbers import mean_of
from lab.review import games
from lab.review.cause import Cause, Causes
from lab.review.changes import Change, Changes, Side, changes, shared_players
from lab.review.example_changes import ExampleChange, example_changes
from lab.review.games import First, Happening, Job, Outcome
from lab.review.parts import Parts, RuleLine


@frozen(eq=False)
class Shift:
    """A mean on both sides, over the same seeds, and the difference with the half-width of
    its 95% interval (Student's t, on the differences seed by seed; None with fewer than two)."""

    left: float
    right: float
    margin: float | None

    @property
    def change(self) -> float:
        return self.right - self.left

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.margin is not None and abs(self.change) > self.margin


@frozen(eq=False)
class Count:
    """What became of the games for one number of players.

    `box`: of those that are the same, how many have other cards in the box that nobody met.
    `finished`: games that came to an end on both sides; results are over these.
    `points`: by seat. `winner_changed`: in how many other players win.
    """

    players: int
    games: int
    same: int
    box: int
    failed: tuple[int, int]
    finished: int
    winner_changed: int
    points: tuple[Shift, ...]
    decisions: Shift | None

    @property
    def different(self) -> int:
        return self.games - self.same


@frozen(eq=False)
class Example:
    """A game, and where it first differs."""

    players: int
    seed: int
    first: First
    failed: tuple[str, str]


@define(eq=False)
class Spot:
    """Games that first differ between the same two rules."""

    left: RuleLine | None
    right: RuleLine | None
    examples: list[Example] = field(factory=list)

    @property
    def games(self) -> int:
        return len(self.examples)

    @property
    def earliest(self) -> Example:
        """The game with the fewest events before its difference."""
        return min(self.examples, key=lambda e: (e.first.events, e.players, e.seed))


@frozen(eq=False)
class Group:
    """Games whose first difference one cause is behind; its spots, the most frequent first."""

    cause: Cause
    spots: tuple[Spot, ...]

    @property
    def games(self) -> int:
        return sum(spot.games for spot in self.spots)


@frozen(eq=False)
class Review:
    """Everything there is to say about two sides. `only`: player counts only one side is for;
    `examples`: those that differ, which touch no game."""

    one: Side
    other: Side
    changes: Changes
    bots: str
    seeds: range
    counts: tuple[Count, ...]
    groups: tuple[Group, ...]
    only: tuple[tuple[int, ...], tuple[int, ...]]
    examples: tuple[ExampleChange, ...] = ()

    @property
    def same(self) -> bool:
        """No rule differs in more than wording, and no game."""
        return not self.changes.touching_play and not self.groups and not any(self.only)

    @property
    def games(self) -> int:
        return sum(count.games for count in self.counts)

    @property
    def different(self) -> int:
        return sum(count.different for count in self.counts)


def review(
    one: Side,
    other: Side,
    seeds: range,
    players: Sequence[int] | None = None,
    bots: str = "steady",
    workers: int | None = None,
    watch: Callable[[Outcome], object] | None = None,
) -> Review:
    """Compare two sides. `players`: for which numbers of them (None: all that both are for);
    `watch` is called with each outcome as it comes. Raises RulesError where an option can't be
    set as asked, or a game can't be made."""
    found = changes(one, other)
    counts = tuple(shared_players(one.program, other.program)) if players is None else players
    for side in (one, other):
        for count in counts:
            side.options(count)
    outcomes: list[Outcome] = []
    if len(seeds):
        job = Job(
            one.program, other.program, (one.settings, other.settings), tuple(counts), seeds, bots
        )
        for outcome in games.compare(job, workers):
            outcomes.append(outcome)
            if watch is not None:
                watch(outcome)
    mine, its = (range(s.program.players[0], s.program.players[1] + 1) for s in (one, other))
    return Review(
        one,
        other,
        found,
        bots,
        seeds,
        tuple(_count(n, [o for o in outcomes if o.players == n]) for n in counts if len(seeds)),
        tuple(_groups(found, outcomes, _strange(one, other, counts))),
        (tuple(n for n in mine if n not in its), tuple(n for n in its if n not in mine)),
        example_changes(one.program, other.program),
    )


def _strange(
    one: Side, other: Side, counts: Iterable[int]
) -> Mapping[int, tuple[set[str], set[str]]]:
    """By number of players: cards that only one side has."""
    found = {}
    for count in counts:
        try:
            mine, its = (
                set(games.box(compile_game(side.program, count, side.settings)))
                for side in (one, other)
            )
        except RulesError:
            continue
        found[count] = (mine - its, its - mine)
    return found


# ── results ──────────────────────────────────────────────────────────────────────────────────


def _count(players: int, outcomes: Sequence[Outcome]) -> Count:
    finished = [o for o in outcomes if o.points[0] and o.points[1]]
    same = [o for o in outcomes if o.same]
    points = tuple(
        _shift([(o.points[0][seat], o.points[1][seat]) for o in finished])
        for seat in range(players if finished else 0)
    )
    return Count(
        players=players,
        games=len(outcomes),
        same=len(same),
        box=sum(o.box for o in same),
        failed=(sum(bool(o.failed[0]) for o in outcomes), sum(bool(o.failed[1]) for o in outcomes)),
        finished=len(finished),
        winner_changed=sum(o.winners[0] != o.winners[1] for o in finished),
        points=points,
        decisions=_shift([o.decisions for o in finished]) if finished else None,
    )


def _shift(pairs: Sequence[tuple[int, int]]) -> Shift:
    differences = [after - before for before, after in pairs]
    squares = sum(difference**2 for difference in differences)
    estimate = mean_of(len(pairs), sum(differences), squares)
    margin = None if estimate is None or len(pairs) < 2 else estimate.high - estimate.value
    return Shift(fmean(a for a, _ in pairs), fmean(b for _, b in pairs), margin)


# ── differences ──────────────────────────────────────────────────────────────────────────────


def _groups(
    found: Changes,
    outcomes: Iterable[Outcome],
    strange: Mapping[int, tuple[set[str], set[str]]],
) -> list[Group]:
    causes = Causes(found)
    spots: dict[tuple[Change, ...], dict[object, Spot]] = {}
    known: dict[tuple[Change, ...], Cause] = {}
    for outcome in outcomes:
        first = outcome.first
        if first is None:
            continue
        cause = causes.of(first, strange.get(outcome.players, (set(), set())), outcome.players)
        known.setdefault(cause.changes, cause)
        left, right = _rule(found.left, first.left), _rule(found.right, first.right)
        spot = spots.setdefault(cause.changes, {}).setdefault((left, right), Spot(left, right))
        spot.examples.append(Example(outcome.players, outcome.seed, first, outcome.failed))
    groups = [
        Group(known[key], tuple(sorted(found_.values(), key=lambda spot: -spot.games)))
        for key, found_ in spots.items()
    ]
    return sorted(groups, key=lambda group: -group.games)


def _rule(parts: Parts, at: Happening | None) -> RuleLine | None:
    if at is None or at.span is None:
        return None
    return parts.line_of(at.span)
