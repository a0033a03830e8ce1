"""The tables of `docs/balance.md`, from what the commands found. Used by `benchmarks.balance`.

Every table is Markdown; estimates are the dicts that the lab prints: value, low, high, n.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks import balance_cells as c
from lab import numbers

Estimate = dict[str, Any]
Results = dict[str, Any]

PUBLISHED_WIDTH = 1.4
"""Half of the widest interval that the published shares carry, in percentage points."""
ROUNDED = 0.5


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def percent(found: Estimate | None, digits: int = 1) -> str:
    """A share with its interval, in per cent."""
    if found is None:
        return "–"
    value, low, high = (f"{100 * found[k]:.{digits}f}" for k in ("value", "low", "high"))
    return f"{value} ({low}–{high})".replace("-", "−")


def number(found: Estimate | None, digits: int = 2) -> str:
    if found is None:
        return "–"
    value, low, high = (f"{found[k]:z.{digits}f}" for k in ("value", "low", "high"))
    return f"{value} ({low}–{high})".replace("-", "−")


def signed(found: Estimate, verdict: str, scale: float = 1, digits: int = 2) -> str:
    """A difference with its interval, in bold where the lab calls it clear."""
    value, low, high = (f"{scale * found[k]:+z.{digits}f}" for k in ("value", "low", "high"))
    text = f"{value} ({low} to {high})".replace("-", "−")
    return f"**{text}**" if verdict in ("higher", "lower") else text


def row_of(rows: Iterable[dict[str, Any]], **wanted: str) -> dict[str, Any] | None:
    fitting = (row for row in rows if all(row.get(k) == v for k, v in wanted.items()))
    return next(fitting, None)


def rows(results: Results, cell: str, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = results[cell]["tables"][name]["rows"]
    return found


# ── gorilla ──────────────────────────────────────────────────────────────────────────────────


def shares(results: Results, cell: str) -> dict[str, Estimate]:
    """Each role's part of all points, in per cent."""
    told = {row["role"]: row["share"] for row in rows(results, cell, "role")}
    return {
        role: {k: 100 * told[role][k] for k in ("value", "low", "high")}
        for role in c.ROLES
        if role in told
    }


def apart(ours: Estimate, published: int) -> bool:
    """Whether a share and a published one differ by more than both their intervals explain."""
    width = math.hypot((ours["high"] - ours["low"]) / 2, PUBLISHED_WIDTH)
    return bool(abs(ours["value"] - published) > width + ROUNDED)


def beside_published(results: Results, kind: str) -> str:
    """Role shares of all versions, each with what was published."""
    lines = []
    for (version, players), published in c.PUBLISHED.items():
        found = shares(results, f"{kind} {version} {players}")
        line = [version, str(players)]
        for role, then in zip(c.ROLES, published, strict=True):
            if then is None:
                line.append("–")
                continue
            ours = found[role]
            width = (ours["high"] - ours["low"]) / 2
            told = f"{ours['value']:.1f} ± {width:.1f}"
            line.append(f"{f'**{told}**' if apart(ours, then) else told} / {then}")
        lines.append(line)
    return table(["version", "players", *c.ROLES], lines)


def distances(results: Results, kind: str) -> list[tuple[float, bool]]:
    """Of all shares of all versions: how far from the published one, and whether clearly so."""
    found = []
    for (version, players), published in c.PUBLISHED.items():
        ours = shares(results, f"{kind} {version} {players}")
        for role, then in zip(c.ROLES, published, strict=True):
            if then is not None:
                found.append((abs(ours[role]["value"] - then), apart(ours[role], then)))
    return found


def distance(results: Results) -> str:
    """How near the sheet and the script come to what was published."""
    lines = []
    for kind, words in (("sheet", "the rule sheet"), ("script", "with the script's differences")):
        found = distances(results, kind)
        far = sum(clear for _, clear in found)
        mean = sum(far for far, _ in found) / len(found)
        lines.append(
            [words, f"{mean:.2f}", f"{max(d for d, _ in found):.1f}", f"{far} of {len(found)}"]
        )
    return table(["", "mean distance", "largest", "clearly apart"], lines)


def parts(results: Results) -> str:
    """What each difference of the script does to the shares of 2.5, alone."""
    lines = []
    for number_of_part, part in enumerate(c.PARTS):
        for players in (2, 3, 4):
            told = results[f"parts {players}"]["tables"][number_of_part]
            line = [f"[{part}](balance/{part}.rules)", str(players)]
            for role in c.ROLES:
                row = row_of(told["rows"], figure=f"share {role}")
                assert row is not None
                line.append(signed(row["difference"], row["verdict"], 100, 1))
            alike = told["title"].partition(": ")[2].removesuffix(" games end alike")
            lines.append([*line, alike])
    return table(["difference", "players", *c.ROLES, "games that end alike"], lines)


