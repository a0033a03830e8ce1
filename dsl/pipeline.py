"""From a file to a Program, in one straight line. The front end's only door for other packages."""

from __future__ import annotations

from pathlib import Path

from dsl import kept
from dsl.diagnostics import Diagnostic, Findings
from dsl.layout import read_text
from dsl.program import Program

VARIANTS = "variants"  # the folder of variants that come with the program


def load(
    path: str | Path, text: str | None = None, *, examples: bool = True
) -> tuple[Program | None, list[Diagnostic]]:
    """The Program of a ruleset and what there is to say about it; None if there are errors.

    `text` is taken instead of the file's, as an editor has it before saving. What a file holds is
    worked out once and kept; the passes are imported only where something is worked out. Whoever
    only plays needs no `examples`: then they may be missing, and what is wrong with them is not
    looked for.
    """
    findings = Findings()
    file = str(path)
    source = read_text(Path(path), findings) if text is None else text
    if source is None:
        return None, findings.in_order()
    known = kept.recall(file, source)
    if known is not None and (examples or known[0] is not None):
        return known
    if not examples and (known := kept.recall(file, source, "without examples")) is not None:
        return known
    from dsl.parse import parse

    ruleset = parse(source, file, findings, examples=examples)
    program = None
    if findings.errors and ruleset.variant is not None:
        from dsl.variant_blame import blame

        blame(ruleset, findings)
    if not findings.errors:
        from dsl.checks import check
        from dsl.declare import declare
        from dsl.lower import lower

        symbols = declare(ruleset, findings)
        program, context = lower(ruleset, symbols, findings)
        check(ruleset, program, context)
        rules = None if program is not None and findings.errors else context.rules
        if rules is not None and ruleset.examples:  # slips of bots are none of the examples'
            from dsl.lower_examples import with_examples

            program = with_examples(ruleset, rules, context)
    found = (None if findings.errors else program), findings.in_order()
    if text is None:
        others = ruleset.variant.files if ruleset.variant else ()
        less = "" if examples else "without examples"
        kept.keep(file, source, (*ruleset.sheets, *others), found, less)
    return found


def find(name: str) -> Path:
    """The file a name means: itself if there is one, else the ruleset of that name in the box."""
    path = Path(name)
    if path.exists() or path.name != name:
        return path
    return bundled_named(name) or path


def bundled_named(name: str) -> Path | None:
    """The bundled ruleset or variant of a name, with its ending or without."""
    for folder in (bundled_rulesets(), bundled_rulesets() / VARIANTS):
        for candidate in (name, f"{name}.rules"):
            bundled = folder / candidate
            if Path(candidate).name == candidate and bundled.is_file():
                return bundled
    return None


def bundled_names() -> list[str]:
    """The names of all bundled rulesets and variants."""
    folder = bundled_rulesets()
    return [path.name for place in (folder, folder / VARIANTS) for path in place.glob("*.rules")]


def bundled_rulesets() -> Path:
    """The folder of the rulesets that come with the program: beside this package, in the repository
    as in an installed wheel."""
    return Path(__file__).resolve().parent.parent / "rulesets"
