"""What each code means, at length: the entries of `codes.md`. Used by `rules explain` and tests."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

PAGE = Path(__file__).with_name("codes.md")
_ENTRY = re.compile(r"^## (R\d{4}) (.+)\n((?:(?!^## ).*\n?)*)", re.M)
_SNIPPETS = re.compile(r"^Wrong:\n\n((?:    .*\n|\n)+)Right:\n\n((?:    .*\n|\n)+)", re.M)


@cache
def entries() -> dict[str, tuple[str, str]]:
    """Title and explanation by code."""
    text = PAGE.read_text(encoding="utf-8")
    return {code: (title, body.strip()) for code, title, body in _ENTRY.findall(text)}


def snippets(code: str) -> tuple[str, str] | None:
    """Lines that get the code, and what cures them, as they stand in a ruleset."""
    found = _SNIPPETS.search(entries()[code][1] + "\n")
    if found is None:
        return None
    wrong, right = (
        "\n".join(line[4:] for line in part.rstrip("\n").split("\n")) for part in found.groups()
    )
    return wrong, right


def explain(code: str) -> str:
    """An entry as text, or what to say if there is none."""
    found = entries().get(code.upper())
    if found is None:
        return f"There is no code {code}. Messages show theirs: `error R0304: …`."
    title, body = found
    return f"{code.upper()} {title}\n\n{body}"
