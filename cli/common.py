"""What the commands share: finding and compiling a ruleset, options, printing diagnostics."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic
    from dsl.program import Program
    from interpreter.game import Game

# what would move the cursor or change colours, were it printed as it stands in a file
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_HEAD = re.compile(r'(?m)^(?:game|variant) +"(?P<title>[^"]*)"(?: +of +"(?P<base>[^"]*)")?')

F = TypeVar("F", bound=Callable[..., Any])

FOUND, MISUSED, INTERRUPTED = 1, 2, 130
MISUSES = {"R0801", "R0804", "R0805"}  # of binding: what was asked for, not the ruleset, is wrong
USUAL_PLAYERS = 4
MOST_SEED = 2**64 - 1
MOST_SHOWN = 100  # characters of what was typed
MOST_FINDINGS = 50  # printed at once; more of them help nobody


def bundled() -> list[Path]:
    """The rulesets that come with the program."""
    from rulesets import FOLDER

    return sorted(FOLDER.glob("*.rules"))


def variants() -> list[Path]:
    """The variants of them that come with the program."""
    from rulesets import VARIANTS

    return sorted(VARIANTS.glob("*.rules"))


def titles() -> list[tuple[str, str]]:
    """Name and title of every bundled ruleset, each followed by its variants. Only the heads of the
    files are read, so that nothing need be compiled to say what there is."""
    heads = {path: _head(path) for path in (*bundled(), *variants())}
    found: list[tuple[str, str]] = []

    def add(path: Path) -> None:
        title, _ = heads[path]
        found.append((path.stem, title))
        for other, (_, base) in heads.items():
            if base == path:
                add(other)

    for path in bundled():
        add(path)
    return found


def _head(path: Path) -> tuple[str, Path | None]:
    """The title of a ruleset or variant, and the file that it is a variant of."""
    head = _HEAD.search(path.read_text(encoding="utf-8-sig"))
    assert head is not None  # every bundled file is checked
    title, base = head["title"], head["base"]
    if base is None:
        return title, None
    return f"“{title}” of {Path(base).stem}", (path.parent / base).resolve()


def examples(*lines: str) -> str:
    """The end of a help text: examples, with {a} and {b} standing for bundled rulesets."""
    names = [path.name for path in bundled()] or ["my.rules"]
    filled = [line.format(a=names[0], b=names[-1]) for line in lines]
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in filled)


# ── options ──────────────────────────────────────────────────────────────────────────────────


class Setting(click.ParamType[tuple[str, str]]):
    """NAME=VALUE."""

    name = "name=value"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        name, equals, given = str(value).partition("=")
        if not equals or not name.strip() or not given.strip():
            self.fail(f"`{value}` should be NAME=VALUE, for instance turns=4", param, ctx)
        return name.strip(), given.strip()


def _each_once(
    ctx: click.Context, param: click.Parameter, given: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    """Settings, each of which is given once."""
    names = [name for name, _ in given]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise click.BadParameter(f"`{twice}` is set twice", ctx, param)
    return given


class Whole(click.ParamType[int]):
    """A whole number, of at least `low` and perhaps at most `high`."""

    name = "number"

    def __init__(self, low: int, high: int | None = None) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        try:
            number = int(str(value))
        except ValueError:  # no number, or one of thousands of digits
            number = self.low - 1
        low, high = self.low, self.high
        if number < low or (high is not None and number > high):
            bounds = f", at least {low:,}" if high is None else f" from {low:,} to {high:,}"
            self.fail(f"`{legible(str(value))}` should be a whole number{bounds}", param, ctx)
        return number


class Seconds(click.ParamType[float]):
    """A length of time above 0."""

    name = "seconds"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        try:
            seconds = float(str(value))
        except ValueError:
            seconds = 0.0
        if not 0 < seconds < float("inf"):
            self.fail(f"`{legible(str(value))}` should be a number of seconds", param, ctx)
        return seconds


class FilePath(click.Path):
    """A file or folder. An empty name, as of a variable that a shell has not set, is none."""

    def __init__(self, *, dir_okay: bool = True, file_okay: bool = True) -> None:
        super().__init__(dir_okay=dir_okay, file_okay=file_okay, path_type=Path)

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if not str(value).strip():
            self.fail("the name given is empty", param, ctx)
        return super().convert(value, param, ctx)


class Seat(click.ParamType[int]):
    """P1, P2, …: a player, counted from 0 inside."""

    name = "seat"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"[Pp]([1-9][0-9]?)", str(value).strip())
        if found is None:
            self.fail(f"`{value}` should be a seat, for instance P2", param, ctx)
        return int(found[1]) - 1


class Group(click.Group):
    """Commands by name. An option that takes one value is given once."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and not isinstance(command, click.Group):
            _options_once(command, rest)
        return name, command, rest


