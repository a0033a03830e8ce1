"""Examples in rulesets: how they are set up, played and told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.main import run as command
from dsl import pipeline
from dsl.diagnostics import render_text
from interpreter import compile_game
from interpreter.examples import Failure, Result, run
from interpreter.scenario import play_of

BUNDLED = sorted(pipeline.bundled_rulesets().rglob("*.rules"))

GAME = """
game "Probe"
  players 2..4

options
  limit  5 in 1..8

cards
  suit  spades, hearts
  rank  A, K, Q, strongest first
  plain: 2 of each suit and rank
  joker: 1

places
  deck            face down pile
  hand of player  private hand
  pot             face up pile
  row of player   face up row

tokens
  vp of player  0
  coin of player  1
  coin in bank  2, at most limit

marks
  out of player
  shut

track
  best    player
  called  suit
  laid    play

roles king, queen, knave on 4 seats, starting at random

shapes
  pair  2 plain, same rank

setup
  shuffle all cards into deck
  deal 2 from deck to every hand

phase play
  repeat limit as round
    most_kept = size of hand
    each player as turn
      choose keep: number 0..min(most_kept, 3)
        gain it vp
      choose act
        bow when best = me
          mark out
        throw card from hand
          move it to pot
        steal card from every row of others
          move it to hand
        drop 0..2 cards from hand
          move them to row
        lay shape from hand
          laid = lay
          move cards of lay to row
        name player in others where not shut
          best = name
        call suit
          called = call
        rest otherwise

phase effects
  each player
    choose shown: card from hand
      apply effect of suit of it

phase last
  each player
    if me is king then swap 2
    if me is queen and called is spades then gain limit vp

action swap n
  gain n vp
  moment swapped

effect spades
  gain 1 vp
effect hearts
  choose discard: card from hand
    move it to pot

role knave
  at swapped
    gain 1 vp

value worth of player = vp

scoring
  score = worth

winner most points, then draw
"""


def results(examples: str, game: str = GAME) -> list[Result]:
    program, found = pipeline.load("probe.rules", game + examples)
    assert program is not None, render_text(found, {})
    return run(program)


def failures(body: str) -> tuple[Failure, ...]:
    """What fails in an example of 2 players with these lines."""
    lines = "".join(f"  {line}\n" for line in body.strip().split("\n"))
    (result,) = results(f'\nexample "it"\n  with 2 players\n{lines}')
    return result.failures


HOLDING = {
    "hands are bags": """
given hand of P1 is spades A, joker
then hand of P1 is joker, spades A""",
    "cards come from wherever they lie": """
given hand of P1 is 2 spades A, 2 spades K, 2 spades Q, joker
  hand of P2 is 2 hearts A, 2 hearts K, 2 hearts Q
then deck is empty""",
    "what lay there goes under the deck": """
given top of deck is joker, spades A
  hand of P1 is empty
then top of deck is joker, spades A
  size of deck = 11""",
    "a deck that is given is all there is": """
given deck is spades A, joker
  hand of P1 is hearts K, hand of P2 is empty
then top of deck is joker
  size of deck = 2, size of pot = 0""",
    "rows and piles have an order": """
given row of P1 is spades K, spades A, pot is hearts A, hearts K
then row of P1 is spades K, spades A
  top of pot is hearts K, hearts A
  pot is hearts A, hearts K""",
    "tokens, marks, tracks": """
given P1 has 3 vp, P2 has no coins, bank has 5 coins, P2 is out, shut
  best is P2, called is hearts
then P1 has 3 vp, coins of P2 = 0, bank = limit, P2 is out, P1 is not out, shut
  best = P2, called is hearts""",
    "tracked plays": """
given laid is spades K, hearts K
then laid is hearts K, spades K
  laid is pair, size of laid = 2""",
    "tracks of nothing": """
given best is nobody, laid is nothing
then best is nobody, not (laid exists)""",
    "roles": """
given P2 is king
then P2 is king, P1 is queen
  holder of knave is nobody""",
    "roles by their holder": """
given holder of queen is P1
then P1 is queen, P2 is king""",
    "from a phase": """
