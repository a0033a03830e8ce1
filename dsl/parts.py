"""What `X of Y` means: properties of cards and plays, what belongs to a player, named values."""

from __future__ import annotations

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.calls import call_value
from dsl.context import Context, shown
from dsl.diagnostics import Related
from dsl.names import HINTS, OWNED, Reading, decide, no_roles, property_of, track_type, type_word
from dsl.program import K, Type
from dsl.scope import Scope
from dsl.suggest import nearest_or_all, singulars
from dsl.symbols import Meaning
from dsl.type_names import called, is_collection
from dsl.unknown import unknown
from dsl.vocabulary import BUILT_IN


def lower_of(c: Context, node: n.Of, scope: Scope, want: Type | None) -> p.Expr | None:
    word, span = node.word.text, node.span
    shared = shared_holder(c, node)
    if shared is not None:
        return p.TokenCount(shared, None, p.NUMBER, span)
    owner = c.expr(node.owner, scope, p.ROLE if word == "holder" else None)
    if owner is None:
        return None
    if node.arguments is not None:
        return value_of(c, node, owner, scope)
    made = built_in_of(c, word, owner, span) or property_of(c, word, owner, span)
    if made is not None:
        return made
    if owner.type.kind is K.PLAYER:
        return of_player(c, node, owner, scope, want)
    if owner.type == p.CARDS and c.symbols.named(word, s.ATTRIBUTE):
        _of_several(c, node, owner)
    else:
        no_part(c, node.word, owner.type)
    return None


def _of_several(c: Context, node: n.Of, owner: p.Expr) -> None:
    """`suit of leaf`, and `leaf` is several cards: said once of the same `leaf`."""
    what = shown(node.owner)
    message = f"`{what}` is several cards, and only one card has a `{node.word.text}`"
    hint = "`the card in …` is the one card there, `first card in …` one of several"
    related, key = None, ""
    if isinstance(owner, p.Call):
        decl = c.values[owner.value].decl
        key, related = f"cards {owner.value}", Related(decl.name.span, "it is defined here")
        if isinstance(decl.body, n.In):
            hint = f"say there which one it is: `the {shown(decl.body)}`"
    elif isinstance(owner, p.VarRef):
        key = f"cards {what} {owner.var.id}"
        given = _given_as(c, what)
        if given is not None:
            related = Related(given, f"`{what}` is cards, as it is given here")
    if key:
        c.missing("R0310", message, node.word, hint, related, key=key)
    else:
        c.findings.error("R0310", message, node.word.span, suggestion=hint)


def _given_as(c: Context, name: str) -> p.Span | None:
    """Where the value that is being worked out is given what it calls by a name."""
    if not c.working_on:
        return None
    state = c.values[c.working_on[-1]]
    names = [word.text for word in state.decl.params]
    return state.typed_by[names.index(name)] if name in names else None


def built_in_of(c: Context, word: str, owner: p.Expr, span: p.Span) -> p.Expr | None:
    kind = owner.type.kind
    if kind is K.PLAYER:
        if word == "role" and c.symbols.roles is not None:
            return p.RoleOf(owner, p.ROLE, span)
        if word == "others":
            return p.Players(owner, True, p.PLAYERS, span)
        if word == "left":
            return _left(owner, span)
        if word == "right":  # of whom the player is on the left
            var = p.Var(next(c.ids), "", p.PLAYER)
            left = _left(p.VarRef(var, p.PLAYER, span), span)
            same = p.Binary("=", left, owner, p.TRUTH, span)
            others = p.Players(owner, True, p.PLAYERS, span)
            return p.First(p.Filter(others, var, same, p.PLAYERS, span), p.PLAYER, span)
    if kind is K.ROLE and word == "holder":
        return p.HolderOf(owner, p.PLAYER, span)
    if word == "strength" and kind is K.ENUM:
        if c.symbols.attributes[owner.type.name].order:
            return p.Strength(owner, p.NUMBER, span)
        return None
    if word == "size" and kind in (K.CARDS, K.PLAYERS, K.ENUMS):
        return p.Count(owner, p.NUMBER, span)
    return None


def _left(player: p.Expr, span: p.Span) -> p.Expr:
    return p.First(p.Players(player, True, p.PLAYERS, span), p.PLAYER, span)


