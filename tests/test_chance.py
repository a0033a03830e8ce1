"""The mix, against fixed vectors (any back end must give the same), and what shuffles promise."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter import chance

WORDS = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize(
    ("words", "expected"),
    [((), 0x9E3779B9), ((0,), 0xC44756AA), ((1,), 0xF8ADF473), ((1, 2, 3), 0x4CA214E1)],
)
def test_mix_vectors(words: tuple[int, ...], expected: int) -> None:
    assert chance.mix(*words) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("", 0xAB3E7C0B), ("knight", 0x4C5C2977), ("山札", 0xA739A34A)]
)
def test_text_vectors(text: str, expected: int) -> None:
    assert chance.text_word(text) == expected


def test_shuffle_vector() -> None:
    words = chance.item_words(["a", "a", "b", "c", "d", "e", "f", "g"])
    assert chance.shuffle_order(words, chance.mix(7)) == [1, 6, 7, 3, 4, 2, 5, 0]


@given(st.lists(WORDS, max_size=80), WORDS)
def test_lanes_agree_with_the_plain_definition(words: list[int], key: int) -> None:
    assert chance.Lanes(words, range(len(words))).shuffled(key) == chance.shuffle_order(words, key)


@given(st.lists(WORDS, min_size=1, max_size=40, unique=True), st.data())
def test_taking_an_item_out_leaves_the_others_in_order(
    words: list[int], data: st.DataObject
) -> None:
    key = data.draw(WORDS)
    out = data.draw(st.integers(0, len(words) - 1))
    whole = [words[i] for i in chance.shuffle_order(words, key)]
    fewer = words[:out] + words[out + 1 :]
    rest = [fewer[i] for i in chance.shuffle_order(fewer, key)]
    assert [w for w in whole if w != words[out]] == rest


def test_shuffles_are_uniform() -> None:
    """All 24 orders of 4 cards, 24,000 shuffles: chi-squared below its 99.99 % point (23 d.f.)."""
    words = chance.item_words(["a", "b", "c", "d"])
    counts = Counter(
        tuple(chance.shuffle_order(words, chance.mix(seed, 5))) for seed in range(24_000)
    )
    chi2 = sum((counts[order] - 1000) ** 2 / 1000 for order in counts)
    assert len(counts) == 24
    assert chi2 < 58.6


def test_every_input_bit_matters() -> None:
    """Flipping one bit of a word flips each bit of the mix about half the time."""
    flips = Counter[int]()
    for seed in range(400):
        base = chance.mix(seed, 77)
        for bit in range(32):
            changed = base ^ chance.mix(seed ^ (1 << bit), 77)
            for out in range(32):
                flips[out] += changed >> out & 1
    for out in range(32):
        assert 0.47 < flips[out] / (400 * 32) < 0.53


@given(WORDS)
def test_below_stays_below(seed: int) -> None:
    assert 0 <= chance.below(7, seed, 3) < 7
