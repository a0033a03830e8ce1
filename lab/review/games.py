"""Two rulesets played side by side with the same seeds, until what happens differs.

Used by `report`. Both sides are played loudly, and their events compared as they are, without
making text; where the two name their cards, places and options alike (`_alike`) the numbers
inside events are compared, else the records made of them. From the first difference on both sides
are played silently to their ends, for the results.

What counts as the same: all that a trace in text tells but the clauses it cites. Which options
were offered beside the one taken does not count, nor that other cards lie in a shuffled pile, as
long as those that are on both sides lie in the same order.

Games are independent: `compare` spreads them over processes, in any way, with the same result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dsl import program as p
from dsl.diagnostics import RulesError
from interpreter import compile_game
from interpreter.events import Event
from interpreter.trace import text
from interpreter.trace.records import Record, Recorder, player_name
from lab import bots, pool

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State

RECENT = 12  # rules that spoke last before a difference
AT_ONCE = 25  # games a process plays before it reports
FEWEST_TO_SPREAD = 60  # fewer games than this are played in one process


@frozen
class Happening:
    """What happened on one side where the two differ first.

    `kind`: the event's. `text`: its line in the trace. For a choice, `offers` are all options'
    labels, and `taken` is one of them. `cards`: the names of cards it shows.
    """

    kind: str
    text: str
    path: str
    span: p.Span | None
    tags: tuple[str, ...]
    player: str = ""
    choice: str = ""
    taken: str = ""
    offers: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()


@frozen
class First:
    """The first difference of a game. `where`: headings; `events`: how many there were before;
    `after`: the last choice before it, as its line; `recent`: rules that spoke last, latest first.
    None on a side: the game is over there, or was broken off (`Outcome.failed`)."""

    where: tuple[str, ...]
    events: int
    after: str
    left: Happening | None
    right: Happening | None
    recent: tuple[tuple[str, p.Span], ...]


@frozen
class Outcome:
    """One seed played on both sides. `box`: cards were shuffled that only one side has.
    `failed`: by side, what the engine said where it could not go on."""

    players: int
    seed: int
    first: First | None
    box: bool
    points: tuple[tuple[int, ...], tuple[int, ...]]
    winners: tuple[tuple[int, ...], tuple[int, ...]]
    decisions: tuple[int, int]
    failed: tuple[str, str] = ("", "")

    @property
    def same(self) -> bool:
        return self.first is None


# ── one side ─────────────────────────────────────────────────────────────────────────────────


class _Play:
    """One game being played by bots, as a stream of events."""

    def __init__(self, game: Game, seed: int, names: Sequence[str]) -> None:
        self.game = game
        self.failed = ""
        self.decisions = 0
        self._seed = seed
        self._bots = [bots.make(name, seed, game) for name in names]
        self._tell = bots.Witnesses(self._bots).tell
        self._waiting: deque[Event] = deque()
        self._state: State | None = None
        self.last_choice: Event | None = None

    def next(self) -> Event | None:
        """The next event; None when the game is over or can't go on."""
        while not self._waiting:
            # a step that can't be carried out may have told what it did before
            if not self._step(self._waiting.append) and not self._waiting:
                return None
        event = self._waiting.popleft()
        if event.kind == "choice":
            self.last_choice = event
        return event

    def finish(self) -> None:
        """Play on to the end; nobody listens."""
        while self._step(None):
            pass

    def _step(self, listen: Callable[[Event], None] | None) -> bool:
        if self.failed:
            return False
        try:
            state = self._state
            if state is None:
                self._state = self.game.start(self._seed, listen)
                return True
            if state.player is None:
                return False
            raw = self._bots[state.player].choose(state)
            self._tell(state, raw)
            state.apply(raw, listen)
            self.decisions += 1
            bots.check_length(state, self.decisions)
            return True
        except RulesError as problem:
            self.failed = problem.diagnostics[0].message
            return False

    @property
    def points(self) -> tuple[int, ...]:
        state = self._state
        return () if state is None or not state.is_over else tuple(state.pts)

    @property
    def winners(self) -> tuple[int, ...]:
        state = self._state
        return () if state is None or not state.is_over else tuple(state.won)


# ── a pair ───────────────────────────────────────────────────────────────────────────────────


