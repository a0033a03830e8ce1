"""A State as one player may read it: reading what that player can't know raises `Hidden`.

Used by `interpreter.why`, so that an answer can't hold, or depend on, what its asker must not know:
it is worked out from nothing else. Sizes of places are open, as are tokens, marks, tracks and
roles. What lies in a place is open to those who see the place. Of the values in flight (named by
the rules for a while) those may be read that no rule drew from cards somebody can't see, or only
from the asker's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dsl import program as p
from interpreter.codegen.analysis import children
from interpreter.describe import rules

if TYPE_CHECKING:
    from interpreter.state import State


class Hidden(Exception):
    """Something was read that the reader may not know."""


def _refuse(*_: object) -> Any:
    raise Hidden


class _Secret:
    """A value that can be handed on but not looked at."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    __bool__ = __index__ = __int__ = __iter__ = __len__ = __neg__ = __contains__ = _refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __floordiv__ = __rfloordiv__ = __rshift__ = __rrshift__ = __and__ = __rand__ = _refuse


SECRET: Any = _Secret()


class _Place:
    """A place of which only the size may be known."""

    __slots__ = ("_size",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    __iter__ = __getitem__ = __contains__ = __eq__ = __ne__ = __reversed__ = _refuse
    __add__ = __radd__ = __mul__ = _refuse

    def __getattr__(self, name: str) -> Any:
        raise Hidden


def as_seen(state: State, viewer: int, chooser: p.Expr) -> State:
    """A copy of a State, to be read and not played, in which the viewer reads all they may know.
    `chooser` is how the choice that is asked says whom it asks: the viewer."""
    game = state.game
    bit = 1 << viewer
    open_to = [bool(sees & bit) for sees in game.binding.sees]
    copy = state.clone()
    places: list[Any] = [
        cards if seen else _Place(len(cards)) for cards, seen in zip(state.P, open_to, strict=True)
    ]
    copy.P = places
    me = chooser.var.id if isinstance(chooser, p.VarRef) else ANYBODY
    secret = {var for var, whose in secret_variables(game.program).items() if whose - {me}}
    for name in state._slots:
        if name[0] != "v" or not name[1:].isdigit():
            continue
        value = getattr(state, name)
        place = getattr(state, "q" + name[1:], None)
        if isinstance(place, int):
            if not open_to[place]:
                setattr(copy, name, SECRET)
        elif _pairs(value):
            setattr(copy, name, tuple((f if open_to[q] else SECRET, q) for f, q in value))
        elif int(name[1:]) in secret and value is not None:
            setattr(copy, name, SECRET)
    return copy


def _pairs(value: object) -> bool:
    return (
        isinstance(value, tuple)
        and bool(value)
        and all(
            isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], int)
            for item in value
        )
    )


# ── which variables may tell of hidden cards ─────────────────────────────────────────────────

ANYBODY = -1


@lru_cache(maxsize=16)
def secret_variables(program: p.Program) -> dict[int, frozenset[int]]:
    """Variables whose value may come from cards that somebody can't see; each with the variables
    for the players whose own those cards are (ANYBODY: that can't be told).

    Players whose turn a loop or `turn of` makes it are open: everyone sees whose turn it is. So is
    what was chosen openly, but for cards.
    """
    return _Taint(program).found()


class _Taint:
    """Follows hidden cards through a Program's variables. What is said of variables is said of
    their ids; a variable and one for a player that are in scope together stay so."""

    def __init__(self, program: p.Program) -> None:
        self._program = program
        self._secret: dict[int, frozenset[int]] = {}
        self._values: dict[str, frozenset[int]] = {}

    def found(self) -> dict[int, frozenset[int]]:
        sources = list(self._sources())
        grown = True
        while grown:
            grown = False
            self._values.clear()
            for var, expr in sources:
                before = self._secret.get(var.id, frozenset())
                after = before | self.whose(expr)
                if after != before:
                    self._secret[var.id] = after
                    grown = True
        return self._secret

    def _sources(self) -> Iterator[tuple[p.Var, Any]]:
        """Variables, each with what it may get its value from."""
        program = self._program
        for node in rules(program):
            match node:
                case p.SetVar():
                    yield node.var, node.value
                case p.Do():
                    action = program.actions[node.action]
                    yield from zip(action.params[1:], node.args[1:], strict=True)
                case p.Each() if node.source.type.kind is not p.K.PLAYERS:
                    yield node.var, node.source
                case p.Branch(var=p.Var() as var, pick=p.PickCard() | p.PickCards() as pick):
                    yield var, pick.source
                case p.Branch(var=p.Var() as var, pick=p.PickOne() as one) if (
                    one.type.kind is p.K.PLAY
                ):
                    yield var, one.source

    def whose(self, node: Any) -> frozenset[int]:
        """Whose hidden cards an expression may depend on; nobody's: none."""
        match node:
            case p.VarRef():
                return self._secret.get(node.var.id, frozenset())
            case p.Call():
                return self._call(node)
            case p.Count(source=p.CardsIn()) | p.Any_(source=p.CardsIn()):
                return self._all(children(node.source))  # sizes are open
            case p.CardsIn():
                return self._all(node.places)
            case p.Top():
                return self._all([node.place])
            case p.PlaceRef() | p.PlacesOf():
                return self._place(node)
            case _:
                return self._all(children(node))

    def _all(self, nodes: Iterable[Any]) -> frozenset[int]:
        return frozenset().union(*map(self.whose, nodes))

    def _place(self, ref: p.PlaceRef | p.PlacesOf) -> frozenset[int]:
        match self._program.places[ref.place].sight:
            case "up":
                return self._all(children(ref))
            case "private" if isinstance(ref, p.PlaceRef) and isinstance(ref.player, p.VarRef):
                return frozenset({ref.player.var.id})
            case _:
                return frozenset({ANYBODY})

    def _call(self, call: p.Call) -> frozenset[int]:
        value = self._program.values[call.value]
        if call.value not in self._values:
            self._values[call.value] = self.whose(value.body)
        found = set(self._values[call.value])
        for var, arg in zip(value.params, call.args, strict=True):
            found |= self.whose(arg)
            if var.id in found:
                found.remove(var.id)
                found.add(arg.var.id if isinstance(arg, p.VarRef) else ANYBODY)
        return frozenset(found)
