"""How long reading and checking takes: `python -m benchmarks.frontend [--lines 5000]`.

Measures processor time, so that what else runs does not count, each at its best of several runs:

- checking a made ruleset of so many lines, with many jobs, skills, values, options and actions;
- the same with slips in it, and some bad files: how long a thousand lines take;
- `rules check` of the largest bundled ruleset as a process, read anew and known from before.

Status 1 if one takes longer than it may: 3 s for 5,000 lines, 1 s for 1,000 lines of a bad file,
0.6 s for the process.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from dsl import pipeline
from dsl.diagnostics import render_text
from dsl.format import formatted
from rulesets import FOLDER

FILE = "made.rules"
WHOLE, THOUSAND, PROCESS = 3.0, 1.0, 0.6  # seconds
MOST_JOBS = 320  # of which three copies each are about as many cards as a game may have

HEAD = """\
game "Guilds"
  players 3..5

places
  deck             face down pile
  discard          face up pile
  hand of player   private hand
  court of player  face up row

tokens
  coin of player    20
  coin in treasury  20, at most 90
  vp of player      0

marks
  guarded of player

setup
  shuffle all cards into deck
  deal 3 from deck to every hand

phase turns
  repeat turns as round
    each player as turn
      unmark guarded
      draw 1
      choose turn
        hold when coins >= 1
          give 1 coin to treasury
        play card from hand
          move it to court
          apply skill of its job

action draw n
  repeat n
    if deck is empty then shuffle discard into deck
    if deck is not empty then move top of deck to hand

value weight of player = sum of number of job over cards in court
"""
TAIL = """
scoring
  points_kept = vp + coins

winner most points, then draw
"""
SKILLS = (
    """
skill {job}
  choose raid_{n} if any: card from every court where owner is not guarded and owner is not me
    move it to discard
    gain {option} vp
  if favour_{n} > {small} then draw 1
""",
    """
skill {job}
  choose tithe_{n}: number 0..min({option}, coins)
    repeat it
      give up to 1 coin to treasury
      gain 1 vp
  run_{n} {small}
""",
    """
skill {job}
  choose victim_{n} if any: player in others where not guarded and coins > {small}
    take up to {option} coins from them
    if weight of them > favour_{n} then gain 1 vp
    else if coins of them = 0
      mark guarded
""",
    """
skill {job}
  draw {small}
  choose discarding_{n} if any: 2 cards from hand
    move them to discard
  each p in others where favour_{n} of p > {option}
    move up to 1 coin from p to treasury
""",
)
VALUE = """
value favour_{n} of player = {small} × count of cards in court where job = {job} or
    number of job > {option} + (if guarded then {small} else 0)
"""
ACTION = """
action run_{n} times
  repeat times
    if treasury >= {option} and not guarded
      take up to {small} coins from treasury
    else
      lose min(vp, {small}) vp
