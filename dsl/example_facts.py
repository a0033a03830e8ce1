"""Facts of an example: what is `given`, and what is claimed after `then`. Used by
`dsl.lower_examples`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeGuard, TypeVar

from attrs import define, field

from dsl import examples as x
from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.checks.deck import Unknown, number
from dsl.context import Context, shown
from dsl.example_cards import PLAYER, Deck
from dsl.example_misread import misread
from dsl.example_options import OptionWords
from dsl.places import places_of
from dsl.program import K
from dsl.scope import Local, Routine, Scope
from dsl.suggest import did_you_mean, singulars
from dsl.walk import walk

GIVABLE = "cards in places, tokens, marks, roles and tracked values can be given"


@define(eq=False)
class CardList:
    """`hand of P1 is crown 7, banana`: what is on the left, and the words of each card."""

    left: n.Expr
    cards: list[list[n.Word]]
    span: p.Span


T = TypeVar("T")
Item = CardList | n.Fact | n.Has | n.Wins | n.May


@define(eq=False)
class Facts:
    c: Context
    deck: Deck
    seats: tuple[p.Var, ...]
    names: dict[str, Local]
    index: dict[int, int] = field(init=False)
    told: set[p.Span] = field(factory=set)  # where it has been asked whose something is

    def __attrs_post_init__(self) -> None:
        self.index = {var.id: player for player, var in enumerate(self.seats)}

    # ── given ──

    def given(self, nodes: Sequence[n.Claim]) -> Iterator[x.Given]:
        for item in self.folded(nodes):
            match item:
                case CardList():
                    made = self.laid(item)
                    if made is not None:
                        yield made
                case n.Has():
                    yield from self.counted(item)
                case n.Fact():
                    expr = self.lowered(item.expr, p.TRUTH)
                    if expr is not None:
                        yield from self.settable(expr, item)
                case _:
                    message = "that can't be given: it is what comes out"
                    self.c.findings.error("R0607", message, item.span, GIVABLE)

    def laid(self, item: CardList) -> x.Given | None:
        """Cards given to a place, or to a tracked card or play."""
        place = self.place(item.left)
        shape = self.shape(item) if place is None else ""
        cards = self.cards(item)
        if cards is None:
            return None
        if place is not None:
            name, player, top = place
            return x.Lay(name, player, cards, top, item.span)
        if self.is_place(item.left):
            self.lowered(item.left)  # says what is wrong with it
            return None
        value = self.lowered(item.left)
        if isinstance(value, p.TrackRef):
            player = self.player(value.player)
            if player != -1:
                return x.SetTrack(value.name, player, cards, item.span, shape)
        elif value is not None:
            self.not_givable(item.span)
        return None

    def counted(self, item: n.Has) -> Iterator[x.Given]:
        pair = self.has(item)
        if isinstance(pair, tuple):
            holder, amount = pair
            if isinstance(holder, p.TokenCount):
                player = self.player(holder.player)
                if player != -1 and self.fits(holder.holder, amount, item):
                    yield x.SetTokens(holder.holder, player, amount, item.span)
                return
            self.not_givable(item.span)

    def fits(self, holder: str, amount: p.Expr, item: n.Has) -> bool:
        limit = self.deck.program.holders[holder].limit
        try:
            if limit is None or number(amount, self.deck.table) <= number(limit, self.deck.table):
                return True
            most = number(limit, self.deck.table)
        except Unknown:
            return True
        message = f"`{holder}` can't have so many: it holds at most {most}"
        self.c.findings.error("R0607", message, item.amount.span)
        return False

    def settable(self, expr: p.Expr, item: n.Fact) -> Iterator[x.Given]:
        """What has to be set for a condition to hold, where that is plain."""
        span = item.span
        match expr:
            case p.Binary(op="and", left=left, right=right):
                yield from self.settable(left, item)
                yield from self.settable(right, item)
            case p.Marked(mark=mark, player=player):
                yield from self.mark(mark, player, True, span)
            case p.Unary(op="not", operand=p.Marked(mark=mark, player=player)):
                yield from self.mark(mark, player, False, span)
            case p.Binary(op="=", left=p.RoleOf(player=player), right=p.Const(value=int(role))):
                who = self.player(player)
                if who is not None and who != -1:
                    yield x.SetRole(role, who, span)
            case p.Binary(op="=", left=p.HolderOf(role=p.Const(value=int(role))), right=player):
                who = self.player(player)
                if who is not None and who != -1:
                    yield x.SetRole(role, who, span)
            case p.Binary(op="=", left=p.TrackRef() as track, right=value):
                yield from self.track(track, value, span)
            case p.Unary(op="not", operand=p.Exists(operand=p.TrackRef() as track)):
                yield from self.track(track, p.Const(None, track.type, span), span)
            case p.TrackRef() as track:
                yield from self.track(track, p.Const(True, p.TRUTH, span), span)
            case p.Unary(op="not", operand=p.TrackRef() as track):
                yield from self.track(track, p.Const(False, p.TRUTH, span), span)
            case p.Binary(op="=", left=p.TokenCount(holder=holder, player=player), right=value):
                who = self.player(player)
                if who != -1:
                    yield x.SetTokens(holder, who, value, span)
            case p.Binary(op="=", left=p.VarRef(var=var), right=value) if not self.is_seat(var):
                yield x.SetVar(var, value, span)
            case _:
                given = item.expr
                lies = isinstance(given, n.In) and self.is_place(given.source)
                where = shown(given.source) if isinstance(given, n.In) else ""
                self.not_givable(span, f"say all that lies there: `{where} is …`" if lies else "")

    def mark(self, mark: str, player: p.Expr | None, on: bool, span: p.Span) -> Iterator[x.Given]:
        who = self.player(player)
        if who != -1:
            yield x.SetMark(mark, who, on, span)

    def track(self, track: p.TrackRef, value: p.Expr, span: p.Span) -> Iterator[x.Given]:
        who = self.player(track.player)
        if who != -1:
            yield x.SetTrack(track.name, who, value, span)

    def not_givable(self, span: p.Span, hint: str = "") -> None:
        message = "this can't be given: it follows from other things"
        self.c.findings.error("R0607", message, span, GIVABLE, suggestion=hint)

    # ── claims ──

    def claims(self, line: n.Claims, options: OptionWords) -> Iterator[x.Claim]:
        tags = tuple(tag.text for tag in line.tags)
        for item in self.folded(line.claims):
            made = self.claim(item, tags, options)
            if made is not None:
                yield made

    def claim(self, item: Item, tags: tuple[str, ...], options: OptionWords) -> x.Claim | None:
        span = item.span
        match item:
            case CardList():
                return self.cards_are(item, tags)
            case n.Has():
                pair = self.has(item)
                if pair is None:
                    return None
                holder, amount = pair
                if isinstance(holder, int):
                    return x.PointsAre(holder, amount, span, tags)
                same = p.Binary("=", holder, amount, p.TRUTH, span)
                return x.Holds(same, holder, span, tags)
            case n.Wins():
                return self.winners(item, tags)
            case n.May():
                return self.may(item, tags, options)
            case n.Fact():
                expr = self.lowered(item.expr, p.TRUTH)
                if expr is None:
                    return None
                shown = expr.left if isinstance(expr, p.Binary) and expr.op not in JOINED else None
                return x.Holds(expr, shown, span, tags)

    def cards_are(self, item: CardList, tags: tuple[str, ...]) -> x.Claim | None:
        place = self.place(item.left)
        shape = self.shape(item) if place is None else ""
        cards = self.cards(item)
        if cards is None:
            return None
        if place is not None:
            name, player, top = place
            return x.CardsAre((name, player), None, cards, top, item.span, tags)
        if self.is_place(item.left):
            self.lowered(item.left)  # says what is wrong with it
            return None
        value = self.lowered(item.left)
        if value is None:
            return None
        if value.type.kind not in (K.CARD, K.PLAY):
            message = "cards are said here, but this is no place, no card and no play"
            self.c.findings.error("R0607", message, item.left.span)
            return None
        return x.CardsAre(None, value, cards, False, item.span, tags, shape)

    def winners(self, item: n.Wins, tags: tuple[str, ...]) -> x.Claim | None:
        players: list[int] = []
        waiting = [item.players]
        while waiting:
            node = waiting.pop()
            if isinstance(node, n.Binary) and node.op == "and":
                waiting += [node.right, node.left]
                continue
            if not isinstance(node, n.Ref) or not PLAYER.fullmatch(node.word.text):
                message = "who wins? Players of an example are P1, P2, P3 …"
                self.c.findings.error("R0601", message, node.span)
                return None
            players.append(int(node.word.text[1:]) - 1)
        return x.Winners(tuple(sorted(players)), item.span, tags)

    def may(self, item: n.May, tags: tuple[str, ...], options: OptionWords) -> x.Claim | None:
        if not PLAYER.fullmatch(item.player.text):
            message = f"`{item.player.text}` is no player"
            hint = "players of an example are P1, P2, P3 …"
            self.c.findings.error("R0601", message, item.player.span, suggestion=hint)
            return None
        player = int(item.player.text[1:]) - 1
        ways = options.ways(item.choice)
        if not ways:
            return None
        listed: tuple[x.Option, ...] | None = None
        if item.options is not None:
            found = [options.option(ways, part.parts, 0, part.span) for part in item.options]
            if None in found:
                return None
            listed = tuple(option for option in found if option is not None)
        kind = x.Refuses if item.negated else x.Offers
        return kind(player, ways, listed, item.span, tags)

    # ── lists of cards ──

    def folded(self, nodes: Iterable[n.Claim]) -> Iterator[Item]:
        """Claims, with cards that stand by themselves joined to the list they go on with."""
        waiting: CardList | None = None
        lost = False  # whether cards that follow belong to a list that could not be understood
        for node in nodes:
            goes_on = isinstance(node, n.Fact) and self.goes_on(node)
            if lost and goes_on:
                continue
            lost = False
            if waiting is not None and isinstance(node, n.Fact) and goes_on:
                waiting.cards.append(self.words(node.expr, node.rest))
                last = node.span
                first = waiting.span
                waiting.span = p.Span(
                    first.file, first.line, first.column, last.end_line, last.end_column
                )
                continue
            if waiting is not None:
                yield waiting
                waiting = None
            if isinstance(node, n.Fact):
                lost = misread(self, node)
                waiting = None if lost else self.card_list(node)
            if waiting is None and not lost:
                yield node
        if waiting is not None:
            yield waiting

    def goes_on(self, node: n.Fact) -> bool:
        if isinstance(node.expr, n.Number):
            return True
        if not isinstance(node.expr, n.Ref) or PLAYER.fullmatch(node.expr.word.text):
            return False
        word = node.expr.word.text
        known = self.c.symbols.named(word)
        return bool(node.rest) or not known or any(m.kind in (s.ENUM_VALUE, s.KIND) for m in known)

    def card_list(self, node: n.Fact) -> CardList | None:
        """A fact about the cards in a place, or about a card or play that is named in full."""
        expr = node.expr
        if not isinstance(expr, n.Is) or expr.negated or expr.relation not in ("", "empty"):
            return None
        if expr.relation == "empty":
            return CardList(expr.left, [], node.span) if self.is_place(expr.left) else None
        if not isinstance(expr.right, n.Ref | n.Number):
            return None
        words = self.words(expr.right, node.rest)
        if isinstance(expr.left, n.Ref) and PLAYER.fullmatch(expr.left.word.text):
            return None
        if node.rest or self.is_place(expr.left):
            return CardList(expr.left, [words], node.span)
        if self.deck.label(words) in self.deck.copies and self.is_card_or_play(expr.left):
            return CardList(expr.left, [words], node.span)
        return None

    def is_card_or_play(self, node: n.Expr) -> bool:
        """Whether an expression is a card or play; what may be wrong with it is said later."""
        made = self.quietly(lambda: self.c.lower_expr(self.c, node, self.scope(), None))
        return made is not None and made.type.kind in (K.CARD, K.PLAY)

    def is_place(self, node: n.Expr) -> bool:
        """Whether an expression names a place, be it said whose or not."""
        if isinstance(node, n.TopOf):
            return node.count is None and self.is_place(node.place)
        if isinstance(node, n.Every | n.Binary):
            return False
        if isinstance(node, n.Of) and self.c.symbols.named(node.word.text, s.PLACE):
            return True
        places = self.quietly(lambda: places_of(self.c, node, self.scope())) or ()
        return isinstance(next(iter(places), None), p.PlaceRef)

    def quietly(self, look: Callable[[], T]) -> T:
        """What a look at something gives, without what it would report."""
        findings, absent = self.c.findings, dict(self.c.absent)
        items, errors = list(findings.items), findings.errors
        made = look()
        findings.items[:], findings.errors = items, errors
        self.c.absent.clear()
        self.c.absent.update(absent)
        return made

    def words(self, expr: n.Expr, rest: tuple[n.Word, ...]) -> list[n.Word]:
        if isinstance(expr, n.Number):
            return [n.Word(str(expr.value), expr.span), *rest]
        assert isinstance(expr, n.Ref)
        return [expr.word, *rest]

    def shape(self, item: CardList) -> str:
        """The shape that stands in front of a play's cards; "" if none does."""
        first = item.cards[0] if item.cards else []
        shape = self.c.symbols.one(first[0].text, s.SHAPE) if len(first) > 1 else None
        if shape is not None:
            item.cards[0] = first[1:]
        return shape or ""

    def cards(self, item: CardList) -> tuple[str, ...] | None:
        found = [self.deck.cards(words) for words in item.cards]
        if any(labels is None for labels in found):
            return None
        return tuple(label for labels in found for label in labels or ())

    def place(self, node: n.Expr) -> tuple[str, int | None, bool] | None:
        """The place an expression names, whose it is, and whether its top is meant."""
        top = isinstance(node, n.TopOf) and node.count is None
        inner = node.place if isinstance(node, n.TopOf) else node
        if isinstance(node, n.TopOf) and not top:
            return None
        if isinstance(inner, n.Every | n.Binary):
            return None
        scope = self.scope()
        places = places_of(self.c, inner, scope)
        if not places or not isinstance(places[0], p.PlaceRef):
            return None
        self.whose(scope, node)
        player = self.player(places[0].player)
        return None if player == -1 else (places[0].place, player, top)

    # ── expressions ──

    def scope(self) -> Scope:
        return Scope(Routine(self.c.ids), dict(self.names))

    def lowered(self, node: n.Expr, want: p.Type | None = None) -> p.Expr | None:
        scope = self.scope()
        if want is None:
            made = self.c.expr(node, scope)
        else:
            made = self.c.need(node, scope, want, "a fact")
        if made is None or not self.whose(scope, node):
            return None
        return made

    def whose(self, scope: Scope, node: n.Expr) -> bool:
        """There is no `me` in an example; what is a player's has to be said with the player."""
        if not scope.routine.hidden:
            return True
        word = next((part.word for part in walk(node) if self.is_owned(part)), None)
        span, name = (node.span, "hand") if word is None else (word.span, word.text)
        if span in self.told:
            return False
        self.told.add(span)
        message = "whose? In an example, players are named: P1, P2, P3 …"
        self.c.findings.error("R0607", message, span, suggestion=f"for instance `{name} of P1`")
        return False

    def is_owned(self, node: object) -> TypeGuard[n.Ref]:
        """Whether a part of a fact is a bare name of something that players have."""
        if not isinstance(node, n.Ref):
            return False
        return any(self.c.symbols.per_player(m) for m in self.c.symbols.named(node.word.text))

    def has(self, item: n.Has) -> tuple[p.Expr | int, p.Expr] | None:
        """`P1 has 5 coins`: what holds the tokens (a player, for points), and how many."""
        amount = self.amount(item.amount)
        player = self.named_player(item.holder)
        if amount is None:
            return None
        if item.token.text in ("point", "points"):
            if player is None:
                message = "who has these points? Players of an example are P1, P2, P3 …"
                joined = isinstance(item.holder, n.Is | n.Binary)
                hint = "divide what is said by commas: `…, P1 has 3 points`" if joined else ""
                self.c.findings.error("R0601", message, item.holder.span, suggestion=hint)
                return None
            return player, amount
        token = next((t for t in self.forms(item.token.text) if t in self.c.symbols.tokens), None)
        if token is None:
            hint = did_you_mean(item.token.text, self.c.symbols.tokens)
            if item.token.text in ("card", "cards"):
                hint = "cards are counted: `(count of hand of P1) = 2`"
            message = f"there are no tokens called `{item.token.text}`"
            self.c.findings.error("R0361", message, item.token.span, suggestion=hint)
            return None
        holders = self.deck.program.holders
        if player is not None:
            if token not in holders or not holders[token].per_player:
                message = f"players have no `{token}`"
                self.c.findings.error("R0363", message, item.token.span)
                return None
            who = p.VarRef(self.seats[player], p.PLAYER, item.holder.span)
            return p.TokenCount(token, who, p.NUMBER, item.span), amount
        if isinstance(item.holder, n.Ref):
            name = self.c.symbols.one(item.holder.word.text, s.HOLDER)
            if name in holders and holders[name].token == token and not holders[name].per_player:
                return p.TokenCount(name, None, p.NUMBER, item.span), amount
        message = f"this holds no `{token}`"
        hint = "players of an example are P1, P2, P3 …"
        self.c.findings.error("R0363", message, item.holder.span, suggestion=hint)
        return None

    def amount(self, node: n.Expr) -> p.Expr | None:
        if isinstance(node, n.Ref) and node.word.text == "no":
            return p.Const(0, p.NUMBER, node.span)
        return self.lowered(node, p.NUMBER)

    def forms(self, word: str) -> Sequence[str]:
        return (word, *singulars(word))

    def named_player(self, node: n.Expr) -> int | None:
        if isinstance(node, n.Ref) and PLAYER.fullmatch(node.word.text):
            return int(node.word.text[1:]) - 1
        return None

    def is_seat(self, var: p.Var) -> bool:
        return var.id in self.index

    def player(self, expr: p.Expr | None) -> int | None:
        """The player an expression names; None for none, -1 after reporting that it isn't plain."""
        if expr is None:
            return None
        if isinstance(expr, p.VarRef) and self.is_seat(expr.var):
            return self.index[expr.var.id]
        if isinstance(expr, p.VarRef) and expr.var.name in ("me", "whose"):
            return -1  # reported as that nobody is named
        message = "name the player here: P1, P2, P3 …"
        self.c.findings.error("R0607", message, expr.span)
        return -1


JOINED = ("and", "or")
