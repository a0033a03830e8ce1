"""`rules sweep`: options of a game varied, and searched for a wanted figure."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve

from cli.common import FOUND, Whole, compiled, examples, load, misuse
from cli.running import (
    Playing,
    Progress,
    draw,
    end,
    format_option,
    heading,
    headline,
    measure_option,
    playing_options,
    plot_option,
    run_through,
    tell,
    tell_data,
    tell_failures,
    until_stopped,
)
from dsl.amounts import many

if TYPE_CHECKING:
    from interpreter.binding import OptionValue
    from interpreter.game import Game
    from lab.simulation import Runner
    from lab.sweep import Grid, Setting, Tried

BUDGET = 20_000


@click.command(
    epilog=examples(
        "rules sweep {b} --vary turns=4..6 --vary treasury_limit=10..20:5",
        'rules sweep {b} --vary final_hand=4..8 --figure decisions --figure "wins P1"',
        'rules sweep {b} --vary turns=3..8 --target "decisions=35..40" --budget 5000',
    )
)
@click.argument("file")
@playing_options
@click.option(
    "--vary",
    "varied",
    multiple=True,
    required=True,
    metavar="NAME=VALUES",
    help="An option and its values: 4..6, 10..20:5 (in steps of 5), or 3,5,yes.",
)
@click.option("--figure", "figures", multiple=True, help="Which figures.  [default: some]")
@measure_option
@click.option(
    "--target",
    "wanted",
    metavar="FIGURE=LOW..HIGH",
    help="Search for settings with which a figure lies there.",
)
@click.option(
    "--budget",
    type=Whole(100),
    help=f"With --target: how many games altogether.  [default: {BUDGET}]",
)
@plot_option
@format_option
def command(
    file: str,
    how: Playing,
    varied: tuple[str, ...],
    figures: tuple[str, ...],
    measures: tuple[str, ...],
    wanted: str | None,
    budget: int | None,
    plot: Path | None,
    fmt: str,
) -> None:
    """Play FILE with every combination of the values given, all on the same seeds, and tell each
    one's figures. With --target, play more of those that come close to a wanted figure."""
    if budget is not None and wanted is None:
        misuse("--budget belongs to --target; -n says how many games each setting gets")
    if wanted is not None:
        if plot is not None:
            misuse("--plot draws a sweep; a search with --target goes where it likes")
        if figures:
            misuse("--figure belongs to a sweep; with --target, its figure is told")
        if how.counted:
            misuse("-n belongs to a sweep; with --target, --budget says how many games there are")
    program = load(file)
    from lab import sweep

    try:
        space = sweep.grid(varied)
        goal = None if wanted is None else sweep.target(wanted)
    except sweep.Unreadable as problem:
        misuse(str(problem))
    for name in dict(how.settings):
        if any(name in dict(cell) for cell in space.settings()):
            misuse(f"`{name}` is varied; leave out --set {name}=…")
    cells = space.settings()
    first = how.game(program, None, *cells[0])
    plan = how.plan(first, measures)
    plans = {cell: evolve(plan, options=_options(first, (*how.settings, *cell))) for cell in cells}
    if goal is not None:
        search = sweep.Search(space, goal, budget or BUDGET, plans.__getitem__, how.runner())
        known([goal.figure], plan)
        _search(search, how.again(file, measures), fmt)
        return
    known(figures, plan)
    _sweep(space, cells, list(plans.values()), figures, how.runner(), plot, fmt)


def _options(game: Game, settings: Sequence[tuple[str, str]]) -> Mapping[str, OptionValue]:
    """The options of a setting, without making its game yet."""
    from dsl.diagnostics import RulesError
    from interpreter.binding import bind

    try:
        return bind(game.program, game.players, dict(settings)).options
    except RulesError:
        return compiled(game.program, game.players, settings).options  # tells what is wrong


def known(names: Sequence[str], plan: Any) -> None:
    """Stop if a figure is none that this game has: told from one game of it."""
    if not names:
        return
    from dsl.diagnostics import RulesError
    from dsl.suggest import did_you_mean
    from lab import figures
    from lab.record import Recorder

    recorder = Recorder(plan)
    recorder.begin()
    try:
        there = figures.figures(recorder, recorder.play(0, plan.seated(0)))
    except RulesError:
        return  # it will be told where all are played
    for name in names:
        if name not in there:
            hint = did_you_mean(name, there) or "figures: " + ", ".join(there)
            misuse(f"this game has no figure `{name}` ({hint})")


