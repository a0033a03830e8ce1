"""Pictures of a simulation and of a sweep: a page, or an image.

Used by `--plot`. Needs the extra `lab`. A chart is a Vega-Lite specification made by altair; as a
page it holds the drawing code itself, so it needs no network; images are drawn by vl-convert. What
is drawn are the tables and counts of `lab.report`, nothing else.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lab import numbers
from lab.figures import is_share
from lab.numbers import Estimate
from lab.report import Report
from lab.tables import Cell, Column, Table, span

if TYPE_CHECKING:
    from lab.arms import Experiment
    from lab.sweep import Setting

SUFFIXES = (".html", ".png", ".svg")
WIDTH, HEIGHT = 360, 220
MOST_BARS = 30
COLOUR = "#33658a"
TOO_MANY = 0.98  # of players: what so many do tells nobody apart
SCALE = 2  # pixels of an image for each of the page


def drawn(chart: Any, suffix: str) -> str | bytes:
    """A chart as the page or image that the ending of a file (one of SUFFIXES) asks for."""
    if suffix == ".html":
        return page(chart)
    import vl_convert

    if suffix == ".svg":
        svg: str = vl_convert.vegalite_to_svg(chart.to_dict())
        return svg
    png: bytes = vl_convert.vegalite_to_png(chart.to_dict(), scale=SCALE)
    return png


def page(chart: Any) -> str:
    """A page that needs nothing else."""
    import vl_convert

    text: str = vl_convert.vegalite_to_html(chart.to_dict(), bundle=True)
    return text


def _altair() -> Any:
    """altair, whose chart classes are typed in part only."""
    import altair

    return altair


# ── a simulation ─────────────────────────────────────────────────────────────────────────────


def of_report(report: Report, title: str) -> Any:
    """A simulation: wins and points by seat, points and lengths, roles, what is chosen."""
    alt = _altair()
    charts = [
        intervals(report.seats(), "seat", "won", "wins", even=1 / report.game.players),
        histogram(report.points(), "points of a player"),
        intervals(report.seats(), "seat", "points", "points by seat"),
        histogram(report.totals.under("decisions"), "decisions a game"),
    ]
    if report.plan.mixed:
        even = 1 / report.game.players
        charts.append(intervals(report.bots(), "bot", "won", "wins by bot", even=even))
    roles = report.roles()
    if roles.rows:
        charts.append(intervals(roles, "role", "share", "points by role, of all"))
    ways = winning(report.choices())
    if ways.rows:
        about = "how often they win who did it at least once (of all players)"
        charts.append(intervals(ways, "way", "won", about, even=1 / report.game.players))
    for number, measure in enumerate(report.plan.measures):
        values = report.totals.under("measure", number, ("all",))
        if values:
            charts.append(histogram(values, measure.name))
    pairs = [charts[i : i + 2] for i in range(0, len(charts), 2)]
    rows = [alt.hconcat(*pair) for pair in pairs]
    return alt.vconcat(*rows, title=title).configure(background="white")


def histogram(values: numbers.Histogram, title: str) -> Any:
    """How often each value came."""
    alt = _altair()
    whole = sum(values.values())
    data = [
        {"from": low - 0.5, "to": high + 0.5, "value": span(low, high),
         "share": times / whole, "times": times}
        for low, high, times in numbers.bins(values, MOST_BARS)
    ]  # fmt: skip
    return (
        alt.Chart(alt.Data(values=data), title=title, width=WIDTH, height=HEIGHT)
        .mark_bar(color=COLOUR)
        .encode(
            x=alt.X(
                "from:Q", bin="binned", title=None, axis=alt.Axis(format="d", tickMinStep=1)
            ),
            x2="to:Q",
            y=alt.Y("share:Q", axis=alt.Axis(format="%"), title=None),
            tooltip=[
                alt.Tooltip("value:N"), alt.Tooltip("share:Q", format=".1%"),
                alt.Tooltip("times:Q", format=","),
            ],
        )
        .interactive(name=f"zoom{zlib.crc32(title.encode())}")
    )  # fmt: skip


def intervals(table: Table, by: str, what: str, title: str, even: float | None = None) -> Any:
    """A figure of every row with its interval; `even`: a line where all would be alike."""
    alt = _altair()
    names = [column.name for column in table.columns]
    kind = table.columns[names.index(what)].kind
    data = []
    for row in table.rows:
        cell = row[names.index(what)]
        if isinstance(cell, Estimate):
            data.append({"name": str(row[names.index(by)]), **cell.data()})
    shape = ".1%" if kind == "share" else ".2f"
    axis = alt.Axis(format="%" if kind == "share" else "")
    order = [d["name"] for d in data]
    base = alt.Chart(alt.Data(values=data), title=title, width=WIDTH, height=HEIGHT).encode(
        y=alt.Y("name:N", sort=order, title=None),
        tooltip=[
            alt.Tooltip("name:N"), *(alt.Tooltip(f"{f}:Q", format=shape)
                                     for f in ("value", "low", "high")),
        ],
    )  # fmt: skip
    layers = [
        base.mark_rule(color=COLOUR, strokeWidth=2).encode(
            x=alt.X("low:Q", title=None, axis=axis, scale=alt.Scale(zero=False)), x2="high:Q"
        ),
        base.mark_point(color=COLOUR, filled=True, size=70).encode(x="value:Q"),
    ]
    if even is not None:
        line = alt.Chart(alt.Data(values=[{"even": even}])).mark_rule(strokeDash=[4, 4])
        layers.append(line.encode(x="even:Q"))
    return alt.layer(*layers)


def winning(table: Table) -> Table:
    """How often those win who took a way at least once; of ways that nearly all take, nothing."""
    names = [column.name for column in table.columns]
    at = {name: names.index(name) for name in ("choice", "way", "users", "won")}
    rows: list[tuple[Cell, ...]] = []
    for row in table.rows:
        users, won = row[at["users"]], row[at["won"]]
        if isinstance(users, Estimate) and isinstance(won, Estimate) and users.value < TOO_MANY:
            choice, way = str(row[at["choice"]]).rpartition("/")[2], str(row[at["way"]])
            label = f"{choice}: {way}" if way else choice
            rows.append((f"{label} ({100 * users.value:.0f} %)", won))
    columns = (Column("way", "way", "text"), Column("won", "win", "share"))
    return Table("winning", "", columns, rows)


# ── a sweep ──────────────────────────────────────────────────────────────────────────────────


def of_sweep(run: Experiment, settings: Sequence[Setting], names: Sequence[str], title: str) -> Any:
    """A sweep: each figure over the option that varies most, a line for each of the others."""
    alt = _altair()
    axes = {name: list(dict.fromkeys(s[i][1] for s in settings))
            for i, (name, _) in enumerate(settings[0])}  # fmt: skip
    across = max(axes, key=lambda name: len(axes[name]))
    others = [name for name in axes if name != across]
    charts = []
    for figure in names:
        data = []
        for arm, setting in enumerate(settings):
            value = run.value(arm, figure)
            if value is not None:
                chosen = dict(setting)
                rest = ", ".join(f"{name} {chosen[name]}" for name in others) or "all"
                data.append({"x": chosen[across], "other": rest, **value.data()})
        charts.append(_lines(data, across, axes[across], figure, bool(others)))
    pairs = [charts[i : i + 2] for i in range(0, len(charts), 2)]
    rows = [alt.hconcat(*pair) for pair in pairs]
    return alt.vconcat(*rows, title=title).configure(background="white")


def _lines(data: list[Any], across: str, order: list[str], figure: str, several: bool) -> Any:
    alt = _altair()
    share = is_share(figure)
    shape = ".1%" if share else ".2f"
    base = alt.Chart(alt.Data(values=data), title=figure, width=WIDTH, height=HEIGHT).encode(
        x=alt.X("x:O", sort=order, title=across, axis=alt.Axis(labelAngle=0)),
        color=alt.Color("other:N", title=None) if several else alt.value(COLOUR),
        tooltip=[
            alt.Tooltip("x:N", title=across), alt.Tooltip("other:N"),
            *(alt.Tooltip(f"{f}:Q", format=shape) for f in ("value", "low", "high")),
        ],
    )  # fmt: skip
    axis = alt.Axis(format="%" if share else "")
    return alt.layer(
        base.mark_line(point=True).encode(
            y=alt.Y("value:Q", title=None, axis=axis, scale=alt.Scale(zero=False))
        ),
        base.mark_rule().encode(y="low:Q", y2="high:Q"),
    )
