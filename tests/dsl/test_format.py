"""The formatter's laws: formatting twice changes nothing, the text means the same, comments stay.

Layouts are mutated at random (indentation, blanks, blank lines, full-width forms, ends of lines,
comments) and have to come back to the same text.
"""

from __future__ import annotations

import io
import re
import sys
from functools import cache
from pathlib import Path
from random import Random

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.main import run
from dsl import pipeline
from dsl.diagnostics import Findings, RulesError
from dsl.format import formatted, said
from dsl.layout import Layout, Line, lay_out
from dsl.program import Origin, Program, Span

ROOT = Path(__file__).parents[2]
BUNDLED = sorted((ROOT / "rulesets").glob("*.rules"))
GAMES = [*BUNDLED, *sorted((ROOT / "tests/dsl/games").glob("*.rules")), ROOT / "tests/kuhn.rules"]
WRONG = sorted((ROOT / "tests/wrong").glob("*.txt"))
BROKEN = 'game   "Broken"\n  players 2\nsetup\n  shuffle hnad\n'


def laid_out(text: str) -> Layout:
    findings = Findings()
    layout = lay_out(text, "x.rules", findings)
    assert not findings.items
    return layout


@cache
def source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def loaded(path: Path, text: str) -> Program:
    program, found = pipeline.load(path, text)
    assert program is not None, found
    return program


def kept(path: Path) -> Program:
    """As loaded from the file, which other tests do too."""
    program, found = pipeline.load(path)
    assert program is not None, found
    return program


def meaning(node: object) -> object:
    """A Program as plain data, without places in the text."""
    if isinstance(node, Origin):
        return node.path, node.tags
    if isinstance(node, Span):
        return None
    if isinstance(node, dict):
        return [(meaning(key), meaning(value)) for key, value in node.items()]
    if isinstance(node, list | tuple):
        return [meaning(part) for part in node]
    if attrs.has(type(node)):
        names = [
            f.name for f in attrs.fields(type(node)) if f.name not in ("sources", "source_hash")
        ]
        return type(node).__name__, [(name, meaning(getattr(node, name))) for name in names]
    return node


# ── laws ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_bundled_rulesets_are_formatted(path: Path) -> None:
    assert source(path) == formatted(source(path)), f"`rules fmt rulesets/{path.name}`"


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_formatted_text_means_the_same(path: Path) -> None:
    text = messed_up(formatted(source(path)), Random(1))
    made = formatted(text)
    assert formatted(made) == made
    assert said(laid_out(made)) == said(laid_out(text))
    assert meaning(loaded(path, made)) == meaning(kept(path))


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_what_can_be_read_can_be_formatted(path: Path) -> None:
    text = source(path).partition("\n" + "-" * 40 + "\n")[0]
    try:
        made = formatted(text)
    except RulesError:
        return
    assert formatted(made) == made
    assert said(laid_out(made)) == said(laid_out(text))


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_any_layout_comes_back(path: Path, seed: int) -> None:
    text, random = source(path), Random(seed)
    if random.random() < 0.7:
        text = with_comments(formatted(text), random)
    made = formatted(text)
    assert formatted(made) == made
    assert said(laid_out(made)) == said(laid_out(text))
    assert formatted(messed_up(made, random)) == made


# ── mutations ────────────────────────────────────────────────────────────────────────────────


def with_comments(text: str, random: Random) -> str:
    """The text with comments inserted: above lines, at ends of lines."""
    lines = []
    for line in text.split("\n"):
        body = line.lstrip()
        if body and random.random() < 0.1:
            indent = " " * random.choice([len(line) - len(body), random.randrange(9)])
            lines += [f"{indent}# note {random.randrange(99)}"] + [""] * random.randrange(2)
        if body and "#" not in body and random.random() < 0.1:
            line += f'  #remark "{random.randrange(99)}", [T1]'
        lines.append(line)
    return "\n".join(lines)


