"""Which rules differ between two rulesets, by name and in words.

Used by `report` and `cause`. Compared is what rules mean: a comment, other blanks or a line moved
to another place in the file are no change. Clause tags, translations and questions are told apart
as changes of wording.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import Enum

from attrs import field, frozen

from dsl import program as p
from interpreter.binding import OptionValue, allowed, bind_options
from interpreter.trace.run import option_text
from lab.review.parts import Part, Parts, RuleLine


class Verb(Enum):
    """What became of a part. `value` is for machines."""

    CHANGED = "changed"
    NEW = "new"
    GONE = "gone"
    RENAMED = "renamed"
    SET = "set"  # the rule is the same; the option is set to something else
    WORDING = "wording"  # tags, translations, questions: play is not touched


PLAY = frozenset({Verb.CHANGED, Verb.NEW, Verb.GONE, Verb.SET})
"""Changes that can touch play."""


@frozen
class LineChange:
    """A line on the left only (`was`), on the right only (`now`), or one in place of another."""

    was: RuleLine | None
    now: RuleLine | None


@frozen(eq=False)
class Change:
    """A part that differs. `path`: its name on the right, or on the left if it is gone there."""

    path: str
    verb: Verb
    words: tuple[str, ...]
    lines: tuple[LineChange, ...] = ()
    left: Part | None = None
    right: Part | None = None

    @property
    def tags(self) -> tuple[str, ...]:
        """The clauses it comes from."""
        part = self.right or self.left
        return () if part is None or part.origin is None else part.origin.tags


@frozen(eq=False)
class Side:
    """One of two rulesets that are compared: what it is called, options set by hand, and what its
    files are called where that is not their path."""

    name: str
    program: p.Program
    settings: Mapping[str, str] = field(factory=dict)
    files: Mapping[str, str] = field(factory=dict)

    def options(self, players: int) -> dict[str, OptionValue]:
        """Every option's value."""
        return bind_options(self.program, players, self.settings)


@frozen(eq=False)
class Changes:
    """All changes between two sides, in the order of a rulebook; `renames`: right name → left."""

    items: tuple[Change, ...]
    renames: Mapping[str, str]
    left: Parts
    right: Parts
    sides: tuple[Side, Side]

    @property
    def touching_play(self) -> list[Change]:
        return [change for change in self.items if change.verb in PLAY]

    def idle(self, change: Change, players: int) -> bool:
        """Whether a change touches no game of so many players: the option is the same there, the
        same roles lie on the table."""
        one, other = self.sides
        name = change.path.removeprefix("option ")
        if name != change.path and name in one.program.options and name in other.program.options:
            return one.options(players)[name] == other.options(players)[name]
        both = one.program.roles, other.program.roles
        if both[0] is not None and both[1] is not None and change.path == both[1].origin.path:
            return _ring(both[0], players) == _ring(both[1], players)
        return False


def _ring(roles: p.Roles, players: int) -> tuple[list[str], int, bool]:
    """The roles on the table, their seats, and whether the first lies at random."""
    ring = getattr(roles, "ring", None)
    if ring is None:
        return [names.name for names in roles.names], roles.seats, roles.at_random
    lying = ring(players)
    return [roles.names[i].name for i in lying.roles], lying.seats, lying.at_random


def changes(one: Side, other: Side) -> Changes:
    """What differs between two sides."""
    left, right = Parts(one.program), Parts(other.program)
    renames = _renames(left, right)
    old_path = {now.path: was.path for was, now in _renamed_parts(left, right, renames)}
    found: list[Change] = []
    paths = _in_order(list(left.by_path), [old_path.get(q, q) for q in right.by_path])
    new_path = {was: now for now, was in old_path.items()}
    for path in paths:
        was, now = left.by_path.get(path), right.by_path.get(new_path.get(path, path))
        if was is not None and now is not None:
            found += _compared(was, now, renames)
        elif was is not None:
            found.append(Change(path, Verb.GONE, _one_sided(was, "no longer"), left=was))
        elif now is not None:
            found.append(Change(path, Verb.NEW, _one_sided(now, "now also"), right=now))
    found += _settings(one, other, found)
    return Changes(tuple(found), renames, left, right, (one, other))


def _in_order(left: Sequence[str], right: Sequence[str]) -> list[str]:
    """All paths, those of both sides in the order of the left, new ones where they stand."""
    merged: list[str] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        merged += left[i1:i2] if tag == "equal" else [*left[i1:i2], *right[j1:j2]]
    return list(dict.fromkeys(merged))


# ── renames ──────────────────────────────────────────────────────────────────────────────────


