"""Laws of speedup: limits, order and identities; the check values are in tests/anchors."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.mrm import (
    amdahl,
    gustafson,
    harmonic,
    harmonic_mean_bound,
    serial_fraction,
    usl,
    usl_peak,
)

counts = st.integers(1, 10**6)
shares = st.floats(1e-6, 1.0)


@given(counts, shares)
def test_the_laws_lie_between_one_processor_and_linear(P, sigma):
    fixed, scaled = amdahl(P, sigma), gustafson(P, sigma)
    assert 1 - 1e-9 <= fixed <= scaled * (1 + 1e-12)
    assert scaled <= P * (1 + 1e-12)
    assert harmonic_mean_bound(P, sigma) < fixed


@given(counts, shares)
def test_the_harmonic_mean_bound_misses_by_the_known_share(P, sigma):
    missed = 1 - harmonic_mean_bound(P, sigma) / amdahl(P, sigma)
    assert missed == pytest.approx(sigma / (1 + sigma * P), rel=1e-6, abs=1e-12)


@given(counts, st.floats(0.01, 100), st.floats(0.01, 100))
def test_scaled_speedup_is_amdahls_with_think_time_that_grows_with_the_processors(P, D, Z):
    scaled = gustafson(P, serial_fraction(D, Z))
    assert scaled == pytest.approx(amdahl(P, serial_fraction(D, P * Z)), rel=1e-9)


@pytest.mark.parametrize("P", [99, 100, 101, 102, 5000])
def test_a_harmonic_number_is_the_sum_also_where_it_is_expanded(P):
    assert harmonic(P) == pytest.approx(P / math.fsum(1 / k for k in range(1, P + 1)), rel=1e-14)


def test_the_harmonic_speedup_of_a_billion_takes_no_sum():
    assert harmonic(10**9) == pytest.approx(10**9 / (math.log(10**9) + 0.5772156649), rel=1e-9)


@given(st.floats(0, 0.9), st.floats(1e-8, 1e-2))
def test_nothing_exceeds_the_peak_of_the_universal_law(sigma, kappa):
    peak = usl_peak(sigma, kappa)
    if peak >= 1.01:
        top = usl(peak, sigma, kappa)
        for factor in (0.99, 1.01):
            assert usl(peak * factor, sigma, kappa) <= top * (1 + 1e-12)


def test_without_coherency_the_universal_law_is_amdahls():
    assert usl(17, 0.03, 0.0) == pytest.approx(amdahl(17, 0.03), rel=1e-15)


@pytest.mark.parametrize("P", [0, -1, 2.5, math.nan, math.inf, True, "4", 2**60])
def test_processors_that_do_not_exist_are_refused_by_name(P):
    with pytest.raises(ValueError, match="P must be a whole number"):
        amdahl(P, 0.1)


@pytest.mark.parametrize("sigma", [-0.1, 1.1, math.nan, math.inf])
def test_a_serial_fraction_outside_0_to_1_is_refused_with_its_value(sigma):
    with pytest.raises(ValueError, match=r"sigma is out of range \(got"):
        gustafson(4, sigma)
