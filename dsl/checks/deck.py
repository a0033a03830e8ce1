"""Decks that can't be dealt: cards counted through setup, for each number of players and with each
option at its default and, one at a time, at the ends of its range."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from attrs import define, field

from dsl import program as p
from dsl.amounts import many
from dsl.context import Context
from dsl.walk import walk

MAX_CARDS = 1000
MAX_STEPS = 10_000


@define(eq=False)
class Table:
    """One setting: number of players, options; and how many cards lie where, as far as known."""

    program: p.Program
    players: int
    options: dict[str, int | bool | str]
    cards: dict[str, int] = field(factory=dict)
    vars: dict[int, int] = field(factory=dict)
    steps: int = 0


class Unknown(Exception):
    """From here on the course of the game decides."""


@define(eq=False)
class Short(Exception):
    """A place that holds fewer cards than are taken."""

    origin: p.Origin
    place: str
    have: int
    need: int


def too_many_cards(program: p.Program, c: Context) -> None:
    for table in tables(program):
        total = total_cards(table)
        if total is not None and (total > MAX_CARDS or total < 1) and program.kinds:
            most = max(program.kinds.values(), key=lambda kind: _of_kind(kind, table))
            span = most.origin.span
            message = f"{with_setting(table, program)}, there are {total:,} cards"
            note = f"a game has 1 to {MAX_CARDS:,} cards"
            c.findings.error("R0407", message, span, note)
            return


def short_decks(program: p.Program, c: Context) -> None:
    told: set[int] = set()
    for table in tables(program):
        try:
            for body in (program.setup, program.phases[0].body if program.phases else ()):
                run(body, table)
        except Unknown:
            continue
        except Short as short:
            if id(short.origin) in told:
                continue
            told.add(id(short.origin))
            message = (
                f"{with_setting(table, program)}, {short.need} cards are taken from "
                f"`{short.place}`, which holds {short.have}"
            )
            hint = "deal less, or put more cards in the box"
            if table.players > program.players[0]:
                hint += ", or allow fewer players"
            spans = why(table, program, c)
            c.findings.error("R0406", message, short.origin.span, suggestion=hint, related=spans)


def why(table: Table, program: p.Program, c: Context) -> list[tuple[p.Span, str]]:
    """What allows this setting: the line of the players, and the option that was changed."""
    found: list[tuple[p.Span, str]] = []
    game = c.symbols.game
    if game is not None and table.players > program.players[0]:
        found += [(x.span, "so many may play") for x in game.players[-1:]]
    usual = defaults(program, table.players)
    for name, setting in table.options.items():
        if setting != usual[name] and name in c.symbols.options:
            found.append((c.symbols.options[name].span, "so it may be set"))
    return found


def with_setting(table: Table, program: p.Program) -> str:
    usual = defaults(program, table.players)
    changed = [f"`{k}` {v}" for k, v in table.options.items() if v != usual[k]]
    players = many(table.players, "player")
    return f"with {' and '.join([players, *changed])}"


# ── settings ─────────────────────────────────────────────────────────────────────────────────


def tables(program: p.Program) -> Iterator[Table]:
    """The settings to try, the usual ones first; of options, those that numbers of cards need."""
    counts = range(program.players[0], program.players[1] + 1)
    for players in counts:
        yield Table(program, players, defaults(program, players))
    relevant = _options_of_numbers(program)
    for players in counts:
        for name, option in program.options.items():
            if option.kind != "number" or name not in relevant:
                continue
            for end in (option.lo, option.hi):
                if end is not None:
                    yield Table(program, players, defaults(program, players) | {name: end})


def defaults(program: p.Program, players: int) -> dict[str, int | bool | str]:
    found: dict[str, int | bool | str] = {}
    for name, option in program.options.items():
        settings = dict(option.default)
        found[name] = settings.get(players, settings.get(0, 0))
    return found


def _options_of_numbers(program: p.Program) -> set[str]:
    roots: list[object] = [program.setup, *(kind.copies for kind in program.kinds.values())]
    roots += [(a.lo, a.hi) for a in program.attributes.values()]
    roots += [phase.body for phase in program.phases[:1]]
    return {node.name for root in roots for node in walk(root) if isinstance(node, p.OptionRef)}


# ── counting ─────────────────────────────────────────────────────────────────────────────────


def number(expr: p.Expr, table: Table) -> int:
    """A number that is known before the game; Unknown if it isn't."""
    match expr:
        case p.Const(value=int(value)):
            return value
        case p.OptionRef(name=name):
            setting = table.options[name]
            if isinstance(setting, int):
                return setting
        case p.PlayerCount():
            return table.players
        case p.VarRef(var=var) if var.id in table.vars:
            return table.vars[var.id]
        case p.Unary(op="-", operand=operand):
            return -number(operand, table)
        case p.Binary(op=op, left=left, right=right) if op in ARITHMETIC:
            return ARITHMETIC[op](number(left, table), number(right, table))
    raise Unknown


ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b if b else 0,
    "/^": lambda a, b: -(-a // b) if b else 0,
    "min": lambda a, b: min(a, b),
    "max": lambda a, b: max(a, b),
}


