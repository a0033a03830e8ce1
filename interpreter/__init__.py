"""The engine: a Program compiled for a player count, and its States. Knows no syntax and no game.

Used by `lab`, `cli` and `web`; `compile_game` is the way in.
"""

from interpreter.game import Game, compile_game
from interpreter.state import Decision, Option, State, View

__all__ = ["Decision", "Game", "Option", "State", "View", "compile_game"]
