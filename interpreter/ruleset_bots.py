"""Bots that a ruleset describes: preferences over its choices, and a memory of their own.

Made by `interpreter.bots.make`. What such a bot may read has been checked when the ruleset was
loaded (`dsl.checks.bots`); here its compiled functions are called.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import comb, isfinite
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dsl import program as p
from dsl.diagnostics import RulesError
from interpreter.bots import Keyed
from interpreter.chance import below, mix, text_word

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

MOST_DRAWS = 64  # for one noise: with more ways than that the largest is as good as sure
MOST_WORDS = 100_000


@frozen(eq=False)
class Trained:
    """A bot's compiled code for one game. wishes, triggers: by the number of the choice."""

    bot: p.Bot
    wishes: Mapping[int, Callable[..., Any]]
    triggers: Mapping[int, Sequence[tuple[bool, Callable[..., None]]]]
    words: dict[tuple[int, Any], int]
    listing: str


def trained(game: Game, name: str) -> Trained:
    """The bot's code, compiled once for a game."""
    from interpreter.cache import cached_bot

    bot = game.program.bots[name]
    code = cached_bot(game.binding, name, frozenset(game.slots))
    names = game.names_for(code)
    number = {info.path: index for index, info in enumerate(game.choices)}
    # a choice that this player count or these options never ask has no number
    wishes = {
        number[choice.path]: names[f"w_{index}"]
        for index, choice in enumerate(bot.choices)
        if choice.path in number
    }
    triggers: dict[int, list[tuple[bool, Callable[..., None]]]] = {}
    for index, trigger in enumerate(bot.triggers):
        if trigger.path in number:
            listed = triggers.setdefault(number[trigger.path], [])
            listed.append((trigger.mine, names[f"o_{index}"]))
    return Trained(bot, wishes, triggers, {}, code.listing)


def setting_readers(bot: p.Bot) -> dict[str, Callable[[str], float]]:
    """What reads the text of each of a bot's settings; ValueError, in words, where it can't."""
    return {name: _reader(setting) for name, setting in bot.settings.items()}


def _reader(setting: p.BotSetting) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = float(text) if "." in text or not text.lstrip("-").isdigit() else int(text)
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            raise ValueError(f"`{text}` is no number")
        low, high = setting.lo, setting.hi
        if low is not None and high is not None and not low <= value <= high:
            raise ValueError(f"{text} is not in {low}..{high}")
        return value

    return read


class RulesetBot(Keyed):
    """Plays as the ruleset's bot of that name says, with some settings other than usual.

    A choice it says nothing about, or for which no line gives an option, it makes at random.
    """

    def __init__(self, seed: int, game: Game, name: str, settings: Mapping[str, float]) -> None:
        self.name = name
        super().__init__(seed)
        self._game = game
        self._given = dict(settings)
        self._trained = game.trained(name)
        bot = self._trained.bot
        self._settings = tuple(settings.get(n, s.default) for n, s in bot.settings.items())
        self._memory = [_start(memory, game.players) for memory in bot.memory.values()]

    def choose(self, state: State) -> Any:
        moves = state.moves
        if len(moves) == 1:
            return moves[0]
        wish = self._trained.wishes.get(state.pc)
        if wish is not None:
            try:
                raw = wish(state, self._settings, self._memory, Draw(self, state))
            except RulesError:
                raise
            except Exception as error:
                raise state.game.broken(error) from error
            if raw is not None:
                return raw
        return moves[below(len(moves), *self.words(state))]

    @property
    def watches(self) -> Iterable[int]:
        return self._trained.triggers

    def told(self, state: State, seat: int, raw: Any) -> None:
        for mine, keep in self._trained.triggers.get(state.pc, ()):
            if not mine or state.player == seat:
                try:
                    keep(state, raw, seat, self._settings, self._memory)
                except Exception as error:
                    raise state.game.broken(error) from error

    @property
    def remembers(self) -> dict[str, Any]:
        """What it keeps in mind, by name."""
        return dict(zip(self._trained.bot.memory, map(_copy, self._memory), strict=True))

    def word(self, state: State, raw: Any) -> int:
        """The word that stands for an option."""
        words, key = self._trained.words, (state.pc, raw)
        word = words.get(key)
        if word is None:
            if len(words) >= MOST_WORDS:
                words.clear()
            game = state.game
            value = game.option_value(game.choices[state.pc].path, raw)
            text = json.dumps(value, sort_keys=True, ensure_ascii=False)
            word = words[key] = text_word(text)
        return word

    def clone(self) -> RulesetBot:
        twin = RulesetBot(self.seed, self._game, self.name, self._given)
        twin._asked = dict(self._asked)
        twin._memory = [_copy(kept) for kept in self._memory]
        return twin

    def memory(self) -> dict[str, Any]:
        return {**super().memory(), "remembers": self.remembers}

    def restore(self, memory: Mapping[str, Any]) -> None:
        kept = memory.get("remembers", {})
        super().restore({key: value for key, value in memory.items() if key != "remembers"})
        known = self._trained.bot.memory
        if not isinstance(kept, dict) or set(kept) != set(known):
            raise ValueError(f"the bot {self.name} remembers other things than were saved")
        players = self._game.players
        for name, value in kept.items():
            if known[name].per_player and not (isinstance(value, list) and len(value) == players):
                raise ValueError(f"what {self.name} remembers as `{name}` is not of this game")
        self._memory = [_copy(kept[name]) for name in known]


def _start(memory: p.Memory, players: int) -> Any:
    """What is remembered before the game, as tracks start."""
    starts: dict[p.K, Any] = {p.K.NUMBER: 0, p.K.TRUTH: False, p.K.ENUM: -1}
    start = starts.get(memory.type.kind)
    return [start] * players if memory.per_player else start


def _copy(kept: Any) -> Any:
    return list(kept) if isinstance(kept, list) else kept


class Draw:
    """The noise and chance of one choice of a bot.

    Each number is a keyed mix, so that a line more or an option more elsewhere changes none:
    the choice's key (as for `random`), the number of the noise among those of the bot's `at`, the
    option looked at, and the way.
    """

    __slots__ = ("_bot", "_held", "_key", "_state")

    def __init__(self, bot: RulesetBot, state: State) -> None:
        self._bot = bot
        self._state = state
        self._key: int | None = None
        self._held: dict[int, Counter[int]] = {}

    def _word(self, site: int, raw: Any) -> int:
        key = self._key
        if key is None:
            key = self._key = mix(*self._bot.words(self._state))
        if raw is None:
            return mix(site, onto=key)
        return mix(site, self._bot.word(self._state, raw), onto=key)

    def noise(self, site: int, raw: Any, ways: int, low: float, high: float) -> float:
        """A number from low to high; the largest of one for each way."""
        word = self._word(site, raw)
        if ways > 1:
            word = max(word, *(mix(way, onto=word) for way in range(1, min(ways, MOST_DRAWS))))
        return low + (high - low) * (word / 4294967296)

    def chance(self, site: int, raw: Any, part: int, whole: int) -> bool:
        return self._word(site, raw) * whole >> 32 < part

    def ways(self, place: int | tuple[int, ...] | None, faces: Sequence[int], raw: Any) -> int:
        """In how many ways cards of these faces can be picked from a place, or from several."""
        if not isinstance(place, int):
            return self._state.game.ways(self._state, raw)
        held = self._held.get(place)
        if held is None:
            held = self._held[place] = Counter(self._state.P[place])
        if len(faces) == 1:
            return held[faces[0]]
        ways = 1
        for face in set(faces):
            there = held[face]
            if there > 1:
                ways *= comb(there, faces.count(face))
        return ways