class Pair:
    """Two games for the same number of players, compared seed by seed."""

    def __init__(self, one: Game, other: Game, spec: str = "steady") -> None:
        self.one, self.other = one, other
        self._names = bots.seats(spec, one.players, "steady", one.program)
        self._same = _same_numbers if _alike(one, other) else self._same_records
        self._records = (Recorder(one), Recorder(other))
        faces = [[game.face_label(i) for i in range(len(game.faces))] for game in (one, other)]
        self._faces = faces
        both = set(faces[0]) & set(faces[1])
        self._common = both
        self._same_box = sorted(box(one)) == sorted(box(other))

    def play(self, seed: int) -> Outcome:
        """Play both sides with a seed."""
        left = _Play(self.one, seed, self._names)
        right = _Play(self.other, seed, self._names)
        heard: list[Event] = []
        box = False
        while True:
            mine, its = left.next(), right.next()
            if mine is None and its is None:
                first = self._broken(heard, left, right) if left.failed or right.failed else None
                break
            if mine is None or its is None or not self._same(mine, its):
                first = self._first(heard, mine, its)
                break
            box = box or (mine.kind == "shuffle" and not self._same_box)
            heard.append(mine)
        left.finish()
        right.finish()
        return Outcome(
            self.one.players,
            seed,
            first,
            box,
            (left.points, right.points),
            (left.winners, right.winners),
            (left.decisions, right.decisions),
            (left.failed, right.failed),
        )

    def _broken(self, heard: list[Event], left: _Play, right: _Play) -> First | None:
        """Both sides stop: alike, or only one of them because it can't go on."""
        return None if left.failed == right.failed else self._first(heard, None, None)

    # comparing

    def _same_records(self, mine: Event, its: Event) -> bool:
        if mine.kind != its.kind:
            return False
        if mine.kind == "shuffle":
            return self._same_shuffle(mine, its)
        one, other = (
            record.record(event) for record, event in zip(self._records, (mine, its), strict=True)
        )
        for record in (one, other):
            for quiet in ("rule", "tags", "seen", "options", "index", "forced", "depth"):
                record.pop(quiet, None)
        return one == other

    def _same_shuffle(self, mine: Event, its: Event) -> bool:
        if self.one.place_label(mine.data["place"]) != self.other.place_label(its.data["place"]):
            return False
        orders = [
            [faces[card] for card in event.data["cards"] if faces[card] in self._common]
            for faces, event in zip(self._faces, (mine, its), strict=True)
        ]
        if len(orders[0]) != len(orders[1]):  # more or fewer copies of some cards
            return _numbered(orders[0], orders[1])
        return orders[0] == orders[1]

    # telling

    def _first(self, heard: list[Event], mine: Event | None, its: Event | None) -> First:
        recorder = Recorder(self.one)
        where: list[tuple[int, str]] = []
        after = ""
        for event in heard:
            if event.kind == "phase":
                record = recorder.record(event)
                where = [at for at in where if at[0] < record["depth"]]
                where.append((record["depth"], f"{record['label']} {record['value']}"))
            elif event.kind == "choice":
                after = _line(recorder.record(event))
        recent: dict[tuple[str, p.Span], None] = {}
        for event in reversed(heard):
            for rule in _rules(self.one, event):
                recent.setdefault((rule.path, rule.span))
            if len(recent) >= RECENT:
                break
        left = None if mine is None else _told(self.one, mine)
        right = None if its is None else _told(self.other, its)
        return First(
            tuple(title for _, title in where), len(heard), after, left, right, tuple(recent)
        )


def _numbered(one: list[str], other: list[str]) -> bool:
    """Whether equal cards, numbered by how many there are on both sides, lie in one order.

    Copies are numbered when shuffled, the order of equal ones can't be seen; so it is enough that
    one order can be had from the other by leaving cards out.
    """
    short, long = sorted((one, other), key=len)
    rest = iter(long)
    return all(card in rest for card in short)


def _told(game: Game, event: Event) -> Happening:
    record = Recorder(game).record(event)
    rule = _rules(game, event)
    path, span, tags = ("", None, ()) if not rule else (rule[0].path, rule[0].span, rule[0].tags)
    cards = record.get("cards") or ()
    if event.kind != "choice":
        return Happening(event.kind, _line(record), path, span, tags, cards=tuple(cards))
    value = record["taken"]["value"]
    shown = [value["card"]] if "card" in value else value.get("cards", [])
    return Happening(
        event.kind,
        _line(record),
        path,
        span,
        tags,
        player_name(event.data["player"]),
        record["name"],
        record["taken"]["label"],
        tuple(option["label"] for option in record["options"]),
        tuple(shown),
    )


