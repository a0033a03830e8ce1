"""What the hook does before a commit: looks at the files as they are staged, not as they lie here.

Used by `rules git check`.
"""

from __future__ import annotations

from pathlib import Path

import click

from cli import git_files, golden
from cli.git_files import STAGED, Repository, Snapshot

WATCHED = (".rules", ".md", ".trace", ".jsonl")


def staged() -> bool:
    """Check rulesets and golden traces; says what is wrong, and returns whether all is well."""
    repository = Repository(git_files.root())
    listed = git_files.git("diff", "--cached", "--name-only", "-z", where=repository.top) or b""
    touched = listed.decode(errors="surrogateescape").split("\0")
    if not any(name.endswith(WATCHED) for name in touched):
        return True
    snapshot = repository.snapshot(STAGED, WATCHED)
    return _rulesets(snapshot, touched) and all([_examples(snapshot, touched), _traces(snapshot)])


def _rulesets(snapshot: Snapshot, touched: list[str]) -> bool:
    """Whether the rulesets that are staged have no errors."""
    from cli.common import sources_of
    from dsl import pipeline
    from dsl.diagnostics import render_text

    fine = True
    for name in touched:
        path = snapshot.folder / name
        if not name.endswith(".rules") or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8-sig", errors="replace")
        _, found = pipeline.load(path, text)
        errors = [diagnostic for diagnostic in found if diagnostic.is_error]
        if errors:
            fine = False
            click.echo(_named(snapshot, render_text(errors, sources_of(errors))), err=True)
    return fine


def _examples(snapshot: Snapshot, touched: list[str]) -> bool:
    """Whether the examples of the rulesets that are staged hold. Those of rulesets that only build
    on them are left to `rules test`."""
    from cli import test

    fine = True
    for name in touched:
        path = snapshot.folder / name
        if name.endswith(".rules") and path.is_file():
            failing = test.failing(path)
            fine = fine and not failing
            for lines in failing:
                click.echo(_named(snapshot, lines), err=True)
    if not fine:
        click.echo("`rules test` shows more of these examples.", err=True)
    return fine


def _traces(snapshot: Snapshot) -> bool:
    """Whether the golden traces are those their rules make."""
    from interpreter.trace import diff as traces
    from interpreter.trace import diff_text

    paths = [p for p in golden.kept(snapshot.folder) if golden.FOLDER in p.parts]
    differing = [item for item in golden.changed(paths) if not isinstance(item, Path)]
    for item in differing:
        click.echo(_named(snapshot, f"{item.path}{item.problem}"), err=True)
        if item.trace is not None and item.now is not None:
            found = traces.compare(item.trace.source, item.now)
            for sign, line in diff_text.unified(found)[:8]:
                click.echo(f"  {sign} {line}", err=True)
    if differing:
        click.echo(
            f"{len(differing)} of {len(paths)} golden traces are not what the rules make. "
            "`rules accept` goes through them; then `git add` those you took.",
            err=True,
        )
    return not differing


def _named(snapshot: Snapshot, text: str) -> str:
    """A message with paths from the root of the repository."""
    return text.replace(f"{snapshot.folder}/", "")
