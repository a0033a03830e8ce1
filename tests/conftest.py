"""Compiled rulesets of a test run are kept in a folder of its own."""

from __future__ import annotations

import os
import shutil
import tempfile

import pytest

_FOLDERS = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    folder = config.stash[_FOLDERS] = tempfile.mkdtemp(prefix="rules-cache-")
    os.environ["RULES_CACHE"] = folder


def pytest_unconfigure(config: pytest.Config) -> None:
    os.environ.pop("RULES_CACHE", None)
    shutil.rmtree(config.stash[_FOLDERS], ignore_errors=True)
