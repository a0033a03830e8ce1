"""What every ruleset must keep, whatever the game. Used by tests/test_contract.py and
benchmarks/soak.py.

`playthrough` plays one game at random and checks it all through: what is cheap at every decision,
what is not at some decisions picked at random (`closely`), and at the end that copies taken there
play on to the same end, and that the same choices told loudly make the same game. `Broken` says
what was not kept. Nothing here knows a game.
"""

from __future__ import annotations

import io
import json
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import islice
from operator import lt
from random import Random
from typing import Any

from attrs import frozen

from dsl import program as p
from interpreter import Game, State
from interpreter.events import KINDS, Event

MOST_DECISIONS = 20_000
"""More decisions than any sound game takes; a game that goes on longer counts as endless."""


class Broken(AssertionError):
    """Something that must hold in any game did not."""


def require(held: object, what: str) -> None:
    if not held:
        raise Broken(what)


# ── options of a game, flipped once ──────────────────────────────────────────────────────────


def default(decl: p.OptionDecl, players: int) -> int | bool | str:
    """An option's default value for a player count."""
    defaults = dict(decl.default)
    return defaults[players] if players in defaults else defaults[0]


def flips(decl: p.OptionDecl, players: int) -> list[int | bool | str]:
    """Other values of an option: the other flag, each other word, the ends of a range and endless;
    where a number has no range, its neighbours."""
    usual = default(decl, players)
    values: list[int | bool | str]
    if decl.kind == "flag":
        values = [not usual]
    elif decl.kind == "word":
        values = list(decl.words)
    elif decl.lo is None or decl.hi is None:
        near = [int(usual) - 1, int(usual) + 1] if usual != p.ENDLESS else []
        values = [value for value in near if value >= 0]
    else:
        values = [decl.lo, decl.hi]
    if decl.endless:
        values.append(p.ENDLESS)
    return [value for value in values if value != usual]


# ── a game, looked at from outside ───────────────────────────────────────────────────────────


class Kept:
    """What a game must keep at every decision, with all that can be worked out beforehand."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.deck = sorted(game.binding.deck)
        self.hands = [inst.index for inst in game.places if inst.kind == "hand"]
        self.orders = [_order(info.branches, info.nameless) for info in game.choices]
        holders = game.program.holders
        self.limits = game.binding.limit
        closed = {
            token
            for token in game.program.tokens
            if any(h.token == token and not h.per_player for h in holders.values())
            and not any(
                game.binding.start[key] == p.ENDLESS
                for key, h in holders.items()
                if h.token == token
            )
        }
        self.groups = {key: h.token for key, h in holders.items() if h.token in closed}
        self.totals = self._totals(game.binding.start.items())

    def _totals(self, counts: Iterable[tuple[str, int | tuple[int, ...]]]) -> dict[str, int]:
        """Tokens by kind, of those kinds that can't come from or go to nowhere."""
        totals: dict[str, int] = {}
        for key, count in counts:
            if key in self.groups:
                if isinstance(count, int) and self.game.program.holders[key].per_player:
                    count *= self.game.players
                number = count if isinstance(count, int) else sum(count)
                totals[self.groups[key]] = totals.get(self.groups[key], 0) + number
        return totals

    def check(self, state: State) -> None:
        """Cards, tokens, limits, options and the result of a State."""
        self.check_table(state)
        if state.is_over:
            self.check_end(state)
        else:
            self.check_options(state)

    def check_table(self, state: State) -> None:
        places = state.P
        require(sorted([face for place in places for face in place]) == self.deck, "cards are lost")
        for pid in self.hands:
            require(places[pid] == sorted(places[pid]), "a hand is not sorted")
        counts = self.game.token_counts(state)
        for key, count in counts:
            limit = self.limits[key]
            for number in (count,) if isinstance(count, int) else count:
                require(number >= 0, f"{key} is below 0")
                require(limit is None or number <= limit, f"{key} is above its limit")
        require(self._totals(counts) == self.totals, "tokens are lost or made")

    def check_options(self, state: State) -> None:
        """There are some; each is there once; they lie in canonical order."""
        moves = state.moves
        require(moves, "there are no options")
        require(state.player in range(self.game.players), "nobody is asked")
        order = self.orders[state.pc]
        keys = list(moves) if order is None else list(map(order, moves))
        require(all(map(lt, keys, islice(keys, 1, None))), f"options are out of order: {moves}")
        require(not state.won, "there are winners before the end")

    def check_end(self, state: State) -> None:
        """A game that is over has points for all, and winners among them; nothing is asked."""
        require(state.player is None and not state.moves, "the game is over and still asks")
        require(state.decision is None and state.rule is None, "the game is over and still asks")
        points, winners = state.points, state.winners
        require(len(points) == self.game.players, "not everyone has points")
        require(all(type(n) is int for n in points), "points are not numbers")
        require(winners and winners == sorted(set(winners)), "no winners, or not in order")
        require(set(winners) <= set(range(self.game.players)), "a winner does not play")
        rule = self.game.program.winner
        if rule.keys and rule.keys[0].expr is None:
            best = max(points) if rule.keys[0].largest else min(points)
            require(all(points[q] == best for q in winners), "a winner is not ahead")
        require(len(winners) == 1 or rule.draw, "a tie that is no draw")


