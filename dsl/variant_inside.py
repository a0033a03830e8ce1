"""`in skill thief`: changes inside a block, line by line. Used by `dsl.variant_edit`."""

from __future__ import annotations

from dsl.layout import Line
from dsl.suggest import listing, nearest
from dsl.variant_core import Core, without_words
from dsl.variant_lines import (
    Spot,
    beginning,
    below,
    choice_name,
    first_word,
    named,
    own_name,
    without_texts,
    words,
)

INSIDE = ("add", "remove", "replace", "in")


class Inside(Core):
    """The operations inside a block."""

    def inside(self, line: Line) -> None:
        """`in skill thief/mark`: what is below it is done inside that block."""
        segments = _segments(words(line)[1:])
        if not segments[0]:
            self.error("R0246", "in which block?", self.span(line), "`in skill thief`")
            return
        spot = self.find(" ".join(segments[0]), line, self.span(line, 1, len(segments[0])))
        if spot is None or not self.has_lines(line):
            return
        block: Line | None = spot.line
        for segment in segments[1:]:
            block = None if block is None else self.part(block, segment, line)
        if block is not None:
            self.within(block, line)

    def within(self, block: Line, line: Line) -> None:
        if id(block) in self.touched:
            self.twice(line, self.touched[id(block)])
            return
        for child in line.children:
            match first_word(child):
                case "add":
                    self.add_inside(block, child)
                case "remove":
                    self.remove_inside(block, child)
                case "replace":
                    self.replace_inside(block, child)
                case "in":
                    inner = self.part(block, words(child)[1:], child)
                    if inner is not None and self.has_lines(child):
                        self.within(inner, child)
                case word:
                    near = nearest(word, INSIDE)
                    hint = f"did you mean `{near}`?" if near else listing(INSIDE)
                    message = f"inside a block, `{word}` is nothing a variant does"
                    self.error("R0245", message, self.span(child, 0, 0), hint)

    def part(self, block: Line, start: list[str], operation: Line) -> Line | None:
        spot = self.one(block, start, operation)
        return None if spot is None else spot.line

    def one(self, block: Line, start: list[str], operation: Line) -> Spot | None:
        """The one line below a block that goes by a name or begins with some words."""
        spots: list[Spot] = []
        if len(start) == 1:
            spots = named(block, start[0])
        spots = spots or [s for s in below(block) if own_name(s.line, s.parent) == " ".join(start)]
        return self.single(block, spots or beginning(block, start), " ".join(start), operation)

    def single(self, block: Line, spots: list[Spot], name: str, operation: Line) -> Spot | None:
        where = f"`{' '.join(without_texts(words(block))[:2])}`"
        if not name:
            self.error("R0246", "which line?", self.span(operation), "`remove draw 1`")
            return None
        if not spots:
            near = nearest(name, _openings(block, name.count(" ") + 1))
            first = (" ".join(words(child)[:3]) for child in block.children)
            hint = f"did you mean `{near}`?" if near else f"there are {listing(first, 'and')}"
            message = f"there is no line `{name} …` in {where}"
            self.error("R0247", message, self.span(operation, 1), hint)
            return None
        if len(spots) > 1:
            message = f"`{name} …` are {len(spots)} lines in {where}"
            related = [(self.span(spot.line), "one of them") for spot in spots[:3]]
            hint = "write more of the line, or say where: `in phase turns/turn`"
            self.error("R0250", message, self.span(operation, 1), hint, related)
            return None
        return spots[0]

    def add_inside(self, block: Line, line: Line) -> None:
        """`add` at the end, `add first`, `add before LINE`, `add after LINE`."""
        found = words(line)
        siblings, at = block.children, len(block.children)
        new = line.children
        if found[1:2] in (["before"], ["after"]):
            spot = self.one(block, found[2:], line)
            if spot is None or not self.has_lines(line):
                return
            siblings, at = spot.siblings, spot.index + (found[1] == "after")
        else:
            skipped = 2 if found[1:2] == ["first"] else 1
            at = 0 if skipped == 2 else at
            rest = without_words(line, skipped)
            if rest is None and not self.has_lines(line):
                return
            new = [rest] if rest is not None else new
        siblings[at:at] = new
        self.touch(line, *new)
        self.changed(line)

    def remove_inside(self, block: Line, line: Line) -> None:
        spot = self.one(block, words(line)[1:], line)
        if spot is None or self.is_taken(spot.line, line):
            return
        self.changed(line, spot.line)
        del spot.siblings[spot.index]
        self.kept.append(spot.line)

    def replace_inside(self, block: Line, line: Line) -> None:
        """`replace LINE by` and new lines below it, or `replace hold when …`: the choice, way, hook
        or assignment of that name."""
        found = words(line)
        rest = without_words(line, 1)
        if rest is None or found[1:] == ["by"]:
            self.error("R0246", "replace what?", self.span(line), "`replace draw 1 by`")
            return
        if found[-1] == "by" and line.children:
            spot = self.one(block, found[1:-1], line)
            new = line.children
        else:
            name = _name_inside(rest)
            spots = [s for s in below(block) if own_name(s.line, s.parent) == name]
            if not spots and "choose" not in name and beginning(block, [first_word(rest)]):
                hint = f"`replace {first_word(rest)} … by`, and the new lines indented below it"
                message = "a line without a name is replaced by the lines indented below"
                self.error("R0246", message, self.span(line), hint)
                return
            spot = self.single(block, spots, name, line)
            new = [rest]
        if spot is None or self.is_taken(spot.line, line):
            return
        self.changed(line, spot.line)
        at = spot.index
        spot.siblings[at : at + 1] = new
        self.touch(line, *new)


def _openings(block: Line, count: int) -> list[str]:
    """The names of the lines below a block, and their first words, as many as were looked for."""
    spots = list(below(block))
    starts = [" ".join(words(spot.line)[:count]) for spot in spots]
    return [*(own_name(spot.line, spot.parent) for spot in spots), *starts]


def _name_inside(line: Line) -> str:
    if choice_name(line):
        return f"choose {choice_name(line)}"
    found = words(line)
    if found[0] in ("moment", "at"):
        return " ".join(found[:2])
    return f"{found[0]} =" if found[1:2] == ["="] else found[0]


def _segments(found: list[str]) -> list[list[str]]:
    segments: list[list[str]] = [[]]
    for word in found:
        if word == "/":
            segments.append([])
        else:
            segments[-1].append(word)
    return segments
