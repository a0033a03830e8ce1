"""A Game: a Program compiled for a player count and options. Makes States.

`compile_game` is the way in. Compiled code is kept by content (`interpreter.cache`), so that a
ruleset is compiled once.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import comb
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from dsl import program as p
from dsl.diagnostics import Diagnostic, RulesError
from interpreter import runtime
from interpreter.binding import Binding, Face, OptionValue, PlaceInst, bind
from interpreter.cache import cached_code
from interpreter.chance import mix, text_word
from interpreter.compiled import BotCode, ChoiceInfo, Generated
from interpreter.events import Event, Listener
from interpreter.labels import Labels
from interpreter.plays import Shapes
from interpreter.state import BASE_SLOTS, NOT_CONTENT, State, thawed

if TYPE_CHECKING:
    from interpreter.ruleset_bots import Trained

_GAMES: dict[tuple[str, tuple[str, int, tuple[tuple[str, OptionValue], ...]]], Game] = {}

MOST_SPOTS = 100_000  # words of choices remembered, for speed


def compile_game(
    program: p.Program, players: int, options: Mapping[str, object] | None = None
) -> Game:
    """The game for a number of players, with options as given (others: their defaults).

    Raises RulesError for a player count or an option the ruleset does not allow.
    """
    binding = bind(program, players, options)
    key = (program.source_hash, players, tuple(sorted(binding.options.items())))
    here = (program.file, key)  # positions and headings name the file
    game = _GAMES.get(here)
    if game is None:
        if len(_GAMES) > 200:
            _GAMES.clear()
        game = _GAMES[here] = Game(binding, key)
    return game


class Game:
    """One game, ready to play. Everything about it is fixed; States hold what changes."""

    def __init__(
        self,
        binding: Binding,
        key: tuple[str, int, tuple[tuple[str, OptionValue], ...]],
    ) -> None:
        self.binding = binding
        self.key = key
        self.program = binding.program
        self.players = binding.players
        self.options = binding.options
        self.faces: tuple[Face, ...] = binding.faces
        self.places: tuple[PlaceInst, ...] = binding.places
        self.labels = Labels(self)
        self.shapes = Shapes(binding)
        self._trained: dict[str, Trained] = {}
        silent, loud = self._code()
        self._silent, self._loud = silent, loud
        self.choices: tuple[ChoiceInfo, ...] = silent.choices
        self.rules = loud.rules
        self.label_slots = tuple(
            (name, slot_name("c_", name, self.program.labels)) for name in self.program.labels
        )
        self._where: Callable[[State], tuple[Any, ...]] = attrgetter(
            "pc", "player", "phase", *(slot for _, slot in self.label_slots)
        )
        self._spots: dict[tuple[Any, ...], int] = {}
        self._shuffler = runtime.Shuffler(binding, [slot for _, slot in self.label_slots])
        quiet_names = self._load(silent)
        loud_names = self._load(loud)
        loud_names["QUIET"] = tuple(quiet_names[f"c_{i}"] for i in range(len(self.choices)))
        self._start, self._start_loud = quiet_names["b_start"], loud_names["b_start"]
        self._score, self._rank = quiet_names["score"], quiet_names["rank"]
        self._totals: Callable[[State], list[int]] = quiet_names["totals"]
        self._entries = [quiet_names[f"e_{i}"] for i in range(len(self.choices))]
        # a phase that nothing reaches has no code
        self._phases = [
            quiet_names.get(f"b_phase_{i + 1}") for i in range(len(self.program.phases))
        ]
        self._phases_loud = [
            loud_names.get(f"b_phase_{i + 1}") for i in range(len(self.program.phases))
        ]
        self._paths = {info.path: info for info in self.choices}
        self._class = self._state_class(quiet_names, loud_names)
        self._new = quiet_names["new_state"]

    def _code(self) -> tuple[Generated, Generated]:
        """The silent and the loud code."""
        return cached_code(self.binding)

    # ── making States ────────────────────────────────────────────────────────────────────────

    def start(
        self, seed: int = 0, listen: Callable[[Event], None] | Listener | None = None
    ) -> State:
        """A new game at its first choice."""
        state: State = self._new(self._class)
        state.game = self
        state.seed = seed
        try:
            if listen is None:
                self._seat(state)
                step = self._start(state)
                while step is not None:
                    step = step(state)
            else:
                listener = Listener.of(self, listen)
                listener.state = state
                self._seat(state)
                if self.program.roles is not None:
                    listener.role(None, state.ring[: self.players])  # type: ignore[attr-defined]
                step = self._start_loud(state, listener)
                while step is not None:
                    step = step(state, listener)
        except (RulesError, OSError):  # a listener may find its file full or closed
            raise
        except Exception as error:
            raise self.broken(error) from error
        return state

    def _seat(self, state: State) -> None:
        """Lay the roles around the table (see `program.Roles`)."""
        roles = self.program.roles
        if roles is None:
            return
        laid = roles.ring(self.players)
        first = 0
        if laid.at_random:
            key = self._shuffler.key(state, "roles")
            first = key * laid.seats >> 32
        ring: list[int | None] = [None] * max(laid.seats, self.players)
        for index, role in enumerate(laid.roles):
            ring[(first - index) % laid.seats] = role
        state.ring = ring  # type: ignore[attr-defined]

    def restore(self, slots: Mapping[str, Any]) -> State:
        """A State from its slots."""
        state: State = self._new(self._class)
        for name, value in slots.items():
            setattr(state, name, value)
        state.game = self
        if not state.is_over:
            state.go = self._class._resume[state.pc]
        return state

    def from_json(self, data: Mapping[str, Any]) -> State:
        """The State that `State.to_json` wrote. Raises RulesError if it is another game's."""
        try:
            same = data["rules state"] == 1 and data["ruleset"] == self.key[0]
            same = same and data["players"] == self.players
            same = same and dict(data["options"]) == dict(self.options)
            if not same:
                raise RulesError(
                    [
                        Diagnostic(
                            "R0811",
                            "this state is of another ruleset, player count or options",
                            None,
                        )
                    ]
                )
            slots = dict(data["state"])
            if set(slots) != set(self._class._slots):
                raise KeyError("slots")
            nth = {(path, tuple(at)): n for path, at, n in slots.pop("nth")}
            state = self.restore(
                {
                    name: _listed(value) if name in self._class._lists else thawed(value)
                    for name, value in slots.items()
                }
            )
            state.nth = nth
            return state
        except (KeyError, TypeError, ValueError) as error:
            raise RulesError(
                [Diagnostic("R0812", "this is no saved state, or it is damaged", None)]
            ) from error

    def ask_again(self, state: State) -> None:
        """Work out once more what is asked at a State's choice, from its slots. Raises RulesError
        where a rule can't be carried out."""
        try:
            step = self._entries[state.pc](state)
            while step is not None:
                step = step(state)
        except RulesError:
            raise
        except Exception as error:
            raise self.broken(error) from error

    def enter_phase(
        self, state: State, name: str, listen: Callable[[Event], None] | None = None
    ) -> None:
        """Go to the beginning of a phase, and on to its first choice. Raises RulesError where a
        rule can't be carried out."""
        index = [phase.names.name for phase in self.program.phases].index(name)
        start = (self._phases if listen is None else self._phases_loud)[index]
        more = () if listen is None else (Listener(self, listen),)
        try:
            step = None if start is None else start(state, *more)
            while step is not None:
                step = step(state, *more)
        except (RulesError, OSError):  # a listener may find its file full or closed
            raise
        except Exception as error:
            raise self.broken(error) from error

    def enter_choice(self, state: State, path: str, player: int) -> None:
        """Go to a choice as `player`'s.

        Loops around it go on after it: those through players with whoever comes after `player`,
        `repeat` from the run that its slot holds, or from its first run.
        """
        number = [info.path for info in self.choices].index(path)
        chooser = self.choices[number].chooser
        if chooser in self._class._slots:
            setattr(state, chooser, player)
        for loop in self.choices[number].around:
            loop.enter(state, self._class._slots, player)
        state.pc = number
        self.ask_again(state)

    # ── reading States ───────────────────────────────────────────────────────────────────────

    def face_label(self, face: int, lang: str = "en") -> str:
        return self.labels.face(face, lang)

    def place_label(self, place: int, lang: str = "en") -> str:
        return self.labels.place(place, lang)

    def option_label(self, path: str, raw: Any, lang: str = "en") -> str:
        return self.labels.option(path, raw, lang)

    def option_value(self, path: str, raw: Any) -> dict[str, Any]:
        return self.labels.option_value(path, raw)

    def spot(self, state: State) -> int:
        """A word for the choice a State is at: its path, who is asked, and the coordinates.

        Bots' chance is keyed with it (`docs/reference/chance.md`).
        """
        where = self._where(state)
        word = self._spots.get(where)
        if word is None:
            assert state.player is not None, "the game is over"
            older = self.program.older
            spot = [text_word(older(self.choices[state.pc].path)), state.player]
            for label, value in state.coordinates:
                spot.append(text_word(older(label)))
                spot.append(text_word(older(value)) if isinstance(value, str) else value)
            if len(self._spots) > MOST_SPOTS:
                self._spots.clear()
            word = self._spots[where] = mix(*spot)
        return word

    def choice_at(self, path: str) -> ChoiceInfo:
        """How the choice at a path is read."""
        return self._paths[path]

    def phase_name(self, index: int) -> str:
        return "setup" if index == 0 else self.program.phases[index - 1].names.name

    def score(self, state: State) -> list[tuple[int, ...]]:
        """Points by player and scoring line, as they stand."""
        return [self._score(state, q) for q in range(self.players)]

    def points(self, state: State) -> list[int]:
        """Points by player, as they stand."""
        return self._totals(state)

    def score_of(self, state: State, player: int) -> tuple[int, ...]:
        """A player's points by scoring line, as they stand."""
        lines: tuple[int, ...] = self._score(state, player)
        return lines

    def token_counts(self, state: State) -> tuple[tuple[str, int | tuple[int, ...]], ...]:
        return tuple(
            (key, _shown(getattr(state, slot_name("t_", key, self.program.holders))))
            for key in self.program.holders
        )

    def mark_values(self, state: State) -> tuple[tuple[str, bool | tuple[int, ...]], ...]:
        """Shared marks as yes or no; players' marks as the players who have them."""
        found: list[tuple[str, bool | tuple[int, ...]]] = []
        for name, mark in self.program.marks.items():
            value = getattr(state, slot_name("m_", name, self.program.marks))
            if mark.per_player:
                found.append((name, tuple(q for q in range(self.players) if value >> q & 1)))
            else:
                found.append((name, bool(value)))
        return tuple(found)

    def track_values(self, state: State) -> tuple[tuple[str, Any], ...]:
        return tuple(
            (name, _shown(getattr(state, track_slot(self.program, name))))
            for name in self.program.tracks
        )

    def pending(self, state: State) -> list[tuple[int, Any]]:
        """Who has answered in secret so far, and what."""
        if state.player is None or not self.choices[state.pc].at_once:
            return []
        players = getattr(state, self._at_once_slots[state.pc])
        return list(zip(players, state.pend, strict=False))

    def answered(self, state: State) -> tuple[int, ...]:
        """Who has answered in secret so far."""
        return tuple(who for who, _ in self.pending(state))

    def ways(self, state: State, raw: Any) -> int:
        """Physical ways of an option: how many choices of copies give its faces."""
        info = self.choices[state.pc]
        branch = info.branches[0] if info.nameless else info.branches[raw[0]]
        value = raw if info.nameless else raw[1]
        if branch.kind not in ("card", "cards", "play"):
            return 1
        faces = len(self.faces)
        if branch.kind == "play" and branch.placed:
            spots = zip(value[1], value[-1], strict=True)
            wanted: Sequence[int] = [pid * faces + face for face, pid in spots]
        elif branch.kind == "play":
            wanted = value[1]
        elif branch.kind == "card":
            wanted = (value,)
        else:
            wanted = value
        ways = 1
        for item in set(wanted):
            if branch.placed:
                there = state.P[item // faces].count(item % faces)
            else:
                there = max((place.count(item) for place in self._near(state)), default=1)
            ways *= comb(max(there, wanted.count(item)), wanted.count(item))
        return ways

    def _near(self, state: State) -> list[list[int]]:
        """Places that the player who is asked sees alone: where unplaced cards are picked from."""
        assert state.player is not None
        bit = 1 << state.player
        own = [pl for pl, sees in zip(state.P, self.binding.sees, strict=True) if sees == bit]
        return own or list(state.P)

    def broken(self, error: Exception) -> RulesError:
        """A fault inside the engine, told at the rule line that was running."""
        span = None
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename in self.program.sources:
                line = frame.lineno or 1
                text = self.program.sources[frame.filename].split("\n")[line - 1]
                start = len(text) - len(text.lstrip()) + 1
                span = p.Span(frame.filename, line, start, line, len(text) + 1)
        code, message = "R0900", f"the engine failed at this rule: {error!r}"
        notes: tuple[str, ...] = ()
        hint = ""
        if isinstance(error, ZeroDivisionError):
            code, message = "R0905", "this divides by 0"
        elif isinstance(error, runtime.TooMany):
            code, message = "R0909", str(error)
        elif span is not None and isinstance(error, (TypeError, LookupError, ValueError)):
            from interpreter.absent import absent

            found = absent(self.program, span.file, span.line)
            code, message, notes, hint = "R0906", found.message, found.notes, found.suggestion
        problem = Diagnostic(code, message, span, notes=notes, suggestion=hint)
        return RulesError([problem], self.program.sources)

    def listing(self) -> str:
        """The generated Python, for people."""
        return self._silent.listing

    # ── loading generated code ───────────────────────────────────────────────────────────────

    def functions(self, generated: Generated) -> dict[str, Any]:
        """The functions of code that was generated beside the game's own, by name."""
        return self._load(generated)

    def trained(self, name: str) -> Trained:
        """One of the ruleset's bots, compiled (see `interpreter.ruleset_bots`)."""
        if name not in self._trained:
            from interpreter.ruleset_bots import trained

            self._trained[name] = trained(self, name)
        return self._trained[name]

    def names_for(self, generated: Generated | BotCode) -> dict[str, Any]:
        """Generated code, run: its functions, and all they use, by name."""
        names = runtime.namespace(self.binding, generated.rules, self._shuffler)
        names["PLAYS"], names["PLACED"] = self.shapes.plays, self.shapes.placed
        names.update(generated.constants)
        for name, table in generated.constants.items():
            if name.startswith("RAW_") and isinstance(table, tuple):
                names[f"get_{name}"] = list(table).__getitem__  # a list's is the faster one
        for code in generated.codes:
            exec(code, names)
        return names

    def _load(self, generated: Generated) -> dict[str, Any]:
        names = self.names_for(generated)
        names["RETURN"] = {key: names[name] for key, name in generated.returns.items()}
        names["PHASE_END"] = {i: names[name] for i, name in generated.phase_ends.items()}
        return names

    def _state_class(self, quiet: dict[str, Any], loud: dict[str, Any]) -> type[State]:
        slots = self._silent.slots
        cls: type[State] = type("GameState", (State,), {"__slots__": tuple(slots)})
        count = len(self.choices)
        cls._resume = tuple(quiet[f"c_{i}"] for i in range(count))
        cls._resume_loud = tuple(loud[f"c_{i}"] for i in range(count))
        cls._slots = tuple(name for name in (*BASE_SLOTS, *slots) if name not in NOT_CONTENT)
        lists = [name for name, text in slots.items() if text.startswith("[")]
        cls._lists = frozenset(["P", "kn", *lists])
        exec(_clone_source(slots, lists), quiet)
        cls.clone = quiet["clone"]  # type: ignore[method-assign]
        return cls

    @property
    def slots(self) -> Mapping[str, str]:
        """The slots of its States that the rules need, with their values at the start."""
        return self._silent.slots

    @cached_property
    def card_slots(self) -> list[tuple[str, str]]:
        """Slots that hold cards, with the slots of their places."""
        slots = self._silent.slots
        return [
            (name, "q" + name[1:])
            for name in slots
            if name[0] == "v" and name[1:].isdigit() and "q" + name[1:] in slots
        ]

    @cached_property
    def _at_once_slots(self) -> dict[int, str]:
        return dict(self._silent.at_once)

    def __reduce__(self) -> tuple[Any, ...]:
        return compile_game, (self.program, self.players, dict(self.options))


def _clone_source(slots: Mapping[str, str], lists: Sequence[str]) -> str:
    """Python text of the functions that make and copy States of one game."""
    everything = {**BASE_SLOTS, **slots}
    copy = ["def clone(s):", "    t = new(s.__class__)"]
    fresh = ["def new_state(cls):", "    t = new(cls)"]
    for name, start in everything.items():
        fresh.append(f"    t.{name} = {start}")
        if name == "P":
            copy.append("    t.P = [x[:] for x in s.P]")
        elif name in lists or name == "kn":
            copy.append(f"    t.{name} = s.{name}[:]")
        elif name == "nth":
            copy.append("    t.nth = s.nth.copy()")
        else:
            copy.append(f"    t.{name} = s.{name}")
    return "\n".join(["new = object.__new__", *copy, "    return t", *fresh, "    return t"])


def slot_name(prefix: str, name: str, table: Mapping[str, object]) -> str:
    """The slot of a declared name (as `codegen.expressions.ident` spells it)."""
    return prefix + (name if name.isascii() else str(list(table).index(name)))


def track_slot(program: p.Program, name: str) -> str:
    """The slot of a tracked value: a list where there is one per player."""
    return slot_name("kp_" if program.tracks[name].per_player else "k_", name, program.tracks)


def _shown(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _listed(value: Any) -> Any:
    """A JSON list as a list (of lists of cards, or of log entries)."""
    if not isinstance(value, list):
        return value
    return [
        item if isinstance(item, list) and all(isinstance(i, int) for i in item) else thawed(item)
        for item in value
    ]
