"""The words of one logical line, named by what the parser can go on with.

Lark's own contextual lexer builds a regular expression for each of the parser's states, which takes
longer than reading a whole ruleset. This one splits a line once and asks the parser's state only
what a word may be: a word of the language where the line can go on with it, else a name. Used by
`dsl.parse`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from lark import Token
from lark.lexer import Lexer, LexerState

from dsl.vocabulary import RESERVED

_PIECE = re.compile(
    r"(?P<STRING>\"[^\"\n]*\")|(?P<BAD>\d+[^\W\d]\w*|\d+\.\d+|\"[^\n]*)|(?P<NUMBER>\d+)"
    r"|(?P<WORD>[^\W\d]\w*)|(?P<OTHER>,\s*then\b|\.\.|!=|<=|>=|=>|=<|==|\S)"
)


class Piece(NamedTuple):
    kind: str
    text: str
    line: int
    column: int


class Unreadable(Exception):
    """A piece that is no word, number, text or sign of the language."""

    def __init__(self, piece: Piece):
        self.piece = piece
        super().__init__(piece.text)


def split(text: str, line: int) -> list[Piece]:
    """The pieces of a logical line that starts on physical line `line`."""
    pieces, start = [], 0
    for part in text.split("\n"):
        for found in _PIECE.finditer(part):
            pieces.append(Piece(found.lastgroup or "", found[0], line, found.start() + 1))
        line, start = line + 1, start + len(part) + 1
    return pieces


class LineLexer(Lexer):
    """Lark's interface to `split`. The number of the first line goes in front of the text."""

    __future_interface__ = 1

    def __init__(self, conf: Any):
        self.words = words_of(conf.terminals)
        self.pairs = {
            text.split()[0]: text for text in self.words if text[0] != "," and " " in text
        }

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        source = getattr(lexer_state.text, "text", lexer_state.text)  # a str up to Lark 1.2
        head, _, text = str(source).partition("\n")
        pieces = split(text, int(head))
        states = parser_state.parse_conf.states
        at = 0
        while at < len(pieces):
            piece = pieces[at]
            following = pieces[at + 1] if at + 1 < len(pieces) else None
            kind, used, content = self.name(piece, following, states[parser_state.position])
            last = pieces[at + used - 1]
            at += used
            yield Token(
                kind,
                content,
                line=piece.line,
                column=piece.column,
                end_line=last.line,
                end_column=last.column + len(last.text),
            )

    def name(
        self, piece: Piece, following: Piece | None, accepts: dict[str, Any]
    ) -> tuple[str, int, str]:
        """A token's type, how many pieces it takes, and its text."""
        text = piece.text
        if piece.kind in ("NUMBER", "STRING"):
            return piece.kind, 1, text
        if piece.kind == "WORD":
            return self.name_word(text, following, accepts)
        if text[0] == "," and len(text) > 1:
            text = ", then"
        known = self.words.get(text)
        if piece.kind == "BAD" or known is None:
            raise Unreadable(piece)
        return next((kind for kind in known if kind in accepts), known[0]), 1, text

    def name_word(
        self, text: str, following: Piece | None, accepts: dict[str, Any]
    ) -> tuple[str, int, str]:
        pair = self.pairs.get(text)
        if pair is not None and following is not None and f"{text} {following.text}" == pair:
            for kind in self.words[pair]:
                if kind in accepts:
                    return kind, 2, pair
        if following is not None and following.kind == "STRING" and _is_language(text, accepts):
            return "LANG", 1, text
        known = self.words.get(text, ())
        for kind in known:
            if kind in accepts:
                return kind, 1, text
        return (known[0] if text in RESERVED and known else "NAME"), 1, text


def words_of(terminals: Iterable[Any]) -> dict[str, list[str]]:
    """The terminals of the grammar by the words and signs they stand for."""
    found: dict[str, list[str]] = {}
    for terminal in terminals:
        if terminal.name in ("NAME", "NUMBER", "STRING", "LANG"):
            continue
        pattern = terminal.pattern
        texts = [pattern.value] if pattern.type == "str" else _alternatives(pattern.value)
        for text in texts:
            found.setdefault(text, []).append(terminal.name)
    return found


def _is_language(text: str, accepts: dict[str, Any]) -> bool:
    return "LANG" in accepts and len(text) == 2 and text.isascii() and text.islower()


def _alternatives(pattern: str) -> list[str]:
    """The texts of a terminal that is a choice of texts, from the pattern Lark makes of it."""
    inner = pattern.removeprefix("(?:").removesuffix(")")
    return [re.sub(r"\\(.)", r"\1", text) for text in inner.split("|")]
