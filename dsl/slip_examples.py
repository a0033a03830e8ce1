"""Broken lines, and what to say about them. Used by `dsl.slips`; each is also a test.

The order matters: of two examples that stop the parser in the same state at the same kind of word,
the first one speaks.
"""

from __future__ import annotations

import re

from attrs import frozen

# Signs that other languages and keyboards have, and what to write instead.
SIGNS = {
    "==": "write `=` to ask whether two things are equal",
    "=>": "write `>=`",
    "=<": "write `<=`",
    "!": "write `not`",
    "&": "write `and`",
    "|": "write `or`",
    ".": "write `size of hand`, not `hand.size`",
    "'": "write `hand of p`, not `p's hand`; texts stand in double quotes",
    "[": "clause tags stand at the end of a line: `[T14]`",
    "]": "clause tags stand at the end of a line: `[T14]`",
    ";": "one line is one statement; nothing ends it",
    "{": "what belongs to a line is indented below it",
    "}": "what belongs to a line is indented below it",
    "“": 'texts stand in straight quotes: `"…"`',
    "”": 'texts stand in straight quotes: `"…"`',
    "「": 'texts stand in straight quotes: `"…"`',
    "」": 'texts stand in straight quotes: `"…"`',
    "–": "a range is written with two dots: `2..4`; a difference with `-`",
    "—": "a range is written with two dots: `2..4`",
    "~": "a range is written with two dots: `2..4`",
    "〜": "a range is written with two dots: `2..4`",
    "‥": "a range is written with two dots: `2..4`",
    "…": "a range is written with two dots: `2..4`",
    "%": "there are no percentages; write a number",
}


@frozen(eq=False)
class Example:
    """`lines` stop the parser where `message` is true. `only`: it speaks of these words alone;
    `behind`: of lines where this is found before it."""

    start: str
    lines: tuple[str, ...]
    code: str
    message: str
    suggestion: str = ""
    only: tuple[str, ...] = ()
    at_first: bool = False  # underline the first word of the line; it may be a slip of the pen
    behind: str = ""

    def fits(self, found: str, so_far: str, **_: str) -> bool:
        return (not self.only or found in self.only) and bool(re.search(self.behind, so_far))


NO_COLON = "what belongs to a line is indented below it; no `:` is needed"
SETTING = "write the setting after the name: `turns 5 in 1..8`, or `wrap no`"

