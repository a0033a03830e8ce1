"""Files that commands write (whole or not at all, and nothing else is ever replaced), and options
that are given too often or with nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.common import write_file

Rules = Callable[..., Any]


def test_a_link_stays_one(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("before")
    real.chmod(0o640)
    link.symlink_to(real)
    write_file(link, "after")
    assert link.is_symlink()
    assert (real.read_text(), real.stat().st_mode & 0o777) == ("after", 0o640)
    assert not list(tmp_path.glob(".*"))


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_file(pipe, "山札")
    assert pipe.is_fifo()
    assert os.read(reader, 100).decode() == "山札"
    os.close(reader)


@pytest.mark.parametrize(
    "args",
    [
        ["sim", "throne", "--out", ""],
        ["sim", "throne", "--plot", " "],
        ["cover", "throne", "--html", ""],
        ["diff", "throne", "throne", "--full", ""],
        ["trace", "throne", "--record", ""],
        ["expand", "gorilla-2.6", "-o", ""],
        ["fuzz", "throne", "--out", ""],
        ["new", ""],
    ],
)
def test_an_empty_name_is_none(rules: Rules, args: list[str]) -> None:
    done = rules(*args)
    assert (done.status, done.out) == (2, "")
    assert "the name given is empty" in done.err


@pytest.mark.parametrize(
    ("args", "option"),
    [
        (["new", "x.rules", "--from", "throne", "--from", "gorilla"], "--from"),
        (["sim", "throne", "--seed=3", "--seed", "4"], "--seed"),
        (["sim", "throne", "-n5", "--games", "6"], "--games"),
        (["trace", "throne", "--players", "3", "--players", "3"], "--players"),
        (["play", "throne", "--lang", "ja", "--lang=en"], "--lang"),
        (["git", "report", "main", "--seeds", "1", "--seeds", "2"], "--seeds"),
    ],
)
def test_an_option_is_given_once(rules: Rules, args: list[str], option: str) -> None:
    done = rules(*args)
    assert (done.status, done.out) == (2, "")
    assert f"{option} is given twice" in done.err
    assert not list(Path().iterdir())


def test_what_may_be_given_often_or_only_looks_like_an_option(rules: Rules) -> None:
    done = rules("sim", "throne", "-n", 2, "--workers", 1, "--by", "seat", "--by", "choice",
                 "--measure", "a=vp", "--measure", "b=coins")  # fmt: skip
    assert done.status == 0, done.err
    done = rules("sim", "throne", "--bots", "--bots", "-n", 2)  # a value, and none of a bot's
    assert "there is no bot `--bots`" in done.err
