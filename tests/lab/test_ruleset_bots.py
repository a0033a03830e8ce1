"""Bots written in rulesets: the engine plays them as the naive reference does, they know no more
than their player, and their memory is saved."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dsl import pipeline
from interpreter import Game, State, compile_game
from interpreter.bots import Witnesses
from interpreter.ruleset_bots import RulesetBot
from lab import bots
from tests.reference.bots import BotPlayer
from tests.reference.evaluator import Evaluator

ROOT = Path(__file__).resolve().parents[2]
RULES = (ROOT / "tests" / "lab" / "fair.rules").read_text(encoding="utf-8")


def load(name: str, players: int, options: dict[str, Any] | None = None) -> Game:
    text = RULES if name == "fair" else None
    program, found = pipeline.load(f"{name}.rules" if text else pipeline.find(name), text)
    assert program is not None, found
    return compile_game(program, players, options)


GAMES = [
    ("fair", 3, {}),
    ("throne", 3, {}),
    ("throne", 5, {"turns": 2, "opening_hand": 3}),
    ("last-leaf", 4, {}),
    ("gorilla", 4, {"wrap": True, "stagger": True, "rounds": 1}),
    ("gorilla", 2, {"hand_size": 10, "rounds": 1}),
]


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_they_choose_as_the_reference_does(
    name: str, players: int, options: dict[str, Any]
) -> None:
    """Choice by choice, in games between all bots of the ruleset; so do their memories agree."""
    game = load(name, players, options)
    compared: Counter[str] = Counter()
    names = list(game.program.bots)
    for seed in range(3):
        state, naive = game.start(seed), Evaluator(game.program, players, dict(options), seed)
        question = naive.start()
        seated = [names[(seat + seed) % len(names)] for seat in range(players)]
        ours = [RulesetBot(seed, game, bot, {}) for bot in seated]
        theirs = [BotPlayer(naive, bot, seat, seed, game) for seat, bot in enumerate(seated)]
        tell = Witnesses(ours).tell
        while state.player is not None:
            assert question is not None
            raw, other = ours[state.player].choose(state), theirs[state.player].choose(question)
            if other is not None:
                compared[question.path] += len(state.moves) > 1
                assert raw == other, f"{seated[state.player]} at {question.path}, seed {seed}"
            else:
                # the reference does not draw where anything may be taken
                theirs[state.player].asked = dict(ours[state.player]._asked)
            tell(state, raw)
            for bot in theirs:
                bot.told(question, raw)
            assert [bot.remembers for bot in ours] == [bot.remembers() for bot in theirs]
            state.apply(raw)
            question = naive.answer(raw)
    assert compared


def decisions(game: Game, seeds: range, share: float) -> list[tuple[State, list[RulesetBot]]]:
    """Choices of games between the ruleset's bots, with these as they are then."""
    found = []
    names = list(game.program.bots)
    for seed in seeds:
        rng = Random(seed)
        state = game.start(seed)
        seated = [RulesetBot(seed, game, names[q % len(names)], {}) for q in range(game.players)]
        tell = Witnesses(seated).tell
        while state.player is not None:
            if len(state.moves) > 1 and rng.random() < share:
                found.append((state.clone(), [bot.clone() for bot in seated]))
            raw = seated[state.player].choose(state)
            tell(state, raw)
            state.apply(raw)
    return found


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_hidden_cards_change_nothing(name: str, players: int, options: dict[str, Any]) -> None:
    """With other cards where its player can't see, and another future, a bot chooses the same."""
    game = load(name, players, options)
    looked = 0
    for number, (state, seated) in enumerate(decisions(game, range(2), 0.4)):
        assert state.player is not None
        other = state.determinize(state.player, Random(number))
        looked += other.P != state.P
        for bot in game.program.bots:
            picks = []
            for world in (state, other):
                mine = seated[state.player].clone() if bot == seated[state.player].name else None
                picks.append((mine or RulesetBot(5, game, bot, {})).choose(world))
            assert picks[0] == picks[1], bot
    assert looked


@pytest.mark.parametrize("name", ["fair", "throne", "last-leaf", "gorilla"])
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    game = load(name, 3)
    ends = []
    for _ in range(2):
        for bot in game.program.bots:
            state = game.start(4)
            bots.play_out(state, [bots.make(bot, 9, game) for _ in range(3)])
            ends.append(state)
    half = len(ends) // 2
    assert ends[:half] == ends[half:]
    assert len({tuple(map(tuple, end.P)) for end in ends[:half]}) == half  # characters differ


def test_memory_is_kept_cloned_and_saved() -> None:
    game = load("fair", 3)
    for state, seated in decisions(game, range(4), 0.5):
        assert state.player is not None
        bot = seated[state.player]
        twin = bot.clone()
        loaded = RulesetBot(bot.seed, game, bot.name, {})
        loaded.restore(bot.memory())
        assert twin.remembers == loaded.remembers == bot.remembers
        assert twin.choose(state) == loaded.choose(state) == bot.choose(state)
    last = decisions(game, range(4), 1)[-1][1]
    assert any(bot.remembers.get("shown_by", [0]) != [0, 0, 0] for bot in last)
    twin = last[0].clone()
    twin.remembers.clear()
    assert twin.remembers == last[0].remembers


@pytest.mark.parametrize(
    "memory", [{}, {"remembers": {}}, {"remembers": {"shown_by": 3, "last": None}}, {"x": 1}]
)
def test_memories_that_are_not_its_own(memory: dict[str, Any]) -> None:
    bot = RulesetBot(1, load("fair", 3), "keen", {})
    with pytest.raises(ValueError):
        bot.restore(memory)


