"""Golden traces: a game of each ruleset at each player count, and with each option at its ends;
one of them also as JSON Lines, which say who sees what. Of a variant, a game with the fewest
players and one with the most: what else happens in it is the base's.

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
RULESETS = sorted(ROOT.glob("rulesets/*.rules"))
VARIANTS = sorted(ROOT.glob("rulesets/variants/*.rules"))
SEED = 1
Case = tuple[int, dict[str, Any], int]
"""Players, options, seed."""

# Games in which much happens that is rare elsewhere: found by trying settings and seeds on what
# `python -m benchmarks.mutation` said nobody would notice.
EXTRA: dict[str, list[Case]] = {
    "gorilla": [
        (2, {"hand_size": 10, "top_number": 5, "cut_from_silverback": False, "wrap": True}
         | {"runs_follow_suit": True}, 6),
        (3, {"rounds": 3, "tricks": 2, "hand_size": 2, "stagger": True, "wrap": True}, 1),
        (4, {"rounds": 8, "hand_size": 3}, 1),
    ],
    "throne": [
        (3, {"turns": 8, "opening_coins": 1, "treasury_start": 5, "treasury_limit": 5}
         | {"final_hand": 8, "halved_coins_go_to": "treasury"}, 3),
        (3, {"opening_coins": 1, "hold_needs_coin": False, "raid_own_court": False}, 2),
        (5, {"turns": 2, "treasury_start": 6, "treasury_limit": 6}
         | {"halved_coins_go_to": "treasury"}, 3),
        (7, {"turns": 8, "opening_coins": 0, "stock_coins": 5}, 2),
        (7, {"turns": 8, "opening_coins": 0, "stock_coins": 5}, 3),
    ],
}  # fmt: skip


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


def cases(program: Program, stem: str) -> dict[str, Case]:
    """The golden games of a ruleset, by file's name: each number of players, and with the fewest
    each option at its ends, the first of these as JSON Lines too; and those in EXTRA."""
    low, high = program.players
    games: list[Case] = [(players, {}, SEED) for players in range(low, high + 1)]
    for option, decl in program.options.items():
        games += [(low, {option: value}, SEED) for value in flips(decl, low)]
    games += EXTRA.get(stem, [])
    named = {f"{stem}/{_file(program, stem, case)}.trace": case for case in games}
    changed = next((name for name, (_, options, _) in named.items() if options), next(iter(named)))
    named[changed.replace(".trace", ".jsonl")] = named[changed]
    return named


def variant_cases(program: Program, stem: str) -> dict[str, Case]:
    """The golden games of a variant, by file's name."""
    games: list[Case] = [(players, {}, SEED) for players in program.players]
    return {f"variants/{stem}/{_file(program, stem, case)}.trace": case for case in games}


def _file(program: Program, stem: str, case: Case) -> str:
    """What `rules trace --record` calls a game: options in the order of the ruleset."""
    players, options, seed = case
    given = [f"-{name}={option_text(options[name])}" for name in program.options if name in options]
    return f"{stem}-{players}p-{seed}{''.join(given)}"


GAMES = [
    pytest.param(name, path, *case, id=name.rpartition("/")[2])
    for paths, cases_of in ((RULESETS, cases), (VARIANTS, variant_cases))
    for path in paths
    for name, case in cases_of(load(path), path.stem).items()
]


@pytest.mark.filterwarnings(r"ignore:\s*Can not relate snapshot")
@pytest.mark.parametrize(("name", "path", "players", "options", "seed"), GAMES)
def test_trace(
    name: str, path: Path, players: int, options: dict[str, Any], seed: int,
    snapshot: SnapshotAssertion,
) -> None:  # fmt: skip
    game = compile_game(load(path), players, options)
    stem, _, form = name.rpartition(".")
    if form == "jsonl":
        golden, fmt = snapshot.use_extension(LinesExtension), "jsonl"
    else:
        golden, fmt = snapshot.use_extension(TraceExtension), "text"
    assert trace(game, seed, fmt=fmt) == golden(name=stem)


def test_every_trace_is_of_a_game(request: pytest.FixtureRequest) -> None:
    """Traces of games that are no more are left over; updating removes them."""
    wanted = {GOLDEN / str(param.values[0]) for param in GAMES}
    extra = {*GOLDEN.rglob("*.trace"), *GOLDEN.rglob("*.jsonl")} - wanted
    if request.config.option.update_snapshots:
        for path in extra:
            path.unlink()
        return
    assert not extra
