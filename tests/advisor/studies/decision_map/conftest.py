"""Maps are computed on compiled kernels, as for a user, whatever test ran before."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True, scope="module")
def quick(compiled: None) -> None:
    """A test that wants plain kernels takes them away for itself."""
