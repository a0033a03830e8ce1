"""Events as records: dicts that JSON can hold, with names for faces, places, players and roles.

Used by both trace formats and by the screen, so that what a player may not see is left out in
one place. A recorder for a viewer hides, from what others do:
    moves       faces the viewer does not see (only how many cards)
    shuffles    the order
    choices     the options, whether there was only one, and cards that come from places the
                viewer can't look into; an answer given in secret entirely, until it is revealed
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from dsl import program as p
from interpreter.labels import choice_name, say
from interpreter.trace import visible
from interpreter.trace.nesting import Nesting

if TYPE_CHECKING:
    from interpreter.events import Event
    from interpreter.game import Game

VERSION = 1
HIDDEN = "?"

Record: TypeAlias = dict[str, Any]


@frozen
class Header:
    """What a trace begins with: all that is needed to play the game again.

    `options` are those not at their default, as text; `seed` is None in a player's view.
    """

    ruleset: str
    options: tuple[tuple[str, str], ...]
    players: int
    seed: int | None
    bots: str
    view: str | None = None


def player_name(player: int) -> str:
    """P1 for player 0."""
    return f"P{player + 1}"


class Recorder:
    """Makes records of a game's events, for one viewer (a player's index) or, None, for all."""

    def __init__(self, game: Game, viewer: int | None = None, lang: str = "en") -> None:
        self._game = game
        self._viewer = viewer
        self._lang = lang
        self._labels: dict[tuple[str, Any], dict[str, Any]] = {}
        self._nesting = Nesting(game.program)

    def record(self, event: Event) -> Record:
        """The record of an event: its kind, what it says, its rule's path and clause tags."""
        data: Mapping[str, Any] = event.data
        record: Record = {"event": event.kind}
        rule = event.rule
        if event.kind == "phase":
            record["depth"] = self._nesting.enter(rule)
        record.update(getattr(self, "_" + event.kind)(data))
        if record.pop("hidden", False):
            # even the way it was answered is secret, and the rule would tell
            record |= {"rule": data["choice"], "tags": []}
        elif rule is not None:
            record |= {"rule": rule.path, "tags": list(rule.tags)}
        return record

    # one method per kind of event

    def _phase(self, data: Mapping[str, Any]) -> Record:
        program, label, value = self._game.program, data["label"], data["value"]
        if data["player"]:
            value = player_name(value)
        elif label == "phase":
            value = next(self._name(q.names) for q in program.phases if q.names.name == value)
        if label in program.labels:
            label = self._name(program.labels[label])
        return {"label": label, "value": value}

    def _shuffle(self, data: Mapping[str, Any]) -> Record:
        cards = None if self._viewer is not None else self._faces(data["cards"])
        return {"place": self._place(data["place"]), "count": len(data["cards"]), "cards": cards}

    def _move(self, data: Mapping[str, Any]) -> Record:
        seen, viewer = data["seen"], self._viewer
        shown = viewer is None or bool(seen >> viewer & 1)
        record: Record = {"cards": self._faces(data["cards"]) if shown else None}
        if not shown:
            record["count"] = len(data["cards"])
        record |= {"from": self._place(data["source"]), "to": self._place(data["target"])}
        if viewer is None:
            record["seen"] = [player_name(i) for i in range(self._game.players) if seen >> i & 1]
        return record

    def _pay(self, data: Mapping[str, Any]) -> Record:
        return {
            "token": self._name(self._game.program.tokens[data["token"]]),
            "amount": data["amount"],
            "from": self._holder(data["token"], *data["source"]),
            "to": self._holder(data["token"], *data["target"]),
        }

    def _mark(self, data: Mapping[str, Any]) -> Record:
        mark = self._name(self._game.program.marks[data["mark"]].names)
        return {"mark": mark, "player": self._player(data["player"]), "on": bool(data["on"])}

    def _track(self, data: Mapping[str, Any]) -> Record:
        track = self._game.program.tracks[data["name"]]
        return {
            "name": self._name(track.names),
            "player": self._player(data["player"]),
            "value": self.value(track.type, data["value"]),
        }

    def _role(self, data: Mapping[str, Any]) -> Record:
        roles = self._game.program.roles
        assert roles is not None
        return {
            "roles": {
                player_name(i): None if role is None else self._name(roles.names[role])
                for i, role in enumerate(data["roles"])
            }
        }

    def _reveal(self, data: Mapping[str, Any]) -> Record:
        if "answers" not in data:
            return {"place": self._place(data["place"]), "cards": self._faces(data["cards"])}
        path = data["choice"]
        return {
            "choice": path,
            "name": choice_name(self._game.program, path, self._lang),
            "answers": {
                player_name(player): self._option(path, raw) for player, raw in data["answers"]
            },
        }

    def _choice(self, data: Mapping[str, Any]) -> Record:
        path, taken, player = data["choice"], data["taken"], data["player"]
        record: Record = {
            "player": player_name(player),
            "choice": path,
            "name": choice_name(self._game.program, path, self._lang),
        }
        own = self._viewer is None or self._viewer == player
        if own:
            options = self.options(path, data["options"])
            index = data["options"].index(taken)
            record |= {"options": options, "taken": options[index], "index": index}
            record["forced"] = len(options) == 1
        else:
            record["taken"] = self._seen_option(path, taken, bool(data["secret"]))
        if data["secret"]:
            record["secret"] = True
            if not own:
                record["hidden"] = True
        return record

    def _moment(self, data: Mapping[str, Any]) -> Record:
        return {"name": data["name"]}

    def _end(self, data: Mapping[str, Any]) -> Record:
        lines = [self._name(line.names) for line in self._game.program.scoring]
        return {
            "scoring": {
                player_name(i): dict(zip(lines, points, strict=True))
                for i, points in enumerate(data["lines"])
            },
            "points": {player_name(i): points for i, points in enumerate(data["points"])},
            "winners": [player_name(i) for i in data["winners"]],
        }

    # options

    def options(self, path: str, moves: Any) -> list[dict[str, Any]]:
        """Label and value of each; equal labels get a number, so that each names one option."""
        options = [self._option(path, raw) for raw in moves]
        labels = [option["label"] for option in options]
        if len(set(labels)) == len(labels):
            return options
        seen: dict[str, int] = {}
        numbered = []
        for option in options:
            label = option["label"]
            seen[label] = seen.get(label, 0) + 1
            if labels.count(label) > 1:
                option = option | {"label": f"{label} ({seen[label]})"}
            numbered.append(option)
        return numbered

    def _option(self, path: str, raw: Any) -> dict[str, Any]:
        key = (path, raw)
        found = self._labels.get(key)
        if found is None:
            game = self._game
            found = {
                "label": game.option_label(path, raw, self._lang),
                "value": game.option_value(path, raw),
            }
            self._labels[key] = found
        return found

    def _seen_option(self, path: str, raw: Any, secret: bool) -> dict[str, Any]:
        """An option someone else took, as the viewer sees it."""
        assert self._viewer is not None
        if secret:
            return {"label": HIDDEN, "value": None}
        if visible.shown(self._game, path, raw, self._viewer):
            return self._option(path, raw)
        info = self._game.choice_at(path)
        if info.nameless:
            return {"label": HIDDEN, "value": None}
        branch = info.branches[raw[0]].name
        label = self._name(self._game.program.choices[f"{path}/{branch}"])
        return {"label": f"{label} {HIDDEN}", "value": {"action": branch}}

    # names

    def _name(self, names: p.Names) -> str:
        return say(names, self._lang)

    def _faces(self, faces: Any) -> list[str]:
        return [self._game.face_label(face, self._lang) for face in faces]

    def _place(self, place: int) -> str:
        return self._game.place_label(place, self._lang)

    def _player(self, player: int | None) -> str | None:
        return None if player is None else player_name(player)

    def _holder(self, token: str, holder: str | None, player: int | None) -> str | None:
        """A player's own tokens are at the player; other holders have a name of their own."""
        if holder is None:
            return None
        if player is None:
            return self._name(self._game.program.holders[holder].names)
        if holder == token:
            return player_name(player)
        return f"{self._name(self._game.program.holders[holder].names)} of {player_name(player)}"

    def value(self, kind: p.Type, value: Any) -> Any:
        """A value of the language by name."""
        if value is None or isinstance(value, bool):
            return value
        program = self._game.program
        match kind.kind:
            case p.K.PLAYER:
                return player_name(value)
            case p.K.ENUM:
                values = program.attributes[kind.name].values
                return None if value < 0 else self._name(values[value].names)
            case p.K.ROLE:
                assert program.roles is not None
                return self._name(program.roles.names[value])
            case p.K.SHAPE:
                return self._name(list(program.shapes.values())[value].names)
            case p.K.CARD:
                face = value[0] if isinstance(value, tuple) else value
                return self._game.face_label(face, self._lang)
            case p.K.PLAY:
                shape = self._name(list(program.shapes.values())[value[0]].names)
                return {"shape": shape, "cards": self._faces(value[1])}
            case _:
                return value
