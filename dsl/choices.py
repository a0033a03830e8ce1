"""Choices: who chooses, among what, and what the answer is called afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.context import Context
from dsl.locals import fresh
from dsl.program import K
from dsl.scope import Local, Scope
from dsl.selections import look_at, select
from dsl.site import Site
from dsl.type_names import NUMBERS, called
from dsl.unknown import means_nothing, meant_by

Body: TypeAlias = Callable[[Context, Iterable[n.Stmt], Scope, Site], tuple[p.Stmt, ...]]


def lower_choose(
    c: Context, node: n.Choose, scope: Scope, site: Site, body: Body
) -> p.Choose | None:
    name = node.name.text
    path = f"{site.block}/{name}"
    new = _register(c, node, path)
    c.choice_locals.setdefault(path, scope.locals())
    chooser: p.Expr | None = p.VarRef(scope.acting(), p.PLAYER, node.span)
    if node.chooser is not None:
        chooser = c.player(node.chooser, scope, "`choose`")
    if node.pick is not None:
        one = _nameless(c, node, node.pick, scope, site, path, body, new)
        branches = [one] if one is not None else None
    else:
        branches = _ways(c, node, scope, site, path, body)
    if chooser is None or branches is None:
        return None
    origin = site.origin(node.span, node.tags, path)
    return p.Choose(name, chooser, node.if_any, tuple(branches), origin)


def _register(c: Context, node: n.Choose, path: str) -> bool:
    """Choices are found by their path, so a block can't have two of one name."""
    first = c.choice_spans.get(path)
    if first is not None:
        c.findings.error(
            "R0373",
            f"there are two choices called `{node.name.text}` in this block",
            node.name.span,
            related=[(first, "the first one is here")],
            suggestion="give one of them another name",
        )
        return False
    c.choice_spans[path] = node.name.span
    c.choices[path] = node.name.names
    if node.prompt:
        c.prompts[path] = p.Names(node.prompt, node.prompt_others)
    return True


def _nameless(
    c: Context,
    node: n.Choose,
    pick: n.Pick,
    scope: Scope,
    site: Site,
    path: str,
    body: Body,
    new: bool,
) -> p.Branch | None:
    """`choose NAME: PICK`; the name then stands for the answer, to the end of the block."""
    made = lower_pick(c, pick, scope)
    var = None if made is None else scope.routine.var(node.name.text, made.type)
    if not new or fresh(c, node.name.word, "the name of a choice", scope):
        scope.names[node.name.text] = Local(var, node.name.span)
    if var is not None:
        note_answer(scope, var)
    inner = scope.child() if var is not None else _after_error(scope)
    statements = body(c, node.body, inner, site.inside(node.tags, path))
    if made is None or var is None:
        return None
    origin = site.origin(node.span, node.tags, path)
    return p.Branch("", made, var, None, False, statements, origin)


def _after_error(scope: Scope) -> Scope:
    """Below a choice that could not be understood: `it` and `they` are there, but unknown."""
    inner = scope.child()
    inner.unsure = True
    return inner


def note_answer(scope: Scope, var: p.Var) -> None:
    """The answer is `it`, or `they` if it is a player or several cards."""
    if var.type.kind in (K.PLAYER, K.CARDS):
        scope.they = var
    else:
        scope.it = var


def _ways(
    c: Context, node: n.Choose, scope: Scope, site: Site, path: str, body: Body
) -> list[p.Branch] | None:
    made: list[p.Branch | None] = []
    seen: dict[str, p.Span] = {}
    for branch in node.branches:
        name = branch.name
        if name.text in seen:
            c.findings.error(
                "R0374",
                f"two ways of this choice are called `{name.text}`",
                name.span,
                related=[(seen[name.text], "the first one is here")],
            )
        seen[name.text] = name.span
        c.choices[f"{path}/{name.text}"] = name.names
        outer = site.inside(node.tags)
        made.append(_way(c, branch, scope, outer, f"{path}/{name.text}", body))
    good = [branch for branch in made if branch is not None]
    return good if len(good) == len(made) and good else None


