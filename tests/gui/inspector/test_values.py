"""Text of the inspector's fields is read as a person means it, and written back exactly."""

from __future__ import annotations

import pytest

from gui.inspector import values
from machines import InputError


def test_data_sets_read_as_they_are_shown() -> None:
    sets = ((100, 2048.0), (1, 65536.0))
    assert values.data_sets(values.shown_data_sets(sets)) == sets
    assert values.data_sets("1 x 64 KiB") == ((1, 65536.0),)
    assert values.data_sets("2 GB; 3 × 1 kB") == ((1, 2e9), (3, 1000.0))
    assert values.data_sets("") == ()
    assert values.data_sets("2 GB") == ((1, 2e9),)
    assert values.shown_data_sets(((1, 2e9),)) == "2 GB"
    with pytest.raises(InputError, match="not a number"):
        values.data_sets("2 × much")


def test_lists_read_as_they_are_shown() -> None:
    assert values.numbers(values.shown_numbers((0.6, 1.1))) == (0.6, 1.1)
    assert values.names(values.shown_names(("M1", "M2"))) == ("M1", "M2")
    assert values.names(" ") is None


def test_nothing_written_can_mean_none() -> None:
    assert values.optional(values.count)("  ") is None
    assert values.optional(values.count)("4") == 4


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2e-05, "0.00002"),
        (1.5e-05, "0.000015"),
        (-3.25e-07, "-0.000000325"),
        (1e6, "1000000"),
        (0.5, "0.5"),
        (1e-12, "1e-12"),
        (1e15, "1e+15"),
        (None, ""),
        (3, "3"),
    ],
)
def test_small_numbers_are_shown_without_an_exponent_and_read_back(
    value: float | None, text: str
) -> None:
    assert values.shown(value) == text
    assert value is None or values.real(text) == value
