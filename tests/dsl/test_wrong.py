"""Wrong rulesets and exactly what is said about them: one file in `tests/wrong/` for each.

A case holds a ruleset, a line of dashes, and the messages. `UPDATE_WRONG=1 pytest tests/dsl` writes
the messages anew; read what changed before you commit it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dsl import codes, pipeline
from dsl.diagnostics import Diagnostic, render_text

CASES = Path(__file__).parent.parent / "wrong"
LINE = "-" * 40
FOUND_IN_PLAY = "R08"  # codes from here on come from the engine


def split(case: Path) -> tuple[str, str]:
    source, _, messages = case.read_text(encoding="utf-8").partition(f"\n{LINE}\n")
    return source + "\n", messages


def load(case: Path, source: str) -> list[Diagnostic]:
    return pipeline.load(f"{case.stem}.rules", source)[1]


@pytest.fixture(autouse=True)
def _in_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule sheets are looked for beside the case."""
    monkeypatch.chdir(CASES)


@pytest.mark.parametrize("case", sorted(CASES.glob("*.txt")), ids=lambda case: case.stem)
def test_messages(case: Path) -> None:
    source, expected = split(case)
    found = load(case, source)
    messages = render_text(found, {f"{case.stem}.rules": source}) + "\n"
    if os.environ.get("UPDATE_WRONG"):
        case.write_text(f"{source.rstrip()}\n{LINE}\n{messages}", encoding="utf-8")
    assert found, "nothing is wrong with this ruleset"
    assert messages == expected or os.environ.get("UPDATE_WRONG")


def test_every_code_has_a_case_and_an_entry() -> None:
    seen = {item.code for case in CASES.glob("*.txt") for item in load(case, split(case)[0])}
    assert seen <= set(codes.entries())
    # These need a file that can't be read, or that is too long to stand here; test_layout and test_robust have them.
    elsewhere = {"R0101", "R0102", "R0103", "R0106", "R0125"}
    elsewhere |= {"R0199"}  # this needs a fault; test_statements makes one
    elsewhere |= {"R0620"}  # found by playing; test_examples has it
    wanted = {code for code in codes.entries() if code < FOUND_IN_PLAY}
    assert wanted - seen - elsewhere == set()


def test_messages_speak_to_designers() -> None:
    """No word of the parser's or Python's reaches a message."""
    jargon = ("token", "Token", "terminal", "LPAR", "__ANON", "$END", "None", "Unexpected", "_NAME")
    for case in CASES.glob("*.txt"):
        for item in load(case, split(case)[0]):
            words = " ".join([item.message, *item.notes, item.suggestion])
            assert not any(word in words for word in jargon[1:]), (case.stem, words)
