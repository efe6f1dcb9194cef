"""LogP parameters as a repairman: every reading by hand, hops counted, settings kept apart."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from advisor.studies import parse_settings
from advisor.studies.scaling.logp import LogP, logp_case, mean_hops, numbers, of_network
from advisor.studies.scaling.parameters import LATENCY_READINGS, TIME_READINGS, ScalingParameters
from advisor.studies.scaling.run import run
from machines import Crossbar, InputError, Interconnect, LogGP, Mesh
from machines.catalogue import interconnect, interconnect_names
from tests.advisor.studies.scaling.networks import rate, table, units

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
