"""Tokens, marks, tracked values."""

from __future__ import annotations

from dsl import program as p
from interpreter.codegen.moves import Moves


class Counters(Moves):
    """Everything that changes what is counted, marked or remembered."""

    def _end_code(self, end: p.TokenEnd) -> str | None:
        """The text that holds an end's count; None where nothing is counted."""
        if end.holder is None or self.b.start[end.holder] >= p.ENDLESS:
            return None
        player = "" if end.player is None else f"[{self.atom(self.x(end.player))}]"
        return self.holder(end.holder) + player

    def _tokens(self, stmt: p.MoveTokens) -> None:
        source, target = self._end_code(stmt.source), self._end_code(stmt.target)
        known = self.known(stmt.amount)
        amount = self.x(stmt.amount)
        limit = None if stmt.target.holder is None else self.b.limit[stmt.target.holder]
        if stmt.up_to:
            if not self._natural(stmt.amount):
                amount = self.atom(amount)
                with self.block(f"if {amount} < 0:"):
                    self._fail_tokens(stmt, amount, source, target, limit)
            bounds = [source] if source else []
            if limit is not None and target:
                bounds.append(f"{limit} - {target}")
            if bounds:
                t = self.temp()
                self.fn.put(f"{t} = {amount}")
                for bound in bounds:
                    self.fn.put(f"if {t} > {bound}: {t} = {bound}")
                amount = t
        else:
            if not amount.isalnum():  # it may read the very counts that change
                t = self.temp()
                self.fn.put(f"{t} = {amount}")
                amount = t
            self._check_tokens(stmt, amount, known, source, target, limit)
        if source:
            self.fn.put(f"{source} -= {amount}")
        if target:
            self.fn.put(f"{target} += {amount}")
        self._tell_tokens(stmt, amount, known)
        self._forget_bounds()

    def _check_tokens(
        self, stmt: p.MoveTokens, amount: str, known: object,
        source: str | None, target: str | None, limit: int | None,
    ) -> None:  # fmt: skip
        tests = []
        if not (isinstance(known, int) and known >= 0) and not self._natural(stmt.amount):
            tests.append(f"{amount} < 0")
        with self.unhoisted():
            bounds = self._bounds(stmt.amount)
        if source and source not in bounds:
            tests.append(f"{amount} > {source}")
        if limit is not None and target and f"({limit} - {target})" not in bounds:
            tests.append(f"{target} + {amount} > {limit}")
        if tests:
            with self.block(f"if {' or '.join(tests)}:"):
                self._fail_tokens(stmt, amount, source, target, limit)

    def _fail_tokens(
        self,
        stmt: p.MoveTokens,
        amount: str,
        source: str | None,
        target: str | None,
        limit: int | None,
    ) -> None:
        self.fn.put(
            f"fail_tokens(s, {self.rule(stmt.origin)}, {stmt.token!r}, {amount}, "
            f"{source or 'None'}, {target or 'None'}, {limit})"
        )

    def _tell_tokens(self, stmt: p.MoveTokens, amount: str, known: object) -> None:
        if not self.loud:
            return
        ends = [
            f"({e.holder!r}, {'None' if e.player is None else self.x(e.player)})"
            for e in (stmt.source, stmt.target)
        ]
        if isinstance(known, int) and amount == repr(known) and known > 0:
            self.tell(stmt.origin, "pay", repr(stmt.token), amount, *ends)
        else:
            with self.block(f"if {amount}:"):
                self.tell(stmt.origin, "pay", repr(stmt.token), amount, *ends)

    def _set_mark(self, stmt: p.SetMark) -> None:
        mark = self.mark(stmt.mark)
        if stmt.player is None:
            if self.loud:
                with self.block(f"if {mark} is not {stmt.on}:"):
                    self.tell(stmt.origin, "mark", repr(stmt.mark), "None", str(stmt.on))
            self.fn.put(f"{mark} = {stmt.on}")
            return
        if stmt.player.type.kind is p.K.PLAYERS:
            everyone = isinstance(stmt.player, p.Players) and stmt.player.start is None
            if everyone and not self.loud:
                self.fn.put(f"{mark} = {self.b.everyone if stmt.on else 0}")
                return
            q = self.temp()
            with self.block(f"for {q} in {self.listed(self.coll(stmt.player))}:"):
                self._mark_one(stmt, mark, q)
            return
        self._mark_one(stmt, mark, self.atom(self.x(stmt.player)))

    def _mark_one(self, stmt: p.SetMark, mark: str, player: str) -> None:
        if self.loud:
            with self.block(f"if ({mark} >> {player} & 1) != {int(stmt.on)}:"):
                self.tell(stmt.origin, "mark", repr(stmt.mark), player, str(stmt.on))
        if stmt.on:
            self.fn.put(f"{mark} |= 1 << {player}")
        elif player.isdigit():
            self.fn.put(f"{mark} &= {self.b.everyone & ~(1 << int(player))}")
        else:
            masks = tuple(self.b.everyone & ~(1 << q) for q in range(self.b.players))
            self.fn.put(f"{mark} &= {self.constant('BUT', masks)}[{player}]")

    def _set_track(self, stmt: p.SetTrack) -> None:
        slot = self.track(stmt.name)
        player = None if stmt.player is None else self.atom(self.x(stmt.player))
        code = self.stored(stmt.value)
        where = slot if player is None else f"{slot}[{player}]"
        if self.loud:
            code = self.atom(code)
            with self.block(f"if {where} != {code}:"):
                self.tell(stmt.origin, "track", repr(stmt.name), player or "None", code)
        self.fn.put(f"{where} = {code}")
