"""What the tests of the lab have in common."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="session")
def stats() -> Any:
    """`scipy.stats`, which takes long to import: only by workers that need it."""
    from scipy import stats

    return stats
