"""What the forms of a review have in common: its sentences, and how much of it is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attrs import frozen

from dsl.amounts import many
from dsl.diagnostics import shown_file
from interpreter.trace.diff_text import place
from lab.review.changes import Change, Side, Verb
from lab.review.example_changes import ExampleChange
from lab.review.games import Happening
from lab.review.parts import RuleLine
from lab.review.report import Count, Example, Group, Review, Shift, Spot


@frozen
class Limits:
    """How much a short form shows; None: everything."""

    changes: int | None = 20
    lines: int | None = 5
    groups: int | None = 8
    spots: int | None = 3
    examples: int | None = 5


MOST_NAMED = 4  # rules behind one difference
FULL = Limits(None, None, None, None, None)


def cut(things: Sequence[str], most: int | None, what: str) -> list[str]:
    """The first so many of some texts, and how many more there are."""
    if most is None or len(things) <= most:
        return list(things)
    return [*things[:most], f"… and {len(things) - most} more {what}"]


# ── rules ────────────────────────────────────────────────────────────────────────────────────


def headline(change: Change) -> str:
    """A change's name and what became of it: `new: skill bard [T14.9]`."""
    tags = f" [{', '.join(change.tags)}]" if change.tags else ""
    verb = {Verb.NEW: "new: ", Verb.GONE: "gone: ", Verb.RENAMED: "renamed: "}.get(change.verb, "")
    return f"{verb}{change.path}{tags}"


def rules_line(review: Review) -> str:
    """How many rules differ."""
    touching = len(review.changes.touching_play)
    others = len(review.changes.items) - touching
    if not touching and not others:
        return "No rule differs."
    said = "No rule of play differs." if not touching else f"{many(touching, 'rule')} differ."
    if touching == 1:
        said = "1 rule differs."
    return f"{said} {_wording(others)}" if others else said


def _wording(count: int) -> str:
    return f"{count} differ{'s' if count == 1 else ''} in names or wording only."


# ── examples ─────────────────────────────────────────────────────────────────────────────────


def examples_line(review: Review) -> str:
    """How many examples differ; "" if none does."""
    counts = Counter(change.verb for change in review.examples)
    said = (f"{counts[verb]} {verb.value}" for verb in (Verb.NEW, Verb.CHANGED, Verb.GONE)
            if counts[verb])  # fmt: skip
    return f"Examples: {', '.join(said)}." if review.examples else ""


def example_title(change: ExampleChange) -> str:
    """`new: “a full bank takes nothing”`."""
    return f"{change.verb.value}: “{change.title}”"


def example_lines(change: ExampleChange, limits: Limits) -> list[str]:
    """The lines of an example that differ; of one that is new or gone, its title is enough."""
    return cut(list(change.lines), limits.lines, "lines") if change.was and change.now else []


# ── games ────────────────────────────────────────────────────────────────────────────────────


def games_line(review: Review) -> str:
    """How many games there were, and how many stay the same."""
    if not review.games:
        return "No games were played."
    first, last = review.seeds[0], review.seeds[-1]
    seeds = f"seed {first}" if first == last else f"seeds {first} to {last}"
    same = review.games - review.different
    if review.games == 1:
        return f"The game {'stays the same' if same else 'differs'} ({seeds}, {bots(review)})."
    share = f"All {review.games:,}" if not review.different else f"{same:,} of {review.games:,}"
    stay = "stays" if same == 1 else "stay"
    return f"{share} games {stay} the same ({seeds}, {bots(review)})."


def bots(review: Review) -> str:
    """Who played."""
    return f"bots: {review.bots}"


