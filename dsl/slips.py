"""Says in a designer's words why a line can't be read. Used by `dsl.parse`.

The parser only knows the state it stopped in and the word it stopped at. `EXAMPLES` pairs broken
lines with what to say about them: a line that stops in the same state at the same kind of word has
the same slip. Where no example fits, the message names what the line could have gone on with. Each
example is also a test.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

from attrs import frozen
from lark.exceptions import UnexpectedToken

from dsl.diagnostics import Findings
from dsl.layout import Line
from dsl.lexer import Piece, Unreadable, split, words_of
from dsl.program import Span
from dsl.slip_example import SIGNS, Example
from dsl.slip_examples import A_RULE, EXAMPLES, INDENT_RULES, NO_COLON
from dsl.suggest import did_you_mean, nearest, singulars, word_meant
from dsl.synonyms import meant
from dsl.table import line_parser
from dsl.vocabulary import BY_WORD, ORDER_WORDS, RESERVED, SECTION_WORDS, STATEMENT_WORDS

MANY = 1_000_000  # more lines than a file can have

# What a line could go on with, in words. Terminals that stand for a single word are shown as it.
CALLED = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a text in quotes",
    "ORDER": "`most`, `fewest`, `highest` …",
    "COLON": "`:`",
    "COMMA": "`,`",
    "EQUAL": "`=`",
    "LPAR": "`(`",
    "RPAR": "`)`",
}
# If the first of these could follow, so could any other beginning of an expression.
BEGINS_VALUE = frozenset(("LPAR", "MINUS"))
VALUE_STARTS = frozenset(
    ("NAME", "NUMBER", "STRING", "LPAR", "MINUS", "ORDER", "OWNER", "COUNT", "SUM", "EVERY")
) | frozenset(
    ("FIRST", "THE", "ANY", "NO", "TOP", "ALL", "IF", "NOT", "DECIMAL", "NOISE", "CHANCE")
)
# Lines that begin with the name of what they declare, and words that are in none.
NAMING = frozenset(
    ("option_item", "card_item", "place_item", "token_item", "mark_item", "track_item")
) | frozenset(("shape_item", "scoring_item"))
NOT_IN_NAMES = RESERVED | {"player", "face", "private", "ja", "one"}
# What can nearly always follow, and so says nothing about what is missing.
GOES_ON = (
    frozenset(
        ("PLUS", "MINUS", "TIMES", "DIVIDE", "COMPARE", "EQUAL", "AND", "OR", "IS", "NOT", "EXISTS")
    )
    | frozenset(
        ("EXCEPT", "OF", "IN", "WHERE", "WITH", "BY", "CLOCKWISE", "LANG", "LPAR", "ROUNDED", "AS")
    )
    | frozenset(("ELSE", "$END"))
)


@frozen
class Signature:
    """Where the parser stopped, and at what kind of word."""

    state: Any
    token: str


def explain(
    slip: Unreadable | UnexpectedToken, line: Line, start: str, file: str, findings: Findings
) -> None:
    """Report why a line can't be read."""
    if isinstance(slip, Unreadable):
        explain_piece(slip.piece, file, findings)
    else:
        explain_token(slip, line, start, file, findings)


def explain_piece(piece: Piece, file: str, findings: Findings) -> None:
    """A sign, number or text that is none of the language."""
    end = piece.column + len(piece.text)
    span = Span(file, piece.line, piece.column, piece.line, end)
    text = piece.text
    if text[0] == '"':
        findings.error("R0114", "this text is never closed", span, suggestion='end it with `"`')
        return
    if text[0].isdigit():
        if "." in text:
            message = f"`{text}`: numbers are whole"
            findings.error("R0111", message, span)
            return
        if text.isdigit():
            message = "a number has at most 9 digits"
            findings.error("R0102", message, span, suggestion="write a smaller one")
            return
        findings.error("R0111", f"`{text}`: a name can't begin with a digit", span)
        return
    hint = SIGNS.get(text) or SIGNS.get(text[0], "")
    findings.error("R0111", f"`{text}` means nothing here", span, suggestion=hint)


