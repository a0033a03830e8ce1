"""`rules play` without a terminal: whole games, commands, saving, and what does not fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulesets import FOLDER

Rules = Callable[..., "object"]
GAMES = ["last-leaf", "throne", "gorilla"]
QUICK = ("--bots", "random", "--seed", "7")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_whole_game(rules: Rules, game: str, lang: str) -> None:
    done = rules("play", game, *QUICK, "--lang", lang, stdin="1\n" * 200)
    assert (done.status, done.err) == (0, "")
    assert (
        ("Winner" in done.out)
        or ("draw" in done.out)
        or ("勝者" in done.out)
        or ("引き分け" in done.out)
    )
    assert "\x1b" not in done.out


def test_the_screen(rules: Rules) -> None:
    done = rules("play", "throne.rules", *QUICK, "--players", "3", "--script", write("hold"))
    assert done.status == 2
    head, _, rest = done.out.partition("P1, hold, or play a card:\n")
    assert "What happened:" in head
    assert "deck → hand of P2: 1 card" in head
    assert "> P1 (you)  coin 5 · vp 0 · hand: 2 cards" in head
    assert "treasury: 5 · stock: endless" in head
    assert "Your hand: " in head
    assert rest.splitlines()[0] == "   1  hold"
    assert "the input ended, but the game goes on with P1's choice" in done.err


def write(*lines: str) -> Path:
    path = Path("moves.txt")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_others_hands_stay_hidden(rules: Rules) -> None:
    done = rules("play", "last-leaf", *QUICK, "--players", "2", stdin="1\n" * 4)
    for line in done.out.splitlines():
        if "→ hand of P2" in line:
            assert line.endswith(("1 card", "5 cards"))


def test_watching_shows_everything_and_asks_nothing(rules: Rules) -> None:
    done = rules("play", "last-leaf", *QUICK, "--watch")
    assert done.status == 0
    assert "options" not in done.out
    assert "The game is over." in done.out


def test_hotseat_asks_for_every_seat(rules: Rules) -> None:
    done = rules("play", "last-leaf", "--hotseat", "--players", "2", "--seed", "1", stdin="1\n" * 8)
    assert done.status == 0
    assert "P1, lay:" in done.out
    assert "P2, lay:" in done.out


def test_sitting_elsewhere(rules: Rules) -> None:
    done = rules("play", "last-leaf", *QUICK, "--me", "P2", "--players", "2", stdin="1\n" * 4)
    assert done.status == 0
    assert "P2 (you)" in done.out
    assert "P1, lay:" not in done.out


def test_options_of_the_game(rules: Rules) -> None:
    done = rules("play", "last-leaf", *QUICK, "--set", "hand_size=3", stdin="1\n" * 2)
    assert done.status == 0
    assert "--seed 7 --players 4 --set hand_size=3" in done.out


def test_commands(rules: Rules) -> None:
    typed = ["?", "r", "why 1", "why nonsense", "why", "t", "u", "h", "1", "u", *"1111"]
    done = rules("play", "last-leaf", *QUICK, "--players", "2", stdin="\n".join(typed) + "\n")
    assert done.status == 0, done.err
    assert "take back your last choice" in done.out
    assert "all players at once" in done.out or "choose lay" in done.out  # the rule's own lines
    assert "L3: In a round each player picks" in done.out  # and its clause
    assert "` can be chosen: last-leaf.rules:" in done.out
    assert "Nothing at this choice is called `nonsense`. The rule is" in done.out
    assert "All that this choice is about can be chosen." in done.out
    assert "There is no choice of yours to take back." in done.out
    assert "Hint: " in done.out
    assert "Taken back." in done.out


def test_a_script_then_standard_input(rules: Rules) -> None:
    script = write("# two rounds", "1", "", "2")
    done = rules("play", "last-leaf", *QUICK, "--players", "2", "--script", script, stdin="1\n1\n")
    assert done.status == 0


def test_lines_of_a_trace_are_a_script(rules: Rules) -> None:
    """A text trace, as it is, plays the same game when a person takes P1's choices from it."""
    trace = rules("trace", "last-leaf", "--players", "2", "--seed", "7", "--bots", "random").out
    chosen = [line for line in trace.splitlines() if line.startswith("  P1 lay: ")]
    done = rules("play", "last-leaf", *QUICK, "--players", "2", "--script", write(*chosen))
    assert done.status == 0
    points = next(x for x in trace.splitlines() if x.startswith("  P1: ")).split()[1]
    assert f"P1  {points} point" in done.out


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (["1"], "the input ended, but the game goes on with P1's choice `lay` (options: "),
        (["queen of nothing"], "moves.txt:1: `queen of nothing` is not among the options of P1's"),
        (["1", "# so far", "99"], "moves.txt:3: `99` is not among the options of P1's choice"),
        (["s p a d e"], "moves.txt:1: `s p a d e` is not among"),
        (["1"] * 5, "moves.txt:5: the game is over, nothing was asked for `1`"),
        (["P1 turn: hold"], "moves.txt:1: this is not the choice asked, which is P1's choice"),
    ],
)
def test_a_script_that_does_not_fit(rules: Rules, answers: list[str], message: str) -> None:
    done = rules("play", "last-leaf", *QUICK, "--players", "2", "--script", write(*answers))
    assert done.status == 2
    assert message in done.err


