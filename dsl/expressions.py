"""Expressions: from nodes to the typed core. Operators and comparisons are here; names, selections
and calls have modules of their own."""

from __future__ import annotations

from typing import assert_never

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.calls import call_value
from dsl.context import Context, shown
from dsl.inexact import lower_inexact
from dsl.keys import no_order
from dsl.misjoined import cards_added, one_of_several
from dsl.names import lower_ref, track_type
from dsl.parts import lower_of
from dsl.places import cards_in, cards_source, lower_except, lower_top, not_a_place, places_of
from dsl.program import K, Type
from dsl.questions import (
    lower_different,
    lower_in,
    lower_over,
    lower_quantified,
    lower_select,
)
from dsl.scope import Scope
from dsl.selections import is_of_kind
from dsl.suggest import listing
from dsl.type_names import NUMBERS, called, is_collection
from dsl.unknown import unknown


def lower(c: Context, node: n.Expr, scope: Scope, want: Type | None = None) -> p.Expr | None:
    """An expression of the core, or None after reporting what is wrong."""
    match node:
        case n.Number():
            return _number(c, node, want)
        case n.Text():
            c.findings.error("R0344", "a text says nothing here", node.span)
            return None
        case n.Ref():
            return lower_ref(c, node, scope, want)
        case n.Of():
            return lower_of(c, node, scope, want)
        case n.Call():
            return _call(c, node, scope)
        case n.Every():
            return _every(c, node, scope)
        case n.AllOf():
            return _all_cards(c, node)
        case n.TopOf():
            return _top(c, node, scope, want)
        case n.Select():
            return lower_select(c, node, scope)
        case n.Quantified():
            return lower_quantified(c, node, scope)
        case n.Different():
            return lower_different(c, node, scope)
        case n.Over():
            return lower_over(c, node, scope)
        case n.Unary():
            return _unary(c, node, scope)
        case n.Binary():
            return _binary(c, node, scope, want)
        case n.In():
            return lower_in(c, node, scope, want)
        case n.Is():
            return _is(c, node, scope)
        case n.Exists():
            return _exists(c, node, scope)
        case n.Conditional():
            return _conditional(c, node, scope, want)
        case n.Except():
            return lower_except(c, node, scope)
        case n.Range():
            return _range(c, node, scope)
        case n.Decimal() | n.Noise() | n.Chance():
            return lower_inexact(c, node, scope)
        case _:
            assert_never(node)


def _number(c: Context, node: n.Number, want: Type | None) -> p.Expr | None:
    """A number, or the value of an attribute that is called by a number (`10` among ranks)."""
    if want is not None and want.kind is K.ENUM:
        for meaning in c.symbols.named(str(node.value), s.ENUM_VALUE):
            if meaning.owner == want.name:
                c.symbols.use(meaning)
                return p.Const(meaning.index, want, node.span)
    return p.Const(node.value, p.NUMBER, node.span)


def _range(c: Context, node: n.Range, scope: Scope) -> p.Expr | None:
    low, high = c.number(node.low, scope), c.number(node.high, scope)
    return None if low is None or high is None else p.Range(low, high, NUMBERS, node.span)


def _call(c: Context, node: n.Call, scope: Scope) -> p.Expr | None:
    word = node.word.text
    if word in ("min", "max"):
        made = [c.number(argument, scope) for argument in node.arguments]
        given = [expr for expr in made if expr is not None]
        if len(given) < len(made):
            return None
        if len(given) < 2:
            c.findings.error("R0320", f"`{word}` compares at least two numbers", node.span)
            return None
        result = given[0]
        for expr in given[1:]:
            result = p.Binary(word, result, expr, p.NUMBER, node.span)
        return result
    found = c.symbols.named(word, s.VALUE)
    if found:
        return call_value(c, found[0].name, node.word, None, node.arguments, scope, node.span)
    known = c.symbols.named(word)
    if known and known[0].kind != s.ACTION:
        message = f"`{word}` is {known[0].describe()}; it takes nothing in parentheses"
        c.findings.error("R0323", message, node.span)
        return None
    unknown(c, node.word, scope)
    return None


def _every(c: Context, node: n.Every, scope: Scope) -> p.Expr | None:
    places = places_of(c, node, scope)
    if places is not None:
        return cards_in(places, node.span)
    not_a_place(c, node, scope, "`every`")
    return None


