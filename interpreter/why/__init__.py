"""Why something is offered at a choice, and why something else is not.

    state.why(option) -> Offered              the rule that offers it, the conditions that hold
    state.why_not("crown 9") -> Answer        what refuses it, with the values it saw
    state.refused() -> groups                 what can't be done here, by what forbids it
    refusal(state, "crown 9") -> Refused_     for tests of rules: the refusing rule's path and tags

`viewer` is who asks, by default the player whose choice it is: nothing is read that this player may
not know (see `interpreter.why.unseen`). `everything` reads all. `interpreter.why.wording` puts
answers into words. Works on any State; plays nothing on; costs nothing until it is used.
"""

from __future__ import annotations

from interpreter.why.answers import Answer, Offered, Refusal, Thing
from interpreter.why.asking import Clause, Group, refusal, refused, why, why_not

__all__ = [
    "Answer", "Clause", "Group", "Offered", "Refusal", "Thing", "refusal", "refused", "why",
    "why_not",
]  # fmt: skip
