"""Blocks, comments, tags, continuation, full-width input, and the limits of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl import pipeline
from dsl.diagnostics import Findings
from dsl.layout import MAX_BYTES, Layout, Line, lay_out, read_text


def laid_out(text: str) -> tuple[Layout, list[str]]:
    findings = Findings()
    layout = lay_out(text, "x.rules", findings)
    return layout, [item.code for item in findings.items]


def outline(lines: tuple[Line, ...] | list[Line], depth: int = 0) -> list[str]:
    found = []
    for line in lines:
        found.append("  " * depth + " ".join(line.text.split()))
        found += outline(line.children, depth + 1)
    return found


def test_blocks_by_indentation_of_any_depth() -> None:
    layout, codes = laid_out("a\n    b\n        c\n    d\ne\n f\n")
    assert codes == []
    assert outline(layout.lines) == ["a", "  b", "    c", "  d", "e", "  f"]


def test_a_line_between_two_blocks() -> None:
    assert laid_out("a\n    b\n  c\n")[1] == ["R0105"]


def test_comments_survive_with_their_place() -> None:
    layout, _ = laid_out('a "#" # first\n# second\n')
    assert [(c.text, c.span.line, c.span.column) for c in layout.comments] == [
        ("# first", 1, 7),
        ("# second", 2, 1),
    ]
    assert outline(layout.lines) == ['a "#"']


def test_tags_of_all_lines_a_rule_is_written_on() -> None:
    layout, _ = laid_out("a,   [T1, T-R3]  # why\n  b  [T2]\n")
    (line,) = layout.lines
    assert [tag.text for tag in line.tags] == ["T1", "T-R3", "T2"]
    assert [(tag.span.line, tag.span.column) for tag in line.tags] == [(1, 7), (1, 11), (2, 7)]
    assert "[" not in line.text


@pytest.mark.parametrize(
    "text",
    [
        "a (b\nc)\n",
        "a,\n  b\n",
        "a =\n  b\n",
        "a +\n  b\n",
        "a and\n  b\n",
        "a or\n  b\n",
        "a ≤\n  b",
    ],
)
def test_lines_that_go_on(text: str) -> None:
    assert len(laid_out(text)[0].lines) == 1


def test_a_word_that_ends_in_or_does_not_go_on() -> None:
    layout, _ = laid_out("favor\n  b\n")
    assert outline(layout.lines) == ["favor", "  b"]


def test_full_width_input_counts_as_plain_and_keeps_columns() -> None:
    layout, codes = laid_out("ｐｈａｓｅ　手番　＃　説明\n　ｄｅａｌ　（１＋２）　［Ｔ１］\n")
    assert codes == []
    assert outline(layout.lines) == ["phase 手番", "  deal (1+2)"]
    tag = layout.lines[0].children[0].tags[0]
    assert (tag.text, tag.span.column) == ("T1", 14)


def test_what_stands_in_no_block_is_left_out() -> None:
    layout, codes = laid_out("a\n  b\n    c\n   d\n     e\n   f\n  g\nh\n")
    assert codes == ["R0105"]
    assert outline(layout.lines) == ["a", "  b", "    c", "  g", "h"]


def test_signs_of_japanese_keyboards() -> None:
    layout, codes = laid_out("ａ ≧ ≦ ＜ ＞ ＝ ＜＝ ＞＝ ！＝ ＋ － − × ÷ ＊ ／ ：\n")
    assert codes == []
    assert outline(layout.lines) == ["a ≥ ≤ < > = <= >= != + - - × ÷ * / :"]


def test_full_width_signs_in_texts_stay() -> None:
    layout, _ = laid_out('game "Ａ：（１）"  # １\n')
    assert layout.lines[0].text == 'game "Ａ：（１）"'
    assert layout.wide == 0


def test_full_width_signs_are_counted() -> None:
    layout, _ = laid_out('game ＂Ａ"\n　players ２..４\n')
    assert layout.wide == 4
    assert layout.first_wide is not None
    assert (layout.first_wide.line, layout.first_wide.column) == (1, 6)


def test_tabs_in_the_indentation() -> None:
    assert laid_out("a\n\tb\n")[1] == ["R0104"]


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_an_empty_file(text: str) -> None:
    assert laid_out(text)[1] == ["R0106"]


def test_a_line_too_long() -> None:
    layout, codes = laid_out(f"a\n{'b' * 10_001}\nc\n")
    assert codes == ["R0102"]
    assert outline(layout.lines) == ["a", "c"]


def test_too_many_blocks_inside_each_other() -> None:
    text = "".join(f"{' ' * depth}a\n" for depth in range(60))
    assert laid_out(text)[1] == ["R0102"]


def test_other_line_ends() -> None:
    assert outline(laid_out("a\r\n  b\r\nc\rd\n")[0].lines) == ["a", "  b", "c", "d"]


# ── files ──


def read(path: Path) -> tuple[str | None, list[str]]:
    findings = Findings()
    return read_text(path, findings), [item.code for item in findings.items]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert read(tmp_path / "nowhere.rules") == (None, ["R0101"])
    assert read(tmp_path) == (None, ["R0101"])
    (tmp_path / "binary").write_bytes(b"\x89PNG\0\0")
    assert read(tmp_path / "binary") == (None, ["R0103"])
    (tmp_path / "latin").write_bytes('game "Königsspiel"'.encode("latin-1"))
    assert read(tmp_path / "latin") == (None, ["R0103"])
    (tmp_path / "large").write_bytes(b"#" * (MAX_BYTES + 1))
    assert read(tmp_path / "large") == (None, ["R0102"])


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "bom").write_bytes(b"\xef\xbb\xbfgame")
    assert read(tmp_path / "bom") == ("game", [])


ODD = [
    b"",
    b"\xff\xfe\0",
    b"(" * 9_000,
    b"value a = " + b"not " * 2_000 + b"yes",
    b"a\n" * 5_000,
    b"\n".join(b" " * depth + b"if a" for depth in range(100)),
]


@pytest.mark.parametrize("data", ODD, ids=range(len(ODD)))
def test_nothing_a_person_can_write_breaks_the_front_end(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "odd.rules"
    path.write_bytes(data)
    program, diagnostics = pipeline.load(path)
    assert program is None
    assert diagnostics