def explain_token(
    slip: UnexpectedToken, line: Line, start: str, file: str, findings: Findings
) -> None:
    """A word where none of its kind can stand, or a line that ends too early."""
    token = slip.token
    span = token_span(token, line, file)
    open_text = next((x for x in split(line.text, line.line) if is_open(x.text)), None)
    if open_text is not None:
        explain_piece(open_text, file, findings)
        return
    if open_parenthesis(slip, line, file, findings) or needless_colon(token, line, span, findings):
        return
    words = surroundings(token, line)
    if unquoted(line, start, file, findings) or two_words(token, line, start, file, findings):
        return
    same = examples().get(signature(slip), ())
    found = next((example for example in same if example.fits(**words)), None)
    if not (found and found.at_first) and misspelled(token, line, start, file, findings):
        return
    if found is not None:
        hint = found.suggestion.format(**words)
        if found.at_first:
            hint = word_meant(words["first"], SECTION_WORDS)
            end = line.column + len(words["first"])
            span = Span(file, line.line, line.column, line.line, end)
        findings.error(found.code, found.message.format(**words), span, suggestion=hint)
        return
    general(slip, line, start, span, findings)


def is_open(text: str) -> bool:
    """Whether this is the beginning of a text in quotes that has no end."""
    return text[:1] == '"' and (len(text) == 1 or text[-1] != '"')


def general(slip: UnexpectedToken, line: Line, start: str, span: Span, findings: Findings) -> None:
    """What can be said about any line: what stands there, what could."""
    token = slip.token
    text, accepts = str(token), set(slip.accepts or ())
    before = previous(line, token)
    if token.type == "$END":
        wanted = expected(accepts)
        message = "this line isn't finished"
        if wanted:
            message += f": after {before} there has to be {wanted}"
        findings.error("R0112", message, span)
        return
    if token.type == "STRING" and "LANG" in accepts:
        message = "in which language? Texts in another one begin with two letters"
        findings.error("R0113", message, span, suggestion=f"`ja {text}`")
        return
    if start == "statement" and not_an_action(line, span, findings):
        return
    if not before and start == "statement":
        findings.error(
            "R0113",
            f"no rule begins with `{text}`",
            span,
            "a rule begins with what is done: `move`, `draw`, `choose`, `if`, `each player` …",
        )
        return
    if start == "top" and not before and text in STATEMENT_WORDS:
        findings.error("R0116", A_RULE.format(first=text), span, suggestion=INDENT_RULES)
        return
    if text in RESERVED and "NAME" in accepts and not BEGINS_VALUE & accepts:
        message = f"`{text}` is a word of the language, so it can't be a name"
        findings.error("R0115", message, span)
        return
    if text == ")" and line.text.count("(") < line.text.count(")"):
        findings.error("R0114", "no parenthesis was opened for this one", span)
        return
    wanted = expected(accepts)
    where = f"after {before}" if before else "at the beginning of a line"
    message = f"`{text}` doesn't fit {where}"
    if wanted:
        message += f"; {wanted} could stand here"
    elif "$END" in accepts:
        message += "; the line could end here"
    hint = did_you_mean(text, candidates(accepts, start, bool(before)))
    findings.error("R0113", message, span, suggestion=hint)


def not_an_action(line: Line, span: Span, findings: Findings) -> bool:
    """A line that begins with two names is read as an action, and is seldom meant as one."""
    pieces = split(line.text, line.line)
    if len(pieces) < 2 or pieces[0].kind != "WORD" or pieces[1].kind not in ("WORD", "NUMBER"):
        return False
    first, second = pieces[0].text, pieces[1].text
    if first in STATEMENT_WORDS | RESERVED or second in RESERVED:
        return False
    done = next((form for form in singulars(second) if form in STATEMENT_WORDS), None)
    findings.error(
        "R0113",
        f"`{first}` is read as an action, and the values behind an action are divided by commas",
        span,
        "a rule begins with what is done: `move`, `gain`, `choose`, `if`, `each player` …",
        suggestion=f"what is done comes first: `{done} {first} …`" if done else "",
    )
    return True


def open_parenthesis(slip: UnexpectedToken, line: Line, file: str, findings: Findings) -> bool:
    """A parenthesis that is never closed makes a line go on over the next ones; say where it is."""
    if "RPAR" not in (slip.accepts or ()):
        return False
    still_open: list[Piece] = []
    for piece in split(line.text, line.line):
        if piece.text == "(":
            still_open.append(piece)
        elif piece.text == ")" and still_open:
            still_open.pop()
    if not still_open:
        return False
    at = still_open[-1]
    span = Span(file, at.line, at.column, at.line, at.column + 1)
    findings.error("R0114", "this parenthesis is never closed", span, suggestion="add `)`")
    return True


