"""What a test run shares: a folder for compiled rulesets, which all its workers use.

Tests go to workers in long stretches, so that what the tests of a file share is made once.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from typing import Any

import pytest

_FOLDERS = pytest.StashKey[str]()
_YOUNG = 20_000  # objects made between two looks for garbage


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        return  # a worker keeps to the folder of the run it belongs to
    folder = config.stash[_FOLDERS] = tempfile.mkdtemp(prefix="rules-cache-")
    os.environ["RULES_CACHE"] = folder


def pytest_unconfigure(config: pytest.Config) -> None:
    if (folder := config.stash.get(_FOLDERS, None)) is not None:
        os.environ.pop("RULES_CACHE", None)
        shutil.rmtree(folder, ignore_errors=True)


def pytest_collection_finish() -> None:
    """What is there before the first test stays: no search for garbage need look at it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    if config.getoption("dist") != "load":
        return None  # somebody asked for another way
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)
