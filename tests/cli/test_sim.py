"""`rules sim`: what it prints and writes, and how it ends."""

from __future__ import annotations

import errno
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest

from cli.running import Progress

COMMAND = [sys.executable, "-m", "cli.main"]
Rules = Callable[..., Any]


def test_tables(rules: Rules) -> None:
    done = rules("sim", "gorilla", "-n", 20, "--workers", 1)
    assert done.status == 0, done.err
    assert done.out.startswith("gorilla.rules · 4 players · bots random · seeds from 1\n")
    for title in ("20 games", "how often", "points, all seats", "by seat", "by role", "by choice"):
        assert f"\n{title}\n" in done.out
    assert "by bot" not in done.out
    assert done.err == ""


def test_only_the_tables_asked_for(rules: Rules) -> None:
    done = rules("sim", "throne", "-n", 5, "--by", "card", "--workers", 1)
    assert "\nby card\n" in done.out
    assert "\nby seat\n" not in done.out


def test_data_is_the_same_for_any_number_of_workers(rules: Rules) -> None:
    args = (
        "sim",
        "throne",
        "-n",
        40,
        "--seed",
        7,
        "--bots",
        "random,P1=steady",
        "--format",
        "json",
    )
    outs = [rules(*args, "--workers", workers).out for workers in (1, 2, 4)]
    assert outs[0] == outs[1] == outs[2]
    data = json.loads(outs[0])
    assert (data["games"], data["asked"], data["seed"]) == (40, 40, 7)
    bots = {row["bot"]: row["seats"] for row in data["tables"]["bot"]["rows"]}
    assert bots == {"random": 120, "steady": 40}


def test_a_game_of_it_can_be_traced(rules: Rules, tmp_path: Path) -> None:
    """Game number i has seed + i, and the bots moved on by i seats."""
    out = tmp_path / "games.parquet"
    rules("sim", "last-leaf", "-n", 5, "--players", 3, "--bots", "random,P1=steady", "--out", out)
    row = parquet.read_table(out).to_pylist()[4]
    bots = ",".join(f"P{i}={row[f'bot_P{i}']}" for i in (1, 2, 3))
    assert bots == "P1=random,P2=random,P3=steady"
    trace = rules(
        "trace", "last-leaf", "--players", 3, "--seed", row["seed"], "--bots", bots,
        "--format", "jsonl",
    )  # fmt: skip
    end = json.loads(trace.out.splitlines()[-1])
    assert list(end["points"].values()) == [row[f"points_P{i}"] for i in (1, 2, 3)]


