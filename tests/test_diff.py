"""Traces compared by what happens; rulesets compared by name, in words, and in play."""

from __future__ import annotations

from functools import cache

import pytest

from dsl import pipeline
from dsl.program import Program
from interpreter import compile_game
from interpreter.trace import diff_html, diff_text, reader, run
from interpreter.trace.diff import Kind, TraceDiff, compare
from lab.review import as_data, as_html, as_markdown, as_text, words
from lab.review.changes import Changes, Side, Verb, changes
from lab.review.games import Job
from lab.review.games import compare as play
from lab.review.report import Review, review
from tests.edits import plain


@cache
def edited(name: str, *edits: tuple[str, str]) -> Program:
    """A bundled ruleset with some of its text replaced, each piece everywhere it stands."""
    path, text = plain(name)
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    program, found = pipeline.load(path, text)
    assert program is not None, [d.message for d in found]
    return program


def traced(program: Program, players: int = 3, seed: int = 7, **how: str) -> str:
    return run.trace(compile_game(program, players), seed, **how)


def reviewed(name: str, *edits: tuple[str, str], seeds: int = 12, players: int = 3) -> Review:
    one, other = Side("before", edited(name)), Side("after", edited(name, *edits))
    return review(one, other, range(1, seeds + 1), (players,), workers=1)


# ── traces ───────────────────────────────────────────────────────────────────────────────────

HEAD = "# rules trace 1\n# ruleset my.rules\n# players 2\n# seed 1\n# bots steady\n\n"
GAME = """\
= phase play
== round 1
=== turn P1
  deck -> hand of P1: knight [A1]
  P1 turn: play knight [A2]
  P1 pays 1 coin to bank
=== turn P2
  deck -> hand of P2: thief [A1]
  P2 turn: hold [A2]
== round 2
=== turn P1
  mark P1 ready
  P1 turn: play thief [A2]
= end
  P1: 3 points (coins 3)
  P2: 1 point (coins 1)
  winners: P1
"""


def told(*edits: tuple[str, str]) -> TraceDiff:
    """GAME compared with itself after some edits."""
    text = GAME
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return compare(HEAD + GAME, HEAD + text)


@pytest.mark.parametrize(
    ("old", "new", "kind", "lines"),
    [
        ("P1: knight [A1]", "P1: priest [A1]", Kind.CARDS,
         [("~", "deck -> hand of P1: knight → priest [A1]")]),
        ("pays 1 coin to", "pays 2 coins to", Kind.CHANGED,
         [("-", "P1 pays 1 coin to bank"), ("+", "P1 pays 2 coins to bank")]),
        ("P2 turn: hold [A2]", "P2 turn: play thief [A2]", Kind.CHANGED,
         [("-", "P2 turn: hold [A2]"), ("+", "P2 turn: play thief [A2]")]),
        ("  P1 pays 1 coin to bank\n", "", Kind.GONE, [("-", "P1 pays 1 coin to bank")]),
        ("  mark P1 ready\n", "  mark P1 ready\n  P1 gains 1 vp\n", Kind.NEW,
         [("+", "P1 gains 1 vp")]),
    ],
)  # fmt: skip
def test_kinds_of_difference(old: str, new: str, kind: Kind, lines: list[tuple[str, str]]) -> None:
    diff = told((old, new))
    assert diff.first is not None
    assert diff.first.kind is kind
    assert diff.changed == 1
    shown = [line for line in diff_text.unified(diff, context=0) if line[0] != "@"]
    assert shown == lines


def test_an_act_that_moved() -> None:
    diff = told(
        ("  mark P1 ready\n", ""), ("play thief [A2]\n", "play thief [A2]\n  mark P1 ready\n")
    )
    assert diff.counts[Kind.MOVED] == diff.changed == 1
    signs = [sign for sign, _ in diff_text.unified(diff, context=0)]
    assert sorted(signs) == ["<", ">", "@"] or sorted(signs) == ["<", ">", "@", "@"]


def test_other_clauses_and_forced_choices_are_no_other_play() -> None:
    diff = told(("[A1]", "[A7]"), ("P2 turn: hold", "P2 turn: hold (forced)"))
    assert diff.first is None
    assert not diff.identical
    assert diff.counts[Kind.TAGS] == 2
    said = "\n".join(diff_text.summary(diff))
    assert "A1 → A7" in said
    assert "the play is the same" in said


def test_turns_are_aligned_when_one_is_left_out() -> None:
    left_out = "=== turn P2\n  deck -> hand of P2: thief [A1]\n  P2 turn: hold [A2]\n"
    diff = told((left_out, ""))
    assert diff.counts == {Kind.SAME: 8, Kind.GONE: 2}
    assert [row.where[-1] for row in diff.rows if row.kind is Kind.GONE] == ["turn P2"] * 3