def _all_cards(c: Context, node: n.AllOf) -> p.Expr | None:
    if node.word.text == "cards":
        return p.AllCards(p.CARDS, node.span)
    hint = "`all cards` is every card of the game"
    place = c.symbols.one(node.word.text, s.PLACE)
    if place is not None:
        hint += f", `every {place}` that place of every player"
    c.findings.error(
        "R0345", f"`all {node.word.text}` can't be looked at", node.span, suggestion=hint
    )
    return None


def _top(c: Context, node: n.TopOf, scope: Scope, want: Type | None) -> p.Expr | None:
    """The top of a pile, or of a player something the ruleset calls `top`."""
    if node.count is None and any(c.symbols.per_player(m) for m in c.symbols.named("top")):
        word = n.Word("top", node.span)
        return lower_of(c, n.Of(word, None, node.place, node.span), scope, want)
    return lower_top(c, node, scope)


def _unary(c: Context, node: n.Unary, scope: Scope) -> p.Expr | None:
    kind = p.TRUTH if node.op == "not" else p.NUMBER
    operand = c.need(node.operand, scope, kind)
    return None if operand is None else p.Unary(node.op, operand, kind, node.span)


def _binary(c: Context, node: n.Binary, scope: Scope, want: Type | None) -> p.Expr | None:
    op = node.op
    if op in ("and", "or"):
        if one_of_several(c, node, scope):
            return None
        left, right = c.truth(node.left, scope), c.truth(node.right, scope)
        if left is None or right is None:
            return None
        return p.Binary(op, left, right, p.TRUTH, node.span)
    if op in ("=", "!="):
        return _equal(c, node, scope)
    if op in ("<", "<=", ">", ">="):
        return _compare(c, node, scope)
    if op == "+" and want == p.CARDS:
        return cards_source(c, node, scope)
    if op == "/" and not c.in_bot:
        c.findings.error(
            "R0346",
            "what if it doesn't divide evenly?",
            node.span,
            suggestion=f"`{shown(node.left)} / {shown(node.right)} rounded up` or `rounded down`",
        )
        return None
    if op == "+" and cards_added(c, node, scope):
        return None
    left, right = c.number(node.left, scope), c.number(node.right, scope)
    if left is None or right is None:
        return None
    return p.Binary(op, left, right, p.NUMBER, node.span)


def _pair(c: Context, first: n.Expr, second: n.Expr, scope: Scope) -> tuple[p.Expr, p.Expr] | None:
    """Two expressions that should be of one type; the clearer one decides about the other."""
    if _is_vague(c, first, scope) and not _is_vague(c, second, scope):
        pair = _pair(c, second, first, scope)
        return None if pair is None else (pair[1], pair[0])
    left = c.expr(first, scope)
    if left is None and isinstance(second, n.Ref) and second.word.text == "nothing":
        return None  # nothing of what? That can't be told
    right = c.expr(second, scope, None if left is None else left.type)
    return None if left is None or right is None else (left, right)


def _is_vague(c: Context, node: n.Expr, scope: Scope) -> bool:
    """Whether an expression needs to know what is expected: numbers, `nothing`, shared names."""
    if isinstance(node, n.Number):
        return True
    if not isinstance(node, n.Ref) or scope.find(node.word.text) is not None:
        return False
    word = node.word.text
    if word == "nothing":
        return True
    found = c.symbols.named(word)
    return len(found) > 1 or any(meaning.kind == s.WORD for meaning in found)


def _equal(c: Context, node: n.Binary, scope: Scope) -> p.Expr | None:
    pair = _pair(c, node.left, node.right, scope)
    if pair is None:
        return None
    left, right = pair
    if left.type != right.type:
        _not_alike(c, node, left.type, right.type, scope)
        return None
    if is_collection(left.type):
        message = f"{called(left.type)} can't be compared as a whole"
        hint = f"compare how many: `count of {shown(node.left)}`"
        c.findings.error("R0347", message, node.span, suggestion=hint)
        return None
    return p.Binary(node.op, left, right, p.TRUTH, node.span)


def comparison_hint(node: n.Binary, left: Type, right: Type, scope: Scope) -> str:
    """What was probably meant where things of two types are compared."""
    if p.TRUTH in (left, right) and p.NUMBER in (left, right) and scope.looks():
        return "if a `where` reaches too far, put parentheses around what belongs to it"
    for side, kind, other in ((node.left, left, right), (node.right, right, left)):
        if is_collection(kind) and other == p.NUMBER:
            return f"`count of {shown(side)}` is how many there are"
    return ""


