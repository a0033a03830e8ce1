"""What a bot prefers: the lines below `at`. Used by `dsl.bots`.

An option's card, player, number or play is `it` (`they`, if it is a player or several cards).
`where`, `by` and `prefer` look at each option, as `where` and `by` do in selections, so bare
properties are the option's; `when` speaks of the one that was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dsl import nodes as n
from dsl import program as p
from dsl.choices import note_answer
from dsl.context import Context
from dsl.keys import sort_key
from dsl.scope import Scope
from dsl.suggest import did_you_mean
from dsl.walk import walk

Known = Mapping[str, list[p.Choose]]


def lower_lines(
    c: Context, ats: list[n.BotAt], known: Known, scope: Scope
) -> Iterator[p.BotChoice]:
    """Preferences for every choice that a bot speaks of. Choices of one name are one to it."""
    for at in ats:
        for choice in choices_called(c, at.choice, known):
            before = c.trouble()
            c.draws = 0
            wishes = [_wish(c, line, choice, scope) for line in at.lines]
            made = tuple(wish for wish in wishes if wish is not None)
            yield p.BotChoice(choice.origin.path, made, c.draws, at.span)
            c.draws = None
            if c.trouble() > before:
                break  # of another choice of that name the same would be said again


def choices_called(c: Context, word: n.Word, known: Known) -> list[p.Choose]:
    """The choices of a name, which must offer the same."""
    found = known.get(word.text, [])
    if not found and _may_be_in_what_is_wrong(c, word.text):
        return []
    if not found:
        message = f"no rule asks for a choice called `{word.text}`"
        names = sorted(known)[:8]
        listed = f"choices there are: {', '.join(names)}" if names else "no rule asks for anything"
        hint = did_you_mean(word.text, list(known)) or listed
        c.findings.error("R0701", message, word.span, suggestion=hint)
        return []
    first = found[0]
    for other in found[1:]:
        if _offer(other) != _offer(first):
            message = f"two choices called `{word.text}` offer different things"
            related = [(o.origin.span, f"`{o.origin.path}`") for o in (first, other)]
            hint = "give one of them another name"
            c.findings.error("R0701", message, word.span, related=related, suggestion=hint)
            return []
    return found


def _may_be_in_what_is_wrong(c: Context, name: str) -> bool:
    """Whether a choice of that name is asked where something else is wrong, which is told there."""
    if c.trouble() and any(
        isinstance(node, n.Choose) and name in (node.name.text, *_ways(node))
        for node in walk(c.decls)
    ):
        return True
    unread = any(item.is_error and item.code.startswith("R01") for item in c.findings.items)
    return unread or any(name in path.split("/") for path in c.choice_spans)


def _ways(node: n.Choose) -> list[str]:
    return [branch.name.text for branch in node.branches]


def _offer(choice: p.Choose) -> list[tuple[str, p.Type | None]]:
    return [(b.name, None if b.pick is None else b.pick.type) for b in choice.branches]


def way_called(c: Context, word: n.Word | None, choice: p.Choose, span: p.Span) -> int | None:
    """The index of the way a line speaks of; None after reporting that there is no such."""
    names = [branch.name for branch in choice.branches]
    nameless = len(names) == 1 and not names[0]
    if word is None:
        if len(names) == 1:
            return 0
        message = f"of which way of `{choice.name}` does this speak?"
        listed = ", ".join(f"`{name}`" for name in names)
        c.findings.error("R0702", message, span, suggestion=f"begin the line with one of {listed}")
        return None
    if word.text in names and not nameless:
        return names.index(word.text)
    if nameless:
        message, hint = f"`{choice.name}` has no ways with names", f"leave out `{word.text}`"
    else:
        message = f"`{choice.name}` has no way called `{word.text}`"
        hint = did_you_mean(word.text, names) or f"its ways: {', '.join(names)}"
    c.findings.error("R0702", message, word.span, suggestion=hint)
    return None


def _wish(c: Context, line: n.Preference, choice: p.Choose, scope: Scope) -> p.Wish | None:
    way = way_called(c, line.way, choice, line.span)
    if way is None:
        return None
    pick = choice.branches[way].pick
    var = None if pick is None else scope.routine.var("", pick.type)
    chosen, looking = scope.child(), scope.child()
    if var is not None:
        note_answer(chosen, var)
        looking = _looking(scope, var)
    elif line.by:
        message = "this way has nothing to choose from, so there is nothing to put in order"
        hint = "leave out `by …`"
        c.findings.error("R0702", message, line.span, suggestion=hint)
        return None
    before = c.trouble()
    where = None if line.where is None else c.truth(line.where, looking, "`where`")
    keys = [sort_key(c, key, var, looking) for key in line.by] if var is not None else []
    score = None if line.prefer is None else c.number(line.prefer, looking, "`prefer`")
    word = "`unless`" if line.unless else "`when`"
    when = None if line.when is None else c.truth(line.when, chosen, word)
    if c.trouble() > before:
        return None
    if when is not None and line.unless:
        when = p.Unary("not", when, p.TRUTH, when.span)
    good = tuple(key for key in keys if key is not None)
    return p.Wish(way, var, where, good, score, when, line.span)


def _looking(scope: Scope, var: p.Var) -> Scope:
    """Looking at an option; several cards are `them`."""
    looking = scope.looking_at(var)
    if var.type.kind is p.K.CARDS:
        looking.it, looking.candidate, looking.they = None, None, var
    return looking
