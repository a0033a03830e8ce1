"""How many slips in a ruleset would be noticed: `python -m benchmarks.mutation [RULESET …]`.

Makes every mutant of a ruleset (`benchmarks.mutation_operators`: one word, number or sign changed,
or one line left out), and sees who catches it first:

    check     `rules check` finds an error, or a warning that was not there before
    traces    a golden trace plays otherwise, as in tests/test_golden.py; or the traces that are to
              be kept are of other settings
    examples  an example of the ruleset fails, as in `rules test`, or can't be read any more

What nobody catches may mean the same. That is so where the same Program comes out, or where
benchmarks/mutation_known.toml says why. All others are survivors; the file says of each why it is
not caught. `--write` writes docs/mutation.md.
"""

from __future__ import annotations

import argparse
import json
import os
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import attrs
from attrs import frozen

from benchmarks.mutation_operators import COUNTERPARTS, DROPPED, OPERATORS, Mutant, mutants
from dsl import pipeline
from dsl import program as p
from dsl.diagnostics import RulesError
from interpreter import compile_game
from interpreter.examples import run as run_examples
from interpreter.trace import run as tracing
from tests.test_golden import GOLDEN, Case, cases

ROOT = Path(__file__).resolve().parents[1]
RULESETS = ("throne", "gorilla", "last-leaf", "oh-hell")
KNOWN = Path(__file__).with_name("mutation_known.toml")
PAGE = ROOT / "docs" / "mutation.md"
STAGES = ("check", "traces", "examples")
WANTED = 0.95
CHUNK = 8


@frozen
class Verdict:
    """What became of a mutant: the stage that caught it and how, `same` (it means the same; why),
    or `survived` (why, where that is known)."""

    mutant: Mutant
    by: str
    why: str


@frozen
class Original:
    """A ruleset as it is, with all that mutants are compared with."""

    path: Path
    text: str
    program: p.Program
    warnings: Counter[str]
    shape: Any
    traces: Mapping[str, Case]


@cache
def original(name: str) -> Original:
    path = ROOT / "rulesets" / f"{name}.rules"
    text = path.read_text(encoding="utf-8")
    program, found = pipeline.load(path, without_examples(text))
    assert program is not None, found
    warnings = Counter(d.code for d in found)
    return Original(path, text, program, warnings, shape(program), cases(program, path.stem))


# ── meaning the same ─────────────────────────────────────────────────────────────────────────

_NO_MEANING = {"span", "origin", "file", "sources", "source_hash", "examples", "allowed"}


def shape(program: p.Program) -> Any:
    """A Program without where things stand: equal for texts that mean the same."""
    numbers: dict[int, int] = {}

    def of(node: Any) -> Any:
        if isinstance(node, p.Var):
            return numbers.setdefault(node.id, len(numbers)), of(node.type)
        if attrs.has(type(node)):
            fields = [a.name for a in attrs.fields(type(node)) if a.name not in _NO_MEANING]
            return type(node).__name__, tuple(of(getattr(node, name)) for name in fields)
        if isinstance(node, Mapping):
            return tuple((key, of(value)) for key, value in node.items())
        if isinstance(node, (tuple, list)):
            return tuple(map(of, node))
        if isinstance(node, (set, frozenset)):
            return tuple(sorted(map(repr, node)))
        return node

    return of(program)


# ── stages ───────────────────────────────────────────────────────────────────────────────────


class Differs(Exception):
    """A trace is not as it was kept."""


def judge(name: str, mutant: Mutant) -> Verdict:
    """Take a mutant through all stages."""
    kept = original(name)
    program, found = pipeline.load(kept.path, without_examples(mutant.text))
    new = Counter(d.code for d in found) - kept.warnings
    if program is None or new:
        return Verdict(mutant, "check", ", ".join(sorted(new)))
    if shape(program) == kept.shape:
        return Verdict(mutant, "same", "the same Program")
    differs = differing_trace(kept, program, few=is_same(name, mutant))
    if differs:
        return Verdict(mutant, "traces", differs)
    failed = failing_example(kept, mutant)
    if failed:
        return Verdict(mutant, "examples", failed)
    return Verdict(mutant, "survived", "")


