"""`rules new`: a ruleset of one's own to begin with, small and plain or a copy of a bundled one."""

from __future__ import annotations

import re
from pathlib import Path

import click

from cli.common import FOUND, FilePath, examples, find, misuse, write_file

_SHEET = re.compile(r'(?m)^( +sheet +")([^"\n]+)(")')


@click.command(epilog=examples("rules new my-game.rules", "rules new my-{a} --from {a}"))
@click.argument("file", type=FilePath())
@click.option(
    "--from",
    "source",
    metavar="RULESET",
    help="Copy this ruleset, with the sheet it cites, instead of beginning with a small game.",
)
def command(file: Path, source: str | None) -> None:
    """Write a ruleset of your own to FILE: a small game with comments, or a copy (--from).

    What is there already is never overwritten.
    """
    if file.suffix != ".rules":
        stem = file.stem if file.stem and not file.stem.startswith(".") else "my"
        misuse(f"{file}: a ruleset's name ends in .rules, for instance {stem}.rules")
    texts = {file: START} if source is None else copies(find(source), file)
    for path in texts:
        if path.exists() or path.is_symlink():
            misuse(f"{path} is there already; give another name, or move it away first")
        if path.parent.exists() and not path.parent.is_dir():
            misuse(f"{path.parent} is no folder")
    for path, text in texts.items():
        write_file(path, text)
        click.echo(f"written: {path}")
    click.echo(f"Now: rules check {file}, rules play {file}")


def copies(ruleset: Path, file: Path) -> dict[Path, str]:
    """The files of a copy: the sheet that the ruleset cites, which comes to lie beside the copy
    and is named after it, and the ruleset with its `sheet` line led there."""
    text = _read(ruleset)
    found = _SHEET.search(text)
    if found is None:
        return {file: text}
    sheet = ruleset.parent / found[2]
    if not sheet.is_file():
        return {file: text}
    beside = file.with_suffix(sheet.suffix)
    text = f"{text[: found.start(2)]}{beside.name}{text[found.end(2) :]}"
    return {file: text, beside: _read(sheet)}


def _read(path: Path) -> str:
    from dsl import files

    try:
        return files.text(path).removeprefix("\ufeff")
    except UnicodeDecodeError:
        click.echo(f"Error: {path} can't be copied: it is not UTF-8 text", err=True)
        raise click.exceptions.Exit(FOUND) from None


START = """\
# A small game to begin with. Play it with `rules play`, change a line, and see what that does.
# Lines that begin with # are notes for people.

game "My game"
  players 2..4

# What a table may set: `rules play … --set rounds=3`.
options
  rounds  4  in 1..6

# What is in the box.
cards
  suit  red, blue, green
  rank  1..9
  number: 1 of each suit and rank

# Where cards lie, and who sees them.
places
  deck             face down pile
  hand of player   private hand
  shown of player  face up row

# What is counted, and how much of it there is at the start.
tokens
  coin of player  1

setup
  shuffle all cards into deck
  deal 5 from deck to every hand

# In each round, each player in turn shows a card, or pays a coin to draw one.
phase turns
  repeat rounds as round
    each player as turn
      choose act
        show card from hand
          move it to shown
        draw when coins >= 1 and deck is not empty
          lose 1 coin
          move top of deck to hand

# The best red card, and a point for each coin left.
scoring
  best = highest rank over cards in shown where suit = red
  kept = coins

winner most points, then fewest cards in hand, then draw

# An example is a test: `rules test` plays it.
example "drawing costs a coin"
  with 2 players
  given P1 has 1 coin, top of deck is blue 9
    hand of P1 is red 3
  when P1 draws
  then P1 has no coins
    hand of P1 is red 3, blue 9

example "the best red card counts"
  with 2 players
  given hand of P1 is red 3, shown of P1 is red 2, blue 9
  when P1 shows red 3
  then P1 has 4 points
"""
