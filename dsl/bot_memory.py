"""What a bot keeps in mind: `on my give`, `on any lead silverback`. Used by `dsl.bots`."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.bot_lines import Known, choices_called, way_called
from dsl.choices import note_answer
from dsl.context import Context
from dsl.names import type_word
from dsl.scope import Local, Scope


def lower_triggers(
    c: Context, ons: list[n.BotOn], known: Known, scope: Scope
) -> Iterator[p.Trigger]:
    for on in ons:
        for choice in choices_called(c, on.choice, known):
            before = c.trouble()
            made = _trigger(c, on, choice, scope)
            if made is not None:
                yield made
            if c.trouble() > before:
                break


def _trigger(c: Context, on: n.BotOn, choice: p.Choose, scope: Scope) -> p.Trigger | None:
    way: int | None = None
    if on.way is not None or len(choice.branches) == 1:
        way = way_called(c, on.way, choice, on.span)
        if way is None:
            return None
    they = scope.routine.var("they", p.PLAYER)
    inner = scope.child()
    inner.they = they
    pick = None if way is None else choice.branches[way].pick
    var = None
    if pick is not None and (on.mine or _is_open(pick)):
        var = scope.routine.var("", pick.type)
        if pick.type.kind is not p.K.PLAYER:  # `they` is who chooses
            note_answer(inner, var)
        word = on.way or on.choice
        if scope.find(word.text) is None and not c.symbols.meanings.get(word.text):
            inner.names[word.text] = Local(var, word.span)
    before = c.trouble()
    body = _body(c, on.body, inner)
    if c.trouble() > before:
        return None
    return p.Trigger(choice.origin.path, way, on.mine, they, var, body, on.span)


def _is_open(pick: p.Pick) -> bool:
    """Whether everyone may know what was picked: cards may come from a place they don't see."""
    return isinstance(pick, p.PickNumber | p.PickOne) and pick.type.kind is not p.K.PLAY


def _body(c: Context, body: tuple[n.Stmt, ...], scope: Scope) -> tuple[p.Remembering, ...]:
    made = [_statement(c, stmt, scope) for stmt in body]
    return tuple(stmt for stmt in made if stmt is not None)


def _statement(c: Context, stmt: n.Stmt, scope: Scope) -> p.Remembering | None:
    if isinstance(stmt, n.If):
        condition = c.truth(stmt.condition, scope, "`if`")
        then, other = _body(c, stmt.then, scope), _body(c, stmt.otherwise, scope)
        return None if condition is None else p.RememberIf(condition, then, other, stmt.span)
    if isinstance(stmt, n.Assign):
        return _remember(c, stmt, scope)
    c.findings.error(
        "R0708",
        "a bot changes only what it remembers",
        stmt.span,
        "what happens in the game is for the rules to say",
        suggestion="`NAME = …`, with a name behind `remembers`; or `if … then NAME = …`",
    )
    return None


def _remember(c: Context, stmt: n.Assign, scope: Scope) -> p.Remember | None:
    found = c.symbols.named(stmt.word.text, s.MEMORY)
    if not found:
        message = f"the bot remembers nothing called `{stmt.word.text}`"
        hint = c.symbols.suggestion(stmt.word.text, s.MEMORY)
        hint = hint or f"`remembers {stmt.word.text} number`, for instance"
        c.findings.error("R0708", message, stmt.word.span, suggestion=hint)
        return None
    name = found[0].name
    decl = c.symbols.memories[name]
    owner: p.Expr | None = None
    if decl.owner is not None:
        owner = p.VarRef(scope.acting(), p.PLAYER, stmt.word.span)
        if stmt.owner is not None:
            owner = c.player(stmt.owner, scope)
    elif stmt.owner is not None:
        c.findings.error("R0311", f"`{name}` belongs to no player", stmt.word.span)
        return None
    kept = type_word(c, decl.type.text)
    value = None if kept is None else c.need(stmt.value, scope, kept, f"`{name}`")
    if value is None or (decl.owner is not None and owner is None):
        return None
    return p.Remember(name, owner, value, stmt.span)
