"""Ctrl-C at any moment of the start: status 130, and never a traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest


@pytest.mark.parametrize("delay", [0.06, 0.1, 0.15, 0.2, 0.3])
def test_interrupted_while_loading(delay: float) -> None:
    game = [sys.executable, "-X", "frozen_modules=on", "-m", "cli.start", "play", "--watch"]
    with subprocess.Popen(
        [*game, "throne.rules", "--bots", "greedy"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    # Before any of our lines ran (-2: stopped by the signal) Python itself answers.
    assert process.returncode in (130, -signal.SIGINT)
    assert "cli/" not in errors
