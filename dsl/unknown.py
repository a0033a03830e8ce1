"""What is said of a name that means nothing. Used wherever names are looked up."""

from __future__ import annotations

import re

from dsl import nodes as n
from dsl import symbols as s
from dsl.context import Context
from dsl.diagnostics import Related
from dsl.program import NUMBER, K
from dsl.scope import Local, Scope
from dsl.synonyms import meant
from dsl.vocabulary import BUILT_IN, RESERVED

# Words of the language that can be a value.
VALUES = frozenset(BUILT_IN) - RESERVED | {"no", "role", "shape"}
PLAYER_NAME = re.compile(r"P[1-9][0-9]?")


def unknown(c: Context, word: n.Word, scope: Scope, *kinds: str) -> None:
    """Report a name that means nothing here; `kinds`: what could stand here."""
    known = c.symbols.named(word.text)
    if any(meaning.kind == s.ACTION for meaning in known):
        message = f"`{word.text}` is an action: it does something, and has no value"
        c.findings.error("R0303", message, word.span)
        return
    message = f"there is nothing called `{word.text}`"
    ended = scope.ended(word.text)
    if ended is not None and ended[1].span.line < word.span.line:
        note = f"`{word.text}` is made here, and ends with the block it is made in"
        hint = kept_beyond(word.text, scope, *ended)
        c.missing("R0304", message, word, hint, Related(ended[1].span, note))
        return
    hint = meant_by(c, word.text, scope)
    if not hint and kinds:
        hint = c.symbols.suggestion(word.text, *kinds)
        hint += f"; others are declared under `{kinds[0]}s`" if hint else ""
    c.missing("R0304", message, word, hint)


def means_nothing(c: Context, word: n.Word, scope: Scope) -> bool:
    """Whether a word is neither declared, nor made here, nor one of the language."""
    known = c.symbols.named(word.text) or scope.find(word.text) is not None
    return not known and word.text not in BUILT_IN and word.text not in VALUES


def kept_beyond(word: str, scope: Scope, block: Scope, local: Local) -> str:
    """How a name of a block is kept for the rules behind it."""
    kind = None if local.var is None else local.var.type
    named = {K.PLAYER: "player", K.NUMBER: "number", K.CARD: "card", K.PLAY: "play"}
    named |= {K.ROLE: "role", K.SHAPE: "shape"}
    what = "" if kind is None else kind.name if kind.kind is K.ENUM else named.get(kind.kind, "")
    if not what:
        return "use it in that block, or give it a value before the block begins"
    owned = " of player" if block.me is not scope.me else ""
    if local.given:
        return f"to keep it, declare `{word}{owned} {what}` under `track`"
    kept = f"last_{word}"
    return f"to keep it, declare `{kept}{owned} {what}` under `track`; there say `{kept} = {word}`"


def meant_by(c: Context, word: str, scope: Scope) -> str:
    """What a name that means nothing was probably meant to be."""
    if word == "top":
        return "say of which pile: `top of deck`, `top 2 of deck`"
    if word == "number" and scope.it is not None and scope.it.type == NUMBER:
        return "what is chosen is a number itself: `it`"
    if word in c.symbols.scoring:
        return "that is a scoring line: `points` is the sum of them, and stands behind `winner`"
    if PLAYER_NAME.fullmatch(word):
        return "`P1`, `P2` … stand in examples; in rules it is `first player`, `left of me`, …"
    value = next((each for each in meant(word) if each in VALUES or each.isdigit()), None)
    if value is not None:
        return f"write `{value}`"
    return c.symbols.suggestion(word, more=(*scope.visible(), *sorted(VALUES)))
