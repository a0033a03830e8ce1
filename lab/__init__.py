"""Games by the thousand: simulation, statistics, comparison, coverage.

Used by `cli`. Plays with `interpreter`; knows nothing of any one game.
"""