def needless_colon(token: Any, line: Line, span: Span, findings: Findings) -> bool:
    """A `:` at the end of a line, as other languages have it."""
    if str(token) != ":" or not line.text.rstrip().endswith(":"):
        return False
    if line.text.strip().startswith("choose ") and not line.children:
        return False
    findings.error("R0117", "no `:` is needed here", span, suggestion=NO_COLON)
    return True


def unquoted(line: Line, start: str, file: str, findings: Findings) -> bool:
    """What something is called in Japanese, without the quotes: `deck ja 山札 face down pile`."""
    for language, text in pairwise(split(line.text, line.line)):
        if language.text != "ja" or text.kind != "WORD" or language.line != text.line:
            continue
        if stop(replaced(line, text, f'"{text.text}"'), start) is None:
            span = Span(file, text.line, text.column, text.line, text.column + len(text.text))
            message = "what it is called in Japanese stands in quotes"
            findings.error("R0118", message, span, suggestion=f'`ja "{text.text}"`')
            return True
    return False


def two_words(token: Any, line: Line, start: str, file: str, findings: Findings) -> bool:
    """A name of several words, or with `-` in it: written as one, the line can be read."""
    pieces = split(line.text, line.line)
    at = 1 if start == "top" and pieces[0].text in ("phase", "value", "bot") else 0
    if not at and (start not in NAMING or (start == "card_item" and ":" not in line.text)):
        return _with_a_dash(token, pieces, line, start, file, findings)
    for end in range(at + 2, min(at + 6, len(pieces)) + 1):
        parts = [piece for piece in pieces[at:end] if piece.text != "-"]
        words = [piece.text for piece in parts]
        if any(piece.kind != "WORD" for piece in parts) or set(words[1:]) & NOT_IN_NAMES:
            break
        if len(parts) > 1 and one_name(pieces[at], pieces[end - 1], words, line, start, findings):
            return True
    return False


def _with_a_dash(
    token: Any, pieces: list[Piece], line: Line, start: str, file: str, findings: Findings
) -> bool:
    """`when P1 go-home`"""
    here = (token.line, token.column)
    at = next((i for i, piece in enumerate(pieces) if (piece.line, piece.column) == here), 0)
    if str(token) != "-" or not 0 < at < len(pieces) - 1:
        return False
    left, right = pieces[at - 1], pieces[at + 1]
    if left.kind != "WORD" or right.kind != "WORD" or start == "statement":
        return False
    return one_name(left, right, [left.text, right.text], line, start, findings)


def one_name(
    first: Piece, last: Piece, words: list[str], line: Line, start: str, findings: Findings
) -> bool:
    """Report some words as one name, if the line can be read with that."""
    name = "_".join(words)
    end = last.column + len(last.text)
    if first.line != last.line or stop(replaced(line, first, name, end), start) is not None:
        return False
    span = Span(line.file, first.line, first.column, first.line, end)
    message = "a name is one word, without spaces or `-`"
    findings.error("R0113", message, span, suggestion=f"`{name}`")
    return True


def misspelled(token: Any, line: Line, start: str, file: str, findings: Findings) -> bool:
    """A word of the language with a slip of the pen: written right, the line can be read."""
    at = (token.line, token.column) if token.type != "$END" else (line.line + MANY, 0)
    pieces = split(line.text, line.line)
    before = [p for p in pieces if p.kind == "WORD" and (p.line, p.column) <= at]
    known = [word for words in keywords().values() for word in words] + list(ORDER_WORDS)
    right = {*known, *BY_WORD}  # `they` is no slip for `the`
    for piece in [*reversed(before[-3:]), *before[:1]]:
        if piece.text in right:
            continue
        guesses = [*meant(piece.text), nearest(piece.text, known)]
        for guess in guesses:
            if guess is not None and stop(replaced(line, piece, guess), start) is None:
                not_a_word(piece, guess, file, findings)
                return True
    return False


