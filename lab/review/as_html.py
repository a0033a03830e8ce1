"""A review as a page of HTML that stands alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from dsl.amounts import many
from interpreter.trace.diff_html import page
from lab.review import words
from lab.review.report import Group, Review, Spot
from lab.review.words import Limits


def html(review: Review, limits: Limits, full: str = "") -> str:
    """The review; `full` says where the whole of it is."""
    title = f"{review.one.name} | {review.other.name}"
    return page(title, "".join(f"{line}\n" for line in _body(review, limits, title, full)))


def _body(review: Review, limits: Limits, title: str, full: str) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    yield f"<p><b>{escape(words.rules_line(review))}</b> {escape(words.games_line(review))}</p>"
    yield from _changes(review, limits)
    yield from _examples(review, limits)
    if review.games:
        yield from (f"<p>{escape(note)}</p>" for note in words.notes(review))
    if review.different:
        yield from _table(words.COLUMNS, (words.row(count) for count in review.counts))
        yield "<h2>Where they first differ, by the rule behind it</h2>"
        for group in review.groups[: limits.groups]:
            yield from _group(review, group, limits)
        if limits.groups is not None and len(review.groups) > limits.groups:
            left = sum(group.games for group in review.groups[limits.groups :])
            yield f"<p>… and {many(left, 'game')} behind other rules.</p>"
        yield "<h2>Results</h2>"
        yield from _results(review)
    if full:
        yield f'<p class="quiet">The whole report: {escape(full)}</p>'


def _changes(review: Review, limits: Limits) -> Iterator[str]:
    changes = review.changes.items
    if not changes:
        return
    yield "<ul>"
    for change in changes[: limits.changes]:
        title = f"<b>{escape(words.headline(change))}</b>"
        if len(change.words) == 1:
            yield f"<li>{title}: {escape(change.words[0])}</li>"
            continue
        shown = words.cut(change.words, limits.lines, "lines")
        inner = "".join(f"<li>{escape(line)}</li>" for line in shown)
        yield f"<li>{title}<ul>{inner}</ul></li>"
    if limits.changes is not None and len(changes) > limits.changes:
        yield f"<li>… and {len(changes) - limits.changes} more</li>"
    yield "</ul>"


def _examples(review: Review, limits: Limits) -> Iterator[str]:
    if not review.examples:
        return
    yield f"<p>{escape(words.examples_line(review))}</p>"
    yield "<ul>"
    for change in review.examples[: limits.changes]:
        lines = words.example_lines(change, limits)
        inner = "".join(f"<li><code>{escape(line)}</code></li>" for line in lines)
        below = f"<ul>{inner}</ul>" if inner else ""
        yield f"<li>{escape(words.example_title(change))}{below}</li>"
    if limits.changes is not None and len(review.examples) > limits.changes:
        yield f"<li>… and {len(review.examples) - limits.changes} more</li>"
    yield "</ul>"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    yield '<table class="plain">'
    yield f"<tr>{''.join(f'<th>{escape(cell)}</th>' for cell in head)}</tr>"
    for cells in rows:
        yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
    yield "</table>"


def _group(review: Review, group: Group, limits: Limits) -> Iterator[str]:
    yield f"<h3>{escape(words.group_title(group))}</h3>"
    for spot in group.spots[: limits.spots]:
        yield from _spot(review, spot, limits)
    if limits.spots is not None and len(group.spots) > limits.spots:
        left = sum(spot.games for spot in group.spots[limits.spots :])
        yield f"<p>… and {many(left, 'game')} elsewhere.</p>"


def _spot(review: Review, spot: Spot, limits: Limits) -> Iterator[str]:
    example = spot.earliest
    yield f"<p>{many(spot.games, 'game')}; earliest: {escape(words.example_place(example))}"
    if example.first.after:
        yield f'<br><span class="quiet">after {escape(example.first.after)}</span>'
    yield "</p>"
    cells = []
    sides = zip(
        ("gone", "new"),
        words.happened(spot),
        words.offered(spot),
        (words.rule(review.one, spot.left), words.rule(review.other, spot.right)),
        strict=True,
    )
    for kind, text, *more in sides:
        quiet = "".join(f'<br><span class="quiet">{escape(line)}</span>' for line in more if line)
        cells.append(f'<td class="{kind}">{escape(text)}{quiet}</td>')
    yield f'<table class="lines"><tr>{"".join(cells)}</tr></table>'
    games = [f"{e.players} players, seed {e.seed}" for e in spot.examples]
    if len(games) > 1:
        shown = "; ".join(words.cut(games, limits.examples, "games"))
        yield f'<p class="quiet">{escape(shown)}</p>'


def _results(review: Review) -> Iterator[str]:
    yield f"<p>{escape(words.winner_line(review))} {escape(words.RESULTS_NOTE)}</p>"
    shown = [count for count in review.counts if count.different and count.points]
    if not shown:
        return
    seats = max(count.players for count in shown)
    head = ["points with", *(f"P{i}" for i in range(1, seats + 1))]
    rows = [
        [str(count.players), *(words.shift(points) for points in count.points)]
        + [""] * (seats - count.players)
        for count in shown
    ]
    yield from _table(head, rows)
