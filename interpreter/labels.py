"""Names for what the engine numbers: faces, places, players, options; English or another language.

Used by traces, screens and messages. Structured values (`option_value`) are English and JSON-able:
they are what scripts, traces and bots' keys refer to.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dsl.alike import kinds_alike
from dsl.program import Names, Program
from interpreter.chance import text_word

if TYPE_CHECKING:
    from interpreter.compiled import BranchInfo
    from interpreter.game import Game

SENTENCE_ENDS = ("?", "？", "。", ".")
MOST_KEPT = 100_000  # words of options


def say(names: Names, lang: str = "en") -> str:
    """A declared name in a language; as declared where it has none in that."""
    return dict(names.others).get(lang, names.name)


def choice_name(program: Program, path: str, lang: str = "en") -> str:
    """What a choice, or a way of one, is called in a log.

    The translation behind a choice that has a question translates the question (see
    docs/reference/japanese.md): a sentence does not do as a name, so the name as declared stands.
    """
    names = program.choices[path]
    said = say(names, lang)
    return names.name if path in program.prompts and said.endswith(SENTENCE_ENDS) else said


def player(index: int | None) -> str:
    """P1, P2, …; nobody."""
    return "nobody" if index is None else f"P{index + 1}"


class Labels:
    """The names of one game's things."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._faces: dict[str, list[str]] = {}
        self._words: dict[tuple[str, Any], int] = {}
        self._unclear: dict[tuple[int, ...], bool] = {}

    def face(self, index: int, lang: str = "en") -> str:
        """What a card is called: its values (`crown 7`), or its kind (`banana`). Where cards of two
        kinds have the same values, all cards of these have their kind before them (`lantern 4`)."""
        if lang not in self._faces:
            self._faces[lang] = self._all_faces(lang)
        return self._faces[lang][index]

    def _all_faces(self, lang: str) -> list[str]:
        binding = self._game.binding
        names = [self._face(face.index, lang) for face in binding.faces]
        alike = kinds_alike(zip(names, (face.kind for face in binding.faces), strict=True))
        return [
            f"{say(binding.program.kinds[face.kind].names, lang)} {name}"
            if face.kind in alike and face.values
            else name
            for face, name in zip(binding.faces, names, strict=True)
        ]

    def _face(self, index: int, lang: str) -> str:
        binding = self._game.binding
        face = binding.faces[index]
        kind = binding.program.kinds[face.kind]
        parts = []
        for attribute, value in zip(kind.attributes, face.values, strict=True):
            if attribute in binding.numeric:
                parts.append(str(value))
            else:
                parts.append(say(binding.program.attributes[attribute].values[value].names, lang))
        if not parts:
            return say(kind.names, lang)
        return ("" if lang == "ja" else " ").join(parts)

    def place(self, pid: int, lang: str = "en") -> str:
        """`deck`, `hand of P2`."""
        inst = self._game.binding.places[pid]
        name = say(self._game.program.places[inst.place].names, lang)
        if inst.player is None:
            return name
        return (
            f"{player(inst.player)}の{name}" if lang == "ja" else f"{name} of {player(inst.player)}"
        )

    def role(self, index: int | None, lang: str = "en") -> str:
        roles = self._game.program.roles
        if index is None or roles is None:
            return "no role" if lang == "en" else "役割なし"
        return say(roles.names[index], lang)

    def shape(self, index: int, lang: str = "en") -> str:
        return say(list(self._game.program.shapes.values())[index].names, lang)

    def play(self, play: tuple[Any, ...], lang: str = "en") -> str:
        """`crown 4 crown 5`: the cards of a play; with its shape in front where the same cards
        have several (`run crown 6 banana`)."""
        cards = " ".join(self.face(f, lang) for f in play[1])
        return f"{self.shape(play[0], lang)} {cards}" if self.is_unclear(play[1]) else cards

    def spread(self, play: tuple[Any, ...], lang: str = "en") -> str:
        """A play of several places: `crown 4 from melds, crown 5 from hand of P1`."""
        said = self.where(play[1], play[-1], lang)
        return f"{self.shape(play[0], lang)} {said}" if self.is_unclear(play[1]) else said

    def where(self, faces: Iterable[int], places: Iterable[int], lang: str = "en") -> str:
        """Cards, place by place."""
        groups: dict[int, list[str]] = {}
        for face, pid in zip(faces, places, strict=True):
            groups.setdefault(pid, []).append(self.face(face, lang))
        if lang == "ja":
            return "、".join(f"{self.place(q, lang)}の{' '.join(c)}" for q, c in groups.items())
        return ", ".join(f"{' '.join(c)} from {self.place(q)}" for q, c in groups.items())

    def is_unclear(self, faces: tuple[int, ...]) -> bool:
        """Whether cards make plays of several shapes."""
        if faces not in self._unclear:
            if len(self._unclear) >= MOST_KEPT:
                self._unclear.clear()
            self._unclear[faces] = len(self._game.shapes.of(faces)) > 1
        return self._unclear[faces]

    def enum(self, attribute: str, value: int, lang: str = "en") -> str:
        if attribute in self._game.binding.numeric:
            return str(value)
        return say(self._game.program.attributes[attribute].values[value].names, lang)

    def _branch(self, path: str, raw: Any) -> tuple[BranchInfo, Any]:
        info = self._game.choice_at(path)
        if info.nameless:
            return info.branches[0], raw
        return info.branches[raw[0]], raw[1]

    def option(self, path: str, raw: Any, lang: str = "en") -> str:
        """An option in words: the action's name, then what is picked."""
        branch, value = self._branch(path, raw)
        picked = self._picked(branch, value, lang)
        if not branch.name:
            return picked
        names = self._game.program.choices.get(f"{path}/{branch.name}")
        name = branch.name if names is None else say(names, lang)
        return f"{name} {picked}" if picked else name

    def _picked(self, branch: BranchInfo, value: Any, lang: str) -> str:
        match branch.kind:
            case "":
                return ""
            case "card":
                return self._card(branch, value, lang)
            case "cards":
                if not value:
                    return "no cards" if lang == "en" else "なし"
                return ", ".join(self._card(branch, card, lang) for card in value)
            case "player":
                return player(value)
            case "number":
                return str(value)
            case "play":
                return self.spread(value, lang) if branch.placed else self.play(value, lang)
            case "role":
                return self.role(value, lang)
            case "shape":
                return self.shape(value, lang)
            case kind:
                return self.enum(kind.removeprefix("enum:"), value, lang)

    def _card(self, branch: BranchInfo, value: int, lang: str) -> str:
        if not branch.placed:
            return self.face(value, lang)
        pid, face = divmod(value, len(self._game.binding.faces))
        place = self.place(pid, lang)
        if lang == "ja":
            return f"{place}の{self.face(face, lang)}"
        return f"{self.face(face, lang)} from {place}"

    def option_word(self, path: str, raw: Any) -> int:
        """The word that stands for an option (see `chance`): that of its value as JSON."""
        key = (path, raw)
        word = self._words.get(key)
        if word is None:
            value = json.dumps(self.option_value(path, raw), sort_keys=True, ensure_ascii=False)
            if len(self._words) >= MOST_KEPT:
                self._words.clear()
            word = self._words[key] = text_word(self._game.program.older(value))
        return word

    def option_value(self, path: str, raw: Any) -> dict[str, Any]:
        """An option as structured data."""
        branch, value = self._branch(path, raw)
        found: dict[str, Any] = {"action": branch.name} if branch.name else {}
        faces = len(self._game.binding.faces)
        match branch.kind:
            case "":
                pass
            case "card" if branch.placed:
                found |= {"card": self.face(value % faces), "place": self.place(value // faces)}
            case "card":
                found["card"] = self.face(value)
            case "cards" if branch.placed:
                found["cards"] = [self.face(c % faces) for c in value]
                found["places"] = [self.place(c // faces) for c in value]
            case "cards":
                found["cards"] = [self.face(c) for c in value]
            case "player":
                found["player"] = player(value)
            case "number":
                found["number"] = value
            case "play":
                found |= {
                    "shape": self.shape(value[0]),
                    "cards": [self.face(f) for f in value[1]],
                }
                if branch.placed:
                    found["places"] = [self.place(q) for q in value[-1]]
            case kind:
                found["value"] = self._picked(branch, value, "en")
                del kind
        return found
