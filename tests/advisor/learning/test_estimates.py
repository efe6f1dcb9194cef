"""Bayesian linear regression: least squares where data decide, ranges that hold what they say."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.learning.estimates import bayesian_line, correlation


def test_many_points_give_the_line_of_least_squares() -> None:
    draw = np.random.default_rng(0)
    x = draw.uniform(1e6, 1e7, 400)
    y = 2.0 + 3e-7 * x + draw.normal(0.0, 0.05, 400)
    slope, intercept = np.polyfit(x, y, 1)
    middle, _, _ = bayesian_line(x, y).predicted(5e6)
    assert middle == pytest.approx(intercept + slope * 5e6, rel=1e-3)


def test_the_range_holds_a_new_point_nine_times_in_ten() -> None:
    draw = np.random.default_rng(1)
    inside = 0
    for _ in range(400):
        x = draw.uniform(1.0, 5.0, 6)
        truth = 1.0 + 0.8 * x
        y = truth * (1.0 + draw.normal(0.0, 0.08, 6))
        at = float(draw.uniform(1.0, 5.0))
        new = (1.0 + 0.8 * at) * (1.0 + float(draw.normal(0.0, 0.08)))
        _, low, high = bayesian_line(x, y).predicted(at)
        inside += low <= new <= high
    assert 0.86 <= inside / 400 <= 0.98


def test_three_points_are_doubted_more_than_thirty_and_what_is_far_more_than_what_is_near() -> None:
    draw = np.random.default_rng(2)
    x = np.linspace(1.0, 3.0, 30)
    y = 1.0 + x + draw.normal(0.0, 0.05, 30)

    def width(points: slice, at: float) -> float:
        _, low, high = bayesian_line(x[points], y[points]).predicted(at)
        return high - low

    assert width(slice(None, None, 14), 2.0) > width(slice(None), 2.0)
    assert width(slice(None), 30.0) > 2 * width(slice(None), 2.0)


def test_units_change_nothing() -> None:
    x, y = np.array([1.0, 2.0, 4.0, 8.0]), np.array([3.0, 3.9, 6.2, 10.1])
    plain = bayesian_line(x, y).predicted(5.0)
    scaled = bayesian_line(1e9 * x, 1e-3 * y).predicted(5e9)
    assert scaled == pytest.approx([1e-3 * one for one in plain])


def test_points_that_are_all_alike_do_not_correlate() -> None:
    assert correlation(np.ones(4), np.arange(4.0)) == 0.0
    assert correlation(np.arange(4.0), 2.0 * np.arange(4.0)) == pytest.approx(1.0)
