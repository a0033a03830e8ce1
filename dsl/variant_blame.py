"""What is wrong because of a variant is said at the variant's own lines. Used by `dsl.pipeline`.

A fault may show in the text of the base: the variant took away what a rule there needs. Then the
line of the variant is the place of the finding, and the line of the base is shown beside it. What
the base is warned of by itself, or allows, is none of the variant's business.
"""

from __future__ import annotations

from attrs import evolve

from dsl import nodes as n
from dsl.diagnostics import Diagnostic, Findings, Related
from dsl.layout import lay_out
from dsl.lexer import split
from dsl.program import Span
from dsl.suggest import singulars


def blame(ruleset: n.Ruleset, findings: Findings) -> None:
    """Move findings from the base's lines to the variant's."""
    variant = ruleset.variant
    strangers = [d for d in findings.items if d.span is not None and d.span.file != ruleset.file]
    if variant is None or not strangers:
        return
    own = _of_the_base(variant) | {_key(item) for item in _allowed_there(ruleset, strangers)}
    moved: list[Diagnostic] = []
    for item in findings.items:
        span = item.span
        if span is None or span.file == ruleset.file:
            moved.append(item)
        elif _key(item) not in own:
            cause = _cause(item, variant)
            note = Related(span, "it shows here, in the base")
            moved.append(evolve(item, span=cause, related=(note, *item.related)))
        elif item.is_error:
            moved.append(item)
    findings.items[:] = moved


def _of_the_base(variant: n.Variant) -> set[tuple[str, str, Span | None]]:
    from dsl.pipeline import load

    _, found = load(variant.base)
    return {_key(item) for item in found}


def _allowed_there(ruleset: n.Ruleset, found: list[Diagnostic]) -> list[Diagnostic]:
    """Those findings that the files allow which a variant is made from."""
    from dsl.checks.allow import allowances, covers, is_sound

    files = {file: text for file, text in ruleset.sources.items() if file != ruleset.file}
    unheard = Findings()
    comments = [c for file, text in files.items() for c in lay_out(text, file, unheard).comments]
    sound = [a for a in allowances(files, comments) if is_sound(a, unheard)]
    return [item for item in found if any(covers(a, item) for a in sound)]


def _key(item: Diagnostic) -> tuple[str, str, Span | None]:
    return item.code, item.message, item.span


def _cause(item: Diagnostic, variant: n.Variant) -> Span:
    """The change that has most to do with a finding: the one that took away or changed what it
    names, else the only one there is, else the whole variant."""
    said = {piece.text for piece in split(_quoted(item.message), 1)}
    named = said | {form for word in said for form in singulars(word)}
    for change in variant.changes:
        if named & change.words:
            return change.span
    near = _nearest(item.span, variant)
    if item.code.startswith("R01") and near is not None:
        return near.span
    return variant.changes[0].span if len(variant.changes) == 1 else variant.head


def _nearest(span: Span | None, variant: n.Variant) -> n.Change | None:
    """The change of the line nearest to a place: what can't be read was made by it."""
    found = [
        (abs(line - span.line), at)
        for at, change in enumerate(variant.changes)
        for file, line in change.lines
        if span is not None and file == span.file
    ]
    return variant.changes[min(found)[1]] if found else None


def _quoted(message: str) -> str:
    """What stands between backticks."""
    return " ".join(message.split("`")[1::2])
