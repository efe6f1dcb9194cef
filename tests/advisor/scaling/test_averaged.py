"""The mean of the laws that stand: weights, curve, band."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.scaling.averaged import averaged
from advisor.scaling.data import measurements, shipped
from advisor.scaling.fits import ScalingFits, fit_laws


@pytest.fixture(scope="module")
def raytracer() -> ScalingFits:
    return fit_laws(shipped("raytracer"), replicates=60)


def test_weights_are_those_of_akaike_among_the_laws_left(raytracer: ScalingFits) -> None:
    curve = averaged(raytracer, {"erlang"})
    assert curve.weights.sum() == pytest.approx(1.0)
    assert [fit.law.key for fit in curve.fits] == ["amdahl", "usl"]
    amdahl, usl = curve.fits
    odds = float(np.exp((amdahl.aicc - usl.aicc) / 2.0))
    assert curve.weights[1] / curve.weights[0] == pytest.approx(odds)


def test_the_mean_lies_between_its_laws_and_in_its_band(raytracer: ScalingFits) -> None:
    P, curve = np.array([1.0, 8.0, 64.0]), averaged(raytracer, set())
    single = np.stack([fit.throughput(P) for fit in curve.fits])
    mean = curve.throughput(P)
    assert np.all(mean <= single.max(axis=0) + 1e-9)
    assert np.all(mean >= single.min(axis=0) - 1e-9)
    low, high = curve.band(P)
    assert np.all((low < mean) & (mean < high))


def test_each_law_is_drawn_as_often_as_its_weight(raytracer: ScalingFits) -> None:
    curve = averaged(raytracer, set())
    assert curve.draws(np.array([4.0])).shape[0] == pytest.approx(60, abs=1)


def test_where_every_law_is_contradicted_all_are_averaged(raytracer: ScalingFits) -> None:
    every = {fit.law.key for fit in raytracer.rivals}
    assert averaged(raytracer, every).fits == averaged(raytracer, set()).fits


def test_too_few_points_for_a_criterion_leave_the_first_law_alone() -> None:
    fits = fit_laws(measurements([1, 2, 4], [1, 1.9, 3.5]), replicates=0)
    curve = averaged(fits, set())
    assert len(curve.fits) == 1
    assert curve.weights.tolist() == [1.0]
    assert np.isnan(curve.band(np.array([2.0]))).all()
