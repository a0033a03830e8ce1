"""A bound Program as generated code: silent and loud, with the tables it needs.

Used by `interpreter.game`, which keeps the code objects in its cache: nothing in `Generated` refers
to the generator.
"""

from __future__ import annotations

from collections import Counter
from typing import TypeVar

from dsl import program as p
from interpreter.binding import Binding
from interpreter.codegen.analysis import Analysis
from interpreter.codegen.expressions import place_of
from interpreter.codegen.flow import Flow
from interpreter.codegen.jumps import Label
from interpreter.codegen.writer import (
    Function,
    compile_lines,
    drop_unread,
    live_names,
    source_of,
)
from interpreter.codegen.writing import Routine
from interpreter.compiled import Generated


class Generator(Flow):
    """One run over a Program."""

    def __init__(
        self, binding: Binding, analysis: Analysis, *, loud: bool, jumps: Counter[str],
        keys: dict[int, int],
    ) -> None:  # fmt: skip
        super().__init__(binding, analysis, loud=loud, jumps=jumps)
        self._keys = keys
        self.choice_infos = []
        self.at_once_slots = {}
        self.slots = {}
        self.phase_after: dict[int, str] = {}
        self._declare_slots()

    def _declare_slots(self) -> None:
        program, n = self.program, self.b.players
        self.slot("P", f"[[] for _ in range({len(self.b.places)})]")
        for key, holder in program.holders.items():
            start = self.b.start[key]
            self.slot(self.holder(key), f"[{start}] * {n}" if holder.per_player else repr(start))
        for name, mark in program.marks.items():
            self.slot(self.mark(name), "0" if mark.per_player else "False")
        starts = {p.K.NUMBER: "0", p.K.TRUTH: "False", p.K.ENUM: "-1"}
        for name, track in program.tracks.items():
            start_text = starts.get(track.type.kind, "None")
            self.slot(self.track(name), f"[{start_text}] * {n}" if track.per_player else start_text)
        if program.roles is not None:
            self.slot("ring", f"[None] * {max(program.roles.ring(n).seats, n)}")
        for name in program.labels:
            self.slot(self.label_name(name), "0")

    def generate(self) -> None:
        """Write the whole game."""
        program = self.program
        finish = self.label("finish", self._finish, None)
        after = finish
        for index in reversed(range(len(program.phases))):
            after = self._phase(index, program.phases[index], after, finish)
        self.ends = {"game": finish, "phase": after}
        self.phase_after[0] = after.key

        def start() -> None:
            self.fn.assign(f"v{program.setup_me.id}", "0", optional=True)
            self.fn.assign(f"v{program.phase_me.id}", "0", optional=True)
            self.sequence(program.setup, after)

        first = program.setup[0].origin.span if program.setup else None
        self.function("b_start", ("s",), first, start)
        self.work()
        self._scoring()
        self._winner()
        self.work()
        self._routines()

    def _phase(self, index: int, phase: p.Phase, after: Label, finish: Label) -> Label:
        def write() -> None:
            before = self.ends
            self.ends = {"game": finish, "phase": after}
            with self.at(phase.origin):
                self.fn.put(f"s.phase = {index + 1}")
                self.tell(phase.origin, "phase", "'phase'", repr(phase.names.name), "False")
            self.sequence(phase.body, after)
            self.ends = before

        self.phase_after[index + 1] = after.key
        return self.label(f"phase_{index + 1}", write, phase.origin.span)

    def _finish(self) -> None:
        points = "score" if self.loud else "totals"
        self.fn.put(f"return finish(s, {points}, rank{self.extra})")

    def _scoring(self) -> None:
        lines = self.program.scoring

        def parts() -> list[str]:
            found = []
            for line in lines:
                self.fn.span = line.origin.span
                self.hoist = True
                t = self.temp()
                self.fn.put(f"v{line.me.id} = me")
                self.fn.put(f"{t} = {self.x(line.expr)}")
                found.append(t)
            return found

        def score() -> None:
            found = parts()
            self.fn.put(f"return ({', '.join(found)}{',' if found else ''})")

        def totals() -> None:
            everyone = self.constant("ALL", tuple(range(self.b.players)))
            self.fn.put("points = []")
            self.fn.put(f"for me in {everyone}:")
            self.fn.indent += 1
            self.fn.put(f"points.append({' + '.join(parts()) or '0'})")
            self.fn.indent -= 1
            self.fn.put("return points")

        span = lines[0].origin.span if lines else None
        self._plain("score", ("s", "me"), span, score)
        if not self.loud:
            self._plain("totals", ("s",), span, totals)

    def _winner(self) -> None:
        winner = self.program.winner

        def write() -> None:
            parts = []
            for key in winner.keys:
                self.fn.put(f"v{key.me.id} = me")
                code = "points" if key.expr is None else self.atom(self.x(key.expr))
                if key.expr is not None and key.expr.type.kind in (p.K.PLAYER, p.K.ROLE):
                    parts.append(f"none_last({code}{', -1' if key.largest else ''})")
                else:
                    parts.append(f"-{code}" if key.largest else code)
            self.fn.put(f"return ({', '.join(parts)}{',' if parts else ''})")

        self._plain("rank", ("s", "me", "points"), winner.origin.span, write)

    def _plain(self, name, params, span, write) -> None:  # type: ignore[no-untyped-def]
        self.function(name, params, span, write, plain=True)
        if self.loud:
            self.functions[-1].params = params

    def _routines(self) -> None:
        """Functions of actions that never ask, and of named values: as they turn out to be
        used."""
        done: set[str] = set()
        while True:
            todo = [(n, r) for n, r in self.routines.values() if n not in done]
            values = [(n, v) for n, v in self.values_used.items() if "f_" + n not in done]
            if not todo and not values:
                return
            for name, routine in todo:
                done.add(name)
                params = routine.params if isinstance(routine, p.Action) else (routine.me,)
                self.function(
                    name, ("s", *self.param_names(params)), routine.origin.span,
                    lambda r=routine, q=params: self._routine(r, q), plain=True,  # type: ignore[misc]
                )  # fmt: skip
            for name, value in values:
                done.add("f_" + name)
                self._plain(
                    self.ident("f_", name, self.program.values),
                    ("s", *self.param_names(value.params)), value.origin.span,
                    lambda v=value: self._value(v),
                )  # fmt: skip
            self.work()

    def _routine(self, routine: Routine, params: tuple[p.Var, ...]) -> None:
        """A routine as a function: what its parameters stood for where it was written in place
        (in another file it is not) is forgotten."""
        for var in params:
            self.env.pop(var.id, None)
        self.run(routine.body)

    def _value(self, value: p.Value) -> None:
        self.hoist = True
        if value.body.type.kind is p.K.CARD:
            card = self.card(value.body)
            self.fn.put(f"return ({card.text}, {place_of(card)})")
        elif value.body.type.kind is p.K.PLAY:
            play = self.play(value.body)
            self.fn.put(f"return ({play.text}, {play.pid})")
        else:
            self.fn.put(f"return {self.x(value.body)}")


