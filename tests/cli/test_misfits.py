"""Files, numbers and places that do not fit: each is refused in words, and no file is damaged."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.ask import Unknown, find
from cli.common import legible
from dsl.diagnostics import RulesError
from dsl.pipeline import load
from interpreter import bots, compile_game
from interpreter.trace import run
from rulesets import FOLDER

Rules = Callable[..., Any]
Terminal = Callable[..., Any]
HUGE = "9" * 5000
GAME = ("play", "last-leaf", "--players", "2", "--seed", "7", "--bots", "random")


def trace(rules: Rules, fmt: str = "text") -> str:
    text: str = rules("trace", "last-leaf", "--players", 2, "--format", fmt).out
    return text


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


# what is typed


def test_a_number_too_long_to_be_one(rules: Rules) -> None:
    assert find(HUGE, [("hold",), ("play",)]) == Unknown()
    done = rules(*GAME, stdin=HUGE + "\n")
    assert done.status == 2
    assert "is not among the options" in done.err
    assert len(done.err) < 1000
    with pytest.raises(ValueError, match="there is no seat"):
        bots.seats(f"P{HUGE}=random", 4)


def test_messages_hold_no_control_characters(rules: Rules) -> None:
    assert legible("a\x1b[2Jb\n") == "a�[2Jb "
    assert legible("x" * 500) == "x" * 100 + "…"
    write("strange.rules", 'game "X\x1b[2J"\n')
    done = rules("check", "strange.rules")
    assert done.status == 1
    assert "\x1b" not in done.out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["play", ""], "The name given is empty"),
        (["trace", ""], "The name given is empty"),
        (["play", "last-leaf", "--hotseat", "--me", "P1"], "leave out --me"),
        (["play", "last-leaf", "--bots", "p1=random"], "P1 is where you sit"),
        (["play", "last-leaf", "--me", "P2", "--bots", "greedy,P2=random"], "P2 is where you sit"),
        (["trace", "--check", ".", "--view", "P1"], "leave out --format and --view"),
        (["trace", "--check", ".", "--format", "jsonl"], "leave out --format and --view"),
    ],
)
def test_used_wrongly(rules: Rules, args: list[str], message: str) -> None:
    done = rules(*args)
    assert done.status == 2
    assert message in done.err


# saving


def test_a_file_that_is_no_save_is_not_overwritten(rules: Rules) -> None:
    text = (FOLDER / "last-leaf.rules").read_text(encoding="utf-8")
    mine = write("mine.rules", text)
    done = rules("play", mine, *GAME[2:], "--save", mine, stdin="q\n")
    assert done.status == 2
    assert "mine.rules: there is a file that is no saved game" in done.err
    done = rules("play", mine, *GAME[2:], stdin=f"save {mine}\nq\n")
    assert done.status == 2
    assert "no saved game" in done.err
    assert mine.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("before", ["", '{\n"rules_save": 1,\n"ruleset": '])
def test_an_empty_or_damaged_save_is_overwritten(rules: Rules, before: str) -> None:
    path = write("my.json", before)
    assert rules(*GAME, "--save", path, stdin="q\n").status == 0
    assert json.loads(path.read_text(encoding="utf-8"))["rules_save"] == 1


def test_a_game_goes_on_when_it_cannot_be_saved(terminal: Terminal) -> None:
    write("notes.txt", "milk\n")
    at = terminal(*GAME)
    at.wait_for("> ")
    at.type("save notes.txt")
    assert "notes.txt: there is a file that is no saved game" in at.wait_for("\n> ")
    at.type("save notes.txt/x")
    assert "could not be saved: notes.txt" in at.wait_for("\n> ")
    at.type(HUGE[:4000])
    at.wait_for("is not among the options")
    at.wait_for("> ")
    at.type("q")
    assert at.close() == 0
    assert Path("notes.txt").read_text(encoding="utf-8") == "milk\n"


def test_leaving_without_a_save_is_a_failure(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", os.devnull)
    done = rules(*GAME, stdin="1\nq\n")
    assert done.status == 2
    assert "the game could not be saved: " in done.err
    assert "[Errno" not in done.err


def test_how_to_go_on_is_said_so_that_it_works(rules: Rules) -> None:
    done = rules(*GAME, "--save", "my game.json", stdin="q\n")
    assert "rules play --resume --save 'my game.json'" in done.out
    text = (FOLDER / "last-leaf.rules").read_text(encoding="utf-8")
    mine = write("my own.rules", text + "\n# mine\n").resolve()
    done = rules("play", mine, *GAME[2:], stdin="q\n")
    assert f"rules play '{mine}' --resume" in done.out
    assert rules("play", mine, "--resume", stdin="q\n").status == 0


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("seed", -1, "is damaged"),
        ("seed", 2**64, "is damaged"),
        ("seed", True, "is damaged"),
        ("settings", {"nothing": "1"}, "can't be played again: there is no option `nothing`"),
        ("settings", {"hand_size": "99"}, "can't be played again: `hand_size` can't be 99"),
    ],
)
def test_saves_that_are_refused(rules: Rules, key: str, value: object, message: str) -> None:
    rules(*GAME, "--save", "my.json", stdin="1\nq\n")
    data = json.loads(Path("my.json").read_text(encoding="utf-8")) | {key: value}
    write("my.json", json.dumps(data))
    done = rules("play", "--resume", "--save", "my.json")
    assert done.status == 1
    assert message in done.err


def test_a_save_with_a_number_too_long(rules: Rules) -> None:
    write("my.json", f'{{"rules_save": {HUGE}}}')
    done = rules("play", "--resume", "--save", "my.json")
    assert done.status == 1
    assert "is damaged, or is not a saved game" in done.err


def test_a_name_that_is_not_utf8() -> None:
    text = (FOLDER / "last-leaf.rules").read_text(encoding="utf-8")
    name = b"x\xff.rules"
    try:
        Path(os.fsdecode(name)).write_text(text, encoding="utf-8")
    except OSError:
        pytest.skip("file names are UTF-8 here")
    for args, stdin in (
        ([b"play", name], b"1\nq\n"),
        ([b"play", name, b"--resume"], b"q\n"),
        ([b"trace", name, b"--record", b"kept"], b""),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "cli.main", *args], input=stdin, capture_output=True, timeout=60
        )
        assert (done.returncode, done.stderr) == (0, b"")


# traces


def test_one_bad_trace_does_not_hide_the_others(rules: Rules) -> None:
    Path("kept").mkdir()
    good = trace(rules)
    write("kept/a.trace", good.replace("# players 2", "# players 99"))
    write("kept/b.trace", good.replace("last-leaf.rules", "lost.rules"))
    write("kept/c.trace", good.replace("# players", "# set nothing=1\n# players"))
    write("kept/d.trace", good)
    done = rules("trace", "--check", "kept")
    assert done.status == 1
    assert "kept/a.trace:1: The Last Leaf is for 2 to 8 players, not 99" in done.out
    assert "kept/b.trace:1: there is no ruleset `lost.rules`" in done.out
    assert "kept/c.trace:1: there is no option `nothing`" in done.out
    assert "1 as before, 3 different" in done.out
    done = rules("trace", "--replay", "kept/a.trace")
    assert done.status == 1
    assert "kept/a.trace:1: The Last Leaf is for" in done.err
    assert rules("trace", "lost.rules", "--replay", "kept/d.trace").status == 2


@pytest.mark.parametrize("name", ["", "..", "/etc/passwd", "a/last-leaf.rules", "\\u0000"])
def test_a_header_names_a_ruleset_and_no_path(rules: Rules, name: str) -> None:
    write("my.jsonl", trace(rules, "jsonl").replace("last-leaf.rules", name, 1))
    done = rules("trace", "--replay", "my.jsonl")
    assert done.status == 1
    assert "my.jsonl:1: the header names no ruleset" in done.err


def test_traces_with_much_too_long_lines(rules: Rules) -> None:
    text = trace(rules)
    for name, damaged in (
        ("a.trace", text + "x" * 100_000),
        ("b.trace", text.replace("trace 1", f"trace {HUGE}")),
        ("c.trace", text.replace("# seed", f"# {HUGE}")),
        ("d.jsonl", trace(rules, "jsonl").replace('"players": 2', f'"players": {HUGE}')),
    ):
        done = rules("trace", "--replay", write(name, damaged))
        assert done.status == 1
        assert done.err.startswith(f"Error: {name}:")
        assert len(done.err) < 300


@pytest.mark.parametrize("fmt", ["text", "jsonl"])
def test_a_byte_order_mark_is_no_difference(rules: Rules, fmt: str) -> None:
    path = write("my.trace", "\ufeff" + trace(rules, fmt))
    assert rules("trace", "--replay", path).status == 0
    assert rules("trace", "--check", path).status == 0


@pytest.mark.parametrize("problem", [errno.EPIPE, errno.ENOSPC])
def test_a_reader_that_leaves_is_no_fault_of_a_rule(problem: int) -> None:
    """What can't be written is not taken for a failure of the rule that was running."""
    program, _ = load(FOLDER / "last-leaf.rules")
    assert program is not None
    game = compile_game(program, players=2, options={})

    def emit(text: str) -> None:
        raise OSError(problem, os.strerror(problem))

    with pytest.raises(OSError, match=os.strerror(problem)):
        run.write(game, emit)


