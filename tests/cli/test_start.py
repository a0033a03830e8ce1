"""Ctrl-C at any moment of the start: status 130, and never a traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest


@pytest.mark.parametrize("delay", [0, 0.04, 0.1, 0.15, 0.25])
def test_interrupted_while_loading(delay: float) -> None:
    """So many seconds after our first line ran; before that, Python itself answers."""
    game = [sys.executable, "-X", "importtime", "-m", "cli.start", "play", "--watch"]
    with subprocess.Popen(
        [*game, "throne.rules", "--bots", "greedy"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        first = next((line for line in process.stderr if line.endswith("| signal\n")), "")
        assert first, "`cli.start` imports nothing named signal"
        process.stderr.readline()  # the first import after it, when Ctrl-C is ours
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
