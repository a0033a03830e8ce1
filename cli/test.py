"""`rules test`: runs the examples that stand in rulesets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.common import FOUND, examples, find, known_as, misuse, show_diagnostics, sources_of

if TYPE_CHECKING:
    from dsl import examples as x
    from dsl.diagnostics import Diagnostic
    from interpreter.examples import Failure, Result

CODE = "R0620"
MOST_LINES = 40
"""Of the trace of a failure that are shown."""


@click.command(
    epilog=examples(
        "rules test {a}",
        "rules test my.rules -k T20",
        "rules test *.rules --format github",
    )
)
@click.argument("files", metavar="[FILE...]", nargs=-1)
@click.option("-k", "wanted", metavar="TEXT", help="Only examples with this in their name, or tag.")
@click.option(
    "--format",
    "fmt",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="For people, for programs, or as notes beside the lines of a pull request.",
)
def command(files: tuple[str, ...], wanted: str | None, fmt: str) -> None:
    """Run the examples in rulesets; without FILE, in all rulesets of this folder.

    Exit status 1 if something in an example is not so, or a ruleset has errors; 0 otherwise.
    """
    paths = [find(name) for name in files] or sorted(Path().glob("*.rules"))
    if not paths:
        misuse("there is no ruleset in this folder; name one: rules test my.rules")
    every: list[dict[str, object]] = []
    faulty: list[Diagnostic] = []
    failed = ran = 0
    for path in paths:
        results, errors = _run(path, wanted)
        faulty += errors
        failed += sum(not result.holds for result in results)
        ran += len(results)
        if fmt == "json":
            every += [_as_dict(result) for result in results]
        elif fmt == "github":
            faulty += [_diagnostic(r, f) for r in results for f in r.failures]
        else:
            _show(path, results, errors, wanted)
    if fmt == "json":
        import json

        from dsl.diagnostics import as_dict

        click.echo(
            json.dumps(
                {"examples": every, "errors": [as_dict(d) for d in faulty]},
                ensure_ascii=False,
                indent=2,
            )
        )
    elif fmt == "github" and faulty:
        from dsl.diagnostics import render_github

        click.echo(render_github(faulty))
    if wanted is not None and not ran and not faulty:
        misuse(f"no example has `{wanted}` in its name, and none is tagged so")
    if failed or faulty:
        raise click.exceptions.Exit(FOUND)


def _run(path: Path, wanted: str | None) -> tuple[list[Result], list[Diagnostic]]:
    """How the examples of a ruleset came out; or its errors."""
    from dsl import pipeline

    program, found = pipeline.load(path)
    if program is None:
        return [], [d for d in found if d.is_error] or found
    if not program.examples:
        return [], []
    from interpreter.examples import run

    return run(program, None if wanted is None else lambda example: _is_wanted(example, wanted)), []


def _is_wanted(example: x.Example, wanted: str) -> bool:
    names = [example.names.name, *(text for _, text in example.names.others)]
    text = wanted.casefold()
    tagged = any(tag.casefold() == text for tag in example.tags)
    return tagged or any(text in name.casefold() for name in names)


def failing(path: Path) -> list[str]:
    """What fails in the examples of a ruleset without errors, for a few lines each: at which place,
    what was expected and found. Nothing is kept of the file, as it may soon be gone."""
    from dsl import pipeline
    from dsl.diagnostics import Findings, render_text
    from dsl.layout import read_text
    from interpreter.examples import run

    program, _ = pipeline.load(path, read_text(path, Findings()))
    if program is None or not program.examples:
        return []
    told = []
    for result in run(program):
        for failure in result.failures:
            found = [_diagnostic(result, failure, whole=False)]
            shown = render_text(found, sources_of(found))
            told.append(f"{shown}\n  expected: {failure.expected}\n  found:    {failure.found}")
    return told


# ── for people ───────────────────────────────────────────────────────────────────────────────


def _show(
    path: Path, results: Sequence[Result], errors: Sequence[Diagnostic], wanted: str | None
) -> None:
    if errors:
        show_diagnostics(errors, sources_of(errors))
        click.echo()
        click.echo(f"{known_as(path)}: not run, as the ruleset has errors")
        return
    for result in results:
        for failure in result.failures:
            _show_failure(result, failure)
    failed = sum(not result.holds for result in results)
    if not results:
        summary = "no examples" if wanted is None else "no such examples"
    elif failed:
        summary = f"{failed} of {_count(len(results))} failed"
    else:
        summary = f"{_count(len(results))}, all hold" if len(results) > 1 else "1 example, it holds"
    click.echo(f"{known_as(path)}: {summary}")


def _count(number: int) -> str:
    return f"{number} example{'s' if number != 1 else ''}"


def _show_failure(result: Result, failure: Failure) -> None:
    found = [_diagnostic(result, failure, whole=False)]
    show_diagnostics(found, sources_of(found))
    click.echo(f"  expected: {failure.expected}")
    click.echo(f"  found:    {failure.found}")
    if failure.note:
        click.echo(f"  help: {failure.note}")
    if failure.trace:
        click.echo("  since `given`:")
        if len(failure.trace) > MOST_LINES:
            click.echo("    …")
        for line in failure.trace[-MOST_LINES:]:
            click.echo(f"    {line}")
    click.echo()


def _diagnostic(result: Result, failure: Failure, *, whole: bool = True) -> Diagnostic:
    """A failure as a finding; `whole`: with what was expected and found, in words."""
    from dsl.diagnostics import Diagnostic

    tags = f" [{', '.join(result.tags)}]" if result.tags else ""
    message = f"the example “{result.name}” fails{tags}"
    notes: tuple[str, ...] = ()
    if whole:
        notes = (f"expected: {failure.expected}", f"found: {failure.found}", *failure.trace)
    suggestion = failure.note if whole else ""
    return Diagnostic(CODE, message, failure.span, notes=notes, suggestion=suggestion)


# ── for programs ─────────────────────────────────────────────────────────────────────────────


def _as_dict(result: Result) -> dict[str, object]:
    return {
        "name": result.name,
        "file": result.span.file,
        "line": result.span.line,
        "tags": list(result.tags),
        "holds": result.holds,
        "failures": [
            {
                "line": failure.span.line,
                "column": failure.span.column,
                "expected": failure.expected,
                "found": failure.found,
                "help": failure.note or None,
                "trace": list(failure.trace),
            }
            for failure in result.failures
        ],
    }
