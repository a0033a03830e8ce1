"""The engine from outside: what it says when a rule can't be carried out, where it says it, what
tracebacks and profilers show, and what it refuses."""

from __future__ import annotations

import cProfile
import json
import pstats
import traceback
from collections.abc import Callable
from random import Random
from types import CodeType
from typing import Any

import pytest

from dsl import pipeline
from dsl.diagnostics import RulesError
from interpreter import State, compile_game, runtime
from interpreter.scenario import answer, offered
from tests.tiny import COUNTED, GO, TINY, begin, bundled, fault, tiny

# Rules that can't be carried out name their line


def test_an_empty_choice() -> None:
    state = begin("repeat 5 as lap\n  choose lay: card from hand\n    move it to row")
    answer(state, offered(state)[0])
    assert fault(lambda: answer(state, offered(state)[0])) == (
        "R0901",
        "choose lay: card from hand",
    )


SPENDING = "choose go\n  on\n    {}"


def spending(rule: str, **options: Any) -> tuple[str, str]:
    state = begin(SPENDING.format(rule), **options)
    return fault(lambda: answer(state, "on"))


def test_more_tokens_than_there_are() -> None:
    assert spending("take 5 coins from bank") == ("R0903", "take 5 coins from bank")
    assert spending("give 2 coins to bank", purse=1) == ("R0903", "give 2 coins to bank")


def test_more_tokens_than_may_be_held() -> None:
    assert spending("give 3 coins to bank") == ("R0903", "give 3 coins to bank")


def test_amounts_agree_in_number() -> None:
    def said(rule: str) -> str:
        with pytest.raises(RulesError) as raised:
            answer(begin(SPENDING.format(rule), purse=2), "on")
        return raised.value.diagnostics[0].message.partition("; take")[0].partition(" (in ")[0]

    assert said("take 5 coins from bank") == "5 coins should move, but only 4 are there"
    assert said("x = 1\n    take 4 coins from bank\n    take x coins from bank") == (
        "1 coin should move, but none is there"
    )
    assert said("take 3 coins from bank\n    take 2 coins from bank") == (
        "2 coins should move, but only 1 is there"
    )
    assert said("take coins - 3 coins from bank") == "-1 coins can't be moved: less than none"


def test_less_than_no_tokens() -> None:
    assert spending("take coins - 5 coins from bank")[0] == "R0903"


def test_as_many_tokens_as_there_are_is_no_fault() -> None:
    state = begin(SPENDING.format("take up to 9 coins from bank"))
    answer(state, "on")
    assert state.points == [7, 3]


@pytest.mark.parametrize("asking", [False, True])
def test_a_loop_without_an_end(asking: bool) -> None:
    head = "while size of deck > 0, at most 3 times as lap"
    body = "\n  choose go\n    on\n      take 0 coins from bank" if asking else ""
    plain = "\n  take 0 coins from bank"

    def play() -> None:
        state = begin(f"{head}{body or plain}")
        while not state.is_over:
            state.apply(state.moves[0])

    assert fault(play) == ("R0902", head)


def test_going_round_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "STEPS", 50 * runtime.ASKING_RUN)
    head = "go round players skipping size of hand > 9 until coins > 90 as turn"
    # a rule of its own, so that no game compiled with the usual cap is found
    state = begin(f"{head}\n  choose go\n    on\n      take 0 coins from bank\n    off")
    with pytest.raises(RulesError, match="more than 50 rounds") as raised:
        for _ in range(100):
            state.apply(state.moves[0])
    assert raised.value.diagnostics[0].code == "R0902"


ASKED = "choose go if any: player in others where coins > 99\n{}  take 1 coin from bank"