def _order(branches: Sequence[Any], nameless: bool) -> Callable[[Any], Any] | None:
    """The sort key that a choice's options are in order of; None: they themselves."""
    keys = [_value_key(branch.kind) for branch in branches]
    if nameless:
        return keys[0]

    def key(raw: Any) -> Any:
        index, value = raw
        inner = keys[index]
        return index, value if inner is None or value is None else inner(value)

    return None if all(k is None for k in keys) else key


def _value_key(kind: str) -> Callable[[Any], Any] | None:
    if kind == "cards":  # fewer first
        return lambda cards: (len(cards), cards)
    if kind == "play":  # by shape, size, faces
        return lambda play: (play[0], play[2], play[1])
    return None


# ── events ───────────────────────────────────────────────────────────────────────────────────


class Told:
    """The table as the events alone tell it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        n, program = game.players, game.program
        self.places: list[list[int]] = [[] for _ in game.places]
        self.tokens: dict[tuple[str, int | None], int] = {}
        for key, holder in program.holders.items():
            for q in range(n) if holder.per_player else (None,):
                self.tokens[key, q] = game.binding.start[key]
        self.marked: set[tuple[str, int | None]] = set()
        self.tracked: dict[tuple[str, int | None], Any] = {}
        self.roles: tuple[int | None, ...] = ()
        self.end: dict[str, Any] | None = None
        self.choices: list[Any] = []

    def __call__(self, event: Event) -> None:
        require(event.kind in KINDS, f"an event of kind {event.kind}")
        require(self.end is None, "something happens after the end")
        getattr(self, "_" + event.kind, self._other)(**event.data)

    def _other(self, **_: Any) -> None: ...

    def _shuffle(self, place: int, cards: Sequence[int]) -> None:
        lay = self.places[place]
        if lay:
            require(sorted(lay) == sorted(cards), "a shuffle changes the cards")
        else:
            require(not any(self.places), "a shuffle makes cards")
        self.places[place] = list(cards)

    def _move(self, cards: Sequence[int], source: int, target: int, seen: int) -> None:
        sees = self.game.binding.sees
        require(not (sees[source] | sees[target]) & ~seen, "a move is not seen by those who see it")
        for face in cards:
            place = self.places[source]
            require(face in place, f"a move of {self.game.face_label(face)}, which is not there")
            if self.game.places[source].kind == "pile":
                del place[len(place) - 1 - place[::-1].index(face)]  # the topmost of its kind
            else:
                place.remove(face)
            self.places[target].append(face)

    def _pay(
        self, token: str, amount: int,
        source: tuple[str | None, int | None], target: tuple[str | None, int | None],
    ) -> None:  # fmt: skip
        require(amount >= 0, "less than nothing is paid")
        for (holder, player), sign in ((source, -1), (target, 1)):
            key = token if holder is None else holder
            if (key, player) in self.tokens and self.tokens[key, player] != p.ENDLESS:
                self.tokens[key, player] += sign * amount

    def _mark(self, mark: str, player: int | None, on: bool) -> None:
        (self.marked.add if on else self.marked.discard)((mark, player))

    def _track(self, name: str, player: int | None, value: Any) -> None:
        self.tracked[name, player] = value

    def _role(self, roles: Sequence[int | None]) -> None:
        self.roles = tuple(roles)

    def _choice(self, options: Sequence[Any], taken: Any, **_: Any) -> None:
        require(taken in options, "an option was taken that was not offered")
        self.choices.append(taken)

    def _end(self, **data: Any) -> None:
        self.end = data

    def compare(self, state: State) -> None:
        """That a State's table is the one that was told."""
        game = self.game
        for inst, told, lies in zip(game.places, self.places, state.P, strict=True):
            name = game.place_label(inst.index)
            require(Counter(told) == Counter(lies), f"events tell other cards in {name}")
            if inst.kind != "hand":
                require(told == lies, f"events tell another order in {name}")
        for key, count in game.token_counts(state):
            told_counts = [n for (k, _), n in self.tokens.items() if k == key]
            counts = [count] if isinstance(count, int) else list(count)
            require(told_counts == counts, f"events tell another number of {key}")
        for name, value in game.mark_values(state):
            found = {(name, None)} if value is True else {(name, q) for q in value or ()}
            told_marks = {(mark, q) for mark, q in self.marked if mark == name}
            require(told_marks == found, f"events tell other marks `{name}`")
        tracks = dict(game.track_values(state))
        for (name, player), value in self.tracked.items():
            held = tracks[name] if player is None else tracks[name][player]
            require(held == value, f"events tell another {name}")
        require(self.roles == tuple(getattr(state, "ring", ())[: game.players]), "other roles")
        require((self.end is not None) == state.is_over, "the end was not told")
        if self.end is not None:
            require(list(self.end["points"]) == state.points, "events tell other points")
            require([sum(line) for line in self.end["lines"]] == state.points, "lines don't add up")
            require(list(self.end["winners"]) == state.winners, "events tell other winners")


