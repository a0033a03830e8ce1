"""The engine from outside: what it says when a rule can't be carried out, where it says it, what
tracebacks and profilers show, and what it refuses."""

from __future__ import annotations

import cProfile
import json
import pickle
import pstats
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any

import pytest

from dsl import pipeline
from dsl.diagnostics import RulesError
from dsl.program import Program
from interpreter import State, compile_game, runtime
from interpreter.binding import bind
from interpreter.cache import cached_code
from interpreter.codegen.looks import Looks
from interpreter.events import Event
from interpreter.scenario import answer, clear, offered, place_cards, set_roles

ROOT = Path(__file__).resolve().parents[1]
TINY = """game "Tiny"
  players 2..3

options
  purse   3  in 0..9
  bonus   no
  colour  red or blue
  reach   endless or 1..9

cards
  number  1..6
  numbered: 1 of each number

places
  deck            face down pile
  hand of player  private hand
  row of player   face up row

tokens
  coin of player    purse
  coin in bank      4, at most 6

setup
  shuffle all cards into deck
  deal 2 from deck to every hand

phase play
{phase}
scoring
  total = coins
  extra = (if bonus then 1 else 0) + (if colour is red then 0 else 1) + min(reach, 0)

winner most points{winner}
"""

GO = "choose go\n  on\n    take 1 coin from bank"


def tiny(phase: str, winner: str = ", then draw", file: str = "tiny.rules") -> Program:
    """The program of a small game with these rules."""
    rules = "\n".join(f"  {line}" for line in phase.strip("\n").split("\n"))
    program, diagnostics = pipeline.load(file, TINY.format(phase=rules, winner=winner))
    assert program is not None, "\n".join(d.message for d in diagnostics)
    return program


def begin(phase: str, winner: str = ", then draw", **options: Any) -> State:
    return compile_game(tiny(phase, winner), 2, options).start(1)


@cache
def bundled(name: str) -> Program:
    program, diagnostics = pipeline.load(ROOT / "rulesets" / name)
    assert program is not None, diagnostics
    return program


def fault(action: Callable[[], object]) -> tuple[str, str]:
    """The code of the one diagnostic that an action raises, and the rule line it points to."""
    with pytest.raises(RulesError) as raised:
        action()
    (found,) = raised.value.diagnostics
    assert found.span is not None
    text = raised.value.sources[found.span.file]
    assert f"{found.span.file}:{found.span.line}" in str(raised.value)
    line = text.split("\n")[found.span.line - 1]
    return found.code, line[found.span.column - 1 :].strip()


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


COUNTED = "choose go\n  on when x > 0\n    take 1 coin from bank\n  off"
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


# States


def test_states_compare_only_with_states() -> None:
    state = begin(GO)
    assert state != 1
    assert state == begin(GO)
    assert state != compile_game(tiny(GO), 2).start(2)
    assert len({state, begin(GO), state.clone()}) == 1


def test_a_game_is_made_once_and_pickles_to_itself() -> None:
    game = compile_game(bundled("throne.rules"), 3)
    assert compile_game(bundled("throne.rules"), 3, {"turns": 5}) is game
    assert pickle.loads(pickle.dumps(game)) is game
    state = game.start(1)
    again = pickle.loads(pickle.dumps([state, state.clone()]))
    assert again[0].game is game
    assert again == [state, state]


def test_silent_and_loud_take_turns_in_one_game() -> None:
    game = compile_game(bundled("gorilla.rules"), 4)
    silent, mixed = game.start(1), game.start(1, lambda event: None)
    rng = Random(1)
    events: list[Event] = []
    while not silent.is_over:
        raw = rng.choice(silent.moves)
        silent.apply(raw)
        mixed.apply(raw, events.append if rng.random() < 0.5 else None)
        assert silent == mixed
    assert events


def test_options_and_raw_options_do_the_same() -> None:
    game = compile_game(bundled("throne.rules"), 3)
    one, other = game.start(1), game.start(1)
    while not one.is_over:
        assert one.decision is not None
        one.apply(one.decision.options[-1])
        other.apply(other.moves[-1])
    assert one == other


