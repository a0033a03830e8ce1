"""Compiled code: how it is kept, and the limits on questions inside questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl import pipeline
from interpreter import compile_game, runtime
from interpreter.binding import bind
from interpreter.cache import cached_code
from interpreter.codegen.looks import Looks
from tests.tiny import COUNTED, GO, ROOT, TINY, bundled, fault, tiny


def kept_files(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_file()]


def test_compiled_code_is_kept_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULES_CACHE", str(tmp_path / "cache"))
    binding = bind(tiny(GO), 2)
    first = cached_code(binding)
    (kept,) = kept_files(tmp_path / "cache")
    written = kept.stat().st_mtime_ns
    again = cached_code(binding)
    assert [g.codes for g in again] == [g.codes for g in first]
    assert kept.stat().st_mtime_ns == written


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\x80\x05N."])
def test_a_damaged_cache_is_as_if_it_were_not_there(
    damage: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULES_CACHE", str(tmp_path))
    binding = bind(tiny(GO), 2)
    first = cached_code(binding)
    (kept,) = kept_files(tmp_path)
    for content in (damage, kept.read_bytes()[:-40]):
        kept.write_bytes(content)
        assert [g.codes for g in cached_code(binding)] == [g.codes for g in first]


def test_no_cache_and_a_folder_that_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("in the way")
    for setting in ("off", str(tmp_path / "file" / "cache")):
        monkeypatch.setenv("RULES_CACHE", setting)
        assert cached_code(bind(tiny(GO), 2))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_another_option_is_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULES_CACHE", str(tmp_path))
    cached_code(bind(tiny(GO), 2))
    cached_code(bind(tiny(GO), 3))
    cached_code(bind(tiny(GO), 2, {"purse": 4}))
    assert len(kept_files(tmp_path)) == 3


def test_equal_text_in_another_file_is_that_files_game(tmp_path: Path) -> None:
    text = (Path(__file__).parent / "kuhn.rules").read_text(encoding="utf-8")
    games = []
    for name in ("a.rules", "b.rules"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        program, _ = pipeline.load(tmp_path / name)
        assert program is not None
        games.append(compile_game(program, 2))
    assert [Path(game.program.file).name for game in games] == ["a.rules", "b.rules"]
    assert games[0].start(1) == games[1].start(1)


INSIDE = "(count of cards in deck where number < "


@pytest.mark.parametrize(
    "expr",
    [
        "sum of (" * 12 + "number" + ") over cards in deck" * 12,
        INSIDE * 12 + "3" + ")" * 12,
        "v0",
    ],
)
def test_questions_inside_questions_end(expr: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However they are made: what they look at grows with each, and is counted."""
    monkeypatch.setattr(runtime, "MOST_LOOKS", 1000)
    values = "".join(f"value v{i} = v{i + 1} + v{i + 1}\n" for i in range(40)) + "value v40 = 1\n"
    rules = "\n".join(f"  {line}" for line in f"x = {expr}\n{COUNTED}".split("\n"))
    text = TINY.format(phase=rules, winner=", then draw")
    text = text.replace("scoring\n", f"{values}\nscoring\n") if expr == "v0" else text
    program, found = pipeline.load("looks.rules", text)
    assert program is not None, [d.message for d in found]
    code, line = fault(lambda: compile_game(program, 2).start(1))
    assert (code, line.startswith(("x = ", "value v"))) == ("R0909", True)


def test_usual_rulesets_count_no_looks() -> None:
    for path in ROOT.glob("rulesets/*.rules"):
        program = bundled(path.name)
        assert not Looks(bind(program, program.players[1])).counted, path
