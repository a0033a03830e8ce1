"""Places, sources of cards, selections (`card in hand where … by …`) and what is asked about them."""

from __future__ import annotations

from attrs import frozen

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.context import Context, shown
from dsl.names import property_of, unknown
from dsl.program import K, Type
from dsl.scope import Local, Scope
from dsl.suggest import singulars
from dsl.type_names import PLAYS, called, is_collection

LARGE = frozenset(("most", "largest", "highest", "strongest", "latest"))
BY_STRENGTH = frozenset(("strongest", "weakest"))
Places = tuple[p.PlaceRef | p.PlacesOf, ...]


@frozen(eq=False)
class Selected:
    """A collection, and the type of its elements."""

    expr: p.Expr
    element: Type
    names_each: bool = False  # the head is a name for the elements: `each victim in others`


# ── places and sources of cards ──────────────────────────────────────────────────────────────


def one_place(c: Context, node: n.Expr, scope: Scope, what: str) -> p.PlaceRef | None:
    """A single place, such as a card can be moved to."""
    places = places_of(c, node, scope)
    if places is not None:
        if len(places) == 1 and isinstance(places[0], p.PlaceRef):
            return places[0]
        c.findings.error(
            "R0330",
            f"{what} takes a single place, but this is several",
            node.span,
            suggestion=_of_whom(node),
        )
        return None
    not_a_place(c, node, scope, what)
    return None


def _of_whom(node: n.Expr) -> str:
    if isinstance(node, n.Every):
        word = node.word.text
        return f"`{word}` is mine, `{word} of …` another player's"
    return ""


def not_a_place(c: Context, node: n.Expr, scope: Scope, what: str) -> None:
    if isinstance(node, n.Ref | n.Of | n.Every):
        word = node.word
        if not c.symbols.named(word.text) and scope.find(word.text) is None:
            c.findings.error(
                "R0331",
                f"there is no place `{word.text}`",
                word.span,
                suggestion=c.symbols.suggestion(word.text, s.PLACE),
            )
            return
        message = f"{what} takes a place, and `{word.text}` is none"
        c.findings.error("R0331", message, node.span)
        return
    c.findings.error("R0331", f"{what} takes a place, and this is none", node.span)


def places_of(c: Context, node: n.Expr, scope: Scope) -> Places | None:
    """The places an expression names, or None if it names none (nothing is reported then)."""
    match node:
        case n.Ref(word=word) if scope.find(word.text) is None:
            name = c.symbols.one(word.text, s.PLACE)
            if name is None:
                return None
            player: p.Expr | None = None
            if c.symbols.places[name].owner is not None:
                player = p.VarRef(scope.whose(), p.PLAYER, node.span)
            return (p.PlaceRef(name, player, node.span),)
        case n.Of(word=word, owner=owner, arguments=None):
            name = c.symbols.one(word.text, s.PLACE)
            if name is None or c.symbols.places[name].owner is None:
                return None
            whose = c.player(owner, scope)
            return None if whose is None else (p.PlaceRef(name, whose, node.span),)
        case n.Every(word=word):
            return _every(c, node, scope)
        case n.Binary(op="+", left=left, right=right):
            first, second = places_of(c, left, scope), places_of(c, right, scope)
            return None if first is None or second is None else first + second
    return None


def _every(c: Context, node: n.Every, scope: Scope) -> Places | None:
    name = c.symbols.one(node.word.text, s.PLACE)
    if name is None:
        return None
    players: p.Expr | None = p.Players(None, False, p.PLAYERS, node.span)
    if node.players is not None:
        players = c.need(node.players, scope, p.PLAYERS)
    if c.symbols.places[name].owner is None:
        c.findings.error(
            "R0332",
            f"there is only one `{name}`",
            node.span,
            related=[(c.symbols.places[name].name.span, "it is declared without `of player`")],
            suggestion=f"write `{name}`",
        )
        return None
    return None if players is None else (p.PlacesOf(name, players, node.span),)


def cards_source(c: Context, node: n.Expr, scope: Scope) -> p.Expr | None:
    """Something that cards are looked for in."""
    if isinstance(node, n.Ref | n.Of | n.Every | n.Binary):
        before = len(c.findings.items)
        places = places_of(c, node, scope)
        if places is not None:
            return p.CardsIn(places, p.CARDS, node.span)
        if len(c.findings.items) > before:
            return None
        if isinstance(node, n.Every):
            not_a_place(c, node, scope, "`every`")
            return None
    made = c.expr(node, scope, p.CARDS)
    if made is None or made.type == p.CARDS:
        return made
    if made.type == p.PLAY:
        return p.PlayPart("cards", made, p.CARDS, node.span)
    c.mismatch(node, made.type, p.CARDS)
    return None


