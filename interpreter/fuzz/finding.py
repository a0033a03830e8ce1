"""Plays games with the contract on, and says what failed.

A game is what its setting, its seed and its picks make it: the positions of the options taken. So a
game that failed can be played again, and others like it be tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from attrs import field, frozen

from dsl.diagnostics import Diagnostic, RulesError
from dsl.program import Program, Span
from interpreter.contract import MOST_DECISIONS, Broken, closely, replay
from interpreter.contract import Kept as Contract
from interpreter.contract.copies import copies_of
from interpreter.fuzz.policies import Seats, Taken
from interpreter.fuzz.settings import Options, Setting, settings
from interpreter.game import Game, compile_game
from interpreter.state import State

MOST_ENDLESS = 10  # games without end, after which no more are played
BATCH = 20  # games with one setting
LOOK = 0.03  # the share of decisions that are looked at closely
TOLD = 0.2  # the share of games that are told, and compared with what was told
CHEAP = ("cards", "tokens", "options", "end", "ends")  # promises that are checked everywhere
ENDLESS = ("R0902", "ends")
NAMES = "labels"  # options that are called alike, or nothing: by the names that the rules give


@frozen
class Failure:
    """What went wrong: a code or a promise (`kind`), in words, and at which rule line."""

    kind: str
    message: str
    span: Span | None
    error: Exception = field(eq=False, repr=False)

    @property
    def key(self) -> tuple[str, int]:
        """Failures of one kind at one line are the same; games without end at any line."""
        return self.kind, 0 if self.span is None or self.kind in ENDLESS else self.span.line

    @property
    def of_rules(self) -> bool:
        """Whether the ruleset is to be mended; else it is the program."""
        return self.kind in (*ENDLESS, NAMES) or (
            isinstance(self.error, RulesError) and self.kind != "R0900"
        )


@frozen
class Played:
    """A game that was played: its setting, seed and picks, and what failed (None: nothing)."""

    game: Game = field(repr=False)
    seed: int
    picks: tuple[int, ...]
    failure: Failure | None


def failure_of(error: RulesError | Broken) -> Failure:
    """An error raised while playing, as a failure."""
    if isinstance(error, Broken):
        return Failure(error.promise, str(error), None, error)
    found = error.diagnostics[0]
    return Failure(found.code, found.message, found.span, error)


def _endless(state: State, made: int) -> Failure:
    """The failure of a game that has gone on for too many decisions."""
    rule = state.rule
    span = None if rule is None else rule.span
    text = f"the game was still going after {made:,} decisions, and asked this again"
    error = RulesError([Diagnostic("R0902", text, span)], state.game.program.sources)
    return Failure("ends", text, span, error)


Check = Callable[[State], None]


def attempt(
    game: Game, seed: int, choose: Callable[[State], int], check: Check | None = None,
    told: bool = False,
) -> Played:  # fmt: skip
    """Play one game until it ends or fails. `check` sees each State; `told`: its events are
    compared with it at the end."""
    most = MOST_DECISIONS
    picks: list[int] = []
    raws: list[Any] = []
    try:
        state = game.start(seed)
        while True:
            if check is not None:
                check(state)
            if state.is_over:
                break
            if len(picks) >= most:
                return Played(game, seed, tuple(picks), _endless(state, most))
            index = choose(state)
            picks.append(index)
            raws.append(state.moves[index])
            state.apply(raws[-1])
        if told:
            replay(Contract(game), seed, raws, state, thorough=True)
    except (RulesError, Broken) as error:
        return Played(game, seed, tuple(picks), failure_of(error))
    return Played(game, seed, tuple(picks), None)


def following(picks: Sequence[int]) -> Callable[[State], int]:
    """Chooses as picked, as far as that is offered; then always what comes first."""
    left = iter(picks)

    def choose(state: State) -> int:
        return min(next(left, 0), len(state.moves) - 1)

    return choose


def looking(contract: Contract, everywhere: bool, rng: Random) -> Check:
    """The cheap checks at each decision, the dear ones at some, or everywhere."""

    def check(state: State) -> None:
        contract.check(state)
        if state.is_over or (not everywhere and rng.random() >= LOOK):
            return
        players = range(state.game.players)
        viewers = players if everywhere else [rng.choice(players)]
        closely(contract, state, rng, copies_of(state, wholly=False), viewers)

    return check


@frozen
class Refused:
    """A setting that the ruleset itself refuses, and why."""

    setting: Setting
    reason: str


class Fuzzer:
    """Plays games of a ruleset, one after another; `found` has the first of each failure.

    Everything follows from `seed`. `players` and `fixed` options stay as they are.
    """

    def __init__(
        self, program: Program, seed: int = 0, players: int | None = None,
        fixed: Options | None = None,
    ) -> None:  # fmt: skip
        self.program = program
        self.games = self.decisions = self.settings = 0
        self.found: dict[tuple[str, int], Played] = {}
        self.times: Counter[tuple[str, int]] = Counter()
        self.refused: list[Refused] = []
        self._rng = Random(seed)
        self._settings = settings(program, players, fixed or {}, self._rng)
        self._contract: Contract | None = None
        self._taken: Taken = Counter()

    @property
    def tired(self) -> bool:
        """Whether so many games did not end that more are not worth their time."""
        return sum(n for (kind, _), n in self.times.items() if kind in ENDLESS) >= MOST_ENDLESS

    def play(self) -> Played | None:
        """Play the next game; None if its setting was refused."""
        if self._contract is None or self.games % BATCH == 0:
            setting = next(self._settings)
            self._contract = None
            try:
                self._contract = Contract(compile_game(self.program, *setting))
            except RulesError as error:
                reason = error.diagnostics[0].message
                if reason not in [refused.reason for refused in self.refused]:
                    self.refused.append(Refused(setting, reason))
                return None
            self.settings += 1
        return self._play(self._contract)

    def _play(self, contract: Contract) -> Played:
        rng, game = self._rng, contract.game
        seed, told = rng.getrandbits(31), rng.random() < TOLD
        seats = Seats(game.players, Random(seed), self._taken)
        check = looking(contract, False, Random(seed + 1))  # what is looked at changes no choice
        played = attempt(game, seed, seats.choose, check, told)
        self.games += 1
        self.decisions += len(played.picks)
        if played.failure is not None:
            self.times[played.failure.key] += 1
            self.found.setdefault(played.failure.key, played)
        return played
