"""Which change of the rules is behind the first difference of a game.

Used by `report`. What differs first is an event on each side. The change is looked for from the
event outwards, and the nearest place where something changed is taken:

1.  the line of the rule that speaks, on either side;
2.  a card only one side has, if the event shows one;
3.  what that line refers to (values, options, limits of holders …), and what these refer to, up to
    the nearest changes;
4.  the lines around it: the conditions, loops and choices it stands under, and what they refer to;
5.  the cards in the box, if other cards come where the same happens;
6.  its block, and what that refers to;
7.  the rules that spoke last before, latest first: their lines, what these refer to, their blocks;
8.  the blocks that carry out its block;
9.  else all changes: which of them it was can't be told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from attrs import evolve, frozen

from dsl import program as p
from dsl.walk import children
from lab.review.changes import Change, Changes
from lab.review.games import First, Happening
from lab.review.parts import Part, Parts

Seen: TypeAlias = tuple[Parts, Happening]


@frozen(eq=False)
class Cause:
    """The changes behind a difference, usually one. `sure`: they were found near it."""

    changes: tuple[Change, ...]
    sure: bool


class Causes:
    """Finds causes for one pair of rulesets."""

    def __init__(self, found: Changes) -> None:
        self._found = found
        self._changed = {
            part.path: change
            for change in found.touching_play
            for part in (change.left, change.right)
            if part is not None
        }
        self._changed |= {c.path: c for c in found.touching_play if c.left is c.right is None}
        self._lines = {
            (line.file, line.line): change
            for change in found.touching_play
            for both in change.lines
            for line in (both.was, both.now)
            if line is not None
        }
        # of a part that is only on one side, every line is a change
        for change in found.touching_play:
            if (change.left is None) != (change.right is None):
                part = change.left or change.right
                for line in () if part is None else part.lines:
                    self._lines[line.file, line.line] = change
        self._chains: dict[int, dict[p.Span, tuple[Any, ...]]] = {}

    def of(self, first: First, strange: tuple[set[str], set[str]], players: int) -> Cause:
        """The cause of a first difference in a game of so many players; `strange`: cards that only
        one side's box has."""
        possible = [c for c in self._found.touching_play if not self._found.idle(c, players)]
        for ring in self._rings(first, strange):
            changes = [change for change in possible if change in ring]
            if changes:
                return Cause(tuple(changes), True)
        return Cause(tuple(possible), False)

    def _rings(self, first: First, strange: tuple[set[str], set[str]]) -> Iterator[set[Change]]:
        seen: list[Seen] = []
        shown = False
        for parts, at, odd in (
            (self._found.left, first.left, strange[0]),
            (self._found.right, first.right, strange[1]),
        ):
            if at is not None:
                seen.append((parts, at))
                shown = shown or bool(odd & {*at.cards})
        yield {c for _, at in seen for c in self._line(at.span)}
        if shown:
            yield self._cards()
        yield {c for parts, at in seen for c in self._referred(parts, self._own(parts, at))}
        yield {c for parts, at in seen for c in self._around(parts, at)}
        if _other_cards(first):
            yield self._cards()
        yield {c for parts, at in seen for c in self._block(parts, at.path)}
        yield {c for parts, at in seen for c in self._whole(parts, at)}
        for path, span in first.recent:
            yield {*self._line(span), *self._at(self._found.left, path, span)}
            yield {*self._block(self._found.left, path)}
        yield {c for parts, at in seen for c in self._callers(parts, at.path)}

    # rings

    def _line(self, span: p.Span | None) -> Iterator[Change]:
        if span is not None:
            for line in range(span.line, span.end_line + 1):
                if (span.file, line) in self._lines:
                    yield self._lines[span.file, line]

    def _cards(self) -> set[Change]:
        """Changes of what is in the box."""
        found = set()
        for parts in (self._found.left, self._found.right):
            for path, part in parts.by_path.items():
                if part.kind in ("cards", "property"):
                    found |= {*self._named({path} | parts.reads.get(path, frozenset()))}
        return found

    def _named(self, paths: Any) -> Iterator[Change]:
        for path in paths:
            if path in self._changed:
                yield self._changed[path]

    def _referred(self, parts: Parts, nodes: tuple[Any, ...]) -> Iterator[Change]:
        yield from self._named(parts.behind(*nodes, until=self._changed))

    def _own(self, parts: Parts, at: Happening) -> tuple[Any, ...]:
        """The head of the statement that speaks."""
        if at.kind == "end":
            return (parts.program.scoring, parts.program.winner)
        chain = self._chain(parts, at.path, at.span)
        return chain[-1:] if chain else ()

    def _around(self, parts: Parts, at: Happening) -> Iterator[Change]:
        for node in self._chain(parts, at.path, at.span)[:-1][::-1]:
            if node.origin is not None:
                yield from self._line(node.origin.span)
            yield from self._referred(parts, (node,))

    def _at(self, parts: Parts, path: str, span: p.Span) -> Iterator[Change]:
        chain = self._chain(parts, path, span)
        yield from self._referred(parts, chain[-1:])

    def _block(self, parts: Parts, path: str) -> Iterator[Change]:
        part = parts.holding(path)
        if part is not None:
            yield from self._named({part.path})

    def _whole(self, parts: Parts, at: Happening) -> Iterator[Change]:
        if at.kind == "end":
            ends = [q for q, part in parts.by_path.items() if part.kind in ("scoring", "winner")]
            yield from self._named(ends)
        if at.kind == "role" and not at.path:
            yield from self._named(q for q, part in parts.by_path.items() if part.kind == "roles")
        part = parts.holding(at.path)
        if part is not None:
            yield from self._named(parts.reads.get(part.path, ()))

    def _callers(self, parts: Parts, path: str) -> Iterator[Change]:
        part = parts.holding(path)
        if part is not None:
            calling = parts.callers.get(part.path, frozenset())
            yield from self._named(calling)
            for caller in calling:
                yield from self._named(parts.reads.get(caller, ()))

    # statements

    def _chain(self, parts: Parts, path: str, span: p.Span | None) -> tuple[Any, ...]:
        """The heads of the statements around a place, outermost first; last its own."""
        part = parts.holding(path)
        if part is None or span is None:
            return ()
        if id(part) not in self._chains:
            self._chains[id(part)] = dict(_heads(part))
        return self._chains[id(part)].get(span, ())


