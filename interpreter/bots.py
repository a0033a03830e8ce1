"""Players without a person: what they choose depends on what they may see, and on their own key.

Used by the commands, and by anything else that plays games through. Which bots there are, and how
they are asked for by name, stands at the end. A bot is asked with the State of the game at a
decision that is its own. Its chance is keyed like the engine's (see `chance`): the words of a
choice are its seed, the choice's path, the coordinates, the player, and how many times this player
was asked just there. So a bot chooses the same wherever nothing it is asked about has changed,
whatever changed elsewhere.

`random`   one number a choice, uniform over the options.
`steady`   every option has a key of its own, made of what the option is; the smallest is taken.
           An option more or less changes the choice only if it is, or was, the one taken.
`greedy`   takes each option in turn in copies of the game that agree with what this player knows,
           plays on at random, and takes what went best.

A bot's memory (the counts of the times it was asked, and what bots of rulesets remember) lies
beside the State: it is cloned and saved with it by `clone`, `memory` and `restore`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

from dsl.diagnostics import Diagnostic, RulesError
from dsl.suggest import nearest
from interpreter.chance import below, mix, seed_words, text_word

if TYPE_CHECKING:
    from dsl.program import Program
    from interpreter.game import Game
    from interpreter.state import State

PLAYOUTS = 120  # random games a greedy choice costs, shared among its options
MIN_COPIES = 4
DECISIONS = 100_000  # most of one game


class Bot(Protocol):
    """Something that plays one seat."""

    name: str

    def choose(self, state: State) -> Any:
        """One of `state.moves`."""

    def clone(self) -> Bot:
        """A copy that remembers the same and goes its own way."""

    @property
    def watches(self) -> Iterable[int]:
        """The numbers of the choices (`State.pc`) it wants to be told of."""

    def told(self, state: State, seat: int, raw: Any) -> None:
        """Before a choice it watches has any effect: who is asked answers `raw`. The bot sits at
        `seat`."""

    def memory(self) -> dict[str, Any]:
        """What it remembers, as JSON can hold it."""

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Remember what `memory` gave. ValueError if that can't be what it gave."""


class Keyed:
    """What the bots share: a seed, and counts of the times they were asked at one place."""

    name = ""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._own = mix(*seed_words(seed), text_word(self.name))
        self._asked: dict[int, int] = {}

    def words(self, state: State) -> tuple[int, int]:
        """The key of the choice now asked, as two words; counts it as asked."""
        here = state.game.spot(state)
        times = self._asked.get(here, 0)
        self._asked[here] = times + 1
        return mix(here, onto=self._own), times

    @property
    def watches(self) -> Iterable[int]:
        return ()

    def told(self, state: State, seat: int, raw: Any) -> None:
        return None

    def clone(self) -> Any:
        twin = type(self)(self.seed)
        twin._asked = dict(self._asked)
        return twin

    def memory(self) -> dict[str, Any]:
        return {str(spot): times for spot, times in self._asked.items()}

    def restore(self, memory: Mapping[str, Any]) -> None:
        try:
            self._asked = {int(spot): int(times) for spot, times in memory.items()}
        except TypeError as problem:
            raise ValueError("this is no bot's memory") from problem


def asked(state: State) -> int:
    """The player who is asked."""
    assert state.player is not None, "the game is over"
    return state.player


def _path(state: State) -> str:
    assert state.rule is not None, "the game is over"
    return state.rule.path


class RandomBot(Keyed):
    """Uniform over the options."""

    name = "random"

    def choose(self, state: State) -> Any:
        moves = state.moves
        return moves[below(len(moves), *self.words(state))]


class SteadyBot(Keyed):
    """The option with the smallest key."""

    name = "steady"

    def choose(self, state: State) -> Any:
        path, word = _path(state), state.game.labels.option_word
        key = mix(*self.words(state))
        return min(state.moves, key=lambda raw: mix(word(path, raw), onto=key))


