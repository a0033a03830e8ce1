"""Bots of a ruleset as generated code: a function for each choice they have preferences about, and
one for each thing they keep in mind.

Used by `interpreter.cache` on behalf of `interpreter.ruleset_bots`. Functions take
    s   the State, at the choice        A   the bot's settings, in order
    M   what it remembers, in order     D   a `Draw`, for noise and chance
and change nothing but M. A choice's function returns an option of `s.moves`, or None where no line
gives one. Variables of rules that options depend on are read from the State's slots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

import attrs

from dsl import program as p
from dsl.walk import everything
from interpreter.binding import Binding
from interpreter.codegen.analysis import Analysis, walk
from interpreter.codegen.expressions import Code
from interpreter.codegen.module import Generator
from interpreter.codegen.writer import NAME, compile_lines, drop_unread, source_of
from interpreter.compiled import BotCode

_LIFTED = (p.K.NUMBER, p.K.TRUTH, p.K.PLAYER, p.K.ENUM, p.K.ROLE, p.K.SHAPE)


class BotWriter(Generator):
    """One bot of a bound Program. `slots`: the names of the slots that its States have."""

    def __init__(self, binding: Binding, bot: p.Bot, slots: frozenset[str]) -> None:
        program = attrs.evolve(binding.program, values={**binding.program.values, **bot.values})
        binding = attrs.evolve(binding, program=program)
        super().__init__(binding, Analysis(program), loud=False, jumps=Counter(), keys={})
        self.bot = bot
        self.kept = slots
        self.me = f"v{bot.me.id}"
        self._settings = {name: index for index, name in enumerate(bot.settings)}
        self._memory = {name: index for index, name in enumerate(bot.memory)}
        self._asked = {
            node.origin.path: node for node in everything(program) if isinstance(node, p.Choose)
        }
        self._raw = "None"  # the option that noise is keyed by
        self._ways = "1"
        self._lifts = 0

    def write(self) -> None:
        """Have everything written."""
        for index, choice in enumerate(self.bot.choices):
            self.function(
                f"w_{index}", ("s", "A", "M", "D"), choice.span,
                lambda c=choice: self._choice(c),  # type: ignore[misc]
            )  # fmt: skip
        for index, trigger in enumerate(self.bot.triggers):
            self.function(
                f"o_{index}", ("s", "x", "me", "A", "M"), trigger.span,
                lambda t=trigger: self._trigger(t),  # type: ignore[misc]
            )  # fmt: skip
        self.work()
        self._routines()

    # ── what only bots have ──────────────────────────────────────────────────────────────────

    def x(self, expr: p.Expr) -> str:
        match expr:
            case p.RunOf():
                return self.label_name(expr.label)
            case p.Setting():
                return f"A[{self._settings[expr.name]}]"
            case p.Remembered():
                kept = f"M[{self._memory[expr.name]}]"
                return kept if expr.player is None else f"{kept}[{self.x(expr.player)}]"
            case p.Noise():
                ends = f"{self.x(expr.low)}, {self.x(expr.high)}"
                ways = self._ways if expr.per_way else "1"
                return f"D.noise({expr.site}, {self._raw}, {ways}, {ends})"
            case p.Chance():
                return f"D.chance({expr.site}, {self._raw}, {expr.part}, {expr.whole})"
            case _:
                return super().x(expr)

    def call_text(self, expr: p.Call) -> str:
        name, _, rest = super().call_text(expr).partition("(s")
        return f"{name}(s, A, M{rest}"

    def _plain(self, name, params, span, write) -> None:  # type: ignore[no-untyped-def]
        first, *rest = params
        super()._plain(name, (first, "A", "M", *rest), span, write)

    # ── preferences ──────────────────────────────────────────────────────────────────────────

    def _choice(self, choice: p.BotChoice) -> None:
        stmt = self._asked[choice.path]
        self.fn.assign(self.me, "s.player", optional=True)
        with self._chosen_by(stmt):
            for weighed, wishes in groupby(choice.wishes, lambda wish: wish.weighed):
                if weighed:
                    self._weigh(list(wishes), stmt)
                    continue
                for wish in wishes:
                    self._take_first(wish, stmt)
        self.fn.put("return None")

    def _chosen_by(self, stmt: p.Choose) -> _Chooser:
        return _Chooser(self, stmt.chooser)

    def _options(self, wish: p.Wish, stmt: p.Choose) -> str:
        """The options of a line's way: a list of the raw ones."""
        if len(stmt.branches) == 1 and not stmt.branches[0].name:
            return "s.moves"
        o = self.temp()
        self.fn.put(f"{o} = [x for x in s.moves if x[0] == {wish.way}]")
        return o

    def _bind_option(self, wish: p.Wish, stmt: p.Choose, raw: str) -> None:
        """The variable of what an option picks."""
        branch = stmt.branches[wish.way]
        self._ways = "1"
        if wish.var is None or branch.pick is None:
            return
        picked = raw if len(stmt.branches) == 1 and not branch.name else f"{raw}[1]"
        self._bind_var(wish.var, branch.pick, picked)
        self._ways = self._ways_of(wish.var, branch.pick, raw)

    def _bind_var(self, var: p.Var, pick: p.Pick, picked: str) -> None:
        start = len(self.fn.lines)
        with self.unhoisted():
            self._bind(var, pick, picked)
        for line in self.fn.lines[start:]:
            before, _, code = line.text.partition(" = ")
            if before[0] == "q" and any(
                name != self.me and name not in self.kept for name in NAME.findall(code)
            ):
                line.text = f"{before} = None"  # in a place only the rule could name

    def _ways_of(self, var: p.Var, pick: p.Pick, raw: str) -> str:
        v, q = f"v{var.id}", f"q{var.id}"
        if isinstance(pick, p.PickCard):
            return f"D.ways({q}, ({v},), {raw})"
        if isinstance(pick, p.PickOne) and pick.type.kind is p.K.PLAY:
            return f"D.ways({q}, {v}[1], {raw})"
        if isinstance(pick, p.PickCards):
            return f"D.ways(None, (), {raw})"
        return "1"

    def _take_first(self, wish: p.Wish, stmt: p.Choose) -> None:
        """The first of a line's options under its keys, if it is what the line wants."""
        self.fn.span = wish.span
        options = self._options(wish, stmt)
        best, key = self.temp(), self.temp()
        with self.block(f"if {options}:"):
            self.hoist = True
            where, keys = self._ahead_of(wish, wish.where), self._ahead_of_keys(wish)
            self.fn.put(f"{best} = {key} = None")
            with self.block(f"for x in {options}:"), self._looking("x"):
                self._bind_option(wish, stmt, "x")
                if where is not None:
                    self.fn.put(f"if not {self.x(where)}: continue")
                if keys and wish.var is not None:
                    element = Code(f"v{wish.var.id}", f"q{wish.var.id}")
                    text = self.sort_key(keys, wish.var, element, ahead=True)
                    del self.env[wish.var.id]
                    self.fn.put(f"{key}n = {text}")
                    self.fn.put(f"if {best} is not None and not {key}n < {key}: continue")
                    self.fn.put(f"{best} = x")
                    self.fn.put(f"{key} = {key}n")
                else:
                    self.fn.put(f"{best} = x")
                    self.fn.put("break")
            with self.block(f"if {best} is not None:"):
                if wish.when is None:
                    self.fn.put(f"return {best}")
                else:
                    self._bind_option(wish, stmt, best)
                    self.hoist = True
                    self.fn.put(f"if {self.x(wish.when)}: return {best}")

    def _weigh(self, wishes: list[p.Wish], stmt: p.Choose) -> None:
        """The option with the highest score."""
        best, top = self.temp(), self.temp()
        self.fn.span = wishes[0].span
        self.fn.put(f"{best} = None")
        self.fn.put(f"{top} = -INFINITY")
        for wish in wishes:
            self.fn.span = wish.span
            options = self._options(wish, stmt)
            with self.block(f"if {options}:"):
                self.hoist = True
                where, when = self._ahead_of(wish, wish.where), self._ahead_of(wish, wish.when)
                score = self._ahead_of(wish, wish.score)
                assert score is not None
                with self.block(f"for x in {options}:"), self._looking("x"):
                    self._bind_option(wish, stmt, "x")
                    for condition in (where, when):
                        if condition is not None:
                            self.fn.put(f"if not {self.x(condition)}: continue")
                    self.fn.put(f"{top}n = {self.x(score)}")
                    with self.block(f"if {top}n > {top}:"):
                        self.fn.put(f"{top} = {top}n")
                        self.fn.put(f"{best} = x")
        self.fn.put(f"if {best} is not None: return {best}")

    def _looking(self, raw: str) -> _Looking:
        return _Looking(self, raw)

    # ── what is the same for all options ─────────────────────────────────────────────────────

    def _ahead_of_keys(self, wish: p.Wish) -> tuple[p.Key, ...]:
        return tuple(attrs.evolve(key, expr=self._lift(key.expr, wish.var)) for key in wish.keys)

    def _ahead_of(self, wish: p.Wish, expr: p.Expr | None) -> p.Expr | None:
        """An expression whose parts that don't depend on the option are worked out beforehand:
        those that are worked out for every option anyway."""
        return None if expr is None else self._lift(expr, wish.var)

    def _lift(self, expr: p.Expr, var: p.Var | None) -> p.Expr:
        if self.known(expr) is not NotImplemented or isinstance(expr, p.VarRef | p.Setting):
            return expr
        if expr.type.kind in _LIFTED and self._is_fixed(expr, var):
            self._lifts += 1
            held = p.Var(-1_000_000 - self._lifts, "", expr.type)
            t = self.temp()
            self.fn.put(f"{t} = {self.stored(expr)}")
            self.env[held.id] = Code(t)
            return p.VarRef(held, expr.type, expr.span)
        match expr:
            case p.Unary():
                return attrs.evolve(expr, operand=self._lift(expr.operand, var))
            case p.Binary(op="and" | "or"):
                return attrs.evolve(expr, left=self._lift(expr.left, var))
            case p.Binary():
                left, right = self._lift(expr.left, var), self._lift(expr.right, var)
                return attrs.evolve(expr, left=left, right=right)
            case p.Conditional():
                return attrs.evolve(expr, condition=self._lift(expr.condition, var))
            case _:
                return expr

    def _is_fixed(self, expr: p.Expr, var: p.Var | None) -> bool:
        return not any(
            isinstance(n, p.Noise | p.Chance) or (isinstance(n, p.VarRef) and n.var is var)
            for n in walk(expr)
        )

    # ── memory ───────────────────────────────────────────────────────────────────────────────

    def _trigger(self, trigger: p.Trigger) -> None:
        stmt = self._asked[trigger.path]
        self.fn.assign(self.me, "me", optional=True)
        self.fn.assign(f"v{trigger.they.id}", "s.player", optional=True)
        with self._chosen_by(stmt):
            if trigger.way is None:
                self._keep(trigger.body)
                return
            branch = stmt.branches[trigger.way]
            nameless = len(stmt.branches) == 1 and not branch.name
            if not nameless:
                self.fn.put(f"if x[0] != {trigger.way}: return")
            if trigger.var is not None and branch.pick is not None:
                self._bind_var(trigger.var, branch.pick, "x" if nameless else "x[1]")
            self._keep(trigger.body)

    def _keep(self, body: tuple[p.Remembering, ...]) -> None:
        for stmt in body:
            self.fn.span = stmt.span
            self.hoist = True
            match stmt:
                case p.Remember():
                    kept = f"M[{self._memory[stmt.name]}]"
                    if stmt.player is not None:
                        kept += f"[{self.x(stmt.player)}]"
                    self.fn.put(f"{kept} = {self.stored(stmt.value)}")
                case p.RememberIf():
                    with self.block(f"if {self.x(stmt.condition)}:"):
                        self._keep(stmt.then)
                    if stmt.otherwise:
                        with self.block("else:"):
                            self._keep(stmt.otherwise)


