"""One sitting at the table: shows the game, asks people, and does what they say until it is over.

Used by `rules play`. With a keyboard a wrong answer is asked again; without one it ends the
sitting, since what follows was meant for another choice.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click

from cli import ask, golden, rule, saves
from cli.answers import Answer, Answers
from cli.common import INTERRUPTED, MISUSED, legible, misuse, write_file
from cli.endings import Ended, endings
from cli.screen import Screen
from cli.session import Session
from cli.story import tell
from cli.table import lay
from cli.words import Words
from dsl.diagnostics import RulesError
from interpreter.labels import SENTENCE_ENDS

MOST_LISTED = 12
MOST_LINES = 40  # of options, before only the first are shown
FIRST_LINES = 12
FEW = 3  # of many lists of cards in a message
WITH_MORE = ("why", "なぜ", "save", "保存")  # commands that something may follow


class Quit(Exception):
    """The person leaves, with this exit status."""

    def __init__(self, status: int = 0) -> None:
        super().__init__()
        self.status = status


class Sitting:
    """A session, a screen and the people."""

    def __init__(
        self,
        session: Session,
        screen: Screen,
        words: Words,
        answers: Answers,
        keyboard: bool,
        save: Callable[[Path | None], Path],
    ) -> None:
        self._session = session
        self._screen = screen
        self._words = words
        self._answers = answers
        self._keyboard = keyboard
        self._save = save
        self._at_screen: int | None = session.people[0] if len(session.people) == 1 else None
        self._commands: dict[str, Callable[[str], bool]] = {}
        for names, action in (
            (("u", "undo", "戻す"), self._undo),
            (("?", "help", "説明"), self._help),
            (("r", "rule", "ルール"), self._rule),
            (("why", "なぜ"), self._why),
            (("h", "hint", "ヒント"), self._hint),
            (("t", "table", "場"), self._table),
            (("all", "全部"), self._all),
            (("s", "save", "保存"), self._store),
            (("g", "golden", "手本"), self._golden),
            (("q", "quit", "終わる"), self._quit),
        ):
            self._commands |= dict.fromkeys(names, action)

    def run(self) -> int:
        """Play to the end, or until the person leaves; returns the exit status."""
        try:
            with endings():
                self._play()
        except Ended as end:
            if self._keyboard and self._session.people:
                with suppress(OSError):
                    self._save(None)  # nobody is there to be told
            return end.status
        except Quit as way_out:
            return way_out.status
        except RulesError:
            if self._keyboard and self._session.people:
                self._leave()  # so that the game can go on once the rule is mended
            raise
        except KeyboardInterrupt:
            if not self._keyboard:
                raise
            click.echo()
            self._leave()
            return INTERRUPTED
        self._end()
        left = self._answers.left()
        if left is not None:
            text = legible(left.line.answer)
            misuse(f"{left.where}: the game is over, nothing was asked for `{text}`")
        return 0

    def _play(self) -> None:
        session = self._session
        while not session.over:
            if not session.people:
                self._news(None)
            if not session.asks_person:
                session.step()
            elif len(session.state.moves) == 1:
                session.take_only()
            else:
                self._ask()

    # asking

    def _ask(self) -> None:
        """Ask the person whose choice it is, until they have chosen."""
        player = self._session.asked
        self._hand_over(player)
        self._show(player)
        while True:
            answer = self._answers.next("> ")
            if answer is None:
                raise self._no_more()
            if answer.line.player is not None and self._skips(answer):
                continue
            if not answer.line.answer:
                continue
            if self._obey(answer, player):
                return

    def _obey(self, answer: Answer, player: int) -> bool:
        """Do what was answered; True when the choice now asked is no longer this one."""
        text = answer.line.answer
        session = self._session
        names = self._names()
        first, _, rest = text.partition(" ")
        command = self._commands.get(ask.normal(first))
        exact = any(ask.normal(text) == ask.normal(name) for both in names for name in both)
        if command is not None and not exact and (not rest or ask.normal(first) in WITH_MORE):
            return command(rest.strip())
        match ask.find(text, names, session.numbers(), session.cards()):
            case ask.Found(index):
                session.take(index)
                return True
            case ask.Number(indexes, place) if self._means_place(answer, indexes, place):
                assert place is not None
                session.take(place)
                return True
            case ask.Number(indexes, place) if indexes:
                meant = dict.fromkeys([*indexes, *([] if place is None else [place])])
                self._refuse(answer, "number", [names[i][0] for i in meant])
            case ask.Unclear(indexes):
                self._refuse(answer, "unclear", [names[i][0] for i in indexes])
            case _:
                self._refuse(answer, "unknown", [name for name, _ in names])
        return False

    def _means_place(self, answer: Answer, indexes: tuple[int, ...], place: int | None) -> bool:
        """Whether a number alone can only be a place in the list. Nobody sees these places where
        numbers are picked, but scripts may know them."""
        if place is None or (self._keyboard and not answer.where):
            return indexes == (place,)
        return indexes in ((), (place,))

    def _names(self) -> list[tuple[str, str]]:
        """What the options may be called: in the language at the table, and in English."""
        return list(zip(self._session.labels(), self._session.labels("en"), strict=True))

    def _refuse(self, answer: Answer, why: str, labels: list[str]) -> None:
        listed = self._listed(labels)
        text = legible(answer.line.answer)
        if self._keyboard and not answer.where:
            self._screen.say(self._words(why, answer=text, labels=listed))
            if why != "number" and (how := self._in_words()):
                self._screen.say(how)
            return
        key = f"{why} in a script"
        misuse(
            self._words(
                key, where=answer.where, answer=text, question=self._question(), labels=listed
            )
        )

    def _skips(self, answer: Answer) -> bool:
        """Whether a line of a trace tells of a choice that nobody has to make here."""
        line = answer.line
        if line.forced or line.player not in self._session.people:
            return True
        asked = (self._session.asked, self._session.name("en"))
        if (line.player, line.name) != asked:
            misuse(self._words("another choice", where=answer.where, question=self._question()))
        return False

    def _question(self) -> str:
        player = f"P{self._session.asked + 1}"
        return self._words("question", player=player, name=self._session.name())

    def _listed(self, labels: list[str]) -> str:
        if len(labels) == len(self._session.state.moves):  # all of them
            labels = ask.shortened(labels, self._session.numbers())
        most = MOST_LISTED
        if any(", " in label or "、" in label for label in labels):
            labels = [f"`{label}`" for label in labels]
            most = FEW if len(labels) > MOST_LISTED else MOST_LISTED
        more = ", …" if len(labels) > most else ""
        return ", ".join(labels[:most]) + more

    def _in_words(self) -> str:
        """How an answer of several cards is said, with an example of one."""
        counts = [0 if c is None else len(c.names[0]) for c in self._session.cards()]
        if max(counts) < 2:
            return ""
        index = next(i for i, count in enumerate(counts) if count > 1)
        return self._words("in any order", label=self._session.label(index))

    def _no_more(self) -> Quit:
        """What to do when answers run out: leave, or say what was still asked."""
        if not self._keyboard:
            misuse(
                self._words(
                    "input ended",
                    question=self._question(),
                    labels=self._listed(self._session.labels()),
                )
            )
        click.echo()
        return Quit(self._leave())

    # showing

    def _hand_over(self, player: int) -> None:
        """Let the next person come to the screen before anything of theirs is shown."""
        if self._at_screen == player:
            return
        if self._keyboard and len(self._session.people) > 1:
            self._screen.clear()
            self._answers.wait(self._words("pass device", player=f"P{player + 1}"))
        self._at_screen = player

    def _news(self, viewer: int | None, title: str = "") -> None:
        self._screen.news(title, tell(self._session.news(viewer), self._words))

    def _show(self, player: int) -> None:
        self._news(player, self._words("since"))
        self._screen.table(lay(self._session, player, self._words))
        self._options(player)

    def _options(self, player: int, *, everything: bool = False) -> None:
        labels = self._session.labels()
        prompt = self._session.prompt()
        key = "asked" if prompt.endswith(SENTENCE_ENDS) else "turn of"
        title = self._words(key, player=f"P{player + 1}", name=prompt)
        numbers = self._session.numbers()
        told, numbered = ask.shortened(labels, numbers), ask.numbered(labels, numbers)
        if everything or len(told) <= MOST_LINES:
            self._screen.options(title, told, numbered)
            return
        self._screen.options(title, told[:FIRST_LINES], numbered)
        how = self._in_words() or self._words("by its words")
        self._screen.say(self._words("more options", n=len(told) - FIRST_LINES, how=how))

    # commands: each returns True when the choice now asked is no longer the one it was

    def _undo(self, _: str) -> bool:
        if not self._session.undo():
            self._screen.say(self._words("nothing to undo"))
            return False
        self._screen.say(self._words("undone"))
        return True

    def _help(self, _: str) -> bool:
        self._screen.say(self._words("help"))
        return False

    def _rule(self, _: str) -> bool:
        text = rule.behind(self._session.game.program, self._session.state.rule)
        self._screen.say(text or self._words("no rule"))
        return False

    def _why(self, what: str) -> bool:
        self._screen.say(self._session.why(legible(what)))
        return False

    def _hint(self, _: str) -> bool:
        label = self._session.labels()[self._session.hint()]
        self._screen.say(self._words("hint", label=label))
        return False

    def _table(self, _: str) -> bool:
        self._show(self._session.asked)
        return False

    def _all(self, _: str) -> bool:
        self._options(self._session.asked, everything=True)
        return False

    def _store(self, where: str) -> bool:
        try:
            path = self._save(Path(where) if where else None)
        except OSError as problem:
            if not self._keyboard:
                raise
            self._unsaved(problem)
            return False
        self._screen.say(self._words("saved", path=path))
        return False

    def _golden(self, _: str) -> bool:
        name, text = golden.of_session(self._session)
        path = golden.folder_of(self._session.game.program.file) / name
        try:
            write_file(path, text)
        except OSError as problem:
            if not self._keyboard:
                raise
            self._unsaved(problem)
            return False
        self._screen.say(self._words("golden", path=path))
        return False

    def _quit(self, _: str) -> bool:
        raise Quit(self._leave())

    def _leave(self) -> int:
        """Save, and say how to go on; returns the exit status."""
        try:
            path = self._save(None)
        except OSError as problem:
            self._unsaved(problem)
            return MISUSED
        self._screen.say(self._words("saved", path=path))
        name = saves.ruleset_name(self._session.game.program)
        there = [name, "--resume"]
        if path != saves.default_path(name):
            there = ["--resume", "--save", str(path)]
        self._screen.say(self._words("resume", there=shlex.join(there)))
        return 0

    def _unsaved(self, problem: OSError) -> None:
        where = f"{problem.filename}: " if problem.filename else ""
        reason = problem.strerror or problem
        click.echo(f"Error: the game could not be saved: {where}{reason}", err=True)

    # the end

    def _end(self) -> None:
        session, words = self._session, self._words
        viewers: list[int | None] = [*session.people] or [None]
        for viewer in viewers:
            if viewer == self._at_screen or not session.people:
                self._news(viewer, words("since") if session.people else "")
        result = session.result
        if result is None:
            return
        self._screen.say("\n" + words("over"))
        for player, points in result["points"].items():
            parts = ", ".join(f"{k} {v}" for k, v in result["scoring"][player].items())
            mark = "*" if player in result["winners"] else " "
            self._screen.say(f"{mark} {player}  {words.points(points)}  ({parts})")
        key = "winner" if len(result["winners"]) == 1 else "winners"
        self._screen.say(words(key, players=", ".join(result["winners"])))
        self._screen.say(
            words(
                "seed",
                seed=session.seed,
                players=session.game.players,
                options="".join(f" --set {k}={v}" for k, v in session.settings()),
            )
        )
