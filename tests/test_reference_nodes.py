"""Each kind of expression in each kind of context: the engine and the reference say the same."""

from __future__ import annotations

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
    return [
        pytest.param(make, context, id=f"{kind}: {name} in {where}")
        for kind, samples, contexts in tables
        for name, make in samples.items()
        for where, context in contexts.items()
    ]


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULES_CACHE", "off")


@pytest.mark.parametrize(("make", "context"), cases())
def test_sample(make: Maker, context: Context) -> None:
    sample = program(make, context)
    for players, seed in ((2, 1), (3, 2), (4, 3)):
        agree(sample, players, {}, seed)
