"""Everything a ruleset says, as a `Program`. The last pass; uses all other modules of the lowering.

Named values and actions have parameters without written types; they get them from their first use.
So rules are lowered from where play begins (setup, phases, scoring …), values when they are first
used, actions after what calls them.
"""

from __future__ import annotations

import hashlib

from attrs import evolve

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.bots import lower_bots
from dsl.context import ActionState, Context, ValueState
from dsl.diagnostics import Findings, Related
from dsl.expressions import lower as lower_expr
from dsl.families import check_keys_once, key_names, key_type, meaning_type
from dsl.infer import compared_with
from dsl.items import lower_items
from dsl.judged import can_be_judged
from dsl.keys import LARGE, key_value
from dsl.locals import fresh
from dsl.loops import name_of_a_loop
from dsl.miscalls import report_miscalls
from dsl.names import type_word
from dsl.program import Type
from dsl.scope import Local, Routine, Scope
from dsl.site import site
from dsl.statements import lower_body
from dsl.suggest import did_you_mean
from dsl.symbols import Symbols
from dsl.type_names import called

GIVEN_WRONG = ("R0301", "R0310", "R0341", "R0348")
MAX_VALUES = 100  # defined by one another, in a row


def lower(
    ruleset: n.Ruleset, symbols: Symbols, findings: Findings
) -> tuple[p.Program | None, Context]:
    """The Program, or None if there were errors; the context is for the checks."""
    context = Context(symbols, findings, lower_expr, lower_value, decls=ruleset.decls)
    lowering = _Lowering(context, ruleset)
    program = lowering.program()
    if program is None:
        context.must_be_said(p.Span(ruleset.file, 1, 1, 1, 2))
    context.rules = program
    return (None if findings.errors else program), context


def source_hash(ruleset: n.Ruleset) -> str:
    """sha256 of all the text a ruleset was made from, its own first."""
    return hashlib.sha256("\0".join(ruleset.sources.values()).encode()).hexdigest()


def lower_value(c: Context, name: str) -> ValueState | None:
    """Work out a named value's body, once; None if it can't be."""
    state = c.values[name]
    if state.made is not None or state.failed:
        return state if state.made is not None else None
    decl = state.decl
    if len(c.working_on) >= MAX_VALUES:
        message = f"more than {MAX_VALUES} values, each defined by the next"
        c.findings.error("R0102", message, decl.name.span, suggestion="define some by less")
        state.failed = True
        return None
    me = state.routine.var("me", p.PLAYER) if decl.owner is not None else None
    state.routine.own_me = me
    scope = Scope(state.routine)
    params: list[p.Var] = [] if me is None else [me]
    for word, kind in zip(decl.params, state.types, strict=True):
        var = None if kind is None else state.routine.var(word.text, kind)
        scope.names[word.text] = Local(var, word.span)
        if var is not None:
            params.append(var)
    c.working_on.append(name)
    before, in_bot = len(c.findings.items), c.in_bot
    c.in_bot = isinstance(decl, n.BotValue)
    body = c.expr(decl.body, scope)
    c.in_bot = in_bot
    c.working_on.pop()
    _say_what_was_given(c, state, before)
    if body is None or state.failed or None in state.types:
        state.failed = True
        return None
    hidden = tuple(state.routine.hidden.values()) if me is None else ()
    origin = site(f"value {name}", decl.tags).origin(decl.span, decl.tags)
    state.made = p.Value(decl.name.names, (*hidden, *params), body, origin)
    return state


def _say_what_was_given(c: Context, state: ValueState, before: int) -> None:
    """A value that suits not what it is given: the slip may be where it is used."""
    given = [
        (word, kind, span)
        for word, kind, span in zip(state.decl.params, state.types, state.typed_by, strict=True)
        if kind is not None and span is not None
    ]
    for at in range(before, len(c.findings.items)):
        item = c.findings.items[at]
        if item.code in GIVEN_WRONG and item.span is not None and not item.related:
            c.findings.items[at] = evolve(
                item,
                related=tuple(
                    Related(span, f"`{word.text}` is {called(kind)}, as it is given here")
                    for word, kind, span in given
                    if state.decl.span.line <= item.span.line <= state.decl.span.end_line
                ),
            )


