"""Finds what somebody means who asks about something, offered or not: in words, or as data.

Words are read as at the table: names of the ways, cards, players, numbers and values in English or
in the other languages of the ruleset, or beginnings of them where only one thing fits. What is
offered or lies before the asker comes first. Data have the form of `Option.value`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from interpreter.labels import say
from interpreter.why.answers import Thing

if TYPE_CHECKING:
    from dsl.program import Names
    from interpreter.compiled import BranchInfo, ChoiceInfo
    from interpreter.game import Game

Words: TypeAlias = tuple[str, ...]
Costed: TypeAlias = tuple[int, Any]
"""How far words are from a thing's name (0: just that), and the thing."""
Faces: TypeAlias = tuple[int, tuple[int, ...]]

LANGUAGES = ("en", "ja")
NO_CARDS = (("no", "cards"), ("なし",))
"""What `interpreter.labels` calls an answer of several cards that has none."""
MOST_DIGITS = 9
MOST_READINGS = 50
MOST_WORDS = 100
EXACT, BEGUN, SHORT, SCATTERED = 0, 2, 4, 6
NAMELESS = 1  # a way's name left out


def words(text: str) -> Words:
    """The words of a text, with differences of width and case taken out."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return tuple(word for word in re.split(r"[\s,、]+", plain) if word)


def distance(asked: Words, name: Words) -> int | None:
    """How far words are from a name: the same; each begins its word; fewer words; words in between
    left out. None: they are no beginnings of it."""
    if asked == name:
        return EXACT
    if len(asked) <= len(name) and all(n.startswith(a) for a, n in zip(asked, name, strict=False)):
        return BEGUN if len(asked) == len(name) else SHORT
    rest = iter(name)
    if all(any(n.startswith(a) for n in rest) for a in asked):
        return SCATTERED
    return None


class Lexicon:
    """The names of one game's things, as words."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @cached_property
    def faces(self) -> list[tuple[int, Words]]:
        labels = self._game.labels
        return [
            (face.index, words(labels.face(face.index, lang)))
            for face in self._game.faces
            for lang in LANGUAGES
        ]

    @cached_property
    def places(self) -> list[tuple[int, Words]]:
        labels = self._game.labels
        return [
            (inst.index, words(labels.place(inst.index, lang)))
            for inst in self._game.places
            for lang in LANGUAGES
        ]

    def enum(self, kind: str) -> list[tuple[int, Words]]:
        """The values of an attribute, the roles or the shapes."""
        program = self._game.program
        if kind == "shape":
            names = [s.names for s in program.shapes.values()]
        elif kind == "role":
            names = list(program.roles.names) if program.roles else []
        else:
            attribute = program.attributes[kind.removeprefix("enum:")]
            names = [value.names for value in attribute.values]
        return [(i, words(say(n, lang))) for i, n in enumerate(names) for lang in LANGUAGES]


def called(names: Names) -> list[Words]:
    """All that something is called."""
    return list(dict.fromkeys(words(say(names, lang)) for lang in LANGUAGES))