at last
given P1 is queen, called is spades, P1 has no vp, P2 has no vp
then P1 has 5 vp, P2 has 2 vp
  P1 has 5 points, worth of P2 = 2
  P1 wins""",
    "both win": """
at last
given P1 is queen, P2 is king, P1 has 3 vp, P2 has 1 vp
then P1 and P2 win""",
    "from a choice": """
at keep of P2
given most_kept = 2
then P2 may keep: 0, 1, 2""",
    "an action alone": """
at swap 2 of P2
given P2 is knave
then P2 has 3 vp, P1 has no vp""",
    "an effect alone": """
at effect hearts of P2
given hand of P2 is joker, spades A
when P2 discards joker
then pot is joker""",
    "a moment alone": """
at swapped
given P2 is knave
then P2 has 1 vp""",
    "every kind of option": """
given hand of P1 is spades A, 2 hearts K, P2 is out
  row of P2 is spades A, joker
when P1 keeps 2
then P1 may drop: no cards, spades A, hearts K, spades A and hearts K, hearts K and hearts K
  P1 may throw with: hearts K, spades A
  P1 may steal: joker from row of P2, spades A
  P1 may lay: hearts K and hearts K
  P1 may name: P2
  P1 may call: hearts, spades
  P1 may not rest
when P1 steals joker
then P2 may keep: 0, 1, 2""",
    "a way may be left out where it is plain": """
given hand of P1 is spades A, joker, hand of P2 is empty
when keeps 0, acts call hearts
then called is hearts""",
    "cards as the table calls them": """
given hand of P1 is 2 hearts K, spades A
when P1 keeps 1, P1 drops hearts K, hearts K, P2 keeps 0
then row of P1 is hearts K, hearts K""",
    "plays as the table calls them": """
given hand of P1 is 2 hearts K, spades A
when P1 keeps 1
then P1 may lay: hearts K hearts K
when P1 lays pair hearts K hearts K
then laid is hearts K, hearts K""",
    "cards in one word after each other": """
given hand of P1 is hearts K, joker
when P1 keeps 1
then P1 may drop: no cards, hearts K, joker, hearts K joker""",
    "steps and claims by turns": """
when P1 keeps 1
then P1 has 1 vp
when P1 names P2, P2 keeps 0
then P2 may bow""",
}  # fmt: skip


@pytest.mark.parametrize("body", HOLDING.values(), ids=HOLDING)
def test_holds(body: str) -> None:
    assert failures(body) == ()


FAILING = {
    "a number": ("then P1 has 3 vp", "P1 has 3 vp", "0"),
    "a condition": ("then P1 has no vp, P1 is out or shut", "P1 is out or shut", "it isn't so"),
    "a value": ("then best = P2", "best = P2", "nobody"),
    "a hand": ("given hand of P1 is joker\nthen hand of P1 is spades A",
               "hand of P1 is spades A", "joker"),
    "an order": ("given pot is joker, spades A\nthen pot is spades A, joker",
                 "pot is spades A, joker", "joker, spades A"),
    "points": ("given P1 has 1 vp\nthen P1 has 2 points", "P1 has 2 points", "1 point"),
    "no end": ("then P1 wins", "P1 wins", "the game isn't over"),
    "a winner": ("at last\ngiven P1 is king\nthen P2 wins", "P2 wins", "P1 wins"),
    "another is asked": ("then P2 may keep: 0", "P2 may keep: 0", "P1 is asked `keep`"),
    "options": ("then P1 may keep: 0, 1", "P1 may keep: 0, 1", "0, 1, 2"),
    "too many options": ("at keep of P1\ngiven most_kept = 1\nthen P1 may keep: 0, 1, 2", None,
                         "0, 1"),
    "possible after all": ("then P1 may not keep: 4, 2", "P1 may not keep: 4, 2",
                           "2 can be chosen"),
    "asked after all": ("then P1 may not keep", None, "P1 is asked `keep`"),
    "not asked that": ("then P1 may not bow", None, "P1 is asked `keep`"),
    "a step for another": ("when P2 keeps 1\nthen shut", "P2 keeps 1", "P1 is asked `keep`"),
    "a step that can't be": ("when P1 keeps 7\nthen shut", "P1 keeps 7",
                             "only these can be chosen: 0, 1, 2"),
    "a step that could be two": (
        "given row of P2 is joker, hand of P1 is spades A, deck is hearts K\n"
        "when P1 keeps 0, P1 throws joker\nthen shut", "P1 throws joker",
        "only these can be chosen: throw spades A, steal joker from row of P2, drop no cards, "
        "drop spades A, name P2, call spades, call hearts"),
    "after an effect": ("at swap 2 of P1\nwhen P1 keeps 1\nthen shut", "P1 keeps 1",
                        "nothing more is asked"),
    "no play": ("given laid is spades K, hearts A\nthen shut", "laid is spades K, hearts A",
                "these cards make no play"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "expected", "found"), FAILING.values(), ids=FAILING)
def test_fails(body: str, expected: str | None, found: str) -> None:
    (failure,) = failures(body)
    assert (failure.expected, failure.found) == (expected or failure.expected, found)


UNCLEAR = GAME.replace(
    "  pair  2 plain, same rank\n",
    "  pair   2 plain, same rank, up to 1 joker as any\n"
    "  flush  2 plain, same suit, up to 1 joker as any\n",
)


def test_cards_that_have_several_shapes() -> None:
    """Then the shape stands in front of them, in examples as at the table."""
    hand = "  with 2 players\n  given hand of P1 is spades K, joker, laid is pair spades A, joker\n"
    good = f"""{hand}  then laid is pair joker, spades A
    shape of laid = pair
  when P1 keeps 0, P1 lays flush joker and spades K
  then laid is flush spades K, joker
