"""Broken lines that single words give away, and what to say about them. Part of
`dsl.slip_examples`: these come first, as each speaks of its words alone.
"""

from __future__ import annotations

from dsl.slip_example import Example

# Where facts of an example stand, and what is in front of them.
FACTS = (
    ("example_item", "given "),
    ("example_item", "then "),
    ("fact_line", ""),
    ("claim_line", ""),
)

WORD_EXAMPLES: tuple[Example, ...] = (
    Example(
        "game_item",
        ("player 2..4",),
        "R0113",
        "how many play is written behind `players`",
        "`players 2..4`",
        behind=r"^player$",
    ),
    Example(
        "card_item",
        ("kind: bolete 2, truffle 4",),
        "R0117",
        "values of a property are listed without `:`",
        "`kind bolete 2, truffle 4`; after `:` stands how many copies of a card there are",
    ),
    Example(
        "card_item",
        ("kind bolete=1, truffle=2",),
        "R0117",
        "the number of a value stands behind it, without `=`",
        "`{before} {after}`",
        only=("=",),
    ),
    Example(
        "place_item",
        ("deck: face down pile", "hand of player: private hand"),
        "R0117",
        "no `:` is needed here",
        "`{first} face down pile`",
        only=(":",),
    ),
    Example(
        "place_item",
        ("compost face up",),
        "R0120",
        "in what order do cards lie there?",
        "end with `pile` (it has a top), `hand` (no order) or `row` (order of arrival)",
    ),
    Example(
        "statement",
        ("if forest not empty", "while forest not empty"),
        "R0113",
        "`is` is missing before `not empty`",
        "`… is not empty`",
        only=("empty",),
        behind=r"not$",
    ),
    Example(
        "branch",
        ("pick when forest not empty",),
        "R0113",
        "`is` is missing before `not empty`",
        "`… is not empty`",
        only=("empty",),
        behind=r"not$",
    ),
    Example(
        "statement",
        ("if basket has 2 toadstools",),
        "R0113",
        "how many are there is asked by counting",
        "`count of … in {before} = 2`, or `>= 2`",
        only=("has", "have"),
    ),
    Example(
        "statement",
        ("for each player as turn", "for each player"),
        "R0113",
        "a loop begins with `each`, without `for`",
        "`each {found} …`",
        behind=r"^for each$",
    ),
    Example(
        "statement",
        ("winner pays bid to bank", "winner gives bid coins to bank", "winner pays 1 coin to bank"),
        "R0113",
        "of a player only `gains` and `loses` are said: what changes hands is moved",
        "`move 1 coin from winner to bank`",
        behind=r"\b(pays|pay|gives|give)\b",
    ),
    Example(
        "statement",
        ("gain 2 truffles to bank", "gain it truffles to bank", "lose 2 truffles to bank"),
        "R0113",
        "what is gained or lost goes nowhere else: `give` says to whom, `take` from whom",
        "`give … to {after}`",
        only=("to",),
        behind=r"^(gain|lose)\b",
    ),
    Example(
        "statement",
        ("repeat until done",),
        "R0113",
        "`repeat` takes a number of times; what goes on until something is so is a `while`",
        "`while not …, at most 30 times`",
        only=("until",),
    ),
    Example(
        "statement",
        ("while yes at most 30 times",),
        "R0113",
        "a comma is missing before `at most`",
        "`while …, at most 30 times`",
        only=("at",),
    ),
    Example(
        "statement",
        ("if count mushroom in basket >= 2", "x = count mushroom in basket"),
        "R0113",
        "`of` is missing after `count`",
        "`count of {found} …`",
        behind=r"\bcount$",
    ),
    *(
        Example(
            start,
            (f"x = {word} number of kind over cards in pantry",),
            "R0113",
            "`of` is missing after `sum`",
            "`sum of {found} …`",
            behind=r"\bsum$",
        )
        for start, word in (("statement", "sum"), ("scoring_item", "sum"))
    ),
    Example(
        "statement",
        ("end of turn", "if deck is empty then end of turn"),
        "R0115",
        "what ends is named without `of`",
        "`end {after}`",
        only=("of",),
        behind=r"\bend$",
    ),
    Example(
        "statement",
        ("if count of red in hand > = 2", "if bank < = 2"),
        "R0113",
        "a sign of two is written without a space",
        "`{before}{found}`",
        only=("=",),
        behind=r"[<>]$",
    ),
    Example(
        "statement",
        ("repeat 5 rounds", "repeat 5 turns"),
        "R0113",
        "the name of a loop stands behind `as`",
        "`repeat {before} as round`",
        only=("rounds", "round", "turns", "turn"),
        behind=r"^repeat",
    ),
    Example(
        "statement",
        ("each player takes turn", "each player has turn"),
        "R0113",
        "the name of a loop stands behind `as`",
        "`each player as turn`",
        only=("turn", "turns"),
    ),
    Example(
        "statement",
        ("set x to 2",),
        "R0113",
        "a value is given to a name with `=`",
        "`{before} = {after}`",
        only=("to",),
        behind=r"^set ",
    ),
    Example(
        "statement",
        ("x := 2",),
        "R0113",
        "a value is given to a name with `=`",
        "`{before} = …`",
        only=(":",),
    ),
    Example(
        "statement",
        ("end-turn", "if deck is empty then end-round"),
        "R0113",
        "no `-` is needed here",
        "`end {after}`",
        only=("-",),
        behind=r"\bend$",
    ),
    Example(
        "branch",
        ("pick if forest is not empty", "pick card from hand if deck is empty"),
        "R0113",
        "when a way of a choice is open is said with `when`",
        "`{first} … when …`",
        only=("if",),
    ),
    Example(
        "branch",
        ("pick: card from hand",),
        "R0117",
        "what is chosen stands behind the name of the way, without `:`",
        "`{before} {after} …`",
        only=(":",),
    ),
    *(
        Example(
            start,
            (f"{lead}hand of P1 is moons 1 and suns 2",),
            "R0113",
            "the cards of a place, and what is said of them, are divided by commas",
            "`{before}, {after} …`",
            only=("and",),
        )
        for start, lead in FACTS
    ),
    *(
        Example(
            start,
            (f"{lead}red 9 in fleet of P2",),
            "R0113",
            "the place comes first, then the cards that lie there",
            "for instance `hand of P1 is crown 9`, or `deck is crown 9` of a place of no player",
            only=("in",),
        )
        for start, lead in FACTS
    ),
    *(
        Example(
            start,
            (
                f"{lead}hand of P1 has red 9",
                f"{lead}P2 has red 9",
                f"{lead}hand of P1 has banana",
                f"{lead}hand of P1 has banana, red 9",
                f"{lead}P2 has banana in fleet",
                f"{lead}P2 has 3 bananas in fleet",
            ),
            "R0113",
            "behind `has` stands how many tokens or points; cards are named behind `is`",
            "`hand of P1 is red 9`",
            behind=r"\bhas \w+( \w+)?$",
        )
        for start, lead in FACTS
    ),
    Example(
        "scoring_item",
        ("total = points x 2", "total = coins X 2"),
        "R0113",
        "what is multiplied has `*` or `×` between",
        "`{before} * {after}`",
        only=("x", "X"),
    ),
)