def test_whoever_took_the_silverback_is_named() -> None:
    """The author's CPU: a prophet who got it is remembered until a silverback is played."""
    game = load("gorilla", 4)
    gave: dict[int, int] = {}  # who gave it -> to whom
    named = forgotten = 0
    for seed in range(60):
        state = game.start(seed)
        gave.clear()
        seated = [bots.make("author", seed, game) for _ in range(4)]
        tell = Witnesses(seated).tell
        while state.player is not None:
            me, info = state.player, game.choices[state.pc]
            raw = seated[me].choose(state)
            if info.name == "name" and me in gave and gave[me] in state.moves:
                assert raw == gave[me]
                named += len(state.moves) > 1
            if info.name == "give" and game.face_label(raw) == "silverback":
                prophet = next(q for q in range(4) if state.ring[q] == 2)
                gave[me] = prophet
            if info.name in ("lead", "follow") and raw[0] == 1:
                forgotten += bool(gave)
                gave.clear()
            tell(state, raw)
            state.apply(raw)
            for seat, bot in enumerate(seated):
                assert bot.memory()["remembers"]["keeper"] == gave.get(seat)
    assert named and forgotten


def test_the_author_gives_the_least_where_anything_may_be_given() -> None:
    """Before 2.5: a banana, else the lowest number."""
    game = load("gorilla-2.4", 4)
    chosen = 0
    for state, seated in decisions(game, range(2), 1):
        assert state.player is not None
        if game.choices[state.pc].name == "give" and len(state.moves) > 1:
            numbers = {raw: game.binding.attr["number"][raw] or 0 for raw in state.moves}
            assert numbers[seated[state.player].choose(state)] == min(numbers.values())
            chosen += 1
    assert chosen > 20


def test_the_author_looks_ahead_as_far_as_roles_go() -> None:
    """Who will be gorilla in this round leads low singles, others lead high ones: with two players
    from 2.6 on the king in trick 1, the merchant in tricks 1 and 2."""
    game = load("gorilla-2.6", 2)
    led = set()
    for seed in range(30):
        state = game.start(seed)
        seated = [bots.make("author(bluff=0)", seed, game) for _ in range(2)]
        while state.player is not None:
            raw = seated[state.player].choose(state)
            if game.choices[state.pc].name == "lead" and raw[1][2] == 1:
                numbers = [option[1][-1] for option in state.moves if option[1][2] == 1]
                role, trick = state.ring[state.player], dict(state.coordinates)["trick"]
                if role in (0, 1) and min(numbers) < max(numbers):
                    ahead = trick <= 1 + role
                    assert raw[1][-1] == (min if ahead else max)(numbers)
                    led.add((role, trick))
            state.apply(raw)
    assert led == {(role, trick) for role in (0, 1) for trick in (1, 2, 3)}


def test_noise_is_drawn_for_each_way() -> None:
    """What can be made in two ways is taken twice as often as what can in one."""
    game = load("fair", 2)
    state = game.start(1)
    state.P[1][:] = [3, 3, 5]
    game.ask_again(state)
    picks = Counter(
        state.game.face_label(RulesetBot(seed, game, "twin", {}).choose(state)[1])
        for seed in range(3000)
    )
    double, single = picks[game.face_label(3)], picks[game.face_label(5)]
    assert abs(double - 2000) < 130 and double + single == 3000


def test_chance_is_as_it_says() -> None:
    game = load("fair", 2)
    state = game.start(1)
    rests = sum(RulesetBot(seed, game, "idler", {}).choose(state)[0] == 2 for seed in range(4000))
    assert abs(rests - 1000) < 140


def test_noise_stays_put_when_options_go() -> None:
    """Taking away an option that was not chosen changes nothing."""
    game = load("fair", 3)
    for state, _ in decisions(game, range(3), 1):
        taken = RulesetBot(3, game, "twin", {}).choose(state)
        if game.choices[state.pc].name != "turn":
            continue
        for gone in state.moves:
            if gone != taken:
                fewer = state.clone()
                fewer.moves = [raw for raw in state.moves if raw != gone]
                assert RulesetBot(3, game, "twin", {}).choose(fewer) == taken


def test_settings_change_what_it_does() -> None:
    game = load("fair", 3)
    state = game.start(2)
    calm = bots.make("keen(greed=0)", 1, game).choose(state)
    keen = bots.make("keen(greed=1)", 1, game).choose(state)
    assert calm[0] == 2 and keen[0] == 0


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("keen(greed=2)", "2 is not in 0..1"),
        ("keen(greed=much)", "is no number"),
        ("keen(greed=nan)", "is no number"),
        ("keen(hunger=1)", "has no setting `hunger` \\(it has: greed\\)"),
        ("twin(greed=1)", "it has none"),
        ("kean", "there is no bot `kean` \\(bots: keen, twin, idler, random"),
    ],
)
def test_what_cannot_be_asked_for(spec: str, said: str) -> None:
    program = load("fair", 3).program
    with pytest.raises(ValueError, match=said):
        bots.seats(spec, 3, program=program)
    assert bots.seats("keen(greed=0.5),P2=twin", 3, program=program)[1] == "twin"


def test_names_of_bots_are_taken() -> None:
    """No ruleset can have a bot of a name that another bot has everywhere."""
    from dsl.vocabulary import BOT_NAMES

    assert set(BOT_NAMES) == {*bots.BOTS, "person"}
