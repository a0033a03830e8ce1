"""`rules diff`: what a change of the rules changes, in words, in play, and in results."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli import sides
from cli.common import (
    FOUND,
    MISUSES,
    MOST_SEED,
    FilePath,
    Setting,
    Whole,
    compiled,
    examples,
    misuse,
    said,
    write_file,
)
from cli.common import seats as read_seats
from cli.sides import Source

if TYPE_CHECKING:
    from dsl.program import Program
    from interpreter.trace.diff import TraceDiff
    from lab.review.changes import Side
    from lab.review.report import Review
    from lab.review.words import Limits

FORMATS = ("text", "markdown", "html", "json")
ENDINGS = {".txt": "text", ".md": "markdown", ".html": "html", ".json": "json"}
COLOURS = {"-": "red", "+": "green", "@": "cyan", "~": "yellow", "<": "blue", ">": "blue"}
MOST_LINES = 400  # of a trace diff at the terminal or in a comment; all of them with --full


@click.command(
    epilog=examples(
        "rules diff my.rules",
        "rules diff {a} my.rules --players 4",
        "rules diff {b} --set-b turns=4",
        "rules diff HEAD~3:my.rules my.rules --format markdown --full report.html",
        "rules diff before.trace after.trace",
        "rules diff {a} my.rules --players 3 --show 94",
    )
)
@click.argument("one", metavar="A")
@click.argument("other", metavar="[B]", required=False)
@click.option(
    "--seeds", type=Whole(0), default=100, show_default=True,
    help="How many games for each number of players; 0 compares only the rules.",
)  # fmt: skip
@click.option(
    "--seed", type=Whole(0, MOST_SEED), default=1, show_default=True,
    help="The first seed.",
)  # fmt: skip
@click.option("--players", type=Whole(1), help="How many play.  [default: every number there is]")
@click.option("--set", "both", type=Setting(), multiple=True, help="Set an option of both sides.")
@click.option("--set-a", "set_a", type=Setting(), multiple=True, help="Set an option of A.")
@click.option("--set-b", "set_b", type=Setting(), multiple=True, help="Set an option of B.")
@click.option("--bots", help="Who plays: NAME for all, P2=NAME,… for some.  [default: steady]")
@click.option("--show", type=Whole(0, MOST_SEED), help="Show the game of this seed.")
@click.option("--format", "fmt", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option(
    "--full",
    type=FilePath(dir_okay=False),
    help="Keep the whole report in this file (.html, .md, .json or .txt).",
)
@click.option("--workers", type=Whole(1), help="Processes.  [default: all processors]")
def command(
    one: str,
    other: str | None,
    seeds: int,
    seed: int,
    players: int | None,
    both: tuple[tuple[str, str], ...],
    set_a: tuple[tuple[str, str], ...],
    set_b: tuple[tuple[str, str], ...],
    bots: str | None,
    show: int | None,
    fmt: str,
    full: Path | None,
    workers: int | None,
) -> None:
    """Compare A and B: rulesets, variants, or traces; REV:PATH is a file at a git revision.

    Says which rules differ, plays both with the same seeds, and says where games first differ, by
    the rule behind it, and how results move. With A alone, its last commit is compared with it.
    """
    if full is not None and full.suffix not in ENDINGS:
        misuse(f"--full keeps {', '.join(ENDINGS)} files; `{full.name}` is none")
    left, right = _sources(one, other, bool(both or set_a or set_b))
    if left.is_trace or right.is_trace:
        if both or set_a or set_b or players is not None or bots or show is not None:
            misuse("a trace itself says players, seed, options and bots")
        _traces(left, right, fmt, full)
        return
    mine = sides.side(left, dict((*both, *set_a)))
    its = sides.side(right, dict((*both, *set_b)))
    if mine.name == its.name:
        mine, its = _told_apart(mine, its)
    if show is not None:
        _game(mine, its, players, show, bots, fmt, full)
        return
    counts = _counts(mine, its, players)
    spec = _bots(bots, counts, mine.program, its.program)
    first = min(seed, MOST_SEED - seeds + 1) if seeds else seed
    review = _review(mine, its, range(first, first + seeds), counts, spec, workers)
    _tell(review, fmt, full)
    if not review.same:
        raise click.exceptions.Exit(FOUND)


def _sources(one: str, other: str | None, options: bool) -> tuple[Source, Source]:
    """The files A and B."""
    if other is not None:
        right = sides.source(other, beside=one)
        return sides.source(one, beside=other), right
    right = sides.source(one)
    if options:
        return right, right
    return sides.last_commit(right), right


def _told_apart(one: Side, other: Side) -> tuple[Side, Side]:
    from attrs import evolve

    return evolve(one, name=f"A: {one.name}"), evolve(other, name=f"B: {other.name}")


def _counts(one: Side, other: Side, players: int | None) -> tuple[int, ...]:
    """The numbers of players to compare."""
    from lab.review.changes import shared_players

    shared = tuple(shared_players(one.program, other.program))
    if players is None:
        return shared
    for side in (one, other):
        compiled(side.program, players, side.settings.items(), side.files)
    return (players,)


def _bots(spec: str | None, counts: tuple[int, ...], *programs: Program) -> str:
    from lab import bots

    names = ["steady"]
    for program in programs:  # both must have them
        for count in reversed(counts):
            names = read_seats(spec, count, "steady", program)
    return bots.spelled(names) if counts and spec else "steady"


def _review(
    one: Side,
    other: Side,
    seeds: range,
    counts: tuple[int, ...],
    bots: str,
    workers: int | None,
) -> Review:
    from dsl.diagnostics import RulesError
    from lab.pool import WorkersDied
    from lab.review.report import review

    try:
        with _progress(len(seeds) * len(counts)) as watch:
            return review(one, other, seeds, counts, bots, workers, watch)
    except RulesError as problem:
        if all(d.code in MISUSES for d in problem.diagnostics):
            names = {**one.files, **other.files}
            misuse("\n".join(said(d, names)[0] for d in problem.diagnostics))
        raise
    except WorkersDied:
        click.echo(
            "Error: the processes that play keep dying; perhaps the memory is full. "
            "--workers 1 plays in this one",
            err=True,
        )
        raise click.exceptions.Exit(FOUND) from None


@contextmanager
def _progress(games: int) -> Iterator[Callable[[Any], object] | None]:
    """A bar for somebody who waits at a terminal."""
    if not sys.stderr.isatty() or games < 200:
        yield None
        return
    with click.progressbar(length=games, label="playing", file=sys.stderr) as bar:
        yield lambda _: bar.update(1)


# ── telling ──────────────────────────────────────────────────────────────────────────────────


def _tell(review: Review, fmt: str, full: Path | None) -> None:
    from lab.review.words import FULL, Limits

    if full is not None:
        write_file(full, _told(review, ENDINGS[full.suffix], FULL, ""))
    if fmt == "text":
        _echo_review(review, Limits())
        if full is not None:
            click.echo(f"the whole report: {full}")
        return
    click.echo(_told(review, fmt, Limits(), "" if full is None else full.name), nl=False)


def _told(review: Review, fmt: str, limits: Limits, full: str) -> str:
    from lab.review import as_data, as_html, as_markdown, as_text

    match fmt:
        case "markdown":
            return as_markdown.markdown(review, limits, full)
        case "html":
            return as_html.html(review, limits, full)
        case "json":
            return json.dumps(as_data.data(review), ensure_ascii=False, indent=1) + "\n"
        case _:
            return "".join(f"{line}\n" for _, line in as_text.lines(review, limits))


def _echo_review(review: Review, limits: Limits) -> None:
    from lab.review import as_text

    styles: Mapping[str, dict[str, Any]] = {
        "title": {"bold": True}, "-": {"fg": "red"}, "+": {"fg": "green"}, "quiet": {"dim": True},
    }  # fmt: skip
    for style, line in as_text.lines(review, limits):
        click.echo(click.style(line, **styles.get(style, {})))


# ── traces ───────────────────────────────────────────────────────────────────────────────────


def _traces(left: Source, right: Source, fmt: str, full: Path | None) -> None:
    """Two traces; or a trace and a ruleset, whose game it is played again by."""
    one = sides.trace(left).source if left.is_trace else _played(right, left)
    other = sides.trace(right).source if right.is_trace else _played(left, right)
    _tell_traces(one, other, left.name, right.name, fmt, full)


def _played(trace: Source, ruleset: Source) -> str:
    """The game of a trace, by a ruleset."""
    from cli.golden import again
    from interpreter.trace.reader import TraceError

    found = sides.trace(trace)
    program = sides.side(ruleset, {}).program
    game = compiled(program, found.header.players, found.header.options)
    try:
        return again(found, game)
    except TraceError as problem:
        line = f":{problem.line}" if problem.line else ""
        click.echo(f"Error: {trace.name}{line}: {problem.message}", err=True)
        raise click.exceptions.Exit(FOUND) from None


def _game(
    one: Side,
    other: Side,
    players: int | None,
    seed: int,
    bots: str | None,
    fmt: str,
    full: Path | None,
) -> None:
    """One game on both sides, event by event."""
    from interpreter.trace import run

    texts = []
    for side in (one, other):
        game = compiled(side.program, players, side.settings.items(), side.files)
        names = read_seats(bots, game.players, "steady", game.program)
        from lab import bots as players_

        texts.append(run.trace(game, seed, players_.spelled(names)))
    _tell_traces(texts[0], texts[1], one.name, other.name, fmt, full)


def _tell_traces(one: str, other: str, left: str, right: str, fmt: str, full: Path | None) -> None:
    from interpreter.trace import diff as traces

    diff = traces.compare(one, other)
    if full is not None:
        write_file(full, _told_traces(diff, left, right, ENDINGS[full.suffix], None))
    if fmt == "text":
        echo_trace_diff(diff, left, right)
    else:
        click.echo(_told_traces(diff, left, right, fmt, MOST_LINES), nl=False)
    if not diff.identical:
        raise click.exceptions.Exit(FOUND)


def _told_traces(diff: TraceDiff, left: str, right: str, fmt: str, most: int | None) -> str:
    from interpreter.trace import diff_html, diff_text

    summary = diff_text.summary(diff)
    lines = [f"{sign} {line}" for sign, line in diff_text.unified(diff, most=most)]
    match fmt:
        case "html":
            return diff_html.trace_page(diff, left, right)
        case "json":
            return json.dumps(diff_text.as_data(diff), ensure_ascii=False, indent=1) + "\n"
        case "markdown":
            listed = "".join(f"- {line}\n" for line in summary)
            body = "\n".join(["```diff", *lines, "```"]) + "\n" if lines else ""
            return f"### {left} | {right}\n\n{listed}\n{body}"
        case _:
            return "".join(f"{line}\n" for line in (f"{left} | {right}", *summary, *lines))


def echo_trace_diff(diff: TraceDiff, left: str, right: str, most: int | None = MOST_LINES) -> None:
    """A trace diff at the terminal."""
    from interpreter.trace import diff_text

    click.echo(click.style(f"{left} | {right}", bold=True))
    for line in diff_text.summary(diff):
        click.echo(line)
    for sign, line in diff_text.unified(diff, most=most):
        click.echo(click.style(f"{sign} {line}", fg=COLOURS.get(sign)))
