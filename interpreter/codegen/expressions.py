"""Expressions of the typed core as Python expressions.

Truths come out as Python truths (`stored` makes real bools of them). A card is a face and, beside
it, the id of the place it lies in (`Code`). Where the current statement evaluates an expression
unconditionally (`hoist`), searches become loops in front of it; elsewhere, comprehensions.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from attrs import evolve, frozen

from dsl import program as p
from interpreter.binding import Binding, folded
from interpreter.codegen.analysis import Analysis, is_atom
from interpreter.codegen.looks import looks_of
from interpreter.codegen.writer import Function

_NAMEABLE = (p.K.NUMBER, p.K.PLAYER, p.K.ENUM, p.K.ROLE, p.K.SHAPE)
WITH_PLACE = (p.K.CARD, p.K.PLAY)
"""What a named value gives together with the place it lies in."""
UNKNOWN = (None, "", "None")
"""Texts of a place that is not known."""
COMPARISONS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
DECISIVE = {"and": False, "or": True}  # what one side says is said


@frozen
class Code:
    """A value as Python text; for cards also where it lies, and whose place that is."""

    text: str
    pid: str | None = None
    owner: str | None = None
    place: str | None = None  # the declared place, where only play tells whose
    spread: bool = False  # a play: `pid` is one place for all its cards, one for each, or None


class Expressions:
    """Common state of the generator, and everything about single-valued expressions."""

    def __init__(self, binding: Binding, analysis: Analysis) -> None:
        self.b = binding
        self.program = binding.program
        self.analysis = analysis
        self.looks = looks_of(binding, analysis)
        self.env: dict[int, Code] = {}
        self.fn = Function("", (), "")
        self.hoist = False
        self.plain_cards: set[int] = set()  # CARDS variables held as faces of one place
        # searches done for the sort key being written, which its parts may share
        self.memo: list[tuple[p.Expr, Code]] | None = None
        self.searched: dict[int, Code] = {}  # id of a First -> what an earlier search found
        self.var_place: dict[int, str] = {}  # variable -> the declared place of its card
        self.topmost: set[int] = set()  # card variables that were on top of their place
        self.maybe: set[int] = set()  # card variables that may hold no card
        self.constants: dict[str, object] = {}
        self.values_used: dict[str, p.Value] = {}
        self._face_sets: dict[frozenset[int], int] = {}
        self._temps = 0
        self._named_args = 0  # variables made here have negative ids

    # ── names ────────────────────────────────────────────────────────────────────────────────

    def ident(self, prefix: str, name: str, table: object) -> str:
        """A Python name for a declared one: itself where it is ASCII, else its number."""
        if name.isascii():
            return prefix + name
        return f"{prefix}{list(table).index(name)}"  # type: ignore[call-overload]

    def temp(self) -> str:
        self._temps += 1
        return f"t{self._temps}"

    def constant(self, name: str, value: object) -> str:
        self.constants[name] = value
        return name

    def holder(self, key: str) -> str:
        return "s." + self.ident("t_", key, self.program.holders)

    def mark(self, name: str) -> str:
        return "s." + self.ident("m_", name, self.program.marks)

    def track(self, name: str) -> str:
        prefix = "kp_" if self.program.tracks[name].per_player else "k_"
        return "s." + self.ident(prefix, name, self.program.tracks)

    def label_name(self, name: str) -> str:
        return "s." + self.ident("c_", name, self.program.labels)

    @contextmanager
    def unhoisted(self) -> Iterator[None]:
        """Inside, nothing may be evaluated ahead of the statement."""
        before, self.hoist = self.hoist, False
        try:
            yield
        finally:
            self.hoist = before

    # ── places ───────────────────────────────────────────────────────────────────────────────

    def pid(self, ref: p.PlaceRef) -> str:
        base = self.b.place_base[ref.place]
        if ref.player is None:
            return str(base)
        return offset(base, self.x(ref.player))

    def place(self, ref: p.PlaceRef) -> str:
        return f"s.P[{self.pid(ref)}]"

    def surely_somebody(self, expr: p.Expr) -> bool:
        """Whether a player who has to act can't be nobody, as far as can be told."""
        known = self.analysis.somebody
        return isinstance(expr, p.VarRef) and (expr.var.id in known or expr.var.name == "me")

    def somebody(self, expr: p.Expr, player: str) -> None:
        """Stop with the rule's error if a player who has to act, as worked out, is nobody."""
        if not self.surely_somebody(expr) and not player.isdigit():
            self.fn.put(f"if {player} is None: nobody()")

    # ── values ───────────────────────────────────────────────────────────────────────────────

    def known(self, expr: p.Expr) -> object:
        """The value of an expression fixed by options and player count, else NotImplemented."""
        match expr:
            case p.Const():
                return expr.value
            case p.OptionRef():
                return self.b.options[expr.name]
            case p.PlayerCount():
                return self.b.players
            case p.VarRef():
                code = self.env.get(expr.var.id)
                plain = expr.type.kind in (p.K.NUMBER, p.K.ENUM)
                if code is not None and code.text.isdigit() and plain:
                    return int(code.text)
                return NotImplemented
            case p.TokenCount() if self.b.start[expr.holder] >= p.ENDLESS:
                return p.ENDLESS
            case p.Unary():
                value = self.known(expr.operand)
                if value is NotImplemented:
                    return value
                return not value if expr.op == "not" else -value  # type: ignore[operator]
            case p.Binary():
                left = self.known(expr.left)
                if expr.op in DECISIVE:
                    right = left if left is DECISIVE[expr.op] else self.known(expr.right)
                    if right is DECISIVE[expr.op]:
                        return right
                elif left is NotImplemented:
                    return left
                else:
                    right = self.known(expr.right)
                if left is NotImplemented or right is NotImplemented:
                    return NotImplemented
                return folded(expr.op, left, right)  # type: ignore[arg-type]
            case p.Conditional():
                condition = self.known(expr.condition)
                if condition is NotImplemented:
                    return condition
                return self.known(expr.then if condition else expr.otherwise)
            case p.Call():
                inlined = self.analysis.inline(expr)
                return NotImplemented if isinstance(inlined, p.Call) else self.known(inlined)
            case _:
                return NotImplemented

    def stored(self, expr: p.Expr) -> str:
        """An expression to be kept in a variable or slot."""
        code = self.x(expr)
        if expr.type.kind is p.K.TRUTH and code not in ("True", "False"):
            return f"bool({code})"
        return code

    def x(self, expr: p.Expr) -> str:
        """The Python text of an expression."""
        value = self.known(expr)
        if value is not NotImplemented:
            return repr(value)
        match expr:
            case p.VarRef():
                return self.var(expr.var).text
            case p.TrackRef():
                return self.track(expr.name) + self._of(expr.player)
            case p.TokenCount():
                return self.holder(expr.holder) + self._of(expr.player)
            case p.Marked():
                if expr.player is None:
                    return self.mark(expr.mark)
                return f"({self.mark(expr.mark)} >> {self.x(expr.player)} & 1)"
            case p.RoleOf():
                return f"s.ring[{self.x(expr.player)}]"
            case p.HolderOf():
                return f"holder(s.ring, {self.x(expr.role)}, {self.b.players})"
            case p.Attr() | p.HasAttr() | p.IsKind() | p.EnumNumber() | p.Strength():
                return self._property(expr)
            case p.OwnerOf():
                return self._owner(expr)
            case p.PlayPart():
                return f"{self.x(expr.play)}[{('shape', 'cards', 'size').index(expr.part)}]"
            case p.PlayAttr():
                index = list(self.program.attributes).index(expr.attribute)
                return f"{self.x(expr.play)}[{3 + index}]"
            case p.Unary() | p.Binary() | p.Conditional():
                return self._operation(expr)
            case p.Call():
                return self._call(expr)
            case p.Exists():
                return f"({self.x(expr.operand)} is not None)"
            case p.Top() | p.First() if expr.type.kind is p.K.CARD:
                return self.card(expr).text
            case _:
                return self.collection(expr)

    def atom(self, code: str) -> str:
        """Text that can be evaluated twice."""
        if simple(code):
            return code
        t = self.temp()
        self.fn.put(f"{t} = {code}")
        return t

    def collection(self, expr: p.Expr) -> str:
        raise NotImplementedError

    def card(self, expr: p.Expr) -> Code:
        raise NotImplementedError

    def play(self, expr: p.Expr) -> Code:
        raise NotImplementedError

    def var(self, var: p.Var) -> Code:
        code = self.env.get(var.id)
        if code is not None:
            return code
        return Code(f"v{var.id}", f"q{var.id}", None, self.var_place.get(var.id))

    def _of(self, player: p.Expr | None) -> str:
        return "" if player is None else f"[{self.x(player)}]"

    def _property(self, expr: p.Attr | p.HasAttr | p.IsKind | p.EnumNumber | p.Strength) -> str:
        match expr:
            case p.Attr():
                return self.lookup("A_", expr.attribute, self.b.attr[expr.attribute], expr.card)
            case p.HasAttr():
                return self.lookup("H_", expr.attribute, self.b.has[expr.attribute], expr.card)
            case p.IsKind():
                faces = [f.index for f in self.b.faces if f.kind == expr.kind]
                card = self.card(expr.card).text
                if not faces:
                    return "False"
                if len(faces) == 1:
                    return f"({card} == {faces[0]})"
                return f"({faces[0]} <= {card} <= {faces[-1]})"
            case p.EnumNumber():
                attribute = self.program.attributes[expr.value.type.name]
                numbers = tuple(v.number or 0 for v in attribute.values)
                return self._indexed("N_", attribute, (*numbers, 0), expr.value)
            case p.Strength():
                attribute = self.program.attributes[expr.value.type.name]
                ranks = range(len(attribute.values))
                order = tuple(reversed(ranks)) if attribute.order == "strong" else tuple(ranks)
                return self._indexed("S_", attribute, (*order, -1), expr.value)
            case _:
                assert_never(expr)

    def lookup(self, prefix: str, attribute: str, table: tuple[int, ...], card: p.Expr) -> str:
        """A table over faces: the face itself where the table changes nothing."""
        face = self.card(card).text
        missing = "False" if prefix == "H_" else "0" if attribute in self.b.numeric else "-1"
        if isinstance(card, p.VarRef) and card.var.id not in self.maybe:
            if table == tuple(range(len(table))) and prefix == "A_":
                return face
            if len(set(table)) == 1:
                return repr(table[0])
            name = self.ident(prefix, attribute, self.program.attributes)
            return f"{self.constant(name, table)}[{face}]"
        name = self.constant(self.ident(prefix, attribute, self.program.attributes), table)
        if simple(face):
            return f"({missing} if {face} is None else {name}[{face}])"
        return f"property_of({name}, {face}, {missing})"

    def _indexed(
        self, prefix: str, attribute: p.Attribute, table: tuple[int, ...], value: p.Expr
    ) -> str:
        name = self.ident(prefix, attribute.names.name, self.program.attributes)
        known = self.known(value)
        if isinstance(known, int):
            return repr(table[known])
        return f"{self.constant(name, table)}[{self.x(value)}]"

    def _owner(self, expr: p.OwnerOf) -> str:
        code = self.card(expr.card)
        if code.owner is not None:
            return code.owner
        owners = tuple(q.player for q in self.b.places)
        return f"{self.constant('OWNER', owners)}[{lying(code)}]"

    def _operation(self, expr: p.Unary | p.Binary | p.Conditional) -> str:
        match expr:
            case p.Unary():
                return f"({'not ' if expr.op == 'not' else '-'}{self.x(expr.operand)})"
            case p.Conditional():
                condition = self.x(expr.condition)
                with self.unhoisted():
                    then, other = self.x(expr.then), self.x(expr.otherwise)
                return f"({then} if {condition} else {other})"
            case p.Binary(op="and" | "or"):
                return self._junction(expr)
            case p.Binary(op="min" | "max"):
                a, b = self.x(expr.left), self.x(expr.right)
                if self.hoist:
                    a, b = self.atom(a), self.atom(b)
                if simple(a) and simple(b):
                    return f"({a} if {a} {'<' if expr.op == 'min' else '>'} {b} else {b})"
                return f"{expr.op}({a}, {b})"
            case p.Binary(op="/^"):
                return f"(-(-{self.x(expr.left)} // {self.x(expr.right)}))"
            case p.Binary():
                a, b = self.x(expr.left), self.x(expr.right)
                if expr.op in ("=", "!=") and "None" in (a, b):
                    return f"({a} is {'not ' if expr.op == '!=' else ''}{b})"
                if expr.op in ("=", "!=") and expr.left.type.kind is p.K.TRUTH:
                    a, b = f"bool({a})", f"bool({b})"
                if expr.op == "*" and not (self._fixed(expr.left) or self._fixed(expr.right)):
                    return f"times({a}, {b})"
                return f"({a} {COMPARISONS.get(expr.op, expr.op)} {b})"
            case _:
                assert_never(expr)

    def _fixed(self, expr: p.Expr) -> bool:
        """Whether a number is one of a few that the rules name."""
        if isinstance(expr, p.Conditional):
            return self._fixed(expr.then) and self._fixed(expr.otherwise)
        return self.known(expr) is not NotImplemented

    def _junction(self, expr: p.Binary) -> str:
        neutral = expr.op == "and"
        left, right = self.known(expr.left), self.known(expr.right)
        if left is neutral:
            return self.x(expr.right)
        if right is neutral:
            return self.x(expr.left)
        a = self.x(expr.left)
        with self.unhoisted():
            b = self.x(expr.right)
        return f"({a} {expr.op} {b})"

    def _call(self, expr: p.Call) -> str:
        inlined = self.analysis.inline(expr)
        if self.hoist and isinstance(inlined, p.Call):
            inlined = self.analysis.inline(self._named(inlined))
        if not isinstance(inlined, p.Call):
            return self.x(inlined)
        call = self.call_text(inlined)
        return f"{call}[0]" if expr.type.kind in WITH_PLACE else call

    def _named(self, expr: p.Call) -> p.Call:
        """A call with names for its arguments (no cards: these are more than a text), so that it
        can be written out in place."""
        if all(map(is_atom, expr.args)) or not self.analysis.small(expr):
            return expr
        args: list[p.Expr] = []
        for arg in expr.args:
            if not is_atom(arg) and arg.type.kind in _NAMEABLE:
                self._named_args += 1
                var = p.Var(-self._named_args, "argument", arg.type)
                self.env[var.id] = Code(self.atom(self.stored(arg)))
                args.append(p.VarRef(var, arg.type, arg.span))
            else:
                args.append(arg)
        return evolve(expr, args=tuple(args))

    def call_text(self, expr: p.Call) -> str:
        """A call of a value's function; cards go as face and place."""
        value = self.program.values[expr.value]
        self.values_used[expr.value] = value
        args = self.arguments(value.params, expr.args)
        name = self.ident("f_", expr.value, self.program.values)
        return self.counted(expr, f"{name}({', '.join(['s', *args])})")

    def counted(self, question: p.Expr, text: str) -> str:
        """The text of a question, which counts that it is asked where that may be too often."""
        if self.looks and (type(question), question.span) in self.looks:
            return f"(look() or {text})"
        return text

    def arguments(self, params: tuple[p.Var, ...], args: tuple[p.Expr, ...]) -> list[str]:
        texts: list[str] = []
        for var, arg in zip(params, args, strict=True):
            texts += [code for _, code in self.bound(var, arg)]
        return texts

    def bound(self, var: p.Var, arg: p.Expr) -> list[tuple[str, str]]:
        """The names a parameter takes, each with the text of its value."""
        if var.type.kind is p.K.CARD:
            self._note_top(var, arg)
            card = self.card(arg)
            return [(f"v{var.id}", card.text), (f"q{var.id}", place_of(card))]
        if var.type.kind is p.K.PLAY:
            play = self.play(arg)
            return [(f"v{var.id}", play.text), (f"q{var.id}", play.pid or "None")]
        return [(f"v{var.id}", self.stored(arg))]

    def _note_top(self, var: p.Var, arg: p.Expr) -> None:
        """Remember variables for the topmost card of a place: of equal ones it is the last."""
        if self.is_topmost(arg):
            self.topmost.add(var.id)

    def is_topmost(self, card: p.Expr) -> bool:
        """Whether a card is (or may be) the topmost of its place."""
        if isinstance(card, p.Conditional):
            return self.is_topmost(card.then) or self.is_topmost(card.otherwise)
        if isinstance(card, p.VarRef):
            return card.var.id in self.topmost
        if isinstance(card, p.Call):
            return self.is_topmost(self.program.values[card.value].body)
        if isinstance(card, p.First | p.Filter | p.Sorted | p.Best | p.Without):
            return self.is_topmost(card.source)
        return isinstance(card, p.Top)

    def param_names(self, params: tuple[p.Var, ...]) -> list[str]:
        names: list[str] = []
        for var in params:
            names.append(f"v{var.id}")
            if var.type.kind in (p.K.CARD, p.K.PLAY):
                names.append(f"q{var.id}")
        return names


def lying(card: Code) -> str:
    """The id of the place a card lies in: as it was found there, else looked for."""
    return f"locate(s.P, {card.text})" if card.pid in UNKNOWN else str(card.pid)


def place_of(card: Code) -> str:
    """The same for a card that may be none."""
    return f"whereabouts(s.P, {card.text})" if card.pid in UNKNOWN else str(card.pid)


def offset(base: int, code: str) -> str:
    """`base + code`, worked out where code is a number."""
    if code.isdigit():
        return str(base + int(code))
    return f"{base} + {code}" if base else code


def simple(code: str) -> bool:
    """Whether text is cheap to evaluate twice: a name, number, attribute or one subscript."""
    return code.replace("[", "").replace("]", "").replace(".", "").replace("_", "").isalnum()