def _rules(game: Game, event: Event) -> list[p.Origin]:
    """The rules behind an event: of a choice, first that of the way that was taken."""
    rules = [] if event.rule is None else [event.rule]
    if event.kind == "choice":
        info = game.choice_at(event.data["choice"])
        number = 0 if info.nameless else event.data["taken"][0]
        branch = info.branches[number].rule
        if branch.path != info.rule.path:
            return [branch, *rules]
    return rules


def _line(record: Record) -> str:
    if record["event"] == "phase":
        return f"{record['label']} {record['value']}"
    return "; ".join(line.strip(" =") for line in text.lines(record).splitlines())


# ── the same names ───────────────────────────────────────────────────────────────────────────


def _same_numbers(mine: Event, its: Event) -> bool:
    kind, one, other = mine.kind, mine.data, its.data
    if kind != its.kind:
        return False
    if kind == "choice":
        return bool(
            one["taken"] == other["taken"]
            and one["choice"] == other["choice"]
            and one["player"] == other["player"]
        )
    if kind == "move":
        return bool(
            one["cards"] == other["cards"]
            and one["source"] == other["source"]
            and one["target"] == other["target"]
        )
    return one == other


def _alike(one: Game, other: Game) -> bool:
    """Whether numbers in events of both games stand for the same."""
    return bool(_names(one) == _names(other))


def _names(game: Game) -> Any:
    """What the numbers of a game stand for."""
    program = game.program
    choices = {
        info.path: (
            program.choices[info.path].name,
            info.nameless,
            [(branch.name, branch.kind, branch.placed) for branch in info.branches],
        )
        for info in game.choices
    }
    return (
        [game.face_label(i) for i in range(len(game.faces))],
        sorted(box(game)),
        [game.place_label(i) for i in range(len(game.places))],
        {name: [v.names.name for v in a.values] for name, a in program.attributes.items()},
        {key: holder.names.name for key, holder in program.holders.items()},
        {key: names.name for key, names in program.tokens.items()},
        {key: mark.names.name for key, mark in program.marks.items()},
        {key: (track.names.name, track.type) for key, track in program.tracks.items()},
        [] if program.roles is None else [names.name for names in program.roles.names],
        list(program.shapes),
        {key: names.name for key, names in program.labels.items()},
        [line.names.name for line in program.scoring],
        choices,
    )


def box(game: Game) -> list[str]:
    """The name of every card there is."""
    return [game.face_label(face) for face in game.binding.deck]


# ── many ─────────────────────────────────────────────────────────────────────────────────────


@frozen(eq=False)
class Job:
    """What to play: both Programs with options, for whom, who plays, which seeds.

    Games are numbered by players, then seeds. A job is the work of `lab.pool`.
    """

    one: p.Program
    other: p.Program
    settings: tuple[Mapping[str, Any], Mapping[str, Any]]
    players: tuple[int, ...]
    seeds: range
    bots: str = "steady"

    def pair(self, players: int) -> Pair:
        """Both games, compiled."""
        return Pair(
            compile_game(self.one, players, self.settings[0]),
            compile_game(self.other, players, self.settings[1]),
            self.bots,
        )

    def block(self, first: int, count: int) -> list[Outcome]:
        """The outcomes of some games, all for one number of players."""
        which, start = divmod(first, len(self.seeds))
        pair = _pair(self, self.players[which])
        return [pair.play(seed) for seed in self.seeds[start : start + count]]

    def blocks(self) -> list[tuple[int, int]]:
        """All games: first number and count of each block."""
        size = len(self.seeds)
        return [
            (which * size + start, min(AT_ONCE, size - start))
            for which in range(len(self.players))
            for start in range(0, size, AT_ONCE)
        ]


@lru_cache(maxsize=32)
def _pair(job: Job, players: int) -> Pair:
    return job.pair(players)


def compare(job: Job, workers: int | None = None) -> Iterator[Outcome]:
    """Play all games of a job; outcomes come in order of players, then seeds.

    `workers`: processes to use (None: one for each core this process may use, and none for few
    games).
    """
    if workers is None:
        few = len(job.players) * len(job.seeds) < FEWEST_TO_SPREAD
        workers = 1 if few else pool.cores()
    if workers > 1:
        for players in job.players:
            _pair(job, players)  # compiled and kept before others look for it
    for outcomes in pool.in_order(job, job.blocks(), workers):
        yield from outcomes
