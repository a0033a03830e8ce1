"""The corpus of wrong rulesets: what was slipped, and what is to be said. Used by the tests of the
front end and by `docs.generate`.

`tests/wrong/NAME.txt` is a whole ruleset, a line of dashes that ends in the lines the slip is in
(or that miss what was left out), and the messages. `tests/wrong/real/NAME.txt` is a slip in one of
the rulesets that come with the program (copies without tags stand beside them): which, what was
changed, and the messages.
"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

from dsl import vocabulary

FOLDER = Path(__file__).parent / "wrong"
REAL = FOLDER / "real"
_SEPARATOR = re.compile(r"\n-{40}(?: ([\d ]+))?\n")
_WORD = re.compile(r"[^\W\d]\w*")


@frozen(eq=False)
class Case:
    """A wrong ruleset. `slips`: lines of it that a message may point to, or beside them."""

    path: Path
    source: str
    slips: frozenset[int]
    messages: str
    head: str  # the case's text above the messages
    base: str = ""  # the ruleset it is a slip in

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def file(self) -> str:
        return f"{self.base or self.name}.rules"


def cases() -> list[Case]:
    found = [_whole(path) for path in sorted(FOLDER.glob("*.txt"))]
    return found + [_real(path) for path in sorted(REAL.glob("*.txt"))]


def _whole(path: Path) -> Case:
    text = path.read_text(encoding="utf-8")
    found = _SEPARATOR.search(text)
    assert found is not None, f"{path}: no line of dashes"
    slips = frozenset(int(number) for number in (found[1] or "").split())
    head = text[: found.end()]
    return Case(path, text[: found.start()] + "\n", slips, text[found.end() :], head)


def _real(path: Path) -> Case:
    text = path.read_text(encoding="utf-8")
    found = _SEPARATOR.search(text)
    assert found is not None, f"{path}: no line of dashes"
    first, *changes = text[: found.start()].split("\n")
    base = first.removeprefix("in ").removesuffix(".rules")
    before = (REAL / f"{base}.rules").read_text(encoding="utf-8")
    source, slips = changed(before, changes)
    return Case(path, source, slips, text[found.end() :], text[: found.end()], base)


def changed(before: str, changes: list[str]) -> tuple[str, frozenset[int]]:
    """A ruleset after a change, written as in a diff (` ` kept, `-` taken out, `+` put in), and the
    lines a message about it may point to: those put in, those beside what was taken out, and those
    that name what is gone."""
    old = "".join(f"{line[1:]}\n" for line in changes if line[:1] in ("-", " "))
    new = "".join(f"{line[1:]}\n" for line in changes if line[:1] in ("+", " "))
    assert before.count(old) == 1, f"stands {before.count(old)} times:\n{old}"
    at = before.index(old)
    source = before[:at] + new + before[at + len(old) :]
    line = before[:at].count("\n") + 1
    slips: set[int] = set()
    for change in changes:
        if change[:1] == "-":
            slips |= {line - 1, line}
        else:
            slips |= {line} if change[:1] == "+" else set()
            line += 1
    if any(change[:1] == "-" and change[1:2].strip() for change in changes):
        slips.add(source[: source.index("game")].count("\n") + 1)  # the ruleset lacks a block
    gone = _names(changes, "-") - _names(changes, "+")
    for number, text in enumerate(source.split("\n"), 1):
        if gone & _words(text):
            slips.add(number)
    return source, frozenset(slips)


def _names(changes: list[str], sign: str) -> set[str]:
    """The names in lines taken out or put in, without words of the language other than names of
    blocks."""
    found: set[str] = set()
    for change in changes:
        if change[:1] == sign:
            found |= _words(change[1:]) - set(vocabulary.BY_WORD)
            indent = len(change[1:]) - len(change[1:].lstrip())
            if indent <= 2:  # it may declare something of such a name
                found |= _words(" ".join(change[1:].split()[: 1 if indent else 2]))
    return found


def _words(text: str) -> set[str]:
    """Names in a text, each also without the `s` of a plural."""
    found = set(_WORD.findall(re.sub(r'"[^"]*"|#.*', "", text)))
    return found | {word[:-1] for word in found if word.endswith("s")}
