"""What is in the box: options, cards, places, tokens, marks, tracks, roles, shapes; and the game's
own lines. From declarations to their entries in the Program."""

from __future__ import annotations

import os
from pathlib import Path

from attrs import define, evolve, field

from dsl import nodes as n
from dsl import program as p
from dsl import symbols as s
from dsl.card_lines import lower_kind, no_property
from dsl.context import Context
from dsl.keys import no_order
from dsl.names import type_word
from dsl.option_lines import lower_option
from dsl.scope import Scope
from dsl.site import site
from dsl.suggest import did_you_mean, listing

MAX_PLAYERS = 20
KINDS_OF_PLACE = ("pile", "hand", "row")


@define(eq=False)
class Items:
    """The first half of a Program."""

    title_others: tuple[tuple[str, str], ...] = ()
    sheet: str = ""
    players: tuple[int, int] = (2, 2)
    options: dict[str, p.OptionDecl] = field(factory=dict)
    attributes: dict[str, p.Attribute] = field(factory=dict)
    kinds: dict[str, p.CardKind] = field(factory=dict)
    places: dict[str, p.Place] = field(factory=dict)
    holders: dict[str, p.Holder] = field(factory=dict)
    marks: dict[str, p.Mark] = field(factory=dict)
    tracks: dict[str, p.Track] = field(factory=dict)
    roles: p.Roles | None = None
    shapes: dict[str, p.Shape] = field(factory=dict)


def lower_items(c: Context, scope: Scope) -> Items:
    """All items. Expressions in them know options and the number of players, nothing else."""
    lowering = _Items(c, scope)
    lowering.game()
    known = c.symbols
    for option in known.options.values():
        lowering.items.options.update(lower_option(c, option, lowering.items.players))
    for attribute in known.attributes.values():
        lowering.attribute(attribute)
    for kind in list(known.kinds.values()):
        lowering.kind(kind)
    for place in known.places.values():
        lowering.place(place)
    for key, token in known.holders.items():
        lowering.holder(key, token)
    for mark in known.marks.values():
        lowering.mark(mark)
    for track in known.tracks.values():
        lowering.track(track)
    if known.roles is not None:
        lowering.roles(known.roles)
    for index, shape in enumerate(known.shapes.values()):
        lowering.shape(shape, index)
    return lowering.items


