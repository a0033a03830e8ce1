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

LONG = bool(os.environ.get("RULES_LONG"))
TOGETHER = 1 if LONG else 4  # samples in one game
ALONE = ("value", "pick and move")  # contexts of which a game has but one: it has one such value,
# or its samples could leave each other no cards
GAMES = ((2, 1), (3, 2), (4, 3))  # players, seed


def cases() -> list[Any]:
    tables = (
        ("number", NUMBERS, CONTEXTS), ("truth", TRUTHS, CONTEXTS), ("suit", SUITS_, CONTEXTS),
        ("players", PLAYERS, COLLECTION_CONTEXTS), ("values", ENUMS, COLLECTION_CONTEXTS),
        ("cards", CARDS, CARDS_CONTEXTS), ("card", SINGLE_CARDS, CARD_CONTEXTS),
    )  # fmt: skip
    found = [
        (f"{kind}: {', '.join(names)} in {where}", [samples[name] for name in names], context)
        for kind, samples, contexts in tables
        for where, context in contexts.items()
        for names in batched(list(samples), 1 if where in ALONE else TOGETHER)
    ]
    return [
        pytest.param(i, makers, context, id=case) for i, (case, makers, context) in enumerate(found)
    ]


def batched(names: list[str], size: int) -> list[list[str]]:
    return [names[i : i + size] for i in range(0, len(names), size)]


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULES_CACHE", "off")


@pytest.mark.parametrize(("number", "makers", "context"), cases())
def test_sample(number: int, makers: list[Maker], context: Context) -> None:
    """Some in one game, with one number of players, in turn; where `RULES_LONG` is set, each alone
    with all of them."""
    sample = program(makers, context)
    for players, seed in GAMES if LONG else (GAMES[number % len(GAMES)],):
        agree(sample, players, {}, seed)
