"""Selections: `HEAD [NAME] in SOURCE where … with … by …`, as collections of the core."""

from __future__ import annotations

from attrs import frozen

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.context import Context, shown
from dsl.keys import sort_key
from dsl.names import no_roles
from dsl.places import cards_in, cards_source, places_of
from dsl.program import K, Type
from dsl.scope import Local, Scope
from dsl.type_names import NUMBERS, PLAYS, is_collection, this_is
from dsl.unknown import unknown
from dsl.vocabulary import BUILT_IN


@frozen(eq=False)
class Selected:
    """A collection, and the type of its elements."""

    expr: p.Expr
    element: Type
    names_each: bool = False  # the head is a name for the elements: `each victim in others`


def select(c: Context, node: n.Select, scope: Scope, open_name: bool = False) -> Selected | None:
    """A collection with its filters and order. `open_name`: an unknown head is a name for each."""
    base = _base(c, node, scope, open_name)
    if base is None:
        return None
    binder = node.binder
    if binder is None and base.names_each and isinstance(node.head, n.Ref):
        binder = node.head.word
    return narrow(c, node, base, binder, scope)


def _is_known_head(c: Context, word: str, scope: Scope) -> bool:
    kinds = (s.ATTRIBUTE, s.ENUM_VALUE, s.KIND, s.SHAPE, s.ROLE, s.VALUE, s.TRACK)
    return (
        word in ("card", "cards", "player", "players", "others", "everyone", "shape", "shapes")
        or bool(c.symbols.named(word, *kinds))
        or scope.find(word) is not None
    )


def narrow(
    c: Context, node: n.Select, base: Selected, binder: n.Word | None, scope: Scope
) -> Selected | None:
    """Apply `where`, `with` and `by`."""
    expr, element, span = base.expr, base.element, node.span
    if node.where is not None:
        var, inner = look_at(element, binder, scope)
        condition = c.truth(node.where, inner, "`where`")
        if condition is None:
            return None
        expr = p.Filter(expr, var, condition, expr.type, span)
    if node.best is not None:
        var, inner = look_at(element, binder, scope)
        key = sort_key(c, node.best, var, inner)
        if key is None:
            return None
        expr = p.Best(expr, var, key, expr.type, span)
    keys = node.keys
    if isinstance(base.expr, p.PlayersByRole):
        keys = keys[1:]  # that they are by role is what they are
    if keys:
        var, inner = look_at(element, binder, scope)
        made = [sort_key(c, key, var, inner) for key in keys]
        good = tuple(key for key in made if key is not None)
        if len(good) < len(made):
            return None
        expr = p.Sorted(expr, var, good, expr.type, span)
    return Selected(expr, element, base.names_each)


def look_at(element: Type, binder: n.Word | None, scope: Scope) -> tuple[p.Var, Scope]:
    var = scope.routine.var("" if binder is None else binder.text, element)
    inner = scope.looking_at(var)
    if binder is not None:
        inner.names[binder.text] = Local(var, binder.span)
    return var, inner


