"""Making local names: they may not hide what already has a meaning. Used by statements."""

from __future__ import annotations

from dsl import nodes as n
from dsl import symbols as s
from dsl.context import Context
from dsl.scope import Scope
from dsl.suggest import singulars
from dsl.vocabulary import BUILT_IN

NAMED_VALUE = "a name for a value"


def fresh(c: Context, word: n.Word, what: str, scope: Scope) -> bool:
    """Whether a local name can be made: it must not hide another name."""
    if word.text in BUILT_IN:
        c.findings.error(
            "R0204",
            f"`{word.text}` is a word of the language, so it can't be {what}",
            word.span,
        )
        return False
    kinds = (s.PLACE, s.HOLDER, s.MARK, s.VALUE, s.OPTION, s.ATTRIBUTE, s.TRACK, s.KIND)
    there = [m for m in c.symbols.meanings.get(word.text, ()) if m.kind in kinds]
    if not there:  # tokens can be named by their plural: `3 coins`
        forms = [form for form in singulars(word.text) if form in c.symbols.tokens]
        there = [m for form in forms for m in c.symbols.meanings.get(form, ()) if m.kind in kinds]
    for meaning in there:
        token = meaning.name if meaning.name in c.symbols.tokens else ""
        hint = f"`gain 1 {token}`, `lose 1 {token}` change tokens; a value needs another name"
        c.findings.error(
            "R0369",
            f"`{word.text}` is already {meaning.describe()}, so it can't be {what} too",
            word.span,
            related=[(meaning.span, "it is declared here")],
            suggestion=hint if token and what == NAMED_VALUE else "",
        )
        return False
    local = scope.find(word.text)
    if local is not None:
        c.findings.error(
            "R0369",
            f"`{word.text}` already means something here, so it can't be {what} too",
            word.span,
            related=[(local.span, "it got its meaning here")],
        )
        return False
    return True
