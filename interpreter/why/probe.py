"""The value of any part of a choice's rules, as play itself would work it out.

Used by the rest of `interpreter.why`. A `Probe` runs the code generator over the game once more,
keeps it as it stood at each choice, and has it write single expressions as functions: so there is
one meaning of every expression, that of play. Nothing is generated until somebody asks.

Variables are read where play keeps them: a parameter or candidate that the asker bound (a
`Frame`), else the slot of the State. A card or play is two names, as in generated code: `v12` its
value, `q12` the place it lies in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from dsl import program as p
from interpreter import runtime
from interpreter.codegen.analysis import Analysis, is_atom, substitute
from interpreter.codegen.expressions import Code
from interpreter.codegen.module import Generator, written
from interpreter.codegen.writer import NAME, Function, compile_lines, source_of
from interpreter.why.unseen import Hidden

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

Frame: TypeAlias = Mapping[str, Any]


@frozen(eq=False)
class Asked:
    """A choice as the generator found it: the statement, and what its variables were called."""

    choice: p.Choose
    env: Mapping[int, Code]


@frozen(eq=False)
class _Written:
    """A part of the rules as a function, and the names it is called with."""

    call: Callable[..., Any]
    names: tuple[str, ...]


class _Generator(Generator):
    """Writes a game as ever, and remembers how things stood at each choice."""

    asked: dict[int, Asked]

    def _info(self, stmt: p.Choose, *, at_once: bool) -> int:
        number = super()._info(stmt, at_once=at_once)
        if not hasattr(self, "asked"):
            self.asked = {}
        # other names for variables stay true; texts of candidates and temporaries do not
        lasting = {
            var: code
            for var, code in self.env.items()
            if NAME.fullmatch(code.text) or code.text.isdigit()
        }
        self.asked[number] = Asked(stmt, lasting)
        return number


class Probe:
    """Writes and runs parts of one game's rules."""

    def __init__(self, game: Game) -> None:
        self.game = game
        binding = game.binding
        self._gen = written(binding, Analysis(binding.program), {}, loud=False, kind=_Generator)
        self._gen.searched.clear()  # what was found on the way is not to be found here
        self.asked: Mapping[int, Asked] = self._gen.asked
        self._functions: dict[tuple[int, int, str], tuple[object, _Written]] = {}
        self._names = runtime.namespace(binding, game.rules, runtime.Shuffler(binding, []))
        self._names["PLAYS"], self._names["PLACED"] = game.shapes.plays, game.shapes.placed
        self._made: set[str] = set()
        # by the id of an expression, which is kept with it, or its id might be used again
        self._bodies: dict[int, tuple[p.Call, p.Expr, tuple[tuple[p.Var, p.Expr], ...]]] = {}
        self._firsts: dict[int, p.First] = {}

    def value(self, number: int, expr: p.Expr, state: State, frame: Frame) -> Any:
        """What an expression of a choice is now: a card as (face, place), a collection as a list
        of its elements (cards as pairs).

        Raises Hidden where that can't be told from what the State holds for its reader.
        """
        return self._run(self._function(number, expr, "value", self._put_value), state, frame)

    def bound(
        self, number: int, var: p.Var, arg: p.Expr, state: State, frame: Frame
    ) -> dict[str, Any]:
        """What a parameter's names are when an argument is handed over."""
        pair = self._run(
            self._function(number, arg, f"v{var.id}", lambda e: self._put_bound(var, e)),
            state,
            frame,
        )
        self._gen.maybe.add(var.id)  # whether it is there at all is not known ahead
        return dict(zip(self._gen.param_names((var,)), pair, strict=True))

    def body(self, call: p.Call) -> tuple[p.Expr, tuple[tuple[p.Var, p.Expr], ...]]:
        """The body of a named value as a call means it: simple arguments in their places, so that
        what they are called stays readable; and the parameters that are left to be bound."""
        kept = self._bodies.get(id(call))
        if kept is None:
            value = self.game.program.values[call.value]
            pairs = list(zip(value.params, call.args, strict=True))
            plain = {var.id: arg for var, arg in pairs if is_atom(arg)}
            rest = tuple((var, arg) for var, arg in pairs if var.id not in plain)
            kept = self._bodies[id(call)] = (call, substitute(value.body, plain), rest)
        return kept[1:]

    def first(self, source: p.Expr) -> p.First:
        """The first element of a collection, as an expression."""
        kept = self._firsts.get(id(source))
        if kept is None:
            kept = p.First(source, element_type(source.type), source.span)
            self._firsts[id(source)] = kept
        return kept

    # ── writing ──────────────────────────────────────────────────────────────────────────────

    def _put_value(self, expr: p.Expr) -> None:
        gen = self._gen
        match expr.type.kind:
            case p.K.CARD:
                card = gen.card(expr)
                gen.fn.put(f"return ({card.text}, {card.pid})")
            case p.K.CARDS | p.K.PLAYERS | p.K.ENUMS:
                coll = gen.coll(expr)
                item = f"({coll.element.text}, {coll.element.pid})" if coll.cards else coll.item
                if expr.type.name == "play" and not coll.cards:
                    item = f"({coll.element.text}, {coll.one_place or 'None'})"
                gen.fn.put(f"return {gen.comp(item, coll)}")
            case _:
                gen.fn.put(f"return {gen.stored(expr)}")

    def _put_bound(self, var: p.Var, arg: p.Expr) -> None:
        texts = [code for _, code in self._gen.bound(var, arg)]
        self._gen.fn.put(f"return ({', '.join(texts)},)")

    def _function(
        self, number: int, expr: p.Expr, role: str, put: Callable[[p.Expr], None]
    ) -> _Written:
        key = (number, id(expr), role)
        kept = self._functions.get(key)
        if kept is not None:
            return kept[1]
        gen = self._gen
        gen.env = dict(self.asked[number].env)
        gen.hoist, gen.memo = True, None
        gen._forget_bounds()
        name = f"w_{len(self._functions)}"
        gen.fn = fn = Function(name, ("s",), expr.span.file, plain=True, span=expr.span)
        put(expr)
        names = tuple(dict.fromkeys(n for line in fn.lines for n in NAME.findall(line.text)))
        fn.params = ("s", *names)
        before = len(gen.functions)
        gen._routines()  # named values that it calls
        values = [f for f in gen.functions[before:] if f.name not in self._made]
        values += [f for f in gen.functions[:before] if self._is_value(f)]
        self._made.update(f.name for f in values)
        self._load([*values, fn])
        made = _Written(self._names[name], names)
        self._functions[key] = (expr, made)
        return made

    def _is_value(self, function: Function) -> bool:
        return function.name.startswith("f_") and function.name not in self._made

    def _load(self, functions: list[Function]) -> None:
        self._names.update(self._gen.constants)
        for function in functions:
            lines = source_of(function, set())
            code: CodeType = compile_lines(lines, function.file, self.game.program.sources)
            exec(code, self._names)

    def _run(self, written: _Written, state: State, frame: Frame) -> Any:
        values = []
        for name in written.names:
            if name in frame:
                values.append(frame[name])
            elif hasattr(state, name):
                values.append(getattr(state, name))
            elif name[0] == "q":
                values.append(None)  # play never asks where these cards lie
            else:
                raise Hidden
        self._names["look"].begin()
        return written.call(state, *values)


def element_type(kind: p.Type) -> p.Type:
    """The type of a collection's elements."""
    match kind.kind:
        case p.K.CARDS:
            return p.CARD
        case p.K.PLAYERS:
            return p.PLAYER
        case _ if kind.name == "play":
            return p.PLAY
        case _:
            return p.NUMBER if kind.name == "number" else p.Type(p.K.ENUM, kind.name)


def probe(game: Game) -> Probe:
    """The Probe of a game, made when it is first asked for."""
    found: Probe | None = game.__dict__.get("_probe")
    if found is None:
        found = game.__dict__["_probe"] = Probe(game)
    return found
