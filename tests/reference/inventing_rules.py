"""Invents the statements of Programs, and whole Programs: see `inventing`."""

from __future__ import annotations

from random import Random

from dsl import program as p
from tests.reference.box import (
    SUIT,
    binary,
    box,
    cards_in,
    everyone,
    made,
    names,
    number,
    origin,
    place,
    ref,
    span,
    var,
)
from tests.reference.inventing import OWN, Expressions

Body = tuple[p.Stmt, ...]
LABELS = ("round", "turn", "trick", "bout")
LAPS = p.TrackRef("laps", None, p.NUMBER, span())
LAPS_LEFT = binary("<", LAPS, number(25))


class Rules(Expressions):
    """Random statements. block: the head of their paths."""

    def __init__(self, rng: Random, depth: int) -> None:
        super().__init__(rng)
        self.depth = depth
        self.block = "setup"
        self.choices = 0
        self.actions: dict[str, p.Action] = {}
        self.labels: list[str] = []
        self.open: list[str] = []  # labels of the loops around
        self.asks = True
        self.calls = ["do", "apply", "moment"]  # what may be called: nothing calls itself
        self.budget = 0

    def here(self, tail: str = "") -> p.Origin:
        return origin(f"{self.block}/{tail}" if tail else self.block)

    def body(self, depth: int, *more: p.Var) -> Body:
        """A few statements, with more variables in scope."""
        scope = list(self.scope)
        self.scope += more
        found: list[p.Stmt] = []
        for _ in range(self.rng.choice((1, 1, 2, 2, 3))):
            if self.budget > 0:
                self.budget -= 1
                found.append(self.statement(depth))
        self.scope = scope
        return tuple(found)

    def statement(self, depth: int) -> p.Stmt:
        kinds = ["simple"] * 5
        if self.asks:
            kinds += ["choose"] * 3
        if depth > 0:
            kinds += ["if", "loop", "loop", *self.calls]
            if self.asks:
                kinds += ["at_once"]
        match self.rng.choice(kinds):
            case "choose":
                return self.choose(depth)
            case "at_once":
                each = var("me", p.PLAYER)
                players = self.expr(p.PLAYERS, 1)
                self.scope.append(each)
                choice = self.choose(depth, chooser=ref(each))
                self.scope.remove(each)
                return p.AtOnce(players, each, choice, self.here())
            case "if":
                otherwise = self.body(depth - 1) if self.chance(0.4) else ()
                return p.If(
                    self.expr(p.TRUTH, self.depth), self.body(depth - 1) + self.ending(),
                    otherwise, self.here(),
                )  # fmt: skip
            case "loop":
                return self.loop(depth)
            case "do" if self.actions:
                key = self.rng.choice(list(self.actions))
                params = self.actions[key].params
                return p.Do(key, tuple(self.expr(v.type, 1) for v in params), self.here())
            case "apply":
                me = self.expr(p.PLAYER, 1)
                if self.chance(0.5):
                    return p.Apply("power", self.expr(SUIT, self.depth), me, self.here())
                return p.Apply("gift", self._role(1), me, self.here())
            case "moment":
                name = self.rng.choice(("dawn", "dusk"))
                return p.Moment(name, self.expr(p.PLAYER, 1), self.here())
        return self.simple()

    def ending(self) -> Body:
        """Now and then, the end of something around."""
        if not self.chance(0.25):
            return ()
        what = self.rng.choice([*self.open, *self.open, *self.open, "phase", "game"])
        leave = what in self.open and self.chance(0.4)
        return (p.End(what, self.here(), leave),)

    # ── statements without parts ─────────────────────────────────────────────────────────────

    def simple(self) -> p.Stmt:
        depth = self.depth
        match self.rng.randrange(14):
            case 0:
                target = place(self.rng.choice(("deck", "heap")))
                source = self.expr(p.CARDS, depth) if self.chance(0.7) else None
                return p.Shuffle(source, target, self.here(f"shuffle {target.place}"))
            case 1:
                players = everyone() if self.chance(0.6) else self.expr(p.PLAYERS, depth)
                pile = self.place(1, ordered=True)
                target_name = self.rng.choice(OWN)
                return p.Deal(self.small(1, 2), pile, target_name, players, self.here())
            case 13:
                pile, to = self.place(1), self.place(1)
                if pile.place == to.place:  # which of equal cards lies where is not told apart
                    to = place("heap" if pile.place != "heap" else "deck")
                here = self.here(f"random card from {pile.place}")
                return p.MoveRandom(pile, self.small(0, 3), to, here)
            case 2 | 3 | 4:
                return p.Move(self.expr(p.CARD, depth), self.place(2), True, self.here())
            case 5 | 6:
                return p.Move(self.expr(p.CARDS, depth), self.place(2), False, self.here())
            case 7 | 8:
                return self.move_tokens()
            case 9:
                if self.chance(0.3):
                    return p.SetMark("open", None, self.chance(0.5), self.here())
                kind = self.rng.choice((p.PLAYER, p.PLAYERS))
                return p.SetMark("out", self.expr(kind, 2), self.chance(0.5), self.here())
            case 10:
                return self.set_track()
            case 11:
                return self.rng.choice((
                    p.PassRoles(self.chance(0.5), self.here()),
                    p.Reveal(self.places(2), self.here()),
                ))  # fmt: skip
            case _:
                return self.set_var()

    def move_tokens(self) -> p.Stmt:
        if self.chance(0.2):
            ends = [p.TokenEnd(None, None), p.TokenEnd("vp", self.expr(p.PLAYER, 1))]
            self.rng.shuffle(ends)
            return p.MoveTokens(
                "vp", self.small(self.depth), ends[0], ends[1], ends[1].holder is None, self.here()
            )
        ends = [
            p.TokenEnd("coin", self.expr(p.PLAYER, 1)),
            self.rng.choice((
                p.TokenEnd("coin", self.expr(p.PLAYER, 1)), p.TokenEnd("bank", None),
                p.TokenEnd("mint", None),
            )),
        ]  # fmt: skip
        self.rng.shuffle(ends)
        careful = self.chance(0.92)
        return p.MoveTokens("coin", self.small(self.depth), ends[0], ends[1], careful, self.here())

    def set_track(self) -> p.Stmt:
        name = self.rng.choice(("tally", "round_no", "taker", "friend", "best", "trump", "done"))
        match name:
            case "tally" | "round_no":
                value = self.small(2, 20)
            case "taker" | "friend":
                value = self.maybe_player(2)
            case "best":
                value = self.expr(p.PLAY, 2)
            case "trump":
                value = self.expr(SUIT, 2)
            case _:
                value = self.expr(p.TRUTH, 2)
        player = self.expr(p.PLAYER, 1) if name in ("tally", "friend") else None
        return p.SetTrack(name, player, value, self.here())

    def set_var(self) -> p.Stmt:
        kind = self.rng.choice((p.NUMBER, p.PLAYER, p.CARD, p.TRUTH, SUIT))
        again = [v for v in self.scope if v.type == kind and v.name == "local"]
        value = self.expr(kind, self.depth)
        if again and self.chance(0.5):
            return p.SetVar(self.rng.choice(again), value, self.here())
        local = var("local", kind)
        self.scope.append(local)
        return p.SetVar(local, value, self.here())

    # ── loops ────────────────────────────────────────────────────────────────────────────────

    def loop(self, depth: int) -> p.Stmt:
        kind = self.rng.choice(("repeat", "cards", "players", "suits", "turn", "while", "round"))
        free = [label for label in LABELS if label not in self.open]
        label = self.rng.choice(free) if free and self.chance(0.7) else ""
        if label and label not in self.labels:
            self.labels.append(label)
        return self._loop(kind, label, depth)

    def inside(self, label: str, depth: int, *more: p.Var) -> Body:
        outside = self.open
        self.open = [*outside, label] if label else outside
        made = self.body(depth - 1, *more) + self.ending()
        self.open = outside
        return made

    def _loop(self, kind: str, label: str, depth: int) -> p.Stmt:
        here = self.here()
        count, me = var("count", p.NUMBER), var("me", p.PLAYER)
        match kind:
            case "repeat":
                most = self.small(1, 3)
                return p.Repeat(most, count, label, self.inside(label, depth, count), here)
            case "cards" | "players" | "suits":
                types = {"cards": p.CARDS, "players": p.PLAYERS, "suits": p.Type(p.K.ENUMS, "suit")}
                source = self.expr(types[kind], self.depth)
                if kind == "cards":
                    source = p.Top(place("heap"), number(3), p.CARDS, span())
                item = self.element(source)
                return p.Each(source, item, label, self.inside(label, depth, item), here)
            case "turn":
                player = self.expr(p.PLAYER, 2)
                return p.Turn(player, me, label, self.inside(label, depth, me), here)
            case "while":
                condition = binary("and", LAPS_LEFT, self.expr(p.TRUTH, self.depth))
                body = (*self.lap(), *self.inside(label, depth))
                return p.While(condition, number(30), label, body, here)
        players = self.expr(p.PLAYERS, 2)
        after = self.maybe_player(1) if self.chance(0.4) else None
        over = p.Unary("not", LAPS_LEFT, p.TRUTH, span())
        until = binary("or", over, self.expr(p.TRUTH, 2)) if self.chance(0.7) else over
        skipping = self.within(me, p.TRUTH, 2) if self.chance(0.5) else None
        body = (*self.lap(), *self.inside(label, depth, me))
        return p.GoRound(players, after, me, skipping, until, label, body, here)

    def lap(self) -> Body:
        """What every endless loop does first: it counts, and draws."""
        top = p.Top(place("deck"), None, p.CARD, span())
        return (
            p.SetTrack("laps", None, binary("+", LAPS, number(1)), self.here()),
            p.Move(top, self.place(1), True, self.here()),
        )

    # ── choices ──────────────────────────────────────────────────────────────────────────────

    def choose(self, depth: int, chooser: p.Expr | None = None) -> p.Choose:
        self.choices += 1
        name = f"choice{self.choices}"
        here = self.here(name)
        chooser = chooser or self.expr(p.PLAYER, 1)
        if_any = self.chance(0.9)
        if self.chance(0.5):
            branch = self.branch("", depth, name, pick=True)
            return p.Choose(name, chooser, if_any, (branch,), here)
        branches = [
            self.branch(f"way{i}", depth, name, pick=self.chance(0.7))
            for i in range(self.rng.choice((1, 2, 2, 3)))
        ]
        return p.Choose(name, chooser, if_any, tuple(branches), here)

    def branch(self, name: str, depth: int, choice: str, *, pick: bool) -> p.Branch:
        when = self.expr(p.TRUTH, 2) if self.chance(0.3) else None
        otherwise = bool(name) and self.chance(0.2)
        picked = self.picking() if pick else None
        variable = var("it", picked.type) if picked is not None else None
        outside, self.block = self.block, f"{self.block}/{choice}" + (f"/{name}" if name else "")
        here = self.here()
        body = self.body(depth - 1, *([variable] if variable is not None else []))
        if variable is not None and self.chance(0.7):
            body = (self.use(variable), *body)
        self.block = outside
        return p.Branch(name, picked, variable, when, otherwise, body, here)

    def picking(self) -> p.Pick:
        match self.rng.randrange(7):
            case 0 | 1:
                return p.PickCard(self.expr(p.CARDS, self.depth))
            case 2:
                low = self.rng.randint(0, 2)
                few = p.Top(self.place(1, ordered=True), number(5), p.CARDS, span())
                source = few if self.chance(0.6) else self._filtered(few, 2)
                if self.chance(0.3):
                    source = cards_in(place("heap"), place("hand", self.expr(p.PLAYER, 1)))
                return p.PickCards(source, number(low), number(low + self.rng.randint(0, 1)))
            case 3:
                return p.PickOne(self.expr(p.PLAYERS, self.depth), p.PLAYER)
            case 4:
                return p.PickOne(self.expr(p.Type(p.K.ENUMS, "suit"), self.depth), SUIT)
            case 5:
                return p.PickOne(self.plays(2), p.PLAY)
            case _:
                return p.PickNumber(self.small(1, 2), self.small(1, 5))

    def use(self, it: p.Var) -> p.Stmt:
        """Something that shows what was picked."""
        match it.type.kind:
            case p.K.CARD | p.K.CARDS:
                return p.Move(ref(it), self.place(2), False, self.here())
            case p.K.PLAYER:
                return p.SetTrack("taker", None, ref(it), self.here())
            case p.K.ENUM:
                return p.SetTrack("trump", None, ref(it), self.here())
            case p.K.PLAY if self.chance(0.5):
                cards = p.PlayPart("cards", ref(it), p.CARDS, span())
                return p.Move(cards, self.place(2), False, self.here())
            case p.K.PLAY:
                return p.SetTrack("best", None, ref(it), self.here())
            case _:
                return p.SetTrack("round_no", None, ref(it), self.here())

    # ── routines ─────────────────────────────────────────────────────────────────────────────

    def routine(self, block: str, depth: int, params: tuple[p.Var, ...]) -> Body:
        self.block, self.scope, self.open = block, list(params), []
        self.budget = 6
        return self.body(depth)

    def action(self, key: str, depth: int) -> p.Action:
        kinds = self.rng.sample((p.NUMBER, p.PLAYER, p.CARD, p.PLAY), self.rng.choice((0, 1, 2)))
        params = (var("me", p.PLAYER), *(var("param", kind) for kind in kinds))
        self.asks = self.chance(0.5)
        body = self.routine(f"action {key}", depth, params)
        self.asks = True
        return p.Action(names(key), params, body, origin(f"action {key}"))

    def effect(self, family: str, key: int) -> p.Effect:
        me = var("me", p.PLAYER)
        self.asks = self.chance(0.4)
        body = self.routine(f"{family} {key}", 1, (me,))
        self.asks = True
        return p.Effect(family, key, names(str(key)), me, body, origin(f"{family} {key}"))

    def hook(self, moment: str, role: int | None) -> p.Hook:
        me = var("me", p.PLAYER)
        self.asks = self.chance(0.4)
        body = self.routine(f"role {role} at {moment}", 1, (me,))
        self.asks = True
        when = self.expr(p.TRUTH, 2) if self.chance(0.4) else None
        return p.Hook(moment, role, me, when, body, origin(f"role {role} at {moment}"))


