"""A review as data that JSON can hold: everything, every game that differs included."""

from __future__ import annotations

from typing import Any

from attrs import asdict

from lab.review import words
from lab.review.changes import Change
from lab.review.example_changes import ExampleChange
from lab.review.games import Happening
from lab.review.report import Count, Example, Group, Review, Shift, Spot

VERSION = 1


def data(review: Review) -> dict[str, Any]:
    """The review; what its fields mean is told in docs/reference/commands.md."""
    return {
        "rules_review": VERSION,
        "left": review.one.name,
        "right": review.other.name,
        "same": review.same,
        "changes": [_change(change) for change in review.changes.items],
        "examples": [_example_change(change) for change in review.examples],
        "bots": review.bots,
        "seeds": [review.seeds[0], review.seeds[-1]] if len(review.seeds) else [],
        "players": [_count(count) for count in review.counts],
        "only": {"left": list(review.only[0]), "right": list(review.only[1])},
        "first_differences": [_group(review, group) for group in review.groups],
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "rule": change.path,
        "change": change.verb.value,
        "tags": list(change.tags),
        "words": list(change.words),
    }


def _example_change(change: ExampleChange) -> dict[str, Any]:
    return {
        "example": change.title,
        "change": change.verb.value,
        "left": list(change.was),
        "right": list(change.now),
    }


def _count(count: Count) -> dict[str, Any]:
    return {
        "players": count.players,
        "games": count.games,
        "same": count.same,
        "same_but_for_the_box": count.box,
        "failed": {"left": count.failed[0], "right": count.failed[1]},
        "finished": count.finished,
        "winner_changed": count.winner_changed,
        "points": [_shift(shift) for shift in count.points],
        "decisions": None if count.decisions is None else _shift(count.decisions),
    }


def _shift(shift: Shift) -> dict[str, Any]:
    return {"left": shift.left, "right": shift.right, "margin": shift.margin}


def _group(review: Review, group: Group) -> dict[str, Any]:
    return {
        "cause": [change.path for change in group.cause.changes],
        "sure": group.cause.sure,
        "games": group.games,
        "spots": [_spot(review, spot) for spot in group.spots],
    }


def _spot(review: Review, spot: Spot) -> dict[str, Any]:
    return {
        "left": words.rule(review.one, spot.left),
        "right": words.rule(review.other, spot.right),
        "games": [_example(example) for example in spot.examples],
    }


def _example(example: Example) -> dict[str, Any]:
    first = example.first
    return {
        "players": example.players,
        "seed": example.seed,
        "where": list(first.where),
        "events_before": first.events,
        "after": first.after,
        "left": _happening(first.left),
        "right": _happening(first.right),
        "failed": {"left": example.failed[0], "right": example.failed[1]},
    }


def _happening(at: Happening | None) -> dict[str, Any] | None:
    if at is None:
        return None
    return {
        "event": at.kind,
        "text": at.text,
        "rule": at.path,
        "place": None if at.span is None else asdict(at.span),
        "tags": list(at.tags),
        "options": list(at.offers),
    }