def _options_once(command: click.Command, args: Sequence[str]) -> None:
    """Stop if an option that takes one value is given several: none of them should be dropped
    without a word."""
    options = {
        name: option
        for option in command.params
        if isinstance(option, click.Option) and not option.is_flag
        for name in option.opts
    }
    seen: set[str | None] = set()
    rest = iter(args)
    for arg in rest:
        if arg == "--":
            return
        long, equals, _ = arg.partition("=")
        name = long if long in options and (equals or long == arg) else arg[:2]
        option = options.get(name)
        if option is None or (name != long and arg.startswith("--")):
            continue
        if arg == name:
            next(rest, None)  # its value
        if option.name in seen and not option.multiple:
            misuse(f"{name} is given twice")
        seen.add(option.name)


def game_options(command: F) -> F:
    """--players, --seed and --set."""
    for option in (
        click.option(
            "--set",
            "settings",
            type=Setting(),
            multiple=True,
            callback=_each_once,
            help="Set an option of the game.",
        ),
        click.option("--seed", type=Whole(0, MOST_SEED), help="The deal, and all other chance."),
        click.option("--players", type=Whole(1), help="How many play."),
    ):
        command = option(command)
    return command


def new_seed() -> int:
    """A seed nobody knows."""
    import secrets

    return secrets.randbelow(2**31)


# ── rulesets ─────────────────────────────────────────────────────────────────────────────────


def load(name: str, text: str | None = None) -> Program:
    """The ruleset of that path or bundled name; errors are printed, and end the command. `text`:
    what was read from it, where that can't be read again."""
    from dsl import pipeline

    program, diagnostics = pipeline.load(find(name), text, examples=False)
    errors = [d for d in diagnostics if d.is_error]
    if program is None or errors:
        show_diagnostics(errors or diagnostics, sources_of(diagnostics), err=True)
        raise click.exceptions.Exit(FOUND)
    return program


def find(name: str) -> Path:
    """Where a ruleset lies; a name that can't be found is a misuse."""
    from dsl import pipeline

    if not name.strip():
        misuse("which ruleset? The name given is empty")
    path = pipeline.find(name)
    if path.is_dir():
        misuse(f"{name} is a folder, not a ruleset")
    if not path.exists():
        from dsl.suggest import nearest

        names = [p.name for p in bundled()]
        known = [*bundled(), *variants()]
        beside = [str(p) for p in sorted(path.parent.glob("*.rules"))]
        near = nearest(name, [*beside, *(p.name for p in known), *(p.stem for p in known)])
        hint = f"did you mean `{near}`?" if near else f"bundled: {', '.join(names)}"
        misuse(f"there is no ruleset `{name}` ({hint})")
    return path


def compiled(
    program: Program,
    players: int | None,
    settings: Iterable[tuple[str, str]] = (),
    names: Mapping[str, str] | None = None,
) -> Game:
    """The game for a player count (by default 4, or the nearest it allows) and options. `names`:
    how the files of the ruleset are called, where that is not their path."""
    from dsl.diagnostics import RulesError
    from interpreter import compile_game

    low, high = program.players
    count = min(max(USUAL_PLAYERS, low), high) if players is None else players
    try:
        return compile_game(program, players=count, options=dict(settings))
    except RulesError as problem:
        if all(d.code in MISUSES for d in problem.diagnostics):
            misuse(
                "\n".join(filter(None, (t for d in problem.diagnostics for t in said(d, names))))
            )
        raise


