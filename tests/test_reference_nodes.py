"""Each kind of expression in each kind of context: the engine and the reference say the same."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.reference.comparing import agree
from tests.reference.contexts import (
    CARD_CONTEXTS,
    CARDS_CONTEXTS,
    COLLECTION_CONTEXTS,
    CONTEXTS,
    Context,
    program,
)
from tests.reference.samples import (
    CARDS,
    ENUMS,
    NUMBERS,
    PLAYERS,
    SINGLE_CARDS,
    SUITS_,
    TRUTHS,
    Maker,
)


def cases() -> list[Any]:
    tables = (
        ("number", NUMBERS, CONTEXTS), ("truth", TRUTHS, CONTEXTS), ("suit", SUITS_, CONTEXTS),
        ("players", PLAYERS, COLLECTION_CONTEXTS), ("values", ENUMS, COLLECTION_CONTEXTS),
        ("cards", CARDS, CARDS_CONTEXTS), ("card", SINGLE_CARDS, CARD_CONTEXTS),
    )  # fmt: skip
    found = [
        (f"{kind}: {name} in {where}", make, context)
        for kind, samples, contexts in tables
        for name, make in samples.items()
        for where, context in contexts.items()
    ]
    return [
        pytest.param(i, make, context, id=case) for i, (case, make, context) in enumerate(found)
    ]


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULES_CACHE", "off")


@pytest.mark.parametrize(("number", "make", "context"), cases())
def test_sample(number: int, make: Maker, context: Context) -> None:
    """Each with one number of players, in turn; with all of them where `RULES_LONG` is set."""
    sample = program(make, context)
    games = ((2, 1), (3, 2), (4, 3))
    for players, seed in games if os.environ.get("RULES_LONG") else (games[number % 3],):
        agree(sample, players, {}, seed)
