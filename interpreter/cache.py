"""Compiled code kept between runs, by content: of the ruleset, the options, and the engine itself.

A cache that can't be read or written is no error: the code is then made anew. Set `RULES_CACHE`
to a folder to keep it there, or to `off`.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import pickle
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import attrs

from interpreter.binding import Binding
from interpreter.compiled import Generated


def folder() -> Path | None:
    """Where things are kept; None where nothing is."""
    setting = os.environ.get("RULES_CACHE", "")
    if setting == "off":
        return None
    if setting:
        return Path(setting)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "card-rules"
    except RuntimeError:
        return None


@cache
def engine_key() -> str:
    """A hash of everything that shapes what is cached: the sources of both packages, and Python."""
    digest = hashlib.sha256(sys.version.encode())
    here = Path(__file__).resolve().parent
    for package in (here, here.parent / "dsl"):
        for path in sorted(package.rglob("*")):
            if path.suffix in (".py", ".lark"):
                stat = path.stat()
                digest.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def read(name: str) -> Any:
    """What was kept under a name, or None."""
    place = folder()
    if place is None:
        return None
    try:
        return pickle.loads((place / name).read_bytes())
    except Exception:  # damaged, old, unreadable: as if it were not there
        return None


def write(name: str, value: Any) -> None:
    """Keep a value; whole or not at all."""
    place = folder()
    if place is None:
        return
    try:
        place.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=place)
        with os.fdopen(handle, "wb") as out:
            out.write(pickle.dumps(value, protocol=5))
        os.replace(temporary, place / name)
    except (OSError, pickle.PicklingError):
        return


def cached_code(binding: Binding) -> tuple[Generated, Generated]:
    """The silent and the loud code of a bound Program."""
    text = repr(
        (
            binding.program.source_hash,
            binding.players,
            sorted(binding.options.items()),
            engine_key(),
        )
    )
    name = "code-" + hashlib.sha256(text.encode()).hexdigest()[:40]
    kept = read(name)
    if kept is not None:
        silent, loud = (
            attrs.evolve(g, codes=tuple(marshal.loads(c) for c in codes)) for g, codes in kept
        )
        return silent, loud
    from interpreter.codegen.module import generate  # not needed where the code is kept

    both = generate(binding)
    write(name, [(attrs.evolve(g, codes=()), [marshal.dumps(c) for c in g.codes]) for g in both])
    return both