# ── a closer look at one State ───────────────────────────────────────────────────────────────


def closely(
    kept: Kept, state: State, rng: Random, copies: Sequence[State], viewers: Iterable[int]
) -> None:
    """Everything that must hold of a State at a decision, however dear to find out; of views, as
    these players have them."""
    before = text_of(state)
    check_labels(state)
    for copy in copies:
        check_same(copy, state)
    again = state.clone()
    state.game.ask_again(again)
    check_same(again, state)
    for player in viewers:
        check_view(kept, state, player, rng)
    require(text_of(state) == before, "looking at a State changes it")


def text_of(state: State) -> str:
    return json.dumps(state.to_json(), ensure_ascii=False, sort_keys=True)


def slots_of(state: State) -> str:
    """All that a State consists of, just as it lies there."""
    return repr([getattr(state, name) for name in state._slots])


def copies_of(state: State, *, wholly: bool = True) -> list[State]:
    """A State's clone, and itself taken through JSON text and through pickle (not `wholly`: its
    game is not pickled with it)."""
    read = state.game.from_json(json.loads(text_of(state)))
    pickled: State
    if wholly:
        pickled = pickle.loads(pickle.dumps(state))
    else:
        stream = io.BytesIO()
        _Pickler(stream, protocol=5).dump(state)
        pickled = _Unpickler(io.BytesIO(stream.getvalue()), state.game).load()
    return [state.clone(), read, pickled]


class _Pickler(pickle.Pickler):
    """Pickles States without their game, which is large and always the same."""

    def persistent_id(self, obj: object) -> str | None:
        return "game" if isinstance(obj, Game) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, game: Game) -> None:
        super().__init__(stream)
        self._game = game

    def persistent_load(self, pid: object) -> Game:
        return self._game


def check_same(copy: State, state: State) -> None:
    """A copy is equal to what it was made from in every respect."""
    require(copy is not state, "a copy is the State itself")
    require(copy == state, "a copy is not equal")
    require(hash(copy) == hash(state), "a copy's hash differs")
    require(text_of(copy) == text_of(state), "a copy's JSON differs")
    require(list(copy.moves) == list(state.moves), "a copy offers something else")
    require((copy.player, copy.rule) == (state.player, state.rule), "a copy asks something else")
    require(copy.position_key() == state.position_key(), "a copy's position differs")
    hash(state.position_key())


def check_labels(state: State) -> None:
    """Options can be told apart by their labels in every language, and by their values, which are
    JSON; the decision says what the State does."""
    decision = state.decision
    if decision is None:
        return
    options, game = decision.options, state.game
    require([option.raw for option in options] == list(state.moves), "options are not the moves")
    require((decision.player, decision.rule) == (state.player, state.rule), "another decision")
    texts = [json.dumps(option.value, sort_keys=True) for option in options]
    require(len(set(texts)) == len(texts), f"options with the same value at {decision.path}")
    require(all(option.ways >= 1 for option in options), "an option that there is no way to take")
    for lang in ("en", "ja"):
        labels = [game.option_label(decision.path, raw, lang) for raw in state.moves]
        require(all(labels), f"an option without a label at {decision.path}")
        twice = [label for label, count in Counter(labels).items() if count > 1]
        require(not twice, f"options with the same label at {decision.path} ({lang}): {twice}")