def of_player(
    c: Context, node: n.Of, owner: p.Expr, scope: Scope, want: Type | None
) -> p.Expr | None:
    """Something declared `of player`, of this player."""
    readings = []
    for meaning in c.symbols.named(node.word.text):
        if c.symbols.per_player(meaning):
            reading = owned_reading(c, meaning, node, owner, scope)
            if reading is not None:
                readings.append(reading)
    if readings:
        return decide(c, node.word, readings, want, scope)
    others = c.symbols.named(node.word.text)
    if others and others[0].kind not in (*OWNED, s.MEMORY):
        word, meaning = node.word.text, others[0]
        hint, what = "", meaning.describe()
        if meaning.kind == s.ATTRIBUTE:
            what, hint = "a property of cards", f"say of which card: `{word} of it`"
        elif meaning.kind == s.ROLE:
            hint = f"`… is {word}` asks whether a player has that role"
        message = f"a player has no `{word}`: it is {what}"
        c.findings.error("R0310", message, node.word.span, suggestion=hint)
        return None
    if others:
        c.findings.error(
            "R0311",
            f"`{node.word.text}` belongs to no player",
            node.span,
            related=[(others[0].span, "it is declared without `of player`")],
        )
        return None
    if node.word.text in BUILT_IN or node.word.text in HINTS:
        no_part(c, node.word, owner.type)
        return None
    hint = of_suggestion(c, node.word.text, p.PLAYER)
    c.missing("R0304", f"there is nothing called `{node.word.text}`", node.word, hint)
    return None


def no_part(c: Context, word: n.Word, owner: Type) -> None:
    """A word of the language that says nothing of what it is said of: `seat of me`."""
    if word.text == "role" and owner == p.PLAYER:
        no_roles(c, word.span)
        return
    hint = HINTS.get(word.text) or of_suggestion(c, word.text, owner)
    message = f"{called(owner)} {'have' if is_collection(owner) else 'has'} no `{word.text}`"
    if c.symbols.named(word.text):
        c.findings.error("R0310", message, word.span, suggestion=hint)
    else:
        c.missing("R0310", message, word, hint)


def owned_reading(
    c: Context, meaning: Meaning, node: n.Of, owner: p.Expr, scope: Scope
) -> Reading | None:
    span, name = node.span, meaning.name
    what = meaning.describe()

    def used(expr: p.Expr) -> p.Expr:
        c.symbols.use(meaning)
        return expr

    match meaning.kind:
        case s.PLACE:
            place = p.PlaceRef(name, owner, span)
            return Reading(p.CARDS, what, lambda: used(p.CardsIn((place,), p.CARDS, span)))
        case s.HOLDER:
            return Reading(p.NUMBER, what, lambda: used(p.TokenCount(name, owner, p.NUMBER, span)))
        case s.MARK:
            return Reading(p.TRUTH, what, lambda: used(p.Marked(name, owner, p.TRUTH, span)))
        case s.TRACK:
            kept = track_type(c, name)
            if kept is None:
                return None
            return Reading(kept, what, lambda: used(p.TrackRef(name, owner, kept, span)))
        case s.VALUE:
            return Reading(
                None, what, lambda: call_value(c, name, node.word, owner, (), scope, span)
            )
        case s.MEMORY:
            held = type_word(c, c.symbols.memories[name].type.text)
            if held is None:
                return None
            return Reading(held, what, lambda: p.Remembered(name, owner, held, span))
    return None


def value_of(c: Context, node: n.Of, owner: p.Expr, scope: Scope) -> p.Expr | None:
    """`strength(c) of p`."""
    found = c.symbols.named(node.word.text, s.VALUE)
    if not found:
        unknown(c, node.word, scope)
        return None
    if owner.type != p.PLAYER:
        c.mismatch(node.owner, owner.type, p.PLAYER)
        return None
    arguments = node.arguments or ()
    return call_value(c, found[0].name, node.word, owner, arguments, scope, node.span)


def of_suggestion(c: Context, word: str, owner: Type) -> str:
    kinds = {
        K.PLAYER: (s.PLACE, s.HOLDER, s.MARK, s.TRACK, s.VALUE),
        K.CARD: (s.ATTRIBUTE,),
        K.PLAY: (s.ATTRIBUTE,),
    }.get(owner.kind, ())
    if not kinds and c.symbols.named(word, s.ATTRIBUTE):
        return f"cards have a `{word}`: say of which card, for instance `{word} of it`"
    more = {
        K.PLAYER: ("role", "others", "left", "right"),
        K.CARD: ("owner",),
        K.PLAY: ("shape", "size", "cards"),
        K.ENUM: ("number",),
    }.get(owner.kind, ("size",) if is_collection(owner) else ())
    if not kinds:
        return nearest_or_all(word, more) or "only cards, plays and players have properties"
    return c.symbols.suggestion(word, *kinds, more=more)


def shared_holder(c: Context, node: n.Of) -> str | None:
    """`coins of treasury`: the holder, if that is what is said."""
    if node.arguments is not None or not isinstance(node.owner, n.Ref):
        return None
    found = c.symbols.named(node.owner.word.text, s.HOLDER)
    if not found or not found[0].owner:
        return None
    if found[0].owner not in (node.word.text, *singulars(node.word.text)):
        return None
    c.symbols.use(found[0])
    return found[0].name
