"""Options of a State, and options as examples name them. Used by `interpreter.examples`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from dsl import examples as x
from interpreter.compiled import BranchInfo
from interpreter.state import Option


def chosen(path: str, options: Sequence[Option], wanted: x.Option) -> list[Option]:
    """The options at a choice that the words of an example can mean."""
    return [option for option in options if means(path, option, wanted)]


def means(path: str, option: Option, wanted: x.Option) -> bool:
    action = option.value.get("action", "")
    if not any(way.choice == path and way.branch in ("", action) for way in wanted.ways):
        return False
    there = things(option)
    labels = [label for label, _ in wanted.picked.things]
    if labels != [label for label, _ in there]:
        return False
    if wanted.picked.shape not in ("", option.value.get("shape")):
        return False
    return all(
        place in ("", found)
        for (_, place), (_, found) in zip(wanted.picked.things, there, strict=True)
    )


def things(option: Option) -> list[tuple[str, str]]:
    """What an option picks: sorted labels, each with its place or ""."""
    value = option.value
    if "card" in value:
        return [(value["card"], value.get("place", ""))]
    if "cards" in value:
        places = value.get("places", [""] * len(value["cards"]))
        return sorted(zip(value["cards"], places, strict=True))
    return [(str(value[key]), "") for key in ("player", "number", "value") if key in value]


def in_words(option: Option, *, shape: bool = False) -> str:
    """An option as an example spells it; with the shape of a play, where others have its cards."""
    parts = [label + (f" from {place}" if place else "") for label, place in things(option)]
    picked = " and ".join(parts)
    if "cards" in option.value and not parts:
        picked = "no cards"
    if shape and "shape" in option.value and "cards" in option.value:
        picked = f"{option.value['shape']} {picked}"
    return " ".join(filter(None, (option.value.get("action", ""), picked)))


def listed(options: Iterable[Option], between: str = ", ") -> str:
    """Options as an example spells them, so that they can be told apart."""
    options = list(options)
    alike = Counter(map(in_words, options))
    spelled = (in_words(option, shape=alike[in_words(option)] > 1) for option in options)
    return between.join(spelled) or "nothing"


def label(branch: BranchInfo, picked: x.Picked) -> str:
    """What an option that picks this would be called at the table."""
    parts = [name + (f" from {place}" if place else "") for name, place in picked.things]
    things = (" " if branch.kind == "play" and not branch.placed else ", ").join(parts)
    return " ".join(filter(None, (branch.name, picked.shape, things)))
