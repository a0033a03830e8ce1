"""The blocks of a ruleset by path, as text: for comparing two rulesets, and for rulebooks.

    for path, block in blocks("rulesets/throne.rules").items():
        print(path, block.kind, block.text)

Paths are those of `Origin.path` in the Program, of traces and of coverage: `option turns`, `kind
job_card`, `token coin in treasury`, `skill thief`, `skill thief/mark`, `phase turns/turn/hold`,
`role prophet at before_lead`, `scoring/vp`, `winner`, `roles`, `setup`, `game`. Of a variant they
are those of the ruleset it makes, with its own lines among those of its base.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from dsl import nodes as n
from dsl.diagnostics import Findings, RulesError
from dsl.format_line import Joints, joints
from dsl.layout import Line, read_text
from dsl.lexer import Piece, split
from dsl.parse import parse
from dsl.program import Span
from dsl.variant_lines import (
    ITEM_OF,
    block_name,
    choice_name,
    first_word,
    has_ways,
    item_name,
    outline,
    words,
)


@frozen
class Block:
    """A named part of a ruleset.

    `kind`: its first word (`option`, `card`, `place`, `token`, `skill`, `phase` …), or `choose` for
    a choice, `way` for a way of one. `name`: how it is called (`turns`, `coin in treasury`,
    `thief`, `hold`). `text`: its lines in canonical layout, without clause tags, comments and
    blank lines, so that equal texts say the same; what is below it is in it. `tags`: the clause
    tags on all its lines. `span`: its first line, in its own file.
    """

    kind: str
    name: str
    text: str
    tags: tuple[str, ...]
    span: Span


def blocks(path: str | Path, text: str | None = None) -> dict[str, Block]:
    """The blocks of a ruleset by path, in the order written. Raises RulesError if it can't be
    read; what its names mean is not looked at."""
    findings = Findings()
    source = read_text(Path(path), findings) if text is None else text
    ruleset = None if source is None else parse(source, str(path), findings)
    if ruleset is None or findings.errors:
        raise RulesError(findings.in_order(), {} if source is None else {str(path): source})
    return dict(_all(ruleset))


def _all(ruleset: n.Ruleset) -> Iterator[tuple[str, Block]]:
    by_file: dict[str, Joints] = {file: joints(ruleset, file) for file in ruleset.sources}
    for name, spot in outline(list(ruleset.lines)):
        kind, _, rest = name.partition(" ")
        path = _path(name, spot.line, spot.section)
        if first_word(spot.line) == "role":
            for hook in spot.line.children:
                moment = words(hook)[1]
                inner = f"role {rest} at {moment}"
                yield inner, _block("role", f"{rest} at {moment}", hook, by_file)
                yield from _choices(inner, hook, by_file)
            continue
        yield path, _block(kind, rest, spot.line, by_file)
        yield from _choices(path, spot.line, by_file)


def _path(name: str, line: Line, section: str) -> str:
    _, _, rest = name.partition(" ")
    if section == "scoring":
        return f"scoring/{rest}"
    if section == "cards":
        return f"{'kind' if ':' in words(line) else 'property'} {rest}"
    return item_name(section, line) if section in ITEM_OF else block_name(line)


def _choices(path: str, line: Line, by_file: dict[str, Joints]) -> Iterator[tuple[str, Block]]:
    """Choices below a line, and their ways; `path` is that of the block they are in."""
    stack = [(line, path)]
    while stack:
        line, where = stack.pop()
        for child in line.children:
            name = choice_name(child)
            if name:
                place = f"{path}/{name}"
                yield place, _block("choose", name, child, by_file)
                stack.append((child, place))
            elif has_ways(line):
                name = words(child)[0]
                place = f"{where}/{name}"
                yield place, _block("way", name, child, by_file)
                stack.append((child, where))
            else:
                stack.append((child, where))


def _block(kind: str, name: str, line: Line, by_file: dict[str, Joints]) -> Block:
    rows: list[str] = []
    tags: list[str] = []
    _write(line, 0, rows, tags, by_file)
    first = line.text.split("\n")[0].rstrip()
    span = Span(line.file, line.line, line.column, line.line, len(first) + 1)
    return Block(kind, name, "\n".join(rows), tuple(dict.fromkeys(tags)), span)


def _write(
    line: Line, level: int, rows: list[str], tags: list[str], by_file: dict[str, Joints]
) -> None:
    pieces = [_renamed(piece, line) for piece in split(line.text, line.line)]
    rows.append("  " * level + by_file[line.file].written(pieces))
    tags += [tag.text for tag in line.tags]
    for child in line.children:
        _write(child, level + 1, rows, tags, by_file)


def _renamed(piece: Piece, line: Line) -> Piece:
    return piece._replace(text=line.renamed.get(piece.text, piece.text))
