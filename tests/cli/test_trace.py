"""`rules trace`: both formats, views, golden traces, replaying; and traces that are damaged."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsl import pipeline
from interpreter import Game, compile_game
from interpreter.trace import reader, run
from rulesets import FOLDER

Rules = Callable[..., Any]
GAMES = ["last-leaf", "throne", "gorilla"]


@pytest.fixture()
def mine() -> Path:
    """A ruleset of one's own, to change."""
    text = (FOLDER / "throne.rules").read_text(encoding="utf-8")
    path = Path("mine.rules")
    path.write_text(text.replace("../seeds", str(FOLDER.parent / "seeds")), encoding="utf-8")
    return path


# formats


def test_header(rules: Rules) -> None:
    done = rules("trace", "throne", "--players", 4, "--seed", 7, "--set", "turns=2",
                 "--bots", "random,P2=greedy")  # fmt: skip
    assert done.out.split("\n\n")[0].splitlines() == [
        "# rules trace 1",
        "# ruleset throne.rules",
        "# set turns=2",
        "# players 4",
        "# seed 7",
        "# bots P1=random,P2=greedy,P3=random,P4=random",
    ]


def test_options_at_their_default_are_not_in_the_header(rules: Rules) -> None:
    assert "# set" not in rules("trace", "throne", "--set", "turns=5").out


@pytest.mark.parametrize("game", GAMES)
def test_the_same_game_every_time(rules: Rules, process: Rules, game: str) -> None:
    assert rules("trace", game).out == process("trace", game).out
    assert rules("trace", game).out != rules("trace", game, "--seed", 2).out


@pytest.mark.parametrize("game", GAMES)
def test_lines_of_text(rules: Rules, game: str) -> None:
    body = rules("trace", game).out.split("\n\n", 1)[1].splitlines()
    for line in body:
        assert re.fullmatch(r"=+ \S.*|  \S.*", line)
    assert body[-1].startswith("  winners: P")
    forced = any(re.search(r" \(forced\)( \[|$)", line) for line in body)
    assert forced or game != "gorilla"
    assert not any(".rules:" in line for line in body)


def test_headings_stand_as_deep_as_the_loops(rules: Rules) -> None:
    lines = rules("trace", "throne", "--players", 3).out.splitlines()
    assert [line for line in lines if line.startswith("=")][:4] == [
        "= phase turns", "== round 1", "=== turn P1", "=== turn P2",
    ]  # fmt: skip
    after = lines[lines.index("= phase refill") + 1]
    assert after.startswith("== turn P")


@pytest.mark.parametrize("game", GAMES)
def test_jsonl_says_everything(rules: Rules, game: str) -> None:
    head, *events = map(json.loads, rules("trace", game, "--format", "jsonl").out.splitlines())
    assert (head["rules_trace"], head["ruleset"], head["seed"]) == (1, f"{game}.rules", 1)
    for event in events:
        assert "rule" in event or event["event"] in ("end", "role")
        match event["event"]:
            case "shuffle":
                assert len(event["cards"]) == event["count"]
            case "move":
                assert event["cards"] and event["from"] and event["to"]
                assert set(event["seen"]) <= {f"P{i}" for i in range(1, head["players"] + 1)}
            case "choice":
                assert event["taken"] == event["options"][event["index"]]
                assert event["forced"] == (len(event["options"]) == 1)
                labels = [option["label"] for option in event["options"]]
                assert len(set(labels)) == len(labels)
                assert all(isinstance(option["value"], dict) for option in event["options"])
    assert events[-1]["event"] == "end"
    assert set(events[-1]["points"]) == {f"P{i}" for i in range(1, head["players"] + 1)}


# views


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("view", [1, 2])
def test_a_view_is_the_trace_with_things_left_out(rules: Rules, game: str, view: int) -> None:
    whole = rules("trace", game).out.splitlines()
    seen = rules("trace", game, "--view", f"P{view}").out.splitlines()
    assert f"# view P{view}" in seen
    assert not any(line.startswith("# seed") for line in seen)
    whole, seen = whole[whole.index("") :], seen[seen.index("") :]
    assert len(whole) == len(seen)
    for full, shown in zip(whole, seen, strict=True):
        plain = full.replace(" (forced)", "")
        if shown in (full, plain):
            continue
        hidden = re.sub(r" \[.*\]$", "", shown)
        if " -> " in hidden:  # a move unseen: how many cards
            assert re.fullmatch(r".*: \d+ cards?", hidden)
        else:  # somebody else's choice
            assert not hidden.startswith(f"  P{view} ")
            assert re.search(r"\?( \(secret\))?$", hidden)


