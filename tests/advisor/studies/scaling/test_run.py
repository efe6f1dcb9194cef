"""The scaling study of known times: the paper's figures, the choices, the bottleneck, refusals."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.mrm import erlang_speedup, mva, usl
from advisor.studies import STUDIES, StudyProgress, StudyResult, parse_settings
from advisor.studies.scaling.parameters import LATENCY_READINGS, TIME_READINGS, ScalingParameters
from advisor.studies.scaling.run import run
from machines import InputError
from machines.catalogue import interconnect_names
from tests.advisor.studies.scaling.networks import area

FIG_5 = ScalingParameters(demands="5x40, 160", think_time=128_000.0, processors=1024)
ONE = ScalingParameters(demands="10", think_time=990.0, processors=300)


def curve(result: StudyResult, name: str, label: str) -> dict[float, float]:
    (one,) = [s for s in result.series if s.name.startswith(name) and s.y_label == label]
    return dict(zip(one.x, one.y, strict=True))  # type: ignore[arg-type]


def row(result: StudyResult, table: int, first: str) -> dict[str, object]:
    found = result.tables[table]
    (cells,) = [cells for cells in found.rows if cells[0] == first]
    return dict(zip([name for name, _ in found.columns], cells, strict=True))


def test_the_hockey_stick_is_that_of_figure_5() -> None:
    latency = curve(run(FIG_5), "exact MVA", "latency R")
    assert latency[1.0] == pytest.approx(360.0)
    assert latency[1024.0] == pytest.approx(35_840.0)  # "almost 36,000"
    asymptote = curve(run(FIG_5), "asymptotes", "latency R")
    assert asymptote[1024.0] == pytest.approx(35_840.0)


@pytest.mark.parametrize(
    ("Z", "printed"), [(12_800.0, 81.0), (64_000.0, 401.0), (128_000.0, 801.0)]
)
def test_the_knee_of_the_busiest_channel_is_the_published_one(Z: float, printed: float) -> None:
    asked = replace(FIG_5, source="LogP", think_time=Z, latency_reading="M/W alone")
    assert curve(run(asked), "knee", "speedup") == {printed: printed}


def test_every_law_of_the_family_is_drawn_with_the_chosen_one_first() -> None:
    result = run(FIG_5)
    names = [one.name for one in result.series if one.y_label == "speedup"]
    assert names[0] == "exact MVA (asynchronous)"
    laws = ("Erlang S_E", "Amdahl S_A", "Gustafson S_G", "harmonic S_H")
    for start in ("burst", *laws, "knee", "best time", "best efficiency"):
        assert sum(name.startswith(start) for name in names) == 1, start
    bounded = [one.name for one in result.series if one.y_label == "speedup within bounds"]
    bounds = ["asymptotic bounds", "balanced bounds"]
    assert bounded == [names[0], *bounds, "knee P_opt", "the knee's band"]
    areas = {one.name for one in result.series if one.kind == "band"}
    assert areas == {*bounds, "the knee's band"}
    barrier = run(replace(FIG_5, style="synchronous"))
    assert barrier.series[0].name.startswith("burst")
    assert {one.y_label for one in result.series} == {
        "speedup", "speedup within bounds", "latency R", "efficiency", "throughput",
    }  # fmt: skip


def test_curves_are_those_of_the_models() -> None:
    result = run(ONE)
    exact = curve(result, "exact MVA", "speedup")
    assert len(exact) > 100
    for P in map(int, exact):
        assert exact[P] == pytest.approx(erlang_speedup(P, 0.01))
        assert curve(result, "Amdahl", "speedup")[P] == pytest.approx(P / (1 + 0.01 * (P - 1)))
        assert curve(result, "Gustafson", "speedup")[P] == pytest.approx(P + 0.01 * (1 - P))
    X = mva(300, [10.0], 990.0).throughput
    assert curve(result, "exact MVA", "throughput")[300] == pytest.approx(X)
    assert curve(result, "exact MVA", "efficiency")[300] == pytest.approx(100 * X * 1000 / 300)


@given(st.lists(st.floats(0.5, 20.0), min_size=1, max_size=4), st.floats(0.0, 2000.0))
def test_the_curve_stays_within_its_bounds(demands: list[float], Z: float) -> None:
    text = ", ".join(map(repr, demands))
    result = run(ScalingParameters(demands=text, think_time=Z, processors=40))
    exact = curve(result, "exact MVA", "throughput")
    for kind in ("asymptotic", "balanced"):
        for P, (lower, upper) in area(result, f"{kind} bounds", "throughput").items():
            assert lower * (1 - 1e-9) <= exact[P] <= upper * (1 + 1e-9)


def test_halving_the_bottleneck_is_solved_anew() -> None:
    result = run(replace(FIG_5, think_time=12_800.0))
    P = row(result, 0, "best time")["P"]
    assert isinstance(P, int)
    stage = row(result, 1, "6")
    before = 1.0 / (360 + 12_800)
    eased = mva(P, [40.0] * 5 + [80.0], 12_800.0)
    assert stage[f"speed with {P} if halved"] == pytest.approx(eased.throughput / before)
    assert stage["knee if halved"] == pytest.approx((280 + 12_800) / 80)
    others = mva(P, [20.0] + [40.0] * 4 + [160.0], 12_800.0)
    assert row(result, 1, "1 (5 alike)")[f"speed with {P} if halved"] == pytest.approx(
        others.throughput / before
    )
    assert "stage 6" in result.sentence
    assert any("would stay the bottleneck" in text for text in result.reasons)


def test_halving_one_of_several_busiest_stages_moves_the_bottleneck() -> None:
    result = run(ScalingParameters(demands="3x5, 1", think_time=100.0))
    assert any("one of 3 equally busy stages" in text for text in result.reasons)
    assert any("stage 2 would rule" in text for text in result.reasons)


def test_a_budget_is_kept_and_priced() -> None:
    result = run(replace(FIG_5, budget=1000.0, price=2.0))
    found = row(result, 0, "best within the budget")
    assert found["P"] <= 500  # type: ignore[operator]
    assert found["cost"] == found["P"] * 2.0  # type: ignore[operator]
    assert (
        found["speedup"]
        >= 0.99 * curve(run(replace(FIG_5, processors=500)), "exact", "speedup")[500]
    )  # type: ignore[operator]
    assert "within the budget" in result.sentence


def test_a_range_short_of_the_knee_says_that_more_would_help() -> None:
    result = run(replace(FIG_5, processors=64))
    assert result.headline.startswith("Use 64 processors: ")
    assert result.headline.endswith("the best time up to 64.")
    assert any("more than these would still help" in text for text in result.reasons)


def test_coherency_makes_the_speed_fall_beyond_the_published_peaks() -> None:
    barrier = run(replace(ONE, style="synchronous", coherency=0.005))
    by_law = curve(barrier, "USL", "speedup")
    for P in (1, 100, 300):
        assert by_law[P] == pytest.approx(usl(P, 0.01, 5e-5))
    assert any("P = √(Z/(c D)) = 141" in text for text in barrier.reasons)
    exact = run(replace(ONE, coherency=0.005))
    assert curve(exact, "exact with coherency", "speedup")[100] == pytest.approx(90.319, abs=2e-3)
    assert any("highest at P = 105" in text for text in exact.reasons)
    several = run(replace(FIG_5, coherency=0.005))
    assert any("left out" in note.text for note in several.notes if not note.inside_domain)


def test_the_readings_of_logp_are_all_listed_with_their_figures() -> None:
    result = run(replace(FIG_5, source="LogP", think_time=12_800.0))
    table = result.tables[2]
    found = {(cells[1], cells[2]): cells for cells in table.rows}
    assert set(found) == {(one, other) for one in LATENCY_READINGS for other in TIME_READINGS}
    assert sum(cells[0] == "chosen" for cells in table.rows) == 1
    assert found["L in one stage", "Z"][5] == pytest.approx(0.0274, abs=5e-5)
    assert found["L in one stage", "2 o"][5] == pytest.approx(0.05325, abs=5e-6)
    assert found["M/W alone", "2 o"][6] == pytest.approx(41.0)
    assert found["L in H equal stages", "Z"][7] == pytest.approx(61_276.246)
    assert found["H hops of r and M/W", "P g"][4] == pytest.approx(1024 * 6400)


@pytest.mark.parametrize("name", interconnect_names())
def test_every_preset_is_a_repairman(name: str) -> None:
    asked = ScalingParameters(source="LogP", network=name, think_time=100.0, time_reading="2 o + Z")
    result = run(asked)
    assert result.complete
    assert any(name in note.text or note.inside_domain for note in result.notes)
    assert all(cells[3] > 0 for cells in result.tables[2].rows)  # type: ignore[operator]


def test_times_in_seconds_are_shown_in_seconds() -> None:
    result = run(replace(ONE, unit="ms"))
    assert curve(result, "exact MVA", "latency R")[1.0] == pytest.approx(0.010)
    assert curve(result, "exact MVA", "throughput")[1.0] == pytest.approx(1.0)
    assert any("10.0 ms" in text for text in result.reasons)


def test_the_harmonic_bound_is_no_bound_where_it_passes_amdahl() -> None:
    warned = [note.text for note in run(replace(ONE, processors=700)).notes]
    assert "S_H is no lower bound: it passes S_A at P = 599" in warned
    assert not any("S_H" in note.text for note in run(ONE).notes)


def test_a_stopped_study_lists_the_readings_that_it_has() -> None:
    asked = iter([False] * 30)
    whole = run(replace(FIG_5, source="LogP"))
    result = run(replace(FIG_5, source="LogP"), None, lambda: next(asked, True))
    rows = result.tables[2].rows
    assert not result.complete
    assert 0 < len(rows) < 16
    assert rows == whole.tables[2].rows[: len(rows)]


def test_a_stopped_study_keeps_its_choices() -> None:
    told: list[StudyProgress] = []
    asked = iter([False])
    result = run(ONE, told.append, lambda: next(asked, True))
    assert not result.complete
    assert [one.y_label for one in result.series] == ["speedup"]
    assert len(result.tables[0].rows) == 2
    assert told


@pytest.mark.parametrize(
    ("setting", "word"),
    [
        (["demands="], "empty"),
        (["demands=0, 0"], "the network is empty"),
        (["demands=40, x"], "no number"),
        (["demands=-40"], "≥ 0"),
        (["think_time=-1"], "range"),
        (["processors=1"], "range"),
        (["processors=many"], "whole number"),
        (["budget=0.5"], "buys no processor"),
        (["price=0"], "range"),
        (["unit="], "need a unit"),
        (["style=sometimes"], "asynchronous, synchronous"),
        (["source=guess"], "LogP"),
        (["demands=4", "coherency=0.1", "processors=5000"], "2 to 2048"),
        (["source=LogP", "time_reading=P g"], "processors="),
        (["source=LogP", "hops=1", "hop_time=0", "message_bits=0"], "the network is empty"),
        (["source=LogP", "network=arpanet"], "ncube2"),
    ],
)
def test_what_can_not_be_is_refused(setting: list[str], word: str) -> None:
    with pytest.raises(InputError, match=word):
        run(parse_settings(ScalingParameters, setting))


def test_the_study_is_registered() -> None:
    assert STUDIES["scaling"].run is run
    assert not STUDIES["scaling"].needs_problem
