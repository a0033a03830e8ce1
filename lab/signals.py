"""Signals that end programs, and making them wait for a moment.

Used by `lab.pool` around its workers, by whatever counts a block of games, and by `cli.endings`.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]


@contextmanager
def undisturbed() -> Iterator[None]:
    """Inside, signals that end programs wait. So none comes in the middle of a fork or of letting
    workers go; a process forked inside begins with them waiting, too."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def in_one() -> Iterator[None]:
    """Inside, what signals do waits for the end: what is done there is done whole, or not begun.

    Unlike `undisturbed`, it holds whichever thread a signal reaches: a library's own threads, too.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    arrived: list[int] = []

    def note(number: int, _: Any) -> None:
        arrived.append(number)

    before = {number: signal.signal(number, note) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if arrived:
            signal.raise_signal(arrived[0])
