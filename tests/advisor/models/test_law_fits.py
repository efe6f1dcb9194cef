"""The contract's fits: recovery, bounds, an independent optimiser, refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import least_squares

from advisor.models.mrm import amdahl, fit_amdahl, fit_usl, usl
from advisor.models.shape_fit import Box, Samples, fit_shapes

LOADS = [1, 2, 4, 8, 16, 32, 64, 128]
SPECSDM91 = ([1, 18, 36, 72, 108, 144, 216], [64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775, 1702.2])
RAYTRACER = (
    [1, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64],
    [20, 78, 130, 170, 190, 200, 210, 230, 260, 280, 310],
)


@given(st.floats(1e-3, 0.9), st.floats(1e-6, 1e-2), st.floats(1e-6, 1e9))
def test_exact_throughputs_give_their_parameters_back(sigma, kappa, gamma):
    found = fit_usl(LOADS, [usl(P, sigma, kappa, gamma) for P in LOADS])
    assert found.sigma == pytest.approx(sigma, rel=1e-5, abs=1e-9)
    assert found.kappa == pytest.approx(kappa, rel=1e-5, abs=1e-12)
    assert found.gamma == pytest.approx(gamma, rel=1e-6)


@pytest.mark.parametrize("data", [SPECSDM91, RAYTRACER], ids=["specsdm91", "raytracer"])
def test_another_optimiser_ends_at_the_same_error(data):
    P, X = (np.array(column, dtype=float) for column in data)

    def residuals(theta):
        return X - theta[2] * P / (1 + (theta[0] + theta[1] * P) * (P - 1))

    other = least_squares(
        residuals, [0.05, 1e-4, X[0]], bounds=([0, 0, 0], [1, np.inf, np.inf]),
        x_scale=[1e-2, 1e-5, 10.0], xtol=1e-14, ftol=1e-14, gtol=1e-14,
    )  # fmt: skip
    found = fit_usl(*data)
    ours = residuals([found.sigma, found.kappa, found.gamma])
    assert ours @ ours <= 2 * other.cost * (1 + 1e-9)


def test_the_published_fit_of_specsdm91_comes_out_to_its_digits():
    found = fit_usl(*SPECSDM91)
    assert [round(found.sigma, 7), round(found.kappa, 7)] == [0.0277285, 0.0001044]
    assert found.gamma == pytest.approx(89.9952330, abs=2e-7)
    assert found.standard_errors.round(7).tolist() == [0.0091217, 0.0000199, 14.2134894]
    assert round(found.residual_se, 2) == 82.85


def test_a_parameter_on_its_bound_has_no_standard_error():
    found = fit_usl(*RAYTRACER)
    assert found.kappa == 0.0
    assert np.isnan(found.standard_errors[1])
    assert np.isfinite(found.standard_errors[[0, 2]]).all()


def test_superlinear_throughputs_end_on_both_bounds():
    found = fit_usl([1, 2, 4, 8], [1, 2.5, 6, 14])
    assert (found.sigma, found.kappa) == (0.0, 0.0)


@given(st.floats(0, 1))
def test_exact_speedups_give_their_serial_fraction_back(sigma):
    found = fit_amdahl(LOADS, [amdahl(P, sigma) for P in LOADS])
    assert found == pytest.approx(sigma, rel=1e-6, abs=1e-9)


def test_speedups_above_linear_have_no_serial_fraction():
    assert fit_amdahl([1, 2, 4], [1, 2.2, 4.4]) == 0.0


@pytest.mark.parametrize(
    ("P", "X", "named"),
    [
        ([1, 2, 4], [1, 2, 3], "three parameters need four points"),
        ([1, 1, 2, 2], [1, 1, 2, 2], "three different P"),
        ([1, 2, 4, 8], [1, 2, 3], "one length"),
        ([0.5, 2, 4, 8], [1, 2, 3, 4], "P is out of range"),
        ([1, 2, 4, 8], [1, 2, 0, 4], "X is out of range"),
        ([1, 2, 4, np.nan], [1, 2, 3, 4], "P must be finite"),
        ([1, 2, 4, "x"], [1, 2, 3, 4], "P must be a list of numbers"),
    ],
)
def test_unusable_measurements_are_refused_by_name(P, X, named):
    with pytest.raises(ValueError, match=named):
        fit_usl(P, X)


def test_one_processor_alone_gives_no_serial_fraction():
    with pytest.raises(ValueError, match="one processor does not determine"):
        fit_amdahl([1, 1], [1, 1])


def test_many_samples_are_fitted_as_each_alone():
    rng = np.random.default_rng(3)
    P = np.array(LOADS, dtype=float)
    box = Box(np.zeros(1), np.ones(1), np.array([1 / 128]), np.linspace(0, 1, 50)[:, None])

    def curve(P, shapes):
        return P / (1 + shapes * (P - 1))

    X = 10 * curve(P, np.array([[0.05]])) + rng.normal(0, 0.5, (20, P.size))
    together, gammas = fit_shapes(curve, Samples.of(P, X), box)
    for row, shape, gamma in zip(X, together, gammas, strict=True):
        alone, scale = fit_shapes(curve, Samples.of(P, row), box)
        assert (shape[0], gamma) == pytest.approx((alone[0, 0], scale[0]), rel=1e-7)


def test_a_measurement_left_out_does_not_count():
    P = np.array([1.0, 2, 4, 8])
    X = np.array([[1.0, 1.9, 3.4, 99.0]])
    box = Box(np.zeros(1), np.ones(1), np.ones(1) / 8, np.linspace(0, 1, 50)[:, None])

    def curve(P, shapes):
        return P / (1 + shapes * (P - 1))

    kept = np.array([[1.0, 1.0, 1.0, 0.0]])
    some, _ = fit_shapes(curve, Samples(P, X, kept), box)
    rest, _ = fit_shapes(curve, Samples.of(P[:3], X[:, :3]), box)
    assert some[0] == pytest.approx(rest[0], rel=1e-7)