@pytest.mark.parametrize(
    ("head", "inside"),
    [
        ("repeat 900000000", "x = x + 1"),
        ("repeat 90000\n  repeat 90000", "x = x + 1"),
        ("while coins >= 0, at most 90000 times\n  while coins < 0 or x >= 0, at most 90000 times",
         "x = x + 1"),
        ("go round players until x < 0", "x = x + 1"),
        ("each p in players\n  repeat x + 90000\n    each c in deck", "x = x + 1"),
        ("\n".join("  " * i + f"each p{i} in players" for i in range(12)), "x = x + 1"),
        ("\n".join("  " * i + f"each p{i} in players" for i in range(12)), ASKED),
        ("repeat 90000\n  while coins >= 0, at most 90000 times", ASKED),
    ],
)  # fmt: skip
def test_no_loop_goes_on_for_ever(head: str, inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever loops are made of, and nest: all share one count, and the one that passes it is
    named."""
    monkeypatch.setattr(runtime, "STEPS", 1000)
    pad = "  " * (head.count("\n") + 1)
    lines = [f"{head}\n{pad}{inside.format(pad)}"]
    if inside is not ASKED:
        lines = ["x = 0", *lines, COUNTED]
    code, line = fault(lambda: begin("\n".join(lines)))
    assert code == "R0902"
    assert line in [part.strip() for part in head.split("\n")]


HEADS = (
    "repeat 1",
    "each p{} in players by seat",
    "while x < 1, at most 1 times",
    "go round players until x > 0",
    "if coins of first player > {} - 100",
)


@pytest.mark.parametrize("asking", [False, True])
def test_blocks_may_stand_inside_each_other(asking: bool) -> None:
    """As many as the language takes, though Python takes 20 loops, and 100 indentations."""
    depth = 44
    heads = [HEADS[i % len(HEADS)].format(i) for i in range(depth)]
    lines = ["x = 0", *("  " * i + head for i, head in enumerate(heads))]
    pad = "  " * depth
    lines += [f"{pad}{line}" for line in ("x = x + 1", *(COUNTED.split("\n") if asking else ()))]
    state = begin("\n".join([*lines, *(() if asking else (COUNTED,))]))
    assert offered(state) == ["on", "off"]
    answer(state, "on")


def test_parts_may_name_parts_that_name_parts() -> None:
    """Written out where they are used, these would be some thousand million lines; run in place of
    each other, their conditions would stand too deep."""
    values = "\n".join(
        f"value v{i} = if coins > 99 then v{i + 1} + v{i + 1} else 3" for i in range(30)
    )
    actions = "\n".join(
        f"action a{i}\n"
        + "\n".join("  " * (j + 1) + f"if coins < 900 - {i}{j}" for j in range(20))
        + "\n"
        + "  " * 21
        + f"a{i + 1}"
        for i in range(6)
    )
    doubled = "\n".join(
        f"action d{i}\n  d{i + 1}\n  if coins > 99\n    d{i + 1}" for i in range(30)
    )
    last = "value v30 = 1\naction a6\n  take v0 coins from bank\naction d30\n  x = 1"
    text = TINY.format(
        phase="  turn of first player\n    a0\n    d0\n    choose go\n      on\n"
        "        take 1 coin from bank\n      off\n",
        winner=", then draw",
    )
    text = text.replace("scoring\n", "\n".join([values, actions, doubled, last, "scoring\n"]))
    program, found = pipeline.load("parts.rules", text)
    assert program is not None, [d.message for d in found]
    state = compile_game(program, 2).start(1)
    assert (state.points, offered(state)) == ([6, 3], ["on", "off"])


def test_few_runs_of_loops_are_not_counted() -> None:
    """A loop over the players and one over the deck can't run often."""
    state = begin(f"x = 0\neach p in players\n  x = x + 1\neach c in deck\n  x = x + 1\n{COUNTED}")
    assert state.steps == 0
    state = begin(f"x = coins\nrepeat x\n  x = x + 1\n{COUNTED}")
    assert state.steps == 3


@pytest.mark.parametrize("rule", ["choose go: number 0..bank × 1000000", "each i in 1..900000000"])
def test_more_numbers_than_anyone_could_go_through(rule: str) -> None:
    inside = "do nothing" if rule.startswith("choose") else "take min(i, 0) coins from bank"
    assert fault(lambda: begin(f"{rule}\n  {inside}\n{GO if inside != 'do nothing' else ''}")) == (
        "R0909",
        rule,
    )


def test_more_ways_to_pick_than_anyone_could_go_through() -> None:
    assert len(runtime.pick_cards(range(12), 0, 12)) == 4096
    with pytest.raises(runtime.TooMany, match="40 cards"):
        runtime.pick_cards(range(40), 0, 20)


def test_a_tie_that_is_no_draw() -> None:
    """All cards are different, so the checker is content; but no cards are left in hand."""
    rules = "choose go\n  on\n    take 0 coins from bank\n    move every hand to deck"
    state = begin(rules, winner=", then largest number of the card in hand")
    code, line = fault(lambda: answer(state, "on"))
    assert code == "R0904"
    assert line.startswith(("winner", "most points"))


def test_a_crash_inside_the_engine_names_the_rule_that_was_running() -> None:
    state = begin("choose go\n  on\n    take 1 coin from bank\n    move the card in hand to row")
    state.kn = 5  # type: ignore[assignment]
    code, line = fault(lambda: answer_raw(state))
    assert (code, line) == ("R0900", "move the card in hand to row")


def test_what_is_not_there_is_told_as_the_rules_fault() -> None:
    state = begin("choose go\n  on\n    take 1 coin from bank\n    move the card in hand to row")
    for place in state.P:
        place.clear()
    code, line = fault(lambda: answer_raw(state))
    assert (code, line) == ("R0906", "move the card in hand to row")


def answer_raw(state: State) -> None:
    state.apply(state.moves[0])


# Tracebacks and profilers show rules


def codes_of(code: CodeType) -> list[CodeType]:
    inner = [c for c in code.co_consts if isinstance(c, CodeType)]
    return [code, *(found for c in inner for found in codes_of(c))]


@pytest.mark.parametrize("name", ["throne.rules", "gorilla.rules", "last-leaf.rules"])
def test_code_lies_in_the_rules_file(name: str) -> None:
    program = bundled(name)
    game = compile_game(program, program.players[0])
    lines = len(program.sources[program.file].split("\n"))
    functions = [*game._class._resume, *game._class._resume_loud]
    assert functions
    for function in functions:
        for code in codes_of(function.__code__):
            assert code.co_filename == program.file
            numbers = {line for _, _, line in code.co_lines() if line is not None}
            assert numbers and max(numbers) <= lines


def test_a_choice_goes_on_at_its_own_lines() -> None:
    program = bundled("throne.rules")
    game = compile_game(program, 3)
    text = program.sources[program.file].split("\n")
    resume = dict(zip((info.path for info in game.choices), game._class._resume, strict=True))
    code = resume["skill barbarian/raid"].__code__
    lines = {line for _, _, line in code.co_lines() if line is not None}
    shown = [text[line - 1].split("[")[0].strip() for line in sorted(lines)]
    assert "move it to discard" in shown and "gain 1 vp" in shown


def test_a_traceback_names_file_and_line() -> None:
    program = tiny("choose go\n  on\n    take 1 coin from bank", file="trace.rules")
    state = compile_game(program, 2).start(1)
    state.t_coin = None  # type: ignore[attr-defined]
    with pytest.raises(RulesError) as raised:
        state.apply(state.moves[0])
    frames = traceback.extract_tb(raised.value.__cause__.__traceback__)  # type: ignore[union-attr]
    last = [frame for frame in frames if frame.filename == "trace.rules"][-1]
    line = program.sources["trace.rules"].split("\n")[(last.lineno or 0) - 1]
    assert line.strip() == "take 1 coin from bank"


def test_a_profile_shows_the_rules_file() -> None:
    game = compile_game(bundled("throne.rules"), 4)
    profile = cProfile.Profile()
    profile.enable()
    rng = Random(1)
    state = game.start(1)
    while not state.is_over:
        state.apply(rng.choice(state.moves))
    profile.disable()
    files = {where[0] for where in pstats.Stats(profile).stats}  # type: ignore[attr-defined]
    assert game.program.file in files


def test_the_listing_is_python_and_shows_the_rules_names() -> None:
    game = compile_game(bundled("gorilla.rules"), 4)
    listing = game.listing()
    assert "def " in listing and len(listing.split("\n")) > 100
    compile(listing, "listing", "exec")


# What is refused


@pytest.mark.parametrize("players", [0, 1, 4, 1000, -2])
def test_player_counts(players: int) -> None:
    with pytest.raises(RulesError, match="2 to 3 players"):
        compile_game(tiny(GO), players)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("purse", 10, "a number from 0 to 9"),
        ("purse", "many", "a number from 0 to 9"),
        ("purse", "endless", "a number from 0 to 9"),
        ("bonus", "maybe", "yes or no"),
        ("bonus", 1, "yes or no"),
        ("colour", "green", "red or blue"),
        ("reach", 10, "a number from 1 to 9 or endless"),
    ],
)
def test_option_values(name: str, value: object, words: str) -> None:
    with pytest.raises(RulesError, match=words) as raised:
        compile_game(tiny(GO), 2, {name: value})
    assert raised.value.diagnostics[0].code == "R0805"