def _renames(left: Parts, right: Parts) -> dict[str, str]:
    """Parts that only their name tells apart: right name → left name."""
    found: dict[str, str] = {}
    while True:
        pairs = {
            (now.name, was.name)
            for was, now in _candidates(left, right)
            if now.name not in found
            and was.name not in found.values()
            and was.meaning({}) == now.meaning({**found, now.name: was.name})
        }
        olds, news = Counter(old for _, old in pairs), Counter(new for new, _ in pairs)
        more = {new: old for new, old in pairs if olds[old] == news[new] == 1}
        if not more:
            return _borne_out(left, right, found)
        found |= more


_SPEAKING = ("phase", "action", "value", "scoring")
"""Kinds whose meaning is enough to know them by; two options that are `yes` need not be one."""


def _borne_out(left: Parts, right: Parts, renames: Mapping[str, str]) -> dict[str, str]:
    """Those renames that something which uses the name bears out: it means the same under them."""
    kept = {}
    for was, now in _renamed_parts(left, right, renames):
        users = (q for q, part in left.by_path.items() if was.path in left.referred(part.nodes))
        if was.kind in _SPEAKING or any(
            left.by_path[q].meaning({}) == right.by_path[q].meaning(renames)
            for q in users
            if q in right.by_path
        ):
            kept[now.name] = was.name
    return kept


def _candidates(left: Parts, right: Parts) -> Iterator[tuple[Part, Part]]:
    known = {part.name for part in left.by_path.values()}
    gone = [part for path, part in left.by_path.items() if path not in right.by_path and part.name]
    for path, now in right.by_path.items():
        if path in left.by_path or not now.name or now.name in known:
            continue
        for was in gone:
            if was.kind == now.kind:
                yield was, now


def _renamed_parts(
    left: Parts, right: Parts, renames: Mapping[str, str]
) -> Iterator[tuple[Part, Part]]:
    for was, now in _candidates(left, right):
        if renames.get(now.name) == was.name:
            yield was, now


# ── in words ─────────────────────────────────────────────────────────────────────────────────


def _compared(was: Part, now: Part, renames: Mapping[str, str]) -> Iterator[Change]:
    if was.path != now.path:
        yield Change(now.path, Verb.RENAMED, (f"was called `{was.name}`",), (), was, now)
    if was.meaning({}) != now.meaning(renames):
        lines = tuple(line_changes(was.lines, now.lines))
        words = tuple(_in_words(was, now, lines)) or ("reads as before, but means something else",)
        yield Change(now.path, Verb.CHANGED, words, lines, was, now)
    elif was.told != now.told:
        yield Change(now.path, Verb.WORDING, (_retold(was, now),), (), was, now)


def _in_words(was: Part, now: Part, lines: Sequence[LineChange]) -> Iterator[str]:
    match was.nodes, now.nodes:
        case (p.OptionDecl() as old,), (p.OptionDecl() as new,):
            if old.default != new.default:
                yield f"{_default(old)} is now {_default(new)}"
            if allowed(old) != allowed(new):
                yield f"could be {allowed(old)}, now {allowed(new)}"
        case ((int(), int()) as few,), ((int(), int()) as many,):
            yield f"for {_players(few)} is now for {_players(many)}"
        case (p.Attribute() as old,), (p.Attribute() as new,) if old.values and new.values:
            yield from _values([_value(v) for v in old.values], [_value(v) for v in new.values])
            if old.order != new.order:
                yield f"order: {_ORDERS[old.order]} is now {_ORDERS[new.order]}"
        case (p.CardKind() as old,), (p.CardKind() as new,) if (
            (counted := _copies(was.program, old)) is not None
            and (recounted := _copies(now.program, new)) is not None
            and old.attributes == new.attributes
            and counted != recounted
        ):
            yield from _recounted(counted, recounted)
        case (p.Roles(),), (p.Roles(),):
            yield from _roles_in_words(was, now)
        case _:
            for change in lines:
                yield _line_in_words(change)


def _copies(program: p.Program, kind: p.CardKind) -> dict[str, str] | None:
    """`5 of guard` by `guard`, as it is written; None where copies aren't counted so."""
    if not isinstance(kind.copies, tuple):
        return None
    values = program.attributes[kind.attributes[-1]].values
    found: dict[str, str] = {}
    for each in kind.copies:
        index, span = int(str(each.value.value)), each.span
        lines = program.sources.get(span.file, "").split("\n")
        written = lines[span.line - 1 : span.end_line]
        if len(written) != 1:
            return None
        value = values[index].names.name if values else str(index)
        found[value] = written[0][span.column - 1 : span.end_column - 1]
    return found