def _base(c: Context, node: n.Select, scope: Scope, open_name: bool) -> Selected | None:
    """What a selection is made from, before `where` and `by`."""
    head = node.head
    if node.start is not None and (node.source is not None or not _means_players(head)):
        c.findings.error(
            "R0338",
            "only all players can be gone through clockwise from one of them",
            node.start.span,
            suggestion="`each player clockwise from …`",
        )
        return None
    if not isinstance(head, n.Ref):
        return _collection(c, head, scope)
    word = head.word.text
    if word in ("card", "cards"):
        return _cards(c, node, scope)
    if word in ("player", "players", "everyone"):
        return _players(c, node, scope)
    if word in ("number", "numbers") and isinstance(node.source, n.Range):
        return elements(c, node.source, scope)
    if word in ("shape", "shapes"):
        return _plays(c, node, tuple(c.symbols.shapes), scope)
    if scope.find(word) is None:
        kinds = (s.ENUM_VALUE, s.KIND, s.SHAPE, s.ROLE, s.ATTRIBUTE)
        found = c.symbols.named(word, *kinds)
        attributes = [m for m in found if m.kind == s.ATTRIBUTE]
        if attributes:
            return _values(c, node, attributes[0].name, scope)
        if found and (node.source is not None or found[0].kind == s.SHAPE):
            return _of_kind(c, node, head.word, scope)
    if node.source is None:
        return _collection(c, head, scope)
    if open_name and not _is_known_head(c, word, scope):
        made = elements(c, node.source, scope)
        return None if made is None else Selected(made.expr, made.element, names_each=True)
    if not c.symbols.named(word) and scope.find(word) is None and word not in BUILT_IN:
        unknown(c, head.word, scope)
        return None
    hint = ""
    if node.where is not None:
        whole = f"{word} in ({shown(node.source)} where …)"
        hint = f"to ask whether it is one of those, put them in parentheses: `{whole}`"
    c.findings.error(
        "R0334",
        f"`{word}` is not something that can be looked for `in` a place or a collection",
        head.span,
        "that can be cards, players, shapes, a kind of card, or a value of a property",
        suggestion=hint,
    )
    return None


def _cards(c: Context, node: n.Select, scope: Scope) -> Selected | None:
    if node.source is None:
        c.findings.error(
            "R0309",
            "which cards? It isn't said where they are",
            node.head.span,
            suggestion="say where: `card in hand`, `cards in every row`",
        )
        return None
    source = cards_source(c, node.source, scope)
    return None if source is None else Selected(source, p.CARD)


def _players(c: Context, node: n.Select, scope: Scope) -> Selected | None:
    if node.source is not None:
        source = c.need(node.source, scope, p.PLAYERS)
        return None if source is None else Selected(source, p.PLAYER)
    if node.start is not None:
        start = c.player(node.start, scope, "`clockwise from`")
        around = p.Players(start, False, p.PLAYERS, node.span)
        return None if start is None else Selected(around, p.PLAYER)
    first = node.keys[0] if node.keys else None
    if first is not None and first.order == "" and _is_word(first.expr, "role"):
        if c.symbols.roles is None:
            no_roles(c, first.span)
            return None
        return Selected(p.PlayersByRole(p.PLAYERS, node.span), p.PLAYER)
    return Selected(p.Players(None, False, p.PLAYERS, node.span), p.PLAYER)


def _means_players(head: n.Expr) -> bool:
    return isinstance(head, n.Ref) and head.word.text in ("player", "players", "everyone")


def _is_word(node: n.Expr, word: str) -> bool:
    return isinstance(node, n.Ref) and node.word.text == word


def _plays(c: Context, node: n.Select, shapes: tuple[str, ...], scope: Scope) -> Selected | None:
    if not shapes:
        c.findings.error("R0335", "this ruleset declares no shapes", node.head.span)
        return None
    if node.source is None:
        c.findings.error(
            "R0309",
            "made of which cards?",
            node.head.span,
            suggestion=f"say where they are: `{shown(node.head)} from hand`",
        )
        return None
    source = cards_source(c, node.source, scope)
    for shape in shapes:
        c.symbols.used.add((s.SHAPE, shape))
    return None if source is None else Selected(p.Plays(shapes, source, PLAYS, node.span), p.PLAY)


def _values(c: Context, node: n.Select, attribute: str, scope: Scope) -> Selected | None:
    """`job`: all values of an attribute, or those in a collection of them."""
    c.symbols.one(attribute, s.ATTRIBUTE)
    values, element = Type(K.ENUMS, attribute), c.symbols.enum(attribute)
    if node.source is None:
        return Selected(p.EnumAll(attribute, values, node.head.span), element)
    source = c.expr(node.source, scope, values)
    if source is None:
        return None
    if source.type == values:
        return Selected(source, element)
    c.findings.error(
        "R0336",
        f"cards are found in places, a {attribute} is not",
        node.span,
        suggestion=f"`count of different {attribute} in {shown(node.source)}`, or `cards in …`",
    )
    return None