def test_what_happened_before_a_fault_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    program, _ = load(FOLDER / "last-leaf.rules")
    assert program is not None
    game = compile_game(program, players=2, options={})
    whole = run.trace(game)
    parts: list[str] = []
    monkeypatch.setattr(bots, "DECISIONS", 3)
    with pytest.raises(RulesError):
        run.write(game, parts.append)
    written = "".join(parts)
    assert whole.startswith(written)
    assert 1 <= written.count(" lay: ") < whole.count(" lay: ")


def test_a_pipe_that_closes_at_once() -> None:
    trace = f"{sys.executable} -m cli.main trace throne --players 7"
    command = f"{trace} | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert done.stdout == "# rules trace 1\n0\n"
    assert done.stderr == ""


def test_a_pipe_that_closes_hides_no_errors(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.rules"
    wrong.write_text("nothing of this\n" * 500)
    check = f"{sys.executable} -m cli.main check {wrong}"
    command = f"{check} | head -0; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("1\n", "")


@pytest.mark.parametrize(
    ("said", "args"),
    [
        ("`turns` is set twice", ("trace", "throne", "--set", "turns=2", "--set", "turns=3")),
        ("P1 gets two bots", ("trace", "throne", "--bots", "P1=random,P1=greedy")),
        ("which bot? There are saver,", ("trace", "throne", "--bots", "P2=")),
        ("for instance my.rules", ("new", ".rules")),
        ("from two games on", ("compare", "throne", "last-leaf", "-n", "1")),
    ],
)
def test_what_is_said_twice_or_too_short_is_told(
    rules: Rules, said: str, args: tuple[str, ...]
) -> None:
    done = rules(*args)
    assert done.status == 2 and said in done.err