class Mutator:
    """Writes a formatted text in another layout that means the same."""

    def __init__(self, text: str, random: Random):
        self.random = random
        layout = laid_out(text)
        self.lines = text.split("\n")
        self.comments = {c.span.line: c.span.column for c in layout.comments}
        self.goes_on: set[int] = set()
        self.heads: set[int] = set()
        for line in layout.lines:
            self.look_at(line)
        self.depths = [0]
        while len(self.depths) < 60:
            self.depths.append(self.depths[-1] + random.randrange(1, 6))
        self.wide = random.random() < 0.3

    def look_at(self, line: Line) -> None:
        count = line.text.count("\n")
        self.goes_on |= set(range(line.line + 1, line.line + count + 1))
        if line.children:
            self.heads.add(line.line + count)
        for child in line.children:
            self.look_at(child)

    def text(self) -> str:
        random, made = self.random, [""] * self.random.randrange(3)
        level = 0
        for number, line in enumerate(self.lines, 1):
            body = line.lstrip()
            if not body:
                starts_block = level > 0 and self.lines[number : number + 1] > [""]
                left_out = starts_block and self.lines[number][0] != " " and random.random() < 0.3
                made += [self.blanks(0)] * (0 if left_out else random.randrange(1, 4))
                continue
            if number in self.goes_on:
                made += [self.blanks(0)] * random.randrange(2)
                indent = self.depths[level] + random.randrange(1, 15)
            else:
                level = (len(line) - len(body)) // 2
                indent = self.depths[level]
            made.append(" " * indent + self.body(number, line, body) + self.blanks(0))
            made += [self.blanks(0)] * (number in self.heads and random.randrange(2))
        end = random.choice(["\n", "\r\n"])
        return end.join(made) + random.choice(["", end, end * 3])

    def blanks(self, least: int) -> str:
        count = self.random.choice([least, least, 1, 2, 7])
        return "".join(self.random.choice("  \t\u3000\u00a0") for _ in range(count))

    def body(self, number: int, line: str, body: str) -> str:
        column = self.comments.get(number)
        if column is None:
            return self.words(body)
        start = len(line) - len(body)
        words = self.words(line[start : column - 1].rstrip())
        return words + (self.blanks(0) if words else "") + line[column - 1 :]

    def words(self, text: str) -> str:
        made, before = "", ""
        for word in re.findall(r'"[^"]*"|[\w.-]+(?=[^\[]*\]$)|\d+\.\d+|\w+|\.\.|[<>!]=|\S', text):
            apart = bool(before and re.match(r"\w", before[-1]) and re.match(r"\w", word))
            made += self.blanks(apart) if before else ""
            made += self.widened(word)
            before = word
        return made

    def widened(self, word: str) -> str:
        if not self.wide or self.random.random() < 0.5:
            return word
        if word[0] == '"':
            return f"＂{word[1:-1]}＂"
        return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in word)


def messed_up(text: str, random: Random) -> str:
    return Mutator(text, random).text()


# ── examples ─────────────────────────────────────────────────────────────────────────────────

