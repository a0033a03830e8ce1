"""What the generator must know of a Program before it writes: which statements stop to ask, what
expressions read, and named values written out where they are used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from dsl import program as p
from dsl.walk import bodies
from interpreter.codegen.spread import Spread

Node = Any  # an Expr, Stmt, Pick, Branch, Key or place reference of dsl.program

_INLINE_NODES = 40
_INLINE_ACTION = 50
_WRITTEN_OUT = 1000
"""Most nodes of a value (an action) that is written out where it is used: its own, and with those
of all values (actions) that are written out in it."""
_DEEPEST = 10
"""Most loops inside each other that are loops in Python too. Python takes 20 blocks inside each
other; what is searched for inside the innermost loop needs some of its own."""


def children(node: Node) -> Iterator[Node]:
    """The direct parts of a node that are nodes themselves (variables and origins are none)."""
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, tuple):
            for item in value:
                if _is_node(type(item)):
                    yield item
        elif _is_node(type(value)):
            yield value


_FIELDS: dict[type, tuple[str, ...]] = {}
_IS_NODE: dict[type, bool] = {}


def _fields(kind: type) -> tuple[str, ...]:
    if kind not in _FIELDS:
        skipped = ("span", "type", "origin", "names")
        _FIELDS[kind] = tuple(a.name for a in attrs.fields(kind) if a.name not in skipped)
    return _FIELDS[kind]


def _is_node(kind: type) -> bool:
    if kind not in _IS_NODE:
        none = (p.Var, p.Origin, p.Span, p.Type)
        _IS_NODE[kind] = attrs.has(kind) and not issubclass(kind, none)
    return _IS_NODE[kind]


def walk(node: Node) -> Iterator[Node]:
    """A node and everything in it."""
    yield node
    for child in children(node):
        yield from walk(child)


def _roots(part: p.Value | p.Action) -> tuple[Node, ...]:
    return (part.body,) if isinstance(part, p.Value) else part.body


def reads(expr: Node, var: p.Var) -> bool:
    """Whether an expression reads a variable."""
    return any(isinstance(n, p.VarRef) and n.var is var for n in walk(expr))


def reads_only_owner(expr: Node, var: p.Var) -> bool:
    """Whether an expression reads a card variable for nothing but its owner."""
    if isinstance(expr, p.OwnerOf) and isinstance(expr.card, p.VarRef) and expr.card.var is var:
        return True
    if isinstance(expr, p.VarRef):
        return expr.var is not var
    return all(reads_only_owner(child, var) for child in children(expr))


def conjuncts(expr: p.Expr) -> list[p.Expr]:
    """The parts of `a and b and …`."""
    if isinstance(expr, p.Binary) and expr.op == "and":
        return conjuncts(expr.left) + conjuncts(expr.right)
    return [expr]


def is_atom(expr: p.Expr) -> bool:
    """Whether writing an expression twice costs nothing and means the same."""
    if isinstance(expr, p.OwnerOf):
        return isinstance(expr.card, p.VarRef)
    return isinstance(expr, (p.Const, p.OptionRef, p.PlayerCount, p.VarRef, p.TrackRef)) and not (
        isinstance(expr, p.TrackRef) and expr.player is not None
    )


def substitute(node: Node, args: dict[int, p.Expr]) -> Node:
    """A copy of an expression with variables replaced (all variables of a Program differ, so
    nothing can be captured)."""
    if isinstance(node, p.VarRef):
        return args.get(node.var.id, node)
    changes = {}
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, tuple):
            new = tuple(substitute(i, args) if _is_node(type(i)) else i for i in value)
            if any(a is not b for a, b in zip(new, value, strict=True)):
                changes[name] = new
        elif _is_node(type(value)):
            new_value = substitute(value, args)
            if new_value is not value:
                changes[name] = new_value
    return attrs.evolve(node, **changes) if changes else node


def same(a: Node, b: Node, pairs: dict[int, int] | None = None) -> bool:
    """Whether two expressions are the same but for the names of their candidates."""
    pairs = {} if pairs is None else pairs
    if type(a) is not type(b):
        return False
    if isinstance(a, p.Var):
        return bool(pairs.setdefault(a.id, b.id) == b.id)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(same(x, y, pairs) for x, y in zip(a, b, strict=True))
    if not attrs.has(type(a)) or isinstance(a, p.Type):
        return bool(a == b)
    return all(same(getattr(a, f), getattr(b, f), pairs) for f in _fields(type(a)))


class Analysis:
    """Facts about one Program's routines."""

    def __init__(self, program: p.Program) -> None:
        self.program = program
        self._hooks: dict[str, list[p.Hook]] = {}
        for hook in program.hooks:
            self._hooks.setdefault(hook.moment, []).append(hook)
        self._effects = {(f.name, e.key): e for f in program.families.values() for e in f.effects}
        self._splits: dict[int, bool] = {}
        self._heights: dict[int, int] = {}
        self._sizes: dict[int, int | None] = {}
        self.looks: object = None  # see `looks`, which keeps what it finds here
        self._inlined: dict[int, tuple[p.Call, p.Expr]] = {}
        self.sites: dict[int, int] = {}
        self.assigned: set[int] = set()  # variables that a statement sets
        self.reassigned: set[int] = set()
        self.somebody: set[int] = {program.setup_me.id, program.phase_me.id}  # never nobody
        self._count_sites()
        self.spread = Spread(program, self.inline)

    def hooks(self, moment: str) -> list[p.Hook]:
        """Hooks of a moment: by role in declared order, then those without a role."""
        hooks = self._hooks.get(moment, [])
        return sorted(hooks, key=lambda h: (h.role is None, h.role or 0))

    def effects(self, family: str) -> tuple[p.Effect, ...]:
        return self.program.families[family].effects

    def routine_splits(self, body: tuple[p.Stmt, ...]) -> bool:
        """Whether running a routine may stop to ask, or end something outside it."""
        return any(self.splits(s) for s in body) or self._escapes(body, ())

    def splits(self, stmt: p.Stmt) -> bool:
        """Whether a statement can't be plain structured Python: it may stop to ask, or holds too
        many loops inside each other."""
        known = self._splits.get(id(stmt))
        if known is None:
            known = self._splits[id(stmt)] = self._compute(stmt)
        return known

    def _compute(self, stmt: p.Stmt) -> bool:
        match stmt:
            case p.Choose() | p.AtOnce():
                return True
            case p.If():
                return any(map(self.splits, stmt.then + stmt.otherwise))
            case p.Do():
                return self.routine_splits(self.program.actions[stmt.action].body)
            case p.Apply():
                return any(self.routine_splits(e.body) for e in self.effects(stmt.family))
            case p.Moment():
                return any(self.routine_splits(h.body) for h in self.hooks(stmt.name))
            case p.Repeat() | p.Each() | p.Turn() | p.While() | p.GoRound():
                parts = any(map(self.splits, stmt.body)) or self._inner_end(stmt)
                return parts or self._height(stmt) > _DEEPEST
            case _:
                return False

    def _height(self, stmt: p.Stmt) -> int:
        """How many loops stand inside each other in a statement and in all that it runs."""
        known = self._heights.get(id(stmt))
        if known is None:
            loop = isinstance(stmt, (p.Repeat, p.Each, p.While, p.GoRound))
            known = self._heights[id(stmt)] = loop + self._inner_height(stmt)
        return known

    def _inner_height(self, stmt: p.Stmt) -> int:
        match stmt:
            case p.If():
                inner = stmt.then + stmt.otherwise
            case p.Repeat() | p.Each() | p.Turn() | p.While() | p.GoRound():
                inner = stmt.body
            case _:
                inner = tuple(s for routine in self._routines(stmt) for s in routine.body)
        return max(map(self._height, inner), default=0)

    def _inner_end(self, loop: p.Repeat | p.Each | p.Turn | p.While | p.GoRound) -> bool:
        """Whether a loop inside this one (or a Turn, no loop in Python) ends a run of this one."""
        if isinstance(loop, p.Turn):
            return any(isinstance(n, p.End) for s in loop.body for n in walk(s))
        inner = [n for s in loop.body for n in walk(s)]
        loops = (p.Repeat, p.Each, p.While, p.GoRound)
        return any(
            isinstance(n, p.End) and n.what == loop.label
            for m in inner if isinstance(m, loops)
            for s in m.body for n in walk(s)
        )  # fmt: skip

    def ends_in(self, loop: p.Repeat) -> bool:
        """Whether an end stands in a loop itself: then Python has to have a loop there, too."""
        return any(isinstance(node, p.End) for stmt in loop.body for node in walk(stmt))

    def leaves(self, loop: p.While) -> bool:
        """Whether anything that a loop runs may end more than a run of its own."""
        done: set[int] = set()
        todo: list[p.Stmt] = list(loop.body)
        while todo:
            for node in walk(todo.pop()):
                if isinstance(node, p.End):
                    return True
                for routine in self._routines(node):
                    if id(routine) not in done:
                        done.add(id(routine))
                        todo += routine.body
        return False

    def ends_of(self, routine: p.Action | p.Effect | p.Hook) -> list[tuple[str, str]]:
        """The loops that a routine, or what it runs, may end or leave, as `End.key` and label; also
        those of its own."""
        found: dict[str, str] = {}
        done = {id(routine)}
        todo: list[p.Stmt] = list(routine.body)
        while todo:
            for node in walk(todo.pop()):
                if isinstance(node, p.End) and node.what not in ("phase", "game"):
                    found[node.key] = node.what
                for inner in self._routines(node):
                    if id(inner) not in done:
                        done.add(id(inner))
                        todo += inner.body
        return sorted(found.items())

    def _routines(self, node: Node) -> list[p.Action | p.Effect | p.Hook]:
        """What a statement runs that stands elsewhere."""
        match node:
            case p.Do():
                return [self.program.actions[node.action]]
            case p.Apply():
                return list(self.effects(node.family))
            case p.Moment():
                return list(self.hooks(node.name))
            case _:
                return []

    def _escapes(self, body: tuple[p.Stmt, ...], inside: tuple[str, ...]) -> bool:
        for stmt in body:
            if isinstance(stmt, p.End):
                if stmt.what not in inside:
                    return True
            elif isinstance(stmt, p.If):
                if self._escapes(stmt.then + stmt.otherwise, inside):
                    return True
            elif isinstance(stmt, (p.Repeat, p.Each, p.Turn, p.While, p.GoRound)) and (
                self._escapes(stmt.body, (*inside, stmt.label))
            ):
                return True
        return False

    def _count_sites(self) -> None:
        """How many statements run each action, effect and hook; which variables are set twice."""
        program = self.program
        for body in bodies(program):
            for stmt in body:
                for node in walk(stmt):
                    if isinstance(node, p.Each | p.Turn | p.GoRound | p.AtOnce):
                        self.somebody.add((node.me if isinstance(node, p.AtOnce) else node.var).id)
                    if isinstance(node, p.SetVar):
                        if node.var.id in self.assigned:
                            self.reassigned.add(node.var.id)
                        self.assigned.add(node.var.id)
                    elif isinstance(node, p.Do):
                        self._site(id(program.actions[node.action]))
                    elif isinstance(node, p.Apply):
                        for effect in self.effects(node.family):
                            self._site(id(effect))
                    elif isinstance(node, p.Moment):
                        for hook in self.hooks(node.name):
                            self._site(id(hook))

    def _site(self, key: int) -> None:
        self.sites[key] = self.sites.get(key, 0) + 1

    def small(self, expr: p.Call) -> bool:
        """Whether a value is short enough to be written out in place."""
        return self._size(self.program.values[expr.value]) is not None

    def small_action(self, stmt: p.Do) -> bool:
        """Whether an action is short enough to be written out in place."""
        return self._size(self.program.actions[stmt.action]) is not None

    def _size(self, part: p.Value | p.Action) -> int | None:
        """How many nodes a part has when all that is short enough is written out in it; None if
        it is too long to be written out itself."""
        if id(part) not in self._sizes:
            nodes = [n for root in _roots(part) for n in walk(root)]
            most = _INLINE_NODES if isinstance(part, p.Value) else _INLINE_ACTION
            size = len(nodes) if len(nodes) <= most else None
            if size is not None:
                size += sum(self._size(inner) or 0 for n in nodes for inner in self._named(n))
                size = size if size <= _WRITTEN_OUT else None
            self._sizes[id(part)] = size
        return self._sizes[id(part)]

    def _named(self, node: Node) -> list[p.Value | p.Action]:
        """The value or action that a node names."""
        if isinstance(node, p.Call):
            return [self.program.values[node.value]]
        return [self.program.actions[node.action]] if isinstance(node, p.Do) else []

    def inline(self, expr: p.Expr) -> p.Expr:
        """A call of a small value with simple arguments, written out; else the expression."""
        if not isinstance(expr, p.Call):
            return expr
        kept = self._inlined.get(id(expr))
        if kept is None:  # kept with the call, so that no other object gets its id
            kept = self._inlined[id(expr)] = (expr, self._written_out(expr))
        return kept[1]

    def _written_out(self, expr: p.Expr) -> p.Expr:
        while isinstance(expr, p.Call):
            value = self.program.values[expr.value]
            if not all(map(is_atom, expr.args)) or not self.small(expr):
                return expr
            args = {v.id: a for v, a in zip(value.params, expr.args, strict=True)}
            expr = substitute(value.body, args)
        return expr
