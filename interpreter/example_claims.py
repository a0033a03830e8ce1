"""What examples claim, asked of a State. Used by `interpreter.examples`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from attrs import frozen

from dsl import examples as x
from dsl import program as p
from dsl.amounts import amount
from interpreter.example_options import chosen, label, listed, means
from interpreter.game import Game
from interpreter.state import State


@frozen
class Wrong:
    """A claim that is not so."""

    expected: str
    found: str
    note: str = ""


class Asides:
    """The values that some examples of one game speak of, as functions of a State."""

    def __init__(self, game: Game, examples: Sequence[x.Example]):
        self.game = game
        exprs: list[p.Expr] = []
        self._index: dict[int, int] = {}
        seats: dict[int, int] = {}
        for example in examples:
            seats |= {var.id: player for player, var in enumerate(example.seats)}
            for part in (*example.given, *example.story):
                for expr in spoken_of(part):
                    self._index[id(expr)] = len(exprs)
                    exprs.append(expr)
        self._functions: dict[str, Any] = {}
        if exprs:
            from interpreter.codegen.asides import generate_asides

            code = generate_asides(game.binding, exprs, seats, game.slots)
            self._functions = game.functions(code)

    def of(self, expr: p.Expr, state: State) -> Any:
        """The value of an expression. Raises RulesError where it can't be worked out."""
        try:
            return self._functions[f"x_{self._index[id(expr)]}"](state)
        except Exception as error:
            raise self.game.broken(error) from error

    def value(self, fact: x.Given, state: State) -> Any:
        """What a given fact sets something to; None for what has no value."""
        exprs = list(spoken_of(fact))
        return self.of(exprs[0], state) if exprs else None

    def said(self, span: p.Span) -> str:
        """The words that stand at a place."""
        lines = self.game.program.sources[span.file].split("\n")[span.line - 1 : span.end_line]
        if len(lines) == 1:
            return lines[0][span.column - 1 : span.end_column - 1]
        lines = [lines[0][span.column - 1 :], *lines[1:-1], lines[-1][: span.end_column - 1]]
        return " ".join(" ".join(lines).split())


def spoken_of(part: x.Given | x.Step | x.Claim) -> Iterator[p.Expr]:
    """The expressions of a part of an example."""
    match part:
        case x.SetTokens(amount=value) | x.SetVar(value=value) | x.PointsAre(amount=value):
            yield value
        case x.SetTrack(value=value):
            if not isinstance(value, tuple):
                yield value
        case x.Holds(condition=condition, left=left):
            yield condition
            if left is not None:
                yield left
        case x.CardsAre(value=expr):
            if expr is not None:
                yield expr
        case _:
            return


def check(state: State, claim: x.Claim, asides: Asides) -> Wrong | None:
    """What is wrong about a claim; None if it is so."""
    said = asides.said(claim.span)
    match claim:
        case x.Holds(condition=condition, left=left):
            if asides.of(condition, state):
                return None
            found = "it isn't so" if left is None else shown(state, left, asides.of(left, state))
            return Wrong(said, found)
        case x.CardsAre():
            return _cards(state, claim, said, asides)
        case x.PointsAre(player=player, amount=wanted):
            points = sum(state.game.score(state)[player])
            right = points == asides.of(wanted, state)
            return None if right else Wrong(said, amount(points, "point"))
        case x.Winners(players=players):
            if not state.is_over:
                return Wrong(said, "the game isn't over")
            names = " and ".join(f"P{player + 1}" for player in state.winners)
            won = f"{names} {'win' if len(state.winners) > 1 else 'wins'}"
            return None if sorted(state.winners) == list(players) else Wrong(said, won)
        case x.Offers():
            return _offers(state, claim, said)
        case x.Refuses():
            return _refuses(state, claim, said)
        case _:
            assert_never(claim)


def shown(state: State, expr: p.Expr, value: Any) -> str:
    """A value in words."""
    labels, kind = state.game.labels, expr.type
    match kind.kind:
        case p.K.NUMBER:
            return "endless" if value >= p.ENDLESS else str(value)
        case p.K.TRUTH:
            return "yes" if value else "no"
        case p.K.PLAYER:
            return "nobody" if value is None else f"P{value + 1}"
        case p.K.CARD:
            return "nothing" if value is None else labels.face(value)
        case p.K.PLAY:
            return "nothing" if value is None else ", ".join(labels.face(f) for f in value[1])
        case p.K.ROLE:
            return labels.role(value)
        case p.K.SHAPE:
            return labels.shape(value)
        case p.K.ENUM:
            return "nothing" if value == -1 else labels.enum(kind.name, value)
        case _:
            return str(value)


