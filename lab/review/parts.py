"""A Program by its named parts: what each means, in which lines it stands, what it refers to.

Used by `changes` (which parts differ) and `cause` (which part is behind an event). A part's
*meaning* is its nodes without places, tags, translations and the names of variables: two parts of
one meaning play alike.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any

import attrs
from attrs import frozen

from dsl import program as p
from dsl.diagnostics import Findings
from dsl.layout import Line, lay_out
from dsl.walk import fields, walk


@frozen
class RuleLine:
    """A line of a ruleset as it is read: without comment and tags, blanks squeezed. `depth`: how
    far it is indented against its part's first line."""

    file: str
    line: int
    text: str
    tags: tuple[str, ...]
    depth: int = 0


@frozen(eq=False)
class Part:
    """Something that has a name: `path` is unique (`option turns`, `skill priest`, `winner`).

    `told`: what is said of it that does not touch play (tags, translations, questions).
    """

    program: p.Program
    path: str
    kind: str
    name: str
    nodes: tuple[Any, ...]
    origin: p.Origin | None
    lines: tuple[RuleLine, ...]
    told: Hashable

    def meaning(self, rename: Mapping[str, str]) -> Hashable:
        """What it means; `rename` brings names of the other side to this one's."""
        return _Meaning(self.program, rename).of(self.nodes)


class Parts:
    """The parts of one Program."""

    def __init__(self, program: p.Program) -> None:
        self.program = program
        self.by_path: dict[str, Part] = {}
        for path, kind, name, nodes, origin in _declared(program):
            lines = tuple(_lines(program, nodes, origin))
            told = _told(program, path, nodes, origin)
            self.by_path[path] = Part(program, path, kind, name, nodes, origin, lines, told)

    def holding(self, path: str) -> Part | None:
        """The part that a rule's path lies in."""
        while path:
            if path in self.by_path:
                return self.by_path[path]
            path = path.rpartition("/")[0]
        return None

    def line_of(self, span: p.Span) -> RuleLine:
        """The line of the ruleset where something stands."""
        logical = _layout(span.file, self.program.sources.get(span.file, "")).get(span.line)
        if logical is None:
            return RuleLine(span.file, span.line, "", ())
        return _rule_line(span.file, logical, 0)

    @cached_property
    def reads(self) -> Mapping[str, frozenset[str]]:
        """The parts each part refers to, and those they refer to; not what it carries out."""
        return {path: _reached(self.direct, found) for path, found in self.direct.items()}

    @cached_property
    def direct(self) -> Mapping[str, frozenset[str]]:
        """The parts each part refers to itself."""
        return {path: self.referred(part.nodes) for path, part in self.by_path.items()}

    @cached_property
    def callers(self) -> Mapping[str, frozenset[str]]:
        """The parts that carry out each part (an action, an effect, a moment), at any distance."""
        direct: dict[str, set[str]] = {path: set() for path in self.by_path}
        for path, part in self.by_path.items():
            for called in self._called(part.nodes):
                direct.setdefault(called, set()).add(path)
        frozen_ = {path: frozenset(found) for path, found in direct.items()}
        return {path: _reached(frozen_, found) for path, found in frozen_.items()}

    def referred(self, *roots: Any) -> frozenset[str]:
        """The parts that some nodes refer to by name."""
        found: set[str] = set()
        for node in walk(roots):
            found.update(self._names(node))
        return frozenset(found)

    def behind(self, *roots: Any, until: Container[str] = ()) -> frozenset[str]:
        """The parts some nodes refer to, and those that these refer to; not what lies behind those
        in `until`."""
        found: set[str] = set()
        left = list(self.referred(*roots))
        while left:
            path = left.pop()
            if path not in found:
                found.add(path)
                if path not in until:
                    left += self.direct.get(path, frozenset())
        return frozenset(found)

    def _names(self, node: Any) -> Iterator[str]:
        program = self.program
        match node:
            case p.OptionRef(name=name):
                yield f"option {name}"
            case p.Call(value=name):
                yield from _path(program.values.get(name))
            case p.TrackRef(name=name) | p.SetTrack(name=name):
                yield from _path(program.tracks.get(name))
            case p.TokenCount(holder=name):
                yield from _path(program.holders.get(name))
            case p.MoveTokens(source=source, target=target):
                for end in (source, target):
                    yield from _path(program.holders.get(end.holder or ""))
            case p.Marked(mark=name) | p.SetMark(mark=name):
                yield from _path(program.marks.get(name))
            case p.PlaceRef(place=name) | p.PlacesOf(place=name) | p.Deal(place=name):
                yield from _path(program.places.get(name))
            case p.Attr(attribute=name) | p.HasAttr(attribute=name) | p.EnumAll(attribute=name):
                yield from _path(program.attributes.get(name))
            case p.PlayAttr(attribute=name):
                yield from _path(program.attributes.get(name))
            case p.IsKind(kind=name):
                yield from _path(program.kinds.get(name))
            case p.AllCards():
                for kind in (*program.kinds.values(), *program.attributes.values()):
                    yield from _path(kind)
            case p.Plays(shapes=shapes):
                for name in shapes:
                    yield from _path(program.shapes.get(name))
            case p.RoleOf() | p.HolderOf() | p.PlayersByRole() | p.PassRoles():
                yield from _path(program.roles)
            case _:
                return

    def _called(self, roots: Any) -> Iterator[str]:
        program = self.program
        for node in walk(roots):
            match node:
                case p.Do(action=name):
                    yield from _path(program.actions.get(name))
                case p.Apply(family=name):
                    yield from (effect.origin.path for effect in program.families[name].effects)
                case p.Moment(name=name):
                    yield from (hook.origin.path for hook in program.hooks if hook.moment == name)
                case _:
                    pass


