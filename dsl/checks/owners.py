"""`owner of` a card that lies in a place which belongs to nobody: always nobody."""

from __future__ import annotations

from attrs import define, field

from dsl import program as p
from dsl.context import Context
from dsl.walk import bodies, walk

# what leaves all cards where they are
STILL = (p.SetVar, p.SetTrack, p.SetMark, p.MoveTokens, p.PassRoles, p.Reveal)


def owners_of_nothing(program: p.Program, c: Context) -> None:
    """Cards of places without owners, asked for their owner where they are taken or looked at, or
    by a name behind which no card has been moved yet."""
    finder = _Finder(program, c)
    for body in bodies(program):
        finder.block(body, {})
    finder.expr((tuple(value.body for value in program.values.values()), program.scoring), {})
    finder.expr((program.winner, tuple(hook.when for hook in program.hooks)), {})


@define(eq=False)
class _Finder:
    program: p.Program
    context: Context
    told: set[tuple[int, int]] = field(factory=set)

    def block(self, body: tuple[p.Stmt, ...], known: dict[p.Var, p.Expr]) -> None:
        named = dict(known)
        for statement in body:
            if isinstance(statement, p.If):
                self.expr(statement.condition, named)
                self.block(statement.then, named)
                self.block(statement.otherwise, named)
                if not all(isinstance(node, STILL) for node in _statements(statement)):
                    named = {}
                continue
            still = isinstance(statement, STILL)
            self.expr(statement, named if still or isinstance(statement, p.Move) else {})
            inner = getattr(statement, "body", None)
            if inner is not None:
                self.block(inner, {})
            if isinstance(statement, p.Choose | p.AtOnce):
                choice = statement if isinstance(statement, p.Choose) else statement.choice
                for branch in choice.branches:
                    self.block(branch.body, {})
            if isinstance(statement, p.SetVar):
                named[statement.var] = statement.value
            elif not still:
                named = {}

    def expr(self, root: object, named: dict[p.Var, p.Expr]) -> None:
        known = dict(named)
        nodes = list(walk(root))
        for node in nodes:
            if isinstance(node, p.Filter | p.Sorted | p.Best):
                known[node.var] = node.source
        for node in nodes:
            if isinstance(node, p.OwnerOf):
                places = self.places(node.card, known)
                if places and not any(self.program.places[name].per_player for name in places):
                    self.tell(node, places[0])

    def places(self, card: object, known: dict[p.Var, p.Expr]) -> list[str]:
        """The places a card can only come from; [] where that can't be told."""
        match card:
            case p.VarRef(var=var) if var in known:
                return self.places(known[var], {k: v for k, v in known.items() if k is not var})
            case p.First() | p.Filter() | p.Sorted() | p.Best() | p.Without():
                return self.places(card.source, known)
            case p.CardsIn(places=places):
                return [place.place for place in places]
            case p.Top(place=place):
                return [place.place]
            case p.Conditional(then=then, otherwise=otherwise):
                one, other = self.places(then, known), self.places(otherwise, known)
                return one + other if one and other else []
            case _:
                return []

    def tell(self, node: p.OwnerOf, place: str) -> None:
        at = (node.span.line, node.span.column)
        if at in self.told:
            return
        self.told.add(at)
        self.context.findings.error(
            "R0410",
            f"`{place}` belongs to nobody, so a card in it has no owner",
            node.span,
            "the owner of a card is the player in whose place it lies, not who laid it there",
            related=[(self.program.places[place].origin.span, f"`{place}` is declared here")],
            suggestion=f"declare `{place} of player`, and look for the card in `every {place}`; "
            "or keep in a track who laid it",
        )


def _statements(statement: p.If) -> list[p.Stmt]:
    """What is done in a condition's ways, without the conditions themselves."""
    found: list[p.Stmt] = []
    for inner in statement.then + statement.otherwise:
        found += _statements(inner) if isinstance(inner, p.If) else [inner]
    return found