def test_rows(rules: Rules, tmp_path: Path) -> None:
    out = tmp_path / "new" / "games.parquet"
    measure = "rest=size of hand at follow"
    files = []
    for workers in (1, 2):
        done = rules(
            "sim", "gorilla", "-n", 30, "--out", out, "--measure", measure, "--workers", workers,
            "--format", "json",
        )  # fmt: skip
        assert done.status == 0, done.err
        files.append(out.read_bytes())
        assert f"kept 30 rows in {out}" in done.err
    assert files[0] == files[1]
    table = parquet.read_table(out)
    data = json.loads(done.out)
    assert table.column("game").to_pylist() == list(range(30))
    for row in data["tables"]["seat"]["rows"]:
        points = table.column(f"points_{row['seat']}").to_pylist()
        assert row["points"]["value"] == sum(points) / 30
    measures = parquet.read_table(tmp_path / "new" / "games.measures.parquet")
    (every,) = [r for r in data["tables"]["measure"]["rows"] if r["of"] == "all"]
    assert measures.num_rows == every["times"]
    assert sorted(p.name for p in out.parent.iterdir()) == [
        "games.measures.parquet",
        "games.parquet",
    ]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["nowhere"], "there is no ruleset `nowhere`"),
        (["throne", "-n", "0"], "`0` should be a whole number from 1 to 1,000,000,000"),
        (["throne", "-n", "many"], "`many` should be a whole number from 1 to"),
        (["throne", "-n", "9" * 5000], "should be a whole number from 1 to"),
        (["throne", "--players", "two"], "`two` should be a whole number, at least 1"),
        (["throne", "--workers", "0"], "`0` should be a whole number from 1 to 512"),
        (["throne", "--out", ""], "the name given is empty"),
        (["throne", "--players", "2"], "for 3 to 7 players, not 2"),
        (["throne", "--bots", "smart"], "there is no bot `smart`"),
        (["throne", "--set", "turns=99"], "`turns` can't be 99"),
        (["throne", "--cluster", "x", "--workers", "2"], "--workers is for this machine"),
        (["throne", "--cluster", ""], "`` is no address of a scheduler"),
        (["throne", "--cluster", "here"], "`here` is no address of a scheduler"),
        (["throne", "--by", "colour"], "'colour' is not one of"),
        (["throne", "--by", "role"], "has no roles"),
        (["throne", "--by", "bot"], "all seats have the same bot, random"),
        (["gorilla", "--by", "line"], "there is one, `scored_numbers`"),
        (["throne", "--bots", "mcts(level=hard"], "the bracket in `mcts(level=hard` is not closed"),
        (["throne", "--bots", "mcts)"], "a bracket is closed"),
        (["throne", "--bots", "randon"], "did you mean `random`?"),
        (["throne", "--bots", "random,steady"], "are both for all seats"),
        (["throne", "--measure", "x"], "`x` should be NAME=EXPR"),
        (["throne", "--measure", "x=coins at"], "`at` stands once, in front of one name"),
        (["throne", "--measure", "x=coins at turn at end"], "`at` stands once"),
        (["throne", "--measure", "x=vp", "--measure", "x=coins"], "two measures are called `x`"),
        (["throne", "--measure", "points=vp"], "there is a figure `points` already"),
        (["throne", "--measure", "way home=vp"], "there is a figure `way home` already"),
        (["throne", "--measure", "x=coins at nine"], "no moment, phase, loop or choice called"),
        (["throne", "--measure", "x=coinz"], "did you mean `coin`?"),
    ],
)
def test_used_wrongly(rules: Rules, args: list[str], message: str) -> None:
    done = rules("sim", *args)
    assert done.status == 2
    assert message in done.err
    assert done.out == ""


