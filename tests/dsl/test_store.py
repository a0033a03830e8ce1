"""Rulesets that were loaded before are not worked out again, and nothing can be told from it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dsl import parse, pipeline, store
from dsl.diagnostics import Diagnostic, render_json
from dsl.program import Program
from dsl.walk import everything
from tests.dsl.core_text import text

RULES = """\
game "Test"
  sheet "sheet.md"
  players 2
cards
  number  1..9
  plain: one of each number
places
  deck            face down pile
  hand of player  private hand
setup
  shuffle all cards into deck                 [A1]
  deal 2 from deck to every hand
phase one
  each player
    choose go: card from hand
      move it to hand
scoring
  points = 1
winner most points, then draw
"""
SHEET = "- **A1** (rule) Shuffle.\n"


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruleset with its sheet, and a store of its own."""
    monkeypatch.setenv("RULES_CACHE", str(tmp_path / "kept"))
    (tmp_path / "sheet.md").write_text(SHEET)
    path = tmp_path / "test.rules"
    path.write_text(RULES)
    return path


def no_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("it is parsed again")

    monkeypatch.setattr(parse, "parse", fail)


def described(program: Program | None) -> list[str]:
    assert program is not None
    return [text(node) for node in everything(program)]


def codes(found: list[Diagnostic]) -> list[str]:
    return [item.code for item in found]


def kept_files(rules: Path) -> list[Path]:
    return sorted((rules.parent / "kept").iterdir())


def test_a_ruleset_is_worked_out_once(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, said = pipeline.load(rules)
    no_parsing(monkeypatch)
    again, said_again = pipeline.load(rules)
    assert first is not None and again is not None and again is not first
    assert described(again) == described(first)
    assert again.sources == first.sources and again.source_hash == first.source_hash
    assert render_json(said_again) == render_json(said)
    assert codes(pipeline.load(rules, RULES)[1]) == codes(said)


def test_what_is_said_is_kept_too(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    warned = RULES.replace("places\n", "places\n  spare  face up row\n")
    wrong = RULES.replace("from hand", "from hnad")
    unread = RULES.replace("winner most", "winner the the")
    texts = {"warned": warned, "wrong": wrong, "unread": unread}
    said = {}
    for name, content in texts.items():
        (rules.parent / f"{name}.rules").write_text(content)
        said[name] = pipeline.load(rules.parent / f"{name}.rules")
    no_parsing(monkeypatch)
    for name, (program, found) in said.items():
        again, found_again = pipeline.load(rules.parent / f"{name}.rules")
        assert (again is None) == (program is None)
        assert render_json(found_again) == render_json(found) != "[]"
    assert said["warned"][0] is not None and said["wrong"][0] is None


def test_a_change_is_seen(rules: Path) -> None:
    assert codes(pipeline.load(rules)[1]) == []
    rules.write_text(RULES.replace("[A1]", "[A2]"))
    assert codes(pipeline.load(rules)[1]) == ["R0512", "R0513"]
    (rules.parent / "sheet.md").write_text(SHEET.replace("A1", "A2"))
    assert codes(pipeline.load(rules)[1]) == []
    (rules.parent / "sheet.md").unlink()
    assert codes(pipeline.load(rules)[1]) == ["R0511"]


def test_text_that_is_not_in_a_file_is_not_kept(rules: Path) -> None:
    pipeline.load(rules, RULES + "# being written\n")
    assert not (rules.parent / "kept").exists()


@pytest.mark.parametrize("damage", ["", "half", "one byte", "another thing"])
def test_damage_is_as_if_it_were_not_there(rules: Path, damage: str) -> None:
    first, _ = pipeline.load(rules)
    (kept,) = kept_files(rules)
    content = kept.read_bytes()
    middle = len(content) // 2
    match damage:
        case "":
            kept.write_bytes(b"")
        case "half":
            kept.write_bytes(content[:middle])
        case "one byte":
            kept.write_bytes(
                content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
            )
        case _:
            store.write(kept.name, {"something": "else"})
    again, found = pipeline.load(rules)
    assert described(again) == described(first) and found == []
    assert kept.read_bytes() == content


def test_off(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULES_CACHE", "off")
    assert pipeline.load(rules)[0] is not None
    assert not (rules.parent / "kept").exists()


def test_there_is_an_end_to_what_is_kept(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "KEPT_FILES", 5)
    pipeline.load(rules)
    folder = rules.parent / "kept"
    (folder / "somebody's.txt").write_text("not ours")
    (old,) = folder.glob("program-*")
    long_ago = time.time() - (store.KEPT_DAYS + 1) * 24 * 60 * 60
    os.utime(old, (long_ago, long_ago))
    for number in range(9):
        store.write(f"code-{number}", number)
        os.utime(folder / f"code-{number}", (time.time() - 60 + number,) * 2)
    names = [path.name for path in kept_files(rules)]
    assert names == [*(f"code-{number}" for number in range(4, 9)), "somebody's.txt"]


def test_what_cannot_be_kept_is_not(rules: Path) -> None:
    store.write("code-x", lambda: None)
    assert store.read("code-x") is None


def test_the_front_end_is_not_even_imported(rules: Path) -> None:
    script = (
        "import sys; from dsl import pipeline; program, _ = pipeline.load(sys.argv[1])\n"
        "assert program is not None; print(*sorted(sys.modules))"
    )
    command = [sys.executable, "-c", script, str(rules)]
    root = Path(__file__).resolve().parents[2]
    for needed in (True, False):
        ran = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
        modules = ran.stdout.split()
        for name in ("lark", "dsl.parse", "dsl.nodes", "dsl.lower", "dsl.checks"):
            assert (name in modules) == needed
