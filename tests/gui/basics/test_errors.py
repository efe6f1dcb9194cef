"""Errors as the window says them."""

from __future__ import annotations

import pytest

from gui.basics.errors import sentence
from machines.errors import PlacewiseError


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("", "The search process ended unexpectedly (got 3). Start it again"),
        ("cluster.toml", "cluster.toml: the search process ended unexpectedly (got 3)."),
    ],
)
def test_an_error_begins_with_a_capital_unless_it_begins_with_a_name(where: str, said: str) -> None:
    what = "the search process ended unexpectedly"
    error = PlacewiseError(what, where=where, value=3, remedy="Start it again")
    assert sentence(error).startswith(said)
    assert str(error).endswith(f"{what} (got 3). Start it again")  # as the command line says it
