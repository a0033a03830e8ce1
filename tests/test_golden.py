"""Golden traces: a game of each ruleset at each player count, and with each option at its ends;
one of them also as JSON Lines, which say who sees what.

Seed 1, steady bots. `pytest --snapshot-update` renews the files in tests/golden; a diff of them
shows what a change of rules did to play. They are named as `rules trace --record` names them, and
`rules trace --check tests/golden` plays them again too.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.data import Snapshot, SnapshotCollection
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation

from dsl import pipeline
from dsl.program import Program
from interpreter import compile_game
from interpreter.trace.run import option_text, trace
from tests.contract import flips

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden"
RULESETS = sorted(ROOT.glob("rulesets/**/*.rules"))
SEED = 1


class TraceExtension(SingleFileSnapshotExtension):
    """Keeps each trace in a file of its own, at tests/golden/ and the name it is given."""

    _write_mode = WriteMode.TEXT
    file_extension = "trace"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(GOLDEN)

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: int | str = 0) -> str:
        return str(index)

    def read_snapshot_collection(self, *, snapshot_location: str) -> SnapshotCollection:
        collection = SnapshotCollection(location=snapshot_location)
        name = Path(snapshot_location).relative_to(GOLDEN).with_suffix("").as_posix()
        collection.add(Snapshot(name=name))
        return collection


class LinesExtension(TraceExtension):
    """The same for traces as JSON Lines."""

    file_extension = "jsonl"


@cache
def load(path: Path) -> Program:
    program, diagnostics = pipeline.load(path)
    assert program is not None, "\n".join(d.message for d in diagnostics)
    return program


def cases(program: Program, stem: str) -> dict[str, tuple[int, dict[str, Any]]]:
    """Players and options of each golden game of a ruleset, by its file's name: each number of
    players, and with the fewest each option at its ends; the first of these as JSON Lines too."""
    low, high = program.players
    named: dict[str, tuple[int, dict[str, Any]]] = {
        f"{stem}/{stem}-{players}p-{SEED}.trace": (players, {}) for players in range(low, high + 1)
    }
    for option, decl in program.options.items():
        for value in flips(decl, low):
            name = f"{stem}/{stem}-{low}p-{SEED}-{option}={option_text(value)}"
            named[f"{name}.trace"] = (low, {option: value})
    changed = [name for name, (_, options) in named.items() if options] or list(named)
    named[changed[0].replace(".trace", ".jsonl")] = named[changed[0]]
    return named


GAMES = [
    pytest.param(name, path, players, options, id=name.partition("/")[2])
    for path in RULESETS
    for name, (players, options) in cases(load(path), path.stem).items()
]


@pytest.mark.filterwarnings(r"ignore:\s*Can not relate snapshot")
@pytest.mark.parametrize(("name", "path", "players", "options"), GAMES)
def test_trace(
    name: str, path: Path, players: int, options: dict[str, Any], snapshot: SnapshotAssertion
) -> None:
    game = compile_game(load(path), players, options)
    stem, _, form = name.rpartition(".")
    if form == "jsonl":
        golden, fmt = snapshot.use_extension(LinesExtension), "jsonl"
    else:
        golden, fmt = snapshot.use_extension(TraceExtension), "text"
    assert trace(game, SEED, fmt=fmt) == golden(name=stem)


def test_every_trace_is_of_a_game(request: pytest.FixtureRequest) -> None:
    """Traces of games that are no more are left over; updating removes them."""
    wanted = {GOLDEN / str(param.values[0]) for param in GAMES}
    extra = {*GOLDEN.rglob("*.trace"), *GOLDEN.rglob("*.jsonl")} - wanted
    if request.config.option.update_snapshots:
        for path in extra:
            path.unlink()
        return
    assert not extra
