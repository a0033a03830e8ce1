"""What a ruleset declares, by name. Filled by `dsl.declare`, read by the lowering and the checks.

Scoping rules of declared names. There is one level of them: a name declared anywhere in the file
can be used everywhere in it. Two declarations may share a name only where types tell them apart (a
suit and a role may both be called `ace`); which one is meant then follows from the type that is
expected. A plural means its singular where nothing is declared by the plural itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from dsl import nodes as n
from dsl import program as p
from dsl.suggest import did_you_mean, nearest_or_all, singulars

# Kinds of declared things, as messages call them.
OPTION, WORD, ATTRIBUTE, ENUM_VALUE, KIND = "option", "word", "property", "value", "kind of card"
PLACE, HOLDER, MARK, TRACK, ROLE, SHAPE = "place", "token", "mark", "track", "role", "shape"
VALUE, ACTION, FAMILY, PHASE, MOMENT = "named value", "action", "effect", "phase", "moment"
SETTING, MEMORY = "setting of the bot", "thing the bot remembers"  # only while in a bot


@frozen(eq=False)
class Meaning:
    """One thing a name may stand for. `name` is the declared name, `owner` the attribute of an enum
    value or the option of a word, `index` its position there (or among roles and shapes)."""

    kind: str
    name: str
    owner: str
    index: int
    span: p.Span

    def describe(self) -> str:
        if self.kind == ENUM_VALUE:
            return f"a {self.owner}"
        if self.kind == HOLDER and self.owner:
            return "a holder of tokens"
        return ("an " if self.kind[0] in "aeiou" else "a ") + self.kind


@define(eq=False)
class Symbols:
    """Everything declared. Dicts keep the order of declaration."""

    file: str
    meanings: dict[str, list[Meaning]] = field(factory=dict)
    used: set[tuple[str, str]] = field(factory=set)

    game: n.Game | None = None
    options: dict[str, n.Option] = field(factory=dict)
    option_types: dict[str, p.Type] = field(factory=dict)
    attributes: dict[str, n.Attribute] = field(factory=dict)
    kinds: dict[str, n.Kind] = field(factory=dict)
    places: dict[str, n.Place] = field(factory=dict)
    holders: dict[str, n.Token] = field(factory=dict)
    tokens: dict[str, p.Names] = field(factory=dict)
    marks: dict[str, n.Mark] = field(factory=dict)
    tracks: dict[str, n.Track] = field(factory=dict)
    roles: n.Roles | None = None
    shapes: dict[str, n.Shape] = field(factory=dict)
    values: dict[str, n.Value] = field(factory=dict)
    actions: dict[str, n.Action] = field(factory=dict)
    effects: dict[str, list[n.Effect]] = field(factory=dict)
    hooks: list[n.Hook] = field(factory=list)
    setup: list[n.Setup] = field(factory=list)
    phases: dict[str, n.Phase] = field(factory=dict)
    scoring: dict[str, n.Scoring] = field(factory=dict)
    winners: list[n.Winner] = field(factory=list)
    bots: dict[str, n.Bot] = field(factory=dict)
    memories: dict[str, n.Remembers] = field(factory=dict)  # of the bot that is looked at

    def add(self, meaning: Meaning) -> None:
        self.meanings.setdefault(meaning.name, []).append(meaning)

    def named(self, word: str, *kinds: str) -> list[Meaning]:
        """What a word may stand for, itself or as a plural; of some kinds only if given."""
        for form in (word, *singulars(word)):
            found = [m for m in self.meanings.get(form, ()) if not kinds or m.kind in kinds]
            if found:
                return found
        return []

    def one(self, word: str, kind: str) -> str | None:
        """The declared name of a kind that a word means, marked as used."""
        found = self.named(word, kind)
        if not found:
            return None
        self.use(found[0])
        return found[0].name

    def use(self, meaning: Meaning) -> None:
        self.used.add((meaning.kind, meaning.name))
        if meaning.kind == ENUM_VALUE:
            self.used.add((ATTRIBUTE, meaning.owner))
        if meaning.kind == WORD:
            self.used.add((OPTION, meaning.owner))

    def names_of(self, *kinds: str) -> Iterator[str]:
        """All declared names of some kinds (all kinds if none are given)."""
        for name, meanings in self.meanings.items():
            if not kinds or any(meaning.kind in kinds for meaning in meanings):
                yield name

    def suggestion(self, word: str, *kinds: str, more: tuple[str, ...] = ()) -> str:
        """The nearest known name; where none is near, those there are of the kinds asked for."""
        known = [*self.names_of(*kinds), *more]
        return nearest_or_all(word, known) if kinds else did_you_mean(word, known)

    # ── facts about declarations ──

    def is_numeric(self, attribute: str) -> bool:
        return not self.attributes[attribute].values

    def enum(self, attribute: str) -> p.Type:
        """The type of one value of an attribute."""
        if self.is_numeric(attribute):
            return p.NUMBER
        return p.Type(p.K.ENUM, attribute)

    def has_numbers(self, attribute: str) -> bool:
        return any(value.number is not None for value in self.attributes[attribute].values)

    def always_there(self, attribute: str) -> bool:
        """Whether every card has the attribute."""
        return all(
            any(self.one_word(word.text) == attribute for word in kind.attributes)
            for kind in self.kinds.values()
        )

    def one_word(self, word: str) -> str:
        found = self.named(word, ATTRIBUTE)
        return found[0].name if found else word

    def is_shared_token(self, token: str) -> bool:
        """Whether some shared holder holds this token, so that it can't come from nowhere."""
        return any(
            holder.holder is not None and holder.name.text == token
            for holder in self.holders.values()
        )

    def per_player(self, meaning: Meaning) -> bool:
        """Whether a place, token, mark, track or value belongs to a player."""
        owner: n.Word | None
        match meaning.kind:
            case "place":
                owner = self.places[meaning.name].owner
            case "token":
                owner = self.holders[meaning.name].owner
            case "mark":
                owner = self.marks[meaning.name].owner
            case "track":
                owner = self.tracks[meaning.name].owner
            case "named value":
                owner = self.values[meaning.name].owner
            case "thing the bot remembers":
                owner = self.memories[meaning.name].owner
            case _:
                owner = None
        return owner is not None
