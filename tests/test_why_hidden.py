"""Answers tell nothing that the asker may not know, and say so where they can't tell.

The game here asks for trouble: what is offered depends on cards the one who is asked can't see.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from dsl import pipeline
from interpreter import State, compile_game
from interpreter.scenario import place_cards, set_mark, set_tokens, stack
from interpreter.why.answers import Answer, Beaten, Closed, Elsewhere, NotAsked, Refused
from interpreter.why.wording import Wording

SECRETS = """
game "Secrets"
  players 3

cards
  job  thief 1, priest 2, knight 3
  job_card: 6 of each job

places
  deck            face down pile
  table           face up pile
  hand of player  private hand

tokens
  coin of player  3

marks
  guarded of player

setup
  shuffle all cards into deck
  deal 3 from deck to every hand

phase play
  each player as turn
    thieves = count of cards in hand of left of me where job = thief
    mine = count of cards in hand where job = thief
    choose act
      rob player in others where no thief in their hand and not guarded
        take up to 1 coin from them
      spy player in others where not guarded and no thief in their hand
        take up to 1 coin from them
      peek when job of top of deck is knight
      buy when coins >= 9 and job of top of deck is knight
      gamble when job of top of deck is knight and coins >= 9
      bet when thieves >= 3
      boast when mine >= 3
      crowd when size of hand of left of me >= 9
      match card from hand where job = job of top of deck
        move it to table
      outdo card from hand where number of job > best_beside
        move it to table
      draw when deck is empty
      wait
    move top of deck to table

value best_beside of player = highest number of job over cards in hand of left of me

scoring
  total = coins

winner most points, then draw
"""


@cache
def game() -> Any:
    program, diagnostics = pipeline.load("secrets.rules", SECRETS)
    assert program is not None, [d.message for d in diagnostics]
    return compile_game(program, 3)


def table() -> State:
    """P1 has one thief; P2 none; P3 one; a priest lies on top of the deck."""
    state: State = game().start(1)
    place_cards(state, "hand", 0, ["thief", "priest", "priest"])
    place_cards(state, "hand", 1, ["knight", "priest", "knight"])
    place_cards(state, "hand", 2, ["thief", "knight", "knight"])
    stack(state, "deck", ["thief"])
    game().ask_again(state)
    return state


def hidden(answer: Answer) -> bool:
    """Whether all that decides is what can't be seen."""
    assert isinstance(answer, (Closed, Refused))
    return all(part.held is None for part in answer.parts)


ASKED = [
    "rob P2", "rob P3", "rob P1", "spy P3", "peek", "buy", "gamble", "bet", "boast", "crowd",
    "match thief", "match priest", "match knight", "outdo thief", "outdo knight", "draw", "wait",
]  # fmt: skip


@pytest.mark.parametrize("words", ASKED)
def test_swapped_hidden_cards_change_no_answer(words: str) -> None:
    """Whatever lies hidden, as long as the same is offered."""
    state, rng = table(), Random(words)
    told = state.why_not(words)
    texts = {Wording(game(), lang).answer(told, "phase play/act") for lang in ("en", "ja")}
    for _ in range(60):
        other = state.clone()
        unseen = [*other.P[0], *other.P[3], *other.P[4]]
        rng.shuffle(unseen)
        for place in (0, 3, 4):
            size = len(other.P[place])
            other.P[place][:] = unseen[:size] if place == 0 else sorted(unseen[:size])
            del unseen[:size]
        other.moves = state.moves  # all that the asker is told of them
        again = other.why_not(words)
        assert again == told
        assert {Wording(game(), q).answer(again, "phase play/act") for q in ("en", "ja")} == texts


def test_what_cannot_be_seen_is_said_to_be_hidden() -> None:
    state = table()
    assert hidden(state.why_not("rob P3"))
    assert hidden(state.why_not("peek"))
    assert hidden(state.why_not("match priest"))
    told = Wording(game()).answer(state.why_not("peek"), "phase play/act")
    assert told == (
        "`peek` can't be chosen: secrets.rules:33\n"
        "  ?  job of top of deck is knight  something that can't be seen"
    )


def test_who_sees_everything_sees_why() -> None:
    state = table()
    told = Wording(game()).answer(state.why_not("peek", everything=True), "phase play/act")
    assert told.split("\n")[1] == "  no  job of top of deck is knight  job of top of deck = thief"


def test_what_is_known_decides_before_what_is_not() -> None:
    """A condition the asker can see to be false refuses, whatever stands before it."""
    state = table()
    for words in ("buy", "gamble"):
        answer = state.why_not(words)
        assert isinstance(answer, Closed)
        assert [(part.text, part.held) for part in answer.parts] == [("coins >= 9", False)]
    set_mark(state, "guarded", [2])
    game().ask_again(state)
    for words in ("rob P3", "spy P3"):
        answer = state.why_not(words)
        assert isinstance(answer, Refused)
        assert [part.text for part in answer.parts] == ["not guarded"]


def test_only_one_thing_left_is_still_not_looked_at() -> None:
    """With enough coins only the hidden card is left to refuse; its value still isn't shown."""
    state = table()
    set_tokens(state, "coin", 0, 9)
    game().ask_again(state)
    for words in ("buy", "gamble"):
        answer = state.why_not(words)
        assert isinstance(answer, Closed)
        assert [(part.text, part.held) for part in answer.parts] == [
            ("job of top of deck is knight", None)
        ]
        assert all(seen.hidden and seen.value is None for seen in answer.parts[0].seen)


def test_values_in_flight_are_as_hidden_as_what_they_were_drawn_from() -> None:
    state = table()
    answer = state.why_not("bet")
    assert isinstance(answer, Closed)
    assert hidden(answer)
    assert [(s.text, s.hidden, s.value) for s in answer.parts[0].seen] == [("thieves", True, None)]
    full = state.why_not("bet", everything=True)
    assert isinstance(full, Closed)
    assert [(s.text, s.hidden) for s in full.parts[0].seen] == [("thieves", False)]


def test_what_was_drawn_from_ones_own_cards_is_known() -> None:
    answer = table().why_not("boast")
    assert isinstance(answer, Closed)
    assert [(part.text, part.held) for part in answer.parts] == [("mine >= 3", False)]
    assert not answer.parts[0].seen[0].hidden


def test_sizes_and_open_things_are_seen() -> None:
    state = table()
    for words, value in (("crowd", 3), ("draw", False)):
        answer = state.why_not(words)
        assert isinstance(answer, Closed)
        assert [(part.held, part.seen[0].value) for part in answer.parts] == [(False, value)]


def test_others_are_told_nothing() -> None:
    state = table()
    assert state.why_not("wait", 1) == NotAsked(0)
    assert state.refused(1) == ()


def test_cards_that_are_not_there_are_not_looked_for_elsewhere() -> None:
    answer = table().why_not("match knight")
    assert isinstance(answer, Elsewhere)
    assert (answer.source, answer.hidden) == ("hand", False)


def test_a_best_that_others_hold_is_hidden() -> None:
    answer = table().why_not("outdo priest")
    assert not isinstance(answer, Beaten)
    assert hidden(answer)
