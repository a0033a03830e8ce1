"""Two traces side by side, as HTML that stands alone. Used by `rules diff` and its reports."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from interpreter.trace.diff import PLAY, Kind, Row, TraceDiff
from interpreter.trace.diff_parts import Line, words
from interpreter.trace.diff_text import place, summary

STYLE = """
:root { color-scheme: light dark; --gone: #ffebe9; --new: #dafbe1; --cards: #fff8c5;
  --moved: #ddf4ff; --line: #d0d7de; --quiet: #59636e; }
@media (prefers-color-scheme: dark) { :root { --gone: #4b1f24; --new: #1b3a25;
  --cards: #44391a; --moved: #143049; --line: #444c56; --quiet: #9198a1; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .15em .6em; }
table.lines td { font: 13px/1.5 ui-monospace, monospace; width: 50%; overflow-wrap: anywhere; }
table.lines th { border-top: 1px solid var(--line); font-weight: 600; padding-top: .6em; }
table.plain th, table.plain td { border-bottom: 1px solid var(--line); }
tr.gone td, td.gone { background: var(--gone); } tr.new td, td.new { background: var(--new); }
tr.cards td { background: var(--cards); } tr.moved td { background: var(--moved); }
tr.changed td:first-child { background: var(--gone); }
tr.changed td:last-child { background: var(--new); }
.quiet { color: var(--quiet); } mark { background: none; font-weight: 700; color: inherit; }
code { font: 13px/1.5 ui-monospace, monospace; } summary { cursor: pointer; }
""".strip()
FEW = 3  # lines as before are shown around others; longer stretches are folded


def page(title: str, body: str) -> str:
    """A whole page, with nothing to load from elsewhere."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE}\n</style>\n</head>\n"
        f"<body>\n{body}</body>\n</html>\n"
    )


def trace_page(diff: TraceDiff, one: str, other: str) -> str:
    """A page for two traces, called `one` and `other`."""
    said = "".join(f"<li>{escape(line)}</li>\n" for line in summary(diff))
    return page(
        f"{one} | {other}",
        f"<h1>{escape(one)} | {escape(other)}</h1>\n<ul>\n{said}</ul>\n{table(diff, one, other)}"
        '<p class="quiet">yellow: the same act with other cards; blue: the same line elsewhere'
        "</p>\n",
    )


def table(diff: TraceDiff, one: str, other: str) -> str:
    """The traces side by side; long stretches as before can be unfolded."""
    made = [
        '<table class="lines">\n<thead><tr><td><b>',
        escape(one),
        "</b></td><td><b>",
        escape(other),
        "</b></td></tr></thead>\n",
    ]
    for rows in _stretches(diff.rows):
        content = "".join(_row(row) for row in rows)
        if _as_before(rows) and len(rows) > FEW * 2 + 1:
            head = "".join(_row(row) for row in rows[:FEW])
            tail = "".join(_row(row) for row in rows[-FEW:])
            between = "".join(_row(row) for row in rows[FEW:-FEW])
            made.append(
                f"<tbody>\n{head}</tbody>\n<tbody><tr><td colspan=2><details><summary>"
                f"{len(rows) - 2 * FEW} lines as before</summary>"
                f'<table class="lines">\n{between}</table></details></td></tr></tbody>\n'
                f"<tbody>\n{tail}</tbody>\n"
            )
        else:
            made.append(f"<tbody>\n{content}</tbody>\n")
    return "".join([*made, "</table>\n"])


def _as_before(rows: list[Row]) -> bool:
    return all(row.kind not in PLAY for row in rows)


def _stretches(rows: tuple[Row, ...]) -> Iterator[list[Row]]:
    """Rows as before and rows that differ, in turn."""
    kept: list[Row] = []
    for row in rows:
        if kept and (row.kind in PLAY) != (kept[-1].kind in PLAY):
            yield kept
            kept = []
        kept.append(row)
    if kept:
        yield kept


def _row(row: Row) -> str:
    if row.heading:
        title = escape(place(row.where))
        note = {Kind.GONE: " (only left)", Kind.NEW: " (only right)"}.get(row.kind, "")
        return f"<tr><th colspan=2>{title}{note}</th></tr>\n"
    left, right = _cells(row)
    return f'<tr class="{row.kind.value}"><td>{left}</td><td>{right}</td></tr>\n'


def _cells(row: Row) -> tuple[str, str]:
    if row.left and row.right and row.kind in (Kind.CHANGED, Kind.CARDS):
        return _marked(row.left, row.right), _marked(row.right, row.left)
    return _plain(row.left), _plain(row.right)


def _plain(line: Line | None) -> str:
    if line is None:
        return ""
    return escape(line.text) + _tags(line)


def _marked(line: Line, beside: Line) -> str:
    """A line with what is not in the other one emphasised."""
    there = set(words(beside.what))
    start = line.text.rfind(line.what)
    head, tail = line.text[:start], line.text[start + len(line.what) :]
    shown = [
        escape(piece)
        if piece.strip(",;") in there or not piece
        else f"<mark>{escape(piece)}</mark>"
        for piece in line.what.split(" ")
    ]
    return escape(head) + " ".join(shown) + escape(tail) + _tags(line)


def _tags(line: Line) -> str:
    return f' <span class="quiet">[{escape(", ".join(line.tags))}]</span>' if line.tags else ""
