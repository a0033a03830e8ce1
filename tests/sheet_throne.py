"""Throne games set up by hand. Used by the tests of its rule sheet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from dsl import pipeline
from dsl.program import Program
from interpreter import State, compile_game
from interpreter.scenario import (
    place_cards,
    set_mark,
    set_tokens,
    tokens,
)

ROOT = Path(__file__).resolve().parents[1]
RULESET = ROOT / "rulesets" / "throne.rules"
JOBS = ["barbarian", "peasant", "merchant", "thief", "knight", "priest", "senator", "magician"]


@cache
def program() -> Program:
    found, diagnostics = pipeline.load(RULESET)
    assert found is not None, diagnostics
    return found


def start(players: int = 3, **options: Any) -> State:
    return compile_game(program(), players, options).start(1)


def turn(*hand: str, players: int = 3, treasury: int = 5, **options: Any) -> State:
    """P1's first turn, after the draw, with these cards in hand."""
    state = start(players, **options)
    place_cards(state, "hand", 0, hand)
    set_tokens(state, "treasury", None, treasury)
    return asked(state)


def asked(state: State) -> State:
    """The State with its options as they are after what was set."""
    state.game.ask_again(state)
    return state


def guard(state: State, *players: int) -> State:
    set_mark(state, "guarded", players)
    return asked(state)


def coins(state: State) -> list[int]:
    return [tokens(state, "coin", q) for q in range(state.game.players)]


def vp(state: State) -> list[int]:
    return [tokens(state, "vp", q) for q in range(state.game.players)]


def treasury(state: State) -> int:
    return tokens(state, "treasury")


def give_coins(state: State, counts: Sequence[int]) -> State:
    for player, count in enumerate(counts):
        set_tokens(state, "coin", player, count)
    return asked(state)


def refill(sizes: Sequence[int], counts: Sequence[int], job: str = "", **options: Any) -> State:
    """The beginning of the refill: so many cards in hand, so many coins; courts empty."""
    state = start(len(sizes), **options)
    give_coins(state, counts)
    left = [name for name in JOBS * 8 if name != "magician"]
    for player, size in enumerate(sizes):
        place_cards(state, "hand", player, [job or left.pop(0) for _ in range(size)])
    state.game.enter_phase(state, "refill")
    return state


def settle(
    hands: Sequence[Sequence[str]], counts: Sequence[int], held: int = 5, **options: Any
) -> State:
    """The settlement of these hands with these coins, to its first choice or its end."""
    state = start(len(hands), **options)
    give_coins(state, counts)
    set_tokens(state, "treasury", None, held)
    for player, hand in enumerate(hands):
        place_cards(state, "hand", player, hand)
    state.game.enter_phase(state, "settlement")
    return state