def test_a_view_shows_no_hidden_card(rules: Rules) -> None:
    """What P1 sees of the deal is P1's own; in JSON, too."""
    _, *events = map(
        json.loads, rules("trace", "gorilla", "--view", "P1", "--format", "jsonl").out.splitlines()
    )
    for event in events:
        if event["event"] == "shuffle":
            assert event["cards"] is None
        if event["event"] == "move" and event["cards"] is not None:
            ends = {event["from"], event["to"]}
            assert ends & {"hand of P1", "offer of P1", "pile"} or any("scored" in e for e in ends)
        if event["event"] == "choice" and event["player"] != "P1":
            assert not {"options", "index", "forced"} & set(event)


def test_no_such_view(rules: Rules) -> None:
    done = rules("trace", "throne", "--players", 3, "--view", "P4")
    assert done.status == 2
    assert "there is no seat P4" in done.err


# golden traces


def test_record_and_check(rules: Rules, mine: Path) -> None:
    assert rules("trace", mine, "--record", "golden").status == 0
    assert [p.name for p in sorted(Path("golden").iterdir())] == [
        f"mine-{n}p-1.trace" for n in range(3, 8)
    ]
    done = rules("trace", "--check", "golden")
    assert (done.status, done.out) == (0, "5 as before, 0 different\n")
    mine.write_text(mine.read_text().replace("gain 1 vp", "gain 2 vp"))
    done = rules("trace", mine, "--check", "golden")
    assert done.status == 1
    assert re.search(r"(?m)^golden/mine-\dp-1.trace:\d+: differs$", done.out)
    assert re.search(r"  - +P\d gains 1 vp.*\n  \+ +P\d gains 2 vp", done.out)


def test_record_says_options_and_bots_in_the_name(rules: Rules, mine: Path) -> None:
    args = ("--players", 3, "--seed", 9, "--set", "turns=2", "--bots", "random")
    rules("trace", mine, "--record", "golden", *args, "--format", "jsonl")
    assert [p.name for p in Path("golden").iterdir()] == ["mine-3p-9-turns=2-random.jsonl"]
    assert rules("trace", "--check", "golden").status == 0


def test_check_without_traces(rules: Rules) -> None:
    Path("golden").mkdir()
    done = rules("trace", "--check", "golden")
    assert done.status == 2
    assert "there are no traces in golden" in done.err


# replaying


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("fmt", ["text", "jsonl"])
def test_a_trace_reproduces_itself(rules: Rules, game: str, fmt: str) -> None:
    args = ("--bots", "random", "--seed", 3, "--format", fmt)
    text = rules("trace", game, *args).out
    Path("a.trace").write_text(text, encoding="utf-8")
    done = rules("trace", "--replay", "a.trace")
    assert done.status == 0
    assert "the same trace" in done.out
    other = {"text": "jsonl", "jsonl": "text"}[fmt]
    turned = rules("trace", "--replay", "a.trace", "--format", other).out
    assert turned == rules("trace", game, "--bots", "random", "--seed", 3, "--format", other).out
    assert rules("trace", "--replay", "a.trace", "--view", "P2").out == (
        rules("trace", game, *args, "--view", "P2").out
    )


def test_a_trace_of_other_rules_says_where(rules: Rules, mine: Path) -> None:
    Path("a.trace").write_text(rules("trace", mine).out, encoding="utf-8")
    mine.write_text(mine.read_text().replace("gain 1 vp", "gain 2 vp"))
    done = rules("trace", "--replay", "a.trace")
    assert done.status == 1
    assert re.search(r"a.trace:\d+: differs", done.out)


