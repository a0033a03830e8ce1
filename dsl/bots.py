"""Bots, from nodes to the typed core. Used by `dsl.lower` when all rules are done.

While a bot is looked at, its settings, memories and values are names like those the ruleset
declares; afterwards they are forgotten, so that each bot has its own. What it may not know is found
by `dsl.checks.bots`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.bot_items import Items, collected
from dsl.bot_lines import lower_lines
from dsl.bot_memory import lower_triggers
from dsl.context import Context, ValueState
from dsl.program import Type
from dsl.scope import Routine, Scope
from dsl.site import site
from dsl.symbols import Meaning
from dsl.vocabulary import BUILT_IN
from dsl.walk import walk

ParameterTypes: TypeAlias = Callable[[tuple[n.Word, ...], n.Expr | None], list[Type | None]]


def lower_bots(
    c: Context, bodies: Iterable[tuple[p.Stmt, ...]], parameter_types: ParameterTypes
) -> dict[str, p.Bot]:
    """All bots of the ruleset. `bodies` are those of all its rules."""
    if not c.symbols.bots:
        return {}
    known: dict[str, list[p.Choose]] = {}
    others = set[str]()
    for node in walk(tuple(bodies)):
        match node:
            case p.Choose():
                known.setdefault(node.name, []).append(node)
            case p.Repeat(label=label):
                c.runs.add(label)
            case p.Each(label=label) | p.Turn(label=label) | p.GoRound(label=label):
                others.add(label)
            case p.While(label=label):
                c.runs.add(label)
    c.runs -= {*others, ""}
    made = {}
    for name, decl in c.symbols.bots.items():
        items = collected(c, decl)
        if items is not None:
            made[name] = _bot(c, decl, items, known, parameter_types)
    return made


def _bot(
    c: Context,
    decl: n.Bot,
    items: Items,
    known: dict[str, list[p.Choose]],
    parameter_types: ParameterTypes,
) -> p.Bot:
    me = p.Var(next(c.ids), "me", p.PLAYER)
    with _names(c, decl, items, parameter_types) as values:
        scope = Scope(Routine(c.ids, me), me=me)
        choices = tuple(lower_lines(c, items.ats, known, scope))
        triggers = tuple(lower_triggers(c, items.ons, known, scope))
        for key in values:
            if None not in c.values[key].types:
                c.lower_value(c, key)
        lowered = {key: c.values[key].made for key in values}
    block = site(f"bot {decl.name.text}", decl.tags)
    return p.Bot(
        decl.name.names,
        me,
        {item.name.text: _setting(item) for item in items.settings},
        {
            item.name.text: p.Memory(item.name.names, kind, item.owner is not None)
            for item, kind in items.memories
        },
        {key: value for key, value in lowered.items() if value is not None},
        choices,
        triggers,
        block.origin(decl.span, decl.tags),
    )


def _setting(item: n.BotSetting) -> p.BotSetting:
    low = None if item.low is None else item.low.value
    high = None if item.high is None else item.high.value
    return p.BotSetting(item.name.names, item.value.value, low, high)


@contextmanager
def _names(
    c: Context, decl: n.Bot, items: Items, parameter_types: ParameterTypes
) -> Iterator[list[str]]:
    """Inside, what the bot calls by name means something; gives the keys of its values."""
    symbols = c.symbols
    before = {name: list(meanings) for name, meanings in symbols.meanings.items()}
    keys: list[str] = []
    for setting in items.settings:
        _add(c, setting.name.word, Meaning(s.SETTING, setting.name.text, "", 0, setting.name.span))
    for memory, _ in items.memories:
        if _add(c, memory.name.word, Meaning(s.MEMORY, memory.name.text, "", 0, memory.name.span)):
            symbols.memories[memory.name.text] = memory
    for value in items.values:
        key = f"{decl.name.text}__{value.name.text}"
        if not _add(c, value.name.word, Meaning(s.VALUE, key, "", 0, value.name.span)):
            continue
        types = parameter_types(value.params, value.body)
        typed_by = [word.span if t else None for word, t in zip(value.params, types, strict=True)]
        c.values[key] = ValueState(value, types, typed_by, Routine(c.ids))
        symbols.values[key] = _as_value(value)
        keys.append(key)
    c.in_bot = True
    try:
        yield keys
    finally:
        c.in_bot = False
        symbols.meanings.clear()
        symbols.meanings.update(before)
        symbols.memories.clear()
        for key in keys:
            del c.values[key], symbols.values[key]


def _as_value(value: n.BotValue) -> n.Value:
    return n.Value(value.name, value.params, value.owner, value.body, value.span, value.tags)


def _add(c: Context, word: n.Word, meaning: Meaning) -> bool:
    """Give a name its meaning in this bot; it must not have one already."""
    if word.text in BUILT_IN:
        message = (
            f"`{word.text}` is a word of the language, so no {meaning.kind} can be called that"
        )
        c.findings.error("R0204", message, word.span, f"it means: {BUILT_IN[word.text]}")
        return False
    for other in c.symbols.meanings.get(word.text, ()):
        c.findings.error(
            "R0205",
            f"the {meaning.kind} `{word.text}` has the name of a {other.kind}",
            word.span,
            related=[(other.span, "the first one stands here")],
            suggestion="give one of them another name",
        )
        return False
    c.symbols.meanings[word.text] = [meaning]
    return True
