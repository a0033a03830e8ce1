"""Cards of several kinds with the same values: they are called by their kinds as well. Used by
examples and by whatever names cards."""

from __future__ import annotations

from collections.abc import Iterable


def kinds_alike(cards: Iterable[tuple[str, str]]) -> set[str]:
    """Kinds that have a card of which another kind has one, too. `cards`: what the values of each
    card are called, and its kind."""
    kinds: dict[str, set[str]] = {}
    for name, kind in cards:
        kinds.setdefault(name, set()).add(kind)
    return {kind for found in kinds.values() if len(found) > 1 for kind in found}