def invented(seed: int, size: int) -> p.Program:
    """A random Program. size: how much of everything, from 1."""
    rng = Random(seed)
    rules = Rules(rng, depth=1 + min(size, 3))
    me = [var("me", p.PLAYER) for _ in range(3)]
    for i in range(rng.randint(0, 2 * size)):
        rules.values[f"value{i}"] = rules.value(f"value{i}", 2)
    rules.calls = []
    effects = {
        family: p.Family(family, kind, tuple(rules.effect(family, key) for key in keys))
        for family, kind, keys in (("power", SUIT, (0, 2)), ("gift", p.ROLE, (1,)))
    }
    rules.calls = ["apply"]
    hooks = tuple(
        rules.hook(rng.choice(("dawn", "dusk")), rng.choice((0, 1, 2, None)))
        for _ in range(rng.randint(0, 2))
    )
    rules.calls = ["do", "apply", "moment"]
    rules.depth = 2
    for i in range(rng.randint(0, size)):
        rules.actions[f"action{i}"] = rules.action(f"action{i}", 1)
    rules.depth = 1 + min(size, 3)
    shuffle = p.Shuffle(p.AllCards(p.CARDS, span()), place("deck"), origin("setup/shuffle deck"))
    deal = p.Deal(number(4), place("deck"), "hand", everyone(), origin("setup"))
    spread = p.Deal(number(1), place("deck"), "row", everyone(), origin("setup"))
    top = p.Top(place("deck"), None, p.CARD, span())
    first = p.Move(top, place("heap"), False, origin("setup"))
    heap = p.Repeat(number(3), var("count", p.NUMBER), "", (first,), origin("setup"))
    rules.asks = False
    setup = (shuffle, deal, spread, heap, *rules.routine("setup", 1, (me[0],)))
    rules.asks = True
    phases = []
    for name in ("dance", "feast")[: rng.randint(1, 2)]:
        rules.budget = 4 + 4 * size
        rules.block, rules.scope, rules.open = f"phase {name}", [me[1]], []
        body = tuple(s for _ in range(size + 1) for s in rules.body(size))
        phases.append(p.Phase(names(name), body, origin(f"phase {name}")))
    rules.scope, rules.block = [], "scoring"
    lines = tuple(
        p.ScoringLine(names(f"line{i}"), me[2], rules.within(me[2], p.NUMBER, 2), origin("scoring"))
        for i in range(rng.randint(1, 2))
    )
    winner_me = var("me", p.PLAYER)
    keys = (
        p.WinnerKey(winner_me, None, True, origin("winner")),
        p.WinnerKey(winner_me, rules.within(winner_me, p.NUMBER, 2), False, origin("winner")),
    )
    return made(
        box(
            setup=setup, setup_me=me[0], phases=tuple(phases), phase_me=me[1],
            values=rules.values, actions=rules.actions, families=effects, hooks=hooks,
            scoring=lines, winner=p.Winner(keys, True, origin("winner")),
            labels={label: names(label) for label in rules.labels},
        )
    )  # fmt: skip
