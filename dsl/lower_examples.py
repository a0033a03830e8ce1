"""Examples: names resolved, and what can't be set up, chosen or found out reported.

Runs after the rules have been lowered and checked: an example speaks of a whole game. Its facts are
expressions of the language; what can be `given` is told from what they became.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from dsl import examples as x
from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.checks.deck import defaults
from dsl.context import Context
from dsl.example_cards import PLAYER, Deck, deck_of
from dsl.example_entries import lower_entry, needs
from dsl.example_facts import Facts
from dsl.example_options import Choices, OptionWords, choices_of
from dsl.layout import Tag
from dsl.scope import Local
from dsl.suggest import did_you_mean
from dsl.walk import walk

USUAL_PLAYERS = 4


def with_examples(ruleset: n.Ruleset, program: p.Program, c: Context) -> p.Program:
    """The Program with the ruleset's examples; what is wrong with them is in the findings."""
    if not ruleset.examples:
        return program
    used = set(c.symbols.used)
    choices = choices_of(program)
    titles: dict[str, p.Span] = {}
    made: list[x.Example] = []
    for node in ruleset.examples:
        if node.title in titles:
            message = f"there are two examples called “{node.title}”"
            related = [(titles[node.title], "the first one stands here")]
            c.findings.error("R0610", message, node.span, related=related)
        titles[node.title] = node.span
        example = _Lowering(c, program, choices, node).example()
        if example is not None:
            made.append(example)
    c.report_missing()
    c.symbols.used = used
    values = {name: v.made for name, v in c.values.items() if v.made is not None}
    return evolve(program, values=values, examples=x.pack(tuple(made)))


def tag_texts(tags: tuple[Tag, ...]) -> tuple[str, ...]:
    return tuple(tag.text for tag in tags)


@frozen(eq=False)
class _Setting:
    players: int
    options: dict[str, int | bool | str]
    changed: tuple[tuple[str, int | bool | str], ...]


