"""`rules git`: the driver, the hook, the report and the workflow, in repositories of their own.

Nothing here needs a network: the workflow's steps are run as a runner would run them, with a `gh`
that only notes what it is told.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

Rules = Callable[..., Any]
SMALL = Path(__file__).with_name("small.rules")
ONE, TWO = "p gains 1 vp", "p gains 2 vp"
NAMED = ("-c", "user.name=Designer", "-c", "user.email=designer@example.org")


def git(*args: str, check: bool = True) -> str:
    """A git command's output, both streams."""
    done = subprocess.run(["git", *NAMED, *args], capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def edit(old: str, new: str, path: str = "small.rules") -> None:
    text = Path(path).read_text(encoding="utf-8")
    assert old in text
    Path(path).write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture(autouse=True)
def repository(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository with a ruleset and golden traces, committed. `rules` is this program."""
    shutil.copy(SMALL, "small.rules")
    rules("trace", "small.rules", "--record", "golden")
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-q", "-m", "first")
    command = Path("../bin/rules").resolve()
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m cli.main "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr("cli.git.ourselves", lambda: str(command))


def test_accept_finds_the_rule_that_is_gone(rules: Rules) -> None:
    """In the rules of the last commit, as these made the trace."""
    edit("    unmark everyone ready ", "    # unmark everyone ready ")
    said = rules("accept", "--list").out
    assert "was: phase play (HEAD:small.rules:36 [S6]): unmark everyone ready" in said
    assert "now: " in said


# ── the driver ───────────────────────────────────────────────────────────────────────────────


def test_driver(rules: Rules) -> None:
    assert rules("git", "driver").status == 0
    edit(ONE, TWO)
    rules("accept", "--all")
    shown = git("diff", "--", "golden/small-2p-1.trace")
    assert "traces a/golden/small-2p-1.trace b/golden/small-2p-1.trace" in shown
    assert "first difference: phase play, round 1" in shown
    assert "@ phase play, round 1, turn P2" in shown
    assert "@@ phase play" in git("diff", "--", "small.rules")
    assert git("status", "--short", "-uno").count("attributes") == 0
    rules("git", "driver")
    assert Path(".git/info/attributes").read_text(encoding="utf-8").count("*.trace") == 1
    assert rules("git", "driver", "--remove").status == 0
    assert "@@ -" in git("diff", "--", "golden/small-2p-1.trace")


def test_driver_shared(rules: Rules) -> None:
    Path(".gitattributes").write_text("*.png binary\n", encoding="utf-8")
    rules("git", "driver", "--shared")
    text = Path(".gitattributes").read_text(encoding="utf-8")
    assert text.startswith("*.png binary\n*.trace diff=rules-trace\n")
    rules("git", "driver", "--remove")
    assert Path(".gitattributes").read_text(encoding="utf-8") == "*.png binary\n"


def test_driver_shows_new_gone_and_damaged_traces(rules: Rules) -> None:
    rules("git", "driver")
    Path("golden/small-2p-1.trace").write_text("nonsense\n", encoding="utf-8")
    Path("golden/small-3p-1.trace").unlink()
    shutil.copy("small.rules", "golden/new.trace")
    git("add", "-A")
    shown = git("diff", "--cached", "--no-renames")
    assert "+nonsense" in shown
    assert "the trace is gone" in shown
    assert "a new trace" in shown


# ── the hook ─────────────────────────────────────────────────────────────────────────────────


def test_hook_lets_good_commits_pass(rules: Rules) -> None:
    assert rules("git", "hook").status == 0
    Path("notes.txt").write_text("a\n", encoding="utf-8")
    git("add", "-A")
    git("commit", "-q", "-m", "notes")
    edit("# A small game", "# A game")
    git("commit", "-q", "-a", "-m", "a comment")


def test_hook_stops_errors_and_looks_at_what_is_staged(rules: Rules) -> None:
    rules("git", "hook")
    edit("rounds + 1", "rouns + 1")
    git("add", "-A")
    edit("rouns + 1", "rounds + 1")  # mended here, but not staged
    said = git("commit", "-m", "slip", check=False)
    assert "--> small.rules:" in said
    assert "did you mean `rounds`?" in said
    assert git("log", "--oneline").count("\n") == 1
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", "mended")


EXAMPLE = """
example "nobody is ready before the first round"
  with 2 players
  then P1 is not ready
"""


def test_hook_stops_examples_that_do_not_hold(rules: Rules) -> None:
    rules("git", "hook")
    path = Path("small.rules")
    path.write_text(path.read_text("utf-8") + EXAMPLE, encoding="utf-8")
    git("commit", "-q", "-a", "-m", "an example")
    edit("then P1 is not ready", "then P1 is ready")
    said = git("commit", "-a", "-m", "a wrong example", check=False)
    assert "“nobody is ready before the first round” fails" in said
    assert "--> small.rules:" in said
    assert "expected: P1 is ready" in said
    assert git("log", "--oneline").count("\n") == 2


def test_hook_stops_golden_traces_that_no_longer_come(rules: Rules) -> None:
    rules("git", "hook")
    edit("    unmark everyone ready ", "    # unmark everyone ready ")
    said = git("commit", "-a", "-m", "a line lost", check=False)
    assert "golden/small-2p-1.trace" in said
    assert "- unmark P" in said
    assert "2 of 2 golden traces are not what the rules make" in said
    assert git("log", "--oneline").count("\n") == 1
    rules("accept", "--all")
    assert "golden traces are not" in git("commit", "small.rules", "-m", "no", check=False)
    git("commit", "-q", "-a", "-m", "meant")


def test_a_hook_of_somebody_else_stays(rules: Rules) -> None:
    path = Path(".git/hooks/pre-commit")
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\ntrue\n", encoding="utf-8")
    done = rules("git", "hook")
    assert done.status == 2
    assert "add this line to it" in done.err
    assert path.read_text(encoding="utf-8") == "#!/bin/sh\ntrue\n"
    assert rules("git", "hook", "--remove").status == 2
    path.unlink()
    rules("git", "hook")
    assert rules("git", "hook", "--remove").status == 0
    assert not path.exists()


# ── the report ───────────────────────────────────────────────────────────────────────────────


def on_a_branch() -> None:
    git("switch", "-q", "-c", "change")
    edit(ONE, TWO)
    git("commit", "-q", "-a", "-m", "more for a round")


def test_report(rules: Rules) -> None:
    on_a_branch()
    done = rules("git", "report", "main", "--seeds", 5, "--folder", "report")
    assert done.status == 0
    assert done.out.startswith("### before | small.rules\n")
    assert "“p gains 1 vp” \\[S5\\] is now “p gains 2 vp” \\[S5\\]" in done.out
    assert "The whole report: small.html" in done.out
    assert Path("report/small.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_report_of_nothing_new_gone_and_wrong(rules: Rules) -> None:
    assert rules("git", "report", "HEAD").out == "No ruleset changed.\n"
    shutil.copy("small.rules", "fresh.rules")
    shutil.copy("small.rules", "wrong.rules")
    edit("rounds + 1", "rouns + 1", "wrong.rules")
    Path("small.rules").unlink()
    git("add", "-A")
    said = rules("git", "report", "HEAD").out
    assert "### fresh.rules\n\nThis ruleset is new" in said
    assert "### small.rules\n\nThis ruleset is gone" in said
    assert "wrong.rules:" in said
    assert "did you mean `rounds`?" in said


def test_reports_of_many_rulesets_fit_a_comment(rules: Rules) -> None:
    for number in range(12):
        shutil.copy("small.rules", f"game{number}.rules")
    git("add", "-A")
    git("commit", "-q", "-m", "many")
    for number in range(12):
        edit(ONE, TWO, f"game{number}.rules")
    text = rules("git", "report", "HEAD", "--seeds", 2).out
    assert len(text) < 65_536
    assert text.count("### before | game") == 12


def test_used_wrongly(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "git knows no revision `nix`" in rules("git", "report", "nix").err
    outside = Path("../outside")
    outside.mkdir()
    monkeypatch.chdir(outside)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(outside.resolve().parent))
    for what in (["driver"], ["hook"], ["workflow"], ["report", "main"], ["check"]):
        done = rules("git", *what)
        assert done.status == 2
        assert "this is not a git repository" in done.err


# ── the workflow ─────────────────────────────────────────────────────────────────────────────


def steps(rules: Rules) -> list[dict[str, Any]]:
    """The steps of the workflow it writes."""
    assert rules("git", "workflow", "--install", "true").status == 0
    text = Path(".github/workflows/rules.yml").read_text(encoding="utf-8")
    made = yaml.safe_load(text)
    assert "secrets." not in text
    assert made["permissions"] == {"contents": "read", "pull-requests": "write"}
    found: list[dict[str, Any]] = made["jobs"]["review"]["steps"]
    return found


def run(step: dict[str, Any], **env: str) -> subprocess.CompletedProcess[str]:
    """A step, as GitHub's runner runs it."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        env={**os.environ, **env}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_workflow_runs(rules: Rules) -> None:
    by_name = {step["name"]: step for step in steps(rules) if "run" in step}
    base = git("rev-parse", "HEAD").strip()
    assert run(by_name["Install"]).returncode == 0
    assert run(by_name["Check the rules"]).returncode == 0
    assert run(by_name["Play golden traces again"]).returncode == 0
    on_a_branch()
    gold = run(by_name["Play golden traces again"])
    assert gold.returncode == 1
    assert "rule: phase play" in gold.stdout
    seen = run(by_name["See what changes"], BASE=base, GITHUB_STEP_SUMMARY="summary.md")
    assert seen.returncode == 0, seen.stderr
    report = Path("report.md").read_text(encoding="utf-8")
    assert report == Path("summary.md").read_text(encoding="utf-8")
    assert "### before | small.rules" in report
    assert Path("report/small.html").exists()


@pytest.mark.parametrize("there", [True, False])
def test_workflow_comments_once(rules: Rules, there: bool) -> None:
    """A comment that is there is edited; else one is made."""
    comment = next(step for step in steps(rules) if step.get("name") == "Comment")
    assert comment["env"]["GH_TOKEN"] == "${{ github.token }}"
    fake = Path("../bin/gh").resolve()
    fails = "" if there else 'case "$*" in *--edit-last*) exit 1;; esac\n'
    fake.write_text(f'#!/bin/sh\necho "$@" >> told\n{fails}', encoding="utf-8")
    fake.chmod(0o755)
    assert run(comment, NUMBER="7").returncode == 0
    told = Path("told").read_text(encoding="utf-8").splitlines()
    assert told[0] == "pr comment 7 --edit-last --body-file report.md"
    assert told[1:] == ([] if there else ["pr comment 7 --body-file report.md"])


def test_a_workflow_stays_unless_forced(rules: Rules) -> None:
    steps(rules)
    done = rules("git", "workflow")
    assert done.status == 2
    assert rules("git", "workflow", "--force", "--install", "pip install 'x: y'").status == 0
    text = Path(".github/workflows/rules.yml").read_text(encoding="utf-8")
    install = next(s for s in yaml.safe_load(text)["jobs"]["review"]["steps"]
                   if s.get("name") == "Install")  # fmt: skip
    assert install["run"] == "pip install 'x: y'"
