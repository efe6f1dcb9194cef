"""Values that are compared share a unit, and differences stay visible."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.basics.units import Unit, durations


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([62.4, 112.0], ["1 min 2 s", "1 min 52 s"]),
        ([4305.0, 8220.0, 2.5], ["1 h 11 min 45 s", "2 h 17 min", "2.50 s"]),
        ([750.0, 4140.0, 5e-15], ["12 min 30 s", "1 h 9 min", "0 s"]),
        ([718.3, 719.4], ["11 min 58.3 s", "11 min 59.4 s"]),
        ([0.0124, 0.2], ["12.4 ms", "200.0 ms"]),
        ([0.0, 5.0], ["0 s", "5.00 s"]),
        ([3.2e-6, 5.0], ["3.20 µs", "5.00 s"]),
        ([1e12, 2e12], ["31,688 years", "63,376 years"]),
        ([90_000.0, 360_000.0], ["1 d 1 h", "4 d 4 h"]),
        ([100.0, 100.01], ["1 min 40.000 s", "1 min 40.010 s"]),
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


@pytest.mark.parametrize("unit", ["", "%", "1/s", "messages"])
def test_what_takes_no_prefix_never_gets_one(unit: str) -> None:
    column = Unit.of(unit, 0.5, 1.27e-19, 250.0)
    texts = [column.text(value).removesuffix(unit).strip() for value in (1.27e-19, 250.0)]
    assert texts == ["1.27·10⁻¹⁹", "250.000"]


def test_one_column_of_whole_numbers_has_no_point() -> None:
    assert [Unit.of("", 2.0, 30.0).text(value) for value in (2.0, 30.0)] == ["2", "30"]


@given(st.floats(1e-3, 1e6), st.lists(st.floats(1e-4, 1.0), min_size=1, max_size=9, unique=True))
def test_few_times_that_differ_by_more_than_a_hundred_thousandth_read_differently(
    base: float, shares: list[float]
) -> None:
    values = sorted({base * (1.0 + round(share, 4)) for share in shares})
    unit = Unit.of_times(*values)
    texts = [unit.text(value) for value in values]
    assert len(set(texts)) == len(texts)
    assert unit.step_s or len({text.rsplit(" ", 1)[1] for text in texts}) == 1


def test_two_times_of_a_sentence_share_their_unit() -> None:
    assert durations(718.3, 719.4) == ("11 min 58.3 s", "11 min 59.4 s")
