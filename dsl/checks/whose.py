"""Things of a player that are P1's only because nobody's turn it is. Warnings.

Outside of turns, loops over players and the like, `me` is the first player. There a bare `hand` or
`coins` reads as if it were everybody's, or the winner's, and is P1's. `my hand` says so, and is
taken to be meant. The same in an action, an effect or a moment that is come to from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from attrs import define, field

from dsl import program as p
from dsl.context import Context
from dsl.source_text import source_text
from dsl.walk import walk

Owned: TypeAlias = p.PlaceRef | p.TokenCount | p.Marked | p.TrackRef | p.Call | p.SetTrack
SAID = ("me", "my")


def bare_things_of_nobody(program: p.Program, c: Context) -> None:
    """Bare places, tokens, marks, tracks and values of players where `me` is only the default."""
    if program.players != (1, 1):
        finder = _Finder(program, c)
        finder.look(program.setup, program.setup_me, None)
        for phase in program.phases:
            finder.look(phase.body, program.phase_me, None)


@define(eq=False)
class _Finder:
    program: p.Program
    context: Context
    told: set[tuple[str, int, int]] = field(factory=set)
    seen: set[p.Var] = field(factory=set)  # who acts in the actions and effects looked at

    def look(self, root: Any, me: p.Var, through: p.Span | None) -> None:
        """Tell what is bare below `root` and of `me`; `through`: where play comes here from."""
        for node in walk(root):
            for var, body in self.leads_to(node, me):
                if var not in self.seen:
                    self.seen.add(var)
                    self.look(body, var, through or node.origin.span)
            for owner in owners(node):
                if owner.var is me and not self.is_said(owner.span):
                    self.tell(owner.span, through)

    def leads_to(self, node: Any, me: p.Var) -> Iterator[tuple[p.Var, Any]]:
        """What is done by the same `me`: who that is there, and its rules."""
        match node:
            case p.Do(action=name, args=(p.VarRef(var=var), *_)) if var is me:
                action = self.program.actions[name]
                yield action.params[0], action.body
            case p.Apply(family=name, me=p.VarRef(var=var)) if var is me:
                for effect in self.program.families[name].effects:
                    yield effect.me, effect.body
            case p.Moment(name=name, me=p.VarRef(var=var)) if var is me:
                for hook in self.program.hooks:
                    if hook.moment == name and hook.role is None:
                        yield hook.me, (hook.when, hook.body)

    def is_said(self, span: p.Span) -> bool:
        return source_text(self.program, span) in SAID

    def tell(self, span: p.Span, through: p.Span | None) -> None:
        at = (span.file, span.line, span.column)
        if at in self.told:
            return
        self.told.add(at)
        word = source_text(self.program, span)
        related = [] if through is None else [(through, "it is done from here, outside any turn")]
        self.context.findings.warning(
            "R0507",
            f"`{word}` is P1's here: it is nobody's turn, so `me` is the first player",
            span,
            related=related,
            suggestion=f"say whose: `{word} of …`, or `any player where {word} …`; "
            f"`my {word}` if it is to be P1's",
        )


def owners(node: Any) -> Iterator[p.VarRef]:
    """Whose the thing is that a node names."""
    match node:
        case p.PlaceRef() | p.TokenCount() | p.Marked() | p.TrackRef() | p.SetTrack():
            if isinstance(node.player, p.VarRef):
                yield node.player
        case p.Call():
            for arg in node.args:
                if isinstance(arg, p.VarRef):
                    yield arg
