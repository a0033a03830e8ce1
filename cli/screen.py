"""Where play is shown: as plain lines, or with colours on a terminal.

Imported by `rules play` alone; rich only when there is a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import click

from cli import table as tables
from cli.story import Line
from cli.table import Table
from cli.words import Words

_DIM = {"move", "pay", "mark", "track", "shuffle"}


class Screen(Protocol):
    """What `rules play` shows things with."""

    def table(self, table: Table) -> None: ...
    def news(self, title: str, lines: Sequence[Line]) -> None: ...
    def options(self, title: str, labels: Sequence[str], numbered: bool) -> None: ...
    def say(self, text: str) -> None: ...
    def clear(self) -> None: ...


class PlainScreen:
    """Lines of text, for pipes and files."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def table(self, table: Table) -> None:
        click.echo("\n" + tables.plain(table, self._words))

    def news(self, title: str, lines: Sequence[Line]) -> None:
        if title and lines:
            click.echo(title)
        for line in lines:
            click.echo(f"= {line.text}" if line.kind == "phase" else f"  {line.text}")

    def options(self, title: str, labels: Sequence[str], numbered: bool) -> None:
        click.echo(title)
        for number, label in enumerate(labels, 1):
            click.echo(f"  {number:>2}  {label}" if numbered else f"      {label}")

    def say(self, text: str) -> None:
        click.echo(text)

    def clear(self) -> None:
        return None


class RichScreen:
    """A terminal."""

    def __init__(self, words: Words) -> None:
        from rich.console import Console

        self._words = words
        self._console = Console(highlight=False)

    def table(self, table: Table) -> None:
        from rich.box import SIMPLE_HEAD
        from rich.table import Table as Grid
        from rich.text import Text

        title = f"[bold]{_plain(table.title)}[/] · {_plain(table.where)}"
        self._console.rule(title if table.where else f"[bold]{_plain(table.title)}[/]")
        grid = Grid(box=SIMPLE_HEAD, pad_edge=False, header_style="dim")
        columns = _columns(table)
        grid.add_column(Text(self._words("player")))
        for column in columns:
            grid.add_column(Text(column or self._words("role")))
        for seat in table.seats:
            name = f"{'▶' if seat.asked else ' '} {seat.player}"
            if seat.you:
                name += f" ({self._words('you')})"
            found = {"": seat.role, " ": ", ".join(seat.marks)}
            found |= {pair.name: pair.text for pair in (*seat.tokens, *seat.places)}
            style = "bold" if seat.you else ""
            grid.add_row(Text(name, style), *(Text(found.get(c, ""), style) for c in columns))
        self._console.print(grid)
        if table.shared:
            shared = " · ".join(f"[dim]{_plain(q.name)}[/] {_plain(q.text)}" for q in table.shared)
            self._console.print(shared)
        for pair in table.known:
            known = self._words("known", cards=pair.text)
            self._console.print(Text(f"{pair.name}: {known}", "dim"))
        for pair in table.own:
            label = self._words("yours", place=pair.name)
            self._console.print(f"{_plain(label)}: [bold cyan]{_plain(pair.text)}[/]")

    def news(self, title: str, lines: Sequence[Line]) -> None:
        from rich.text import Text

        if title and lines:
            self._console.print(Text(title, "dim"))
        for line in lines:
            if line.kind == "phase":
                self._console.print(Text(f"  {line.text}", "bold magenta"))
            else:
                self._console.print(Text(f"    {line.text}", "dim" if line.kind in _DIM else ""))

    def options(self, title: str, labels: Sequence[str], numbered: bool) -> None:
        from rich.text import Text

        self._console.print(Text(title, "bold"))
        for number, label in enumerate(labels, 1):
            text = Text(f"  {number:>2}  " if numbered else "      ", "bold green")
            self._console.print(text.append(label, "default not bold"))

    def say(self, text: str) -> None:
        from rich.text import Text

        self._console.print(Text(text))

    def clear(self) -> None:
        self._console.clear()


def _columns(table: Table) -> list[str]:
    """The columns some seat fills: role (""), tokens and places by name, marks (" ")."""
    columns = [""] if any(seat.role for seat in table.seats) else []
    for seat in table.seats:
        for pair in (*seat.tokens, *seat.places):
            if pair.name not in columns:
                columns.append(pair.name)
    if any(seat.marks for seat in table.seats):
        columns.append(" ")
    return columns


def _plain(text: str) -> str:
    from rich.markup import escape

    return escape(text)
