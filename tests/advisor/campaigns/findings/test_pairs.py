"""Wins, ties and losses; differences that are there are found, others are not made up."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from advisor.campaigns.findings.compared import WORST, Compared, by_workload
from advisor.campaigns.findings.pairs import EXACT, Pair, holm, interval, needed, pairs, signed_rank
from advisor.campaigns.results import Results
from tests.advisor.campaigns.made_rows import PLAIN, results, row, table


def compared(values: np.ndarray, workload: np.ndarray) -> Compared:
    """Values, shape (I, S), as if they were of a campaign."""
    many, strategies = values.shape
    unknown = np.full(many, np.nan)
    return Compared(
        tuple(f"s{k}" for k in range(strategies)), values, np.full(values.shape, np.nan), unknown,
        np.zeros(many, dtype=bool), {"tasks": unknown}, np.arange(many, dtype=np.int32),
        workload.astype(np.int32),
    )  # fmt: skip


def pair_of(answers: Results) -> Pair:
    (found,) = pairs(Compared.of(answers))
    return found


def test_wins_ties_and_losses_are_counted_and_rounding_is_a_tie() -> None:
    found = pair_of(table({"a": [1.0, 2.0, 3.0, 4.0], "b": [2.0, 2.0 * (1 + 1e-12), 1.0, 8.0]}))
    assert (found.wins, found.ties, found.losses) == (2, 1, 1)
    assert found.ratio == pytest.approx((0.5 * 1.0 * 3.0 * 0.5) ** 0.25)
    assert (found.turned.wins, found.turned.losses) == (1, 2)
    assert found.turned.ratio == pytest.approx(1.0 / found.ratio)


def test_five_workloads_have_no_p_and_six_may() -> None:
    five = pair_of(table({"a": [1.0] * 5, "b": [2.0, 3.0, 4.0, 5.0, 6.0]}))
    assert (five.p, five.corrected, five.differs) == (None, None, False)
    six = pair_of(table({"a": [1.0] * 6, "b": [2.0, 3.0, 4.0, 5.0, 6.0, 7.0]}))
    assert six.p == pytest.approx(2.0 / 2**6)
    assert six.is_better


def test_all_pairs_are_corrected_together_but_for_those_without_a_test() -> None:
    values = {
        name: [base + k for k in range(6)] for name, base in zip("abc", (1, 9, 99), strict=True)
    }
    rows = [*table(values).rows, row(1.0, strategy="d", workload="w0")]
    found = {(one.first, one.second): one for one in pairs(Compared.of(results(rows)))}
    assert [one.p for one in found.values()].count(None) == 3  # with d: one workload
    assert found["a", "b"].corrected == pytest.approx(3.0 * 2.0 / 2**6)


def test_a_failure_is_worse_than_any_value_and_no_part_of_the_ratio() -> None:
    found = pair_of(table({"a": [1.0] * 8, "b": [None, None, *[0.9] * 6]}))
    assert (found.wins, found.losses, found.lost) == (2, 6, (0, 2))
    assert found.ratio == pytest.approx(1.0 / 0.9)
    logs = Compared.of(table({"a": [1.0] * 8, "b": [None, None, *[0.9] * 6]})).logarithms
    assert logs.max() == pytest.approx(np.log(WORST))
    far = Compared.of(table({"a": [1.0, 1.0], "b": [None, 50.0]})).logarithms
    assert far[0, 1] == pytest.approx(np.log(50.0))


def test_who_never_answers_is_beaten() -> None:
    found = pair_of(table({"a": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], "b": [None] * 7}))
    assert found.is_better
    assert np.isnan(found.ratio)


def test_strategies_are_compared_on_what_both_were_asked_about() -> None:
    rows = [
        row(1.0, workload="x"), row(2.0, workload="y"), row(3.0, workload="y", strategy="peft"),
        row(4.0, workload="z", strategy="peft"), row(None, workload="q"),
        row(None, workload="q", strategy="peft"),
    ]  # fmt: skip
    found = pair_of(results(rows))
    assert found.instances == 1  # y: on q neither answers
    apart = results([row(1.0, workload="x"), row(1.0, workload="y", strategy="peft")])
    assert pairs(Compared.of(apart)) == ()


def test_a_question_asked_twice_counts_once() -> None:
    rows = [row(1.0), row(2.0, strategy="peft"), row(5.0)]
    assert Compared.of(results(rows)).values.tolist() == [[1.0, 2.0]]


def test_instances_of_one_file_or_of_one_draw_are_one_workload() -> None:
    drawn = {"generator": "layered", "strategy": "heft"}
    rows = [
        row(workload="f.json", platform="lab"),
        row(workload="f.json", platform="cluster", seed=7),
        row(workload="g.json"),
        row(workload="layered ccr=1", seed=1, **drawn),
        row(workload="layered ccr=10", seed=1, ccr=10.0, load="desk 2", **drawn),
        row(workload="layered ccr=1", seed=2, **drawn),
        row(workload="layered tasks=20", seed=1, tasks=20, **drawn),
        row(workload="fft ccr=1", seed=1, generator="fft"),
    ]
    found = Compared.of(results(rows)).workload
    assert len(set(found.tolist())) == 5
    assert found[0] == found[1]  # one file
    assert found[3] == found[4] == found[6]  # one seed


def test_a_failed_row_belongs_to_the_workload_of_its_neighbours() -> None:
    drawn = {"generator": "layered", "workload": "layered"}
    rows = [
        row(None, tasks=0, ccr=None, **drawn),
        row(2.0, tasks=50, strategy="peft", **drawn),
        row(1.0, tasks=50, ccr=10.0, platform="other", **drawn),
    ]
    found = Compared.of(results(rows))
    assert found.workload[0] == found.workload[1]
    assert found.traits["tasks"].tolist() == [50.0, 50.0]


def test_two_percent_under_noise_are_found() -> None:
    draw = np.random.default_rng(5)
    base = draw.lognormal(3.0, 2.0, (60, 1))  # from ms to hours: ratios do not mind
    values = base * np.array([1.0, 1.02, 1.02]) * np.exp(draw.normal(0.0, 0.02, (60, 3)))
    found = {(one.first, one.second): one for one in pairs(compared(values, np.arange(60)))}
    assert found["s0", "s1"].is_better
    assert found["s0", "s2"].is_better
    assert not found["s1", "s2"].differs
    assert found["s0", "s1"].low < 1.0 / 1.02 < found["s0", "s1"].high


def test_equal_strategies_are_said_to_differ_in_one_campaign_of_twenty_at_most() -> None:
    draw = np.random.default_rng(11)
    errors = 0
    for _ in range(400):
        values = np.exp(draw.normal(0.0, 1.0, (20, 1)) + draw.normal(0.0, 0.05, (20, 3)))
        errors += any(one.differs for one in pairs(compared(values, np.arange(20))))
    assert errors <= 0.06 * 400


def test_conditions_of_one_workload_are_no_witnesses_of_their_own() -> None:
    # the same draw at 8 CCRs: whoever is lucky with it is lucky eight times
    draw = np.random.default_rng(12)
    workload = np.repeat(np.arange(12), 8)
    errors = naive = 0
    for _ in range(400):
        luck = draw.normal(0.0, 0.05, (12, 3))[workload]
        values = np.exp(luck + draw.normal(0.0, 0.02, (96, 3)))
        errors += any(one.differs for one in pairs(compared(values, workload)))
        naive += signed_rank(np.log(values[:, 0] / values[:, 1])) <= 0.05 / 3.0
    assert errors <= 0.06 * 400
    assert naive > 0.25 * 400  # of one pair alone, though corrected for three


def test_the_mean_of_a_workload_is_its_geometric_mean_ratio() -> None:
    logs = np.log(np.array([2.0, 8.0, 3.0]))
    assert np.exp(by_workload(logs, np.array([4, 4, 9]))) == pytest.approx([4.0, 3.0])
    cancels = np.array([0.1, 0.2, -0.3])
    assert by_workload(cancels, np.zeros(3, dtype=np.int32)).tolist() == [0.0]


def test_ranks_and_mean_that_contradict_are_neither_better() -> None:
    # a little lower on 30, much higher on 3
    values = {"a": [0.9] * 30 + [50.0] * 3, "b": [1.0] * 33}
    found = pair_of(table(values))
    assert found.differs
    assert found.is_mixed
    assert not found.is_better
    assert not found.turned.is_better


def test_the_bound_of_an_instance_is_the_best_of_all_its_rows() -> None:
    rows = [row(10.0, bound=5.0), row(12.0, bound=9.0, strategy="peft", proved=False)]
    found = Compared.of(results(rows))
    assert found.bound.tolist() == [9.0]
    assert found.gaps == pytest.approx(np.array([[1.0 / 9.0, 1.0 / 3.0]]))
    assert np.isnan(Compared.of(results([PLAIN])).gaps).all()


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
    from scipy import stats

    given = np.random.default_rng(many).normal(0.25, 1.0, many)
    method = "exact" if many <= EXACT else "approx"
    assert signed_rank(given) == pytest.approx(stats.wilcoxon(given, method=method).pvalue)


def test_the_exact_p_goes_over_into_its_limit() -> None:
    from scipy import stats

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
