"""Tables, bars and words of the shared-memory study, each worked out by hand again."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.basics.causes import COMPUTING, IDLE
from advisor.basics.quantities import duration, percent
from advisor.models.dvsm import (
    FAST_ETHERNET,
    TODAY,
    ApplicationTime,
    OperationCounts,
    application_time,
)
from advisor.shared_memory.phases import Application, Load, OperationKind, Phase
from advisor.shared_memory.technology_changes import PARAMETERS, Change, Saving
from advisor.studies.shared_memory.findings import SavingsThere
from advisor.studies.shared_memory.parameters import SharedMemoryCase, SharedMemoryParameters
from advisor.studies.shared_memory.run import run
from advisor.studies.shared_memory.views import (
    MOST_DRAWN_PROCESSORS,
    MOST_PHASES,
    series,
    shown_phases,
    shown_processors,
    tables,
    together,
    told,
)
from machines.arrays import Floats
from tests.advisor.studies.shared_memory.by_hand import Costs, searched, titled, written

US = 1e-6
NOW, FASTER = Costs(), Costs(2.0, 2.0)
SLOWEST = {"ask": 3 * 2280.0, "lock": 2850.0}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> SharedMemoryParameters:
    """The what-if has processors and software twice as fast."""
    asked = written(tmp_path_factory.mktemp("small") / "small.toml")
    return replace(asked, processor=2.0)


def cells(asked: SharedMemoryParameters, title: str) -> list[tuple[Any, ...]]:
    case, found = searched(asked)
    return list(titled(tables(case, found), title).rows)


def bars(asked: SharedMemoryParameters, x_label: str) -> dict[tuple[str, str, str], float]:
    """(part, y label, bar) → seconds."""
    case, found = searched(asked)
    return {
        (one.name, one.y_label, str(name)): value
        for one in series(case, found)
        if one.x_label == x_label
        for name, value in zip(one.x, one.y, strict=True)
    }


# Where the time goes ----------------------------------------------------------------------


def components(costs: Costs) -> dict[str, float]:
    """µs of a processor on the mean of both."""
    x = costs.processor
    parts = {
        COMPUTING: (3 * 1500 + 4000) / x / 2,
        "page faults": 3 * 2 * costs.read / 2,
        "empty misses": 0.0,
        "garbage collection": 0.0,
        "locks": costs.mutex / 2,
        "serving others": 3 * 2 * costs.serve / 2,
        "barriers": 4 * costs.meet,
    }
    return {**parts, IDLE: costs.time - sum(parts.values())}


def without(costs: Costs) -> dict[str, float]:
    """µs of the whole where nobody does a part."""
    (asks, serves), (locks, rests) = costs.loads
    reading, serving, meeting = 2 * costs.read, 2 * costs.serve, costs.meet
    return {
        "page faults": 3 * max(asks - reading, serves) + max(locks, rests),
        "empty misses": costs.time,
        "garbage collection": costs.time,
        "locks": 3 * max(asks, serves) + max(locks - costs.mutex, rests),
        "serving others": 3 * max(asks, serves - serving) + max(locks, rests),
        "barriers": 3 * (max(asks, serves) - meeting) + max(locks, rests) - meeting,
        IDLE: 3 * (asks + serves) / 2 + (locks + rests) / 2,
    }


def test_every_component_is_told_with_its_share_and_the_time_without_it(
    small: SharedMemoryParameters,
) -> None:
    rows = {row[0]: row[1:] for row in cells(small, "Where the time goes")}
    for costs, begin in ((NOW, 0), (FASTER, 3)):
        parts, left = components(costs), without(costs)
        for name, time in parts.items():
            seconds, share, rest = rows[name][begin : begin + 3]
            assert seconds == pytest.approx(time * US)
            assert share == pytest.approx(100.0 * time / costs.time)
            assert rest == (None if name == COMPUTING else pytest.approx(left[name] * US))
        assert rows["in all"][begin : begin + 3] == (
            pytest.approx(costs.time * US), 100.0, None,
        )  # fmt: skip


def test_what_limits_is_the_component_without_which_least_is_left(
    small: SharedMemoryParameters,
) -> None:
    result = run(small)
    for costs, reason in ((NOW, result.reasons[0]), (FASTER, result.reasons[1])):
        left = without(costs)
        name = min(left, key=lambda one: left[one])
        assert name == "page faults"
        less = percent(1.0 - left[name] / costs.time)
        assert reason.endswith(
            f"Limited by page faults: without that, it would take {duration(left[name] * US)}, "
            f"{less} less."
        )
        most = sorted(components(costs).items(), key=lambda item: -item[1])[:3]
        shares = ", ".join(f"{one} {percent(time / costs.time)}" for one, time in most)
        assert f": {shares}. Limited" in reason


def test_operations_are_told_with_how_often_and_what_each_takes_in_both_scenarios(
    small: SharedMemoryParameters,
) -> None:
    rows = {row[0]: row[1:] for row in cells(small, "Operations")}
    often = {"read": (3.0, 6.0), "serve": (3.0, 6.0), "mutex": (0.5, 1.0), "meet": (4.0, 4.0)}
    titles = {
        "read": "page faults", "serve": "serving others", "mutex": "locks", "meet": "barriers",
    }  # fmt: skip
    assert set(rows) == set(often)
    for name, (mean, most) in often.items():
        now, then = (getattr(costs, name) * US for costs in (NOW, FASTER))
        assert rows[name] == (
            titles[name], mean, most, pytest.approx(now), pytest.approx(then),
            pytest.approx(mean * now),
        )  # fmt: skip


# Bars -------------------------------------------------------------------------------------


def test_bars_of_the_whole_are_the_components_in_both_scenarios(
    small: SharedMemoryParameters,
) -> None:
    drawn = bars(small, "scenario")
    label = "mean time of a processor"
    for scenario, costs in (("base", NOW), ("what-if", FASTER)):
        for name, time in components(costs).items():
            if time:
                assert drawn[name, label, scenario] == pytest.approx(time * US)
            else:  # what does not occur has no bar
                assert (name, label, scenario) not in drawn


def test_bars_of_a_processor_are_what_it_does_in_the_whole_run(
    small: SharedMemoryParameters,
) -> None:
    drawn = bars(small, "processor")
    truth = {
        (COMPUTING, 0): 5000.0, ("page faults", 0): 6 * 430.0, ("locks", 0): 430.0,
        ("serving others", 0): 0.0, (COMPUTING, 1): 3500.0, ("serving others", 1): 6 * 210.0,
        ("barriers", 0): 4 * 420.0, ("barriers", 1): 4 * 420.0, (IDLE, 0): 0.0,
        (IDLE, 1): 3 * (2280.0 - 1340.0) + 430.0,
    }  # fmt: skip
    for (name, processor), time in truth.items():
        bar = f"processor {processor}, base"
        assert drawn[name, "time", bar] == pytest.approx(time * US, abs=1e-12)


def test_bars_of_a_phase_are_all_its_runs(small: SharedMemoryParameters) -> None:
    drawn = bars(small, "phase")
    stacks: defaultdict[tuple[str, str], float] = defaultdict(float)
    for (_, label, bar), time in drawn.items():
        stacks[label, bar] += time
    labels = {
        "time in phase 1 (ask, 3 times)": ("ask", 0),
        "time in phase 2 (lock)": ("lock", 1),
    }
    assert {label for label, _ in stacks} == set(labels)
    for label, (name, place) in labels.items():
        for processor in (0, 1):
            assert stacks[label, f"processor {processor}, base"] == pytest.approx(
                SLOWEST[name] * US
            )
        runs = 3 if name == "ask" else 1
        then = runs * max(FASTER.loads[place])
        assert stacks[label, "processor 0, what-if"] == pytest.approx(then * US)


def test_the_tornado_shows_no_bar_below_nothing(small: SharedMemoryParameters) -> None:
    case, found = searched(small)
    groups = [one for one in series(case, found) if one.x_label == "parameter"]
    assert [one.y_label for one in groups] == [
        f"share of overhead saved, {there.where}" for there in found.savings
    ]
    costly = Saving(PARAMETERS[1], 1.0, 0.5, -0.2)
    there = SavingsThere("there", (Saving(PARAMETERS[0], 1.0, 0.5, 0.3), costly))
    (only,) = [
        one
        for one in series(case, replace(found, savings=[there, SavingsThere("nowhere", ())]))
        if one.x_label == "parameter"
    ]
    assert only.x == ("protocol software", "faults not prefetched")
    assert only.y == (30.0, 0.0)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 99)), min_size=7, max_size=12))
def test_the_phases_that_are_shown_are_the_longest_in_their_order(
    phases: list[tuple[int, int]],
) -> None:
    found = timed([[float(time), time / 2.0] for _, time in phases], [n for n, _ in phases])
    shown = shown_phases(found)
    assert shown == sorted(shown)
    assert len(shown) == min(len(phases), MOST_PHASES)
    lasts = [many * time for many, time in phases]
    hidden = [lasts[at] for at in range(len(phases)) if at not in shown]
    assert all(one <= lasts[at] for one in hidden for at in shown)


@given(st.lists(st.integers(0, 99), min_size=1, max_size=40))
def test_the_processors_that_are_shown_are_those_that_work_longest(work: list[int]) -> None:
    shown = shown_processors(timed([[float(one) for one in work]] * 2, [1, 3]))
    assert shown == sorted(shown)
    assert len(shown) == min(len(work), MOST_DRAWN_PROCESSORS)
    hidden = [one for at, one in enumerate(work) if at not in shown]
    assert all(one <= work[at] for one in hidden for at in shown)


def timed(busy: list[list[float]], repeats: list[int]) -> ApplicationTime:
    """A program that only computes, by phase and processor."""
    rows: Floats = np.array(busy) + 1e-9  # a program that does nothing is refused
    counts = np.zeros((*rows.shape, 0))
    runs = np.array(repeats, dtype=np.float64)
    given_counts = OperationCounts(rows.shape[1], 1.0, (), runs, rows, counts)
    return application_time(FAST_ETHERNET, given_counts)


# Changes and savings in words -------------------------------------------------------------


def test_values_are_told_in_their_unit_and_changes_by_their_parameters() -> None:
    by_name = {one.name: one for one in PARAMETERS}
    assert told(by_name["signal"], 40.0) == "40.0 µs"
    assert told(by_name["wire_per_byte"], 0.08) == "80.0 ns/B"
    assert told(by_name["protocol"], 0.5) == "0.500"
    names = [together(Change(PARAMETERS[:many], 0.5, TODAY, 0.7)) for many in (1, 2, 3)]
    assert names == [
        "protocol software",
        "protocol software and faults not prefetched",
        "protocol software, faults not prefetched and locks",
    ]


def test_savings_are_listed_from_what_to_what_by_the_share_that_they_save(
    small: SharedMemoryParameters,
) -> None:
    rows = [row[1:] for row in cells(small, "Savings") if row[0] == "base"]
    saved = NOW.time - Costs(software=50.0).time
    assert rows[0][:3] == ("protocol software", "1.00", "0.500")
    assert rows[0][3] == pytest.approx(100.0 * saved / NOW.overhead)
    listed = {row[0]: row[1:3] for row in rows}
    assert listed["signal"] == ("10.0 µs", "5.00 µs")
    assert listed["interface latency"] == ("5.00 µs", "2.50 µs")
    # a signal gets faster with the system software
    then = {row[1]: row[2:4] for row in cells(small, "Savings") if row[0] == "what-if"}
    assert then["signal"] == ("5.00 µs", "2.50 µs")
    assert "small takes 9.69 ms on 2 processors with own numbers" in run(small).alternative


def test_the_change_that_reaches_the_target_is_told_from_what_to_what(
    small: SharedMemoryParameters,
) -> None:
    asked = replace(small, target=0.5)
    rows = cells(asked, "To efficiency 50 %")
    share = (NOW.time - 8000.0) / 4400.0
    assert rows[0][:4] == ("base", "protocol software", "1.00", f"{1.0 - share:.3f}")
    assert rows[0][4:] == pytest.approx((100.0 * share, 50.0))
    assert run(asked).headline == (
        f"For efficiency 50 % take {percent(share)} better protocol software, from 1.00 to "
        f"{1.0 - share:.3f}: the least relative change of one parameter."
    )


def test_of_several_parameters_each_has_a_row_with_its_own_change(
    small: SharedMemoryParameters,
) -> None:
    # with half of the faults prefetched, which is the limit, 5,200 µs and 38 sides are left
    side = (8000.0 / (2 * 0.66) - 5200.0) / 38.0
    asked = replace(small, target=0.66)
    software, faults = cells(asked, "To efficiency 66 %")[:2]
    assert software[:4] == ("base", "protocol software", "1.00", f"{side / 100:.3f}")
    assert software[4:] == pytest.approx((100.0 - side, 66.0))
    assert faults[:4] == ("base", "faults not prefetched", "1.00", "0.500")
    assert faults[4:] == pytest.approx((50.0, 66.0))
    (reason,) = [one for one in run(asked).reasons if one.startswith("Base: efficiency")]
    assert reason == (
        f"Base: efficiency 66 % takes two, each {percent(1 - side / 100)} better or at its "
        "plausible limit (no single one does): protocol software and faults not prefetched."
    )


def test_ways_are_listed_with_both_ends_and_whether_they_reach(
    small: SharedMemoryParameters,
) -> None:
    asked = replace(small, target=0.745)
    case, found = searched(asked)
    rows = titled(tables(case, found), "Alternatives").rows
    assert len(rows) == len(found.ways) > 3
    for row, way in zip(rows, found.ways, strict=True):
        assert row[0] == way.name
        assert row[1:3] == (pytest.approx(way.times[0] * US), pytest.approx(way.times[1] * US))
        assert row[3:5] == tuple(100.0 * share for share in way.efficiencies)
        # at its middle an interval may reach or may not, below it does, above it can not
        low, high = way.efficiencies
        for target in (low, high, (low + high) / 2.0, 1.01 * high, 0.99 * low):
            elsewhere = replace(case, asked=replace(asked, target=target))
            again = titled(tables(elsewhere, found), "Alternatives").rows
            reaches = "yes" if low >= target else "perhaps" if high >= target else "no"
            assert [one[5] for one in again if one[0] == way.name] == [reaches]
    single = replace(small, target=0.5)
    assert "Alternatives" not in [one.title for one in tables(*searched(single))]


def test_messages_stand_beside_the_shared_memory_in_both_scenarios(
    small: SharedMemoryParameters,
) -> None:
    asked = replace(small, messages=10, own_wire_per_byte=0.01)
    case, found = searched(asked)
    table = titled(tables(case, found), "Messages instead")
    assert [name for name, _ in table.columns] == ["as", "base", "what-if"]
    rows: list[tuple[Any, ...]] = list(table.rows)
    shared, *others = rows
    assert shared == (
        "shared memory",
        pytest.approx(found.times["base"].time * US),
        pytest.approx(found.times["what-if"].time * US),
    )
    # without a reply nobody waits: between 5 ms of computing and that with 20 sides of 100 µs
    for name, *times in others:
        assert times[0] >= 5e-3
        if str(name).startswith("asynchronous"):
            assert times[0] == pytest.approx(5e-3 + 20 * 100 * US, rel=0.05)
        assert times[1] < times[0]
    best = min(others, key=lambda row: row[1])
    assert f"({case.base.name}, {best[0]}, " in run(asked).reasons[-1]


# A program of every kind ------------------------------------------------------------------


def test_empty_misses_and_collections_are_components_of_their_own(tmp_path: Path) -> None:
    kinds = (
        OperationKind("first", "empty_miss"),
        OperationKind("sweep", "collection", (("parts", 1), ("request", 12.0), ("reply", 20.0))),
    )
    load = Load(1000.0, (("first", 2.0), ("sweep", 1.0)))
    asked = written(
        tmp_path / "all.toml", Application("all", 2000.0, kinds, (Phase("one", 1, (load,) * 2),))
    )
    case = SharedMemoryCase.of(asked)
    time = case.base.timed(TODAY)
    # sides of 100 µs, two latencies of 10, a signal of 10: 430 each; a collection is a fault
    assert time.time == pytest.approx(1000.0 + 3 * 430.0)
    rows = {row[0]: row[1] for row in cells(asked, "Where the time goes")}
    assert rows["empty misses"] == pytest.approx(860 * US)
    assert rows["garbage collection"] == pytest.approx(430 * US)
    assert rows["page faults"] == rows["locks"] == rows[IDLE] == 0.0
