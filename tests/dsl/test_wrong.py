"""Wrong rulesets, and exactly what is said about them: `tests/wrong` (see `tests.wrong_cases`).

Most are a small ruleset with one slip. Those in `real` are slips in the rulesets that come with the
program. `UPDATE_WRONG=1 pytest` writes the messages anew; read what changed before you commit it.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import cache

import pytest

from dsl import codes, pipeline
from dsl.diagnostics import Diagnostic, render_text
from tests.wrong_cases import FOLDER, Case, cases

CASES = cases()
FOUND_IN_PLAY = "R08"  # codes from here on come from the engine
NEAR = 1  # lines between a slip and the place a message names
# Cases of which a message names no place near the slip, or no way out: there are none.
FAR: frozenset[str] = frozenset()
WITHOUT_WAY_OUT: frozenset[str] = frozenset()


@cache
def load(case: Case) -> list[Diagnostic]:
    return pipeline.load(case.file, case.source)[1]


@pytest.fixture(autouse=True)
def _in_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule sheets are looked for beside the case."""
    monkeypatch.chdir(FOLDER)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_messages(case: Case) -> None:
    found = load(case)
    messages = render_text(found, {case.file: case.source}) + "\n"
    if os.environ.get("UPDATE_WRONG"):
        case.path.write_text(case.head + messages, encoding="utf-8")
    assert found, "nothing is wrong with this ruleset"
    assert messages == case.messages or os.environ.get("UPDATE_WRONG")


def test_every_message_names_the_place_of_the_slip() -> None:
    """Itself, or by what it says belongs to it."""
    far = {case.name for case in CASES for item in load(case) if not is_near(case, item)}
    assert far == FAR


def is_near(case: Case, item: Diagnostic) -> bool:
    spans = [item.span, *(other.span for other in item.related)]
    lines = [line for span in spans if span for line in range(span.line, span.end_line + 1)]
    return any(abs(line - slip) <= NEAR for line in lines for slip in case.slips)


def test_every_message_says_what_to_do() -> None:
    """What mends it, or what is allowed."""
    without = {case.name for case in CASES for item in load(case) if not says_what_to_do(item)}
    assert without == WITHOUT_WAY_OUT


def says_what_to_do(item: Diagnostic) -> bool:
    allowed = "could stand here" in item.message or "could end here" in item.message
    return bool(item.suggestion or item.notes or allowed)


def test_slips_are_of_the_size_people_make() -> None:
    """The lines a message may point to are few, so that pointing to one of them says something."""
    sizes = Counter(len(case.slips) <= 8 for case in CASES)
    assert all(case.slips for case in CASES)
    assert sizes[True] > 0.85 * len(CASES)


def test_most_are_slips_in_real_rulesets() -> None:
    assert len([case for case in CASES if case.base]) >= 120
    assert len({(case.base, case.source) for case in CASES}) == len(CASES)


def test_every_code_has_a_case_and_an_entry() -> None:
    seen = {item.code for case in CASES for item in load(case)}
    assert seen <= set(codes.entries())
    # These need a file that can't be read, or that is too long to stand here; test_layout and
    # test_robust have them.
    elsewhere = {"R0101", "R0102", "R0103", "R0106", "R0125"}
    elsewhere |= {"R0199"}  # this needs a fault; test_statements makes one
    elsewhere |= {"R0620"}  # found by playing; test_examples has it
    wanted = {code for code in codes.entries() if code < FOUND_IN_PLAY}
    assert wanted - seen - elsewhere == set()


# Codes of files as a whole, of a fault of the language, of what isn't there, and of what playing
# finds (tests/test_codes.py has those).
WITHOUT_SNIPPETS = {"R0101", "R0103", "R0106", "R0125", "R0199", "R0201", "R0514", "R0620"}
CODES = [code for code in codes.entries() if code < FOUND_IN_PLAY]


@pytest.mark.parametrize("code", sorted({*CODES} - WITHOUT_SNIPPETS))
def test_the_snippets_of_a_page_trigger_and_cure(code: str) -> None:
    """What a page calls wrong gets the code, where it stands in a case; what it calls right, in the
    same place, doesn't, and nothing else goes wrong by it."""
    snippets = codes.snippets(code)
    assert snippets is not None, "the page shows no snippets"
    assert any(cures(case, code, *snippets) for case in CASES)


def cures(case: Case, code: str, wrong: str, right: str) -> bool:
    """Whether a case is one of the wrong lines, and the right ones mend it."""
    text, wrong, right = f"\n{case.source}", f"\n{wrong}\n", f"\n{right}\n"
    before = Counter(item.code for item in load(case)) if text.count(wrong) == 1 else Counter()
    if not before[code]:
        return False
    mended = pipeline.load(case.file, text.replace(wrong, right)[1:])[1]
    after = Counter(item.code for item in mended)
    return after[code] < before[code] and set(after) <= set(before)


def test_messages_speak_to_designers() -> None:
    """No word of the parser's or Python's reaches a message."""
    jargon = ("Token", "terminal", "LPAR", "__ANON", "$END", "None", "Unexpected", "_NAME", "parse")
    for case in CASES:
        for item in load(case):
            words = " ".join([item.message, *item.notes, item.suggestion])
            assert not any(word in words for word in jargon), (case.name, words)
