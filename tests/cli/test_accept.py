"""`rules accept`, golden traces that stop before the end of the game, and `g` at the table."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Rules = Callable[..., Any]
SMALL = Path(__file__).with_name("small.rules")
WINS, WINS_MORE = "p gains 1 vp", "p gains 2 vp"


@pytest.fixture()
def golden(rules: Rules) -> Path:
    """A ruleset with golden traces for 2 and 3 players, seeds 1 and 2."""
    shutil.copy(SMALL, "small.rules")
    for seed in (1, 2):
        assert rules("trace", "small.rules", "--seed", seed, "--record", "golden").status == 0
    return Path("golden")


def edit(old: str, new: str) -> None:
    path = Path("small.rules")
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_nothing_to_accept(rules: Rules, golden: Path) -> None:
    done = rules("accept")
    assert (done.status, done.out) == (0, "4 as before, 0 different\n")


def test_list_shows_the_first_difference_with_its_rule(rules: Rules, golden: Path) -> None:
    edit(WINS, WINS_MORE)
    before = [path.read_bytes() for path in sorted(golden.iterdir())]
    done = rules("accept", "--list")
    assert done.status == 1
    assert "0 as before, 4 different" in done.out
    assert "first difference: phase play, round 1" in done.out
    assert "gains 1 vp [S5]\n" in done.out
    assert "rule: phase play (small.rules:35 [S5]): p gains 2 vp" in done.out
    assert [path.read_bytes() for path in sorted(golden.iterdir())] == before


def test_one_by_one(rules: Rules, golden: Path) -> None:
    edit(WINS, WINS_MORE)
    done = rules("accept", stdin="y\nn\nd\ny\nq\n")
    assert done.status == 1
    assert "2 taken, 2 left as they were" in done.out
    assert "2 as before, 2 different" in rules("accept", "--list").out
    names = sorted(path.name for path in golden.iterdir())
    check = rules("trace", "--check", "golden")
    assert [name for name in names if f"golden/{name}" in check.out] == [names[1], names[3]]


def test_all_by_the_same_rule(rules: Rules, golden: Path) -> None:
    """An edit that shows first by one rule in some traces, and by another in others."""
    rules("trace", "small.rules", "--players", 2, "--seed", 3, "--set", "rounds=1", "--record",
          "golden")  # fmt: skip
    edit(WINS, WINS_MORE)
    assert rules("accept", stdin="r\n").out.count("taken: ") == 4
    assert rules("accept").status == 0


def test_all(rules: Rules, golden: Path) -> None:
    edit(WINS, WINS_MORE)
    done = rules("accept", "--all")
    assert done.status == 0
    assert "4 taken, 0 left as they were" in done.out
    assert rules("trace", "--check", "golden").status == 0
    edit(WINS_MORE, WINS)
    assert rules("accept", stdin="n\na\n").out.endswith("3 taken, 1 left as they were\n")


def test_a_deleted_line_is_shown(rules: Rules, golden: Path) -> None:
    edit("    unmark everyone ready ", "    # unmark everyone ready ")
    done = rules("accept", "--list")
    assert done.status == 1
    assert "- unmark P" in done.out
    assert "ready [S6]" in done.out


def test_traces_that_cannot_be_played(rules: Rules, golden: Path) -> None:
    Path("golden/damaged.trace").write_text("nonsense\n", encoding="utf-8")
    Path("golden/cut.trace").write_bytes(
        b"\n".join((golden / "small-2p-1.trace").read_bytes().split(b"\n")[:20])
    )
    person = (golden / "small-2p-1.trace").read_text(encoding="utf-8")
    lines = person.replace("# bots steady", "# bots person").replace("P1 lay: ", "P1 lay: 1")
    Path("golden/odd.trace").write_text(lines, encoding="utf-8")
    done = rules("accept", "--all")
    assert done.status == 1
    assert "golden/damaged.trace:1: this is not a trace" in done.out
    assert "golden/odd.trace:" in done.out
    assert "P1 can't choose" in done.out
    assert "It can't be played by these rules" in done.out
    assert Path("golden/damaged.trace").read_text(encoding="utf-8") == "nonsense\n"


def test_json_lines(rules: Rules) -> None:
    shutil.copy(SMALL, "small.rules")
    rules("trace", "small.rules", "--format", "jsonl", "--record", "golden")
    edit(WINS, WINS_MORE)
    done = rules("accept", "--all")
    assert done.status == 0
    assert rules("trace", "--check", "golden").status == 0


@pytest.mark.parametrize(
    ("args", "stdin", "said"),
    [
        ([], "", "there is no folder `golden` here"),
        (["."], "", "there are no traces in ."),
        (["--all", "--list"], "", "use one of --all and --list"),
    ],
)
def test_used_wrongly(rules: Rules, args: list[str], stdin: str, said: str) -> None:
    done = rules("accept", *args, stdin=stdin)
    assert done.status == 2
    assert said in done.err


def test_answers_that_end_or_do_not_fit(rules: Rules, golden: Path) -> None:
    edit(WINS, WINS_MORE)
    for stdin, said in (("y\n", "the answers ended"), ("maybe\n", "`maybe` is none of")):
        done = rules("accept", stdin=stdin)
        assert done.status == 2
        assert said in done.err


def test_at_a_terminal(rules: Rules, golden: Path, terminal: Callable[..., Any]) -> None:
    edit(WINS, WINS_MORE)
    screen = terminal("accept")
    screen.wait_for("[1 of 4]")
    screen.type("what")
    screen.wait_for("leave the old one")
    screen.type("a")
    screen.wait_for("4 taken, 0 left")
    assert screen.close() == 0


# ── from the table ───────────────────────────────────────────────────────────────────────────


def test_one_key_keeps_the_game_so_far(rules: Rules) -> None:
    shutil.copy(SMALL, "small.rules")
    done = rules("play", "small.rules", "--players", 2, "--seed", 5, stdin="1\ng\nq\n")
    (path,) = Path("golden").iterdir()
    assert f"Kept as a golden trace: {path}" in done.out
    text = path.read_text(encoding="utf-8")
    assert "# bots P1=person,P2=normal\n" in text
    assert text.endswith("\n= so far\n")
    assert rules("trace", "--check", "golden").status == 0
    assert rules("trace", "--replay", path).status == 0
    edit(WINS, WINS_MORE)
    assert rules("trace", "--check", "golden").status == 1
    assert rules("accept", "--all").status == 0
    assert "gains 2 vp" in path.read_text(encoding="utf-8")


def test_a_golden_so_far_is_told_from_one_cut_off(rules: Rules) -> None:
    shutil.copy(SMALL, "small.rules")
    rules("play", "small.rules", "--players", 2, "--seed", 5, stdin="1\ng\nq\n")
    (path,) = Path("golden").iterdir()
    text = path.read_text(encoding="utf-8")
    path.write_text(text + "== round 9\n", encoding="utf-8")
    done = rules("trace", "--check", "golden")
    assert done.status == 1
    assert "something follows the end of the trace" in done.out
    path.write_text(text.removesuffix("= so far\n"), encoding="utf-8")
    assert "it stops before the end of the game" in rules("trace", "--check", "golden").out


def test_so_far_in_json_lines(rules: Rules) -> None:
    shutil.copy(SMALL, "small.rules")
    rules("play", "small.rules", "--players", 2, "--seed", 5, stdin="1\ng\nq\n")
    (path,) = Path("golden").iterdir()
    lines = rules("trace", "--replay", path, "--format", "jsonl").out
    assert lines.endswith('{"event": "so far"}\n')
    Path("golden/lines.jsonl").write_text(lines, encoding="utf-8")
    assert rules("trace", "--check", "golden").out == "2 as before, 0 different\n"
    assert rules("diff", path, "golden/lines.jsonl").out.count("differ") == 0
    Path("golden/lines.jsonl").write_text(lines + lines.splitlines()[-1] + "\n", encoding="utf-8")
    assert "something follows" in rules("trace", "--check", "golden").out


def test_golden_of_another_language(rules: Rules) -> None:
    shutil.copy(SMALL, "small.rules")
    done = rules("play", "small.rules", "--players", 2, "--seed", 5, "--lang", "ja",
                 stdin="1\ng\nq\n")  # fmt: skip
    assert "手本の記録として残しました" in done.out
    assert rules("trace", "--check", "golden").status == 0
