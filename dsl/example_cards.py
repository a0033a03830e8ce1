"""Cards in the words of an example: `crown 7`, `banana`, `3 barbarians`. Used by
`dsl.lower_examples` and `dsl.example_options`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice, product

from attrs import define

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.alike import kinds_alike
from dsl.amounts import many
from dsl.checks.amounts import called
from dsl.checks.deck import Table, Unknown, number
from dsl.context import Context
from dsl.suggest import did_you_mean, listing

PLAYER = re.compile(r"P[1-9][0-9]?")
MOST_OF_ONE = 1000


@define(eq=False)
class Deck:
    """The cards of a game with the players and options of an example. `copies`: by label. `alike`:
    kinds with cards that others have the values of too; their cards are called by kind as well."""

    c: Context
    program: p.Program
    table: Table
    copies: dict[str, int]
    alike: frozenset[str]

    def cards(self, words: Sequence[n.Word]) -> list[str] | None:
        """The labels some words stand for, one for each card; None after reporting why not."""
        label = self.label(words)
        if label is None and len(words) == 1:
            label = self.label(run_together(words[0]))
        if label is None and len(words) > 1 and words[0].text.isdigit():
            label = self.label(words[1:])
            count = int(words[0].text)
            if label is not None and label in self.copies and count <= MOST_OF_ONE:
                return [label] * count
        if label is None or label not in self.copies:
            self.no_such_card(words)
            return None
        return [label]

    def several(self, words: Sequence[n.Word]) -> list[str] | None:
        """The same for words that may name one card after the other (`red 3 red 4`), as options
        are called at the table."""
        readings = self.readings(tuple(words), {})
        some = [reading for reading in readings if len(reading) > 1]
        if [reading for reading in readings if len(reading) == 1] or not some:
            return self.cards(words)
        counted = self.label(words[1:]) if words[0].text.isdigit() else None
        if counted is not None and int(words[0].text) <= self.copies.get(counted, 0):
            return self.cards(words)
        if len(some) > 1:
            said = [" and ".join(reading) for reading in some[:2]]
            message = f"these cards can be read as {listing(said, 'or')}"
            hint = "write `and` between them"
            self.c.findings.error("R0604", message, joined(words), suggestion=hint)
            return None
        return list(some[0])

    def readings(
        self, words: tuple[n.Word, ...], known: dict[int, list[tuple[str, ...]]]
    ) -> list[tuple[str, ...]]:
        """The cards that words can name one after the other: two of the ways at most."""
        if not words:
            return [()]
        if len(words) not in known:
            found: dict[tuple[str, ...], tuple[str, ...]] = {}
            known[len(words)] = []
            for size in range(1, len(words) + 1):
                label = self.label(words[:size])
                if label is None and size == 1:
                    label = self.label(run_together(words[0]))
                if label is not None and label in self.copies:
                    for rest in self.readings(words[size:], known):
                        cards = (label, *rest)
                        found.setdefault(tuple(sorted(cards)), cards)
            known[len(words)] = [*found.values()][:2]
        return known[len(words)]

    def label(self, words: Sequence[n.Word]) -> str | None:
        """The label of a card with these values in this order, if they are values of a card."""
        for name, kind in self.program.kinds.items():
            if not kind.attributes:
                if len(words) == 1 and name in self.names(words[0], s.KIND):
                    return name
                continue
            first = [name] if name in self.alike and name in self.names(words[0], s.KIND) else []
            if name in self.alike and not first:
                continue
            values = self.values(words[len(first) :], kind)
            if values:
                return " ".join([*first, *values])
        return None

    def values(self, words: Sequence[n.Word], kind: p.CardKind) -> list[str]:
        """The values of a card of a kind that the words name, in order; none if they don't."""
        if len(words) != len(kind.attributes):
            return []
        found = [self.value(w, a) for w, a in zip(words, kind.attributes, strict=True)]
        return [value for value in found if value is not None] if None not in found else []

    def value(self, word: n.Word, attribute: str) -> str | None:
        if self.program.attributes[attribute].lo is not None:
            return str(int(word.text)) if word.text.isdigit() else None
        found = self.c.symbols.named(word.text, s.ENUM_VALUE)
        return next((meaning.name for meaning in found if meaning.owner == attribute), None)

    def names(self, word: n.Word, kind: str) -> list[str]:
        return [meaning.name for meaning in self.c.symbols.named(word.text, kind)]

    def no_such_card(self, words: Sequence[n.Word]) -> None:
        said = " ".join(word.text for word in words)
        span = joined(words)
        kinds = (s.ENUM_VALUE, s.KIND)
        unknown = [
            w for w in words if not w.text.isdigit() and not self.c.symbols.named(w.text, *kinds)
        ]
        notes, hint = [], ""
        several = [
            k
            for k in self.program.kinds
            if k in self.alike and self.values(words, self.program.kinds[k])
        ]
        if several:
            notes = [f"{listing(several, 'and')} have cards with these values"]
            hint = f"name the kind as well: `{several[0]} {said}`"
        elif unknown:
            hint = did_you_mean(unknown[0].text, self.c.symbols.names_of(*kinds))
        else:
            rare = sorted(self.copies)[:1]
            called = " ".join(kind for kind in self.spelling())
            notes = [f"a card is called {called}, for instance `{rare[0]}`"] if rare else []
        message = f"there is no card `{said}` {self.setting()}"
        self.c.findings.error("R0604", message, span, *notes, suggestion=hint)

    def spelling(self) -> list[str]:
        ways = [
            "by its " + " and ".join(kind.attributes) if kind.attributes else f"`{name}`"
            for name, kind in self.program.kinds.items()
        ]
        return [" or ".join(dict.fromkeys(ways))]

    def setting(self) -> str:
        players = self.table.players
        return f"with {many(players, 'player')}"

    def check_enough(self, given: Iterable[tuple[str, p.Span]]) -> None:
        """No card may be given more often than there are copies of it."""
        seen: dict[str, int] = {}
        told: set[str] = set()
        for label, span in given:
            seen[label] = seen.get(label, 0) + 1
            if seen[label] > self.copies.get(label, 0) and label not in told:
                told.add(label)
                have = self.copies.get(label, 0)
                some = f"only {have} of `{label}`" if have != 1 else f"only one `{label}`"
                message = f"more than there are: the box holds {some}"
                self.c.findings.error("R0605", message, span)


