"""What the commands say to players, in English and Japanese."""

from __future__ import annotations

LANGUAGES = ("en", "ja")

_TEXTS: dict[str, tuple[str, str]] = {
    # the table
    "you": ("you", "あなた"),
    "bot": ("{bot}", "{bot}"),
    "player": ("player", "プレイヤー"),
    "role": ("role", "役割"),
    "cards": ("{n} cards", "{n}枚"),
    "card": ("1 card", "1枚"),
    "empty": ("empty", "なし"),
    "none": ("–", "–"),
    "endless": ("endless", "無限"),
    "known": ("you know of: {cards}", "わかっている札: {cards}"),
    "top": ("top: {card}", "一番上: {card}"),
    "table": ("table", "共通"),
    "yours": ("Your {place}", "あなたの{place}"),
    "since": ("What happened:", "これまで:"),
    # asking
    "turn of": ("{player}, {name}:", "{player}、{name}:"),
    "asked": ("{player}, {name}", "{player}、{name}"),
    "only": ("{player} {name}: {label} (the only option)", "{player} {name}: {label}(ほかになし)"),
    "numbers": ("Answer with one of: {labels}", "次から答えてください: {labels}"),
    "pass device": (
        "{player}'s choice. Press Enter when {player} is at the screen.",
        "{player}の番です。{player}が画面の前に来たら Enter を押してください。",
    ),
    "unclear": ("`{answer}` fits several: {labels}.", "「{answer}」では決まりません: {labels}。"),
    "unknown": (
        "`{answer}` is not among the options. Type a number, the beginning of its words, or ? "
        "for help.",
        "「{answer}」という選択肢はありません。番号か言葉の最初を入力してください(? で説明)。",
    ),
    "number": (
        "`{answer}` alone could be a number or a place in the list. Type one of: {labels}",
        "「{answer}」だけでは、数か何番目かがわかりません。どれかを入力してください: {labels}",
    ),
    "number in a script": (
        "{where}: `{answer}` alone could be a number or a place in the list of {question}; write "
        "one of: {labels}",
        "{where}: 「{answer}」だけでは、{question}の数か何番目かがわかりません。"
        "どれかを書いてください: {labels}",
    ),
    "in any order": (
        "Cards may be told in any order, for instance: {label}",
        "札はどの順でも入力できます。例: {label}",
    ),
    "by its words": (
        "Type a number, or the beginning of an option's words.",
        "番号か、選択肢の言葉の最初を入力してください。",
    ),
    "more options": (
        "      … and {n} more; `all` lists them.\n{how}",
        "      …ほかに{n}通り。「全部」ですべて表示します。\n{how}",
    ),
    "question": ("{player}'s choice `{name}`", "{player}の選択「{name}」"),
    "unclear in a script": (
        "{where}: `{answer}` fits several of the options of {question}: {labels}",
        "{where}: 「{answer}」では{question}の選択肢がひとつに決まりません: {labels}",
    ),
    "unknown in a script": (
        "{where}: `{answer}` is not among the options of {question}: {labels}",
        "{where}: 「{answer}」は{question}の選択肢にありません: {labels}",
    ),
    "another choice": (
        "{where}: this is not the choice asked, which is {question}",
        "{where}: いま求められている選択ではありません。求められているのは{question}です",
    ),
    "input ended": (
        "the input ended, but the game goes on with {question} (options: {labels})",
        "入力が終わりましたが、ゲームはまだ続きます。次は{question}です(選択肢: {labels})",
    ),
    "offered": ("Options: {labels}", "選択肢: {labels}"),
    "help": (
        "Answer with an option's number, or the beginning of its words.\n"
        "  u      take back your last choice\n"
        "  r      the rule behind this choice\n"
        "  why X  why X can or can't be chosen;  why  what can't, and by which rule\n"
        "  h      a hint\n"
        "  t      show the table again;  all  every option\n"
        "  s      save the game;  save FILE  save it there\n"
        "  g      keep the game so far as a golden trace\n"
        "  q      save and quit;  go on with: rules play --resume\n"
        "  ?      this help",
        "番号か、選択肢の言葉の最初を入力してください。\n"
        "  u 戻す    ひとつ戻す\n"
        "  r ルール  この選択のルールを見る\n"
        "  why X (なぜ X)  X が選べる理由、選べない理由;  why (なぜ)  選べないものとそのルール\n"
        "  h ヒント  おすすめの選択肢\n"
        "  t 場      場をもう一度見る;  全部 (all)  すべての選択肢を見る\n"
        "  s 保存    保存する;  save ファイル名  そこに保存する\n"
        "  g 手本    ここまでのゲームを手本の記録(ゴールデン)として残す\n"
        "  q 終わる  保存して終える;  続きは rules play --resume\n"
        "  ? 説明    この説明",
    ),
    "nothing to undo": ("There is no choice of yours to take back.", "戻せる選択はありません。"),
    "undone": ("Taken back.", "戻しました。"),
    "hint": ("Hint: {label}", "ヒント: {label}"),
    "saved": ("Saved: {path}", "保存しました: {path}"),
    "golden": ("Kept as a golden trace: {path}", "手本の記録として残しました: {path}"),
    "resume": ("Go on with: rules play {there}", "続き: rules play {there}"),
    "resumed": ("The game goes on where it was saved.", "保存したところから続けます。"),
    "no rule": ("No rule is known for this choice.", "この選択のルールはわかりません。"),
    # the end
    "over": ("The game is over.", "終わりです。"),
    "points": ("{n} points", "{n}点"),
    "point": ("1 point", "1点"),
    "winner": ("Winner: {players}", "勝者: {players}"),
    "winners": ("A draw between {players}", "引き分け: {players}"),
    "seed": (
        "Play this deal again: --seed {seed} --players {players}{options}",
        "同じ配りでもう一度: --seed {seed} --players {players}{options}",
    ),
    # events
    "shuffled": ("{place} is shuffled ({cards})", "{place}をシャッフル({cards})"),
    "moved": ("{source} → {target}: {cards}", "{source} → {target}: {cards}"),
    "paid": ("{source} pays {what} to {target}", "{source} → {target}: {what}"),
    "gained": ("{target} gains {what}", "{target}は{what}を得る"),
    "lost": ("{source} loses {what}", "{source}は{what}を失う"),
    "marked": ("{who}: {mark}", "{who}: {mark}"),
    "unmarked": ("{who}: no longer {mark}", "{who}: {mark}がなくなる"),
    "tracked": ("{name}: {value}", "{name}: {value}"),
    "roles": ("roles: {roles}", "役割: {roles}"),
    "revealed": ("{place} is shown: {cards}", "{place}を公開: {cards}"),
    "answers": ("{name}: {answers}", "{name}: {answers}"),
    "chose": ("{player} {name}: {label}", "{player} {name}: {label}"),
    "chose unseen": ("{player} {name}", "{player} {name}"),
    "nothing": ("nothing", "なし"),
    "yes": ("yes", "はい"),
    "no": ("no", "いいえ"),
}


COUNTERS = frozenset("点円枚個本両文銭票匹人回")
"""Names of tokens that are said behind the number: 3点, but 銀貨 3."""


class Words:
    """The texts in one language."""

    def __init__(self, lang: str = "en") -> None:
        self.lang = lang
        self._column = LANGUAGES.index(lang)

    def __call__(self, key: str, **values: object) -> str:
        text = _TEXTS[key][self._column]
        return text.format(**values) if values else text

    def cards(self, count: int) -> str:
        """How many cards."""
        return self("card") if count == 1 else self("cards", n=count)

    def points(self, count: int) -> str:
        """How many points."""
        return self("point") if count == 1 else self("points", n=count)

    def amount(self, count: int, token: str) -> str:
        """How many of a token."""
        from dsl.amounts import amount

        if self.lang == "en":
            return amount(count, token)
        return f"{count}{token}" if token in COUNTERS else f"{token} {count}"
