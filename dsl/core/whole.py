"""The typed core: a whole game."""

from __future__ import annotations

import re

from attrs import field, frozen

from dsl.core.basics import Var
from dsl.core.bots import Bot
from dsl.core.declarations import (
    Action,
    Attribute,
    CardKind,
    Family,
    Holder,
    Hook,
    Mark,
    Names,
    OptionDecl,
    Phase,
    Place,
    Roles,
    ScoringLine,
    Shape,
    Track,
    Value,
    Winner,
)
from dsl.core.statements import Stmt


@frozen(eq=False, repr=False)
class Program:
    """One game, complete. Dicts keep declaration order."""

    title: Names
    sheet: str
    file: str
    source_hash: str  # sha256 of all the text it was made from
    players: tuple[int, int]
    options: dict[str, OptionDecl]
    attributes: dict[str, Attribute]
    kinds: dict[str, CardKind]
    places: dict[str, Place]
    holders: dict[str, Holder]
    tokens: dict[str, Names]
    marks: dict[str, Mark]
    tracks: dict[str, Track]
    roles: Roles | None
    shapes: dict[str, Shape]
    setup: tuple[Stmt, ...]
    setup_me: Var  # the first player, for `me` in setup
    phases: tuple[Phase, ...]
    phase_me: Var  # the first player, for `me` outside any turn
    values: dict[str, Value]
    actions: dict[str, Action]
    families: dict[str, Family]
    hooks: tuple[Hook, ...]
    scoring: tuple[ScoringLine, ...]
    winner: Winner
    labels: dict[str, Names]  # loop labels: round, turn, trick …
    choices: dict[str, Names]  # choice path -> its name, and `path/branch` -> the branch's
    prompts: dict[str, Names]  # choice path -> the question asked of a person
    moments: dict[str, Names]
    bots: dict[str, Bot]
    sources: dict[str, str]  # file -> text, for positions and listings
    examples: bytes = b""  # packed; `dsl.examples.examples_of` has them
    # words a variant renamed -> what its base calls them; chance goes by the old ones
    renamed: dict[str, str] = field(factory=dict)

    def older(self, text: str) -> str:
        """A path, a card or another text under the names it had before a variant renamed some."""
        if not self.renamed:
            return text
        return re.sub(r"\w+", lambda word: self.renamed.get(word[0], word[0]), text)
