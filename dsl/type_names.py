"""What types are called in messages, and what collections are collections of."""

from __future__ import annotations

from dsl.program import K, Type

PLAYS = Type(K.ENUMS, "play")
NUMBERS = Type(K.ENUMS, "number")

_SINGULAR = {
    K.NUMBER: "a number",
    K.TRUTH: "a condition (yes or no)",
    K.PLAYER: "a player",
    K.CARD: "a card",
    K.ROLE: "a role",
    K.SHAPE: "a shape",
    K.PLAY: "a play",
    K.CARDS: "cards",
    K.PLAYERS: "players",
}
COLLECTIONS = (K.CARDS, K.PLAYERS, K.ENUMS)


def called(kind: Type) -> str:
    """A type as a message calls it: "a number", "a suit"."""
    if kind.kind is K.ENUM:
        return f"{article(kind.name)} {kind.name}"
    if kind.kind is K.WORD:
        return f"a setting of {kind.name}"
    if kind.kind is K.ENUMS:
        return {"play": "plays", "number": "numbers"}.get(kind.name, f"values of {kind.name}")
    return _SINGULAR[kind.kind]


def this_is(kind: Type) -> str:
    """The beginning of a message about an expression: "this is a card", "these are cards"."""
    return f"{'these are' if is_collection(kind) else 'this is'} {called(kind)}"


def is_needed(kind: Type) -> str:
    return f"{called(kind)} {'are' if is_collection(kind) else 'is'} needed"


def article(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" else "a"


def is_collection(kind: Type) -> bool:
    return kind.kind in COLLECTIONS
