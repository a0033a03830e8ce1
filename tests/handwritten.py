"""Handwritten games played at random. Used by the tests of the handwritten games."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from random import Random
from typing import Any


def together(lists: Iterable[list[int]]) -> list[int]:
    return list(chain.from_iterable(lists))


def finish(game: Any, seed: int) -> list[tuple[Any, Any]]:
    """Play on at random; returns what was offered and what was chosen, in order."""
    random = Random(seed)
    story = []
    while not game.over:
        options = game.options()
        option = random.choice(options)
        story.append((options, option))
        game.apply(option)
    return story
