"""Wild play finds what is wrong in rules, and shrinks it to the shortest game that shows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.main import run
from dsl import pipeline
from dsl.program import Program
from interpreter import State, compile_game
from interpreter.contract import Broken, Kept, playthrough
from interpreter.fuzz import Fuzzer, Shrunk, attempt, finding, keeping, kept, shrink
from interpreter.fuzz.finding import following
from interpreter.trace import reader

ROOT = Path(__file__).resolve().parents[1]
GAME = """game "Tiny"
  players 2..4

options
  laps   3   in 1..5
  purse  3   in 0..9
  extra  no

cards
  number  1..9
  numbered: 2 of each number

places
  deck            face down pile
  hand of player  private hand
  row of player   face up row

tokens
  coin of player  purse
  coin in bank    20

setup
  shuffle all cards into deck
  deal 3 from deck to every hand

phase play
{phase}
scoring
  total = coins + (if extra then 1 else 0) + laps

winner most points, then draw
"""
LAPS = """repeat laps as lap
  each player
    choose act
      save
      spend
        {spend}
      lay card from hand
        move it to row
"""


def tiny(phase: str, file: str = "tiny.rules") -> Program:
    rules = "\n".join(f"  {line}" for line in phase.strip("\n").split("\n"))
    program, diagnostics = pipeline.load(file, GAME.format(phase=rules))
    assert program is not None, "\n".join(d.message for d in diagnostics)
    return program


def laps(spend: str) -> str:
    return LAPS.format(spend=spend)


def fuzzed(program: Program, games: int = 120) -> Fuzzer:
    fuzzer = Fuzzer(program, 1)
    while fuzzer.games < games:
        fuzzer.play()
    return fuzzer


def shrunk(program: Program) -> Shrunk:
    """The one kind of failure there is, shrunk."""
    ((_, found),) = fuzzed(program, 240).found.items()
    return shrink(found)


def told(result: Shrunk) -> tuple[str, int, int, int, bool]:
    """What failed, in which line; players; choices; whether no shorter game of the deal does."""
    played = result.played
    failure = played.failure
    assert failure is not None
    line = 0 if failure.span is None else failure.span.line
    assert dict(played.game.options) == {"laps": 3, "purse": 3, "extra": False}
    return failure.kind, line, played.game.players, len(played.picks), result.shortest


# Rules that fail, and the shortest games that show it


def test_rules_that_are_sound_are_found_so() -> None:
    fuzzer = fuzzed(tiny(laps("give min(2, coins) coins to bank")))
    assert not fuzzer.found
    assert not fuzzer.refused
    assert fuzzer.settings == 6
    assert fuzzer.decisions > 500


def test_an_overdraft_takes_a_second_lap() -> None:
    """3 coins, 2 for each spending: P1 spends in the first lap, then P2 saves, then P1 again."""
    result = shrunk(tiny(laps("give 2 coins to bank")))
    assert told(result) == ("R0903", 32, 2, 3, True)
    assert result.played.picks == (1, 0, 1)


def test_one_may_be_left_without_cards() -> None:
    phase = "repeat 4\n  each player\n    choose lay: card from hand\n      move it to row"
    assert told(shrunk(tiny(phase))) == ("R0901", 29, 2, 6, True)


def test_what_fails_with_three_players_only_is_shown_with_three() -> None:
    phase = "choose n: number 1..(3 - players) × (3 - players)\n  gain_(it)\n"
    phase += "each player\n  choose rest\n    on"
    phase = phase.replace("gain_(it)", "take it coins from bank")
    result = shrunk(tiny(phase))
    assert told(result)[:4] == ("R0901", 27, 3, 0)


def test_dividing_by_what_is_none() -> None:
    """Two cards in a row must be laid first, in two laps."""
    result = shrunk(tiny(laps("take 0 × (6 / (2 - size of row) rounded down) coins from bank")))
    assert told(result) == ("R0905", 32, 2, 5, True)
    assert result.played.picks == (2, 0, 2, 0, 1)


def test_an_option_stays_changed_if_the_failure_needs_it() -> None:
    phase = laps("give (if extra then 5 else 0) coins to bank")
    result = shrunk(tiny(phase))
    game = result.played.game
    assert game.options["extra"] is True
    assert game.options["laps"] == 3
    assert game.players == 2
    assert len(result.played.picks) == 1


def test_a_game_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever always takes the first option keeps it going."""
    monkeypatch.setattr(finding, "MOST_DECISIONS", 600)
    monkeypatch.setattr(keeping, "MOST_KEPT", 500)
    phase = "repeat 90000 as lap\n  choose act\n    wait\n    stop\n      end game"
    fuzzer = Fuzzer(tiny(phase), 1)
    while not fuzzer.tired:
        fuzzer.play()
    ((key, found),) = fuzzer.found.items()
    assert key[0] == "ends"
    result = shrink(found)
    assert set(result.played.picks) == {0}
    assert not kept(result.played, "").trace  # too long to keep


def test_a_loop_without_end_in_which_nobody_is_asked() -> None:
    phase = "choose act\n  stop\n  tally\n    repeat 1000000 × coins\n      repeat 1000\n        "
    phase += "take 0 coins from bank"
    assert told(shrunk(tiny(phase))) == ("R0902", 30, 2, 1, True)


def test_a_setting_that_the_rules_refuse_is_no_failure() -> None:
    text = GAME.format(phase="  each player\n    choose rest\n      on")
    text = text.replace("coin of player  purse", "coin of player  purse, at most 5")
    program, _ = pipeline.load("tiny.rules", text)
    assert program is not None
    fuzzer = fuzzed(program, 200)
    assert not fuzzer.found
    assert {refused.setting[1]["purse"] for refused in fuzzer.refused} <= {6, 7, 8, 9}
    assert fuzzer.refused