def without_examples(text: str) -> str:
    """A ruleset's text with empty lines where its examples stand: rules alone are read faster."""
    lines, inside = [], False
    for line in text.split("\n"):
        if line[:1].strip():
            inside = line.startswith("example ")
        lines.append("" if inside else line)
    return "\n".join(lines)


def failing_example(kept: Original, mutant: Mutant) -> str:
    """The name of an example that fails, or that can't be read any more; empty if all hold."""
    program, found = pipeline.load(kept.path, mutant.text)
    if program is None:
        return ", ".join(sorted({d.code for d in found}))
    if not program.examples:
        return ""
    return next((result.name for result in run_examples(program) if not result.holds), "")


def differing_trace(kept: Original, program: p.Program, few: bool = False) -> str:
    """The first golden trace that comes out otherwise; empty if all are as they were. `few`: only
    those with the options as usual, which is enough to see that a reason given is no nonsense."""
    try:
        now = cases(program, kept.path.stem)
    except Exception:
        return "settings"
    if now != kept.traces:
        return "settings"
    for name, case in kept.traces.items():
        if few and case[1]:
            continue
        wanted = (GOLDEN / name).read_text(encoding="utf-8")
        fmt = "jsonl" if name.endswith(".jsonl") else "text"
        if not plays_as(program, case, wanted, fmt):
            return name.partition("/")[2]
    return ""


def plays_as(program: p.Program, case: Case, wanted: str, fmt: str = "text") -> bool:
    """Whether a game comes out as a trace says; stops where it does not."""
    players, options, seed = case
    at = 0

    def emit(text: str) -> None:
        nonlocal at
        if not wanted.startswith(text, at):
            raise Differs
        at += len(text)

    try:
        tracing.write(compile_game(program, players, options), emit, seed, fmt=fmt)
    except (Differs, RulesError):
        return False
    return at == len(wanted)


# ── what is known of those that nobody catches ───────────────────────────────────────────────


@cache
def known(name: str) -> tuple[dict[str, str], ...]:
    """What was found out by hand: entries with `line` (its text), `changes`, `is` ("same" or
    "survivor") and `why`."""
    with KNOWN.open("rb") as file:
        return tuple(tomllib.load(file).get(name, ()))


def is_same(name: str, mutant: Mutant) -> bool:
    """Whether a mutant is known to mean the same, with a reason."""
    verdict = explained(name, Verdict(mutant, "survived", ""))
    return verdict.by == "same"


def explained(name: str, verdict: Verdict) -> Verdict:
    """A survivor with its explanation, or taken to mean the same with the reason for that."""
    if verdict.by != "survived":
        return verdict
    line = said(name, verdict.mutant)
    for entry in known(name):
        if entry["line"] == line and verdict.mutant.change in entry["changes"]:
            by = "same" if entry["is"] == "same" else "survived"
            return attrs.evolve(verdict, by=by, why=entry["why"])
    return verdict


def said(name: str, mutant: Mutant) -> str:
    """The line that a mutant changes, as it is, without its tags."""
    line = original(name).text.split("\n")[mutant.line - 1].partition("  #")[0]
    head, bracket, _ = line.rpartition("[")
    return " ".join((head if bracket else line).split())


def stale(name: str, verdicts: Iterable[Verdict]) -> list[str]:
    """Entries that explain nothing any more."""
    there = {
        (said(name, v.mutant), v.mutant.change) for v in verdicts if v.by in ("survived", "same")
    }
    return [
        f"{entry['line']}: {change}"
        for entry in known(name)
        for change in entry["changes"]
        if (entry["line"], change) not in there
    ]


# ── running ──────────────────────────────────────────────────────────────────────────────────


def _judge(task: tuple[str, Mutant]) -> Verdict:
    return judge(*task)


