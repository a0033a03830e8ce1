"""Invented Programs are the same game in the engine and in the naive reference."""

from __future__ import annotations

import os

import pytest

from tests.reference.comparing import agree
from tests.reference.inventing_rules import invented


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULES_CACHE", "off")


LONG = bool(os.environ.get("RULES_LONG"))
COUNTS = (2, 3, 4)


def counts(seed: int) -> tuple[int, ...]:
    """One number of players, in turn; all of them where `RULES_LONG` is set."""
    return COUNTS if LONG else (COUNTS[seed % len(COUNTS)],)


@pytest.mark.parametrize(("size", "seed"), [(1, seed) for seed in range(600 if LONG else 48)])
def test_small(size: int, seed: int) -> None:
    program = invented(seed, size)
    for players in counts(seed):
        agree(program, players, {}, seed)


@pytest.mark.parametrize(("size", "seed"), [(2, seed) for seed in range(200 if LONG else 12)])
def test_larger(size: int, seed: int) -> None:
    program = invented(seed, size)
    for players in counts(seed):
        agree(program, players, {"limit": 5, "strict": True, "way": "right"}, seed)
