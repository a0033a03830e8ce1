"""What is done in one: a signal that comes in the middle has its effect at the end."""

from __future__ import annotations

import signal

import pytest

from lab.signals import in_one


def test_a_signal_waits_for_the_end() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), in_one():
        with in_one():
            signal.raise_signal(signal.SIGINT)
            done.append("inner")
        done.append("outer")
    assert done == ["inner", "outer"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_of_several_the_first_counts() -> None:
    told: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: told.append(number))
    try:
        with in_one():
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGINT)
            assert told == []
    finally:
        signal.signal(signal.SIGTERM, before)
    assert told == [signal.SIGTERM]
