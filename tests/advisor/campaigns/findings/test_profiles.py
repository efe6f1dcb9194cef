"""Performance profiles are those of Dolan & Moré, worked out by hand and by their properties."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.campaigns.findings.compared import Compared
from advisor.campaigns.findings.profiles import area, profile, profile_series
from advisor.studies.study import Series
from tests.advisor.campaigns.made_rows import table

# three instances, four strategies; ratios to the best in the comments
BY_HAND = {
    "a": [10.0, 40.0, 6.0],  # 1, 2, 1
    "b": [20.0, 20.0, None],  # 2, 1, ∞
    "c": [10.0, 22.0, 9.0],  # 1, 1.1, 1.5
    "d": [15.0, 20.0, 6.0 * (1.0 + 1e-12)],  # 1.5, 1, 1
}


def rho(one: Series, tau: float) -> float:
    """The height of a step curve at a ratio, in shares: the upper end of a step."""
    return max(y for x, y in zip(one.x, one.y, strict=True) if x <= tau) / 100.0


def drawn(values: dict[str, list[float | None]]) -> dict[str, Series]:
    return {one.name: one for one in profile_series(Compared.of(table(values)))}


def test_the_table_by_hand() -> None:
    compared = Compared.of(table(BY_HAND))
    expected = [[1.0, 2.0, 1.0, 1.5], [2.0, 1.0, 1.1, 1.0], [1.0, np.inf, 1.5, 1.0]]
    assert compared.ratios == pytest.approx(np.array(expected))
    assert (compared.ratios == 1.0).sum(axis=0).tolist() == [2, 1, 1, 2]  # rounding is no loss
    curves = drawn(BY_HAND)
    for name, taus in {
        "a": {1.0: 2, 1.9: 2, 2.0: 3},
        "b": {1.0: 1, 1.99: 1, 2.0: 2},
        "c": {1.0: 1, 1.09: 1, 1.1: 2, 1.49: 2, 1.5: 3, 2.0: 3},
        "d": {1.0: 2, 1.49: 2, 1.5: 3},
    }.items():
        for tau, many in taus.items():
            assert rho(curves[name], tau) == pytest.approx(many / 3.0), (name, tau)
    assert {curve.x[-1] for curve in curves.values()} == {2.0}  # flat to the end of the widest


def test_curves_are_steps_that_only_rise() -> None:
    for one in drawn(BY_HAND).values():
        x, y = np.array(one.x), np.array(one.y)
        assert (np.diff(x) >= 0.0).all()
        assert (np.diff(y) >= 0.0).all()
        assert ((np.diff(x) == 0.0) | (np.diff(y) == 0.0)).all()  # upright or level


def test_profiles_have_the_properties_of_dolan_and_more() -> None:
    draw = np.random.default_rng(2)
    values = draw.lognormal(0.0, 0.5, (40, 4))
    values[draw.random((40, 4)) < 0.1] = np.inf
    values = values[np.isfinite(values).any(axis=1)]
    names = list("abcd")
    as_lists = {
        name: [one if np.isfinite(one) else None for one in values[:, k].tolist()]
        for k, name in enumerate(names)
    }
    ratios = Compared.of(table(as_lists)).ratios
    best = values == values.min(axis=1, keepdims=True)
    for k in range(4):
        at = np.array([1.0, 1e300])
        assert profile(ratios[:, k], at).tolist() == [
            best[:, k].mean(), np.isfinite(values[:, k]).mean(),
        ]  # fmt: skip
    # in any unit, and with the instances in any order, they are the same
    scaled = {name: [None if one is None else 60.0 * one for one in reversed(ones)]
              for name, ones in as_lists.items()}  # fmt: skip
    again = Compared.of(table(scaled)).ratios
    assert np.sort(again, axis=0) == pytest.approx(np.sort(ratios, axis=0))
    # one instance moves a profile by 1/n at most
    without = Compared.of(table({name: ones[1:] for name, ones in as_lists.items()})).ratios
    at = np.geomspace(1.0, 10.0, 50)
    for k in range(4):
        moved = np.abs(profile(without[:, k], at) - profile(ratios[:, k], at))
        assert moved.max() <= 1.0 / len(without)


def test_the_area_is_the_mean_height_of_the_curve() -> None:
    ratios = np.array([1.0, 1.1, 1.3, 4.0, np.inf])
    at = np.linspace(1.0, 1.5, 50_001)
    assert area(ratios) == pytest.approx(float(profile(ratios, at).mean()), abs=1e-4)
    assert (area(np.ones(3)), area(np.full(3, np.inf))) == (1.0, 0.0)


def test_an_instance_that_nobody_answered_has_no_ratio() -> None:
    compared = Compared.of(table({"a": [1.0, None, 0.0], "b": [2.0, None, 3.0]}))
    assert np.isnan(compared.ratios[1]).all()
    assert compared.ratios[2].tolist() == [1.0, np.inf]  # nothing beats 0
    assert compared.answered.tolist() == [True, False, True]


def test_many_steps_are_drawn_through_exact_points() -> None:
    draw = np.random.default_rng(4)
    values = {name: draw.lognormal(0.0, 0.3, 1000).tolist() for name in "ab"}
    ratios = Compared.of(table(values)).ratios
    for k, one in enumerate(drawn(values).values()):
        assert len(one.x) < 1000
        for x, y in list(zip(one.x, one.y, strict=True))[1::40]:
            assert y / 100.0 == pytest.approx((ratios[:, k] <= x * (1.0 + 1e-9)).mean())
        assert one.y[-1] == 100.0


def test_nothing_is_drawn_of_failures_alone() -> None:
    assert drawn({"a": [None], "b": [None]}) == {}