def test_an_option_that_is_not_offered_is_refused() -> None:
    state = begin(f"choose lay: card from hand\n  move it to row\n{GO}")
    assert state.decision is not None
    old = state.decision.options[0]
    state.apply(old)
    with pytest.raises(ValueError):
        state.apply(old)


def test_position_key_leaves_out_seed_and_knowledge_but_not_the_loops() -> None:
    game = compile_game(bundled("last-leaf.rules"), 3)
    state = game.start(1)
    other = state.clone()
    other.seed = 99
    assert other != state
    assert other.position_key() == state.position_key()
    laps = begin("repeat 3 as lap\n  choose go\n    on\n      take 0 coins from bank")
    keys = []
    while not laps.is_over:
        keys.append(laps.position_key())
        laps.apply(laps.moves[0])
    assert len(set(keys)) == 3


def test_points_on_the_way_are_as_scoring_would_count_now() -> None:
    state = begin(GO, purse=2)
    assert (state.points, state.winners) == ([2, 2], [])
    answer(state, "on")
    assert state.points == [3, 2]


def test_coordinates_and_rule() -> None:
    go = "    choose go\n      on\n        take 0 coins from bank"
    state = begin(f"repeat 2 as lap\n  each player as turn\n{go}")
    seen = []
    while not state.is_over:
        seen.append(state.coordinates)
        assert state.rule is not None and state.rule.path == "phase play/go"
        answer(state, "on")
    where = [("lap", 1), ("turn", 1)], [("lap", 1), ("turn", 2)], [("lap", 2), ("turn", 1)]
    assert seen[:3] == [(("phase", "play"), *found) for found in where]
    assert state.rule is None and state.coordinates == (("phase", "play"),)


def test_entering_a_choice_asks_again() -> None:
    state = begin("choose lay: card from hand\n  move it to row\n" + GO)
    place_cards(state, "hand", 0, ["4", "6"])
    state.game.enter_choice(state, "phase play/lay", 0)
    assert offered(state) == ["4", "6"]
    state.game.enter_choice(state, "phase play/go", 0)
    assert offered(state) == ["on"]


# Copies dealt for a player


def test_a_copy_offers_what_its_own_cards_allow() -> None:
    """P1 was asked, so P1 has a 5 or 6; which, P2 can't know."""
    rule = "choose lay if any: card from hand where number >= 5\n  move it to row\n"
    state = begin(rule + GO)
    place_cards(state, "hand", 0, ["1", "6"])
    place_cards(state, "hand", 1, ["2", "3"])
    state.game.enter_choice(state, "phase play/lay", 0)
    rng = Random(1)
    seen = set()
    for _ in range(60):
        copy = state.determinize(1, rng)
        assert copy.view(1) == state.view(1)
        assert set(copy.moves) <= set(copy.P[1])
        seen.update(offered(copy))
    assert seen == {"5", "6"}


def test_a_copy_for_a_player_asks_the_same_choice_of_the_same_player() -> None:
    """P2 sees that P1 leads, so P1 has something to lead; a deal of only bananas is no deal."""
    state = compile_game(bundled("gorilla.rules"), 2).start(1)
    set_roles(state, {"king": 0})
    for player in range(2):
        clear(state, "hand", player, ("deck", None))
    clear(state, "deck", None, ("scored", 1))
    place_cards(state, "hand", 0, ["crown 5"])
    place_cards(state, "hand", 1, ["crown 6"])
    row = state.game.binding.place_base["scored"] + 1
    deck = state.game.binding.place_base["deck"]
    banana = next(f.index for f in state.game.faces if f.kind == "banana")
    for _ in range(2):
        state.P[row].remove(banana)
        state.P[deck].append(banana)
    state.game.enter_phase(state, "play")
    assert (state.player, offered(state)) == (0, ["lead crown 5"])
    rng = Random(1)
    for _ in range(50):
        copy = state.determinize(1, rng)
        assert copy.view(1) == state.view(1)
        assert copy.moves


LAY_AT_ONCE = """repeat 2 as lap
  all players at once
    choose lay if any: card from hand where number >= 4
      move it to row
"""


