"""Copies of a State, by clone, JSON and pickle, and the words for its options."""

from __future__ import annotations

import io
import json
import pickle
from collections import Counter

from interpreter.contract.promises import require
from interpreter.game import Game
from interpreter.state import State


def text_of(state: State) -> str:
    return json.dumps(state.to_json(), ensure_ascii=False, sort_keys=True)


def slots_of(state: State) -> str:
    """All that a State consists of, just as it lies there."""
    return repr([getattr(state, name) for name in state._slots])


def copies_of(state: State, *, wholly: bool = True) -> list[State]:
    """A State's clone, and itself taken through JSON text and through pickle (not `wholly`: its
    game is not pickled with it)."""
    read = state.game.from_json(json.loads(text_of(state)))
    pickled: State
    if wholly:
        pickled = pickle.loads(pickle.dumps(state))
    else:
        stream = io.BytesIO()
        _Pickler(stream, protocol=5).dump(state)
        pickled = _Unpickler(io.BytesIO(stream.getvalue()), state.game).load()
    return [state.clone(), read, pickled]


class _Pickler(pickle.Pickler):
    """Pickles States without their game, which is large and always the same."""

    def persistent_id(self, obj: object) -> str | None:
        return "game" if isinstance(obj, Game) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, game: Game) -> None:
        super().__init__(stream)
        self._game = game

    def persistent_load(self, pid: object) -> Game:
        return self._game


def check_same(copy: State, state: State) -> None:
    """A copy is equal to what it was made from in every respect."""
    require("copies", copy is not state, "a copy is the game itself")
    require("copies", copy == state, "a copy is not equal")
    require("copies", hash(copy) == hash(state), "a copy's hash differs")
    require("copies", text_of(copy) == text_of(state), "a copy's JSON differs")
    require("copies", list(copy.moves) == list(state.moves), "a copy offers something else")
    require(
        "copies",
        (copy.player, copy.rule) == (state.player, state.rule),
        "a copy asks something else",
    )
    require("copies", copy.position_key() == state.position_key(), "a copy's position differs")
    hash(state.position_key())


def check_labels(state: State) -> None:
    """Options can be told apart by their labels in every language, and by their values, which are
    JSON; the decision says what the State does."""
    decision = state.decision
    if decision is None:
        return
    options, game, path = decision.options, state.game, decision.path
    asked = (decision.player, decision.rule) == (state.player, state.rule)
    offered = [option.raw for option in options] == list(state.moves)
    require("options", asked and offered, "a decision does not say what is asked")
    texts = [json.dumps(option.value, sort_keys=True) for option in options]
    require("labels", len(set(texts)) == len(texts), f"options with the same value at {path}")
    ways = all(option.ways >= 1 for option in options)
    require("options", ways, f"an option at {path} that there is no way to take")
    for lang in ("en", "ja"):
        labels = [game.option_label(path, raw, lang) for raw in state.moves]
        require("labels", all(labels), f"an option without words at {path} ({lang})")
        twice = [label for label, count in Counter(labels).items() if count > 1]
        require(
            "labels", not twice, f"several options at {path} are called {', '.join(twice)} ({lang})"
        )
