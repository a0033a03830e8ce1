"""A Program bound to a player count and option values: faces, places and tables as plain data.

Used by the code generator (which turns the tables into constants of the generated code), by the
State (views, deals) and by labels. Everything is decided here once, so that nothing about a game
has to be looked up in the Program while it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from attrs import field, frozen

from dsl import program as p
from dsl.diagnostics import Diagnostic, RulesError
from dsl.suggest import did_you_mean

MAX_CARDS = 1000

OptionValue = int | bool | str
Scalar = int | float | bool | str | None


@frozen
class Face:
    """What a card shows: its kind, and one value per attribute of the kind (enum values as
    indices, numbers as they are). Faces are numbered by kind as declared, then by values."""

    index: int
    kind: str
    values: tuple[int, ...]
    copies: int


@frozen
class PlaceInst:
    """A place of the table; `player` is its owner, None for a shared one."""

    index: int
    place: str
    player: int | None
    kind: str
    sight: str


@frozen(eq=False)
class Binding:
    """A Program with everything that depends on player count and options worked out.

    numeric: attribute -> (lo, hi). attr: attribute -> value per face (missing: -1 or 0).
    has: attribute -> whether each face has it. place_base: place -> id of its (first) instance.
    sees: per place id the mask of players who see it. start/limit: per holder; limit None: none.
    """

    program: p.Program
    players: int
    options: Mapping[str, OptionValue]
    faces: tuple[Face, ...]
    places: tuple[PlaceInst, ...]
    place_base: Mapping[str, int]
    sees: tuple[int, ...]
    numeric: Mapping[str, tuple[int, int]]
    attr: Mapping[str, tuple[int, ...]]
    has: Mapping[str, tuple[bool, ...]]
    start: Mapping[str, int]
    limit: Mapping[str, int | None]
    deck: tuple[int, ...] = field()  # every physical card's face, ascending

    @property
    def everyone(self) -> int:
        """The mask of all players."""
        return (1 << self.players) - 1


def bind(program: p.Program, players: int, options: Mapping[str, object] | None = None) -> Binding:
    """Bind player count and options. Raises RulesError for values the ruleset does not allow."""
    low, high = program.players
    if not low <= players <= high:
        raise RulesError(
            [
                Diagnostic(
                    "R0801",
                    f"{program.title.name} is for {low} to {high} players, not {players}"
                    if low != high
                    else f"{program.title.name} is for {low} players, not {players}",
                    None,
                )
            ]
        )
    chosen = bind_options(program, players, options or {})
    const = _Constants(chosen, players)
    numeric = {
        a.names.name: (int(const(a.lo) or 0), int(const(a.hi) or 0))
        for a in program.attributes.values()
        if a.lo is not None and a.hi is not None
    }
    faces = _faces(program, numeric, const)
    total = sum(face.copies for face in faces)
    if total > MAX_CARDS:
        raise RulesError(
            [
                Diagnostic(
                    "R0802", f"the box holds {total} cards; at most {MAX_CARDS} are allowed", None
                )
            ]
        )
    places, base = _places(program, players)
    owner_mask = {"up": (1 << players) - 1, "down": 0}
    start = {k: int(const(h.start) or 0) for k, h in program.holders.items()}
    limit = {
        k: None if h.limit is None else _limit(int(const(h.limit) or 0))
        for k, h in program.holders.items()
    }
    for key, most in limit.items():
        if most is not None and start[key] > most:
            raise RulesError(
                [
                    Diagnostic(
                        "R0803",
                        f"{key} starts with {_amount(start[key])}, but may hold at most {most}",
                        program.holders[key].origin.span,
                    )
                ]
            )
    return Binding(
        program=program,
        players=players,
        options=chosen,
        faces=faces,
        places=places,
        place_base=base,
        sees=tuple(
            1 << q.player if q.sight == "private" and q.player is not None
            else owner_mask.get(q.sight, 0)
            for q in places
        ),
        numeric=numeric,
        attr=_attribute_table(program, faces, numeric),
        has={
            a: tuple(a in program.kinds[face.kind].attributes for face in faces)
            for a in program.attributes
        },
        start=start,
        limit=limit,
        deck=tuple(face.index for face in faces for _ in range(face.copies)),
    )  # fmt: skip


def _amount(value: int) -> str:
    return "endless" if value >= p.ENDLESS else str(value)


def _limit(value: int) -> int | None:
    return None if value >= p.ENDLESS else value


def bind_options(
    program: p.Program, players: int, given: Mapping[str, object]
) -> dict[str, OptionValue]:
    """Every option's value: as given (text is read as the option's kind), else its default."""
    errors = []
    for name in given:
        if name not in program.options:
            near = did_you_mean(name, program.options)
            known = ", ".join(program.options) or "none"
            errors.append(
                Diagnostic(
                    "R0804",
                    f"there is no option `{name}` (options: {known})",
                    None,
                    suggestion=near,
                )
            )
    chosen: dict[str, OptionValue] = {}
    for name, decl in program.options.items():
        default = dict(decl.default)
        value: object = default[players] if players in default else default[0]
        if name in given:
            value = _read_option(decl, given[name])
            if value is None:
                errors.append(
                    Diagnostic(
                        "R0805",
                        f"`{name}` can't be {given[name]}: it is {allowed(decl)}",
                        decl.origin.span,
                    )
                )
                continue
        assert isinstance(value, (int, str))
        chosen[name] = value
    if errors:
        raise RulesError(errors)
    return chosen


def allowed(decl: p.OptionDecl) -> str:
    """What an option may be, in words."""
    if decl.kind == "flag":
        return "yes or no"
    if decl.kind == "word":
        return " or ".join(decl.words)
    parts = []
    if decl.lo is not None and decl.hi is not None:
        parts.append(f"a number from {decl.lo} to {decl.hi}")
    elif not decl.endless:
        parts.append("a number")
    if decl.endless:
        parts.append("endless")
    return " or ".join(parts)


def _read_option(decl: p.OptionDecl, value: object) -> OptionValue | None:
    text = str(value).strip()
    if decl.kind == "flag":
        return {"yes": True, "no": False, "True": True, "False": False}.get(text)
    if decl.kind == "word":
        return text if text in decl.words else None
    if decl.endless and (text == "endless" or text == str(p.ENDLESS)):
        return p.ENDLESS
    try:
        number = int(text)
    except ValueError:
        return None
    if decl.lo is not None and decl.hi is not None:
        return number if decl.lo <= number <= decl.hi else None
    return None if decl.endless else number


class _Constants:
    """Evaluates expressions over numbers, options and the player count."""

    def __init__(self, options: Mapping[str, OptionValue], players: int) -> None:
        self._options = options
        self._players = players

    def __call__(self, expr: p.Expr | None) -> Scalar:
        match expr:
            case None:
                return None
            case p.Const():
                return expr.value
            case p.OptionRef():
                return self._options[expr.name]
            case p.PlayerCount():
                return self._players
            case p.Unary(op="not"):
                return not self(expr.operand)
            case p.Unary():
                return -int(self(expr.operand) or 0)
            case p.Binary():
                try:
                    return operate(expr.op, self(expr.left), self(expr.right))
                except ZeroDivisionError:
                    found = Diagnostic("R0905", "this divides by 0", expr.span)
                    raise RulesError([found]) from None
            case p.Conditional():
                return self(expr.then if self(expr.condition) else expr.otherwise)
            case _:
                raise RulesError(
                    [Diagnostic("R0806", "this must be known before the game starts", expr.span)]
                )


def operate(op: str, a: Scalar, b: Scalar) -> Scalar:
    """A binary operation of the language on plain values (see `program.Binary`)."""
    if op in ("=", "!="):
        return (a == b) == (op == "=")
    if op == "and":
        return bool(a) and bool(b)
    if op == "or":
        return bool(a) or bool(b)
    assert isinstance(a, int | float) and isinstance(b, int | float)
    return _ARITHMETIC[op](a, b)


def folded(op: str, a: Scalar, b: Scalar) -> object:
    """The same, or NotImplemented where there is no value: then play meets the fault, if ever."""
    try:
        return operate(op, a, b)
    except ZeroDivisionError:
        return NotImplemented


_ARITHMETIC: dict[str, Callable[[Any, Any], int | float | bool]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "/^": lambda a, b: -(-a // b),
    "/": lambda a, b: a / b,
    "min": min,
    "max": max,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _faces(
    program: p.Program, numeric: Mapping[str, tuple[int, int]], const: _Constants
) -> tuple[Face, ...]:
    faces: list[Face] = []
    for name, kind in program.kinds.items():
        counts: dict[int, int] = {}
        ranges: list[Sequence[int]] = [
            range(numeric[a][0], numeric[a][1] + 1)
            if a in numeric
            else range(len(program.attributes[a].values))
            for a in kind.attributes
        ]
        if isinstance(kind.copies, tuple):
            counts = {int(const(x.value) or 0): int(const(x.copies) or 0) for x in kind.copies}
            ranges[-1] = [value for value in ranges[-1] if value in counts]
            copies = 0
        else:
            copies = int(const(kind.copies) or 0)
        for values in product(*ranges):
            each = counts[values[-1]] if counts else copies
            faces.append(Face(len(faces), name, tuple(values), each))
            if len(faces) > MAX_CARDS:
                raise RulesError(
                    [Diagnostic("R0802", f"more than {MAX_CARDS} cards", kind.origin.span)]
                )
    return tuple(faces)


def _places(program: p.Program, players: int) -> tuple[tuple[PlaceInst, ...], dict[str, int]]:
    places: list[PlaceInst] = []
    base: dict[str, int] = {}
    for name, place in program.places.items():
        base[name] = len(places)
        for owner in range(players) if place.per_player else (None,):
            places.append(PlaceInst(len(places), name, owner, place.kind, place.sight))
    return tuple(places), base


def _attribute_table(
    program: p.Program, faces: tuple[Face, ...], numeric: Mapping[str, tuple[int, int]]
) -> dict[str, tuple[int, ...]]:
    table = {}
    for a in program.attributes:
        missing = 0 if a in numeric else -1
        table[a] = tuple(
            face.values[program.kinds[face.kind].attributes.index(a)]
            if a in program.kinds[face.kind].attributes
            else missing
            for face in faces
        )
    return table
