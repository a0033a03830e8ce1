"""Where a person's answers come from: a script, then the keyboard, or else standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from cli.ask import ScriptLine, script_line
from cli.common import misuse


@frozen
class Answer:
    """What was answered, and where it stands; `where` is "" for the keyboard."""

    line: ScriptLine
    where: str


class Answers:
    """A person's answers, one after another."""

    def __init__(self, script: Path | None, keyboard: bool) -> None:
        self._script = iter(()) if script is None else _read(script)
        self._keyboard = keyboard
        self._piped = 0
        if keyboard:
            import readline  # noqa: F401 - gives `input` editing and history

    def next(self, prompt: str) -> Answer | None:
        """The next answer; None when there are no more. Empty lines come from the keyboard only."""
        for answer in self._script:
            return answer
        if self._keyboard:
            try:
                return Answer(ScriptLine(input(prompt).strip()), "")
            except EOFError:
                return None
        for text in iter(sys.stdin.readline, ""):
            self._piped += 1
            line = script_line(text)
            if line is not None:
                return Answer(line, f"line {self._piped} of the input")
        return None

    def wait(self, prompt: str) -> None:
        """Wait for Enter, if there is a keyboard."""
        if self._keyboard:
            try:
                input(prompt)
            except EOFError:
                return

    def left(self) -> Answer | None:
        """The first answer of the script that nobody asked for."""
        return next(self._script, None)


def _read(script: Path) -> Iterator[Answer]:
    try:
        text = script.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        misuse(f"{script} is not a script: it is not UTF-8 text")
    lines = [(number, script_line(line)) for number, line in enumerate(text.splitlines(), 1)]
    return iter([Answer(line, f"{script}:{number}") for number, line in lines if line is not None])