def test_a_file_that_cannot_be_written(rules: Rules, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    done = rules("sim", "throne", "-n", 3, "--out", tmp_path / "plain" / "x.parquet")
    assert done.status == 2
    assert "plain" in done.err


def test_a_full_disk(rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows that found room are kept in a file that can be read; the tables are told."""
    calls = []

    def fallocate(handle: int, offset: int, length: int) -> None:
        calls.append(length)
        if len(calls) > 3:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.posix_fallocate", fallocate, raising=False)
    monkeypatch.setattr("lab.out.GROUP", 20)
    out = tmp_path / "games.parquet"
    done = rules("sim", "throne", "-n", 100, "--out", out, "--workers", 1)
    assert done.status == 1
    assert "\n100 games\n" in done.out
    assert f"kept 40 rows in {out}" in done.err
    assert "the disk is full" in done.err
    assert parquet.read_table(out).column("game").to_pylist() == list(range(40))
    assert [path.name for path in tmp_path.glob(".*.part")] == []


def test_without_the_extra(rules: Rules, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = rules("sim", "throne", "-n", 3, "--out", tmp_path / "x.parquet")
    assert done.status == 2
    assert ".venv/bin/pip install '.[lab]'" in done.err
    done = rules("sim", "throne", "-n", 3, "--cluster", "tcp://127.0.0.1:9")
    assert done.status == 2
    assert ".venv/bin/pip install '.[cluster]'" in done.err


def test_rules_that_break(rules: Rules) -> None:
    """The games that could be played are counted, the others told with a way to see them."""
    text = (Path(__file__).parents[2] / "rulesets" / "last-leaf.rules").read_text()
    text = text.replace("../seeds", str(Path(__file__).parents[2] / "seeds"))
    text = text.replace(
        "        move it to row ",
        "        if rank of it = A then give 2 coins to left of me\n        move it to row ",
    ).replace("\nsetup\n", "\ntokens\n  coin of player  1\n\nsetup\n", 1)
    Path("breaks.rules").write_text(text)
    done = rules("sim", "breaks.rules", "-n", 40, "--players", 3)
    assert done.status == 1
    assert "R0903" in done.err
    assert "games could not be played to their end, and are not counted" in done.err
    for args in (
        ("sim", "breaks.rules"), ("cover", "breaks.rules"),
        ("compare", "last-leaf", "breaks.rules"),
        ("sweep", "breaks.rules", "--vary", "hand_size=4"),
    ):  # fmt: skip
        settings = () if args[0] == "sweep" else ("--set", "suit_points=3")
        done = rules(*args, "-n", 40, "--players", 3, "--bots", "P2=mcts(playouts=1)", *settings)
        assert done.status == 1
        line = next(line for line in done.err.splitlines() if "rules trace breaks" in line)
        assert "--set" in line
        again = rules("trace", *shlex.split(line.partition("rules trace ")[2]))
        assert again.status == 1
        assert "R0903" in again.err


def started(out: Path, seconds: float = 1) -> subprocess.Popen[str]:
    """A long run that writes rows, so many seconds after it has begun to."""
    run = subprocess.Popen(
        [*COMMAND, "sim", "throne", "-n", "100000", "--workers", "2", "--format", "json",
         "--out", str(out)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    end = time.monotonic() + 30
    while not list(out.parent.glob(".*.part")) and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(seconds)
    return run


@pytest.mark.parametrize(("signum", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_stopped_in_the_middle(tmp_path: Path, signum: int, status: int) -> None:
    """Ctrl-C, or a machine that ends its programs: what was finished is told and kept, and is what
    a shorter run finds."""
    out = tmp_path / "games.parquet"
    for seconds in (0.8, 5, 25):  # a machine may be busy
        run = started(out, seconds)
        os.killpg(run.pid, signum)
        told, err = run.communicate(timeout=30)
        assert run.returncode == status
        assert "Traceback" not in err
        data = json.loads(told)
        if data["games"]:
            break
    assert 0 < data["games"] < 100000
    assert f"stopped: these are the first {data['games']:,} of 100,000 games" in err
    assert parquet.read_table(out).num_rows == data["games"]
    assert not list(tmp_path.glob(".*.part"))


def test_workers_do_not_outlive_a_run_that_is_killed(tmp_path: Path) -> None:
    run = started(tmp_path / "games.parquet")
    run.kill()
    run.communicate(timeout=20)  # ends when nobody is left who could write


def test_rows_are_kept_whoever_reads_the_tables(tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    args = [*COMMAND, "sim", "throne", "-n", "20", "--workers", "1", "--out", str(out)]
    run = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert run.stdout is not None
    run.stdout.close()
    assert run.wait(30) == 0
    assert parquet.read_table(out).num_rows == 20


def test_rows_go_to_ordinary_files_only(rules: Rules, tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link.parquet"
    os.mkfifo(pipe)
    done = rules("sim", "throne", "-n", 3, "--out", pipe)
    assert done.status == 2
    assert "is no ordinary file" in done.err
    assert pipe.is_fifo()
    link.symlink_to(tmp_path / "games.parquet")
    assert rules("sim", "throne", "-n", 3, "--workers", 1, "--out", link).status == 0
    assert link.is_symlink()
    assert parquet.read_table(tmp_path / "games.parquet").num_rows == 3


def test_progress_fits_its_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is longer than the terminal is wide would be left lying above."""
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    progress = Progress(10**9)
    monkeypatch.setattr("time.monotonic", lambda: progress._last + 1)
    progress(123_456)
    shown = capsys.readouterr().err.removeprefix("\r\x1b[K")
    assert shown.startswith("123,456 of 1,000,000,000")
    assert len(shown) < 30


def test_progress_on_a_terminal_only(terminal: Callable[..., Any]) -> None:
    at = terminal("sim", "throne", "-n", 1500)
    at.wait_for("of 1,500 games")
    at.wait_for("by choice")
    assert at.close() == 0