def _not_alike(c: Context, node: n.Binary, left: Type, right: Type, scope: Scope) -> None:
    person, other = (node.left, node.right) if left == p.PLAYER else (node.right, node.left)
    hint = comparison_hint(node, left, right, scope)
    if isinstance(other, n.Ref) and p.PLAYER in (left, right):
        found = c.symbols.named(other.word.text, s.MARK, s.ROLE, s.VALUE)
        if any(m.kind == s.ROLE or c.symbols.per_player(m) for m in found):
            hint = f"`{shown(person)} is {shown(other)}` asks whether that is so of a player"
    c.findings.error(
        "R0348",
        f"{called(left)} and {called(right)} are never equal",
        node.span,
        suggestion=hint,
    )


def _compare(c: Context, node: n.Binary, scope: Scope) -> p.Expr | None:
    pair = _pair(c, node.left, node.right, scope)
    if pair is None:
        return None
    left, right = pair
    if left.type != right.type:
        kinds = f"{called(left.type)} and {called(right.type)}"
        hint = comparison_hint(node, left.type, right.type, scope)
        c.findings.error("R0348", f"{kinds} can't be compared", node.span, suggestion=hint)
        return None
    if left.type.kind is K.ENUM:
        if not c.symbols.attributes[left.type.name].order:
            no_order(c, left.type.name, node.span)
            return None
        left = p.Strength(left, p.NUMBER, left.span)
        right = p.Strength(right, p.NUMBER, right.span)
    elif left.type != p.NUMBER:
        c.findings.error(
            "R0341", f"{called(left.type)} is neither larger nor smaller than another", node.span
        )
        return None
    return p.Binary(node.op, left, right, p.TRUTH, node.span)


def _exists(c: Context, node: n.Exists, scope: Scope) -> p.Expr | None:
    operand = c.expr(node.operand, scope)
    if operand is None:
        return None
    if isinstance(operand, p.Attr):
        return p.HasAttr(operand.attribute, operand.card, p.TRUTH, node.span)
    if operand.type.kind is K.ENUM:
        missing = p.Const(-1, operand.type, node.span)
        return p.Binary("!=", operand, missing, p.TRUTH, node.span)
    if operand.type.kind in (K.PLAYER, K.CARD, K.PLAY, K.ROLE):
        return p.Exists(operand, p.TRUTH, node.span)
    c.findings.error(
        "R0349",
        f"{called(operand.type)} can't be absent, so there is nothing to ask",
        node.span,
        suggestion=f"`{shown(node.operand)} is not empty`" if is_collection(operand.type) else "",
    )
    return None


def _conditional(c: Context, node: n.Conditional, scope: Scope, want: Type | None) -> p.Expr | None:
    condition = c.truth(node.condition, scope, "`if`")
    if want is None:
        pair = _pair(c, node.then, node.otherwise, scope)
    else:
        then, otherwise = c.expr(node.then, scope, want), c.expr(node.otherwise, scope, want)
        pair = None if then is None or otherwise is None else (then, otherwise)
    if condition is None or pair is None:
        return None
    if pair[0].type != pair[1].type:
        c.findings.error(
            "R0348",
            f"one way gives {called(pair[0].type)}, the other {called(pair[1].type)}",
            node.span,
        )
        return None
    return p.Conditional(condition, *pair, pair[0].type, node.span)


# ── X is Y ───────────────────────────────────────────────────────────────────────────────────


def _is(c: Context, node: n.Is, scope: Scope) -> p.Expr | None:
    made = _is_relation(c, node, scope) if node.relation else _is_what(c, node, scope)
    if made is None or not node.negated:
        return made
    if isinstance(made, p.Unary):
        return made.operand  # `is not empty` says twice "not"; plainly, that there is something
    return p.Unary("not", made, p.TRUTH, node.span)


def _is_relation(c: Context, node: n.Is, scope: Scope) -> p.Expr | None:
    if node.relation == "empty":
        places = places_of(c, node.left, scope)
        span = node.left.span
        left = c.expr(node.left, scope) if places is None else cards_in(places, span)
        if left is None:
            return None
        if not is_collection(left.type):
            hint = ""
            if isinstance(node.left, n.Quantified):
                place = shown(node.left.select.head)
                hint = f"of a place it is asked without `the`: `{place} is empty`"
            message = f"{called(left.type)} can't be empty"
            c.findings.error("R0337", message, node.span, suggestion=hint)
            return None
        return p.Unary("not", p.Any_(left, p.TRUTH, node.span), p.TRUTH, node.span)
    assert node.right is not None
    pair = _pair(c, node.left, node.right, scope)
    if pair is None:
        return None
    left, right = pair
    if left.type != right.type or left.type.kind not in (K.ROLE, K.PLAYER):
        c.findings.error(
            "R0350",
            f"`is {node.relation}` compares two roles or two players in their order",
            node.span,
        )
        return None
    op = "<" if node.relation == "before" else ">"
    return p.Binary(op, left, right, p.TRUTH, node.span)


