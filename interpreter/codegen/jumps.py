"""Functions and jumps: where play goes on, and where it goes on when something ends early. Used by
`flow`, which writes what lies between.

A label that only one place jumps to is written out there; the others become functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from attrs import define

from dsl import program as p
from interpreter.binding import Binding
from interpreter.codegen.analysis import Analysis
from interpreter.codegen.at_once import Simultaneous
from interpreter.codegen.statements import Loop
from interpreter.codegen.writer import Function


@define(eq=False)
class Label:
    """A place to go on from. back: the head of a loop, always a function, reached by returning
    it to the driver."""

    key: str
    write: Callable[[], None]
    span: p.Span | None
    back: bool = False
    tiny: bool = False  # so short that it is written out wherever it is jumped to


class Jumps(Simultaneous):
    """Labels, functions, and the ends of loops, phases and the game."""

    def __init__(
        self, binding: Binding, analysis: Analysis, *, loud: bool, jumps: Counter[str]
    ) -> None:
        super().__init__(binding, analysis, loud=loud)
        self.functions: list[Function] = []
        self.expected = jumps  # of an earlier run
        self.jumps: Counter[str] = Counter()
        self.queue: list[tuple[Function, Callable[[], None]]] = []
        self.ends: dict[str, Label] = {}
        self.returns: dict[int, dict[str, Label]] = {}
        self._made: set[str] = set()
        self._loops: list[str] = []  # labels of the plain loops being written
        self._open: list[Loop | p.Turn | None] = []  # loops around, outermost first; None: unknown

    # ── functions and jumps ──────────────────────────────────────────────────────────────────

    def function(self, name: str, params: tuple[str, ...], span: p.Span | None,
                 write: Callable[[], None], *, plain: bool = False) -> None:  # fmt: skip
        """Have a function written when the present one is done."""
        file = span.file if span is not None else self.program.file
        fn = Function(name, (*params, *(("E",) if self.loud else ())), file, plain)
        fn.span = span
        self.functions.append(fn)
        ends, loops, opened = dict(self.ends), list(self._loops), list(self._open)

        def writing() -> None:
            self.ends, self._loops, self._open = ends, loops, opened
            if plain:
                self._loops, self._open = [], []
            write()

        self.queue.append((fn, writing))

    def work(self) -> None:
        """Write all functions asked for."""
        while self.queue:
            self.fn, write = self.queue.pop(0)
            self.hoist = True
            self._forget_bounds()
            write()

    def jump(self, label: Label) -> None:
        """Go on at a label."""
        self.jumps[label.key] += 1
        other_file = label.span is not None and label.span.file != self.fn.file
        if label.tiny and not other_file:
            label.write()
            return
        if not label.back and self.expected[label.key] == 1 and not other_file:
            label.write()
            return
        if label.key not in self._made:
            self._made.add(label.key)
            self.function(f"b_{label.key}", ("s",), label.span, label.write)
        # An answer starts on a fresh stack, so it may call a loop's head right away.
        call = not label.back or self.fn.name.startswith("c_")
        self.fn.put(f"return b_{label.key}{f'(s{self.extra})' if call else ''}")

    def label(self, key: str, write: Callable[[], None], span: p.Span | None,
              *, back: bool = False) -> Label:  # fmt: skip
        ends, opened = dict(self.ends), list(self._open)

        def writing() -> None:
            before, self.ends = self.ends, ends
            open_before, self._open = self._open, opened
            self._forget_bounds()
            write()
            self._forget_bounds()
            self.ends, self._open = before, open_before

        return Label(key, writing, span, back)

    def key(self, stmt: object, role: str) -> str:
        """A name for a place in the flow, the same in every run of the generator."""
        number = self._keys.setdefault(id(stmt), len(self._keys))
        return f"{number}_{role}"

    _keys: dict[int, int]

    def plain_loop(self, stmt: Loop) -> None:
        self._loops.append(stmt.label)
        self._open.append(stmt)
        super().plain_loop(stmt)
        self._open.pop()
        self._loops.pop()

    def end(self, stmt: p.End) -> None:
        if self._loops and self._loops[-1] == stmt.what:
            self.fn.put("break" if stmt.leave else "continue")
            return
        self._close_labels(stmt.what)
        if stmt.key in self.ends:
            self.jump(self.ends[stmt.key])
        else:
            self.fn.put(f"return PHASE_END[s.phase](s{self.extra})")

    def _close_labels(self, what: str) -> None:
        """The loops that are left are no longer under way: their coordinates go."""
        for label in self.program.labels:
            if label != what and (what in ("phase", "game") or label in self._inside(what)):
                self.fn.put(f"{self.label_name(label)} = 0")

    def _inside(self, what: str) -> list[str]:
        """Labels of the loops that are open here inside the one labelled `what`; of all that are
        known, where that one lies around a routine (see `_exits`)."""
        labels = ["" if loop is None else loop.label for loop in self._open]
        return labels[labels.index(what) + 1 :] if what in labels else labels
