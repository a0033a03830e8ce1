"""Whatever is asked about at any choice of any ruleset gets one right answer.

What is offered is explained as offered; anything else the choice could be about is refused once,
and where a condition refuses it the reference evaluator, which shares no code with the engine,
finds that condition false as well. Looking changes nothing, and shows nothing the asker may not
know. Rulesets are found by their place.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from dsl import pipeline
from dsl.program import Program
from interpreter import State, compile_game, why
from interpreter.contract.copies import slots_of
from interpreter.why.answers import Answer, Closed, NotAsked, Refused, Thing
from interpreter.why.wording import LANGUAGES, Wording

ROOT = Path(__file__).resolve().parents[1]
LONG = bool(os.environ.get("RULES_LONG"))
VARIANTS = sorted(ROOT.glob("rulesets/variants/*.rules"))
RULESETS = sorted(
    [*ROOT.glob("rulesets/*.rules"), *ROOT.glob("tests/*.rules"), *ROOT.glob("tests/dsl/games/*")]
) + (VARIANTS if LONG else VARIANTS[-1:])
OFTEN = 2
"""How often a choice is looked at in a game: the first times, and ever more rarely."""


@cache
def load(path: Path) -> Program:
    program, diagnostics = pipeline.load(path)
    assert program is not None, "\n".join(d.message for d in diagnostics)
    return program


def things(state: State, rng: Random) -> Iterator[Thing]:
    """All that a choice could be about, whether it makes sense or not: every way, with any card of
    the box (from any place), pairs of cards, any player, value and small number."""
    game = state.game
    for index, branch in enumerate(game.choices[state.pc].branches):
        faces = [face.index for face in game.faces]
        match branch.kind:
            case "":
                yield Thing(index)
            case "card":
                yield from (Thing(index, (face, None)) for face in faces)
                place = rng.randrange(len(game.places))
                yield from (Thing(index, (face, place)) for face in faces if branch.placed)
            case "cards":
                for size in range(4):
                    cards = sorted(rng.choices(faces, k=size))
                    yield Thing(index, tuple((face, None) for face in cards))
            case "play":
                yield from (Thing(index, (None, (face,))) for face in faces)
                for size in (2, 3):
                    cards = sorted(rng.choices(faces, k=size))
                    yield Thing(index, (None, tuple(cards)))
            case "player":
                yield from (Thing(index, q) for q in range(game.players))
            case "role" | "shape":
                yield from (Thing(index, i) for i in range(2))
            case kind:
                values = game.program.attributes.get(kind.removeprefix("enum:"))
                count = len(values.values) if values and values.values else 0
                numbers = range(count) if count else range(-1, 12)
                yield from (Thing(index, number) for number in numbers)


def check(state: State, rng: Random) -> None:
    """Every option and every other thing gets its answer."""
    before = slots_of(state)
    assert state.player is not None
    other = state.determinize(state.player, rng)  # only what the asker can't see lies elsewhere
    same_offer = list(other.moves) == list(state.moves)
    path = state.game.choices[state.pc].path
    words = [Wording(state.game, lang) for lang in LANGUAGES]
    assert all(wording.groups(state.refused(), path) for wording in words)
    offered = set()
    for raw in state.moves:
        answer = state.why(raw)
        offered.add(answer.thing)
    for thing in things(state, rng):
        for everything in (False, True):
            answer = why.why_not(state, thing, everything=everything)
            if not everything and same_offer:
                assert answer == why.why_not(other, thing), "it tells of hidden cards"
            for wording in words:
                assert wording.answer(answer, path)
            if isinstance(answer, why.Offered):
                assert answer.raw in state.moves
                continue
            assert thing not in offered
            right(answer, everything=everything)
    assert slots_of(state) == before, "looking changes the State"


def right(answer: Answer, *, everything: bool) -> None:
    """A refusal says what refuses; whoever sees everything sees every value."""
    assert not isinstance(answer, NotAsked)
    if isinstance(answer, (Refused, Closed)):
        assert answer.parts or isinstance(answer, Closed), "nothing refuses it"
        if everything:
            assert all(part.held is not None for part in answer.parts)
            assert not any(seen.hidden for part in answer.parts for seen in part.seen)
    assert not (everything and getattr(answer, "hidden", False))


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_every_choice_explains_itself(path: Path) -> None:
    program = load(path)
    rng = Random(path.stem)
    low, high = program.players
    for players in {low, min(low + 1, high), high} if LONG else {low, high}:
        state = compile_game(program, players).start(rng.randrange(1000))
        asked: Counter[int] = Counter()
        while not state.is_over:
            asked[state.pc] += 1
            if rng.random() < OFTEN / asked[state.pc]:
                check(state, rng)
            state.apply(rng.choice(state.moves))
