"""`rules git`: traces and rules in git. A driver for diffs, a hook before commits, a workflow."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from cli import git_files
from cli.common import FOUND, FilePath, Group, Whole, examples, misuse, write_file

OURS = "rules: made by `rules git`"
ATTRIBUTES = ("*.trace diff=rules-trace", "*.rules diff=rules")
HEADS = r"^[^[:space:]#].*$"  # lines of a ruleset that git shows as the heading of a hunk
WORKFLOW = Path(".github") / "workflows" / "rules.yml"


@click.group(
    cls=Group,
    epilog=examples(
        "rules git driver",
        "rules git hook",
        "rules git workflow",
        "rules git report main --folder report",
    ),
)
def command() -> None:
    """Traces and rules in git: diffs, a check before commits, a report for pull requests."""


def ourselves() -> str:
    """How this program is run, for git to run it."""
    beside = Path(sys.executable).with_name("rules")
    found = str(beside) if beside.exists() else shutil.which("rules")
    if found is not None:
        return shlex.quote(found)
    return f"{shlex.quote(sys.executable)} -m cli.start"


def _config(top: Path, *args: str) -> bool:
    return git_files.git("config", "--local", *args, where=top) is not None


# ── the driver ───────────────────────────────────────────────────────────────────────────────


@command.command(
    short_help="Have git compare traces by what happens.",
    epilog=examples("rules git driver", "rules git driver --shared", "rules git driver --remove"),
)
@click.option("--shared", is_flag=True, help="Say it in .gitattributes, for all who work on this.")
@click.option("--remove", is_flag=True, help="Take it away again.")
def driver(shared: bool, remove: bool) -> None:
    """Have git compare traces by what happens, in `git diff`, `git show` and `git log -p`.

    Also names the block in the hunks of a ruleset's diff. Set for this repository alone.
    """
    top = git_files.root()
    files = [top / ".gitattributes", _git_path(top, "info/attributes")]
    if remove:
        for section in ("diff.rules-trace", "diff.rules"):
            _config(top, "--remove-section", section)
        for path in files:
            _without(path, ATTRIBUTES)
        click.echo("git compares traces as text again")
        return
    _config(top, "diff.rules-trace.command", f"{ourselves()} git show-diff")
    _config(top, "diff.rules.xfuncname", HEADS)
    path = files[0] if shared else files[1]
    _with(path, ATTRIBUTES)
    click.echo("git compares traces by what happens; `rules git driver --remove` undoes it")
    if shared:
        click.echo("commit .gitattributes; each of you runs `rules git driver` once")


def _git_path(top: Path, name: str) -> Path:
    found = git_files.git("rev-parse", "--git-path", name, where=top)
    assert found is not None, "the repository was there a moment ago"
    return top / found.decode().rstrip("\n")


def _with(path: Path, lines: Sequence[str]) -> None:
    """Add lines to a file, those it does not have."""
    there = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    write_file(path, "".join(f"{line}\n" for line in dict.fromkeys((*there, *lines))))


def _without(path: Path, lines: Sequence[str]) -> None:
    """Take lines out of a file; a file left empty goes."""
    if not path.exists():
        return
    there = path.read_text(encoding="utf-8").splitlines()
    left = [line for line in there if line not in lines]
    if left:
        write_file(path, "".join(f"{line}\n" for line in left))
    elif there:
        path.unlink()


@command.command("show-diff", hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("args", nargs=-1)
def show_diff(args: tuple[str, ...]) -> None:
    """What git runs: PATH OLD-FILE OLD-HEX OLD-MODE NEW-FILE NEW-HEX NEW-MODE [NEW-PATH …]."""
    if len(args) < 7:
        click.echo(f"* Unmerged path {args[0] if args else ''}")
        return
    name, old, new = args[0], Path(args[1]), Path(args[4])
    now = args[7] if len(args) > 7 else name
    colour = _in_colour()
    texts = [path.read_bytes() if path.name != os.devnull[5:] else None for path in (old, new)]
    head = f"traces a/{name} b/{now}"
    click.echo(click.style(head, bold=True) if colour else head, color=colour)
    if not _as_traces(texts, colour):
        done = subprocess.run(
            ["git", "diff", "--no-index", "--no-ext-diff", "--", str(old), str(new)],
            capture_output=True, check=False,
        )  # fmt: skip
        click.echo(done.stdout, nl=False)


def _in_colour() -> bool:
    """Whether somebody looks: at a terminal, or through git's pager."""
    if "NO_COLOR" in os.environ:
        return False
    return sys.stdout.isatty() or os.environ.get("GIT_PAGER_IN_USE") == "true"


