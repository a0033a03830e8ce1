"""What the modules of the lowering share: symbols, findings, and the way to each other.

`Context.expr` lowers any expression; `need` lowers one and insists on its type. Both return None
after reporting an error, and callers pass the None on, so that one slip gives one message.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TypeAlias

from attrs import define, evolve, field

from dsl import nodes as n
from dsl import program as p
from dsl.diagnostics import Diagnostic, Findings, Related, position
from dsl.program import K, Type
from dsl.scope import Local, Routine, Scope
from dsl.suggest import singulars
from dsl.symbols import Symbols
from dsl.type_names import is_collection, is_needed, this_is

LowerExpr: TypeAlias = Callable[["Context", n.Expr, Scope, Type | None], p.Expr | None]
LowerValue: TypeAlias = Callable[["Context", str], "ValueState | None"]


@define(eq=False)
class ValueState:
    """A named value while it is being worked out."""

    decl: n.Value | n.BotValue
    types: list[Type | None]
    typed_by: list[p.Span | None]
    routine: Routine
    made: p.Value | None = None
    failed: bool = False


@define(eq=False)
class ActionState:
    """A named action: its parameters get their types from the first call."""

    decl: n.Action
    types: list[Type | None]
    typed_by: list[p.Span | None]
    called: bool = False
    calls: int = 0  # those that give as much as it names


@define(eq=False)
class Context:
    symbols: Symbols
    findings: Findings
    lower_expr: LowerExpr
    lower_value: LowerValue
    ids: count[int] = field(factory=count)
    values: dict[str, ValueState] = field(factory=dict)
    actions: dict[str, ActionState] = field(factory=dict)
    working_on: list[str] = field(factory=list)
    labels: dict[str, p.Names] = field(factory=dict)
    choices: dict[str, p.Names] = field(factory=dict)
    choice_spans: dict[str, p.Span] = field(factory=dict)
    choice_locals: dict[str, dict[str, Local]] = field(factory=dict)  # what can be seen at them
    prompts: dict[str, p.Names] = field(factory=dict)
    moments: dict[str, p.Names] = field(factory=dict)
    family_types: dict[str, Type] = field(factory=dict)
    applied: dict[str, p.Span] = field(factory=dict)
    ends: list[n.End] = field(factory=list)
    miscalled: dict[str, list[n.Do]] = field(factory=dict)  # actions given too much or too little
    rules: p.Program | None = None  # what examples can be judged by, be it whole or not
    decls: tuple[n.Decl, ...] = ()  # all that is declared, also what could not be understood
    each_named: dict[str, n.Word] = field(factory=dict)  # `each player NAME`: where
    loop_names: list[tuple[p.Var, n.Word]] = field(factory=list)  # `each player NAME`, all of them
    runs: set[str] = field(factory=set)  # labels of loops that count
    in_bot: bool = False  # where decimals, settings and memories may stand
    draws: int | None = None  # noises so far in the `at` that is looked at; None outside of one
    told: set[str] = field(factory=set)  # what is reported only once
    absent: dict[str, list[Diagnostic]] = field(factory=dict)  # by the name that means nothing

    def expr(self, node: n.Expr, scope: Scope, want: Type | None = None) -> p.Expr | None:
        made = self.lower_expr(self, node, scope, want)
        if made is None:
            self.must_be_said(node.span)
        return made

    def must_be_said(self, span: p.Span) -> None:
        """Whatever can't be understood has been reported; if not, the fault is in the language."""
        if not self.findings.errors and not self.absent and not self.miscalled:
            message = "this can't be understood, and it is not known why"
            self.findings.error("R0199", message, span)

    def need(self, node: n.Expr, scope: Scope, want: Type, what: str = "") -> p.Expr | None:
        """An expression of one type; `what` says what it is needed for."""
        made = self.expr(node, scope, want)
        if made is None or made.type == want:
            return made
        self.mismatch(node, made.type, want, what)
        return None

    def number(self, node: n.Expr, scope: Scope, what: str = "") -> p.Expr | None:
        return self.need(node, scope, p.NUMBER, what)

    def truth(self, node: n.Expr, scope: Scope, what: str = "") -> p.Expr | None:
        return self.need(node, scope, p.TRUTH, what)

    def player(self, node: n.Expr, scope: Scope, what: str = "") -> p.Expr | None:
        return self.need(node, scope, p.PLAYER, what)

    def missing(
        self,
        code: str,
        message: str,
        word: n.Word,
        suggestion: str,
        related: Related | None = None,
        *,
        note: str = "",
        key: str = "",
    ) -> None:
        """A name that means nothing; `report_missing` says it once for all its places. `key`: what
        is said once, if not the name."""
        others = () if related is None else (related,)
        notes = (note,) if note else ()
        found = Diagnostic(
            code, message, word.span, related=others, notes=notes, suggestion=suggestion
        )
        self.absent.setdefault(key or word.text, []).append(found)

    def report_missing(self) -> None:
        for name in list(self.absent):  # `coins` beside `coin` is the same slip
            single = next((form for form in singulars(name) if form in self.absent), None)
            if single is not None:
                self.absent[single] += self.absent.pop(name)
        for found in self.absent.values():
            found.sort(key=position)
            first = next((item for item in found if item.code == "R0367"), found[0])  # it is set
            others = [item for item in found if item is not first]
            here = None if first.span is None else first.span.line
            lines = sorted({other.span.line for other in others if other.span is not None})
            lines = [line for line in lines if line != here]
            notes = first.notes
            if lines:
                shown = ", ".join(map(str, lines[:5])) + (" …" if len(lines) > 5 else "")
                notes += (f"it also stands in line{'s' if len(lines) > 1 else ''} {shown}",)
            self.findings.add(evolve(first, notes=notes))
        self.absent.clear()

    def trouble(self) -> int:
        """How much has been reported so far."""
        waiting = sum(map(len, self.absent.values())) + sum(map(len, self.miscalled.values()))
        return len(self.findings.items) + waiting

    def mismatch(self, node: n.Expr, got: Type, want: Type, what: str = "") -> None:
        place = f"for {what}" if what else "here"
        message = f"{this_is(got)}, but {is_needed(want)} {place}"
        hint = conversion(got, want, shown(node))
        if want == p.CARDS and got == p.PLAYER:
            owned = [name for name, decl in self.symbols.places.items() if decl.owner is not None]
            hint = f"`{owned[0]} of {shown(node)}` are cards of that player" if owned else ""
        self.findings.error("R0301", message, node.span, suggestion=hint)