def _path(part: Any) -> Iterator[str]:
    if part is not None:
        yield part.origin.path


def _reached(direct: Mapping[str, frozenset[str]], start: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    left = list(start)
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            left += direct.get(path, frozenset())
    return frozenset(found)


# ── the parts ────────────────────────────────────────────────────────────────────────────────


def _declared(
    program: p.Program,
) -> Iterator[tuple[str, str, str, tuple[Any, ...], p.Origin | None]]:
    """Path, kind, name, nodes and origin of every part, in the order of a rulebook."""
    yield "players", "players", "", (program.players,), None
    tables: tuple[tuple[str, Mapping[str, Any]], ...] = (
        ("option", program.options),
        ("property", program.attributes),
        ("cards", program.kinds),
        ("place", program.places),
        ("tokens", program.holders),
        ("mark", program.marks),
        ("track", program.tracks),
    )
    for kind, table in tables:
        for name, decl in table.items():
            yield decl.origin.path, kind, name, (decl,), decl.origin
    if program.roles is not None:
        yield program.roles.origin.path, "roles", "", (program.roles,), program.roles.origin
    for name, shape in program.shapes.items():
        yield shape.origin.path, "shape", name, (shape,), shape.origin
    yield "setup", "setup", "", program.setup, None
    for phase in program.phases:
        yield phase.origin.path, "phase", phase.names.name, (phase,), phase.origin
    for name, value in program.values.items():
        yield value.origin.path, "value", name, (value,), value.origin
    for name, action in program.actions.items():
        yield action.origin.path, "action", name, (action,), action.origin
    for family in program.families.values():
        for effect in family.effects:
            yield effect.origin.path, family.name, effect.names.name, (effect,), effect.origin
    yield from _hooks(program)
    for line in program.scoring:
        yield line.origin.path, "scoring", line.names.name, (line,), line.origin
    yield "winner", "winner", "", (program.winner,), program.winner.origin


def _hooks(
    program: p.Program,
) -> Iterator[tuple[str, str, str, tuple[Any, ...], p.Origin | None]]:
    """What happens at moments; of several with one path, all as one part."""
    by_path: dict[str, list[p.Hook]] = {}
    for hook in program.hooks:
        by_path.setdefault(hook.origin.path, []).append(hook)
    for path, hooks in by_path.items():
        kind, _, name = path.partition(" ")
        yield path, kind, name, tuple(hooks), hooks[0].origin


# ── meaning ──────────────────────────────────────────────────────────────────────────────────


class _Meaning:
    """Nodes as nested tuples that are equal where they mean the same."""

    def __init__(self, program: p.Program, rename: Mapping[str, str]) -> None:
        self._program = program
        self._rename = rename
        self._vars: dict[int, int] = {}

    def of(self, node: Any) -> Hashable:
        match node:
            case p.Var():
                number = self._vars.setdefault(node.id, len(self._vars))
                return ("var", number, self.of(node.type))
            case p.Names():
                return self.of(node.name)
            case p.Const(value=int(value), type=kind) if (
                name := self._name(kind, value)
            ) is not None:
                return ("Const", self.of(kind), self.of(name))
            case p.Effect():
                return ("Effect", self.of((node.family, node.names, node.me, node.body)))
            case p.Hook():
                roles = self._program.roles
                role = None if roles is None or node.role is None else roles.names[node.role]
                return ("Hook", self.of((node.moment, role, node.me, node.when, node.body)))
            case p.Type():
                return (node.kind.name, self.of(node.name))
            case str():
                return self._rename.get(node, node)
            case tuple() | list():
                return tuple(self.of(item) for item in node)
            case _ if attrs.has(type(node)):
                parts = (self.of(getattr(node, name)) for name in fields(type(node)))
                return (type(node).__name__, *parts)
            case bool():  # equal to 0 and 1 otherwise
                return ("yes or no", node)
            case _:
                assert isinstance(node, Hashable)
                return node

    def _name(self, kind: p.Type, value: int) -> str | None:
        """What a numbered thing is called: numbers shift when something is declared before it."""
        program = self._program
        match kind.kind:
            case p.K.ENUM if kind.name in program.attributes:
                values = program.attributes[kind.name].values
                return values[value].names.name if 0 <= value < len(values) else None
            case p.K.ROLE if program.roles is not None:
                return program.roles.names[value].name
            case p.K.SHAPE:
                return list(program.shapes)[value]
            case _:
                return None


def _told(
    program: p.Program, path: str, nodes: tuple[Any, ...], origin: p.Origin | None
) -> Hashable:
    """Tags, translations and questions of a part."""
    tags = [] if origin is None else [origin.tags]
    names: list[Hashable] = []
    for node in _all(nodes):
        if isinstance(node, p.Origin):
            tags.append(node.tags)
        elif isinstance(node, p.Names):
            names.append(node.others)
    for table in (program.choices, program.prompts):
        for at, said in table.items():
            if at == path or at.startswith(f"{path}/"):
                names.append((at, said.name, said.others))
    return tuple(tags), tuple(names)


def _all(node: Any) -> Iterator[Any]:
    """All parts of some nodes, origins and names included."""
    stack = [node]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack += reversed(node)
        elif attrs.has(type(node)) and not isinstance(node, p.Span | p.Type):
            yield node
            stack += [getattr(node, field.name) for field in reversed(attrs.fields(type(node)))]


# ── lines ────────────────────────────────────────────────────────────────────────────────────


def _lines(
    program: p.Program, nodes: tuple[Any, ...], origin: p.Origin | None
) -> Iterator[RuleLine]:
    """The lines a part stands in, as written; lines of a variant among those of its base."""
    seen = set()
    where = [] if origin is None else [(origin.span, 0)]
    where += [at for node in nodes for at in _places(node, 0)]
    for span, depth in where:
        logical = _layout(span.file, program.sources.get(span.file, "")).get(span.line)
        if logical is not None and (span.file, logical.line) not in seen:
            seen.add((span.file, logical.line))
            yield _rule_line(span.file, logical, depth)


def _places(node: Any, depth: int) -> Iterator[tuple[p.Span, int]]:
    """Where a declaration or statement and what is in it stand, and how deep."""
    origin = getattr(node, "origin", None)
    if origin is not None:
        yield origin.span, depth
    inside = node.keys if isinstance(node, p.Winner) else _inside(node)
    for inner in inside:
        yield from _places(inner, depth + 1)


def _inside(node: Any) -> tuple[Any, ...]:
    """The statements and ways right inside a declaration or statement."""
    match node:
        case p.If():
            return node.then + node.otherwise
        case p.Choose():
            return node.branches
        case p.AtOnce():
            return (node.choice,)
        case p.Roles():
            return tuple(getattr(node, "rings", ()))  # other roles for some numbers of players
        case _:
            body = getattr(node, "body", ())
            return body if isinstance(body, tuple) else ()


def _rule_line(file: str, logical: Line, depth: int) -> RuleLine:
    text = " ".join(logical.text.split()).removeprefix("replace ")  # a variant's
    return RuleLine(file, logical.line, text, tuple(tag.text for tag in logical.tags), depth)


@lru_cache(maxsize=16)
def _layout(file: str, text: str) -> Mapping[int, Line]:
    """The logical line that each line of a file belongs to."""
    found: dict[int, Line] = {}

    def enter(lines: tuple[Line, ...] | list[Line]) -> None:
        for line in lines:
            for number in range(line.line, line.line + line.text.count("\n") + 1):
                found.setdefault(number, line)
            enter(line.children)

    enter(lay_out(text, file, Findings()).lines)
    return found