def _other_cards(first: First) -> bool:
    """Whether the same happens on both sides with other cards, or other cards can be chosen."""
    left, right = first.left, first.right
    return left is not None and right is not None and left.kind == right.kind


def _heads(part: Part) -> Iterator[tuple[p.Span, tuple[Any, ...]]]:
    for node in part.nodes:
        body = getattr(node, "body", None)
        if not isinstance(body, tuple):
            yield from _within(node, ())
            continue
        when = getattr(node, "when", None)  # of a hook
        around = () if when is None else (_Head(when, None),)
        for stmt in body:
            yield from _within(stmt, around)


@frozen(eq=False)
class _Head:
    """What a statement says before its body."""

    content: Any
    origin: p.Origin | None
    span: None = None


def _within(node: Any, around: tuple[Any, ...]) -> Iterator[tuple[p.Span, tuple[Any, ...]]]:
    """A statement's place with the heads around it; then what it holds."""
    chain = (*around, _head(node))
    origin = getattr(node, "origin", None)
    if origin is not None:
        yield origin.span, chain
    match node:
        case p.Choose(branches=branches):
            for branch in branches:
                inner = (*chain, _head(branch))
                yield branch.origin.span, inner
                for stmt in branch.body:
                    yield from _within(stmt, inner)
        case p.If() | p.AtOnce() | p.Repeat() | p.Each() | p.Turn() | p.While() | p.GoRound():
            for stmt in children(node):
                yield from _within(stmt, chain)
        case _:
            pass


def _head(node: Any) -> Any:
    """A node without the statements in it."""
    match node:
        case p.If():
            return evolve(node, then=(), otherwise=())
        case p.Choose():
            return evolve(node, branches=tuple(_head(branch) for branch in node.branches))
        case p.AtOnce():
            return _Head(node.players, node.origin)
        case p.Branch() | p.Repeat() | p.Each() | p.Turn() | p.While() | p.GoRound():
            return evolve(node, body=())
        case _:
            return node