def _sweep(
    space: Grid,
    cells: Sequence[Setting],
    plans: list[Any],
    figures: Sequence[str],
    play: Runner,
    plot: Path | None,
    fmt: str,
) -> None:
    from lab import sweep
    from lab.arms import Experiment

    run = Experiment(tuple(plans))
    games = plans[0].games
    stopped = run_through(run.blocks(play, games, paired=False), games)
    names = sweep.shown(run.names(), figures, [m.name for m in plans[0].measures])
    made = sweep.table(run, cells, names)
    if fmt == "json":
        head = {**_unvaried(plans[0], space), "games": run.games, **made.data()}
        tell_data(head)
    elif run.games:
        tell(f"{_headline(plans[0], space)}\n\n{made.text()}")
    if plot is not None and run.games:
        from lab import charts

        title = f"{_headline(plans[0], space)} · {many(run.games, 'game')} each"
        draw(plot, charts.of_sweep(run, cells, names, title))
    failed = run.counts["failed",]
    end(run.failures, failed, run.played, games, stopped)


def _search(search: Any, again: str, fmt: str) -> None:
    """Search, and tell what was found. `again`: the command that looks at one setting, so far."""
    from lab import sweep
    from lab.record import MOST_FAILURES

    progress = Progress(search.budget)
    search.each = lambda games: progress(search.spent)
    stopped = until_stopped(search.search, progress)
    best, fresh = search.ranked(), search.fresh
    if not best:
        raise click.exceptions.Exit(FOUND if stopped is None else stopped.status)
    made = sweep.found_table(best, search.goal)
    plan = best[0].run.plans[0]
    last = None if fresh is None else fresh.value(search.goal.figure)
    if fmt == "json":
        head = {
            **_unvaried(plan, search.space),
            "target": {"figure": search.goal.figure, "low": search.goal.low,
                       "high": search.goal.high},
            "played": search.spent,
            **made.data(),
            "fresh": None if last is None else {**dict(best[0].setting), **last.data()},
        }  # fmt: skip
        tell_data(head)
    else:
        parts = [f"{_headline(plan, search.space)} · {many(search.spent, 'game')}", made.text()]
        if fresh is not None and last is not None:
            parts.append(_last(fresh, last, search, again))
        tell("\n\n".join(parts))
    runs = [tried.run for tried in best] + ([] if fresh is None else [fresh.run])
    failures = [failure for run in runs for failure in run.failures]
    tell_failures(failures[:MOST_FAILURES])
    if stopped is not None:
        click.echo(f"{stopped.why}: the search is not at its end", err=True)
        raise click.exceptions.Exit(stopped.status)
    if last is None:
        click.echo(
            f"the budget of {search.budget:,} games did not reach further: "
            f"there are {many(search.space.size, 'setting')}, and the best is looked at once more "
            "on fresh seeds; --budget says how many games there are",
            err=True,
        )
    if failures or last is None or not search.goal.allows(last):
        raise click.exceptions.Exit(FOUND)


def _last(fresh: Tried, last: Any, search: Any, again: str) -> str:
    """The last look at the best setting, in words."""
    from lab import sweep
    from lab.figures import is_share
    from lab.tables import shown

    figure = shown(last, "share" if is_share(search.goal.figure) else "number")
    words = {
        "inside": "it lies inside",
        "perhaps": "it may lie inside",
        "outside": "it lies outside",
    }
    options = shlex.join(f"--set={name}={value}" for name, value in fresh.setting)
    return (
        f"the first of them on {fresh.run.games:,} fresh seeds: {figure}; "
        f"{words[sweep.verdict(last, search.goal)]}\n"
        f"look closer: {again} {options}"
    )


def _unvaried(plan: Any, space: Grid) -> dict[str, Any]:
    head = heading(plan)
    head["options"] = {k: v for k, v in head["options"].items() if k not in space.names}
    return head


def _headline(plan: Any, space: Grid) -> str:
    """What was played, in a line, without the options that are varied."""
    varied = tuple(f"{name} = " for name in space.names)
    return " · ".join(p for p in headline(plan).split(" · ") if not p.startswith(varied))
