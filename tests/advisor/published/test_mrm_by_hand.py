"""The figures of Gunther 2005 in exact arithmetic, by scanning, and by another queue algorithm."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from advisor.published.figure import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED, Figure
from advisor.published.mrm_figures import figures

FIGURES = tuple(one for one in figures() if one.model == "Gunther 2005")
HUNDREDTH = Fraction(1, 100)


def found(words: str, where: str) -> Figure:
    (figure,) = [one for one in FIGURES if words in one.figure and one.where == where]
    return figure


def given(words: str, where: str) -> float:
    value = found(words, where).obtained
    assert value is not None
    return value


def s_a(P: int, sigma: Fraction) -> Fraction:
    """Eq. (7) over Eq. (6): elapsed times of one processor and of P."""
    return 1 / (sigma + (1 - sigma) / P)


def s_h(P: int) -> Fraction:
    return P / sum((Fraction(1, n) for n in range(1, P + 1)), Fraction())


def erlang(P: int, sigma: float) -> float:
    """Eq. (25), (26) as they are printed: powers over factorials, in logarithms."""
    a = (1 - sigma) / sigma
    terms = [k * math.log(a) - math.lgamma(k + 1) for k in range(P + 1)]
    most = max(terms)
    lost = math.exp(terms[-1] - most) / sum(math.exp(one - most) for one in terms)
    return (1 - lost) / sigma


def latency(P: int, demands: Sequence[float], Z: float) -> float:
    """Mean response by logarithms of the network's normalisation constants (Buzen 1973)."""
    n = np.arange(P + 1)
    thinking = n * np.log(Z) - np.array([math.lgamma(one + 1) for one in n])
    g = thinking
    for demand in demands:
        g = np.logaddexp.accumulate(g - n * np.log(demand)) + n * np.log(demand)
    return float(P * np.exp(g[P] - g[P - 1]) - Z)


def test_amdahl_s_law_is_a_quotient_of_elapsed_times() -> None:
    sigma = Fraction(1, 7)
    assert given("S_A(4)", "Eq. (8), (10)") == pytest.approx(float(s_a(4, sigma)))
    cost = 1 / (1 / sigma + 3)  # Eq. (11), (10)
    assert 4 - cost * 4 * 3 == s_a(4, sigma) == Fraction(14, 5)
    limit = given("limit of Amdahl's speedup S_A", "sec. 3")
    assert limit == pytest.approx(10.0)
    assert limit < 10


def test_the_fifth_cost_of_table_2_is_one_over_k_plus_four() -> None:
    figure = found("G_k(5)", "Table 2")
    cost = (5 - s_a(5, HUNDREDTH)) / (5 * 4)  # Eq. (10) for G
    assert cost == Fraction(1, 104)
    assert figure.obtained == pytest.approx(float(cost))
    assert figure.printed == pytest.approx(1 / 103)
    assert figure.status == DEVIATES
    assert "1/(k + 4)" in figure.note


def test_the_harmonic_mean_is_one_percent_off_at_one_processor_and_less_beyond() -> None:
    def missed(P: int) -> Fraction:
        half = Fraction(1, 2) * (2 * 100 * Fraction(P)) / (100 + P)  # half of Eq. (19)
        return 1 - half / s_a(P, HUNDREDTH)

    figure = found("error of Eq. (20)", "sec. 4, Fig. 4")
    worst = max(range(1, 200), key=missed)
    assert worst == 1
    assert figure.obtained == pytest.approx(float(100 * missed(1)))
    assert (
        f"{float(100 * missed(1)):.3f} % at P = 1, {float(100 * missed(100)):.1f} %" in figure.note
    )


def test_p_over_its_logarithm_is_a_loose_upper_bound() -> None:
    figure = found("by P/ln P", "Eq. (16), (17)")
    assert figure.obtained == pytest.approx(float(s_h(100)))
    assert figure.printed == pytest.approx(100 / math.log(100))
    for P in (2, 10, 1024):
        above = 100 * (P / math.log(P) / float(s_h(P)) - 1)
        assert above > 0
        assert f"+{above:.3g} % at P = {P}" in figure.note
    assert 2 / math.log(2) > 2, "above P itself"


def test_worse_than_worst_case_is_false_from_where_the_note_says() -> None:
    figure = found("worse than worst case", "Fig. 4")
    assert figure.obtained == pytest.approx(float(s_h(1024) / s_a(1024, HUNDREDTH)))
    total, crossing = 1.0, 1
    while crossing / total <= s_a(crossing, HUNDREDTH):
        crossing += 1
        total += 1 / crossing
    near = next(P for P in range(3, 2000) if P / math.log(P) > s_a(P, HUNDREDTH))
    assert f"from P = {crossing} by Eq. (15), {near} by (17)" in figure.note


