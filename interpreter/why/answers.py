"""Answers to "why?" and "why not?": a closed union of data, without words.

Made by `interpreter.why`, put into words by `interpreter.why.wording`. Values are as in the State
(players from 0, cards as faces, enum values by index), each with its type, so that they can be
named in any language.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from attrs import frozen

from dsl.program import Origin, Span, Type


@frozen
class Thing:
    """What is asked about: a way of the choice (its number), and what would be picked.

    value: None (the way itself, whatever it may pick); a card `(face, place or None)`; cards: a
    tuple of those; a play `(shape or None, faces)`; a player, number, enum value, role or shape:
    an int.
    """

    branch: int
    value: Any = None


@frozen
class Seen:
    """A part of a condition as it stands in the rules, and the value it had.

    hidden: the asker may not know the value (`value` is None then).
    """

    text: str
    type: Type
    value: Any
    span: Span
    hidden: bool = False


@frozen
class Step:
    """A named value that was followed: how it was used, and its own rule."""

    text: str
    rule: Origin


@frozen
class Part:
    """One condition that decided, and whether it held (None: the asker may not know).

    steps: the named values that lead to it from the choice, outermost first.
    """

    text: str
    span: Span
    held: bool | None
    seen: tuple[Seen, ...] = ()
    steps: tuple[Step, ...] = ()


@frozen
class Offered:
    """It can be chosen: by which rule, and which conditions hold."""

    thing: Thing
    raw: Any
    rule: Origin
    parts: tuple[Part, ...] = ()


@frozen
class NotAsked:
    """Nobody is asked (the game is over), or it is another player's choice."""

    player: int | None


@frozen
class NotNamed:
    """No thing of this choice is called so, nor of any other."""

    words: str
    rule: Origin


@frozen
class Unclear:
    """Several things of this choice may be meant."""

    words: str
    things: tuple[Thing, ...]
    rule: Origin


@frozen
class AnotherChoice:
    """It is a thing of other choices (their paths), not of the one asked."""

    words: str
    paths: tuple[str, ...]
    rule: Origin


@frozen
class Elsewhere:
    """These cards are not (or not so many) where this way takes cards from; without `missing`:
    nothing at all is there.

    source: that place as the rules say it. hidden: the asker can't see what lies there.
    """

    thing: Thing
    rule: Origin
    source: str
    missing: tuple[int, ...]
    hidden: bool = False


@frozen
class NotAmong:
    """It is none of those that this way is about: `source` as the rules say it, and its members."""

    thing: Thing
    rule: Origin
    source: Seen


@frozen
class OutOfRange:
    """A number, or a number of cards, that is not from `low` to `high`."""

    thing: Thing
    rule: Origin
    number: int
    low: int
    high: int
    seen: tuple[Seen, ...]
    hidden: bool = False


@frozen
class Beaten:
    """Others come first: the key, its value here, and the best there is."""

    thing: Thing
    rule: Origin
    key: Seen
    best: Any
    largest: bool
    steps: tuple[Step, ...] = ()


@frozen
class Unfit:
    """Why cards don't make a shape.

    reason: "size", "kind", "same", "different", "consecutive", "wild" or "all wild"; `attribute`
    or kind it is about; `found`: numbers, enum values or faces.
    """

    shape: int
    reason: str
    about: str
    found: tuple[int, ...]


@frozen
class Misfit:
    """The cards make none of the shapes that this way takes."""

    thing: Thing
    rule: Origin
    shapes: tuple[Unfit, ...]


@frozen
class Closed:
    """This way is not open: its `when` does not hold; or, where there are no parts, it is for when
    no other way is (`otherwise`)."""

    thing: Thing
    rule: Origin
    parts: tuple[Part, ...]


@frozen
class Refused:
    """A condition does not hold for it."""

    thing: Thing
    rule: Origin
    parts: tuple[Part, ...]


Refusal: TypeAlias = Elsewhere | NotAmong | OutOfRange | Beaten | Misfit | Closed | Refused
"""It is a thing of this choice, and this is what refuses it."""

Answer: TypeAlias = Offered | NotAsked | NotNamed | Unclear | AnotherChoice | Refusal


def innermost(answer: Refusal) -> Origin:
    """The rule that refuses: of the named value that all deciding conditions stand in, else the
    way's own."""
    match answer:
        case Closed() | Refused():
            chains = [part.steps for part in answer.parts]
        case Beaten():
            chains = [answer.steps]
        case _:
            chains = []
    rule = answer.rule
    for level in zip(*chains, strict=False):
        if any(step.rule is not level[0].rule for step in level):
            break
        rule = level[0].rule
    return rule


def all_rules(answer: Refusal) -> tuple[Origin, ...]:
    """The way's own rule and those of all named values on the way to what refuses, in that order,
    each once."""
    found = [answer.rule]
    match answer:
        case Closed() | Refused():
            steps = [step for part in answer.parts for step in part.steps]
        case Beaten():
            steps = list(answer.steps)
        case _:
            steps = []
    for step in steps:
        if all(step.rule is not rule for rule in found):
            found.append(step.rule)
    return tuple(found)
