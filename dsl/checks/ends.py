"""`end NAME` and `leave NAME` where no loop of that name is under way: an error, as nothing could
end. Found by following the rules into actions, effects and moments."""

from __future__ import annotations

from attrs import define, field

from dsl import program as p
from dsl.context import Context
from dsl.walk import children

Body = tuple[p.Stmt, ...]


def ends_of_nothing(program: p.Program, c: Context) -> None:
    """All such ends that play may come to, each once."""
    search = _Search(program, c)
    for body in (program.setup, *(phase.body for phase in program.phases)):
        search.body(body, frozenset(), None)


@define(eq=False)
class _Search:
    """`seen`: routines followed with these loops around them; `told`: the ends reported."""

    program: p.Program
    c: Context
    seen: set[tuple[int, frozenset[str]]] = field(factory=set)
    told: set[int] = field(factory=set)

    def body(self, body: Body, inside: frozenset[str], done: p.Span | None) -> None:
        for stmt in body:
            self.statement(stmt, inside, done)

    def statement(self, stmt: p.Stmt, inside: frozenset[str], done: p.Span | None) -> None:
        """`done`: what was followed to come here, if anything."""
        match stmt:
            case p.End(what=what):
                if what not in inside and what not in ("phase", "game"):
                    self.tell(stmt, done)
            case p.Repeat() | p.Each() | p.Turn() | p.While() | p.GoRound():
                around = inside | {stmt.label} if stmt.label else inside
                self.body(stmt.body, around, done)
            case p.Do(action=name):
                self.routine(self.program.actions[name].body, inside, stmt)
            case p.Apply(family=name):
                for effect in self.program.families[name].effects:
                    self.routine(effect.body, inside, stmt)
            case p.Moment(name=name):
                for hook in self.program.hooks:
                    if hook.moment == name:
                        self.routine(hook.body, inside, stmt)
            case _:
                self.body(children(stmt), inside, done)

    def routine(self, body: Body, inside: frozenset[str], stmt: p.Stmt) -> None:
        key = (id(body), inside)
        if key not in self.seen:
            self.seen.add(key)
            self.body(body, inside, stmt.origin.span)

    def tell(self, stmt: p.End, done: p.Span | None) -> None:
        if id(stmt) in self.told:
            return
        self.told.add(id(stmt))
        what = "is left" if stmt.leave else "can end"
        message = f"no loop called `{stmt.what}` is under way here, so none {what}"
        related = [] if done is None else [(done, "this is done outside of any such loop")]
        hint = f"name the loop around it: `… as {stmt.what}`; or end another one"
        self.c.findings.error("R0377", message, stmt.origin.span, suggestion=hint, related=related)