def test_the_scaled_speedup_is_the_same_in_both_of_its_forms() -> None:
    D, Z, P = 360, 12_800, 64
    sigma = Fraction(D, D + Z)
    scaled = P + sigma * (1 - P)
    assert found("by D and Z", "Eq. (22), (23)").printed == pytest.approx(float(scaled))
    assert given("by D and Z", "Eq. (22), (23)") == pytest.approx(float(scaled))
    grown = s_a(P, Fraction(D, D + P * Z))
    assert grown == scaled
    assert given("Z grown", "Eq. (24), Appendix B") == pytest.approx(float(grown))


def test_the_asynchronous_speedup_is_erlang_s_formula_as_printed() -> None:
    for words, where, P in (("S_E(128)", "sec. 8, Fig. 4", 128), ("S_E(64)", "sec. 6, Fig. 4", 64)):
        figure = found(words, where)
        assert figure.obtained == pytest.approx(erlang(P, 0.01), rel=1e-12)
        assert figure.status == REPRODUCED
    assert f"S_A {float(s_a(128, HUNDREDTH)):.2f}" in found("S_E(128)", "sec. 8, Fig. 4").note


def test_asynchronous_messages_are_better_everywhere_and_most_at_the_figure() -> None:
    figure = found("asynchronous messages are better", "sec. 8")
    gains = {P: erlang(P, 0.01) - float(s_a(P, HUNDREDTH)) for P in range(2, 400)}
    assert min(gains.values()) > 0, "not only up to P = 100, as the paper says"
    best = max(gains, key=gains.__getitem__)
    assert figure.obtained == best
    assert f"most, {gains[best]:.2f}, there" in figure.note


def test_the_ncube2_s_sums_and_what_the_paper_makes_of_them() -> None:
    L = 5 * 40 + 160
    assert given("L, cycles", "sec. 7") == L
    trip = found("RTT_min", "sec. 7")
    assert (trip.obtained, trip.printed, trip.note) == (L + 6400, 6700, f"a misprint of {L + 6400}")
    sigma = found("sigma of the nCUBE2", "sec. 7")
    assert sigma.obtained == pytest.approx(L / (L + 12_800))
    assert f"give {L / (L + 6400):.4g}" in sigma.note
    assert round(L / (L + 6400), 4) != sigma.printed, "another think time than that of RTT_min"
    for Z, printed in ((12_800, 81), (64_000, 401), (128_000, 801)):
        figure = found(f"P_opt of Z = {Z},", "Eq. (30), sec. 7")
        assert figure.obtained == printed == (160 + Z) / 160
        assert f"D = 360 gives {(360 + Z) / 160:g}" in figure.note
        assert printed != (360 + Z) / 160
    assert given("P_opt by LogP", "Eq. (31)") == (L + 6400) / 160


def test_the_latencies_of_fig_5_are_those_of_the_normalisation_constants() -> None:
    demands = [40.0] * 5 + [160.0]
    assert given("latency at P = 1,", "Fig. 5") == pytest.approx(latency(1, demands, 1.0))
    low = found("latency at P = 1024, cycles", "Fig. 5")
    assert low.obtained == pytest.approx(latency(1024, demands, 128_000.0), rel=1e-9)
    assert low.status == REPRODUCED
    high = found("with the text's Z", "Fig. 5")
    assert high.obtained == pytest.approx(latency(1024, demands, 12_800.0), rel=1e-9)
    assert high.status == NOT_REPRODUCIBLE


def test_no_split_of_the_demand_brings_the_text_s_think_time_below_the_note_s_limit() -> None:
    (limit,) = map(int, re.findall(r"= (\d{5});", found("with the text's Z", "Fig. 5").note))
    assert limit == 1024 * 360 // 5 - 12_800
    assert latency(1024, [72.0] * 5, 12_800.0) > limit > 36_000
    rng = np.random.default_rng(5)
    for shares in rng.dirichlet(np.ones(5), size=4):
        assert latency(1024, list(360 * shares), 12_800.0) > limit


def test_fits_to_data_that_are_not_printed_are_withheld_beside_their_curves() -> None:
    for machine, P, sigma in (("nCUBE2", 64, 0.0181), ("Paragon", 16, 0.0105)):
        figure = found(f"on the {machine}", "Fig. 6")
        assert (figure.printed, figure.obtained) == (sigma, None)
        assert f"S_A({P}) is {float(s_a(P, Fraction(str(sigma)))):.3f}" in figure.note
        assert f"S_E({P}) {erlang(P, sigma):.3f}" in figure.note


def test_what_deviates_is_what_the_tests_above_explain_and_no_more() -> None:
    assert {one.figure for one in FIGURES if one.status == DEVIATES} == {
        "cost function G_k(5)",
        "harmonic speedup of P = 100 by P/ln P",
        "“worse than worst case”: harmonic speedup S_H over S_A at P = 1024",
        "P up to which asynchronous messages are better",
        "least round trip RTT_min, cycles",
    }