def test_a_renamed_place_is_no_other_play() -> None:
    one, other = edited("throne"), edited("throne", ("treasury", "chest"))
    diff = compare(traced(one), traced(other))
    assert diff.renames == {"treasury": "chest"}
    assert diff.first is None
    assert "renamed: treasury is now chest" in diff_text.summary(diff)


def test_another_card_is_no_rename() -> None:
    """Only one side has a knight, and only the other a priest: that may be the play."""
    diff = told(("knight", "priest"))
    assert diff.renames == {}
    assert diff.changed == 2


def test_numbers_are_no_names() -> None:
    diff = told(("3 points (coins 3)", "14 points (coins 14)"), ("1 point (coins 1)", "3 points"))
    assert diff.renames == {}
    assert diff.changed == 2


def test_text_and_json_lines_compare() -> None:
    program = edited("throne")
    diff = compare(traced(program), traced(program, fmt="jsonl"))
    assert diff.first is None
    assert set(diff.counts) == {Kind.SAME}
    for name in ("gorilla", "last-leaf", "oh-hell"):
        text, lines = (traced(edited(name), fmt=fmt) for fmt in ("text", "jsonl"))
        assert set(compare(text, lines).counts) == {Kind.SAME}


def test_headers() -> None:
    program = edited("throne")
    diff = compare(traced(program, seed=7), traced(program, seed=8))
    assert diff.header == (("seed", "7", "8"),)


def test_every_line_of_a_trace_is_understood() -> None:
    """No event falls through to the last resort, which stands for moments."""
    for name in ("throne", "gorilla", "last-leaf", "oh-hell"):
        text = traced(edited(name))
        diff = compare(text, text)
        for row in diff.rows:
            if row.left is not None and row.left.kind == "moment":
                assert row.left.text.startswith("moment ")


def test_damaged_traces_are_refused() -> None:
    with pytest.raises(reader.TraceError):
        compare(HEAD + GAME, "nonsense")
    damaged = '{"rules_trace": 1, "ruleset": "a", "players": 2, "seed": 1, "bots": "steady"}\n'
    with pytest.raises(reader.TraceError):
        compare(damaged + '{"event": "move"}\n', HEAD + GAME)


def test_side_by_side() -> None:
    page = diff_html.trace_page(told(("pays 1 coin to", "pays 2 coins to")), "a<b", "after")
    assert page.startswith("<!doctype html>")
    assert "a&lt;b" in page
    assert "P1 pays <mark>1</mark> <mark>coin</mark> to bank" in page
    assert "P1 pays <mark>2</mark> <mark>coins</mark> to bank" in page
    assert "http" not in page


# ── rules that differ ────────────────────────────────────────────────────────────────────────


def found(name: str, *edits: tuple[str, str]) -> Changes:
    return changes(Side("a", edited(name)), Side("b", edited(name, *edits)))


BARD = (
    ('magician ja "魔術師" 8', 'magician ja "魔術師" 8, bard 9'),
    ("skill priest", "skill bard\n  draw 1\n\nskill priest"),
    ("policy magician", "policy bard\n  gain 1 vp\n\npolicy magician"),
)


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ([("treasury_limit      15", "treasury_limit      12")],
         {"option treasury_limit": "15 is now 12"}),
        ([("5   in 1..8", "5   in 1..9")],
         {"option turns": "could be a number from 1 to 8, now a number from 1 to 9"}),
        ([("players 3..7", "players 3..6")], {"players": "for 3 to 7 players is now for 3 to 6"}),
        ([("take up to 3 coins from treasury", "take up to 2 coins from treasury")],
         {"skill priest": "“take up to 3 coins from treasury” [T16] is now "
                          "“take up to 2 coins from treasury” [T16]"}),
        ([("      unmark guarded  ", "      # unmark guarded  ")],
         {"phase turns": "no longer “unmark guarded” [T-R6]"}),
        ([("face up pile ", "face down pile ")],
         {"place discard": "“discard face up pile” [T-R14] is now “discard face down pile”"}),
        ([("8 of each job", "9 of each job")], {"kind job_card": "“job_card: 8 of each job”"}),
        (list(BARD), {"property job": "now also “bard 9”", "skill bard": "now also “draw 1”",
                      "policy bard": "now also “gain 1 vp”"}),
        ([("coins × (if trading then 4", "coins × (if trading then 5")],
         {"scoring/coins_left": "then 5 else 1)”"}),
        ([("then smallest number of head, then draw", "then draw")], {"winner": "is now"}),
    ],
)  # fmt: skip
def test_changes_in_words(edits: list[tuple[str, str]], said: dict[str, str]) -> None:
    touching = found("throne", *edits).touching_play
    assert {change.path for change in touching} == set(said)
    for change in touching:
        assert any(said[change.path] in line for line in change.words), change.words


