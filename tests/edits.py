"""Texts of the bundled rulesets to make edits of. Used by the tests of what edits change.

Without their examples: an edit that breaks one would be refused before it could be compared.
"""

from __future__ import annotations

import re
from pathlib import Path

from rulesets import FOLDER


def plain(name: str) -> tuple[Path, str]:
    """A ruleset's path, and its text without examples."""
    path = FOLDER / f"{name}.rules"
    text = path.read_text(encoding="utf-8")
    return path, re.sub(r"^example\b.*\n(?:[ \t]+.*\n|\n)*", "", text, flags=re.M)
