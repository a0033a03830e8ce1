"""Doing what a variant says to the lines of its base. Used by `dsl.variants`.

Everything is found by name, or inside a block by its first words, and has to be there just once: a
base that changed under a variant gives an error that names what is gone. Nothing can be changed
twice. Lines of the variant keep their places: `replace value x = 3` becomes the line `value x = 3`
with blanks where the words of the variant were.
"""

from __future__ import annotations

from attrs import evolve

from dsl.layout import Line
from dsl.lexer import split
from dsl.variant_core import without_words
from dsl.variant_inside import Inside
from dsl.variant_lines import (
    ALONE,
    ORDER,
    SECTION_OF,
    Spot,
    block_name,
    first_word,
    item_name,
    kind_of,
    outline,
    words,
)
from dsl.variant_settings import Settings


class Edit(Settings, Inside):
    """All operations of a variant."""

    # ── the game's own lines ──

    def head(self, first: Line, name: str, others: tuple[tuple[str, str], ...], game: Line) -> None:
        """Name the game after the variant: `game "Throne (with jokers)"`. `game` is the line of
        the game that all comes from."""
        title = words(game)[1][1:-1]
        given = dict(others)
        found = words(game)[2:]
        texts = [*zip(found[::2], found[1::2], strict=True)]
        texts += [(w[0], w[1]) for w in map(words, game.children) if len(w) == 2 and len(w[0]) == 2]
        said = "".join(f' {lang} "{text[1:-1]} ({given.get(lang, name)})"' for lang, text in texts)
        text = " " * (first.column - 1) + f'game "{title} ({name})"{said}'
        at, old = next((i, x) for i, x in enumerate(self.lines) if first_word(x) == "game")
        children = [c for c in old.children if len(words(c)[0]) != 2]
        self.lines[at] = evolve(first, text=text, children=children, tags=old.tags, renamed={})

    def property(self, line: Line) -> None:
        """`players 2..7`, `sheet "…"`: instead of the base's, or as well."""
        game = next(x for x in self.lines if first_word(x) == "game")
        found = next((c for c in game.children if first_word(c) == first_word(line)), None)
        if found is None:
            game.children.append(line)
        elif not self.is_taken(found, line):
            game.children[game.children.index(found)] = line
        self.touch(line, line)
        self.changed(line)

    # ── operations on blocks and items ──

    def operation(self, word: str, line: Line) -> None:
        match word:
            case "property" | "players":
                self.property(line)
            case "option":
                self.option(line)
            case "replace":
                self.replace(line)
            case "add":
                self.add(line)
            case "remove":
                self.remove(line)
            case "in":
                self.inside(line)
            case "example":
                self.lines.append(line)

    def declared(self, line: Line) -> tuple[Line, str, str] | None:
        """What `replace` or `add` brings: its line, its name, and its section if it is an item."""
        rest = without_words(line, 1)
        if rest is None:
            verb = first_word(line)
            hint = f"`{verb} value x = 3`, or `{verb} skill priest` with its lines below"
            self.error("R0246", f"{verb} what?", self.span(line), hint)
            return None
        word = first_word(rest)
        if word in SECTION_OF and not rest.children:
            item = without_words(rest, 1)
            section = SECTION_OF[word]
            if item is not None:
                return item, item_name(section, item), section
        if len(words(rest)) < 2 and word not in ALONE:
            items = [item for item, section in SECTION_OF.items() if section == word]
            hint = f"one at a time: `{first_word(line)} {items[0]} …`" if items else ""
            self.error("R0246", f"`{word}` what?", self.span(line), hint)
            return None
        return rest, block_name(rest), ""

    def replace(self, line: Line) -> None:
        made = self.declared(line)
        if made is None:
            return
        new, name, _ = made
        spot = self.find(name, line, self.span(line, 1, 2 if " " in name else 1))
        if spot is None or self.is_taken(spot.line, line):
            return
        if name == "game":
            hint = 'the first line names the variant; `players 2..4` and `sheet "…"` go below it'
            self.error("R0246", "the game's own lines are not replaced", self.span(line), hint)
            return
        self.changed(line, spot.line)
        spot.siblings[spot.index] = new
        self.touch(line, new)

    def add(self, line: Line) -> None:
        found = words(line)
        if found[1:2] in (["before"], ["after"]):
            self.add_beside(line, found[1] == "after")
            return
        made = self.declared(line)
        if made is None:
            return
        new, name, section = made
        before = next((s.line for known, s in outline(self.lines) if known == name), None)
        if before is not None and first_word(new) != "at":
            if id(before) in self.touched:
                self.twice(line, self.touched[id(before)])
                return
            hint = f"`replace {name} …`, or `in {name}` and `add` below it"
            self.error("R0248", f"the base has a `{name}` already", self.span(line, 1), hint)
            return
        self.changed(line)
        self.touch(line, new)
        if section:
            self.section(section, line).children.append(new)
        else:
            self.lines.insert(self.place_for(new), new)

    def section(self, word: str, operation: Line) -> Line:
        """The line of a section, made where there is none."""
        for line in self.lines:
            if words(line) == [word]:
                return line
        made = Line(word, operation.line, operation.column, (), file=operation.file)
        self.lines.insert(self.place_for(made), made)
        return made

    def place_for(self, new: Line) -> int:
        """Behind the last block of its kind, else where a rulebook has it."""
        kind, family = kind_of(new), first_word(new)
        kinds = [kind_of(line) for line in self.lines]
        same = [at for at, line in enumerate(self.lines) if first_word(line) == family]
        same = same or [at for at, other in enumerate(kinds) if other == kind]
        if same:
            return same[-1] + 1
        rank = ORDER.index(kind)
        return next(
            (at for at, other in enumerate(kinds) if ORDER.index(other) > rank), len(self.lines)
        )

    def add_beside(self, line: Line, after: bool) -> None:
        """`add after phase turns`, with what is added below it."""
        name = " ".join(words(line)[2:])
        spot = self.find(name, line, self.span(line, 2))
        if spot is None or not self.has_lines(line):
            return
        at = spot.index + after
        spot.siblings[at:at] = line.children
        self.touch(line, *line.children)
        self.changed(line)

    def remove(self, line: Line) -> None:
        """`remove skill senator, policy senator`"""
        start = 1
        pieces = [p.text for p in split(line.text, line.line)]
        while start < len(pieces):
            end = pieces.index(",", start) if "," in pieces[start:] else len(pieces)
            name = " ".join(pieces[start:end])
            spot = self.find(name, line, self.span(line, start, end - 1)) if name else None
            if spot is not None and not self.is_taken(spot.line, line):
                self.changed(line, spot.line)
                self.gone[name] = line
                self.cut(spot, line)
            start = end + 1
        if len(pieces) == 1:
            hint = "`remove value x`, `remove skill senator, policy senator`"
            self.error("R0246", "remove what?", self.span(line), hint)

    def cut(self, spot: Spot, operation: Line) -> None:
        """Take a line away, and its section with the last of its items."""
        self.kept.append(spot.line)
        del spot.siblings[spot.index]
        if spot.section and not spot.siblings and spot.parent is not None:
            self.lines.remove(spot.parent)