def test_a_beginning_that_fits_several(rules: Rules) -> None:
    done = rules("play", "throne", *QUICK, "--set", "opening_hand=3", stdin="play\n")
    assert done.status == 2
    assert "line 1 of the input: `play` fits several of the options" in done.err


# saving


SAVED = ("--seed", "7", "--players", "2", "--bots", "random")


def saved(rules: Rules, game: str = "last-leaf") -> dict[str, object]:
    done = rules("play", game, *SAVED, "--save", "my.json", stdin="1\n2\nq\n")
    assert done.status == 0
    assert "Saved: my.json" in done.out
    data = json.loads(Path("my.json").read_text(encoding="utf-8"))
    assert isinstance(data, dict)
    return data


def test_save_and_resume_is_the_same_game(rules: Rules) -> None:
    whole = rules("play", "last-leaf", *SAVED, stdin="1\n2\n1\n1\n")
    saved(rules)
    rest = rules("play", "--resume", "--save", "my.json", stdin="1\n1\n")
    assert rest.status == 0
    assert rest.out.endswith(whole.out[whole.out.index("The game is over.") :])
    assert not Path("my.json").exists()  # the game is over


def test_resume_finds_the_latest_save(rules: Rules) -> None:
    assert rules("play", "--resume").err.startswith("Usage:") is False
    assert rules("play", "--resume").status == 2
    rules("play", "last-leaf", *SAVED, stdin="1\nq\n")
    done = rules("play", "--resume", stdin="1\n1\n1\n")
    assert done.status == 0
    gone = rules("play", "last-leaf", "--resume")  # with the end of the game
    assert (gone.status, gone.err) == (2, "Error: there is no saved game of last-leaf\n")


def test_what_does_not_go_together(rules: Rules) -> None:
    done = rules("play", "--list", "--players", 3, "--watch")
    assert (done.status, done.out) == (2, "")
    assert "leave out --players, --watch" in done.err
    assert "leave out the ruleset" in rules("play", "--list", "throne").err
    assert "--force belongs to --resume" in rules("play", "throne", "--force").err


def test_undo_after_resuming(rules: Rules) -> None:
    saved(rules)
    done = rules("play", "--resume", "--save", "my.json", stdin="u\nu\n" + "1\n" * 4)
    assert done.status == 0
    assert done.out.count("Taken back.") == 2


def test_a_save_of_another_ruleset_is_refused(rules: Rules) -> None:
    text = (FOLDER / "last-leaf.rules").read_text(encoding="utf-8")
    Path("mine.rules").write_text(text.replace("../seeds", f"{FOLDER}/../seeds"), encoding="utf-8")
    saved(rules, "mine.rules")
    Path("mine.rules").write_text(text.replace("2 in 0..5", "3 in 0..5"), encoding="utf-8")
    done = rules("play", "--resume", "--save", "my.json")
    assert done.status == 1
    assert "this game was saved with other rules" in done.err
    assert "--force" in done.err
    assert Path("my.json").exists()
    done = rules("play", "--resume", "--save", "my.json", "--force", stdin="1\n1\n")
    assert done.status == 0


