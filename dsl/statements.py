"""Statements: from nodes to the typed core. Choices are in `dsl.choices`, loops in `dsl.loops`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from dsl import loops
from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.calls import typed_arguments
from dsl.choices import lower_choose
from dsl.context import Context, shown
from dsl.locals import NAMED_VALUE, fresh
from dsl.names import track_type
from dsl.places import cards_in, cards_source, in_order, one_place, places_of
from dsl.program import Type
from dsl.scope import Local, Scope
from dsl.selections import select
from dsl.site import Site
from dsl.suggest import did_you_mean, nearest_or_all, word_meant
from dsl.synonyms import meant
from dsl.token_lines import lower_mark, lower_tokens
from dsl.type_names import called, this_is
from dsl.vocabulary import STATEMENT_WORDS


def lower_body(c: Context, body: Iterable[n.Stmt], scope: Scope, site: Site) -> tuple[p.Stmt, ...]:
    """The statements of a block; those with errors are left out."""
    made: list[p.Stmt] = []
    for node in body:
        statement = lower(c, node, scope, site)
        if statement is not None:
            made.append(statement)
        elif not isinstance(node, n.Nothing):
            c.must_be_said(node.span)
    return tuple(made)


def lower(c: Context, node: n.Stmt, scope: Scope, site: Site) -> p.Stmt | None:
    match node:
        case n.Shuffle():
            return _shuffle(c, node, scope, site)
        case n.Deal():
            return _deal(c, node, scope, site)
        case n.Move():
            return _move(c, node, scope, site)
        case n.MoveRandom():
            return _move_random(c, node, scope, site)
        case n.MoveTokens():
            return lower_tokens(c, node, scope, site)
        case n.SetMark():
            return lower_mark(c, node, scope, site)
        case n.PassRoles():
            return _pass_roles(c, node, site)
        case n.Reveal():
            return _reveal(c, node, scope, site)
        case n.Apply():
            return _apply(c, node, scope, site)
        case n.Moment():
            return _moment(c, node, scope, site)
        case n.End():
            return _end(c, node, site)
        case n.Nothing():
            return None
        case n.Assign():
            return _assign(c, node, scope, site)
        case n.Do():
            return _do(c, node, scope, site)
        case n.If():
            return _if(c, node, scope, site)
        case n.Repeat():
            return loops.repeat(c, node, scope, site, lower_body)
        case n.Each():
            return loops.each(c, node, scope, site, lower_body)
        case n.AtOnce():
            return loops.at_once(c, node, scope, site, lower_body)
        case n.Turn():
            return loops.turn(c, node, scope, site, lower_body)
        case n.While():
            return loops.while_loop(c, node, scope, site, lower_body)
        case n.GoRound():
            return loops.go_round(c, node, scope, site, lower_body)
        case n.Choose():
            return lower_choose(c, node, scope, site, lower_body)
        case _:
            assert_never(node)


# ── cards ────────────────────────────────────────────────────────────────────────────────────


def _shuffle(c: Context, node: n.Shuffle, scope: Scope, site: Site) -> p.Stmt | None:
    place = one_place(c, node.place, scope, "`shuffle`")
    source = None if node.source is None else cards_source(c, node.source, scope)
    if place is None or (node.source is not None and source is None):
        return None
    path = f"{site.path}/shuffle {place.place}"
    if not in_order(c, place, node.span, "it can't be shuffled"):
        return None
    return p.Shuffle(source, place, site.origin(node.span, node.tags, path))


def _deal(c: Context, node: n.Deal, scope: Scope, site: Site) -> p.Stmt | None:
    count = c.number(node.count, scope, "`deal`")
    source = one_place(c, node.source, scope, "`deal … from`")
    target = places_of(c, node.target, scope)
    if target is None:
        one_place(c, node.target, scope, "`deal … to`")
        return None
    if count is None or source is None or not target:
        return None
    origin = site.origin(node.span, node.tags)
    if len(target) == 1 and isinstance(target[0], p.PlacesOf):
        return p.Deal(count, source, target[0].place, target[0].players, origin)
    if len(target) == 1 and isinstance(target[0], p.PlaceRef):
        cards = p.Top(source, count, p.CARDS, node.span)
        return p.Move(cards, target[0], False, origin)
    message = "cards are dealt to one place, or to one place of every player"
    c.findings.error("R0330", message, node.target.span)
    return None


def _move(c: Context, node: n.Move, scope: Scope, site: Site) -> p.Stmt | None:
    what = _movable(c, node.what, scope)
    to = one_place(c, node.to, scope, "`move … to`")
    if what is None or to is None:
        return None
    return p.Move(what, to, node.if_any, site.origin(node.span, node.tags))


def _move_random(c: Context, node: n.MoveRandom, scope: Scope, site: Site) -> p.Stmt | None:
    if node.word.text not in ("card", "cards"):
        _not_at_random(c, node)
        return None
    if node.count is None and node.word.text == "cards":
        c.findings.error(
            "R0360",
            "how many cards?",
            node.word.span,
            suggestion=f"`move 2 random cards from {shown(node.source)} to {shown(node.to)}`, "
            "or `random card` for one",
        )
        return None
    count: p.Expr | None = p.Const(1, p.NUMBER, node.word.span)
    if node.count is not None:
        count = c.number(node.count, scope, "`move … random cards`")
    source = one_place(c, node.source, scope, "`move random card from`")
    to = one_place(c, node.to, scope, "`move … to`")
    if count is None or source is None or to is None:
        return None
    path = f"{site.path}/random card from {source.place}"
    return p.MoveRandom(source, count, to, site.origin(node.span, node.tags, path))


def _not_at_random(c: Context, node: n.MoveRandom) -> None:
    word, way = node.word.text, f"from {shown(node.source)} to {shown(node.to)}"
    message, hint = f"only cards are picked at random, and `{word}` are none", "random card"
    if c.symbols.named(word, s.KIND, s.ENUM_VALUE):
        message = f"all cards of a place may be picked at random, not `{word}` alone"
    elif c.symbols.named(word, s.HOLDER):
        message = f"`{word}` are all alike, so none is picked at random"
        hint = f"{1 if node.count is None else shown(node.count)} {word}"
    c.findings.error("R0360", message, node.word.span, suggestion=f"`move {hint} {way}`")


def _movable(c: Context, node: n.Expr, scope: Scope) -> p.Expr | None:
    """A card or cards to move: `it`, `hand`, `joker from hand`, `first card in …`."""
    if isinstance(node, n.Select | n.In):
        return _movable_selection(c, node, scope)
    places = places_of(c, node, scope)
    if places is not None:
        return cards_in(places, node.span)
    made = c.expr(node, scope, p.CARDS)
    if made is None or made.type in (p.CARD, p.CARDS):
        return made
    if made.type == p.PLAY:
        return p.PlayPart("cards", made, p.CARDS, node.span)
    c.findings.error("R0301", f"cards can be moved; {this_is(made.type)}", node.span)
    return None


def _movable_selection(c: Context, node: n.Select | n.In, scope: Scope) -> p.Expr | None:
    if isinstance(node, n.In):
        node = n.Select(node.item, None, node.source, None, None, None, (), node.span)
    if isinstance(node.head, n.Number) and node.source is not None:
        _how_many(c, node.head, node.source)
        return None
    made = select(c, node, scope)
    if made is None:
        return None
    if made.expr.type != p.CARDS:
        message = f"cards can be moved; {this_is(made.expr.type)}"
        c.findings.error("R0301", message, node.span)
        return None
    head = node.head.word.text if isinstance(node.head, n.Ref) else ""
    if head == "card":
        c.findings.error(
            "R0360",
            "which card? The rule doesn't say who picks it",
            node.span,
            suggestion="`first card in …`, `cards in …`, `top of …`, `random card from …`; "
            "or `choose` one",
        )
        return None
    if any(m.name == head for m in c.symbols.named(head, s.KIND, s.ENUM_VALUE)):
        return p.First(made.expr, p.CARD, node.span)
    return made.expr


def _how_many(c: Context, count: n.Number, source: n.Expr) -> None:
    """`move 3 from deck to hand`: which three?"""
    of = shown(source)
    hint = f"`top {count.value} of {of}`, or `choose NAME: {count.value} cards from {of}`"
    message = "which cards? The rule doesn't say which, or who picks them"
    c.findings.error("R0360", message, count.span, suggestion=hint)


def _reveal(c: Context, node: n.Reveal, scope: Scope, site: Site) -> p.Stmt | None:
    places = places_of(c, node.source, scope)
    if places is None:
        one_place(c, node.source, scope, "`reveal`")
        return None
    return p.Reveal(places, site.origin(node.span, node.tags))


# ── roles, effects, moments ──────────────────────────────────────────────────────────────────


def _pass_roles(c: Context, node: n.PassRoles, site: Site) -> p.Stmt | None:
    if c.symbols.roles is None:
        c.findings.error("R0365", "this ruleset declares no roles", node.span)
        return None
    return p.PassRoles(node.clockwise, site.origin(node.span, node.tags))


def _apply(c: Context, node: n.Apply, scope: Scope, site: Site) -> p.Stmt | None:
    family = node.family.text
    known = c.family_types.get(family)
    if known is None:
        if family not in c.symbols.effects:
            c.findings.error(
                "R0366",
                f"there is no effect called `{family}`",
                node.family.span,
                "effects are blocks such as `skill knight` or `bonus spades`",
                suggestion=did_you_mean(family, c.symbols.effects),
            )
        c.expr(node.key, scope)
        return None
    key = c.need(node.key, scope, known)
    c.applied.setdefault(family, node.span)
    if key is None:
        return None
    me = p.VarRef(scope.acting(), p.PLAYER, node.span)
    return p.Apply(family, key, me, site.origin(node.span, node.tags))


def _moment(c: Context, node: n.Moment, scope: Scope, site: Site) -> p.Stmt | None:
    name = node.name.text
    c.moments[name] = c.moments.get(name) or node.name.names
    me = p.VarRef(scope.acting(), p.PLAYER, node.span)
    return p.Moment(name, me, site.origin(node.span, node.tags))


def _end(c: Context, node: n.End, site: Site) -> p.Stmt | None:
    word = node.word.text
    if node.leave and word in ("phase", "game"):
        message, hint = f"a {word} is ended, and loops are left", f"`end {word}`"
        c.findings.error("R0377", message, node.span, suggestion=hint)
    elif word not in ("phase", "game"):
        c.ends.append(node)
    return p.End(word, site.origin(node.span, node.tags), node.leave)


# ── names and actions ────────────────────────────────────────────────────────────────────────


def _assign(c: Context, node: n.Assign, scope: Scope, site: Site) -> p.Stmt | None:
    word, origin = node.word.text, site.origin(node.span, node.tags)
    local = scope.find(word) if node.owner is None else None
    if local is not None:
        value = c.expr(node.value, scope, None if local.var is None else local.var.type)
        if value is None or local.var is None:
            return None
        if value.type != local.var.type:
            _changed_type(c, node, local, value.type)
            return None
        return p.SetVar(local.var, value, origin)
    if any(m.kind == s.TRACK for m in c.symbols.named(word)):
        return _set_track(c, node, scope, origin)
    if node.owner is not None or not fresh(c, node.word, NAMED_VALUE, scope):
        if node.owner is not None:
            c.findings.error(
                "R0367",
                f"there is no track `{word}`, so it can't be set",
                node.word.span,
                suggestion=c.symbols.suggestion(word, s.TRACK),
            )
        return None
    if isinstance(node.value, n.Ref) and node.value.word.text == "nothing":
        hint = did_you_mean(word, c.symbols.tracks)
        hint = hint or f"declare it under `track`: `{word} card`, or what else it keeps"
        message = f"there is no track `{word}`, so it can't be set to `nothing`"
        c.missing("R0367", message, node.word, hint)
        return None
    value = c.expr(node.value, scope)
    var = None if value is None else scope.routine.var(word, value.type)
    scope.names[word] = Local(var, node.word.span, given=True)
    return None if value is None or var is None else p.SetVar(var, value, origin)


def _changed_type(c: Context, node: n.Assign, local: Local, got: Type) -> None:
    assert local.var is not None
    c.findings.error(
        "R0368",
        f"`{node.word.text}` is {called(local.var.type)}; it can't become {called(got)}",
        node.value.span,
        related=[(local.span, "it got its type here")],
    )
    local.var = None  # what is said about it from here on would only repeat this


def _set_track(c: Context, node: n.Assign, scope: Scope, origin: p.Origin) -> p.Stmt | None:
    name = c.symbols.named(node.word.text, s.TRACK)[0].name
    kept, decl = track_type(c, name), c.symbols.tracks[name]
    player: p.Expr | None = None
    if node.owner is not None:
        player = c.player(node.owner, scope)
        if decl.owner is None:
            c.findings.error("R0311", f"`{name}` belongs to no player", node.word.span)
            return None
    elif decl.owner is not None:
        player = p.VarRef(scope.acting(), p.PLAYER, node.word.span)
    if kept is None or (decl.owner is not None and player is None):
        return None
    value = c.need(node.value, scope, kept, f"`{name}`")
    return None if value is None else p.SetTrack(name, player, value, origin)


def _do(c: Context, node: n.Do, scope: Scope, site: Site) -> p.Stmt | None:
    word = node.word
    found = c.symbols.named(word.text, s.ACTION)
    exact = [meaning for meaning in found if meaning.name == word.text]
    if not exact:
        _no_action(c, node, scope)
        return None
    state = c.actions[word.text]
    state.called = True
    c.symbols.use(exact[0])
    if len(node.arguments) != len(state.decl.params):
        c.miscalled.setdefault(word.text, []).append(node)
        return None
    state.calls += 1
    given = typed_arguments(c, word.text, node.arguments, state.types, state.typed_by, scope)
    if given is None:
        return None
    me = p.VarRef(scope.acting(), p.PLAYER, node.span)
    return p.Do(word.text, (me, *given), site.origin(node.span, node.tags))


def _no_action(c: Context, node: n.Do, scope: Scope) -> None:
    word = node.word
    known = c.symbols.named(word.text)
    if known:
        message = f"`{word.text}` is {known[0].describe()}; it doesn't do anything by itself"
        c.findings.error("R0370", message, word.span)
        return
    actions = list(c.symbols.names_of(s.ACTION))
    hint = word_meant(word.text, [*actions, *STATEMENT_WORDS])
    if {"leave", "end"} & set(meant(word.text)):
        hint = "`leave NAME` leaves the loop of that name (`… as bidding`), `end NAME` this run"
    hint = hint or nearest_or_all(word.text, actions)
    c.missing("R0370", f"there is no action called `{word.text}`", word, hint)


def _if(c: Context, node: n.If, scope: Scope, site: Site) -> p.Stmt | None:
    condition = c.truth(node.condition, scope, "`if`")
    inner = site.inside(node.tags)
    then = lower_body(c, node.then, scope.child(), inner)
    otherwise = lower_body(c, node.otherwise, scope.child(), inner)
    if condition is None:
        return None
    return p.If(condition, then, otherwise, site.origin(node.span, node.tags))
