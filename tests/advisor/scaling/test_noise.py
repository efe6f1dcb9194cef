"""Which kind of noise measurements have, and what intervals are worth that rest on it."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.models.mrm import usl
from advisor.scaling import fits
from advisor.scaling.data import Measurements, measurements, shipped
from advisor.scaling.fits import fit_laws
from advisor.scaling.laws import LAWS
from advisor.scaling.noise import (
    ABSOLUTE,
    RELATIVE,
    factors_of,
    kinds_of_noise,
    repetitions,
    scatter,
)

LOADS = [1, 2, 4, 8, 16, 32, 48, 64, 96]
_SETS = 40


def made(seed: int, *, relative: bool, runs: int = 3, sigma: float = 0.03) -> Measurements:
    """USL data of 1.5 % noise: of each value, or of their mean."""
    rng = np.random.default_rng(seed)
    P = np.repeat(LOADS, runs)
    X = np.array([100.0 * usl(int(p), sigma, 1e-4) for p in P])
    X = X + 0.015 * (X if relative else X.mean()) * rng.standard_normal(P.size)
    return measurements(P.tolist(), X.tolist())


@pytest.mark.parametrize(("relative", "kind"), [(True, RELATIVE), (False, ABSOLUTE)])
def test_repetitions_tell_the_kind_of_noise(relative: bool, kind: str) -> None:
    found = [kinds_of_noise(made(seed, relative=relative)) for seed in range(20)]
    assert all(len(one) == 1 for one in found)
    assert sum(one[0].kind == kind for one in found) >= 18


def test_without_repetitions_both_kinds_are_possible_and_the_plain_one_comes_first() -> None:
    first, second = kinds_of_noise(shipped("specsdm91"))
    assert (first.kind, second.kind) == (ABSOLUTE, RELATIVE)
    assert repetitions(shipped("specsdm91")) == 0
    assert np.isnan(scatter(shipped("specsdm91"), first))


def test_what_was_published_for_equal_noise_stays_fitted_so() -> None:
    assert fit_laws(shipped("specsdm91"), replicates=0).noise.kind == ABSOLUTE
    assert fit_laws(shipped("raytracer"), replicates=0).noise.kind == ABSOLUTE


def test_without_repetitions_a_clearly_better_fit_tells_relative_noise() -> None:
    kinds = [
        fit_laws(made(seed, relative=True, runs=2), replicates=0).noise.kind for seed in range(8)
    ]
    assert kinds.count(RELATIVE) >= 7


def test_factors_of_relative_noise_have_the_product_1_and_even_out_the_spread() -> None:
    data = made(1, relative=True)
    (noise,) = kinds_of_noise(data)
    factors = factors_of(data, noise)
    assert np.log(factors).sum() == pytest.approx(0.0, abs=1e-9)
    assert scatter(data, noise) / noise.scale == pytest.approx(0.015, rel=0.5)


def test_equal_repetitions_have_no_scatter_and_are_no_fault() -> None:
    data = measurements([1, 1, 2, 2, 4, 4, 8, 8], [1.0, 1.0, 1.9, 1.9, 3.4, 3.4, 5.5, 5.5])
    assert [one.kind for one in kinds_of_noise(data)] == [ABSOLUTE]
    assert fit_laws(data, replicates=0).fits


def test_intervals_hold_the_truth_as_often_as_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """95 % intervals of sigma and kappa in 40 sets; bench_scaling has the large simulation."""
    monkeypatch.setattr(fits, "LAWS", [law for law in LAWS if law.key == "usl"])  # of no other
    held = np.zeros(2)
    for seed in range(_SETS):
        fit = fit_laws(made(seed, relative=True), replicates=0).fit("usl")
        assert fit is not None
        for place, (name, truth) in enumerate((("sigma", 0.03), ("kappa", 1e-4))):
            one = fit.estimate(name)
            held[place] += one.low <= truth <= one.high
    assert (held >= 0.88 * _SETS).all()
    assert (held <= _SETS).all()


def test_a_stated_kind_of_noise_holds_whatever_the_data_tell() -> None:
    data = made(1, relative=True)
    fit = fit_laws(data, replicates=0, noise=ABSOLUTE).fit("usl")
    assert fit is not None and fit.noise.kind == ABSOLUTE

    def squares(shapes: np.ndarray, gamma: float) -> float:
        return float(((data.X - gamma * fit.law.curve(data.P, shapes[None])[0]) ** 2).sum())

    least = squares(fit.shapes, fit.gamma)
    for factor in (0.999, 1.001):  # ordinary least squares: no neighbour has less
        assert squares(fit.shapes * factor, fit.gamma) >= least
        assert squares(fit.shapes, fit.gamma * factor) >= least
