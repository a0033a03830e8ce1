"""The commands behind `docs/balance.md`, and the figures the gorilla game's author published.

A `Cell` is one command of the `rules` program. `benchmarks.balance` runs them all and hands what
they print, as data, to `benchmarks.balance_tables`.
"""

from __future__ import annotations

import shlex

from attrs import frozen


@frozen
class Cell:
    """One command, as somebody would type it, without the word `rules`."""

    name: str
    command: str

    @property
    def words(self) -> list[str]:
        return shlex.split(self.command)

    @property
    def rulesets(self) -> list[str]:
        """The rulesets that the command plays."""
        found: list[str] = []
        for word in self.words[1:]:
            if word.startswith("-"):
                break
            found.append(word.split(":")[0])
        return found

    @property
    def searches(self) -> bool:
        """Whether a bot that searches plays in it."""
        return any(bot in self.command for bot in ("mcts", "easy", "normal", "hard"))


ROLES = ("merchant", "prophet", "king", "gorilla")

# Per cent of all points, in the order of ROLES; None: there was no prophet.
# From the author's balance script, 400 games a cell.
PUBLISHED: dict[tuple[str, int], tuple[int | None, ...]] = {
    ("2.1", 2): (23, 23, 16, 38), ("2.1", 3): (21, 19, 17, 43), ("2.1", 4): (21, 15, 16, 48),
    ("2.3", 2): (23, 23, 16, 39), ("2.3", 3): (21, 17, 18, 44), ("2.3", 4): (21, 16, 14, 49),
    ("2.4", 2): (23, 23, 16, 38), ("2.4", 3): (20, 18, 18, 44), ("2.4", 4): (22, 16, 16, 46),
    ("2.5", 2): (22, 19, 17, 43), ("2.5", 3): (19, 18, 17, 46), ("2.5", 4): (19, 19, 16, 46),
    ("2.6", 2): (30, None, 26, 44), ("2.6", 3): (18, 14, 18, 51), ("2.6", 4): (17, 16, 13, 54),
    ("2.7", 2): (29, None, 25, 46), ("2.7", 3): (18, 13, 16, 53), ("2.7", 4): (17, 15, 13, 55),
}  # fmt: skip
VERSIONS = ("2.1", "2.3", "2.4", "2.5", "2.6", "2.7")
PARTS = ("same-refill", "short-rounds", "first-leads", "fixed-ring")
"""What the author's script does differently, each a variant of 2.5 in `docs/balance/`."""


def share_cell(version: str, players: int, script: bool) -> Cell:
    """Role shares of a version: by the rule sheet, or with all that the author's script changes."""
    ruleset = f"docs/balance/script-{version}.rules" if script else f"gorilla-{version}"
    kind, games = ("script", 4000) if script else ("sheet", 4000)
    command = f"sim {ruleset} --players {players} --bots author -n {games} --seed 1 --by role"
    return Cell(f"{kind} {version} {players}", command)


def part_cell(players: int) -> Cell:
    files = " ".join(f"docs/balance/{part}.rules" for part in PARTS)
    command = f"compare gorilla-2.5 {files} --players {players} --bots author -n 4000 --seed 1"
    return Cell(f"parts {players}", command)


def author_cell(players: int) -> Cell:
    """What else the author asked of a simulation."""
    command = f"sim gorilla-2.5 --players {players} --bots author -n 2000 --seed 1"
    measures = (
        "cards in a trick = size of pile at sharing_out",
        "short hands = size of hand < hand_size at before_lead",
    )
    return Cell(f"author {players}", command + asked(measures))


SHAPES = ("single", "run", "set")
BANDS = ((1, 4), (5, 9), (10, 13))
"""Low, middling and high numbers, with 4 players."""


def led(shape: str, low: int, high: int) -> tuple[str, ...]:
    """Three questions of a sort of lead: whether it was led, whether the leader took the trick
    with it, and the numbers in the trick then."""
    name = f"{shape} {low} to {high}"
    so = f"starter is me and shape of led is {shape} and number of led >= {low}"
    so += f" and number of led <= {high}"
    pile = "sum of number over cards in pile"
    return (
        f"{name} led = {so} at sharing_out",
        f"{name} taken = {so} and taker is me at sharing_out",
        f"{name} points = if {so} and taker is me then {pile} else 0 at sharing_out",
    )


