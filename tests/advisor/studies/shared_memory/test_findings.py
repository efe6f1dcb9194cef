"""What the shared-memory study finds: curves, savings and changes of technology by hand."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.models.dvsm import TODAY
from advisor.shared_memory.technology_changes import PARAMETERS, Change, Reach
from advisor.studies import StudyProgress
from advisor.studies.shared_memory.findings import FACTORS, Findings, search
from advisor.studies.shared_memory.parameters import SharedMemoryCase, SharedMemoryParameters
from advisor.studies.shared_memory.run import run
from tests.advisor.studies.shared_memory.by_hand import Costs, searched, written

TODAY_S = Costs()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> SharedMemoryParameters:
    return written(tmp_path_factory.mktemp("small") / "small.toml")


def shares(found: Findings, where: str) -> dict[str, float]:
    (there,) = [one for one in found.savings if one.where == where]
    return {one.parameter.name: one.share for one in there.savings}


def test_the_program_is_as_worked_out_on_paper() -> None:
    # 1000 + 2 · 430 + 420 three times, and 2000 + 430 + 420
    assert (TODAY_S.read, TODAY_S.serve, TODAY_S.mutex, TODAY_S.meet) == (430, 210, 430, 420)
    assert TODAY_S.time == 3 * 2280 + 2850 == 9690


# Curves -----------------------------------------------------------------------------------


def test_curves_are_the_program_with_a_faster_processor_and_part_of_it_for_the_system(
    small: SharedMemoryParameters,
) -> None:
    _, found = searched(replace(small, partial_benefit=0.25))
    assert [(one.scenario, one.system_benefit) for one in found.curves] == [
        ("base", 1.0), ("base", 0.25), ("what-if", 1.0), ("what-if", 0.25),
    ]  # fmt: skip
    for curve in found.curves:
        # a doubling of the processor is one of 1 + benefit for the system
        for place, x in enumerate(FACTORS):
            doublings = place / 4.0 - 2.0
            assert x == 2.0**doublings
            truth = Costs(x, (1.0 + curve.system_benefit) ** doublings)
            assert curve.efficiencies[place] == pytest.approx(truth.efficiency)
            assert curve.speedups[place] == pytest.approx(2.0 * truth.efficiency)


def test_the_full_benefit_is_drawn_once_where_it_is_also_the_part(
    small: SharedMemoryParameters,
) -> None:
    _, found = searched(replace(small, partial_benefit=1.0))
    assert [one.scenario for one in found.curves] == ["base", "what-if"]


# Savings ----------------------------------------------------------------------------------


def test_each_better_parameter_saves_what_the_slowest_processor_no_longer_does(
    small: SharedMemoryParameters,
) -> None:
    _, found = searched(small)
    saved = {
        "protocol": TODAY_S.time - Costs(software=50.0).time,
        "fault": 3 * 2 * (430 - 0.5 * 430 - 0.5 * 200),  # prefetching is sending and taking in
        "lock": 0.5 * 430,
        "signal": TODAY_S.time - Costs(signal=5.0).time,
        "interface_latency": TODAY_S.time - Costs(latency=5.0).time,
    }
    truth = {name: time / TODAY_S.overhead for name, time in saved.items()}
    assert shares(found, "base") == pytest.approx(truth)
    # there is no switch and no wire, and of today's processor there is no benefit
    assert {one.name for one in PARAMETERS} - truth.keys() == {
        "switch_latency", "wire_per_byte", "system_benefit",
    }  # fmt: skip


def test_with_eight_times_the_processor_the_same_latency_weighs_more(
    small: SharedMemoryParameters,
) -> None:
    _, found = searched(small)
    now = shares(found, "base")
    then = shares(found, "base, processors 8 times as fast")
    fast = Costs(8.0, 8.0)
    saved = fast.time - replace(fast, latency=5.0).time
    assert then["interface_latency"] == pytest.approx(saved / fast.overhead)
    assert then["interface_latency"] > now["interface_latency"]
    # eight times as fast as those of the base, which may be faster than today's
    _, twice = searched(replace(small, base_processor=2.0))
    fast = Costs(16.0, 16.0)
    saved = fast.time - replace(fast, latency=5.0).time
    later = shares(twice, "base, processors 8 times as fast")
    assert later["interface_latency"] == pytest.approx(saved / fast.overhead)


@pytest.mark.parametrize("reduction", [0.1, 0.25, 1.0])
def test_the_reduction_that_is_asked_for_is_what_is_tried(
    small: SharedMemoryParameters, reduction: float
) -> None:
    _, found = searched(replace(small, reduction=reduction))
    less = TODAY_S.time - Costs(software=100.0 * (1.0 - reduction)).time
    assert shares(found, "base")["protocol"] == pytest.approx(less / TODAY_S.overhead)


def test_in_the_what_if_savings_start_from_its_own_technology(
    small: SharedMemoryParameters,
) -> None:
    case, found = searched(replace(small, protocol=0.5, processor=2.0))
    start = Costs(2.0, 2.0, software=50.0)
    assert found.times["what-if"].time == pytest.approx(start.time)
    saved = start.time - replace(start, software=25.0).time
    assert shares(found, "what-if")["protocol"] == pytest.approx(saved / start.overhead)
    assert case.base.technology == TODAY


# Changes that reach a target --------------------------------------------------------------


def reach(found: Findings, name: str = "base") -> Reach:
    return found.reaches[name]


def change(found: Findings, name: str = "base") -> Change:
    got = reach(found, name).change
    assert got is not None
    return got


@settings(max_examples=6)
@given(st.floats(0.415, 0.6))
def test_the_least_change_is_that_of_the_software_whose_time_it_takes(
    small: SharedMemoryParameters, target: float
) -> None:
    _, found = searched(replace(small, target=target))
    got = change(found)
    # all 44 sides of 100 µs on the slowest processor shrink by the same share
    spared = TODAY_S.time - 8000.0 / (2.0 * target)
    assert [one.name for one in got.parameters] == ["protocol"]
    assert got.share == pytest.approx(spared / 4400.0, rel=1e-6)
    assert got.technology.protocol == pytest.approx(1.0 - got.share)
    assert got.efficiency == pytest.approx(target)
    assert found.beyond == {}


def test_a_target_that_is_reached_needs_no_change_and_none_is_looked_for(
    small: SharedMemoryParameters,
) -> None:
    _, found = searched(replace(small, target=0.41))
    assert TODAY_S.efficiency > 0.41
    assert reach(found).reached
    assert reach(found).change is None
    assert found.beyond == {}
    assert found.ways == ()


def test_software_that_may_not_shrink_enough_shrinks_with_another_parameter(
    small: SharedMemoryParameters,
) -> None:
    # a fifth of the software's time is the limit: 9690 − 3520 µs is an efficiency of 65 %
    _, found = searched(replace(small, target=0.66))
    got = change(found)
    assert len(got.parameters) == 2
    assert "protocol" in {one.name for one in got.parameters}
    assert got.efficiency == pytest.approx(0.66)
    assert found.ways != ()


def test_beyond_the_limits_of_technology_it_says_what_it_would_take(
    small: SharedMemoryParameters,
) -> None:
    _, found = searched(replace(small, target=0.745))
    assert not reach(found).reached
    assert reach(found).change is None
    assert reach(found).best < 0.745
    beyond = found.beyond["base"].change
    assert beyond is not None
    assert beyond.technology.protocol < 0.2
    assert found.ways != ()


def test_what_not_even_free_operations_reach_has_no_change_at_all(
    small: SharedMemoryParameters,
) -> None:
    # 5,000 µs of computing on the slowest processor
    _, found = searched(replace(small, target=0.81))
    assert found.beyond["base"].change is None
    assert found.beyond["base"].best == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("given_reach", "settled"),
    [
        (None, True),
        (Reach(True, None, 0.9), True),
        (Reach(False, None, 0.5, complete=False), True),
        (Reach(False, None, 0.5), False),
        (Reach(False, Change(PARAMETERS[:1], 0.5, TODAY, 0.7), 0.7), True),
        (Reach(False, Change(PARAMETERS[:2], 0.5, TODAY, 0.7), 0.7), False),
    ],
)
def test_it_is_settled_by_one_change_or_none_or_where_nobody_knows(
    small: SharedMemoryParameters, given_reach: Reach | None, settled: bool
) -> None:
    case = SharedMemoryCase.of(small)
    found = Findings.of(case)
    if given_reach is not None:
        found.reaches["base"] = given_reach
    assert found.settled(case) == settled


# On the way -------------------------------------------------------------------------------


def test_stopped_at_any_step_what_is_known_is_the_begin_of_the_whole(
    small: SharedMemoryParameters,
) -> None:
    asked = replace(small, target=0.66, messages=10, own_wire_per_byte=0.01)
    _, whole = searched(asked)
    case = SharedMemoryCase.of(asked)
    steps = sum(1 for _ in search(case, Findings.of(case), None))
    for stop in {0, 1, 26, 60, steps - 4, steps - 2, steps - 1}:
        found = Findings.of(case)
        for place, _ in enumerate(search(case, found, None)):
            if place == stop:
                break
        assert found.curves == whole.curves[: len(found.curves)]
        assert found.savings == whole.savings[: len(found.savings)]
        assert found.reaches.items() <= whole.reaches.items()
        assert found.ways in {(), whole.ways}
        assert not found.messages
    assert whole.messages.keys() == {"base", "what-if"}


def test_progress_rises_through_all_that_is_asked_for(small: SharedMemoryParameters) -> None:
    told: list[StudyProgress] = []
    asked = replace(small, target=0.66, messages=10, own_wire_per_byte=0.01)
    run(asked, told.append)
    said = list(dict.fromkeys(one.sentence for one in told))
    assert said == [
        "Processors, base", "Processors, what-if", "Savings, base",
        "Savings, base, processors 8 times as fast", "Savings, what-if", "Changes, base",
        "Changes, what-if", "Other ways", "Messages",
    ]  # fmt: skip
    assert [one.fraction for one in told] == sorted(one.fraction for one in told)
    assert told[-1].fraction < 1.0


def test_a_search_that_is_stopped_within_is_not_whole_and_advises_nothing(
    small: SharedMemoryParameters,
) -> None:
    asked = replace(small, target=0.5)
    whole = itertools.count()
    assert run(asked, None, lambda: next(whole) < 0).complete
    last = next(whole)  # asked so often, at last within the search of the what-if
    for before in (1, 7):
        calls = itertools.count()
        result = run(asked, None, lambda calls=calls, n=last - before: next(calls) >= n)  # type: ignore[misc]
        assert not result.complete
        assert "What-if: efficiency 50 %: the search was stopped." in result.reasons
        assert "For efficiency 50 % take" in result.headline  # of the base it is known
    early = itertools.count()
    result = run(asked, None, lambda: next(early) >= 4 * len(FACTORS) + 30)
    assert not result.complete
    assert result.alternative.startswith("small takes 9.69 ms on 2 processors")
    assert result.headline.startswith("Keep own numbers: nothing better is known; ")
