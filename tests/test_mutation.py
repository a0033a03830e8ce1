"""Mutants of rulesets, and who catches them: a small part of `python -m benchmarks.mutation`."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks import mutation
from benchmarks.mutation_operators import OPERATORS, Mutant, mutants
from dsl import pipeline

RULES = """game "Most of it"  # a comment with most 1
  players 2..3

options
  dealt  2  in 1..4

cards
  number    1..9
  numbered: 2 of each number

places
  deck            face down pile
  hand of player  private hand
  row of player   face up row

setup
  shuffle all cards into deck
  deal dealt from deck to every hand

phase play
  each player
    if not (hand is empty or dealt = 1) then move top of deck to hand
    choose lay ja "most": card from hand
      move it to row

value higher(new, old) = new > old and
    new != old + 1

scoring
  best = highest number over cards in row
  more = if higher(1, size of hand) then 1 else 0

winner most points, then draw
"""


def made() -> list[Mutant]:
    program, found = pipeline.load("most.rules", RULES)
    assert program is not None, found
    return mutants(RULES, program)


def changes(line: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for mutant in made():
        lines = RULES.split("\n")
        if lines[mutant.line - 1].strip().startswith(line):
            found.setdefault(mutant.operator, []).append(mutant.change)
    return found


def test_what_a_line_can_become() -> None:
    assert changes("if not (hand") == {
        "drop": ["not -> (nothing)"],
        "line": ["left out"],
        "name": [
            "hand -> deck", "hand -> row",
            "deck -> hand", "deck -> row",
            "hand (2) -> deck", "hand (2) -> row",
        ],
        "word": ["or -> and"],
        "compare": ["= -> !="],
        "number": ["1 -> 0", "1 -> 2"],
    }  # fmt: skip
    assert changes("winner") == {"word": ["most -> fewest"]}
    assert changes("players 2..3") == {
        "number": ["2 -> 1", "2 -> 3", "3 -> 2", "3 -> 4"],
        "word": ["players -> others"],
    }


def test_a_formula_on_two_lines() -> None:
    assert changes("value higher") == {
        "compare": ["> -> <=", "> -> >="],
        "word": ["and -> or"],
        "local": ["new -> old", "old -> new", "new (2) -> old", "old (2) -> new"],
    }
    assert changes("new != old + 1")["compare"] == ["!= -> ="]
    assert changes("new != old + 1")["local"] == ["new -> old", "old -> new"]


def test_texts_comments_and_titles_stay() -> None:
    assert not changes("game")
    assert not [m for m in changes("choose lay").get("word", ()) if "most" in m]


def test_mutants_differ_in_one_place() -> None:
    found = made()
    assert len({mutant.text for mutant in found}) == len(found)
    assert {mutant.operator for mutant in found} == set(OPERATORS)
    text = RULES.split("\n")
    for mutant in found:
        lines = mutant.text.split("\n")
        if mutant.operator == "line":
            cut = len(text) - len(lines)
            assert cut > 0
            assert lines == text[: mutant.line - 1] + text[mutant.line - 1 + cut :]
        else:
            assert [n for n, (a, b) in enumerate(zip(text, lines, strict=True), 1) if a != b] == [
                mutant.line
            ]


# Who catches them


def verdict(line: str, change: str, name: str = "last-leaf") -> mutation.Verdict:
    kept = mutation.original(name)
    (found,) = [
        mutant
        for mutant in mutants(kept.text, kept.program)
        if mutation.said(name, mutant).startswith(line) and mutant.change == change
    ]
    return mutation.judge(name, found)


@pytest.mark.parametrize(
    ("line", "change", "by"),
    [
        ("value table", "row -> deck", ("check",)),
        ("deal hand_size", "deck -> row", ("check", "examples", "traces")),
        ("hand_size 5", "3 -> 2", ("traces",)),
        ("deck ja", "down -> up", ("traces",)),
    ],
)
def test_who_catches_it(line: str, change: str, by: tuple[str, ...]) -> None:
    assert verdict(line, change).by in by


def test_a_program_that_means_the_same() -> None:
    kept = mutation.original("last-leaf")
    layout = kept.text.replace("  repeat hand_size - 1 as", "  repeat (hand_size - 1) times as")
    program, _ = pipeline.load(kept.path, layout)
    assert program is not None
    assert mutation.shape(program) == kept.shape
    other, _ = pipeline.load(kept.path, kept.text.replace("hand_size - 1 as", "hand_size - 2 as"))
    assert other is not None
    assert mutation.shape(other) != kept.shape


def test_a_sample_of_mutants_is_caught() -> None:
    found = mutation.examine("last-leaf", processes=1, every=9)
    by = Counter(v.by for v in found)
    assert by["check"] > 3
    assert by["traces"] + by["examples"] > 3
    assert not [v.mutant.change for v in found if v.by == "survived" and not v.why]


@pytest.mark.parametrize("name", mutation.RULESETS)
def test_what_is_explained_is_there(name: str) -> None:
    kept = mutation.original(name)
    there = {(mutation.said(name, m), m.change) for m in mutants(kept.text, kept.program)}
    for entry in mutation.known(name):
        assert entry["is"] in ("same", "survivor")
        assert entry["why"].strip()
        for change in entry["changes"]:
            assert (entry["line"], change) in there
