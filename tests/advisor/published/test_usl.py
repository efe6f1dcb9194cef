"""Published fits of the universal scalability law, found again without our fitting."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy.optimize import least_squares

from advisor.published.figure import REPRODUCED, Figure
from advisor.published.usl import figures
from machines.arrays import Floats

FIGURES = tuple(figures())
# the package's data sets, copied once more
P = np.array([1.0, 18, 36, 72, 108, 144, 216])
X = np.array([64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775.0, 1702.2])
RAYS_P = np.array([1.0, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64])
RAYS = np.array([20.0, 78, 130, 170, 190, 200, 210, 230, 260, 280, 310])


def found(words: str, where: str) -> Figure:
    (figure,) = [one for one in FIGURES if one.figure == words and one.where == where]
    return figure


def given(words: str, where: str) -> float:
    value = found(words, where).obtained
    assert value is not None
    return value


def law(P: Floats, sigma: float, kappa: float, gamma: float) -> Floats:
    return gamma * P / (1 + sigma * (P - 1) + kappa * P * (P - 1))


def fitted(P: Floats, X: Floats, start: ArrayLike) -> tuple[Floats, Floats, float]:
    """Parameters, standard errors s √diag((JᵀJ)⁻¹) and s of scipy's least squares."""
    scale = np.asarray(start, float)

    def residuals(q: Floats) -> Floats:
        left: Floats = law(P, *(q * scale)) - X
        return left

    found = least_squares(residuals, np.ones(3), xtol=1e-15, ftol=1e-15, gtol=1e-15)
    s = float(np.sqrt(2 * found.cost / (P.size - 3)))
    jacobian = np.asarray(found.jac, float)
    spread = np.linalg.inv(jacobian.T @ jacobian)
    return found.x * scale, s * np.sqrt(spread.diagonal()) * scale, s


def test_the_three_parameters_of_specsdm91_are_those_of_another_optimiser() -> None:
    values, errors, s = fitted(P, X, (0.03, 1e-4, 90.0))
    for name, value, error in zip(("sigma", "kappa", "gamma"), values, errors, strict=True):
        assert given(name, "specsdm91") == pytest.approx(value, rel=1e-6)
        assert given(f"standard error of {name}", "specsdm91") == pytest.approx(error, rel=1e-4)
    assert given("residual standard error", "specsdm91") == pytest.approx(s, rel=1e-9)


def test_no_parameters_near_the_fit_leave_less_error() -> None:
    """Least squares by definition: any other parameters are worse, and the printed ones, too."""
    best = np.array([given(name, "specsdm91") for name in ("sigma", "kappa", "gamma")])

    def error(values: Floats) -> float:
        return float(((law(P, *values) - X) ** 2).sum())

    for step in np.vstack([np.eye(3), -np.eye(3)]) * 1e-4:
        assert error(best * (1 + step)) > error(best)
    package = np.array([found(name, "specsdm91").printed for name in ("sigma", "kappa", "gamma")])
    assert error(best) <= error(package) < error(best) * (1 + 1e-5), "as near as its digits"


def test_derived_values_follow_from_the_parameters() -> None:
    sigma, kappa, gamma = (given(name, "specsdm91") for name in ("sigma", "kappa", "gamma"))
    assert given("limit without kappa", "specsdm91") == pytest.approx(
        float(law(np.array([1e12]), sigma, 0.0, gamma)[0])
    )
    assert given("1/sigma", "specsdm91") == pytest.approx(1 / sigma)
    loads = np.linspace(50, 150, 100_001)
    curve = law(loads, sigma, kappa, gamma)
    assert given("load of the peak", "specsdm91") == pytest.approx(loads[curve.argmax()], abs=1e-3)
    assert given("throughput of the peak", "specsdm91") == pytest.approx(curve.max())
    for load, value in zip(P, law(P, sigma, kappa, gamma), strict=True):
        assert given(f"fitted throughput, P {load:g}", "specsdm91") == pytest.approx(value)


def test_the_old_recipe_of_raytracer_is_a_parabola_through_the_origin() -> None:
    """P/C − 1 on P − 1 by linear least squares, C = X/X(1): kappa squared, sigma + kappa plain."""
    x, y = RAYS_P - 1, RAYS_P * RAYS[0] / RAYS - 1
    (kappa, both), *_ = np.linalg.lstsq(np.column_stack([x**2, x]), y, rcond=None)
    figure = found("load of the peak", "raytracer")
    peak = float(np.sqrt((1 - (both - kappa)) / kappa))
    assert figure.obtained == pytest.approx(peak, rel=1e-9)
    assert peak > 7 * RAYS_P[-1], "an extrapolation, as the note says"
    assert "extrapolation" in figure.note
    assert 449 < peak < 450, "“just below 450”"


def test_three_parameters_leave_raytracer_no_peak() -> None:
    """Any kappa above 0 fits worse than none, however the other two follow."""
    assert found("load of the peak", "raytracer").note.endswith("kappa is 0")

    def error(kappa: float) -> float:
        def residuals(q: Floats) -> Floats:
            left: Floats = law(RAYS_P, q[0], kappa, 20 * q[1]) - RAYS
            return left

        return float(least_squares(residuals, (0.05, 1.0)).cost)

    errors = [error(kappa) for kappa in (0.0, 1e-6, 1e-5, 1e-4)]
    assert errors == sorted(errors)
    assert errors[0] < errors[1]


def test_the_peak_of_the_package_s_own_test_is_where_the_curve_turns() -> None:
    loads = np.linspace(300, 330, 300_001)
    turns = loads[law(loads, 0.001, 1e-5, 1.0).argmax()]
    assert given("load of the peak", "tests") == pytest.approx(turns, abs=2e-4)


def test_six_rounded_points_come_from_the_law_that_is_found_in_them() -> None:
    six = np.array([1.0, 2, 4, 6, 8, 10])
    rounded = np.round(law(six, 0.02, 0.02, 1.0), 4)
    assert rounded.tolist() == [1.0, 1.8868, 3.0769, 3.5294, 3.5398, 3.3557]
    values, _, _ = fitted(six, rounded, (0.02, 0.02, 1.0))
    for name, value, exact in zip(
        ("sigma", "kappa", "gamma"), values, (0.02, 0.02, 1), strict=True
    ):
        figure = found(f"{name} of six rounded points", "tests")
        assert figure.obtained == pytest.approx(value, rel=1e-5)
        assert figure.printed == exact


def test_every_fit_of_the_package_is_reproduced() -> None:
    """Nothing deviates, and each figure is as near as its last printed digit."""
    assert len(FIGURES) == 9 + 2 + 7 + 2 + 3
    assert {one.status for one in FIGURES} == {REPRODUCED}
    assert {one.model for one in FIGURES} == {"R package usl"}
