"""Curves over size and CCR: medians, bands and intervals that hold what they promise."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.campaigns.findings.by_size import (
    GAP,
    SECONDS,
    area,
    band_notes,
    profile,
    profile_series,
    ratio_series,
    size_series,
    size_table,
)
from advisor.campaigns.findings.compared import Compared
from advisor.campaigns.results import Results
from advisor.studies.study import Series
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
