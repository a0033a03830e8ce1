"""Choices that have to be made when the places they pick from are surely empty: a warning.

The rules are followed with the most cards that can lie in each place: cards that may come are
counted, cards that may go are not. So where it comes out at none, there are none, or play never
comes there. What can't be followed (loops until something is so, effects, conditions) fills every
place it could fill; a condition that may end a loop ends the looking.
"""

from __future__ import annotations

from contextlib import suppress

from attrs import define, field

from dsl import program as p
from dsl.amounts import many
from dsl.checks.deck import Short, Table, Unknown, defaults, known_number, total_cards
from dsl.context import Context
from dsl.walk import bodies, walk

MANY = 1_000_000
MOST_STEPS = 5_000  # a game that takes more to follow is left alone
MOST_RUNS = 60
MOST_CALLS = 8  # actions in actions

Body = tuple[p.Stmt, ...]


@define(eq=False)
class Walk:
    """The rules followed with one number of players. `most`: cards in a place; of what players
    have, in that of whoever acts, or of any if nobody does. `anyone`: in that of any other player.
    `mine`: the variable that stands for who acts. `picked`: where a card that was chosen lies, how
    many are chosen at least and at most."""

    table: Table
    told: set[int]
    c: Context
    most: dict[str, int] = field(factory=dict)
    filled: dict[str, p.Span] = field(factory=dict)  # where cards came last
    anyone: dict[str, int] = field(factory=dict)
    picked: dict[int, tuple[p.PlaceRef | None, int, int]] = field(factory=dict)
    mine: set[int] = field(factory=set)
    ever: frozenset[str] = frozenset()  # places that cards ever come to; of others R0505 speaks
    ends: dict[tuple[int, ...], bool] = field(factory=dict)  # whether rules may end something
    fills: dict[tuple[object, ...], tuple[dict[str, p.Span], tuple[int, ...]]] = field(factory=dict)
    loops: list[tuple[p.Span, int]] = field(factory=list)
    calls: int = 0
    silent: bool = False
    maybe: int = 0  # ways of choices around, of which another may be taken
    decks: bool = False  # whether decks that run out are told, and nothing else

    @property
    def program(self) -> p.Program:
        return self.table.program

    # ── what lies where ──

    def add(self, place: p.PlaceRef, cards: int, span: p.Span) -> None:
        own = place.player is None or self.is_mine(place.player)
        self.most[place.place] = min(self.most.get(place.place, 0) + cards if own else MANY, MANY)
        if cards:
            self.filled[place.place] = span

    def remove(self, place: p.PlaceRef, cards: int) -> None:
        """Cards that surely go; those of a player are only followed where it is whoever acts."""
        there = self.most.get(place.place, 0)
        if there < MANY and (place.player is None or self.is_mine(place.player)):
            self.most[place.place] = max(there - cards, 0)

    def is_mine(self, player: p.Expr) -> bool:
        return isinstance(player, p.VarRef) and player.var.id in self.mine

    def fill(self, body: Body) -> None:
        """All that rules may do that can't be followed."""
        key = ("fill", *map(id, body))
        if key not in self.fills:
            given = tuple(node.var.id for node in walk(body) if isinstance(node, p.SetVar))
            self.fills[key] = (self.targets(body, set()), given)
        places, given = self.fills[key]
        for place, span in places.items():
            self.most[place] = MANY
            self.filled[place] = span
        for name in given:
            self.table.vars.pop(name, None)

    def targets(self, body: object, seen: set[str]) -> dict[str, p.Span]:
        """The places that some rules may put cards into."""
        found: dict[str, p.Span] = {}
        for node in walk(body):
            match node:
                case (
                    p.Move(to=place, origin=origin)
                    | p.MoveRandom(to=place, origin=origin)
                    | p.Shuffle(place=place, origin=origin)
                ):
                    found[place.place] = origin.span
                case p.Deal(place=name, origin=origin):
                    found[name] = origin.span
                case p.Do(action=name) if name not in seen:
                    seen.add(name)
                    found |= self.targets(self.program.actions[name].body, seen)
                case p.Apply() | p.Moment() if "" not in seen:
                    seen.add("")
                    found |= self.targets(self.effects(), seen)
        return found

    def effects(self) -> tuple[Body, ...]:
        program = self.program
        effects = [e.body for family in program.families.values() for e in family.effects]
        return (*effects, *(hook.body for hook in program.hooks))

    # ── following ──

    def play(self) -> None:
        """The whole game."""
        program, alone = self.program, self.table.players == 1
        self.acting({program.setup_me.id} if alone else set(), program.setup)
        for phase in program.phases:
            self.acting({program.phase_me.id} if alone else set(), phase.body)

    def run(self, body: Body) -> None:
        for statement in body:
            self.table.steps += 1
            if self.table.steps > MOST_STEPS:
                raise Unknown
            self.step(statement)

    def step(self, statement: p.Stmt) -> None:
        match statement:
            case p.Shuffle() | p.Deal() | p.Move() | p.MoveRandom():
                self.moves(statement)
            case p.Repeat(count=count, var=var, body=body):
                times = self.known(count)
                if times is None or times > MOST_RUNS:
                    self.unsure(body)
                    return
                self.loops.append((statement.origin.span, times))
                for turn in range(1, times + 1):
                    self.table.vars[var.id] = turn
                    self.run(body)
                self.loops.pop()
            case p.Each(source=source, var=var, body=body):
                self.each(source, var, body)
            case p.AtOnce(players=players, me=me, choice=choice):
                self.acting({me.id}, (), choice)
                self.silent, before = True, self.silent  # all choose before anything is moved
                self.each(players, me, (choice,))
                self.silent = before
            case p.If(then=then, otherwise=otherwise):
                self.unsure(then + otherwise)
            case p.Turn(body=body):
                self.acting(set(), body)
            case p.While(body=body) | p.GoRound(body=body):
                self.unsure(body)
            case p.Choose():
                self.choose(statement)
            case p.Do(action=name, args=args):
                self.do(self.program.actions[name], args)
            case p.Apply() | p.Moment():
                self.unsure((statement,))
            case p.SetVar(var=var, value=value):
                self.table.vars.pop(var.id, None)
                known = self.known(value)
                if known is not None:
                    self.table.vars[var.id] = known
            case p.End():
                raise Unknown

    def unsure(self, body: Body) -> None:
        """Rules that may be carried out or not, or several times."""
        key = tuple(map(id, body))
        if key not in self.ends:
            self.ends[key] = any(isinstance(node, p.End) for node in self.reached(body, set()))
        if self.ends[key]:
            raise Unknown
        self.fill(body)

    def reached(self, body: object, seen: set[str]) -> list[object]:
        """All parts of some rules, and of the actions and effects they may do."""
        found: list[object] = []
        for node in walk(body):
            found.append(node)
            if isinstance(node, p.Do) and node.action not in seen:
                seen.add(node.action)
                found += self.reached(self.program.actions[node.action].body, seen)
            elif isinstance(node, p.Apply | p.Moment) and "" not in seen:
                seen.add("")
                found += self.reached(self.effects(), seen)
        return found

    def acting(self, mine: set[int], body: Body, asked: p.Choose | None = None) -> None:
        before, self.mine = self.mine, mine
        if asked is not None and not asked.if_any:
            self.judge(asked)
        self.run(body)
        self.mine = before

    def each(self, source: p.Expr, var: p.Var, body: Body) -> None:
        """Once for each player: what is a player's own changes once for each of them, what all
        share changes with every one."""
        if not all_players(source):
            self.unsure(body)
            return
        places = self.program.places
        before = self.anyone
        own = {
            name: max(self.most.get(name, 0), before.get(name, 0))
            for name in places
            if places[name].per_player
        }
        after: dict[str, int] = {}
        for _ in range(self.table.players):
            for name, cards in own.items():
                self.most[name] = max(cards, MANY if self.most.get(name, 0) >= MANY else 0)
            self.anyone = {name: max(own[name], after.get(name, 0)) for name in own}
            self.acting({var.id}, body)
            for name in own:
                after[name] = max(after.get(name, 0), self.most[name])
        self.most |= after
        self.anyone = after if before else {}

    def do(self, action: p.Action, args: tuple[p.Expr, ...]) -> None:
        if self.calls > MOST_CALLS:
            self.unsure(action.body)
            return
        self.calls += 1
        for param, arg in zip(action.params, args, strict=False):
            self.table.vars.pop(param.id, None)
            known = self.known(arg)
            if known is not None:
                self.table.vars[param.id] = known
        acts = bool(args) and self.is_mine(args[0])
        self.acting({action.params[0].id} if acts else set(), action.body)
        self.calls -= 1

    def moves(self, statement: p.Shuffle | p.Deal | p.Move | p.MoveRandom) -> None:
        span = statement.origin.span
        match statement:
            case p.Shuffle(source=None):
                return
            case p.Shuffle(source=source, place=to):
                assert source is not None
                self.add(to, self.taken(source), span)
            case p.Deal(count=count, source=source, place=name, players=players):
                each = self.known(count)
                if each is None or not all_players(players):
                    self.fill((statement,))
                    return
                self.enough(source, each * self.table.players, statement.origin)
                self.most[name] = min(self.most.get(name, 0) + each, MANY)
                self.filled[name] = span
                self.remove(source, each * self.table.players)
            case p.MoveRandom(place=place, count=count, to=to):
                self.add(to, self.taken(p.Top(place, count, p.CARDS, place.span)), span)
            case p.Move(cards=cards, to=to):
                if isinstance(cards, p.Top) and not statement.if_any:
                    need = 1 if cards.count is None else self.known(cards.count)
                    self.enough(cards.place, need or 0, statement.origin)
                self.add(to, self.taken(cards), span)
                if isinstance(cards, p.VarRef) and cards.var.id in self.picked:
                    self.picked[cards.var.id] = (to, *self.picked[cards.var.id][1:])

    def enough(self, place: p.PlaceRef, need: int, origin: p.Origin) -> None:
        """Tell of a shared place that surely holds too few cards for what is taken from it."""
        have = self.most.get(place.place, 0)
        if not self.decks or self.maybe or place.player is not None or need <= have:
            return
        if place.place not in self.ever:
            return
        raise Short(origin, place.place, have, need)

    def taken(self, cards: p.Expr) -> int:
        """How many cards these are at most, which leave where they lie."""
        match cards:
            case p.AllCards():
                total = total_cards(self.table)
                return MANY if total is None else total
            case p.Top(place=place, count=None):
                self.remove(place, 1)
                return 1
            case p.Top(place=place, count=count):
                several = None if count is None else self.known(count)
                self.remove(place, several or 0)
                return MANY if several is None else several
            case p.CardsIn(places=(p.PlaceRef() as place,)):
                there = self.most.get(place.place, 0)
                self.remove(place, there)
                return there if place.player is None or self.is_mine(place.player) else MANY
            case p.VarRef(var=var) if var.id in self.picked:
                source, least, most = self.picked[var.id]
                if source is not None:
                    self.remove(source, least)
                return most
        return 1 if cards.type == p.CARD else MANY

    def known(self, expr: p.Expr) -> int | None:
        return known_number(expr, self.table)

    # ── choices ──

    def choose(self, choice: p.Choose) -> None:
        if not choice.if_any:
            self.judge(choice)
        start, after = dict(self.most), dict[str, int]()
        ways = choice.branches
        for way in ways:
            self.most = dict(start)
            if way.var is not None and isinstance(way.pick, p.PickCard | p.PickCards):
                places, low, high = sources(way.pick.source), 1, 1
                if isinstance(way.pick, p.PickCards):
                    low, high = self.known(way.pick.lo) or 0, self.known(way.pick.hi) or MANY
                self.picked[way.var.id] = (places[0] if len(places) == 1 else None, low, high)
            self.maybe += len(ways) > 1 or choice.if_any
            self.run(way.body)
            self.maybe -= len(ways) > 1 or choice.if_any
            for name, cards in self.most.items():
                after[name] = max(after.get(name, 0), cards)
        if choice.if_any:
            after = {k: max(after.get(k, 0), start.get(k, 0)) for k in after | start}
        self.most = after

    def judge(self, choice: p.Choose) -> None:
        found = [self.empty(way) for way in choice.branches]
        if self.silent or self.decks or None in found or id(choice) in self.told:
            return
        self.told.add(id(choice))
        names = list(dict.fromkeys(name for names in found for name in names or ()))
        which = " and ".join(f"`{name}`" for name in names)
        players = f"with {many(self.table.players, 'player')}, "
        related = [
            (self.filled[name], f"the last cards came to `{name}` here")
            for name in names
            if name in self.filled
        ]
        related += [
            (span, f"this is done {times} times") for span, times in self.loops if times > 1
        ]
        self.c.findings.warning(
            "R0509",
            f"{players}there is nothing to choose at `{choice.name}` at some time: "
            f"{which} {'is' if len(names) == 1 else 'are'} empty then",
            choice.origin.span,
            related=related,
            suggestion=f"put more cards there, choose less often, or `choose {choice.name} if any`",
        )

    def empty(self, way: p.Branch) -> list[str] | None:
        """The places a way picks from, if all of them are surely empty."""
        if not isinstance(way.pick, p.PickCard | p.PickOne):
            return None
        places = sources(way.pick.source)
        for place in places:
            own = place.player is None or self.is_mine(place.player)
            if not own or self.most.get(place.place, 0) or place.place not in self.ever:
                return None
        return [place.place for place in places] or None


def sources(expr: p.Expr) -> list[p.PlaceRef]:
    """The places a selection picks from; none if there are others than places told by name."""
    match expr:
        case p.Filter(source=source) | p.Sorted(source=source) | p.Best(source=source):
            return sources(source)
        case p.Plays(source=source) | p.Without(source=source):
            return sources(source)
        case p.CardsIn(places=places):
            named = [place for place in places if isinstance(place, p.PlaceRef)]
            return named if len(named) == len(places) else []
    return []


def all_players(expr: p.Expr) -> bool:
    match expr:
        case p.Players(after=False):
            return True
        case p.Sorted(source=source):
            return all_players(source)
    return False


def exhausted_choices(program: p.Program, c: Context) -> None:
    """With the fewest and the most players, each option as it usually is."""
    if not any(isinstance(node, p.Choose) for phase in program.phases for node in walk(phase.body)):
        return
    told: set[int] = set()
    for players in dict.fromkeys(program.players):
        look = Walk(Table(program, players, defaults(program, players)), told, c)
        look.ever = frozenset(look.targets(tuple(bodies(program)), set()))
        with suppress(Unknown):
            look.play()
