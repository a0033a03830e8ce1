"""The first lines that run: Ctrl-C ends the program quietly even before it is all loaded."""

from __future__ import annotations

import os
import signal

INTERRUPTED = 130


def main() -> None:
    """The `rules` command."""
    before = signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    from cli.main import main as command

    signal.signal(signal.SIGINT, before)
    command()


if __name__ == "__main__":
    main()
