"""The runtime: fetching, overhead and order come back; coarse clocks give bounds alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.learning.calibration import Calibration
from advisor.learning.calibrations import calibrated, calibrations
from advisor.runs.matching import matched
from advisor.runs.run_record import Run
from tests.advisor.learning.site import (
    NAMES,
    ON_M1,
    SPLIT,
    Site,
    actuals,
    planned,
    problem,
)
from tests.advisor.runs.carrying import World, actual_of

TEN = tuple(f"t{place}" for place in range(10))
EAGER = [*reversed(NAMES[:6]), *NAMES[6:]]
# M2's first task needs what M1 makes first, while others could start there
CROSSED = {name: "M1" if name in {"raw0", "raw1"} else "M2" for name in NAMES}
EARLY = ["raw0", "raw1", "use0", *NAMES[2:6], *NAMES[7:]]


def learnt(*runs: Run, where=SPLIT, order=None) -> Calibration:
    asked = problem()
    return calibrations(asked, planned(asked, where, order), actuals(asked, *runs))[3]


def test_fetching_in_the_slot_is_seen() -> None:
    calibration = learnt(Site().run(SPLIT))
    assert calibration.platform.runtime.fetch == "slot"
    assert "fetch in their slots" in calibration.sentence


def test_data_that_is_there_before_is_seen() -> None:
    run = Site(startup_s=0.0, bandwidth=1e15).run(SPLIT)
    assert learnt(run).platform.runtime.fetch == "ahead"


def test_a_log_that_does_not_tell_fetching_leaves_it() -> None:
    calibration = learnt(Site(tells_fetching=False).run(SPLIT))
    assert calibration.platform.runtime.fetch == "ahead"
    assert calibration.sentence.startswith("When data are fetched is unknown: ")
    assert calibration.rows[0][1] == "not calibrated"


def test_the_overhead_is_the_median_gap() -> None:
    calibration = learnt(*(Site(overhead_s=0.125).run(SPLIT, seed) for seed in range(3)))
    assert calibration.platform.runtime.task_overhead_s == pytest.approx(0.125, rel=1e-3)


def test_whole_seconds_give_bounds_of_the_overhead_and_no_value() -> None:
    calibration = learnt(*(Site(overhead_s=0.3, step_s=1.0).run(ON_M1, seed) for seed in range(4)),
                    where=ON_M1)  # fmt: skip
    assert calibration.platform.runtime.task_overhead_s == 0.0
    assert "an overhead between 0 s and" in calibration.sentence
    assert "clock steps by 1.00 s" in calibration.sentence


def test_few_gaps_of_about_a_second_tell_their_mean_in_whole_seconds() -> None:
    for seed in range(5):
        run = Site(overhead_s=0.9, step_s=1.0, noise=0.3).run(ON_M1, seed)
        calibration = learnt(run, where=ON_M1)
        assert calibration.platform.runtime.task_overhead_s == pytest.approx(0.9, abs=0.35)


def test_whole_seconds_tell_an_overhead_of_many() -> None:
    runs = [Site(overhead_s=12.0, step_s=1.0).run(ON_M1, seed) for seed in range(4)]
    found = learnt(*runs, where=ON_M1).platform.runtime.task_overhead_s
    assert found == pytest.approx(12.0, abs=1.0)


def test_a_few_long_gaps_do_not_make_the_overhead_and_are_said() -> None:
    run = Site(overhead_s=0.01, noise=0.0).run(ON_M1)
    shift, tasks = 0.0, []
    for place, one in enumerate(run.tasks):
        shift += 4.0 if place in {4, 8} else 0.0
        tasks.append(one.shifted(shift))
    calibration = learnt(replace(run, tasks=tuple(tasks)), where=ON_M1)
    assert calibration.platform.runtime.task_overhead_s == pytest.approx(0.01, rel=0.01)
    assert any("a few long ones" in note for note in calibration.notes)


def test_two_usual_gaps_count_as_their_mean() -> None:
    run = Site(overhead_s=0.2, noise=0.0).run(ON_M1)
    shift, tasks = 0.0, []
    for place, one in enumerate(run.tasks):
        shift += 0.6 if place % 2 else 0.0  # every second task waits for a tick
        tasks.append(one.shifted(shift))
    calibration = learnt(replace(run, tasks=tuple(tasks)), where=ON_M1)
    assert calibration.platform.runtime.task_overhead_s == pytest.approx(0.5, abs=0.06)
    assert not any("a few long ones" in note for note in calibration.notes)


def test_a_machine_that_lets_others_past_starts_what_is_ready() -> None:
    runs = [Site(order="ready").run(CROSSED, seed, order=EARLY) for seed in range(4)]
    calibration = learnt(*runs, where=CROSSED, order=EARLY)
    assert calibration.platform.runtime.order == "ready"
    assert "others start first where the plan's next is not ready" in calibration.sentence


def test_a_machine_that_waits_keeps_the_plan() -> None:
    runs = [Site(order="plan").run(CROSSED, seed, order=EARLY) for seed in range(4)]
    calibration = learnt(*runs, where=CROSSED, order=EARLY)
    assert calibration.platform.runtime.order == "plan"
    assert "machines wait for the plan's next" in calibration.sentence


def test_an_order_of_its_own_is_said_and_not_learnt() -> None:
    runs = [Site().run(ON_M1, seed, order=EAGER) for seed in range(2)]
    calibration = learnt(*runs, where=ON_M1)
    assert calibration.rows[2][1] == "not calibrated"
    assert "an order of its own" in calibration.sentence


def test_runs_of_other_plans_tell_no_order() -> None:
    calibration = learnt(Site().run(ON_M1), where=SPLIT)
    assert any("followed another plan" in note for note in calibration.notes)
    assert "no run followed the plan" in calibration.sentence


def test_runs_without_start_times_tell_nothing_of_gaps() -> None:
    calibration = learnt(replace(Site(tells_fetching=False).run(SPLIT), timed=False))
    assert not calibration.learnt
    assert calibration.platform == problem().platform


def test_many_gaps_in_whole_seconds_tell_their_mean() -> None:
    site = Site(overhead_s=0.3, step_s=1.0, slower={"M1": 3.0, "M2": 3.0}, noise=0.3)
    runs = [site.run(ON_M1, seed) for seed in range(12)]
    calibration = learnt(*runs, where=ON_M1)
    assert calibration.platform.runtime.task_overhead_s == pytest.approx(0.3, abs=0.1)
    assert "average out" in calibration.sentence


def hidden(fetch: str, *, counted: bool, gap_s: float = 0.0, pause_s: float = 0.0) -> Calibration:
    """Of a run that fetches so, whose log tells no fetching; a pause before every third task."""
    draw = np.random.default_rng(0)
    feeds = [(TEN[one], TEN[at]) for at in range(2, 10) for one in draw.choice(at, 2, False)]
    data = {pair: 1e6 * float(draw.integers(1, 80)) for pair in feeds}
    seconds = {name: float(draw.uniform(1.0, 6.0)) for name in TEN}
    where = {name: f"M{draw.integers(1, 3)}" for name in TEN}
    world = World(seconds, data, where, TEN, fetch=fetch, gap_s=gap_s)
    runs = [
        replace(
            one, start_s=one.taken_s if counted else one.start_s, fetch_start_s=None
        ).shifted(pause_s * (place // 3) ** 2)
        for place, one in enumerate(world.carried_out())
    ]  # fmt: skip
    asked = world.problem()
    found = calibrations(asked, world.plan(), [actual_of(asked, runs)])
    platform, workload = calibrated(asked, found)
    after = predict(Problem.of(platform, workload), world.plan()).makespan_s
    if not pause_s:
        assert after == pytest.approx(world.makespan_s, rel=0.01)
    return found[3]


@pytest.mark.parametrize("gap_s", [0.0, 0.3])
@pytest.mark.parametrize(("fetch", "counted"), [("ahead", False), ("slot", False), ("slot", True)])
def test_a_hidden_fetch_is_told_by_carrying_the_run_out_again(
    fetch: str, gap_s: float, *, counted: bool
) -> None:
    found = hidden(fetch, counted=counted, gap_s=gap_s)
    assert found.rows[0][1] == fetch
    assert found.platform.runtime.task_overhead_s == pytest.approx(gap_s, abs=0.01)
    assert "simulated again, starts are then " in found.sentence


def test_starts_that_no_reading_explains_teach_nothing() -> None:
    found = hidden("ahead", counted=False, pause_s=40.0)
    assert found.rows[0][1] == "not calibrated"
    assert any(note.startswith("No reading of the runtime explains") for note in found.notes)


def drawn(tick_s: float, gap_s: float = 0.0, *, alike: bool = False, seed: int = 0) -> World:
    """Tasks on two machines, some of which read what others make."""
    draw = np.random.default_rng(seed)
    names = tuple(f"t{place}" for place in range(24))
    seconds = {name: 0.7 if alike else float(draw.uniform(0.1, 2.8)) for name in names}
    data = {(names[draw.integers(0, at)], names[at]): 0.0 for at in range(6, 24, 2)}
    where = {name: f"M{draw.integers(1, 3)}" for name in names}
    speed = {"M1": 1.0, "M2": 1.0}
    return World(seconds, data, where, names, speed, tick_s=tick_s, gap_s=gap_s)


def of_ticks(world: World, **engine: float) -> Calibration:
    asked = world.problem(**engine)
    actual = matched(Run("r", tuple(world.carried_out()), "test"), asked)
    return calibrations(asked, world.plan(), [actual])[3]


@pytest.mark.parametrize("tick_s", [1.0, 5.0])
def test_starts_at_ticks_are_told_and_another_plan_ends_as_predicted(tick_s: float) -> None:
    world = drawn(tick_s)
    found = of_ticks(world)
    runtime = found.platform.runtime
    assert (runtime.cycle_s, runtime.reclaim_s, runtime.task_overhead_s) == (tick_s, tick_s, 0.0)
    assert f"tasks start at ticks of {tick_s:.2f} s, when" in found.sentence
    turned = {name: {"M1": "M2", "M2": "M1"}[machine] if name < "t2" else machine
              for name, machine in world.where.items()}  # fmt: skip
    other = replace(world, where=turned)
    asked = Problem.of(replace(other.problem().platform, runtime=runtime),
                       other.problem().workload)  # fmt: skip
    assert predict(asked, other.plan()).makespan_s == pytest.approx(other.makespan_s)


@pytest.mark.parametrize(
    ("world", "overhead_s"),
    [
        (drawn(0.0, gap_s=0.3), 0.3),
        (drawn(0.0, gap_s=1.0), 1.0),
        (drawn(1.0, alike=True), 0.3),  # every task of 0.7 s waits for 0.3 s: as any overhead would
    ],
)
def test_without_ticks_or_with_tasks_all_alike_none_are_told(
    world: World, overhead_s: float
) -> None:
    found = of_ticks(world)
    assert found.platform.runtime.reclaim_s == 0.0
    assert "ticks" not in found.sentence
    assert found.platform.runtime.task_overhead_s == pytest.approx(overhead_s, abs=0.01)


def test_a_clock_of_whole_seconds_tells_no_ticks_of_a_second() -> None:
    world = drawn(1.0)
    whole = [
        replace(one, start_s=round(one.start_s), end_s=round(one.end_s), fetch_start_s=None)
        for one in world.carried_out()
    ]
    asked = world.problem()
    coarse = matched(Run("r", tuple(whole), "test", resolution_s=1.0), asked)
    assert calibrations(asked, world.plan(), [coarse])[3].platform.runtime.reclaim_s == 0.0


def test_stated_ticks_that_starts_contradict_are_taken_back() -> None:
    found = of_ticks(drawn(0.0, gap_s=0.3), cycle_s=1.0, reclaim_s=1.0)
    assert (found.platform.runtime.cycle_s, found.platform.runtime.reclaim_s) == (0.0, 0.0)
    assert "tasks do not start at the stated ticks of 1.00 s (" in found.sentence
    kept = of_ticks(drawn(1.0, alike=True), cycle_s=1.0, reclaim_s=1.0)
    assert kept.platform.runtime.reclaim_s == 1.0
    assert kept.platform.runtime.task_overhead_s == 0.0  # the ticks are all of the waiting


def test_a_task_that_passes_one_that_is_hardly_ready_is_no_order_rule() -> None:
    planned_first = [*NAMES[:6], "use5", *NAMES[6:11], "end"]
    run = Site(overhead_s=0.05, noise=0.0).run(ON_M1)  # use5 waits for raw5 alone, use0 did not
    calibration = learnt(run, where=ON_M1, order=planned_first)
    # use0 … use4 start before it; when use0 does, it has been ready for as long as a gap lasts
    assert calibration.rows[2][3] == "0 passed, 0 waited, 4 against"
