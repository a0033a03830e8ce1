"""What players are told who ask why, or why not."""

from __future__ import annotations

from interpreter.contract.promises import require
from interpreter.state import State


def check_answers(state: State, copy: State) -> None:
    """Whoever is asked is told the same in a State in which only cards they can't see lie
    elsewhere: of the first and last option, and of all that the choice is about and does not
    offer."""
    assert state.player is not None
    for raw in (state.moves[0], state.moves[-1]):
        require(
            "views",
            state.why(raw) == copy.why(raw),
            f"why P{state.player + 1} may choose something tells of cards it can't see",
        )
    require(
        "views",
        state.refused() == copy.refused(),
        f"why P{state.player + 1} may not choose something tells of cards it can't see",
    )