def check_view(kept: Kept, state: State, player: int, rng: Random) -> None:
    """What a player sees is the same in any State that the player may be in, and a copy dealt for
    the player depends on nothing but what the player sees."""
    name = f"P{player + 1}"
    view = state.view(player)
    hash(view)
    check_sight(state, player)
    copy = state.determinize(player, rng)
    kept.check(copy)
    check_facts(copy, rng.randrange(kept.game.players))
    again = copy.clone()
    state.game.ask_again(again)
    require(list(again.moves) == list(copy.moves), "a copy offers what its cards do not allow")
    require(copy.seed != state.seed, "a determinized copy has the game's own seed")
    require(copy.view(player) == view, f"swapping cards that {name} can't see changes its view")
    number = rng.getrandbits(32)
    one, other = (s.determinize(player, Random(number)) for s in (state, copy))
    require(one.P == other.P, f"a deal for {name} depends on cards {name} can't see")
    require(
        (one.seed, list(one.moves), one.pend) == (other.seed, list(other.moves), other.pend),
        f"a copy for {name} depends on cards {name} can't see",
    )


def check_sight(state: State, player: int) -> None:
    """A view shows the cards of the places its player sees, and the sizes of all."""
    view, sees = state.view(player), state.game.binding.sees
    for seen, cards in zip(view.places, state.P, strict=True):
        shown = tuple(cards) if sees[seen.place] >> player & 1 else None
        require((seen.size, seen.cards) == (len(cards), shown), "a view shows a place wrongly")
    require(view.options == (tuple(state.moves) if state.player == player else ()), "options seen")
    hidden = {place for place, mask in enumerate(sees) if not mask >> player & 1}
    require(all(hidden & set(places) for _, places in view.known), "a fact about no hidden place")
    check_facts(state, player)


def check_facts(state: State, player: int) -> None:
    """What a player knows of hidden cards is true, each fact of a card of its own."""
    taken: dict[tuple[int, int], int] = {}
    facts = state.view(player).known
    lying: dict[int, list[tuple[int, int]]] = {}
    for place, cards in enumerate(state.P):
        for index, face in enumerate(cards):
            lying.setdefault(face, []).append((place, index))

    def find(fact: int, tried: set[tuple[int, int]]) -> bool:
        face, places = facts[fact]
        for spot in lying.get(face, ()):
            if spot[0] in places and spot not in tried:
                tried.add(spot)
                if spot not in taken or find(taken[spot], tried):
                    taken[spot] = fact
                    return True
        return False

    for fact in range(len(facts)):
        require(find(fact, set()), f"P{player + 1} knows something false")


# ── whole games ──────────────────────────────────────────────────────────────────────────────


@frozen(eq=False)
class Look:
    """A State on the way, after so many choices: a clone, and the text of its slots."""

    state: State
    slots: str
    after: int


def playthrough(
    game: Game, seed: int, *, looks: int = 1, thorough: bool = True, kept: Kept | None = None
) -> int:
    """Play one game at random with the contract on; how many decisions it took.

    `looks` of its decisions are looked at closely. Not `thorough`: by one player, only one copy
    plays on from there, States are pickled without their game, and events are compared at the end
    only. Raises Broken, or RulesError where a rule can't be carried out; a note says in which game.
    """
    kept = kept or Kept(game)
    choices: list[Any] = []
    try:
        _playthrough(kept, Random(seed), seed, looks, thorough, choices)
    except Exception as error:
        error.add_note(f"{described(game, seed)}, after {len(choices)} choices")
        raise
    return len(choices)


