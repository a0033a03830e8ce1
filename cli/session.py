"""A game being played at a table: its state, who sits where, what each person has yet to be told,
and the way back.

Used by `rules play`, with or without a terminal. Knows nothing of screens and keyboards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from attrs import frozen

from cli import ask
from cli.rule import place
from interpreter.labels import choice_name, say
from interpreter.trace.records import Recorder
from interpreter.trace.run import header
from lab import bots

if TYPE_CHECKING:
    from interpreter.compiled import BranchInfo
    from interpreter.events import Event
    from interpreter.game import Game
    from interpreter.state import State

PERSON = "person"
HINTS = "normal"
"""The bot that is asked for hints."""


@frozen
class Choice:
    """One choice made: by whom, at what path, the option's label and structured value."""

    player: int
    path: str
    label: str
    value: Any

    def as_json(self) -> list[Any]:
        return [self.player, self.path, self.label, self.value]


@frozen
class _Mark:
    """A point to come back to."""

    state: State
    bots: dict[int, bots.Bot]
    choices: int
    news: dict[int | None, list[dict[str, Any]]]


class Session:
    """A game in progress. `seats`: per seat a bot's name, or PERSON."""

    def __init__(self, game: Game, seed: int, seats: Sequence[str], lang: str = "en") -> None:
        self.game = game
        self.seed = seed
        self.seats = list(seats)
        self.lang = lang
        self.people = [i for i, name in enumerate(seats) if name == PERSON]
        self.choices: list[Choice] = []
        self.result: dict[str, Any] | None = None
        self._plain = Recorder(game)
        viewers: list[int | None] = [*self.people] or [None]
        self._recorders = {viewer: Recorder(game, viewer, lang) for viewer in viewers}
        self._news: dict[int | None, list[dict[str, Any]]] = {viewer: [] for viewer in viewers}
        self._marks: list[_Mark] = []
        self._bots = {i: bots.make(n, seed, game) for i, n in enumerate(seats) if n != PERSON}
        self.state: State = game.start(seed, self._hear)

    # what happens

    def _hear(self, event: Event) -> None:
        for viewer, recorder in self._recorders.items():
            record = recorder.record(event)
            self._news[viewer].append(record)
            if event.kind == "end":
                self.result = record

    def news(self, viewer: int | None) -> list[dict[str, Any]]:
        """What happened that this viewer has not been told, as records; told by this."""
        fresh, self._news[viewer] = self._news[viewer], []
        return fresh

    @property
    def over(self) -> bool:
        return self.state.is_over

    @property
    def asks_person(self) -> bool:
        """Whether the choice now asked is a person's."""
        return not self.over and self.asked in self.people

    @property
    def asked(self) -> int:
        """The player who is asked now."""
        assert self.state.player is not None, "the game is over"
        return self.state.player

    @property
    def path(self) -> str:
        """The path of the choice now asked."""
        rule = self.state.rule
        assert rule is not None
        return rule.path

    def labels(self, lang: str | None = None) -> list[str]:
        """The options now offered."""
        recorder = self._plain if lang == "en" else Recorder(self.game, None, lang or self.lang)
        return [option["label"] for option in recorder.options(self.path, self.state.moves)]

    def label(self, index: int) -> str:
        """One of them."""
        return self.game.option_label(self.path, self.state.moves[index], self.lang)

    def numbers(self) -> list[int | None]:
        """The number that each option now offered picks, if it picks one."""
        return [value if branch.kind == "number" else None for branch, value in self._picked()]

    def cards(self) -> list[ask.Cards | None]:
        """The cards that each option now offered picks, if it may be several."""
        faces, labels = len(self.game.faces), self.game.labels
        found: list[ask.Cards | None] = []
        for branch, value in self._picked():
            if branch.kind not in ("cards", "play"):
                found.append(None)
                continue
            several = value[1] if branch.kind == "play" else [card % faces for card in value]
            heads: list[str] = []
            for lang in (self.lang, "en"):
                way = f"{self.path}/{branch.name}" if branch.name else self.path
                heads.append(choice_name(self.game.program, way, lang))
                if branch.kind == "play":
                    shape = labels.shape(value[0], lang)
                    heads += [shape, f"{heads[-1]} {shape}"]
            names = [tuple(labels.face(f, lang) for f in several) for lang in ("en", self.lang)]
            found.append(ask.Cards(tuple(names), tuple(dict.fromkeys(heads))))
        return found

    def _picked(self) -> Iterator[tuple[BranchInfo, Any]]:
        info = self.game.choices[self.state.pc]
        for raw in self.state.moves:
            number, value = (0, raw) if info.nameless else raw
            yield info.branches[number], value

    def name(self, lang: str | None = None) -> str:
        """What the choice now asked is called."""
        return choice_name(self.game.program, self.path, lang or self.lang)

    def prompt(self) -> str:
        """The question it puts to a person."""
        names = self.game.program.prompts.get(self.path, self.game.program.choices[self.path])
        return say(names, self.lang)

    def why(self, what: str) -> str:
        """Why something is offered to the person asked, or why not; what isn't, if nothing is
        named. In words, that tell this person nothing they may not know."""
        from interpreter.why.wording import Wording

        wording = Wording(self.game, self.lang, partial(place, self.game.program))
        if not what:
            return wording.groups(self.state.refused(), self.path)
        found = ask.find(what, [[label] for label in self.labels()], self.numbers())
        if ask.normal(what).isdecimal() and isinstance(found, ask.Found):  # an option's number
            return wording.answer(self.state.why(self.state.moves[found.index]), self.path)
        return wording.answer(self.state.why_not(what), self.path)

    # moving on

    def step(self) -> None:
        """Let the bot whose choice it is choose."""
        self._apply(self._bots[self.asked].choose(self.state))

    def take(self, index: int) -> None:
        """A person's choice, by its position; can be taken back."""
        self._marks.append(
            _Mark(
                self.state.clone(),
                {i: bot.clone() for i, bot in self._bots.items()},
                len(self.choices),
                {viewer: list(news) for viewer, news in self._news.items()},
            )
        )
        self._apply(self.state.moves[index])

    def take_only(self) -> None:
        """The only option of a person's choice; `undo` goes back beyond it."""
        self._apply(self.state.moves[0])

    def undo(self) -> bool:
        """Back to before the last choice a person made; False where there is none."""
        if not self._marks:
            return False
        mark = self._marks.pop()
        self.state = mark.state
        self._bots = mark.bots
        self._news = mark.news
        del self.choices[mark.choices :]
        return True

    def hint(self) -> int:
        """The position of the option a search finds best, from what the person sees."""
        bot = bots.make(HINTS, self.seed ^ len(self.choices))
        moves = list(self.state.moves)
        return moves.index(bot.choose(self.state.clone()))

    def _apply(self, raw: Any) -> None:
        moves = list(self.state.moves)
        option = self._plain.options(self.path, moves)[moves.index(raw)]
        self.choices.append(Choice(self.asked, self.path, option["label"], option["value"]))
        bots.Witnesses(self._bots).tell(self.state, raw)
        self.state.apply(raw, self._hear)
        bots.check_length(self.state, len(self.choices))

    def settings(self) -> tuple[tuple[str, str], ...]:
        """The options that are not at their defaults, as a person writes them."""
        return header(self.game, self.seed, "").options

    # saving

    def memories(self) -> dict[str, dict[str, Any]]:
        """What the bots remember, by seat."""
        return {str(i): bot.memory() for i, bot in self._bots.items()}

    def replay(self, choices: Sequence[Choice], memories: dict[str, dict[str, Any]]) -> None:
        """Make saved choices again. ValueError, in words, at the first that is not offered."""
        for number, choice in enumerate(choices, 1):
            where = f"choice {number} (P{choice.player + 1}: {choice.label})"
            if self.over:
                raise ValueError(f"the game is over before {where}")
            if (self.asked, self.path) != (choice.player, choice.path):
                raise ValueError(f"instead of {where}, P{self.asked + 1} is asked at {self.path}")
            options = self._plain.options(self.path, self.state.moves)
            found = [i for i, o in enumerate(options) if o["value"] == choice.value]
            exact = [i for i in found if options[i]["label"] == choice.label] or found
            if not exact:
                raise ValueError(f"{where} is not offered")
            if choice.player in self.people and len(options) > 1:
                self.take(exact[0])
            else:
                self._apply(self.state.moves[exact[0]])
        for seat, memory in memories.items():
            if int(seat) in self._bots:
                self._bots[int(seat)].restore(memory)
