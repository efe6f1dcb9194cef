"""The settings of the scaling study: what a budget buys, how far curves go, units, refusals."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.scaling.law import MOST_TASK_PROCESSORS
from advisor.studies import parameters_of, parse_settings
from advisor.studies.network_settings import PING_PONG
from advisor.studies.scaling.parameters import (
    Repairman,
    ScalingParameters,
    affordable,
    case_of,
    clock_of,
    span,
    stated_case,
)
from machines import InputError
from tests.advisor.studies.scaling.networks import burst, rate

MACHINE = Repairman((40.0, 40.0, 160.0), 800.0)
DEMANDS = st.lists(st.integers(0, 50), min_size=1, max_size=5).filter(any)


@pytest.mark.parametrize(
    ("budget", "price", "bought"),
    [
        (10.0, 1.0, 10),
        (9.999, 1.0, 9),
        (0.3, 0.1, 3),  # 0.3/0.1 is 2.9999999999999996
        (4.35, 0.01, 435),
        (1.0, 3.0, None),
        (0.0, 1.0, None),
        (1e15, 1e-9, 2**53),
    ],
)
def test_a_budget_buys_whole_processors(budget: float, price: float, bought: int | None) -> None:
    asked = ScalingParameters(budget=budget, price=price)
    if bought is not None:
        assert affordable(asked) == bought
        return
    with pytest.raises(InputError, match=rf"buys no processor.*got {budget}.*One costs {price:g}"):
        affordable(asked)


def test_without_a_budget_nothing_is_left_out() -> None:
    assert affordable(ScalingParameters()) is None
    assert stated_case(ScalingParameters(price=1e12)).affordable is None


def test_the_repairman_is_told_in_the_papers_terms() -> None:
    assert (MACHINE.total, MACHINE.largest, MACHINE.bottleneck) == (240.0, 160.0, 2)
    assert MACHINE.sigma == pytest.approx(240 / 1040)  # Eq. (12)
    assert MACHINE.knee == pytest.approx(1040 / 160)  # Eq. (30)
    assert MACHINE.halved(2) == Repairman((40.0, 40.0, 80.0), 800.0)
    assert MACHINE.halved(0).bottleneck == 2
    assert Repairman((5.0, 5.0), 1.0).bottleneck == 0  # the first of several


@given(DEMANDS, st.integers(0, 400))
def test_halving_the_busiest_stage_never_slows_any_number_of_processors(
    demands: list[int], think: int
) -> None:
    machine = Repairman(tuple(map(float, demands)), float(think))
    eased = machine.halved(machine.bottleneck)
    assert eased.total == pytest.approx(machine.total - machine.largest / 2.0)
    for P in (1, 2, 6):
        before, after = (
            one.speedups("asynchronous", 6)[P - 1] / (one.total + one.think)
            for one in (machine, eased)
        )
        assert after >= before * (1.0 - 1e-12)


@given(DEMANDS, st.integers(1, 400))
def test_speedups_are_throughputs_against_that_of_one(demands: list[int], think: int) -> None:
    machine = Repairman(tuple(map(float, demands)), float(think))
    for style, solve in (("asynchronous", rate), ("synchronous", burst)):
        found = machine.speedups(style, 6)
        expected = [solve(P, machine.demands, think) for P in range(1, 7)]
        assert found == pytest.approx([X / expected[0] for X in expected])


@pytest.mark.parametrize(
    ("settings", "up_to"),
    [
        (ScalingParameters(), 165),  # twice the knee of 82.25, rounded up
        (ScalingParameters(style="synchronous"), 329),  # four times
        (ScalingParameters(demands="100", think_time=1.0), 16),  # never fewer
        (ScalingParameters(processors=7), 7),
        (ScalingParameters(budget=500.0), 500),
        (ScalingParameters(budget=500.0, price=10.0), 165),
        (ScalingParameters(budget=1e9), MOST_TASK_PROCESSORS),
        (ScalingParameters(demands="1", think_time=1e9), MOST_TASK_PROCESSORS),
        (ScalingParameters(demands="1", think_time=1e6, coherency=0.1), 2048),
        (ScalingParameters(demands="1, 1", think_time=1e6, coherency=0.1), MOST_TASK_PROCESSORS),
    ],
)
def test_curves_end_where_they_show_saturation_or_the_budget(
    settings: ScalingParameters, up_to: int
) -> None:
    case = stated_case(settings)
    assert case.up_to == up_to
    if settings.processors is None and settings.budget is None:
        assert span(settings, case.machine) == up_to


@pytest.mark.parametrize("unit", ["s", "ms", "µs", "us", "ns"])
def test_seconds_are_shown_in_seconds_whatever_their_prefix(unit: str) -> None:
    seconds = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "us": 1e-6, "ns": 1e-9}[unit]
    clock = clock_of(f" {unit} ")
    assert clock.unit == "s"
    assert clock.shown(3.0) == pytest.approx(3.0 * seconds)


def test_any_other_unit_is_shown_as_it_is() -> None:
    clock = clock_of("hop")
    assert (clock.unit, clock.shown(3.0), clock.text(3.0)) == ("hop", 3.0, "3 hops")
    with pytest.raises(InputError, match=r"setting unit: times need a unit.*s, µs or cycle"):
        clock_of("  ")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (("demands=0, 0",), r"setting demands: the network is empty.*\(0\.0, 0\.0\).*demand > 0"),
        (("demands=1001x1",), r"setting demands: there are too many entries.*1001.*1 to 1000"),
        (("demands=4, x",), r"setting demands: .*'x'"),
        (("budget=0.9",), r"setting budget: .*0\.9.*One costs 1"),
        (("demands=4", "coherency=0.1", "processors=2049"),
         r"setting processors: .*2049.*Allowed with coherency: 2 to 2048"),
    ],
)  # fmt: skip
def test_what_describes_no_network_is_refused_with_place_value_and_remedy(
    settings: tuple[str, ...], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        stated_case(parse_settings(ScalingParameters, settings))


@pytest.mark.parametrize(
    ("settings", "coherent"),
    [
        (ScalingParameters(coherency=0.1, demands="4"), 0.1),
        (ScalingParameters(coherency=0.1, demands="4, 2"), 0.0),
        (ScalingParameters(coherency=0.1, demands="4, 2", style="synchronous"), 0.1),
        (ScalingParameters(demands="4"), 0.0),
    ],
)
def test_coherency_counts_where_it_can_be_solved(
    settings: ScalingParameters, coherent: float
) -> None:
    assert stated_case(settings).coherent == coherent


def test_many_processors_are_allowed_where_no_chain_is_needed() -> None:
    for changes in ({"style": "synchronous"}, {"demands": "4, 2"}, {"coherency": 0.0}):
        asked = ScalingParameters(demands="4", coherency=0.1, processors=5000)
        assert stated_case(replace(asked, **changes)).up_to == 5000


def test_a_case_of_no_network_names_the_demands_it_was_given() -> None:
    with pytest.raises(InputError, match=r"no stage takes any time \(got \(0\.0,\)\)"):
        case_of(ScalingParameters(), Repairman((0.0,), 5.0), clock_of("s"))


def test_times_beside_a_pingpong_are_in_microseconds() -> None:
    assert ScalingParameters(unit="cycle", network=PING_PONG).time_unit == "µs"
    assert ScalingParameters(unit="cycle").time_unit == "cycle"
    assert ScalingParameters(message_bits=4000.0).message_sizes == (500.0, 500.0)


def test_the_overhead_to_receive_is_that_to_send_unless_it_is_given() -> None:
    assert ScalingParameters().overheads == (3200.0, 3200.0)
    assert ScalingParameters(overhead=5.0).overheads == (5.0, 5.0)
    assert ScalingParameters(overhead=0.0, overhead_receive=2.0).overheads == (0.0, 2.0)


USED = {
    "demands": {"demands", "think_time", "style", "coherency"},
    "LogP": {"network", "message_bits", "time_reading", "dims", "think_time", "style", "coherency"},
    "data": {"data", "against", "quantity", "replicates", "seed", "region", "metric"},
}


@pytest.mark.parametrize("source", USED)
def test_a_form_shows_what_its_source_uses(source: str) -> None:
    fields = {one.name: one for one in parameters_of(ScalingParameters)}
    values = {"source": source, "network": "nowhere"}
    for name in USED[source]:
        assert fields[name].unused(values) == "", name
    for name in set().union(*USED.values()) - USED[source]:
        assert fields[name].unused(values).startswith("Only used with source "), name
    for name in ("processors", "budget", "price"):
        assert fields[name].unused(values) == ""


def test_choices_that_are_words_have_titles() -> None:
    for one in parameters_of(ScalingParameters):
        if one.name in {"source", "quantity", "style"}:
            assert one.titled is not None
            assert all(one.titled(choice)[0].isupper() for choice in one.choices), one.name


def test_the_defaults_are_the_hypercube_of_the_paper() -> None:
    case = stated_case(ScalingParameters())
    assert case.machine == Repairman((40.0,) * 5 + (160.0,), 12_800.0)
    assert case.machine.sigma == pytest.approx(0.0273556, abs=5e-8)
    assert math.floor(case.machine.knee) == 82
