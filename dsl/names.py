"""What a bare name means: from words to expressions. `X of Y` is in `dsl.parts`.

The rules of scope are in `dsl.scope`; here they are applied. A local name wins; then the properties
of what is being looked at; then what the ruleset declares, where the expected type decides between
declarations of one name.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.calls import call_value
from dsl.context import Context
from dsl.program import K, Type
from dsl.scope import Scope
from dsl.symbols import Meaning
from dsl.type_names import called, is_collection, is_needed
from dsl.unknown import unknown


@frozen(eq=False)
class Reading:
    """One way to understand a word: its type is known before it is made."""

    type: Type | None
    what: str
    make: Callable[[], p.Expr | None]


# ── bare names ───────────────────────────────────────────────────────────────────────────────


def lower_ref(c: Context, node: n.Ref, scope: Scope, want: Type | None) -> p.Expr | None:
    word = node.word.text
    local = scope.find(word)
    if local is not None:
        return None if local.var is None else p.VarRef(local.var, local.var.type, node.span)
    if word in BUILDERS:
        return BUILDERS[word](c, node, scope, want)
    readings = property_readings(c, word, scope, node.span)
    if not readings or (want is not None and want.kind is K.ENUMS):
        readings += declared_readings(c, node.word, scope, want)
    if not readings and c.in_bot and word in c.runs:
        return p.RunOf(word, p.NUMBER, node.span)
    return decide(c, node.word, readings, want, scope)


def decide(
    c: Context, word: n.Word, readings: list[Reading], want: Type | None, scope: Scope
) -> p.Expr | None:
    """The reading that fits the expected type, or the only one there is."""
    fitting = [r for r in readings if want is None or r.type is None or r.type == want]
    if len(fitting) == 1:
        return fitting[0].make()
    if len(readings) == 1:
        return readings[0].make()
    if readings:
        kinds = " or ".join(dict.fromkeys(reading.what for reading in readings))
        message = f"`{word.text}` can mean {kinds}, and nothing here decides"
        hint = ""
        if want is not None and not fitting:
            message = f"`{word.text}` can mean {kinds}, but {is_needed(want)} here"
            if want.kind is K.PLAYER and any(reading.type == p.ROLE for reading in readings):
                hint = f"`… is {word.text}` asks whether a player has that role"
        c.findings.error("R0302", message, word.span, suggestion=hint)
        return None
    unknown(c, word, scope)
    return None


def property_readings(c: Context, word: str, scope: Scope, span: p.Span) -> list[Reading]:
    """A bare property of the card, value or play that is being looked at."""
    looked_at = scope.candidate
    if looked_at is None:
        return []
    subject = p.VarRef(looked_at, looked_at.type, span)
    made = property_of(c, word, subject, span)
    if made is None:
        return []
    return [Reading(made.type, f"its {word}", lambda: made)]


def property_of(c: Context, word: str, owner: p.Expr, span: p.Span) -> p.Expr | None:
    """`suit`, `number`, `owner`, `shape`, `size` … of a card, an attribute's value, or a play."""
    kind = owner.type.kind
    attribute = next((m.name for m in c.symbols.named(word, s.ATTRIBUTE)), None)
    if kind is K.CARD:
        if word == "owner":
            return p.OwnerOf(owner, p.PLAYER, span)
        if attribute is not None:
            c.symbols.one(word, s.ATTRIBUTE)
            return p.Attr(attribute, owner, c.symbols.enum(attribute), span)
    elif kind is K.ENUM:
        if attribute == owner.type.name:
            return owner
        if word == "number" and c.symbols.has_numbers(owner.type.name):
            return p.EnumNumber(owner, p.NUMBER, span)
    elif kind is K.PLAY:
        if word in ("shape", "size"):
            return p.PlayPart(word, owner, p.SHAPE if word == "shape" else p.NUMBER, span)
        if word == "cards":
            return p.PlayPart(word, owner, p.CARDS, span)
        if attribute is not None:
            c.symbols.one(word, s.ATTRIBUTE)
            return p.PlayAttr(attribute, owner, c.symbols.enum(attribute), span)
    return None


def declared_readings(c: Context, word: n.Word, scope: Scope, want: Type | None) -> list[Reading]:
    readings = []
    for meaning in c.symbols.named(word.text):
        reading = declared_reading(c, meaning, word, scope, want)
        if reading is not None:
            readings.append(reading)
    return readings


