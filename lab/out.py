"""Rows of games and of measures as Parquet files, written while games are played.

Used by `rules sim --out`. Needs the extra `lab`. Rows are written in groups of a fixed size, in the
order of the games, so the file is the same to the byte for any number of workers, and memory stays
flat. A file appears under its name when it is complete; if the run is stopped, or the disk is full,
it holds the games that were finished.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lab.record import Block

GROUP = 4096  # rows written at once
FOOT = 1 << 16  # bytes that the end of a file may need besides its rows, at first


class Full(Exception):
    """There is no room for more rows; what was written before is kept."""


class Writer:
    """One Parquet file. `columns`: name -> type as pyarrow calls it."""

    def __init__(self, path: Path, columns: dict[str, str]) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        self.path = path
        self._whole = path.resolve()  # a link stays one
        self.rows = 0
        self._waiting: list[dict[str, Any]] = []
        self._schema = pa.schema([(name, getattr(pa, kind)()) for name, kind in columns.items()])
        self._table = pa.Table.from_pylist
        self._whole.parent.mkdir(parents=True, exist_ok=True)
        self._part = self._whole.with_name(f".{self._whole.name}.{os.getpid()}.part")
        self._file = open(self._part, "wb", buffering=0)  # noqa: SIM115
        self._writer = parquet.ParquetWriter(self._file, self._schema)
        self._groups = 0
        self._reserve(0)

    def add(self, rows: Sequence[dict[str, Any]]) -> None:
        """Add rows. Raises Full, after which the writer can only be closed."""
        self._waiting += rows
        while len(self._waiting) >= GROUP:
            self._write(self._waiting[:GROUP])
            del self._waiting[:GROUP]

    def _write(self, rows: list[dict[str, Any]]) -> None:
        table = self._table(rows, schema=self._schema)
        try:
            self._reserve(table.nbytes)
        except OSError as problem:
            if problem.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise
            self._waiting = []
            raise Full from problem
        self._writer.write_table(table, row_group_size=GROUP)
        self._groups += 1
        self.rows += len(rows)

    def _reserve(self, size: int) -> None:
        """Have room on the disk for so many bytes and the end of the file, before they are
        written: so a full disk is noticed while the file can still be finished."""
        foot = FOOT + 512 * len(self._schema) * (self._groups + 1)
        if hasattr(os, "posix_fallocate"):
            try:
                os.posix_fallocate(self._file.fileno(), self._file.tell(), size + foot)
            except OSError as problem:
                if problem.errno not in (errno.EOPNOTSUPP, errno.EINVAL):
                    raise

    def close(self) -> None:
        """Write what is left, and give the file its name. Raises Full if rows had to be left out
        (the file is there all the same)."""
        full = None
        try:
            if self._waiting:
                self._write(self._waiting)
        except Full as problem:
            full = problem
        try:
            self._writer.close()
            self._file.truncate(self._file.tell())
            self._file.close()
            os.replace(self._part, self._whole)
        except OSError:
            self.drop()
            raise
        if full is not None:
            raise full

    def drop(self) -> None:
        """Leave no file."""
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            self._part.unlink()


class Out:
    """The files of a run: PATH for games, and beside it NAME.measures.parquet for measures."""

    def __init__(self, path: Path, players: int, roles: Sequence[str], measures: bool) -> None:
        self.games = Writer(path, _game_columns(players, roles))
        self.measures: Writer | None = None
        if measures:
            beside = path.with_name(f"{path.stem}.measures{path.suffix or '.parquet'}")
            kinds = ("int64", "string", "string", "string", "int64")
            names = ("game", "measure", "player", "role", "value")
            self.measures = Writer(beside, dict(zip(names, kinds, strict=True)))
        self.full = False

    def __call__(self, block: Block) -> None:
        """Write a block's rows, unless the disk is full."""
        if self.full:
            return
        try:
            self.games.add(block.rows)
            if self.measures is not None:
                self.measures.add(block.measured)
        except Full:
            self.full = True

    def close(self) -> list[Writer]:
        """Complete the files; they hold all rows unless `full`."""
        files = [self.games, *([self.measures] if self.measures is not None else [])]
        for file in files:
            try:
                file.close()
            except Full:
                self.full = True
        return files

    def drop(self) -> None:
        self.games.drop()
        if self.measures is not None:
            self.measures.drop()


def _game_columns(players: int, roles: Sequence[str]) -> dict[str, str]:
    columns = {"game": "int64", "seed": "uint64"}
    columns |= dict.fromkeys(
        ("decisions", "options", "winners", "lead_changes", "made_up"), "int64"
    )
    columns["comeback"] = "bool_"
    for seat in range(1, players + 1):
        columns |= {f"bot_P{seat}": "string", f"points_P{seat}": "int64", f"won_P{seat}": "float64"}
    return columns | {f"points_{name}": "int64" for name in roles}
