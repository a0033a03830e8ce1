"""What happened, in sentences for the screen: a game's records in the words of a language.

The records come from a recorder for the person looking, so nothing here has to be hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from attrs import frozen

from cli.words import Words
from interpreter.trace.records import HIDDEN

Record: TypeAlias = dict[str, Any]


@frozen
class Line:
    """A line for the screen: what kind of event it tells, and its text."""

    kind: str
    text: str


def tell(records: Iterable[Record], words: Words) -> list[Line]:
    """The lines for some records. Named moments tell nobody anything and are left out."""
    lines = []
    for record in _gathered(records):
        sentence = _SENTENCES.get(record["event"])
        if sentence is not None:
            lines.append(Line(record["event"], sentence(record, words)))
    return lines


def _gathered(records: Iterable[Record]) -> list[Record]:
    """The records, with a deal told once for each place: moves in a row, of one rule and from one
    place, are one for each place they go to."""
    told: list[Record] = []
    deal: dict[str, Record] = {}
    before: tuple[Any, ...] = ()
    for record in _revealed(list(records)):
        now: tuple[Any, ...] = ()
        if record["event"] == "move":
            now = (record["from"], record["rule"])
        if not now or now != before:
            deal = {}
        before = now
        same = deal.get(record["to"]) if now else None
        if same is not None and (same["cards"] is None) == (record["cards"] is None):
            if same["cards"] is None:
                same["count"] += record["count"]
            else:
                same["cards"] = same["cards"] + record["cards"]
            continue
        record = dict(record)
        if now:
            deal[record["to"]] = record
        told.append(record)
    return told


def _revealed(records: list[Record]) -> list[Record]:
    """The records without answers in secret that are shown together later on."""
    kept: list[Record] = []
    shown: set[str] = set()
    for record in reversed(records):
        if record["event"] == "reveal" and "choice" in record:
            shown.add(record["choice"])
        elif record.get("secret") and record["choice"] in shown:
            continue
        kept.append(record)
    return kept[::-1]


def cards_text(cards: Iterable[str] | None, count: int, words: Words) -> str:
    """Cards by name, or how many where they are not shown."""
    if cards is None:
        return words.cards(count)
    return ", ".join(cards) or words("nothing")


def _phase(r: Record, words: Words) -> str:
    label = r["label"]
    return str(r["value"]) if label == "phase" else f"{label} {r['value']}"


def _shuffle(r: Record, words: Words) -> str:
    return words("shuffled", place=r["place"], cards=words.cards(r["count"]))


def _move(r: Record, words: Words) -> str:
    cards = cards_text(r["cards"], r.get("count", 0), words)
    return words("moved", source=r["from"], target=r["to"], cards=cards)


def _pay(r: Record, words: Words) -> str:
    what = words.amount(r["amount"], r["token"])
    if r["from"] is None:
        return words("gained", target=r["to"], what=what)
    if r["to"] is None:
        return words("lost", source=r["from"], what=what)
    return words("paid", source=r["from"], target=r["to"], what=what)


def _mark(r: Record, words: Words) -> str:
    key = "marked" if r["on"] else "unmarked"
    return words(key, who=r["player"] or words("table"), mark=r["mark"])


def _track(r: Record, words: Words) -> str:
    name = r["name"] if r["player"] is None else f"{r['name']} {r['player']}"
    return words("tracked", name=name, value=value_text(r["value"], words))


def value_text(value: Any, words: Words) -> str:
    """A tracked value."""
    if value is None:
        return words("nothing")
    if isinstance(value, bool):
        return words("yes" if value else "no")
    if isinstance(value, dict):
        return f"{value['shape']} {', '.join(value['cards'])}"
    return str(value)


def _role(r: Record, words: Words) -> str:
    roles = (f"{who} {role or words('none')}" for who, role in r["roles"].items())
    return words("roles", roles=", ".join(roles))


def _reveal(r: Record, words: Words) -> str:
    if "answers" in r:
        answers = ", ".join(f"{who} {taken['label']}" for who, taken in r["answers"].items())
        return words("answers", name=r["name"], answers=answers)
    return words("revealed", place=r["place"], cards=cards_text(r["cards"], 0, words))


def _choice(r: Record, words: Words) -> str:
    if r.get("forced"):
        return words("only", player=r["player"], name=r["name"], label=r["taken"]["label"])
    label = r["taken"]["label"].removesuffix(HIDDEN).rstrip()
    if not label:
        return words("chose unseen", player=r["player"], name=r["name"])
    return words("chose", player=r["player"], name=r["name"], label=label)


_SENTENCES: dict[str, Callable[[Record, Words], str]] = {
    "phase": _phase,
    "shuffle": _shuffle,
    "move": _move,
    "pay": _pay,
    "mark": _mark,
    "track": _track,
    "role": _role,
    "reveal": _reveal,
    "choice": _choice,
}