def declared_reading(
    c: Context, meaning: Meaning, word: n.Word, scope: Scope, want: Type | None
) -> Reading | None:
    span, name, symbols = word.span, meaning.name, c.symbols
    what = meaning.describe()

    def player() -> p.Expr | None:
        return p.VarRef(scope.whose(), p.PLAYER, span) if symbols.per_player(meaning) else None

    def used(expr: p.Expr) -> p.Expr:
        symbols.use(meaning)
        return expr

    match meaning.kind:
        case s.OPTION:
            kind = symbols.option_types[name]
            return Reading(kind, what, lambda: used(p.OptionRef(name, kind, span)))
        case s.WORD:
            of_option = Type(K.WORD, meaning.owner)
            if want != of_option:
                return None
            return Reading(of_option, what, lambda: used(p.Const(name, of_option, span)))
        case s.ATTRIBUTE:
            if want is None or want.kind is not K.ENUMS:
                return Reading(None, what, lambda: no_card(c, word, name, scope))
            values = Type(K.ENUMS, name)
            return Reading(values, what, lambda: used(p.EnumAll(name, values, span)))
        case s.ENUM_VALUE:
            kind = symbols.enum(meaning.owner)
            return Reading(kind, what, lambda: used(p.Const(meaning.index, kind, span)))
        case s.ROLE:
            return Reading(p.ROLE, what, lambda: used(p.Const(meaning.index, p.ROLE, span)))
        case s.SHAPE:
            return Reading(p.SHAPE, what, lambda: used(p.Const(meaning.index, p.SHAPE, span)))
        case s.PLACE:
            place = p.PlaceRef(name, player(), span)
            return Reading(p.CARDS, what, lambda: used(p.CardsIn((place,), p.CARDS, span)))
        case s.HOLDER:
            return Reading(
                p.NUMBER, what, lambda: used(p.TokenCount(name, player(), p.NUMBER, span))
            )
        case s.MARK:
            return Reading(p.TRUTH, what, lambda: used(p.Marked(name, player(), p.TRUTH, span)))
        case s.TRACK:
            kept = track_type(c, name)
            if kept is None:
                return Reading(None, what, lambda: None)
            return Reading(kept, what, lambda: used(p.TrackRef(name, player(), kept, span)))
        case s.VALUE:
            return Reading(None, what, lambda: call_value(c, name, word, None, (), scope, span))
        case s.SETTING:
            return Reading(p.NUMBER, what, lambda: p.Setting(name, p.NUMBER, span))
        case s.MEMORY:
            held = type_word(c, symbols.memories[name].type.text)
            if held is None:
                return None
            return Reading(held, what, lambda: p.Remembered(name, player(), held, span))
    return None


def no_card(c: Context, word: n.Word, attribute: str, scope: Scope) -> None:
    """A property without anything it could be the property of."""
    owner = "it" if scope.it is not None else "…"
    hint = f"write `{attribute} of {owner}`"
    if scope.it is not None and scope.it.type == p.NUMBER:
        hint = "what is chosen is a number itself: `it`"
    c.findings.error(
        "R0305",
        f"whose `{word.text}`? No card is being looked at here",
        word.span,
        suggestion=hint,
    )


def track_type(c: Context, name: str) -> Type | None:
    word = c.symbols.tracks[name].type
    return type_word(c, word.text)


def type_word(c: Context, word: str) -> Type | None:
    """The type a word names: `player`, `number`, `play`, an attribute …"""
    plain = {"player": p.PLAYER, "number": p.NUMBER, "card": p.CARD, "play": p.PLAY}
    plain |= {"role": p.ROLE, "shape": p.SHAPE}
    found = c.symbols.named(word, s.ATTRIBUTE)
    if found and not c.symbols.is_numeric(found[0].name):
        return c.symbols.enum(found[0].name)
    return plain.get(word)


def no_roles(c: Context, span: p.Span) -> None:
    hint = "declare some: `roles king, fool`"
    c.findings.error("R0365", "this ruleset declares no roles", span, suggestion=hint)


# ── words of the language that stand for something ──


def _me(c: Context, node: n.Ref, scope: Scope, want: Type | None) -> p.Expr | None:
    return p.VarRef(scope.acting(), p.PLAYER, node.span)


def _they(c: Context, node: n.Ref, scope: Scope, want: Type | None) -> p.Expr | None:
    if scope.unsure:
        return None
    if scope.they is None:
        c.findings.error(
            "R0306",
            f"nobody has been named here, so `{node.word.text}` is nobody",
            node.span,
            "`they` is the player last named by a choice or a loop: `each victim in others`",
            suggestion=_other_word("it", scope.it),
        )
        return None
    return p.VarRef(scope.they, scope.they.type, node.span)


