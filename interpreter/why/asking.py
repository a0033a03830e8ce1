"""From a question to its answer; see `interpreter.why`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dsl import program as p
from interpreter.why.answers import (
    AnotherChoice,
    Answer,
    Closed,
    NotAsked,
    NotNamed,
    Offered,
    Part,
    Refusal,
    Refused,
    Thing,
    Unclear,
    all_rules,
    innermost,
)
from interpreter.why.members import Ask, base_of
from interpreter.why.naming import Reader
from interpreter.why.probe import probe
from interpreter.why.reasons import Here, explain
from interpreter.why.unseen import Hidden, as_seen

if TYPE_CHECKING:
    from interpreter.compiled import ChoiceInfo
    from interpreter.state import Option, State


@frozen
class Group:
    """Things of a choice that the same conditions refuse, and the answer about each."""

    things: tuple[Thing, ...]
    answers: tuple[Refusal, ...]


@frozen
class Clause:
    """The rule that refuses something: its path and clause tags, and the tags of all rules on the
    way to it from the choice (the way's own first)."""

    path: str
    tags: tuple[str, ...]
    all_tags: tuple[str, ...]
    answer: Refusal


def why(
    state: State, option: Option | Any, viewer: int | None = None, *, everything: bool = False
) -> Offered:
    """Which rule offers an option (an Option or a plain value of `moves`), and which conditions
    hold for it. ValueError if it is not offered now."""
    raw = getattr(option, "raw", option)
    if state.player is None or raw not in state.moves:
        raise ValueError("this option is not offered now")
    table = _Table(state, viewer, everything=everything)
    return table.offered(table.thing(raw), raw)


def why_not(
    state: State,
    what: str | Mapping[str, Any] | Thing,
    viewer: int | None = None,
    *,
    everything: bool = False,
) -> Answer:
    """Why something is not offered: said in words as at the table, or as data in the form of
    `Option.value`."""
    if state.player is None or viewer not in (None, state.player):
        return NotAsked(state.player)
    table = _Table(state, viewer, everything=everything)
    if isinstance(what, Thing):
        return table.answer(what)
    things = table.things(what)
    said = what if isinstance(what, str) else ", ".join(map(str, what.values()))
    if not things:
        return table.elsewhere(what, said)
    answers = [table.answer(thing, said) for thing in things]
    offered = [answer for answer in answers if isinstance(answer, Offered)]
    if len(answers) == 1:
        return answers[0]
    if len(offered) == 1:
        return offered[0]
    if len({thing.value for thing in things}) == 1 and not offered:
        return answers[0]  # the same thing in several ways, and refused in all
    return Unclear(said, tuple(things), table.info.rule)


def refused(
    state: State, viewer: int | None = None, *, everything: bool = False
) -> tuple[Group, ...]:
    """What this choice is about but does not offer now (of the cards, players and values there
    are), grouped by what refuses it."""
    if state.player is None or viewer not in (None, state.player):
        return ()
    table = _Table(state, viewer, everything=everything)
    return table.groups(table.askable())


def refusal(state: State, words: str | Mapping[str, Any]) -> Clause | None:
    """What refuses an option somebody names: None if it is offered after all.

    Reads everything, so that the answer is the true one. Raises ValueError where the words mean no
    one thing of the choice that is asked now (`cause` says how: its args[0] is the Answer).
    """
    answer = why_not(state, words, everything=True)
    match answer:
        case Offered():
            return None
        case NotAsked() | NotNamed() | Unclear() | AnotherChoice():
            raise ValueError(answer)
        case _:
            rule = innermost(answer)
            tags = dict.fromkeys(tag for origin in all_rules(answer) for tag in origin.tags)
            return Clause(rule.path, rule.tags, tuple(tags), answer)


def _sameness(answer: Refusal) -> object:
    """What answers have in common that one line can tell."""
    spans: tuple[p.Span, ...] = ()
    if isinstance(answer, (Closed, Refused)):
        spans = tuple(part.span for part in answer.parts)
    return type(answer), answer.thing.branch, answer.rule.path, spans


class _Table:
    """The choice now asked, as the one who asks sees it."""

    def __init__(self, state: State, viewer: int | None, *, everything: bool) -> None:
        assert state.player is not None
        self._true = state
        self._game = state.game
        self.info: ChoiceInfo = self._game.choices[state.pc]
        found = probe(self._game)
        self._choice = found.asked[state.pc].choice
        chooser = self._choice.chooser
        seen = state if everything else as_seen(state, state.player, chooser)
        frame = {f"v{chooser.var.id}": state.player} if isinstance(chooser, p.VarRef) else {}
        self._here = Here(found, state.pc, seen, frame)
        self._offers = [(self.thing(raw), raw) for raw in state.moves]

    # ── options and things ───────────────────────────────────────────────────────────────────

    def thing(self, raw: Any) -> Thing:
        """What an option is, as something to be asked about."""
        index, value = (0, raw) if self.info.nameless else raw
        branch = self.info.branches[index]
        faces = len(self._game.faces)
        match branch.kind:
            case "card":
                return Thing(index, _lying(value, faces) if branch.placed else (value, None))
            case "cards":
                cards = [_lying(c, faces) if branch.placed else (c, None) for c in value]
                return Thing(index, tuple(cards))
            case "play":
                return Thing(index, (*value[:2], value[-1]) if branch.placed else value[:2])
            case _:
                return Thing(index, value)

    def things(self, what: str | Mapping[str, Any]) -> list[Thing]:
        """What is meant."""
        near = {f for f, _ in self._lying_near()}
        reader = Reader(self._game, self.info, near)
        return reader.read(what) if isinstance(what, str) else reader.structured(what)

    def _lying_near(self) -> Iterator[tuple[int, int | None]]:
        for branch in self._choice.branches:
            if isinstance(branch.pick, (p.PickCard, p.PickCards, p.PickOne)):
                base = base_of(branch.pick.source, self._here)
                source = base.expr.source if isinstance(base.expr, p.Plays) else base.expr
                if source.type.kind is p.K.CARDS:
                    try:
                        yield from base.here.value(source)
                    except Hidden:
                        continue

    def elsewhere(self, what: str | Mapping[str, Any], said: str) -> NotNamed | AnotherChoice:
        """An answer where nothing of this choice is meant."""
        paths = []
        for info in self._game.choices:
            if info is not self.info:
                reader = Reader(self._game, info)
                if reader.read(what) if isinstance(what, str) else reader.structured(what):
                    paths.append(info.path)
        if paths:
            return AnotherChoice(said, tuple(paths), self.info.rule)
        return NotNamed(said, self.info.rule)

    # ── answers ──────────────────────────────────────────────────────────────────────────────

    def answer(self, thing: Thing, said: str = "") -> Answer:
        """Whether a thing is offered, or what refuses it."""
        for offer, raw in self._offers:
            if _fits(thing, offer):
                return self.offered(thing, raw)
        branch = self._choice.branches[thing.branch]
        held, parts = self._open(branch)
        if held is not True:
            return Closed(thing, branch.origin, parts)
        if branch.pick is None:
            return Closed(thing, branch.origin, ())
        if thing.value is None:
            return self._way(thing, branch, branch.pick, said)
        found = Ask(thing, branch.origin).verdict(branch.pick, self._here)
        if not isinstance(found, tuple):
            return found
        if branch.otherwise:
            return Closed(thing, branch.origin, ())
        return Refused(thing, branch.origin, ())

    def _way(self, thing: Thing, branch: p.Branch, pick: p.Pick, said: str) -> Answer:
        """About a way that is open, without what would be picked."""
        offers = tuple(offer for offer, _ in self._offers if offer.branch == thing.branch)
        if offers:
            return Unclear(said, offers, branch.origin)
        if branch.otherwise and self._offers:
            return Closed(thing, branch.origin, ())
        groups = self.groups(
            Thing(thing.branch, value) for value in self._at_hand(thing.branch, pick)
        )
        if len(groups) == 1:
            return groups[0].answers[0]
        if groups:
            return Unclear(said, tuple(g.things[0] for g in groups), branch.origin)
        return Ask(thing, branch.origin).nothing(pick, self._here)

    def groups(self, things: Iterable[Thing]) -> tuple[Group, ...]:
        """Those of some things that are refused, by what refuses them."""
        groups: dict[object, list[tuple[Thing, Refusal]]] = {}
        for thing in things:
            answer = self.answer(thing)
            if isinstance(answer, (Offered, NotAsked, NotNamed, Unclear, AnotherChoice)):
                continue
            known = groups.setdefault(_sameness(answer), [])
            if all(thing != other for other, _ in known):
                known.append((thing, answer))
        return tuple(
            Group(tuple(thing for thing, _ in found), tuple(answer for _, answer in found))
            for found in groups.values()
        )

    def offered(self, thing: Thing, raw: Any) -> Offered:
        branch = self._choice.branches[thing.branch]
        _, parts = self._open(branch)
        if branch.pick is not None:
            met = Ask(self.thing(raw), branch.origin).verdict(branch.pick, self._here)
            parts += met if isinstance(met, tuple) else ()
        return Offered(thing, raw, branch.origin, parts)

    def _open(self, branch: p.Branch) -> tuple[bool | None, tuple[Part, ...]]:
        return (True, ()) if branch.when is None else explain(branch.when, self._here)

    # ── what can be asked about ──────────────────────────────────────────────────────────────

    def askable(self) -> Iterator[Thing]:
        """The ways that are closed, and what lies at hand for those that are open."""
        for index, branch in enumerate(self._choice.branches):
            held, _ = self._open(branch)
            if held is not True or branch.pick is None:
                yield Thing(index)
            else:
                for value in self._at_hand(index, branch.pick):
                    yield Thing(index, value)

    def _at_hand(self, index: int, pick: p.Pick) -> Iterator[Any]:
        """What a way is about; of numbers the one too many, where the end may change."""
        if isinstance(pick, p.PickNumber):
            yield from self._too_many(pick.hi, self._here)
            return
        base = base_of(pick.source, self._here)
        try:
            if isinstance(base.expr, p.Range):
                yield from base.here.value(base.expr)
                yield from self._too_many(base.expr.high, base.here)
                return
            if isinstance(base.expr, p.Plays):
                cards = [face for face, _ in base.here.value(base.expr.source)]
                shapes = [self._game.shapes.names.index(name) for name in base.expr.shapes]
                yield from (q[:2] for q in self._game.shapes.plays(cards, shapes))
                return
            elements = list(base.here.value(base.expr))
        except Hidden:
            return
        if isinstance(pick, (p.PickCard, p.PickCards)) and not self.info.branches[index].placed:
            elements = [(face, None) for face, _ in elements]
        for element in dict.fromkeys(elements):
            yield (element,) if isinstance(pick, p.PickCards) else element

    def _too_many(self, high: p.Expr, here: Here) -> Iterator[int]:
        if not isinstance(high, p.Const):
            try:
                yield here.value(high) + 1
            except Hidden:
                return


def _lying(value: int, faces: int) -> tuple[int, int]:
    place, face = divmod(value, faces)
    return face, place


def _fits(thing: Thing, offer: Thing) -> bool:
    """Whether an option is a thing: places and shapes that nobody named don't matter."""
    if thing.branch != offer.branch:
        return False
    a, b = thing.value, offer.value
    if a == b:
        return True
    if not (isinstance(a, tuple) and isinstance(b, tuple)):
        return False
    if all(isinstance(card, tuple) for card in (*a, *b)):  # several cards
        named, cards = sorted(a, key=_order), sorted(b, key=_order)
        return len(cards) == len(named) and all(map(_card_fits, named, cards))
    if isinstance(a[1], tuple):  # a play
        return a[0] in (None, b[0]) and a[1] == b[1] and a[2:] in ((), b[2:])
    return _card_fits(a, b)


def _order(card: tuple[int, int | None]) -> tuple[int, int]:
    face, place = card
    return face, -1 if place is None else place


def _card_fits(named: Any, card: Any) -> bool:
    return bool(named[0] == card[0] and (named[1] is None or card[1] in (None, named[1])))
