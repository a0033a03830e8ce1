"""What the blocks of a page put out. Used by `test_docs`, which compares it with the ```output
block that follows them, or writes it there.

Modifiers of a ```rules block, besides those of `docs_snippets`:

    error                    what there is to say about it: errors and warnings
    run players=3 seed=1     the trace of a game of it; `set=NAME=VALUE,…`, `bots=`, `view=P2` and
                             `format=jsonl` as for `rules trace`. `from=TEXT` begins with the first
                             line that holds the text, `lines=N` ends after so many
    offer=2                  what is offered at the second choice (players, seed … as for `run`)
    fails                    the message with which the run ends

Other blocks: ```python is run, all of a page's one after another; ```console holds commands after
`$ ` and what they print; any block with `file=NAME` is a file these can read.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import define, field

from docs.pages import Fence, Page
from dsl.diagnostics import RulesError
from dsl.program import Program
from interpreter import Game, State, bots, compile_game
from interpreter.examples import run as run_examples
from interpreter.trace import run
from tests.docs_snippets import HERE, Snippet, kind_of, snippet, wrong_types

USUAL_PLAYERS, USUAL_SEED = 3, 1
MODIFIERS = ("error", "run", "fails")
SETTINGS = ("players", "seed", "set", "bots", "view", "format", "from", "lines", "offer", "file")


class Wrong(AssertionError):
    """A block does not do what its info string says."""


@define(eq=False)
class Runner:
    """Runs the blocks of one page in order."""

    page: Page
    folder: Path
    base: Fence | None = None
    names: dict[str, Any] = field(factory=dict)

    def output(self, fence: Fence) -> str | None:
        """What a block puts out; None if it puts out nothing. Raises Wrong."""
        if "file" in fence.settings:
            (self.folder / fence.settings["file"]).write_text(fence.text, encoding="utf-8")
        match fence.lang:
            case "rules":
                return self.rules(fence)
            case "python":
                with _standing_in(self.folder):
                    return _printed(lambda: exec(compile(fence.text, "page", "exec"), self.names))
            case _:
                return None

    def rules(self, fence: Fence) -> str | None:
        unknown = {*fence.words} - {*MODIFIERS, kind_of(fence)}
        unknown |= {*fence.settings} - {*SETTINGS}
        if unknown:
            raise Wrong(f"{fence.where}: what is {', '.join(sorted(unknown))}?")
        made = snippet(fence, self.base)
        program, found = made.load(self.folder)
        found = [d for d in found if d.is_error or d.span is None or d.span.file == HERE]
        if "error" in fence.words:
            if not found:
                raise Wrong(f"{fence.where}: there is nothing wrong with this snippet")
            return made.messages(found)
        noticed = [d for d in found if d.is_error or kind_of(fence) == ""]
        if program is None or noticed:
            raise Wrong(f"{fence.where}:\n{made.messages(noticed)}")
        if kind_of(fence) == "values" and (wrong := wrong_types(made, program)):
            raise Wrong(f"{fence.where}: {'; '.join(wrong)}")
        if kind_of(fence) == "base":
            self.base = fence
        if program.examples and "fails" not in fence.words:
            wrong = [r.name for r in run_examples(program) if not r.holds]
            if wrong:
                raise Wrong(f"{fence.where}: examples fail: {', '.join(wrong)}")
        return self.played(fence, made, program)

    def played(self, fence: Fence, made: Snippet, program: Program) -> str | None:
        fails = "fails" in fence.words
        try:
            game, seed = _game(fence, program)
            play_through(game, seed, fence.settings.get("bots", "steady" if fails else "random"))
            output = None
            if "run" in fence.words:
                output = excerpt(_trace(fence, game, seed), fence.settings)
            elif "offer" in fence.settings:
                output = offer(game, seed, int(fence.settings["offer"]), fence.settings.get("bots"))
        except RulesError as error:
            messages = made.messages([made.told(item) for item in error.diagnostics])
            if fails:
                return messages
            raise Wrong(f"{fence.where}: {messages}") from None
        if fails:
            raise Wrong(f"{fence.where}: the game goes well")
        return output


def _game(fence: Fence, program: Program) -> tuple[Game, int]:
    low, high = program.players
    players = int(fence.settings.get("players", min(max(USUAL_PLAYERS, low), high)))
    pairs = [pair.partition("=") for pair in fence.settings.get("set", "").split(",") if pair]
    game = compile_game(program, players, {name: value for name, _, value in pairs})
    return game, int(fence.settings.get("seed", USUAL_SEED))


def play_through(game: Game, seed: int, bot: str = "random") -> State:
    """A game to its end."""
    state = game.start(seed)
    names = bots.seats(bot, game.players, program=game.program)
    bots.play_out(state, [bots.make(name, seed, game) for name in names])
    return state


def _trace(fence: Fence, game: Game, seed: int) -> str:
    said = fence.settings
    viewer = int(said["view"].removeprefix("P")) - 1 if "view" in said else None
    return run.trace(game, seed, said.get("bots", "steady"), said.get("format", "text"), viewer)


def excerpt(text: str, settings: Mapping[str, str]) -> str:
    """A stretch of lines, with `…` where something was left out."""
    lines = text.splitlines()
    first, wanted = 0, settings.get("from")
    if wanted is not None:
        found = [i for i, line in enumerate(lines) if wanted in line]
        if not found:
            raise Wrong(f"no line holds {wanted!r}")
        first = found[0]
    last = min(first + int(settings.get("lines", len(lines))), len(lines))
    kept = lines[first:last]
    kept = (["…"] if first else []) + kept + (["…"] if last < len(lines) else [])
    return "".join(f"{line}\n" for line in kept)


def offer(game: Game, seed: int, number: int, bot: str | None = None) -> str:
    """The options of the so-many-eth choice."""
    state = game.start(seed)
    players = {q: bots.make(bot or "steady", seed, game) for q in range(game.players)}
    for _ in range(number - 1):
        if state.player is None:
            raise Wrong("the game is over before that choice")
        raw = players[state.player].choose(state)
        bots.Witnesses(players).tell(state, raw)
        state.apply(raw)
    decision = state.decision
    if decision is None:
        raise Wrong("the game is over before that choice")
    lines = [f"P{decision.player + 1} {decision.name}:"]
    lines += [f"  {option.label}" for option in decision.options]
    return "".join(f"{line}\n" for line in lines)


# ── commands and Python ──────────────────────────────────────────────────────────────────────


def console(fence: Fence, folder: Path) -> str:
    """A ```console block with what its commands print now. Where what is shown of a command's
    output ends with `…`, as many lines are shown again."""
    made = []
    for command, shown in _commands(fence.text):
        with _standing_in(folder):
            printed = command_output(command).splitlines()
        if shown and shown[-1] == "…" and len(printed) > len(shown) - 1:
            printed = [*printed[: len(shown) - 1], "…"]
        made += [f"$ {command}", *printed]
    return "".join(f"{line}\n" for line in made)


def _commands(text: str) -> Iterator[tuple[str, list[str]]]:
    command, shown = "", list[str]()
    for line in text.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, shown
            command, shown = line[2:], []
        else:
            shown.append(line)
    if command:
        yield command, shown


def command_output(command: str) -> str:
    """What `rules …` prints, and its exit status if that is not 0."""
    import shlex

    from cli.main import run as run_command

    name, *rest = shlex.split(command, comments=True)
    if name != "rules":
        raise Wrong(f"not a command of ours: {command}")
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        run_command(rest)
    return out.getvalue()


def _printed(what: Any) -> str | None:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        what()
    return out.getvalue() or None


@contextlib.contextmanager
def _standing_in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
