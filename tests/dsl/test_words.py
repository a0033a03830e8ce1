"""The vocabulary, the grammar and the messages about lines speak of the same language."""

from __future__ import annotations

import json

import pytest

from dsl import slips, synonyms, table, vocabulary
from dsl.diagnostics import Findings
from dsl.layout import lay_out
from dsl.lexer import words_of
from dsl.parse import _Reader
from dsl.slip_example import SIGNS
from dsl.slip_examples import EXAMPLES
from dsl.suggest import nearest, singulars

SAID_WITH_OTHERS = {
    "of each": ("of", "each"),
    "if any": ("if", "any"),
    "up to": ("up", "to"),
    "by players": ("by", "players"),
}
NO_WORDS_OF_THEIR_OWN = {
    "player",
    "card",
    "play",
    "pile",
    "hand",
    "row",
    "endless",
    "draw",
    "points",
}
NO_WORDS_OF_THEIR_OWN |= {
    "one",
    "size",
    "owner",
    "holder",
    "left",
    "right",
    "strength",
    "others",
    "min",
    "max",
}
NO_WORDS_OF_THEIR_OWN |= {"me", "they", "them", "it", "nobody", "everyone", "yes", "seat", "shape"}


# Where the examples of words in rules may stand, apart from rules.
OF_A_RULE: dict[str, tuple[str, ...]] = {
    vocabulary.STATEMENT: (),
    vocabulary.OPERATOR: (),
    vocabulary.QUESTION: (),
    vocabulary.ORDER: (),
    vocabulary.CLAUSE: ("top", "branch"),
    vocabulary.VALUE: ("option_item",),
    vocabulary.TYPE: ("track_item",),
}
RULES = ("statement", "branch")


def grammar_words() -> set[str]:
    words = words_of(table.line_parser().terminals)
    return {word for word in words if word[0].isalpha()}


def test_every_word_of_the_grammar_is_described() -> None:
    known = set(vocabulary.BY_WORD)
    assert {word for word in grammar_words() if word not in known} == set()


def test_every_word_described_is_of_the_language() -> None:
    words = grammar_words()
    for word in vocabulary.WORDS:
        if word.word[0].isalpha() and word.word not in NO_WORDS_OF_THEIR_OWN:
            parts = SAID_WITH_OTHERS.get(word.word, (word.word,))
            assert word.word in words or all(part in words for part in parts), word.word


@pytest.mark.parametrize("word", vocabulary.WORDS, ids=lambda word: f"{word.where}-{word.word}")
def test_every_example_can_be_read(word: vocabulary.Word) -> None:
    if word.where in OF_A_RULE:
        forms = ("{}", "x = {}", "if {} then do nothing", "each {}")
        lines = [(form.format(word.example), "statement") for form in forms]
        lines += [(word.example, start) for start in OF_A_RULE[word.where]]
    else:
        lines = [(word.example, start) for start in table.STARTS if start not in RULES]
    assert any(slips.stop(line, start) is None for line, start in lines)
    assert word.word.split(" ")[0] in word.example or word.word.endswith("s")


@pytest.mark.parametrize(
    ("example", "line"),
    [(example, line) for example in EXAMPLES for line in example.lines],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_broken_lines_get_their_message(example: slips.Example, line: str) -> None:
    findings = Findings()
    (found,) = lay_out(line, "x.rules", findings).lines
    reader = _Reader(findings)
    assert reader.line(found, example.start) is None
    assert [item.code for item in findings.items] == [example.code]


@pytest.mark.parametrize(
    ("line", "start"),
    [
        ('leader ja "親" number', "track_item"),
        ('bid of player ja "宣言" number', "track_item"),
        ('hand of player ja "手札" private hand', "place_item"),
        ('first_one ja "最初" number or top', "option_item"),
        ('pair ja "ペア" 2 cards, same rank', "shape_item"),
        ('holder of king chooses show "which?" if any: card from hand', "statement"),
        ("gain size of top vp", "statement"),
        ("gain top(2) vp", "statement"),
        ("if top then mark top", "statement"),
        ("top = top + 1", "statement"),
        ("move top 2 of deck to top", "statement"),
        ("move top (top + 1) of deck to top of player", "statement"),
        ("move top top of deck to hand", "statement"),
    ],
)
def test_words_of_the_language_as_names(line: str, start: str) -> None:
    assert slips.stop(line, start) is None


def test_tables_are_of_this_grammar() -> None:
    kept = json.loads(table.TABLES.read_text(encoding="utf-8"))
    grammar = table.GRAMMAR.read_text(encoding="utf-8")
    made_with = kept["lark"]
    if made_with != table.lark.__version__:
        pytest.skip(f"the tables are made with Lark {made_with}")
    assert kept["made_from"] == table.origin(grammar), "run `python -m dsl.table`"


def test_tables_and_grammar_read_alike() -> None:
    anew = table.compile_grammar(table.GRAMMAR.read_text(encoding="utf-8"))
    for line in ("move first card in pile by highest number to hand if any", "if a then b else c"):
        text = f"1\n{line}"
        assert anew.parse(text, start="statement") == table.line_parser().parse(
            text, start="statement"
        )


def test_synonyms_are_of_words_of_the_language() -> None:
    words = set(vocabulary.BY_WORD) | {"bot", "face up", "face down", "times", "sheet"}
    for word, means in synonyms.MEANT.items():
        assert all(each in words or each.isdigit() for each in means), word
        assert word not in vocabulary.BY_WORD or word == "one"  # a number, and `one of each`


@pytest.mark.parametrize(
    ("line", "start", "said"),
    [
        ("プレイヤー 2..4", "game_item", "`players`"),
        ('ゲーム "お茶会"', "top", "`game`"),
        ("準備", "top", "`setup`"),
        ("もし 点 >= 3 then end game", "statement", "`if`"),
        ("移す it to 場", "statement", "`move`"),
        ("親 は 勝者", "statement", "`=`"),
        ("score", "top", "`scoring`"),
        ("deck ja 山札 face down pile", "place_item", '`ja "山札"`'),
        ("coin ja コイン of player 5", "token_item", '`ja "コイン"`'),
        ("phase turns ja 手番", "top", '`ja "手番"`'),
        ("draw-pile face down pile", "place_item", "`draw_pile`"),
        ("gold coin of player 0", "token_item", "`gold_coin`"),
        ("P1 go-home", "step_line", "`go_home`"),
    ],
)
def test_what_was_meant(line: str, start: str, said: str) -> None:
    findings = Findings()
    (found,) = lay_out(line, "x.rules", findings).lines
    assert _Reader(findings).line(found, start) is None
    (item,) = findings.items
    assert said in item.suggestion


def test_guesses_in_short_japanese_names() -> None:
    assert nearest("手扎", ["山札", "手札", "場"]) == "手札"
    assert nearest("手扎", ["手番", "手札", "場"]) is None


def test_guesses() -> None:
    names = ["hand", "deck", "discard", "treasury"]
    assert nearest("hnad", names) == "hand"
    assert nearest("tresury", names) == "treasury"
    assert nearest("discrad", names) == "discard"
    assert nearest("banana", names) is None
    assert nearest("hand", ["hand"]) is None


def test_singulars() -> None:
    assert "coin" in singulars("coins")
    assert "treasury" in singulars("treasuries")
    assert "thief" in singulars("thieves")
    assert "torch" in singulars("torches")
    assert singulars("s") == []


def test_many_kinds_of_slips_are_known() -> None:
    assert len({example.message for example in EXAMPLES}) >= 50
    assert len(SIGNS) >= 20
