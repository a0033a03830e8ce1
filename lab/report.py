"""What a simulation found, as tables.

Used by `rules sim` (text, JSON, plots). Reads `Totals` only, so that it can be made at any time of
a run; names come from the Game.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from dsl.amounts import many
from interpreter.game import Game
from lab import numbers
from lab.categories import Category, value_label
from lab.numbers import Estimate, Histogram
from lab.plan import Plan
from lab.record import WIN
from lab.tables import Cell, Column, Table, bars, span
from lab.totals import Totals

TEXT, COUNT, NUMBER, SHARE = "text", "count", "number", "share"
GROUPS = ("seat", "bot", "role", "line", "choice", "value", "card")
USUAL = ("seat", "bot", "role", "line", "choice")
SPREAD = (
    Column("sd", "sd"),
    Column("least", "least", COUNT),
    Column("p5", "5 %", COUNT),
    Column("p25", "25 %", COUNT),
    Column("median", "median", COUNT),
    Column("p75", "75 %", COUNT),
    Column("p95", "95 %", COUNT),
    Column("most", "most", COUNT),
)


def spread(histogram: Histogram) -> tuple[Cell, ...]:
    """The cells under SPREAD."""
    if not histogram:
        return (None,) * len(SPREAD)
    marks = [numbers.percentile(histogram, q) for q in (0, 5, 25, 50, 75, 95, 100)]
    return (numbers.deviation(histogram), *marks)


@frozen(eq=False)
class Report:
    """The tables of one simulation."""

    plan: Plan
    game: Game
    totals: Totals

    def tables(self, by: tuple[str, ...] = USUAL) -> list[Table]:
        """All tables asked for; those with nothing in them are left out."""
        makers = {
            "seat": self.seats,
            "bot": self.bots,
            "role": self.roles,
            "line": self.lines,
            "choice": self.choices,
            "value": self.values,
            "card": self.cards,
        }
        found = [self.overview(), self.shares()]
        found += [makers[name]() for name in GROUPS if name in by]
        if self.plan.measures:
            found.append(self.measures(by))
        return [table for table in found if table.rows]

    def text(self, by: tuple[str, ...] = USUAL) -> str:
        """Everything as plain text."""
        parts = [table.text() for table in self.tables(by)]
        parts.insert(2, "\n".join(["points, all seats", *(f"  {b}" for b in self.histogram())]))
        return "\n\n".join(parts)

    def data(self) -> dict[str, Any]:
        """Everything as JSON can hold it."""
        tables = {table.name: table.data() for table in self.tables(GROUPS)}
        return {
            "games": self.totals.games,
            "failed": self.totals["failed",],
            "level": numbers.LEVEL,
            "points": {str(k): v for k, v in sorted(self.points().items())},
            "tables": tables,
        }

    # ── the whole ────────────────────────────────────────────────────────────────────────────

    def points(self) -> dict[int, int]:
        """Points of all seats together: value -> how often."""
        return numbers.added(self.totals.under("points", q) for q in range(self.game.players))

    def histogram(self) -> list[str]:
        return bars((span(low, high), times) for low, high, times in numbers.bins(self.points()))

    def overview(self) -> Table:
        """Figures that every game has one of."""
        under = self.totals.under
        decisions, widths, points = under("decisions"), under("width"), self.points()
        _, asked, _ = numbers.moments(decisions)
        _, options, _ = numbers.moments(widths)
        _, whole, _ = numbers.moments(points)
        games, products = self.totals.games, under("options")
        of_choices = numbers.ratio_of(
            games, options, asked, *(products.get(key, 0) for key in ("xx", "xy", "yy"))
        )
        # what a game has several of is alike in it: games are what is drawn
        of_players = numbers.mean_of(games, whole, self.totals["points", "yy"])
        rows: list[tuple[str, Histogram, Estimate | None]] = [
            ("decisions a game", decisions, numbers.mean(decisions)),
            ("options a decision", widths, of_choices),
            ("points of a player", points, numbers.scaled(of_players, self.game.players)),
        ]
        for name, key in (
            ("most points", "best"),
            ("lead over the next", "margin"),
            ("changes of the lead", "leads"),
            ("made up by the winner", "behind"),
        ):
            rows.append((name, under(key), numbers.mean(under(key))))
        columns = (Column("what", "", TEXT), Column("mean", "mean"), *SPREAD)
        return Table(
            "overview",
            many(self.totals.games, "game"),
            columns,
            [(name, mean, *spread(histogram)) for name, histogram, mean in rows if histogram],
        )

    def shares(self) -> Table:
        totals, games = self.totals, self.totals.games
        shared = games - totals["shared", 1]
        level = games - totals["level", 1]
        looked = sum(totals.under("comeback").values())
        widths = totals.under("width")
        rows: list[tuple[Cell, ...]] = [
            ("the win is shared", numbers.wilson(shared, games)),
            ("several have the most points", numbers.wilson(level, games)),
        ]
        if looked:
            back = numbers.wilson(totals["comeback", 1], looked)
            rows.append(("the winner was behind half-way", back))
        if widths:
            forced = numbers.wilson(widths.get(1, 0), sum(widths.values()))
            rows.append(("a choice has only one option", forced))
        return Table(
            "shares", "how often", (Column("what", "", TEXT), Column("share", "", SHARE)), rows
        )

    # ── seats, bots, scoring lines, roles ────────────────────────────────────────────────────

    def seats(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for seat in range(self.game.players):
            points = self.totals.under("points", seat)
            won = numbers.wilson(self.totals["won", seat] / WIN, self.totals.games)
            rows.append((f"P{seat + 1}", won, numbers.mean(points), *spread(points)))
        columns = (
            Column("seat", "seat", TEXT),
            Column("won", "wins", SHARE),
            Column("points", "points"),
            *SPREAD,
        )
        return Table("seat", "by seat", columns, rows)

    def bots(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for name in sorted(set(self.plan.bots)) if self.plan.mixed else ():
            points = self.totals.under("bot points", name)
            count = sum(points.values())
            won = numbers.wilson(self.totals["bot won", name] / WIN, count)
            rows.append((name, count, won, numbers.mean(points), *spread(points)))
        columns = (
            Column("bot", "bot", TEXT),
            Column("seats", "seats", COUNT),
            Column("won", "wins a seat", SHARE),
            Column("points", "points"),
            *SPREAD,
        )
        return Table("bot", "by bot (they move round the seats)", columns, rows)

    def lines(self) -> Table:
        """Points by scoring line: of everybody, and of winners."""
        totals, games = self.totals, self.totals.games
        lines = self.game.program.scoring
        players = self.game.players
        whole = sum(totals["line", i, "x"] for i in range(len(lines)))
        squares = totals["points", "yy"]
        rows: list[tuple[Cell, ...]] = []
        for i, line in enumerate(lines if len(lines) > 1 else ()):
            x, xx, xy, w, ww = (totals["line", i, key] for key in ("x", "xx", "xy", "w", "ww"))
            mean = numbers.scaled(numbers.mean_of(games, x, xx), players)
            winners = numbers.scaled(numbers.mean_of(games, w, ww), WIN)
            share = numbers.ratio_of(games, x, whole, xx, xy, squares)
            rows.append((line.names.name, mean, winners, share))
        columns = (
            Column("line", "scoring line", TEXT),
            Column("points", "points a player"),
            Column("winners", "of winners"),
            Column("share", "of all points", SHARE),
        )
        return Table("line", "where points come from", columns, rows)

    def roles(self) -> Table:
        totals, games = self.totals, self.totals.games
        program = self.game.program.roles
        whole, squares = totals["role total", " "], totals["role total", "²"]
        rows: list[tuple[Cell, ...]] = []
        for number, names in enumerate(program.names if program is not None else ()):
            x, xx, xy = (totals["role", number, key] for key in ("x", "xx", "xy"))
            d, dd = totals["role", number, "d"], totals["role", number, "dd"]
            first = totals["first role", number]
            rows.append(
                (
                    names.name,
                    numbers.mean_of(games, d, dd),
                    numbers.mean_of(games, x, xx),
                    numbers.ratio_of(games, x, whole, xx, xy, squares),
                    numbers.wilson(totals["first role won", number] / WIN, first),
                )
            )
        columns = (
            Column("role", "role", TEXT),
            Column("decisions", "decisions a game"),
            Column("points", "points a game"),
            Column("share", "of all points", SHARE),
            Column("first", "wins of who began with it", SHARE),
        )
        note = "points gained while the role was held"
        return Table("role", "by role", columns, rows, note)

    def measures(self, by: tuple[str, ...]) -> Table:
        """What was measured: of all players, of winners and others, and by the groups asked for."""
        rows: list[tuple[Cell, ...]] = []
        for number, measure in enumerate(self.plan.measures):
            for group, label in self._groups(by):
                values = self.totals.under("measure", number, group)
                if not values and group != ("all",):
                    continue
                sums = self.totals.under("measured", number, group)
                mean = numbers.ratio_of(
                    self.totals.games, *(sums.get(k, 0) for k in ("s", "c", "ss", "sc", "cc"))
                )
                rows.append((measure.name, label, sum(values.values()), mean, *spread(values)))
        columns = (
            Column("measure", "measure", TEXT),
            Column("of", "of", TEXT),
            Column("times", "times", COUNT),
            Column("mean", "mean"),
            *SPREAD,
        )
        missing = self.totals.under("unmeasured")
        note = "\n".join(
            f"{self.plan.measures[number].name}: {many(times, 'time')} there was nothing to measure"
            for number, times in missing.items()
        )
        return Table("measure", "measures", columns, rows, note)

    def _groups(self, by: tuple[str, ...]) -> list[tuple[tuple[Any, ...], str]]:
        """Groups that measures are told by, with their names."""
        found: list[tuple[tuple[Any, ...], str]] = [
            (("all",), "all"),
            (("won", 1), "winners"),
            (("won", 0), "others"),
        ]
        roles = self.game.program.roles
        if "role" in by and roles is not None:
            found += [(("role", i), names.name) for i, names in enumerate(roles.names)]
        if "bot" in by:
            found += [(("bot", name), name) for name in sorted(set(self.plan.bots))]
        if "seat" in by:
            found += [(("seat", seat), f"P{seat + 1}") for seat in range(self.game.players)]
        return found

    # ── choices, values, cards ───────────────────────────────────────────────────────────────

    def choices(self) -> Table:
        """Every way to answer every choice."""
        rows: list[tuple[Cell, ...]] = []
        for number, info in enumerate(self.game.choices):
            asked = self.totals["asked", number]
            for way, branch in enumerate(info.branches):
                category = ("way", number, way)
                taken = self._taken(category)
                rate = numbers.wilson(taken, asked) if len(info.branches) > 1 else None
                rows.append((info.path, branch.name, rate, *self._use(category, taken)))
        columns = (
            Column("choice", "choice", TEXT),
            Column("way", "way", TEXT),
            Column("rate", "of answers", SHARE),
            *USE,
        )
        return Table("choice", "by choice", columns, rows, NOTE)

    def values(self) -> Table:
        """What was picked at every choice."""
        rows: list[tuple[Cell, ...]] = []
        for number, info in enumerate(self.game.choices):
            for way, branch in enumerate(info.branches):
                for category in self._known("value", number, way):
                    taken, offered = self._taken(category), self.totals["offered", category]
                    label = value_label(self.game, number, way, category[3])
                    rate = numbers.wilson(taken, offered)
                    rows.append((info.path, branch.name, label, rate, *self._use(category, taken)))
        columns = (
            Column("choice", "choice", TEXT),
            Column("way", "way", TEXT),
            Column("value", "picked", TEXT),
            Column("rate", "of offers", SHARE),
            *USE,
        )
        return Table("value", "by value picked", columns, rows, NOTE)

    def cards(self) -> Table:
        """Every card: picked at any choice, and lying with a player at the end."""
        rows: list[tuple[Cell, ...]] = []
        places = list(
            dict.fromkeys(inst.place for inst in self.game.places if inst.player is not None)
        )
        for face in range(len(self.game.faces)):
            label = self.game.face_label(face)
            taken = self._taken(("card", face))
            offered = self.totals["offered", ("card", face)]
            if offered:
                rate = numbers.wilson(taken, offered)
                rows.append((label, "picked", rate, *self._use(("card", face), taken)))
            for place in places:
                category = ("end", place, face)
                if self._users(category):
                    row = (label, f"in {place} at the end", None)
                    rows.append((*row, *self._use(category, None)))
        columns = (
            Column("card", "card", TEXT),
            Column("how", "how", TEXT),
            Column("rate", "of offers", SHARE),
            *USE,
        )
        return Table("card", "by card", columns, rows, NOTE)

    def _known(self, kind: str, choice: int, way: int) -> list[Category]:
        """The categories of a kind that were offered at a way of a choice, in order."""
        offered = self.totals.by_category("offered")
        found = [category for category in offered if category[:3] == (kind, choice, way)]
        return sorted(found, key=lambda category: category[3])

    def _taken(self, category: Category) -> int:
        return self.totals.by_category("taken").get(category, 0)

    def _users(self, category: Category) -> int:
        return self.totals.by_category("users").get(category, 0)

    def _each_game(self, category: Category, taken: int) -> Cell:
        """How often a game something was taken."""
        squares = self.totals["taken²", category]
        if taken and not squares:
            return taken / self.totals.games
        return numbers.mean_of(self.totals.games, taken, squares)

    def _use(self, category: Category, taken: int | None) -> tuple[Cell, ...]:
        """The cells under USE."""
        games, seats = self.totals.games, self.totals.games * self.game.players
        users = self._users(category)
        won = self.totals["users won", category] / WIN
        return (
            None if taken is None else self._each_game(category, taken),
            numbers.wilson(users, seats),
            numbers.wilson(won, users),
            numbers.wilson(games - won, seats - users),
        )


USE = (
    Column("per_game", "a game"),
    Column("users", "by players", SHARE),
    Column("won", "who then win", SHARE),
    Column("others_won", "others win", SHARE),
)
NOTE = (
    "players: of all, who did it at least once in a game; what goes with winning need not cause it"
)
