"""What ends a program from outside: a closed terminal, a machine that stops its programs.

Used by `cli.sitting` and `cli.running`, from the main thread.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lab.signals import undisturbed

AGAIN = 0.05  # seconds between two knocks


class Ended(BaseException):
    """The terminal was closed, or the machine stops its programs. Like KeyboardInterrupt, it is
    none of the exceptions that `except Exception` is meant for."""

    def __init__(self, signum: int) -> None:
        super().__init__()
        self.status = 128 + signum  # as shells have it


@contextmanager
def endings() -> Iterator[None]:
    """Raise `Ended` inside, once, when the program is to end.

    Python runs a signal's handler when the main thread next comes back to it. A line editor that
    has looked for signals and then begins to wait for a key does not come back before that key:
    a signal in between would be left lying. So a thread is told of each signal as it arrives and
    knocks again until the handler has run.
    """
    seen = threading.Event()
    main = threading.get_ident()

    def end(signum: int, frame: Any) -> None:
        if not seen.is_set():
            seen.set()
            raise Ended(signum)

    numbers = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]

    def knock() -> None:
        while (arrived := os.read(told, 1)) != b"\0":
            while arrived[0] in numbers and not seen.wait(AGAIN):
                signal.pthread_kill(main, arrived[0])

    told, tell = os.pipe()
    os.set_blocking(tell, False)
    watch = threading.Thread(target=knock, daemon=True)
    before = {number: signal.signal(number, end) for number in numbers}
    other = signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    with undisturbed():  # the thread leaves signals to this one
        watch.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(other)
        for number, handler in before.items():
            signal.signal(number, handler)
        seen.set()
        os.write(tell, b"\0")
        watch.join()
        os.close(told)
        os.close(tell)
