"""What makes a condition hold or fail: its deciding parts, each with the values it saw.

Walks `and`, `or`, `not`, `if` and named values; every value comes from `probe`. What the asker may
not know counts as neither true nor false, and decides nothing: `a and b` with a false `b` is false
because of `b`, whatever a hidden `a` may be.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import evolve, frozen

from dsl import program as p
from dsl.source_text import source_text
from interpreter.codegen.analysis import reads
from interpreter.why.answers import Part, Seen, Step
from interpreter.why.probe import Frame, Probe, element_type
from interpreter.why.unseen import SECRET, Hidden

if TYPE_CHECKING:
    from interpreter.state import State

FAULTS = (TypeError, LookupError, ValueError, ZeroDivisionError)
"""What a part may raise that play never came to, as a part before it decides."""

ARITHMETIC = ("+", "-", "*", "//", "/^", "min", "max")

Finding: TypeAlias = tuple[bool | None, tuple[Part, ...]]


@frozen(eq=False)
class Here:
    """Where conditions are looked at: a choice (its number) of a State, as its reader sees it, and
    the named values that led here."""

    probe: Probe
    number: int
    state: State
    frame: Frame
    steps: tuple[Step, ...] = ()

    def value(self, expr: p.Expr) -> Any:
        """The value of an expression. Raises Hidden."""
        try:
            found = self.probe.value(self.number, expr, self.state, self.frame)
        except FAULTS:
            raise Hidden from None
        if any(item is SECRET for item in _flat((found,))):
            raise Hidden
        return found

    def with_(self, var: p.Var, value: Any, place: int | tuple[int, ...] | None = None) -> Here:
        """With a candidate in its variable."""
        return evolve(self, frame={**self.frame, f"v{var.id}": value, f"q{var.id}": place})

    def into(self, call: p.Call) -> tuple[p.Expr, Here]:
        """The body of a named value, and where it stands with its parameters bound."""
        program = self.probe.game.program
        value = program.values[call.value]
        frame = dict(self.frame)
        body, bound = self.probe.body(call)
        for var, arg in bound:
            try:
                frame |= self.probe.bound(self.number, var, arg, self.state, self.frame)
            except (Hidden, *FAULTS):
                frame |= {f"v{var.id}": SECRET, f"q{var.id}": None}
        step = Step(source_text(program, call.span), value.origin)
        return body, evolve(self, frame=frame, steps=(*self.steps, step))


def _flat(value: tuple[Any, ...] | list[Any]) -> Iterator[Any]:
    for item in value:
        if isinstance(item, (tuple, list)):
            yield from _flat(item)
        else:
            yield item


def explain(expr: p.Expr, here: Here) -> Finding:
    """Whether a condition holds (None: the asker may not know), and the parts that make it so."""
    match expr:
        case p.Binary(op="and" | "or"):
            return _junction(expr, here, decisive=expr.op == "or")
        case p.Unary(op="not"):
            return _negation(expr, here)
        case p.Call():
            body, inside = here.into(expr)
            return explain(body, inside)
        case p.Conditional():
            chosen, why = explain(expr.condition, here)
            if chosen is None:
                return None, why
            held, parts = explain(expr.then if chosen else expr.otherwise, here)
            return held, (*why, *parts)
        case _:
            return _leaf(expr, expr, here)


def _junction(expr: p.Binary, here: Here, *, decisive: bool) -> Finding:
    """`or` is decided by one part that holds, `and` by one that does not; else all parts count."""
    left, why = explain(expr.left, here)
    if left is decisive:
        return left, why
    right, also = explain(expr.right, here)
    if right is decisive:
        return right, also
    if left is None or right is None:
        return None, (*(why if left is None else ()), *(also if right is None else ()))
    return left, (*why, *also)


def _negation(expr: p.Unary, here: Here) -> Finding:
    inner = expr.operand
    match inner:
        case p.Binary(op="and" | "or") | p.Unary(op="not") | p.Conditional() | p.Call():
            held, parts = explain(inner, here)
            return None if held is None else not held, parts
        case _:
            held, parts = _leaf(inner, expr, here)
            held = None if held is None else not held
            return held, tuple(evolve(q, held=held, seen=_negated(q)) for q in parts)


def _negated(part: Part) -> tuple[Seen, ...]:
    """What a part saw, where its text is that of its negation (`no card in hand`)."""
    return tuple(
        evolve(seen, value=not seen.value) if seen.text == part.text and not seen.hidden else seen
        for seen in part.seen
    )


def _leaf(expr: p.Expr, whole: p.Expr, here: Here) -> Finding:
    """A condition without conditions in it; `whole` is what is quoted."""
    held: bool | None
    try:
        held = bool(here.value(expr))
    except Hidden:
        held = None
    text = source_text(here.probe.game.program, whole.span)
    seen = _once(s for e in _shown(expr) for s in look(e, here))
    if not seen and not isinstance(expr, p.Const):
        seen = (
            Seen(
                text,
                expr.type,
                None if held is None else bool(here.value(expr)),
                expr.span,
                held is None,
            ),
        )
    return held, (Part(text, whole.span, held, seen, here.steps),)


def _once(seen: Iterator[Seen]) -> tuple[Seen, ...]:
    return tuple({s.text: s for s in seen}.values())


def _shown(expr: p.Expr) -> Iterator[p.Expr]:
    """The parts of a condition whose values say why it holds or fails."""
    match expr:
        case p.Const():
            return
        case p.Binary(op=op) if op in ARITHMETIC:
            yield expr
            yield from _shown(expr.left)
            yield from _shown(expr.right)
        case p.Unary(op="-"):
            yield from _shown(expr.operand)
        case p.Binary():
            yield from _shown(expr.left)
            yield from _shown(expr.right)
        case p.Exists():
            yield from _shown(expr.operand)
        case p.HasAttr() | p.IsKind():
            yield from _shown(expr.card)
        case p.Any_(source=p.Filter(condition=condition, var=var)):
            yield expr
            yield from (e for e in _shown(condition) if not reads(e, var))
        case _:
            yield expr


def look(expr: p.Expr, here: Here) -> Iterator[Seen]:
    """An expression's text and value."""
    program = here.probe.game.program
    text = source_text(program, expr.span)
    match expr:
        case p.RoleOf(player=who) | p.Marked(player=who) if who is not None:
            text = _of_whom(expr, who, here)
        case p.VarRef() if expr.var.name and not _hidden_name(expr):
            text = expr.var.name
        case p.PlayPart() | p.PlayAttr() | p.Attr():
            pass
    try:
        value = here.value(expr)
    except Hidden:
        yield Seen(text, expr.type, None, expr.span, hidden=True)
        return
    yield Seen(text, expr.type, value, expr.span)
    if isinstance(expr, p.Any_) and value and isinstance(expr.source, p.Filter):
        found = here.value(here.probe.first(expr.source))
        if found not in (None, (None, None)):
            yield Seen("it", element_type(expr.source.type), found, expr.span)


def _hidden_name(expr: p.VarRef) -> bool:
    return not expr.var.name.isidentifier()


def _of_whom(expr: p.RoleOf | p.Marked, who: p.Expr, here: Here) -> str:
    name = "role" if isinstance(expr, p.RoleOf) else expr.mark
    try:
        player = here.value(who)
    except Hidden:
        return f"{name} of ?"
    return f"{name} of {'nobody' if player is None else f'P{player + 1}'}"


def seen_once(exprs: list[p.Expr], here: Here) -> tuple[Seen, ...]:
    """What some expressions are worth, with the parts their values come from."""
    return _once(s for top in exprs for e in _shown(top) for s in look(e, here))