class _Chooser:
    """Inside, the variable that says who chooses is the bot's player (in a trigger: who chose)."""

    def __init__(self, writer: BotWriter, chooser: p.Expr) -> None:
        self._env = writer.env
        self._id = chooser.var.id if isinstance(chooser, p.VarRef) else None

    def __enter__(self) -> None:
        if self._id is not None:
            self._env[self._id] = Code("s.player")

    def __exit__(self, *_: object) -> None:
        if self._id is not None:
            del self._env[self._id]


class _Looking:
    """Inside, an option is looked at: noise is its own."""

    def __init__(self, writer: BotWriter, raw: str) -> None:
        self._writer, self._name = writer, raw

    def __enter__(self) -> None:
        self._writer._raw = self._name
        self._writer.hoist = True

    def __exit__(self, *_: object) -> None:
        self._writer._raw = "None"


def generate_bot(binding: Binding, bot: p.Bot, slots: frozenset[str]) -> BotCode:
    """The code of one bot."""
    writer = BotWriter(binding, bot, slots)
    writer.write()
    drop_unread(writer.functions)
    by_file: dict[str, list[tuple[str, p.Span | None]]] = {}
    for function in writer.functions:
        by_file.setdefault(function.file, []).extend(source_of(function, set()))
    sources = binding.program.sources
    return BotCode(
        codes=tuple(compile_lines(lines, file, sources) for file, lines in by_file.items()),
        constants=writer.constants,
        rules=tuple(writer.rules),
        listing="\n".join(_lines(by_file)),
    )


def _lines(by_file: dict[str, list[tuple[str, p.Span | None]]]) -> Iterator[str]:
    for lines in by_file.values():
        for text, _ in lines:
            yield text
