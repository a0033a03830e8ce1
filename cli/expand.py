"""`rules expand`: the ruleset that a variant makes."""

from __future__ import annotations

from pathlib import Path

import click

from cli.common import (
    FOUND,
    FilePath,
    examples,
    find,
    misuse,
    show_diagnostics,
    sources_of,
    write_file,
)


@click.command(
    epilog=examples(
        "rules expand my-variant.rules",
        "rules expand gorilla-2.6",
        "rules expand gorilla-2.6 -o my-gorilla.rules",
    )
)
@click.argument("file")
@click.option(
    "-o",
    "--output",
    type=FilePath(dir_okay=False),
    help="Write it to this file, which must not be there yet.",
)
def command(file: str, output: Path | None) -> None:
    """Print the ruleset that a variant makes, as if somebody had written it so.

    It is a ruleset of its own: it plays the same games, and needs neither the variant nor its base.
    The rule sheet it names is seen from the folder of FILE, or with -o from where it is written.

    Exit status 1 if the variant has errors, 0 otherwise.
    """
    from dsl import pipeline
    from dsl.diagnostics import Findings
    from dsl.expand import expanded
    from dsl.layout import read_text

    path = find(file)
    findings = Findings()
    text = read_text(path, findings)
    if text is None:
        program, problems = None, findings.in_order()
    else:
        program, problems = pipeline.load(path, None if path.is_file() else text)
    if text is None or program is None:
        errors = [problem for problem in problems if problem.is_error]
        show_diagnostics(errors or problems, sources_of(problems), err=True)
        raise click.exceptions.Exit(FOUND)
    if output is None:
        click.echo(expanded(text, str(path)), nl=False)
        return
    if output.exists():
        misuse(f"{output} is there already; nothing was written")
    made = expanded(text, str(path.resolve()), str(output.resolve().parent))
    write_file(output, made)
    click.echo(f"wrote {output}")