def test_a_copy_in_the_middle_of_secret_answers_asks_the_same() -> None:
    """P2 is asked, so P2 has a 4 to 6; P1 has answered, so P1 had one. P3 knows no more."""
    state = compile_game(tiny(LAY_AT_ONCE + GO), 3).start(1)
    for player, hand in enumerate((["4", "1"], ["6", "2"], ["5", "3"])):
        place_cards(state, "hand", player, hand)
    state.game.enter_phase(state, "play")
    answer(state, "4")
    assert state.player == 1
    for seed in range(200):
        copy = state.determinize(2, Random(seed))
        assert copy.view(2) == state.view(2)
        assert copy.moves and set(copy.moves) <= set(copy.P[2])


def test_errors_come_through_other_processes() -> None:
    with pytest.raises(RulesError) as raised:
        compile_game(tiny(GO), 9)
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value)
    assert [found.code for found in again.diagnostics] == ["R0801"]


# Compiled code that is kept


def kept_files(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_file()]


def test_compiled_code_is_kept_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULES_CACHE", str(tmp_path / "cache"))
    binding = bind(tiny(GO), 2)
    first = cached_code(binding)
    (kept,) = kept_files(tmp_path / "cache")
    written = kept.stat().st_mtime_ns
    again = cached_code(binding)
    assert [g.codes for g in again] == [g.codes for g in first]
    assert kept.stat().st_mtime_ns == written


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\x80\x05N."])
def test_a_damaged_cache_is_as_if_it_were_not_there(
    damage: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULES_CACHE", str(tmp_path))
    binding = bind(tiny(GO), 2)
    first = cached_code(binding)
    (kept,) = kept_files(tmp_path)
    for content in (damage, kept.read_bytes()[:-40]):
        kept.write_bytes(content)
        assert [g.codes for g in cached_code(binding)] == [g.codes for g in first]


def test_no_cache_and_a_folder_that_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("in the way")
    for setting in ("off", str(tmp_path / "file" / "cache")):
        monkeypatch.setenv("RULES_CACHE", setting)
        assert cached_code(bind(tiny(GO), 2))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_another_option_is_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULES_CACHE", str(tmp_path))
    cached_code(bind(tiny(GO), 2))
    cached_code(bind(tiny(GO), 3))
    cached_code(bind(tiny(GO), 2, {"purse": 4}))
    assert len(kept_files(tmp_path)) == 3


def test_equal_text_in_another_file_is_that_files_game(tmp_path: Path) -> None:
    text = (Path(__file__).parent / "kuhn.rules").read_text(encoding="utf-8")
    games = []
    for name in ("a.rules", "b.rules"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        program, _ = pipeline.load(tmp_path / name)
        assert program is not None
        games.append(compile_game(program, 2))
    assert [Path(game.program.file).name for game in games] == ["a.rules", "b.rules"]
    assert games[0].start(1) == games[1].start(1)


INSIDE = "(count of cards in deck where number < "


@pytest.mark.parametrize(
    "expr",
    [
        "sum of (" * 12 + "number" + ") over cards in deck" * 12,
        INSIDE * 12 + "3" + ")" * 12,
        "v0",
    ],
)
def test_questions_inside_questions_end(expr: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However they are made: what they look at grows with each, and is counted."""
    monkeypatch.setattr(runtime, "MOST_LOOKS", 1000)
    values = "".join(f"value v{i} = v{i + 1} + v{i + 1}\n" for i in range(40)) + "value v40 = 1\n"
    rules = "\n".join(f"  {line}" for line in f"x = {expr}\n{COUNTED}".split("\n"))
    text = TINY.format(phase=rules, winner=", then draw")
    text = text.replace("scoring\n", f"{values}\nscoring\n") if expr == "v0" else text
    program, found = pipeline.load("looks.rules", text)
    assert program is not None, [d.message for d in found]
    code, line = fault(lambda: compile_game(program, 2).start(1))
    assert (code, line.startswith(("x = ", "value v"))) == ("R0909", True)


def test_usual_rulesets_count_no_looks() -> None:
    for path in ROOT.glob("rulesets/*.rules"):
        program = bundled(path.name)
        assert not Looks(bind(program, program.players[1])).counted, path
