"""Curves over size and CCR: medians, bands and intervals that hold what they promise."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.campaigns.findings.by_size import (
    GAP,
    SECONDS,
    band_notes,
    ratio_series,
    size_series,
    size_table,
)
from advisor.campaigns.findings.compared import Compared
from advisor.campaigns.results import Results
from tests.advisor.campaigns.made_rows import results, row, table


def campaign(many: int = 21) -> Results:
    """Gaps of k % at 20 tasks and 10·k % at 100, k = 0 …; as many ms."""
    rows = [
        row(1.0 + 0.01 * k * (1 if tasks == 20 else 10), workload=f"{tasks} {k}", tasks=tasks,
            bound=1.0)
        for tasks in (20, 100)
        for k in range(many)
    ]  # fmt: skip
    return results(rows, [0.001 * k for k in range(many)] * 2)


def test_gap_and_seconds_have_medians_and_bands_by_size() -> None:
    found = {(one.name, one.y_label): one for one in size_series(Compared.of(campaign()), ())}
    line, band = found["heft", GAP], found["heft, 90 % of instances", GAP]
    assert line.x == (20.0, 100.0)
    assert line.y == pytest.approx((10.0, 100.0))
    assert (line.y_unit, band.kind) == ("%", "band")
    assert band.lower == pytest.approx((1.0, 10.0))
    assert band.y == pytest.approx((19.0, 190.0))
    assert found["heft", SECONDS].y == pytest.approx((0.010, 0.010))


def test_few_instances_have_no_band_and_one_size_no_curve() -> None:
    assert {one.kind for one in size_series(Compared.of(campaign(4)), ())} == {"line"}
    assert list(size_series(Compared.of(table({"a": [1.0, 2.0]})), ())) == []


def test_of_many_strategies_only_those_that_matter_have_bands() -> None:
    answers = campaign()
    rows = [
        row(
            one.value, **{"workload": one.workload, "tasks": one.tasks, "bound": 1.0, "strategy": s}
        )
        for one in answers.rows
        for s in "abcdef"
    ]
    found = list(size_series(Compared.of(results(rows)), ("b", "e")))
    banded = {one.name.partition(",")[0] for one in found if one.kind == "band"}
    assert banded == {"b", "e"}
    assert len([one for one in found if one.kind == "line"]) == 6
    (why,) = band_notes(Compared.of(results(rows)), ("b", "e"), found)
    assert why.text == "Of 6 strategies only b and e have bands, as more would hide one another."


def test_a_curve_without_a_band_says_what_a_band_needs() -> None:
    compared = Compared.of(campaign(4))
    (why,) = band_notes(compared, (), list(size_series(compared, ())))
    assert why.text.startswith("Without a band, which needs 5 instances at each of two points: ")
    assert f"heft ({GAP} by tasks)" in why.text
    compared = Compared.of(campaign())
    assert not list(band_notes(compared, (), list(size_series(compared, ()))))


def test_one_workload_has_no_interval_and_says_so() -> None:
    rows = [
        row(1.0, strategy="a", workload=f"{ccr}", ccr=ccr, generator="layered", seed=1)
        for ccr in (0.1, 10.0)
    ]
    compared = Compared.of(results(rows))
    (why,) = band_notes(compared, (), list(ratio_series(compared, "ccr", ())))
    assert "needs two workloads" in why.text


def test_failures_and_missing_bounds_leave_no_mark_on_the_curves() -> None:
    rows = [
        *campaign().rows,
        row(None, workload="failed", tasks=20),
        row(99.0, workload="unbounded", tasks=20),
    ]
    found = next(size_series(Compared.of(results(rows)), ()))
    assert found.y == pytest.approx((10.0, 100.0))
    assert found.labels == ("21 instances", "21 instances")  # of how many each point is
    listed = size_table(Compared.of(results(rows)))
    assert listed.rows[0][:4] == (20.0, "heft", 23, 1)
    assert [name for name, _ in listed.columns[4:]] == [
        "gap, median", "gap, 5th percentile", "gap, 95th percentile", "time, median",
        "time, 95th percentile",
    ]  # fmt: skip


def test_the_mean_ratio_by_ccr_has_an_interval_that_holds_the_truth() -> None:
    draw = np.random.default_rng(6)
    truth = {0.1: 0.02, 1.0: 0.1, 10.0: 0.5}
    held = asked = 0
    for _ in range(40):
        rows = []
        for ccr, mean in truth.items():
            for seed in range(20):
                ratio = float(np.exp(draw.exponential(mean)))
                drawn = {"ccr": ccr, "seed": seed, "generator": "layered", "workload": f"{ccr}"}
                rows += [row(1.0, strategy="best", **drawn), row(ratio, strategy="other", **drawn)]
        found = {one.name: one for one in ratio_series(Compared.of(results(rows)), "ccr", ())}
        assert found["best"].y == (1.0, 1.0, 1.0)
        band = found["other, 95 % sure"]
        assert min(band.lower) >= 1.0
        for mean, low, high in zip(truth.values(), band.lower, band.y, strict=True):
            asked += 1
            held += low <= np.exp(mean) <= high
    assert held / asked > 0.88  # 120 intervals of skewed ratios; 95 % of those of even ones


def test_no_interval_promises_to_beat_the_best() -> None:
    rows = [
        row(value, strategy=name, workload=f"{ccr} {k}", ccr=ccr)
        for ccr in (0.1, 10.0)
        for k, other in enumerate((1.0, 1.0, 2.0))
        for name, value in (("best", 1.0), ("other", other))
    ]
    found = {one.name: one for one in ratio_series(Compared.of(results(rows)), "ccr", ())}
    assert found["other"].y == pytest.approx((2.0 ** (1.0 / 3.0),) * 2)
    assert found["other, 95 % sure"].lower == (1.0, 1.0)


def test_a_trait_that_does_not_vary_has_no_curve() -> None:
    assert list(ratio_series(Compared.of(campaign()), "ccr", ())) == []
