"""The language reference is what it says: every snippet is checked, and run where it says so.

How snippets are written is told in `docs_snippets` and `docs_outputs`. `RULES_UPDATE_DOCS=1 pytest
tests/test_docs.py` writes what they put out anew; read what changed before you commit it.
"""

from __future__ import annotations

import atexit
import importlib
import os
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest
from attrs import frozen

from cli.main import COMMANDS
from docs import generate, pages
from docs.pages import Fence, Page
from dsl import vocabulary
from lab import pool
from tests.docs_outputs import Runner, Wrong, console

UPDATING = bool(os.environ.get("RULES_UPDATE_DOCS"))
FOLDER = Path(tempfile.mkdtemp(prefix="rules-docs-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)


@frozen(eq=False)
class Result:
    """What a block did: its output, and what the page says it is; or what went wrong."""

    fence: Fence
    output: str | None
    shown: str | None
    problem: str = ""


def results(page: Page) -> list[Result]:
    """All blocks of a page that do something."""
    found: list[Result] = []
    folder = FOLDER / Path(page.name).stem
    shutil.rmtree(folder, ignore_errors=True)  # what a run before left there
    folder.mkdir()
    runner = Runner(page, folder)
    for fence, following in pairs(page):
        if fence.lang == "console":
            found.append(Result(fence, console(fence, runner.folder), fence.text))
            continue
        shown = following.text if following and following.lang == "output" else None
        try:
            output = runner.output(fence)
        except Wrong as problem:
            found.append(Result(fence, None, shown, str(problem)))
            continue
        if fence.lang in ("rules", "python"):
            found.append(Result(fence, output, shown))
    return found


def pairs(page: Page) -> list[tuple[Fence, Fence | None]]:
    """Each block of a page, with the one after it."""
    return list(zip(page.fences, [*page.fences, None][1:], strict=True))


def updated(page: Page) -> str:
    """The page's text with what its blocks put out now."""
    lines = page.text.split("\n")
    following = dict(pairs(page))
    for result in reversed(results(page)):
        fence, output = result.fence, result.output
        after = following[fence]
        if output is None:
            continue
        content = output.rstrip("\n").split("\n")
        if fence.lang == "console":
            lines[fence.line : fence.end - 1] = content
        elif after is not None and after.lang == "output":
            lines[after.line : after.end - 1] = content
        else:
            lines[fence.end : fence.end] = ["", "```output", *content, "```"]
    return "\n".join(lines)


if UPDATING:
    for _name in pages.names():
        _page = pages.read(_name)
        (pages.REFERENCE / _name).write_text(updated(_page), encoding="utf-8")
    generate.main()


@cache
def page(name: str) -> Page:
    return pages.read(name)


@pytest.mark.parametrize("name", pages.names())
def test_page(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All blocks of a page, in one test: what a command prints may depend on those before it, and
    not on how many workers there are."""
    monkeypatch.setattr(pool, "cores", lambda: 1)
    wrong = []
    for result in results(page(name)):
        if result.problem:
            wrong.append(result.problem)
        elif result.shown != result.output:
            wrong.append(f"{result.fence.where} puts out:\n{result.output}\nnot:\n{result.shown}")
    hint = "\n`RULES_UPDATE_DOCS=1 pytest tests/test_docs.py` writes the pages anew"
    assert not wrong, "\n".join(wrong) + hint


def test_every_output_belongs_to_a_block() -> None:
    for name in pages.names():
        before = ""
        for fence in page(name).fences:
            assert fence.lang != "output" or before in ("rules", "python"), fence.where
            before = fence.lang


# ── words ────────────────────────────────────────────────────────────────────────────────────


def is_right(fence: Fence) -> bool:
    """Whether a block is a snippet that works (`test_page` sees to it that it does)."""
    return fence.lang == "rules" and "error" not in fence.words


def test_every_word_is_taught_and_used() -> None:
    """Some section has the word in its title, and a snippet below it uses it."""
    right = [fence for name in pages.names() for fence in page(name).fences if is_right(fence)]
    problems = []
    for word in vocabulary.BY_WORD:
        teaching = [section for name in pages.names() for section in page(name).teaching(word)]
        if not teaching:
            problems.append(f"no section of the reference has `{word}` in its title")
        good = {(fence.page, fence.anchor) for fence in right if pages.uses(fence.text, word)}
        there = [f"{section.page}#{section.anchor}" for section in teaching]
        if not any((section.page, section.anchor) in good for section in teaching):
            problems.append(f"no snippet that works uses `{word}` below {', '.join(there)}")
    assert not problems, "\n".join(problems)


# ── links ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", pages.names())
def test_links_lead_somewhere(name: str) -> None:
    for target in page(name).links:
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        here = pages.REFERENCE / name
        path = ((here.parent / file) if file else here).resolve()
        assert path.exists(), target
        if anchor and path.parent == pages.REFERENCE.resolve():
            assert anchor in page(path.name).anchors, target


def test_every_page_is_in_the_index() -> None:
    linked = {target.partition("#")[0] for target in page("README.md").links}
    assert {name for name in pages.names() if name != "README.md"} <= linked


# ── pages made from tables, commands ─────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", generate.GENERATED)
def test_generated_pages_are_up_to_date(name: str) -> None:
    made = generate.GENERATED[name]()
    assert page(name).text == made, "`python -m docs.generate` makes it anew"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_a_command_is_documented(command: str) -> None:
    module = importlib.import_module(COMMANDS[command][0])
    (section,) = [s for s in page("commands.md").sections if s.code == [f"rules {command}"]]
    told = set(re.findall(r"`(--[a-z-]+)", section.text))
    inner = getattr(module.command, "commands", {}).values()
    params = [param for each in (module.command, *inner) for param in each.params]
    options = {name for param in params for name in param.opts if name[:2] == "--"}
    assert options <= told
    assert told <= options | {"--help"}
