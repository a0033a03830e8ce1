"""Compiled code kept between runs, by content: of the ruleset, the options, and the engine itself.

Used by `interpreter.game`; `dsl.store` says where things are kept and for how long.
"""

from __future__ import annotations

import marshal

import attrs

from dsl import store
from interpreter.binding import Binding
from interpreter.compiled import BotCode, Generated


def cached_code(binding: Binding) -> tuple[Generated, Generated]:
    """The silent and the loud code of a bound Program."""
    program, options = binding.program, sorted(binding.options.items())
    name = store.key("code", program.source_hash, program.file, binding.players, options)
    kept = store.read(name)
    if kept is not None:
        silent, loud = (
            attrs.evolve(g, codes=tuple(marshal.loads(code) for code in codes)) for g, codes in kept
        )
        return silent, loud
    from interpreter.codegen.module import generate  # not needed where the code is kept

    both = generate(binding)
    bare = [(attrs.evolve(g, codes=()), [marshal.dumps(code) for code in g.codes]) for g in both]
    store.write(name, bare)
    return both


def cached_bot(binding: Binding, name: str, slots: frozenset[str]) -> BotCode:
    """The code of one of the ruleset's bots, for States with these slots."""
    program, options = binding.program, sorted(binding.options.items())
    key = store.key("bot", program.source_hash, program.file, binding.players, options, name)
    kept = store.read(key)
    if kept is not None:
        bare, codes = kept
        made: BotCode = attrs.evolve(bare, codes=tuple(map(marshal.loads, codes)))
        return made
    from interpreter.codegen.bots import generate_bot  # not needed where the code is kept

    made = generate_bot(binding, program.bots[name], slots)
    store.write(key, (attrs.evolve(made, codes=()), [marshal.dumps(c) for c in made.codes]))
    return made