class _Items:
    def __init__(self, c: Context, scope: Scope):
        self.c = c
        self.scope = scope
        self.findings = c.findings
        self.items = Items()

    def origin(self, path: str, decl: n.Decl) -> p.Origin:
        return site(path, decl.tags).origin(decl.span, decl.tags)

    def fixed(self, node: n.Expr, what: str) -> p.Expr | None:
        """A number that is known before the game: of numbers, options and the number of players."""
        made = self.c.number(node, self.scope, what)
        if made is None:
            return None
        loose = not_fixed(made)
        if loose is not None:
            self.findings.error(
                "R0220",
                f"{what} has to be known before the game begins",
                loose.span,
                "numbers, options and `players` are known then",
            )
            return None
        return made

    # ── the game ──

    def game(self) -> None:
        game = self.c.symbols.game
        if game is None:
            return
        known: dict[str, n.Property] = {}
        for line in game.properties:
            word = line.word.text
            if word in known:
                message = f"`{word}` is said twice"
                first = (known[word].span, "the first time is here")
                self.findings.error("R0206", message, line.span, related=[first])
            known[word] = line
            if word == "sheet":
                self.items.sheet = self.sheet(line)
            elif len(word) == 2:
                self.items.title_others += ((word, line.value),)
            else:
                message = f"`{word}` says nothing about a game"
                hint = self.c.symbols.suggestion(word, "none", more=("sheet", "players"))
                self.findings.error("R0221", message, line.word.span, suggestion=hint)
        self.player_range(game)

    def sheet(self, line: n.Property) -> str:
        """The path of the rule sheet, seen from the folder of the ruleset itself."""
        own = Path(self.c.symbols.file).parent
        if Path(line.span.file).parent == own:
            return line.value
        try:
            return Path(os.path.relpath(line.path, own)).as_posix()
        except ValueError:  # on another drive
            return str(Path(line.path).resolve())

    def player_range(self, game: n.Game) -> None:
        if not game.players:
            self.findings.error(
                "R0222",
                "it isn't said for how many players this game is",
                game.span,
                suggestion="write `players 2..4` below `game`",
            )
            return
        line = game.players[0]
        if len(game.players) > 1:
            first = (line.span, "the first time is here")
            self.findings.error(
                "R0206", "`players` is said twice", game.players[1].span, related=[first]
            )
        if line.low > line.high or line.low < 1:
            self.findings.error("R0222", "these are no numbers of players", line.span)
        elif line.high > MAX_PLAYERS:
            message = f"a game can have at most {MAX_PLAYERS} players"
            self.findings.error("R0222", message, line.span)
        else:
            self.items.players = (line.low, line.high)

    # ── cards ──

    def attribute(self, decl: n.Attribute) -> None:
        name = decl.name.text
        low = None if decl.low is None else self.fixed(decl.low, "the lowest number")
        high = None if decl.high is None else self.fixed(decl.high, "the highest number")
        if decl.low is not None and (low is None or high is None):
            return
        values = tuple(p.EnumValue(v.name.names, v.number) for v in decl.values)
        numbers = [v.number for v in values]
        if any(v is None for v in numbers) and any(v is not None for v in numbers):
            lacking = next(v for v in decl.values if v.number is None)
            self.findings.error(
                "R0226",
                f"`{lacking.name.text}` has no number beside it, but others have",
                lacking.name.span,
            )
        origin = self.origin(f"property {name}", decl)
        self.items.attributes[name] = p.Attribute(
            decl.name.names, values, low, high, decl.order, origin
        )

    def kind(self, decl: n.Kind) -> None:
        name = decl.name.text
        made = lower_kind(self.c, decl, self.fixed, self.origin(f"kind {name}", decl))
        if made is not None:
            self.items.kinds[name] = made

    # ── places, tokens, marks, tracks ──

    def of_player(self, owner: n.Word | None) -> bool:
        if owner is not None and owner.text != "player":
            self.findings.error(
                "R0210",
                f"things belong to players, not to `{owner.text}`",
                owner.span,
                suggestion="write `of player`",
            )
        return owner is not None

    def place(self, decl: n.Place) -> None:
        name, kind = decl.name.text, decl.kind.text
        per_player = self.of_player(decl.owner)
        if kind not in KINDS_OF_PLACE:
            self.findings.error(
                "R0228",
                f"a place is a `pile`, a `hand` or a `row`, not a `{kind}`",
                decl.kind.span,
                "a pile has a top; a hand is in no order; a row keeps the order of arrival",
            )
        if decl.sight == "private" and not per_player:
            self.findings.error(
                "R0229",
                f"whose eyes are private for `{name}`? It belongs to nobody",
                decl.span,
                suggestion=f"write `{name} of player`, or `face down`",
            )
            # What the rules say of it is said of each player's, most likely.
            owner, per_player = n.Word("player", decl.name.span), True
            self.c.symbols.places[name] = evolve(decl, owner=owner)
        origin = self.origin(f"place {name}", decl)
        self.items.places[name] = p.Place(decl.name.names, per_player, kind, decl.sight, origin)

    def holder(self, key: str, decl: n.Token) -> None:
        token, shared = decl.name.text, decl.holder
        if shared is None:
            self.of_player(decl.owner)
        start = self.fixed(decl.start, "how many there are at the start")
        limit = None if decl.limit is None else self.fixed(decl.limit, "a limit")
        if start is None:
            return
        names = decl.name.names if shared is None else shared.names
        path = f"token {token}" if shared is None else f"token {token} in {key}"
        origin = self.origin(path, decl)
        self.items.holders[key] = p.Holder(names, token, shared is None, start, limit, origin)

    def mark(self, decl: n.Mark) -> None:
        origin = self.origin(f"mark {decl.name.text}", decl)
        per_player = self.of_player(decl.owner)
        self.items.marks[decl.name.text] = p.Mark(decl.name.names, per_player, origin)

    def track(self, decl: n.Track) -> None:
        kind = type_word(self.c, decl.type.text)
        per_player = self.of_player(decl.owner)
        if kind is None:
            hint = self.c.symbols.suggestion(
                decl.type.text, s.ATTRIBUTE, more=("player", "number", "card", "play", "role")
            )
            message = f"a track can't keep a `{decl.type.text}`"
            note = "it keeps a player, number, card, play, role, shape or a property of cards"
            self.c.missing("R0230", message, decl.type, hint, note=note)
            return
        origin = self.origin(f"track {decl.name.text}", decl)
        self.items.tracks[decl.name.text] = p.Track(decl.name.names, kind, per_player, origin)

    # ── roles and shapes ──

    def roles(self, decl: n.Roles) -> None:
        count = len(decl.names)
        seats = count if decl.seats is None else decl.seats
        most = self.items.players[1]
        if seats < count or seats < most:
            what = f"{count} roles" if seats < count else f"{most} players"
            message = f"{seats} seats are too few for {what}"
            self.findings.error("R0231", message, decl.span)
        names = tuple(name.names for name in decl.names)
        rings: list[p.Ring] = []
        for part in decl.rings:
            made = self.ring(decl, part, rings)
            rings += [] if made is None else [made]
        self.items.roles = p.Roles(
            names, seats, decl.at_random, self.origin("roles", decl), tuple(rings)
        )

    def ring(self, decl: n.Roles, part: n.RingFor, before: list[p.Ring]) -> p.Ring | None:
        """The roles of some player counts."""
        declared = [name.text for name in decl.names]
        roles: list[int] = []
        for word in part.names:
            if word.text not in declared:
                hint = did_you_mean(word.text, declared) or f"there are {listing(declared, 'and')}"
                message = f"there is no role `{word.text}`"
                self.findings.error("R0213", message, word.span, suggestion=hint)
                return None
            roles.append(declared.index(word.text))
        if sorted(set(roles)) != roles:
            message = "these are not in the order in which the roles were named"
            related = [(decl.span, "the order of play is this one")]
            said = ", ".join(declared[role] for role in sorted(set(roles)))
            hint = f"`{said}`"
            self.findings.error("R0235", message, part.span, suggestion=hint, related=related)
        seats = len(roles) if part.seats is None else part.seats
        low, high = self.items.players
        if not low <= part.low <= part.high <= high:
            message, hint = f"the game is for {low} to {high} players", f"`with {low} players`"
            self.findings.error("R0224", message, part.span, suggestion=hint)
        elif seats < max(len(roles), part.high):
            what = f"{len(roles)} roles" if seats < len(roles) else f"{part.high} players"
            message = f"{seats} seats are too few for {what}"
            hint = f"`on {max(len(roles), part.high)} seats`"
            self.findings.error("R0231", message, part.span, suggestion=hint)
        if any(ring.low <= part.high and part.low <= ring.high for ring in before):
            message = "roles are set twice for one number of players"
            self.findings.error("R0206", message, part.span, suggestion="take one of them out")
        origin = site("roles", part.tags or decl.tags).origin(part.span, part.tags)
        return p.Ring(part.low, part.high, tuple(roles), seats, part.at_random, origin)

    def shape(self, decl: n.Shape, index: int) -> None:
        name, constraints = decl.name.text, []
        kind, wild, wild_count = self.shape_kind(decl.kind), "", 0
        if decl.low < 1 or decl.low > decl.high:
            message = "a shape has at least one card, and the smaller number stands first"
            self.findings.error("R0232", message, decl.span)
        for part in decl.constraints:
            if part.kind == "wild":
                wild, wild_count = self.shape_kind(part.word) or "", part.count
                continue
            found = self.c.symbols.one(part.word.text, s.ATTRIBUTE)
            if found is None:
                no_property(self.c, part.word)
                continue
            constraints.append((part.kind, found))
        if kind is None:
            return
        self.check_shape(decl, kind, constraints)
        origin = self.origin(f"shape {name}", decl)
        self.items.shapes[name] = p.Shape(
            decl.name.names,
            decl.low,
            decl.high,
            kind,
            tuple(constraints),
            wild,
            wild_count,
            origin,
        )

    def check_shape(self, decl: n.Shape, kind: str, constraints: list[tuple[str, str]]) -> None:
        """A shape needs cards that have the properties it speaks of."""
        for rule, attribute in constraints:
            kinds = [kind] if kind else list(self.items.kinds)
            known = [self.items.kinds[k] for k in kinds if k in self.items.kinds]
            if known and not any(attribute in made.attributes for made in known):
                what = f"`{kind}` cards have" if kind else "cards have"
                message = f"{what} no `{attribute}`, so this can never be played"
                self.findings.error("R0234", message, decl.span)
            declared = self.c.symbols.attributes[attribute]
            if rule == "consecutive" and declared.values and not declared.order:
                no_order(self.c, attribute, decl.span)

    def shape_kind(self, word: n.Word) -> str | None:
        """A kind of card, "" for `cards`."""
        if word.text in ("card", "cards"):
            return ""
        found = self.c.symbols.one(word.text, s.KIND)
        if found is None:
            self.findings.error(
                "R0233",
                f"there is no kind of card called `{word.text}`",
                word.span,
                suggestion=self.c.symbols.suggestion(word.text, s.KIND, more=("cards",)),
            )
        return found


def not_fixed(expr: p.Expr) -> p.Expr | None:
    """The first part of a number that is not known before the game, or None."""
    match expr:
        case p.Const() | p.OptionRef() | p.PlayerCount():
            return None
        case p.Unary(operand=operand):
            return not_fixed(operand)
        case p.Binary(left=left, right=right):
            return not_fixed(left) or not_fixed(right)
        case p.Conditional(condition=condition, then=then, otherwise=otherwise):
            return not_fixed(condition) or not_fixed(then) or not_fixed(otherwise)
        case _:
            return expr
