"""Where an example starts: `at follow of P2`, `at settlement`, `at skill knight of P1`. Used by
`dsl.lower_examples`."""

from __future__ import annotations

from dsl import examples as x
from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.context import Context
from dsl.example_cards import PLAYER
from dsl.example_options import Choices
from dsl.scope import Local, Routine, Scope
from dsl.site import site
from dsl.statements import lower_body
from dsl.suggest import did_you_mean
from dsl.walk import walk


def lower_entry(
    c: Context, program: p.Program, choices: Choices, node: n.Entry, names: dict[str, Local]
) -> x.Entry | None:
    """The entry; None after reporting why there is none."""
    word, player = node.name.text, _player(c, node)
    if player == -1:
        return None
    paths = [path for path, choose in choices.by_path.items() if choose.name == word]
    phase = word in c.symbols.phases
    if not node.arguments and phase and (player is None or not paths):
        if player is not None:
            message = f"`{word}` is a phase, and a phase is nobody's"
            c.findings.error("R0603", message, node.span, suggestion=f"write `at {word}`")
            return None
        return x.AtPhase(word)
    if not node.arguments and paths:
        return _choice(c, choices, node, paths, player)
    rules = _rules(c, program, node, names)
    if rules is None:
        return None
    if player is None and not isinstance(rules[-1], p.Moment):
        message = f"who does this? `at {word} …` is of a player"
        c.findings.error("R0603", message, node.span, suggestion="add `of P1`")
        return None
    me = rules[0]
    assert isinstance(me, p.Var)
    return x.AtRules(me, player or 0, (rules[1],))


def _player(c: Context, node: n.Entry) -> int | None:
    if node.player is None:
        return None
    if not PLAYER.fullmatch(node.player.text):
        message = f"`{node.player.text}` is no player"
        hint = "players of an example are P1, P2, P3 …"
        c.findings.error("R0601", message, node.player.span, suggestion=hint)
        return -1
    return int(node.player.text[1:]) - 1


def _choice(
    c: Context, choices: Choices, node: n.Entry, paths: list[str], player: int | None
) -> x.Entry | None:
    word = node.name.text
    if len(paths) > 1:
        blocks = ", ".join(f"`{path.rsplit('/', 1)[0]}`" for path in paths)
        message = f"there are choices called `{word}` in {blocks}"
        hint = "start at the block, or give one of the choices another name"
        c.findings.error("R0603", message, node.name.span, suggestion=hint)
        return None
    if paths[0] in choices.at_once:
        message = f"`{word}` is answered by all players at once, not by one alone"
        c.findings.error("R0603", message, node.span, suggestion="start at the phase it is in")
        return None
    if player is None:
        message = f"whose choice? `{word}` is asked of a player"
        c.findings.error("R0603", message, node.span, suggestion=f"`at {word} of P1`")
        return None
    return x.AtChoice(paths[0], player)


def _rules(
    c: Context, program: p.Program, node: n.Entry, names: dict[str, Local]
) -> tuple[p.Var, p.Stmt] | None:
    """An action, an effect or a moment as the only rule, and the variable of who carries it out."""
    word, span = node.name, node.span
    me = p.Var(next(c.ids), "me", p.PLAYER)
    scope = Scope(Routine(c.ids, me), dict(names), me)
    if word.text in c.symbols.effects:
        if len(node.arguments) != 1:
            message = f"which `{word.text}`?"
            one = c.symbols.effects[word.text][0].key.text
            hint = f"for instance `at {word.text} {one} of P1`"
            c.findings.error("R0603", message, span, suggestion=hint)
            return None
        body: n.Stmt = n.Apply(word, node.arguments[0], span, ())
    elif word.text in program.actions:
        body = n.Do(word, node.arguments, span, ())
    elif word.text in program.moments and not node.arguments:
        origin = site(f"moment {word.text}", ()).origin(span, ())
        return me, p.Moment(word.text, p.VarRef(me, p.PLAYER, span), origin)
    else:
        known = [*c.symbols.phases, *(path.rsplit("/", 1)[-1] for path in c.choices)]
        known += [*program.actions, *c.symbols.effects, *program.moments]
        message = f"no phase, choice, action, effect or moment is called `{word.text}`"
        if not node.arguments and c.symbols.named(word.text, s.VALUE):
            message = f"`{word.text}` is a value: nothing happens at it"
            note = "what it is worth can be claimed: `then … of P1 = 2`"
            c.findings.error("R0603", message, word.span, note)
            return None
        hint = did_you_mean(word.text, known)
        c.findings.error("R0603", message, word.span, suggestion=hint)
        return None
    made = lower_body(c, (body,), scope, site("example", ()))
    return (me, made[0]) if made else None


def needs(
    c: Context,
    choose: p.Choose,
    given: tuple[x.Given, ...],
    seen: dict[str, Local],
    node: n.Example,
) -> None:
    """A choice in the midst of rules may need named values that the rules before would have set."""
    assert node.entry is not None
    there = {fact.var.id for fact in given if isinstance(fact, x.SetVar)}
    if isinstance(choose.chooser, p.VarRef):
        there.add(choose.chooser.var.id)
    options = tuple((branch.pick, branch.when) for branch in choose.branches)
    for part in walk(options):
        there.update(
            value.id for name in ("var",) if isinstance(value := getattr(part, name, None), p.Var)
            and not isinstance(part, p.VarRef)
        )  # fmt: skip
    names = {local.var.id: name for name, local in seen.items() if local.var is not None}
    missing = dict.fromkeys(
        names[part.var.id]
        for part in walk(options)
        if isinstance(part, p.VarRef) and part.var.id not in there and part.var.id in names
    )
    for name in missing:
        message = f"`{choose.name}` needs `{name}`, which the rules before it would have set"
        hint = f"give it: `given {name} = …`, or start earlier"
        c.findings.error("R0612", message, node.entry.span, suggestion=hint)
