"""Numbers that can't be right and are known before the first game: more at the start than a holder
may hold, fewer than none moved, a negative number of cards, more numbers than anybody could go
through. Where play would stop in each game, so does `rules check`.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import program as p
from dsl.checks.deck import Table, defaults, known_number, tables, with_setting
from dsl.context import Context
from dsl.walk import everything, walk


def amounts(program: p.Program, c: Context) -> None:
    """Errors in numbers that are written out, or that follow from options and players."""
    for table in tables(program):
        _copies(program, table, c)
        if table.options == defaults(program, table.players):  # another setting is refused in play
            _starts(program, table, c)
    for node in everything(program):
        match node:
            case p.MoveTokens():
                _moved(program, node, c)
            case p.MoveRandom():
                _random(program, node, c)
            case p.PickNumber(lo=lo, hi=hi):
                _numbers(program, lo, hi, c)


def _copies(program: p.Program, table: Table, c: Context) -> None:
    for name, kind in program.kinds.items():
        said: list[tuple[p.Expr, str, p.Span]] = []
        if isinstance(kind.copies, tuple):
            last = program.attributes[kind.attributes[-1]]
            said += [(each.copies, called(last, each), each.span) for each in kind.copies]
        else:
            said.append((kind.copies, name, kind.origin.span))
        for expr, what, span in said:
            copies = known_number(expr, table)
            if copies is not None and copies < 0:
                message = f"{with_setting(table, program)}, there are {copies} copies of `{what}`"
                hint = "0 is the fewest; `max(…, 0)` goes no lower"
                _once(c, "R0411", message, span, hint)
        _values_there(program, kind, table, c)


def _values_there(program: p.Program, kind: p.CardKind, table: Table, c: Context) -> None:
    """Copies of numbers that cards don't have with these options."""
    if not isinstance(kind.copies, tuple):
        return
    attribute = program.attributes[kind.attributes[-1]]
    if attribute.lo is None or attribute.hi is None:
        return
    low, high = known_number(attribute.lo, table), known_number(attribute.hi, table)
    for each in kind.copies:
        if low is None or high is None or low <= int(str(each.value.value)) <= high:
            continue
        message = f"{with_setting(table, program)}, no {attribute.names.name} is {each.value.value}"
        related = [(attribute.origin.span, f"they go from {low} to {high} then")]
        hint = "widen the range, or take these copies out"
        _once(c, "R0236", message, each.span, hint, related)


def called(attribute: p.Attribute, counted: p.Counted) -> str:
    """The value whose copies are counted."""
    value = int(str(counted.value.value))
    return attribute.values[value].names.name if attribute.values else str(value)


def _starts(program: p.Program, table: Table, c: Context) -> None:
    for name, holder in program.holders.items():
        start = known_number(holder.start, table)
        limit = None if holder.limit is None else known_number(holder.limit, table)
        if start is None or limit is None or start <= limit:
            continue
        message = f"{with_setting(table, program)}, `{name}` starts with {_amount(start)}, "
        message += f"but may hold at most {_amount(limit)}"
        _once(c, "R0803", message, holder.origin.span, "start with less, or raise the limit")


def _moved(program: p.Program, node: p.MoveTokens, c: Context) -> None:
    amount = _written_out(program, node.amount)
    if amount is None or amount >= 0:
        return
    source, target = node.source.holder is not None, node.target.holder is not None
    way = f"`lose {-amount} {node.token}`" if target and not source else ""
    way = f"`gain {-amount} {node.token}`" if source and not target else way
    hint = way or f"move {-amount} the other way"
    message = f"{amount} {node.token} can't be moved: that is fewer than none"
    _once(c, "R0411", message, node.amount.span, hint)


def _random(program: p.Program, node: p.MoveRandom, c: Context) -> None:
    count = _written_out(program, node.count)
    if count is not None and count < 1:
        message = f"{count} cards are picked, so none moves"
        _once(c, "R0411", message, node.count.span, "pick 1 or more, or take the line out")


def _numbers(program: p.Program, lo: p.Expr, hi: p.Expr, c: Context) -> None:
    low, high = _written_out(program, lo), _written_out(program, hi)
    if low is None or high is None or high - low < p.MOST_NUMBERS:
        return
    message = f"these are the numbers from {low} to {_amount(high)}: more than {p.MOST_NUMBERS:,}"
    hint = "offer fewer, for instance `number 0..min(coins, 20)`"
    _once(c, "R0909", message, hi.span, hint)


def _written_out(program: p.Program, expr: p.Expr) -> int | None:
    """A number that no option and no number of players changes."""
    if any(isinstance(node, p.OptionRef | p.PlayerCount) for node in walk(expr)):
        return None
    return known_number(expr, Table(program, program.players[0], {}))


def _amount(number: int) -> str:
    return "endless" if number >= p.ENDLESS else str(number)


def _once(
    c: Context,
    code: str,
    message: str,
    span: p.Span,
    hint: str,
    related: Sequence[tuple[p.Span, str]] = (),
) -> None:
    """Told for the first setting in which it is so."""
    key = f"{code} {span.line}:{span.column}"
    if key not in c.told:
        c.told.add(key)
        c.findings.error(code, message, span, suggestion=hint, related=related)
