"""What the keys of effects are, for `dsl.lower`: values of cards, roles, or shapes of plays."""

from __future__ import annotations

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.context import Context
from dsl.program import K, Type
from dsl.suggest import word_meant
from dsl.type_names import called
from dsl.vocabulary import SECTION_WORDS


def key_type(c: Context, family: str, effects: list[n.Effect]) -> Type | None:
    """What the keys of a family are: values of one attribute, roles, or shapes."""
    kinds = (s.ENUM_VALUE, s.ROLE, s.SHAPE)
    common: list[Type] | None = None
    for effect in effects:
        found = [meaning_type(m) for m in c.symbols.named(effect.key.text, *kinds)]
        if not found:
            _unknown_key(c, family, effect)
            continue
        both = found if common is None else [kind for kind in common if kind in found]
        if not both:
            first = effects[0]
            c.findings.error(
                "R0212",
                f"`{effect.key.text}` is not of one kind with `{first.key.text}`",
                effect.key.span,
                related=[(first.key.span, f"`{family}` began with this one")],
            )
            continue
        common = both
    if not common:
        return None
    if len(common) > 1:
        message = f"the keys of `{family}` can be {' or '.join(called(t) for t in common)}"
        c.findings.error("R0302", message, effects[0].span)
        return None
    return common[0]


def _unknown_key(c: Context, family: str, effect: n.Effect) -> None:
    hint = word_meant(family, SECTION_WORDS)
    if hint and len(c.symbols.effects[family]) == 1:
        message = f"`{family}` is no section of a ruleset"
        c.findings.error("R0211", message, effect.family.span, suggestion=hint)
        return
    if not any(c.symbols.names_of(s.ENUM_VALUE, s.ROLE, s.SHAPE)):
        message = f"`{family}` begins no block that a ruleset can have"
        c.findings.error("R0211", message, effect.family.span, suggestion=hint)
        return
    c.findings.error(
        "R0211",
        f"`{effect.key.text}` is no value of cards, no role and no shape",
        effect.key.span,
        f"`{family} …` would be an effect for such a value",
        suggestion=c.symbols.suggestion(effect.key.text, s.ENUM_VALUE, s.ROLE, s.SHAPE) or hint,
    )


def meaning_type(meaning: s.Meaning) -> Type:
    if meaning.kind == s.ENUM_VALUE:
        return Type(K.ENUM, meaning.owner)
    return p.ROLE if meaning.kind == s.ROLE else p.SHAPE


def key_names(c: Context, meaning: s.Meaning) -> p.Names:
    if meaning.kind == s.ENUM_VALUE:
        return c.symbols.attributes[meaning.owner].values[meaning.index].name.names
    if meaning.kind == s.ROLE and c.symbols.roles is not None:
        return c.symbols.roles.names[meaning.index].names
    return c.symbols.shapes[meaning.name].name.names


def check_keys_once(
    c: Context, family: str, made: list[p.Effect | None], effects: list[n.Effect]
) -> None:
    seen: dict[int, n.Effect] = {}
    for effect, decl in zip(made, effects, strict=True):
        if effect is None:
            continue
        if effect.key in seen:
            c.findings.error(
                "R0205",
                f"there are two blocks `{family} {decl.key.text}`",
                decl.span,
                related=[(seen[effect.key].span, "the first one stands here")],
            )
        seen[effect.key] = decl
