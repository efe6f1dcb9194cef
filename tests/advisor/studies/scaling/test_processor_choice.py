"""Numbers of processors by three criteria, and the band of the knee."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.mrm import amdahl, mva_curve
from advisor.studies.scaling.processor_choice import BUDGET, POWER, TIME, choices, knee_band

P = np.arange(1, 1001)


def test_power_of_amdahls_law_is_largest_at_think_time_over_demand() -> None:
    curve = np.array([amdahl(p, 1 / 51) for p in P.tolist()])
    found = {one.purpose: one for one in choices(curve)}
    assert found[POWER].P == 50
    assert found[POWER].efficiency == pytest.approx(50 / (1 + 49 / 51) / 50)


def test_the_best_time_is_that_of_the_fewest_within_a_hundredth() -> None:
    curve = np.minimum(P, 40).astype(float)
    found = {one.purpose: one for one in choices(curve, affordable=20)}
    assert (found[TIME].P, found[TIME].at_end) == (40, False)
    assert (found[BUDGET].P, found[BUDGET].at_end) == (20, True)
    assert choices(np.array([1.0, 1.999, 2.0]))[0].P == 2


def test_a_curve_that_falls_has_its_best_time_before_the_peak() -> None:
    curve = P / (1 + 0.02 * (P - 1) + 1e-4 * P * (P - 1))
    found = choices(curve, affordable=500)
    assert found[0].P == found[2].P < 99
    assert found[0].speedup >= 0.99 * curve.max()


@given(
    st.lists(st.floats(0.1, 10.0), min_size=1, max_size=4), st.floats(0.0, 500.0),
    st.integers(1, 400),
)  # fmt: skip
def test_choices_keep_what_they_promise(demands: list[float], Z: float, paid: int) -> None:
    curve = mva_curve(300, demands, Z).speedup
    time, power, budget = choices(curve, paid)
    assert time.speedup >= 0.99 * curve.max()
    assert time.P == 1 or curve[time.P - 2] < 0.99 * curve.max()
    assert power.speedup * power.efficiency >= (curve**2 / np.arange(1, 301)).max() * (1 - 1e-12)
    assert paid >= budget.P
    limit = (sum(demands) + Z) / max(demands)
    low, high = knee_band(curve, limit)
    assert low is None or low <= limit + 1
    assert high is None or limit - 1 <= high


def test_the_band_of_the_knee_ends_where_both_asymptotes_are_ten_percent_off() -> None:
    curve = mva_curve(400, [1.0], 99.0).speedup
    low, high = knee_band(curve, 100.0)
    assert low is not None
    assert high is not None
    ends = sorted([low, high])
    assert ends == [low, high]
    assert low < 100 < high
    free, full = np.arange(1, 401) * 0.9 <= curve, curve >= 90.0
    assert {int(free.sum()), int(np.argmax(full)) + 1} == {low, high}


def test_an_end_beyond_the_curve_is_not_told() -> None:
    assert knee_band(np.arange(1.0, 9.0), 1e6) == (None, None)
    assert knee_band(np.array([1.0, 1.5, 1.8]), 1e6) == (1, None)
