"""The test is exact, keeps its promise of 5 %, and corrections are Holm's."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from advisor.campaigns.findings.significance import EXACT, holm, interval, needed, signed_rank


def enumerated(differences: list[float]) -> float:
    """The share of all ways to give signs that are at least as far from the middle, doubled."""
    sizes = [abs(one) for one in differences if one]
    ranks = [
        sum(other < one for other in sizes) + (sum(other == one for other in sizes) + 1) / 2.0
        for one in sizes
    ]
    seen = sum(rank for rank, one in zip(ranks, filter(None, differences), strict=True) if one > 0)
    sums = [
        sum(rank for rank, up in zip(ranks, ups, strict=True) if up)
        for ups in product((False, True), repeat=len(ranks))
    ]
    tails = (sum(one <= seen for one in sums), sum(one >= seen for one in sums))
    return min(1.0, 2.0 * min(tails) / len(sums))


@pytest.mark.parametrize("seed", range(12))
def test_the_p_is_that_of_all_ways_to_give_signs(seed: int) -> None:
    draw = np.random.default_rng(seed)
    many = int(draw.integers(1, 11))
    # whole numbers from −3 have ties and zeros
    given = draw.integers(-3, 6, many).astype(float) if seed % 2 else draw.normal(0.5, 1.0, many)
    assert signed_rank(given) == pytest.approx(enumerated(given.tolist()), abs=1e-12)


def test_five_differences_of_one_sign_are_no_proof_and_six_are() -> None:
    assert signed_rank(np.arange(1.0, 6.0)) == pytest.approx(2.0 / 2**5)
    assert signed_rank(np.arange(1.0, 7.0)) == pytest.approx(2.0 / 2**6)


@pytest.mark.parametrize("tests", [1, 2, 3, 10, 276])
def test_fewer_differences_than_needed_show_nothing_and_as_many_may(tests: int) -> None:
    def least(many: int) -> float:
        return holm([signed_rank(np.arange(1.0, many + 1.0))] * tests)[0]

    assert least(needed(tests)) <= 0.05 < least(needed(tests) - 1)


def test_differences_of_nothing_are_no_evidence() -> None:
    assert signed_rank(np.zeros(30)) == 1.0
    assert signed_rank(np.zeros(0)) == 1.0
    some = np.array([1.0, 2.0, -3.0, 4.0, 5.0, 6.0, 7.0])
    assert signed_rank(np.concatenate((some, np.zeros(500)))) == signed_rank(some)


@pytest.mark.parametrize("many", [15, EXACT, EXACT + 1, 300])
def test_without_ties_it_is_the_test_of_another_library(many: int) -> None:
    given = np.random.default_rng(many).normal(0.25, 1.0, many)
    method = "exact" if many <= EXACT else "approx"
    assert signed_rank(given) == pytest.approx(stats.wilcoxon(given, method=method).pvalue)


def test_the_exact_p_goes_over_into_its_limit() -> None:
    draw = np.random.default_rng(3)
    for _ in range(5):
        given = draw.normal(0.3, 1.0, EXACT).round(1)  # with ties
        limit = stats.wilcoxon(given, method="approx").pvalue
        assert signed_rank(given) == pytest.approx(limit, abs=0.01)


def test_one_test_in_twenty_errs_where_nothing_differs() -> None:
    draws = np.random.default_rng(0).normal(0.0, 1.0, (2000, 20))
    errors = np.mean([signed_rank(one) <= 0.05 for one in draws])
    assert 0.035 < errors <= 0.06


def test_holm_multiplies_the_least_by_all_and_the_largest_by_one() -> None:
    # by hand: 0.01·4, 0.02·3, 0.03·2 (not below 0.06), 0.5·1
    assert holm([0.03, 0.01, 0.5, 0.02]) == pytest.approx([0.06, 0.04, 0.5, 0.06])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([0.04]) == [0.04]
    assert holm([]) == []


def test_an_interval_holds_the_mean_in_95_of_100_campaigns() -> None:
    draws = np.random.default_rng(1).exponential(1.0, (1000, 25)) * np.array([1.0] * 20 + [0.0] * 5)
    held = np.mean([low <= 0.8 <= high for _, low, high in map(interval, draws)])
    assert 0.92 < held < 0.98


def test_an_interval_of_one_value_is_not_known() -> None:
    mean, low, high = interval(np.array([2.0]))
    assert mean == 2.0
    assert np.isnan([low, high]).all()
    assert np.isnan(interval(np.zeros(0))).all()
    assert interval(np.array([1.0, 3.0])) == pytest.approx((2.0, 2.0 - 12.706, 2.0 + 12.706), 1e-4)