class GreedyBot(Keyed):
    """One step ahead: the option after which random play goes best for this player."""

    name = "greedy"

    def choose(self, state: State) -> Any:
        moves, me = state.moves, asked(state)
        rng = Random(mix(*self.words(state)))
        if len(moves) == 1:
            return moves[0]
        copies = max(MIN_COPIES, PLAYOUTS // len(moves))
        totals = [0.0] * len(moves)
        for _ in range(copies):
            # each option is tried on the same copies, so that luck in the copies cancels out
            world = state.determinize(me, rng)
            for index, raw in enumerate(moves):
                end = world.clone()
                end.apply(raw)
                totals[index] += _worth(_play_out(end, rng), me)
        return moves[max(range(len(moves)), key=totals.__getitem__)]


def _play_out(state: State, rng: Random) -> State:
    made = 0
    while not state.is_over:
        moves = state.moves
        state.apply(moves[int(rng.random() * len(moves))])
        made += 1
        check_length(state, made)
    return state


def _worth(end: State, me: int) -> float:
    """The share of the win, and a little for points so that a lost game is still played well."""
    winners, points = end.winners, end.points
    best_other = max((p for i, p in enumerate(points) if i != me), default=0)
    won = 1 / len(winners) if me in winners else 0.0
    return won + 0.001 * (points[me] - best_other)


# ── bots by name ─────────────────────────────────────────────────────────────────────────────


@frozen
class Kind:
    """A bot that can be asked for by name.

    make: called with the seed, and with the settings given. settings: what may be set in
    parentheses behind the name, each with what reads its text (ValueError, in words for people).
    """

    make: Callable[..., Bot]
    settings: Mapping[str, Callable[[str], Any]] = {}


BOTS: dict[str, Kind] = {bot.name: Kind(bot) for bot in (RandomBot, SteadyBot, GreedyBot)}
"""Bots that play any game, by name. Other packages add theirs (`lab.bots`)."""

_NAMED = re.compile(r"([^\W\d]\w*)\s*(?:\((.*)\))?")


def make(spec: str, seed: int, game: Game | None = None) -> Bot:
    """The bot of that name, perhaps with settings (`mcts(level=hard)`), and its seed.

    Bots of a ruleset are known only with its `game`. ValueError, in words for people, if there is
    none of that name.
    """
    name, given = _read(spec)
    program = None if game is None else game.program
    if game is not None and name in game.program.bots:
        from interpreter.ruleset_bots import RulesetBot

        return RulesetBot(seed, game, name, _values(name, given, program))
    values = _values(name, given, program)
    return BOTS[name].make(seed, **values)


def _values(name: str, given: Mapping[str, str], program: Program | None) -> dict[str, Any]:
    """A bot's settings as given; ValueError if there is no such bot, or no such setting."""
    if program is not None and name in program.bots:
        from interpreter.ruleset_bots import setting_readers

        return _settings(name, setting_readers(program.bots[name]), given)
    if name not in BOTS:
        raise ValueError(_unknown(name, program))
    return _settings(name, BOTS[name].settings, given)


def _read(spec: str, program: Program | None = None) -> tuple[str, dict[str, str]]:
    """A bot's name and the settings behind it, as written."""
    found = _NAMED.fullmatch(spec.strip())
    if spec.count("(") > spec.count(")"):
        raise ValueError(f"the bracket in `{spec}` is not closed")
    if spec.count(")") > spec.count("("):
        raise ValueError(f"a bracket is closed in `{spec}` that is not open")
    if found is None:
        raise ValueError(_unknown(spec, program))
    given: dict[str, str] = {}
    for part in filter(None, map(str.strip, (found[2] or "").split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value):
            raise ValueError(f"`{part}` should be NAME=VALUE, as in {found[1]}(level=2)")
        if key in given:
            raise ValueError(f"`{key}` of {found[1]} is set twice")
        given[key] = value
    return found[1], given


def _unknown(name: str, program: Program | None = None) -> str:
    own = () if program is None else program.bots
    if not name.strip():
        return f"which bot? There are {', '.join([*own, *BOTS])}"
    known = [*own, *BOTS]
    near = nearest(name, known)
    hint = f"; did you mean `{near}`?" if near else ""
    return f"there is no bot `{name}` (bots: {', '.join(known)}){hint}"


def _settings(
    name: str, known: Mapping[str, Callable[[str], Any]], given: Mapping[str, str]
) -> dict[str, Any]:
    """The settings' values; ValueError for one that there isn't, or that can't be read."""
    values = {}
    for key, text in given.items():
        if key not in known:
            there = f"it has: {', '.join(known)}" if known else "it has none"
            raise ValueError(f"the bot {name} has no setting `{key}` ({there})")
        try:
            values[key] = known[key](text)
        except ValueError as problem:
            raise ValueError(f"{key} of {name}: {problem}") from None
    return values


def _parts(spec: str) -> list[str]:
    """A specification's parts: commas inside parentheses belong to the part."""
    parts = [""]
    depth = 0
    for sign in spec:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def seats(
    spec: str, players: int, default: str = "random", program: Program | None = None
) -> list[str]:
    """The bot of each seat: `greedy` for all, `P2=greedy,P3=random`, or both (`greedy,P3=random`).

    Settings stand in parentheses (`P2=mcts(level=hard)`). Seats not named get the default. Bots of
    a ruleset are known only with its `program`. ValueError, in words for people, where it can't be
    read.
    """
    names: list[str | None] = [None] * players
    everyone = ""
    for part in _parts(spec):
        before, bracket, inside = part.partition("(")
        seat, _, name = before.rpartition("=")
        seat, name = seat.strip(), _checked(f"{name.strip()}{bracket}{inside}", program)
        if not seat:
            if everyone:
                raise ValueError(f"`{everyone}` and `{name}` are both for all seats")
            default = everyone = name
            continue
        number = seat[1:] if seat[:1] in ("P", "p") else ""
        known = number.isascii() and number.isdigit() and len(number) <= len(str(players))
        if not (known and 1 <= int(number) <= players):
            raise ValueError(f"there is no seat `{seat}` (seats: P1 to P{players})")
        if names[int(number) - 1] is not None:
            raise ValueError(f"P{int(number)} gets two bots")
        names[int(number) - 1] = name
    return [name or default for name in names]


def _checked(spec: str, program: Program | None) -> str:
    """A bot's name and settings in their usual spelling. ValueError if there is no such bot."""
    name, given = _read(spec, program)
    _values(name, given, program)
    inside = ",".join(f"{key}={value}" for key, value in given.items())
    return f"{name}({inside})" if inside else name


def spelled(names: Sequence[str]) -> str:
    """The seats' bots as `seats` reads them: one name if all are the same."""
    if len(set(names)) == 1:
        return names[0]
    return ",".join(f"P{seat}={name}" for seat, name in enumerate(names, 1))


# ── playing ──────────────────────────────────────────────────────────────────────────────────


class Witnesses:
    """The bots of a table that want to be told of choices. Whoever plays a game through tells them
    of every choice before it is carried out, also of people's."""

    def __init__(self, bots: Mapping[int, Bot] | Sequence[Bot]) -> None:
        """`bots`: by seat."""
        self._by_choice: dict[int, list[tuple[int, Bot]]] = {}
        for seat, bot in bots.items() if isinstance(bots, Mapping) else enumerate(bots):
            for choice in bot.watches:
                self._by_choice.setdefault(choice, []).append((seat, bot))

    def tell(self, state: State, raw: Any) -> None:
        for seat, bot in self._by_choice.get(state.pc, ()):
            bot.told(state, seat, raw)


def play_out(
    state: State,
    bots: Mapping[int, Bot] | Sequence[Bot],
    listen: Any = None,
    after: Callable[[], object] | None = None,
) -> None:
    """Let the bots play the game to its end; `after` is called after each choice."""
    made = 0
    tell = Witnesses(bots).tell
    while not state.is_over:
        raw = bots[asked(state)].choose(state)
        tell(state, raw)
        state.apply(raw, listen)
        if after is not None:
            after()
        made += 1
        check_length(state, made)


def check_length(state: State, made: int) -> None:
    """RulesError for a game that has gone on for too many decisions."""
    if made >= DECISIONS and not state.is_over:
        rule = state.rule
        raise RulesError(
            [
                Diagnostic(
                    "R0902",
                    f"the game was still going after {DECISIONS:,} decisions, and asked this again",
                    None if rule is None else rule.span,
                )
            ],
            state.game.program.sources,
        )
