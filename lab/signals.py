"""Signals that end programs, and making them wait for a moment.

Used by `lab.pool` around its workers, and by `cli.endings`.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

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
