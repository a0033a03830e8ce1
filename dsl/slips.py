"""Slips."""

from typing import Any

from dsl.diagnostics import Findings
from dsl.lexer import Piece
from dsl.program import Span


def explain_piece(piece: Piece, file: str, findings: Findings) -> None:
    findings.error(
        "R0111",
        f"can't read `{piece.text}`",
        Span(file, piece.line, piece.column, piece.line, piece.column + len(piece.text)),
    )


def explain_token(
    slip: Any, line: Any, start: str, file: str, findings: Findings, parser: Any
) -> None:
    t = slip.token
    findings.error(
        "R0112",
        f"unexpected {t.type} {t!s} in {start}; {sorted(slip.accepts)}",
        Span(file, t.line, t.column or 1, t.line, (t.column or 1) + len(t)),
    )
