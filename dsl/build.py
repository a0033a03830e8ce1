"""From Lark's tree of one line to nodes. Only `dsl.parse` uses this; no Lark type leaves the two.

A function per rule of `grammar.lark`, in the order of the grammar. Lark leaves out words in quotes
and puts None where an optional part is missing, so children are unpacked by position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lark import Token, Tree

from dsl import nodes as n
from dsl.diagnostics import Findings
from dsl.program import Span

Piece = Any  # a Tree, a Token or None: Lark's types say no more
Others = tuple[tuple[str, str], ...]


# What narrows a selection, in the order it is written.
TAILS = ("tail_in", "tail_from", "tail_where", "tail_with", "tail_by")
WORDS_OF_TAILS = dict(zip(TAILS, ("in", "clockwise", "where", "with", "by"), strict=True))


class Builder:
    """Turns trees of one file into nodes."""

    def __init__(self, file: str, findings: Findings):
        self.file = file
        self.findings = findings
        self.expressions: dict[str, Callable[[Piece], n.Expr]] = {
            "number": lambda t: n.Number(int(t.children[0]), self.span(t)),
            "decimal": lambda t: n.Decimal(float(t.children[0]), self.span(t)),
            "noise": self.noise,
            "chance": self.chance,
            "text": lambda t: n.Text(unquote(t.children[0]), self.span(t)),
            "ref": lambda t: self.ref(t.children[0]),
            "of": self.of,
            "call": self.call,
            "call_of": self.call_of,
            "owned_name": self.owned_name,
            "every": self.every,
            "all_of": lambda t: n.AllOf(self.word(t.children[0]), self.span(t)),
            "top_some": self.top_some,
            "top_one": lambda t: n.TopOf(None, self.expr(t.children[0]), self.span(t)),
            "one_of": self.one_of,
            "quantified": self.quantified,
            "count": lambda t: n.Quantified("count", self.group(t.children[0]), self.span(t)),
            "count_different": self.count_different,
            "sum_over": self.sum_over,
            "extreme": self.extreme,
            "negative": lambda t: n.Unary("-", self.expr(t.children[-1]), self.span(t)),
            "not_": lambda t: n.Unary("not", self.expr(t.children[0]), self.span(t)),
            "or_": lambda t: self.binary("or", t.children[0], t.children[1], t),
            "and_": lambda t: self.binary("and", t.children[0], t.children[1], t),
            "binary": self.arithmetic,
            "divide": self.divide,
            "compare": self.compare,
            "equal": lambda t: self.binary("=", t.children[0], t.children[1], t),
            "in_": lambda t: self.in_(t, negated=False),
            "not_in": lambda t: self.in_(t, negated=True),
            "is_": self.is_,
            "is_empty": self.is_empty,
            "is_in": self.is_in,
            "is_order": self.is_order,
            "exists": lambda t: n.Exists(self.expr(t.children[0]), self.span(t)),
            "except_": self.except_,
            "range_of": self.range_of,
            "select": self.select_expr,
            "conditional": self.conditional,
        }

    # ── spans and words ──

    def span(self, piece: Piece) -> Span:
        where = piece.meta if isinstance(piece, Tree) else piece
        return Span(self.file, where.line, where.column, where.end_line, where.end_column)

    def across(self, first: Span, last: Span) -> Span:
        return Span(self.file, first.line, first.column, last.end_line, last.end_column)

    def word(self, token: Piece) -> n.Word:
        return n.Word(str(token), self.span(token))

    def maybe_word(self, token: Piece) -> n.Word | None:
        return None if token is None else self.word(token)

    def named(self, token: Piece, *translations: Piece) -> n.Named:
        return n.Named(self.word(token), self.others(*translations))

    def others(self, *translations: Piece) -> Others:
        found: list[tuple[str, str]] = []
        for tree in translations:
            pieces = [str(piece) for piece in tree.children] if tree is not None else []
            found += zip(pieces[::2], map(unquote, pieces[1::2]), strict=True)
        return tuple(found)

    def ref(self, token: Piece) -> n.Ref:
        return n.Ref(self.word(token), self.span(token))

    # ── expressions ──

    def expr(self, piece: Piece) -> n.Expr:
        return self.expressions[piece.data](piece)

    def maybe(self, piece: Piece) -> n.Expr | None:
        return None if piece is None else self.expr(piece)

    def arguments(self, tree: Piece) -> tuple[n.Expr, ...]:
        return tuple(self.expr(piece) for piece in tree.children)

    def noise(self, tree: Piece) -> n.Expr:
        low, high, way = tree.children
        return n.Noise(self.expr(low), self.expr(high), way is not None, self.span(tree))

    def chance(self, tree: Piece) -> n.Expr:
        part, whole = map(int, tree.children)
        return n.Chance(part, whole, self.span(tree))

    def of(self, tree: Piece) -> n.Expr:
        word, owner = tree.children
        return n.Of(self.word(word), None, self.expr(owner), self.span(tree))

    def call(self, tree: Piece) -> n.Expr:
        word, arguments = tree.children
        return n.Call(self.word(word), self.arguments(arguments), self.span(tree))

    def call_of(self, tree: Piece) -> n.Expr:
        word, arguments, owner = tree.children
        given = self.arguments(arguments)
        return n.Of(self.word(word), given, self.expr(owner), self.span(tree))

    def owner(self, token: Piece) -> n.Ref:
        """`my`, `their`, `its` as the one they speak of."""
        person = {"my": "me", "their": "they", "its": "it"}[str(token)]
        return n.Ref(n.Word(person, self.span(token)), self.span(token))

    def owned_name(self, tree: Piece) -> n.Expr:
        owner, word = tree.children
        return n.Of(self.word(word), None, self.owner(owner), self.span(tree))

    def every(self, tree: Piece) -> n.Expr:
        word, players = tree.children
        return n.Every(self.word(word), self.maybe(players), self.span(tree))

    def top_some(self, tree: Piece) -> n.Expr:
        count, place = tree.children
        return n.TopOf(self.expr(count), self.expr(place), self.span(tree))

    def one_of(self, tree: Piece) -> n.Expr:
        word, head, binder, *tails = tree.children
        first = self.span(head)
        return n.Quantified(str(word), self.select(head, binder, tails, first), self.span(tree))

    def quantified(self, tree: Piece) -> n.Expr:
        word, group = tree.children
        return n.Quantified(str(word), self.group(group), self.span(tree))

    def count_different(self, tree: Piece) -> n.Expr:
        word, source = tree.children
        return n.Different(self.word(word), self.expr(source), self.span(tree))

    def sum_over(self, tree: Piece) -> n.Expr:
        expr, group = tree.children
        return n.Over("sum", self.expr(expr), self.group(group), self.span(tree))

    def extreme(self, tree: Piece) -> n.Expr:
        order, expr, group = tree.children
        return n.Over(str(order), self.expr(expr), self.group(group), self.span(tree))

    def binary(self, op: str, left: Piece, right: Piece, tree: Piece) -> n.Expr:
        return n.Binary(op, self.expr(left), self.expr(right), self.span(tree))

    def arithmetic(self, tree: Piece) -> n.Expr:
        left, op, right = tree.children
        return self.binary({"×": "*"}.get(str(op), str(op)), left, right, tree)

    def divide(self, tree: Piece) -> n.Expr:
        left, _, right, rounding = tree.children
        op = {"up": "/^", "down": "//"}.get(str(rounding), "/")
        return self.binary(op, left, right, tree)

    def compare(self, tree: Piece) -> n.Expr:
        left, op, right = tree.children
        plain = {"≠": "!=", "≤": "<=", "≥": ">="}
        return self.binary(plain.get(str(op), str(op)), left, right, tree)

    def in_(self, tree: Piece, negated: bool) -> n.Expr:
        item, source = tree.children
        return n.In(self.expr(item), self.expr(source), negated, self.span(tree))

    def is_(self, tree: Piece) -> n.Expr:
        left, negated, right = tree.children
        right_expr = self.expr(right)
        return n.Is(self.expr(left), right_expr, "", negated is not None, self.span(tree))

    def is_empty(self, tree: Piece) -> n.Expr:
        left, negated = tree.children
        return n.Is(self.expr(left), None, "empty", negated is not None, self.span(tree))

    def is_in(self, tree: Piece) -> n.Expr:
        item, negated, source = tree.children
        return n.In(self.expr(item), self.expr(source), negated is not None, self.span(tree))

    def is_order(self, tree: Piece) -> n.Expr:
        left, negated, relation, right = tree.children
        ends = self.expr(left), self.expr(right)
        return n.Is(ends[0], ends[1], str(relation), negated is not None, self.span(tree))

    def except_(self, tree: Piece) -> n.Expr:
        source, card = tree.children
        return n.Except(self.expr(source), self.expr(card), self.span(tree))

    def range_of(self, tree: Piece) -> n.Expr:
        low, high = tree.children
        return n.Range(self.expr(low), self.expr(high), self.span(tree))

    def conditional(self, tree: Piece) -> n.Expr:
        condition, then, otherwise = (self.expr(piece) for piece in tree.children)
        return n.Conditional(condition, then, otherwise, self.span(tree))

    # ── selections ──

    def select_expr(self, tree: Piece) -> n.Expr:
        """A condition followed by `where`, `with` or `by`: its `X in Y`, if any, is the source."""
        head, *tails = tree.children
        expr = self.expr(head)
        if isinstance(expr, n.In) and not expr.negated:
            return self.narrowed(expr.item, None, expr.source, tails, self.span(tree))
        return self.narrowed(expr, None, None, tails, self.span(tree))

    def group(self, tree: Piece) -> n.Select:
        head, binder, source, where = tree.children
        name = None if binder is None else self.word(binder)
        filters = self.maybe(source), self.maybe(where)
        return n.Select(
            self.expr(head), name, filters[0], None, filters[1], None, (), self.span(tree)
        )

    def select(self, head: Piece, binder: Piece, tails: Iterable[Piece], first: Span) -> n.Select:
        expr = self.ref(head) if isinstance(head, Token) else self.expr(head)
        name = None if binder is None else self.word(binder)
        last = [self.span(piece) for piece in (binder, *tails) if piece is not None]
        whole = self.across(first, last[-1] if last else expr.span)
        return self.narrowed(expr, name, None, tails, whole)

    def narrowed(
        self,
        head: n.Expr,
        binder: n.Word | None,
        source: n.Expr | None,
        tails: Iterable[Piece],
        span: Span,
    ) -> n.Select:
        found: dict[str, Piece] = {} if source is None else {"tail_in": None}
        for tail in tails:
            if any(TAILS.index(kind) >= TAILS.index(tail.data) for kind in found):
                self.out_of_order(tail, list(found)[-1])
            found[tail.data] = tail.children[0]
        if found.get("tail_in") is not None:
            source = self.expr(found["tail_in"])
        start, where = self.maybe(found.get("tail_from")), self.maybe(found.get("tail_where"))
        best = self.key(found["tail_with"]) if "tail_with" in found else None
        keys = self.keys(found["tail_by"]) if "tail_by" in found else ()
        return n.Select(head, binder, source, start, where, best, keys, span)

    def out_of_order(self, tail: Piece, after: str) -> None:
        """A `where` behind a `by` could be meant for either; parentheses say for which."""
        word, before = WORDS_OF_TAILS[str(tail.data)], WORDS_OF_TAILS[after]
        span = self.span(tail)
        message = f"a second `{word}`" if word == before else f"`{word}` stands before `{before}`"
        self.findings.error(
            "R0124",
            message,
            span,
            f"if it belongs to what comes after `{before}`, put that in parentheses",
        )

    def keys(self, tree: Piece) -> tuple[n.Key, ...]:
        return tuple(self.key(piece) for piece in tree.children)

    def key(self, tree: Piece) -> n.Key:
        if len(tree.children) == 1:
            return n.Key("", self.ref(tree.children[0]), self.span(tree))
        order, expr = tree.children
        return n.Key(str(order), self.expr(expr), self.span(tree))

    def pick(self, tree: Piece) -> n.Pick | None:
        if tree is None:
            return None
        if tree.data == "pick_number":
            (low, high), where = tree.children[0].children, tree.children[1]
            ends = self.expr(low), self.maybe(high)
            return n.PickNumber(*ends, self.maybe(where), self.span(tree))
        if tree.data == "pick_some":
            amount, head, source, *tails = tree.children
            low, high = amount.children
            select = self.from_source(head, source, tails, self.span(tree))
            return n.PickSome(self.expr(low), self.maybe(high), select, self.span(tree))
        head, source, *tails = tree.children
        return n.PickOne(self.from_source(head, source, tails, self.span(tree)), self.span(tree))

    def from_source(self, head: Piece, source: Piece, tails: list[Piece], span: Span) -> n.Select:
        expr = self.ref(head) if isinstance(head, Token) else self.expr(head)
        return self.narrowed(expr, None, self.maybe(source), tails, span)

    # ── items ──

    def owned(self, tree: Piece) -> tuple[n.Named, n.Word | None]:
        name, first, owner, second = tree.children
        return self.named(name, first, second), None if owner is None else self.word(owner)

    def alternatives(self, tree: Piece) -> tuple[n.Alternative, ...]:
        if tree is None:
            return ()
        return tuple(self.alternative(piece) for piece in tree.children)

    def alternative(self, tree: Piece) -> n.Alternative:
        pieces = tree.children
        span = self.span(tree)
        if pieces[0].data == "word":
            return n.Alternative(None, None, self.word(pieces[0].children[0]), span)
        low, *high = (integer(piece) for piece in pieces)
        return n.Alternative(low, high[0] if high else None, None, span)

    def constraint(self, tree: Piece) -> n.Constraint:
        span = self.span(tree)
        if tree.data == "wild":
            count, kind = tree.children
            return n.Constraint("wild", self.word(kind), int(count), span)
        return n.Constraint(str(tree.data), self.word(tree.children[0]), 0, span)

    def card_value(self, tree: Piece) -> n.CardValue:
        name, translations, number = tree.children
        beside = None if number is None else int(number)
        return n.CardValue(self.named(name, translations), beside)

    def label(self, tree: Piece) -> n.Named | None:
        return None if tree is None else self.named(*tree.children)


def unquote(token: Piece) -> str:
    return str(token)[1:-1]


def integer(tree: Piece) -> int:
    value = int(tree.children[0])
    return -value if tree.data == "negative_integer" else value


def is_token(piece: Piece, kind: str) -> bool:
    return isinstance(piece, Token) and piece.type == kind


def with_names(tree: Piece, renamed: Mapping[str, str]) -> Piece:
    """A copy of a line's tree with other names, each at its place. What kind a place is of is no
    name."""
    last = len(tree.children) - 1
    made: list[Piece] = list(tree.children)
    for at, part in enumerate(made):
        if isinstance(part, Tree):
            made[at] = with_names(part, renamed)
        elif not is_token(part, "NAME") or (tree.data == "place" and at == last):
            continue
        elif part in renamed:
            made[at] = Token.new_borrow_pos("NAME", renamed[part], part)
    return Tree(tree.data, made, tree.meta)