def cut(text: str, lines: int) -> str:
    return "".join(text.splitlines(keepends=True)[:lines])


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda t: "", "the trace is empty"),
        (lambda t: "hello\n", "this is not a trace"),
        (lambda t: t.replace("trace 1", "trace 2"), "version 2; this program reads version 1"),
        (lambda t: cut(t, 4), "the trace stops in its header"),
        (lambda t: cut(t, 40), "the trace is cut off"),
        (lambda t: t[: len(t) // 2], "the trace is cut off"),
        (lambda t: t[:-1], "the trace is cut off"),
        (lambda t: t.replace("# players 4\n", ""), "the header does not say `players`"),
        (lambda t: t.replace("# seed 1\n", ""), "the header does not say `seed`"),
        (lambda t: t.replace("# seed 1", "# seed one"), "must be numbers"),
        (lambda t: t.replace("# bots", "# robots"), "this line of the header is damaged"),
        (lambda t: t.replace("  P1 turn: hold", "  P1 turn: sleep", 1), "can't choose `sleep`"),
        (lambda t: t.replace("\n  P1 turn", "\nP1 turn", 1), "this line is damaged"),
        (lambda t: t.replace("  P1 turn: ", "  P2 turn: ", 1), "here P2 chooses `turn`, but"),
        (lambda t: t.replace("\n= phase refill", "\n\n= phase refill"), "an empty line"),
        (lambda t: t.replace("# players 4", "# players 9"), "is for 3 to 7 players, not 9"),
        (lambda t: t.replace("# seed", "# set turns=77\n# seed"), "`turns` can't be 77"),
        (lambda t: t.replace("throne.rules", "none.rules"), "there is no ruleset `none.rules`"),
    ],
)
def test_damaged_text(rules: Rules, damage: Callable[[str], str], message: str) -> None:
    text = rules("trace", "throne", "--bots", "random").out
    damaged = damage(text)
    assert damaged != text
    Path("a.trace").write_text(damaged, encoding="utf-8")
    done = rules("trace", "--replay", "a.trace")
    assert done.status in (1, 2)
    assert message in done.err


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda t: cut(t, 1), "the trace is cut off"),
        (lambda t: cut(t, 60), "the trace is cut off"),
        (lambda t: t[: len(t) // 2], "it is not JSON"),
        (lambda t: t + "{}\n", "something follows the end"),
        (lambda t: t.replace('"rules_trace": 1', '"rules_trace": 3'), "a trace of version 3"),
        (lambda t: t.replace('"set": {}', '"set": 3'), "the header's `set` is damaged"),
        (lambda t: t.replace('"taken"', '"taking"', 1), "this choice is damaged"),
        (lambda t: cut(t, 3) + "[1, 2]\n", "it is not an object"),
        (lambda t: "{\n", "it is not JSON"),
    ],
)
def test_damaged_json(rules: Rules, damage: Callable[[str], str], message: str) -> None:
    text = rules("trace", "throne", "--format", "jsonl").out
    Path("a.jsonl").write_text(damage(text), encoding="utf-8")
    done = rules("trace", "--replay", "a.jsonl")
    assert done.status == 1
    assert message in done.err


@pytest.fixture(scope="module")
def small() -> tuple[Game, dict[str, str]]:
    """A short game, and its trace in both formats."""
    program, _ = pipeline.load(FOLDER / "last-leaf.rules")
    assert program is not None
    game = compile_game(program, 2, {"hand_size": 3})
    return game, {fmt: run.trace(game, 1, "random", fmt) for fmt in run.FORMATS}


@pytest.mark.parametrize("fmt", list(run.FORMATS))
@given(data=st.data())
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_damage_is_a_clear_error(
    small: tuple[Game, dict[str, str]], fmt: str, data: st.DataObject
) -> None:
    game, traces = small
    text = traces[fmt]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    damaged = text[:start] + data.draw(st.text(max_size=8)) + text[end:]
    try:
        again = reader.replay(reader.parse(damaged), game)
    except reader.TraceError as problem:
        assert problem.message
    else:
        assert (again == damaged) == (reader.differs(again, damaged) is None)
        if damaged == text:
            assert again == text


@pytest.mark.parametrize("data", [b"\xff\xfe# rules trace 1", b"# rules trace 1\n\0\0\0"])
def test_binary(rules: Rules, data: bytes) -> None:
    Path("a.trace").write_bytes(data)
    done = rules("trace", "--replay", "a.trace")
    assert done.status == 1
    assert "this is not a trace" in done.err


def test_views_cant_be_replayed(rules: Rules) -> None:
    for fmt in ("text", "jsonl"):
        out = rules("trace", "throne", "--view", "P2", "--format", fmt).out
        Path("a.trace").write_text(out, encoding="utf-8")
        done = rules("trace", "--replay", "a.trace")
        assert done.status == 1
        assert "a view (P2) can't be replayed" in done.err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "which ruleset?"),
        (["throne", "--bots", "P1"], "there is no bot `P1`"),
        (["throne", "--record", "a", "--view", "P1"], "a view can't be played again"),
        (["--replay", "."], "is a directory"),
        (["--check", "nowhere"], "does not exist"),
        (["throne", "--check", ".", "--seed", "3"], "the trace itself says"),
        (["throne", "--check", ".", "--record", "."], "use one of --record, --check and --replay"),
        (["throne", "--seed", "-1"], "should be a whole number from 0 to"),
    ],
)
def test_used_wrongly(rules: Rules, args: list[str], message: str) -> None:
    done = rules("trace", *args)
    assert done.status == 2
    assert message in done.err
