"""`rules`, `rules check`, `rules explain`: what they print, and with which exit status."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.main import COMMANDS
from rulesets import FOLDER

Rules = Callable[..., Any]
BUNDLED = sorted(path.name for path in FOLDER.glob("*.rules"))
BROKEN = 'game "Broken"\n  players 2\n\nplaces\n  deck  face down pile\n\nsetup\n  shuffle hnad\n'


@pytest.fixture()
def broken() -> Path:
    path = Path("broken.rules")
    path.write_text(BROKEN, encoding="utf-8")
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_that_exist(rules: Rules, command: str) -> None:
    done = rules(command, "--help")
    assert done.status == 0
    assert f"\n    rules {command} " in done.out
    assert "Examples:" in done.out
    assert any(name in done.out for name in BUNDLED) or command in ("accept", "git")


def test_help_lists_all_commands(rules: Rules) -> None:
    done = rules("--help")
    assert done.status == 0
    assert all(f"\n  {name} " in done.out for name in COMMANDS)
    assert rules("--version").status == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["paly"], "did you mean `play`?"),
        (["xyzzy"], "commands: new, play, check, "),
        (["check"], "Missing argument"),
        (["check", "--wrong", "x"], "No such option"),
        (["check", "throne", "--format", "xml"], "is not one of"),
        (["check", "nothing.rules"], "there is no ruleset `nothing.rules`"),
        (["explain"], "give a code"),
        (["explain", "R9999"], "There is no code R9999"),
        (["explain", "throne.rules"], "rules new my.rules --from throne.rules"),
        (["explain", "R0101", "--python", "throne"], "give a code"),
        (["explain", "--python", "throne", "--players", "99"], "not 99"),
    ],
)
def test_used_wrongly(rules: Rules, args: list[str], message: str) -> None:
    done = rules(*args)
    assert done.status == 2
    assert message in done.err


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_rulesets_are_fine_from_anywhere(rules: Rules, name: str) -> None:
    assert rules("check", name, "--strict").status == 0
    assert rules("check", name.removesuffix(".rules")).status == 0


def test_a_note_counts_nowhere_and_fmt_cures_it(rules: Rules, tmp_path: Path) -> None:
    path = tmp_path / "wide.rules"
    text = (FOLDER / "last-leaf.rules").read_text(encoding="utf-8")
    text = text.replace('  sheet "../seeds/last-leaf.md"\n', "").replace("in 3..6", "in ３..６")
    path.write_text(re.sub(r" +\[L.*\]", "", text), encoding="utf-8")
    found = rules("check", path, "--strict")
    assert found.status == 0
    assert found.out.startswith("note R0508: 2 full-width letters and signs are read as plain\n")
    assert found.out.endswith(": fine, 1 note\n")
    assert rules("fmt", path).status == 0
    assert rules("check", path).out.endswith(": fine\n")


def test_check_says_what_where_and_how_many(rules: Rules, broken: Path) -> None:
    done = rules("check", broken, "last-leaf")
    assert done.status == 1
    assert "hnad" in done.out
    assert "--> broken.rules:8:" in done.out
    assert "^^^^" in done.out
    assert "error" in done.out.split("broken.rules: ")[-1]
    assert done.out.splitlines()[-1].endswith("last-leaf.rules: fine")


def test_check_for_programs(rules: Rules, broken: Path) -> None:
    done = rules("check", broken, "last-leaf", "--format", "json")
    assert done.status == 1
    found = json.loads(done.out)
    assert found[0]["severity"] in ("error", "warning")
    assert any(d["span"] and d["span"]["line"] == 8 for d in found)
    assert json.loads(rules("check", "last-leaf", "--format", "json").out) == []


def test_check_for_pull_requests(rules: Rules, broken: Path) -> None:
    done = rules("check", broken, "--format", "github")
    assert done.status == 1
    assert any(line.startswith("::error file=broken.rules,line=8") for line in done.out.split("\n"))


def test_a_broken_ruleset_is_not_played(rules: Rules, broken: Path) -> None:
    for command in ("play", "trace"):
        done = rules(command, broken)
        assert done.status == 1
        assert "hnad" in done.err
        assert done.out == ""


def test_explain(rules: Rules) -> None:
    done = rules("explain", "r0102")
    assert done.status == 0
    assert done.out.startswith("R0102 Too large")


def test_python_listing(rules: Rules) -> None:
    done = rules("explain", "--python", "last-leaf", "--players", 3)
    assert done.status == 0
    assert "def " in done.out


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty", b""),
        ("blank", b"\n\n\n"),
        ("binary", bytes(range(256)) * 40),
        ("zeros", b"\0" * 4096),
        ("not utf-8", 'game "Æ"\n'.encode("utf-16")),
        ("tabs", b'game "T"\n\tplayers 2\n    setup\n'),
        ("large", b"# " + b"x" * 80 + b"\n" + b"# comment line\n" * 80_000),
        ("long line", b"# " + b"x" * 10_001 + b"\n"),
        ("deep", b'game "D"\n  players 2\nvalue x = ' + b"(" * 3000 + b"1" + b")" * 3000 + b"\n"),
        ("nested", b"".join(b" " * n + b"if yes\n" for n in range(200))),
        ("no newline", b'game "N"'),
    ],
)
def test_files_that_are_no_rulesets(rules: Rules, name: str, content: bytes) -> None:
    Path("x.rules").write_bytes(content)
    for args in (("check", "x.rules"), ("play", "x.rules"), ("trace", "x.rules")):
        done = rules(*args)
        assert done.status == 1, done
        assert "error R" in done.out + done.err
        assert "inside the program" not in done.err


def test_no_permission_is_said(rules: Rules) -> None:
    done = rules("trace", "last-leaf", "--record", "/proc/nowhere")
    assert done.status == 2
    assert done.err.startswith("Error: /proc")