def test_the_same_seed_plays_the_same_games() -> None:
    program = tiny(laps("give 2 coins to bank"))
    one, other = fuzzed(program), fuzzed(program)
    assert one.decisions == other.decisions
    assert one.found == other.found


# Faults of the engine


def test_a_view_that_shows_too_much_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    view = State.view

    def leaking(state: State, player: int) -> Any:
        import attrs

        seen = view(state, player)
        return attrs.evolve(seen, points=(sum(state.P[-1]), sum(map(sum, state.P[1:3]))))

    program = tiny(laps("give min(2, coins) coins to bank"))
    monkeypatch.setattr(State, "view", leaking)
    with pytest.raises(Broken, match="players see what they may see") as raised:
        for seed in range(20):
            playthrough(compile_game(program, 2), seed, looks=3)
    assert raised.value.promise == "views"
    found = fuzzed(program, 60).found
    assert {kind for kind, _ in found} == {"views"}
    ((_, played),) = found.items()
    result = shrink(played)
    assert len(result.played.picks) == 0
    assert result.played.failure is not None and not result.played.failure.of_rules


@pytest.mark.parametrize(
    ("spoil", "promise", "words"),
    [
        (lambda s: s.P[0].pop(), "cards", "missing: 1 "),
        (lambda s: s.P[0].append(0), "cards", "too many: 1 1"),
        (lambda s: setattr(s, "t_coin", [-1, 7]), "tokens", "coin is -1, below 0"),
        (lambda s: setattr(s, "t_bank", 21), "tokens", "27 coin instead of 26"),
        (lambda s: setattr(s, "moves", []), "options", "nothing can be chosen"),
        (lambda s: setattr(s, "moves", [(1, None), (0, None)]), "options", "out of order"),
        (lambda s: setattr(s, "won", (0,)), "end", "winners before the end"),
    ],
)
def test_what_is_broken_is_said_in_words(
    spoil: Callable[[Any], object], promise: str, words: str
) -> None:
    game = compile_game(tiny(laps("give min(2, coins) coins to bank")), 2)
    state = game.start(1)
    Kept(game).check(state)
    spoil(state)
    with pytest.raises(Broken) as raised:
        Kept(game).check(state)
    assert raised.value.promise == promise
    assert words in str(raised.value)


# What is kept


def test_a_trace_of_a_failure_is_the_same_until_it_is_mended() -> None:
    program = tiny(laps("give 2 coins to bank"))
    played = shrunk(program).played
    text = kept(played, "rules play").trace
    assert text.endswith("= stopped\n  R0903: " + played.failure.message + "\n")  # type: ignore[union-attr]
    trace = reader.parse(text)
    assert reader.replay(trace, played.game) == text
    mended = compile_game(tiny(laps("give min(2, coins) coins to bank")), 2)
    now = reader.replay(trace, mended)
    assert now.startswith(text.partition("= stopped")[0])
    assert reader.parse(now).complete
    assert reader.replay(reader.parse(now), mended) == now


def test_picks_beyond_what_is_offered_are_the_last_ones() -> None:
    game = compile_game(tiny(laps("give min(2, coins) coins to bank")), 2)
    played = attempt(game, 1, following([99]))
    assert played.failure is None
    assert len(played.picks) == 6
    assert played.picks[0] == len(game.start(1).moves) - 1


# The command


@pytest.fixture()
def rules(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*args: object) -> tuple[int, str, str]:
        status = run([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return status, out, err

    return call


def write(folder: Path, spend: str) -> Path:
    path = folder / "tiny.rules"
    rules = "\n".join(f"  {line}" for line in laps(spend).strip("\n").split("\n"))
    path.write_text(GAME.format(phase=rules), encoding="utf-8")
    return path


def test_the_command_keeps_what_plays_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: Callable[..., tuple[int, str, str]]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    path = write(tmp_path, "give 2 coins to bank")
    status, out, err = rules("fuzz", "tiny.rules", "-n", 60)
    assert (status, err) == (1, "")
    play, check = (line.split()[1:] for line in out.splitlines() if line.startswith("  rules "))
    assert "The shortest game of its deal takes 3 choices: --players 2 --seed" in out
    assert "60 games played (3 settings, " in out
    status, _, err = rules(*play)
    assert status == 1
    assert "R0903" in err and "tiny.rules:32" in err
    status, out, _ = rules(*check)
    assert (status, out) == (0, "1 as before, 0 different\n")
    path.write_text(path.read_text().replace("give 2", "give up to 2"))
    status, out, _ = rules(*check)
    assert status == 1
    assert "the game was stopped here by a rule, and goes on now" in out
    status, out, err = rules(*play)
    assert status == 2
    assert "R0903" not in err


def test_the_command_finds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: Callable[..., tuple[int, str, str]]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in sorted(path.name for path in (ROOT / "rulesets").glob("*.rules")):
        status, out, err = rules("fuzz", name, "-n", 21, "--seed", 3)
        assert (status, err) == (0, ""), out
        assert f"{name}: 21 games played (2 settings, " in out
    assert not Path("fuzz").exists()
    status, out, _ = rules("fuzz", "throne.rules", "--time", "0.01", "--set", "turns=1")
    assert status == 0


@pytest.mark.parametrize(
    "args",
    [
        ("throne.rules", "-n", 0),
        ("throne.rules", "-n", 5, "--time", 3),
        ("throne.rules", "--time", 0),
        ("throne.rules", "--players", 9),
        ("throne.rules", "--set", "turns=99"),
        ("nothing.rules",),
    ],
)
def test_wrong_use(args: tuple[object, ...], rules: Callable[..., tuple[int, str, str]]) -> None:
    status, _, err = rules("fuzz", *args)
    assert status == 2
    assert "Error" in err