def leads_cell() -> Cell:
    command = "sim docs/balance/leads.rules --players 4 --bots author -n 2000 --seed 1"
    measures = tuple(m for shape in SHAPES for band in BANDS for m in led(shape, *band))
    return Cell("leads", command + asked(measures))


def asked(measures: tuple[str, ...]) -> str:
    return "".join(f' --measure "{measure}"' for measure in measures)


JOBS = ("barbarian", "peasant", "merchant", "thief", "knight", "priest", "senator", "magician")
HEADS = tuple(f"head {job} = head is {job}" for job in JOBS)
THRONE_BOTS = {"random": 4000, "saver": 4000, "raider": 4000, "normal": 400}
"""The bots that play throne, and how many games."""
SEATS = (3, 4, 5, 7)
WISHES = (
    "display", "table-settlement", "free-hold", "six-suits", "majority", "peasant-nation",
    "faiths", "no-opening-card", "uncapped-treasury",
)  # fmt: skip
"""The variants of throne that try its designer's own ideas."""


CROWDS = (
    ("throne", "random"), ("throne", "saver"), ("throne", "raider"), ("throne-six-suits", "random"),
)  # fmt: skip
"""Seven players: what is played, and by which bot."""


def throne() -> list[Cell]:
    found = []
    for bot, games in THRONE_BOTS.items():
        command = f"sim throne --players 4 --bots {bot} -n {games} --seed 1{asked(HEADS)}"
        found.append(Cell(f"throne {bot}", command))
    for players in SEATS:
        if players != 4:
            command = f"sim throne --players {players} --bots saver -n 4000 --seed 1 --by seat"
            found.append(Cell(f"seats {players}", command))
    versions = " ".join(f"throne-{wish}" for wish in WISHES)
    most = asked(("most of a job = highest held(job) over cards in hand at settlement",))
    searching = f'compare throne {versions} --players 4 --bots "mcts(playouts=8)" -n 400 --seed 1'
    found.append(Cell("wishes", f"{searching} --ways{most}"))
    chosen = "compare throne throne-display docs/balance/display-chosen.rules --players 4"
    found.append(Cell("chosen", f"{chosen} --bots saver -n 2000 --seed 1{most}"))
    for ruleset, bot in CROWDS:
        command = f"sim {ruleset} --players 7 --bots {bot} -n 1000 --seed 1 --by seat"
        left = asked(("cards left = size of deck at settlement",))
        found.append(Cell(f"crowd {ruleset} {bot}", command + left))
    return found


LEAF_DUELS = (
    ("hard", 2, 400), ("hard", 4, 400), ("normal", 2, 1000), ("normal", 4, 1000),
    ("normal", 6, 1000), ("counter", 2, 4000), ("counter", 4, 4000), ("counter", 6, 4000),
    ("proud", 4, 4000),
)  # fmt: skip
"""Who plays against random bots, at how many seats, how many games."""
LEAF_SEATS = (2, 4, 6)


def last_leaf() -> list[Cell]:
    found = []
    for bot, players, games in LEAF_DUELS:
        command = f"sim last-leaf --players {players} --bots random,P1={bot} -n {games} --seed 1"
        found.append(Cell(f"leaf {bot} {players}", f"{command} --by bot"))
    for players in LEAF_SEATS:
        command = f"sim last-leaf --players {players} --bots counter -n 2000 --seed 1 --by seat"
        found.append(Cell(f"leaf seats {players}", command))
    return found


def cells() -> list[Cell]:
    """All commands, in the order in which they are run."""
    return [
        *(share_cell(v, p, False) for v, p in PUBLISHED),
        *last_leaf(),
        *throne(),
        *(part_cell(p) for p in (2, 3, 4)),
        *(share_cell(v, p, True) for v, p in PUBLISHED),
        *(author_cell(p) for p in (2, 3, 4)),
        leads_cell(),
    ]
