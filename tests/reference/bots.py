"""A ruleset's bots, walked naively: what they choose and what they keep in mind.

Independent of the engine but for the chance keys, whose definition it states anew.
"""

from __future__ import annotations

from math import comb
from typing import Any

from attrs import evolve

from dsl import program as p
from dsl.walk import everything
from interpreter.chance import mix, seed_words, text_word
from interpreter.game import Game
from tests.reference.choices import Options, offered
from tests.reference.evaluator import Evaluator, Question
from tests.reference.expressions import Expressions, compare
from tests.reference.table import Card, Play


class BotPlayer(Expressions):
    """One bot at one seat of the evaluator's table. `labels`: how the game spells its options."""

    def __init__(
        self, game: Evaluator, name: str, seat: int, seed: int, labels: Game, **settings: float
    ) -> None:
        bot = game.program.bots[name]
        program = evolve(game.program, values={**game.program.values, **bot.values})
        super().__init__(game.table)
        self.values = program.values
        self.game, self.bot, self.seat, self.seed, self.labels = game, bot, seat, seed, labels
        self.settings = {key: settings.get(key, s.default) for key, s in bot.settings.items()}
        self.kept: dict[tuple[str, int | None], Any] = {}
        for key, memory in bot.memory.items():
            start = {p.K.NUMBER: 0, p.K.TRUTH: False, p.K.ENUM: -1}.get(memory.type.kind)
            for owner in range(game.table.players) if memory.per_player else (None,):
                self.kept[key, owner] = start
        self.asked: dict[int, int] = {}
        self.key: tuple[int, int] | None = None
        self.question: Question | None = None
        self.option: Any = None
        self.ways = 1

    # ── values ───────────────────────────────────────────────────────────────────────────────

    def value(self, expr: p.Expr) -> Any:
        match expr:
            case p.Setting():
                return self.settings[expr.name]
            case p.RunOf():
                return self.game.coordinates.get(expr.label, 0)
            case p.Remembered():
                owner = None if expr.player is None else self.value(expr.player)
                return self.kept[expr.name, owner]
            case p.Call():
                value = self.values[expr.value]
                self.bind(value.params, [self.value(arg) for arg in expr.args])
                return self.value(value.body)
            case p.Binary(op="/"):
                return self.value(expr.left) / self.value(expr.right)
            case p.Noise():
                words = [self.draw(expr.site)]
                if expr.per_way:
                    words += [self.draw(expr.site, way) for way in range(1, self.ways)]
                low, high = self.value(expr.low), self.value(expr.high)
                return low + (high - low) * (max(words) / 2**32)
            case p.Chance():
                return self.draw(expr.site) * expr.whole // 2**32 < expr.part
            case _:
                return super().value(expr)

    def draw(self, site: int, *way: int) -> int:
        """The word of a noise or chance: the choice's key, the site, the option."""
        if self.key is None:
            assert self.question is not None
            spot = [text_word(self.question.path), self.question.player]
            spot += [text_word("phase"), text_word(self.game.phase or "setup")]
            for label in self.game.program.labels:
                if label in self.game.coordinates:
                    spot += [text_word(label), self.game.coordinates[label]]
            here = mix(*spot)
            times = self.asked.get(here, 0)
            self.asked[here] = times + 1
            own = mix(*seed_words(self.seed), text_word(self.bot.names.name), here)
            self.key = (own, times)
        word = () if self.option is None else (text_word(self.spelled(self.option)),)
        return mix(*self.key, site, *word, *way)

    def spelled(self, raw: Any) -> str:
        import json

        assert self.question is not None
        value = self.labels.option_value(self.question.path, raw)
        return json.dumps(value, sort_keys=True, ensure_ascii=False)

    # ── choosing ─────────────────────────────────────────────────────────────────────────────

    def choose(self, question: Question) -> Any:
        """The option it takes; None where it says nothing, and anything may be taken."""
        self.question, self.key = question, None
        found = [c for c in self.bot.choices if c.path == question.path]
        if len(question.options) == 1 or not found:
            return question.options[0] if len(question.options) == 1 else None
        self.vars[self.bot.me.id] = question.player
        self.options = self.offers(question.path)
        scores: list[tuple[float, Any]] = []
        for wish in (*found[0].wishes, None):
            if scores and (wish is None or not wish.weighed):
                best = max(score for score, _ in scores)
                return next(raw for score, raw in scores if score == best)
            if wish is None:
                return None
            if wish.weighed:
                scores += self.weigh(wish)
                continue
            raw = self.first(wish)
            if raw is not None:
                return raw
        raise AssertionError("the loop returns")

    def offers(self, path: str) -> Options:
        stmt = next(
            node
            for node in everything(self.game.program)
            if isinstance(node, p.Choose) and node.origin.path == path
        )
        self.stmt = stmt
        found = offered(self.game.expressions, stmt)
        assert found is not None
        return found

    def of_way(self, wish: p.Wish) -> list[tuple[Any, Any]]:
        """The options of a way for which `where` holds, as (raw, picked)."""
        found = []
        pairs = zip(self.options.raw, self.options.behind, strict=True)
        for raw, (branch, picked) in pairs:
            if branch is self.stmt.branches[wish.way]:
                self.look(wish, raw, picked)
                if wish.where is None or self.value(wish.where):
                    found.append((raw, picked))
        self.option = None
        return found

    def look(self, wish: p.Wish, raw: Any, picked: Any) -> None:
        self.option, self.ways = raw, self.ways_of(picked)
        if wish.var is not None:
            self.vars[wish.var.id] = picked

    def ways_of(self, picked: Any) -> int:
        if isinstance(picked, Card):
            cards = [picked]
        elif isinstance(picked, Play):
            cards = list(picked.cards)
        else:
            return 1
        ways = 1
        for face in {card.face for card in cards}:
            there = [c for c in self.table.cards_at(cards[0].place) if c.face == face]
            ways *= comb(len(there), sum(card.face == face for card in cards))
        return ways

    def first(self, wish: p.Wish) -> Any:
        ranked = []
        for raw, picked in self.of_way(wish):
            self.look(wish, raw, picked)
            ranked.append((raw, picked, [self.value(key.expr) for key in wish.keys]))
        self.option = None
        best: tuple[Any, Any, list[Any]] | None = None
        for item in ranked:
            if best is None or compare(item[2], best[2], wish.keys) < 0:
                best = item
        if best is None:
            return None
        if wish.var is not None:
            self.vars[wish.var.id] = best[1]
        return best[0] if wish.when is None or self.value(wish.when) else None

    def weigh(self, wish: p.Wish) -> list[tuple[float, Any]]:
        scores = []
        for raw, picked in self.of_way(wish):
            self.look(wish, raw, picked)
            assert wish.score is not None
            if wish.when is None or self.value(wish.when):
                scores.append((self.value(wish.score), raw))
        self.option = None
        return scores

    # ── memory ───────────────────────────────────────────────────────────────────────────────

    def told(self, question: Question, raw: Any) -> None:
        for trigger in self.bot.triggers:
            if trigger.path != question.path or (trigger.mine and question.player != self.seat):
                continue
            branch, picked = self.offers(question.path).answer(raw)
            if trigger.way is not None and branch is not self.stmt.branches[trigger.way]:
                continue
            self.vars[self.bot.me.id], self.vars[trigger.they.id] = self.seat, question.player
            if trigger.var is not None:
                self.vars[trigger.var.id] = picked
            self.keep(trigger.body)

    def keep(self, body: tuple[p.Remembering, ...]) -> None:
        for stmt in body:
            if isinstance(stmt, p.RememberIf):
                self.keep(stmt.then if self.value(stmt.condition) else stmt.otherwise)
            else:
                owner = None if stmt.player is None else self.value(stmt.player)
                self.kept[stmt.name, owner] = self.value(stmt.value)

    def remembers(self) -> dict[str, Any]:
        """As `RulesetBot.remembers` shows it."""
        return {
            name: [self.kept[name, q] for q in range(self.table.players)]
            if memory.per_player
            else self.kept[name, None]
            for name, memory in self.bot.memory.items()
        }