EXAMPLES: tuple[Example, ...] = (
    # ── top level ──
    Example(
        "top", ("opitons",), "R0116", "`{first}` begins no section of a ruleset", at_first=True
    ),
    Example(
        "top",
        ("setup:", "scoring:"),
        "R0117",
        "no `:` is needed after `{first}`",
        NO_COLON,
    ),
    Example("top", ("phase turns:",), "R0117", "no `:` is needed here", NO_COLON),
    Example("top", ("action draw n:",), "R0117", "no `:` is needed here", NO_COLON),
    Example("top", ("action draw:",), "R0117", "no `:` is needed here", NO_COLON),
    Example("top", ("skill knight:",), "R0117", "no `:` is needed here", NO_COLON),
    Example("top", ("skill:",), "R0117", "no `:` is needed here", NO_COLON),
    Example("top", ("role prophet:",), "R0117", "no `:` is needed here", NO_COLON),
    Example("top", ('game "x":',), "R0117", "no `:` is needed here", NO_COLON),
    Example(
        "top",
        ("winner: most points",),
        "R0117",
        "no `:` is needed after `winner`",
        "`winner most points, then draw`",
    ),
    Example(
        "top",
        ("game Winds",),
        "R0118",
        "the name of the game stands in quotes",
        '`game "{found}"`',
    ),
    Example(
        "top",
        ("phase",),
        "R0112",
        "this phase has no name",
        "`phase turns`",
    ),
    Example(
        "top",
        ("value leaf",),
        "R0112",
        "what is this value? `=` and a formula are missing",
        "`value table = cards in every row`",
    ),
    Example(
        "top",
        ("value leaf of player",),
        "R0112",
        "what is this value? `=` and a formula are missing",
        "`value leaf of player = the card in hand`",
    ),
    Example(
        "top",
        ("value leaf: the card in hand", "value leaf of player: the card in hand"),
        "R0117",
        "a value is given with `=`, not with `:`",
        "`value leaf of player = the card in hand`",
    ),
    Example(
        "top",
        ("action draw(n)",),
        "R0113",
        "what an action needs stands behind its name, without parentheses",
        "`action draw n`",
    ),
    Example(
        "top",
        ("winner most points, draw",),
        "R0113",
        "the next key of the order begins with `then`",
        "`winner most points, then draw`",
    ),
    Example(
        "top",
        ("winner rank of leaf", "winner most points, then rank of leaf"),
        "R0340",
        "most or fewest? Each key begins with `most`, `fewest`, `highest`, `strongest` …",
    ),
    Example(
        "top",
        ("winner most points then draw",),
        "R0113",
        "a comma is missing before `then`",
        "`winner most points, then draw`",
    ),
    Example("top", ("winner",), "R0112", "who wins?", "`winner most points, then draw`"),
    # ── items ──
    Example(
        "game_item",
        ("players 2-4",),
        "R0119",
        "a range is written with two dots",
        "`players 2..4`",
    ),
    Example("game_item", ("players",), "R0112", "how many players?", "`players 2..4`"),
    Example(
        "game_item",
        ("sheet winds",),
        "R0118",
        "this stands in quotes",
        '`{first} "{found}"`',
    ),
    Example("game_item", ("players: 2..4",), "R0117", "no `:` is needed here", "`players 2..4`"),
    Example("option_item", ("turns = 5",), "R0117", "no `=` is needed here", SETTING),
    Example("option_item", ("turns: 5",), "R0117", "no `:` is needed here", SETTING),
    Example("option_item", ("turns",), "R0112", "what is `{first}` set to?", SETTING),
    Example(
        "option_item",
        ("turns 5 1..8", "turns 5 from 1..8", "turns 5, 1..8"),
        "R0113",
        "what a table may set it to stands after `in`",
        "`turns 5 in 1..8`",
    ),
    Example(
        "card_item",
        ("suit: spades, hearts",),
        "R0117",
        "values of a property are listed without `:`",
        "`suit spades, hearts`; after `:` stands how many copies of a card there are",
    ),
    Example(
        "card_item",
        ("card: one of suit and rank", "card: 2 of suit"),
        "R0113",
        "is it copies of each combination?",
        "`playing_card: one of each suit and rank`",
    ),
    Example(
        "card_item",
        ("card: 4 copies",),
        "R0113",
        "the number of copies stands alone, or before `of each`",
        "`joker: 4`, `card: 2 of each suit and rank`",
    ),
    Example(
        "card_item",
        ("suit",),
        "R0112",
        "what is `{first}`? Its values are missing, or `:` and how many copies there are",
        "`suit spades, hearts`, or `joker: 4`",
    ),
    Example(
        "card_item",
        ("rank A, K, strongest",),
        "R0112",
        "`first` is missing",
        "`…, strongest first`",
    ),
    Example(
        "place_item",
        ("deck",),
        "R0120",
        "who sees `{first}`, and in what order do cards lie there?",
        "`{first} face down pile`, `{first} of player private hand`, `{first} face up row`",
    ),
    Example(
        "place_item",
        ("deck pile", "deck hidden pile", "hand of player hand", "row of player public row"),
        "R0120",
        "who sees it comes first: `face up`, `face down` or `private`",
        "`deck face down pile`, `hand of player private hand`",
    ),
    Example(
        "place_item",
        ("deck face down", "hand of player private"),
        "R0120",
        "in what order do cards lie there?",
        "end with `pile` (it has a top), `hand` (no order) or `row` (order of arrival)",
    ),
    Example(
        "place_item",
        ("deck face pile",),
        "R0120",
        "face `up` or face `down`?",
    ),
    Example(
        "token_item",
        ("coin 5", "coin = 5"),
        "R0121",
        "who holds them?",
        "`coin of player 5`, or `coin in treasury 5`",
    ),
    Example(
        "token_item",
        ("coin of player",),
        "R0112",
        "how many are there at the start?",
        "`coin of player 5`",
    ),
    Example(
        "token_item",
        ("coin in treasury 5 at most 15", "coin of player 5 at most 15"),
        "R0113",
        "a comma is missing before `at most`",
        "`coin in treasury 5, at most 15`",
    ),
    Example(
        "track_item",
        ("taker",),
        "R0112",
        "what does `{first}` keep?",
        "`{first} player`, `{first} number`, `{first} card`, `{first} play`",
    ),
    Example(
        "track_item",
        ("taker: player", "taker = player"),
        "R0117",
        "write only what it keeps",
        "`{first} player`",
    ),
    Example(
        "shape_item",
        ("pair",),
        "R0112",
        "how many cards, and of which kind?",
        "`{first} 2 cards, same rank`",
    ),
    Example(
        "shape_item",
        ("pair 2",),
        "R0112",
        "of which kind of card? `cards` is any",
        "`pair 2 cards, same rank`",
    ),
    Example("scoring_item", ("total",), "R0112", "how is it counted?", "`{first} = …`"),
    Example(
        "scoring_item",
        ("total: coins",),
        "R0117",
        "a scoring line is given with `=`",
        "`{first} = …`",
    ),
    Example(
        "scoring_item",
        ("total = count of cards from hand", "total = count of cards c from hand"),
        "R0113",
        "write `in`: nothing is taken away here",
        "`{before} in {after}`",
        only=("from",),
    ),
    # ── statements ──
    Example(
        "statement",
        (
            "if any card from hand",
            "if no card from hand",
            "if sum of number over cards from hand",
            "x = first card from hand",
            "each card from hand",
            "each card c from hand",
        ),
        "R0113",
        "write `in`: nothing is taken away here",
        "`{before} in {after}`",
        only=("from",),
    ),
    Example(
        "statement",
        ("if they are out", "x = they are out", "they are out"),
        "R0113",
        "write `is`, of one player as of several",
        "`{before} is {after}`",
        only=("are",),
    ),
    Example(
        "statement",
        (
            "gain size of cards in hand vp",
            "lose cards in hand vp",
            "give cards in hand vp to leader",
            "take cards in hand vp from leader",
            "deal cards in hand from deck to every hand",
        ),
        "R0113",
        "`{so_far}` ends before `in`: what belongs together here stands in parentheses",
        "`count of {before} in {after}`, or `size of ({before} in {after})`",
        only=("in",),
    ),
    Example(
        "statement",
        ("each player by rank of leaf", "each player by most coins, then rank of leaf"),
        "R0340",
        "which first? A key begins with `most`, `fewest`, `highest`, `strongest` …",
    ),
    Example(
        "statement",
        ("if deck is empty:", "repeat 5:", "each player:", "if deck:", "else:", "while out:"),
        "R0117",
        "no `:` is needed here",
        NO_COLON,
    ),
    Example(
        "statement",
        ("if deck is empty shuffle deck", "if out draw 1", "if out end game"),
        "R0113",
        "`then` is missing before what is done",
        "`if deck is empty then …`, or what is done indented below",
        only=("shuffle", "deal", "move", "give", "take", "gain", "lose", "mark", "end", "draw"),
    ),
    Example("statement", ("if out, then end game",), "R0113", "no comma is needed before `then`"),
    Example(
        "statement",
        ("choose lay: up to 2 cards from hand",),
        "R0119",
        "a choice says from how many to how many",
        "`0..{after} cards from hand`",
        only=("to",),
        behind=r"\bup$",
    ),
    Example(
        "branch",
        ("lay up to 2 cards from hand",),
        "R0119",
        "a choice says from how many to how many",
        "`0..{after} cards from hand`",
        only=("to",),
        behind=r"\bup$",
    ),
    Example(
        "statement",
        ("choose lay: 1..2 card c from hand", "choose lay: 2 cards c from hand"),
        "R0122",
        "what is chosen is called by the name of the choice, so it needs no other",
        "leave out `{found}`",
    ),
    Example(
        "branch",
        ("lay 1..2 card c from hand", "lay 2 cards c from hand"),
        "R0122",
        "what is chosen is called by the name of the way, so it needs no other",
        "leave out `{found}`",
    ),
    Example(
        "statement",
        ("choose: card from hand", "choose"),
        "R0122",
        "a choice has a name, by which it is asked and cited",
        "`choose lay: card from hand`",
    ),
    Example(
        "statement",
        ("choose card from hand", "choose lay card from hand"),
        "R0122",
        "`:` is missing between the name of the choice and what is chosen",
        "`choose lay: card from hand`",
    ),
    Example(
        "statement",
        ("choose lay:",),
        "R0112",
        "what is chosen?",
        "`choose lay: card from hand`; several ways stand below, without `:`",
    ),
    Example("statement", ("move it",), "R0123", "where to?", "`move it to discard`"),
    Example(
        "statement",
        ("move it discard", "move 1 coin"),
        "R0123",
        "from where, to where?",
        "`move it to discard`, `move 1 coin from bank to pot`",
    ),
    Example("statement", ("move it from hand",), "R0123", "where to?", "`move … to discard`"),
    Example("statement", ("move it into hand",), "R0113", "write `to`", "`move it to hand`"),
    Example("statement", ("move it to",), "R0123", "where to?"),
    Example(
        "statement",
        ("deal 5",),
        "R0123",
        "from where, and to whom?",
        "`deal 5 from deck to every hand`",
    ),
    Example(
        "statement", ("deal 5 from deck",), "R0123", "to whom?", "`deal 5 from deck to every hand`"
    ),
    Example(
        "statement",
        ("deal 5 to every hand",),
        "R0123",
        "from where?",
        "`deal 5 from deck to every hand`",
    ),
    Example(
        "statement",
        ("deal from deck to every hand", "deal"),
        "R0123",
        "how many cards?",
        "`deal 5 from deck to every hand`",
    ),
    Example("statement", ("give 1 coin",), "R0123", "to whom?", "`give 1 coin to treasury`"),
    Example("statement", ("take 1 coin",), "R0123", "from whom?", "`take 1 coin from treasury`"),
    Example(
        "statement",
        (
            "gain count of hand vp",
            "lose count of hand vp",
            "give count of hand vp to leader",
            "take count of hand vp from leader",
            "take up to count of hand vp from leader",
        ),
        "R0123",
        "how many of what? `{before}` is read as a name for each of what is counted",
        "put what is counted in parentheses: `(count of hand) {before}`, `size of hand {before}`",
        behind=r"(?:count of|over) (?:(?:every|my|their|\w+ of) )*\w+ \w+$",
    ),
    Example(
        "statement",
        ("take up to 1 from them", "take 1 from them", "give 1 to treasury"),
        "R0123",
        "how many of what?",
        "`take 1 coin from bank`",
    ),
    Example("statement", ("gain 1", "lose 1"), "R0123", "how many of what?", "`gain 1 vp`"),
    Example(
        "statement", ("each",), "R0112", "for each of what?", "`each player`, `each card in hand`"
    ),
    Example("statement", ("repeat",), "R0112", "how often?", "`repeat 5 as round`"),
    Example("statement", ("turn leader",), "R0113", "`of` is missing", "`turn of leader`"),
    Example(
        "statement",
        ("end",),
        "R0112",
        "what ends?",
        "`end phase`, `end game`, or the name of a loop",
    ),
    Example(
        "statement",
        ("shuffle deck to discard",),
        "R0113",
        "write `into`",
        "`shuffle discard into deck`",
    ),
    Example(
        "statement", ("all players",), "R0112", "`at once` is missing", "`all players at once`"
    ),
    Example("statement", ("mark",), "R0112", "which mark?", "`mark guarded`"),
    Example(
        "statement",
        ("a += 1", "a + 1"),
        "R0113",
        "write the whole sum",
        "`{first} = {first} + …`",
        only=("+", "-"),
    ),
)
