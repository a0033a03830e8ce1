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
    r"(?P<STRING>\"[^\"\n]*\")|(?P<BAD>\d+[^\W\d]\w*|\d{10,}|\"[^\n]*)|(?P<DECIMAL>\d+\.\d+)"
    r"|(?P<NUMBER>\d+)"
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


class _Accepts:
    """What the parser can go on with.

    Its tables say so by the state alone, and states are shared: behind `x ja "…"` a track's type
    stands, but in the same state of the table another line would go on with `number 1..3`. So where
    a word of the language and a name are both in the table, `takes` asks the states below, too.
    """

    def __init__(self, parser_state: Any):
        self.state = parser_state
        self.states: dict[Any, dict[str, Any]] = parser_state.parse_conf.states
        self.table: dict[str, Any] = {}

    def now(self) -> _Accepts:
        self.table = self.states[self.state.position]
        return self

    def __contains__(self, kind: str) -> bool:
        return kind in self.table

    def takes(self, kind: str) -> bool:
        """Whether a word of this kind can really stand here, not only by the table."""
        if kind not in self.table:
            return False
        if "NAME" not in self.table:
            return True
        stack = list(self.state.state_stack)
        while True:
            action = self.states[stack[-1]].get(kind)
            if action is None:
                return False
            _, rule = action
            if not hasattr(rule, "expansion"):
                return True
            if rule.expansion:
                del stack[-len(rule.expansion) :]
            stack.append(self.states[stack[-1]][rule.origin.name][1])


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
        accepts = _Accepts(parser_state)
        at = 0
        while at < len(pieces):
            piece = pieces[at]
            kind, used, content = self.name(pieces, at, accepts.now())
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

    def name(self, pieces: list[Piece], at: int, accepts: _Accepts) -> tuple[str, int, str]:
        """A token's type, how many pieces it takes, and its text."""
        piece = pieces[at]
        text = piece.text
        if piece.kind in ("NUMBER", "STRING"):
            return piece.kind, 1, text
        if piece.kind == "DECIMAL" and "DECIMAL" in accepts:
            return "DECIMAL", 1, text
        if text in ("noise", "chance") and not _is_number(pieces, at + 1):
            return "NAME", 1, text
        if text == "top" and not _is_top_of(pieces, at + 1):
            return "NAME", 1, text
        if piece.kind == "WORD":
            following = pieces[at + 1] if at + 1 < len(pieces) else None
            return self.name_word(text, following, accepts)
        if text[0] == "," and len(text) > 1:
            text = ", then"
        known = self.words.get(text)
        if piece.kind in ("BAD", "DECIMAL") or known is None:
            raise Unreadable(piece)
        return next((kind for kind in known if kind in accepts), known[0]), 1, text

    def name_word(
        self, text: str, following: Piece | None, accepts: _Accepts
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
            if accepts.takes(kind):
                return kind, 1, text
        return (known[0] if text in RESERVED and known else "NAME"), 1, text


def _is_number(pieces: list[Piece], at: int) -> bool:
    return at < len(pieces) and pieces[at].kind in ("NUMBER", "DECIMAL")


def _is_top_of(pieces: list[Piece], at: int) -> bool:
    """Whether `top` goes on as in `top of deck` or `top 2 of deck`; else it is a name, as of a
    track. The parser would have to know that before it has read as far."""
    if at < len(pieces) and pieces[at].kind == "NUMBER":
        return True
    if at < len(pieces) and pieces[at].text == "(":
        depth = 0
        while at < len(pieces):
            depth += {"(": 1, ")": -1}.get(pieces[at].text, 0)
            at += 1
            if depth == 0:
                break
    elif at < len(pieces) and pieces[at].kind == "WORD" and pieces[at].text != "of":
        at += 1
    return at < len(pieces) and pieces[at].text == "of"


def words_of(terminals: Iterable[Any]) -> dict[str, list[str]]:
    """The terminals of the grammar by the words and signs they stand for."""
    found: dict[str, list[str]] = {}
    for terminal in terminals:
        if terminal.name in ("NAME", "NUMBER", "DECIMAL", "STRING", "LANG"):
            continue
        pattern = terminal.pattern
        texts = [pattern.value] if pattern.type == "str" else _alternatives(pattern.value)
        for text in texts:
            found.setdefault(text, []).append(terminal.name)
    return found


def _is_language(text: str, accepts: _Accepts) -> bool:
    return "LANG" in accepts and len(text) == 2 and text.isascii() and text.islower()


def _alternatives(pattern: str) -> list[str]:
    """The texts of a terminal that is a choice of texts, from the pattern Lark makes of it."""
    inner = pattern.removeprefix("(?:").removesuffix(")")
    return [re.sub(r"\\(.)", r"\1", text) for text in inner.split("|")]