def lower_top(c: Context, node: n.TopOf, scope: Scope) -> p.Expr | None:
    place = one_place(c, node.place, scope, "`top of`")
    count = None if node.count is None else c.number(node.count, scope)
    if place is None or (node.count is not None and count is None):
        return None
    declared = c.symbols.places[place.place]
    if declared.kind.text == "hand":
        c.findings.error(
            "R0333",
            f"`{place.place}` is a hand: its cards are in no order, so none is on top",
            node.span,
            related=[(declared.name.span, "it is declared here")],
        )
        return None
    return p.Top(place, count, p.CARD if count is None else p.CARDS, node.span)


def lower_except(c: Context, node: n.Except, scope: Scope) -> p.Expr | None:
    source, card = cards_source(c, node.source, scope), c.need(node.card, scope, p.CARD)
    if source is None or card is None:
        return None
    return p.Without(source, card, p.CARDS, node.span)


# ── selections ───────────────────────────────────────────────────────────────────────────────


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
        var, inner = _look_at(element, binder, scope)
        condition = c.truth(node.where, inner, "`where`")
        if condition is None:
            return None
        expr = p.Filter(expr, var, condition, expr.type, span)
    if node.best is not None:
        var, inner = _look_at(element, binder, scope)
        key = sort_key(c, node.best, var, inner)
        if key is None:
            return None
        expr = p.Best(expr, var, key, expr.type, span)
    keys = node.keys
    if isinstance(expr, p.PlayersByRole):
        keys = keys[1:]
    if keys:
        var, inner = _look_at(element, binder, scope)
        made = [sort_key(c, key, var, inner) for key in keys]
        good = tuple(key for key in made if key is not None)
        if len(good) < len(made):
            return None
        expr = p.Sorted(expr, var, good, expr.type, span)
    return Selected(expr, element, base.names_each)


def _look_at(element: Type, binder: n.Word | None, scope: Scope) -> tuple[p.Var, Scope]:
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
        made = _elements(c, node.source, scope)
        return None if made is None else Selected(made.expr, made.element, names_each=True)
    if not c.symbols.named(word) and scope.find(word) is None:
        unknown(c, head.word, scope)
        return None
    c.findings.error(
        "R0334",
        f"`{word}` is not something that can be looked for `in` a place or a collection",
        head.span,
        "that can be cards, players, shapes, a kind of card, or a value of an attribute",
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
    return _elements(c, head, scope)


def _elements(c: Context, node: n.Expr, scope: Scope) -> Selected | None:
    places = places_of(c, node, scope)
    made = p.CardsIn(places, p.CARDS, node.span) if places is not None else c.expr(node, scope)
    if made is None:
        return None
    if not is_collection(made.type):
        c.findings.error(
            "R0337", f"this is {called(made.type)}; players, cards or values are needed", node.span
        )
        return None
    return Selected(made, element_of(c, made.type))


def element_of(c: Context, kind: Type) -> Type:
    if kind == PLAYS:
        return p.PLAY
    if kind.kind is K.ENUMS:
        return c.symbols.enum(kind.name)
    return p.CARD if kind.kind is K.CARDS else p.PLAYER


# ── keys ─────────────────────────────────────────────────────────────────────────────────────


def sort_key(c: Context, key: n.Key, var: p.Var, scope: Scope) -> p.Key | None:
    """A key of `by` or `with`, as something to sort by."""
    large = key.order in LARGE
    looked_at = p.VarRef(var, var.type, key.span)
    if isinstance(key.expr, n.Ref):
        word = key.expr.word.text
        if word == "seat" and var.type == p.PLAYER:
            return p.Key(looked_at, large)
        if word == "role" and var.type == p.PLAYER:
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
    made = c.expr(key.expr, scope) if places is None else p.CardsIn(places, p.CARDS, key.span)
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


# ── questions about selections ───────────────────────────────────────────────────────────────


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
    var, inner = _look_at(made.element, node.select.binder, scope)
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


def _is_head(c: Context, item: n.Ref) -> bool:
    word = item.word.text
    return word in ("card", "cards", "player", "players", "shape", "shapes") or bool(
        c.symbols.named(word, s.ENUM_VALUE, s.KIND, s.SHAPE, s.ROLE, s.ATTRIBUTE)
    )


def _member(c: Context, node: n.In, scope: Scope) -> p.Expr | None:
    """Whether a player, card or value is one of a collection."""
    source = _elements(c, node.source, scope)
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
