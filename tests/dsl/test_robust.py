"""Whatever a file holds, reading, checking and formatting it ends in findings, never in a crash.

Longer runs: `RULES_LONG=1`. How long it takes is measured by `benchmarks/frontend.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsl import pipeline, vocabulary
from dsl.diagnostics import RulesError, render_github, render_json, render_text
from dsl.format import formatted
from rulesets import FOLDER

LONG = bool(os.environ.get("RULES_LONG"))
TEXTS = [path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.rules"))]
SIGNS = ["(", ")", ",", ":", "=", "..", "+", "-", "*", '"', "[", "]", "#", "\t", "\u3000", "\n"]
WORDS = [*vocabulary.BY_WORD, *SIGNS, "\n  ", "\n    ", "5", "x", "カード"]
SEEDS = {text for ruleset in TEXTS for text in ruleset.split()}
FILE = "odd.rules"


def often(times: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return settings(
        max_examples=times * (50 if LONG else 1),
        deadline=None,
        database=None,
        derandomize=not LONG,
        suppress_health_check=list(HealthCheck),
    )


def survives(text: str) -> None:
    """Check a text, render what is found in all forms, and format it."""
    program, found = pipeline.load(FILE, text)
    assert (program is None) == any(item.is_error for item in found)
    sources = {FILE: text}
    assert all(form for form in (render_text(found, sources), render_github(found))) or not found
    render_json(found)
    lines = text.count("\n") + text.count("\r") + 1
    for item in found:
        assert item.span is None or 1 <= item.span.line <= lines, item
    try:
        once = formatted(text, FILE)
        assert formatted(once, FILE) == once
    except RulesError as problem:
        assert problem.diagnostics


@often(60)
@given(st.text(max_size=400))
def test_any_text(text: str) -> None:
    survives(text)


@often(40)
@given(st.binary(max_size=400))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / FILE
    path.write_bytes(data)
    program, found = pipeline.load(path)
    assert program is None
    assert found


@often(60)
@given(st.lists(st.sampled_from([*WORDS, *sorted(SEEDS)]), max_size=60))
def test_any_words(words: list[str]) -> None:
    survives(" ".join(words))


@st.composite
def broken(draw: st.DrawFn) -> str:
    """A real ruleset with some slips: lines lost, doubled, moved, cut; words lost or swapped."""
    lines = draw(st.sampled_from(TEXTS)).split("\n")
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        line = lines[at]
        words = line.split(" ")
        spot = draw(st.integers(0, len(line)))
        match draw(st.integers(0, 9)):
            case 0:
                lines[at] = ""
            case 1:
                lines.insert(at, line)
            case 2:
                lines.insert(draw(st.integers(0, len(lines) - 1)), line)
            case 3:
                lines[at] = line[:spot]
            case 4:
                lines[at] = line[:spot] + draw(st.sampled_from([*SIGNS, "x", "９"])) + line[spot:]
            case 5:
                lines[at] = line[:spot] + line[spot + 1 :]
            case 6:
                lines[at] = " ".join(draw(st.permutations(words)))
            case 7:
                lines[at] = " " * draw(st.integers(0, 12)) + line.strip()
            case 8:
                other = draw(st.sampled_from([*WORDS, *sorted(SEEDS)]))
                words[draw(st.integers(0, len(words) - 1))] = other
                lines[at] = " ".join(words)
            case _:
                lines = lines[: at + 1]
    return "\n".join(lines)


@often(16)
@given(broken())
def test_broken_rulesets(text: str) -> None:
    survives(text)


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.split('"')[1])
def test_files_cut_short(text: str) -> None:
    step = 1 if LONG else len(text) // 8
    for end in range(0, len(text), step):
        survives(text[:end])


HEAD = 'game "x"\n  players 2\nphase one\n'


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "  x = " + "(" * 3000 + "1" + ")" * 3000,
        HEAD + "  x = " + "not " * 2000 + "yes",
        HEAD + "  x = " + "-" * 2000 + "1",
        HEAD + "  x = " + " + ".join(["1"] * 2400),
        HEAD + "  x = " + "size of " * 1200 + "hand",
        HEAD + "  if yes\n    do nothing\n" + "  else if yes\n    do nothing\n" * 1500,
        HEAD + "".join(f"{' ' * (depth + 2)}repeat 2\n" for depth in range(1500)),
        HEAD + "".join(f"{' ' * (1500 - depth)}repeat 2\n" for depth in range(1500)),
        HEAD + "  x = " + "a" * 9000,
        HEAD + "  x = " + "9" * 9000,
        HEAD + "  move card from hand\n" * 3000,
        HEAD + "  x = (1,\n" * 2000,
        "opitons\n" * 5000,
        "".join(f"value v{n} = v{n + 1}\n" for n in range(2000)),
        "".join(f"action a{n}\n  a{n + 1}\n" for n in range(2000)),
        "cards\n  suit " + ", ".join(f"s{n}" for n in range(900)),
        "\n" * 100_000,
        "#" * 100_000,
        "[" * 9000,
        '"' * 9001,
        'game "x"\r  players 2\r\rphase one\r',
        HEAD + "  [T1]\n  []\n  x = (1 +\n    [T2]\n    2)",
        'game "x"\x0b\x0c\x85\u2028 players 2',
    ],
    ids=range(23),
)
def test_much_of_one_thing(text: str) -> None:
    survives(text)


def test_a_device_without_end() -> None:
    program, found = pipeline.load("/dev/zero")
    assert program is None
    assert [item.code for item in found] == ["R0102"]


def test_a_broken_file_is_told_of_in_a_few_lines() -> None:
    found = pipeline.load(FILE, HEAD + "  moev it to hand\n" * 20_000)[1]
    assert len(found) == 201
    assert found[-1].code == "R0125"