def conversion(got: Type, want: Type, text: str) -> str:
    """How a value of one type is usually turned into another."""
    if want == p.NUMBER and is_collection(got):
        return f"`count of {text}` is how many there are"
    if want == p.TRUTH and is_collection(got):
        return f"`{text} is not empty` asks whether there are some"
    if want == p.TRUTH and got == p.NUMBER:
        return f"compare it with something: `{text} > 0`"
    if want == p.CARDS and got == p.CARD:
        return "of one card nothing is left to choose; `top 2 of …` are several"
    if want.kind is K.CARD and got == p.CARDS:
        return f"`first {text}` is one card of them"
    if want.kind is K.PLAYER and got == p.PLAYERS:
        return f"`first {text}` is one player of them"
    if want.kind is K.PLAYER and got == p.CARD:
        return f"`owner of {text}` is the player in front of whom it lies"
    if want.kind is K.ENUM and got == p.CARD:
        return f"`{want.name} of {text}` is its {want.name}"
    if want.kind is K.PLAYER and got.kind is K.ROLE:
        return f"`holder of {text}` is the player who has that role"
    return ""


def shown(node: n.Expr) -> str:
    """A short expression as it was written, for suggestions; "…" for a long one."""
    match node:
        case n.Ref(word=word):
            return word.text
        case n.Number(value=value):
            return str(value)
        case n.Of(word=word, owner=owner, arguments=None):
            person = {"me": "my", "they": "their", "it": "its"}
            if isinstance(owner, n.Ref) and owner.word.text in person:
                return f"{person[owner.word.text]} {word.text}"
            return f"{word.text} of {shown(owner)}"
        case n.TopOf(count=None, place=place):
            return f"top of {shown(place)}"
        case n.Every(word=word):
            return f"every {word.text}"
        case n.In(item=item, source=source, negated=False):
            return f"{shown(item)} in {shown(source)}"
        case _:
            return "…"
