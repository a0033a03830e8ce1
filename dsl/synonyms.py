"""Words that people write for words of the language: those of other languages, of mathematics, of
Japanese rulebooks. One table, used wherever a message guesses what was meant.

Only messages are made from it: no ruleset is read by it. A name that a ruleset declares is never
looked up here, and a word is only offered where the line can be read with it.
"""

from __future__ import annotations

# In English, by the word of the language.
_ENGLISH = {
    "yes": "true",
    "no": "false",
    "nothing": "none null nil undefined",
    "players": "playercount",
    "options": "settings parameters configuration config",
    "places": "zones zone areas area board piles locations",
    "tokens": "resources counters money",
    "marks": "flags",
    "track": "variables variable vars var state remember",
    "shapes": "combinations melds",
    "setup": "preparation preparations start begin initial",
    "phase": "stage",
    "value": "define let",
    "action": "function procedure def",
    "scoring": "score scores count_points",
    "winner": "winning victory",
    "example": "test",
    "draw": "tie",
    "repeat": "loop",
    "each": "foreach",
    "leave": "break stop exit quit",
    "end": "continue skip",
    "=": "becomes",
    "reveal": "show",
    "nobody": "noone",
    "everyone": "everybody",
    "otherwise": "default",
}
# In Japanese, by the word of the language.
_JAPANESE = {
    "game": "ゲーム",
    "players": "プレイヤー プレーヤー 人数",
    "sheet": "ルールシート",
    "options": "オプション 設定",
    "cards": "カード",
    "places": "場所 置き場 置き場所",
    "tokens": "トークン コマ",
    "marks": "印 マーク",
    "track": "覚えておくこと 変数",
    "roles": "役割",
    "shapes": "役 組み合わせ",
    "setup": "準備 セットアップ",
    "phase": "フェイズ フェーズ 段階",
    "value": "値",
    "action": "アクション 手順 行動",
    "scoring": "得点計算 得点 スコア",
    "winner": "勝者 勝利",
    "example": "例",
    "bot": "ボット",
    "face up": "表向き 表",
    "face down": "裏向き 裏",
    "private": "非公開",
    "pile": "山",
    "hand": "手札",
    "row": "列",
    "each": "各",
    "player": "プレイヤー プレーヤー",
    "repeat": "繰り返す くり返す 繰り返し",
    "while": "あいだ 間",
    "times": "回",
    "as": "として",
    "if": "もし",
    "then": "なら",
    "else": "でなければ",
    "choose": "選ぶ 選択",
    "otherwise": "ほかになければ",
    "move": "移す 動かす 移動",
    "deal": "配る",
    "shuffle": "混ぜる シャッフル シャッフルする",
    "reveal": "公開 公開する",
    "give": "渡す",
    "take": "もらう",
    "gain": "得る",
    "lose": "失う",
    "end": "終わる 終了",
    "and": "と かつ",
    "or": "または",
    "not": "でない",
    "of": "の",
    "from": "から",
    "to": "へ に",
    "=": "は",
    "me": "自分",
    "nothing": "なし 無し",
    "nobody": "誰もいない",
    "yes": "はい",
    "no": "いいえ",
    "most": "最多 最大",
    "fewest": "最少 最小",
    "endless": "無限",
}
_NUMBERS = (
    ("zero", "零"),
    ("one", "一"),
    ("two", "二"),
    ("three", "三"),
    ("four", "四"),
    ("five", "五"),
    ("six", "六"),
    ("seven", "七"),
    ("eight", "八"),
    ("nine", "九"),
    ("ten", "十"),
    ("eleven", "十一"),
    ("twelve", "十二"),
)


def _by_word() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for table in (_ENGLISH, _JAPANESE):
        for meant, words in table.items():
            for word in words.split():
                found[word] = (*found.get(word, ()), meant)
    for number, names in enumerate(_NUMBERS):
        found |= {name: (str(number),) for name in names}
    return found


MEANT = _by_word()


def meant(word: str) -> tuple[str, ...]:
    """The words of the language, or the number, that a word may stand for; () if it is none of
    these."""
    return MEANT.get(word) or MEANT.get(word.lower(), ())
