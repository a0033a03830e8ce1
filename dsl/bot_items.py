"""What a bot consists of, with what it takes from another (`like`). Used by `dsl.bots`."""

from __future__ import annotations

from attrs import define, field

from dsl import nodes as n
from dsl import symbols as s
from dsl.context import Context
from dsl.names import type_word
from dsl.program import K, Type
from dsl.suggest import did_you_mean


@define(eq=False)
class Items:
    """The items of a bot by kind; each setting, memory, value and choice once."""

    settings: list[n.BotSetting] = field(factory=list)
    memories: list[tuple[n.Remembers, Type]] = field(factory=list)
    values: list[n.BotValue] = field(factory=list)
    ats: list[n.BotAt] = field(factory=list)
    ons: list[n.BotOn] = field(factory=list)


def collected(c: Context, decl: n.Bot) -> Items | None:
    """A bot's own items, then those of the bot it is like, where it says nothing itself."""
    chain = _chain(c, decl)
    if chain is None:
        return None
    items = Items()
    for index, bot in enumerate(chain):
        _settings(c, items, bot, inherited=chain[index + 1 :])
        _others(c, items, bot)
    return items


def _chain(c: Context, decl: n.Bot) -> list[n.Bot] | None:
    """The bot, the one it is like, the one that is like, and so on."""
    chain = [decl]
    while chain[-1].like is not None:
        word = chain[-1].like
        other = c.symbols.bots.get(word.text)
        if other is None:
            hint = did_you_mean(word.text, list(c.symbols.bots))
            c.findings.error("R0710", f"there is no bot `{word.text}`", word.span, suggestion=hint)
            return None
        if other in chain:
            names = " → ".join(f"`{bot.name.text}`" for bot in [*chain, other])
            message, hint = f"these bots are like each other: {names}", "one of them must say all"
            c.findings.error("R0710", message, word.span, suggestion=hint)
            return None
        chain.append(other)
    return chain


def _settings(c: Context, items: Items, bot: n.Bot, inherited: list[n.Bot]) -> None:
    known = {item.name.text: item for item in items.settings}
    own: dict[str, n.BotSetting] = {}
    for item in bot.items:
        if not isinstance(item, n.BotSetting):
            continue
        name = item.name.text
        if name in own:
            twice(c, f"the setting `{name}`", item.name.word, own[name].name.word)
            continue
        own[name] = item
        if name in known:
            continue
        if item.low is None:  # `bold` is like `careful`, in its range
            item = _ranged(item, inherited)
        if not _in_range(item):
            low, high = item.low, item.high
            assert low is not None and high is not None
            message = f"`{name}` is {item.value.value}, which is not in {low.value}..{high.value}"
            hint = "change the one or the other"
            c.findings.error("R0706", message, item.value.span, suggestion=hint)
        items.settings.append(item)


def _ranged(item: n.BotSetting, inherited: list[n.Bot]) -> n.BotSetting:
    for bot in inherited:
        for other in bot.items:
            if isinstance(other, n.BotSetting) and other.name.text == item.name.text:
                if other.low is None:
                    continue
                return n.BotSetting(item.name, item.value, other.low, other.high, item.span)
    return item


def _in_range(item: n.BotSetting) -> bool:
    if item.low is None or item.high is None:
        return True
    return item.low.value <= item.value.value <= item.high.value


def _others(c: Context, items: Items, bot: n.Bot) -> None:
    memories = {item.name.text for item, _ in items.memories}
    values = {item.name.text for item in items.values}
    choices = {item.choice.text for item in items.ats}
    own: dict[tuple[str, str], n.Word] = {}

    def first(kind: str, what: str, word: n.Word) -> bool:
        """Whether this bot says it for the first time; reports the second."""
        before = own.setdefault((kind, word.text), word)
        if before is not word:
            twice(c, f"{what} `{word.text}`", word, before)
        return before is word

    for item in bot.items:
        match item:
            case n.Remembers(name=name):
                if first("memory", "the memory", name.word) and name.text not in memories:
                    _memory(c, items, item)
            case n.BotValue(name=name):
                if first("value", "the value", name.word) and name.text not in values:
                    items.values.append(item)
            case n.BotAt(choice=word):
                if first("at", "the choice", word) and word.text not in choices:
                    items.ats.append(item)
            case n.BotOn():
                items.ons.append(item)
            case n.BotSetting():
                pass


def _memory(c: Context, items: Items, item: n.Remembers) -> None:
    kind = type_word(c, item.type.text)
    if item.owner is not None and item.owner.text != "player":
        message = f"things belong to players, not to `{item.owner.text}`"
        c.findings.error("R0210", message, item.owner.span, suggestion="write `of player`")
    if kind is None or kind.kind in (K.CARD, K.PLAY):
        message = f"a bot can't remember a `{item.type.text}`"
        reason = "it remembers a player, number, role, shape or a property of cards"
        words = [*c.symbols.names_of(s.ATTRIBUTE), "player", "number", "role", "shape"]
        hint = did_you_mean(item.type.text, words)
        c.findings.error("R0230", message, item.type.span, reason, suggestion=hint)
        return
    items.memories.append((item, kind))


def twice(c: Context, what: str, word: n.Word, first: n.Word) -> None:
    related = [(first.span, "the first time is here")]
    message, hint = f"{what} stands twice in this bot", "keep one of them"
    c.findings.error("R0705", message, word.span, related=related, suggestion=hint)
