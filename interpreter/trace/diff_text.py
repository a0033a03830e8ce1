"""The difference of two traces in words, as lines for a terminal, and as data.

Used by `rules diff`, `rules accept` and the driver for git. A line is a sign and a text, so that a
terminal can colour it:

    @  where it is: the headings        -  only on the left       ~  the same act, other cards
       (blank) the same on both sides   +  only on the right      <, >  here before, here now
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.trace.diff import PLAY, Kind, Row, TraceDiff

CONTEXT = 2
Signed = tuple[str, str]

_SAID = {
    Kind.CHANGED: "changed",
    Kind.GONE: "gone",
    Kind.NEW: "new",
    Kind.MOVED: "moved",
    Kind.CARDS: "with other cards",
}


def place(where: Sequence[str]) -> str:
    """Headings as one line: `phase turns, round 2, turn P3`."""
    return ", ".join(where) or "before the first phase"


def summary(diff: TraceDiff) -> list[str]:
    """What differs, in a few sentences."""
    if diff.identical:
        return ["the same to the byte"]
    said = [f"{field}: {mine} | {its}" for field, mine, its in diff.header]
    said += [f"renamed: {old} is now {new}" for old, new in diff.renames.items()]
    counts = diff.counts
    if diff.first is None:
        said.append("the play is the same")
    else:
        parts = [f"{counts[kind]} {name}" for kind, name in _SAID.items() if counts[kind]]
        said.append(f"first difference: {place(diff.first.where)}")
        said.append(f"lines of play that differ: {diff.changed} ({', '.join(parts)})")
    if counts[Kind.OFFERED]:
        said.append(f"choices that were forced on one side only: {counts[Kind.OFFERED]}")
    if counts[Kind.TAGS]:
        said.append(f"lines that cite other clauses: {counts[Kind.TAGS]} ({_clauses(diff)})")
    as_before = sum(count for kind, count in counts.items() if kind not in PLAY)
    said.append(f"lines as before: {as_before}")
    return said


def _clauses(diff: TraceDiff) -> str:
    """`T13 → T14`, for each pair of tags that stand for each other."""
    found: Counter[str] = Counter()
    for row in diff.rows:
        if row.kind is Kind.TAGS and row.left and row.right:
            old, new = ", ".join(row.left.tags), ", ".join(row.right.tags)
            found[f"{old or 'none'} → {new or 'none'}"] += 1
    shown = [pair for pair, _ in found.most_common(5)]
    return "; ".join(shown + ["…"] * (len(found) > 5))


def unified(diff: TraceDiff, context: int = CONTEXT, most: int | None = None) -> list[Signed]:
    """What differs with the lines around it; `most` lines at most."""
    lines: list[Signed] = []
    for where, rows in hunks(diff, context):
        lines.append(("@", f"{place(where)}  (line {_lines(rows)})"))
        for row in rows:
            lines += signed(row)
        if most is not None and len(lines) > most:
            return [*lines[:most], ("@", "…")]
    return lines


def hunks(diff: TraceDiff, context: int = CONTEXT) -> Iterator[tuple[tuple[str, ...], list[Row]]]:
    """Stretches of rows that differ, with so many as before around them, none across headings."""
    rows = diff.rows
    near = {
        i
        for at, row in enumerate(rows)
        if row.kind in PLAY
        for i in range(max(at - context, 0), min(at + context + 1, len(rows)))
        if rows[i].where == row.where
    }
    where: tuple[str, ...] | None = None
    before, kept = -2, list[Row]()
    for i in sorted(near):
        row = rows[i]
        if row.heading and row.kind is Kind.SAME:
            continue
        if kept and (row.where != where or i != before + 1):
            assert where is not None
            yield where, kept
            kept = []
        where, before = row.where, i
        kept.append(row)
    if kept and where is not None:
        yield where, kept


def _lines(rows: Sequence[Row]) -> str:
    """Where in the traces, as text, the first difference of a hunk stands."""
    row = next(row for row in rows if row.kind in PLAY)
    numbers = [str(line.number) for line in (row.left, row.right) if line is not None]
    return " | ".join(dict.fromkeys(numbers)) or "-"


def signed(row: Row) -> list[Signed]:
    """The lines of a row."""
    left, right = row.left, row.right
    if row.heading:
        return [("-" if row.kind is Kind.GONE else "+", f"{'=' * row.heading} {row.where[-1]}")]
    match row.kind:
        case Kind.CARDS if left and right:
            return [("~", f"{left.text} → {right.what}{right.ending}")]
        case Kind.CHANGED if left and right:
            return [("-", left.full), ("+", right.full)]
        case Kind.MOVED:
            return [("<", left.full)] if left else [(">", right.full if right else "")]
        case Kind.GONE | Kind.NEW:
            return [("-", left.full)] if left else [("+", right.full if right else "")]
        case _:
            return [(" ", right.full if right else "")]


def as_data(diff: TraceDiff) -> dict[str, Any]:
    """The difference as JSON can hold it: all that differs, in order."""
    first = diff.first
    return {
        "identical": diff.identical,
        "same_play": first is None,
        "header": {field: [mine, its] for field, mine, its in diff.header},
        "renamed": dict(diff.renames),
        "counts": {kind.value: count for kind, count in diff.counts.items()},
        "first": None if first is None else _row(first),
        "rows": [_row(row) for row in diff.rows if row.kind is not Kind.SAME],
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "kind": row.kind.value,
        "where": list(row.where),
        "left": _line(row.left),
        "right": _line(row.right),
    }


def _line(line: Any) -> dict[str, Any] | None:
    if line is None:
        return None
    return {"line": line.number, "text": line.text, "tags": list(line.tags)}
