"""`# allow R0501 reason`: warnings a designer has looked at and wants to hear no more of.

Runs after all other checks, as it takes away what they found. A comment behind a rule speaks of
its line; one on a line of its own speaks of the next line that has a rule on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from attrs import frozen

from dsl import codes
from dsl.diagnostics import ERROR, Diagnostic, Findings
from dsl.layout import PLAIN_FORMS, Comment
from dsl.program import Span
from dsl.suggest import did_you_mean

ALLOWED = "R05"  # the hundred of warnings
USELESS, NO_REASON, NO_WARNING = "R0521", "R0522", "R0523"
OWN = (USELESS, NO_REASON, NO_WARNING)
# a comment that begins with `allow` and goes on with a code; all others are prose
_ALLOW = re.compile(
    r"#\s*allow(?:\s*:\s*|\s+)(?P<code>[Rr]\d\w*|\d{3,5})\b[\s:,.–—-]*(?P<reason>.*)"
)
NEAR = 3  # lines; an allowance this far from the warning has most likely been moved from it
_FORM = "`# allow R0501 kept for the next version`"


@frozen(eq=False)
class Allowance:
    """`code` may be found on this line, because of `reason`."""

    code: str
    reason: str
    span: Span
    line: int


def allowances(sources: Mapping[str, str], comments: Iterable[Comment]) -> list[Allowance]:
    """The allowances of a ruleset, sound or not. `sources`: the texts of its files."""
    texts = {
        file: text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for file, text in sources.items()
    }
    found = []
    for comment in comments:
        match = _ALLOW.match(comment.text.translate(PLAIN_FORMS))
        if match is None:
            continue
        line, column = comment.span.line, comment.span.column
        source = texts[comment.span.file]
        if not source[line - 1][: column - 1].strip():
            line += 1
            while line <= len(source) and _holds_no_rule(source[line - 1]):
                line += 1
        code = match["code"].upper()
        code = code if code.startswith("R") else f"R{code:>04}"
        end = column + len(comment.text.rstrip())
        span = Span(comment.span.file, comment.span.line, column, comment.span.line, end)
        found.append(Allowance(code, match["reason"].strip(), span, line))
    return found


def _holds_no_rule(line: str) -> bool:
    bare = line.strip()
    return not bare or bare[0] in "#＃"


def take_allowed(
    sources: Mapping[str, str], comments: Iterable[Comment], findings: Findings, ran: bool
) -> None:
    """Take away the warnings that are allowed, and tell of allowances that are none.

    `ran` says whether all checks have run: only then is it known that one silences nothing.
    """
    sound = [a for a in allowances(sources, comments) if is_sound(a, findings)]
    used: set[int] = set()
    kept: list[Diagnostic] = []
    for item in findings.items:
        by = [number for number, a in enumerate(sound) if covers(a, item)]
        used.update(by)
        if not by:
            kept.append(item)
    findings.items[:] = kept
    if ran:
        for number, allowance in enumerate(sound):
            if number not in used:
                _useless(allowance, findings)


def is_sound(a: Allowance, findings: Findings) -> bool:
    """Whether an allowance is of a warning and says why; if not, that is told."""
    known = codes.entries()
    if a.code not in known:
        warnings = [code for code in known if code.startswith(ALLOWED) and code not in OWN]
        hint = did_you_mean(a.code, warnings) or "a message shows its code: `warning R0501: …`"
        findings.warning(NO_WARNING, f"there is no code `{a.code}`", a.span, suggestion=hint)
        return False
    if not a.code.startswith(ALLOWED):
        findings.warning(
            NO_WARNING,
            f"`{a.code}` is an error, and only warnings can be allowed",
            a.span,
            suggestion=f"`rules explain {a.code}` tells what cures it",
        )
        return False
    if a.code in OWN:
        message = f"`{a.code}` speaks of allowances, and can't be allowed itself"
        hint = "take this allowance out, or mend the one it is about"
        findings.warning(NO_WARNING, message, a.span, suggestion=hint)
        return False
    if not a.reason:
        message = f"why is `{a.code}` allowed here? The reason is missing"
        hint = f"say it behind the code: {_FORM}"
        findings.warning(NO_REASON, message, a.span, suggestion=hint)
        return False
    return True


def covers(a: Allowance, item: Diagnostic) -> bool:
    """Whether a finding is a warning that is allowed."""
    span = item.span
    return (
        item.severity != ERROR
        and item.code == a.code
        and span is not None
        and span.file == a.span.file
        and span.line <= a.line <= max(span.line, span.end_line)
    )


def _useless(a: Allowance, findings: Findings) -> None:
    warnings = [d for d in findings.items if not d.is_error and d.code not in OWN]
    lines = [(d.code, d.span.line) for d in warnings if d.span and d.span.file == a.span.file]
    here = [code for code, line in lines if line == a.line]
    far = [(abs(line - a.line), line) for code, line in lines if code == a.code]
    near = sorted(each for each in far if each[0] <= NEAR)
    hint = "take it out"
    if here:
        hint = f"did you mean `{here[0]}`, which is found there?"
    elif near:
        hint = f"move it to line {near[0][1]}, where `{a.code}` is found"
    message = f"this allowance silences nothing: there is no `{a.code}` in its line"
    findings.warning(USELESS, message, a.span, suggestion=hint)
