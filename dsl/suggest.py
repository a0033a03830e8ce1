"""Guessing what was meant by a name that does not exist. Used wherever a name is looked up."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

from dsl.synonyms import meant

CLOSE = 0.75  # below this a guess confuses more than it helps


def singulars(word: str) -> list[str]:
    """What `word` may be the plural of, most likely first."""
    found = []
    if word.endswith("ies") and len(word) > 4:
        found.append(word[:-3] + "y")
    if word.endswith("ves") and len(word) > 4:
        found += [word[:-3] + "f", word[:-3] + "fe"]
    if word.endswith("es") and len(word) > 3:
        found.append(word[:-2])
    if word.endswith("s") and len(word) > 2:
        found.insert(0, word[:-1])
    return found


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The one candidate that `word` is very likely a slip for, or None."""
    return _nearest(word, tuple(dict.fromkeys(candidates)))


@lru_cache(maxsize=4096)
def _nearest(word: str, candidates: tuple[str, ...]) -> str | None:
    if not word.isascii() and len(word) > 1:
        near = [each for each in candidates if _one_letter_off(word, each)]
        if len(near) == 1:
            return near[0]
    best, best_ratio = None, 0.0
    lowered = word.lower()
    letters = set(lowered)
    matcher = SequenceMatcher(None, "", lowered)
    for candidate in candidates:
        if candidate == word or not _can_be_close(lowered, letters, candidate.lower()):
            continue
        if _swapped(lowered, candidate.lower()):
            ratio = 0.9
        else:
            matcher.set_seq1(candidate.lower())
            ratio = matcher.ratio()
        if ratio >= CLOSE and ratio > best_ratio:
            best, best_ratio = candidate, ratio
    return best


def _one_letter_off(word: str, candidate: str) -> bool:
    """Whether one letter differs: `手扎` for `手札`. Japanese names are short, so that plain
    similarity rates that too low; of several such names none is the likely one."""
    if len(word) != len(candidate):
        return False
    return sum(a != b for a, b in zip(word, candidate, strict=True)) == 1


def _can_be_close(word: str, letters: set[str], candidate: str) -> bool:
    """Whether words of these lengths and letters can be alike: most can't, and are soon passed."""
    least = CLOSE * (len(word) + len(candidate)) / 2
    if min(len(word), len(candidate)) < least:
        return False
    return sum(map(letters.__contains__, candidate)) >= least


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """A suggestion for a diagnostic, "" where there is none."""
    found = nearest(word, candidates)
    return f"did you mean `{found}`?" if found else ""


def word_meant(word: str, words: Iterable[str]) -> str:
    """A suggestion for a word that nothing begins with: which it means, or is a slip for."""
    known = list(words)
    found = next((each for each in meant(word) if each in known), None)
    if found is None:
        return did_you_mean(word, known)
    if not word.isascii():
        return f"words of the language are English: `{found}`"
    return f"did you mean `{found}`?"


def _swapped(word: str, candidate: str) -> bool:
    """Whether two neighbouring letters changed places, which plain similarity rates too low."""
    if len(word) != len(candidate) or sorted(word) != sorted(candidate):
        return False
    return sum(a != b for a, b in zip(word, candidate, strict=True)) == 2


def nearest_or_all(word: str, known: Iterable[str]) -> str:
    """A suggestion: the name that was meant, or else all there are; "" if there are none."""
    names = list(dict.fromkeys(known))
    near = did_you_mean(word, names)
    if near or not names:
        return near
    return f"there {'is' if len(names) == 1 else 'are'} {listing(names, 'and')}"


def listing(words: Iterable[str], last: str = "or", most: int = 8) -> str:
    """`a`, `b` or `c`, cut to a readable length."""
    quoted = [f"`{word}`" for word in words]
    if len(quoted) > most:
        return ", ".join(quoted[:most]) + ", …"
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"
