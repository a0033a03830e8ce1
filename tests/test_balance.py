"""`docs/balance.md` is what `python -m benchmarks.balance --write` makes."""

from __future__ import annotations

import importlib
import re

import pytest

from benchmarks import balance
from benchmarks.balance_cells import LEAF_SEATS, PARTS, PUBLISHED, VERSIONS, Cell, cells
from benchmarks.balance_tables import percent
from cli.main import COMMANDS
from dsl import pipeline
from interpreter import compile_game
from lab.plan import plan
from lab.report import Report
from lab.simulation import simulate

PAGE = balance.PAGE.read_text(encoding="utf-8")
TEMPLATE = balance.TEMPLATE.read_text(encoding="utf-8")


def test_the_page_has_all_that_the_template_says() -> None:
    assert PAGE.startswith(balance.MADE)
    at = 0
    for said in re.split(balance.SLOT, TEMPLATE)[::2]:
        at = PAGE.index(said, at) + len(said)
    assert "{{" not in PAGE


def test_the_tables_have_a_row_for_each_cell() -> None:
    for version, players in PUBLISHED:
        assert PAGE.count(f"\n| {version} | {players} | ") == 2  # by the sheet, and the script
    for part in PARTS:
        for players in (2, 3, 4):
            assert f"\n| [{part}](balance/{part}.rules) | {players} | " in PAGE


@pytest.mark.parametrize("cell", cells(), ids=lambda cell: cell.name)
def test_commands_can_be_typed(cell: Cell) -> None:
    assert f"\nrules {cell.command}\n" in PAGE
    name, *words = cell.words
    command = importlib.import_module(COMMANDS[name][0]).command
    command.make_context(name, words)
    for ruleset in cell.rulesets:
        assert (balance.ROOT / pipeline.find(ruleset)).exists()


@pytest.mark.parametrize("version", VERSIONS)
def test_the_script_has_all_differences(version: str) -> None:
    text = balance.script_file(version).read_text(encoding="utf-8")
    assert text == balance.script(version)
    program, found = pipeline.load(balance.script_file(version))
    assert program is not None and not found


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)", PAGE):
        assert (balance.PAGE.parent / target).exists(), target


def test_a_cell_played_again_gives_the_same() -> None:
    players = LEAF_SEATS[0]
    (cell,) = (cell for cell in cells() if cell.name == f"leaf seats {players}")
    words = cell.words
    games, seed = (int(words[words.index(option) + 1]) for option in ("-n", "--seed"))
    program, _ = pipeline.load(pipeline.find(cell.rulesets[0]))
    assert program is not None
    game = compile_game(program, players)
    made = plan(game, (words[words.index("--bots") + 1],) * players, games, seed)
    told = Report(made, game, simulate(made, workers=1).totals).data()["tables"]["seat"]["rows"]
    assert f"\n| {players} | {' | '.join(percent(row['won']) for row in told)} | " in PAGE
