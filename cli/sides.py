"""The two sides of `rules diff`: rulesets, variants or traces, here or at a revision in git."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import field, frozen

from cli import common, git_files
from cli.common import FOUND, legible, misuse

if TYPE_CHECKING:
    from interpreter.trace.reader import Trace
    from lab.review.changes import Side

TRACES = (".trace", ".jsonl")


@frozen
class Source:
    """A file that was named. `name`: as it is shown; `snapshot`: where it comes from in git."""

    name: str
    path: Path
    data: bytes
    snapshot: git_files.Snapshot | None = None
    settings: Mapping[str, str] = field(factory=dict)

    @property
    def is_trace(self) -> bool:
        start = self.data.removeprefix(b"\xef\xbb\xbf").lstrip()
        named = self.path.suffix in TRACES
        return named or start.startswith((b"# rules trace", b'{"rules_trace"'))


def source(spec: str, beside: str = "") -> Source:
    """The file that a spec names: a path, a bundled ruleset, or `REV:path` (`REV:` alone: the file
    `beside`, at that revision)."""
    if not spec.strip():
        misuse("which ruleset or trace? The name given is empty")
    here = Path(spec)
    if here.is_file() or ":" not in spec:
        return _here(spec)
    revision, _, name = spec.partition(":")
    return at_revision(revision, name or beside)


def _here(spec: str) -> Source:
    path = Path(spec)
    if path.suffix in TRACES and not path.exists():
        misuse(f"there is no trace `{legible(spec)}`")
    path = common.find(spec)
    from dsl.files import content
    from dsl.layout import MAX_BYTES

    most = None if path.is_file() else MAX_BYTES  # a trace may be long, but a device never ends
    return Source(common.known_as(path), path, content(path, most))


def last_commit(found: Source) -> Source:
    """A file as it was when it was last committed."""
    top = git_files.git("rev-parse", "--show-toplevel", where=found.path.resolve().parent)
    if found.snapshot is not None or top is None:
        misuse(f"compare {found.name} with what? Name a second file")
    return at_revision("HEAD", str(found.path), Path(top.decode().rstrip("\n")))


def at_revision(revision: str, name: str, top: Path | None = None) -> Source:
    """A file at a revision; `top`: the root of the repository, if not that of this folder."""
    if not name:
        misuse(f"which file? For instance: {revision}:my.rules")
    repository = git_files.Repository(top or git_files.root())
    there = ((path, repository.content(revision, path)) for path in repository.inside(name))
    inner, data = next(((path, data) for path, data in there if data is not None), ("", None))
    if data is None:
        where = f"at `{legible(revision)}`" if revision else "among what is staged"
        misuse(f"there is no `{legible(name)}` {where}")
    snapshot = repository.snapshot(revision)
    path = snapshot.folder / inner
    if not path.exists():  # it is no ruleset
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return Source(f"{revision}:{inner}", path, data, snapshot)


def side(found: Source, settings: Mapping[str, str]) -> Side:
    """A ruleset to compare; its errors are printed, and end the command."""
    from dsl import pipeline
    from dsl.diagnostics import Findings, render_text, shown_file
    from lab.review.changes import Side

    shown = found.name
    if settings:
        options = ", ".join(f"{name}={value}" for name, value in settings.items())
        shown = f"{shown} with {options}"
    if found.snapshot is None:
        read = None if found.path.is_file() else found.data.decode("utf-8-sig", "replace")
        program = common.load(str(found.path), read)
        files = {file: common.known_as(shown_file(file)) for file in program.sources}
        return Side(shown, program, settings, files)
    from dsl.layout import read_text

    findings = Findings()
    text = read_text(found.path, findings)
    made, diagnostics = None, findings.in_order()
    if text is not None:  # given the text, nothing is kept of a file that will be gone
        made, diagnostics = pipeline.load(found.path, text)
    errors = [d for d in diagnostics if d.is_error]
    if made is None or errors:
        said = render_text(errors or diagnostics, common.sources_of(diagnostics))
        said = said.replace(f"{found.snapshot.folder}/", f"{found.snapshot.revision}:")
        click.echo(said, err=True)
        raise click.exceptions.Exit(FOUND)
    files = {file: found.snapshot.shown(Path(file)) for file in made.sources}
    return Side(shown, made, settings, files)


def trace(found: Source) -> Trace:
    """A trace that was read; what is wrong with it ends the command."""
    from interpreter.trace import reader

    try:
        return reader.parse(reader.decode(found.data))
    except reader.TraceError as problem:
        line = f":{problem.line}" if problem.line else ""
        click.echo(f"Error: {found.name}{line}: {problem.message}", err=True)
        raise click.exceptions.Exit(FOUND) from None
