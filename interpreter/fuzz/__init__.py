"""Wild play with the contract on: games that try to break rules, and the shortest that does.

Used by `rules fuzz`. `settings` picks player counts and options, `policies` how seats choose,
`finding` plays and says what failed, `shrinking` makes a failing game as short as it can be,
`keeping` writes it down. Nothing here knows a game; everything follows from a seed.
"""

from interpreter.fuzz.finding import Failure, Fuzzer, Played, attempt
from interpreter.fuzz.keeping import Kept, arguments, kept
from interpreter.fuzz.shrinking import Shrunk, shrink

__all__ = [
    "Failure",
    "Fuzzer",
    "Kept",
    "Played",
    "Shrunk",
    "arguments",
    "attempt",
    "kept",
    "shrink",
]
