"""The curves of known times: on one another, on their asymptotes and in their units."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.studies import Series, StudyResult
from advisor.studies.scaling.law_curves import latency, sampled
from advisor.studies.scaling.parameters import Repairman, ScalingParameters
from advisor.studies.scaling.run import run
from tests.advisor.studies.scaling.networks import area, burst, curve, rate, series, table

ASKED = ScalingParameters(demands="1, 3, 2x2", think_time=20.0, processors=30)
D, Z = [1.0, 3.0, 2.0, 2.0], 20.0
MVA, BURST = "exact MVA (asynchronous)", "burst and barrier (synchronous)"
STYLES = pytest.mark.parametrize("style", ["asynchronous", "synchronous"])
DEMANDS = st.lists(st.floats(0.5, 9.0), min_size=1, max_size=4)


def on(result: StudyResult, label: str, kind: str = "line") -> list[Series]:
    return [one for one in result.series if (one.y_label, one.kind) == (label, kind)]


@given(st.integers(1, 100_000), st.lists(st.floats(-10.0, 2e5), max_size=5))
def test_numbers_to_draw_rise_from_one_to_the_end_with_those_that_must_be_there(
    up_to: int, always: list[float]
) -> None:
    found = sampled(up_to, always)
    assert found == sorted(set(found))
    assert (found[0], found[-1]) == (1, up_to)
    assert len(found) <= 165 + len(always)
    for one in always:
        assert min(max(round(one), 1), up_to) in found
    assert up_to > 160 or len(found) == up_to
    # no gap is wider than a straight line from end to end may show
    assert all(right - left <= up_to / 79 + 1 for left, right in itertools.pairwise(found))


@STYLES
def test_both_ways_of_messaging_are_the_network_solved_another_way(style: str) -> None:
    result = run(replace(ASKED, style=style))
    for name, solve in ((MVA, rate), (BURST, burst)):
        speed = curve(result, name, "speedup")
        R, share = curve(result, name, "latency R"), curve(result, name, "efficiency")
        for P in range(1, 31):
            X = solve(P, D, Z)
            assert speed[P] == pytest.approx(X / solve(1, D, Z))
            assert R[P] == pytest.approx(P / X - Z)
            assert share[P] == pytest.approx(100.0 * X / solve(1, D, Z) / P)


@STYLES
def test_the_messaging_that_was_asked_for_comes_first_everywhere(style: str) -> None:
    result = run(replace(ASKED, style=style))
    mine, other = (MVA, BURST) if style == "asynchronous" else (BURST, MVA)
    for label, second in (("speedup", other), ("latency R", other), ("efficiency", other)):
        assert [one.name for one in on(result, label)][:2] == [mine, second]
    for label in ("speedup within bounds", "throughput"):
        assert on(result, label)[0].name == mine
    rates, speeds = curve(result, mine, "throughput"), curve(result, mine, "speedup")
    assert rates == {P: pytest.approx(S / (sum(D) + Z)) for P, S in speeds.items()}


@pytest.mark.parametrize(
    "asked",
    [
        ASKED,
        replace(ASKED, style="synchronous", coherency=0.02),
        replace(ASKED, demands="8", coherency=0.02),
        replace(ASKED, demands="8"),
    ],
)
def test_no_two_curves_of_a_plot_have_one_name(asked: ScalingParameters) -> None:
    result = run(asked)
    for label in {one.y_label for one in result.series}:
        names = [one.name for one in result.series if one.y_label == label]
        assert len(set(names)) == len(names), label


@given(DEMANDS, st.floats(0.0, 300.0))
def test_a_message_takes_at_least_its_asymptotes_and_at_most_a_burst(
    demands: list[float], think: float
) -> None:
    text = ", ".join(map(repr, demands))
    result = run(ScalingParameters(demands=text, think_time=think, processors=25))
    exact, barrier = curve(result, MVA, "latency R"), curve(result, BURST, "latency R")
    least = curve(result, "asymptotes D and P D_max − Z", "latency R")
    total, largest = math.fsum(demands), max(demands)
    for P, R in exact.items():
        assert least[P] == pytest.approx(max(total, P * largest - think))
        assert least[P] <= R * (1 + 1e-9)
        # a burst is a straight line from D, a D_max for each further processor
        assert barrier[P] == pytest.approx(total + (P - 1) * largest)


@given(DEMANDS, st.floats(0.0, 300.0))
def test_stages_taken_as_one_never_speed_it_up(demands: list[float], think: float) -> None:
    text = ", ".join(map(repr, demands))
    result = run(ScalingParameters(demands=text, think_time=think, processors=25))
    exact = curve(result, MVA, "speedup")
    one = exact if len(demands) == 1 else curve(result, "Erlang S_E (asynchronous)", "speedup")
    slow = curve(result, "Amdahl S_A (synchronous)", "speedup")
    for P in exact:
        assert slow[P] <= one[P] * (1 + 1e-9)
        assert one[P] <= exact[P] * (1 + 1e-9)
        assert exact[P] <= min(P, (math.fsum(demands) + think) / max(demands)) * (1 + 1e-9)


def test_laws_of_the_serial_fraction_are_those_of_the_paper() -> None:
    result = run(replace(ASKED, demands="7", think_time=42.0))  # sigma = 1/7
    assert curve(result, "Amdahl S_A (synchronous)", "speedup")[4] == pytest.approx(2.8)  # Eq. (10)
    assert curve(result, "Gustafson S_G (scaled size)", "speedup")[4] == pytest.approx(4 - 3 / 7)
    harmonic = 4 / (1 + 1 / 2 + 1 / 3 + 1 / 4)
    assert curve(result, "harmonic S_H", "speedup")[4] == pytest.approx(harmonic)


def test_bounds_are_computed_by_hand_at_ten_processors() -> None:
    result = run(replace(ASKED, demands="1, 2, 0.5", think_time=10.0))
    expected = {
        "asymptotic bounds": (10 / (10 * 3.5 + 10), min(10 / 13.5, 1 / 2)),
        "balanced bounds": (
            10 / (13.5 + 9 * 2 / (1 + 10 / 35)),
            min(1 / 2, 10 / (13.5 + 9 * (3.5 / 3) / (1 + 10 / 3.5))),
        ),
    }
    for name, ends in expected.items():
        for label, alone in (("throughput", 1.0), ("speedup within bounds", 13.5)):
            low, high = area(result, name, label)[10]
            assert (low, high) == pytest.approx([alone * X for X in ends])


def test_the_knee_is_where_the_asymptotes_meet() -> None:
    result = run(ASKED)
    knee = (sum(D) + Z) / 3.0
    for label in ("speedup", "speedup within bounds"):
        point = series(result, "knee P_opt", label)
        assert (point.x, point.y, point.kind) == ((knee,), (knee,), "points")
    point = series(result, "knee P_opt", "latency R")
    assert point.x == (knee,)
    assert point.y == pytest.approx((sum(D),))
    assert knee * 3.0 - Z == pytest.approx(sum(D))


def test_chosen_numbers_lie_on_the_first_curve() -> None:
    result = run(replace(ASKED, budget=4.0))
    rows = table(result, "Processors to use")
    for label, column in (("speedup", "speedup"), ("efficiency", "efficiency")):
        along = curve(result, MVA, label)
        for row in rows:
            point = series(result, row["purpose"], label)
            assert (point.x, point.y) == ((float(row["P"]),), (row[column],))
            assert along[row["P"]] == row[column]


def test_shares_are_in_percent_wherever_the_answer_tells_them() -> None:
    result = run(ASKED)
    busy = f"busy with {table(result, 'Processors to use')[0]['P']}"
    units = dict(one for told in result.tables for one in told.columns)
    assert {units["efficiency"], units["bottleneck busy"], units[busy]} == {"%"}
    assert {one.y_unit for one in on(result, "efficiency")} == {"%"}


def test_the_knees_band_is_an_area_within_the_bounds_from_end_to_end() -> None:
    result = run(ASKED)
    found = area(result, "the knee's band", "speedup within bounds")
    along = curve(result, MVA, "speedup within bounds")
    low, high = min(found), max(found)
    knee = (sum(D) + Z) / 3.0
    assert low < knee < high
    assert list(found) == list(range(low, high + 1))
    assert along[low] >= 0.9 * low
    assert along[low + 1] < 0.9 * (low + 1)
    assert along[high] >= 0.9 * knee > along[high - 1]
    bounds = area(result, "asymptotic bounds", "speedup within bounds")
    assert found == {P: bounds[P] for P in found}


def test_a_knees_band_that_the_curve_does_not_leave_is_drawn_to_its_end() -> None:
    found = area(run(replace(ASKED, processors=8)), "the knee's band", "speedup within bounds")
    whole = area(run(ASKED), "the knee's band", "speedup within bounds")
    assert (min(found), max(found)) == (min(whole), 8)
    assert max(whole) > 8


def test_a_knees_band_of_one_number_is_no_area() -> None:
    result = run(ScalingParameters(demands="7", think_time=0.0, processors=20))
    assert "(band 1 to 1: " in " ".join(result.reasons)
    assert not [one for one in result.series if one.name == "the knee's band"]


def test_a_curve_in_milliseconds_is_the_curve_in_seconds() -> None:
    ms = run(replace(ASKED, unit="ms"))
    s = run(replace(ASKED, demands="0.001, 0.003, 2x0.002", think_time=0.02, unit="s"))
    cycles = run(ASKED)
    for one, other, plain in zip(ms.series, s.series, cycles.series, strict=True):
        assert one.name == other.name == plain.name
        assert (one.x, one.y_unit) == (other.x, other.y_unit)
        assert one.y == pytest.approx(other.y)
        factor = {"latency R": 1e-3, "throughput": 1e3}.get(one.y_label, 1.0)
        assert one.y == pytest.approx([factor * y for y in plain.y])
    assert {one.y_unit for one in on(cycles, "latency R")} == {"cycle"}
    assert {one.y_unit for one in on(cycles, "throughput")} == {"1/cycle"}
    assert {one.y_unit for one in on(ms, "throughput")} == {"1/s"}


def test_coherency_that_vanishes_gives_the_curve_without_it() -> None:
    for style, name in (
        ("asynchronous", "exact with coherency (asynchronous)"),
        ("synchronous", "USL, c = 1e-09"),
    ):
        asked = replace(ASKED, demands="8", style=style)
        plain = on(run(asked), "speedup")[0]
        nearly = on(run(replace(asked, coherency=1e-9)), "speedup")[0]
        assert nearly.name == name
        assert nearly.y == pytest.approx(plain.y, rel=1e-6)


@pytest.mark.parametrize("style", ["asynchronous", "synchronous"])
def test_more_coherency_is_never_faster(style: str) -> None:
    asked = replace(ASKED, demands="8", style=style)
    fast, slow = (on(run(replace(asked, coherency=c)), "speedup")[0].y for c in (0.01, 0.05))
    assert fast[0] == slow[0] == 1.0
    assert all(one > other for one, other in zip(fast[1:], slow[1:], strict=True))


def test_beside_independent_messages_that_slow_each_other_the_usl_is_drawn_too() -> None:
    result = run(replace(ASKED, demands="10", think_time=990.0, coherency=0.005, processors=300))
    own = curve(result, "exact with coherency (asynchronous)", "speedup")
    usl = curve(result, "USL, c = 0.005", "speedup")
    assert usl[100] == pytest.approx(100 / (1 + 0.01 * 99 + 5e-5 * 100 * 99))
    assert all(own[P] >= usl[P] * (1 - 1e-12) for P in own)
    names = [one.name for one in on(result, "speedup")]
    assert names.count("exact MVA (asynchronous)") == 1


@given(st.integers(1, 500), st.floats(0.1, 50.0), st.floats(0.0, 500.0))
def test_a_message_never_takes_less_than_without_waiting(P: int, demand: float, Z: float) -> None:
    machine = Repairman((demand,), Z)
    assert latency(machine, P, float(P)) == pytest.approx(demand)  # perfect speedup: no queue
    assert latency(machine, P, P * (1.0 + 1e-15)) >= demand
    assert latency(machine, P, 1.0) == pytest.approx(P * (demand + Z) - Z)
