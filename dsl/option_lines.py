"""Options: from declarations to their entries in the Program, for `dsl.items`."""

from __future__ import annotations

from dsl import nodes as n
from dsl import program as p
from dsl.context import Context
from dsl.site import site


def lower_option(c: Context, decl: n.Option, players: tuple[int, int]) -> dict[str, p.OptionDecl]:
    """The option by its name, nothing where it is wrong. players: the fewest and the most."""
    name = decl.name.text
    kind = c.symbols.option_types[name]
    origin = site(f"option {name}", decl.tags).origin(decl.span, decl.tags)
    settings, allowed = decl.settings, decl.allowed
    if len(settings) > 1 and allowed:
        message = "the settings are said twice: before and after `in`"
        c.findings.error("R0223", message, decl.span)
        return {}
    ranges = allowed or settings or tuple(a for _, a in decl.by_players)
    endless = any(a.word is not None and a.word.text == "endless" for a in ranges)
    words = tuple(dict.fromkeys(a.word.text for a in ranges if a.word is not None))
    default = _defaults(c, decl, players)
    if default is None or _mixed(c, decl, kind):
        return {}
    lo: int | None = None
    hi: int | None = None
    if kind == p.NUMBER and (allowed or len(settings) > 1):
        numbers = _joined(ranges)
        if len(numbers) > 1 or sum(a.low is not None and a.high is None for a in ranges) > 1:
            _gap(c, decl, numbers, default[0][1])
            return {}
        lo, hi = numbers[0] if numbers else (None, None)
    strange = [value for _, value in default if value not in words]
    if kind.kind is p.K.WORD and strange:
        message = f"`{name}` can't start as `{strange[0]}`: that is none of its settings"
        c.findings.error("R0225", message, decl.span)
        return {}
    if kind == p.NUMBER:
        _check_numbers(c, decl, default, lo, hi, endless)
        made = p.OptionDecl(decl.name.names, "number", default, lo, hi, endless, (), origin)
    elif kind == p.TRUTH:
        made = p.OptionDecl(decl.name.names, "flag", default, None, None, False, (), origin)
    else:
        made = p.OptionDecl(decl.name.names, "word", default, None, None, False, words, origin)
    return {name: made}


def _gap(
    c: Context, decl: n.Option, numbers: list[tuple[int, int]], usual: int | bool | str
) -> None:
    """An option of numbers has one range; what lies between two would be allowed as well."""
    message = "a number can be set to anything in a range"
    if len(numbers) > 1 and any(low < high for low, high in numbers):
        message += f", so there can be no gap as between {numbers[0][1]} and {numbers[1][0]}"
    c.findings.error(
        "R0223",
        message,
        decl.span,
        suggestion=f"`{decl.name.text} {usual} in {numbers[0][0]}..{numbers[-1][1]}`",
    )


def _mixed(c: Context, decl: n.Option, kind: p.Type) -> bool:
    """Whether an option of numbers also has words as settings."""
    settings = [*decl.settings, *(a for _, a in decl.by_players), *decl.allowed]
    for setting in settings:
        word = setting.word
        if kind == p.NUMBER and word is not None and word.text != "endless":
            message = f"`{decl.name.text}` is a number, so it can't be `{word.text}`"
            c.findings.error("R0223", message, setting.span)
            return True
    return False


def _defaults(
    c: Context, decl: n.Option, players: tuple[int, int]
) -> tuple[tuple[int, int | bool | str], ...] | None:
    if decl.by_players:
        _check_counts(c, decl, players)
        return tuple((count, _setting(a)) for count, a in decl.by_players)
    first = decl.settings[0]
    if first.high is not None:
        c.findings.error(
            "R0223",
            f"which of these does `{decl.name.text}` start with?",
            first.span,
            suggestion="write the usual setting first: "
            f"`{decl.name.text} {first.low} in {first.low}..{first.high}`",
        )
        return None
    return ((0, _setting(first)),)


def _setting(a: n.Alternative) -> int | bool | str:
    if a.word is None:
        return a.low or 0
    known: dict[str, int | bool] = {"yes": True, "no": False, "endless": p.ENDLESS}
    return known.get(a.word.text, a.word.text)


def _check_counts(c: Context, decl: n.Option, players: tuple[int, int]) -> None:
    """A setting for each number of players the game allows, and for no other."""
    low, high = players
    given = [count for count, _ in decl.by_players]
    missing = [str(count) for count in range(low, high + 1) if count not in given]
    game = c.symbols.game
    related = [(game.players[0].span, "these numbers of players")] if game and game.players else []
    if missing:
        c.findings.error(
            "R0224",
            f"`{decl.name.text}` has no setting for {' and '.join(missing)} players",
            decl.span,
            related=related,
        )
    extra = [str(count) for count in given if not low <= count <= high]
    if extra:
        message = f"the game is not for {' or '.join(extra)} players"
        c.findings.error("R0224", message, decl.span, related=related)
    if len(set(given)) < len(given):
        message = f"`{decl.name.text}` has two settings for one number of players"
        c.findings.error("R0224", message, decl.span)


def _check_numbers(
    c: Context,
    decl: n.Option,
    default: tuple[tuple[int, int | bool | str], ...],
    lo: int | None,
    hi: int | None,
    endless: bool,
) -> None:
    if lo is not None and hi is not None and lo > hi:
        message, hint = "the smaller number stands first", f"`{hi}..{lo}`"
        c.findings.error("R0225", message, decl.span, suggestion=hint)
        return
    for _, value in default:
        if not isinstance(value, int):
            continue
        if value == p.ENDLESS:
            continue
        if (lo is not None and value < lo) or (hi is not None and value > hi):
            c.findings.error(
                "R0225",
                f"{value} is not between {lo} and {hi}, which `{decl.name.text}` allows",
                decl.span,
            )


def _joined(ranges: tuple[n.Alternative, ...]) -> list[tuple[int, int]]:
    """The numbers that alternatives allow, in order; ranges that touch are one."""
    ends = [(a.low, a.low if a.high is None else a.high) for a in ranges if a.low is not None]
    made: list[tuple[int, int]] = []
    for low, high in sorted(ends):
        if made and low <= made[-1][1] + 1:
            low, last = made.pop()
            high = max(high, last)
        made.append((low, high))
    return made
