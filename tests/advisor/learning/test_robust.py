"""Robust statistics: known truths, and what one bad measurement does to them."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.learning.robust import robust_line, summary, two_modes


def test_a_summary_counts_all_and_ranges_over_those_that_are_no_outliers() -> None:
    said = summary([1.0, 1.02, 0.98, 1.01, 9.0])
    assert (said.count, said.middle) == (5, 1.01)
    assert (said.low, said.high, said.outliers) == (0.98, 1.02, (9.0,))


def test_two_measurements_have_no_outlier() -> None:
    assert summary([1.0, 9.0]).outliers == ()
    assert summary([3.0]).low == summary([3.0]).high == 3.0


def test_like_times_are_no_outliers_for_a_percent_between_them() -> None:
    assert summary([1.0, 1.0, 1.0, 1.0, 1.01]).outliers == ()


def test_steps_of_a_clock_are_no_outliers() -> None:
    assert summary([0.0, 0.0, 0.0, 1.0], resolution=1.0).outliers == ()
    assert summary([0.0, 0.0, 0.0, 1.0]).high == 1.0  # nothing to set it against


def test_two_heaps_are_found_and_one_is_not_split() -> None:
    first, second = two_modes(np.sort([1.0, 1.01, 0.99, 2.0, 2.02, 1.98]))
    assert first == pytest.approx(1.0)
    assert second == pytest.approx(2.0)
    draw = np.random.default_rng(3)
    wrong = sum(two_modes(np.sort(draw.lognormal(0.0, 0.2, 12))) is not None for _ in range(200))
    assert wrong <= 4


def test_a_line_survives_a_quarter_of_wrong_points() -> None:
    draw = np.random.default_rng(0)
    x = draw.uniform(0.0, 10.0, 40)
    y = 3.0 + 0.5 * x + draw.normal(0.0, 0.02, 40)
    y[:10] += draw.uniform(5.0, 50.0, 10)
    line = robust_line(x, y)
    assert line.slope[0] == pytest.approx(0.5, rel=0.05)
    assert line.intercept[0] == pytest.approx(3.0, rel=0.05)


def test_the_range_of_a_slope_holds_it_nine_times_in_ten() -> None:
    draw = np.random.default_rng(1)
    inside = 0
    for _ in range(300):
        x = draw.uniform(0.0, 1.0, 15)
        _, low, high = robust_line(x, 1.0 + 2.0 * x + draw.normal(0.0, 0.3, 15)).slope
        inside += low <= 2.0 <= high
    assert 0.86 <= inside / 300 <= 0.97


def test_one_x_has_no_line() -> None:
    assert robust_line(np.ones(5), np.arange(5.0)) is None
