"""The three renderings of a finding."""

from __future__ import annotations

import json

from dsl.diagnostics import (
    Diagnostic,
    Related,
    RulesError,
    render_github,
    render_json,
    render_text,
    width,
)
from dsl.program import Span

SOURCE = 'game "x"\n  hand ja "手札" of 王様\n'
FOUND = Diagnostic(
    "R0304",
    "there is nothing called `王様`",
    Span("a.rules", 2, 19, 2, 21),
    related=(Related(Span("a.rules", 1, 1, 1, 5), "the game is here"),),
    notes=("names can be in any script",),
    suggestion="did you mean `王`?",
)


def test_text_underlines_the_spot_also_after_wide_characters() -> None:
    assert render_text([FOUND], {"a.rules": SOURCE}).split("\n") == [
        "error R0304: there is nothing called `王様`",
        "  --> a.rules:2:19",
        "  |",
        '2 |   hand ja "手札" of 王様',
        "  |                     ^^^^",
        "  the game is here:",
        "  --> a.rules:1:1",
        "  |",
        '1 | game "x"',
        "  | ^^^^",
        "  note: names can be in any script",
        "  help: did you mean `王`?",
    ]


def test_width_of_wide_and_combining_characters() -> None:
    assert [width(text) for text in ("abc", "手札", "ｶﾞ", "e\u0301", "♠")] == [3, 4, 2, 1, 1]


def test_a_long_line_is_cut_around_the_spot() -> None:
    source = "a" * 400 + "!" + "b" * 400
    found = Diagnostic("R0111", "no", Span("a.rules", 1, 401, 1, 402))
    shown, marked = render_text([found], {"a.rules": source}).split("\n")[-2:]
    assert len(shown) < 180
    assert shown[marked.index("^")] == "!"


def test_findings_without_a_place_or_a_source() -> None:
    assert render_text([Diagnostic("R0101", "gone", None)], {}) == "error R0101: gone"
    assert render_text([FOUND], {}).split("\n")[1] == "  --> a.rules:2:19"


def test_json_is_data() -> None:
    (found,) = json.loads(render_json([FOUND]))
    assert found["code"] == "R0304"
    assert found["span"]["end_column"] == 21
    assert found["suggestion"] == "did you mean `王`?"
    assert found["related"][0]["note"] == "the game is here"


def test_github_commands_are_escaped() -> None:
    found = Diagnostic("R0501", "50% of a\nb", Span("a,b.rules", 2, 1, 2, 3), severity="warning")
    assert render_github([found]) == (
        "::warning file=a%2Cb.rules,line=2,col=1,endLine=2,endColumn=3,title=R0501::50%25 of a%0Ab"
    )


def test_the_exception_carries_everything() -> None:
    error = RulesError([FOUND], {"a.rules": SOURCE})
    assert error.diagnostics == [FOUND]
    assert "R0304" in str(error)