def test_an_unknown_option_is_told_with_the_nearest() -> None:
    with pytest.raises(RulesError) as raised:
        compile_game(tiny(GO), 2, {"purs": 3, "purse": 12})
    codes = [found.code for found in raised.value.diagnostics]
    assert codes == ["R0804", "R0805"]  # all at once
    assert "purse" in raised.value.diagnostics[0].suggestion


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"purse": "7"}, {"purse": 7}),
        ({"bonus": "yes"}, {"bonus": True}),
        ({"bonus": True}, {"bonus": True}),
        ({"colour": "blue"}, {"colour": "blue"}),
        ({"reach": " 3 "}, {"reach": 3}),
    ],
)
def test_options_as_text(given: dict[str, object], meant: dict[str, object]) -> None:
    game = compile_game(tiny(GO), 2, given)
    assert {name: game.options[name] for name in meant} == meant
    assert compile_game(tiny(GO), 2, meant) is game


def test_states_of_another_game() -> None:
    throne = compile_game(bundled("throne.rules"), 3)
    data = throne.start(1).to_json()
    others = [
        compile_game(bundled("last-leaf.rules"), 3),
        compile_game(bundled("throne.rules"), 4),
        compile_game(bundled("throne.rules"), 3, {"turns": 4}),
    ]
    for other in others:
        with pytest.raises(RulesError) as raised:
            other.from_json(data)
        assert raised.value.diagnostics[0].code == "R0811"
        assert other.start(1) != throne.start(1)
    assert throne.from_json(json.loads(json.dumps(data))) == throne.start(1)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.clear(),
        lambda data: data.pop("state"),
        lambda data: data["state"].pop("P"),
        lambda data: data["state"].update(extra=1),
        lambda data: data["state"].update(nth=7),
        lambda data: data.update(state=None),
        lambda data: data.update({"rules state": 2}),
    ],
)
def test_damaged_states(damage: Callable[[dict[str, Any]], object]) -> None:
    game = compile_game(bundled("throne.rules"), 3)
    data = json.loads(json.dumps(game.start(1).to_json()))
    damage(data)
    with pytest.raises(RulesError):
        game.from_json(data)
