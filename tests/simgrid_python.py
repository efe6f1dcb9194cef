"""The Python that has SimGrid, for the tests that run it; where there is none they are skipped."""

from __future__ import annotations

from functools import cache

import pytest

from advisor.export.simgrid.simgrid_python import Found, find_simgrid
from machines import InputError


def simgrid_here() -> Found:
    """Where SimGrid is; skips the test that asks if it is nowhere."""
    found = _found()
    if isinstance(found, str):
        pytest.skip(found)
    return found


@cache
def _found() -> Found | str:
    try:
        return find_simgrid()
    except InputError as error:
        return error.what
