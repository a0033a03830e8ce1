"""`rules fmt`: the canonical layout of rulesets."""

from __future__ import annotations

import difflib
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import (
    FOUND,
    examples,
    find,
    known_as,
    misuse,
    show_diagnostics,
    sources_of,
    write_file,
)

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic

STDIN = "<stdin>"


@click.command(
    epilog=examples(
        "rules fmt my.rules",
        "rules fmt --check *.rules",
        "rules fmt --diff {a}",
        "rules fmt - < my.rules",
    )
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Write nothing; name the files that would change.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
def command(files: tuple[str, ...], check: bool, diff: bool) -> None:
    """Bring rulesets into the layout that all rulesets have.

    Indentation, blanks, blank lines, columns and clause tags are set anew; words, comments and
    where lines end stay. A file with errors is left as it is. `-` reads standard input and writes
    standard output.

    Exit status 1 if there are errors or, with --check or --diff, if a file would change; 0
    otherwise.
    """
    if "-" in files and len(files) > 1:
        misuse("`-` stands for standard input, and goes alone")
    paths = [None if name == "-" else find(name) for name in files]
    found = False
    for path in paths:
        before = _stdin() if path is None else _read(path)
        after = None if before is None else _formatted(before, path)
        if before is None or after is None:
            found = True
        elif check or diff:
            found |= _compare(path, before, after, diff)
        elif path is None:
            click.echo(after, nl=False)
        else:
            _write(path, before, after)
    if found:
        raise click.exceptions.Exit(FOUND)


def _name(path: Path | None) -> str:
    return STDIN if path is None else known_as(path)


def _read(path: Path) -> str | None:
    """A file's text, byte order mark and all; None after saying why it can't be read."""
    from dsl.diagnostics import Findings
    from dsl.files import content
    from dsl.layout import read_text

    if not path.is_file():
        misuse(f"{path} is no ordinary file, so it can't be rewritten; `-` reads standard input")
    findings = Findings()
    text = read_text(path, findings)
    if text is None:
        _report(findings.items, path)
        return None
    return content(path).decode("utf-8")


def _stdin() -> str | None:
    from dsl.diagnostics import Findings
    from dsl.layout import MAX_BYTES

    findings = Findings()
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        message = f"standard input has more than {MAX_BYTES:,} bytes, which is the limit"
        findings.error("R0102", message, None)
        _report(findings.items, None)
        return None
    try:
        if b"\0" not in data:
            return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    findings.error("R0103", "standard input is not UTF-8 text", None)
    _report(findings.items, None)
    return None


def _formatted(text: str, path: Path | None) -> str | None:
    """The text in its layout; None after reporting its errors, as `rules check` would."""
    from dsl import pipeline
    from dsl.diagnostics import RulesError
    from dsl.format import formatted

    text = text.removeprefix("\ufeff")
    file = STDIN if path is None else str(path)
    # what an example says may be wrong: the layout needs no more than that it can be read
    program, problems = pipeline.load(file, text, examples=False)
    if program is None:
        _report(problems, path, text)
        return None
    try:
        return formatted(text, file)
    except RulesError as problem:
        _report(problem.diagnostics, path, text)
        return None


def _report(problems: list[Diagnostic], path: Path | None, text: str = "") -> None:
    """On standard error, as the text may go to standard output."""
    sources = {STDIN: text} if path is None else sources_of(problems)
    show_diagnostics(problems, sources, err=True)
    errors = sum(problem.is_error for problem in problems)
    counted = f"{errors} error{'s' if errors != 1 else ''}"
    click.echo(f"\n{_name(path)}: {counted}, not formatted", err=True)


def _compare(path: Path | None, before: str, after: str, diff: bool) -> bool:
    """Whether formatting changes a text; says so, or what it changes."""
    if before == after:
        return False
    if not diff:
        click.echo(_name(path))
        return True
    old, new = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in (before, after))
    name = _name(path)
    for line in difflib.unified_diff(old, new, name, f"{name} (formatted)"):
        click.echo(line, nl=line[-1] != "\n")
        if line[-1] != "\n":
            click.echo("\\ No newline at end of file")
    return True


def _write(path: Path, before: str, after: str) -> None:
    if before == after:
        click.echo(f"{known_as(path)}: fine")
        return
    try:
        write_file(path, after)
    except OSError as problem:
        misuse(f"can't write {path}: {problem.strerror or problem}")
    click.echo(f"{known_as(path)}: formatted")
