"""`rules` as a process: at a terminal, with Ctrl-C, with a reader that leaves early."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Terminal = Callable[..., Any]
GAME = ("play", "last-leaf", "--players", "2", "--seed", "7", "--bots", "random")
SAVE = Path("last-leaf.save.json")


def save_file() -> Path:
    return Path(os.environ["XDG_STATE_HOME"]) / "rules" / SAVE


def test_a_game_at_a_terminal(terminal: Terminal) -> None:
    at = terminal(*GAME)
    shown = at.wait_for("\n> ")
    assert "\x1b[" in shown  # colours
    assert "The Last Leaf" in shown
    assert "P1 (you)" in shown
    at.type("?")
    assert "take back your last choice" in at.wait_for("> ")
    at.type("nothing of the kind")
    assert "is not among the options" in at.wait_for("> ")
    at.type("r")
    assert "last-leaf.rules:" in at.wait_for("> ")
    for _ in range(3):
        at.type("1")
        shown = at.wait_for("\n> ")
    assert "round 4" in shown
    at.type("u")
    shown = at.wait_for("\n> ")
    assert "Taken back." in shown
    assert "round 3" in shown
    at.type("1")
    at.wait_for("\n> ")
    at.type("1")
    assert "Winner" in at.wait_for("--seed 7")
    assert at.close() == 0


def test_in_japanese(terminal: Terminal) -> None:
    at = terminal(*GAME, "--lang", "ja")
    shown = at.wait_for("> ")
    assert "ザ・ラスト・リーフ" in shown
    assert "あなたの手札" in shown
    at.type("q")
    assert "保存しました" in at.wait_for("--resume")
    assert at.close() == 0


def test_quit_saves_and_resume_goes_on(terminal: Terminal) -> None:
    at = terminal(*GAME)
    at.wait_for("> ")
    at.type("1")
    at.wait_for("round 2")
    at.type("q")
    assert "rules play last-leaf.rules --resume" in at.wait_for("--resume")
    assert at.close() == 0
    assert len(json.loads(save_file().read_text())["choices"]) == 2
    at = terminal("play", "--resume")
    assert "round 2" in at.wait_for("> ")
    at.type("", "\x04")  # Ctrl-D is quit, too
    at.wait_for("--resume")
    assert at.close() == 0


def test_ctrl_c_saves(terminal: Terminal) -> None:
    at = terminal(*GAME)
    at.wait_for("> ")
    at.type("1")
    at.wait_for("round 2")
    at.type("", "\x03")
    at.wait_for("--resume")
    assert at.close() == 130
    assert len(json.loads(save_file().read_text())["choices"]) == 2


def test_hotseat_hides_hands_between_players(terminal: Terminal) -> None:
    at = terminal("play", "last-leaf", "--players", "2", "--seed", "7", "--hotseat")
    at.wait_for("Press Enter when P1")
    at.type("")
    at.wait_for("> ")
    at.type("1")
    between = at.wait_for("Press Enter when P2")
    assert "Your hand" not in between.split("\x1b[2J")[-1]
    at.type("")
    at.wait_for("P2 (you)")
    at.wait_for("> ")
    at.type("q")
    assert at.close() == 0


def test_a_script_then_the_keyboard(terminal: Terminal) -> None:
    Path("moves.txt").write_text("1\n1\n", encoding="utf-8")
    at = terminal(*GAME, "--script", "moves.txt")
    at.wait_for("round 3")
    at.wait_for("> ")
    at.type("q")
    assert at.close() == 0


@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM"])
def test_a_closed_terminal_loses_nothing(terminal: Terminal, name: str) -> None:
    at = terminal(*GAME)
    at.wait_for("\n> ")
    at.type("1")
    at.wait_for("\n> ")
    at.send(getattr(signal, name))
    assert at.close() == 128 + getattr(signal, name)
    choices = json.loads(save_file().read_text())["choices"]
    assert [choice[0] for choice in choices] == [0, 1]


def start(*args: str, **streams: Any) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-m", "cli.main", *args], text=True, **streams)


def test_ctrl_c_in_a_pipe() -> None:
    at = start(*GAME, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert at.stdout is not None
    for line in at.stdout:
        if line.startswith("P1, lay"):
            break
    at.send_signal(signal.SIGINT)
    _, err = at.communicate(timeout=30)
    assert at.returncode == 130
    assert err.strip() == ""


def test_ctrl_c_in_a_long_run() -> None:
    at = start("trace", "gorilla", "--bots", "greedy", stdout=subprocess.PIPE,
               stderr=subprocess.PIPE)  # fmt: skip
    time.sleep(1.5)
    at.send_signal(signal.SIGINT)
    _, err = at.communicate(timeout=30)
    assert at.returncode == 130
    assert err.strip() == ""


@pytest.mark.parametrize("args", [("trace", "gorilla", "--format", "jsonl"), ("--help",)])
def test_a_reader_that_leaves(args: tuple[str, ...]) -> None:
    at = start(*args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert at.stdout is not None
    assert at.stderr is not None
    at.stdout.close()
    assert at.stderr.read() == ""
    assert at.wait(30) == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-"])
def test_closed_streams(closed: str) -> None:
    command = f"{sys.executable} -m cli.main {' '.join(GAME)} {closed}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: the input ended")


def test_output_that_cant_be_written() -> None:
    with open("/dev/full", "w") as full:
        at = start("trace", "throne", stdout=full, stderr=subprocess.PIPE)
        _, err = at.communicate(timeout=30)
    assert at.returncode == 2
    assert err.startswith("Error: ")
    assert "No space left" in err
    assert "Traceback" not in err


def test_output_to_a_pipe_is_plain(process: Any) -> None:
    Path("x.rules").write_text("game\n", encoding="utf-8")
    for args in (("check", "x.rules"), ("trace", "last-leaf"), ("--help",)):
        done = process(*args)
        assert "\x1b" not in done.out + done.err


def test_pipes_are_utf8_whatever_the_locale() -> None:
    at = start(*GAME, "--lang", "ja", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
               env=os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
               encoding="utf-8")  # fmt: skip
    out, _ = at.communicate("1\n" * 4, timeout=30)
    assert at.returncode == 0
    assert "あなたの手札" in out


def test_a_full_disk_leaves_the_old_file(monkeypatch: pytest.MonkeyPatch) -> None:
    from cli import common

    path = Path("kept.txt")
    path.write_text("as it was")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(common.os, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        common.write_file(path, "new")
    assert path.read_text() == "as it was"
    assert os.listdir() == ["kept.txt"]
