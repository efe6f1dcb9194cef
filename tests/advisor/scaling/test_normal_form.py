"""The normal form finds the growth that made the measurements, of one and two parameters."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.scaling.normal_form import normal_form

P = np.array([4.0, 8, 16, 32, 64])


@pytest.mark.parametrize(
    ("law", "text"),
    [
        (lambda p: 3.0 * p**2, " · p^2"),
        (lambda p: 5.0 + 0.5 * np.log2(p), "5.00 + 0.500 · log2(p)"),
        (lambda p: 2.0 + 0.25 * p * np.log2(p), "2.00 + 0.250 · p · log2(p)"),
    ],
)
def test_known_growth_is_found(law: object, text: str) -> None:
    assert callable(law)
    form = normal_form(("p",), P[:, None], law(P))
    assert form.missed < 1e-6
    assert form.at(np.array([[100.0]])) == pytest.approx(law(np.array([100.0])))
    assert form.text.endswith(text)


def test_noise_without_growth_is_a_constant() -> None:
    rng = np.random.default_rng(0)
    form = normal_form(("p",), P[:, None], 7.0 * (1 + 0.01 * rng.standard_normal(5)))
    assert form.terms == ()


def test_two_parameters_are_fitted_together() -> None:
    points = np.array([(p, n) for p in (2, 4, 8, 16) for n in (100, 200, 400, 800)], dtype=float)
    form = normal_form(("p", "n"), points, 1.0 + 0.01 * points[:, 1] ** 2 / points[:, 0])
    assert form.worst < 1e-6
    assert "p^-1" in form.text.replace("−", "-")