def _way(
    c: Context, node: n.Branch, scope: Scope, site: Site, path: str, body: Body
) -> p.Branch | None:
    when = None if node.when is None else c.truth(node.when, scope, "`when`")
    inner = scope.child()
    pick, var = None, None
    if node.pick is not None:
        pick = None if _two_words(c, node, node.pick, scope) else lower_pick(c, node.pick, scope)
        var = None if pick is None else scope.routine.var(node.name.text, pick.type)
        if fresh(c, node.name.word, "the name of what is chosen", scope):
            inner.names[node.name.text] = Local(var, node.name.span)
        if var is not None:
            note_answer(inner, var)
        else:
            inner.unsure = True
    statements = body(c, node.body, inner, site.inside(node.tags, path))
    if (node.when is not None and when is None) or (node.pick is not None and pick is None):
        return None
    origin = site.origin(node.span, node.tags, path)
    return p.Branch(node.name.text, pick, var, when, node.otherwise, statements, origin)


def _two_words(c: Context, node: n.Branch, pick: n.Pick, scope: Scope) -> bool:
    """`go home` or `go-home` as the name of a way; `otherwise pass`."""
    if isinstance(pick, n.PickNumber | n.PickSome):
        return False
    select = pick.select
    more = (select.source, select.start, select.where, select.best, select.binder)
    head = select.head.operand if isinstance(select.head, n.Unary) else select.head
    if any(part is not None for part in more) or select.keys or not isinstance(head, n.Ref):
        return False
    if not means_nothing(c, head.word, scope):
        return False
    first, second = node.name, head.word
    span = p.Span(
        first.span.file,
        first.span.line,
        first.span.column,
        second.span.end_line,
        second.span.end_column,
    )
    if first.text == "otherwise":
        message = "`otherwise` stands behind the way that is open when no other is"
        hint = f"`{second.text} otherwise`"
    elif meant_by(c, second.text, scope):
        return False
    else:
        message = "a name is one word, without spaces or `-`"
        hint = f"`{first.text}_{second.text}`"
    c.findings.error("R0122", message, span, suggestion=hint)
    return True


def lower_pick(c: Context, node: n.Pick, scope: Scope) -> p.Pick | None:
    if isinstance(node, n.PickNumber):
        return _number(c, node, scope)
    if isinstance(node, n.PickSome) and _named_again(c, node, scope):
        return None
    chosen = select(c, node.select, scope)
    if isinstance(node, n.PickSome):
        low = c.number(node.low, scope)
        high = low if node.high is None else c.number(node.high, scope)
        if chosen is None or low is None or high is None:
            return None
        if chosen.element != p.CARD:
            what = called(chosen.element).split(" ", 1)[1]
            message = f"several cards can be chosen at a time, but only one {what}"
            c.findings.error("R0375", message, node.span)
            return None
        return p.PickCards(chosen.expr, low, high)
    if chosen is None:
        return None
    if chosen.element == p.CARD:
        return p.PickCard(chosen.expr)
    return p.PickOne(chosen.expr, chosen.element)


def _named_again(c: Context, node: n.PickSome, scope: Scope) -> bool:
    """`choose lay: card c from hand`: what is chosen has a name already."""
    head, name = node.low, node.select.head
    if not (isinstance(head, n.Ref) and isinstance(name, n.Ref)) or node.high is not None:
        return False
    named = head.word.text in ("card", "cards", "player") or c.symbols.named(
        head.word.text, s.KIND, s.ENUM_VALUE, s.SHAPE, s.ROLE
    )
    if not named or scope.find(head.word.text) is not None or c.symbols.named(name.word.text):
        return False
    scope.names[name.word.text] = Local(None, name.span)  # below it means what was chosen
    c.findings.error(
        "R0122",
        "what is chosen is called by the name of the choice, so it needs no other",
        name.span,
        suggestion=f"leave out `{name.word.text}`",
    )
    return True


def _number(c: Context, node: n.PickNumber, scope: Scope) -> p.Pick | None:
    low = c.number(node.low, scope)
    if node.high is None:
        c.findings.error(
            "R0376",
            "from which number to which?",
            node.span,
            suggestion="write both ends: `number 0..3`",
        )
        return None
    high = c.number(node.high, scope)
    if node.where is None:
        return None if low is None or high is None else p.PickNumber(low, high)
    var, inner = look_at(p.NUMBER, None, scope)
    condition = c.truth(node.where, inner, "`where`")
    if low is None or high is None or condition is None:
        return None
    numbers = p.Range(low, high, NUMBERS, node.span)
    return p.PickOne(p.Filter(numbers, var, condition, NUMBERS, node.span), p.NUMBER)
