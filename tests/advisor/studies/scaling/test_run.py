"""The scaling study of known times: the paper's figures, the choices, the bottleneck, refusals."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.mrm import erlang_speedup, mva, usl
from advisor.studies import STUDIES, StudyProgress, StudyResult, parse_settings
from advisor.studies.scaling.parameters import LATENCY_READINGS, TIME_READINGS, ScalingParameters
from advisor.studies.scaling.run import LogP, logp_case, mean_hops, numbers, of_network, run
from machines import Crossbar, InputError, Interconnect, LogGP, Mesh
from machines.catalogue import interconnect, interconnect_names
from tests.advisor.studies.scaling.networks import area, rate, table, units

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


PLAIN = ScalingParameters(source="LogP")
COSTS = LogGP(L=9.0, o_s=2.0, o_r=4.0, g=5.0, G=0.25)
SHORT = replace(COSTS, G=0.0)


def asked(*settings: str) -> ScalingParameters:
    return parse_settings(ScalingParameters, ("source=LogP", *settings))


def test_every_reading_of_the_latency_is_written_out() -> None:
    logp = LogP(L=360.0, o=3200.0, g=6400.0, hops=5, hop_time=40.0, transfer=160.0)
    assert {name: logp.demands(name) for name in LATENCY_READINGS} == {
        "H hops of r and M/W": (40.0, 40.0, 40.0, 40.0, 40.0, 160.0),
        "L in one stage": (360.0,),
        "L in H equal stages": (72.0,) * 5,
        "M/W alone": (160.0,),
    }
    assert {name: logp.time(name, 12_800.0, 7) for name in TIME_READINGS} == {
        "Z": 12_800.0,
        "2 o": 6400.0,
        "2 o + Z": 19_200.0,
        "P g": 44_800.0,
    }


def test_the_numbers_of_the_paper_are_the_defaults() -> None:
    found = numbers(PLAIN)
    # H r + M/W = 5 · 40 + 160/1; o = 3200, g = 2 o (Gunther 2005, sec. 7)
    assert found == LogP(360.0, 3200.0, 6400.0, 5, 40.0, 160.0)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (("message_bits=320", "channel_bits=4"), LogP(280.0, 3200.0, 6400.0, 5, 40.0, 80.0)),
        (("latency=500",), LogP(500.0, 3200.0, 6400.0, 5, 40.0, 160.0)),
        (("overhead=10",), LogP(360.0, 10.0, 20.0, 5, 40.0, 160.0)),
        (("overhead=10", "overhead_receive=30"), LogP(360.0, 20.0, 40.0, 5, 40.0, 160.0)),
        (("overhead=10", "gap=7"), LogP(360.0, 10.0, 7.0, 5, 40.0, 160.0)),
        (("gap_per_byte=3",), LogP(260.0, 3200.0, 6400.0, 5, 40.0, 60.0)),
        (("hops=2", "hop_time=7"), LogP(174.0, 3200.0, 6400.0, 2, 7.0, 160.0)),
        (("nodes=12",), LogP(200.0, 3200.0, 6400.0, 1, 40.0, 160.0)),
    ],
)
def test_a_number_that_is_given_takes_the_place_of_what_follows_from_others(
    settings: tuple[str, ...], expected: LogP
) -> None:
    assert numbers(asked(*settings)) == expected


def by_walking(sides: tuple[int, ...], closed: bool) -> float:
    """Mean hops between two different nodes of a grid, pair by pair."""
    nodes = list(itertools.product(*map(range, sides)))
    apart = []
    for one, other in itertools.permutations(nodes, 2):
        steps = [abs(a - b) for a, b in zip(one, other, strict=True)]
        apart.append(sum(min(d, k - d) if closed else d
                         for d, k in zip(steps, sides, strict=True)))  # fmt: skip
    return sum(apart) / len(apart)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("sides", [(2,), (4, 4), (8, 4), (5, 3), (3, 3, 3), (16,)])
def test_the_hops_of_a_shape_are_those_between_all_its_pairs(
    sides: tuple[int, ...], closed: bool
) -> None:
    expected = max(1, round(by_walking(sides, closed)))
    assert mean_hops(Mesh(sides, wrap=closed)) == expected
    text = "x".join(map(str, sides)) + (" torus" if closed else "")
    assert numbers(asked(f"dims={text}")).hops == expected


def test_a_network_gives_its_latency_to_its_hops_and_its_bytes_to_the_channel() -> None:
    net = Interconnect("Lab", Mesh((4, 4)), SHORT, COSTS, "µs", 1e-6, "our measurements")
    logp, clock, origin = of_network(net, 800.0)
    hops = round(by_walking((4, 4), closed=False))
    assert logp == LogP(9.0 + 25.0, 3.0, 5.0, hops, 9.0 / hops, 25.0)
    assert sum(logp.demands("H hops of r and M/W")) == pytest.approx(logp.L)
    assert sum(logp.demands("L in H equal stages")) == pytest.approx(logp.L)
    assert (clock.unit, clock.shown(1.0)) == ("s", 1e-6)
    assert origin == "Lab: our measurements"
    unnamed = of_network(replace(net, source=""), 800.0)[2]
    assert unnamed == "Lab"


def test_nodes_at_one_switch_are_a_hop_apart() -> None:
    assert mean_hops(Crossbar(64)) == 1
    logp, _, _ = of_network(Interconnect("X", Crossbar(64), SHORT, COSTS, "µs", 1e-6), 80.0)
    assert logp.demands("H hops of r and M/W") == (9.0, 2.5)


@pytest.mark.parametrize("name", interconnect_names())
def test_every_reading_of_a_shipped_network_is_computed_from_its_numbers(name: str) -> None:
    net = interconnect(name)
    p, size = net.long, 500.0
    rows = table(run(asked(f"network={name}", "message_bits=4000", "think_time=100",
                           "processors=4")), "Variants of LogP")  # fmt: skip
    shown = net.unit_s if net.unit in {"µs", "ns", "ms", "s"} else 1.0
    for row in rows:
        total = {"M/W alone": p.G * size}.get(row["D is"], p.L + p.G * size)
        both = p.o_s + p.o_r
        think = {"Z": 100.0, "2 o": both, "2 o + Z": both + 100.0, "P g": 4.0 * p.g}
        time = think[row["time between messages is"]]
        assert row["D"] == pytest.approx(total * shown)
        assert row["Z"] == pytest.approx(time * shown)
        assert row["sigma"] == pytest.approx(total / (total + time))
    assert len(rows) == 16


def test_a_row_of_the_readings_is_the_network_solved_another_way() -> None:
    result = run(replace(PLAIN, hops=2, think_time=700.0, processors=9))
    stages = {
        "H hops of r and M/W": [40.0, 40.0, 160.0],
        "L in one stage": [240.0],
        "L in H equal stages": [120.0, 120.0],
        "M/W alone": [160.0],
    }
    times = {"Z": 700.0, "2 o": 6400.0, "2 o + Z": 7100.0, "P g": 9 * 6400.0}
    rows = table(result, "Variants of LogP")
    assert len(rows) == 16
    for row in rows:
        demands, Z = stages[row["D is"]], times[row["time between messages is"]]
        assert row["P_opt"] == pytest.approx((sum(demands) + Z) / max(demands))
        assert row["R(9)"] == pytest.approx(9 / rate(9, demands, Z) - Z)
    assert units(result, "Variants of LogP")["D"] == "cycle"


@pytest.mark.parametrize("latency", LATENCY_READINGS)
@pytest.mark.parametrize("time", TIME_READINGS)
def test_the_reading_that_is_chosen_is_the_one_that_is_answered(latency: str, time: str) -> None:
    case = logp_case(
        replace(PLAIN, latency_reading=latency, time_reading=time, processors=20, overhead=50.0)
    )
    logp = numbers(case.asked)
    assert case.machine.demands == logp.demands(latency)
    assert case.machine.think == logp.time(time, 12_800.0, 20)
    result = run(case.asked)
    (chosen,) = [row for row in table(result, "Variants of LogP") if row[""] == "chosen"]
    assert (chosen["D is"], chosen["time between messages is"]) == (latency, time)
    assert f"{sum(case.machine.demands):.3g} cycles" in " ".join(result.reasons)


def test_without_a_number_of_processors_the_gap_gives_no_reading() -> None:
    rows = table(run(PLAIN), "Variants of LogP")
    assert len(rows) == 12
    assert "P g" not in {row["time between messages is"] for row in rows}
    with pytest.raises(InputError, match=r"setting processors: Z = P g needs.*processors="):
        run(replace(PLAIN, time_reading="P g"))


def test_a_message_without_bytes_has_no_reading_by_its_channel() -> None:
    result = run(replace(PLAIN, message_bits=0.0))
    assert "M/W alone" not in {row["D is"] for row in table(result, "Variants of LogP")}
    with pytest.raises(InputError, match="the network is empty"):
        run(replace(PLAIN, message_bits=0.0, latency_reading="M/W alone"))


@pytest.mark.parametrize(
    ("time", "warned"), [("Z", False), ("2 o", True), ("2 o + Z", True), ("P g", False)]
)
def test_the_contradiction_of_the_overhead_is_told_where_it_is_used(
    time: str, warned: bool
) -> None:
    notes = run(replace(PLAIN, time_reading=time, processors=16)).notes
    assert any("both can't hold with P > 1" in note.text for note in notes) == warned
    stated = run(ScalingParameters(processors=16)).notes
    assert not any("both can't hold" in note.text for note in stated)


def test_a_bigger_message_fills_the_channel_and_not_the_hops() -> None:
    small, large = (numbers(asked(f"message_bits={bits}")) for bits in (160, 1600))
    assert large.demands("M/W alone")[0] == 10.0 * small.demands("M/W alone")[0]
    reading = "H hops of r and M/W"
    assert large.demands(reading)[:-1] == small.demands(reading)[:-1]


def test_where_the_figures_come_from_is_noted() -> None:
    given = [note for note in run(PLAIN).notes if "LogP parameters as given" in note.text]
    assert [note.source for note in given] == ["Gunther 2005, Eq. (27)"]
    shipped = run(asked("network=ncube2")).notes
    assert any(note.text.startswith("nCUBE/2: o_s, o_r, G: T. von Eicken") for note in shipped)
    assert not any("as given" in note.text for note in shipped)


def test_settings_of_another_source_change_nothing() -> None:
    plain = run(ScalingParameters())
    other = run(
        ScalingParameters(message_bits=1.0, hops=9, overhead=1.0, latency_reading="M/W alone")
    )
    assert other.sentence == plain.sentence
    assert other.series == plain.series
    named = run(asked("network=alewife"))
    ignored = run(asked("network=alewife", "hops=9", "latency=3", "hop_time=1"))
    assert ignored.sentence == named.sentence
