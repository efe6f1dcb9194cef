"""Values that are compared share a unit, and differences stay visible."""

from __future__ import annotations

import math

import numpy as np
import pytest

from advisor.basics.units import Unit


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([62.4, 112.0], ["62.4 s", "112.0 s"]),
        ([718.3, 719.4], ["718.3 s", "719.4 s"]),
        ([0.0124, 0.2], ["12.4 ms", "200.0 ms"]),
        ([0.0, 5.0], ["0.00 s", "5.00 s"]),
        ([90_000.0, 360_000.0], ["25.0 h", "100.0 h"]),
        ([100.0, 100.01], ["100.000 s", "100.010 s"]),
    ],
)
def test_times_of_a_column_have_one_unit(values: list[float], texts: list[str]) -> None:
    unit = Unit.of_times(np.array(values))
    assert [unit.text(value) for value in values] == texts


def test_amounts_take_the_prefix_of_the_largest() -> None:
    unit = Unit.of("B/s", np.array([12.5e6, 1.25e9]))
    assert [unit.text(value) for value in (12.5e6, 1.25e9)] == ["0.0125 GB/s", "1.2500 GB/s"]


def test_whole_bytes_stay_whole() -> None:
    assert Unit.of("B", np.array([100.0, 512.0])).text(512.0) == "512 B"
    assert Unit.of("B/s", np.array([10.5, 512.0])).text(512.0) == "512.0 B/s"


def test_differences_are_signed_in_the_same_unit() -> None:
    unit = Unit.of_times(np.array([62.4, 112.0]))
    assert [unit.signed(one) for one in (49.6, -49.6, 1e-9)] == ["+49.6 s", "−49.6 s", "0 s"]


def test_what_is_not_known_is_a_dash() -> None:
    assert Unit.of_times(np.array([math.nan])).text(math.nan) == "–"
    assert Unit.of_times(np.array([])).text(0.0) == "0 s"