class _Lowering:
    def __init__(self, context: Context, ruleset: n.Ruleset):
        self.c = context
        self.symbols = context.symbols
        self.findings = context.findings
        self.ruleset = ruleset

    def routine(self, me: p.Var | None = None) -> Routine:
        return Routine(self.c.ids, me)

    def player(self) -> p.Var:
        return p.Var(next(self.c.ids), "me", p.PLAYER)

    def program(self) -> p.Program | None:
        self.prepare()
        items = lower_items(self.c, Scope(self.routine(self.player())))
        in_the_box = not self.wrong()
        setup_me, phase_me = self.player(), self.player()
        setup = self.setup(setup_me)
        phases = tuple(self.phase(phase, phase_me) for phase in self.symbols.phases.values())
        families = self.families()
        hooks = tuple(self.hook(hook) for hook in self.symbols.hooks)
        scoring = tuple(self.scoring(line) for line in self.symbols.scoring.values())
        winner = self.winner()
        actions = self.actions()
        self.unused_values()
        bodies = (
            setup,
            *(phase.body for phase in phases),
            *(effect.body for family in families.values() for effect in family.effects),
            *(hook.body for hook in hooks if hook is not None),
            *(action.body for action in actions.values()),
        )
        self.check_ends()
        report_miscalls(self.c)
        wrong = self.wrong()
        bots = lower_bots(self.c, bodies, self.parameter_types)
        self.c.report_missing()
        game = self.symbols.game
        whole = in_the_box and len(actions) == len(self.c.actions)
        if wrong and not (whole and can_be_judged(self.c, bodies)):
            return None
        if game is None or winner is None:
            return None
        return p.Program(
            title=p.Names(game.title, game.others + items.title_others),
            sheet=items.sheet,
            file=self.ruleset.file,
            source_hash=source_hash(self.ruleset),
            players=items.players,
            options=items.options,
            attributes=items.attributes,
            kinds=items.kinds,
            places=items.places,
            holders=items.holders,
            tokens=dict(self.symbols.tokens),
            marks=items.marks,
            tracks=items.tracks,
            roles=items.roles,
            shapes=items.shapes,
            setup=setup,
            setup_me=setup_me,
            phases=phases,
            phase_me=phase_me,
            values={k: v.made for k, v in self.c.values.items() if v.made is not None},
            actions=actions,
            families=families,
            hooks=tuple(hook for hook in hooks if hook is not None),
            scoring=tuple(line for line in scoring if line is not None),
            winner=winner,
            labels=self.c.labels,
            choices=self.c.choices,
            prompts=self.c.prompts,
            moments=self.c.moments,
            bots=bots,
            sources=dict(self.ruleset.sources),
            renamed=dict(variant.renamed) if (variant := self.ruleset.variant) else {},
        )

    def wrong(self) -> bool:
        return bool(self.findings.errors or self.c.absent or self.c.miscalled)

    def prepare(self) -> None:
        """What must be known before any rule is looked at: types of keys and parameters."""
        for name, value in self.symbols.values.items():
            types = self.parameter_types(value.params, value.body)
            typed_by = [
                word.span if t else None for word, t in zip(value.params, types, strict=True)
            ]
            self.c.values[name] = ValueState(value, types, typed_by, self.routine())
            self.check_owner(value.owner)
            self.check_params(value.params)
        for name, action in self.symbols.actions.items():
            types = self.parameter_types(action.params)
            typed_by = [
                word.span if t else None for word, t in zip(action.params, types, strict=True)
            ]
            self.c.actions[name] = ActionState(action, types, typed_by)
            self.check_params(action.params)
        for family, effects in self.symbols.effects.items():
            kind = key_type(self.c, family, effects)
            if kind is not None:
                self.c.family_types[family] = kind
        for hook in self.symbols.hooks:
            if hook.role is not None:
                self.symbols.one(hook.role.text, s.ROLE)

    def parameter_types(
        self, params: tuple[n.Word, ...], body: n.Expr | None = None
    ) -> list[Type | None]:
        """Types that are plain before any use: by the name, or by what it is compared with."""
        types = [type_word(self.c, word.text) for word in params]
        for index, word in enumerate(params):
            if types[index] is None and body is not None:
                types[index] = compared_with(self.symbols, body, word.text)
        return types

    def check_params(self, params: tuple[n.Word, ...]) -> None:
        scope = Scope(self.routine())
        for word in params:
            if type_word(self.c, word.text) is None and fresh(
                self.c, word, "the name of a parameter", scope
            ):
                scope.names[word.text] = Local(None, word.span)

    def check_owner(self, owner: n.Word | None) -> None:
        if owner is not None and owner.text != "player":
            self.findings.error(
                "R0210",
                f"things belong to players, not to `{owner.text}`",
                owner.span,
                suggestion="write `of player`",
            )

    # ── blocks ──

    def setup(self, me: p.Var) -> tuple[p.Stmt, ...]:
        made: tuple[p.Stmt, ...] = ()
        scope = Scope(self.routine(me), me=me)
        for part in self.symbols.setup:
            made += lower_body(self.c, part.body, scope, site("setup", part.tags))
        return made

    def phase(self, decl: n.Phase, me: p.Var) -> p.Phase:
        block = site(f"phase {decl.name.text}", decl.tags)
        body = lower_body(self.c, decl.body, Scope(self.routine(me), me=me), block)
        return p.Phase(decl.name.names, body, block.origin(decl.span, decl.tags))

    def actions(self) -> dict[str, p.Action]:
        """Actions that are called, each after one of its callers has typed its parameters."""
        made: dict[str, p.Action] = {}
        waiting = list(self.c.actions)
        while True:
            ready = [a for a in waiting if self.c.actions[a].called]
            if not ready:
                ready = [a for a in waiting if None not in self.c.actions[a].types][:1]
            if not ready:
                break
            for name in ready:
                waiting.remove(name)
                made[name] = self.action(name)
        return {name: made[name] for name in self.c.actions if name in made}

    def action(self, name: str) -> p.Action:
        state = self.c.actions[name]
        decl, me = state.decl, self.player()
        scope = Scope(self.routine(me), me=me)
        params = [me]
        for word, kind in zip(decl.params, state.types, strict=True):
            var = None if kind is None else scope.routine.var(word.text, kind)
            scope.names[word.text] = Local(var, word.span)
            if var is not None:
                params.append(var)
        block = site(f"action {name}", decl.tags)
        body = lower_body(self.c, decl.body, scope, block)
        return p.Action(decl.name.names, tuple(params), body, block.origin(decl.span, decl.tags))

    def unused_values(self) -> None:
        """Look for errors in values nobody uses, as far as their types are known."""
        for name, state in self.c.values.items():
            if state.made is None and not state.failed and None not in state.types:
                lower_value(self.c, name)

    def check_ends(self) -> None:
        told: set[str] = set()
        for node in self.c.ends:
            word, verb = node.word, "leave" if node.leave else "end"
            named = self.c.each_named.get(word.text)
            if word.text in self.c.labels or word.text in told:
                continue
            if named is not None:
                told.add(word.text)
                note = f"there is no loop of this name to {verb}"
                name_of_a_loop(self.c, named, [(word.span, note)])
            else:
                self.findings.error(
                    "R0377",
                    f"there is no loop called `{word.text}` to {verb}",
                    word.span,
                    "`leave` is followed by the name of a loop (`… as round`)"
                    if node.leave
                    else "`end` is followed by `phase`, `game`, or the name of a loop "
                    "(`… as round`)",
                    suggestion=did_you_mean(word.text, [*self.c.labels, "phase", "game"]),
                )

    # ── effects and hooks ──

    def families(self) -> dict[str, p.Family]:
        made: dict[str, p.Family] = {}
        for family, effects in self.symbols.effects.items():
            kind = self.c.family_types.get(family)
            if kind is None:
                continue
            found = [self.effect(family, kind, effect) for effect in effects]
            check_keys_once(self.c, family, found, effects)
            whole = tuple(effect for effect in found if effect is not None)
            made[family] = p.Family(family, kind, whole)
        return made

    def effect(self, family: str, kind: Type, decl: n.Effect) -> p.Effect | None:
        kinds = (s.ENUM_VALUE, s.ROLE, s.SHAPE)
        found = [m for m in self.symbols.named(decl.key.text, *kinds) if meaning_type(m) == kind]
        if not found:
            return None
        self.symbols.use(found[0])
        me = self.player()
        block = site(f"{family} {found[0].name}", decl.tags)
        body = lower_body(self.c, decl.body, Scope(self.routine(me), me=me), block)
        names = key_names(self.c, found[0])
        origin = block.origin(decl.span, decl.tags)
        return p.Effect(family, found[0].index, names, me, body, origin)

    def hook(self, decl: n.Hook) -> p.Hook | None:
        role: int | None = None
        path = f"at {decl.moment.text}"
        if decl.role is not None:
            found = self.symbols.named(decl.role.text, s.ROLE)
            if not found:
                self.findings.error(
                    "R0213",
                    f"there is no role `{decl.role.text}`",
                    decl.role.span,
                    suggestion=self.symbols.suggestion(decl.role.text, s.ROLE),
                )
                return None
            role = found[0].index
            path = f"role {found[0].name} at {decl.moment.text}"
        me = self.player()
        scope, block = Scope(self.routine(me), me=me), site(path, decl.tags)
        when = None if decl.when is None else self.c.truth(decl.when, scope, "`when`")
        body = lower_body(self.c, decl.body, scope.child(), block)
        origin = block.origin(decl.span, decl.tags)
        return p.Hook(decl.moment.text, role, me, when, body, origin)

    # ── the end ──

    def scoring(self, decl: n.Scoring) -> p.ScoringLine | None:
        me = self.player()
        expr = self.c.number(decl.expr, Scope(self.routine(me), me=me), "scoring")
        if expr is None:
            return None
        block = site(f"scoring/{decl.name.text}", decl.tags)
        return p.ScoringLine(decl.name.names, me, expr, block.origin(decl.span, decl.tags))

    def winner(self) -> p.Winner | None:
        if not self.symbols.winners:
            return None
        decl = self.symbols.winners[0]
        keys: list[p.WinnerKey] = []
        draw = False
        for key in decl.keys:
            if draw:
                message = "nothing can follow `draw`"
                self.findings.error("R0214", message, key.span)
                break
            if key.order == "" and _is_word(key.expr, "draw"):
                draw = True
                if key is decl.keys[0]:
                    self.findings.error(
                        "R0203",
                        "`draw` alone doesn't say who wins: it breaks no tie",
                        key.span,
                        suggestion="`winner most points, then draw`",
                    )
                    break
                continue
            made = self.winner_key(key, decl)
            if made is not None:
                keys.append(made)
        if not keys:
            return None
        origin = site("winner", decl.tags).origin(decl.span, decl.tags)
        return p.Winner(tuple(keys), draw, origin)

    def winner_key(self, key: n.Key, decl: n.Winner) -> p.WinnerKey | None:
        me, large = self.player(), key.order in LARGE
        origin = site("winner", decl.tags).origin(key.span, decl.tags)
        if _is_word(key.expr, "points") and key.order:
            return p.WinnerKey(me, None, large, origin)
        scope = Scope(self.routine(me), me=me)
        if _is_word(key.expr, "seat"):
            return p.WinnerKey(me, p.VarRef(me, p.PLAYER, key.span), large, origin)
        if key.order == "":
            self.findings.error(
                "R0340",
                "most or fewest? Each key begins with `most`, `fewest`, `highest`, `strongest` …",
                key.span,
            )
            return None
        expr = key_value(self.c, key, scope)
        return None if expr is None else p.WinnerKey(me, expr, large, origin)


def _is_word(node: n.Expr, word: str) -> bool:
    return isinstance(node, n.Ref) and node.word.text == word
