"""Running the commands: in this process, as a process, and at a terminal."""

from __future__ import annotations

import io
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen

from cli.main import run
from lab import pool

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "cli.main"]


@frozen
class Result:
    """What a command left behind."""

    status: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saves go to a folder of the test's own, and the test runs in another. Workers are started
    only where a test says how many: the tests themselves keep the cores busy."""
    monkeypatch.setattr(pool, "cores", lambda: 1)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)


@pytest.fixture()
def rules(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Result]:
    """Run a command line in this process, with a text as standard input."""

    def call(*args: object, stdin: str | bytes = "") -> Result:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        capsys.readouterr()
        status = run([str(arg) for arg in args])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return Result(status, out, err)

    return call


@pytest.fixture()
def process() -> Callable[..., Result]:
    """Run a command line as a process of its own."""
    return _process


def _process(*args: object, stdin: str = "") -> Result:
    done = subprocess.run(
        [*COMMAND, *map(str, args)], input=stdin, capture_output=True, text=True, timeout=60
    )
    return Result(done.returncode, done.stdout, done.stderr)


class Terminal:
    """A command at a pseudo-terminal."""

    def __init__(self, *args: object) -> None:
        self.shown = ""
        self._waited = 0
        self._pid, self._fd = pty.fork()
        if self._pid == 0:
            os.environ |= {"TERM": "xterm", "COLUMNS": "90", "LINES": "40", "LC_ALL": "C.UTF-8"}
            os.execv(COMMAND[0], [*COMMAND, *map(str, args)])

    def wait_for(self, text: str, seconds: float = 30) -> str:
        """Read until a text is shown; returns what was shown since the last wait, up to it."""
        start, end = self._waited, time.monotonic() + seconds
        while text not in self.shown[start:]:
            left = end - time.monotonic()
            assert left > 0, f"no {text!r} in {self.shown[start:]!r}"
            assert self._read(left), f"no {text!r} in {self.shown[start:]!r}"
        self._waited = self.shown.index(text, start) + len(text)
        return self.shown[start : self._waited]

    def _read(self, seconds: float) -> bool:
        if not select.select([self._fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._fd, 65536)
        except OSError:  # the other end is closed
            return False
        self.shown += data.decode(errors="replace")
        return bool(data)

    def type(self, line: str, enter: str = "\r") -> None:
        os.write(self._fd, (line + enter).encode())

    def send(self, signum: int) -> None:
        os.kill(self._pid, signum)

    def close(self) -> int:
        """Wait for the command to end; its exit status."""
        while self._read(30):
            pass
        end = time.monotonic() + 30
        while not (ended := os.waitpid(self._pid, os.WNOHANG))[0]:
            if time.monotonic() > end:
                os.kill(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)
                raise AssertionError(f"it does not end: {self.shown!r}")
            time.sleep(0.005)
        status = ended[1]
        os.close(self._fd)
        assert "Traceback" not in self.shown
        return os.waitstatus_to_exitcode(status)


@pytest.fixture()
def terminal() -> Callable[..., Terminal]:
    """Start a command at a terminal."""
    return Terminal