def test_roles_in_words() -> None:
    edit = ("on 4 seats, starting at random", "on 5 seats, starting at random")
    (change,) = found("gorilla", edit).touching_play
    was = "king, merchant, prophet, gorilla on 4 seats, starting at random"
    assert change.words == (f"“{was}” is now “{was.replace('4', '5')}”",)


def test_what_is_no_change() -> None:
    """Comments, blanks, the order of blocks, a longer way to say the same."""
    same = found(
        "throne",
        ("# what overflows scores", "# whatever"),
        ("  draw 2\n", "  draw  2\n"),
        ("value held(j)", "\n\nvalue held(j)"),
    )
    assert same.items == ()


def test_wording_is_told_apart() -> None:
    (change,) = found("throne", ("[T13]", "[T14]")).items
    assert change.verb is Verb.WORDING
    assert "T13" in change.words[0]
    (change,) = found("throne", ('ja "寄進"', 'ja "献金"')).items
    assert change.verb is Verb.WORDING


def test_renames_are_told() -> None:
    made = found("throne", ("can_refill", "may_refill"), ("guarded", "shielded"))
    assert made.renames == {"may_refill": "can_refill", "shielded": "guarded"}
    assert {change.verb for change in made.items} == {Verb.RENAMED}
    assert not made.touching_play


def test_two_options_that_are_both_yes_are_not_one() -> None:
    made = changes(Side("a", edited("throne")), Side("b", edited("gorilla")))
    renamed = {c.path for c in made.items if c.verb is Verb.RENAMED}
    assert not {path for path in renamed if path.startswith("option")}


def test_options_set_by_hand() -> None:
    program = edited("throne")
    made = changes(Side("a", program), Side("b", program, {"turns": "3"}))
    (change,) = made.items
    assert (change.path, change.verb, change.words) == (
        "option turns", Verb.SET, ("set: 5 is now 3",)
    )  # fmt: skip
    assert not changes(Side("a", program), Side("b", program, {"turns": "5"})).items


# ── games ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("edits", "cause", "left", "right"),
    [
        ([("treasury_limit      15", "treasury_limit      12")], "option treasury_limit",
         "P2 pays 1 coin to treasury [T20]", "P2 pays 1 coin to stock [T20]"),
        ([("take up to 3 coins from treasury", "take up to 2 coins from treasury")],
         "skill priest", "treasury pays 3 coins to", "treasury pays 2 coins to"),
        ([("      unmark guarded  ", "      # unmark guarded  ")], "phase turns",
         "unmark P", "deck -> hand of"),
        ([("  pay min(1, coins)                                               [T12]",
           "  pay min(2, coins)                                               [T12]")],
         "phase turns", "pays 1 coin to treasury", "pays 2 coins to treasury"),
        ([("8 of each job", "9 of each job")], "kind job_card", "deck -> hand of", "deck -> "),
        (list(BARD), "property job", "deck -> hand of P1: thief", "deck -> hand of P1: bard"),
        ([("size of hand < final_hand", "size of hand < final_hand - 1")], "value can_refill",
         "turn P", "phase settlement"),
        ([("vp                                                     [T60]",
           "vp + 1")], "scoring/victory_points", "end; P1", "end; P1"),
        ([("        pass ja", "        beg when coins = 0\n          gain 1 vp\n        pass ja")],
         "phase refill", "P", "beg"),
    ],
)  # fmt: skip
def test_the_rule_behind_it(
    edits: list[tuple[str, str]], cause: str, left: str, right: str
) -> None:
    made = reviewed("throne", *edits, seeds=30)
    assert made.different
    for group in made.groups:
        assert group.cause.sure
        assert [change.path for change in group.cause.changes] == [cause]
    first = made.groups[0].spots[0].earliest.first
    assert first.left is not None
    assert first.right is not None
    assert left in first.left.text
    assert right in first.right.text


def test_results_are_those_of_the_traces() -> None:
    made = reviewed("throne", ("treasury_limit      15", "treasury_limit      5"), seeds=8)
    one = edited("throne")
    other = edited("throne", ("treasury_limit      15", "treasury_limit      5"))
    same = moved = 0
    totals = [0, 0]
    for seed in range(1, 9):
        texts = [traced(program, seed=seed) for program in (one, other)]
        same += texts[0] == texts[1]
        moved += texts[0].splitlines()[-1] != texts[1].splitlines()[-1]
        for side, text in enumerate(texts):
            line = next(line for line in text.splitlines() if line.startswith("  P1: "))
            totals[side] += int(line.split()[1])
    (count,) = made.counts
    assert (count.games, count.same, count.winner_changed) == (8, same, moved)
    assert (count.points[0].left * 8, count.points[0].right * 8) == pytest.approx(totals)


