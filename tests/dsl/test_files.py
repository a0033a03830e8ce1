"""Pipes, devices, folders and sockets are read, or refused in words; nothing is waited for long."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from threading import Thread

import pytest

from dsl import files
from dsl.diagnostics import Findings
from dsl.layout import MAX_BYTES, read_text

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")


def refusal(path: Path) -> str:
    findings = Findings()
    assert read_text(path, findings) is None
    (found,) = findings.items
    return f"{found.code} {found.message}"


@pytest.fixture
def pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(files, "PATIENCE", 0.2)
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def test_a_pipe_that_nobody_writes_to(pipe: Path) -> None:
    assert refusal(pipe) == (
        f"R0101 can't read `{pipe}`: nothing came from it for 0.2 seconds; "
        "does anything write to it?"
    )


def test_a_pipe_that_somebody_opens_and_leaves_open(pipe: Path) -> None:
    held = os.open(pipe, os.O_RDWR)
    os.write(held, b"game")
    assert "nothing came from it" in refusal(pipe)
    os.close(held)


def test_what_comes_through_a_pipe_is_read_to_its_end(pipe: Path) -> None:
    text = 'game "Long"\r\n' * 20_000
    writer = Thread(target=pipe.write_text, args=(text,), kwargs={"newline": ""})
    writer.start()
    assert read_text(pipe, Findings()) == text
    writer.join()


def test_a_device_without_an_end() -> None:
    assert refusal(Path("/dev/zero")).startswith("R0102 this file has more than 1,000,000 bytes")
    assert len(files.content(Path("/dev/zero"), MAX_BYTES)) == MAX_BYTES + 1


def test_a_folder_and_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refusal(tmp_path) == f"R0101 `{tmp_path}` is a folder, not a rules file"
    monkeypatch.chdir(tmp_path)  # the path of a socket may not be long
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")
        assert refusal(Path("socket")) == "R0101 can't read `socket`: it is a socket, not a file"
