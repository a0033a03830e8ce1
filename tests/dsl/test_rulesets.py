"""The rulesets in the box and games of other kinds: they load without a word and can be played."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from dsl import pipeline
from dsl.diagnostics import render_text
from dsl.program import Program
from interpreter import compile_game

ROOT = Path(__file__).parent.parent.parent
BUNDLED = sorted((ROOT / "rulesets").glob("*.rules"))
GAMES = sorted((Path(__file__).parent / "games").glob("*.rules"))
GAMES += [ROOT / "tests" / "kuhn.rules"]


def load(path: Path) -> Program:
    program, diagnostics = pipeline.load(path)
    assert program is not None, render_text(diagnostics, {})
    return program


@pytest.mark.parametrize("path", [*BUNDLED, *GAMES], ids=lambda path: path.stem)
def test_loads_without_a_word(path: Path) -> None:
    program, diagnostics = pipeline.load(path)
    assert render_text(diagnostics, {}) == ""
    assert program is not None
    assert program.sources[str(path)] == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_games_of_other_kinds_can_be_played(path: Path) -> None:
    program = load(path)
    low, high = program.players
    for players in {low, high}:
        game = compile_game(program, players=players)
        for seed in range(3):
            state, random = game.start(seed=seed), Random(seed)
            while not state.is_over:
                state.apply(random.choice(state.moves))
            assert state.winners


def test_the_same_text_gives_the_same_program() -> None:
    path = BUNDLED[0]
    text = path.read_text(encoding="utf-8")
    program, _ = pipeline.load(path, text)
    changed, _ = pipeline.load(path, text + "# a comment\n")
    assert program is not None
    assert changed is not None
    assert program.source_hash == load(path).source_hash != changed.source_hash


def test_names_find_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    bundled = BUNDLED[0]
    assert pipeline.find(bundled.name) == bundled
    assert pipeline.find(bundled.stem) == bundled
    assert pipeline.find("nowhere.rules") == Path("nowhere.rules")
    assert pipeline.find(f"./{bundled.name}") == Path(bundled.name)
    own = tmp_path / bundled.name
    own.write_text("")
    assert pipeline.find(bundled.name) == Path(bundled.name)


def test_loading_is_quick_and_imports_nothing_heavy() -> None:
    """In a fresh process, everything included; the limit leaves room for slow machines. What others
    do on the machine does not count."""
    largest = max(BUNDLED, key=lambda path: path.stat().st_size)
    code = (
        "import sys, time; start = time.process_time()\n"
        "from dsl import pipeline\n"
        f"pipeline.load({str(largest)!r})\n"
        "took = time.process_time() - start\n"
        "heavy = {'numpy', 'pandas', 'rich', 'click', 'interpreter'} & set(sys.modules)\n"
        "print(took, sorted(heavy))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    took, heavy = done.stdout.split(" ", 1)
    assert heavy.strip() == "[]"
    assert float(took) < 1.5
