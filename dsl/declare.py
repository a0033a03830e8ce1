"""Collects what a ruleset declares into `Symbols`, and reports names declared twice.

First pass after parsing; looks into no expression. What a name may be called is checked here; what
declarations contain is checked by the lowering.
"""

from __future__ import annotations

from typing import TypeAlias, TypeVar

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.diagnostics import Findings
from dsl.suggest import word_meant
from dsl.symbols import Meaning, Symbols
from dsl.vocabulary import BOT_NAMES, BUILT_IN, STATEMENT_WORDS

Named: TypeAlias = (
    n.Option
    | n.Attribute
    | n.Kind
    | n.Place
    | n.Mark
    | n.Track
    | n.Shape
    | n.Value
    | n.Phase
    | n.Scoring
)
D = TypeVar("D", bound=Named)


def declare(ruleset: n.Ruleset, findings: Findings) -> Symbols:
    """All declarations of a ruleset."""
    collector = _Collector(ruleset, findings)
    for decl in ruleset.decls:
        collector.add(decl)
    collector.finish()
    return collector.symbols


class _Collector:
    def __init__(self, ruleset: n.Ruleset, findings: Findings):
        self.ruleset = ruleset
        self.findings = findings
        self.symbols = Symbols(ruleset.file)

    def add(self, decl: n.Decl) -> None:
        known = self.symbols
        match decl:
            case n.Game():
                if known.game is not None:
                    self.twice("game", decl.span, known.game.span)
                known.game = known.game or decl
            case n.Option():
                self.option(decl)
            case n.Attribute():
                self.attribute(decl)
            case n.Kind():
                self.named(decl, known.kinds, s.KIND)
            case n.Place():
                self.named(decl, known.places, s.PLACE)
            case n.Token():
                self.token(decl)
            case n.Mark():
                self.named(decl, known.marks, s.MARK)
            case n.Track():
                self.named(decl, known.tracks, s.TRACK)
            case n.Roles():
                self.roles(decl)
            case n.Shape():
                index = len(known.shapes)
                self.named(decl, known.shapes, s.SHAPE, index)
            case n.Value():
                self.named(decl, known.values, s.VALUE)
            case n.Action():
                self.action(decl)
            case n.Effect():
                known.effects.setdefault(decl.family.text, []).append(decl)
            case n.Hook():
                known.hooks.append(decl)
            case n.Setup():
                known.setup.append(decl)
            case n.Phase():
                self.unspoken(decl, known.phases, s.PHASE)
            case n.Scoring():
                self.unspoken(decl, known.scoring, "scoring line")
            case n.Bot():
                self.bot(decl)
            case n.Winner():
                if known.winners:
                    self.twice("winner", decl.span, known.winners[0].span)
                known.winners.append(decl)

    def finish(self) -> None:
        """What must be there at all."""
        top = p.Span(self.ruleset.file, 1, 1, 1, 2)
        known = self.symbols
        if known.game is None:
            self.findings.error(
                "R0201",
                "this ruleset does not say which game it is",
                top,
                suggestion='begin it with `game "Name"` and, indented below, `players 2..4`',
            )
        if not known.phases and not any(word_meant(f, ("phase",)) for f in known.effects):
            message = "there is no phase, so nothing would be played"
            self.findings.error("R0202", message, known.game.span if known.game else top)
        if not known.winners:
            self.findings.error(
                "R0203",
                "this ruleset does not say who wins",
                known.game.span if known.game else top,
                suggestion="end it with a line such as `winner most points, then draw`",
            )

    # ── names ──

    def named(self, decl: D, table: dict[str, D], kind: str, index: int = 0) -> None:
        """A declaration whose name can be used in expressions."""
        name = decl.name
        if not self.free(name.word, kind):
            return
        table[name.text] = decl
        self.symbols.add(Meaning(kind, name.text, "", index, name.span))

    def unspoken(self, decl: D, table: dict[str, D], kind: str) -> None:
        """A declaration whose name only headings and reports use."""
        name = decl.name
        if name.text in table:
            self.already(name.word, kind, table[name.text].name.span, kind)
            return
        table[name.text] = decl

    def free(self, word: n.Word, kind: str) -> bool:
        """Whether a name can be declared as a `kind`; reports why not."""
        if word.text in BUILT_IN:
            called = "property" if kind == s.ATTRIBUTE else kind
            self.findings.error(
                "R0204",
                f"`{word.text}` is a word of the language, so no {called} can be called that",
                word.span,
                f"it means: {BUILT_IN[word.text]}",
            )
            return False
        for other in self.symbols.meanings.get(word.text, ()):
            if other.kind == kind or frozenset((kind, other.kind)) not in TOLD_APART:
                self.already(word, kind, other.span, other.kind)
                return False
        return True

    def already(self, word: n.Word, kind: str, first: p.Span, first_kind: str) -> None:
        what = f"another {kind}" if kind == first_kind else f"a {first_kind}"
        self.findings.error(
            "R0205",
            f"the {kind} `{word.text}` has the name of {what}",
            word.span,
            related=[(first, "the first one stands here")],
            suggestion="give one of them another name",
        )

    def twice(self, what: str, span: p.Span, first: p.Span) -> None:
        message = f"`{what}` is said twice"
        self.findings.error("R0206", message, span, related=[(first, "the first time is here")])

    # ── declarations with parts ──

    def option(self, decl: n.Option) -> None:
        self.named(decl, self.symbols.options, s.OPTION)
        name = decl.name.text
        settings = (*decl.settings, *(a for _, a in decl.by_players), *decl.allowed)
        words = [a.word for a in settings if a.word is not None]
        words = [word for word in words if word.text not in ("yes", "no", "endless")]
        self.symbols.option_types[name] = option_type(decl)
        for index, word in enumerate({word.text: word for word in words}.values()):
            self.symbols.add(Meaning(s.WORD, word.text, name, index, word.span))

    def attribute(self, decl: n.Attribute) -> None:
        self.named(decl, self.symbols.attributes, s.ATTRIBUTE)
        seen: dict[str, p.Span] = {}
        for index, value in enumerate(decl.values):
            word = value.name.word
            if word.text in seen:
                self.already(word, s.ENUM_VALUE, seen[word.text], s.ENUM_VALUE)
            elif word.text.isdigit() or self.free_value(word, decl.name.text):
                self.symbols.add(Meaning(s.ENUM_VALUE, word.text, decl.name.text, index, word.span))
            seen[word.text] = word.span

    def free_value(self, word: n.Word, attribute: str) -> bool:
        """Values of two attributes may share a name: the attribute that is expected decides."""
        others = self.symbols.meanings.get(word.text, ())
        if any(m.kind == s.ENUM_VALUE and m.owner != attribute for m in others):
            return word.text not in BUILT_IN
        return self.free(word, s.ENUM_VALUE)

    def token(self, decl: n.Token) -> None:
        known, token = self.symbols, decl.name.text
        holder = decl.holder.word if decl.holder is not None else decl.name.word
        if holder.text in known.holders:
            self.already(holder, s.HOLDER, known.holders[holder.text].span, s.HOLDER)
            return
        if not self.free(holder, s.HOLDER):
            return
        known.holders[holder.text] = decl
        owner = token if decl.holder is not None else ""
        known.add(Meaning(s.HOLDER, holder.text, owner, 0, holder.span))
        if token not in known.tokens or decl.name.others:
            known.tokens[token] = decl.name.names

    def roles(self, decl: n.Roles) -> None:
        known = self.symbols
        if known.roles is not None:
            self.twice("roles", decl.span, known.roles.span)
            return
        known.roles = decl
        for index, name in enumerate(decl.names):
            if self.free(name.word, s.ROLE):
                known.add(Meaning(s.ROLE, name.text, "", index, name.span))

    def bot(self, decl: n.Bot) -> None:
        word = decl.name.word
        if word.text in BOT_NAMES:
            message = f"`{word.text}` is a bot that plays any game, so no other can be called that"
            self.findings.error("R0204", message, word.span, suggestion="take another name")
        elif word.text in self.symbols.bots:
            self.already(word, "bot", self.symbols.bots[word.text].name.span, "bot")
        else:
            self.symbols.bots[word.text] = decl

    def action(self, decl: n.Action) -> None:
        word = decl.name.word
        if word.text in STATEMENT_WORDS:
            self.findings.error(
                "R0204",
                f"`{word.text}` is a statement of the language, so no action can be called that",
                word.span,
                suggestion=f"try `do_{word.text}`",
            )
            return
        if word.text in self.symbols.actions:
            first = self.symbols.actions[word.text].name.span
            self.already(word, s.ACTION, first, s.ACTION)
            return
        self.symbols.actions[word.text] = decl
        self.symbols.add(Meaning(s.ACTION, word.text, "", 0, word.span))


def option_type(decl: n.Option) -> p.Type:
    """An option is yes or no, a number (`endless` counts as one), or one of its words."""
    settings = [*decl.settings, *(setting for _, setting in decl.by_players), *decl.allowed]
    words = {a.word.text for a in settings if a.word is not None}
    if words and words <= {"yes", "no"}:
        return p.TRUTH
    if words - {"endless"} and all(a.low is None for a in settings):
        return p.Type(p.K.WORD, decl.name.text)
    return p.NUMBER


# Two declarations of one name are told apart by type if one of them is a fixed value.
_FIXED = (s.ENUM_VALUE, s.ROLE, s.SHAPE, s.WORD, s.KIND, s.ACTION)
_OTHERS = (s.PLACE, s.HOLDER, s.MARK, s.TRACK, s.VALUE, s.OPTION, s.ATTRIBUTE)
TOLD_APART = frozenset(frozenset((a, b)) for a in _FIXED for b in (*_FIXED, *_OTHERS) if a != b)
