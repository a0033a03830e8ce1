"""A review for a terminal: lines with a style each ("" plain, "title", "-", "+", "quiet")."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.amounts import many
from lab.review import words
from lab.review.report import Group, Review
from lab.review.words import Limits

Styled = tuple[str, str]


def lines(review: Review, limits: Limits) -> Iterator[Styled]:
    """The whole review."""
    yield "title", f"{review.one.name} | {review.other.name}"
    yield "", words.rules_line(review)
    yield from _changes(review, limits)
    yield from _examples(review, limits)
    if not review.games:
        return
    yield "", ""
    yield "", words.games_line(review)
    yield from (("", note) for note in words.notes(review))
    if review.different:
        yield from _table(review)
        yield "", ""
        yield "title", "Where they first differ, by the rule behind it"
        yield from _groups(review, limits)
        yield "", ""
        yield "title", "Results"
        yield from _results(review)


def _changes(review: Review, limits: Limits) -> Iterator[Styled]:
    changes = review.changes.items
    for change in changes[: limits.changes]:
        title = words.headline(change)
        if len(change.words) == 1:
            yield "", f"  {title}: {change.words[0]}"
            continue
        yield "", f"  {title}"
        for line in words.cut(change.words, limits.lines, "lines"):
            yield "", f"    {line}"
    if limits.changes is not None and len(changes) > limits.changes:
        yield "quiet", f"  … and {len(changes) - limits.changes} more"


def _examples(review: Review, limits: Limits) -> Iterator[Styled]:
    if not review.examples:
        return
    yield "", words.examples_line(review)
    for change in review.examples[: limits.changes]:
        yield "", f"  {words.example_title(change)}"
        for line in words.example_lines(change, limits):
            yield (line[0] if line[0] in "+-" else "quiet"), f"    {line}"
    if limits.changes is not None and len(review.examples) > limits.changes:
        yield "quiet", f"  … and {len(review.examples) - limits.changes} more"


def _table(review: Review) -> Iterator[Styled]:
    rows = [words.COLUMNS, *(words.row(count) for count in review.counts)]
    widths = [max(len(cells[i]) for cells in rows) for i in range(len(words.COLUMNS))]
    for cells in rows:
        shown = "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        yield "", f"  {shown}"


def _groups(review: Review, limits: Limits) -> Iterator[Styled]:
    for group in review.groups[: limits.groups]:
        yield "", f"  {words.group_title(group)}"
        yield from _spots(review, group, limits)
    if limits.groups is not None and len(review.groups) > limits.groups:
        left = sum(group.games for group in review.groups[limits.groups :])
        yield "quiet", f"  … and {many(left, 'game')} behind other rules"


def _spots(review: Review, group: Group, limits: Limits) -> Iterator[Styled]:
    for spot in group.spots[: limits.spots]:
        example = spot.earliest
        yield "", f"    {many(spot.games, 'game')}; earliest: {words.example_place(example)}"
        if example.first.after:
            yield "quiet", f"      after {example.first.after}"
        sides = zip(
            "-+",
            words.happened(spot),
            words.offered(spot),
            (words.rule(review.one, spot.left), words.rule(review.other, spot.right)),
            strict=True,
        )
        for sign, text, offered, rule in sides:
            yield sign, f"      {sign} {text}"
            if offered:
                yield "quiet", f"          {offered}"
            if rule:
                yield "quiet", f"          {rule}"
    if limits.spots is not None and len(group.spots) > limits.spots:
        left = sum(spot.games for spot in group.spots[limits.spots :])
        yield "quiet", f"    … and {many(left, 'game')} elsewhere"


def _results(review: Review) -> Iterator[Styled]:
    yield "", f"  {words.winner_line(review)}"
    for count in review.counts:
        if count.different and count.points:
            seats = "  ".join(f"P{i} {words.shift(s)}" for i, s in enumerate(count.points, 1))
            yield "", f"  points with {count.players}: {seats}"
    yield "quiet", f"  {words.RESULTS_NOTE}"