# ── cards ────────────────────────────────────────────────────────────────────────────────────


def _cards(state: State, claim: x.CardsAre, said: str, asides: Asides) -> Wrong | None:
    """Hands are bags; piles and rows have an order."""
    game, wanted = state.game, list(claim.cards)
    if claim.place is not None:
        name, player = claim.place
        pid = game.binding.place_base[name] + (player or 0)
        found = [game.face_label(face) for face in state.P[pid]]
        if claim.top:
            found = found[::-1][: len(wanted)]
        elif game.places[pid].kind == "hand":
            found, wanted = sorted(found), sorted(wanted)
    else:
        assert claim.value is not None
        value = asides.of(claim.value, state)
        faces = () if value is None else value[1] if claim.value.type == p.PLAY else (value,)
        found, wanted = sorted(game.face_label(face) for face in faces), sorted(wanted)
        shape = game.labels.shape(value[0]) if faces and claim.value.type == p.PLAY else ""
        if claim.shape not in ("", shape):
            return Wrong(said, f"{shape} {', '.join(found)}" if found else "nothing")
    if found == wanted:
        return None
    note = ""
    if sorted(found) == sorted(wanted):
        note = "the same cards in another order: piles and rows are listed as the cards came"
    return Wrong(said, ", ".join(found) or "nothing", note)


# ── choices ──────────────────────────────────────────────────────────────────────────────────


def _asked(state: State) -> str:
    asked = state.decision
    if asked is None:
        return "the game is over"
    if asked.path.startswith("example "):
        return "nothing more is asked"
    return f"P{asked.player + 1} is asked `{asked.name}`"


def _offers(state: State, claim: x.Offers, said: str) -> Wrong | None:
    asked = state.decision
    ways = [way for way in claim.ways if asked is not None and way.choice == asked.path]
    if asked is None or asked.player != claim.player or not ways:
        return Wrong(said, _asked(state))
    whole = any(not way.branch for way in ways)
    there = [
        option for option in asked.options
        if whole or any(way.branch == option.value.get("action", "") for way in ways)
    ]  # fmt: skip
    if claim.options is None:
        return None if there else Wrong(said, f"only: {listed(asked.options)}")
    left = list(there)
    missing = False
    for wanted in claim.options:
        found = chosen(asked.path, left, wanted)
        if len(found) != 1:
            missing = True
            continue
        left.remove(found[0])
    return Wrong(said, listed(there)) if missing or left else None


def _refuses(state: State, claim: x.Refuses, said: str) -> Wrong | None:
    asked = state.decision
    mine = asked is not None and asked.player == claim.player
    ways = [way for way in claim.ways if asked is not None and mine and way.choice == asked.path]
    if claim.options is None and all(not way.branch for way in claim.ways):
        return Wrong(said, _asked(state)) if ways else None
    if asked is None or not ways:
        return Wrong(said, _asked(state))
    if claim.options is None:
        actions = {way.branch for way in ways}
        there = [o for o in asked.options if o.value.get("action", "") in actions]
    else:
        there = [o for o in asked.options if any(means(asked.path, o, w) for w in claim.options)]
    if there:
        return Wrong(said, f"{listed(there, ' and ')} can be chosen")
    return _forbidden(state, claim, asked.path, said) if claim.tags else None


def _forbidden(state: State, claim: x.Refuses, path: str, said: str) -> Wrong | None:
    """Whether the rules that refuse options are tagged as the claim says."""
    from interpreter.why import refusal

    wanted = f"{said} [{', '.join(claim.tags)}]"
    for words in _words(state.game, claim, path):
        try:
            clause = refusal(state, words)
        except ValueError:
            return Wrong(wanted, f"it can't be told which rule forbids `{words}`")
        if clause is not None and not set(claim.tags) <= set(clause.all_tags):
            tags = f" [{', '.join(clause.all_tags)}]" if clause.all_tags else ""
            return Wrong(wanted, f"`{words}` is forbidden by `{clause.path}`{tags}")
    return None


def _words(game: Game, claim: x.Refuses, path: str) -> list[str]:
    """The options that are refused, as they would be called at the table."""
    if claim.options is None:
        return [way.branch for way in claim.ways if way.choice == path]
    return [
        label(branch, option.picked)
        for option in claim.options
        for way in option.ways
        if way.choice == path
        for branch in game.choice_at(path).branches
        if way.branch in ("", branch.name) and bool(branch.kind) == bool(option.picked.things)
    ]
