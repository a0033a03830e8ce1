"""What a file holds, whatever kind of file it is. Used wherever rulesets and rule sheets are read.

A name may stand for a pipe that nobody writes to, or for a device that never ends. Neither is
waited for long, nor read without end.
"""

from __future__ import annotations

import errno
import os
import select
import stat
import time
from pathlib import Path

PATIENCE = 5.0  # seconds
"""How long a pipe or device may take to begin, and to go on, before it is given up."""
_CHUNK = 65_536


def content(path: Path, most: int | None = None) -> bytes:
    """The bytes of a file; of one that holds more than `most`, the first `most` + 1.

    Raises OSError, in words, where it can't be read, or is a pipe from which nothing comes.
    """
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if stat.S_ISSOCK(mode):
        raise OSError(errno.EINVAL, "it is a socket, not a file", str(path))
    if stat.S_ISREG(mode) or not hasattr(os, "O_NONBLOCK"):
        with path.open("rb") as opened:
            return opened.read() if most is None else opened.read(most + 1)
    return _flowing(path, most)


def text(path: Path) -> str:
    """A file as UTF-8 text, its lines ended by `\\n`. Raises OSError as `content` does, and
    UnicodeDecodeError."""
    return content(path).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def _flowing(path: Path, most: int | None) -> bytes:
    """What comes from a pipe or a device, up to its end."""
    parts: list[bytes] = []
    size = 0
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        until = time.monotonic() + PATIENCE
        while most is None or size <= most:
            if not select.select([handle], [], [], max(0.0, until - time.monotonic()))[0]:
                reason = (
                    f"nothing came from it for {PATIENCE:g} seconds; does anything write to it?"
                )
                raise TimeoutError(errno.ETIMEDOUT, reason, str(path))
            try:
                part = os.read(handle, _CHUNK)
            except BlockingIOError:
                continue
            if not part:
                break
            parts.append(part)
            size += len(part)
            until = time.monotonic() + PATIENCE
    finally:
        os.close(handle)
    whole = b"".join(parts)
    return whole if most is None else whole[: most + 1]
