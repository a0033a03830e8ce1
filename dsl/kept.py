"""What rulesets were found to be, kept between runs (`dsl.store`). Used by `dsl.pipeline`.

It depends on the ruleset's text and name, on the rule sheets it is compared with and, for a
variant, on the rulesets it is made from. Which these are is known only after reading it, so they
are kept beside what was found, each with a hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from dsl import store
from dsl.diagnostics import Diagnostic
from dsl.files import content
from dsl.program import Program

Found: TypeAlias = tuple[Program | None, list[Diagnostic]]


def recall(file: str, text: str, less: str = "") -> Found | None:
    """What was found in a ruleset of this name and text, if that is known. `less`: what was left
    out when it was read."""
    match store.read(_name(file, text, less)):
        case (tuple(others), (program, list(diagnostics))) if all(
            _hash(other) == seen for other, seen in others
        ):
            return program, diagnostics
        case _:
            return None


def keep(file: str, text: str, others: Iterable[str], found: Found, less: str = "") -> None:
    """Keep what was found; `others` are the further files it depends on, there or not."""
    seen = tuple((other, _hash(other)) for other in others)
    store.write(_name(file, text, less), (seen, found))


def _name(file: str, text: str, less: str) -> str:
    return store.key("program", file, hashlib.sha256(text.encode()).hexdigest(), less)


def _hash(file: str) -> str:
    """What a file holds; "" where it can't be read."""
    try:
        return hashlib.sha256(content(Path(file))).hexdigest()
    except (OSError, ValueError):
        return ""