class _Lowering:
    """One example."""

    def __init__(self, c: Context, program: p.Program, choices: Choices, node: n.Example):
        self.c = c
        self.program = program
        self.choices = choices
        self.node = node

    def example(self) -> x.Example | None:
        before = self.c.findings.errors
        if not any(isinstance(part, n.Claims) for part in self.node.story):
            message = "this example claims nothing: it has no `then`"
            self.c.findings.error("R0613", message, self.node.span)
        setting = self.setting()
        if setting is None or not self.players_exist(setting.players):
            return None
        node, c = self.node, self.c
        seats = tuple(p.Var(next(c.ids), f"P{q + 1}", p.PLAYER) for q in range(setting.players))
        names = {var.name: Local(var, node.span) for var in seats}
        entry, seen = None, dict[str, Local]()
        if node.entry is not None:
            entry = lower_entry(c, self.program, self.choices, node.entry, names)
            if isinstance(entry, x.AtChoice):
                seen = c.choice_locals.get(entry.path, {})
        deck = deck_of(c, self.program, setting.players, setting.options)
        facts = Facts(c, deck, seats, {**seen, **names})
        given = tuple(facts.given(node.given))
        self.check_given(given, deck)
        if isinstance(entry, x.AtChoice) and c.findings.errors == before:
            needs(c, self.choices.by_path[entry.path], given, seen, node)
        options = OptionWords(c, deck, self.choices, setting.players)
        story = tuple(self.story(options, facts))
        if c.findings.errors > before:
            return None
        return x.Example(
            p.Names(node.title, node.others),
            setting.players,
            setting.changed,
            seats,
            entry,
            given,
            story,
            node.span,
            tag_texts(node.tags),
        )

    # ── players and options ──

    def setting(self) -> _Setting | None:
        node, findings = self.node, self.c.findings
        low, high = self.program.players
        players = min(max(USUAL_PLAYERS, low), high)
        if node.players:
            players = node.players[0].count
            if not low <= players <= high:
                message = f"this game is for {low} to {high} players, not {players}"
                findings.error("R0602", message, node.players[0].span)
                return None
        if len(node.players) > 1:
            message = "the number of players is said twice"
            findings.error("R0610", message, node.players[1].span)
        changed: dict[str, int | bool | str] = {}
        for part in node.settings:
            name = self.c.symbols.one(part.name.text, s.OPTION)
            if name is None:
                hint = did_you_mean(part.name.text, self.program.options)
                message = f"there is no option `{part.name.text}`"
                findings.error("R0602", message, part.name.span, suggestion=hint)
                return None
            value = option_value(self.program.options[name], part.value)
            if value is None:
                message = f"`{name}` can't be set to that"
                note = f"it is {allowed(self.program.options[name])}"
                findings.error("R0602", message, part.value.span, note)
                return None
            if name in changed:
                findings.error("R0610", f"`{name}` is set twice", part.span)
            changed[name] = value
        options = defaults(self.program, players) | changed
        return _Setting(players, options, tuple(changed.items()))

    def players_exist(self, players: int) -> bool:
        """Whether every P1, P2, … that is named sits at the table."""
        node = self.node
        parts = (node.entry, node.given, node.story)
        for word in words_in(parts):
            if PLAYER.fullmatch(word.text) and int(word.text[1:]) > players:
                message = f"there is no {word.text}: this example has {players} players"
                hint = "" if node.players else f"say how many: `with {int(word.text[1:])} players`"
                self.c.findings.error("R0601", message, word.span, suggestion=hint)
                return False
        return True

    # ── given ──

    def check_given(self, given: tuple[x.Given, ...], deck: Deck) -> None:
        laid = [(label, fact.span) for fact in given if isinstance(fact, x.Lay)
                for label in fact.cards]  # fmt: skip
        deck.check_enough(laid)
        seen: dict[tuple[object, ...], p.Span] = {}
        for fact in given:
            key = subject(fact)
            if key in seen:
                related = [(seen[key], "the first time is here")]
                message = "this is given twice"
                self.c.findings.error("R0610", message, fact.span, related=related)
            seen[key] = fact.span
        self.check_roles([fact for fact in given if isinstance(fact, x.SetRole)])

    def check_roles(self, given: list[x.SetRole]) -> None:
        """The roles have to lie on their ring as they always do, one seat apart."""
        roles = self.program.roles
        if roles is None:
            return
        first: int | None = None
        for fact in given:
            seat = (fact.player + fact.role) % roles.seats  # of the first role
            if first is not None and seat != first:
                message = "the roles can't lie so: their order on the ring is fixed"
                names = [names.name for names in reversed(roles.names)]
                note = f"clockwise they are {', '.join(names)}, and again {names[0]}"
                if roles.seats > len(names):
                    note = f"clockwise they are {', '.join(names)}"
                self.c.findings.error("R0611", message, fact.span, note)
                return
            first = seat

    # ── steps and claims ──

    def story(self, options: OptionWords, facts: Facts) -> Iterator[x.Step | x.Claim]:
        for part in self.together(options):
            if isinstance(part, n.Step):
                step = self.step(part, options)
                if step is not None:
                    yield step
                continue
            yield from facts.claims(part, options)

    def together(self, options: OptionWords) -> list[n.Step | n.Claims]:
        """The parts of the story; steps of one line that go on with cards are one step."""
        found: list[n.Step | n.Claims] = []
        for part in self.node.story:
            before = found[-1] if found else None
            if isinstance(part, n.Step) and isinstance(before, n.Step):
                line = part.span.line == before.span.end_line
                if line and options.goes_on(before.parts[0].words, part):
                    end = part.span
                    span = evolve(before.span, end_line=end.end_line, end_column=end.end_column)
                    found[-1] = evolve(before, parts=(*before.parts, *part.parts), span=span)
                    continue
            found.append(part)
        return found

    def step(self, node: n.Step, options: OptionWords) -> x.Step | None:
        words = node.parts[0].words
        player = None
        if words and PLAYER.fullmatch(words[0].text):
            player = int(words[0].text[1:]) - 1
        start = 0 if player is None else 1
        if len(words) > start + 1 and words[start].text in ("choose", "chooses"):
            start += 1
        if len(words) <= start:
            message = "what does this player choose?"
            hint = f"`{words[0].text} …` and the name of a choice or of a way of one"
            self.c.findings.error("R0608", message, node.span, suggestion=hint)
            return None
        ways = options.ways(words[start], *words[start + 1 :])
        if not ways:
            return None
        option = options.option(ways, node.parts, start + 1, node.span)
        if option is None:
            return None
        return x.Step(player, option, node.span, tag_texts(node.tags))


def words_in(root: object) -> Iterable[n.Word]:
    return (node for node in walk(root) if isinstance(node, n.Word))


def subject(fact: x.Given) -> tuple[object, ...]:
    """What a fact speaks of."""
    match fact:
        case x.Lay(place=place, player=player, top=top):
            return ("place", place, player, top)
        case x.SetTokens(holder=holder, player=player):
            return ("tokens", holder, player)
        case x.SetMark(mark=mark, player=player):
            return ("mark", mark, player)
        case x.SetRole(role=role):
            return ("role", role)
        case x.SetTrack(name=name, player=player):
            return ("track", name, player)
        case x.SetVar(var=var):
            return ("value", var.id)


def option_value(decl: p.OptionDecl, value: n.Alternative) -> int | bool | str | None:
    """A setting as the option has it; None if it can't be that."""
    word = None if value.word is None else value.word.text
    if value.high is not None:
        return None
    if decl.kind == "flag":
        return {"yes": True, "no": False}.get(word or "")
    if decl.kind == "word":
        return word if word in decl.words else None
    if word is not None:
        return p.ENDLESS if word == "endless" and decl.endless else None
    number = value.low
    assert number is not None
    if decl.lo is not None and decl.hi is not None:
        return number if decl.lo <= number <= decl.hi else None
    return None if decl.endless else number


def allowed(decl: p.OptionDecl) -> str:
    """What an option may be, in words."""
    if decl.kind == "flag":
        return "yes or no"
    if decl.kind == "word":
        return " or ".join(decl.words)
    parts = [] if decl.lo is None else [f"a number from {decl.lo} to {decl.hi}"]
    return " or ".join([*parts, *(["endless"] if decl.endless else [])]) or "a number"
