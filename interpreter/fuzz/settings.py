"""Which player counts and options to play with: each count as it is, each option at its ends, then
mixes of everything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from dsl import program as p
from interpreter.contract import default, flips, within

Options = Mapping[str, int | bool | str]
Setting = tuple[int, Options]
"""A player count, and the options that are not at their default."""


def settings(
    program: p.Program, players: int | None, fixed: Options, rng: Random
) -> Iterator[Setting]:
    """Settings without end, plain ones first; `players` and `fixed` options stay as they are."""
    low, high = program.players
    counts = list(range(low, high + 1)) if players is None else [players]
    for count in counts:
        yield count, fixed
    free = {name: decl for name, decl in program.options.items() if name not in fixed}
    flipped = [(name, value) for name, decl in free.items() for value in flips(decl, counts[0])]
    rng.shuffle(flipped)
    for name, value in flipped:
        yield rng.choice(counts), {**fixed, name: value}
    while True:
        count = rng.choice(counts)
        mixed = {name: _value(decl, count, rng) for name, decl in free.items()}
        changed = {
            name: value for name, value in mixed.items() if value != default(free[name], count)
        }
        yield count, {**fixed, **changed}


def _value(decl: p.OptionDecl, players: int, rng: Random) -> int | bool | str:
    """An option's usual value, one of its ends, or any in its range."""
    kind, numbers = rng.random(), within(decl)
    ends = flips(decl, players)
    if kind < 0.4 or not ends:
        return default(decl, players)
    if kind < 0.7 or numbers is None:
        return rng.choice(ends)
    return rng.choice(numbers)
