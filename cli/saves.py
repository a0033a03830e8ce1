"""Saved games: JSON with all that is needed to go on, and the hash of their ruleset.

A save holds the choices made so far, not the state: it is short, readable, and played again when
it is loaded. Another ruleset, or another version of the program, may play them differently, so
both are refused unless the person insists.
"""

from __future__ import annotations

import json
import os
from errno import EEXIST
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import asdict, frozen

from cli.common import MOST_SEED, known_as, write_file
from cli.session import Choice
from cli.words import LANGUAGES

if TYPE_CHECKING:
    from cli.session import Session
    from dsl.program import Program

VERSION = 1
T = TypeVar("T")


class SaveError(Exception):
    """A save that can't be used, and why; `force`: insisting may help."""

    def __init__(self, message: str, force: bool = False) -> None:
        super().__init__(message)
        self.force = force


@frozen
class Save:
    """A game so far. `ruleset`: the bundled name or path it was loaded from."""

    ruleset: str
    program: str
    hash: str
    lang: str
    players: int
    seed: int
    settings: dict[str, str]
    seats: list[str]
    choices: list[list[Any]]
    memories: dict[str, dict[str, Any]]

    def made(self) -> list[Choice]:
        return [Choice(*choice) for choice in self.choices]


def folder() -> Path:
    """Where games are saved when no file is named."""
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "rules"


def default_path(ruleset: str) -> Path:
    """Where the game of a ruleset (as `ruleset_name` says it) is saved when no file is named."""
    path = Path(ruleset)
    key = sha256(ruleset.encode(errors="surrogatepass")).hexdigest()[:8]
    where = "" if path.name == ruleset else f"-{key}"
    return folder() / f"{path.stem}{where}.save.json"


def latest() -> Path | None:
    """The game saved last, of any ruleset."""
    try:
        saves = sorted(folder().glob("*.save.json"), key=lambda p: p.stat().st_mtime)
    except OSError:
        return None
    return saves[-1] if saves else None


def write(path: Path, save: Save) -> None:
    """Write a save, whole or not at all; over nothing but an earlier save."""
    if not _may_replace(path):
        raise FileExistsError(EEXIST, "there is a file that is no saved game", str(path))
    choices = ",\n".join(f"  {json.dumps(choice, ensure_ascii=False)}" for choice in save.choices)
    head = {"rules_save": VERSION, **asdict(save, recurse=False)}
    lines = [
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in head.items()
        if key != "choices"
    ]
    lines.append(f'"choices": [\n{choices}\n]')
    write_file(path, "{\n" + ",\n".join(lines) + "\n}\n")


def _may_replace(path: Path) -> bool:
    """Whether there is nothing at a path, or a save (a damaged one, too)."""
    try:
        with path.open("rb") as file:
            start = file.read(100)
    except FileNotFoundError:
        return True
    return not start.strip() or b'"rules_save"' in start


def read(path: Path) -> Save:
    """Read a save. SaveError, in words, for what is none or is damaged."""
    try:
        data = json.loads(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        raise SaveError(f"there is no saved game at {path}") from None
    except OSError as problem:
        raise SaveError(f"{path}: {problem.strerror}") from None
    except (ValueError, RecursionError):  # no UTF-8, no JSON, or numbers too long to be read
        raise SaveError(f"{path} is damaged, or is not a saved game") from None
    if not isinstance(data, dict) or "rules_save" not in data:
        raise SaveError(f"{path} is not a saved game")
    version = data.pop("rules_save")
    if version != VERSION:
        raise SaveError(
            f"{path} is a saved game of version {version}; this program reads version {VERSION}"
        )
    try:
        return _whole(data)
    except (KeyError, TypeError, ValueError):
        raise SaveError(f"{path} is damaged: parts of it are missing or wrong") from None


def _whole(data: dict[str, Any]) -> Save:
    """The save in some data; KeyError, TypeError or ValueError if it is not all there."""
    texts = {key: _of(str, data[key]) for key in ("ruleset", "program", "hash", "lang")}
    numbers = {key: _of(int, data[key]) for key in ("players", "seed")}
    seats = [_of(str, seat) for seat in _of(list, data["seats"])]
    choices = [_of(list, choice) for choice in _of(list, data["choices"])]
    settings = {name: _of(str, value) for name, value in _of(dict, data["settings"]).items()}
    memories = {
        str(int(seat)): _of(dict, memory) for seat, memory in _of(dict, data["memories"]).items()
    }
    for player, path, label, _ in choices:
        _of(int, player), _of(str, path), _of(str, label)
    if len(seats) != numbers["players"] or texts["lang"] not in LANGUAGES:
        raise ValueError
    if not 0 <= numbers["seed"] <= MOST_SEED:
        raise ValueError
    return Save(
        ruleset=texts["ruleset"],
        program=texts["program"],
        hash=texts["hash"],
        lang=texts["lang"],
        players=numbers["players"],
        seed=numbers["seed"],
        settings=settings,
        seats=seats,
        choices=choices,
        memories=memories,
    )


def _of(kind: type[T], value: Any) -> T:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        raise TypeError
    return value


def ruleset_name(program: Program) -> str:
    """How a save names its ruleset: bundled ones by name, others by their whole path."""
    return known_as(Path(program.file).resolve())


def program_version() -> str:
    """The version of this program."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("card-rules")
    except PackageNotFoundError:
        return "unknown"


def of(session: Session) -> Save:
    """A session as a save."""
    program = session.game.program
    return Save(
        ruleset=ruleset_name(program),
        program=program_version(),
        hash=program.source_hash,
        lang=session.lang,
        players=session.game.players,
        seed=session.seed,
        settings=dict(session.settings()),
        seats=session.seats,
        choices=[choice.as_json() for choice in session.choices],
        memories=session.memories(),
    )


def holds(path: Path, session: Session) -> bool:
    """Whether a file is a save of this game, perhaps from an earlier point."""
    try:
        save = read(path)
    except SaveError:
        return False
    made = [choice.as_json() for choice in session.choices]
    same = (save.hash, save.seed) == (session.game.program.source_hash, session.seed)
    return same and made[: len(save.choices)] == save.choices


def check(save: Save, program: Program) -> None:
    """Refuse a save of another ruleset, or of another version of this program."""
    if save.hash != program.source_hash:
        raise SaveError(
            f"this game was saved with other rules than {program.title.name} has now "
            f"({save.ruleset})",
            force=True,
        )
    if save.program != program_version():
        raise SaveError(
            f"this game was saved by version {save.program} of the program, "
            f"this is {program_version()}",
            force=True,
        )
