"""What changed in all rulesets of a repository, and the workflow that posts it.

Used by `rules git report` and `rules git workflow`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from cli import git_files
from cli.common import misuse, write_file
from cli.git_files import Repository, Snapshot

if TYPE_CHECKING:
    from dsl.program import Program
    from lab.review.report import Review

MOST = 60_000  # characters of all reports together: a comment takes 65,536
LEAST = 4_000  # of one


@frozen(eq=False)
class _Found:
    """A ruleset on both sides; a side where it is missing or has errors is None. `problem`: the
    errors it has now."""

    name: str
    before: Program | None
    now: Program | None
    problem: str


def since(base: str, seeds: int, folder: Path | None) -> str:
    """The reports of all rulesets that changed since this branch left `base`, in Markdown."""
    repository = Repository(git_files.root())
    top = repository.top
    left = git_files.git("merge-base", repository.commit(base), "HEAD", where=top)
    if left is None:
        misuse(f"this branch and `{base}` have nothing in common")
    old = repository.snapshot(left.decode().strip())
    changed = [found for found in _all(repository, old) if _differs(found)]
    if not changed:
        return "No ruleset changed.\n"
    most = max(MOST // len(changed), LEAST)
    parts = [_part(found, old, top, seeds, folder, most) for found in changed]
    text = "\n".join(parts)
    if len(text) > MOST:
        text = text[:MOST].rpartition("\n### ")[0] + "\n\n… and more rulesets.\n"
    return text


def _all(repository: Repository, old: Snapshot) -> list[_Found]:
    """Every ruleset there is, before and now."""
    tracked = set(repository.names(git_files.STAGED, (".rules",)))
    before = {p.relative_to(old.folder).as_posix() for p in old.folder.rglob("*.rules")}
    found = []
    for name in sorted(tracked | before):
        path = repository.top / name
        now, problem = _load(path, name) if path.is_file() else (None, "")
        earlier = _load(old.folder / name, name)[0] if name in before else None
        found.append(_Found(name, earlier, now, problem))
    return found


def _load(path: Path, name: str) -> tuple[Program | None, str]:
    """A ruleset, or the errors it has."""
    from cli.common import sources_of
    from dsl import pipeline
    from dsl.diagnostics import Findings, render_text
    from dsl.layout import read_text

    text = read_text(path, Findings())
    program, found = pipeline.load(path, text)
    errors = [diagnostic for diagnostic in found if diagnostic.is_error]
    if program is not None and not errors:
        return program, ""
    return None, render_text(errors, sources_of(errors)).replace(str(path), name)


def _differs(found: _Found) -> bool:
    if found.problem:
        return True
    hashes = [p.source_hash for p in (found.before, found.now) if p is not None]
    return len(hashes) == 1 or (len(hashes) == 2 and hashes[0] != hashes[1])


def _part(
    found: _Found, old: Snapshot, top: Path, seeds: int, folder: Path | None, most: int
) -> str:
    """The report of one ruleset."""
    from lab.review import as_html, as_markdown, words
    from lab.review.changes import Side
    from lab.review.report import review

    if found.problem:
        return f"### {found.name}\n\n```\n{found.problem[:most].rstrip()}\n```\n"
    if found.before is None or found.now is None:
        what = "new, or could not be read before" if found.before is None else "gone"
        return f"### {found.name}\n\nThis ruleset is {what}.\n"
    before = Side(
        "before", found.before, files={f: _short(f, old.folder) for f in found.before.sources}
    )
    now = Side(found.name, found.now, files={f: _short(f, top) for f in found.now.sources})
    made: Review = review(before, now, range(1, seeds + 1))
    full = ""
    if folder is not None:
        page = folder / f"{found.name.replace('/', '-').removesuffix('.rules')}.html"
        write_file(page, as_html.html(made, words.FULL))
        full = page.name
    return as_markdown.markdown(made, words.Limits(), full, most)


def _short(file: str, folder: Path) -> str:
    path = Path(file)
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name


# ── the workflow ─────────────────────────────────────────────────────────────────────────────

_WORKFLOW = """\
# Made by `rules git workflow`. It says below each pull request what its changes of the rules change
# in play. It needs no secret: GitHub gives every run a token of its own. A pull request from a fork
# may not comment; its report is in the summary of the run.
name: rules

on: pull_request

permissions:
  contents: read
  pull-requests: write

jobs:
  review:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0

      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"

      - name: Install
        run: {install}

      - name: Check the rules
        run: git ls-files -z '*.rules' | xargs -0 -r rules check --format github

      - name: Play golden traces again
        run: |
          if git ls-files | grep -qE '(^|/)golden/'; then
            rules accept --list
          fi

      - name: See what changes
        if: always()
        env:
          BASE: ${{{{ github.event.pull_request.base.sha }}}}
        run: |
          rules git report "$BASE" --folder report > report.md
          cat report.md >> "$GITHUB_STEP_SUMMARY"

      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: report
          path: |
            report.md
            report

      - name: Comment
        if: always() && github.event.pull_request.head.repo.full_name == github.repository
        env:
          GH_TOKEN: ${{{{ github.token }}}}
          GH_REPO: ${{{{ github.repository }}}}
          NUMBER: ${{{{ github.event.number }}}}
        run: |
          gh pr comment "$NUMBER" --edit-last --body-file report.md ||
            gh pr comment "$NUMBER" --body-file report.md
"""


def workflow_text(install: str) -> str:
    """The workflow, with the command that installs this program."""
    from json import dumps

    return _WORKFLOW.format(install=dumps(install, ensure_ascii=False))