def joined(words: Sequence[n.Word]) -> p.Span:
    """Where several words stand."""
    first, last = words[0].span, words[-1].span
    return p.Span(first.file, first.line, first.column, last.end_line, last.end_column)


def run_together(word: n.Word) -> list[n.Word]:
    """`赤5` for `赤 5`: a value in letters and one in digits, without the blank between them."""
    found = re.fullmatch(r"(\D+)(\d+)", word.text)
    return [word] if found is None else [n.Word(text, word.span) for text in found.groups()]


def deck_of(
    c: Context, program: p.Program, players: int, options: dict[str, int | bool | str]
) -> Deck:
    """The cards there are with so many players and these options."""
    table = Table(program, players, options)
    made: dict[str, dict[str, int]] = {}
    for name, kind in program.kinds.items():
        try:
            counts = _counts(program, kind, table)
            values = [_values(program.attributes[a], table) for a in kind.attributes]
        except Unknown:
            continue
        made[name] = {} if kind.attributes else {name: counts[""]}
        for combination in islice(product(*values), MOST_OF_ONE + 1) if kind.attributes else ():
            each = counts.get("", counts.get(combination[-1]))
            if each is not None:
                made[name][" ".join(combination)] = each
    found = kinds_alike((label, name) for name, labels in made.items() for label in labels)
    alike = frozenset(name for name in found if program.kinds[name].attributes)
    copies = {
        f"{name} {label}" if name in alike else label: each
        for name, labels in made.items()
        for label, each in labels.items()
    }
    return Deck(c, program, table, copies, alike)


def _counts(program: p.Program, kind: p.CardKind, table: Table) -> dict[str, int]:
    """The copies of each value of the last property; of any, under ""."""
    if not isinstance(kind.copies, tuple):
        return {"": number(kind.copies, table)}
    last = program.attributes[kind.attributes[-1]]
    return {called(last, each): number(each.copies, table) for each in kind.copies}


def _values(attribute: p.Attribute, table: Table) -> list[str]:
    if attribute.lo is None or attribute.hi is None:
        return [value.names.name for value in attribute.values]
    low, high = number(attribute.lo, table), number(attribute.hi, table)
    return [str(value) for value in range(low, min(high, low + MOST_OF_ONE) + 1)]