def _recounted(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    """Other copies of the same values, values that are new or gone."""
    for value in dict.fromkeys((*old, *new)):
        if value not in new:
            yield f"no longer “{old[value]}”"
        elif value not in old:
            yield f"now also “{new[value]}”"
        elif old[value] != new[value]:
            yield f"“{old[value]}” is now “{new[value]}”"


def _roles_in_words(was: Part, now: Part) -> Iterator[str]:
    """What lies on the table, before and now, for the numbers of players where that differs."""
    (old,), (new,) = was.nodes, now.nodes
    found: dict[tuple[str, str], list[int]] = {}
    for players in shared_players(was.program, now.program):
        before, after = _lying(old, players), _lying(new, players)
        if before != after:
            found.setdefault((before, after), []).append(players)
    everywhere = len(shared_players(was.program, now.program))
    for (before, after), counts in found.items():
        where = "" if len(counts) == everywhere else f"with {', '.join(map(str, counts))} players: "
        yield f"{where}“{before}” is now “{after}”"


def _lying(roles: p.Roles, players: int) -> str:
    names, seats, at_random = _ring(roles, players)
    start = ", starting at random" if at_random else ""
    return f"{', '.join(names)} on {seats} seats{start}"


def _values(old: list[str], new: list[str]) -> Iterator[str]:
    """Values of a property in words."""
    if set(old) == set(new):
        yield f"{', '.join(old)} is now {', '.join(new)}"
        return
    yield from (f"no longer “{value}”" for value in old if value not in new)
    yield from (f"now also “{value}”" for value in new if value not in old)


def _value(value: p.EnumValue) -> str:
    return value.names.name if value.number is None else f"{value.names.name} {value.number}"


_ORDERS = {"strong": "strongest first", "weak": "weakest first", "": "none"}


def _line_in_words(change: LineChange) -> str:
    was, now = change.was, change.now
    if was is not None and now is not None:
        if said(was) == said(now):
            where = "further in" if now.depth > was.depth else "further out"
            return f"{said(was)} stands {where}"
        return f"{said(was)} is now {said(now)}"
    if was is not None:
        return f"no longer {said(was)}"
    return f"now also {said(now)}" if now is not None else ""


_ELSEWHERE = re.compile(r' \w\w "[^"]*"')


def said(line: RuleLine) -> str:
    """A line as it is quoted: without what it is called in other languages, with its clauses."""
    text = _ELSEWHERE.sub("", line.text)
    return f"“{text}” [{', '.join(line.tags)}]" if line.tags else f"“{text}”"


def _one_sided(part: Part, how: str) -> tuple[str, ...]:
    head = None if part.origin is None else part.origin.span.line
    inner = [line for line in part.lines if line.line != head] or list(part.lines)
    return tuple(f"{how} {said(line)}" for line in inner)


def _default(decl: p.OptionDecl) -> str:
    table = dict(decl.default)
    if list(table) == [0]:
        return option_text(table[0])
    shown = (f"{count}: {option_text(value)}" for count, value in table.items() if count)
    return f"by players {', '.join(shown)}"


def _players(counts: tuple[int, int]) -> str:
    low, high = counts
    return f"{low} players" if low == high else f"{low} to {high} players"


def _retold(was: Part, now: Part) -> str:
    old, new = _clauses(was), _clauses(now)
    if old == new:
        return "only names in other languages or questions differ"
    gone, come = sorted(old - new), sorted(new - old)
    parts = [f"no longer {', '.join(gone)}"] if gone else []
    parts += [f"now {', '.join(come)}"] if come else []
    return f"cites other clauses: {'; '.join(parts)}"


def _clauses(part: Part) -> set[str]:
    origin = () if part.origin is None else part.origin.tags
    return {tag for line in part.lines for tag in line.tags} | set(origin)


def line_changes(was: Sequence[RuleLine], now: Sequence[RuleLine]) -> Iterator[LineChange]:
    """Lines that differ in what they say or how deep they stand."""
    left = [(line.depth, line.text) for line in was]
    right = [(line.depth, line.text) for line in now]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        both = min(i2 - i1, j2 - j1)
        for i, j in zip(range(i1, i1 + both), range(j1, j1 + both), strict=True):
            yield LineChange(was[i], now[j])
        for i in range(i1 + both, i2):
            yield LineChange(was[i], None)
        for j in range(j1 + both, j2):
            yield LineChange(None, now[j])


# ── options set by hand ──────────────────────────────────────────────────────────────────────


def _settings(one: Side, other: Side, told: Sequence[Change]) -> Iterator[Change]:
    """Options that only setting them makes differ."""
    known = {change.path for change in told if change.verb in PLAY}
    counts = shared_players(one.program, other.program)
    for name, decl in other.program.options.items():
        path = decl.origin.path
        if path in known or name not in one.program.options:
            continue
        if not {name} & (one.settings.keys() | other.settings.keys()):
            continue
        pairs = {(one.options(n)[name], other.options(n)[name]) for n in counts}
        differing = sorted({(option_text(a), option_text(b)) for a, b in pairs if a != b})
        if differing:
            words = tuple(f"set: {a} is now {b}" for a, b in differing)
            yield Change(path, Verb.SET, words)


def shared_players(one: p.Program, other: p.Program) -> range:
    """The player counts both rulesets are for."""
    return range(max(one.players[0], other.players[0]), min(one.players[1], other.players[1]) + 1)
