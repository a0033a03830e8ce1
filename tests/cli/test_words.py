"""Every text for players exists in every language, with the same places to fill in."""

from __future__ import annotations

import string

import pytest

from cli.words import _TEXTS, LANGUAGES, Words


def fields(text: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("key", sorted(_TEXTS))
def test_languages_agree(key: str) -> None:
    texts = _TEXTS[key]
    assert len(texts) == len(LANGUAGES)
    assert all(texts)
    assert len({frozenset(fields(text)) for text in texts}) == 1


def test_amounts() -> None:
    assert Words("en").amount(1, "coin") == "1 coin"
    assert Words("en").amount(3, "coin") == "3 coins"
    assert Words("en").amount(2, "vp") == "2 vp"
    assert Words("ja").amount(3, "コイン") == "コイン 3"
    assert Words("ja").amount(3, "点") == "3点"
    assert Words("en").cards(1) == "1 card"
    assert Words("ja").cards(2) == "2枚"