G = TypeVar("G", bound=Generator)


def generate(
    binding: Binding, analysis: Analysis | None = None, kind: type[Generator] | None = None
) -> tuple[Generated, Generated]:
    """The silent and the loud code of a bound Program. Both keep the same slots, so that a State
    can go on in either. Another kind of generator may write more than what play needs."""
    analysis, kind = analysis or Analysis(binding.program), kind or Generator
    keys: dict[int, int] = {}
    silent = written(binding, analysis, keys, loud=False, kind=kind)
    loud = written(binding, analysis, keys, loud=True, kind=kind)
    drop_unread([*silent.functions, *loud.functions])
    shared = live_names([*silent.functions, *loud.functions])
    slots = {**silent.slots, **dict.fromkeys(sorted(shared), "None")}
    return assemble(silent, shared, slots), assemble(loud, shared, slots)


def written(
    binding: Binding, analysis: Analysis, keys: dict[int, int], *, loud: bool,
    kind: type[G],
) -> G:  # fmt: skip
    """Run a generator (of this kind) twice: the first run counts the jumps to each label."""
    first = kind(binding, analysis, loud=loud, jumps=Counter(), keys=keys)
    first.generate()
    jumps = first.jumps
    # phases can be entered from outside (scenarios) and ended from shared routines
    jumps.update(dict.fromkeys(first.phase_after.values(), 2))
    jumps.update({f"phase_{index + 1}": 2 for index in range(len(binding.program.phases))})
    gen = kind(binding, analysis, loud=loud, jumps=jumps, keys=keys)
    gen.generate()
    return gen


def assemble(gen: Generator, shared: set[str], slots: dict[str, str]) -> Generated:
    program = gen.program
    by_file: dict[str, list[Function]] = {}
    for function in gen.functions:
        # a value is part of whatever asks for it; all else counts its own looks
        function.looks = bool(gen.looks) and not function.name.startswith("f_")
        by_file.setdefault(function.file, []).append(function)
    codes, listing = [], []
    for file, functions in by_file.items():
        lines: list[tuple[str, p.Span | None]] = []
        for function in functions:
            lines += source_of(function, shared)
        codes.append(compile_lines(lines, file, program.sources))
        listing.append(_listing(file, lines))
    made = {f.name for f in gen.functions}
    return Generated(
        codes=tuple(codes),
        constants=gen.constants,
        slots=slots,
        choices=tuple(gen.choice_infos),
        rules=tuple(gen.rules),
        returns={n.removeprefix("b_"): n for n in made if "_return" in n},
        phase_ends={i: f"b_{k}" for i, k in gen.phase_after.items() if f"b_{k}" in made},
        at_once=tuple(gen.at_once_slots.items()),
        listing="\n".join(listing),
    )


def _listing(file: str, lines: list[tuple[str, p.Span | None]]) -> str:
    """The generated Python, each line with the rule line it comes from."""
    out = [f"# {file}"]
    for text, span in lines:
        out.append(f"{text:<88}# {span.line}" if span is not None else text)
    return "\n".join(out) + "\n"
