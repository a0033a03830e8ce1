"""`rules diff`: rulesets here and in git, traces, options, forms, and what is used wrongly."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Rules = Callable[..., Any]
FEW = ("--players", 3, "--seeds", 8)
SMALL = Path(__file__).with_name("small.rules")
ONE, TWO = "p gains 1 vp", "p gains 2 vp"


def git(*args: str) -> str:
    return subprocess.run(
        ["git", "-c", "user.name=Designer", "-c", "user.email=designer@example.org", *args],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip


@pytest.fixture()
def mine() -> Path:
    """A ruleset of one's own, in a folder of a repository, committed and then changed."""
    path = Path("games") / "mine.rules"
    path.parent.mkdir()
    shutil.copy(SMALL, path)
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "first")
    path.write_text(path.read_text(encoding="utf-8").replace(ONE, TWO), encoding="utf-8")
    return path


def test_the_same(rules: Rules) -> None:
    done = rules("diff", "throne", "throne.rules", *FEW)
    assert done.status == 0
    assert "No rule differs." in done.out
    assert "All 8 games stay the same" in done.out


def test_a_ruleset_and_its_last_commit(rules: Rules, mine: Path) -> None:
    for args in ([mine], ["HEAD:games/mine.rules", mine], ["HEAD:", mine], [mine, mine]):
        done = rules("diff", *args, *FEW)
        if len(args) == 2 and args[0] == mine:
            assert done.status == 0
            continue
        assert done.status == 1, done.err
        assert f"“{ONE}” [S5] is now “{TWO}” [S5]" in done.out
        assert "gains 1 vp [S5]\n" in done.out
        assert f"HEAD:games/mine.rules:35: {ONE}" in done.out
        assert f"games/mine.rules:35: {TWO}" in done.out


