"""Makes `docs/balance.md` anew: `python -m benchmarks.balance --write [--out F] [--workers N]`.

Runs every command of `benchmarks.balance_cells` that F has no result of, and puts what they found
into the template `docs/balance/page.md`. Each result is written to F when it is there, so the run
can be stopped and started again. A result counts as long as the command, the text of its rulesets
and, where bots search, the sources of these are the same; after a change of the engine take another
F. All commands together take some half an hour on one core.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.balance_cells import PARTS, VERSIONS, Cell, cells
from benchmarks.balance_tables import TABLES, commands

ROOT = Path(__file__).parent.parent
HERE = ROOT / "docs" / "balance"
TEMPLATE = HERE / "page.md"
PAGE = ROOT / "docs" / "balance.md"
KEPT = Path(tempfile.gettempdir()) / "balance.jsonl"
MADE = "<!-- Made by `python -m benchmarks.balance --write` from docs/balance/page.md. -->\n\n"

SLOT = r"\{\{(.+?)\}\}"
"""Where something is put in: `{{table NAME}}`, `{{commands CELLS}}`."""

Results = dict[str, Any]
"""What each cell's command found, by the cell's name: the JSON that the command prints."""


def script(version: str) -> str:
    """A variant of a version with all that the author's script does differently: what stands in
    the files of PARTS, one below the other."""
    lines = [
        "# All that the author's script does differently. Made by `python -m benchmarks.balance`",
        "# from the files that have one difference each.",
        "",
        f'variant "{version} script" of "../../rulesets/variants/gorilla-{version}.rules"',
    ]
    for part in PARTS:
        own = HERE / f"{part}-2.6.rules"  # with two players the ring is another from 2.6 on
        chosen = own if version >= "2.6" and own.exists() else HERE / f"{part}.rules"
        text = chosen.read_text(encoding="utf-8")
        lines += [line for line in text.splitlines() if line.startswith(" ")]
    return "\n".join(lines) + "\n"


def script_file(version: str) -> Path:
    return HERE / f"script-{version}.rules"


def run(words: list[str]) -> str:
    """What `rules` prints for these words. Raises SystemExit if it does not end well."""
    command = [sys.executable, "-m", "cli.main", *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode:
        raise SystemExit(f"rules {shlex.join(words)}: status {done.returncode}\n{done.stderr}")
    return done.stdout


@cache
def text_of(ruleset: str) -> str:
    return run(["expand", ruleset])


def key(cell: Cell) -> str:
    """Of the command, all the text of its rulesets, and the sources of bots that search."""
    made = hashlib.sha256(cell.command.encode())
    if cell.searches:
        for path in sorted((ROOT / "lab" / "bots").glob("*.py")):
            made.update(path.read_bytes())
    for name in cell.rulesets:
        made.update(text_of(name).encode())
    return made.hexdigest()


def kept(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return {entry["key"]: entry["data"] for entry in map(json.loads, lines)}


def collect(path: Path, workers: int, only: str) -> Results:
    """The results of all cells whose names begin with `only`, run where `path` lacks them."""
    known = kept(path)
    found: Results = {}
    for cell in cells():
        here = key(cell)
        if here not in known and cell.name.startswith(only):
            began = time.perf_counter()
            told = run([*cell.words, "--format", "json", "--workers", str(workers)])
            known[here] = json.loads(told)
            known[here].pop("points", None)
            with path.open("a", encoding="utf-8") as out:
                out.write(json.dumps({"key": here, "cell": cell.name, "data": known[here]}) + "\n")
            took = time.perf_counter() - began
            print(f"{cell.name}: rules {cell.command} ({took:.0f} s)", file=sys.stderr)
        if here in known:
            found[cell.name] = known[here]
    return found


def render(results: Results) -> str:
    """The page: the template, with tables and commands put in."""

    def put(found: re.Match[str]) -> str:
        kind, _, name = found[1].partition(" ")
        return commands(name) if kind == "commands" else TABLES[name](results)

    text = TEMPLATE.read_text(encoding="utf-8")
    return MADE + re.sub(SLOT, put, text)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    parser.add_argument("--out", type=Path, default=KEPT, help="results; gone on with if there")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", default="", help="only cells whose name begins so")
    args = parser.parse_args()
    os.chdir(ROOT)
    for version in VERSIONS:
        script_file(version).write_text(script(version), encoding="utf-8")
    try:
        found = collect(args.out, args.workers, args.only)
    except KeyboardInterrupt:
        raise SystemExit("stopped; started again, it goes on from here") from None
    if args.write:
        missing = [cell.name for cell in cells() if cell.name not in found]
        if missing:
            raise SystemExit("no results yet of " + ", ".join(missing))
        PAGE.write_text(render(found), encoding="utf-8")


if __name__ == "__main__":
    main()
