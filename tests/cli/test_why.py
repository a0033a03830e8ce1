"""`rules why`, and `why` at the table."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulesets import FOLDER

Rules = Callable[..., "object"]
OH_HELL = ("why", "oh-hell", "--players", "3", "--seed", "2")
LAST_BID = ("--at", "round 1, P3 bidding")


@pytest.fixture()
def trace(rules: Rules) -> Path:
    """A kept game of Throne of Empire."""
    return keep(rules, "throne", "game.trace")


def keep(rules: Rules, ruleset: str, name: str, *more: str) -> Path:
    path = Path(name)
    done = rules("trace", ruleset, "--players", "3", "--seed", "4", *more)
    path.write_text(done.out, encoding="utf-8")
    return path


def line_of(path: Path, text: str) -> int:
    lines = path.read_text(encoding="utf-8").split("\n")
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_what_refuses_and_the_values_it_saw(rules: Rules) -> None:
    done = rules(*OH_HELL, *LAST_BID, "2")
    assert (done.status, done.err) == (0, "")
    assert done.out.split("\n") == [
        "`2` can't be chosen: oh-hell.rules:44",
        "  yes  hook",
        "  yes  left of me is starter       left of me = P1, starter = P1",
        "  no   bids_so_far + it != tricks  "
        "bids_so_far + it = 7, bids_so_far = 5, it = 2, tricks = 7",
        "",
    ]


def test_what_is_offered_and_what_is_not(rules: Rules) -> None:
    done = rules(*OH_HELL, *LAST_BID)
    head, offered, refused = (
        done.out.partition("\noh-hell.rules:44 offers:\n")[0],
        done.out,
        done.out,
    )
    assert head == "line 40: play, round 1, turn P3, P3 bidding: 0"
    assert "offers:\n  0\n  1\n  3\n  4\n" in offered
    assert "What can't be chosen here:\n  2: oh-hell.rules:44\n    yes  hook\n" in refused


def test_in_japanese(rules: Rules) -> None:
    done = rules(*OH_HELL, "--at", "ラウンド 1, P3 ビッド", "２", "--lang", "ja")
    assert done.status == 0, done.err
    assert done.out.startswith("「2」は選べません: oh-hell.rules:44\n  ○  hook\n")


@pytest.mark.parametrize(
    "where",
    [
        "round 1, turn P2, turn",
        "P2 turn, round 1, phase turns",
        "turns, turn P2, round 1, phase turns/turn",
        "手番 P2, 巡 1, ホールドかプレイ",
        "= ROUND 1, = turn 2, turn",
        "choice 3",
        "#3",
    ],
)
def test_places_as_people_read_them_off_a_trace(rules: Rules, trace: Path, where: str) -> None:
    done = rules("why", "throne", "--trace", trace, "--at", where)
    line = line_of(trace, "  P2 turn: ")
    assert done.status == 0, done.err
    assert done.out.startswith(f"line {line}: turns, round 1, turn P2, P2 turn: ")
    same = rules("why", "throne", "--trace", trace, "--at", line)
    assert same.out == done.out


def test_a_line_of_the_trace_itself(rules: Rules, trace: Path) -> None:
    lines = trace.read_text(encoding="utf-8").split("\n")
    first = next(line for line in lines if line.startswith("  P1 turn: "))
    number = lines.index(first) + 1
    done = rules("why", "throne", "--trace", trace, "--at", first)
    if done.status == 2:  # the same was chosen in other rounds too
        assert f"line {number}: turns, round 1, turn P1, P1 turn: " in done.err
    else:
        assert done.out.startswith(f"line {number}: ")


def test_json_lines_are_as_good(rules: Rules, trace: Path) -> None:
    other = keep(rules, "throne", "game.jsonl", "--format", "jsonl")
    where = ("--at", "round 2, turn P1, turn")
    one = rules("why", "throne", "--trace", trace, *where).out
    two = rules("why", "throne", "--trace", other, *where).out
    assert one.partition(": ")[2] == two.partition(": ")[2]
    first = json.loads(other.read_text(encoding="utf-8").split("\n")[int(two.split()[1][:-1]) - 1])
    assert (first["event"], first["player"], first["name"]) == ("choice", "P1", "turn")


def test_the_game_that_trace_would_play(rules: Rules, trace: Path) -> None:
    where = ("--at", "round 3, turn P2, turn")
    assert (
        rules("why", "throne", "--players", "3", "--seed", "4", *where).out
        == rules("why", "throne", "--trace", trace, *where).out
    )


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("round 1", "fits "),
        ("round 99", "no choice of this game is at `round 99`; a place is, for instance, `"),
        ("round 1, turn P3, refill", "no choice is both there and at `refill`; there are:"),
        ("1", "line 1 of the trace is no choice; the nearest are:"),
        ("choice 0", "there is no choice 0: the game has "),
        ("choice 9999", "there is no choice 9999: the game has "),
        ("", "fits "),
        ("1" * 50, "no choice of this game is at "),
        ("P9", "no choice of this game is at `P9`"),
    ],
)
def test_places_that_are_none(rules: Rules, trace: Path, where: str, said: str) -> None:
    done = rules("why", "throne", "--trace", trace, "--at", where)
    assert (done.status, done.out) == (2, "")
    assert said in done.err


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("zzz", "Nothing at this choice is called `zzz`."),
        ("play", "`play` may be several: "),
        ("P2", "`P2` is no answer to this choice, but to another: `mark`, `favour`."),
        ("x" * 500, "Nothing at this choice is called "),
        ("\x1b[31m", "Nothing at this choice is called "),
    ],
)
def test_things_that_are_none(rules: Rules, trace: Path, what: str, said: str) -> None:
    done = rules("why", "throne", "--trace", trace, "--at", "round 1, turn P1, turn", what)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert "\x1b" not in done.err


def test_a_view_shows_what_its_player_may_know(rules: Rules, trace: Path) -> None:
    at = ("why", "throne", "--trace", trace, "--at", "round 1, turn P2, turn")
    own, other = rules(*at, "--view", "P2"), rules(*at, "--view", "P1")
    assert "offers:" in own.out
    line = line_of(trace, "  P2 turn: ")
    assert other.out == f"line {line}: turns, round 1, turn P2, P2 turn\nIt is P2's choice now.\n"
    several = rules("why", "throne", "--trace", trace, "--at", "P2 turn", "--view", "P1").err
    assert several.count(", P2 turn\n") > 1  # and not what P2 took
    assert rules(*at, "hold", "--view", "P1").out == "It is P2's choice now.\n"
    assert rules(*at, "--view", "P7").status == 2


def test_a_rule_that_changed_since(rules: Rules, trace: Path) -> None:
    """At a choice that the trace took and the rules no longer offer, the rule that refuses it."""
    text = (FOLDER / "throne.rules").read_text(encoding="utf-8")
    text = text.replace('sheet "../seeds/throne.md"\n', "").replace("hold_needs_coin     yes", "")
    text = (FOLDER / "throne.rules").read_text(encoding="utf-8")
    changed = text.replace(
        'hold ja "ホールド" when coins >= 1', 'hold ja "ホールド" when coins >= 9'
    )
    assert changed != text
    Path("new.rules").write_text(changed.replace("../seeds", str(FOLDER.parent / "seeds")))
    line = line_of(trace, " turn: hold ")
    done = rules("why", "new.rules", "--trace", trace, "--at", line, "hold")
    assert done.status == 0, done.err
    assert done.out.startswith("`hold` can't be chosen: new.rules:")
    assert "  no  coins >= 9 " in done.out
    later = rules("why", "new.rules", "--trace", trace, "--at", line_of(trace, "== round 3"))
    assert later.status == 1
    assert f"{trace}:{line}: " in later.err


def test_traces_that_can_not_be_used(rules: Rules, trace: Path) -> None:
    view = keep(rules, "throne", "view.trace", "--view", "P2")
    done = rules("why", "throne", "--trace", view, "--at", "3")
    assert done.status == 1
    assert "a view (P2) can't be replayed" in done.err
    Path("bad.trace").write_text("hello\n")
    assert rules("why", "throne", "--trace", "bad.trace", "--at", "3").status == 1
    assert rules("why", "throne", "--trace", trace, "--seed", "3", "--at", "3").status == 2
    assert rules("why", "throne", "--trace", "none.trace", "--at", "3").status == 2
    assert rules("why", "throne").status == 2


def test_a_trace_that_stops_short_gives_the_choice_it_stops_at(rules: Rules, trace: Path) -> None:
    lines = trace.read_text(encoding="utf-8").split("\n")
    cut = line_of(trace, "  P2 turn: ") - 1
    trace.write_text("\n".join(lines[:cut]) + "\n", encoding="utf-8")
    done = rules("why", "throne", "--trace", trace, "--at", "turn P2, turn")
    assert done.status == 0, done.err
    assert done.out.startswith("choice 3: turns, round 1, turn P2, P2 turn\n")


# at the table


def test_why_at_the_table(rules: Rules) -> None:
    asked = ["why", "why hold", "why kn", "why zzz", "why play", "why 2", "why ホールド", "q"]
    at = ("play", "throne", "--seed", "7", "--players", "3", "--bots", "random")
    done = rules(*at, stdin="\n".join(asked) + "\n")
    assert done.status == 0, done.err
    for said in (
        "All that this choice is about can be chosen.\n",
        "`hold` can be chosen: throne.rules:52 [T12, T-R2]\n  yes  coins >= 1  coins = 5\n",
        "`play knight` can't be chosen: knight not in `hand`; throne.rules:54 [T13]\n",
        "Nothing at this choice is called `zzz`. The rule is (throne.rules:51 [T11]):\n",
        "`play` may be several: play thief, play priest.\n",
        "`play thief` can be chosen: throne.rules:54 [T13]\n",
    ):
        assert said in done.out
    assert done.out.count("`hold` can be chosen") == 2  # also by its Japanese name


def test_why_at_a_japanese_table(rules: Rules) -> None:
    at = ("play", "throne", "--seed", "7", "--players", "3", "--bots", "random", "--lang", "ja")
    done = rules(*at, stdin="why\nwhy プレイ 騎士\nwhy hold\nq\n")
    assert "この選択で選べないものはありません。" in done.out
    assert (
        "「プレイ 騎士」は選べません: 「hand」に騎士がありません; throne.rules:54 [T13]" in done.out
    )
    assert (
        "「ホールド」は選べます: throne.rules:52 [T12, T-R2]\n  ○  coins >= 1  コイン"
        not in done.out
    )
    assert "  ○  coins >= 1  coins = 5" in done.out
