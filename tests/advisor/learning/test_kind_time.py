"""Times of a kind by input bytes: what truth is found again, and ranges that hold what they say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from advisor.learning.kind_time import kind_time
from machines.arrays import Floats


def spread_sizes(draw: np.random.Generator, points: int) -> Floats:
    """From 1 MB to 1 GB, like in decades."""
    found: Floats = 10.0 ** draw.uniform(6.0, 9.0, points)
    return found


def noisy(draw: np.random.Generator, truth: Floats, noise: float) -> Floats:
    found: Floats = truth * np.exp(noise * draw.normal(size=truth.size))
    return found


def test_slope_and_constant_of_many_points_are_found_again() -> None:
    draw = np.random.default_rng(0)
    x = spread_sizes(draw, 400)
    found = kind_time(x, noisy(draw, 2.0 + 3e-7 * x, 0.05))
    assert found.grows
    assert found.expected(0.0).seconds == pytest.approx(2.0, rel=0.02)
    assert found.expected(2e9).seconds == pytest.approx(602.0, rel=0.02)
    assert found.expected(5e6).deviation == pytest.approx(0.05, rel=0.2)


def test_a_time_that_does_not_depend_on_bytes_is_a_constant() -> None:
    draw = np.random.default_rng(1)
    kept = 0
    for _ in range(100):
        x = spread_sizes(draw, 30)
        kept += not kind_time(x, noisy(draw, np.full(30, 7.0), 0.1)).grows
    assert kept >= 85


@pytest.mark.parametrize(("points", "slope"), [(8, 0.0), (8, 1e-7), (16, 1e-7)])
def test_ranges_hold_nine_of_ten_new_times(points: int, slope: float) -> None:
    draw = np.random.default_rng(points)
    inside = 0
    for _ in range(1000):
        x = spread_sizes(draw, points + 1)
        y = noisy(draw, 3.0 + slope * x, 0.1)
        low, high = kind_time(x[1:], y[1:]).expected(float(x[0])).range(1.0, 0.0)
        inside += low <= y[0] <= high
    assert 0.87 <= inside / 1000 <= 0.95


def test_one_time_beside_many_decides_nothing() -> None:
    draw = np.random.default_rng(2)
    x = spread_sizes(draw, 10)
    y = noisy(draw, 1.0 + 1e-7 * x, 0.03)
    odd = y.copy()
    odd[3] *= 20.0
    assert kind_time(x, odd).expected(2e9).seconds == pytest.approx(
        kind_time(x, y).expected(2e9).seconds, rel=0.05
    )


def test_times_that_no_line_tells_have_wide_ranges() -> None:
    draw = np.random.default_rng(3)
    x = spread_sizes(draw, 12)
    straight, bent = 1.0 + 1e-7 * x, np.where(x > 3e7, 30.0, 1.0)
    told = kind_time(x, noisy(draw, straight, 0.05)).expected(1e8)
    assert kind_time(x, noisy(draw, bent, 0.05)).expected(1e8).half() > 4 * told.half()


def test_what_is_far_is_doubted_more_than_what_is_near_and_three_points_more_than_thirty() -> None:
    draw = np.random.default_rng(4)
    x = np.linspace(1.0, 3.0, 30)
    y = noisy(draw, 1.0 + x, 0.05)
    all_of_them = kind_time(x, y)
    assert kind_time(x[::14], y[::14]).expected(2.0).half() > all_of_them.expected(2.0).half()
    assert all_of_them.expected(0.01).half() > all_of_them.expected(2.0).half()


def test_units_change_nothing_even_where_all_read_one_large_file() -> None:
    x, y = np.array([1.0, 2.0, 4.0, 8.0]), np.array([3.0, 3.9, 6.2, 10.1])
    plain = kind_time(x, y).expected(16.0).range(1.0, 0.0)
    scaled = kind_time(7e8 + 1e6 * x, 1e-3 * y).expected(7e8 + 16e6).range(1.0, 0.0)
    assert scaled == pytest.approx([1e-3 * one for one in plain])


def test_one_time_of_one_size_is_believed_within_a_factor() -> None:
    found = kind_time(np.array([5.0]), np.array([10.0])).expected(50.0)
    low, high = found.range(2.0, 0.0)
    assert found.seconds == 10.0
    assert low * high == pytest.approx(400.0)
    assert 2.0 < math.sqrt(high / low) < 4.0


def test_the_doubt_of_a_machine_widens_the_range() -> None:
    found = kind_time(np.arange(1.0, 9.0), np.arange(1.0, 9.0))
    assert found.expected(4.0).half(0.3) == pytest.approx(
        math.hypot(found.expected(4.0).half(), 1.645 * 0.3)
    )
    assert found.grows


def test_no_time_is_expected_to_be_less_than_half_the_shortest() -> None:
    x = np.array([1e6, 2e6, 3e6, 4e6])
    assert kind_time(x, 10.0 - 2e-6 * x).expected(1e7).seconds == pytest.approx(1.0)
