"""From text to the syntax tree. Lark's trees and exceptions never leave here and `dsl.build*`.

A ruleset is parsed line by line: layout has made the lines, and the block a line stands in says
what it may be. So a slip spoils its own line (and the block below it), and every other line is
still read: three slips give three messages. Used by `dsl.pipeline`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from lark.exceptions import UnexpectedToken

from dsl import build, build_examples, build_items, build_statements, parse_bots
from dsl import nodes as n
from dsl.diagnostics import Findings
from dsl.layout import Line, is_variant, lay_out, say_wide
from dsl.lexer import Unreadable
from dsl.program import Span
from dsl.suggest import nearest
from dsl.table import line_parser

MAX_TERMS = 100
BLOCKS = ("R0105", "R0107", "R0108")  # what is said of lines in no or the wrong block
MAX_SLIPS = 200  # lines; who has broken more of them has broken the file, and reads no more
MOST_LINES = 4000  # whose trees are kept
BLOCK_WORDS = ("if", "else", "repeat", "each", "all", "turn", "while", "go", "choose")
OTHER_WORDS = {"elif": "else if", "elsif": "else if", "elseif": "else if", "for": "each"}
OTHER_WORDS |= {"foreach": "each", "loop": "repeat", "until": "while", "when": "if"}
SECTION_ITEMS = {
    "options": "option_item",
    "cards": "card_item",
    "places": "place_item",
    "tokens": "token_item",
    "marks": "mark_item",
    "track": "track_item",
    "shapes": "shape_item",
    "scoring": "scoring_item",
}


def parse(text: str, file: str, findings: Findings, *, examples: bool = True) -> n.Ruleset:
    """The syntax tree of a ruleset, without the lines that could not be read; without its examples
    unless they are wanted.

    Of a variant: that of the ruleset it makes, in which each node has its place in its own file.
    """
    layout = lay_out(text, file, findings)
    say_wide(layout, findings)
    lines = layout.lines
    sources: Mapping[str, str] = {file: text}
    variant: n.Variant | None = None
    if is_variant(layout.lines):
        from dsl.variants import assemble  # only where there is a variant, to start quickly

        lines, sources, variant = assemble(layout, text, file, findings)
    reader = _Reader(findings)
    decls: list[n.Decl] = []
    for line in lines:
        if examples or not line.text.startswith("example "):
            decls += reader.top(line)
    _only_the_tabs(findings)
    return n.Ruleset(
        file,
        text,
        tuple(decls),
        layout.comments,
        layout.tags,
        lines,
        sources,
        variant,
        tuple(reader.examples),
    )


@lru_cache(maxsize=MOST_LINES)
def tree_of(number: int, text: str, start: str) -> build.Piece:
    """The tree of a line, which nobody may change: whoever reads a ruleset again after an edit, or
    its variants, reads most of its lines again.

    Raises Unreadable, UnexpectedToken.
    """
    return line_parser().parse(f"{number}\n{text}", start=start)


class _Reader:
    """Reads lines, each of which knows its file."""

    def __init__(self, findings: Findings):
        self.findings = findings
        self.builders: dict[str, build.Builder] = {}
        self.examples: list[n.Example] = []
        self.slips = 0

    def at(self, line: Line) -> build.Builder:
        """What makes nodes of a line."""
        if line.file not in self.builders:
            self.builders[line.file] = build.Builder(line.file, self.findings)
        return self.builders[line.file]

    def line(self, line: Line, start: str) -> build.Piece:
        """The tree of one line, or None after reporting what is wrong with it."""
        if self.slips > MAX_SLIPS:
            return None
        try:
            tree = tree_of(line.line, line.text, start)
        except (Unreadable, UnexpectedToken) as slip:
            self.slip(slip, line, start)
        else:
            if depth(tree) <= MAX_TERMS:
                return build.with_names(tree, line.renamed) if line.renamed else tree
            message = "this line has too many parts inside each other"
            hint = "give some of them a name with `value`"
            self.findings.error("R0102", message, self.whole_span(line), suggestion=hint)
        return None

    def slip(self, slip: Unreadable | UnexpectedToken, line: Line, start: str) -> None:
        from dsl.slips import explain  # only where something is wrong, to start quickly

        self.slips += 1
        if self.slips <= MAX_SLIPS:
            explain(slip, line, start, line.file, self.findings)
            return
        self.findings.error(
            "R0125",
            f"more than {MAX_SLIPS} lines can't be read; from here on the file is left unread",
            self.head_span(line),
            suggestion="mend the first ones, and check again",
        )

    def no_children(self, line: Line, what: str) -> None:
        if line.children:
            child = line.children[0]
            if child.file == line.file and child.indent - line.indent == 1:
                self.one_column_off(line, child)
                return
            span = self.head_span(child)
            self.findings.error("R0107", f"nothing can be indented below {what}", span)

    def one_column_off(self, line: Line, child: Line) -> None:
        """Two lines that should stand in one column; as blocks are indented by even numbers, the
        one in an odd place is the one that slipped."""
        off, other, side = (line, child, "left") if line.indent % 2 else (child, line, "right")
        where = "the one below it" if off is line else "the one above it"
        self.findings.error(
            "R0107",
            f"this line starts one column to the {side} of {where}",
            self.head_span(off),
            related=[(self.head_span(other), "this is the one")],
            suggestion="lines of one block start in the same column",
        )

    def no_block(self, line: Line) -> None:
        """Nothing can stand below a statement that is one line, however it begins."""
        first = line.text[line.column - 1 :].split()[0]
        meant = OTHER_WORDS.get(first) or nearest(first, BLOCK_WORDS)
        if line.children and first in BLOCK_WORDS:
            message = f"after `{first}` on one line, nothing can be indented below it"
            self.findings.error("R0107", message, self.head_span(line.children[0]))
        elif line.children and meant is not None:
            span = self.head_span(line)
            message = f"`{first}` is no statement that something can be indented below"
            self.findings.error("R0107", message, span, suggestion=f"did you mean `{meant}`?")
        else:
            self.no_children(line, "this line")

    def head_span(self, line: Line) -> Span:
        """The first word of a line."""
        first = line.text.split("\n")[0][line.column - 1 :].split(" ")[0]
        return Span(line.file, line.line, line.column, line.line, line.column + max(len(first), 1))

    def whole_span(self, line: Line) -> Span:
        first = line.text.split("\n")[0]
        return Span(line.file, line.line, line.column, line.line, len(first) + 1)

    # ── top level ──

    def top(self, line: Line) -> list[n.Decl]:
        tree = self.line(line, "top")
        if tree is None:
            return []
        b, tags, parts = self.at(line), line.tags, tree.children
        span = b.span(tree)
        match str(tree.data):
            case "game":
                return [self.game(line, tree)]
            case "section":
                return self.section(line, str(parts[0]))
            case "roles":
                return self.roles(line, tree)
            case "phase":
                return [n.Phase(b.named(*parts), self.body(line), span, tags)]
            case "value":
                self.no_children(line, "a value")
                name, params, owner, translations, body = parts
                named = b.named(name, translations)
                words = () if params is None else tuple(b.word(p) for p in params.children)
                of = None if owner is None else b.word(owner)
                return [n.Value(named, words, of, b.expr(body), span, tags)]
            case "action":
                name, *rest = parts
                names = tuple(b.word(p) for p in rest if build.is_token(p, "NAME"))
                named = b.named(name, rest[-1])
                return [n.Action(named, names, self.body(line), span, tags)]
            case "role":
                return self.role(line, b.word(parts[0]))
            case "hook":
                return [self.hook(line, tree, None)]
            case "winner":
                self.no_children(line, "the winner's line")
                return [n.Winner(b.keys(parts[0]), span, tags)]
            case "example":
                self.examples.append(self.example(line, tree))
                return []
            case "bot":
                return [parse_bots.bot(self, line, tree)]
            case "effect":
                family, key = parts
                return [n.Effect(b.word(family), b.word(key), self.body(line), span, tags)]
        raise AssertionError(tree.data)

    def game(self, line: Line, tree: build.Piece) -> n.Game:
        title, translations = tree.children
        properties: list[n.Property] = []
        counts: list[n.PlayerRange] = []
        for child in line.children:
            item = self.line(child, "game_item")
            if item is None:
                continue
            self.no_children(child, "this line")
            b = self.at(child)
            span = b.span(item)
            if item.data == "players":
                low, high = item.children
                most = int(str(high)) if high is not None else int(str(low))
                counts.append(n.PlayerRange(int(str(low)), most, span, child.tags))
            else:
                word, value = item.children
                content = build.unquote(value)
                properties.append(n.Property(b.word(word), content, span, child.tags))
        b = self.at(line)
        others = b.others(translations)
        name = build.unquote(title)
        return n.Game(name, others, tuple(properties), tuple(counts), b.span(tree), line.tags)

    def section(self, line: Line, word: str) -> list[n.Decl]:
        if not line.children:
            span = self.head_span(line)
            self.findings.error("R0108", f"there is nothing below `{word}`", span)
            return []
        if word == "setup":
            return [n.Setup(self.body(line), self.head_span(line), line.tags)]
        items: list[n.Decl] = []
        for child in line.children:
            tree = self.line(child, SECTION_ITEMS[word])
            if tree is not None:
                self.no_children(child, "this line")
                items.append(build_items.item(self.at(child), tree, child.tags or line.tags))
        return items

    def roles(self, line: Line, tree: build.Piece) -> list[n.Decl]:
        b = self.at(line)
        *names, inline = tree.children
        ring, rings = self.ring(line, inline), []
        for child in line.children:
            found = self.line(child, "ring_item")
            if found is None:
                continue
            if found.data == "ring_for":
                rings += self.ring_for(child, found)
            else:
                self.no_children(child, "this line")
                ring = self.ring(child, found.children[0])
        named = tuple(b.named(*name.children) for name in names)
        return [n.Roles(named, *ring, tuple(rings), b.span(tree), line.tags)]

    def ring(self, line: Line, ring: build.Piece) -> tuple[int | None, bool]:
        """How many seats there are, and whether the first role starts at random."""
        if ring is None:
            return None, False
        count, start = ring.children
        if start is not None and start.children and str(start.children[0]) != "1":
            message = "the first role starts on seat 1 or at random"
            self.findings.error("R0109", message, self.at(line).span(start))
        return int(str(count)), start is not None and start.data == "random_seat"

    def ring_for(self, line: Line, tree: build.Piece) -> list[n.RingFor]:
        low, high = tree.children
        counts = int(str(low)), int(str(low if high is None else high))
        if not line.children:
            message = "which roles are there then?"
            hint = "indent them below this line"
            self.findings.error("R0108", message, self.whole_span(line), suggestion=hint)
        made = []
        for child in line.children:
            found = self.line(child, "roles_item")
            if found is not None:
                self.no_children(child, "this line")
                b = self.at(child)
                *names, ring = found.children
                named = tuple(b.word(name) for name in names)
                tags = child.tags or line.tags
                made.append(n.RingFor(*counts, named, *self.ring(child, ring), b.span(found), tags))
        return made

    def role(self, line: Line, word: n.Word) -> list[n.Decl]:
        if not line.children:
            message = f"there is nothing below `role {word.text}`"
            self.findings.error("R0108", message, word.span)
        hooks: list[n.Decl] = []
        for child in line.children:
            tree = self.line(child, "role_item")
            if tree is not None:
                hooks.append(self.hook(child, tree, word, line))
        return hooks

    def hook(
        self, line: Line, tree: build.Piece, role: n.Word | None, parent: Line | None = None
    ) -> n.Hook:
        moment, when = tree.children
        b, tags = self.at(line), line.tags or (parent.tags if parent else ())
        return n.Hook(role, b.word(moment), b.maybe(when), self.body(line), b.span(tree), tags)

    # ── examples ──

    def example(self, line: Line, tree: build.Piece) -> n.Example:
        b, draft = self.at(line), build_examples.Draft()
        if not line.children:
            message = "there is nothing below this example"
            hint = "say `given` what is so, `when` what players choose, `then` what is so after it"
            self.findings.error("R0108", message, self.whole_span(line), suggestion=hint)
        for child in line.children:
            found = self.line(child, "example_item")
            if found is not None:
                self.example_line(child, found, draft)
        if len(draft.entries) > 1:
            first, second = (entry.span for entry in draft.entries[:2])
            message = "`at` is said twice: an example starts at one point"
            related = [(first, "the first time is here")]
            self.findings.error("R0206", message, second, related=related)
        title, translations = tree.children
        return n.Example(
            build.unquote(title),
            b.others(translations),
            tuple(draft.players),
            tuple(draft.settings),
            draft.entries[0] if draft.entries else None,
            tuple(draft.given),
            tuple(draft.story),
            self.whole_span(line),
            line.tags,
        )

    def example_line(self, line: Line, tree: build.Piece, draft: build_examples.Draft) -> None:
        """One line of an example, with what may be indented below it."""
        b, kind = self.at(line), str(tree.data)
        if draft.story and kind in ("with_", "at", "given"):
            word = kind.removesuffix("_")
            message = f"`{word}` stands above `when` and `then`"
            self.findings.error("R0606", message, self.head_span(line))
        if kind in ("with_", "at"):
            self.no_children(line, "this line")
            if kind == "with_":
                build_examples.settings(b, tree, draft)
            else:
                draft.entries.append(build_examples.entry(b, tree))
            return
        start = {"given": "fact_line", "when": "step_line", "then": "claim_line"}[kind]
        parts = [(tree.children[0], line.tags)] if tree.children[0] is not None else []
        for child in line.children:
            self.no_children(child, "this line")
            parts.append((self.line(child, start), child.tags))
        if not parts:
            message = f"there is nothing behind `{kind}`"
            self.findings.error("R0108", message, self.head_span(line))
        for part, tags in parts:
            if part is None:
                continue
            if kind == "given":
                draft.given += build_examples.claims(b, part)
            elif kind == "when":
                draft.story += build_examples.steps(b, part, tags)
            else:
                draft.story.append(n.Claims(build_examples.claims(b, part), tags))

    # ── statements ──

    def body(self, line: Line) -> tuple[n.Stmt, ...]:
        if not line.children:
            self.findings.error(
                "R0108",
                "there is nothing below this line",
                self.whole_span(line),
                suggestion="indent what happens here below it, or write `do nothing`",
            )
        return self.statements(line.children)

    def statements(self, lines: Iterable[Line]) -> tuple[n.Stmt, ...]:
        made: list[n.Stmt] = []
        lost = False  # whether the line before could not be read
        for line in lines:
            tree = self.line(line, "statement")
            if tree is not None and tree.data in ("else_block", "else_if"):
                self.otherwise(line, tree, made, lost)
                continue
            lost = tree is None or (tree.data == "statement" and bool(line.children))
            if tree is not None:
                made.append(self.statement(line, tree))
        return tuple(made)

    def statement(self, line: Line, tree: build.Piece) -> n.Stmt:
        b, tags = self.at(line), line.tags
        match str(tree.data):
            case "statement":
                self.no_block(line)
                return build_statements.simple(b, tree.children[0], tags)
            case "if_block":
                condition = b.expr(tree.children[0])
                return n.If(condition, self.body(line), (), b.span(tree), tags)
            case "choose":
                return self.choose(line, tree)
            case _:
                return build_statements.block(b, tree, tags, self.body(line))

    def otherwise(self, line: Line, tree: build.Piece, made: list[n.Stmt], lost: bool) -> None:
        """Join an `else` to the `if` above it; if that was lost, there is nothing to join."""
        b = self.at(line)
        if tree.data == "else_if":
            inner = n.If(b.expr(tree.children[0]), self.body(line), (), b.span(tree), line.tags)
            body: tuple[n.Stmt, ...] = (inner,)
        elif tree.children[0] is not None:
            self.no_children(line, "this line")
            body = (build_statements.simple(b, tree.children[0], line.tags),)
        else:
            body = self.body(line)
        if lost:
            return
        last = made[-1] if made else None
        chain = _chain(last) if isinstance(last, n.If) else []
        if not chain or chain[-1].otherwise:
            span = self.head_span(line)
            self.findings.error("R0110", "this `else` belongs to no `if`", span)
        elif len(chain) <= MAX_TERMS:
            made[-1:] = _with_else(chain, body)
            if len(chain) == MAX_TERMS:
                message = f"more than {MAX_TERMS - 1} `else if` in a row"
                hint = "`skill knight` and its like say what happens for each of many values"
                self.findings.error("R0102", message, self.head_span(line), suggestion=hint)

    def choose(self, line: Line, tree: build.Piece) -> n.Stmt:
        b, tags = self.at(line), line.tags
        if tree.children[-1] is not None:
            body = self.statements(line.children)
            return build_statements.choose(b, tree, tags, body, ())
        branches = []
        for child in line.children:
            way = self.line(child, "branch")
            if way is not None:
                body = self.statements(child.children)
                branches.append(build_statements.branch(self.at(child), way, child.tags, body))
        if not line.children:
            self.findings.error(
                "R0108",
                "this choice offers nothing",
                self.whole_span(line),
                suggestion="say what is chosen after `:`, or list the ways below it",
            )
        return build_statements.choose(b, tree, tags, (), tuple(branches))


def _only_the_tabs(findings: Findings) -> None:
    """How wide a tab was meant isn't known, so what else is said of blocks may be wrong."""
    if any(item.code == "R0104" for item in findings.items):
        findings.items[:] = [d for d in findings.items if d.code not in BLOCKS]


def depth(tree: build.Piece) -> int:
    """How deep a tree is; worked out without recursion, as it may be very deep."""
    deepest, level = 0, [tree]
    while level:
        deepest += 1
        level = [part for node in level for part in getattr(node, "children", ())]
    return deepest


def _chain(statement: n.If) -> list[n.If]:
    """An `if` and the `else if`s behind it."""
    chain = [statement]
    while len(chain[-1].otherwise) == 1 and isinstance(last := chain[-1].otherwise[0], n.If):
        chain.append(last)
    return chain


def _with_else(chain: Iterable[n.If], body: tuple[n.Stmt, ...]) -> tuple[n.Stmt, ...]:
    """The `if` a chain begins with, as the statement it is with one more part."""
    for part in reversed(list(chain)):
        body = (n.If(part.condition, part.then, body, part.span, part.tags),)
    return body