def examine(name: str, processes: int, every: int = 1, keep: Path | None = None) -> list[Verdict]:
    """Judge all mutants of a ruleset (or each nth). `keep`: a file of verdicts; mutants that it
    says are caught or the same are not judged again, the others are, and it is gone on with."""
    kept = original(name)
    found = mutants(kept.text, kept.program)[::every]
    done = {} if keep is None else _kept(keep)
    keys = _keys(name, found)
    tasks = [(name, mutant) for mutant in found if keys[mutant] not in done]
    verdicts = [Verdict(mutant, *done[key]) for mutant, key in keys.items() if key in done]
    for verdict in _judged(tasks, processes):
        verdicts.append(verdict)
        if keep is not None:
            with keep.open("a", encoding="utf-8") as file:
                entry = [*keys[verdict.mutant], verdict.by, verdict.why]
                file.write(json.dumps(entry, ensure_ascii=False) + "\n")
    order = {mutant: at for at, mutant in enumerate(found)}
    verdicts.sort(key=lambda verdict: order[verdict.mutant])
    return [explained(name, verdict) for verdict in verdicts]


def _judged(tasks: Sequence[tuple[str, Mutant]], processes: int) -> Iterator[Verdict]:
    if processes == 1:
        yield from map(_judge, tasks)
        return
    with Pool(processes) as pool:
        yield from pool.imap_unordered(_judge, tasks, CHUNK)


Key = tuple[str, str, str, int]


def _keys(name: str, found: Iterable[Mutant]) -> dict[Mutant, Key]:
    """Mutants by ruleset, line, change, and which of the lines that read so."""
    times: Counter[tuple[str, str]] = Counter()
    keys = {}
    for mutant in found:
        change = said(name, mutant), mutant.change
        times[change] += 1
        keys[mutant] = (name, *change, times[change])
    return keys


def _kept(keep: Path) -> dict[Key, tuple[str, str]]:
    if not keep.exists():
        return {}
    entries = [json.loads(line) for line in keep.read_text(encoding="utf-8").splitlines()]
    return {
        (name, line, change, nth): (by, why)
        for name, line, change, nth, by, why in entries
        if by != "survived"
    }


@frozen
class Count:
    """The figures of a ruleset."""

    name: str
    mutants: int
    by: Mapping[str, int]

    @property
    def caught(self) -> int:
        return sum(self.by.get(stage, 0) for stage in STAGES)

    @property
    def judged(self) -> int:
        """All but those that mean the same."""
        return self.mutants - self.by.get("same", 0)

    @property
    def share(self) -> float:
        return self.caught / self.judged if self.judged else 1.0

    @property
    def play_share(self) -> float:
        """The share caught of those that check lets pass."""
        left = self.judged - self.by.get("check", 0)
        return (self.caught - self.by.get("check", 0)) / left if left else 1.0


def count(name: str, verdicts: Sequence[Verdict]) -> Count:
    return Count(name, len(verdicts), Counter(verdict.by for verdict in verdicts))


# ── telling ──────────────────────────────────────────────────────────────────────────────────


def table(counts: Sequence[Count]) -> Iterator[str]:
    yield "| ruleset | mutants | mean the same | check | traces | examples | survive | caught |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for c in counts:
        cells = [c.by.get(key, 0) for key in ("same", *STAGES, "survived")]
        yield f"| {c.name} | {c.mutants} | {' | '.join(map(str, cells))} | {c.share:.1%} |"


def by_operator(verdicts: Sequence[Verdict]) -> Iterator[str]:
    yield "| operator | mutants | mean the same | check | traces | examples | survive |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for operator in OPERATORS:
        mine = [v for v in verdicts if v.mutant.operator == operator]
        by = Counter(v.by for v in mine)
        cells = [by[key] for key in ("same", *STAGES, "survived")]
        yield f"| {operator} | {len(mine)} | {' | '.join(map(str, cells))} |"


def listed(name: str, verdicts: Iterable[Verdict], by: str) -> Iterator[str]:
    """Mutants with the reasons given for them: line, change, reason."""
    reasons: dict[str, list[Mutant]] = {}
    for verdict in verdicts:
        if verdict.by == by and verdict.why != "the same Program":
            reasons.setdefault(verdict.why, []).append(verdict.mutant)
    for why, found in reasons.items():
        yield f"- {why or '**not explained yet**'}"
        yield ""
        yield "  ```text"
        line = ""
        for mutant in found:
            if said(name, mutant) != line:
                line = said(name, mutant)
                yield f"  {mutant.line}: {line}"
            yield f"       {mutant.change}"
        yield "  ```"
        yield ""