def known_number(expr: p.Expr, table: Table) -> int | None:
    """A number that is known before the game, or None if it isn't."""
    with suppress(Unknown):
        return number(expr, table)
    return None


def total_cards(table: Table) -> int | None:
    try:
        return sum(_of_kind(kind, table) for kind in table.program.kinds.values())
    except Unknown:
        return None


def _of_kind(kind: p.CardKind, table: Table) -> int:
    """How many cards of a kind there are; Unknown if that can't be told."""
    if isinstance(kind.copies, tuple):
        copies = sum(max(number(each.copies, table), 0) for each in kind.copies)
        combined = kind.attributes[:-1]
    else:
        copies, combined = number(kind.copies, table), kind.attributes
    for name in combined:
        attribute = table.program.attributes[name]
        if attribute.lo is None or attribute.hi is None:
            copies *= len(attribute.values)
        else:
            copies *= max(number(attribute.hi, table) - number(attribute.lo, table) + 1, 0)
    return max(copies, 0)


def how_many(players: p.Expr, table: Table) -> int:
    match players:
        case p.Players(after=after):
            return table.players - (1 if after else 0)
    raise Unknown


def run(body: tuple[p.Stmt, ...], table: Table) -> None:
    """Follow statements as long as it is certain what they do to the numbers of cards."""
    for statement in body:
        table.steps += 1
        if table.steps > MAX_STEPS:
            raise Unknown
        step(statement, table)


def step(statement: p.Stmt, table: Table) -> None:
    match statement:
        case p.Shuffle(source=source, place=place):
            if source is not None:
                taken = take_all(source, table)
                table.cards[key(place)] = table.cards.get(key(place), 0) + taken
        case p.Deal(count=count, source=source, players=players, origin=origin):
            take(source, number(count, table) * how_many(players, table), origin, table)
        case p.Move(cards=p.Top(place=place, count=count), to=to, origin=origin):
            each = 1 if count is None else number(count, table)
            take(place, each, origin, table)
            if to.player is None:
                table.cards[to.place] = table.cards.get(to.place, 0) + each
        case p.Repeat(count=count, body=body, var=var):
            for turn in range(1, number(count, table) + 1):
                table.vars[var.id] = turn
                run(body, table)
        case p.Each(source=p.Players() as players, body=body):
            for _ in range(how_many(players, table)):
                run(body, table)
        case p.SetVar(var=var, value=value):
            table.vars.pop(var.id, None)
            with suppress(Unknown):
                table.vars[var.id] = number(value, table)
        case p.SetMark() | p.SetTrack() | p.MoveTokens() | p.PassRoles() | p.Reveal():
            pass
        case _:
            raise Unknown


def key(place: p.PlaceRef) -> str:
    if place.player is not None:
        raise Unknown
    return place.place


def take(place: p.PlaceRef, need: int, origin: p.Origin, table: Table) -> None:
    have = table.cards.get(key(place), 0)
    if need > have:
        raise Short(origin, place.place, have, need)
    table.cards[place.place] = have - need


def take_all(source: p.Expr, table: Table) -> int:
    match source:
        case p.AllCards():
            table.cards.clear()
            total = total_cards(table)
            if total is not None:
                return total
        case p.CardsIn(places=places) if all(isinstance(x, p.PlaceRef) for x in places):
            found = 0
            for place in places:
                if isinstance(place, p.PlaceRef):
                    found += table.cards.pop(key(place), 0)
            return found
    raise Unknown
