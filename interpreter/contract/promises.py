"""What is promised of every game, by name, and how a broken promise is told.

Used by all checks of this package. A promise has a short name, which shrinking compares and reports
show, and a sentence that people who design games understand.
"""

from __future__ import annotations

PROMISES = {
    "cards": "no card is lost, made or out of its place",
    "tokens": "no token is lost or made, and no count leaves its limits",
    "options": "whoever is asked has something to choose, each option once and in order",
    "end": "a game that is over has points for all and winners among them",
    "ends": "every game ends",
    "labels": "options can be told apart by their words",
    "copies": "a copy, or a saved game, is the game itself and plays on as it would",
    "views": "players see what they may see, and what they see tells no more",
    "events": "what is told of a game is what happened in it",
}


class Broken(AssertionError):
    """Something that must hold in any game did not. `promise` is a key of PROMISES."""

    def __init__(self, promise: str, what: str) -> None:
        super().__init__(f"{what} (promised: {PROMISES[promise]})")
        self.promise = promise
        self.what = what

    def __reduce__(self) -> tuple[type[Broken], tuple[str, str]]:
        return Broken, (self.promise, self.what)


def require(promise: str, held: object, what: str) -> None:
    """Raise Broken, saying what happened, unless something holds."""
    if not held:
        raise Broken(promise, what)
