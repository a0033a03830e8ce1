"""What is asked about selections: how many, whether any, the first, sums, membership."""

from __future__ import annotations

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.context import Context, shown
from dsl.keys import LARGE
from dsl.names import property_of
from dsl.places import cards_source
from dsl.program import Type
from dsl.scope import Scope
from dsl.selections import elements, look_at, select
from dsl.suggest import singulars


def lower_select(c: Context, node: n.Select, scope: Scope) -> p.Expr | None:
    made = select(c, node, scope)
    return None if made is None else made.expr


def lower_quantified(c: Context, node: n.Quantified, scope: Scope) -> p.Expr | None:
    made = select(c, node.select, scope)
    if made is None:
        return None
    span = node.span
    match node.quantifier:
        case "count":
            return p.Count(made.expr, p.NUMBER, span)
        case "any":
            return p.Any_(made.expr, p.TRUTH, span)
        case "no":
            return p.Unary("not", p.Any_(made.expr, p.TRUTH, span), p.TRUTH, span)
        case _:
            return p.First(made.expr, made.element, span)


def lower_over(c: Context, node: n.Over, scope: Scope) -> p.Expr | None:
    made = select(c, node.select, scope)
    if made is None:
        return None
    op = "sum" if node.op == "sum" else "highest" if node.op in LARGE else "lowest"
    var, inner = look_at(made.element, node.select.binder, scope)
    expr = c.number(node.expr, inner)
    if expr is None:
        return None
    source = made.expr
    if op != "sum" and isinstance(expr, p.Attr) and not c.symbols.always_there(expr.attribute):
        other = scope.routine.var("", p.CARD)
        has = p.HasAttr(expr.attribute, p.VarRef(other, p.CARD, node.span), p.TRUTH, node.span)
        source = p.Filter(source, other, has, source.type, node.span)
    return p.Fold(op, source, var, expr, p.NUMBER, node.span)


def lower_different(c: Context, node: n.Different, scope: Scope) -> p.Expr | None:
    """`count of different suit in hand`: cards without the property don't count."""
    source = cards_source(c, node.source, scope)
    if source is None:
        return None
    var = scope.routine.var("", p.CARD)
    card = p.VarRef(var, p.CARD, node.span)
    made = property_of(c, node.word.text, card, node.span) or property_of(
        c, next(iter(singulars(node.word.text)), ""), card, node.span
    )
    if made is None:
        c.findings.error(
            "R0343",
            f"`{node.word.text}` is no property of cards",
            node.word.span,
            suggestion=c.symbols.suggestion(node.word.text, s.ATTRIBUTE),
        )
        return None
    if isinstance(made, p.Attr) and not c.symbols.always_there(made.attribute):
        other = scope.routine.var("", p.CARD)
        has = p.HasAttr(made.attribute, p.VarRef(other, p.CARD, node.span), p.TRUTH, node.span)
        source = p.Filter(source, other, has, source.type, node.span)
    return p.Fold("different", source, var, made, p.NUMBER, node.span)


def lower_in(c: Context, node: n.In, scope: Scope, want: Type | None) -> p.Expr | None:
    """`peasants in hand`: cards where a collection is expected, else whether there are some."""
    item = node.item
    if isinstance(item, n.Of) and _is_bare(item.owner):
        part, meant = item.word.text, f"{shown(item.owner)} in {shown(node.source)}"
        hint = f"`{part} of ({meant})`"
        if part == "size":
            hint = f"`count of {meant}`, or {hint}"
        elif shown(item.owner) == "card":
            hint = f"`{part} of the {meant}`, `{part} of first {meant} …`"
        message = f"`in` belongs to `{shown(item)}` as a whole here"
        c.findings.error("R0309", message, item.span, suggestion=hint)
        return None
    if isinstance(item, n.Ref) and scope.find(item.word.text) is None and _is_head(c, item):
        whole = n.Select(item, None, node.source, None, None, None, (), node.span)
        made = select(c, whole, scope)
        if made is None:
            return None
        word = item.word.text
        generic = word in ("card", "cards", "player", "players", "shape", "shapes")
        if not node.negated and (want == made.expr.type or (generic and want != p.TRUTH)):
            return made.expr
        return _truth(p.Any_(made.expr, p.TRUTH, node.span), node.negated)
    return _member(c, node, scope)


def _is_bare(node: n.Expr) -> bool:
    """A word that needs `in` to mean something."""
    return isinstance(node, n.Ref) and node.word.text in ("card", "cards", "player")


def _is_head(c: Context, item: n.Ref) -> bool:
    word = item.word.text
    return word in ("card", "cards", "player", "players", "shape", "shapes") or bool(
        c.symbols.named(word, s.ENUM_VALUE, s.KIND, s.SHAPE, s.ROLE, s.ATTRIBUTE)
    )


def _member(c: Context, node: n.In, scope: Scope) -> p.Expr | None:
    """Whether a player, card or value is one of a collection."""
    source = elements(c, node.source, scope)
    if source is None:
        return None
    item = c.need(node.item, scope, source.element)
    if item is None:
        return None
    var = scope.routine.var("", source.element)
    same = p.Binary("=", p.VarRef(var, source.element, node.span), item, p.TRUTH, node.span)
    found = p.Filter(source.expr, var, same, source.expr.type, node.span)
    return _truth(p.Any_(found, p.TRUTH, node.span), node.negated)


def _truth(expr: p.Expr, negated: bool) -> p.Expr:
    return p.Unary("not", expr, p.TRUTH, expr.span) if negated else expr
