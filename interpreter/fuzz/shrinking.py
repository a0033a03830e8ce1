"""Makes a failing game as short and as plain as it can be: fewer players, options as usual, fewer
choices, and those that come first.

Each step is kept only if the game still fails in the same way. At the end all shorter games of the
same deal are tried, as far as there is patience; if none fails, the game is the shortest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from attrs import evolve, frozen

from dsl.diagnostics import RulesError
from interpreter.binding import bind_options
from interpreter.contract import Broken
from interpreter.contract import Kept as Contract
from interpreter.fuzz.finding import (
    CHEAP,
    ENDLESS,
    Check,
    Failure,
    Played,
    attempt,
    failure_of,
    following,
    looking,
)
from interpreter.fuzz.policies import Seats
from interpreter.game import Game, compile_game
from interpreter.state import State

PATIENCE = 400_000  # decisions that all attempts may take together
TRIES = 40  # random games with a plainer setting
SEEDS = 12  # other deals
LONG = 2000  # choices; longer games are not taken apart


@frozen
class Shrunk:
    """The game found last. `shortest`: no shorter game of its deal fails so."""

    played: Played
    shortest: bool


def shrink(found: Played, patience: int = PATIENCE) -> Shrunk:
    """The shortest game that fails as the one found does. `found` must have failed."""
    assert found.failure is not None
    return _Shrinker(found, found.failure, patience).run()


class _Shrinker:
    def __init__(self, found: Played, failure: Failure, patience: int) -> None:
        self.best = found
        self.wanted = failure.key
        self.patience = patience
        self._kind = failure.kind
        self._contract = Contract(found.game)

    def run(self) -> Shrunk:
        self._simpler_settings()
        self._other_deals()
        if len(self.best.picks) <= LONG:
            self._fewer_choices()
        return Shrunk(self.best, self._exhaust())

    # ── trying ───────────────────────────────────────────────────────────────────────────────

    def _check(self, game: Game) -> Check | None:
        if self._kind.startswith("R") or self._kind == "ends":
            return None
        if self._contract.game is not game:
            self._contract = Contract(game)
        if self._kind in CHEAP:
            return self._contract.check
        return looking(self._contract, True, Random(0))

    def _fails(self, played: Played) -> bool:
        self.patience -= len(played.picks) + 1
        return played.failure is not None and played.failure.key == self.wanted

    def _try(self, game: Game, seed: int, picks: Sequence[int]) -> Played | None:
        """The game of these picks, if it fails in the same way."""
        if self.patience <= 0:
            return None
        told = self._kind == "events"
        played = attempt(game, seed, following(picks), self._check(game), told)
        return played if self._fails(played) else None

    def _better(self, picks: Sequence[int], seed: int | None = None) -> bool:
        """Take the game of these picks, if it fails too and is shorter, or plainer."""
        now = self.best
        played = self._try(now.game, now.seed if seed is None else seed, picks)
        if played is None or _size(played) >= _size(now):
            return False
        self.best = played
        return True

    # ── players, options, deal ───────────────────────────────────────────────────────────────

    def _simpler_settings(self) -> None:
        """Fewer players, then each option as usual, where some game fails in the same way."""
        game = self.best.game
        for count in range(game.program.players[0], game.players):
            if self._setting(count, dict(game.options), game):
                break
        game = self.best.game
        usual = _usual(game)
        changed = [name for name, value in game.options.items() if value != usual[name]]
        if changed and not self._setting(game.players, usual, game):
            for name in changed:
                options = {**self.best.game.options, name: usual[name]}
                self._setting(game.players, options, self.best.game)

    def _setting(self, players: int, options: dict[str, int | bool | str], old: Game) -> bool:
        """Look for a game with another setting that fails in the same way. Options that were usual
        for the old player count become those for the new one."""
        usual = _usual(old)
        given = {name: value for name, value in options.items() if value != usual[name]}
        try:
            game = compile_game(old.program, players, given)
        except RulesError:
            return False
        for played in self._games(game):
            if self._fails(played):
                self.best = played
                return True
            if self.patience <= PATIENCE // 2:
                break
        return False

    def _games(self, game: Game) -> Iterator[Played]:
        check, told, rng = self._check(game), self._kind == "events", Random(1)
        for seed in (self.best.seed, *range(1, SEEDS)):
            yield attempt(game, seed, following(self.best.picks), check, told)
        for seed in range(1, TRIES):
            seats = Seats(game.players, rng, Counter())
            yield attempt(game, seed, seats.choose, check, told)

    def _other_deals(self) -> None:
        for seed in range(1, SEEDS):
            if self._kind in ENDLESS and self._better((), seed):
                return
            self._better(self.best.picks, seed)

    # ── choices ──────────────────────────────────────────────────────────────────────────────

    def _fewer_choices(self) -> None:
        """Leave out stretches of choices, halving their length; then take what comes first."""
        self._better(())
        again = True
        while again and self.patience > 0:
            again = False
            size = max(1, len(self.best.picks) // 2)
            while size and self.patience > 0:
                again |= self._without(size)
                size //= 2
            again |= self._plainer()

    def _without(self, size: int) -> bool:
        at, done = 0, False
        while at < len(self.best.picks):
            picks = self.best.picks
            cut = picks[:at] + picks[at + size :]
            plain = (*picks[:at], *[0] * len(picks[at : at + size]), *picks[at + size :])
            if self._better(cut) or (plain != picks and self._better(plain)):
                done = True
            else:
                at += size
        return done

    def _plainer(self) -> bool:
        done = False
        for at in range(len(self.best.picks)):
            while at < len(self.best.picks) and self.best.picks[at]:
                picks = self.best.picks
                lower = (picks[at] // 2, picks[at] - 1)
                if not any(self._better((*picks[:at], n, *picks[at + 1 :])) for n in lower):
                    break
                done = True
        return done

    # ── all shorter games ────────────────────────────────────────────────────────────────────

    def _exhaust(self) -> bool:
        """Try all games of this deal with fewer choices; whether all were tried, and none fails
        any earlier."""
        if self._kind not in CHEAP and not self._kind.startswith("R"):
            return not self.best.picks
        game, seed = self.best.game, self.best.seed
        check = self._check(game)
        try:
            start = game.start(seed)
        except RulesError:
            return True  # it fails before the first choice
        for depth in range(1, len(self.best.picks)):
            found = self._search(start, depth, (), check)
            if found is not None:
                self.best = found
                return True
            if self.patience <= 0:
                return False
        return True

    def _search(
        self, state: State, depth: int, picks: tuple[int, ...], check: Check | None
    ) -> Played | None:
        """A game that goes on from a State and fails at the choice that many choices on."""
        for index, raw in enumerate(state.moves):
            self.patience -= 1
            if self.patience <= 0:
                return None
            after = state.clone()
            chosen = (*picks, index)
            try:
                after.apply(raw)
                if check is not None:
                    check(after)
            except (RulesError, Broken) as error:
                failure = failure_of(error)
                if failure.key == self.wanted:
                    return evolve(self.best, picks=chosen, failure=failure)
                continue
            if depth > 1 and not after.is_over:
                found = self._search(after, depth - 1, chosen, check)
                if found is not None:
                    return found
        return None


def _usual(game: Game) -> dict[str, int | bool | str]:
    return bind_options(game.program, game.players, {})


def _size(played: Played) -> tuple[int, int, tuple[int, ...], int]:
    return len(played.picks), sum(map(bool, played.picks)), played.picks, played.seed
