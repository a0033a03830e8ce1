"""What happens in a game, as data: one vocabulary for traces, screens, pages and statistics.

Loud code tells a `Listener`; it makes an `Event` and hands it on. `notes/0002` lists what the data
of each kind holds. Faces, places and players are numbers here; `interpreter.labels` names them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dsl.program import Origin

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

KINDS = (
    "phase", "shuffle", "move", "pay", "mark", "track", "role", "reveal", "choice", "moment", "end",
)  # fmt: skip


@frozen
class Event:
    """One thing that happened: its kind, the rule that caused it, and the facts."""

    kind: str
    rule: Origin | None
    data: dict[str, Any]


class Listener:
    """Makes events of what loud code says. `rule` is a number in the game's table of rules."""

    __slots__ = ("_rules", "_sink", "state")

    def __init__(self, game: Game, sink: Callable[[Event], None]) -> None:
        self._rules = game.rules
        self._sink = sink
        self.state: State | None = None  # of a game that was started with this listener

    @classmethod
    def of(cls, game: Game, listen: Callable[[Event], None] | Listener) -> Listener:
        """A listener that hands events to a function; a listener as it is."""
        return listen if isinstance(listen, Listener) else cls(game, listen)

    def _send(self, kind: str, rule: int | None, **data: Any) -> None:
        self._sink(Event(kind, None if rule is None else self._rules[rule], data))

    def phase(self, rule: int | None, label: str, value: int | str, player: bool) -> None:
        self._send("phase", rule, label=label, value=value, player=player)

    def shuffle(self, rule: int, place: int, cards: Sequence[int]) -> None:
        self._send("shuffle", rule, place=place, cards=tuple(cards))

    def move(self, rule: int, cards: Sequence[int], source: int, target: int, seen: int) -> None:
        self._send("move", rule, cards=tuple(cards), source=source, target=target, seen=seen)

    def pay(
        self, rule: int, token: str, amount: int,
        source: tuple[str | None, int | None], target: tuple[str | None, int | None],
    ) -> None:  # fmt: skip
        self._send("pay", rule, token=token, amount=amount, source=source, target=target)

    def mark(self, rule: int, mark: str, player: int | None, on: bool) -> None:
        self._send("mark", rule, mark=mark, player=player, on=on)

    def track(self, rule: int, name: str, player: int | None, value: Any) -> None:
        self._send("track", rule, name=name, player=player, value=value)

    def role(self, rule: int | None, roles: Sequence[int | None]) -> None:
        self._send("role", rule, roles=tuple(roles))

    def reveal(self, rule: int, place: int, cards: Sequence[int]) -> None:
        self._send("reveal", rule, place=place, cards=tuple(cards))

    def answers(self, rule: int, choice: str, answers: Sequence[tuple[int, Any]]) -> None:
        """What all chose; those who had nothing to choose (None) are left out."""
        told = tuple((player, raw) for player, raw in answers if raw is not None)
        if told:
            self._send("reveal", rule, choice=choice, answers=told)

    def choice(
        self, rule: int, player: int, choice: str, options: Sequence[Any], taken: Any, secret: bool
    ) -> None:
        self._send(
            "choice", rule, player=player, choice=choice, options=tuple(options), taken=taken,
            secret=secret,
        )  # fmt: skip

    def moment(self, rule: int, name: str) -> None:
        self._send("moment", rule, name=name)

    def end(
        self, rule: int | None, lines: Sequence[tuple[int, ...]], points: Sequence[int],
        winners: Sequence[int],
    ) -> None:  # fmt: skip
        self._send("end", rule, lines=tuple(lines), points=tuple(points), winners=tuple(winners))
