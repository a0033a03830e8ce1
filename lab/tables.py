"""Tables of results: as data, and as plain text.

Reports are made of tables; the commands print them, write them as JSON, or draw them. A cell is a
text, a number, an `Estimate` (a figure with its interval), or None where there is nothing to say.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import field, frozen

from lab.numbers import Estimate

Cell = str | int | float | bool | Estimate | None


@frozen
class Column:
    """kind: "text", "count", "number", "share" (of 1, shown per cent), "p" (a p value)."""

    name: str
    heading: str
    kind: str = "number"


@frozen
class Table:
    """Rows under columns. `name` is what it is called in data, `note` what must be known of it."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: list[tuple[Cell, ...]] = field(factory=list)
    note: str = ""
    shares: frozenset[int] = frozenset()  # rows whose estimates are shares, whatever the column

    def data(self) -> dict[str, Any]:
        """The table as JSON can hold it."""
        names = [column.name for column in self.columns]
        return {
            "title": self.title,
            "rows": [
                {name: _plain(cell) for name, cell in zip(names, row, strict=True)}
                for row in self.rows
            ],
            **({"note": self.note} if self.note else {}),
        }

    def text(self) -> str:
        """The table as aligned lines of text."""
        headings = [column.heading for column in self.columns]
        cells = [headings] if any(headings) else []
        for number, row in enumerate(self.rows):
            share = number in self.shares
            cells.append(
                [
                    shown(cell, "share" if share and isinstance(cell, Estimate) else column.kind)
                    for cell, column in zip(row, self.columns, strict=True)
                ]
            )
        kinds = [column.kind for column in self.columns]
        lines = [self.title, *(f"  {line}" for line in aligned(cells, kinds))]
        if self.note:
            lines += [f"  {line}" for line in self.note.split("\n")]
        return "\n".join(lines)


def _plain(cell: Cell) -> Any:
    if isinstance(cell, Estimate):
        return {key: _finite(value) for key, value in cell.data().items()}
    return _finite(cell)


def _finite(value: Any) -> Any:
    """JSON has no infinity."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def aligned(rows: Sequence[Sequence[str]], kinds: Sequence[str]) -> list[str]:
    """Cells in columns two blanks apart; texts to the left, the rest to the right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        parts = []
        for cell, size, kind in zip(row, widths, kinds, strict=True):
            gap = " " * (size - width(cell))
            parts.append(cell + gap if kind == "text" else gap + cell)
        lines.append("  ".join(parts).rstrip())
    return lines


def width(text: str) -> int:
    """Columns a text takes on a terminal: East Asian letters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def shown(cell: Cell, kind: str) -> str:
    """A cell in words."""
    if cell is None:
        return "–" if kind != "text" else ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Estimate):
        return _estimate(cell, kind)
    if kind == "share":
        return f"{100 * cell:.1f} %"
    if kind == "p":
        return "<0.001" if cell < 0.001 else f"{cell:.3f}"
    if isinstance(cell, int):
        return signed(f"{cell:,}")
    return signed(f"{cell:.{decimals(abs(cell) / 100)}f}")


def _estimate(cell: Estimate, kind: str) -> str:
    factor = 100 if kind == "share" else 1
    value, low, high = (factor * x for x in (cell.value, cell.low, cell.high))
    sign = " %" if kind == "share" else ""
    if not math.isfinite(low):
        return f"{signed(f'{value:.2f}')}{sign} (?)"
    places = decimals(high - low or (abs(value) / 100 if value % 1 else 0))
    places = max(1, places) if kind == "share" else places
    figure, least, most = (signed(f"{x:.{places}f}") for x in (value, low, high))
    return f"{figure}{sign} ({least}–{most})"


def decimals(spread: float) -> int:
    """Decimals that show two digits of a spread."""
    if spread <= 0:
        return 0
    return min(4, max(0, 1 - math.floor(math.log10(spread))))


def signed(text: str) -> str:
    """A real minus sign, and none before zero."""
    if text.startswith("-"):
        return text[1:] if not text.strip("-0.,") else "−" + text[1:]
    return text


def span(low: int, high: int) -> str:
    """A value, or values from one to another."""
    return signed(str(low)) if low == high else f"{signed(str(low))}–{signed(str(high))}"


def bars(pairs: Iterable[tuple[str, int]], size: int = 40) -> list[str]:
    """A histogram as lines of text."""
    pairs = list(pairs)
    most = max((times for _, times in pairs), default=0)
    whole = sum(times for _, times in pairs)
    if not most:
        return []
    wide = max(width(label) for label, _ in pairs)
    lines = []
    for label, times in pairs:
        eighths = round(8 * size * times / most)
        full, rest = divmod(eighths, 8)
        bar = "█" * full + ("▏▎▍▌▋▊▉"[rest - 1] if rest else "")
        gap = " " * (wide - width(label))
        lines.append(f"{gap}{label}  {100 * times / whole:5.1f} %  {bar}".rstrip())
    return lines
