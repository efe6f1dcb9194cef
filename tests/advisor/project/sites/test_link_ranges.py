"""The ranges of a fitted link hold the truth as often as they say, and get wider with the noise."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.project.sites.link_ranges import with_ranges
from machines import Direction
from machines.fitting import RELATIVE, fit_line
from machines.formats.pingpong_csv import PingPong
from machines.uncertain import Uncertain

STARTUP_S, BANDWIDTH = 20e-6, 1e9
SIZES = tuple(float(2**power) for power in range(0, 22))


def measured(noise: float, seed: int, sizes: tuple[float, ...] = SIZES) -> PingPong:
    draw = np.random.default_rng(seed)
    seconds = [
        (STARTUP_S + size / BANDWIDTH) * (1.0 + noise * draw.standard_normal()) for size in sizes
    ]
    return PingPong(sizes, tuple(seconds), len(sizes))


def fitted(noise: float, seed: int) -> Direction:
    one = measured(noise, seed)
    return with_ranges(one, Direction(*fit_line(one.sizes, one.seconds, RELATIVE)))


def test_nine_of_ten_ranges_hold_the_truth() -> None:
    inside = np.zeros(2)
    for seed in range(400):
        way = fitted(0.05, seed)
        for place, (value, truth) in enumerate(
            ((way.startup_s, STARTUP_S), (way.bandwidth, BANDWIDTH))
        ):
            assert isinstance(value, Uncertain)
            low, high = value.ends
            assert low is not None
            assert high is not None
            inside[place] += low <= truth <= high
    assert inside / 400 == pytest.approx([0.9, 0.9], abs=0.04)


def test_a_range_grows_with_the_noise() -> None:
    def width(noise: float) -> float:
        low, high = fitted(noise, 1).bandwidth.ends  # type: ignore[attr-defined]
        return float(high - low)

    assert width(0.01) < width(0.03) < width(0.1)


def test_exact_times_and_few_sizes_state_no_range() -> None:
    for one in (measured(0.0, 0), measured(0.05, 0, SIZES[10:14])):
        way = with_ranges(one, Direction(STARTUP_S, BANDWIDTH))
        if len(one.sizes) < 5:
            assert not isinstance(way.bandwidth, Uncertain)
        assert float(way.bandwidth) == BANDWIDTH


def test_each_of_two_lines_has_ranges_of_its_own() -> None:
    draw = np.random.default_rng(3)
    seconds = [
        ((5e-6 + size / 1e9) if size <= 8192 else (40e-6 + size / 4e9))
        * (1.0 + 0.02 * draw.standard_normal())
        for size in SIZES
    ]
    one = PingPong(SIZES, tuple(seconds), len(SIZES))
    way = with_ranges(one, one.direction())
    assert way.above is not None
    small, large = way.startup_s, way.above.startup_s
    assert isinstance(small, Uncertain)
    assert isinstance(large, Uncertain)
    assert small.range_90[0] < 5e-6 < small.range_90[1]
    assert large.range_90[0] < 40e-6 < large.range_90[1]
