"""Statements that move tokens and set marks: from nodes to the typed core, for `dsl.statements`."""

from __future__ import annotations

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.context import Context, shown
from dsl.scope import Scope
from dsl.site import Site
from dsl.suggest import did_you_mean, listing, nearest_or_all, singulars
from dsl.vocabulary import BUILT_IN


def token_named(c: Context, word: n.Word) -> str | None:
    for form in (word.text, *singulars(word.text)):
        if form in c.symbols.tokens:
            return form
    hint = nearest_or_all(word.text, c.symbols.tokens)
    c.missing("R0361", f"there are no tokens called `{word.text}`", word, hint)
    return None


def _are_cards(c: Context, word: n.Word) -> bool:
    """Whether cards are spoken of where tokens should be: `move 2 cards from hand to pot`."""
    known = any(form in c.symbols.tokens for form in (word.text, *singulars(word.text)))
    cards = c.symbols.named(word.text, s.KIND, s.ENUM_VALUE)
    return not known and (word.text in ("card", "cards") or bool(cards))


def _which_cards(c: Context, node: n.MoveTokens) -> None:
    """Cards are not alike, as tokens are: somebody chooses them, or they lie on top."""
    amount, end = shown(node.amount), "…"
    source, kind = "hand" if node.verb == "give" else "…", "hand"
    if node.verb == "move" and node.source is not None and node.target is not None:
        source, end = shown(node.source), shown(node.target)
    if isinstance(node.source, n.Ref):
        place = c.symbols.one(node.source.word.text, s.PLACE)
        kind = kind if place is None else c.symbols.places[place].kind.text
    one = amount == "1" and not node.up_to
    some = "" if one else f"0..{amount} " if node.up_to else f"{amount} "
    moved = f"`move {'it' if one else 'them'} to {end}`"
    hint = f"`choose NAME: {some}{node.token.text} from {source}`, and below it {moved}"
    top = "top" if one else f"top {amount}"
    if node.verb == "gain":
        hint = f"cards come from somewhere: `move {top} of deck to hand`"
    elif node.verb == "move" and not node.up_to and _are_alike(c, node.token):
        hint = f"`repeat {amount}`, and below it `move first {_alike(c, node.token)} in {source} "
        hint += f"to {end}`; they are all alike"
        hint = hint if not one else f"`move first {_alike(c, node.token)} in {source} to {end}`"
    elif kind != "hand":
        hint = f"`move {top} of {source} to {end}`, or {hint}"
    c.findings.error(
        "R0360",
        "which cards? The rule doesn't say who picks them",
        node.token.span,
        suggestion=hint,
    )


def _alike(c: Context, word: n.Word) -> str:
    """The kind of cards a word means."""
    return c.symbols.named(word.text, s.KIND)[0].name


def _are_alike(c: Context, word: n.Word) -> bool:
    """Whether cards of a kind can't be told apart, so that nobody need pick them."""
    found = c.symbols.named(word.text, s.KIND)
    return len(found) == 1 and not c.symbols.kinds[found[0].name].attributes


def lower_tokens(c: Context, node: n.MoveTokens, scope: Scope, site: Site) -> p.Stmt | None:
    if _are_cards(c, node.token):
        _which_cards(c, node)
        return None
    token = token_named(c, node.token)
    amount = c.number(node.amount, scope)
    if token is None or amount is None:
        return None
    if node.verb in ("gain", "lose"):
        ends = _gain_or_lose(c, node, token, scope)
    else:
        ends = _from_to(c, node, token, scope)
    if ends is None:
        return None
    origin = site.origin(node.span, node.tags)
    return p.MoveTokens(token, amount, *ends, node.up_to, origin)


def _gain_or_lose(
    c: Context, node: n.MoveTokens, token: str, scope: Scope
) -> tuple[p.TokenEnd, p.TokenEnd] | None:
    who: p.Expr | None = p.VarRef(scope.acting(), p.PLAYER, node.span)
    if node.who is not None and _said_of_a_holder(c, node, node.who, token, scope):
        return None
    if node.who is not None:
        who = c.player(node.who, scope)
    if c.symbols.is_shared_token(token):
        holders = [
            key
            for key, decl in c.symbols.holders.items()
            if decl.holder is not None and decl.name.text == token
        ]
        verb, joint = ("take", "from") if node.verb == "gain" else ("give", "to")
        c.findings.error(
            "R0362",
            f"where {'from' if node.verb == 'gain' else 'to'}? {token} is kept in "
            f"{listing(holders, 'and')}, so it can't come from or go nowhere",
            node.span,
            suggestion=f"`{verb} {shown(node.amount)} {token} {joint} {holders[0]}`",
        )
        return None
    mine = None if who is None else token_end(c, node.token, token, who)
    if mine is None:
        return None
    nowhere = p.TokenEnd(None, None)
    return (nowhere, mine) if node.verb == "gain" else (mine, nowhere)


