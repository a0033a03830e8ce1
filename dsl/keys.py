"""Keys of `by`, `with` and `winner`: what something is put in order by."""

from __future__ import annotations

from dsl import nodes as n
from dsl import program as p
from dsl.context import Context, shown
from dsl.names import no_roles
from dsl.places import cards_in, places_of
from dsl.program import K, Type
from dsl.scope import Scope
from dsl.type_names import called, is_collection

LARGE = frozenset(("most", "largest", "highest", "strongest", "latest"))


def sort_key(c: Context, key: n.Key, var: p.Var, scope: Scope) -> p.Key | None:
    """A key of `by` or `with`, as something to sort by."""
    large = key.order in LARGE
    looked_at = p.VarRef(var, var.type, key.span)
    if isinstance(key.expr, n.Ref):
        word = key.expr.word.text
        if word == "seat" and var.type == p.PLAYER:
            return p.Key(looked_at, large)
        if word == "role" and var.type == p.PLAYER:
            if c.symbols.roles is None:
                no_roles(c, key.span)
                return None
            return p.Key(p.RoleOf(looked_at, p.ROLE, key.span), large)
    if key.order == "":
        c.findings.error(
            "R0340",
            "which first? A key begins with `most`, `fewest`, `highest`, `lowest`, `strongest` …",
            key.span,
            "only `seat` and `role` have an order of their own",
        )
        return None
    made = key_value(c, key, scope)
    return None if made is None else p.Key(made, large)


def key_value(c: Context, key: n.Key, scope: Scope) -> p.Expr | None:
    """What a key measures, as a number, a truth or a player."""
    places = places_of(c, key.expr, scope)
    made = c.expr(key.expr, scope) if places is None else cards_in(places, key.span)
    if made is None:
        return None
    if is_collection(made.type):
        return p.Count(made, p.NUMBER, key.expr.span)
    if made.type.kind is K.ENUM:
        return _strength(c, key, made)
    if made.type.kind in (K.NUMBER, K.TRUTH, K.PLAYER, K.ROLE):
        return made
    c.findings.error(
        "R0341",
        f"{called(made.type)} can't be put in order",
        key.expr.span,
        suggestion=_sortable(c, made.type, shown(key.expr)),
    )
    return None


def _sortable(c: Context, kind: Type, text: str) -> str:
    if kind == p.CARD:
        ordered = [a for a, decl in c.symbols.attributes.items() if decl.order or not decl.values]
        if ordered:
            return f"say by which property: `{ordered[0]} of {text}`"
    return ""


def _strength(c: Context, key: n.Key, value: p.Expr) -> p.Expr | None:
    attribute = value.type.name
    if c.symbols.attributes[attribute].order:
        return p.Strength(value, p.NUMBER, key.expr.span)
    suggestion = "end its declaration with `, strongest first` or `, weakest first`"
    if c.symbols.has_numbers(attribute):
        suggestion = f"`number of {shown(key.expr)}` is the number beside it"
    no_order(c, attribute, key.expr.span, suggestion)
    return None


def no_order(c: Context, attribute: str, span: p.Span, suggestion: str = "") -> None:
    c.findings.error(
        "R0342",
        f"no {attribute} is stronger than another: they are declared without an order",
        span,
        related=[(c.symbols.attributes[attribute].name.span, "they are declared here")],
        suggestion=suggestion
        or "end the declaration with `, strongest first` or `, weakest first`",
    )
