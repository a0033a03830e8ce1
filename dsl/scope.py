"""Who is who, and which local names can be seen, at one point of a ruleset.

The rules, which the reference repeats for designers:

- `me` is the acting player. `each player` (without a name of its own), `turn of` and `go round` set
  it; so do a role's hook (its holder) and a value `of player` (that player). In actions and effects
  it is their caller's; in setup and in phases outside all that it is the first player.
- The *subject* is whose `hand` or `coins` a bare name means: me, except in `where` and `by` over
  players, where it is the player being looked at.
- `they` (`them`, `their`) is the player last named: by a choice of a player, by a loop that named
  one, or, inside `where` and `by` over players, the player being looked at.
- `it` (`its`) is the value last chosen, the card or value being looked at, or a loop's card.
- The *candidate* is the card, value or play being looked at in `where` and `by`: bare properties
  (`suit`, `number`, `owner`) are its.
- A named value means what its text would mean where it is used: `me` and the subject are handed on.
- A local name (parameter, loop name, label, choice, assigned) can be seen from where it is made to
  the end of the block it is made in.
"""

from __future__ import annotations

from itertools import count

from attrs import define, field

from dsl import program as p


@define(eq=False)
class Local:
    """A local name and where it was made. `var` None: it has no type, which has been reported.
    `given`: by `NAME = …`, not by a choice, a loop or what is looked at."""

    var: p.Var | None
    span: p.Span
    given: bool = False


class Routine:
    """One body of rules with its own variables: an action, a value, a phase …

    In a value, `me` and the subject become hidden parameters when the body turns out to need them.
    """

    def __init__(self, ids: count[int], me: p.Var | None = None):
        self.ids = ids
        self.own_me = me
        self.hidden: dict[str, p.Var] = {}

    def var(self, name: str, kind: p.Type) -> p.Var:
        return p.Var(next(self.ids), name, kind)

    def me(self) -> p.Var:
        return self.own_me or self.hide("me")

    def subject(self) -> p.Var:
        return self.own_me or self.hide("subject")

    def hide(self, role: str) -> p.Var:
        if role not in self.hidden:
            self.hidden[role] = self.var("me" if role == "me" else "whose", p.PLAYER)
        return self.hidden[role]


@define(eq=False)
class Scope:
    """A block's view. `child` opens a block: what changes in it does not reach back."""

    routine: Routine
    names: dict[str, Local] = field(factory=dict)
    me: p.Var | None = None
    subject: p.Var | None = None
    they: p.Var | None = None
    it: p.Var | None = None
    candidate: p.Var | None = None
    parent: Scope | None = None
    unsure: bool = False  # below an error: `it` and `they` may be what could not be understood
    inner: list[Scope] = field(factory=list)  # the blocks in this one, as they were opened

    def child(self) -> Scope:
        made = Scope(
            self.routine,
            {},
            self.me,
            self.subject,
            self.they,
            self.it,
            self.candidate,
            self,
            self.unsure,
        )
        self.inner.append(made)
        return made

    def find(self, name: str) -> Local | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def ended(self, name: str) -> tuple[Scope, Local] | None:
        """Where a name that can't be seen here was made last, in a block of these rules."""
        top = self
        while top.parent is not None:
            top = top.parent
        found, waiting = None, [top]
        while waiting:
            scope = waiting.pop()
            if name in scope.names:
                local = scope.names[name]
                if found is None or _place(local) > _place(found[1]):
                    found = scope, local
            waiting += scope.inner
        return found

    def visible(self) -> list[str]:
        scope: Scope | None = self
        names: list[str] = []
        while scope is not None:
            names += scope.names
            scope = scope.parent
        return names

    def locals(self) -> dict[str, Local]:
        """The local names as they are now, the innermost of each."""
        return {name: local for name in self.visible() if (local := self.find(name)) is not None}

    def acting(self) -> p.Var:
        return self.me or self.routine.me()

    def whose(self) -> p.Var:
        return self.subject or self.me or self.routine.subject()

    def acts(self, me: p.Var) -> Scope:
        """A block in which another player acts."""
        inner = self.child()
        inner.me, inner.subject = me, None
        return inner

    def looks(self) -> bool:
        """Whether this is inside `where` or `by`."""
        return self.subject is not None or self.candidate is not None

    def looking_at(self, var: p.Var) -> Scope:
        """Inside `where` or `by`: `var` is the player, card, value or play being looked at."""
        inner = self.child()
        if var.type.kind is p.K.PLAYER:
            inner.subject = inner.they = var
        else:
            inner.it = inner.candidate = var
        return inner


def _place(local: Local) -> tuple[int, int]:
    return local.span.line, local.span.column
