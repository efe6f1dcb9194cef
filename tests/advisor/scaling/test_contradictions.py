"""Laws that measurements contradict are named with the reason; laws that made them are not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from advisor.models.mrm import amdahl, erlang_speedup, usl
from advisor.scaling.contradictions import contradicted, measured_fall
from advisor.scaling.data import measurements, shipped
from advisor.scaling.fits import ScalingFits, fit_laws

LOADS = [1, 2, 4, 8, 12, 16, 24, 32, 48, 64]


def fitted(law: Callable[[int], float], seed: int = 0, runs: int = 3) -> ScalingFits:
    rng = np.random.default_rng(seed)
    P = np.repeat(LOADS, runs)
    X = np.array([10.0 * law(int(p)) for p in P]) * (1.0 + 0.01 * rng.standard_normal(P.size))
    return fit_laws(measurements(P.tolist(), X.tolist()), replicates=0)


def test_a_law_that_cant_fall_is_contradicted_by_data_that_do() -> None:
    found = contradicted(fit_laws(shipped("specsdm91"), replicates=0))
    assert {"amdahl", "erlang", "gustafson"} <= set(found)
    assert "usl" not in found
    assert all("can't fall" in found[key] and "P = 72" in found[key] for key in ("erlang",))


def test_no_fall_is_measured_within_noise() -> None:
    assert measured_fall(fit_laws(shipped("raytracer"), replicates=0)) == ""
    assert measured_fall(fitted(lambda P: erlang_speedup(P, 0.06))) == ""


@pytest.mark.parametrize(
    ("key", "law"),
    [
        ("amdahl", lambda P: amdahl(P, 0.03)),
        ("erlang", lambda P: erlang_speedup(P, 0.03)),
        ("usl", lambda P: usl(P, 0.02, 3e-4)),
    ],
)
def test_the_law_that_made_the_measurements_is_seldom_contradicted(
    key: str, law: Callable[[int], float]
) -> None:
    assert sum(key in contradicted(fitted(law, seed)) for seed in range(10)) <= 1


def test_a_law_that_misses_repetitions_on_one_side_is_named_with_where_and_how_much() -> None:
    found = contradicted(fitted(lambda P: erlang_speedup(P, 0.05)))
    assert "amdahl" in found
    assert "all measurements are" in found["amdahl"]
    assert "beyond noise" in found["amdahl"]


def test_a_law_none_of_the_family_leaves_none_uncontradicted() -> None:
    step = fitted(lambda P: 1.0 + 6.0 * (P >= 12) + 0.01 * P)
    assert {fit.law.key for fit in step.rivals} == set(contradicted(step))
