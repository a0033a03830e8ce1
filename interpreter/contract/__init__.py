"""What every ruleset must keep, whatever the game; and games played with all of it checked.

Used by `rules fuzz`, by tests and by benchmarks/soak.py. The checks are small and grouped by what
they look at: `table` (cheap, at every decision), `told` (events), `copies` and `views` (dear, at
some decisions), `playing` (whole games). `promises` has the names of all that is promised. Nothing
here knows a game, and nothing of the engine depends on it.
"""

from interpreter.contract.playing import MOST_DECISIONS, closely, imagined, playthrough, replay
from interpreter.contract.promises import PROMISES, Broken
from interpreter.contract.settings import default, flips, within
from interpreter.contract.table import Kept

__all__ = [
    "MOST_DECISIONS",
    "PROMISES",
    "Broken",
    "Kept",
    "closely",
    "default",
    "flips",
    "imagined",
    "playthrough",
    "replay",
    "within",
]
