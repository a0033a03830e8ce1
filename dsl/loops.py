"""Loops and turns: who acts in them, what they name, and when they end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from dsl import nodes as n
from dsl import program as p
from dsl.choices import lower_choose
from dsl.context import Context
from dsl.locals import fresh
from dsl.program import K
from dsl.scope import Local, Scope
from dsl.selections import Selected, select
from dsl.site import Site

Body: TypeAlias = Callable[[Context, Iterable[n.Stmt], Scope, Site], tuple[p.Stmt, ...]]


def add_label(c: Context, label: n.Named | None, default: str = "") -> str:
    """A label's name; what it is called elsewhere is kept with the Program."""
    if label is None:
        if default:
            c.labels.setdefault(default, p.Names(default))
        return default
    known = c.labels.get(label.text)
    if known is None or not known.others:
        c.labels[label.text] = label.names
    return label.text


LOOPS = ("turn", "round", "turns", "rounds")  # what loops are called, and nothing else is


def name_of_a_loop(c: Context, word: n.Word, related: Iterable[tuple[p.Span, str]]) -> None:
    """`each player turn`: what stands there is a name for each of them."""
    c.findings.error(
        "R0377",
        f"`{word.text}` is a name for each of them here, not for the loop",
        word.span,
        related=related,
        suggestion=f"a loop is named behind `as`: `each player as {word.text}`",
    )


def repeat(c: Context, node: n.Repeat, scope: Scope, site: Site, body: Body) -> p.Stmt | None:
    count = c.number(node.count, scope, "`repeat`")
    label, inner = add_label(c, node.label), scope.child()
    var = scope.routine.var(label, p.NUMBER)
    if node.label is not None and fresh(c, node.label.word, "the name of a loop", scope):
        inner.names[label] = Local(var, node.label.span)
    made = body(c, node.body, inner, site.inside(node.tags))
    if count is None:
        return None
    return p.Repeat(count, var, label, made, site.origin(node.span, node.tags))


def each(c: Context, node: n.Each, scope: Scope, site: Site, body: Body) -> p.Stmt | None:
    chosen = select(c, node.select, scope, open_name=True)
    label = add_label(c, node.label)
    if chosen is None:
        _body_anyway(c, node, scope, site, body)
        return None
    name = _loop_name(node.select, chosen)
    binder = node.select.binder
    if binder is not None and binder.text in LOOPS:
        name_of_a_loop(c, binder, ())
    elif binder is not None:
        c.each_named.setdefault(binder.text, binder)
    var = scope.routine.var(label if name is None else name.text, chosen.element)
    inner = scope.acts(var) if _sets_me(node.select, chosen) else scope.child()
    if name is not None and fresh(c, name, "the name of a loop", scope):
        inner.names[name.text] = Local(var, name.span)
        if binder is not None:
            c.loop_names.append((var, binder))
    if chosen.element.kind is not K.PLAYER:
        inner.it = var
    elif name is not None:
        inner.they = var
    made = body(c, node.body, inner, site.inside(node.tags))
    return p.Each(chosen.expr, var, label, made, site.origin(node.span, node.tags))


def _body_anyway(c: Context, node: n.Each, scope: Scope, site: Site, body: Body) -> None:
    """Look for more errors in a loop whose head has one; its names then mean nothing known."""
    inner = scope.child()
    word = node.select.binder
    if word is None and isinstance(node.select.head, n.Ref):
        word = node.select.head.word
    if word is not None:
        inner.names[word.text] = Local(None, word.span)
    inner.unsure = True
    body(c, node.body, inner, site.inside(node.tags))


def _loop_name(node: n.Select, chosen: Selected) -> n.Word | None:
    """The name a loop gives its elements: `each card c in`, `each victim in others`."""
    if node.binder is not None:
        return node.binder
    if isinstance(node.head, n.Ref) and node.source is not None and chosen.names_each:
        return node.head.word
    return None


def _sets_me(node: n.Select, chosen: Selected) -> bool:
    """`each player …` acts; `each player p …` and `each p in …` only name."""
    if chosen.element != p.PLAYER or node.binder is not None:
        return False
    return isinstance(node.head, n.Ref) and node.head.word.text == "player"


def at_once(c: Context, node: n.AtOnce, scope: Scope, site: Site, body: Body) -> p.Stmt | None:
    chosen = select(c, node.select, scope)
    if len(node.body) != 1 or not isinstance(node.body[0], n.Choose):
        c.findings.error(
            "R0371",
            "below `at once` there is exactly one choice",
            node.span,
            "each player answers it in secret; then all answers are shown together",
            related=[
                (each.span, "this is no choice" if alone else "this is one too many")
                for each in node.body
                if (alone := not isinstance(each, n.Choose)) or each is not node.body[0]
            ],
        )
        return None
    if chosen is None:
        return None
    if chosen.element != p.PLAYER:
        c.findings.error("R0337", "only players can choose at once", node.span)
        return None
    me = scope.routine.var("", p.PLAYER)
    choice = lower_choose(c, node.body[0], scope.acts(me), site.inside(node.tags), body)
    if choice is None:
        return None
    return p.AtOnce(chosen.expr, me, choice, site.origin(node.span, node.tags))


def turn(c: Context, node: n.Turn, scope: Scope, site: Site, body: Body) -> p.Stmt | None:
    player = c.player(node.player, scope, "`turn of`")
    label = add_label(c, node.label, "turn")
    var = scope.routine.var("", p.PLAYER)
    made = body(c, node.body, scope.acts(var), site.inside(node.tags))
    if player is None:
        return None
    return p.Turn(player, var, label, made, site.origin(node.span, node.tags))


def while_loop(c: Context, node: n.While, scope: Scope, site: Site, body: Body) -> p.Stmt | None:
    condition = c.truth(node.condition, scope, "`while`")
    limit = None if node.limit is None else c.number(node.limit, scope, "`at most`")
    if node.limit is None:
        c.findings.error(
            "R0372",
            "how can one be sure that this ends?",
            node.span,
            suggestion="add a number it never reaches: `while …, at most 100 times`",
        )
    label = add_label(c, node.label)
    made = body(c, node.body, scope.child(), site.inside(node.tags))
    if condition is None or limit is None:
        return None
    return p.While(condition, limit, label, made, site.origin(node.span, node.tags))


def go_round(c: Context, node: n.GoRound, scope: Scope, site: Site, body: Body) -> p.Stmt | None:
    players = c.need(node.players, scope, p.PLAYERS, "`go round`")
    after = None if node.after is None else c.player(node.after, scope, "`after`")
    var = scope.routine.var("", p.PLAYER)
    inner = scope.acts(var)
    skipping = None if node.skipping is None else c.truth(node.skipping, inner, "`skipping`")
    until: p.Expr | None = p.Const(False, p.TRUTH, node.span)
    if node.until is not None:
        until = c.truth(node.until, scope, "`until`")
    elif node.skipping is None:
        c.findings.error(
            "R0372",
            "how can one be sure that this ends?",
            node.span,
            suggestion="say `until` when, or whom it is `skipping`: when all are skipped it ends",
        )
    label = add_label(c, node.label)
    made = body(c, node.body, inner, site.inside(node.tags))
    missing = (node.after is not None and after is None) or (
        node.skipping is not None and skipping is None
    )
    if players is None or until is None or missing:
        return None
    origin = site.origin(node.span, node.tags)
    return p.GoRound(players, after, var, skipping, until, label, made, origin)
