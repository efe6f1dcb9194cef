"""Savings, limits and cheapest changes of a technology: definitions held against brute force."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.models.dvsm import (
    COMPONENTS,
    FAST_ETHERNET,
    FUTURE,
    OC3_ATM,
    TODAY,
    ApplicationTime,
    Technology,
    application_time,
)
from advisor.shared_memory.application_file import application_names, shipped_application
from advisor.shared_memory.technology_changes import (
    PARAMETERS,
    Reach,
    TechnologyParameter,
    Timed,
    cheapest_change,
    savings,
    time_without,
)

BY_NAME = {one.name: one for one in PARAMETERS}


def timer(name: str) -> Timed:
    counts = shipped_application(name).counted("fast-ethernet")

    def timed(technology: Technology) -> ApplicationTime:
        return application_time(FAST_ETHERNET, counts, technology)

    return timed


def reach(name: str, target: float, technology: Technology = TODAY) -> Reach:
    return cheapest_change(timer(name), FAST_ETHERNET, technology, target)


@pytest.mark.parametrize(
    ("name", "fault", "lock", "protocol"),
    [
        ("sor", 13.7, 0.0, 18.8),
        ("is", 9.4, 10.5, 19.6),
        ("sphere-large", 0.3, 18.6, 12.7),
        ("sphere", 0.3, 19.8, 10.3),
        ("water", 9.5, 17.4, 20.1),
        ("raytrace", 5.7, 15.6, 17.3),
    ],
)
def test_halved_parameters_save_what_figure_5_has(
    name: str, fault: float, lock: float, protocol: float
) -> None:
    found = savings(timer(name), FAST_ETHERNET, TODAY, 0.5)
    share = {one.parameter.name: 100.0 * one.share for one in found}
    assert share["fault"] == pytest.approx(fault, abs=0.06)
    assert share["lock"] == pytest.approx(lock, abs=0.06)
    assert share["protocol"] == pytest.approx(protocol, abs=0.06)
    assert list(share.values()) == sorted(share.values(), reverse=True)
    assert len(share) == 6  # no switch, and the processor is today's


def test_at_eight_times_the_speed_faults_save_what_figure_7_has() -> None:
    for name, saved in (("sor", 25.2), ("is", 17.8), ("water", 16.0)):
        found = savings(timer(name), FAST_ETHERNET, Technology(processor=8.0), 0.5)
        share = {one.parameter.name: one.share for one in found}
        assert 100.0 * share["fault"] == pytest.approx(saved, abs=0.06)


def test_a_program_without_overhead_saves_nothing() -> None:
    counts = shipped_application("sor").counted()
    alone = replace(counts, sequential_time=1e9 * counts.processors)
    assert savings(lambda one: application_time(OC3_ATM, alone, one), OC3_ATM, TODAY, 0.5) == ()


@pytest.mark.parametrize("parameter", PARAMETERS, ids=lambda one: one.name)
def test_a_better_parameter_changes_by_its_share_and_ends_at_its_best(
    parameter: TechnologyParameter,
) -> None:
    start = Technology(processor=4.0, system_benefit=0.5)
    value, most = parameter.value(OC3_ATM, start), parameter.most(OC3_ATM, start)
    assert most > 0.0
    half = parameter.better(OC3_ATM, start, most / 2.0)
    changed = parameter.value(OC3_ATM, half)
    assert abs(changed - value) / value == pytest.approx(most / 2.0)
    best = parameter.better(OC3_ATM, start, 2.0 * most)
    assert parameter.value(OC3_ATM, best) == (1.0 if parameter.rises else 0.0)
    assert parameter.most(OC3_ATM, best) == 0.0


def test_a_signal_gets_faster_with_the_system_until_it_is_given() -> None:
    signal = BY_NAME["signal"]
    assert signal.value(FAST_ETHERNET, Technology(processor=8.0)) == 5.0
    assert signal.value(FAST_ETHERNET, FUTURE) == 0.625


@pytest.mark.parametrize(("name", "target"), [("is", 0.7), ("sor", 0.88), ("raytrace", 0.72)])
def test_the_cheapest_single_change_is_the_least_of_all(name: str, target: float) -> None:
    found = reach(name, target)
    assert found.change is not None
    (parameter,) = found.change.parameters
    assert found.change.efficiency == pytest.approx(target, rel=1e-9)
    timed = timer(name)
    for one in PARAMETERS:
        almost = one.better(FAST_ETHERNET, TODAY, found.change.share * 0.999)
        assert timed(almost).efficiency < target
    exact = parameter.better(FAST_ETHERNET, TODAY, found.change.share)
    assert exact == found.change.technology


def test_a_pair_is_taken_where_no_single_change_reaches() -> None:
    target, timed = 0.6, timer("raytrace")
    low = reach("raytrace", 0.8)
    assert low.change is not None
    assert len(low.change.parameters) == 2
    for pair in combinations(PARAMETERS, 2):
        changed = TODAY
        for one in pair:
            changed = one.better(FAST_ETHERNET, changed, low.change.share * 0.999)
        assert timed(changed).efficiency < 0.8
    for one in PARAMETERS:
        best = one.better(FAST_ETHERNET, TODAY, one.most(FAST_ETHERNET, TODAY))
        assert timed(best).efficiency < 0.8
    assert reach("raytrace", target).reached


def test_all_that_matter_change_where_no_pair_reaches_and_nothing_beyond_the_best() -> None:
    found = reach("barnes", 0.7)
    assert found.change is not None
    names = {one.name for one in found.change.parameters}
    assert "lock" not in names  # Barnes takes none
    assert names > {"protocol", "fault", "wire_per_byte"}
    assert found.best > 0.7
    beyond = reach("barnes", found.best + 1e-6)
    assert (beyond.change, beyond.complete) == (None, True)


def test_the_benefit_of_system_software_counts_with_faster_processors_only() -> None:
    slow = Technology(processor=8.0, system_benefit=0.5)
    found = reach("sor", 0.75, slow)
    assert found.change is not None
    assert BY_NAME["system_benefit"].most(FAST_ETHERNET, slow) == 1.0
    assert BY_NAME["system_benefit"].most(FAST_ETHERNET, replace(slow, processor=1.0)) == 0.0
    timed = timer("sor")
    better = BY_NAME["system_benefit"].better(FAST_ETHERNET, slow, 0.5)
    assert better.system_benefit == 0.75
    assert timed(better).efficiency > timed(slow).efficiency


def test_a_search_that_is_stopped_says_so() -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 5

    found = cheapest_change(timer("water"), FAST_ETHERNET, TODAY, 0.9, stop)
    assert (found.change, found.complete, asked) == (None, False, 6)
    assert len(savings(timer("water"), FAST_ETHERNET, TODAY, 0.5, lambda: True)) == 0


@given(st.sampled_from(application_names()), st.floats(1.0, 64.0), st.floats(0.05, 1.0))
def test_a_faster_processor_never_raises_the_efficiency(
    name: str, processor: float, benefit: float
) -> None:
    timed = timer(name)
    faster = timed(Technology(processor=processor, system_benefit=benefit))
    assert faster.efficiency <= timed(TODAY).efficiency * (1.0 + 1e-12)


@given(st.sampled_from(application_names()), st.sampled_from([TODAY, FUTURE]))
@settings(max_examples=15, deadline=None)
def test_without_a_component_a_program_is_never_slower(name: str, technology: Technology) -> None:
    found = timer(name)(technology)
    left = time_without(found)
    assert set(left) == set(COMPONENTS) - {"busy"}
    for component, time in left.items():
        assert found.breakdown["busy"] <= time <= found.time
        if component != "idle":
            assert time > (1.0 - 1e-12) * found.time or found.breakdown[component] > 0.0


def test_without_faults_the_slowest_other_processor_decides() -> None:
    application = {
        "processors": 2,
        "sequential_time": 100.0,
        "phases": [
            {
                "loads": [
                    {"busy": 50.0, "releases": [{"compute": 30.0}]},
                    {"busy": 60.0},
                ]
            }
        ],
    }
    left = time_without(application_time(OC3_ATM, application))
    assert left["lock"] == 60.0
    assert left["idle"] == 70.0
    assert left["fault"] == 80.0
