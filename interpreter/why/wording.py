"""Answers in plain words, English or Japanese; conditions are quoted as they stand in the rules.

Used by the commands; the one renderer of `interpreter.why`. The first line says what is so, and
where the rule stands; below it each deciding condition, whether it holds, and the values it saw.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, assert_never

from attrs import evolve

from dsl import program as p
from interpreter.labels import choice_name, player, say
from interpreter.why.answers import (
    AnotherChoice,
    Answer,
    Beaten,
    Closed,
    Elsewhere,
    Misfit,
    NotAmong,
    NotAsked,
    NotNamed,
    Offered,
    OutOfRange,
    Part,
    Refusal,
    Refused,
    Seen,
    Step,
    Thing,
    Unclear,
    Unfit,
    innermost,
)

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.why.asking import Group

MOST_NAMED = 8
LANGUAGES = ("en", "ja")

_TEXTS: dict[str, tuple[str, str]] = {
    "offered": ("`{thing}` can be chosen: {place}", "「{thing}」は選べます: {place}"),
    "offers": ("{place} offers:", "{place} で選べるもの:"),
    "over": ("The game is over.", "ゲームは終わっています。"),
    "other player": ("It is {player}'s choice now.", "いまは{player}の選択です。"),
    "not named": (
        "Nothing at this choice is called `{words}`. The rule is ({place}):",
        "この選択に「{words}」というものはありません。ルール({place}):",
    ),
    "unclear": ("`{words}` may be several: {things}.", "「{words}」では決まりません: {things}。"),
    "another": (
        "`{words}` is no answer to this choice, but to another: {names}.",
        "「{words}」はこの選択の答えではなく、ほかの選択の答えです: {names}。",
    ),
    "refused": (
        "`{thing}` can't be chosen: {chain}{place}",
        "「{thing}」は選べません: {chain}{place}",
    ),
    "otherwise": (
        "`{thing}` is for when nothing else can be chosen: {place}",
        "「{thing}」はほかに何も選べないときだけです: {place}",
    ),
    "not there": (
        "`{thing}` can't be chosen: {cards} not in `{source}`; {place}",
        "「{thing}」は選べません: 「{source}」に{cards}がありません; {place}",
    ),
    "nothing there": (
        "`{thing}` can't be chosen: nothing is in `{source}`; {place}",
        "「{thing}」は選べません: 「{source}」に何もありません; {place}",
    ),
    "unseen there": (
        "`{thing}` can't be chosen, and what is in `{source}` can't be seen; {place}",
        "「{thing}」は選べません。「{source}」の中は見えません; {place}",
    ),
    "not among": (
        "`{thing}` can't be chosen: it is not in `{source}` ({members}); {place}",
        "「{thing}」は選べません: 「{source}」({members})に入っていません; {place}",
    ),
    "range": (
        "`{thing}` can't be chosen: {low} to {high}; {place}",
        "「{thing}」は選べません: {low}から{high}まで; {place}",
    ),
    "count": (
        "`{thing}` can't be chosen: that is {count}, not {low} to {high} cards; {place}",
        "「{thing}」は選べません: {count}枚です。{low}枚から{high}枚まで; {place}",
    ),
    "range only": (
        "`{thing}` can't be chosen: only {low}; {place}",
        "「{thing}」は選べません: {low}だけです; {place}",
    ),
    "count only": (
        "`{thing}` can't be chosen: that is {count}, not {low} cards; {place}",
        "「{thing}」は選べません: {count}枚です。{low}枚だけです; {place}",
    ),
    "count one": (
        "`{thing}` can't be chosen: that is {count}, not 1 card; {place}",
        "「{thing}」は選べません: {count}枚です。1枚だけです; {place}",
    ),
    "unseen range": (
        "`{thing}` can't be chosen; how many may be depends on what can't be seen; {place}",
        "「{thing}」は選べません。いくつまでかは見えないものによります; {place}",
    ),
    "highest": (
        "`{thing}` can't be chosen: `{key}` is {value}, the highest is {best}; {place}",
        "「{thing}」は選べません: `{key}` は {value}、最大は {best}; {place}",
    ),
    "lowest": (
        "`{thing}` can't be chosen: `{key}` is {value}, the lowest is {best}; {place}",
        "「{thing}」は選べません: `{key}` は {value}、最小は {best}; {place}",
    ),
    "misfit": (
        "`{thing}` makes none of the shapes: {place}",
        "「{thing}」はどの組にもなりません: {place}",
    ),
    "fit size": ("{low} to {high} cards, not {count}", "{low}枚から{high}枚 ({count}枚でした)"),
    "fit one size": ("{low} cards, not {count}", "{low}枚 ({count}枚でした)"),
    "fit one": ("1 card, not {count}", "1枚 ({count}枚でした)"),
    "fit kind": ("no {about}: {found}", "{about}でない: {found}"),
    "fit lacking": ("no {about}: {found}", "{about}がない: {found}"),
    "fit same": ("not the same {about}: {found}", "{about}が同じでない: {found}"),
    "fit different": ("not each its own {about}: {found}", "{about}が重なっている: {found}"),
    "fit consecutive": ("{about} not consecutive: {found}", "{about}が続いていない: {found}"),
    "fit wild": (
        "too many {about}: {count}, at most {most}",
        "{about}が多すぎる: {count}枚 (多くて{most}枚)",
    ),
    "fit all wild": ("{about} alone", "{about}だけ"),
    "fit": ("not these cards", "この札ではない"),
    "hidden": ("something that can't be seen", "見えないもの"),
    "yes": ("yes", "はい"),
    "no": ("no", "いいえ"),
    "none": ("none", "なし"),
    "nobody": ("nobody", "なし"),
    "endless": ("endless", "無限"),
    "and more": ("{n} more", "ほか{n}"),
    "all offered": (
        "All that this choice is about can be chosen.",
        "この選択で選べないものはありません。",
    ),
    "can't": ("What can't be chosen here:", "ここで選べないもの:"),
}

MARKS = {True: ("yes", "○"), False: ("no", "×"), None: ("?", "?")}


def standing(origin: p.Origin) -> str:
    """Where a rule stands: file and line, and its clause tags."""
    tags = f" [{', '.join(origin.tags)}]" if origin.tags else ""
    return f"{PurePath(origin.span.file.replace(chr(92), '/')).name}:{origin.span.line}{tags}"


class Wording:
    """Puts the answers of one game into words. `place` says where a rule stands."""

    def __init__(
        self, game: Game, lang: str = "en", place: Callable[[p.Origin], str] = standing
    ) -> None:
        self._game = game
        self._labels = game.labels
        self._lang = lang
        self._column = LANGUAGES.index(lang)
        self._place = place

    def _text(self, frame: str, **values: object) -> str:
        text = _TEXTS[frame][self._column]
        return text.format(**values) if values else text

    # ── answers ──────────────────────────────────────────────────────────────────────────────

    def answer(self, answer: Answer, path: str) -> str:
        """An answer about the choice at a path: one line, or several."""
        match answer:
            case Offered():
                head = self._headed("offered", path, answer.thing, answer.rule)
                return "\n".join([head, *self._rows(answer.parts)])
            case NotAsked(player=None):
                return self._text("over")
            case NotAsked():
                return self._text("other player", player=player(answer.player))
            case NotNamed():
                head = self._text("not named", words=answer.words, place=self._place(answer.rule))
                return "\n".join([head, *self._quoted(path)])
            case Unclear():
                named = self._several([self.thing(t, path) for t in answer.things])
                return self._text("unclear", words=answer.words, things=named)
            case AnotherChoice():
                names = self._game.program.choices
                called = list(dict.fromkeys(f"`{say(names[q], self._lang)}`" for q in answer.paths))
                return self._text("another", words=answer.words, names=self._several(called))
            case _:
                return self._refusal(answer, path)

    def _refusal(self, answer: Refusal, path: str) -> str:
        match answer:
            case Elsewhere():
                return self._elsewhere(answer, path)
            case NotAmong():
                members = self._value(answer.source)
                return self._headed(
                    "not among", path, answer.thing, answer.rule, source=answer.source.text,
                    members=members,
                )  # fmt: skip
            case OutOfRange():
                return self._out_of_range(answer, path)
            case Beaten():
                value = self._value(answer.key)
                best = self.value(answer.key.type, answer.best)
                if answer.key.hidden or answer.best is None:
                    best = self._text("hidden")
                return self._headed(
                    "highest" if answer.largest else "lowest", path, answer.thing,
                    innermost(answer), key=answer.key.text, value=value, best=best,
                )  # fmt: skip
            case Misfit():
                head = self._headed("misfit", path, answer.thing, answer.rule)
                rows = [f"  {self._labels.shape(u.shape, self._lang)}: {self._unfit(u)}"
                        for u in answer.shapes]  # fmt: skip
                return "\n".join([head, *rows])
            case Closed(parts=()):
                return self._headed("otherwise", path, answer.thing, answer.rule)
            case Closed() | Refused():
                chain = self._chain([part.steps for part in answer.parts])
                head = self._headed("refused", path, answer.thing, innermost(answer), chain=chain)
                return "\n".join([head, *self._rows(answer.parts)])
            case _:
                assert_never(answer)

    def _headed(self, frame: str, path: str, thing: Thing, rule: p.Origin, **more: object) -> str:
        return self._text(frame, thing=self.thing(thing, path), place=self._place(rule), **more)

    def _elsewhere(self, answer: Elsewhere, path: str) -> str:
        key = "not there" if answer.missing else "nothing there"
        cards = self._several([self._labels.face(f, self._lang) for f in answer.missing])
        return self._headed(
            "unseen there" if answer.hidden else key, path, answer.thing, answer.rule,
            cards=cards, source=answer.source,
        )  # fmt: skip

    def _out_of_range(self, answer: OutOfRange, path: str) -> str:
        cards = isinstance(answer.thing.value, tuple)
        key = "unseen range" if answer.hidden else "count" if cards else "range"
        if answer.low == answer.high and not answer.hidden:
            key = "count one" if cards and answer.low == 1 else f"{key} only"
        head = self._headed(
            key, path, answer.thing, answer.rule, count=answer.number, low=answer.low,
            high=answer.high,
        )  # fmt: skip
        values = self._values(answer.seen)
        return f"{head}\n  {values}" if values else head

    def _unfit(self, unfit: Unfit) -> str:
        found, about = unfit.found, self._about(unfit)
        match unfit.reason:
            case "size":
                key = "fit size" if found[0] < found[1] else "fit one size"
                key = "fit one" if found[:2] == (1, 1) else key
                return self._text(key, low=found[0], high=found[1], count=found[2])
            case "wild":
                return self._text("fit wild", about=about, count=found[0], most=found[1])
            case "kind" | "lacking":
                cards = self._several([self._labels.face(f, self._lang) for f in found])
                return self._text(f"fit {unfit.reason}", about=about, found=cards)
            case "all wild" | "":
                return self._text(f"fit {unfit.reason}".strip(), about=about)
            case reason:
                values = [self._labels.enum(unfit.about, v, self._lang) for v in found]
                return self._text(f"fit {reason}", about=about, found=", ".join(values))

    def _about(self, unfit: Unfit) -> str:
        program = self._game.program
        named = program.attributes.get(unfit.about) or program.kinds.get(unfit.about)
        return unfit.about if named is None else say(named.names, self._lang)

    # ── conditions ───────────────────────────────────────────────────────────────────────────

    def _chain(self, chains: Sequence[tuple[Step, ...]]) -> str:
        """The named values that lead to all of some conditions."""
        shared = []
        for level in zip(*chains, strict=False):
            if any(step.rule is not level[0].rule for step in level):
                break
            shared.append(level[0].text)
        return f"{' → '.join(shared)}, " if shared else ""

    def _rows(self, parts: Sequence[Part]) -> list[str]:
        """A line for each condition: whether it holds, its text, the values it saw."""
        rows = [(MARKS[q.held][self._column], q.text, self._part_values(q)) for q in parts]
        marks, texts = (max((width(row[i]) for row in rows), default=0) for i in (0, 1))
        texts = min(texts, 40)
        return [
            f"  {padded(mark, marks)}  {padded(text, texts)}  {values}".rstrip()
            for mark, text, values in rows
        ]

    def _part_values(self, part: Part) -> str:
        if part.held is None and all(seen.hidden for seen in part.seen):
            return self._text("hidden")
        return self._values([seen for seen in part.seen if seen.text != part.text])

    def _values(self, seen: Sequence[Seen]) -> str:
        out = []
        for one in seen:
            value = self._value(one)
            out.append(f"{one.text} = {value}")
        return ", ".join(out)

    def _value(self, seen: Seen) -> str:
        return self._text("hidden") if seen.hidden else self.value(seen.type, seen.value)

    # ── things and values ────────────────────────────────────────────────────────────────────

    def thing(self, thing: Thing, path: str) -> str:
        """What is asked about, as its option would be called."""
        program, info = self._game.program, self._game.choice_at(path)
        branch = info.branches[thing.branch]
        name = ""
        if branch.name:
            names = program.choices.get(f"{path}/{branch.name}")
            name = branch.name if names is None else say(names, self._lang)
        elif thing.value is None:
            known = path in program.choices
            name = choice_name(program, path, self._lang) if known else info.name
        return f"{name} {self._picked(branch.kind, thing.value)}".strip()

    def _picked(self, kind: str, value: Any) -> str:
        if value is None:
            return ""
        match kind:
            case "card":
                return self._card(*value)
            case "cards":
                return ", ".join(self._card(*card) for card in value) or self._text("none")
            case "play":
                if value[2:]:
                    return self._labels.where(value[1], value[2], self._lang)
                return " ".join(self._labels.face(f, self._lang) for f in value[1])
            case "player":
                return player(value)
            case "number":
                return str(value)
            case "role":
                return self._labels.role(value, self._lang)
            case "shape":
                return self._labels.shape(value, self._lang)
            case _:
                return self._enum(kind.removeprefix("enum:"), value)

    def _card(self, face: int, place: int | None) -> str:
        label = self._labels.face(face, self._lang)
        if place is None:
            return label
        where = self._labels.place(place, self._lang)
        return f"{where}の{label}" if self._lang == "ja" else f"{label} from {where}"

    def value(self, kind: p.Type, value: Any) -> str:
        """A value of the language by name."""
        match kind.kind:
            case p.K.TRUTH:
                return self._text("yes" if value else "no")
            case p.K.NUMBER:
                return self._text("endless") if value >= p.ENDLESS else str(value)
            case p.K.PLAYER:
                return self._text("nobody") if value is None else player(value)
            case p.K.ENUM:
                return self._enum(kind.name, value)
            case p.K.ROLE:
                return self._labels.role(value, self._lang)
            case p.K.SHAPE:
                return (
                    self._text("none") if value is None else self._labels.shape(value, self._lang)
                )
            case p.K.CARD:
                face = value[0] if isinstance(value, tuple) else value
                return self._text("none") if face is None else self._labels.face(face, self._lang)
            case p.K.PLAY:
                return self._text("none") if value is None else self._labels.play(value, self._lang)
            case p.K.WORD:
                return str(value)
            case p.K.CARDS | p.K.PLAYERS | p.K.ENUMS:
                return self._several([self._element(kind, item) for item in value])

    def _element(self, kind: p.Type, item: Any) -> str:
        match kind.kind:
            case p.K.CARDS:
                return self.value(p.CARD, item)
            case p.K.PLAYERS:
                return self.value(p.PLAYER, item)
            case _ if kind.name == "play":
                return self.value(p.PLAY, item[0])
            case _:
                return self._enum(kind.name, item)

    def _enum(self, attribute: str, value: int) -> str:
        if attribute not in self._game.program.attributes:
            return str(value)
        if attribute not in self._game.binding.numeric and value < 0:
            return self._text("none")
        return self._labels.enum(attribute, value, self._lang)

    def _several(self, names: Sequence[str]) -> str:
        if not names:
            return self._text("none")
        shown = list(names[:MOST_NAMED])
        if len(names) > MOST_NAMED + 1:
            shown.append(self._text("and more", n=len(names) - MOST_NAMED))
        elif len(names) > MOST_NAMED:
            shown.append(names[-1])
        return ", ".join(shown)

    def options(self, rule: p.Origin, labels: Sequence[str]) -> list[str]:
        """What a rule offers: a line for the rule, one for each option."""
        return [self._text("offers", place=self._place(rule)), *(f"  {q}" for q in labels)]

    # ── short lists ──────────────────────────────────────────────────────────────────────────

    def groups(self, groups: Sequence[Group], path: str) -> str:
        """What can't be chosen, a line for each reason."""
        if not groups:
            return self._text("all offered")
        lines = [self._text("can't")]
        for group in groups:
            lines += [f"  {line}" for line in self._group(group, path)]
        return "\n".join(lines)

    def _group(self, group: Group, path: str) -> list[str]:
        info = self._game.choice_at(path)
        kind = info.branches[group.things[0].branch].kind
        first, *others = group.things
        rest = [self._picked(kind, thing.value) for thing in others]
        named = self._several([self.thing(first, path), *rest])
        head = f"{named}: {self._place(innermost(group.answers[0]))}"
        match group.answers[0]:
            case Closed(parts=()) as answer:
                return [self._refusal(answer, path)]
            case Closed() | Refused() as answer:
                return [
                    head,
                    *self._rows([self._shared(n, group) for n in range(len(answer.parts))]),
                ]
            case Beaten(key=key) if others:
                return [head, f"  {key.text}"]
            case OutOfRange() as answer if not others:
                values = self._values(answer.seen)
                return [head, f"  {answer.low}..{answer.high}{values and f', {values}'}"]
            case answer:
                return [head] if others else self._refusal(answer, path).split("\n")

    def _shared(self, number: int, group: Group) -> Part:
        """A deciding condition, with the values that are the same for all of a group."""
        parts = [a.parts[number] for a in group.answers if isinstance(a, (Closed, Refused))]
        same = [s for s in parts[0].seen if all(s in part.seen for part in parts)]
        return evolve(parts[0], seen=tuple(same))

    def _quoted(self, path: str) -> list[str]:
        """The choice as it stands in the rules: its own line, and those of its ways."""
        info = self._game.choice_at(path)
        spans = [info.rule.span, *(branch.rule.span for branch in info.branches)]
        rows = {}
        for span in spans:
            lines = self._game.program.sources.get(span.file, "").split("\n")
            if 0 < span.line <= len(lines):
                rows[span.line] = re.sub(r"\s+(\[[^\[\]]*\]|#.*)$", "", lines[span.line - 1])
        indent = min((len(t) - len(t.lstrip()) for t in rows.values()), default=0)
        return [f"  {text[indent:].rstrip()}" for _, text in sorted(rows.items())]


def width(text: str) -> int:
    """How many columns text takes: letters of some scripts are twice as wide."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def padded(text: str, columns: int) -> str:
    return text + " " * max(0, columns - width(text))
