"""A review in Markdown, as for a comment below a pull request. Stands alone, and stays small.

GitHub takes comments of up to 65,536 characters; `MOST` leaves room for more than one report.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.amounts import many
from lab.review import words
from lab.review.report import Group, Review
from lab.review.words import Limits

MOST = 30_000


def markdown(review: Review, limits: Limits, full: str = "", most: int = MOST) -> str:
    """The review; `full` says where the whole of it is. With limits, about `most` characters at
    most."""
    text = "\n".join(_lines(review, limits, full)) + "\n"
    if limits == words.FULL or len(text) <= most:
        return text
    kept = text[:most].rpartition("\n")[0]
    fences = kept.count("```") % 2
    return f"{kept}\n{'```' if fences else ''}\n\n… cut here.{_more(full)}\n"


def _more(full: str) -> str:
    return f" All of it: {full}" if full else ""


def _lines(review: Review, limits: Limits, full: str) -> Iterator[str]:
    yield f"### {_plain(review.one.name)} | {_plain(review.other.name)}"
    yield ""
    yield f"**{words.rules_line(review)}** {words.games_line(review)}"
    if review.changes.items:
        yield ""
        yield from _changes(review, limits)
    if review.examples:
        yield ""
        yield from _examples(review, limits)
    if review.games:
        yield from (f"\n{_plain(note)}" for note in words.notes(review))
    if review.different:
        yield ""
        yield f"| {' | '.join(words.COLUMNS)} |"
        yield "|" + " ---: |" * len(words.COLUMNS)
        yield from (f"| {' | '.join(words.row(count))} |" for count in review.counts)
        yield ""
        yield "#### Where they first differ, by the rule behind it"
        yield from _groups(review, limits)
        yield ""
        yield "#### Results"
        yield ""
        yield from _results(review)
    if full:
        yield ""
        yield f"The whole report: {_plain(full)}"


def _changes(review: Review, limits: Limits) -> Iterator[str]:
    changes = review.changes.items
    for change in changes[: limits.changes]:
        title = f"- **{_plain(words.headline(change))}**"
        if len(change.words) == 1:
            yield f"{title}: {_plain(change.words[0])}"
            continue
        yield title
        yield from (f"  - {_plain(w)}" for w in words.cut(change.words, limits.lines, "lines"))
    if limits.changes is not None and len(changes) > limits.changes:
        yield f"- … and {len(changes) - limits.changes} more"


def _examples(review: Review, limits: Limits) -> Iterator[str]:
    yield words.examples_line(review)
    yield ""
    for change in review.examples[: limits.changes]:
        yield f"- {_plain(words.example_title(change))}"
        yield from (f"  - {_plain(line)}" for line in words.example_lines(change, limits))
    if limits.changes is not None and len(review.examples) > limits.changes:
        yield f"- … and {len(review.examples) - limits.changes} more"


def _groups(review: Review, limits: Limits) -> Iterator[str]:
    for group in review.groups[: limits.groups]:
        yield ""
        yield f"**{_plain(words.group_title(group))}**"
        yield from _spots(review, group, limits)
    if limits.groups is not None and len(review.groups) > limits.groups:
        left = sum(group.games for group in review.groups[limits.groups :])
        yield ""
        yield f"… and {many(left, 'game')} behind other rules."


def _spots(review: Review, group: Group, limits: Limits) -> Iterator[str]:
    for spot in group.spots[: limits.spots]:
        example = spot.earliest
        yield ""
        yield f"{many(spot.games, 'game')}; earliest: {words.example_place(example)}"
        yield ""
        yield "```diff"
        if example.first.after:
            yield f"  {_fenced(example.first.after)}"
        sides = zip(
            "-+",
            words.happened(spot),
            words.offered(spot),
            (words.rule(review.one, spot.left), words.rule(review.other, spot.right)),
            strict=True,
        )
        for sign, text, offered, rule in sides:
            yield f"{sign} {_fenced(text)}"
            yield from (f"      {_fenced(more)}" for more in (offered, rule) if more)
        yield "```"
    if limits.spots is not None and len(group.spots) > limits.spots:
        left = sum(spot.games for spot in group.spots[limits.spots :])
        yield ""
        yield f"… and {many(left, 'game')} elsewhere."


def _results(review: Review) -> Iterator[str]:
    yield f"{words.winner_line(review)} {words.RESULTS_NOTE}"
    shown = [count for count in review.counts if count.different and count.points]
    if not shown:
        return
    seats = max(count.players for count in shown)
    yield ""
    yield f"| points with | {' | '.join(f'P{i}' for i in range(1, seats + 1))} |"
    yield "|" + " --- |" * (seats + 1)
    for count in shown:
        cells = [_plain(words.shift(points)) for points in count.points]
        cells += [""] * (seats - len(cells))
        yield f"| {count.players} | {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """Text that Markdown shows as it stands: what it would read as signs is escaped."""
    return "".join(f"\\{char}" if char in r"\`*_[]<>#|~" else char for char in text)


def _fenced(text: str) -> str:
    """A line that can't end the block it stands in."""
    return text.replace("```", "'''").replace("\n", " ")
