"""What the tests of the lab share."""

from __future__ import annotations

from functools import cache

from dsl import pipeline
from interpreter import Game, compile_game
from lab.plan import Plan, plan

GAMES = ("throne", "gorilla", "last-leaf", "oh-hell")


@cache
def game(name: str, players: int = 3) -> Game:
    program, _ = pipeline.load(pipeline.find(name))
    assert program is not None
    return compile_game(program, players)


def planned(name: str, games: int, players: int = 3, bots: str = "random", seed: int = 1) -> Plan:
    names = tuple(bots.split(",")) if "," in bots else (bots,) * players
    return plan(game(name, players), names, games, seed)