def _is_what(c: Context, node: n.Is, scope: Scope) -> p.Expr | None:
    assert node.right is not None
    want = None
    if _is_vague(c, node.left, scope) and not isinstance(node.left, n.Number):
        want = _said_of(c, node.left, node.right, scope)
        if want is None:
            same = n.Binary("=", node.left, node.right, node.span)
            return _equal(c, same, scope)
    left = c.expr(node.left, scope, want)
    if left is None:
        return None
    right = node.right
    before = c.trouble()
    if isinstance(right, n.Ref) and scope.find(right.word.text) is None:
        special = _is_word(c, node, left, right, scope)
        if special is not None or c.trouble() > before:
            return special
    made = c.expr(right, scope, left.type)
    if made is None:
        return None
    if made.type != left.type or is_collection(left.type):
        same = n.Binary("=", node.left, right, node.span)
        _not_alike(c, same, left.type, made.type, scope)
        return None
    return p.Binary("=", left, made, p.TRUTH, node.span)


def _said_of(c: Context, left: n.Expr, right: n.Expr, scope: Scope) -> Type | None:
    """What a name of several meanings is in `leader is out`: the player whom the track keeps."""
    if not isinstance(left, n.Ref) or not isinstance(right, n.Ref) or scope.find(right.word.text):
        return None
    kept = [track_type(c, m.name) for m in c.symbols.named(left.word.text, s.TRACK)]
    said = {
        K.PLAYER: (s.MARK, s.ROLE, s.VALUE),
        K.CARD: (s.KIND, s.ENUM_VALUE),
        K.PLAY: (s.SHAPE,),
    }
    nobody = right.word.text in ("nobody", "nothing")
    for kind in kept:
        if kind is None:
            continue
        if nobody or c.symbols.named(right.word.text, *said.get(kind.kind, ("",))):
            return kind
    return None


def _is_word(c: Context, node: n.Is, left: p.Expr, right: n.Ref, scope: Scope) -> p.Expr | None:
    """`p is guarded`, `p is king`, `p is able`, `it is joker`, `play is run`, `x is nobody`."""
    word, span, kind = right.word.text, node.span, left.type.kind
    if word in ("nobody", "nothing") and kind in (K.PLAYER, K.CARD, K.PLAY, K.ROLE):
        return p.Unary("not", p.Exists(left, p.TRUTH, span), p.TRUTH, span)
    if kind is K.PLAYER:
        return _player_is(c, node, left, right, scope)
    if kind is K.CARD and c.symbols.named(word, s.KIND, s.ENUM_VALUE):
        return is_of_kind(c, right.word, left)
    if kind is K.PLAY:
        shapes = c.symbols.named(word, s.SHAPE)
        if shapes:
            c.symbols.use(shapes[0])
            shape = p.PlayPart("shape", left, p.SHAPE, span)
            wanted = p.Const(shapes[0].index, p.SHAPE, right.span)
            return p.Binary("=", shape, wanted, p.TRUTH, span)
    return None


def _player_is(c: Context, node: n.Is, left: p.Expr, right: n.Ref, scope: Scope) -> p.Expr | None:
    span = node.span
    found = c.symbols.named(right.word.text, s.MARK, s.ROLE, s.VALUE)
    found = [m for m in found if m.kind == s.ROLE or c.symbols.per_player(m)]
    if len(found) > 1:
        kinds = listing((meaning.describe() for meaning in found), "or")
        message = f"`{right.word.text}` can mean {kinds}, and nothing here decides"
        c.findings.error("R0302", message, right.span)
        return None
    if not found:
        return None
    meaning = found[0]
    c.symbols.use(meaning)
    if meaning.kind == s.MARK:
        return p.Marked(meaning.name, left, p.TRUTH, span)
    if meaning.kind == s.ROLE:
        wanted = p.Const(meaning.index, p.ROLE, right.span)
        return p.Binary("=", p.RoleOf(left, p.ROLE, span), wanted, p.TRUTH, span)
    made = call_value(c, meaning.name, right.word, left, (), scope, span)
    return made if made is not None and made.type == p.TRUTH else None
