"""Every word of the language: where it may stand, what it means, an example. One table.

The lexer reads from it which words can never be names, declarations check names against it,
messages suggest from it, and the reference is made from it. Tests see to it that every word of the
grammar stands here and that every example parses.
"""

from __future__ import annotations

from attrs import frozen

# Where a word stands.
EXAMPLE = "example"
SECTION, ITEM, STATEMENT, CLAUSE = "section", "item", "statement", "clause"
VALUE, TYPE, QUESTION, OPERATOR, ORDER = "value", "type", "question", "operator", "order"


@frozen(eq=False)
class Word:
    """`reserved`: can't be a name anywhere. `types`: what it takes and gives, where that helps."""

    word: str
    where: str
    doc: str
    example: str
    types: str = ""
    reserved: bool = False


def _words(where: str, *rows: tuple[str, ...], reserved: bool = False) -> tuple[Word, ...]:
    return tuple(
        Word(row[0], where, row[1], row[2], row[3] if len(row) > 3 else "", reserved)
        for row in rows
    )


WORDS: tuple[Word, ...] = (
    *_words(
        SECTION,
        ("game", "names the game; players and rule sheet stand below it", 'game "Four Winds"'),
        ("options", "what a table may set before the game", "options"),
        ("cards", "properties of cards, and which cards there are", "cards"),
        ("places", "where cards lie, and who sees them", "places"),
        ("tokens", "what is counted, and who holds it", "tokens"),
        ("marks", "what is so or not, of a player or at all", "marks"),
        ("track", "values the game keeps in mind", "track"),
        ("roles", "roles on a ring of seats, in order", "roles king, merchant, fool"),
        ("shapes", "combinations of cards that can be played together", "shapes"),
        ("setup", "what is done before the first phase", "setup"),
        ("phase", "a part of the game; phases follow each other as written", "phase turns"),
        ("value", "a named value, worked out where it is used", "value table = cards in every row"),
        ("action", "a named piece of rule, with what it needs to know", "action draw n"),
        ("role", "what a role does at named moments", "role prophet"),
        ("scoring", "lines that are added up to a player's points", "scoring"),
        ("winner", "who wins, and how ties are broken", "winner most points, then draw"),
        ("example", "a case worked out, and a test", 'example "an ace beats a king"'),
        ("bot", "a player written in the ruleset", "bot careful"),
    ),
    *_words(
        ITEM,
        ("players", "for how many players the game is; in rules, all of them", "players 2..4"),
        ("by players", "a setting for each number of players", "top by players 2: 9, 3: 11"),
        ("of each", "copies of each combination of properties", "card: 2 of each suit and rank"),
        ("one", "a single copy", "card: one of each suit and rank"),
        ("face", "who sees a place: everyone (`up`) or nobody (`down`)", "deck face down pile"),
        ("up", "face up: everyone sees it; rounded up", "discard face up pile"),
        ("down", "face down: nobody sees it; rounded down", "deck face down pile"),
        ("private", "only its owner sees it", "hand of player private hand"),
        ("pile", "a place with an order and a top", "deck face down pile"),
        ("hand", "a place without an order", "hand of player private hand"),
        ("row", "a place that keeps the order of arrival", "court of player face up row"),
        ("endless", "as many as anyone could need", "coin in bank endless"),
        ("on", "how many seats roles go round; when a bot keeps in mind", "roles a, b on 3 seats"),
        ("seats", "places at the table that roles pass by", "roles a, b on 3 seats"),
        ("starting", "where the first role starts", "roles a, b on 3 seats, starting at random"),
        ("random", "by chance", "roles a, b on 3 seats, starting at random"),
        ("same", "cards of a shape share a property", "run 2..3 cards, same suit"),
        ("consecutive", "cards of a shape follow each other", "run 2..3 cards, consecutive rank"),
        ("different", "no two share a property", "group 3 cards, different suit"),
        ("remembers", "what a bot keeps in mind", "remembers keeper player"),
        ("like", "a bot that is another one but for what it says itself", "bot bold like careful"),
        ("prefer", "the option for which a number is highest", "play prefer number + noise 0..2"),
        ("unless", "`when` it is not so", "pass unless coins > 3"),
        (
            "noise",
            "in a bot: a number by chance, another for each option",
            "play prefer noise 0..2",
        ),
        ("chance", "in a bot: so by chance", "play when chance 1 in 4"),
        (
            "per",
            "the largest noise of the ways to make an option",
            "play prefer noise 0..2 per way",
        ),
        (
            "way",
            "the largest noise of the ways to make an option",
            "play prefer noise 0..2 per way",
        ),
    ),
    *_words(
        STATEMENT,
        ("shuffle", "puts cards into a place and mixes it", "shuffle all cards into deck"),
        ("deal", "gives cards round, one at a time", "deal 5 from deck to every hand"),
        ("move", "moves cards or tokens", "move top of deck to hand"),
        ("give", "moves my tokens to someone", "give 1 coin to treasury"),
        ("take", "moves someone's tokens to me", "take up to 3 coins from stock"),
        ("gain", "adds tokens that come from nowhere", "gain 1 vp"),
        ("gains", "`gain`, said of another player", "leader gains 1 vp"),
        ("lose", "removes tokens that go nowhere", "lose 2 vp"),
        ("loses", "`lose`, said of another player", "leader loses 1 vp"),
        ("mark", "sets a mark", "mark guarded"),
        ("unmark", "removes a mark", "unmark everyone out"),
        ("choose", "asks a player to choose", "choose lay: card from hand"),
        ("chooses", "`choose`, said of another player", "victim chooses give: card from hand"),
        ("pass", "moves all roles one seat on", "pass roles clockwise"),
        ("reveal", "shows the cards of places to everyone", "reveal every hand"),
        ("apply", "does what a family of effects says for a value", "apply skill of its job"),
        ("moment", "a point where roles do something", "moment before_lead"),
        ("end", "ends a phase, the game, or a round of a loop", "end game"),
        ("leave", "ends a loop; what stands behind it comes next", "leave bidding"),
        ("do", "`do nothing`: a rule that does nothing", "do nothing"),
        ("nothing", "no card, no play; with `do`, no effect", "do nothing"),
        ("repeat", "does something a number of times", "repeat 5 as round"),
        ("each", "does something once for each", "each player as turn"),
        ("turn", "a player's turn", "turn of leader"),
        ("while", "does something as long as a condition holds", "while stormed, at most 9 times"),
        ("go", "goes round and round through players", "go round players skipping out"),
    ),
    *_words(
        STATEMENT,
        ("if", "does something only if a condition holds", "if deck is empty then end game"),
        ("else", "what is done otherwise", "if stormed then storm else lay"),
        ("all", "all players at once; all cards of the game", "all players at once"),
        reserved=True,
    ),
    *_words(
        EXAMPLE,
        ("given", "how things stand", "given hand of P1 is ace"),
        ("has", "how many tokens or points somebody has", "then P1 has 3 coins"),
        ("may", "what can be chosen, or not", "then P1 may not pass"),
        ("wins", "who has won", "then P1 wins"),
        ("win", "`wins`, of several", "then P1 and P2 win"),
    ),
    *_words(
        CLAUSE,
        ("into", "where shuffled cards go", "shuffle discard into deck"),
        ("to", "where something goes", "move it to discard"),
        ("from", "where something comes from", "choose lay: card from hand"),
        ("as", "gives a loop a name", "repeat 5 as round"),
        ("at", "`at once`, `at most`; a moment", "all players at once"),
        (
            "when",
            "a condition for a way of a choice, or for a role's power",
            "hold when coins >= 1",
        ),
        ("then", "what follows: in `if`, and the next key of an order", "if stormed then storm"),
        ("where", "keeps only those for which a condition holds", "players where not out"),
        ("by", "puts in order", "players by most coins, then seat"),
        ("with", "keeps only the best", "cards in hand with highest number"),
        ("over", "what a sum or a best is taken of", "sum of number over cards in hand"),
        ("in", "in which place or collection", "cards in hand"),
        ("of", "whose or of what", "hand of victim"),
        ("except", "leaves out one card", "hand except it"),
        ("until", "when going round stops", "go round players until stormed"),
        reserved=True,
    ),
    *_words(
        CLAUSE,
        ("up to", "as many as there are and as fit", "take up to 3 coins from stock"),
        (
            "if any",
            "skips a choice or a move without anything to take",
            "choose a if any: card from hand",
        ),
        ("once", "`at once`: in secret, then shown together", "all players at once"),
        ("most", "`at most`: a limit; in orders, largest first", "while stormed, at most 9 times"),
        ("times", "how often", "repeat 3 times"),
        ("round", "`go round`", "go round players until stormed"),
        (
            "after",
            "where going round begins; later in order",
            "go round players after leader until stormed",
        ),
        ("skipping", "whom going round passes by", "go round players skipping out"),
        ("otherwise", "a way of a choice only if there is no other", "pass otherwise"),
        ("clockwise", "to the left", "players clockwise from leader"),
        ("back", "the other way round", "pass roles back"),
        ("seat", "order by seat; a seat by its number", "players by most coins, then seat"),
        ("number", "choose a number; the number beside a value", "choose bid: number 0..3"),
        ("draw", "after `winner`: those still tied share the win", "winner most points, then draw"),
        ("points", "after `winner`: the sum of the scoring lines", "winner most points, then draw"),
    ),
    *_words(
        OPERATOR,
        ("and", "both hold", "coins > 1 and not out", "condition, condition → condition"),
        ("or", "at least one holds", "coins > 1 or out", "condition, condition → condition"),
        ("not", "the opposite", "not out", "condition → condition"),
        ("is", "is the same, has a mark or role, is of a kind", "owner is not guarded"),
        ("exists", "whether there is one at all", "leader exists", "anything → condition"),
        reserved=True,
    ),
    *_words(
        OPERATOR,
        ("empty", "without a card or element", "deck is empty"),
        ("before", "earlier in the order of roles or seats", "role of p is before role of q"),
        ("rounded", "how a division rounds: `up` or `down`", "coins / 2 rounded down"),
        ("min", "the smaller number", "min(2, coins)", "numbers → number"),
        ("max", "the larger number", "max(0, coins - 3)", "numbers → number"),
        ("+", "adds numbers; joins places", "coins + 1"),
        ("-", "subtracts", "coins - 1"),
        ("*", "multiplies (also `×`)", "2 * coins"),
        ("/", "divides, with `rounded up` or `rounded down` (also `÷`)", "coins / 2 rounded up"),
        ("=", "is equal; in a rule, gives a value to a name", "suit = suit of leaf"),
        ("!=", "is not equal (also `≠`)", "suit != suit of leaf"),
        ("<", "smaller, or weaker", "coins < 3"),
        ("<=", "smaller or equal (also `≤`, `≦`)", "coins <= 3"),
        (">", "larger, or stronger", "coins > 3"),
        (">=", "larger or equal (also `≥`, `≧`)", "coins >= 3"),
    ),
    *_words(
        QUESTION,
        ("first", "the first of a selection; absent if it is empty", "first player where can_lead"),
        ("the", "the first of a selection that can't be empty", "the card in hand"),
        ("any", "whether a selection has an element", "any player where out"),
        ("no", "whether a selection is empty; not so", "no thief in their hand"),
        ("every", "the same place of all players", "every hand of others"),
        ("count", "how many", "count of cards in hand", "selection → number"),
        ("sum", "added up", "sum of number over cards in hand", "selection → number"),
        ("my", "of me", "my hand"),
        ("their", "of them", "their hand"),
        ("its", "of it", "its suit"),
        reserved=True,
    ),
    *_words(
        QUESTION,
        ("top", "the top card or cards of a pile or row", "top of deck", "place → card"),
        ("size", "how many cards, players or values", "size of hand", "collection → number"),
        ("owner", "in front of whom a card lies", "owner of it", "card → player"),
        ("shape", "the shape of a play; any shape as a choice", "shape of it", "play → shape"),
        ("role", "the role a player has", "role of p", "player → role"),
        ("holder", "the player who has a role", "holder of king", "role → player"),
        ("left", "the next player clockwise", "left of me", "player → player"),
        ("right", "the player before, counterclockwise", "right of me", "player → player"),
        ("strength", "an ordered value as a number, larger for stronger", "strength of its rank"),
        ("others", "the other players, clockwise from the left", "others of p", "player → players"),
    ),
    *_words(
        VALUE,
        ("me", "the acting player", "owner is me", "player"),
        ("they", "the player last named, or the one being looked at", "they is me", "player"),
        ("them", "the same as `they`; several cards that were chosen", "move them to hand"),
        ("it", "what was last chosen, or is being looked at", "move it to hand"),
        ("nobody", "no player", "taker = nobody", "player"),
        ("everyone", "all players", "unmark everyone out", "players"),
        ("yes", "so", "wrap yes", "condition"),
    ),
    *_words(
        TYPE,
        ("player", "a player", "taker player"),
        ("card", "a card", "choose lay: card from hand"),
        ("play", "cards of a shape, played together", "top play"),
    ),
    *_words(
        ORDER,
        ("largest", "largest first", "players by largest coins"),
        ("highest", "largest first", "cards in hand with highest number"),
        (
            "strongest",
            "strongest first, by the declared order",
            "players by strongest rank of leaf",
        ),
        ("latest", "largest first", "players by latest seat"),
        ("fewest", "smallest first", "players by fewest cards in hand"),
        ("smallest", "smallest first", "players by smallest coins"),
        ("lowest", "smallest first", "cards in hand with lowest number"),
        ("weakest", "weakest first, by the declared order", "players by weakest rank of leaf"),
        ("earliest", "smallest first", "players by earliest seat"),
    ),
)

BY_WORD: dict[str, Word] = {word.word: word for word in WORDS}
RESERVED = frozenset(word.word for word in WORDS if word.reserved)
STATEMENT_WORDS = frozenset(word.word for word in WORDS if word.where == STATEMENT)
SECTION_WORDS = tuple(word.word for word in WORDS if word.where == SECTION)
ORDER_WORDS = ("most", *(word.word for word in WORDS if word.where == ORDER))

# Bots that play any game, and what a seat is called where a person plays.
BOT_NAMES = ("random", "steady", "greedy", "mcts", "easy", "normal", "hard", "person")

# Words that stand for something in expressions, so that no declaration can take them.
BUILT_IN = {
    word: BY_WORD[word].doc
    for word in (
        *(word.word for word in WORDS if word.where in (VALUE, TYPE) and word.word != "play"),
        "players",
        "cards",
        "others",
        "owner",
        "size",
        "seat",
        "nothing",
        "endless",
        "points",
        "no",
        "min",
        "max",
    )
} | {word.word: word.doc for word in WORDS if word.reserved}