def test_any_split_over_processes_gives_the_same() -> None:
    one, other = edited("last-leaf"), edited("last-leaf", ("hand_size    5", "hand_size    4"))
    job = Job(one, other, ({}, {}), (2, 3), range(1, 36))
    assert list(play(job, 1)) == list(play(job, 2))


def test_a_side_that_cannot_go_on() -> None:
    made = reviewed(
        "throne",
        ("      unmark guarded  ", "      pay 1000 / (turns - round) rounded down  #"),
        seeds=2,
    )
    (count,) = made.counts
    assert count.failed == (0, 2)
    assert count.finished == 0
    assert any("can't be played to the end" in note for note in words.notes(made))


def test_games_for_numbers_only_one_side_is_for() -> None:
    one, other = Side("a", edited("throne")), Side("b", edited("throne", ("3..7", "4..8")))
    made = review(one, other, range(1, 2), workers=1)
    assert [count.players for count in made.counts] == [4, 5, 6, 7]
    assert made.only == ((3,), (8,))
    assert not made.same


# ── forms ────────────────────────────────────────────────────────────────────────────────────


def test_markdown_stays_small_and_whole() -> None:
    made = review(Side("a", edited("throne")), Side("b", edited("gorilla")), range(1, 4), workers=1)
    text = as_markdown.markdown(made, words.Limits(), "report.html")
    assert len(text) < as_markdown.MOST + 200
    assert text.count("```") % 2 == 0
    assert len(as_markdown.markdown(made, words.FULL)) > len(text)


def test_forms_tell_the_same() -> None:
    made = reviewed("throne", ("take up to 3 coins from treasury", "take up to 2 coins from stock"))
    text = "\n".join(line for _, line in as_text.lines(made, words.FULL))
    markdown = as_markdown.markdown(made, words.FULL)
    page = as_html.html(made, words.FULL)
    for form in (text, markdown, page):
        assert words.games_line(made) in form
        assert "skill priest: " in form
        assert words.winner_line(made) in form
    data = as_data.data(made)
    assert data["first_differences"][0]["cause"] == ["skill priest"]
    assert data["players"][0]["same"] == made.counts[0].same
    assert "http" not in page


def test_names_are_shown_as_they_are() -> None:
    """What would be signs of Markdown or HTML in names and texts is not."""
    program = edited("throne")
    made = review(Side("a_b*", program), Side("<b>", program, {"turns": "4"}), range(1, 3), (3,))
    assert r"a\_b\*" in as_markdown.markdown(made, words.Limits())
    assert "&lt;b&gt;" in as_html.html(made, words.Limits())


# ── examples ─────────────────────────────────────────────────────────────────────────────────


def with_examples(*written: str) -> Side:
    path, text = plain("throne")
    program, found = pipeline.load(path, text.partition("\nexample ")[0] + "\n" + "".join(written))
    assert program is not None, found
    return Side("side", program)


def test_examples_that_differ() -> None:
    head = 'example "{}"\n  with 3 players  # comment\n  then P1 has {} coins\n'
    one = with_examples(head.format("same", 5), head.format("old", 5), head.format("other", 4))
    other = with_examples(
        head.format("fresh", 5),
        head.format("same", 5).replace("# c", "  # C"),
        head.format("other", 5),
    )
    found = review(one, other, range(0), workers=1)
    assert found.same
    assert [(c.verb, c.title) for c in found.examples] == [
        (Verb.NEW, "fresh"), (Verb.CHANGED, "other"), (Verb.GONE, "old"),
    ]  # fmt: skip
    lines = ("- then P1 has 4 coins", "+ then P1 has 5 coins")
    assert tuple(found.examples[1].lines) == lines
    shown = (
        "\n".join(line for _, line in as_text.lines(found, words.Limits())),
        as_markdown.markdown(found, words.Limits()),
        as_html.html(found, words.Limits()),
    )
    for text in shown:
        assert "Examples: 1 new, 1 changed, 1 gone." in text
        assert all(title in text for title in ("new: “fresh”", "changed: “other”", "gone: “old”"))
        assert all(line in text for line in lines)
    assert as_data.data(found)["examples"][2] == {
        "example": "old", "change": "gone", "right": [],
        "left": ['example "old"', "  with 3 players", "  then P1 has 5 coins"],
    }  # fmt: skip
    assert not review(one, one, range(0), workers=1).examples
