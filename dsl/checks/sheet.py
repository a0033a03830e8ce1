"""Ruleset against rule sheet: rules of the sheet that no line cites, tags that name no entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from dsl import files
from dsl import nodes as n
from dsl.context import Context
from dsl.layout import Tag
from dsl.program import Span
from dsl.suggest import did_you_mean

MOST_NOTES = 10
_ENTRY = re.compile(r"^- \*\*([^*]+)\*\* \(([^)]*)\)\s*(.*)$")


@frozen(eq=False)
class Entry:
    """An entry of a sheet: `- **T14.1** (rule) text`."""

    name: str
    kind: str
    text: str
    line: int


def read_sheet(text: str) -> list[Entry]:
    """The entries of a rule sheet, first lines only."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        entry = _ENTRY.match(line)
        if entry is not None:
            found.append(Entry(entry[1], entry[2].split(" ")[0], entry[3], number))
    return found


def clauses(ruleset: n.Ruleset, c: Context) -> None:
    game = c.symbols.game
    line = next((x for x in game.properties if x.word.text == "sheet"), None) if game else None
    if line is None:
        return
    try:
        text = files.text(Path(line.path))
    except (OSError, UnicodeDecodeError):
        message = f"there is no rule sheet `{line.value}`, so clause tags can't be checked"
        note = "the path is seen from the folder of the ruleset"
        c.findings.warning("R0511", message, line.span, note)
        return
    entries = read_sheet(text)
    _unknown_tags(ruleset.tags, entries, line.value, c)
    if ruleset.variant is not None:
        return  # it may well do without rules of the sheet
    of_examples = set(_tags_of_examples(ruleset))
    spans = {tag.span for tag in of_examples}
    cited = {tag.text for tag in ruleset.tags if tag.span not in spans}
    if ruleset.examples:
        _left_out(entries, {tag.text for tag in of_examples}, line.span, c)
    missing = [entry for entry in entries if entry.kind == "rule" and entry.name not in cited]
    if missing:
        notes = [f"{entry.name}: {_cut(entry.text)}" for entry in missing[:MOST_NOTES]]
        if len(missing) > MOST_NOTES:
            notes.append(f"… and {len(missing) - MOST_NOTES} more")
        what = "rule" if len(missing) == 1 else "rules"
        message = f"no line cites {len(missing)} {what} of the sheet"
        c.findings.warning("R0512", message, line.span, *notes)


def _tags_of_examples(ruleset: n.Ruleset) -> Iterator[Tag]:
    """Examples show rules and don't carry them out, so their tags are counted apart."""
    for example in ruleset.examples:
        yield from example.tags
        for part in example.story:
            yield from part.tags


def _left_out(entries: list[Entry], cited: set[str], span: Span, c: Context) -> None:
    """Worked examples of the sheet that no example works out."""
    missing = [e for e in entries if e.kind == "example" and e.name not in cited]
    if missing:
        notes = [f"{entry.name}: {_cut(entry.text)}" for entry in missing[:MOST_NOTES]]
        if len(missing) > MOST_NOTES:
            notes.append(f"… and {len(missing) - MOST_NOTES} more")
        what = "example" if len(missing) == 1 else "examples"
        message = f"no `example` cites {len(missing)} worked {what} of the sheet"
        c.findings.warning("R0514", message, span, *notes)


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:59].rstrip() + "…"


def _unknown_tags(tags: tuple[Tag, ...], entries: list[Entry], sheet: str, c: Context) -> None:
    names = [entry.name for entry in entries]
    told: set[str] = set()
    for tag in tags:
        if tag.text in names or tag.text in told:
            continue
        told.add(tag.text)
        message = f"the sheet has no entry `{tag.text}`"
        hint = did_you_mean(tag.text, names)
        c.findings.warning("R0513", message, tag.span, suggestion=hint)