def questions(results: Results) -> str:
    """The author's other questions, answered for 2.5."""
    asked: dict[str, Callable[[str], str]] = {
        "silverbacks led a game": lambda cell: number(ways(results, cell, "per_game", "lead")),
        "silverbacks played on a trick a game": lambda cell: number(
            ways(results, cell, "per_game")
        ),
        "silverbacks given to a prophet a game": lambda cell: number(given(results, cell)),
        "wins of players who played one on a trick, %": lambda cell: percent(
            ways(results, cell, "won")
        ),
        "wins of the others, %": lambda cell: percent(ways(results, cell, "others_won")),
        "cards in a trick": lambda cell: number(measure(results, cell, "cards in a trick")),
        "hands short of cards before a trick, %": lambda cell: percent(
            measure(results, cell, "short hands")
        ),
    }
    lines = [[what, *(ask(f"author {p}") for p in (2, 3, 4))] for what, ask in asked.items()]
    return table(["2.5, bot `author`", "2 players", "3 players", "4 players"], lines)


def ways(results: Results, cell: str, figure: str, choice: str = "follow") -> Estimate | None:
    """Of the silverback, played on a trick or led."""
    row = row_of(rows(results, cell, "choice"), choice=f"phase play/{choice}", way="silverback")
    return None if row is None else row[figure]


def given(results: Results, cell: str) -> Estimate | None:
    choice = "role prophet at before_lead/give"
    row = row_of(rows(results, cell, "value"), choice=choice, value="silverback")
    return None if row is None else row["per_game"]


def measure(results: Results, cell: str, name: str, whose: str = "all") -> Estimate | None:
    row = row_of(rows(results, cell, "measure"), measure=name, of=whose)
    return None if row is None else row["mean"]


def leads(results: Results) -> str:
    """Of each sort of lead: how often it is led, how often it takes the trick, what it earns."""
    lines = []
    for shape in c.SHAPES:
        for low, high in c.BANDS:
            name = f"{shape} {low} to {high}"
            total, taken, points = (
                counted(results, "leads", f"{name} {what}") for what in ("led", "taken", "points")
            )
            found = numbers.wilson(taken, total)
            share = percent(as_dict(found)) if found else "–"
            earned = f"{points / taken:.1f}" if taken else "–"
            lines.append([shape, f"{low}–{high}", f"{total:,}", share, earned])
    return table(["led", "number", "times", "takes the trick, %", "numbers in it then"], lines)


def counted(results: Results, cell: str, name: str, whose: str = "all") -> int:
    """The sum of a measure's answers."""
    row = row_of(rows(results, cell, "measure"), measure=name, of=whose)
    return 0 if row is None or row["mean"] is None else round(row["times"] * row["mean"]["value"])


def as_dict(found: numbers.Estimate) -> Estimate:
    return {"value": found.value, "low": found.low, "high": found.high}


# ── throne ───────────────────────────────────────────────────────────────────────────────────


def policies(results: Results) -> str:
    """Of those whose head is of a job, how many win; in brackets how many settle with it."""
    lines = []
    for job in c.JOBS:
        line = [job]
        for bot in c.THRONE_BOTS:
            won, held, players = heads(results, bot, job)
            found = numbers.wilson(won, held)
            told = percent(as_dict(found), 0) if found else "–"
            line.append(f"{told} · {100 * held / players:.0f}")
        lines.append(line)
    return table(["head of the house", *c.THRONE_BOTS], lines)


def heads(results: Results, bot: str, job: str) -> tuple[int, int, int]:
    """With this head: those who won, all; and all players."""
    cell, name = f"throne {bot}", f"head {job}"
    everyone = row_of(rows(results, cell, "measure"), measure=name, of="all")
    assert everyone is not None
    won, held = (counted(results, cell, name, whose) for whose in ("winners", "all"))
    return won, held, everyone["times"]


def skills(results: Results) -> str:
    """Of those who used a skill at least once, how many won; and of the others."""
    lines = []
    for job in c.JOBS:
        line = [job]
        for bot in c.THRONE_BOTS:
            told = rows(results, f"throne {bot}", "value")
            row = row_of(told, choice="phase turns/turn", way="play", value=job)
            line.append("–" if row is None else used(row))
        lines.append(line)
    return table(["card played", *c.THRONE_BOTS], lines)


def used(row: dict[str, Any]) -> str:
    others = row["others_won"]
    return f"{percent(row['won'], 0)} / {percent(others, 0)}"


def holding(results: Results) -> str:
    lines = []
    for bot in c.THRONE_BOTS:
        told = rows(results, f"throne {bot}", "choice")
        row = row_of(told, choice="phase turns/turn", way="hold")
        assert row is not None
        lines.append([bot, *(percent(row[k]) for k in ("rate", "users", "won", "others_won"))])
    return table(
        ["bot", "of all turns", "players who ever hold", "who then win", "others win"], lines
    )


