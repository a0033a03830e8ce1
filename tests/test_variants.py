"""The bundled variants: each is without a finding, and is the ruleset that it expands to."""

import os
import re
from pathlib import Path

import attrs
import pytest

from dsl import pipeline
from dsl.expand import expanded
from dsl.program import Program
from dsl.walk import everything
from interpreter import compile_game
from interpreter.trace import run
from tests.dsl.core_text import lines
from tests.dsl.core_text import text as said

ROOT = Path(__file__).resolve().parents[1]
VARIANTS = sorted(ROOT.glob("rulesets/variants/*.rules"))
LONG = bool(os.environ.get("RULES_LONG"))
OF_TEXTS = ("file", "source_hash", "sources", "examples")  # differ between two texts of one game


def load(path, text=None):
    program, found = pipeline.load(path, text)
    assert program is not None, "\n".join(item.message for item in found)
    return program, found


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_nothing_is_found_in_a_variant(path):
    assert load(path)[1] == []


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_a_variant_is_what_it_expands_to(path):
    """Part by part; and where `RULES_LONG` is set, a game of it is the same too."""
    program, _ = load(path)
    text = expanded(path.read_text(encoding="utf-8"), str(path))
    again, found = load(path, text)
    assert not [item for item in found if item.is_error]
    for one, other in (
        (program.setup, again.setup),
        *zip(_bodies(program), _bodies(again), strict=True),
    ):
        assert lines(one) == lines(other)
    for field in attrs.fields(Program):
        if field.name not in OF_TEXTS:
            assert said(getattr(program, field.name)) == said(getattr(again, field.name))
    assert [path_of(node) for node in everything(program)] == [
        path_of(node) for node in everything(again)
    ]
    if LONG:
        players = program.players[0]
        kept, anew = (compile_game(p, players) for p in (program, again))
        assert run.trace(kept, 5, "steady") == run.trace(anew, 5, "steady")


def path_of(node):
    """What chance and events know a rule by."""
    return node.origin.path if hasattr(node, "origin") else None


def _bodies(program):
    yield from (phase.body for phase in program.phases)
    yield from (action.body for action in program.actions.values())
    yield from (hook.body for hook in program.hooks)


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_every_rule_has_its_place_in_a_file_of_the_variant(path):
    program, _ = load(path)
    for origin in [hook.origin for hook in program.hooks] + [p.origin for p in program.phases]:
        assert origin.span.file in program.sources


def test_comments_after_the_last_line_stay(tmp_path):
    base, variant = tmp_path / "base.rules", tmp_path / "variant.rules"
    path = VARIANTS[-1]
    text = path.read_text(encoding="utf-8")
    name = re.search(r'of "(.*)"', text)[1]
    base.write_text(
        (path.parent / name).read_text(encoding="utf-8") + "# below the base\n", "utf-8"
    )
    variant.write_text(text.replace(name, base.name) + "\n# below the variant\n", "utf-8")
    assert expanded(variant.read_text("utf-8"), str(variant)).endswith(
        "\n\n# below the base\n# below the variant\n"
    )


def test_a_bundled_variant_is_found_by_name():
    assert pipeline.find("gorilla-2.6").name == "gorilla-2.6.rules"


def test_a_changed_base_is_noticed(tmp_path, monkeypatch):
    """What is kept between runs depends on all files a variant is made from."""
    monkeypatch.setenv("RULES_CACHE", str(tmp_path / "kept"))
    base = tmp_path / "base.rules"
    base.write_text((ROOT / "tests/wrong/base.rules").read_text(encoding="utf-8"))
    variant = tmp_path / "short.rules"
    variant.write_text('variant "short" of "base.rules"\n  replace value worth(c) = 1\n')
    assert load(variant)[0].values["worth"].origin.span.file == str(variant)
    base.write_text(base.read_text().replace("worth", "price"))
    program, found = pipeline.load(variant)
    assert program is None
    assert [item.code for item in found] == ["R0247"]
    assert found[0].span.line == 2


def test_renamed_it_plays_the_same_games(tmp_path):
    """A trace of the variant differs from one of its base in the names alone."""
    base = ROOT / "rulesets/throne.rules"
    variant = tmp_path / "renamed.rules"
    names = {"thief": "rogue", "court": "yard", "turns": "rounds_of_play", "hold": "wait"}
    changes = "".join(f"  rename {old} to {new}\n" for old, new in names.items())
    variant.write_text(f'variant "renamed" of "{base}"\n{changes}')
    texts = [
        run.trace(compile_game(load(path)[0], 3), 4, "steady").split("\n", 2)[2]
        for path in (base, variant)
    ]
    for old, new in names.items():
        texts[0] = re.sub(rf"\b{old}\b", new, texts[0])
    assert texts[0] == texts[1]


def test_renaming_leaves_the_base_as_it_is(tmp_path, monkeypatch):
    """Lines are read once for both."""
    monkeypatch.setenv("RULES_CACHE", "off")
    base = ROOT / "rulesets/throne.rules"
    before = said(load(base)[0].setup)
    variant = tmp_path / "renamed.rules"
    variant.write_text(f'variant "renamed" of "{base}"\n  rename hand to fist\n')
    assert "fist" in said(load(variant)[0].setup)
    assert said(load(base)[0].setup) == before
    assert "hand" in before


def test_roles_and_options_of_two_players():
    program, _ = load(ROOT / "rulesets/variants/gorilla-2.6.rules")
    for seed in range(6):
        state = compile_game(program, 2).start(seed)
        assert 2 not in state.view(0).roles  # no prophet
    assert compile_game(program, 2).options["tricks"] == 3
    assert compile_game(program, 3).options["tricks"] == 4


def test_what_the_base_allows_is_not_told_of_the_variant(tmp_path):
    base = ROOT / "rulesets/last-leaf.rules"
    text = base.read_text(encoding="utf-8")
    named = tmp_path / "base.rules"
    pile = "places\n  # allow R0501 for a variant to come\n  heap  face up pile\n"
    named.write_text(re.sub(r"^places\n", pile, text, flags=re.M), encoding="utf-8")
    variant = tmp_path / "variant.rules"
    variant.write_text('variant "Plain" of "base.rules"\n  rename deck to pile_of_all\n')
    assert [item.code for item in load(variant)[1]] == []
