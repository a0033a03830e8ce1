"""`rules accept`: goes through golden traces that changed, and blesses or leaves each."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
from attrs import define, field

from cli import golden
from cli.common import (
    FOUND,
    examples,
    find,
    legible,
    misuse,
    on_terminal,
    write_file,
)
from cli.golden import Changed
from cli.speaking import Speaking, speaking

KEYS = {
    "y": "take the new trace",
    "n": "leave the old one",
    "r": "take this one and all others that first differ by the same rule",
    "a": "take this one and all that follow",
    "d": "show all that differs",
    "q": "stop here",
    "?": "this help",
}
WORDS = {"yes": "y", "no": "n", "rule": "r", "all": "a", "diff": "d", "quit": "q", "help": "?"}


@click.command(
    epilog=examples(
        "rules accept",
        "rules accept golden",
        "rules accept golden/my-3p-1.trace",
        "rules accept --list",
        "rules accept --all",
    )
)
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--rules", "file", metavar="FILE", help="The ruleset to play them by.")
@click.option("--all", "everything", is_flag=True, help="Take all new traces; ask nothing.")
@click.option("--list", "listing", is_flag=True, help="Only say what changed; ask nothing.")
def command(paths: tuple[Path, ...], file: str | None, everything: bool, listing: bool) -> None:
    """Go through golden traces that changed; take the new one, or leave the old, one by one.

    PATHS are traces or folders of traces; without any, all folders called `golden`.
    """
    if everything and listing:
        misuse("use one of --all and --list")
    if file is not None:
        find(file)
    found = paths or tuple(golden.folders())
    if not found:
        misuse("there is no folder `golden` here; name the folder your golden traces are in")
    traces = list(dict.fromkeys(path for folder in found for path in golden.kept(folder)))
    if not traces:
        misuse(f"there are no traces in {', '.join(map(str, found))}")
    results = list(golden.changed(traces, file))
    differing = [_Case(item) for item in results if isinstance(item, Changed)]
    click.echo(f"{len(traces) - len(differing)} as before, {len(differing)} different")
    if differing and listing:
        for case in differing:
            case.show()
        raise click.exceptions.Exit(FOUND)
    if differing:
        _Round(differing, everything).run()


# ── one that changed ─────────────────────────────────────────────────────────────────────────


@define(eq=False)
class _Case:
    """A golden trace that changed, and what is shown of it."""

    changed: Changed
    rule: Speaking | None = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.rule = speaking(self.changed)

    def show(self) -> None:
        """The first difference, with its rule."""
        from interpreter.trace import diff as traces
        from interpreter.trace import diff_text

        changed = self.changed
        click.echo()
        click.echo(click.style(str(changed.path), bold=True) + changed.problem)
        if changed.now is None or changed.trace is None:
            return
        diff = traces.compare(changed.trace.source, changed.now)
        for line in diff_text.summary(diff):
            click.echo(f"  {line}")
        for sign, line in _first_hunk(diff_text.unified(diff)):
            colour = {"-": "red", "+": "green", "~": "yellow", "@": "cyan"}.get(sign)
            click.echo(click.style(f"  {sign} {line}", fg=colour))
        for line in () if self.rule is None else self.rule.told:
            click.echo(f"  {line}")

    def show_all(self) -> None:
        """Everything that differs."""
        from cli.diff import echo_trace_diff
        from interpreter.trace import diff as traces

        changed = self.changed
        if changed.now is not None and changed.trace is not None:
            diff = traces.compare(changed.trace.source, changed.now)
            echo_trace_diff(diff, "kept", "now", None)

    def take(self) -> bool:
        """Put the new trace in place of the old; False where there is none."""
        if self.changed.now is None:
            return False
        write_file(self.changed.path, self.changed.now)
        return True


def _first_hunk(lines: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The lines of a diff up to its second place."""
    for number, (sign, line) in enumerate(lines):
        if sign == "@" and number:
            return
        yield sign, line


# ── going through them ───────────────────────────────────────────────────────────────────────


@define(eq=False)
class _Round:
    """Asks about each in turn, and counts."""

    cases: list[_Case]
    everything: bool
    taken: int = 0
    left: int = 0
    rules: set[str] = field(factory=set)

    def run(self) -> None:
        for number, case in enumerate(self.cases, 1):
            if not self._settled(case):
                case.show()
                if not self._ask(case, f"[{number} of {len(self.cases)}]"):
                    self.left += len(self.cases) - number + 1
                    break
        click.echo()
        click.echo(f"{self.taken} taken, {self.left} left as they were")
        if self.left:
            raise click.exceptions.Exit(FOUND)

    def _settled(self, case: _Case) -> bool:
        """Take a trace that was decided before; False where it must be asked."""
        known = self.everything or (case.rule is not None and case.rule.key in self.rules)
        if case.changed.now is None:
            case.show()
            click.echo("  It can't be played by these rules: mend the rules, or remove the file.")
            self.left += 1
            return True
        if known:
            case.take()
            self.taken += 1
            click.echo(f"taken: {case.changed.path}")
        return known

    def _ask(self, case: _Case, where: str) -> bool:
        """Ask until there is a decision; False to stop."""
        while True:
            match _answer(f"{where} Take the new trace? [y/n/r/a/d/q/?] "):
                case "y":
                    self._take(case)
                    return True
                case "r":
                    if case.rule is not None:
                        self.rules.add(case.rule.key)
                    self._take(case)
                    return True
                case "a":
                    self.everything = True
                    self._take(case)
                    return True
                case "n":
                    self.left += 1
                    return True
                case "d":
                    case.show_all()
                case "q":
                    return False
                case _:
                    for key, what in KEYS.items():
                        click.echo(f"  {key}  {what}")

    def _take(self, case: _Case) -> None:
        case.take()
        self.taken += 1


def _answer(question: str) -> str:
    """A key; at a pipe, answers are read one a line."""
    click.echo(question, nl=False)
    line = sys.stdin.readline()
    if not on_terminal():
        click.echo(line.rstrip("\n"))
    if not line:
        if on_terminal():
            return "q"
        misuse("the answers ended; --all takes all new traces, --list takes none")
    text = line.strip().lower()
    text = WORDS.get(text, text)
    if text not in KEYS:
        if not on_terminal():
            misuse(f"`{legible(text)}` is none of {', '.join(KEYS)}")
        return "?"
    return text
