"""Examples of broken lines, and signs of other languages. Used by `dsl.slips`."""

from __future__ import annotations

import re

from attrs import frozen

# Signs that other languages and keyboards have, and what to write instead.
SIGNS = {
    "==": "write `=` to ask whether two things are equal",
    "=>": "write `>=`",
    "=<": "write `<=`",
    "!": "write `not`",
    "&": "write `and`",
    "|": "write `or`",
    ".": "write `size of hand`, not `hand.size`",
    "'": "write `hand of p`, not `p's hand`; texts stand in double quotes",
    "[": "clause tags stand at the end of a line: `[T14]`",
    "]": "clause tags stand at the end of a line: `[T14]`",
    ";": "one line is one statement; nothing ends it",
    "{": "what belongs to a line is indented below it",
    "}": "what belongs to a line is indented below it",
    "“": 'texts stand in straight quotes: `"…"`',
    "”": 'texts stand in straight quotes: `"…"`',
    "「": 'texts stand in straight quotes: `"…"`',
    "」": 'texts stand in straight quotes: `"…"`',
    "–": "a range is written with two dots: `2..4`; a difference with `-`",
    "—": "a range is written with two dots: `2..4`",
    "~": "a range is written with two dots: `2..4`",
    "〜": "a range is written with two dots: `2..4`",
    "‥": "a range is written with two dots: `2..4`",
    "…": "a range is written with two dots: `2..4`",
    "・": "a list has commas: `赤、青、白` or `赤, 青, 白`",
    "。": "a line ends without a `。`",
    "%": "there are no percentages; write a number",
}


@frozen(eq=False)
class Example:
    """`lines` stop the parser where `message` is true. `only`: it speaks of these words alone;
    `behind`: of lines where this is found before it."""

    start: str
    lines: tuple[str, ...]
    code: str
    message: str
    suggestion: str = ""
    only: tuple[str, ...] = ()
    at_first: bool = False  # underline the first word of the line; it may be a slip of the pen
    behind: str = ""

    def fits(self, found: str, so_far: str, **_: str) -> bool:
        return (not self.only or found in self.only) and bool(re.search(self.behind, so_far))