def test_a_save_that_no_longer_fits_says_where(rules: Rules) -> None:
    saved(rules)
    done = rules("play", "throne", "--resume", "--save", "my.json", "--force")
    assert done.status in (1, 2)
    assert "2" in done.err


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("rules_save", 2, "is a saved game of version 2"),
        ("program", "0.0.1", "saved by version 0.0.1 of the program"),
        ("hash", "0", "saved with other rules"),
        ("choices", [[0, 1]], "is damaged"),
        ("choices", None, "is damaged"),
        ("choices", [[0, "no/where", "1", {}]], "can't be played again: instead of choice 1"),
        ("choices", [["P1", "a", "b", {}]], "is damaged"),
        ("seats", [], "is damaged"),
        ("seats", ["person", "clever"], "can't be played again: there is no bot `clever`"),
        ("lang", "fr", "is damaged"),
        ("seed", "seven", "is damaged"),
        ("memories", {"0": 3}, "is damaged"),
    ],
)
def test_saves_that_are_refused(rules: Rules, key: str, value: object, message: str) -> None:
    data = saved(rules) | {key: value}
    Path("my.json").write_text(json.dumps(data), encoding="utf-8")
    done = rules("play", "--resume", "--save", "my.json")
    assert done.status == 1
    assert message in done.err
    assert Path("my.json").exists()


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"[]", b"{}", b'{"rules_save": 1', b"[" * 9999]
)
def test_files_that_are_no_saves(rules: Rules, content: bytes) -> None:
    Path("my.json").write_bytes(content)
    done = rules("play", "--resume", "--save", "my.json")
    assert done.status == 1
    assert "my.json" in done.err


# used wrongly


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["play"], "which game?"),
        (["play", "lost-leaf"], "did you mean `last-leaf`?"),
        (["play", "no/such.rules"], "there is no ruleset `no/such.rules`"),
        (["play", "last-leaf", "--players", "1"], "is for 2 to 8 players, not 1"),
        (["play", "last-leaf", "--players", "99"], "is for 2 to 8 players, not 99"),
        (["play", "last-leaf", "--players", "two"], "`two` should be a whole number, at least 1"),
        (["play", "last-leaf", "--set", "hand_size"], "should be NAME=VALUE"),
        (["play", "last-leaf", "--set", "hand_sise=3"], "did you mean `hand_size`?"),
        (["play", "last-leaf", "--set", "hand_size=99"], "can't be 99: it is a number from 3 to 6"),
        (["play", "last-leaf", "--bots", "clever"], "there is no bot `clever`"),
        (["play", "last-leaf", "--bots", "P9=random"], "there is no seat `P9`"),
        (["play", "last-leaf", "--me", "P9"], "there is no seat P9"),
        (["play", "last-leaf", "--me", "me"], "should be a seat"),
        (["play", "last-leaf", "--watch", "--hotseat"], "--watch has no seats for people"),
        (["play", "last-leaf", "--hotseat", "--bots", "random"], "no seats for people"),
        (["play", "--resume", "--seed", "0", "--watch"], "leave out --seed, --watch"),
        (["play", "last-leaf", "--script", "nothing.txt"], "does not exist"),
        (["play", "."], "is a folder"),
    ],
)
def test_used_wrongly(rules: Rules, args: list[str], message: str) -> None:
    done = rules(*args)
    assert done.status == 2
    assert message in done.err


def test_a_script_that_is_no_text(rules: Rules) -> None:
    Path("moves.txt").write_bytes(b"\xff\xfe\x00")
    done = rules("play", "last-leaf", "--script", "moves.txt")
    assert done.status == 2
    assert "not UTF-8 text" in done.err


def test_input_that_is_no_text(rules: Rules) -> None:
    done = rules("play", "last-leaf", stdin=b"\xff\xfe\n")
    assert done.status == 2
    assert "is not among the options" in done.err