def notes(review: Review) -> list[str]:
    """What else must be known of the games."""
    said = []
    for side, counts in zip((review.one, review.other), review.only, strict=True):
        if counts:
            listed = ", ".join(map(str, counts))
            said.append(f"Only {side.name} is for {listed} players.")
    box = sum(count.box for count in review.counts)
    if box:
        said.append(
            f"In {many(box, 'game')} of those that stay the same, "
            "cards lie in the box that only one side has; nobody met them."
        )
    for side, index in ((review.one, 0), (review.other, 1)):
        failed = sum(count.failed[index] for count in review.counts)
        if failed:
            said.append(f"{side.name} can't be played to the end in {many(failed, 'game')}.")
    return said


def winner_line(review: Review) -> str:
    """In how many games other players win."""
    finished = sum(count.finished for count in review.counts)
    changed = sum(count.winner_changed for count in review.counts)
    return f"The winner is another in {changed:,} of {many(finished, 'game')}."


def group_title(group: Group) -> str:
    """A cause and how many games it changes."""
    paths = cut([change.path for change in group.cause.changes], MOST_NAMED, "rules")
    if not paths:
        name = "no rule that differs"
    elif group.cause.sure:
        name = " and ".join(paths)
    else:
        name = f"one of {', '.join(paths)}"
    return f"{name}: {many(group.games, 'game')}"


def example_place(example: Example) -> str:
    """Where a game first differs: `phase turns, round 3, turn P1 (4 players, seed 94)`."""
    where = place(example.first.where) if example.first.where else "setup"
    return f"{where} ({example.players} players, seed {example.seed})"


def happened(spot: Spot) -> tuple[str, str]:
    """What happens on each side in a spot's earliest game."""
    first, failed = spot.earliest.first, spot.earliest.failed
    left, right = _said(first.left, failed[0]), _said(first.right, failed[1])
    if left == right:
        note = " (the cards in another order)"
        return left + note, right + note
    return left, right


def _said(at: Happening | None, failed: str) -> str:
    if at is None:
        return f"can't go on: {failed}" if failed else "the game is over"
    return at.text


def offered(spot: Spot) -> tuple[str, str]:
    """Of a choice that both sides ask: the options only one side offers, in words; else ""."""
    first = spot.earliest.first
    left, right = first.left, first.right
    if left is None or right is None or left.kind != "choice" or right.kind != "choice":
        return "", ""
    if (left.player, left.choice) != (right.player, right.choice):
        return "", ""
    mine = [option for option in left.offers if option not in right.offers]
    its = [option for option in right.offers if option not in left.offers]
    return _only(mine), _only(its)


def _only(options: Sequence[str]) -> str:
    return f"only here: {'; '.join(cut(options, 6, 'options'))}" if options else ""


def rule(side: Side, line: RuleLine | None) -> str:
    """A rule's line with its file and number: `throne.rules:65: give kept coins to treasury`."""
    if line is None:
        return ""
    file = side.files.get(line.file) or shown_file(line.file)
    return f"{file}:{line.line}: {line.text}" if line.text else f"{file}:{line.line}"


# ── results ──────────────────────────────────────────────────────────────────────────────────


def shift(points: Shift) -> str:
    """`12.9 → 12.7 (-0.2 ± 0.3)`, with a star where the interval leaves out 0."""
    left, right = f"{points.left:.1f}", f"{points.right:.1f}"
    if points.left == points.right and not points.margin:
        return left
    margin = "" if points.margin is None else f" ± {points.margin:.1f}"
    change = f"{points.change:+.1f}".replace("-0.0", "0.0").replace("+0.0", "0.0")
    return f"{left} → {right} ({change}{margin}){'*' if points.clear else ''}"


RESULTS_NOTE = (
    "Means, and how they moved over the same seeds; ± is the half-width of a 95% interval, "
    "and a star marks those that leave out 0."
)


COLUMNS = ("players", "games", "same", "different", "other winner")


def row(count: Count) -> tuple[str, ...]:
    """A line of the table of games."""
    return tuple(
        f"{number:,}"
        for number in (
            count.players,
            count.games,
            count.same,
            count.different,
            count.winner_changed,
        )
    )
