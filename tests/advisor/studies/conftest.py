"""Fixtures of the tests of studies."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from advisor import kernels


@pytest.fixture(scope="module")
def compiled() -> Iterator[None]:
    """Compiled kernels here, and afterwards as before."""
    before = kernels.loaded()
    kernels.load()
    yield
    if not before:
        kernels.unload()
