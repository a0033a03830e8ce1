"""The JSON Lines format: one object a line, the header first; the same records as in the text.

The header's `rules_trace` is the version. Every event has `event` (its kind), what it says, the
`rule` it comes from (a path) and the clause `tags`. With everything shown, a shuffle has its cards
from bottom to top, a move who `seen` its faces, a choice all its `options`, the one `taken` and
its `index` among them. In a view, what is not shown is null or missing.
"""

from __future__ import annotations

import json

from interpreter.trace.records import VERSION, Header, Record

SO_FAR = "so far"


def header(head: Header) -> str:
    """The header's line."""
    record: Record = {
        "rules_trace": VERSION,
        "ruleset": head.ruleset,
        "set": dict(head.options),
        "players": head.players,
    }
    if head.seed is not None:
        record["seed"] = head.seed
    record["bots"] = head.bots
    if head.view is not None:
        record["view"] = head.view
    return lines(record)


def so_far() -> str:
    """The end of a trace whose game is not over, and was kept as it stood."""
    return lines({"event": SO_FAR})


def lines(record: Record) -> str:
    """The line of a record, with its line break."""
    return json.dumps(record, ensure_ascii=False) + "\n"
