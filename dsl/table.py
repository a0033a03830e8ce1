"""The parser's tables, worked out ahead of time. Used by `dsl.parse`.

Working out the tables from `grammar.lark` takes longer than everything else a command does with a
ruleset, so they are kept in `grammar.json`. It is made by

    python -m dsl.table

and a test says when that is due. With a grammar or a Lark other than the one it was made with, the
tables are worked out anew: slower, and the same.
"""

from __future__ import annotations

import gc
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from dsl.lexer import LineLexer

STARTS = [
    "top",
    "game_item",
    "option_item",
    "card_item",
    "place_item",
    "token_item",
    "mark_item",
    "track_item",
    "ring_item",
    "roles_item",
    "shape_item",
    "scoring_item",
    "role_item",
    "bot_item",
    "preference",
    "bot_clause",
    "branch",
    "statement",
    "example_item",
    "fact_line",
    "step_line",
    "claim_line",
]
GRAMMAR = Path(__file__).with_name("grammar.lark")
TABLES = Path(__file__).with_name("grammar.json")


@cache
def line_parser() -> Any:
    """The parser of one logical line, from the tables if they fit."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    collecting = gc.isenabled()
    gc.disable()  # tens of thousands of small objects, none of them garbage
    try:
        kept = json.loads(TABLES.read_text(encoding="utf-8"))
        if kept["made_from"] == origin(grammar):
            return Lark.load(_revive(kept["tables"]))
    except (OSError, ValueError, KeyError, TypeError):
        pass  # no tables, or damaged ones: work them out
    finally:
        if collecting:
            gc.enable()
    return compile_grammar(grammar)


def compile_grammar(grammar: str) -> Any:
    return Lark(grammar, parser="lalr", lexer=LineLexer, start=STARTS, propagate_positions=True)


def origin(grammar: str) -> str:
    """What tables are made from: the grammar, what it is read with, and by which Lark."""
    text = "\n".join([grammar, *STARTS, lark.__version__])
    return hashlib.sha256(text.encode()).hexdigest()


def _revive(tables: Any) -> Any:
    """JSON has no numbers as keys and no classes; put them back."""
    data, memo = tables["data"], tables["memo"]
    table = data["parser"]["parser"]
    table["tokens"] = {int(key): token for key, token in table["tokens"].items()}
    table["states"] = {
        int(state): {int(token): tuple(action) for token, action in actions.items()}
        for state, actions in table["states"].items()
    }
    data["options"]["lexer"] = LineLexer
    data["parser"]["lexer_conf"]["lexer_type"] = LineLexer
    return {"data": data, "memo": {int(key): value for key, value in memo.items()}}


def tables_text() -> str:
    """The content of `grammar.json`. Lark numbers states as they come, so each time differently."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    data, memo = compile_grammar(grammar).memo_serialize([TerminalDef, Rule])
    tables = {"data": data, "memo": memo}
    made = {"made_from": origin(grammar), "lark": lark.__version__, "tables": tables}
    return json.dumps(made, default=lambda _: None, separators=(",", ":")) + "\n"


def main() -> None:
    """Write the tables anew, unless those there are fresh."""
    try:
        kept = json.loads(TABLES.read_text(encoding="utf-8"))["made_from"]
    except (OSError, ValueError, KeyError, TypeError):
        kept = ""
    if kept != origin(GRAMMAR.read_text(encoding="utf-8")):
        TABLES.write_text(tables_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