"""
    wrong = {
        "then laid is flush spades A, joker": "pair joker, spades A",
        "given laid is spades A, joker\n  then shut":
            "these cards make a pair or a flush: say which of them, for instance "
            "`pair spades A, joker`",
        "given laid is flush spades A, spades K\n  then laid is pair spades A, spades K":
            "flush spades A, spades K",
        "given laid is pair spades A, spades K\n  then shut":
            "these cards make a flush, no pair",
        "when P1 keeps 0, P1 lays joker and spades K\n  then shut":
            "it could be lay pair joker and spades K, lay flush joker and spades K",
        "when P1 keeps 0\n  then P1 may not lay with: joker and spades K":
            "lay pair joker and spades K and lay flush joker and spades K can be chosen",
    }  # fmt: skip
    told = f'\nexample "good"\n{good}'
    for number, lines in enumerate(wrong):
        start = hand.replace(", laid is pair spades A, joker", "") if "given" in lines else hand
        told += f'\nexample "{number}"\n{start}  {lines}\n'
    first, *rest = results(told, UNCLEAR)
    assert first.failures == ()
    assert [[f.found for f in result.failures] for result in rest] == [[v] for v in wrong.values()]
    program, _ = pipeline.load("probe.rules", UNCLEAR)
    assert program is not None
    state = compile_game(program, 2).start(1)
    labels = state.game.labels
    assert labels.play(play_of(state, "flush", ["spades K", "joker"])) == "flush spades K joker"
    assert labels.play(play_of(state, "pair", ["spades K", "hearts K"])) == "spades K hearts K"


def test_what_happened_since_given_is_told() -> None:
    (failure,) = failures("when P1 keeps 2, P1 names P2\nthen P1 has 3 vp")
    assert failure.trace == (
        "  P1 keep: 2", "  P1 gains 2 vp", "  P1 act: name P2", "  best = P2", "= turn P2",
    )  # fmt: skip


def test_an_example_must_not_hang_on_luck() -> None:
    (failure,) = failures("then top of deck is joker")
    (failure,) = failures(f"then top of deck is {failure.found}")
    assert failure.note.startswith("with another shuffle it holds")


def test_players_and_options() -> None:
    (four, three) = results(
        '\nexample "usual"\n  then count of players = 4\n'
        '\nexample "set"\n  with 3 players, limit 8\n  then count of players = 3, limit = 8\n'
    )
    assert four.holds and three.holds


def test_a_game_that_cannot_be_set_up() -> None:
    (result,) = results('\nexample "it"\n  with limit 1\n  then bank has 2 coins\n')
    (failure,) = result.failures
    assert failure.found == "bank starts with 2, but may hold at most 1"


def test_names_used_in_examples_only_are_still_unused() -> None:
    game = GAME.replace("marks\n", "marks\n  odd of player\n")
    example = '\nexample "it"\n  given P1 is odd\n  then P1 is odd\n'
    _, found = pipeline.load("probe.rules", game + example)
    assert any("odd" in item.message for item in found)


# ── bundled rulesets ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_examples_of_bundled_rulesets_hold(path: Path) -> None:
    program, _ = pipeline.load(path)
    assert program is not None
    wrong = [(r.name, f.expected, f.found) for r in run(program) for f in r.failures]
    assert not wrong


# ── the command ──────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def probe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "probe.rules"
    path.write_text(
        GAME
        + '\nexample "one" ja "例一"  [T1]\n  when P1 keeps 1\n  then P1 has 1 vp\n'
        + '\nexample "two"\n  when P1 keeps 1\n  then P1 has 2 vp\n',
        encoding="utf-8",
    )
    return path


def test_command_shows_what_fails(probe: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["test", str(probe)]) == 1
    out = capsys.readouterr().out
    assert "the example “two” fails" in out
    assert "expected: P1 has 2 vp\n" in out and "found:    1\n" in out
    assert "  since `given`:\n      P1 keep: 1\n" in out
    assert out.endswith("1 of 2 examples failed\n")


def test_command_without_a_name_takes_the_folder(
    probe: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(["test"]) == 1
    assert capsys.readouterr().out.endswith("probe.rules: 1 of 2 examples failed\n")
    probe.unlink()
    assert command(["test"]) == 2


@pytest.mark.parametrize(
    ("wanted", "status"), [("one", 0), ("例", 0), ("t1", 0), ("two", 1), ("three", 2)]
)
def test_command_chooses(probe: Path, wanted: str, status: int) -> None:
    assert command(["test", str(probe), "-k", wanted]) == status


def test_command_tells_programs(probe: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["test", str(probe), "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [example["holds"] for example in told["examples"]] == [True, False]
    assert told["examples"][1]["failures"][0]["found"] == "1"
    assert command(["test", str(probe), "--format", "github"]) == 1
    assert capsys.readouterr().out.startswith("::error file=probe.rules,line=")


def test_command_says_what_is_wrong_with_a_ruleset(
    probe: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    probe.write_text(GAME.replace("gain it vp", "gain it pv"), encoding="utf-8")
    assert command(["test", str(probe)]) == 1
    assert "not run" in capsys.readouterr().out


# ── entered at a choice, loops go on ─────────────────────────────────────────────────────────

LOOPS = """
game "Loops"
  players 3

