"""Gorilla games set up by hand. Used by the tests of its rule sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from dsl import pipeline
from dsl.program import Program
from interpreter import State, compile_game
from interpreter.events import Event
from interpreter.scenario import clear, offered, place_cards, set_roles, stack

ROOT = Path(__file__).resolve().parents[1]
RULESET = ROOT / "rulesets" / "gorilla.rules"
ROLES = ["king", "merchant", "prophet", "gorilla"]
FILL = "coin 1"


@cache
def program() -> Program:
    found, diagnostics = pipeline.load(RULESET)
    assert found is not None, diagnostics
    return found


def start(players: int = 4, seed: int = 1, **options: Any) -> State:
    return compile_game(program(), players, options).start(seed)


def cards(text: str) -> list[str]:
    """`crown 4 5, banana` as the game calls them."""
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, *numbers = part.split()
        found += [f"{name} {number}" for number in numbers] or [name]
    return found


def trick(
    *hands: str,
    king: int = 0,
    scored: Mapping[int, str] | None = None,
    deck: str | None = None,
    **options: Any,
) -> State:
    """The first trick with these hands, one per player, to its first choice.

    With 4 players and P1 king, P2 is gorilla, P3 prophet, P4 merchant. `deck`: its cards from the
    top down; what is left over is then out of the game.
    """
    state = start(len(hands), **options)
    set_roles(state, {"king": king})
    set_table(state, hands, scored or {}, deck)
    state.game.enter_phase(state, "play")
    return state


def set_table(
    state: State, hands: Sequence[str], scored: Mapping[int, str], deck: str | None
) -> None:
    for player in range(len(hands)):
        clear(state, "hand", player, ("deck", None))
    for player, text in enumerate(hands):
        place_cards(state, "hand", player, cards(text))
    for player, text in scored.items():
        place_cards(state, "scored", player, cards(text))
    if deck is not None:
        kept = cards(deck)
        stack(state, "deck", kept)
        pid = state.game.binding.place_base["deck"]
        del state.P[pid][: len(state.P[pid]) - len(kept)]


def option(state: State, action: str, text: str) -> str:
    """The label of the option to lead or lay these cards."""
    wanted = Counter(cards(text))
    assert state.decision is not None
    for found in state.decision.options:
        if found.value["action"] == action and Counter(found.value.get("cards")) == wanted:
            return found.label
    raise AssertionError(f"can't {action} {text}; offered: {offered(state)}")


def roles(state: State) -> list[str | None]:
    return [None if role is None else ROLES[role] for role in state.view(0).roles]


def listen(state: State, *labels: str) -> list[Event]:
    """The events of some answers."""
    events: list[Event] = []
    for label in labels:
        state.apply(state.moves[offered(state).index(label)], events.append)
    return events


def moves(state: State, events: Sequence[Event]) -> list[str]:
    """Moves of cards in words."""
    game = state.game
    return [
        f"{', '.join(game.face_label(f) for f in e.data['cards'])}: "
        f"{game.place_label(e.data['source'])} -> {game.place_label(e.data['target'])}"
        for e in events
        if e.kind == "move"
    ]