def throne_seats(results: Results) -> str:
    lines = []
    for players in c.SEATS:
        told = rows(results, "throne saver" if players == 4 else f"seats {players}", "seat")
        won = [percent(row["won"]) for row in told]
        lines.append([str(players), *won, *[""] * (max(c.SEATS) - players)])
    return table(["players", *(f"P{i}" for i in range(1, max(c.SEATS) + 1))], lines)


WISH_FIGURES = {
    "most of a job": (1, 2), "way phase turns/turn/hold": (100, 1), "comeback": (100, 0),
    "lead over the next": (1, 1), "options a decision": (1, 2), "decisions": (1, 1),
}  # fmt: skip
"""Figures of the variants, each with its scale and digits."""


def wishes(results: Results) -> str:
    """What each of the designer's ideas does, beside draft 2 on the same seeds."""
    told = results["wishes"]["tables"]
    base = ["draft 2"]
    for figure, (scale, digits) in WISH_FIGURES.items():
        row = row_of(told[0]["rows"], figure=figure)
        assert row is not None
        base.append(number({k: scale * row["a"][k] for k in ("value", "low", "high")}, digits))
    lines = [base]
    for wish, compared in zip(c.WISHES, told, strict=True):
        line = [f"`{wish}`"]
        for figure, (scale, digits) in WISH_FIGURES.items():
            row = row_of(compared["rows"], figure=figure)
            line.append(
                "–" if row is None else signed(row["difference"], row["verdict"], scale, digits)
            )
        lines.append(line)
    return table(
        ["", "most of a job", "holds, %", "comebacks, %", "lead", "options", "decisions"], lines
    )


def chosen(results: Results) -> str:
    """The display with a bot that takes any card, and with one that chooses."""
    told = results["chosen"]["tables"]
    lines = []
    for words, compared in zip(("any card of it", "what is held most"), told, strict=True):
        row = row_of(compared["rows"], figure="most of a job")
        assert row is not None
        difference = signed(row["difference"], row["verdict"])
        lines.append([words, number(row["a"]), number(row["b"]), difference])
    return table(["from the display is taken", "draft 2", "with display", "difference"], lines)


def crowd(results: Results) -> str:
    """Seven players: how many cards are left in the deck when they settle."""
    lines = []
    for ruleset, bot in c.CROWDS:
        told = rows(results, f"crowd {ruleset} {bot}", "measure")
        row = row_of(told, measure="cards left", of="all")
        assert row is not None
        lines.append([f"`{ruleset}`", f"`{bot}`", number(row["mean"], 1), str(row["least"])])
    return table(["7 players", "bot", "cards left in the deck", "least of 1,000 games"], lines)


# ── last-leaf ────────────────────────────────────────────────────────────────────────────────


def duels(results: Results) -> str:
    """One bot among random ones."""
    lines = []
    for bot, players, games in c.LEAF_DUELS:
        told = rows(results, f"leaf {bot} {players}", "bot")
        one, rest = row_of(told, bot=bot), row_of(told, bot="random")
        assert one is not None and rest is not None
        fair = f"{100 / players:.1f}"
        line = [f"`{bot}`", str(players), f"{games:,}", percent(one["won"]), fair]
        lines.append([*line, number(one["points"]), number(rest["points"])])
    head = ["bot", "players", "games", "wins, %", "if all were equal", "points", "of a random bot"]
    return table(head, lines)


def leaf_seats(results: Results) -> str:
    lines = []
    for players in c.LEAF_SEATS:
        won = [percent(row["won"]) for row in rows(results, f"leaf seats {players}", "seat")]
        lines.append([str(players), *won, *[""] * (max(c.LEAF_SEATS) - players)])
    return table(["players", *(f"P{i}" for i in range(1, max(c.LEAF_SEATS) + 1))], lines)


# ── commands ─────────────────────────────────────────────────────────────────────────────────


def commands(beginning: str) -> str:
    """The commands of all cells whose names begin so, as somebody would type them."""
    shown = [f"rules {cell.command}" for cell in c.cells() if cell.name.startswith(beginning)]
    return "```text\n" + "\n".join(shown) + "\n```"


def strength(_: Results) -> str:
    """The ladder, as `docs/strength.md` has it."""
    page = (Path(__file__).parent.parent / "docs" / "strength.md").read_text(encoding="utf-8")
    _, head, rest = page.partition("| game | players | duel |")
    return (head + rest).partition("\n\n")[0]


TABLES: dict[str, Callable[[Results], str]] = {
    "sheet": lambda results: beside_published(results, "sheet"),
    "script": lambda results: beside_published(results, "script"),
    "distance": distance,
    "parts": parts,
    "questions": questions,
    "leads": leads,
    "policies": policies,
    "skills": skills,
    "holding": holding,
    "throne seats": throne_seats,
    "wishes": wishes,
    "chosen": chosen,
    "crowd": crowd,
    "duels": duels,
    "leaf seats": leaf_seats,
    "strength": strength,
}