def _it(c: Context, node: n.Ref, scope: Scope, want: Type | None) -> p.Expr | None:
    if scope.unsure:
        return None
    if scope.it is None:
        c.findings.error(
            "R0307",
            "nothing has been chosen here, so there is no `it`"
            if scope.they is None
            else "no single card has been chosen here, so there is no `it`",
            node.span,
            "`it` is what was last chosen, or the card that is being looked at",
            suggestion=_other_word("them", scope.they),
        )
        return None
    return p.VarRef(scope.it, scope.it.type, node.span)


def _other_word(word: str, var: p.Var | None) -> str:
    """Where `it` was said of several cards or a player, or `them` of one card."""
    if var is None:
        return ""
    plural = "are" if is_collection(var.type) else "is"
    return f"`{word}` {plural} the {called(var.type).split(' ', 1)[-1]} last named"


def _nobody(c: Context, node: n.Ref, scope: Scope, want: Type | None) -> p.Expr | None:
    return p.Const(None, p.PLAYER, node.span)


def _nothing(c: Context, node: n.Ref, scope: Scope, want: Type | None) -> p.Expr | None:
    if want is None or want.kind not in (K.CARD, K.PLAY, K.PLAYER, K.ROLE, K.ENUM):
        c.findings.error(
            "R0308",
            "`nothing` stands for no card or no play, and neither is expected here",
            node.span,
        )
        return None
    return p.Const(-1 if want.kind is K.ENUM else None, want, node.span)


def _yes(c: Context, node: n.Ref, scope: Scope, want: Type | None) -> p.Expr | None:
    return p.Const(node.word.text == "yes", p.TRUTH, node.span)


def _endless(c: Context, node: n.Ref, scope: Scope, want: Type | None) -> p.Expr | None:
    return p.Const(p.ENDLESS, p.NUMBER, node.span)


def _players(c: Context, node: n.Ref, scope: Scope, want: Type | None) -> p.Expr | None:
    if want == p.NUMBER:
        return p.PlayerCount(p.NUMBER, node.span)
    return p.Players(None, False, p.PLAYERS, node.span)


def _others(c: Context, node: n.Ref, scope: Scope, want: Type | None) -> p.Expr | None:
    whose = p.VarRef(scope.whose(), p.PLAYER, node.span)
    return p.Players(whose, True, p.PLAYERS, node.span)


def _property(c: Context, node: n.Ref, scope: Scope, want: Type | None) -> p.Expr | None:
    """`owner`, `size`: only of what is being looked at."""
    readings = property_readings(c, node.word.text, scope, node.span)
    if readings:
        return readings[0].make()
    no_card(c, node.word, node.word.text, scope)
    return None


def _bare_kind(c: Context, node: n.Ref, scope: Scope, want: Type | None) -> p.Expr | None:
    """`card`, `cards`, `player`, `seat`, `points` …: words that need company."""
    readings = property_readings(c, node.word.text, scope, node.span)
    if readings:
        return readings[0].make()
    if want == p.NUMBER and node.word.text == "cards":
        c.findings.error(
            "R0301",
            "these are cards, but a number is needed here",
            node.span,
            suggestion="`count of cards in …` is how many there are",
        )
        return None
    word = node.word.text
    if word == "role" and c.symbols.roles is None:
        no_roles(c, node.span)
        return None
    c.findings.error(
        "R0309", f"`{word}` alone says too little here", node.span, suggestion=HINTS[word]
    )
    return None


OWNED = (s.PLACE, s.HOLDER, s.MARK, s.TRACK, s.VALUE)  # what can be declared `of player`

# What words that need company can stand with.
HINTS = {
    "card": "say which: `the card in hand`, `first card in pile`",
    "cards": "say where: `cards in hand`; those of the whole game are `all cards`",
    "player": "say which: `first player where …`, or `me`",
    "seat": "`seat` can only stand after `by`, and in the winner's line",
    "role": "say whose: `role of me`",
    "points": "`points` can only stand after `winner`",
    "shape": "say of what: `shape of it`",
}

Builder = Callable[[Context, n.Ref, Scope, Type | None], p.Expr | None]
BUILDERS: dict[str, Builder] = {
    "me": _me,
    "they": _they,
    "them": _they,
    "it": _it,
    "nobody": _nobody,
    "nothing": _nothing,
    "yes": _yes,
    "no": _yes,
    "endless": _endless,
    "players": _players,
    "everyone": _players,
    "others": _others,
    "owner": _property,
    "size": _property,
    "card": _bare_kind,
    "cards": _bare_kind,
    "player": _bare_kind,
    "seat": _bare_kind,
    "role": _bare_kind,
    "points": _bare_kind,
    "shape": _bare_kind,
}
