"""Pages of the reference as data: their sections and fenced blocks.

Used by `docs.generate` and by the tests, which run the blocks.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

REFERENCE = Path(__file__).with_name("reference")
BESIDE = ("../reviews.md", "../git.md")
"""Pages that stand beside the reference; their blocks are run like its own."""
OTHER_PAGES = (
    *BESIDE,
    "README.md",
    "words.md",
    "codes.md",
    "commands.md",
    "lab.md",
    "traces.md",
    "chance.md",
    "python.md",
)
"""Pages that are not about how rules are written."""
_FENCE = re.compile(r"^(`{3,})([^`]*)$")
_HEADING = re.compile(r"^(#{1,4}) (.+?)\s*$")
_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


@frozen(eq=False)
class Fence:
    """A fenced block. `line` is that of its opening fence, `end` of its closing one, from 1.

    The info string holds the language, then words and `key=value` settings: `rules part error`,
    `rules run players=3 seed=1`.
    """

    page: str
    line: int
    end: int
    lang: str
    words: tuple[str, ...]
    settings: Mapping[str, str]
    text: str
    anchor: str

    @property
    def where(self) -> str:
        return f"{self.page}:{self.line}"


@frozen(eq=False)
class Section:
    """A heading and what stands below it up to the next one, however deep."""

    page: str
    title: str
    depth: int
    anchor: str
    text: str

    @property
    def code(self) -> list[str]:
        """The pieces of the title in code style: what the section is about."""
        return _CODE.findall(self.title)


@frozen(eq=False)
class Page:
    name: str
    title: str
    text: str
    sections: tuple[Section, ...]
    fences: tuple[Fence, ...]

    @property
    def anchors(self) -> set[str]:
        return {section.anchor for section in self.sections}

    def teaching(self, word: str) -> list[Section]:
        """Sections whose title has a word of the language in code style."""
        if self.name in OTHER_PAGES:
            return []
        return [s for s in self.sections if any(uses(piece, word) for piece in s.code)]

    @property
    def links(self) -> list[str]:
        """Targets of links outside fenced blocks."""
        return [t for section in self.sections for t in _LINK.findall(_prose(section.text))]


def names() -> list[str]:
    """All pages by name: the index, then the others in the order in which it first links them."""
    index = (REFERENCE / "README.md").read_text(encoding="utf-8")
    order = [target.partition("#")[0] for target in _LINK.findall(_prose(index))]
    found = sorted(path.name for path in REFERENCE.glob("*.md") if path.name != "README.md")
    found.sort(key=lambda name: order.index(name) if name in order else len(order))
    return ["README.md", *found, *BESIDE]


def read(name: str, text: str | None = None) -> Page:
    """A page by its name; `text` instead of what the file holds."""
    source = (REFERENCE / name).read_text(encoding="utf-8") if text is None else text
    lines = source.split("\n")
    fences: list[Fence] = []
    heads: list[tuple[int, int, str, str]] = []  # line, depth, title, anchor
    taken: dict[str, int] = {}
    opened: tuple[int, str, str] | None = None
    for number, line in enumerate(lines, 1):
        fence = _FENCE.match(line)
        if opened is not None:
            if fence is not None and fence[1] == opened[1] and not fence[2].strip():
                anchor = heads[-1][3] if heads else ""
                fences.append(_fence(name, opened, number, lines, anchor))
                opened = None
        elif fence is not None:
            opened = (number, fence[1], fence[2])
        elif (head := _HEADING.match(line)) is not None:
            anchor = slug(head[2])
            count = taken[anchor] = taken.get(anchor, -1) + 1
            heads.append((number, len(head[1]), head[2], f"{anchor}-{count}" if count else anchor))
    if opened is not None:
        raise ValueError(f"{name}:{opened[0]}: this block is never closed")
    ends = [head[0] - 1 for head in heads[1:]] + [len(lines)]
    sections = tuple(
        Section(name, title, depth, anchor, "\n".join(lines[number - 1 : end]))
        for (number, depth, title, anchor), end in zip(heads, ends, strict=True)
    )
    title = sections[0].title if sections else name
    return Page(name, title, source, sections, tuple(fences))


def _fence(
    page: str, opened: tuple[int, str, str], end: int, lines: list[str], anchor: str
) -> Fence:
    line, _, info = opened
    lang, *rest = shlex.split(info) or [""]
    pairs = dict(word.split("=", 1) for word in rest if "=" in word)
    words = tuple(word for word in rest if "=" not in word)
    text = "".join(f"{content}\n" for content in lines[line : end - 1])
    return Fence(page, line, end, lang, words, pairs, text, anchor)


def slug(title: str) -> str:
    """The anchor GitHub gives a heading."""
    kept = [char for char in title.lower() if char.isalnum() or char in " -_"]
    return "".join(kept).replace(" ", "-")


def _prose(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


# ── words ────────────────────────────────────────────────────────────────────────────────────

_WORD = re.compile(r"\w+|[!<>]=|\.\.|\S")


def uses(text: str, word: str) -> bool:
    """Whether a rules text has a word of the language (of two words: one after the other)."""
    for line in text.splitlines():
        bare = re.sub(r'"[^"]*"|#.*|\[[^\]]*\]\s*$', " ", line)
        pieces, wanted = _WORD.findall(bare), _WORD.findall(word)
        size = len(wanted)
        if any(pieces[i : i + size] == wanted for i in range(len(pieces) - size + 1)):
            return True
    return False
