"""What rulesets were found to be, kept between runs (`dsl.store`). Used by `dsl.pipeline`.

It depends on the ruleset's text and name, and on the rule sheets it is compared with. Which these
are is known only after reading the ruleset, so they are kept beside what was found, by a hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from dsl import store
from dsl.diagnostics import Diagnostic
from dsl.program import Program

Found: TypeAlias = tuple[Program | None, list[Diagnostic]]


def recall(file: str, text: str) -> Found | None:
    """What was found in a ruleset of this name and text, if that is known."""
    match store.read(_name(file, text)):
        case (tuple(sheets), (program, list(diagnostics))) if all(
            _hash(file, sheet) == seen for sheet, seen in sheets
        ):
            return program, diagnostics
        case _:
            return None


def keep(file: str, text: str, sheets: Iterable[str], found: Found) -> None:
    seen = tuple((sheet, _hash(file, sheet)) for sheet in sheets)
    store.write(_name(file, text), (seen, found))


def _name(file: str, text: str) -> str:
    return store.key("program", file, hashlib.sha256(text.encode()).hexdigest())


def _hash(file: str, sheet: str) -> str:
    """What a sheet holds; "" where it can't be read."""
    try:
        return hashlib.sha256((Path(file).parent / sheet).read_bytes()).hexdigest()
    except (OSError, ValueError):
        return ""
