"""What is given a value that nothing asks for: names of a block or a loop, and what bots set, keep
and name.

A slip in a name that is set makes a new name (`leadr = me`), so the one that was meant is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.context import Context
from dsl.suggest import listing, nearest
from dsl.walk import everything, walk


def unread_names(program: p.Program, c: Context) -> None:
    """Names that a rule gives a value (`NAME = …`), and that no rule asks for."""
    given: dict[int, tuple[p.Var, p.Span]] = {}
    read: set[int] = set()
    for node in everything(program):
        match node:
            case p.SetVar(var=var, origin=origin):
                given.setdefault(var.id, (var, origin.span))
            case p.VarRef(var=var):
                read.add(var.id)
    known = dict.fromkeys(c.symbols.tracks, s.TRACK)
    known |= {var.name: "name" for var, _ in given.values() if var.id in read}
    for key, (var, span) in given.items():
        if key not in read:
            end = span.column + len(var.name)
            where = p.Span(span.file, span.line, span.column, span.line, end)
            meant = nearest(var.name, known)
            hint = f"did you mean the {known[meant]} `{meant}`?" if meant else ""
            message = f"`{var.name}` is given a value, but no rule asks for it"
            c.findings.warning("R0502", message, where, suggestion=hint)


BACKWARDS = re.compile(r"(anti|counter)_?clockwise|backwards?|reversed?")


def unread_loops(program: p.Program, c: Context) -> None:
    """Names that a loop gives its elements (`each player NAME`), and that no rule asks for. With a
    name, `me` stays who it was, so the loop does the same each time."""
    read = {node.var.id for node in everything(program) if isinstance(node, p.VarRef)}
    for var, word in c.loop_names:
        if var.id in read:
            continue
        message = f"`{word.text}` is a name here, and no rule asks for it"
        hint = "take the name out, or ask for it below"
        if var.type == p.PLAYER:
            message += "; `me` stays the player who acts already"
            hint = "without the name, each player acts in turn, as `me`"
            if BACKWARDS.fullmatch(word.text):
                hint = "`each player by latest seat` begins with the last seat, and goes backwards"
        c.findings.warning("R0502", message, word.span, suggestion=hint)


def unread_of_bots(program: p.Program, c: Context) -> None:
    """Settings, values and memories of bots that neither they nor bots like them ask for."""
    asked = {name: _asked(bot) for name, bot in program.bots.items()}
    for name, decl in c.symbols.bots.items():
        kin = [bot for bot in c.symbols.bots if name in _forebears(c, bot)]
        read = set[tuple[str, str]]().union(*(asked.get(bot, ()) for bot in kin))
        above = [c.symbols.bots[bot] for bot in _forebears(c, name) if bot in c.symbols.bots]
        for item in decl.items:
            kind = _kind(item)
            if kind and isinstance(item, n.BotSetting | n.BotValue | n.Remembers):
                word = item.name.text
                if (kind, word) not in read:
                    _tell(c, kind, item.name, _names(above, kind))


def _tell(c: Context, kind: str, name: n.Named, known: Iterable[str]) -> None:
    others = [each for each in dict.fromkeys(known) if each != name.text]
    meant = nearest(name.text, others)
    if kind == s.MEMORY:
        message, code = f"the bot remembers `{name.text}`, but asks for it nowhere", "R0502"
    else:
        message, code = f"the {kind} `{name.text}` is never used", "R0501"
    hint = f"did you mean `{meant}`?" if meant else ""
    if not hint and others:
        hint = f"it and the bots it is like have {listing(others, 'and')}; else take it out"
    c.findings.warning(code, message, name.span, suggestion=hint)


def _kind(item: object) -> str:
    match item:
        case n.BotSetting():
            return s.SETTING
        case n.BotValue():
            return s.VALUE
        case n.Remembers():
            return s.MEMORY
        case _:
            return ""


def _names(bots: Iterable[n.Bot], kind: str) -> list[str]:
    return [
        item.name.text
        for bot in bots
        for item in bot.items
        if isinstance(item, n.BotSetting | n.BotValue | n.Remembers) and _kind(item) == kind
    ]


def _asked(bot: p.Bot) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for node in walk((bot.choices, bot.triggers, tuple(v.body for v in bot.values.values()))):
        match node:
            case p.Setting(name=name):
                found.add((s.SETTING, name))
            case p.Remembered(name=name):
                found.add((s.MEMORY, name))
            case p.Call(value=name):
                found.add((s.VALUE, name.rpartition("__")[2]))
    return found


def _forebears(c: Context, name: str) -> list[str]:
    """The bot and those it is like."""
    found = [name]
    while (like := c.symbols.bots[found[-1]].like) is not None and like.text in c.symbols.bots:
        found.append(like.text)
    return found
