"""Coverage in words: a summary, the ruleset with counts, and the same as a page.

Used by `rules cover`.
"""

from __future__ import annotations

from html import escape
from pathlib import PurePath

from lab.cover import Coverage, Item, text_of
from lab.tables import aligned, width


def summary(coverage: Coverage) -> str:
    """How much was reached."""
    parts = [f"{reached} of {of} {what}" for what, reached, of in coverage.summary()]
    return f"reached: {', '.join(parts)}"


def missed(coverage: Coverage) -> str:
    """What no game reached, with its place; "" if all was."""
    parts = []
    rules = [item for item in coverage.missed() if item.kind != "way"]
    ways = [item for item in coverage.missed() if item.kind == "way"]
    if rules:
        parts.append("no game reached\n" + _places(coverage, rules))
    never = [way for way in ways if not way.offered]
    if never:
        parts.append("never offered\n" + _places(coverage, never))
    refused = [way for way in ways if way.offered]
    if refused:
        parts.append("offered, never taken\n" + _places(coverage, refused))
    clauses = [tag for tag, times in coverage.clauses().items() if not times]
    if clauses:
        parts.append(f"clauses no game reached\n  {', '.join(clauses)}")
    return "\n\n".join(parts)


def _places(coverage: Coverage, items: list[Item]) -> str:
    rows = []
    for item in items:
        span = item.origin.span
        place = f"{PurePath(span.file).name}:{span.line}"
        tags = f"[{', '.join(item.origin.tags)}]" if item.origin.tags else ""
        name = item.name.rpartition("/")[2] if item.kind == "way" else ""
        text = text_of(coverage.program, span)
        rows.append((place, text if not name or text else name, tags))
    return "\n".join(f"  {line}" for line in aligned(rows, ("text", "text", "text")))


def count_of(items: list[Item]) -> tuple[str, str]:
    """A line's count, and its mark: "" reached, "!" not at all, "~" in part."""
    times = [item.times for item in items]
    if not any(times):
        return "0", "!"
    return f"{max(times):,}", "" if all(times) else "~"


def listing(coverage: Coverage) -> str:
    """The ruleset, each line with how often it was carried out."""
    parts = []
    for file, source in coverage.program.sources.items():
        items = coverage.lines(file)
        texts = source.rstrip("\n").split("\n")
        counts = {number: count_of(there) for number, there in items.items()}
        wide = max([5, *(width(count) for count, _ in counts.values())])
        digits = len(str(len(texts)))
        lines = [PurePath(file).name]
        for number, text in enumerate(texts, 1):
            count, mark = counts.get(number, ("", ""))
            lines.append(f"{count:>{wide}} {mark or ' '} {number:>{digits}}  {text}".rstrip())
        parts.append("\n".join(lines))
    parts.append("0 ! not reached    ~ reached in part    no count: nothing to reach")
    return "\n\n".join(parts)


STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem;
  padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
td { padding: 0 .6rem; white-space: pre-wrap; font: 13px/1.5 ui-monospace, monospace;
  vertical-align: top; }
td.n, td.c { text-align: right; color: GrayText; white-space: nowrap; width: 1%; }
tr.none td { background: #d3302f33; }
tr.part td { background: #e6a70033; }
tr.some td.c { color: inherit; }
tr:target td { outline: 2px solid Highlight; }
.bar { display: inline-block; height: .7em; background: #2e7d32; margin-right: .5em; }
ul { padding-left: 1.2rem; } code { font: 13px ui-monospace, monospace; }
"""


def page(coverage: Coverage, title: str, what: str) -> str:
    """A page that needs nothing else: summary, what was missed, the listing with counts."""
    body = [f"<h1>{escape(title)}</h1>", f"<p>{escape(what)}</p>", "<table>"]
    for name, reached, of in coverage.summary():
        size = 12 * reached / of
        body.append(
            f"<tr><td>{escape(name)}</td><td>{reached} of {of}</td>"
            f'<td><span class="bar" style="width:{size:.2f}rem"></span>{100 * reached / of:.0f} %'
            "</td></tr>"
        )
    body.append("</table>")
    gone = [item for item in coverage.items if not item.times]
    if gone:
        body.append("<h2>Not reached</h2><ul>")
        for item in coverage.missed():
            span = item.origin.span
            text = escape(text_of(coverage.program, span) or item.name)
            tags = escape(" ".join(item.origin.tags))
            body.append(
                f'<li><a href="#{_anchor(span.file, span.line)}">line {span.line}</a> '
                f"<code>{text}</code> {tags}</li>"
            )
        body.append("</ul>")
        clauses = [tag for tag, times in coverage.clauses().items() if not times]
        if clauses:
            body.append(f"<p>Clauses no game reached: {escape(', '.join(clauses))}</p>")
    for file, source in coverage.program.sources.items():
        body.append(f"<h2>{escape(PurePath(file).name)}</h2><table>")
        items = coverage.lines(file)
        for number, text in enumerate(source.rstrip("\n").split("\n"), 1):
            body.append(_row(file, number, text, items.get(number, [])))
        body.append("</table>")
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return (
        f"<!doctype html>\n<html><head>{head}</head><body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _row(file: str, number: int, text: str, items: list[Item]) -> str:
    count, mark = count_of(items) if items else ("", "")
    kind = {"!": "none", "~": "part"}.get(mark, "some" if items else "")
    said = "; ".join(_said(item) for item in items)
    return (
        f'<tr id="{_anchor(file, number)}" class="{kind}" title="{escape(said)}">'
        f'<td class="c">{count}</td><td class="n">{number}</td><td>{escape(text)}</td></tr>'
    )


def _said(item: Item) -> str:
    if item.offered is not None:
        return f"{item.name}: offered {item.offered:,} times, taken {item.times:,}"
    return f"{item.kind} {item.name}: {item.times:,}"


def _anchor(file: str, line: int) -> str:
    return escape(f"{PurePath(file).name}-{line}")
