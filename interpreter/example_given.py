"""A State set up as an example gives it, and its way in. Used by `interpreter.examples`."""

from __future__ import annotations

from collections.abc import Callable

from dsl import examples as x
from dsl import program as p
from interpreter import scenario
from interpreter.events import Event
from interpreter.example_claims import Asides
from interpreter.game import slot_name, track_slot
from interpreter.state import State


class Impossible(Exception):
    """Something that can't be set up."""

    def __init__(self, span: p.Span, expected: str, found: str):
        self.span, self.expected, self.found = span, expected, found
        super().__init__(found)


def set_up(state: State, example: x.Example, asides: Asides) -> None:
    """Have a State be as given; what isn't given stays as it is. Raises Impossible."""
    values = {id(fact): asides.value(fact, state) for fact in example.given}
    for fact in example.given:
        try:
            _give(state, fact, values[id(fact)])
        except ValueError as problem:
            raise Impossible(fact.span, asides.said(fact.span), str(problem)) from problem
    laid = [fact for fact in example.given if isinstance(fact, x.Lay)]
    base = state.game.binding.place_base
    try:
        scenario.lay_out(
            state,
            [
                scenario.Laid(
                    base[fact.place] + (fact.player or 0),
                    tuple(scenario.face_index(state.game, label) for label in fact.cards),
                    fact.top,
                )
                for fact in laid
            ],
        )
    except ValueError as problem:
        raise Impossible(example.span, "the cards as given", str(problem)) from problem
    roles = {fact.role: fact.player for fact in example.given if isinstance(fact, x.SetRole)}
    if roles and state.game.program.roles is not None:
        names = state.game.program.roles.names
        scenario.set_roles(state, {names[role].name: player for role, player in roles.items()})
    state.kn = []  # what was seen before doesn't count


def _give(state: State, fact: x.Given, value: object) -> None:
    program = state.game.program
    match fact:
        case x.SetTokens(holder=holder, player=player):
            limit = state.game.binding.limit[holder]
            assert isinstance(value, int)
            if limit is not None and value > limit:
                raise ValueError(f"{holder} holds at most {limit}")
            if value < 0:
                raise ValueError(f"{holder} can't be less than 0")
            scenario.set_tokens(state, holder, player, value)
        case x.SetMark(mark=mark, player=None, on=on):
            scenario.set_mark(state, mark, on)
        case x.SetMark(mark=mark, player=int(player), on=on):
            name = slot_name("m_", mark, program.marks)
            bit, now = 1 << player, getattr(state, name)
            setattr(state, name, now | bit if on else now & ~bit)
        case x.SetTrack(name=name, player=player, value=given, shape=shape):
            if isinstance(given, tuple):
                value = _card_or_play(state, program.tracks[name].type, given, shape)
            if player is None:
                scenario.set_track(state, name, value)
            else:
                getattr(state, track_slot(program, name))[player] = value
        case x.SetVar(var=var):
            if f"v{var.id}" in state.game.slots:
                setattr(state, f"v{var.id}", value)
        case x.Lay() | x.SetRole():
            pass


def _card_or_play(state: State, kind: p.Type, labels: tuple[str, ...], shape: str) -> object:
    game = state.game
    faces = tuple(sorted(scenario.face_index(game, label) for label in labels))
    if kind == p.CARD:
        if len(faces) != 1:
            raise ValueError("this is one card")
        return faces[0]
    names, plays = game.shapes.names, game.shapes.of(faces)
    fitting = [play for play in plays if shape in ("", names[play[0]])]
    if len(fitting) > 1:
        first = names[fitting[0][0]]
        makes = " or a ".join(names[play[0]] for play in fitting)
        raise ValueError(
            f"these cards make a {makes}: say which of them, for instance "
            f"`{first} {', '.join(labels)}`"
        )
    if not fitting:
        makes = " or a ".join(names[play[0]] for play in plays)
        makes = f"a {makes}" if makes else "no play"
        raise ValueError(f"these cards make {makes}{f', no {shape}' if shape else ''}")
    return fitting[0]


def enter(
    state: State, example: x.Example, phase: str | None, listen: Callable[[Event], None]
) -> None:
    """Go to where the example starts. Raises Impossible where nothing is asked there."""
    game = state.game
    match example.entry:
        case None if state.player is not None:
            state.moves, state.player = (), None
            game.ask_again(state)
        case None:
            pass
        case x.AtChoice(path=path, player=player):
            state.moves, state.player = (), None
            game.enter_choice(state, path, player)
        case x.AtPhase(name=name):
            game.enter_phase(state, name, listen)
        case x.AtRules():
            assert phase is not None
            game.enter_phase(state, phase, listen)
    if state.player is None and not state.is_over:
        raise Impossible(example.span, "a choice to start at", "nothing can be chosen there")
