"""Chance that stays put when rules change: every random number is a keyed mix, none a sequence.

Used by the engine (shuffles, random seats), by bots, and by any other back end, which must give
the same numbers to the bit; `docs/reference/chance.md` states the definition, and
`tests/test_chance.py` holds the vectors.

The mix works on 32-bit words, so that JavaScript (`Math.imul`) and C compute it exactly:

    scramble(x): x ^= x >> 16; x *= 0x85EBCA6B; x ^= x >> 13; x *= 0xC2B2AE35; x ^= x >> 16
    mix(w1, …, wk): h = 0x9E3779B9; for each w: h = scramble(h ^ w) * 5 + 0xE6546B64

(all modulo 2**32). `scramble` is the finaliser of MurmurHash3 (Austin Appleby, public domain),
a bijection whose every input bit flips every output bit with probability close to one half.
Texts become words by 32-bit FNV-1a over their UTF-8 bytes, scrambled.

A shuffle is keyed by the mix h of its coordinates: the card with item word c gets the sort key
scramble(c ^ h), and cards lie in order of their keys, the smallest at the bottom.
So a card's key depends on the card and the shuffle alone: taking a card out or putting one in
leaves the order of the others as it was.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache

MASK = 0xFFFFFFFF
_M1 = 0x85EBCA6B
_M2 = 0xC2B2AE35
_LANE = b"\xff\xff\xff\xff\x00\x00\x00\x00"


def scramble(x: int) -> int:
    """Mix the bits of a 32-bit word; a bijection on 0..2**32-1."""
    x ^= x >> 16
    x = x * _M1 & MASK
    x ^= x >> 13
    x = x * _M2 & MASK
    return x ^ (x >> 16)


def mix(*words: int, onto: int = 0x9E3779B9) -> int:
    """One 32-bit word from any number of words (each taken modulo 2**32).

    `mix(a, b)` is `mix(b, onto=mix(a))`: what stays the same can be mixed beforehand.
    """
    h = onto
    for word in words:  # `scramble`, written out: this is called for every shuffle
        h ^= word & MASK
        h = (h ^ h >> 16) * _M1 & MASK
        h = (h ^ h >> 13) * _M2 & MASK
        h = ((h ^ h >> 16) * 5 + 0xE6546B64) & MASK
    return h


@lru_cache(maxsize=65536)
def text_word(text: str) -> int:
    """The word that stands for a text."""
    h = 0x811C9DC5
    for byte in text.encode():
        h = (h ^ byte) * 0x01000193 & MASK
    return scramble(h)


def seed_words(seed: int) -> tuple[int, int]:
    """A seed (any integer, taken modulo 2**64) as two words, low first."""
    return seed & MASK, seed >> 32 & MASK


def below(bound: int, *words: int) -> int:
    """A number in 0..bound-1: the mix scaled by multiplication (bias below bound / 2**32)."""
    return mix(*words) * bound >> 32


class Lanes:
    """Shuffling a fixed list of things (numbers below 1024, at most 1024 of them) at once.

    The item words lie in 64-bit lanes of one long integer, so that each step of `scramble` is one
    operation on all of them: a multiplication of a 32-bit lane by a 32-bit constant stays inside
    its 64 bits, and masking takes it back to 32. Then each lane becomes a double between 1 and 2
    whose fraction is the key, the position, the thing: sorting those is the fastest sort CPython
    has. Same keys as the plain definition, many times faster.
    """

    __slots__ = ("_mask", "_ones", "_pack", "_size", "_small", "_tail", "_unpack", "_words")

    def __init__(self, words: Sequence[int], things: Sequence[int]) -> None:
        count = len(words)
        self._size = 8 * count
        self._words = _pack(words)
        self._ones = _pack([1] * count)
        self._mask = int.from_bytes(_LANE * count, "little")
        # bits 52-63: exponent of 1.0; 20-51: key; 10-19: position, so that equal keys keep the
        # order of the items; 0-9: the thing
        self._tail = _pack([0x3FF << 52 | i << 10 | thing for i, thing in enumerate(things)])
        doubles = struct.Struct(f"<{count}d")
        self._unpack, self._pack = doubles.unpack, doubles.pack
        self._small = all(thing < 256 for thing in things) and count <= 256
        if self._small:  # then the thing has the lowest byte to itself
            self._tail = _pack([0x3FF << 52 | i << 8 | thing for i, thing in enumerate(things)])

    def shuffled(self, key: int) -> list[int]:
        """The things in shuffled order, under a key."""
        mask = self._mask
        x = self._words ^ self._ones * key
        x ^= x >> 16 & mask
        x = x * _M1 & mask
        x ^= x >> 13 & mask
        x = x * _M2 & mask
        x ^= x >> 16 & mask
        lanes = self._unpack((x << 20 | self._tail).to_bytes(self._size, "little"))
        raw = self._pack(*sorted(lanes))
        if self._small:
            return list(raw[::8])
        return [raw[i] | (raw[i + 1] & 3) << 8 for i in range(0, self._size, 8)]


def _pack(words: Sequence[int]) -> int:
    return int.from_bytes(b"".join(word.to_bytes(8, "little") for word in words), "little")


def shuffle_order(words: Sequence[int], key: int) -> list[int]:
    """Positions of items in shuffled order, by the plain definition (see the module's head)."""
    keys = [scramble(word ^ key) for word in words]
    return sorted(range(len(words)), key=lambda i: (keys[i], i))


def item_words(labels: Sequence[str]) -> list[int]:
    """Item words of equal things numbered 1..k among themselves: the n-th "knight" is
    mix(text_word("knight"), n)."""
    seen: dict[str, int] = {}
    words = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        words.append(mix(text_word(label), seen[label]))
    return words