def test_paths_in_git_are_from_the_root_or_from_here(
    rules: Rules, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(mine.parent)
    for spec in ("HEAD:games/mine.rules", "HEAD:mine.rules", "HEAD:./mine.rules"):
        assert rules("diff", spec, "mine.rules", "--seeds", 0).status == 1


def test_what_is_staged(rules: Rules, mine: Path) -> None:
    assert rules("diff", "HEAD:games/mine.rules", ":games/mine.rules", "--seeds", 0).status == 0
    git("add", "-A")
    assert rules("diff", "HEAD:games/mine.rules", ":games/mine.rules", "--seeds", 0).status == 1


def test_a_ruleset_with_errors_at_a_revision(rules: Rules, mine: Path) -> None:
    good = mine.read_text(encoding="utf-8")
    mine.write_text(good.replace("rounds + 1", "rouns + 1"), encoding="utf-8")
    git("commit", "-q", "-a", "-m", "slip")
    mine.write_text(good, encoding="utf-8")
    done = rules("diff", mine, *FEW)
    assert done.status == 1
    assert "--> HEAD:games/mine.rules:" in done.err


def test_options_of_one_side(rules: Rules) -> None:
    done = rules("diff", "throne", "--set-b", "treasury_limit=6", *FEW)
    assert done.status == 1
    assert "option treasury_limit: set: 15 is now 6" in done.out
    both = rules("diff", "throne", "--set", "treasury_limit=6", *FEW)
    assert both.status == 0
    same = rules("diff", "throne", "--set-a", "turns=3", "--set-b", "turns=3", *FEW)
    assert same.status == 0


def test_one_game(rules: Rules, mine: Path) -> None:
    found = json.loads(rules("diff", mine, *FEW, "--format", "json").out)
    game = found["first_differences"][0]["spots"][0]["games"][0]
    done = rules("diff", mine, "--players", 3, "--show", game["seed"])
    assert done.status == 1
    assert "gains 1 vp [S5]" in done.out
    assert done.out.index("gains 1 vp") < done.out.index("gains 2 vp")


def test_forms(rules: Rules, mine: Path) -> None:
    markdown = rules("diff", mine, *FEW, "--format", "markdown", "--full", "full.html")
    assert markdown.out.startswith("### HEAD:games/mine.rules | games/mine.rules\n")
    assert "The whole report: full.html" in markdown.out
    assert Path("full.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    page = rules("diff", mine, *FEW, "--format", "html")
    assert page.out.startswith("<!doctype html>")
    for ending in ("md", "json", "txt"):
        rules("diff", mine, *FEW, "--full", f"full.{ending}")
        assert "phase play" in Path(f"full.{ending}").read_text(encoding="utf-8")
    found = json.loads(Path("full.json").read_text(encoding="utf-8"))
    games = sum(len(s["games"]) for g in found["first_differences"] for s in g["spots"])
    assert games == found["players"][0]["games"] - found["players"][0]["same"]


def test_traces(rules: Rules, mine: Path) -> None:
    rules("trace", mine, "--players", 3, "--seed", 7, "--record", "golden")
    old = rules("trace", SMALL, "--players", 3, "--seed", 7).out
    Path("old.trace").write_text(old, encoding="utf-8")
    done = rules("diff", "old.trace", "golden/mine-3p-7.trace")
    assert done.status == 1
    assert "first difference: phase play, round 1, turn P3" in done.out
    for fmt in ("markdown", "html", "json"):
        form = rules("diff", "old.trace", "golden/mine-3p-7.trace", "--format", fmt)
        assert "round 1" in form.out
    by_rules = rules("diff", "old.trace", mine)
    assert by_rules.out.count("gains 1 vp") == by_rules.out.count("gains 2 vp") > 0
    assert rules("diff", "golden/mine-3p-7.trace", mine).status == 0
    git("add", "-A")
    git("commit", "-q", "-m", "traces")
    assert (
        rules("diff", "HEAD:old.trace", "old.trace").out.splitlines()[1] == "the same to the byte"
    )


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["HEAD:mine.rules", "throne"], "this is not a git repository"),
        (["throne"], "compare throne.rules with what? Name a second file"),
        (["throne", "nothere"], "there is no ruleset `nothere`"),
        (["throne", "gone.trace"], "there is no trace `gone.trace`"),
        (["throne", "--set-b", "treasury_limi=3"], "there is no option `treasury_limi`"),
        (["throne", "--set-b", "turns=99"], "`turns` can't be 99"),
        (["throne", "throne", "--players", "9"], "is for 3 to 7 players, not 9"),
        (["throne", "throne", "--bots", "clever"], "there is no bot `clever`"),
        (["throne", "throne", "--full", "report.pdf"], "`report.pdf` is none"),
        (["", "throne"], "The name given is empty"),
    ],
)  # fmt: skip
def test_used_wrongly(
    rules: Rules, monkeypatch: pytest.MonkeyPatch, args: list[str], said: str
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(Path.cwd().parent))
    if args[0] == "throne" and len(args) == 1:
        monkeypatch.setattr("cli.git_files.git", lambda *_, **__: None)
    done = rules("diff", *args)
    assert done.status == 2
    assert said in done.err


def test_used_wrongly_in_git(rules: Rules, mine: Path) -> None:
    for args, said in (
        (["nix:games/mine.rules", mine], "git knows no revision `nix`"),
        (["--", "-x:games/mine.rules", mine], "git knows no revision `-x`"),
        (["HEAD:nix.rules", mine], "there is no `nix.rules` at `HEAD`"),
        ([":nix.rules", mine], "there is no `nix.rules` among what is staged"),
    ):
        done = rules("diff", *args)
        assert done.status == 2
        assert said in done.err


def test_a_damaged_trace(rules: Rules) -> None:
    Path("a.trace").write_text("nonsense\n", encoding="utf-8")
    done = rules("diff", "a.trace", "a.trace")
    assert done.status == 1
    assert "a.trace:1: this is not a trace" in done.err
