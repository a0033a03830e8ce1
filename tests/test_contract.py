"""Every ruleset keeps the contract: at every player count, and with each option changed.

Rulesets are found by their place, so a new one is held to the contract as soon as it is there. Many
more games are played by `python -m benchmarks.soak`.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import lab.bots
from dsl import pipeline
from dsl.program import Program
from interpreter import Game, State, bots, compile_game
from tests.contract import Foresight, Kept, changed, imagined, playthrough

ROOT = Path(__file__).resolve().parents[1]
RULESETS = sorted([*ROOT.glob("rulesets/*.rules"), *ROOT.glob("tests/*.rules")])
VARIANTS = sorted(ROOT.glob("rulesets/variants/*.rules"))
LONG = bool(os.environ.get("RULES_LONG"))
SEEDS = range(3 if LONG else 2)
LOOKS = 3
COPIES = 400


@cache
def load(path: Path) -> Program:
    program, diagnostics = pipeline.load(path)
    assert program is not None, "\n".join(d.message for d in diagnostics)
    return program


def counts(path: Path) -> range:
    low, high = load(path).players
    return range(low, high + 1)


TABLES = [pytest.param(q, n, id=f"{q.stem}-{n}") for q in RULESETS for n in counts(q)]
FLIPPED = [
    pytest.param(q, n, name, value, id=f"{q.stem}-{n}-{name}={value}")
    for q in RULESETS
    for n, name, value in changed(load(q))
]


def test_there_are_rulesets() -> None:
    assert len(RULESETS) > 1
    assert len(VARIANTS) > 1


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_games_of_variants_keep_the_contract(path: Path) -> None:
    """With the most players; with any number of them where `RULES_LONG` is set."""
    for players in counts(path) if LONG else counts(path)[-1:]:
        game = compile_game(load(path), players)
        for seed in SEEDS if LONG else SEEDS[:1]:
            assert playthrough(game, seed, looks=LOOKS if LONG else 1) > 0


@pytest.mark.parametrize(("path", "players"), TABLES)
def test_games_keep_the_contract(path: Path, players: int) -> None:
    game = compile_game(load(path), players)
    for seed in SEEDS:
        assert playthrough(game, seed, looks=LOOKS) > 0


@pytest.mark.parametrize(("path", "players", "name", "value"), FLIPPED)
def test_games_with_an_option_changed_keep_the_contract(
    path: Path, players: int, name: str, value: Any
) -> None:
    game = compile_game(load(path), players, {name: value})
    assert game.options[name] == value
    playthrough(game, 1, looks=2)


@pytest.mark.parametrize(("path", "players"), TABLES)
def test_another_seed_is_another_game(path: Path, players: int) -> None:
    game = compile_game(load(path), players)
    deals = {tuple(map(tuple, game.start(seed).P)) for seed in range(40)}
    assert len(deals) > 3
    assert game.start(1) != game.start(2)


# No foresight


def positions(game: Game, seed: int, number: int) -> list[State]:
    """The first State of a random game, and some on the way."""
    rng = Random(seed)
    state = game.start(seed)
    passed = []
    while not state.is_over:
        passed.append(state.clone())
        state.apply(rng.choice(state.moves))
    return [passed[0], *rng.sample(passed[1:], min(number, len(passed) - 1))]


@pytest.mark.parametrize(("path", "players"), TABLES)
def test_copies_dealt_for_a_player_do_not_tell_the_hidden_cards(path: Path, players: int) -> None:
    """They agree with the true cards as often as deals by a stranger would (within five standard
    errors), wherever the player knows no hidden card."""
    game = compile_game(load(path), players)
    rng = Random(players)
    tried = 0
    for state in positions(game, players, 2):
        player = rng.randrange(players)
        if not state.view(player).known:
            assert abs(Foresight(state, player).bias(COPIES, rng)) < 5
            tried += 1
    assert tried


def test_a_deal_that_peeks_would_be_noticed() -> None:
    """One in ten copies is the true State."""

    def peeking(state: State, player: int, rng: Random) -> State:
        return state.clone() if rng.random() < 0.1 else state.determinize(player, rng)

    for path, players in ((q, max(counts(q))) for q in RULESETS):
        foresight = Foresight(compile_game(load(path), players).start(1), 0)
        if foresight.pool.total() > 10:
            assert foresight.bias(COPIES, Random(1), peeking) > 5


@pytest.mark.parametrize(("path", "players"), TABLES)
def test_copies_dealt_for_a_player_have_futures_of_their_own(path: Path, players: int) -> None:
    """Played on alike, they end differently; and each can be played to its end."""
    game = compile_game(load(path), players)
    state = game.start(1)
    kept = Kept(game)
    rng = Random(2)
    if len(Foresight(state, 0).pool) > 1:
        ends = set()
        for _ in range(20):
            copy = state.determinize(0, rng)
            while not copy.is_over:
                copy.apply(copy.moves[0])
            ends.add(tuple(map(tuple, copy.P)))
        assert len(ends) > 1
    for position in positions(game, 3, 3):
        imagined(kept, position, rng)


# Bots see no more than their players do


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_bots_do_not_peek(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They choose the same whichever cards lie where they can't see."""
    monkeypatch.setattr(bots, "PLAYOUTS", 8)
    monkeypatch.setattr(bots, "MIN_COPIES", 2)
    rng = Random(1)
    for players in (min(counts(path)), max(counts(path))):
        for state in positions(compile_game(load(path), players), players, 4):
            assert state.player is not None
            copy = state.determinize(state.player, rng)
            for name in ("random", "steady", "greedy", "mcts(playouts=8)"):
                assert lab.bots.make(name, 1).choose(state) == lab.bots.make(name, 1).choose(copy)