def not_a_word(piece: Piece, guess: str, file: str, findings: Findings) -> None:
    span = Span(file, piece.line, piece.column, piece.line, piece.column + len(piece.text))
    message, hint = f"`{piece.text}` is no word of the language", f"did you mean `{guess}`?"
    if not piece.text.isascii():
        message, hint = "words of the language are English", f"this one is `{guess}`"
    findings.error("R0113", message, span, suggestion=hint)


def replaced(line: Line, piece: Piece, word: str, end: int = 0) -> str:
    """A line's text with another word for a piece, or for all from there to the column `end`."""
    rows = line.text.split("\n")
    row, start = piece.line - line.line, piece.column - 1
    rows[row] = rows[row][:start] + word + rows[row][(end or piece.column + len(piece.text)) - 1 :]
    return "\n".join(rows)


def candidates(accepts: set[str], start: str, inside: bool) -> list[str]:
    found = [word for kind in accepts for word in keywords().get(kind, ())]
    if not inside:
        found += STATEMENT_WORDS if start == "statement" else SECTION_WORDS
    if "ORDER" in accepts:
        found += ORDER_WORDS
    return found


def expected(accepts: set[str]) -> str:
    """What could stand here, in words; "" if too many things could to be of help."""
    names: list[str] = []
    rest = set(accepts)
    if BEGINS_VALUE & rest and "NAME" in rest:
        names.append("a value")
        rest -= VALUE_STARTS
    meaningful = rest - GOES_ON
    for kind in sorted(meaningful):
        known = keywords().get(kind, ())
        names += [f"`{word}`" for word in known] if known else [CALLED.get(kind, "")]
    names = list(dict.fromkeys(name for name in names if name))
    if not names and "$END" not in rest and len(rest) <= 3:
        names = [CALLED.get(kind, f"`{kind.lower()}`") for kind in sorted(rest - {"LANG"})]
    if not names or len(names) > 5:
        return ""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def previous(line: Line, token: Any) -> str:
    """The piece before a token, quoted; "" at the beginning of the line."""
    pieces = split(line.text, line.line)
    if token.type == "$END":
        return f"`{pieces[-1].text}`"
    before = [p for p in pieces if (p.line, p.column) < (token.line, token.column)]
    return f"`{before[-1].text}`" if before else ""


def surroundings(token: Any, line: Line) -> dict[str, str]:
    """The words of a line around the one it stops at, for messages."""
    pieces = split(line.text, line.line)
    before = [p.text for p in pieces if (p.line, p.column) < (token.line, token.column)]
    after = [p.text for p in pieces if (p.line, p.column) > (token.line, token.column)]
    if token.type == "$END":
        before, after = [p.text for p in pieces], []
    return {
        "found": str(token),
        "first": first_word(line).rstrip(":"),
        "before": before[-1] if before else "",
        "after": after[0] if after else "…",
        "so_far": " ".join(before),
    }


def first_word(line: Line) -> str:
    return line.text.strip().split(" ")[0].split("\n")[0]


def token_span(token: Any, line: Line, file: str) -> Span:
    if token.type == "$END":
        parts = line.text.split("\n")
        row, end = line.line + len(parts) - 1, len(parts[-1].rstrip()) + 1
        return Span(file, row, end, row, end + 1)
    return Span(file, token.line, token.column, token.end_line, token.end_column)


def signature(slip: UnexpectedToken) -> Signature:
    state: Any = slip.state
    return Signature(state.position, slip.token.type)


@cache
def keywords() -> dict[str, tuple[str, ...]]:
    """The words a terminal stands for."""
    found: dict[str, tuple[str, ...]] = {}
    for word, kinds in words_of(line_parser().terminals).items():
        for kind in kinds:
            if word[0].isalpha():
                found[kind] = (*found.get(kind, ()), word)
    found.pop("ORDER", None)
    return found


@cache
def examples() -> dict[Signature, list[Example]]:
    """Examples by where the parser stops in them."""
    found: dict[Signature, list[Example]] = {}
    for example in EXAMPLES:
        for text in example.lines:
            stopped = stop(text, example.start)
            if stopped is not None:
                found.setdefault(stopped, []).append(example)
    return found


def stop(text: str, start: str) -> Signature | None:
    """Where the parser stops in a broken line; None if it doesn't."""
    try:
        line_parser().parse(f"1\n{text}", start=start)
    except UnexpectedToken as slip:
        return signature(slip)
    except Unreadable:
        return None
    return None
