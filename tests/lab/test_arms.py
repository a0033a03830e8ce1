"""Arms of an experiment: figures, differences game by game, sweeps and searches."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy
import pytest
from attrs import evolve

from lab import compare, figures, sweep
from lab.arms import Experiment
from lab.figures import Pair
from lab.numbers import Estimate
from lab.plan import Plan
from lab.record import WIN, Recorder
from lab.report import Report
from lab.simulation import locally, simulate
from tests.lab.common import game, planned

N = 40


def varied(name: str, games: int = N, **options: Any) -> Plan:
    plan = planned(name, games)
    return evolve(plan, options={**plan.options, **options})


def run_arms(*plans: Plan, workers: int = 1, games: int = N) -> Experiment:
    run = Experiment(plans)
    for _ in run.blocks(locally(workers), games):
        pass
    return run


def each_game(plan: Plan, games: int = N) -> list[figures.Values]:
    recorder = Recorder(plan)
    recorder.begin()
    return [figures.figures(recorder, recorder.play(i, plan.seated(i))) for i in range(games)]


# ── differences ──────────────────────────────────────────────────────────────────────────────


def pair_of(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> Pair:
    """The sums of a pair of figures, game by game."""

    def sums(s: list[tuple[int, int]]) -> tuple[tuple[int, int], tuple[int, int, int]]:
        return (
            (sum(x for x, _ in s), sum(y for _, y in s)),
            (sum(x * x for x, _ in s), sum(x * y for x, y in s), sum(y * y for _, y in s)),
        )

    (one, ones), (other, others) = sums(a), sums(b)
    both = zip(a, b, strict=True)
    products = numpy.array([(x * u, x * v, y * u, y * v) for (x, y), (u, v) in both]).sum(axis=0)
    unequal = sum(p != q for p, q in zip(a, b, strict=True))
    return Pair(len(a), one, other, ones, others, tuple(map(int, products)), unequal)  # type: ignore[arg-type]


def test_of_means_it_is_the_paired_t_test(stats: Any) -> None:
    rng = random.Random(3)
    a = [rng.randint(0, 30) for _ in range(50)]
    b = [x + rng.randint(-3, 6) for x in a]
    found = figures.difference(pair_of([(x, 1) for x in a], [(x, 1) for x in b]))
    assert found is not None
    gap, p = found
    theirs = stats.ttest_rel(b, a)
    interval = theirs.confidence_interval(0.95)
    assert gap.value == pytest.approx(numpy.mean(b) - numpy.mean(a))
    assert (gap.low, gap.high) == pytest.approx((interval.low, interval.high))
    assert p == pytest.approx(theirs.pvalue)


def test_of_ratios_it_is_the_residuals_written_out(stats: Any) -> None:
    rng = random.Random(4)
    a = [(rng.randint(0, 9), rng.randint(5, 20)) for _ in range(60)]
    b = [(x + rng.randint(0, 2), y + rng.randint(0, 5)) for x, y in a]
    found = figures.difference(pair_of(a, b))
    assert found is not None
    rests, ratios = [], []
    for sample in (a, b):
        x, y = (numpy.array(column, float) for column in zip(*sample, strict=True))
        ratios.append(x.sum() / y.sum())
        rests.append((x - ratios[-1] * y) / y.mean())
    half = stats.t.ppf(0.975, 59) * stats.sem(rests[1] - rests[0])
    gap = ratios[1] - ratios[0]
    assert (found[0].low, found[0].high) == pytest.approx((gap - half, gap + half))


def test_nothing_differs_from_itself() -> None:
    run = run_arms(varied("gorilla"), varied("gorilla"))
    assert run.counts["same end", 1] == N
    (table,) = compare.tables(run, ["A", "B"], run.names())
    assert {row[-1] for row in table.rows} == {"the same in every game"}
    assert all(row[3].value == row[3].low == row[3].high == 0 for row in table.rows)  # type: ignore[union-attr]


def test_constant_differences_are_certain() -> None:
    found = figures.difference(pair_of([(3, 1)] * 10, [(5, 1)] * 10))
    assert found == (Estimate(2.0, 2.0, 2.0, 10), 0.0)


def test_words_do_not_overclaim() -> None:
    assert compare.verdict(1.0, 0.2, 30) == "not clear"
    assert compare.verdict(1.0, 0.01, 30) == "higher"
    assert compare.verdict(-1.0, 0.01, 30) == "lower"
    assert compare.verdict(0.0, 1.0, 0) == "the same in every game"


def test_chance_alone_is_seldom_called_a_difference() -> None:
    """Versions that differ by luck only: 20 comparisons of about 17 figures each, among which
    uncorrected tests would find some 17."""
    called = 0
    for number in range(20):
        a = varied("last-leaf", 30)
        b = evolve(a, seed=10_000 * (number + 1))
        run = run_arms(evolve(a, seed=500 * number), b, games=30)
        (table,) = compare.tables(run, ["A", "B"], compare.shown(run.names(), ways=False))
        called += any(row[-1] in ("higher", "lower") for row in table.rows)
    assert called <= 4


# ── figures ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["throne", "gorilla"])
def test_figures_are_those_of_a_simulation(name: str) -> None:
    plan = planned(name, N, bots="random,steady,random")
    run = run_arms(plan, plan)
    totals = simulate(plan).totals
    report = Report(plan, game(name), totals)
    seats = {str(row[0]): row for row in report.seats().rows}
    for seat in ("P1", "P2", "P3"):
        assert run.value(0, f"wins {seat}") == seats[seat][1]
        points, mean = run.value(0, f"points {seat}"), seats[seat][2]
        assert points is not None
        assert isinstance(mean, Estimate)
        assert (points.value, points.low) == pytest.approx((mean.value, mean.low))
    for row in report.roles().rows:
        assert run.value(0, f"share {row[0]}") == row[3]
    for row in report.bots().rows:
        found, won = run.value(0, f"wins {row[0]}"), row[2]
        assert found is not None
        assert isinstance(won, Estimate)
        assert found.value == pytest.approx(won.value)
    for row in report.choices().rows:
        found = run.value(0, f"way {row[0]}/{row[1]}")
        if isinstance(row[2], Estimate):
            assert found is not None
            assert found.value == row[2].value


def test_sums_are_those_of_each_game() -> None:
    plans = varied("throne"), varied("throne", turns=4)
    run = run_arms(*plans, workers=2)
    one, other = (each_game(plan) for plan in plans)
    for name in run.names():
        pair = pair_of([g[name] for g in one], [g[name] for g in other])
        if pair.a[1] and pair.b[1]:
            assert run.difference(1, name) == figures.difference(pair)
            assert run.unequal(1, name) == pair.unequal
    wins = Counter(g["wins P1"][0] for g in one)
    assert sum(value * times for value, times in wins.items()) == run._of("arm", 0, "wins P1")["x"]
    assert all(g["wins P1"][1] == WIN for g in one)


def test_the_same_for_any_number_of_workers() -> None:
    plans = varied("throne"), varied("throne", turns=4)
    assert run_arms(*plans).counts == run_arms(*plans, workers=2).counts


def test_ways_that_only_one_version_has_are_not_compared() -> None:
    run = run_arms(varied("throne"), planned("last-leaf", N))
    assert "decisions" in run.names()
    assert not any(name.startswith("way ") for name in run.names())


# ── sweeps ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("turns=4..6", ["4", "5", "6"]),
        ("limit = 10..20:5", ["10", "15", "20"]),
        ("limit=10..19:5,endless", ["10", "15", "endless"]),
        ("where=stock, treasury", ["stock", "treasury"]),
        ("a=3,3,1..3", ["3", "1", "2"]),
    ],
)
def test_values(text: str, values: list[str]) -> None:
    assert sweep.values(text)[1] == values


@pytest.mark.parametrize(
    "text", ["turns", "turns=", "=3", "turns=6..4", "turns=1..9:0", "turns=1..999999999"]
)
def test_values_that_are_none(text: str) -> None:
    with pytest.raises(sweep.Unreadable):
        sweep.values(text)


def test_a_grid_holds_every_combination_and_knows_its_neighbours() -> None:
    grid = sweep.grid(["a=1..3", "b=x,y"])
    assert len(grid.settings()) == 6
    middle = (("a", "2"), ("b", "x"))
    assert grid.neighbours(middle) == [
        (("a", "1"), ("b", "x")), (("a", "3"), ("b", "x")), (("a", "2"), ("b", "y")),
    ]  # fmt: skip
    with pytest.raises(sweep.Unreadable, match="twice"):
        sweep.grid(["a=1", "a=2"])
    with pytest.raises(sweep.Unreadable, match="settings"):
        sweep.grid(["a=1..100", "b=1..100"])


def test_targets() -> None:
    assert sweep.target("share gorilla=30..35%") == sweep.Target("share gorilla", 0.3, 0.35)
    assert sweep.target("wins P1 = 24..26") == sweep.Target("wins P1", 0.24, 0.26)
    assert sweep.target("decisions=35..40.5") == sweep.Target("decisions", 35, 40.5)
    for text in ("decisions", "decisions=5", "decisions=9..3", "=1..2"):
        with pytest.raises(sweep.Unreadable):
            sweep.target(text)


def searched(
    goal: sweep.Target, budget: int, workers: int = 1
) -> tuple[sweep.Search, list[sweep.Tried], sweep.Tried | None]:
    grid = sweep.grid(["turns=1..3", "final_hand=2..6:2"])
    search = sweep.Search(
        grid, goal, budget,
        lambda s: varied("throne", **{name: int(value) for name, value in s}), locally(workers),
    )  # fmt: skip
    search.search()
    best, fresh = search.ranked(), search.fresh
    return search, best, fresh


def test_a_search_finds_what_there_is_within_its_budget() -> None:
    there = run_arms(varied("throne", turns=2, final_hand=4)).value(0, "decisions")
    assert there is not None
    goal = sweep.Target("decisions", there.value - 0.7, there.value + 0.7)
    search, best, fresh = searched(goal, 1000)
    assert search.spent <= 1000
    assert fresh is not None
    assert fresh.setting == best[0].setting
    last = fresh.value("decisions")
    assert last is not None
    assert goal.allows(last)
    assert {tried.setting for tried in best} <= set(search.space.settings())


def test_a_search_says_when_there_is_nothing() -> None:
    search, best, _ = searched(sweep.Target("decisions", 500, 600), 700)
    assert sweep.verdict(best[0].value("decisions"), search.goal) == "outside"
    longest = (("turns", "3"), ("final_hand", "6"))
    assert best[0].setting == longest


def test_a_search_is_the_same_for_any_number_of_workers() -> None:
    goal = sweep.Target("points", 9, 10)
    found = []
    for workers in (1, 2):
        _, best, fresh = searched(goal, 600, workers)
        assert fresh is not None
        found.append(([(t.setting, t.value("points")) for t in best], fresh.value("points")))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["gorilla", "throne"])
def test_a_simulation_and_a_comparison_tell_the_same(name: str) -> None:
    """Value and interval: games, not players or answers, are what is drawn."""
    made = planned(name, 30)
    run = Experiment((made,))
    for _ in run.blocks(locally(1), 30):
        pass
    report = Report(made, game(name), simulate(made).totals)
    told = {str(row[0]): row[1] for row in report.overview().rows}
    names = {
        "decisions a game": "decisions", "options a decision": "options a decision",
        "points of a player": "points", "most points": "most points",
        "lead over the next": "lead over the next", "changes of the lead": "changes of the lead",
        "made up by the winner": "made up",
    }  # fmt: skip
    assert set(told) == set(names)
    for row, figure in names.items():
        one, other = told[row], run.value(0, figure)
        assert isinstance(one, Estimate)
        assert other is not None
        assert (one.value, one.low, one.high) == pytest.approx(
            (other.value, other.low, other.high)
        ), row
