"""Whole games with the contract on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from attrs import frozen

from dsl.amounts import amount
from interpreter.contract.copies import check_labels, check_same, copies_of, slots_of, text_of
from interpreter.contract.promises import Broken, require
from interpreter.contract.settings import default
from interpreter.contract.table import Kept
from interpreter.contract.told import Told
from interpreter.contract.views import check_view
from interpreter.game import Game
from interpreter.state import State

MOST_DECISIONS = 20_000
"""More decisions than any sound game takes; a game that goes on longer counts as endless."""
NO_END = f"the game was still going after {MOST_DECISIONS:,} decisions"


def closely(
    kept: Kept, state: State, rng: Random, copies: Sequence[State], viewers: Iterable[int]
) -> None:
    """Everything that must hold of a State at a decision, however dear to find out; of views, as
    these players have them."""
    before = text_of(state)
    check_labels(state)
    for copy in copies:
        check_same(copy, state)
    again = state.clone()
    state.game.ask_again(again)
    check_same(again, state)
    for player in viewers:
        check_view(kept, state, player, rng)
    require("views", text_of(state) == before, "looking at a game changes it")


@frozen(eq=False)
class Look:
    """A State on the way, after so many choices: a clone, and the text of its slots."""

    state: State
    slots: str
    after: int


def playthrough(
    game: Game, seed: int, *, looks: int = 1, thorough: bool = True, kept: Kept | None = None
) -> int:
    """Play one game at random with the contract on; how many decisions it took.

    `looks` of its decisions are looked at closely. Not `thorough`: by one player, only one copy
    plays on from there, States are pickled without their game, and events are compared at the end
    only. Raises Broken, or RulesError where a rule can't be carried out; a note says in which game.
    """
    kept = kept or Kept(game)
    choices: list[Any] = []
    try:
        _playthrough(kept, Random(seed), seed, looks, thorough, choices)
    except Exception as error:
        error.add_note(f"{described(game, seed)}, after {amount(len(choices), 'choice')}")
        raise
    return len(choices)


def _playthrough(
    kept: Kept, rng: Random, seed: int, looks: int, thorough: bool, choices: list[Any]
) -> None:
    taken: list[Look] = []
    state = kept.game.start(seed)
    while True:
        kept.check(state)
        if state.is_over:
            break
        at = len(choices) if len(choices) < looks else rng.randrange(len(choices) + 1)
        if at < looks:  # so that every decision is as likely to be among them
            taken[at : at + 1] = [Look(state.clone(), slots_of(state), len(choices))]
        raw = rng.choice(state.moves)
        choices.append(raw)
        state.apply(raw)
        require("ends", len(choices) < MOST_DECISIONS, NO_END)
    replay(kept, seed, choices, state, thorough=thorough)
    for look in taken:
        require("copies", slots_of(look.state) == look.slots, "playing on changes a copy")
        text = text_of(look.state)
        copies = copies_of(look.state, wholly=thorough)
        everyone = range(kept.game.players)
        closely(kept, look.state, rng, copies, everyone if thorough else [rng.choice(everyone)])
        for copy in copies if thorough else [copies[seed % 3]]:
            for raw in choices[look.after :]:
                copy.apply(raw)
            require("copies", copy == state, "a copy does not play on as the game did")
        same = text_of(look.state) == text
        require("copies", same, "a copy's game changes what it was made from")
        imagined(kept, look.state, rng)


def replay(kept: Kept, seed: int, choices: Sequence[Any], end: State, *, thorough: bool) -> None:
    """The same seed and choices, told loudly, make the same game; the events tell all of it."""
    told = Told(kept.game)
    state = kept.game.start(seed, told)
    for raw in choices:
        if thorough:
            told.compare(state)
        state.apply(raw, told)
    told.compare(state)
    same = state == end and hash(state) == hash(end)
    require("events", same, "a game that is told is another game")
    require("events", told.choices == list(choices), "events tell other choices")


def imagined(kept: Kept, state: State, rng: Random) -> None:
    """A copy dealt for a player is a game like any other: it can be played to its end."""
    copy = state.determinize(rng.randrange(kept.game.players), rng)
    for _ in range(MOST_DECISIONS):
        kept.check(copy)
        if copy.is_over:
            return
        copy.apply(rng.choice(copy.moves))
    raise Broken("ends", NO_END)


def described(game: Game, seed: int) -> str:
    """A game in words: ruleset, players, options that are not at their default, seed."""
    options = "".join(
        f", {name} {value}"
        for name, value in game.options.items()
        if value != default(game.program.options[name], game.players)
    )
    return f"{game.program.title.name}, {amount(game.players, 'player')}{options}, seed {seed}"
