"""Outliers are found by what the others lead to expect; sound sets have none."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.models.mrm import amdahl, usl
from advisor.scaling.data import measurements, shipped
from advisor.scaling.outliers import sifted

P = [1, 2, 4, 8, 16, 32, 64, 128]


def timed(times: list[float], at: list[int] | None = None) -> list[tuple[int, bool, bool]]:
    data = measurements(at or P[: len(times)], times, "time", "s")
    return [(one.P, one.slow, one.at_end) for one in sifted(data).outliers]


def test_a_bad_run_is_found_at_the_end_and_inside() -> None:
    assert timed([100, 52, 27, 15, 9, 450]) == [(32, True, True)]
    assert timed([100, 52, 27, 60, 9, 6, 4.5, 3.7]) == [(8, True, False)]


def test_a_time_too_short_is_an_outlier_too() -> None:
    assert timed([100, 52, 27, 1.5, 9, 6, 4.5, 3.7]) == [(8, False, False)]


def test_two_bad_runs_are_found_together() -> None:
    good = [100.0 / amdahl(one, 0.02) for one in P]
    good[2] *= 3.0
    good[5] *= 5.0
    assert [one for one, _, _ in timed(good)] == [4, 32]


def test_one_run_of_three_is_left_out_by_the_scatter_of_all() -> None:
    rng = np.random.default_rng(1)
    at = [one for one in P for _ in range(3)]
    times = [100.0 / amdahl(one, 0.02) * (1 + 0.01 * rng.standard_normal()) for one in at]
    times[7] *= 4.0
    found = sifted(measurements(at, times, "time", "s"))
    assert [(one.P, one.runs) for one in found.outliers] == [(4, 1)]
    assert len(found.kept.processors) == len(at) - 1


@pytest.mark.parametrize("seed", range(12))
def test_a_sound_set_has_none(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sigma, kappa = rng.uniform(0.005, 0.1), 10 ** rng.uniform(-4.5, -3)
    noise = 1.0 + 0.02 * rng.standard_normal(len(P))
    X = [usl(one, sigma, kappa) * n for one, n in zip(P, noise, strict=True)]
    assert sifted(measurements(P, X)).outliers == ()


@pytest.mark.parametrize("name", ["raytracer", "specsdm91"])
def test_the_published_sets_have_none(name: str) -> None:
    assert sifted(shipped(name)).outliers == ()