"""


def ruleset(lines: int, seed: int = 1) -> str:
    """A ruleset of about so many lines that has nothing wrong with it but unused options."""
    chance = random.Random(seed)
    jobs = min(MOST_JOBS, max(4, lines // 18))
    names = [f"job{n}" for n in range(jobs)]
    listed = [f"{name} {chance.randint(1, 90)}" for name in names]
    rows = [", ".join(listed[at : at + 6]) for at in range(0, jobs, 6)]
    parts = [HEAD, "\ncards\n  job  ", ",\n       ".join(rows), "\n  job_card: 3 of each job\n"]
    options = ["\noptions\n  turns  5  in 1..8\n"]
    for n, job in enumerate(names):
        option = f"limit_{n}"
        options.append(f"  {option}  {chance.randint(1, 3)}  in 1..9\n")
        words = {"n": n, "job": job, "option": option, "small": chance.randint(1, 2)}
        parts.append(SKILLS[n % len(SKILLS)].format(**words))
        parts.append(VALUE.format(**words))
        if n % len(SKILLS) == 1:
            parts.append(ACTION.format(**words))
    made = "".join([*parts, *options])
    more = "".join(_more(chance, names, lines - made.count("\n") - TAIL.count("\n")))
    return made + more + TAIL


def _more(chance: random.Random, jobs: list[str], lines: int) -> Iterator[str]:
    """A phase with further rules, to fill up to so many lines."""
    if lines <= 2:
        return
    yield "\nphase more\n"
    left = lines - 2
    while left >= 6:
        job, other = chance.sample(jobs, 2)
        number = jobs.index(job)
        yield f"  each player by most favour_{number}, then fewest coins, then seat\n"
        yield f"    if any card in court where job = {other} and number of job < limit_{number}\n"
        yield f"      gain count of cards in hand where job = {job} vp\n"
        yield "    else\n"
        yield f"      give up to limit_{number} coins to treasury\n"
        yield f"      if favour_{number} > 3 then draw 1\n"
        left -= 6


def with_slips(text: str, seed: int = 2) -> str:
    """The ruleset with one letter taken out of every tenth line."""
    chance = random.Random(seed)
    lines = text.split("\n")
    for at in range(0, len(lines), 10):
        if line := lines[at].rstrip():
            spot = chance.randrange(len(line))
            lines[at] = line[:spot] + line[spot + 1 :]
    return "\n".join(lines)


def names_unknown(text: str) -> str:
    """The ruleset with a line behind each `draw 1` that names what doesn't exist."""
    parts = text.split("then draw 1\n")
    lines = [f"then draw 1\n    move foo_{n} to bar_{n}\n" for n in range(len(parts))]
    return "".join(part + line for part, line in zip(parts, lines, strict=True))


def check(text: str) -> None:
    found = pipeline.load(FILE, text)[1]
    render_text(found, {FILE: text})


def best(task: Callable[[], None], times: int = 3) -> float:
    """The shortest of several runs, in seconds of processor time, processes it starts included."""
    taken = []
    for _ in range(times):
        start = os.times()
        task()
        end = os.times()
        taken.append(sum(end[:4]) - sum(start[:4]))
    return min(taken)


def told(what: str, seconds: float, limit: float) -> bool:
    """Print a line of the table; whether it took no longer than it may."""
    verdict = "" if seconds <= limit else "  TOO LONG"
    print(f"{what:56} {seconds:7.3f} s   (at most {limit:.2f} s){verdict}")
    return seconds <= limit


def processes(home: str) -> Iterator[tuple[str, float]]:
    """`rules check` of the largest bundled ruleset."""
    largest = max(FOLDER.glob("*.rules"), key=lambda path: path.stat().st_size)
    code = (
        "import sys; from cli.main import main; sys.argv = ['rules', 'check', sys.argv[1]]; main()"
    )
    command = [sys.executable, "-c", code, str(largest)]

    def run(cache: str) -> None:
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        subprocess.run(command, check=True, capture_output=True, env=environment)

    yield f"rules check {largest.name}, read anew", best(lambda: run(tempfile.mkdtemp(dir=home)), 5)
    run(home)
    yield f"rules check {largest.name}, known from before", best(lambda: run(home), 5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--lines", type=int, default=5000, help="of the made ruleset")
    parser.add_argument("--write", type=Path, help="write the made ruleset there, and stop")
    given = parser.parse_args()
    text = ruleset(given.lines)
    if given.write is not None:
        given.write.write_text(text, encoding="utf-8")
        return
    lines = text.count("\n")
    fine = [told(f"{lines} lines, check", best(lambda: check(text)), WHOLE * lines / 5000)]
    bad = {
        "formatted": lambda: formatted(text, FILE),
        "with slips in a tenth of the lines": lambda: check(with_slips(text)),
        "with many unknown names": lambda: check(names_unknown(text)),
        "that are no ruleset": lambda: check("foo bar baz quux\n" * lines),
        "of statements that can't be read": lambda: check("setup\n" + "  moev it to x\n" * lines),
        "in one block each": lambda: check("opitons\n  x 5\n" * (lines // 2)),
        "of open parentheses": lambda: check("setup\n" + "  x = ((1\n" * lines),
    }
    for what, task in bad.items():
        fine.append(told(f"1000 lines {what}", best(task, 2) / lines * 1000, THOUSAND))
    with tempfile.TemporaryDirectory() as home:
        fine += [told(what, seconds, PROCESS) for what, seconds in processes(home)]
    sys.exit(0 if all(fine) else 1)


if __name__ == "__main__":
    main()
