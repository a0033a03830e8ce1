"""Writing statements: lines that stand where a rule stands, events in loud code, number bounds.

`loud` code has a second parameter E, a `Listener`, and tells it what happens; silent code has
neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dsl import program as p
from dsl.diagnostics import Diagnostic, RulesError
from interpreter.binding import Binding
from interpreter.codegen.analysis import Analysis
from interpreter.codegen.expressions import place_of
from interpreter.codegen.searches import Searches

Routine = p.Action | p.Effect | p.Hook


class Writing(Searches):
    """What all statements need."""

    def __init__(self, binding: Binding, analysis: Analysis, *, loud: bool) -> None:
        super().__init__(binding, analysis)
        self.loud = loud
        self.rules: list[p.Origin] = []
        self._rule_ids: dict[int, int] = {}
        self.natural: set[int] = set()  # number variables that can't be negative
        self.most: dict[int, set[str]] = {}  # number variable -> texts of what it can't exceed
        self.routines: dict[int, tuple[str, Routine]] = {}
        self.brings: int | None = None  # lines that bring all cards to one place

    @property
    def extra(self) -> str:
        return ", E" if self.loud else ""

    def rule(self, origin: p.Origin) -> int:
        """The number of a rule in the table of rules."""
        key = id(origin)
        if key not in self._rule_ids:
            self._rule_ids[key] = len(self.rules)
            self.rules.append(origin)
        return self._rule_ids[key]

    def tell(self, origin: p.Origin | None, event: str, *args: str) -> None:
        """In loud code: an event."""
        if self.loud:
            number = "None" if origin is None else str(self.rule(origin))
            self.fn.put(f"E.{event}({', '.join([number, *args])})")

    def fail(self, code: str, text: str, origin: p.Origin) -> None:
        self.fn.put(f"fail({code!r}, {text!r}, {self.rule(origin)})")

    def refused(self, code: str, message: str, origin: p.Origin) -> RulesError:
        """What no code can be made for, as an error at its rule."""
        return RulesError([Diagnostic(code, message, origin.span)], self.program.sources)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.fn.put(head)
        self.fn.indent += 1
        before = len(self.fn.lines)
        yield
        if len(self.fn.lines) == before:
            self.fn.put("pass")
        self.fn.indent -= 1

    @contextmanager
    def at(self, origin: p.Origin) -> Iterator[None]:
        """Lines written inside stand where a rule stands, and may evaluate ahead."""
        before, self.fn.span = self.fn.span, origin.span
        hoist, self.hoist = self.hoist, True
        yield
        self.fn.span, self.hoist = before, hoist

    # ── variables and what is known of numbers ───────────────────────────────────────────────

    def set_var(self, var: p.Var, value: p.Expr) -> None:
        if var.type.kind is p.K.CARD:
            if not isinstance(value, p.VarRef) or value.var.id in self.maybe:
                self.maybe.add(var.id)
            self._note_top(var, value)
            card = self.card(value)
            text = card.text
            self.fn.assign(f"v{var.id}", text)
            self.fn.assign(f"q{var.id}", place_of(card), optional=True)
        else:
            self._note_number(var, value)
            for name, code in self.bound(var, value):
                self.fn.assign(name, code, optional=name[0] == "q")

    def _note_number(self, var: p.Var, value: p.Expr) -> None:
        """Remember what a number can't exceed, and whether it can't be negative."""
        if var.id in self.analysis.reassigned:
            return
        if self._natural(value):
            self.natural.add(var.id)
        else:
            self.natural.discard(var.id)
        self.most[var.id] = self._bounds(value)

    def _bounds(self, value: p.Expr) -> set[str]:
        """Texts of what a number can't exceed, as things stand now."""
        match value:
            case p.Binary(op="min"):
                return self._bounds(value.left) | self._bounds(value.right)
            case p.VarRef():
                return {self.x(value)} | self.most.get(value.var.id, set())
            case p.Const() | p.OptionRef() | p.TokenCount():
                return {self.x(value)}
            case p.Binary(op="-", right=p.TokenCount()):
                with self.unhoisted():
                    return {self.x(value)}
            case _:
                return set()

    def _forget_bounds(self) -> None:
        """Something changed: what was known of numbers holds for the fixed ones only."""
        for var, texts in self.most.items():
            self.most[var] = {t for t in texts if t.isalnum()}

    def _natural(self, expr: p.Expr) -> bool:
        """Whether a number can't be negative, by its form."""
        match expr:
            case p.Const() | p.OptionRef() | p.PlayerCount():
                known = self.known(expr)
                return isinstance(known, int) and known >= 0
            case p.TokenCount() | p.Count() | p.Fold(op="different") | p.EnumNumber():
                return True
            case p.Binary(op="+" | "*" | "min" | "max" | "//" | "/^"):
                return self._natural(expr.left) and self._natural(expr.right)
            case p.VarRef():
                return expr.var.id in self.natural or isinstance(self.known(expr), int)
            case p.Binary(op="-", right=p.VarRef(var=v)):
                return self.x(expr.left) in self.most.get(v.id, ())
            case p.Binary(op="-", right=p.TokenCount(holder=holder)):
                return self.known(expr.left) == self.b.limit[holder]  # a limit is never exceeded
            case p.Conditional():
                return self._natural(expr.then) and self._natural(expr.otherwise)
            case p.Call() if self.analysis.small(expr):
                inlined = self.analysis.inline(expr)
                body = self.program.values[expr.value].body
                return self._natural(body if isinstance(inlined, p.Call) else inlined)
            case _:
                return False
