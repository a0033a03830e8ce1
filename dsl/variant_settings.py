"""`option turns 4`, `with 2 players`: settings that a variant makes. For `dsl.variant_edit`."""

from __future__ import annotations

from attrs import evolve

from dsl.layout import Line
from dsl.variant_core import Core, without_words
from dsl.variant_lines import first_word, words


class Settings(Core):
    """The operations on options, and on what depends on the number of players."""

    def option(self, line: Line) -> None:
        new = without_words(line, 1)
        found = [] if new is None else words(new)
        if new is None or len(found) < 2:
            message = "which option, and how is it set?"
            self.error("R0246", message, self.span(line), "`option turns 4`")
            return
        spot = self.find(f"option {found[0]}", line, self.span(line, 1, 1))
        if spot is None or self.is_taken(spot.line, line):
            return
        old = OptionParts(spot.line)
        given = OptionParts(new)
        if not self.fits(old, given, line):
            return
        text = new.text
        if old.texts and not given.texts:
            at = new.column - 1 + len(found[0])
            text = f"{text[:at]} {' '.join(old.texts)}{text[at:]}"
        if not given.limits and old.allowed:
            text = f"{text.rstrip()} in {' '.join(old.allowed)}"
        self.changed(line)
        made = evolve(new, text=text, tags=new.tags or spot.line.tags)
        spot.siblings[spot.index] = made
        self.touch(line, made)

    def fits(self, old: OptionParts, new: OptionParts, line: Line) -> bool:
        """Whether a setting is of the kind the option has."""
        if old.is_flag and not new.is_flag:
            message = f"`{old.name}` is yes or no"
            self.error("R0225", message, self.span(line, 2), f"`option {old.name} yes`")
            return False
        if old.is_number and not new.is_number:
            message = f"`{old.name}` is a number"
            self.error("R0225", message, self.span(line, 2), f"`option {old.name} 5`")
            return False
        return True

    def with_players(self, line: Line) -> None:
        """`with 2 players`, and below it options and roles at that player count."""
        counts = self.counts(line)
        if counts is None or not self.has_lines(line):
            return
        for child in line.children:
            match first_word(child):
                case "option":
                    self.option_at(child, counts)
                case "roles":
                    self.roles_at(line, child, counts)
                case _:
                    hint = "ask for the number of `players`: `if size of players = 2 then … else …`"
                    message = "for some numbers of players, options and roles can be set"
                    self.error("R0251", message, self.span(child), hint)

    def counts(self, line: Line) -> range | None:
        found = words(line)
        numbers = [int(word) for word in found if word.isdecimal()]
        forms = (["with", "#", "players"], ["with", "#", "..", "#", "players"])
        if ["#" if word.isdecimal() else word for word in found] not in forms:
            self.error("R0246", "for how many players?", self.span(line), "`with 2 players`")
            return None
        low, high = self.players()
        if numbers and not low <= numbers[0] <= numbers[-1] <= high:
            most = f"{low} to {high} players" if low < high else str(low)
            most = most if low < high else f"{low} player{'s' if low != 1 else ''}"
            message = f"the game is for {most}"
            self.error("R0251", message, self.span(line), f"`with {low} players`")
            return None
        return range(numbers[0], numbers[-1] + 1)

    def players(self) -> tuple[int, int]:
        game = next(x for x in self.lines if first_word(x) == "game")
        for line in game.children:
            numbers = [int(word) for word in words(line) if word.isdecimal()]
            if first_word(line) == "players" and numbers:
                return numbers[0], numbers[-1]
        return 1, 1

    def option_at(self, line: Line, counts: range) -> None:
        found = words(line)
        if len(found) < 3:
            message = "which option, and how is it set?"
            self.error("R0246", message, self.span(line), "`option turns 4`")
            return
        spot = self.find(f"option {found[1]}", line, self.span(line, 1, 1))
        if spot is None:
            return
        old = OptionParts(spot.line)
        for count in counts:
            key = f"option {old.name} with {count} players"
            if key in self.gone:
                self.twice(line, self.gone[key])
                return
            self.gone[key] = line
        given = OptionParts(line, 1)
        if not self.fits(old, given, line):
            return
        low, high = self.players()
        settings = {count: old.at(count) for count in range(low, high + 1)}
        settings |= {count: " ".join(given.setting) for count in counts}
        said = ", ".join(f"{count}: {value}" for count, value in settings.items())
        allowed = f" in {' '.join(old.allowed)}" if old.allowed else ""
        texts = "".join(f"{word} " for word in old.texts)
        text = " " * (line.column - 1) + f"{old.name} {texts}by players {said}{allowed}"
        self.changed(line)
        made = evolve(line, text=text, tags=line.tags or spot.line.tags)
        spot.siblings[spot.index] = made
        self.kept.append(made)

    def roles_at(self, head: Line, line: Line, counts: range) -> None:
        spot = self.find("roles", line, self.span(line, 0, 0))
        new = without_words(line, 1)
        if spot is None or new is None:
            return
        same = [c for c in spot.line.children if words(c) == words(head)]
        if same and id(same[0]) in self.touched:
            self.twice(line, self.touched[id(same[0])])
            return
        for old in same:
            spot.line.children.remove(old)
        made = evolve(head, children=[new])
        spot.line.children.append(made)
        self.touch(line, made)
        self.changed(line)


class OptionParts:
    """The parts of an option's line: `texts` its translations, `setting`, `limits` behind `in`."""

    def __init__(self, line: Line, skipped: int = 0):
        found = words(line)[skipped:]
        self.name = found[0]
        at = 1
        while found[at + 1 : at + 2] and found[at + 1][0] == '"':
            at += 2
        self.texts = found[1:at]
        end = found.index("in", at) if "in" in found[at:] else len(found)
        self.setting = found[at:end]
        self.limits = found[end + 1 :]

    @property
    def allowed(self) -> list[str]:
        """What it may be set to: what stands behind `in`, or all the settings it lists."""
        many = "or" in self.setting or ".." in self.setting
        return self.limits or (self.setting if many and not self.by_players else [])

    @property
    def by_players(self) -> bool:
        return self.setting[:2] == ["by", "players"]

    @property
    def is_flag(self) -> bool:
        given = self.setting[4::4] if self.by_players else self.setting
        return bool(given) and set(given) <= {"yes", "no"}

    @property
    def is_number(self) -> bool:
        given = self.setting[4:5] if self.by_players else self.setting
        return bool(given) and (given[0].isdecimal() or given[0] in ("-", "endless"))

    def at(self, players: int) -> str:
        """Its setting at a player count."""
        if not self.by_players:
            end = self.setting.index("or") if "or" in self.setting else len(self.setting)
            return " ".join(self.setting[:end])
        text = " ".join(self.setting[2:])
        pairs = dict(part.strip().split(" : ") for part in text.split(","))
        return pairs.get(str(players), next(iter(pairs.values())))