def page(found: Mapping[str, Sequence[Verdict]], every: int = 1) -> str:
    """docs/mutation.md."""
    part = "" if every == 1 else f"This is a sample: one in {every} of all mutants.\n"
    lines = [HEAD.replace("--write", "--write" if every == 1 else f"--every {every} --write")]
    lines += [
        *([part] if part else []),
        *table([count(name, verdicts) for name, verdicts in found.items()]),
        "",
    ]
    lines += [
        "Of the mutants that `rules check` lets pass and that mean something else, examples and"
    ]
    lines += ["traces catch:", ""]
    for name, verdicts in found.items():
        lines.append(f"- {name}: {count(name, verdicts).play_share:.1%}")
    lines += ["", "## Operators", "", "| operator | |", "| --- | --- |"]
    lines += [f"| {name} | {about} |" for name, about in OPERATORS.items()]
    words = ", ".join(f"`{one}` `{other}`" for one, other in COUNTERPARTS)
    lines += ["", f"Counterparts: {words}.", ""]
    lines += [f"May be left out: {', '.join(f'`{word}`' for word in DROPPED)}.", ""]
    lines += by_operator([v for verdicts in found.values() for v in verdicts])
    for name, verdicts in found.items():
        lines += ["", f"## {name}", "", "### Survivors", ""]
        lines += list(listed(name, verdicts, "survived")) or ["None.", ""]
        same = list(listed(name, verdicts, "same"))
        alike = sum(v.by == "same" and v.why == "the same Program" for v in verdicts)
        lines += ["### Mean the same", ""]
        lines += [f"{alike} give the same Program.", "", *same]
    return "\n".join(lines).rstrip() + "\n"


HEAD = """# Mutants: would a slip be noticed?

Made by `python -m benchmarks.mutation --write`; not written by hand.

Every ruleset is changed in one place at a time, as a slip of the hand might change it: a number
one larger, `most` for `fewest`, one place for another, a line left out. For each of these mutants
it is seen who notices first, in this order: `rules check`; the golden traces in tests/golden
(`rules trace --check`; one for each number of players, one for each end of an option's range, and
some with unusual settings, played by steady bots); the examples in the ruleset (`rules test`).

Examples and bots themselves are not changed: they are no rules.

Mutants that mean the same as the ruleset can't be noticed, and are left out of the share: those
that give the same Program, and those that are shown to mean the same, each with the reason.
"""


def as_json(found: Mapping[str, Sequence[Verdict]]) -> str:
    return json.dumps(
        {
            name: [
                {
                    "line": v.mutant.line, "operator": v.mutant.operator,
                    "change": v.mutant.change, "by": v.by, "why": v.why,
                }
                for v in verdicts
            ]
            for name, verdicts in found.items()
        },
        ensure_ascii=False, indent=1,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help="all four, if none")
    parser.add_argument("--every", type=int, default=1, help="only each nth mutant")
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument(
        "--keep", type=Path, help="keep verdicts in this file, and go on from what it holds"
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="write docs/mutation.md")
    args = parser.parse_args()
    os.environ["RULES_CACHE"] = "off"  # thousands of rulesets nobody will ask for again
    names = [name.removesuffix(".rules") for name in args.rulesets] or list(RULESETS)
    found = {name: examine(name, args.processes, args.every, args.keep) for name in names}
    if args.json:
        print(as_json(found))
    elif args.write:
        PAGE.write_text(page(found, args.every), encoding="utf-8")
    else:
        print("\n".join(table([count(name, verdicts) for name, verdicts in found.items()])))
        for name, verdicts in found.items():
            print(f"\n{name}: survivors\n")
            print("\n".join(listed(name, verdicts, "survived")))
    bad = [name for name, verdicts in found.items() if count(name, verdicts).share < WANTED]
    old = [] if args.every > 1 else [e for n, v in found.items() for e in stale(n, v)]
    for entry in old:
        print(f"no longer so in mutation_known.toml: {entry}")
    if bad or old:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
