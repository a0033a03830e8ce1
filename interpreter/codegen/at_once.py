"""Simultaneous choices: everyone answers in secret, then all answers take effect in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import program as p
from interpreter.codegen.choices import Choices

if TYPE_CHECKING:
    from interpreter.codegen.jumps import Label


class Simultaneous(Choices):
    """Everything about asking several at once."""

    def at_once(self, stmt: p.AtOnce, k: Label) -> None:
        """Everyone answers in secret; when the last is in, all answers take effect in order."""
        items = f"s.n_{self.key(stmt, 'players')}"
        self.slot(items, "()")
        self.fn.put(f"{items} = {self.fixed(self.coll(stmt.players))}")
        self.fn.put("s.pend = ()")
        choice, me = stmt.choice, f"v{stmt.me.id}"

        def ask() -> None:
            with self.at(choice.origin):
                i = self.temp()
                self.fn.put(f"{i} = len(s.pend)")
                with self.block(f"if {i} == len({items}):"):
                    self.jump(shown)
                self.fn.assign(me, f"{items}[{i}]")
                options = self.options(choice)

                def skip() -> None:
                    self.fn.put("s.pend += (None,)")
                    self.jump(head)

                self._when_empty(choice, options, skip)
                self._ask(number, self.x(choice.chooser), options)

        def resume() -> None:
            with self.at(choice.origin):
                self.tell(
                    choice.origin, "choice", "s.player", repr(choice.origin.path), "tuple(s.moves)",
                    "x", "True",
                )  # fmt: skip
                self.fn.put("s.pend += (x,)")
                self.jump(head)

        head = self.label(self.key(stmt, "ask"), ask, stmt.origin.span)
        shown = self.label(
            self.key(stmt, "shown"), lambda: self._shown(stmt, items, k), stmt.origin.span
        )
        number = self._info(choice, at_once=True)
        self.at_once_slots[number] = items.removeprefix("s.")
        self.function(f"c_{number}", ("s", "x"), choice.origin.span, resume)
        if not self.loud:
            self.function(f"e_{number}", ("s",), choice.origin.span, lambda: self.jump(head))
        self.jump(head)

    def _shown(self, stmt: p.AtOnce, items: str, k: Label) -> None:
        choice = stmt.choice
        with self.at(choice.origin):
            # in a slot of their own: a block may ask everyone once more
            given = f"s.n_{self.key(stmt, 'given')}"
            self.slot(given, "()")
            self.fn.put(f"{given} = s.pend")
            self.fn.put("s.pend = ()")
            answers = f"tuple(zip({items}, {given}))"
            self.tell(choice.origin, "answers", repr(choice.origin.path), answers)
            if any(self.analysis.routine_splits(b.body) for b in choice.branches):
                self._shown_one(stmt, items, given, k)
                return
            with self.block(f"for v{stmt.me.id}, x in zip({items}, {given}):"):
                if choice.if_any:
                    self.fn.put("if x is None: continue")
                self.branches(choice, lambda branch: self._plain_branch(branch, choice))
            self.fn.put(f"{given} = {items} = ()")
            self.jump(k)

    def _plain_branch(self, branch: p.Branch, choice: p.Choose) -> None:
        self.run(branch.body)
        if branch is not choice.branches[-1]:
            self.fn.put("continue")

    def _shown_one(self, stmt: p.AtOnce, items: str, given: str, k: Label) -> None:
        """Answers whose blocks ask again: one after the other."""
        at = f"s.n_{self.key(stmt, 'at')}"
        self.slot(at, "0")
        self.fn.put(f"{at} = 0")

        def write() -> None:
            with self.at(stmt.origin):
                i = self.temp()
                self.fn.put(f"{i} = {at}")
                with self.block(f"if {i} == len({items}):"):
                    self.fn.put(f"{given} = {items} = ()")
                    self.jump(k)
                self.fn.put(f"{at} = {i} + 1")
                self.fn.assign(f"v{stmt.me.id}", f"{items}[{i}]")
                self.fn.put(f"x = {given}[{i}]")
                if stmt.choice.if_any:
                    with self.block("if x is None:"):
                        self.jump(loop)
                self.branches(stmt.choice, lambda branch: self.sequence(branch.body, loop))

        loop = self.label(self.key(stmt, "effects"), write, stmt.origin.span)
        loop.back = True
        self.jump(loop)
