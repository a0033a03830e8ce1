"""The blocks of a ruleset by path: what comparing two rulesets, and rulebooks, are made from."""

import pytest

from dsl.blocks import blocks
from dsl.diagnostics import RulesError
from dsl.pipeline import bundled_rulesets, load


@pytest.mark.parametrize("path", sorted(bundled_rulesets().glob("*.rules")), ids=lambda p: p.stem)
def test_every_path_of_the_program_is_a_block(path):
    program, _ = load(path)
    declared = (
        program.options, program.attributes, program.kinds, program.places, program.holders,
        program.marks, program.tracks, program.shapes, program.values, program.actions,
    )  # fmt: skip
    paths = {thing.origin.path for table in declared for thing in table.values()}
    paths |= {thing.origin.path for thing in (*program.hooks, *program.scoring, program.winner)}
    paths |= {e.origin.path for family in program.families.values() for e in family.effects}
    paths |= {phase.origin.path for phase in program.phases}
    assert paths | set(program.choices) <= set(blocks(path))


def test_a_block_is_its_lines_without_tags_comments_and_extra_blanks():
    found = blocks(bundled_rulesets() / "throne.rules")
    hold = found["phase turns/turn/hold"]
    assert (hold.kind, hold.name, hold.span.line) == ("way", "hold", 52)
    assert hold.text == (
        'hold ja "ホールド" when coins >= 1 or not hold_needs_coin\n  pay min(1, coins)'
    )
    assert hold.tags == ("T12", "T-R2")
    assert "#" not in found["action pay"].text


def test_what_a_single_way_does_is_no_way():
    assert "skill thief/mark" in (found := blocks(bundled_rulesets() / "throne.rules"))
    assert not [path for path in found if path.startswith("skill thief/mark/")]


def test_what_cannot_be_read_has_no_blocks():
    with pytest.raises(RulesError):
        blocks("x.rules", "game Nothing\n")
