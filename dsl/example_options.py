"""Choices and options in the words of an example: `plays peasant`, `tithes 2`, `pass`. Used by
`dsl.lower_examples`."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.context import Context
from dsl.example_cards import PLAYER, Deck
from dsl.examples import Option, Picked, Way
from dsl.program import K
from dsl.suggest import did_you_mean, listing, nearest_or_all, singulars
from dsl.walk import everything

CALLED = {
    K.CARD: "a card", K.CARDS: "cards", K.PLAY: "cards", K.PLAYER: "a player", K.NUMBER: "a number",
    K.ROLE: "a role", K.SHAPE: "a shape",
}  # fmt: skip

SEVERAL = (K.CARDS, K.PLAY)
"""Kinds of what is picked that consist of several cards."""


@frozen(eq=False)
class Choices:
    """All choices of a Program, by path."""

    by_path: dict[str, p.Choose]
    at_once: frozenset[str]

    def named(self, word: str) -> list[Way]:
        """What a word may mean: a choice or a way of one, also with an `s` (`plays`)."""
        for form in (word, *singulars(word)):
            found = [Way(path, "") for path, c in self.by_path.items() if c.name == form]
            for path, choose in self.by_path.items():
                found += [Way(path, b.name) for b in choose.branches if b.name == form]
            if found:
                return found
        return []

    def names(self) -> list[str]:
        words = [choose.name for choose in self.by_path.values()]
        return words + [b.name for c in self.by_path.values() for b in c.branches if b.name]

    def branches(self, way: Way) -> list[p.Branch]:
        found = self.by_path[way.choice].branches
        return [branch for branch in found if way.branch in ("", branch.name)]


def choices_of(program: p.Program) -> Choices:
    found: dict[str, p.Choose] = {}
    together: set[str] = set()
    for node in everything(program):
        if isinstance(node, p.Choose):
            found[node.origin.path] = node
        elif isinstance(node, p.AtOnce):
            together.add(node.choice.origin.path)
    return Choices(found, frozenset(together))


@frozen(eq=False)
class OptionWords:
    """Reads options of one example."""

    c: Context
    deck: Deck
    choices: Choices
    players: int

    def ways(self, word: n.Word, *following: n.Word) -> tuple[Way, ...]:
        """The choices and ways that a word may mean; () after reporting that there are none.
        `following`: the words behind it, of which the name may have been meant to be."""
        found = self.choices.named(word.text)
        if not found:
            names = self.choices.names()
            hint = did_you_mean(word.text, [*names, *(f"{name}s" for name in names)])
            for first in (word.text, *singulars(word.text)):
                whole = "_".join([first, *(each.text for each in following)])
                if whole in names:
                    hint = f"a name is one word: `{whole}`"
            hint = hint or nearest_or_all(word.text, names)
            message = f"there is no choice `{word.text}`, and no way of one"
            self.c.findings.error("R0608", message, word.span, suggestion=hint)
        return tuple(found)

    def goes_on(self, words: Sequence[n.Word], following: n.Step) -> bool:
        """Whether a step goes on with the cards that the words of the one before pick: a comma
        stands between cards as they are called at the table."""
        more = following.parts[0].words
        if not more or PLAYER.fullmatch(more[0].text) or self.choices.named(more[0].text):
            return False
        ways = next(filter(None, (self.choices.named(word.text) for word in words)), [])
        picks = [branch.pick for way in ways for branch in self.choices.branches(way)]
        several = any(pick is not None and pick.type.kind in SEVERAL for pick in picks)
        return several and bool(self.deck.readings(tuple(more), {}))

    def option(
        self, ways: tuple[Way, ...], parts: Sequence[n.Picked], skip: int, span: p.Span
    ) -> Option | None:
        """What the words behind the first `skip` of some parts pick."""
        first = parts[0]
        rest = [n.Picked(first.words[skip:], first.place, first.owner, first.span), *parts[1:]]
        if rest[0].words:
            narrowed = self.narrowed(ways, rest[0].words[0].text)
            if narrowed:
                ways = narrowed
                rest[0] = n.Picked(rest[0].words[1:], first.place, first.owner, first.span)
        things: list[tuple[str, str]] = []
        branches = [branch for way in ways for branch in self.choices.branches(way)]
        shape = self.shape(rest[0].words, branches)
        if shape:
            rest[0] = n.Picked(rest[0].words[1:], first.place, first.owner, first.span)
        for part in rest:
            if not part.words and len(rest) == 1 and part.place is None:
                continue
            found = self.things(part, branches)
            if found is None:
                return None
            things += found
        if not things and all(branch.pick is not None for branch in branches):
            nothing = rest[0].words and rest[0].words[0].text == "no"
            if not nothing:
                self.misfit(branches, span, "nothing")
                return None
        return Option(ways, Picked(tuple(sorted(things)), span, shape), span)

    def shape(self, words: Sequence[n.Word], branches: Sequence[p.Branch]) -> str:
        """The shape that stands in front of a play's cards; "" if none does."""
        picks = [branch.pick for branch in branches if branch.pick is not None]
        if len(words) < 2 or all(pick.type.kind is not K.PLAY for pick in picks):
            return ""
        return self.c.symbols.one(words[0].text, s.SHAPE) or ""

    def narrowed(self, ways: tuple[Way, ...], word: str) -> tuple[Way, ...]:
        """Where a choice is meant as a whole, the first word may be one of its ways."""
        for form in (word, *singulars(word)):
            found = tuple(
                Way(way.choice, branch.name)
                for way in ways
                if not way.branch
                for branch in self.choices.branches(way)
                if branch.name == form
            )
            if found:
                return found
        return ()

    def things(self, part: n.Picked, branches: list[p.Branch]) -> list[tuple[str, str]] | None:
        """Labels and places of what is picked, as the kinds of things picked there are read."""
        words = part.words
        said = " ".join(word.text for word in words)
        kinds = {branch.pick.type for branch in branches if branch.pick is not None}
        if said == "no cards":
            return []
        for kind in kinds:
            named = self.plain(words, kind)
            if named is not None and part.place is None:
                return [(named, "")]
        if any(kind.kind in (K.CARD, K.CARDS, K.PLAY) for kind in kinds):
            many = any(kind.kind in SEVERAL for kind in kinds)
            read = self.deck.several if many else self.deck.cards
            cards = read(words) if words else None
            where = self.place(part)
            if cards is None or where is None:
                return None
            return [(label, where) for label in cards]
        self.misfit(branches, part.span, f"`{said}`")
        return None

    def plain(self, words: Sequence[n.Word], kind: p.Type) -> str | None:
        """A player, number, value, role or shape; None if the words are none of that type."""
        if len(words) != 1:
            return None
        text, symbols = words[0].text, self.c.symbols
        match kind.kind:
            case K.PLAYER:
                return text if PLAYER.fullmatch(text) else None
            case K.NUMBER:
                return str(int(text)) if text.isdigit() else None
            case K.ENUM:
                found = symbols.named(text, s.ENUM_VALUE)
                return next((m.name for m in found if m.owner == kind.name), None)
            case K.ROLE | K.SHAPE:
                what = s.ROLE if kind.kind is K.ROLE else s.SHAPE
                return next((m.name for m in symbols.named(text, what)), None)
            case _:
                return None

    def place(self, part: n.Picked) -> str | None:
        """The label of the place a card lies in, "" if it isn't said; None after an error."""
        if part.place is None:
            return ""
        name = self.c.symbols.one(part.place.text, s.PLACE)
        if name is None:
            hint = self.c.symbols.suggestion(part.place.text, s.PLACE)
            message = f"there is no place `{part.place.text}`"
            self.c.findings.error("R0331", message, part.place.span, suggestion=hint)
            return None
        owned = self.c.symbols.places[name].owner is not None
        if owned != (part.owner is not None):
            hint = f"`{name} of P1`" if owned else f"`{name}`"
            message = f"whose `{name}`?" if owned else f"`{name}` is nobody's"
            self.c.findings.error("R0331", message, part.place.span, suggestion=hint)
            return None
        return name if part.owner is None else f"{name} of {part.owner.text}"

    def misfit(self, branches: list[p.Branch], span: p.Span, said: str) -> None:
        kinds = [branch.pick.type for branch in branches if branch.pick is not None]
        names = dict.fromkeys(CALLED.get(kind.kind, f"a {kind.name}") for kind in kinds)
        wanted = " or ".join(names) or "nothing"
        if not kinds:
            named = listing(dict.fromkeys(branch.name for branch in branches))
            message = f"{said} is no part of {named}: nothing is picked there"
        else:
            message = f"{wanted} is picked here, and {said} is said"
        words = said.strip("`").split()
        ends = [at for at, word in enumerate(words[:-1]) if PLAYER.fullmatch(word)]
        hint = (
            f"between two steps stands a comma: `…, {' '.join(words[ends[-1] :])}`" if ends else ""
        )
        self.c.findings.error("R0609", message, span, suggestion=hint)