cards
  thing: 10

places
  deck  face down pile

tokens
  vp of player  0

setup
  shuffle all cards into deck

phase walk
  repeat 5 times as round
    each player as turn
      choose first_step
        pick
          gain 1 vp
      choose second_step
        pick
          gain 1 vp

phase back
  each p in players by most vp, then seat
    turn of p
      choose back_step
        pick
          gain 1 vp

scoring
  s = vp

winner most points, then draw
"""


@pytest.mark.parametrize(
    ("entry", "steps", "then"),
    [
        # the second of three: the third is next, then the round after
        ("at second_step of P2", "P2 picks, P3 picks, P3 picks", "P1 may first_step: pick"),
        ("at first_step of P2", "P2 picks, P2 picks", "P3 may first_step: pick"),
        # the last turn of the last round: the next phase
        ("at second_step of P3\n  given round = 5", "P3 picks", "P3 may back_step: pick"),
        ("at second_step of P3\n  given round = 4", "P3 picks", "P1 may first_step: pick"),
        # a loop in an order of its own that had not begun ends after the player named
        ("at back_step of P2", "P2 picks", "P2 wins"),
    ],
)
def test_loops_around_a_choice_go_on_after_it(
    tmp_path: Path, entry: str, steps: str, then: str
) -> None:
    file = tmp_path / "loops.rules"
    example = f'\nexample "here"\n  {entry}\n  when {steps}\n  then {then}\n'
    file.write_text(LOOPS + example, encoding="utf-8")
    program, found = pipeline.load(file)
    assert program is not None, render_text(found, {})
    (result,) = run(program)
    assert result.holds, result.failures
