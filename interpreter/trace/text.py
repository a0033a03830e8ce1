"""The text format: one event a line, indented under headings; no numbering, ids or times.

    # rules trace 1
    # ruleset NAME.rules
    # set option=value            one line an option that is not at its default
    # players 4
    # seed 7                      not in a view
    # bots steady                 or P1=greedy,P2=random,…
    # view P2                     only in a view

    = phase turns
    == round 1
    === turn P1
      deck -> hand of P1: knight [T11]
      P1 turn: play knight (forced) [T11]
    = end
      P1: 12 points (victory_points 7, coins_left 5)
      winners: P1

A game that a rule stops ends in `= stopped` and a line with the message's code and words. The trace
of a game that is not over, kept on purpose, ends in `= so far`.
Cards that a view does not show are counted, other things it does not show are `?`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dsl.amounts import amount
from dsl.diagnostics import RulesError
from interpreter.trace.records import VERSION, Header, Record

TITLE = "# rules trace"
STOPPED = "= stopped"
SO_FAR = "= so far"


def header(head: Header) -> str:
    """The header's lines, and the empty line that ends it."""
    lines = [f"{TITLE} {VERSION}", f"# ruleset {head.ruleset}"]
    lines += [f"# set {name}={value}" for name, value in head.options]
    lines.append(f"# players {head.players}")
    if head.seed is not None:
        lines.append(f"# seed {head.seed}")
    lines.append(f"# bots {head.bots}")
    if head.view is not None:
        lines.append(f"# view {head.view}")
    return "\n".join(lines) + "\n\n"


def stopped(error: RulesError) -> str:
    """The end of a trace whose game stops at a rule that can't be carried out."""
    found = error.diagnostics[0]
    return f"{STOPPED}\n  {found.code}: {' '.join(found.message.split())}\n"


def so_far() -> str:
    """The end of a trace whose game is not over, and was kept as it stood."""
    return f"{SO_FAR}\n"


def lines(record: Record) -> str:
    """The line of a record (the end of a game takes several), with its line break."""
    return "".join(line + "\n" for line in _LINES[record["event"]](record))


def _tags(record: Record) -> str:
    tags = record.get("tags")
    return f" [{', '.join(tags)}]" if tags else ""


def _line(record: Record, text: str) -> list[str]:
    return [f"  {text}{_tags(record)}"]


def _phase(r: Record) -> list[str]:
    return [f"{'=' * r['depth']} {r['label']} {r['value']}"]


def _shuffle(r: Record) -> list[str]:
    return _line(r, f"shuffle {r['place']}: {amount(r['count'], 'card')}")


def _move(r: Record) -> list[str]:
    return _line(r, f"{r['from']} -> {r['to']}: {shown_cards(r)}")


def shown_cards(record: Record, card: str = "card") -> str:
    """The cards of a record, or how many there are."""
    cards = record["cards"]
    return amount(record["count"], card) if cards is None else listing(cards)


def _pay(r: Record) -> list[str]:
    what, source, target = amount(r["amount"], r["token"]), r["from"], r["to"]
    if source is None:
        return _line(r, f"{target} gains {what}")
    if target is None:
        return _line(r, f"{source} loses {what}")
    return _line(r, f"{source} pays {what} to {target}")


def _mark(r: Record) -> list[str]:
    whom = "" if r["player"] is None else f"{r['player']} "
    return _line(r, f"{'mark' if r['on'] else 'unmark'} {whom}{r['mark']}")


def _track(r: Record) -> list[str]:
    whose = "" if r["player"] is None else f" of {r['player']}"
    return _line(r, f"{r['name']}{whose} = {in_words(r['value'])}")


def _role(r: Record) -> list[str]:
    return _line(
        r, "roles: " + ", ".join(f"{who} {role or '-'}" for who, role in r["roles"].items())
    )


def _reveal(r: Record) -> list[str]:
    if "answers" in r:
        answers = "; ".join(f"{who} {option['label']}" for who, option in r["answers"].items())
        return _line(r, f"reveal {r['name']}: {answers}")
    return _line(r, f"reveal {r['place']}: {listing(r['cards'])}")


def _choice(r: Record) -> list[str]:
    marks = " (forced)" if r.get("forced") else ""
    marks += " (secret)" if r.get("secret") else ""
    return _line(r, f"{r['player']} {r['name']}: {r['taken']['label']}{marks}")


def _moment(r: Record) -> list[str]:
    return _line(r, f"moment {r['name']}")


def _end(r: Record) -> Iterator[str]:
    yield "= end"
    for who, points in r["points"].items():
        parts = ", ".join(f"{name} {value}" for name, value in r["scoring"][who].items())
        yield f"  {who}: {amount(points, 'point')}" + (f" ({parts})" if parts else "")
    yield f"  winners: {', '.join(r['winners'])}"


_LINES = {
    "phase": _phase,
    "shuffle": _shuffle,
    "move": _move,
    "pay": _pay,
    "mark": _mark,
    "track": _track,
    "role": _role,
    "reveal": _reveal,
    "choice": _choice,
    "moment": _moment,
    "end": _end,
}


def listing(things: Sequence[str]) -> str:
    """Cards, separated by commas."""
    return ", ".join(things) or "nothing"


def in_words(value: Any) -> str:
    """A tracked value."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return f"{value['shape']} {listing(value['cards'])}"
    return str(value)
