"""Numbers with what they count, in words. Used by messages, traces and reports."""

from __future__ import annotations


def amount(count: int, what: str) -> str:
    """`1 coin`, `2 coins`: of things that a ruleset names; names of one or two letters, and of
    other scripts, stay as they are."""
    plural = count != 1 and len(what) > 2 and what[-1].isascii() and what[-1] != "s"
    return f"{count} {what}s" if plural else f"{count} {what}"


def many(count: int, what: str) -> str:
    """`1 game`, `2 games`, `10,000 games`."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
