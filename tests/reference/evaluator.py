"""Plays a Program: statements as Python generators that yield a question and receive the answer.

    game = Evaluator(program, players, options, seed)
    question = game.start()              # a Question, or None when the game is over
    question = game.answer(raw)          # raw: one of question.options
    game.events, game.points, game.winners, game.table

Questions, raw options and events are those of `notes/0002`. No knowledge is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from dsl import program as p
from interpreter import chance
from tests.reference.choices import Options, offered, one_place
from tests.reference.expressions import Expressions, compare
from tests.reference.table import Card, RulesBroken, Table, chosen_options, set_up

MOST_RUNS = 100_000

SIMPLE = (
    p.Shuffle | p.Deal | p.Move | p.MoveRandom | p.MoveTokens | p.SetMark | p.SetTrack | p.SetVar
    | p.PassRoles | p.Reveal
)  # fmt: skip
LOOPS = p.Repeat | p.Each | p.Turn | p.While | p.GoRound


@dataclass(frozen=True)
class Happening:
    """An event: kind, rule and data as in `notes/0002`."""

    kind: str
    rule: p.Origin | None
    data: dict[str, Any]


@dataclass(frozen=True)
class Question:
    """What is asked: of whom, the path of the choice, and the raw options."""

    player: int
    path: str
    options: list[Any]


Asking = Generator[Question, Any, None]


class PhaseEnds(Exception):
    """`end phase` was carried out."""


class GameEnds(Exception):
    """`end game` was carried out."""


class RunEnds(Exception):
    """`end LABEL` was carried out; `leave LABEL`, where `leave`."""

    def __init__(self, label: str, leave: bool) -> None:
        super().__init__(label)
        self.label = label
        self.leave = leave


class Evaluator:
    """One game, from start to end."""

    def __init__(
        self, program: p.Program, players: int, options: dict[str, Any] | None = None, seed: int = 0
    ) -> None:
        self.program = program
        self.seed = seed
        self.table = Table(program, players, chosen_options(program, players, options or {}))
        self.expressions = Expressions(self.table)
        self.value = self.expressions.value
        set_up(self.table, self.value)
        self.events: list[Happening] = []
        self.points: list[int] = []
        self.winners: list[int] = []
        self.phase = ""
        self.coordinates: dict[str, int] = {}
        self._shuffled: Counter[tuple[int, ...]] = Counter()
        self._game = self._play()

    def start(self) -> Question | None:
        """Play up to the first question."""
        return next(self._game, None)

    def answer(self, raw: Any) -> Question | None:
        """Answer the question, and play on to the next."""
        try:
            return self._game.send(raw)
        except StopIteration:
            return None

    def tell(self, kind: str, rule: p.Origin | None, **data: Any) -> None:
        self.events.append(Happening(kind, rule, data))

    # ── the whole game ───────────────────────────────────────────────────────────────────────

    def _play(self) -> Asking:
        program = self.program
        self._seat_roles()
        self.expressions.vars[program.setup_me.id] = 0
        self.expressions.vars[program.phase_me.id] = 0
        with suppress(GameEnds):
            with suppress(PhaseEnds):
                yield from self._run(program.setup)
            for phase in program.phases:
                self.phase = phase.names.name
                self.tell("phase", phase.origin, label="phase", value=self.phase, player=False)
                with suppress(PhaseEnds):
                    yield from self._run(phase.body)
        self._score()

    def _seat_roles(self) -> None:
        roles = self.program.roles
        if roles is None:
            return
        laid = [ring for ring in roles.rings if ring.low <= self.table.players <= ring.high]
        seats, at_random = roles.seats, roles.at_random
        lying = list(range(len(roles.names)))
        if laid:
            seats, at_random, lying = laid[0].seats, laid[0].at_random, list(laid[0].roles)
        first = chance.below(seats, *self._key("roles")) if at_random else 0
        self.table.ring = [None] * seats
        for place, role in enumerate(lying):
            self.table.ring[(first - place) % seats] = role
        self._tell_roles(None)

    def _tell_roles(self, rule: p.Origin | None) -> None:
        roles = tuple(self.table.role_of(player) for player in range(self.table.players))
        self.tell("role", rule, roles=roles)

    def _score(self) -> None:
        players = range(self.table.players)
        value_of = self.expressions.value_of
        lines = [
            tuple(value_of(line.expr, line.me, q) for line in self.program.scoring) for q in players
        ]
        self.points = [sum(line) for line in lines]
        winner = self.program.winner
        ranks = [
            [self.points[q] if k.expr is None else value_of(k.expr, k.me, q) for k in winner.keys]
            for q in players
        ]
        self.winners = [
            q for q in players if all(compare(ranks[q], r, winner.keys) <= 0 for r in ranks)
        ]
        if len(self.winners) > 1 and not winner.draw:
            raise RulesBroken("a tie")
        self.tell(
            "end", None, lines=tuple(lines), points=tuple(self.points), winners=tuple(self.winners)
        )

    # ── statements ───────────────────────────────────────────────────────────────────────────

    def _run(self, body: Sequence[p.Stmt]) -> Asking:
        for stmt in body:
            yield from self._carry_out(stmt)

    def _carry_out(self, stmt: p.Stmt) -> Asking:
        match stmt:
            case p.Choose():
                yield from self._choose(stmt)
            case p.AtOnce():
                yield from self._at_once(stmt)
            case p.Repeat() | p.Each() | p.Turn() | p.While() | p.GoRound():
                yield from self._loop(stmt)
            case p.If():
                yield from self._run(stmt.then if self.value(stmt.condition) else stmt.otherwise)
            case p.Do():
                action = self.program.actions[stmt.action]
                self.expressions.bind(action.params, [self.value(arg) for arg in stmt.args])
                yield from self._run(action.body)
            case p.Apply():
                key, me = self.value(stmt.key), self.value(stmt.me)
                for effect in self.program.families[stmt.family].effects:
                    if effect.key == key:
                        self.expressions.bind((effect.me,), [me])
                        yield from self._run(effect.body)
            case p.Moment():
                yield from self._moment(stmt)
            case p.End(what="phase"):
                raise PhaseEnds
            case p.End(what="game"):
                raise GameEnds
            case p.End():
                raise RunEnds(stmt.what, stmt.leave)
            case _:
                self._simple(stmt)

    def _moment(self, stmt: p.Moment) -> Asking:
        self.tell("moment", stmt.origin, name=stmt.name)
        hooks = [hook for hook in self.program.hooks if hook.moment == stmt.name]
        me = self.value(stmt.me)
        for hook in sorted(hooks, key=lambda hook: (hook.role is None, hook.role or 0)):
            actor = me if hook.role is None else self.table.holder_of(hook.role)
            if actor is not None:
                self.expressions.bind((hook.me,), [actor])
                if hook.when is None or self.value(hook.when):
                    yield from self._run(hook.body)

    def _simple(self, stmt: SIMPLE) -> None:
        match stmt:
            case p.Shuffle():
                self._shuffle(stmt)
            case p.MoveRandom():
                self._move_random(stmt)
            case p.Deal():
                self._deal(stmt)
            case p.Move():
                self._move_stmt(stmt)
            case p.MoveTokens():
                self._move_tokens(stmt)
            case p.SetMark():
                self._set_mark(stmt)
            case p.SetTrack():
                player = None if stmt.player is None else self.expressions.player(stmt.player)
                value = self.value(stmt.value)
                self.table.tracks[stmt.name, player] = value
                raw = getattr(value, "raw", value.face if isinstance(value, Card) else value)
                self.tell("track", stmt.origin, name=stmt.name, player=player, value=raw)
            case p.SetVar():
                self.expressions.vars[stmt.var.id] = self.value(stmt.value)
            case p.PassRoles():
                self.table.pass_roles(stmt.clockwise)
                self._tell_roles(stmt.origin)
            case p.Reveal():
                for place in self.expressions.spots(stmt.places):
                    faces = self.table.faces_at(place)
                    self.tell("reveal", stmt.origin, place=place, cards=faces)

    def _move_stmt(self, stmt: p.Move) -> None:
        moved = self.value(stmt.cards)
        if moved is None and not stmt.if_any:
            raise RulesBroken("no card to move")
        cards = moved if isinstance(moved, list) else [moved] if moved is not None else []
        target = self.expressions.spot(stmt.to)
        if isinstance(moved, list) and not one_place(self.expressions, stmt.cards):
            cards = [card for card in cards if card.place != target]
        self._move(cards, target, stmt.origin)
        if isinstance(stmt.cards, p.VarRef):  # the variable goes with its cards
            there = [Card(card.piece, target) for card in cards]
            single = not isinstance(moved, list)
            self.expressions.vars[stmt.cards.var.id] = (*there, None)[0] if single else there

    def _move(self, cards: Sequence[Card], target: int, rule: p.Origin) -> None:
        """Move cards one by one; an event for each."""
        spots = self.table.spots
        for card in cards:
            self.table.check(card)
            seen = spots[card.place].sees | spots[target].sees
            faces, source = (card.face,), card.place
            self.table.lay(card.piece, target)
            self.tell("move", rule, cards=faces, source=source, target=target, seen=seen)

    def _deal(self, stmt: p.Deal) -> None:
        source = self.expressions.spot(stmt.source)
        players = sorted(self.value(stmt.players))
        for _ in range(self.value(stmt.count)):
            for player in players:
                top = self.table.cards_at(source)[-1:]
                self._move(top, self.table.spot(stmt.place, player), stmt.origin)

    def _move_random(self, stmt: p.MoveRandom) -> None:
        source = self.expressions.spot(stmt.place)
        count = self.value(stmt.count)
        target = self.expressions.spot(stmt.to)
        cards = self.table.cards_at(source)
        faces = sorted(card.face for card in cards)
        picked = [faces[i] for i in self._order(faces, stmt.origin.path)][::-1][: max(0, count)]
        if self.table.spots[source].kind == "pile":
            cards.reverse()  # of equal cards the topmost
        for face in picked:
            (card, *_) = [card for card in cards if card.face == face]
            cards.remove(card)
            self._move([card], target, stmt.origin)

    def _order(self, faces: list[int], path: str) -> list[int]:
        """The order of cards that lie sorted by face, once they are shuffled."""
        key = chance.mix(*self._key(path))
        words = chance.item_words([self.program.older(self.table.text(f)) for f in sorted(faces)])
        return chance.shuffle_order(words, key)

    def _shuffle(self, stmt: p.Shuffle) -> None:
        place = self.expressions.spot(stmt.place)
        if isinstance(stmt.source, p.AllCards):
            spots = range(len(self.table.spots))
            lying = [card for spot in spots for card in self.table.cards_at(spot)]
            self._move([card for card in lying if card.place != place], place, stmt.origin)
            for piece in self.table.pieces:
                self.table.lay(piece, place)
        elif stmt.source is not None:
            self._move(self.value(stmt.source), place, stmt.origin)
        pieces = sorted(self.table.at[place], key=lambda piece: piece.face)
        order = self._order([piece.face for piece in pieces], stmt.origin.path)
        self.table.at[place] = [pieces[i] for i in order]
        self.tell("shuffle", stmt.origin, place=place, cards=self.table.faces_at(place))

    def _key(self, path: str) -> list[int]:
        """Path, where in the game this is, seed, and how often before just here."""
        words = [chance.text_word(self.program.older(path))]
        words.append(chance.text_word(self.program.older(self.phase)) if self.phase else 0)
        for label in self.program.labels:
            if label in self.coordinates:
                words += [chance.text_word(self.program.older(label)), self.coordinates[label]]
        self._shuffled[tuple(words)] += 1
        return [*words, *chance.seed_words(self.seed), self._shuffled[tuple(words)]]

    def _move_tokens(self, stmt: p.MoveTokens) -> None:
        table = self.table
        amount = self.value(stmt.amount)
        ends = []
        for end in (stmt.source, stmt.target):
            owner = None if end.player is None else self.expressions.player(end.player)
            ends.append((end.holder, owner))
        source, target = ((h, o) if h is not None else None for h, o in ends)
        there = room = p.ENDLESS
        if source is not None and not self._endless(source):
            there = table.tokens[source]
        if target is not None and table.limits[target[0]] < p.ENDLESS:
            room = table.limits[target[0]] - table.tokens[target]
        if amount < 0:
            raise RulesBroken("less than no tokens")
        if stmt.up_to:
            amount = min(amount, there, room)
        if amount > there or amount > room:
            raise RulesBroken("too few tokens, or too little room")
        if source is not None and not self._endless(source):
            table.tokens[source] -= amount
        if target is not None and not self._endless(target):
            table.tokens[target] += amount
        self.tell(
            "pay", stmt.origin, token=stmt.token, amount=amount, source=ends[0], target=ends[1]
        )

    def _endless(self, end: tuple[str, int | None]) -> bool:
        return bool(self.value(self.program.holders[end[0]].start) >= p.ENDLESS)

    def _set_mark(self, stmt: p.SetMark) -> None:
        players: list[int | None] = []
        if stmt.player is None:
            players = [None]
        elif stmt.player.type.kind is p.K.PLAYER:
            players = [self.expressions.player(stmt.player)]
        else:
            players = self.value(stmt.player)
        for player in players:
            (self.table.marks.add if stmt.on else self.table.marks.discard)((stmt.mark, player))
            self.tell("mark", stmt.origin, mark=stmt.mark, player=player, on=stmt.on)

    # ── loops ────────────────────────────────────────────────────────────────────────────────

    def _loop(self, stmt: LOOPS) -> Asking:
        outside = dict(self.coordinates)
        try:
            yield from self._runs(stmt)
        except RunEnds as end:
            if end.label != stmt.label or not end.leave:
                raise
        finally:
            self.coordinates = outside

    def _runs(self, stmt: LOOPS) -> Asking:
        match stmt:
            case p.Repeat():
                for number in range(1, self.value(stmt.count) + 1):
                    self.expressions.vars[stmt.var.id] = number
                    yield from self._one_run(stmt, number)
            case p.Each():
                for number, item in enumerate(self.value(stmt.source), start=1):
                    self.expressions.vars[stmt.var.id] = item
                    yield from self._one_run(stmt, number)
            case p.Turn():
                self.expressions.vars[stmt.var.id] = self.expressions.player(stmt.player)
                yield from self._one_run(stmt, 1)
            case p.While():
                most = self.value(stmt.limit)
                number = 0
                while self.value(stmt.condition):
                    number += 1
                    if number > most:
                        raise RulesBroken(f"more than {most} runs")
                    yield from self._one_run(stmt, number)
            case p.GoRound():
                yield from self._go_round(stmt)

    def _one_run(self, stmt: LOOPS, number: int) -> Asking:
        """One run of a loop's body, under its heading: the player, else the number of the run."""
        if stmt.label:
            player, value = False, number
            if not isinstance(stmt, p.While) and stmt.var.type.kind is p.K.PLAYER:
                player, value = True, self.expressions.vars[stmt.var.id]
            self.coordinates[stmt.label] = value + 1 if player else value
            self.tell("phase", stmt.origin, label=stmt.label, value=value, player=player)
        try:
            yield from self._run(stmt.body)
        except RunEnds as end:
            if end.label != stmt.label or end.leave:
                raise

    def _go_round(self, stmt: p.GoRound) -> Asking:
        players = self.value(stmt.players)
        after = None if stmt.after is None else self.value(stmt.after)
        at = players.index(after) + 1 if after in players else 0
        passed_by = runs = 0
        while passed_by < len(players) and not self.value(stmt.until):
            self.expressions.vars[stmt.var.id] = players[at % len(players)]
            at += 1
            if stmt.skipping is not None and self.value(stmt.skipping):
                passed_by += 1
                continue
            passed_by = 0
            runs += 1
            if runs > MOST_RUNS:
                raise RulesBroken("round and round for ever")
            yield from self._one_run(stmt, runs)

    # ── choices ──────────────────────────────────────────────────────────────────────────────

    def _choose(self, stmt: p.Choose) -> Asking:
        options = offered(self.expressions, stmt)
        if options is None:
            return
        player = self.expressions.player(stmt.chooser)
        taken = yield Question(player, stmt.origin.path, options.raw)
        self._tell_choice(stmt, player, options, taken, secret=False)
        yield from self._take(options, taken)

    def _tell_choice(
        self, stmt: p.Choose, player: int, options: Options, taken: Any, *, secret: bool
    ) -> None:
        self.tell(
            "choice", stmt.origin, player=player, choice=stmt.origin.path,
            options=tuple(options.raw), taken=taken, secret=secret,
        )  # fmt: skip

    def _take(self, options: Options, taken: Any) -> Asking:
        branch, picked = options.answer(taken)
        if branch.var is not None:
            self.expressions.vars[branch.var.id] = picked
            pick = branch.pick
            if isinstance(pick, p.PickCards) and one_place(self.expressions, pick.source):
                self.expressions.together.add(branch.var.id)
        yield from self._run(branch.body)

    def _at_once(self, stmt: p.AtOnce) -> Asking:
        answers: list[tuple[int, Options, Any]] = []
        choice = stmt.choice
        for me in self.value(stmt.players):
            self.expressions.vars[stmt.me.id] = me
            options = offered(self.expressions, choice)
            if options is not None:
                player = self.expressions.player(choice.chooser)
                taken = yield Question(player, choice.origin.path, options.raw)
                self._tell_choice(choice, player, options, taken, secret=True)
                answers.append((me, options, taken))
        shown = tuple((me, taken) for me, _, taken in answers)
        if shown:
            self.tell("reveal", choice.origin, choice=choice.origin.path, answers=shown)
        for me, options, taken in answers:
            self.expressions.vars[stmt.me.id] = me
            yield from self._take(options, taken)
