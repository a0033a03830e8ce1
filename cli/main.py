"""The `rules` command: finds the subcommand, and turns every way out into an exit status.

0 fine; 1 something was found (errors in a ruleset, differences); 2 used wrongly; 130 stopped with
Ctrl-C. Subcommands are imported when they are run, so that a quick one starts quickly.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Sequence

import click

from cli.common import FOUND, INTERRUPTED, MISUSED, Group, drop_output, examples

COMMANDS = {
    "new": ("cli.new", "Write a ruleset of your own: a small game, or a copy of a bundled one."),
    "play": ("cli.play", "Play a game at the table, against bots or with friends."),
    "check": ("cli.check", "Find what is wrong in rulesets, all of it at once."),
    "test": ("cli.test", "Run the examples that stand in rulesets."),
    "trace": ("cli.trace", "Play a game with bots and print it, one event a line."),
    "sim": ("cli.sim", "Play a game many times with bots, and count what happens."),
    "diff": ("cli.diff", "See what a change of the rules changes."),
    "fuzz": ("cli.fuzz", "Play wildly to find games in which rules fail."),
    "why": ("cli.why", "Say which rule offers or refuses something at a choice of a game."),
    "compare": ("cli.compare", "Set versions of a game against each other on the same seeds."),
    "sweep": ("cli.sweep", "Vary a game's options, and search them for a wanted figure."),
    "cover": ("cli.cover", "Say which rules, ways and clauses no game reaches."),
    "accept": ("cli.accept", "Go through golden traces that changed; take or leave each."),
    "git": ("cli.git", "Traces and rules in git: diffs, a hook, reports on pull requests."),
    "expand": ("cli.expand", "Print the ruleset that a variant makes."),
    "explain": ("cli.explain", "Explain an error code, or show the code a ruleset becomes."),
    "fmt": ("cli.fmt", "Bring rulesets into the layout that all rulesets have."),
}


class Commands(Group):
    """Subcommands by name, each imported when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(COMMANDS[cmd_name][0])
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from dsl.suggest import nearest

            near = nearest(args[0], COMMANDS)
            hint = f"; did you mean `{near}`?" if near else f" (commands: {', '.join(COMMANDS)})"
            ctx.fail(f"there is no command `{args[0]}`{hint}")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # listed from the table: no subcommand need be imported for this
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "rules play {a}", "rules check my.rules", "rules trace {b} --seed 7", "rules play --help"
    ),
)
@click.version_option(package_name="card-rules", prog_name="rules")
def app() -> None:
    """Card games as rulebooks that run."""


def main(args: Sequence[str] | None = None) -> None:
    """Entry point of the `rules` script."""
    sys.exit(run(args))


def run(args: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit status."""
    _speak_utf8()
    try:
        status = _run(args)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # whoever read our output has seen enough
        drop_output()
        return 0
    except OSError as problem:
        drop_output()
        click.echo(f"Error: the output can't be written: {problem.strerror}", err=True)
        return MISUSED


def _speak_utf8() -> None:
    """Pipes and files are UTF-8 whatever the locale; no letter typed or shown may be a fault."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(
                encoding=stream.encoding if stream.isatty() else "utf-8",
                errors="replace" if stream is sys.stdin or stream.isatty() else "backslashreplace",
            )


def _run(args: Sequence[str] | None) -> int:
    try:
        with app.make_context("rules", list(sys.argv[1:] if args is None else args)) as ctx:
            app.invoke(ctx)
        return 0
    except click.exceptions.Exit as way_out:
        return way_out.exit_code
    except click.ClickException as problem:
        problem.show()
        return problem.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except RecursionError:
        click.echo("Error: this is nested too deeply to be read", err=True)
        return FOUND
    except Exception as problem:
        return _failed(problem)


def _failed(problem: Exception) -> int:
    from dsl.diagnostics import RulesError

    if isinstance(problem, RulesError):
        from cli.common import show_diagnostics, sources_of

        show_diagnostics(problem.diagnostics, sources_of(problem.diagnostics), err=True)
        return FOUND
    if isinstance(problem, OSError):
        where = f"{problem.filename}: " if problem.filename else ""
        click.echo(f"Error: {where}{problem.strerror or problem}", err=True)
        return MISUSED
    if os.environ.get("RULES_DEBUG"):
        raise problem
    click.echo(
        f"Error: something went wrong inside the program ({type(problem).__name__}: {problem}).\n"
        "This is a fault of ours, not of your rules; RULES_DEBUG=1 shows where it happened.",
        err=True,
    )
    return FOUND


if __name__ == "__main__":
    main()