TAGS = " " * 62
EXAMPLES = {
    "calls, signs, ranges": (
        "value f ( a ,b ) of player=min(- 1,a*( b-1 ))+a - -b",
        "value f(a, b) of player = min(-1, a * (b - 1)) + a - -b\n",
    ),
    "keywords before parentheses": (
        "phase x\n    if not( a>1 )and a=f ( 2 )\n        draw(2)\n        take(a+1)coin from bank",
        "phase x\n  if not (a > 1) and a = f(2)\n    draw (2)\n    take (a + 1) coin from bank\n",
    ),
    "numbers below nothing": (
        "options\n  a - 5 in -9..-1\n  b by players 2:- 1,\n    3:-2",
        "options\n  a  -5  in -9..-1\n  b  by players 2: -1,\n     3: -2\n",
    ),
    "signs stay as written": ("value x = 2*3×4 != 5", "value x = 2 * 3 × 4 != 5\n"),
    "keys": ("winner most points ,then  fewest coins", "winner most points, then fewest coins\n"),
    "full-width": (
        "phase　ｐｌａｙ\n　ｄｒａｗ　２　　［Ｔ１，Ｔ２］　＃　ｘ",
        f"phase play\n  draw 2{TAGS}    [T1, T2]  ＃　ｘ\n",
    ),
    "columns": (
        'options\n rounds ja "局" 4 in 1 .. 8\n o -5 in -10..10\n x by players 2:9 ,3 : 11\n y no',
        'options\n  rounds ja "局"  4   in 1..8\n  o               -5  in -10..10\n'
        "  x               by players 2: 9, 3: 11\n  y               no\n",
    ),
    "columns end at a blank line": (
        "marks\n a\n\n b of player\ntrack\n top   play\n best_bidder player\n\n\n x number",
        "marks\n  a\n\n  b of player\n\n"
        "track\n  top          play\n  best_bidder  player\n\n  x  number\n",
    ),
    "kinds have no columns": (
        "cards\n suit a,b\n n 1..top\n card : 2 of each suit and n",
        "cards\n  suit  a, b\n  n     1..top\n  card: 2 of each suit and n\n",
    ),
    "lines that go on": (
        "cards\n suit a,  [T1]\n   b # last\n\nvalue x=(1\n\n # two\n+2)",
        f"cards\n  suit  a,{TAGS}  [T1]\n        b  # last\n\nvalue x = (1\n    # two\n    + 2)\n",
    ),
    "long lines": (
        f"action a\n  {'x' * 70}  [T1]\n  {'x' * 71} [T1]",
        f"action a\n  {'x' * 70}  [T1]\n  {'x' * 71}    [T1]\n",
    ),
    "comments in one column": (
        "action aa # one\n  draw 234 # two\n\n  draw 2 # three",
        "action aa   # one\n  draw 234  # two\n\n  draw 2  # three\n",
    ),
    "comments at the end of a block": (
        "action a\n    if x\n        draw 2\n        # in if\n\n     # in a\n# on b\naction b\n"
        "    c\n  # end",
        "action a\n  if x\n    draw 2\n    # in if\n\n  # in a\n\n# on b\naction b\n  c\n# end\n",
    ),
    "blank lines": (
        "\n\n# head\n\n\nvalue a = 1\nvalue b = 1\n\n\nvalue c = 1\naction d\n\n  e\n\n\n  f\n"
        "# g\naction g\n  h",
        "# head\n\nvalue a = 1\nvalue b = 1\n\nvalue c = 1\n\naction d\n  e\n\n  f\n\n"
        "# g\naction g\n  h\n",
    ),
    "texts": ('game "a  #\tb"# c\n  ja"　(,) "', 'game "a  #\tb"  # c\n  ja "　(,) "\n'),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    text, expected = EXAMPLES[name]
    assert formatted(text) == expected
    assert formatted(expected) == expected


def test_what_would_break_a_limit_is_told() -> None:
    text = f"action a\n  draw 2[T1]#{'x' * 9980}\n"
    with pytest.raises(RulesError, match="can't be formatted: then, this line has 10,"):
        formatted(text)


# ── the command ──────────────────────────────────────────────────────────────────────────────


@pytest.fixture()
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file whose layout is not canonical."""
    monkeypatch.chdir(tmp_path)
    path = Path("my.rules")
    path.write_text(messed_up(source(ROOT / "tests/kuhn.rules"), Random(1)), encoding="utf-8")
    return path


KUHN = formatted(source(ROOT / "tests/kuhn.rules"))


def test_rewrites_files_that_change(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game.chmod(0o640)
    Path("link.rules").symlink_to(game)
    assert run(["fmt", "link.rules", str(game)]) == 0
    assert capsys.readouterr().out == "link.rules: formatted\nmy.rules: fine\n"
    assert game.read_bytes() == KUHN.encode()
    assert game.stat().st_mode & 0o777 == 0o640
    assert Path("link.rules").is_symlink()
    assert sorted(path.name for path in Path().iterdir()) == ["link.rules", "my.rules"]


def test_byte_order_marks_and_line_ends_change(game: Path) -> None:
    for before in (b"\xef\xbb\xbf" + KUHN.encode(), KUHN.replace("\n", "\r\n").encode()):
        game.write_bytes(before)
        assert run(["fmt", "--check", str(game)]) == 1
        assert run(["fmt", str(game)]) == 0
        assert game.read_bytes() == KUHN.encode()


def test_check_writes_nothing(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = game.read_bytes()
    Path("good.rules").write_text(KUHN, encoding="utf-8")
    assert run(["fmt", "--check", "good.rules", str(game)]) == 1
    assert capsys.readouterr().out == "my.rules\n"
    assert run(["fmt", "--check", "good.rules"]) == 0
    assert capsys.readouterr().out == ""
    assert game.read_bytes() == before


def test_diff_writes_nothing(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = KUHN.replace("  rank  K", "  rank K").rstrip("\n")
    game.write_text(before, encoding="utf-8")
    assert run(["fmt", "--diff", str(game)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("--- my.rules\n+++ my.rules (formatted)\n@@ ")
    assert "\n-  rank K, Q, J, strongest first\n+  rank  K, Q, J, strongest first\n" in out
    assert "\n\\ No newline at end of file\n" in out
    assert game.read_text(encoding="utf-8") == before


def test_standard_input(
    game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def call(data: bytes, *args: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return run(["fmt", "-", *args]), *capsys.readouterr()

    assert call(game.read_bytes()) == (0, KUHN, "")
    assert call(game.read_bytes(), "--check") == (1, "<stdin>\n", "")
    assert call(KUHN.encode(), "--check") == (0, "", "")
    assert call(b"\xff")[:2] == (1, "")
    status, out, err = call(BROKEN.encode())
    assert (status, out) == (1, "")
    assert "error R0331: there is no place `hnad`\n  --> <stdin>:4:11\n" in err
    assert call(b"", "my.rules")[0] == 2


def test_a_file_with_errors_is_left_as_it_is(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = Path("bad.rules")
    bad.write_text(BROKEN, encoding="utf-8")
    assert run(["check", "bad.rules"]) == 1
    told = capsys.readouterr().out.rpartition("\n\n")[0]
    assert run(["fmt", "bad.rules", str(game)]) == 1
    out, err = capsys.readouterr()
    assert err.startswith(told)
    assert err.endswith("\n\nbad.rules: 3 errors, not formatted\n")
    assert out == "my.rules: formatted\n"
    assert bad.read_text(encoding="utf-8") == BROKEN
    bad.write_bytes(b"\xff\xfe")
    assert run(["fmt", "bad.rules"]) == 1


@pytest.mark.parametrize("args", [["nothing.rules"], [], ["."], ["--write", "my.rules"]])
def test_used_wrongly(game: Path, args: list[str]) -> None:
    assert run(["fmt", *args]) == 2
