"""Cards that everyone would see: a track is open to all, so it can't keep a hidden one."""

from __future__ import annotations

from attrs import define, field

from dsl import program as p
from dsl.context import Context
from dsl.walk import everything


def shown_by_tracks(program: p.Program, c: Context) -> None:
    """Tracks set to a card from a place not everyone sees, unless some rule shows it."""
    origins = _Origins(program)
    for node in everything(program):
        if isinstance(node, p.SetTrack) and program.tracks[node.name].type == p.CARD:
            hidden = origins.hidden_places(node.value)
            if hidden:
                _report(program, node, min(hidden), c)


def _report(program: p.Program, node: p.SetTrack, place: str, c: Context) -> None:
    kind = program.places[place]
    who = "nobody sees" if kind.sight == "down" else "only its owner sees"
    c.findings.error(
        "R0409",
        f"everyone would see the card that `{node.name}` keeps, but it lies in a place {who}: "
        f"`{place}`",
        node.origin.span,
        "what a track keeps is open to all",
        related=[(kind.origin.span, f"`{place}` is declared here")],
        suggestion="move the card to a place that is face up, or `reveal` it",
    )


@define(eq=False)
class _Origins:
    """Where the cards that names stand for come from, and which of them some rule shows."""

    program: p.Program
    made: dict[p.Var, list[p.Expr]] = field(factory=dict)
    shown: set[p.Var] = field(factory=set)
    open: set[str] = field(factory=set)  # places that all see, always or once they are revealed

    def __attrs_post_init__(self) -> None:
        self.open.update(name for name in self.program.places if self._sees_all(name))
        for node in everything(self.program):
            match node:
                case p.SetVar(var=var, value=value):
                    self.made.setdefault(var, []).append(value)
                case p.Branch(var=p.Var() as var, pick=p.PickCard(source=source)):
                    self.made.setdefault(var, []).append(source)
                case p.Each(var=var, source=source):
                    self.made.setdefault(var, []).append(source)
                case p.Do(action=name, args=args):
                    self._arguments(self.program.actions[name].params, args)
                    # the action may show it
                    self.shown.update(arg.var for arg in args if isinstance(arg, p.VarRef))
                case p.Call(value=name, args=args):
                    self._arguments(self.program.values[name].params, args)
                case p.Move(cards=p.VarRef(var=var), to=to) if self._sees_all(to.place):
                    self.shown.add(var)
                case p.Reveal(places=places):
                    self.open.update(place.place for place in places)

    def _sees_all(self, place: str) -> bool:
        return self.program.places[place].sight == "up"

    def _arguments(self, params: tuple[p.Var, ...], args: tuple[p.Expr, ...]) -> None:
        for param, arg in zip(params, args, strict=True):
            self.made.setdefault(param, []).append(arg)

    def hidden_places(self, value: p.Expr) -> set[str]:
        """The places a card may come from that not everyone sees, as far as can be told."""
        found: set[str] = set()
        seen: set[p.Var] = set()
        waiting: list[p.Expr | p.PlaceRef | p.PlacesOf] = [value]
        while waiting:
            match waiting.pop():
                case p.VarRef(var=var) if var not in seen and var not in self.shown:
                    seen.add(var)
                    waiting += self.made.get(var, [])
                case p.Conditional(then=then, otherwise=otherwise):
                    waiting += [then, otherwise]
                case p.Call(value=name):
                    waiting.append(self.program.values[name].body)
                case p.CardsIn(places=places):
                    waiting += places
                case p.Top(place=place):
                    waiting.append(place)
                case p.First() | p.Filter() | p.Sorted() | p.Best() | p.Without() as chosen:
                    waiting.append(chosen.source)
                case p.PlaceRef(place=name) | p.PlacesOf(place=name):
                    found.add(name)
        return found - self.open