def _as_traces(texts: Sequence[bytes | None], colour: bool) -> bool:
    """Tell what differs; False if one of them is no trace."""
    from cli.diff import COLOURS
    from interpreter.trace import diff as traces
    from interpreter.trace import diff_text, reader

    if None in texts:
        click.echo("  a new trace" if texts[0] is None else "  the trace is gone")
        return True
    try:
        one, other = (reader.decode(text or b"") for text in texts)
        found = traces.compare(one, other)
    except reader.TraceError:
        return False
    for line in diff_text.summary(found):
        click.echo(f"  {line}")
    for sign, line in diff_text.unified(found):
        text = f"{sign} {line}"
        click.echo(click.style(text, fg=COLOURS.get(sign)) if colour else text, color=colour)
    return True


# ── the hook ─────────────────────────────────────────────────────────────────────────────────


@command.command(
    short_help="Check the rules before each commit.",
    epilog=examples("rules git hook", "rules git hook --remove"),
)
@click.option("--remove", is_flag=True, help="Take it away again.")
def hook(remove: bool) -> None:
    """Before each commit, check the rules that are staged and play golden traces again.

    A ruleset with errors, or a golden trace that its rules no longer make, stops the commit.
    """
    top = git_files.root()
    path = _git_path(top, "hooks/pre-commit")
    there = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    if there and OURS not in there:
        misuse(f"{path} is a hook already; add this line to it: {ourselves()} git check")
    if remove:
        path.unlink(missing_ok=True)
        click.echo("commits are no longer checked")
        return
    write_file(path, f"#!/bin/sh\n# {OURS} hook\nexec {ourselves()} git check\n")
    path.chmod(0o755)
    click.echo("commits are checked; `rules git hook --remove` undoes it")


@command.command(short_help="Check the rules that are staged.", epilog=examples("rules git check"))
def check() -> None:
    """Check what is staged: rulesets for errors, golden traces against their rules."""
    from cli import git_check

    if not git_check.staged():
        raise click.exceptions.Exit(FOUND)


# ── the workflow ─────────────────────────────────────────────────────────────────────────────


@command.command(
    short_help="Have pull requests on GitHub reported on.",
    epilog=examples("rules git workflow", "rules git workflow --force"),
)
@click.option(
    "--install", default="pip install card-rules", show_default=True,
    help="The command that installs this program there.",
)  # fmt: skip
@click.option("--force", is_flag=True, help="Write it even if there is one.")
def workflow(install: str, force: bool) -> None:
    """Write a workflow for GitHub that says below a pull request what it changes in play."""
    from cli.git_report import workflow_text

    path = git_files.root() / WORKFLOW
    if path.exists() and not force:
        misuse(f"{WORKFLOW} is there already; --force writes it anew")
    write_file(path, workflow_text(install))
    click.echo(f"wrote {WORKFLOW}; commit it")


@command.command(
    short_help="Say what changed in all rulesets since a revision.",
    epilog=examples("rules git report main", "rules git report HEAD~1 --seeds 20"),
)
@click.argument("base")
@click.option(
    "--seeds", type=Whole(0), default=100, show_default=True,
    help="How many games for each number of players.",
)  # fmt: skip
@click.option(
    "--folder", type=FilePath(file_okay=False),
    help="Keep the whole reports here, one HTML page for each ruleset.",
)  # fmt: skip
def report(base: str, seeds: int, folder: Path | None) -> None:
    """Print, as Markdown, what changed in all rulesets since this branch left BASE.

    Variants count as changed when their base has.
    """
    from cli import git_report

    click.echo(git_report.since(base, seeds, folder), nl=False)
