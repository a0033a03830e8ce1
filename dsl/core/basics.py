"""What all of the typed core rests on: places in files, types, variables."""

from __future__ import annotations

import enum

from attrs import frozen

ENDLESS = 1_000_000_000
MOST_NUMBERS = 100_000
"""Most numbers that may be gone through, or chosen from."""


@frozen
class Span:
    """Where something stands: file, and 1-based lines and character columns (end exclusive)."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@frozen(eq=False, repr=False)
class Origin:
    """Which rule something comes from: its path, place and clause tags.

    `tags` are the tags written on the line, or else those of the nearest enclosing tagged line.
    """

    path: str
    span: Span
    tags: tuple[str, ...] = ()


class K(enum.Enum):
    """Kinds of type."""

    NUMBER = "number"
    TRUTH = "yes or no"
    PLAYER = "player"
    CARD = "card"
    ENUM = "value"  # name: the attribute
    ROLE = "role"
    SHAPE = "shape"
    PLAY = "play"
    WORD = "word"  # name: the option
    CARDS = "cards"
    PLAYERS = "players"
    ENUMS = "values"  # a collection of enum values; name: the attribute


@frozen
class Type:
    kind: K
    name: str = ""


NUMBER, TRUTH, PLAYER, CARD = Type(K.NUMBER), Type(K.TRUTH), Type(K.PLAYER), Type(K.CARD)
ROLE, SHAPE, PLAY = Type(K.ROLE), Type(K.SHAPE), Type(K.PLAY)
CARDS, PLAYERS = Type(K.CARDS), Type(K.PLAYERS)


@frozen(eq=False, repr=False)
class Var:
    """A local name in one routine: parameter, loop variable, candidate, chosen value, `me`.

    `id` is unique in the Program. `captures` is not needed: hooks list what they read in `Hook`.
    """

    id: int
    name: str
    type: Type