def _said_of_a_holder(
    c: Context, node: n.MoveTokens, who: n.Expr, token: str, scope: Scope
) -> bool:
    """`board gains 3 price`: what no player holds comes from somewhere, and goes somewhere."""
    if not isinstance(who, n.Ref) or scope.find(who.word.text) is not None:
        return False
    found = c.symbols.named(who.word.text, s.HOLDER)
    if len(found) != 1 or not found[0].owner:
        return False
    c.symbols.use(found[0])
    others = [
        key
        for key, decl in c.symbols.holders.items()
        if decl.name.text == token and key not in (found[0].name, token)
    ]
    gains = node.verb == "gain"
    other = others[0] if others else "supply"
    ends = f"from {other} to {who.word.text}" if gains else f"from {who.word.text} to {other}"
    hint = f"`move {shown(node.amount)} {token} {ends}`"
    if not others:
        hint += f", with `{token} in supply endless` under `tokens`"
    where = "come from" if gains else "go to"
    message = f"only players gain and lose; where do these {where}?"
    c.findings.error("R0362", message, node.span, suggestion=hint)
    return True


def _from_to(
    c: Context, node: n.MoveTokens, token: str, scope: Scope
) -> tuple[p.TokenEnd, p.TokenEnd] | None:
    ends: list[p.TokenEnd | None] = []
    for end in (node.source, node.target):
        if end is None:
            me = p.VarRef(scope.acting(), p.PLAYER, node.span)
            ends.append(token_end(c, node.token, token, me))
        else:
            ends.append(_holder(c, node.token, end, token, scope))
    source, target = ends
    return None if source is None or target is None else (source, target)


def _holder(c: Context, word: n.Word, node: n.Expr, token: str, scope: Scope) -> p.TokenEnd | None:
    """`treasury`, or a player."""
    if isinstance(node, n.Ref) and scope.find(node.word.text) is None:
        found = c.symbols.named(node.word.text, s.HOLDER)
        if found and found[0].owner:
            c.symbols.use(found[0])
            if found[0].owner == token:
                return p.TokenEnd(found[0].name, None)
            message = f"`{found[0].name}` holds {found[0].owner}, not {token}"
            c.findings.error(
                "R0363", message, node.span, related=[(found[0].span, "it is declared here")]
            )
            return None
        if not c.symbols.named(node.word.text) and node.word.text not in BUILT_IN:
            holders = [key for key, d in c.symbols.holders.items() if d.holder is not None]
            c.findings.error(
                "R0363",
                f"`{node.word.text}` is neither a player nor a holder of {token}",
                node.span,
                suggestion=did_you_mean(node.word.text, [*holders, *scope.visible()]),
            )
            return None
    player = c.player(node, scope)
    return None if player is None else token_end(c, word, token, player)


def token_end(c: Context, word: n.Word, token: str, player: p.Expr) -> p.TokenEnd | None:
    decl = c.symbols.holders.get(token)
    if decl is None or decl.owner is None:
        if token in c.told:
            return None
        c.told.add(token)
        c.findings.error(
            "R0363",
            f"players hold no {token}",
            word.span,
            suggestion=f"declare `{token} of player 0` under `tokens`",
        )
        return None
    c.symbols.used.add((s.HOLDER, token))
    return p.TokenEnd(token, player)


def lower_mark(c: Context, node: n.SetMark, scope: Scope, site: Site) -> p.Stmt | None:
    if node.mark is not None:
        word, owner = node.mark, node.what
    elif isinstance(node.what, n.Of) and node.what.arguments is None:
        word, owner = node.what.word, node.what.owner
    elif isinstance(node.what, n.Ref):
        word, owner = node.what.word, None
    else:
        c.findings.error("R0364", "which mark?", node.span)
        return None
    name = c.symbols.one(word.text, s.MARK)
    if name is None:
        hint = c.symbols.suggestion(word.text, s.MARK)
        c.missing("R0364", f"there is no mark `{word.text}`", word, hint)
        return None
    origin = site.origin(node.span, node.tags)
    if c.symbols.marks[name].owner is None:
        if owner is not None:
            c.findings.error("R0311", f"`{name}` belongs to no player", word.span)
            return None
        return p.SetMark(name, None, node.on, origin)
    if owner is None:
        me = p.VarRef(scope.acting(), p.PLAYER, node.span)
        return p.SetMark(name, me, node.on, origin)
    whose = c.expr(owner, scope)
    if whose is None:
        return None
    if whose.type not in (p.PLAYER, p.PLAYERS):
        c.mismatch(owner, whose.type, p.PLAYER)
        return None
    return p.SetMark(name, whose, node.on, origin)
