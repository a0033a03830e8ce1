"""`rules check`: everything that is wrong in some rulesets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cli.common import (
    FOUND,
    examples,
    find,
    known_as,
    reader_may_leave,
    show_diagnostics,
    sources_of,
)

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic


@click.command(
    epilog=examples(
        "rules check my.rules",
        "rules check *.rules --strict",
        "rules check {a} --format json",
    )
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--format",
    "fmt",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="For people, for programs, or as notes beside the lines of a pull request.",
)
@click.option("--strict", is_flag=True, help="Warnings count as errors; notes don't.")
def command(files: tuple[str, ...], fmt: str, strict: bool) -> None:
    """Find all that is wrong in rulesets, without playing them.

    Exit status 1 if there are errors, 0 otherwise. `rules explain CODE` says more about each.
    """
    from dsl import pipeline
    from dsl.diagnostics import NOTE, render_github, render_json

    every: list[Diagnostic] = []
    for path in [find(name) for name in files]:
        _, found = pipeline.load(path)
        every += found
        if fmt == "text":
            with reader_may_leave():
                if found:
                    show_diagnostics(found, sources_of(found))
                    click.echo()
                click.echo(f"{known_as(path)}: {_summary(found)}")
    with reader_may_leave():
        if fmt == "json":
            click.echo(render_json(every))
        elif fmt == "github" and every:
            click.echo(render_github(every))
    if any(d.is_error or (strict and d.severity != NOTE) for d in every):
        raise click.exceptions.Exit(FOUND)


def _summary(found: Sequence[Diagnostic]) -> str:
    from dsl.diagnostics import ERROR, NOTE, WARNING

    counts = [(sum(d.severity == kind for d in found), kind) for kind in (ERROR, WARNING, NOTE)]
    parts = [f"{n} {what}{'s' if n != 1 else ''}" for n, what in counts if n]
    return ", ".join(parts if any(d.severity != NOTE for d in found) else ["fine", *parts])