def _of_kind(c: Context, node: n.Select, word: n.Word, scope: Scope) -> Selected | None:
    """`peasants in hand`, `run from hand`, `king in lineup`."""
    assert node.source is not None or c.symbols.named(word.text, s.SHAPE)
    shapes = c.symbols.named(word.text, s.SHAPE)
    rest = c.symbols.named(word.text, s.ENUM_VALUE, s.KIND)
    if shapes and not rest:
        return _plays(c, node, (shapes[0].name,), scope)
    if node.source is None:
        return _collection(c, node.head, scope)
    if not rest:
        source = c.need(node.source, scope, p.PLAYERS)
        return None if source is None else _with_role(c, word, source, scope)
    found = cards_source(c, node.source, scope)
    return None if found is None else of_kind(c, word, found, scope)


def _with_role(c: Context, word: n.Word, source: p.Expr, scope: Scope) -> Selected:
    meaning = c.symbols.named(word.text, s.ROLE)[0]
    c.symbols.use(meaning)
    var = scope.routine.var("", p.PLAYER)
    role = p.RoleOf(p.VarRef(var, p.PLAYER, word.span), p.ROLE, word.span)
    wanted = p.Const(meaning.index, p.ROLE, word.span)
    test = p.Binary("=", role, wanted, p.TRUTH, word.span)
    return Selected(p.Filter(source, var, test, p.PLAYERS, word.span), p.PLAYER)


def of_kind(c: Context, word: n.Word, source: p.Expr, scope: Scope) -> Selected | None:
    """The cards of a source that are of a kind, or have a value."""
    var = scope.routine.var("", p.CARD)
    test = is_of_kind(c, word, p.VarRef(var, p.CARD, word.span))
    if test is None:
        return None
    return Selected(p.Filter(source, var, test, p.CARDS, word.span), p.CARD)


def is_of_kind(c: Context, word: n.Word, card: p.Expr) -> p.Expr | None:
    """Whether a card is of a kind or has a value, by the kind's or value's name."""
    found = c.symbols.named(word.text, s.KIND, s.ENUM_VALUE)
    if not found:
        return None
    if len(found) > 1:
        kinds = " or ".join(dict.fromkeys(meaning.describe() for meaning in found))
        message = f"`{word.text}` can mean {kinds}, and nothing here decides"
        owner = found[0].owner or found[1].owner
        c.findings.error(
            "R0302", message, word.span, suggestion=f"write `where {owner} = {word.text}`"
        )
        return None
    meaning = found[0]
    c.symbols.use(meaning)
    if meaning.kind == s.KIND:
        return p.IsKind(meaning.name, card, p.TRUTH, word.span)
    kind = c.symbols.enum(meaning.owner)
    value = p.Attr(meaning.owner, card, kind, word.span)
    return p.Binary("=", value, p.Const(meaning.index, kind, word.span), p.TRUTH, word.span)


def _collection(c: Context, head: n.Expr, scope: Scope) -> Selected | None:
    """A head that is a collection itself: `others`, `lineup`, `cards of p`."""
    return elements(c, head, scope)


def elements(c: Context, node: n.Expr, scope: Scope) -> Selected | None:
    places = places_of(c, node, scope)
    made = c.expr(node, scope) if places is None else cards_in(places, node.span)
    if made is None:
        return None
    if not is_collection(made.type):
        c.findings.error(
            "R0337", f"{this_is(made.type)}; players, cards or values are needed", node.span
        )
        return None
    return Selected(made, element_of(c, made.type))


def element_of(c: Context, kind: Type) -> Type:
    if kind == PLAYS:
        return p.PLAY
    if kind == NUMBERS and kind.name not in c.symbols.attributes:
        return p.NUMBER
    if kind.kind is K.ENUMS:
        return c.symbols.enum(kind.name)
    return p.CARD if kind.kind is K.CARDS else p.PLAYER