def said(diagnostic: Diagnostic, names: Mapping[str, str] | None = None) -> tuple[str, str]:
    """What a diagnostic says, with the line of the rules that it is about, and its way out."""
    from dsl.diagnostics import shown_file

    if (span := diagnostic.span) is None:
        return diagnostic.message, diagnostic.suggestion
    file = (names or {}).get(span.file) or known_as(shown_file(span.file))
    return f"{diagnostic.message} ({file}:{span.line})", diagnostic.suggestion


def seats(
    spec: str | None, players: int, default: str, program: Program | None = None
) -> list[str]:
    """The bot of each seat; those of the ruleset are known with its `program`."""
    from lab import bots

    try:
        return bots.seats(spec or "", players, default, program)
    except ValueError as problem:
        misuse(str(problem))


def needs(extra: str, *modules: str) -> None:
    """Stop if an extra is not installed, saying how to install it."""
    from importlib.util import find_spec

    if any(find_spec(module) is None for module in modules):
        misuse(
            "this needs more to be installed, in the folder of the project (where its README.md "
            f"is): .venv/bin/pip install '.[{extra}]'"
        )


class Misuse(click.ClickException):
    """The command was used wrongly, in a way its usage line would not tell."""

    exit_code = MISUSED


def misuse(message: str) -> NoReturn:
    """Stop, because of how the command was used."""
    raise Misuse(message)


# ── printing and files ───────────────────────────────────────────────────────────────────────


def sources_of(diagnostics: Iterable[Diagnostic]) -> dict[str, str]:
    """The text of the files that diagnostics speak of."""
    files = {d.span.file for d in diagnostics if d.span is not None}
    files |= {r.span.file for d in diagnostics for r in d.related}
    texts = {}
    for file in files:
        if not Path(file).is_file():  # from a pipe, nothing comes twice
            continue
        try:
            texts[file] = Path(file).read_text(encoding="utf-8-sig", errors="replace")
        except OSError:
            continue
    return texts


def show_diagnostics(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, str], err: bool = False
) -> None:
    """Print diagnostics, coloured on a terminal: the first ones, errors before warnings if there
    are too many, and how many more there are."""
    from dsl.diagnostics import position, render_text

    every = list(diagnostics)
    shown = every
    if len(every) > MOST_FINDINGS:
        first = sorted(every, key=lambda d: not d.is_error)[:MOST_FINDINGS]
        shown = sorted(first, key=position)
    text = _CONTROL.sub("�", render_text(shown, sources))
    if len(shown) < len(every):
        text += f"\n\n… and {len(every) - len(shown):,} more; mend these first"
    text = re.sub(r"(?m)^(error) (\w+):", click.style(r"\1 \2:", fg="red", bold=True), text)
    text = re.sub(r"(?m)^(warning) (\w+):", click.style(r"\1 \2:", fg="yellow", bold=True), text)
    text = re.sub(r"(?m)^(note) (\w+):", click.style(r"\1 \2:", fg="cyan", bold=True), text)
    text = re.sub(r"(?m)^( *\| *)(\^+)$", r"\1" + click.style(r"\2", fg="red"), text)
    click.echo(text, err=err)


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Output inside goes nowhere once nobody reads it any more (`… | head -1`); what was found out
    still decides the exit status."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()


def drop_output() -> None:
    """Have what is still to be written go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def legible(text: str) -> str:
    """What someone typed or a file holds, fit for a message: not too long, and on one line."""
    short = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
    return re.sub(r"[\t\n]", " ", _CONTROL.sub("�", short))


def known_as(path: Path | str) -> str:
    """How a person would name a ruleset: bundled ones by name, others by path."""
    path = Path(path)
    return path.name if path in bundled() or path in variants() else str(path)


def on_terminal() -> bool:
    """Whether a person is at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all: what was there stays until the new content is complete.

    A link stays one: the file it leads to is written. What is no ordinary file (a device, a pipe)
    is written into, and never replaced.
    """
    data = content if isinstance(content, bytes) else content.encode(errors="backslashreplace")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _replace(path.resolve(), data)
    except OSError as problem:
        if problem.filename is None:  # of writing, not of opening
            problem.filename = str(path)
        raise


def _replace(path: Path, data: bytes) -> None:
    import tempfile

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
