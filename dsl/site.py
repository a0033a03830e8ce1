"""Where in the rules a statement stands: its path and the tags it inherits.

A path is what variants address and traces name: `<block>/<choice>` for a choice,
`<block>/<choice>/<way>` for one of its ways, and for any other statement that of the innermost way
it lies in, or else of its block.
"""

from __future__ import annotations

from attrs import evolve, frozen

from dsl.layout import Tag
from dsl.program import Origin, Span


@frozen(eq=False)
class Site:
    """`block` is the path of the block, `path` that of the innermost way of a choice."""

    block: str
    path: str
    tags: tuple[str, ...] = ()

    def origin(self, span: Span, tags: tuple[Tag, ...], path: str = "") -> Origin:
        return Origin(path or self.path, span, self.tags_with(tags))

    def inside(self, tags: tuple[Tag, ...], path: str = "") -> Site:
        """The site of what is indented below a line with these tags."""
        return evolve(self, path=path or self.path, tags=self.tags_with(tags))

    def tags_with(self, tags: tuple[Tag, ...]) -> tuple[str, ...]:
        return tuple(tag.text for tag in tags) or self.tags


def site(block: str, tags: tuple[Tag, ...]) -> Site:
    return Site(block, block, tuple(tag.text for tag in tags))
