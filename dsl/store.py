"""Work kept between runs, by content. Used by `dsl.pipeline` and `interpreter.cache`.

What is kept has a name that says all it was made from (`key`), the program's own sources included,
so nothing is ever out of date. A store that can't be read or written is no error: the work is then
done anew. Set `RULES_CACHE` to a folder to keep things there, or to `off`.
"""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

KEPT_DAYS = 30
KEPT_FILES = 500
_SUM = hashlib.sha256().digest_size  # of what follows, in front
_OURS = ("code-", "program-", "new-")


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
    """A hash of everything that shapes what is kept: the sources of both packages, and Python."""
    digest = hashlib.sha256(sys.version.encode())
    root = Path(__file__).resolve().parent.parent
    for package in ("dsl", "interpreter"):
        _add_sources(digest, str(root / package))
    return digest.hexdigest()


def _add_sources(digest: Any, place: str) -> None:
    with os.scandir(place) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.name.endswith((".py", ".lark")):
            stat = entry.stat()
            digest.update(f"{entry.path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
        elif entry.is_dir() and entry.name != "__pycache__":
            _add_sources(digest, entry.path)


def key(kind: str, *made_from: object) -> str:
    """The name of something of a kind (`code`, `program`) that is made from these."""
    text = repr((made_from, engine_key()))
    return f"{kind}-{hashlib.sha256(text.encode()).hexdigest()[:40]}"


def read(name: str) -> Any:
    """What was kept under a name, or None."""
    place = folder()
    if place is None:
        return None
    collecting = gc.isenabled()
    gc.disable()  # thousands of small objects, none of them garbage
    try:
        content = memoryview((place / name).read_bytes())
        whole = hashlib.sha256(content[_SUM:]).digest() == content[:_SUM]
        return pickle.loads(content[_SUM:]) if whole else None
    except Exception:  # damaged, old, unreadable: as if it were not there
        return None
    finally:
        if collecting:
            gc.enable()


def write(name: str, value: Any) -> None:
    """Keep a value; whole or not at all."""
    place = folder()
    if place is None:
        return
    try:
        import tempfile  # only where something is written, to start quickly

        content = pickle.dumps(value, protocol=5)
        place.mkdir(parents=True, exist_ok=True)
        _tidy(place)
        handle, temporary = tempfile.mkstemp(prefix="new-", dir=place)
    except Exception:  # nowhere to keep it, or nothing that can be kept
        return
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(hashlib.sha256(content).digest() + content)
        os.replace(temporary, place / name)
    except OSError:
        _remove(temporary)


def _tidy(place: Path) -> None:
    """Make room: what is old goes, and the oldest of what is too many. Only our own files."""
    with os.scandir(place) as found:
        ours = [entry for entry in found if entry.name.startswith(_OURS) and entry.is_file()]
    aged = sorted(((_written(entry), entry.path) for entry in ours), reverse=True)
    oldest = time.time() - KEPT_DAYS * 24 * 60 * 60
    for index, (written, path) in enumerate(aged):
        if index >= KEPT_FILES - 1 or written < oldest:
            _remove(path)


def _written(entry: os.DirEntry[str]) -> float:
    try:
        return entry.stat().st_mtime
    except OSError:  # another run was quicker
        return 0.0


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        return