class Reader:
    """Reads what is said about one choice. `near`: the faces that lie before the asker."""

    def __init__(self, game: Game, info: ChoiceInfo, near: Iterable[int] = ()) -> None:
        self._game = game
        self._info = info
        self._near = frozenset(near)
        names = game.__dict__.get("_words")
        self._names: Lexicon = names or game.__dict__.setdefault("_words", Lexicon(game))

    # ── words ────────────────────────────────────────────────────────────────────────────────

    def read(self, text: str) -> list[Thing]:
        """The things that words may mean: one where that is clear, none where nothing fits."""
        asked = words(text)
        found: dict[Thing, int] = {}
        for index, branch in enumerate(self._info.branches):
            for cost, value in self._branch(branch, asked):
                thing = Thing(index, value)
                found[thing] = min(cost, found.get(thing, cost))
        if not found:
            return []
        close = {t: cost for t, cost in found.items() if self._is_near(t)} or found
        best = min(found.values())
        if best <= EXACT + NAMELESS:  # just that, wherever it lies
            close = found
        best = min(close.values())
        return [thing for thing, cost in close.items() if cost == best]

    def _is_near(self, thing: Thing) -> bool:
        kind = self._info.branches[thing.branch].kind
        if thing.value is None:
            return True
        if kind == "card":
            return thing.value[0] in self._near
        if kind == "cards":
            return all(face in self._near for face, _ in thing.value)
        return all(f in self._near for f in thing.value[1]) if kind == "play" else True

    def _branch(self, branch: BranchInfo, asked: Words) -> Iterator[Costed]:
        """What words mean as an answer of one way: after its name, or without it."""
        program = self._game.program
        path = f"{self._info.path}/{branch.name}" if branch.name else self._info.path
        names = program.choices.get(path)
        heads = [words(branch.name or self._info.name)] if names is None else called(names)
        for head in heads:
            size = min(len(head), len(asked))
            cost = distance(asked[:size], head)
            if size and cost is not None and (cost < SHORT or size == len(asked)):
                if branch.kind and size == len(asked):
                    yield cost, None  # the way itself
                for more, value in self._value(branch, asked[size:]):
                    yield cost + more, value
        if branch.kind and asked:
            for cost, value in self._value(branch, asked):
                yield cost + (NAMELESS if branch.name else 0), value

    def _value(self, branch: BranchInfo, asked: Words) -> Iterator[Costed]:
        match branch.kind:
            case "":
                if not asked:
                    yield EXACT, None
            case "card":
                yield from self._card(branch, asked)
            case "cards":
                if asked in NO_CARDS:
                    yield EXACT, ()
                for cost, faces in self._faces(asked):
                    yield cost, tuple((face, None) for face in faces)
                for cost, cards in self._laid(asked) if branch.placed else ():
                    yield cost, tuple(sorted(cards))
            case "play":
                yield from self._play(asked, placed=branch.placed)
            case "player":
                found = re.fullmatch(r"p([1-9][0-9]?)", asked[0]) if len(asked) == 1 else None
                if found and int(found[1]) <= self._game.players:
                    yield EXACT, int(found[1]) - 1
            case kind:
                yield from self._single(kind, asked)

    def _single(self, kind: str, asked: Words) -> Iterator[Costed]:
        """A number, or a value with a name."""
        attribute = kind.removeprefix("enum:")
        named = kind in ("role", "shape") or (
            attribute in self._game.program.attributes
            and attribute not in self._game.binding.numeric
        )
        if not named:
            if len(asked) == 1 and re.fullmatch(rf"-?[0-9]{{1,{MOST_DIGITS}}}", asked[0]):
                yield EXACT, int(asked[0])
            return
        for index, name in self._names.enum(kind):
            cost = distance(asked, name) if asked else None
            if cost is not None:
                yield cost, index

    def _card(self, branch: BranchInfo, asked: Words) -> Iterator[Costed]:
        for cost, face in self._face(asked):
            yield cost, (face, None)
        if not branch.placed:
            return
        for split in range(1, len(asked)):
            rest = asked[split:]
            rest = rest[1:] if rest[0] == "from" else rest
            for cost, face in self._face(asked[:split]):
                for pid, place in self._names.places:
                    more = distance(rest, place) if rest else None
                    if more is not None:
                        yield cost + more, (face, pid)
        for pid, place in self._names.places:  # `P2の手元の蛮族`
            head = "".join(place) + "の"
            if asked and asked[0].startswith(head):
                for cost, face in self._face((asked[0].removeprefix(head), *asked[1:])):
                    yield cost, (face, pid)

    def _face(self, asked: Words) -> Iterator[Costed]:
        """One card."""
        joined = ("".join(asked),)  # `冠 9` for `冠9`
        for face, name in self._names.faces:
            cost = distance(asked, name) if asked else None
            if cost is None and len(asked) > len(name) == 1:
                cost = EXACT if joined == name else None
            if cost is not None:
                yield cost, face

    def _play(self, asked: Words, *, placed: bool) -> Iterator[Costed]:
        for cost, cards in self._played(asked, placed=placed):
            yield cost, (None, *cards)
        for split in range(1, len(asked)):
            for shape, name in self._names.enum("shape"):
                begun = distance(asked[:split], name)
                if begun is not None and begun < SHORT:
                    for more, cards in self._played(asked[split:], placed=placed):
                        yield begun + more, (shape, *cards)

    def _played(self, asked: Words, *, placed: bool) -> Iterator[Costed]:
        """The cards of a play, and their places if these are said."""
        for cost, faces in self._faces(asked):
            yield cost, (faces,)
        for cost, cards in self._laid(asked) if placed and asked else ():
            yield cost, tuple(zip(*sorted(cards), strict=True))

    def _laid(self, asked: Words) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
        """Cards with the places they are said to lie in, place by place."""
        if not asked:
            return [(EXACT, ())]
        found = []
        for pid, place in self._names.places:
            for cards, rest in _group(asked, place):
                for (cost, faces), (more, others) in product(
                    self._faces(cards)[:5], self._laid(rest)
                ):
                    found.append((cost + more, (*((face, pid) for face in faces), *others)))
        return found[:MOST_READINGS]

    def _faces(self, asked: Words) -> list[Faces]:
        """One card after another; a last word alone (`crown 4 5`) goes with what was before it."""
        found: dict[tuple[int, ...], int] = {}
        for cost, face in self._face(asked):
            found[(face,)] = min(cost, found.get((face,), cost))
        for cost, faces in self._sequence(asked, (), {}) if 0 < len(asked) <= MOST_WORDS else ():
            faces = tuple(sorted(faces))
            found[faces] = min(cost, found.get(faces, cost))
        return [(cost, faces) for faces, cost in found.items()]

    def _sequence(self, asked: Words, before: Words, done: dict[Any, Any]) -> list[Faces]:
        if not asked:
            return [(EXACT, ())]
        if (asked, before) in done:
            known: list[Faces] = done[asked, before]
            return known
        found: list[Faces] = []
        done[asked, before] = found
        for name, used in self._next(asked, before):
            heads = [(c, f) for c, f in self._face(name) if c < SHORT]
            least = [(c, f) for c, f in heads if c == EXACT]
            near = [(c, f) for c, f in heads if f in self._near]
            for (cost, face), (more, faces) in product(
                (least or near or heads)[:5], self._sequence(asked[used:], name, done)
            ):
                found.append((cost + more, (face, *faces)))
                if len(found) >= MOST_READINGS:
                    return found
        return found

    def _next(self, asked: Words, before: Words) -> Iterator[tuple[Words, int]]:
        """The words that may name the next card, and how many of those given they take."""
        longest = max(len(name) for _, name in self._names.faces)
        for size in range(min(longest, len(asked)), 0, -1):
            yield asked[:size], size
        if len(before) > 1:
            yield (*before[:-1], asked[0]), 1

    # ── data ─────────────────────────────────────────────────────────────────────────────────

    def structured(self, data: Mapping[str, Any]) -> list[Thing]:
        """The things that data in the form of `Option.value` may mean."""
        labels, game = self._game.labels, self._game
        faces = {labels.face(f.index): f.index for f in game.faces}
        places = {labels.place(q.index): q.index for q in game.places}
        found = []
        for index, branch in enumerate(self._info.branches):
            if data.get("action", branch.name) != branch.name:
                continue
            try:
                value = self._structured(branch, data, faces, places)
            except (KeyError, TypeError, ValueError):
                continue
            found.append(Thing(index, value))
        return found

    def _structured(
        self, branch: BranchInfo, data: Mapping[str, Any], faces: Mapping[str, int],
        places: Mapping[str, int],
    ) -> Any:  # fmt: skip
        """A way's value from data. Raises KeyError, TypeError or ValueError where it is none."""
        match branch.kind:
            case "":
                return None if set(data) == {"action"} else _number(None)
            case _ if set(data) == {"action"}:
                return None
            case "card":
                place = data.get("place")
                return faces[data["card"]], None if place is None else places[place]
            case "cards":
                spots = data.get("places") or [None] * len(data["cards"])
                return tuple(
                    (faces[card], None if spot is None else places[spot])
                    for card, spot in zip(data["cards"], spots, strict=True)
                )
            case "play":
                shape = data.get("shape")
                names = self._game.shapes.names
                shown = None if shape is None else names.index(shape)
                cards = [faces[card] for card in data["cards"]]
                if not data.get("places"):
                    return shown, tuple(sorted(cards))
                spots = [places[spot] for spot in data["places"]]
                return shown, *zip(*sorted(zip(cards, spots, strict=True)), strict=True)
            case "number":
                return _number(data["number"])
            case "player":
                return next(v for c, v in self._value(branch, words(data["player"])) if c == EXACT)
            case kind:
                exact = [v for c, v in self._single(kind, words(str(data["value"]))) if c == EXACT]
                return exact[0] if exact else _number(None)


def _group(asked: Words, place: Words) -> Iterator[tuple[Words, Words]]:
    """The words for cards that are said to lie in a place, in front; and those after them."""
    if "from" in asked[1:]:
        at = asked.index("from")
        end = at + 1 + len(place)
        if asked[at + 1 : end] == place:
            yield asked[:at], asked[end:]
    head = "".join(place) + "の"
    if asked[0].startswith(head):
        cards = (asked[0].removeprefix(head), *asked[1:])
        yield from ((cards[:end], cards[end:]) for end in range(1, len(cards) + 1))


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(value)
    return value
