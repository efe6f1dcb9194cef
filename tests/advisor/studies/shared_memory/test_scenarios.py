"""Base and what-if of the shared-memory study: what each setting changes, and its words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.basics.quantities import duration, number
from advisor.basics.units import Unit
from advisor.models.dvsm import FUTURE, TODAY
from advisor.shared_memory.phases import Application, Load, Phase
from advisor.studies.shared_memory.findings import Findings
from advisor.studies.shared_memory.parameters import SharedMemoryCase, SharedMemoryParameters
from advisor.studies.shared_memory.run import run
from advisor.studies.study import Note
from machines import InputError
from tests.advisor.studies.shared_memory.by_hand import KINDS, NUMBERS, PHASES, Costs, written

NOW = Costs()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> SharedMemoryParameters:
    return written(tmp_path_factory.mktemp("small") / "small.toml")


def times(asked: SharedMemoryParameters) -> tuple[float, float]:
    """µs of base and what-if."""
    found = Findings.of(SharedMemoryCase.of(asked)).times
    return found["base"].time, found["what-if"].time


def at_once(asked: SharedMemoryParameters) -> tuple[str, tuple[Note, ...]]:
    """What both take, and notes, before anything is searched for."""
    result = run(asked, None, lambda: True)
    return result.alternative, result.notes


# What each setting changes ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "costs"),
    [
        ({"processor": 4.0}, Costs(4.0, 4.0)),
        ({"processor": 4.0, "system_benefit": 0.5}, Costs(4.0, 1.5**2)),
        ({"protocol": 0.3}, Costs(software=30.0)),
        ({"signal": 1.0}, Costs(signal=1.0)),
        ({"interface_latency": 2.0}, Costs(latency=4.0)),
        ({"switch_latency": 7.0}, Costs(latency=17.0)),
        ({"processor": 2.0, "protocol": 0.5, "interface_latency": 0.0},
         Costs(2.0, 2.0, software=50.0, latency=0.0)),
    ],
)  # fmt: skip
def test_a_number_changes_the_what_if_alone_and_by_what_it_says(
    small: SharedMemoryParameters, change: dict[str, float], costs: Costs
) -> None:
    base, what_if = times(replace(small, **change))  # type: ignore[arg-type]
    assert base == pytest.approx(NOW.time)
    assert what_if == pytest.approx(costs.time)
    factors = {f"base_{name}": value for name, value in change.items()
               if hasattr(small, f"base_{name}")}  # fmt: skip
    if len(factors) == len(change):  # the base takes the same factors by their own names
        turned = times(replace(small, **factors))  # type: ignore[arg-type]
        assert turned == pytest.approx((what_if, base))


def test_a_signal_that_is_stated_no_longer_speeds_up_with_the_system(
    small: SharedMemoryParameters,
) -> None:
    _, scaled = times(replace(small, processor=4.0))
    _, stated = times(replace(small, processor=4.0, signal=10.0))
    # two reads in three runs and one lock wait for a signal
    assert stated - scaled == pytest.approx(7 * (10.0 - 2.5))


def test_half_of_the_faults_prefetched_are_sent_and_taken_in_without_waiting(
    small: SharedMemoryParameters,
) -> None:
    _, what_if = times(replace(small, fault=0.5))
    assert NOW.time - what_if == pytest.approx(3 * 2 * 0.5 * (NOW.read - 2 * NOW.side))


def test_the_lock_factor_is_a_time_or_the_share_that_is_not_prefetched(
    small: SharedMemoryParameters,
) -> None:
    base, shorter = times(replace(small, lock=0.25))
    assert base - shorter == pytest.approx(0.75 * NOW.mutex)
    _, ahead = times(replace(small, lock=0.25, lock_mode="prefetch"))
    assert base - ahead == pytest.approx(0.75 * (NOW.mutex - 2 * NOW.side))


def test_table_7_is_the_preset_of_the_what_if_and_of_the_base_where_it_is_asked_for(
    small: SharedMemoryParameters,
) -> None:
    fast = Costs(8.0, 8.0, software=20.0, latency=1.5)
    fast = replace(fast, signal=0.625 * 8.0)  # stated, whatever the system's speed
    read = 0.5 * fast.read + 0.5 * 2 * fast.side
    ask = 125.0 + 2 * read + fast.meet
    lock = 250.0 + 0.5 * fast.mutex + fast.meet
    # it states a wire, too: 0.8 ns for each of these bytes, half of them prefetched
    wire = 0.0008 * (3 * (2 * 0.5 * (12 + 20) + 240) + 0.5 * (24 + 4) + 240)
    future = 3 * ask + lock + wire
    asked = replace(small, technology="Table 7 future")
    assert times(asked) == pytest.approx((NOW.time, future))
    assert times(replace(asked, base="Table 7 future")) == pytest.approx((future, future))
    case = SharedMemoryCase.of(asked)
    assert (case.base.technology, case.what_if.technology) == (TODAY, FUTURE)


@settings(max_examples=8)
@given(
    st.floats(1.0, 16.0), st.floats(0.1, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0),
    st.floats(0.0, 20.0),
)  # fmt: skip
def test_nothing_better_makes_the_program_slower(
    small: SharedMemoryParameters,
    processor: float,
    benefit: float,
    protocol: float,
    lock: float,
    signal: float,
) -> None:
    slow = replace(small, processor=processor, system_benefit=benefit, protocol=protocol,
                   lock=lock, signal=signal)  # fmt: skip
    _, before = times(slow)
    for better in (
        {"processor": 2.0 * processor},
        {"protocol": 0.5 * protocol},
        {"lock": 0.5 * lock},
        {"signal": 0.5 * signal},
        {"interface_latency": 1.0},
    ):
        assert times(replace(slow, **better))[1] <= before * (1.0 + 1e-12)  # type: ignore[arg-type]


@pytest.mark.parametrize("times_as_long", [1e-3, 0.5, 100.0])
def test_all_times_longer_by_a_factor_leave_every_share_as_it_is(
    tmp_path_factory: pytest.TempPathFactory, times_as_long: float
) -> None:
    phases = tuple(
        replace(
            one,
            loads=tuple(replace(load, busy=load.busy * times_as_long) for load in one.loads),
        )
        for one in PHASES
    )
    path = tmp_path_factory.mktemp("scaled") / "scaled.toml"
    scaled = replace(
        written(path, Application("small", 8000.0 * times_as_long, KINDS, phases)),
        own_software=100.0 * times_as_long,
        own_interface_latency=5.0 * times_as_long,
        own_signal=10.0 * times_as_long,
    )
    base = Findings.of(SharedMemoryCase.of(scaled)).times["base"]
    assert base.time == pytest.approx(times_as_long * NOW.time)
    assert base.efficiency == pytest.approx(NOW.efficiency)


def test_processors_in_another_order_take_as_long(
    tmp_path_factory: pytest.TempPathFactory, small: SharedMemoryParameters
) -> None:
    turned = tuple(replace(one, loads=one.loads[::-1]) for one in PHASES)
    path = tmp_path_factory.mktemp("turned") / "turned.toml"
    asked = written(path, Application("small", 8000.0, KINDS, turned))
    assert times(asked) == pytest.approx(times(small))
    again = run(asked, None, lambda: True)
    assert again.reasons == run(small, None, lambda: True).reasons


# The network ------------------------------------------------------------------------------


def test_ones_own_numbers_are_the_network_of_both_or_of_the_what_if_alone(
    small: SharedMemoryParameters,
) -> None:
    asked = replace(small, network="fast-ethernet", other_network="own numbers")
    base, what_if = times(asked)
    assert what_if == pytest.approx(NOW.time)
    assert base != pytest.approx(NOW.time)
    switched = replace(small, own_interface_latency=2.0, own_switch_latency=3.0, own_signal=4.0)
    assert times(switched)[0] == pytest.approx(Costs(latency=2 * 2.0 + 3.0, signal=4.0).time)
    # a byte on the wire: 12 + 20 of a read, 24 + 24... of what the slowest processor waits for
    wired = replace(small, own_wire_per_byte=1.0)
    read, meet = 12 + 20, 40 + 200
    lock = 24 + 4
    assert times(wired)[0] - NOW.time == pytest.approx(3 * (2 * read + meet) + lock + meet)


def test_bytes_that_software_handles_and_that_the_wire_adds_count_on_each_message(
    small: SharedMemoryParameters,
) -> None:
    handled = replace(small, own_software_per_byte=0.5)
    # either side of every message
    read, meet, lock = 2 * (12 + 20), 2 * (40 + 200), 2 * (24 + 4)
    assert times(handled)[0] - NOW.time == pytest.approx(
        0.5 * (3 * (2 * read + meet) + lock + meet)
    )
    framed = replace(small, own_wire_per_byte=1.0, own_wire_overhead=50.0)
    plain = replace(small, own_wire_per_byte=1.0)
    # two messages of each read, lock and barrier
    assert times(framed)[0] - times(plain)[0] == pytest.approx(50.0 * 2 * (3 * (2 + 1) + 1 + 1))


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"target": 1.5}, "setting target"),
        ({"reduction": 0.0}, "setting reduction"),
        ({"partial_benefit": float("nan")}, "setting partial_benefit"),
        ({"own_software": -1.0}, "software"),
        ({"own_interface_latency": float("inf")}, "interface_latency"),
        ({"own_signal": -2.0}, "signal"),
        ({"base": "yesterday"}, "yesterday"),
        ({"other_network": "etherent"}, "etherent"),
        ({"base_processor": -1.0}, "processor"),
        ({"lock_mode": "guess"}, "lock_mode"),
    ],
)
def test_what_can_not_be_is_refused_with_its_place(change: dict[str, object], place: str) -> None:
    with pytest.raises(InputError) as refused:
        SharedMemoryCase.of(replace(NUMBERS, application="sor", **change))  # type: ignore[arg-type]
    assert place in str(refused.value)


# The sentence and the notes ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "costs"),
    [({"processor": 4.0}, Costs(4.0, 4.0)), ({"processor": 0.5}, Costs(0.5, 0.5)), ({}, NOW)],
)
def test_the_sentence_gives_both_times_and_which_is_faster(
    small: SharedMemoryParameters, change: dict[str, float], costs: Costs
) -> None:
    said, _ = at_once(replace(small, **change))  # type: ignore[arg-type]
    shares = 100.0 * NOW.efficiency, 100.0 * costs.efficiency
    before, after = (Unit.of("%", *shares).text(one) for one in shares)
    ratio = NOW.time / costs.time
    speed = "times as fast" if ratio >= 1.0 else "times as slow"
    assert said == (
        f"small takes {duration(NOW.time * 1e-6)} on 2 processors with own numbers, efficiency "
        f"{before}; the what-if {duration(costs.time * 1e-6)}, "
        f"{number(max(ratio, 1.0 / ratio))} {speed}, efficiency {after}."
    )


def test_who_serves_too_little_is_warned_of_once_for_both_scenarios(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    loads = (Load(1000.0, (("read", 2.0),)), Load(500.0, (("serve", 1.0),)))
    path = tmp_path_factory.mktemp("few") / "few.toml"
    _, notes = at_once(written(path, Application("few", 8000.0, KINDS, (Phase("a", 1, loads),))))
    warned = [one.text for one in notes if "serve" in one.text and not one.inside_domain]
    assert len(warned) == 1
    assert "processors ask 2.00 times but serve 1.00 requests" in warned[0]


def test_what_only_one_scenario_leaves_is_said_of_that_one(small: SharedMemoryParameters) -> None:
    _, notes = at_once(replace(small, processor=100.0))
    far = [one.text for one in notes if "100 times" in one.text]
    assert len(far) == 1
    assert far[0].startswith("What-if: ")
    _, both = at_once(replace(small, processor=100.0, base_processor=100.0))
    assert len([one for one in both if "100 times" in one.text]) == 1
    assert not any(one.text.startswith(("What-if: A proc", "Base: A proc")) for one in both)
