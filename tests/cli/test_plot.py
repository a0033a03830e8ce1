"""`--plot`: pages and images of simulations and sweeps."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lab import charts
from lab.report import Report
from lab.simulation import simulate
from tests.lab.common import game, planned

Rules = Callable[..., Any]


@pytest.mark.parametrize(
    ("suffix", "start"), [(".html", b"<!DOCTYPE html>"), (".png", b"\x89PNG"), (".svg", b"<svg")]
)
def test_a_simulation_is_drawn(rules: Rules, tmp_path: Path, suffix: str, start: bytes) -> None:
    path = tmp_path / "new" / f"plot{suffix}"
    args = ("sim", "gorilla", "-n", 10, "--bots", "random,P1=steady", "--workers", 1)
    done = rules(*args, "--measure", "rest=size of hand at follow", "--plot", path)
    assert done.status == 0, done.err
    assert f"drawn in {path}" in done.err
    data = path.read_bytes()
    assert data.startswith(start)
    if suffix == ".html":  # nothing is fetched
        text = data.decode()
        outside = re.sub(r"(?s)(<script[^>]*>).*?</script>", r"\1", text)
        assert not re.search(r"<(script|link|img)[^>]*(src|href)=", outside)
        assert not re.search(r"import[^;]*from *[\"']https?:", text)


def test_a_sweep_is_drawn(rules: Rules, tmp_path: Path) -> None:
    path = tmp_path / "sweep.svg"
    done = rules(
        "sweep", "throne", "--vary", "turns=2..3", "--vary", "final_hand=3,4", "-n", 10,
        "--figure", "decisions", "--figure", "wins P1", "--plot", path,
    )  # fmt: skip
    assert done.status == 0, done.err
    text = path.read_text()
    for word in ("decisions", "wins P1", "turns", "final_hand 3", "final_hand 4"):
        assert word in text


def test_what_is_drawn_are_the_figures_told() -> None:
    plan = planned("throne", 20)
    report = Report(plan, game("throne"), simulate(plan).totals)
    drawn = charts.of_report(report, "throne").to_dict()
    text = repr(drawn)
    assert drawn["title"] == "throne"
    for row in report.seats().rows:
        assert repr(row[1].value) in text  # type: ignore[union-attr]
    shares = [
        item["share"]
        for item in charts.histogram(report.points(), "points").to_dict()["data"]["values"]
    ]
    assert sum(shares) == pytest.approx(1)
    (bar,) = charts.histogram({3: 5}, "points").to_dict()["data"]["values"]
    assert (bar["from"], bar["to"], bar["value"]) == (2.5, 3.5, "3")  # around its value


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["sim", "throne", "--plot", "x.pdf"], "x.pdf should end in .html, .png or .svg"),
        (["sim", "throne", "--plot", "plot"], "plot should end in"),
        (["sweep", "throne", "--vary", "turns=3", "--plot", "x.gif"], "x.gif should end in"),
        (
            ["sweep", "throne", "--vary", "turns=3", "--target", "points=1..2", "--plot", "x.svg"],
            "--plot draws a sweep",
        ),
    ],
)
def test_used_wrongly(rules: Rules, args: list[str], message: str) -> None:
    done = rules(*args)
    assert (done.status, done.out) == (2, "")
    assert message in done.err


def test_without_the_extra(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = rules("sim", "throne", "--plot", "x.html")
    assert done.status == 2
    assert ".venv/bin/pip install '.[lab]'" in done.err