def _playthrough(
    kept: Kept, rng: Random, seed: int, looks: int, thorough: bool, choices: list[Any]
) -> None:
    taken: list[Look] = []
    state = kept.game.start(seed)
    while True:
        kept.check(state)
        if state.is_over:
            break
        at = len(choices) if len(choices) < looks else rng.randrange(len(choices) + 1)
        if at < looks:  # so that every decision is as likely to be among them
            taken[at : at + 1] = [Look(state.clone(), slots_of(state), len(choices))]
        raw = rng.choice(state.moves)
        choices.append(raw)
        state.apply(raw)
        require(len(choices) < MOST_DECISIONS, "the game does not end")
    replay(kept, seed, choices, state, thorough=thorough)
    for look in taken:
        require(slots_of(look.state) == look.slots, "playing on changes a clone")
        text = text_of(look.state)
        copies = copies_of(look.state, wholly=thorough)
        everyone = range(kept.game.players)
        closely(kept, look.state, rng, copies, everyone if thorough else [rng.choice(everyone)])
        for copy in copies if thorough else [copies[seed % 3]]:
            for raw in choices[look.after :]:
                copy.apply(raw)
            require(copy == state, "a copy does not play on as the game did")
        require(text_of(look.state) == text, "a clone's game changes what it was made from")
        imagined(kept, look.state, rng)


def replay(kept: Kept, seed: int, choices: Sequence[Any], end: State, *, thorough: bool) -> None:
    """The same seed and choices, told loudly, make the same game; the events tell all of it."""
    told = Told(kept.game)
    state = kept.game.start(seed, told)
    for raw in choices:
        if thorough:
            told.compare(state)
        state.apply(raw, told)
    told.compare(state)
    require(state == end and hash(state) == hash(end), "a game told loudly is another game")
    require(told.choices == list(choices), "events tell other choices")


def imagined(kept: Kept, state: State, rng: Random) -> None:
    """A copy dealt for a player is a game like any other: it can be played to its end."""
    copy = state.determinize(rng.randrange(kept.game.players), rng)
    for _ in range(MOST_DECISIONS):
        kept.check(copy)
        if copy.is_over:
            return
        copy.apply(rng.choice(copy.moves))
    raise Broken("a determinized copy does not end")


def described(game: Game, seed: int) -> str:
    """A game in words: ruleset, players, options that are not at their default, seed."""
    options = "".join(
        f", {name} {value}"
        for name, value in game.options.items()
        if value != default(game.program.options[name], game.players)
    )
    return f"{game.program.title.name}, {game.players} players{options}, seed {seed}"


# ── no foresight ─────────────────────────────────────────────────────────────────────────────


class Foresight:
    """How well copies dealt for a player agree with the hidden cards as they really lie.

    A copy's agreement: for each hidden card in a place with an order, 1 if the copy has the same
    card there; for each hidden hand, the number of pairs of equal cards, one of the hand as it is
    and one of the copy's. Each is a sum over the copy's cards, so if all deals are equally likely
    its mean is known exactly.
    """

    def __init__(self, state: State, player: int) -> None:
        self.state, self.player = state, player
        binding = state.game.binding
        self.hidden = [i for i, sees in enumerate(binding.sees) if not sees >> player & 1]
        self.bags = {i for i in self.hidden if binding.places[i].kind == "hand"}

    @cached_property
    def pool(self) -> Counter[int]:
        """All cards that the player does not see."""
        return Counter(face for i in self.hidden for face in self.state.P[i])

    @property
    def expected(self) -> float:
        """The mean agreement of deals that know nothing."""
        total = self.pool.total()
        mean = 0.0
        for i in self.hidden:
            cards = self.state.P[i]
            weight = len(cards) if i in self.bags else 1
            mean += weight * sum(self.pool[face] / total for face in cards)
        return mean

    def agreement(self, copy: State) -> int:
        """How far a copy's hidden cards agree with the true ones."""
        found = 0
        for i in self.hidden:
            mine, true = copy.P[i], self.state.P[i]
            if i in self.bags:
                counts = Counter(true)
                found += sum(counts[face] for face in mine)
            else:
                found += sum(a == b for a, b in zip(mine, true, strict=True))
        return found

    def bias(
        self, number: int, rng: Random, deal: Callable[[State, int, Random], State] | None = None
    ) -> float:
        """How many standard errors the mean agreement of so many copies is from that of deals that
        know nothing. For players who know no hidden card. `deal` makes a copy; if none is given,
        the State does."""
        deal = deal or type(self.state).determinize
        found = [self.agreement(deal(self.state, self.player, rng)) for _ in range(number)]
        mean = sum(found) / number
        spread = sum((x - mean) ** 2 for x in found) / (number - 1)
        if spread == 0:
            return 0.0 if mean == self.expected else float("inf")
        return float((mean - self.expected) / (spread / number) ** 0.5)
