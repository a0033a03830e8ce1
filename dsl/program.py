"""The typed core: what a ruleset means, with names resolved and sugar gone.

Written by `dsl.lower`; read by the engine, the documentation, coverage, the reference evaluator.
Everything here is immutable, first-order and free of the syntax that produced it. Options stay
symbolic (`OptionRef`), players are known only at binding. Nothing in this module knows any game.
Nodes have no `repr` of their own: making one for each class takes a third of the import.

Values at run time
    number        int; `ENDLESS` stands for "never runs out"
    truth         bool
    player        int, 0-based seat order; None is "nobody"
    enum value    int index into `Attribute.values`; -1 where a card has no such attribute
    role, shape   int index into `Program.roles.names` / `Program.shapes`; role None: no role
    card          a face (index into `Game.faces`) at a place instance; None is "no card"
    play          shape + the sorted faces that make it; None is "no play"
    collections   cards (faces with their places), players (tuple of int), enum values

Its parts stand in `dsl.core`; everyone takes them from here.
"""

from dsl.core.basics import *
from dsl.core.bots import *
from dsl.core.declarations import *
from dsl.core.expressions import *
from dsl.core.selections import *
from dsl.core.statements import *
from dsl.core.whole import *
