"""A State: a game at one of its choices, as a value.

Everything is in slots: places, tokens, marks, tracks, roles, what players know, and where in the
rules play stands (`pc`, and the variables and loop positions of the rules under way). A State
clones, compares, hashes, pickles, and goes to JSON and back; nothing else holds a game.

`interpreter.game` makes a subclass per bound game with its slots and code.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import frozen

from dsl.diagnostics import RulesError
from dsl.program import Origin
from interpreter import knowledge
from interpreter.determinize import redealt
from interpreter.events import Event, Listener

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.why import Answer, Group, Offered

BASE_SLOTS = {
    "game": "None",
    "go": "None",
    "seed": "0",
    "phase": "0",
    "pc": "-1",
    "player": "None",
    "moves": "()",
    "pend": "()",
    "nth": "{}",
    "steps": "0",
    "kn": "[]",
    "is_over": "False",
    "pts": "()",
    "won": "()",
}
NOT_CONTENT = ("game", "go")
"""Slots that follow from others: the game from the class, the code that goes on from `pc`."""
COORDINATES = ("seed", "nth", "steps")


@frozen
class Option:
    """One way to answer a choice. `ways`: how many physical ways it stands for."""

    raw: Any
    label: str
    value: dict[str, Any]
    ways: int


@frozen
class Decision:
    """What is asked: of whom, which choice (its path and name), and all options in order."""

    player: int
    path: str
    name: str
    options: tuple[Option, ...]
    rule: Origin


@frozen
class SeenPlace:
    """A place as one player sees it: its cards, or only how many (`cards` None)."""

    place: int
    size: int
    cards: tuple[int, ...] | None


@frozen
class View:
    """All that a player may know: no seed, no hidden card.

    known: cards seen that now lie out of sight: (face, the places it may be in), sorted.
    tokens: holder -> count, or counts by player. options: raw, only for the player who is asked.
    """

    player: int
    phase: str
    coordinates: tuple[tuple[str, int | str], ...]
    places: tuple[SeenPlace, ...]
    known: tuple[tuple[int, tuple[int, ...]], ...]
    tokens: tuple[tuple[str, int | tuple[int, ...]], ...]
    marks: tuple[tuple[str, bool | tuple[int, ...]], ...]
    tracks: tuple[tuple[str, Any], ...]
    roles: tuple[int | None, ...]
    asked: int | None
    choice: str | None
    options: tuple[Any, ...]
    answered: tuple[int, ...]
    over: bool
    points: tuple[int, ...]
    winners: tuple[int, ...]


class State:
    """A game at a choice, or over. Changed in place by `apply`; `clone` first to keep it."""

    __slots__ = tuple(BASE_SLOTS)

    _resume: ClassVar[tuple[Callable[..., Any], ...]]
    _resume_loud: ClassVar[tuple[Callable[..., Any], ...]]
    _slots: ClassVar[tuple[str, ...]]
    _lists: ClassVar[frozenset[str]]

    game: Game
    go: Callable[[State, Any], Any]
    seed: int
    phase: int
    pc: int
    player: int | None  # who is asked; None when the game is over
    moves: Sequence[Any]  # the options as plain values, in order: the cheap form; not to be changed
    pend: tuple[Any, ...]
    nth: dict[tuple[str, tuple[int, ...]], int]
    steps: int  # runs of loops so far, against games without end
    kn: list[Any]
    is_over: bool
    pts: tuple[int, ...]
    won: tuple[int, ...]
    P: list[list[int]]

    # ── what is asked ────────────────────────────────────────────────────────────────────────

    @property
    def decision(self) -> Decision | None:
        """What is asked, with labels; None when the game is over."""
        if self.player is None:
            return None
        info = self.game.choices[self.pc]
        labels = self.game.labels
        options = tuple(
            Option(
                raw,
                labels.option(info.path, raw),
                labels.option_value(info.path, raw),
                self.ways(raw),
            )
            for raw in self.moves
        )
        return Decision(self.player, info.path, info.name, options, info.rule)

    @property
    def rule(self) -> Origin | None:
        """The rule that asks."""
        return self.game.choices[self.pc].rule if self.player is not None else None

    def ways(self, raw: Any) -> int:
        """How many physical ways an option stands for: copies of the cards it names."""
        return self.game.ways(self, raw)

    def why(self, option: Any, viewer: int | None = None, *, everything: bool = False) -> Offered:
        """Which rule offers an option, and which conditions hold; see `interpreter.why`."""
        from interpreter import why  # nothing of it is read until somebody asks

        return why.why(self, option, viewer, everything=everything)

    def why_not(
        self, what: str | Mapping[str, Any], viewer: int | None = None, *, everything: bool = False
    ) -> Answer:
        """Why something is not offered (in words, or as `Option.value` has it): which condition
        refuses it, with the values it saw; see `interpreter.why`."""
        from interpreter import why

        return why.why_not(self, what, viewer, everything=everything)

    def refused(self, viewer: int | None = None, *, everything: bool = False) -> tuple[Group, ...]:
        """What this choice is about but does not offer now, by what refuses it."""
        from interpreter import why

        return why.refused(self, viewer, everything=everything)

    @property
    def points(self) -> list[int]:
        """Points by player once the game is over, else as scoring would count them now."""
        if self.is_over:
            return list(self.pts)
        return self.game.points(self)

    @property
    def winners(self) -> list[int]:
        """The winners; empty while the game goes on."""
        return list(self.won)

    @property
    def coordinates(self) -> tuple[tuple[str, int | str], ...]:
        """Where play stands: ("phase", its name), then (label, value) of each labelled loop under
        way; a player's value counts from 1 too."""
        game = self.game
        found: list[tuple[str, int | str]] = [("phase", game.phase_name(self.phase))]
        for label, slot in game.label_slots:
            value = getattr(self, slot)
            if value:
                found.append((label, value))
        return tuple(found)

    # ── playing on ───────────────────────────────────────────────────────────────────────────

    def apply(self, option: Any, listen: Callable[[Event], None] | Listener | None = None) -> None:
        """Answer the choice with an option of `decision` or of `moves`, and play on to the next.

        An `Option` is looked up among those offered (ValueError if it is none of them); a plain
        value is trusted, since bots play millions. Raises RulesError where a rule can't be carried
        out (the State is then of no use).
        """
        if type(option) is Option:
            option = option.raw
            if option not in self.moves:
                raise ValueError("this option is not offered now")
        try:
            if listen is None:
                step = self.go
                step = step(self, option)
                while step is not None:
                    step = step(self)
            else:
                self._loudly(self._resume_loud[self.pc], option, Listener.of(self.game, listen))
        except (RulesError, OSError):  # a listener may find its file full or closed
            raise
        except Exception as error:
            raise self.game.broken(error) from error

    def _loudly(self, start: Callable[..., Any], option: Any, listener: Listener) -> None:
        step = start(self, option, listener)
        while step is not None:
            step = step(self, listener)

    def clone(self) -> State:
        """An independent copy (each game's class has its own, made for its slots)."""
        raise NotImplementedError

    # ── knowledge ────────────────────────────────────────────────────────────────────────────

    def facts(self) -> list[knowledge.Fact]:
        """What players know of cards they don't see. Folds the log kept while playing."""
        log = self.kn
        if not log:
            return []
        before: tuple[Any, ...] = ()
        if log[0][0] == "facts":
            before, log = log[0][1], log[1:]
        if not log:
            return list(before)
        binding = self.game.binding
        facts = knowledge.fold(
            before,
            [_entry(entry) for entry in log],
            binding.sees,
            sizes=[len(cards) for cards in self.P],
            everyone=binding.everyone,
        )
        self.kn[:] = [("facts", tuple(facts))] if facts else []
        return facts

    def view(self, player: int) -> View:
        """What a player may know."""
        game = self.game
        binding = game.binding
        bit = 1 << player
        places = []
        for inst, sees, cards in zip(binding.places, binding.sees, self.P, strict=True):
            shown = tuple(cards) if sees & bit else None
            places.append(SeenPlace(inst.index, len(cards), shown))
        known = tuple(
            (face, tuple(i for i in range(len(places)) if mask >> i & 1))
            for face, mask in knowledge.known(self.facts(), player)
        )
        asked = self.player
        return View(
            player=player,
            phase=game.phase_name(self.phase),
            coordinates=self.coordinates,
            places=tuple(places),
            known=known,
            tokens=game.token_counts(self),
            marks=game.mark_values(self),
            tracks=game.track_values(self),
            roles=tuple(getattr(self, "ring", ())[: binding.players]),
            asked=asked,
            choice=None if asked is None else game.choices[self.pc].path,
            options=tuple(self.moves) if asked == player else (),
            answered=game.answered(self),
            over=self.is_over,
            points=self.pts,
            winners=self.won,
        )

    def determinize(self, player: int, rng: random.Random) -> State:
        """A State that may be the true one as far as `player` knows: hidden cards dealt anew,
        others' secret answers drawn anew, and chance to come unknown (a new seed)."""
        return redealt(self, player, rng)

    # ── as a value ───────────────────────────────────────────────────────────────────────────

    def _content(self, leave_out: Sequence[str] = ()) -> tuple[Any, ...]:
        self.facts()
        return tuple(_frozen(getattr(self, name)) for name in self._slots if name not in leave_out)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game.key == other.game.key and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def position_key(self) -> tuple[Any, ...]:
        """The position alone: without seed, coordinates and knowledge. Equal for States from
        which the rules go on alike."""
        return self._content((*COORDINATES, "kn", *(s for _, s in self.game.label_slots)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.game, {name: getattr(self, name) for name in self._slots})

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON-able data; `Game.from_json` makes the same State of it."""
        self.facts()
        slots = {name: _jsonable(getattr(self, name)) for name in self._slots if name != "nth"}
        slots["nth"] = [[path, list(at), n] for (path, at), n in sorted(self.nth.items())]
        return {
            "rules state": 1,
            "ruleset": self.game.key[0],
            "players": self.game.players,
            "options": dict(self.game.options),
            "state": slots,
        }


def _entry(entry: Any) -> knowledge.Entry:
    """An entry of the log as `knowledge` reads it: moves of one card are kept flat."""
    if isinstance(entry[0], int):
        face, source, target, seen = entry
        return ("move", (face,), source, target, seen)
    kept: knowledge.Entry = entry
    return kept


def _restore(game: Game, slots: dict[str, Any]) -> State:
    return game.restore(slots)


def _frozen(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return tuple([_frozen(item) for item in value])
    if isinstance(value, dict):
        return tuple(sorted((key, _frozen(item)) for key, item in value.items()))
    return value


def _jsonable(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_jsonable(item) for item in value]
    return value


def thawed(value: Any) -> Any:
    """JSON's lists as tuples, all the way down."""
    if isinstance(value, list):
        return tuple([thawed(item) for item in value])
    return value
