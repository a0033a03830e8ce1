"""What the lines of a ruleset are called, and finding them by that. Used by variants and blocks.

Works on the lines of `dsl.layout`, before they are parsed: a variant takes lines out of its base
and puts its own in, and the whole is parsed as if it had been written so.

A top-level block and an item of a section have a *name*: `skill thief`, `option wrap`, `place
hand`, `token coin in treasury`, `setup`, `winner`. Inside a block, choices, ways of choices, loops
with a label, moments, hooks and assignments have one; any line is found by its first words.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from dsl.layout import Line
from dsl.lexer import split

# the word for one item of each section
ITEM_OF = {
    "options": "option",
    "cards": "card",
    "places": "place",
    "tokens": "token",
    "marks": "mark",
    "track": "track",
    "shapes": "shape",
    "scoring": "scoring",
}
SECTION_OF = {item: section for section, item in ITEM_OF.items()}
ALONE = ("setup", "winner", "roles", "game")
# the order of a printed rulebook, for what has no neighbour of its kind
ORDER = (
    *("game", "options", "cards", "places", "tokens", "marks", "track", "roles", "shapes"),
    *("setup", "phase", "value", "action", "effect", "role", "at", "scoring", "winner", "example"),
)


@frozen(eq=False)
class Spot:
    """A line among its siblings. `section`: the word of the section whose item it is, or ""."""

    siblings: list[Line]
    line: Line
    parent: Line | None = None
    section: str = ""

    @property
    def index(self) -> int:
        return next(i for i, line in enumerate(self.siblings) if line is self.line)


def words(line: Line) -> list[str]:
    """The words and signs of a line, under the names a variant gives them."""
    pieces = split(line.text, line.line)
    return [line.renamed.get(p.text, p.text) if p.kind == "WORD" else p.text for p in pieces]


def first_word(line: Line) -> str:
    return words(line)[0]


def without_texts(found: list[str]) -> list[str]:
    """Words without translations: `hold ja "…" when x` is `hold when x`."""
    plain: list[str] = []
    for word in found:
        if word[0] == '"':
            if plain and len(plain[-1]) == 2 and plain[-1].isalpha():
                plain.pop()
            continue
        plain.append(word)
    return plain


# ── the top of a file ────────────────────────────────────────────────────────────────────────


def item_name(section: str, line: Line) -> str:
    """`option wrap`, `token coin in treasury`."""
    found = without_texts(words(line))
    name = f"{ITEM_OF[section]} {found[0]}"
    if section == "tokens" and found[1:2] == ["in"]:
        name += f" in {found[2]}"
    return name


def block_name(line: Line) -> str:
    """`skill thief`, `phase play`, `winner`."""
    found = words(line)
    return found[0] if found[0] in ALONE else " ".join(found[:2])


def outline(lines: list[Line]) -> Iterator[tuple[str, Spot]]:
    """The names of blocks and of the items of sections, in the order written."""
    for line in lines:
        section = first_word(line)
        if section in ITEM_OF and not _is_block(line):
            for child in line.children:
                yield item_name(section, child), Spot(line.children, child, line, section)
        else:
            yield block_name(line), Spot(lines, line)


def _is_block(line: Line) -> bool:
    return len(words(line)) > 1


def kind_of(line: Line) -> str:
    """Of a top-level block: the word in `ORDER` that it goes by."""
    found = words(line)
    if found[0] in ORDER:
        return found[0]
    return "effect"


# ── inside a block ───────────────────────────────────────────────────────────────────────────


def below(line: Line) -> Iterator[Spot]:
    """All lines below a line, in the order written."""
    for child in line.children:
        yield Spot(line.children, child, line)
        yield from below(child)


def has_ways(line: Line | None) -> bool:
    """Whether a line is a choice whose ways stand below it."""
    return line is not None and choice_name(line) != "" and ":" not in words(line)


def choice_name(line: Line) -> str:
    """`mark` of `they choose mark: …`."""
    found = words(line)
    for at, word in enumerate(found[:5]):
        if word in ("choose", "chooses"):
            return found[at + 1] if at + 1 < len(found) else ""
    return ""


def label(line: Line) -> str:
    """`trick` of `repeat tricks as trick`."""
    found = without_texts(words(line))
    return found[-1] if len(found) > 2 and found[-2] == "as" and line.children else ""


def own_name(line: Line, parent: Line | None) -> str:
    """What a line inside a block is called, with its kind; "" for one that has no name."""
    found = words(line)
    choice = choice_name(line)
    if choice:
        return f"choose {choice}"
    if has_ways(parent):
        return found[0]
    if found[0] in ("moment", "at"):
        return " ".join(found[:2])
    if found[1:2] == ["="]:
        return f"{found[0]} ="
    return f"as {label(line)}" if label(line) else ""


def named(block: Line, name: str) -> list[Spot]:
    """The lines below a block that go by a name: of a choice, a way, a label."""
    spots = list(below(block))
    for form in (f"choose {name}", name, f"as {name}"):
        found = [spot for spot in spots if own_name(spot.line, spot.parent) == form]
        if found:
            return found
    return []


def beginning(block: Line, start: list[str]) -> list[Spot]:
    """The lines below a block that begin with these words; one that is nothing else goes first."""
    found = [spot for spot in below(block) if _starts(spot.line, start)]
    whole = [spot for spot in found if len(words(spot.line)) == len(start)]
    return whole or found


def _starts(line: Line, start: list[str]) -> bool:
    found = words(line)
    return found[: len(start)] == start or without_texts(found)[: len(start)] == start
