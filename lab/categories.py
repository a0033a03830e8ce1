"""What an answer to a choice is counted as: the way taken, the value picked, the cards in it.

Used by `lab.record` while playing and by `lab.report` afterwards. A category is a tuple of plain
values, the same on every machine:

    ("way", choice, branch)              a way to answer (branch 0 where there is only one)
    ("value", choice, branch, value)     what is picked: a face, player, number, word; of a play its
                                         shape and size; of several cards, how many
    ("card", face)                       a card picked, at whatever choice
"""

from __future__ import annotations

from typing import Any

from interpreter.compiled import BranchInfo
from interpreter.game import Game

Category = tuple[Any, ...]
MOST_MARKS = 200_000  # kept ready at a time


class Categories(dict[tuple[int, Any], tuple[Category, ...]]):
    """(number of a choice, answer) -> its categories, worked out once for each."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._choices = game.choices
        self._faces = len(game.faces)

    def __missing__(self, key: tuple[int, Any]) -> tuple[Category, ...]:
        choice, raw = key
        info = self._choices[choice]
        way, value = (0, raw) if info.nameless else raw
        branch = info.branches[way]
        found: list[Category] = [("way", choice, way)]
        picked, cards = self._picked(branch, value)
        if picked is not None:
            found.append(("value", choice, way, picked))
        found += [("card", face) for face in dict.fromkeys(cards)]
        if len(self) > MOST_MARKS:
            self.clear()
        kept = self[key] = tuple(found)
        return kept

    def _picked(self, branch: BranchInfo, value: Any) -> tuple[Any, tuple[int, ...]]:
        """The value to count, and the faces of the cards picked."""
        match branch.kind:
            case "":
                return None, ()
            case "card":
                face = value % self._faces
                return face, (face,)
            case "cards":
                return len(value), tuple(card % self._faces for card in value)
            case "play":
                return (value[0], len(value[1])), tuple(value[1])
            case _:
                return value, ()


SEATS = 32  # more than can play


class Marks(dict[tuple[int, int, Any], tuple[int, ...]]):
    """(choice, who, answer) -> marks: small numbers, each for a category and a seat.

    A set of marks says who did what in a game; numbers make it cheap. `who` is the seat, or more by
    a multiple of the number of players (see `lab.record`).
    """

    def __init__(self, game: Game, categories: Categories) -> None:
        super().__init__()
        self._categories, self._players = categories, game.players
        self._numbers: dict[Category, int] = {}
        self.names: list[Category] = []
        # where cards lie with a player: the place's number, and the mark of each face there
        self.places = [
            (
                inst.index,
                [
                    self._mark(("end", inst.place, face), inst.player)
                    for face in range(len(game.faces))
                ],
            )
            for inst in game.places
            if inst.player is not None
        ]

    def _mark(self, category: Category, seat: int) -> int:
        number = self._numbers.get(category)
        if number is None:
            number = self._numbers[category] = len(self.names)
            self.names.append(category)
        return number * SEATS + seat

    def __missing__(self, key: tuple[int, int, Any]) -> tuple[int, ...]:
        choice, who, raw = key
        seat = who % self._players
        found = tuple(self._mark(c, seat) for c in self._categories[choice, raw])
        if len(self) > MOST_MARKS:
            self.clear()
        self[key] = found
        return found


class Numbers(dict[tuple[int, int, Any], tuple[int, ...]]):
    """(choice, who, answer) -> the numbers of its categories (places in `Marks.names`): of all, or
    of the way taken only."""

    def __init__(self, marks: Marks, *, all_of_them: bool) -> None:
        super().__init__()
        self._marks, self._end = marks, None if all_of_them else 1

    def __missing__(self, key: tuple[int, int, Any]) -> tuple[int, ...]:
        if len(self) > MOST_MARKS:
            self.clear()
        found = self[key] = tuple(mark // SEATS for mark in self._marks[key][: self._end])
        return found


def value_label(game: Game, choice: int, way: int, value: Any) -> str:
    """A picked value in words."""
    kind = game.choices[choice].branches[way].kind
    match kind:
        case "card":
            return game.face_label(value)
        case "cards":
            return "1 card" if value == 1 else f"{value} cards"
        case "play":
            shape, size = value
            return f"{game.labels.shape(shape)} of {size}"
        case "player":
            return f"P{value + 1}"
        case "number":
            return str(value)
        case "role":
            return game.labels.role(value)
        case "shape":
            return game.labels.shape(value)
        case _:
            return game.labels.enum(kind.removeprefix("enum:"), value)
