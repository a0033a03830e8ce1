"""Which plays may have their cards in several places, or in none that is known.

Used by the code generator. Where a play surely comes from one place, its cards move as one; else
where each of them lies goes along with the play (`interpreter.plays.Shapes.placed`). What is said
here is cautious: a play that is taken for spread may still turn out to lie in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dsl import program as p
from dsl.walk import everything, walk

Inline = Callable[[p.Expr], p.Expr]


class Spread:
    """The variables of a Program whose plays may be spread. inline: writes small values out."""

    def __init__(self, program: p.Program, inline: Inline) -> None:
        self._program = program
        self._inline = inline
        self._plain: set[int] = set()  # variables for several cards picked from one place
        self._vars: set[int] = set()
        if not program.shapes:
            return
        nodes = [*everything(program), *walk(tuple(program.bots.values()))]
        for node in nodes:
            match node:
                case p.Branch(var=p.Var(id=var), pick=p.PickCards(source=source)):
                    self._plain |= {var} if self.one_place(source) else set()
        self._asked = {node.origin.path: node for node in nodes if isinstance(node, p.Choose)}
        bound = [pair for node in nodes for pair in self._bound(node)]
        before = -1
        while before < len(self._vars):
            before = len(self._vars)
            self._vars |= {var.id for var, value in bound if self.of(value)}

    def of(self, expr: p.Expr) -> bool:
        """Whether a play, or plays, may be spread."""
        match expr:
            case p.VarRef():
                return expr.var.id in self._vars
            case p.Plays():
                return not self.one_place(expr.source)
            case p.First() | p.Filter() | p.Sorted() | p.Best():
                return self.of(expr.source)
            case p.Conditional():
                return self.of(expr.then) or self.of(expr.otherwise)
            case p.Call():
                return self.of(self._program.values[expr.value].body)
            case _:
                return True  # a tracked play: where its cards lie is not known

    def one_place(self, cards: p.Expr) -> bool:
        """Whether cards surely lie in one place, which is known."""
        match self._inline(cards):
            case p.CardsIn(places=(p.PlaceRef(),)) | p.Top():
                return True
            case p.Filter(source=source) | p.Sorted(source=source) | p.Best(source=source):
                return self.one_place(source)
            case p.Without(source=source):
                return self.one_place(source)
            case p.PlayPart(play=play):
                return not self.of(play)
            case p.VarRef(var=var):
                return var.id in self._plain
            case _:
                return False

    def _bound(self, node: object) -> Iterator[tuple[p.Var, p.Expr]]:
        """Variables for plays, each with what it is bound to."""
        match node:
            case p.Branch(var=p.Var() as var, pick=p.PickOne(source=value)):
                pairs = [(var, value)]
            case p.SetVar(var=var, value=value):
                pairs = [(var, value)]
            case (
                p.Each(var=var, source=value)
                | p.Filter(var=var, source=value)
                | p.Sorted(var=var, source=value)
                | p.Best(var=var, source=value)
                | p.Fold(var=var, source=value)
            ):
                pairs = [(var, value)]
            case p.BotChoice(path=path, wishes=wishes):
                pairs = [pair for w in wishes for pair in self._seen(path, w.way, w.var)]
            case p.Trigger(path=path, way=int(way), var=var):
                pairs = self._seen(path, way, var)
            case p.Do(args=args):
                pairs = [*zip(self._program.actions[node.action].params, args, strict=True)]
            case p.Call(args=args) if node.value in self._program.values:
                pairs = [*zip(self._program.values[node.value].params, args, strict=True)]
            case _:
                pairs = []
        return ((var, value) for var, value in pairs if var.type.kind is p.K.PLAY)

    def _seen(self, path: str, way: int, var: p.Var | None) -> list[tuple[p.Var, p.Expr]]:
        """What a bot looks at, among the options of a way of a choice."""
        pick = self._asked[path].branches[way].pick if path in self._asked else None
        return [(var, pick.source)] if var is not None and isinstance(pick, p.PickOne) else []
