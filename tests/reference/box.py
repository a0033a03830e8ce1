"""Short ways to write nodes of the typed core by hand, and the parts of an invented game's box.

Used by tests that build Programs without the front end. Every node gets a place of its own in a
made-up file, so that events tell which rule they come from.
"""

from __future__ import annotations

from itertools import count
from typing import Any
from uuid import uuid4

from dsl import program as p

FILE = "invented.rules"
LINES = 4000
SUIT = p.Type(p.K.ENUM, "suit")
SUITS = p.Type(p.K.ENUMS, "suit")
PLAY_LIST = p.Type(p.K.ENUMS, "play")
NUMBER_LIST = p.Type(p.K.ENUMS, "number")

_lines = count(1)
_ids = count(1)


def span() -> p.Span:
    line = next(_lines) % LINES + 1
    return p.Span(FILE, line, 1, line, 5)


def origin(path: str) -> p.Origin:
    return p.Origin(path, span())


def names(name: str) -> p.Names:
    return p.Names(name)


def var(name: str, kind: p.Type) -> p.Var:
    return p.Var(next(_ids), name, kind)


def number(value: int) -> p.Const:
    return p.Const(value, p.NUMBER, span())


def truth(value: bool) -> p.Const:
    return p.Const(value, p.TRUTH, span())


def nobody(kind: p.Type) -> p.Const:
    return p.Const(None, kind, span())


def ref(variable: p.Var) -> p.VarRef:
    return p.VarRef(variable, variable.type, span())


def binary(op: str, left: p.Expr, right: p.Expr) -> p.Binary:
    arithmetic = op in ("+", "-", "*", "//", "/^", "min", "max")
    return p.Binary(op, left, right, p.NUMBER if arithmetic else p.TRUTH, span())


def exists(operand: p.Expr) -> p.Exists:
    return p.Exists(operand, p.TRUTH, span())


def everyone() -> p.Players:
    return p.Players(None, False, p.PLAYERS, span())


def place(name: str, player: p.Expr | None = None) -> p.PlaceRef:
    return p.PlaceRef(name, player, span())


def cards_in(*places: p.PlaceRef | p.PlacesOf) -> p.CardsIn:
    return p.CardsIn(places, p.CARDS, span())


def box(**changes: Any) -> dict[str, Any]:
    """The fields of a small Program: two kinds of cards, places of every sort, tokens, marks,
    tracked values, roles and shapes; no rules."""
    me = [var("me", p.PLAYER) for _ in range(3)]
    points = p.TokenCount("coin", ref(me[2]), p.NUMBER, span())
    fields: dict[str, Any] = {
        "title": names("Invented"),
        "sheet": "",
        "file": FILE,
        "source_hash": "",
        "players": (2, 4),
        "options": {
            "limit": p.OptionDecl(
                names("limit"), "number", ((0, 3), (3, 4)), 0, 6, True, (), origin("option limit")
            ),
            "strict": p.OptionDecl(
                names("strict"), "flag", ((0, False),), None, None, False, (), origin("option s")
            ),
            "way": p.OptionDecl(
                names("way"), "word", ((0, "left"),), None, None, False, ("left", "right"),
                origin("option way"),
            ),
        },
        "attributes": {
            "suit": p.Attribute(
                names("suit"),
                (
                    p.EnumValue(names("red"), 4), p.EnumValue(names("blue"), None),
                    p.EnumValue(names("green"), 1),
                ),
                None, None, "strong", origin("cards suit"),
            ),
            "rank": p.Attribute(
                names("rank"), (), number(1), number(4), "", origin("cards rank")
            ),
        },
        "kinds": {
            "plain": p.CardKind(names("plain"), ("suit", "rank"), number(2), origin("cards plain")),
            "flag": p.CardKind(names("flag"), ("suit",), number(1), origin("cards flag")),
            "joker": p.CardKind(names("joker"), (), number(2), origin("cards joker")),
        },
        "places": {
            name: p.Place(names(name), own, kind, sight, origin(f"place {name}"))
            for name, own, kind, sight in (
                ("deck", False, "pile", "down"), ("heap", False, "pile", "up"),
                ("hand", True, "hand", "private"), ("row", True, "row", "up"),
                ("stash", True, "pile", "private"), ("pool", False, "hand", "down"),
            )
        },
        "holders": {
            "coin": p.Holder(names("coin"), "coin", True, number(3), number(6), origin("t coin")),
            "bank": p.Holder(names("bank"), "coin", False, number(5), number(9), origin("t bank")),
            "mint": p.Holder(names("mint"), "coin", False, number(p.ENDLESS), None, origin("mint")),
            "vp": p.Holder(names("vp"), "vp", True, number(0), None, origin("t vp")),
        },
        "tokens": {"coin": names("coin"), "vp": names("vp")},
        "marks": {
            "out": p.Mark(names("out"), True, origin("mark out")),
            "open": p.Mark(names("open"), False, origin("mark open")),
        },
        "tracks": {
            name: p.Track(names(name), kind, own, origin(f"track {name}"))
            for name, kind, own in (
                ("tally", p.NUMBER, True), ("round_no", p.NUMBER, False), ("laps", p.NUMBER, False),
                ("taker", p.PLAYER, False), ("friend", p.PLAYER, True), ("best", p.PLAY, False),
                ("trump", SUIT, False), ("done", p.TRUTH, False),
            )
        },
        "roles": p.Roles(
            (names("king"), names("fool"), names("thief")), 4, True, origin("roles")
        ),
        "shapes": {
            "one": p.Shape(names("one"), 1, 1, "plain", (), "", 0, origin("shapes one")),
            "run": p.Shape(
                names("run"), 2, 3, "", (("same", "suit"), ("consecutive", "rank")), "joker", 1,
                origin("shapes run"),
            ),
            "set": p.Shape(
                names("set"), 2, 3, "plain", (("same", "rank"), ("different", "suit")), "joker", 2,
                origin("shapes set"),
            ),
        },
        "setup": (),
        "setup_me": me[0],
        "phases": (),
        "phase_me": me[1],
        "values": {},
        "actions": {},
        "families": {},
        "hooks": (),
        "scoring": (p.ScoringLine(names("coins"), me[2], points, origin("scoring")),),
        "winner": p.Winner(
            (p.WinnerKey(var("me", p.PLAYER), None, True, origin("winner")),), True,
            origin("winner"),
        ),
        "labels": {},
        "choices": {},
        "prompts": {},
        "moments": {},
        "bots": {},
        "sources": {FILE: "\n".join(["rule " * 3] * (LINES + 2))},
    }  # fmt: skip
    return {**fields, **changes}


def made(fields: dict[str, Any]) -> p.Program:
    """A Program with these fields. No two are taken for the same."""
    return p.Program(**{**fields, "source_hash": uuid4().hex})


def shown(node: Any) -> str:
    """A node on one line, without what only points at sources: for failing tests."""
    if isinstance(node, p.Var):
        return f"{node.name}{node.id}"
    if isinstance(node, (tuple, list)):
        return "[" + " ".join(map(shown, node)) + "]"
    if hasattr(node, "__attrs_attrs__") and not isinstance(node, (p.Span, p.Type, p.Origin)):
        parts = [
            shown(getattr(node, a.name))
            for a in node.__attrs_attrs__
            if a.name not in ("span", "type", "origin")
        ]
        return f"{type(node).__name__}({', '.join(parts)})"
    if isinstance(node, p.Origin):
        return f"<{node.path}:{node.span.line}>"
    return repr(node)
