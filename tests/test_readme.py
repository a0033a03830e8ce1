"""The README's trace is what it says, and its links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    """The fenced blocks of a kind ("" for plain ones)."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S)
    return [text for language, text in found if language == kind]


def test_trace_is_what_the_command_prints() -> None:
    (shown,) = (block for block in blocks("") if block.startswith("# rules trace"))
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", *"trace throne.rules --players 3 --seed 7".split()],
        capture_output=True, text=True, cwd=ROOT, check=True,
    )  # fmt: skip
    assert done.stdout.startswith(shown)


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
