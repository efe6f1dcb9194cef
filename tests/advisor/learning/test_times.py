"""Times: what was measured comes back, machine by machine; what was not is estimated, and said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.learning.calibration import Calibration
from advisor.learning.calibrations import calibrations
from advisor.runs.run_record import Run
from machines import Contender
from tests.advisor.learning.site import (
    NAMES,
    ON_M1,
    OTHER,
    RAW,
    SPLIT,
    Site,
    actuals,
    planned,
    problem,
    seconds_of,
)


def learnt(site: Site, *runs: Run, asked=None, where=SPLIT) -> Calibration:
    asked = asked or problem()
    return calibrations(asked, planned(asked, where), actuals(asked, *runs))[0]


def both_ways(site: Site, times: int = 5) -> list[Run]:
    """Every task on either machine, several times."""
    return [site.run(where, 2 * seed + (where is OTHER)) for seed in range(times)
            for where in (SPLIT, OTHER)]  # fmt: skip


def seconds_on(calibration: Calibration, task: str, machine: str) -> float:
    found = calibration.workload.tasks[calibration.workload.index[task]]
    if found.work is not None:
        return found.work / calibration.platform.machine(machine).speed
    return dict(found.seconds)[machine]


def source_of(calibration: Calibration, task: str, machine: str) -> str:
    (row,) = [row for row in calibration.rows if row[:2] == (task, machine)]
    return row[-1]


def test_times_are_medians_by_machine_where_kinds_differ() -> None:
    site = Site(odd={("use", "M2"): 3.0})
    calibration = learnt(site, *both_ways(site))
    for task in NAMES:
        for machine in ("M1", "M2"):
            assert seconds_on(calibration, task, machine) == pytest.approx(
                site.seconds(task, machine), rel=0.06
            )
    assert all(task.seconds for task in calibration.workload.tasks)
    assert "×3.0" in calibration.sentence.replace("×2.9", "×3.0")
    assert "for use" in calibration.sentence


def test_one_factor_a_machine_gives_work_and_speeds_and_says_the_residual() -> None:
    site = Site()
    calibration = learnt(site, *both_ways(site))
    assert all(task.work for task in calibration.workload.tasks)
    assert calibration.platform.machine("M2").speed == pytest.approx(0.5, rel=0.03)
    assert calibration.platform.machine("M1").speed == 1.0
    assert "work × speed explains the machines within" in calibration.sentence
    for task in NAMES:
        assert seconds_on(calibration, task, "M2") == pytest.approx(
            site.seconds(task, "M2"), rel=0.06
        )


def test_one_outlier_moves_neither_time_nor_range() -> None:
    site = Site(noise=0.01)
    runs = [site.run(ON_M1, seed) for seed in range(5)]
    first = next(one for one in runs[2].tasks if one.task == "end")
    odd = replace(first, end_s=first.end_s + 40.0)
    runs[2] = replace(runs[2], tasks=(*(one for one in runs[2].tasks if one is not first), odd))
    calibration = learnt(site, *runs, where=ON_M1)
    assert seconds_on(calibration, "end", "M1") == pytest.approx(seconds_of("end"), rel=0.03)
    (row,) = [row for row in calibration.rows if row[:2] == ("end", "M1")]
    assert row[5] == "5"
    assert float(row[4].split()[0]) < 1000.0
    assert any("outlier" in note and "end on M1" in note for note in calibration.notes)


def test_two_heaps_of_times_are_said_to_be_two() -> None:
    site = Site(noise=0.005)
    runs = []
    for seed in range(6):
        run = site.run(ON_M1, seed)
        tasks = tuple(
            replace(one, end_s=one.end_s + 5.0) if one.task == "end" and seed % 2 else one
            for one in run.tasks
        )
        runs.append(replace(run, tasks=tasks))
    calibration = learnt(site, *runs, where=ON_M1)
    assert any("end on M1 took about" in note and "neither" in note for note in calibration.notes)


def test_a_machine_without_a_measurement_gets_the_time_by_the_platforms_speed_and_it_is_said() -> (
    None
):
    site = Site()
    calibration = learnt(site, site.run(ON_M1), asked=problem(speed=0.25), where=ON_M1)
    assert source_of(calibration, "raw0", "M2") == "by the platform's speed"
    assert source_of(calibration, "raw0", "M1") == "measured"
    assert seconds_on(calibration, "raw0", "M2") == pytest.approx(4 * seconds_of("raw0"), rel=0.1)


def test_a_machine_without_a_measurement_gets_the_time_by_the_learnt_speed_where_there_is_one() -> (
    None
):
    site = Site(odd={("use", "M2"): 2.6})
    moved = OTHER | {"end": "M2"}
    assert SPLIT["end"] == "M2"
    runs = [site.run(SPLIT, 1), site.run(moved, 2), site.run(SPLIT, 3)]
    calibration = learnt(site, *runs)
    assert source_of(calibration, "end", "M1") == "by the calibrated speed"
    assert seconds_on(calibration, "end", "M1") == pytest.approx(seconds_of("end"), rel=0.2)


def test_tasks_that_did_not_run_are_estimated_by_input_bytes_within_their_range() -> None:
    site = Site(noise=0.02)
    without = ("use3",)
    runs = [cut(site.run(SPLIT, seed), without) for seed in range(3)]
    runs += [cut(site.run(OTHER, seed + 9), without) for seed in range(3)]
    calibration = learnt(site, *runs)
    source = source_of(calibration, "use3", "M1")
    assert source.startswith("estimated: line through 5 use by input bytes")
    assert seconds_on(calibration, "use3", "M1") == pytest.approx(seconds_of("use3"), rel=0.05)
    assert seconds_on(calibration, "use3", "M2") == pytest.approx(2 * seconds_of("use3"), rel=0.08)
    assert (
        "1 task that did not run are estimated (1 by input bytes"
        in calibration.sentence.replace("is estimated", "are estimated")
    )


def test_too_few_of_a_kind_give_their_mean() -> None:
    site = Site(noise=0.0)
    without = ("use1", "use2", "use3", "use4")
    calibration = learnt(site, cut(site.run(SPLIT), without))
    assert source_of(calibration, "use1", "M1") == "estimated: mean of 2 measured use"


def test_kinds_whose_inputs_are_alike_give_their_mean() -> None:
    site = Site(noise=0.0)
    run = cut(site.run(ON_M1), ("raw5",))  # they read nothing that the workload states
    calibration = learnt(site, run, where=ON_M1)
    assert source_of(calibration, "raw5", "M1") == "estimated: mean of 5 measured raw"
    assert seconds_on(calibration, "raw5", "M1") == pytest.approx(0.7, rel=1e-6)


def test_kinds_that_never_ran_stay_as_they_were() -> None:
    site = Site()
    calibration = learnt(site, cut(site.run(ON_M1), ("end",)), where=ON_M1)
    assert calibration.workload.tasks[-1].work == 1.0
    assert any(note == "As they were, no task of their kind ran: end" for note in calibration.notes)


def test_failed_tasks_teach_nothing_and_are_named() -> None:
    site = Site()
    calibration = learnt(site, site.run(ON_M1, fails=("raw1",)), where=ON_M1)
    assert source_of(calibration, "raw1", "M1").startswith("estimated")
    assert any("1 task failed (raw1)" in note for note in calibration.notes)


def test_tasks_that_named_their_machines_stay_with_them() -> None:
    site = Site(noise=0.01)
    asked = problem(stated={"raw0": {"M1": 9.0}})
    runs = both_ways(site)
    runs = [cut(run, ("raw0",)) if run.name.endswith(("1", "3", "5")) else run for run in runs]
    calibration = learnt(site, *runs, asked=asked, where=SPLIT | {"raw0": "M1"})
    task = calibration.workload.tasks[0]
    assert task.allowed == ("M1",) or dict(task.seconds).keys() == {"M1"}


def test_times_beside_stated_contenders_are_those_of_the_empty_machine() -> None:
    site = Site(noise=0.01)
    asked = problem(contenders=(Contender("hog", 1.0),))
    where = dict.fromkeys(NAMES, "M2")
    runs = [site.run(where, seed, hogs={"M2": 1}) for seed in range(3)]
    calibration = learnt(site, *runs, asked=asked, where=where)
    assert seconds_on(calibration, "end", "M2") == pytest.approx(
        site.seconds("end", "M2"), rel=0.03
    )
    assert any("taken out of the times" in note for note in calibration.notes)


def test_runs_beside_contenders_that_nobody_stated_are_left_out() -> None:
    site = Site(noise=0.01)
    runs = [site.run(ON_M1, seed, hogs={"M1": 2 * (seed < 2)}) for seed in range(5)]
    calibration = learnt(site, *runs, where=ON_M1)
    assert seconds_on(calibration, "end", "M1") == pytest.approx(seconds_of("end"), rel=0.03)
    assert any(
        "26 entries of runs with contenders are left out" in one for one in calibration.notes
    )


def test_times_that_may_contain_fetching_are_said_to() -> None:
    site = Site(tells_fetching=False)
    calibration = learnt(site, site.run(SPLIT))
    assert any("may contain fetching" in note for note in calibration.notes)
    pure = [site.run(SPLIT, 1), site.run(ON_M1, 2)]
    assert seconds_on(learnt(site, *pure), "end", "M1") == pytest.approx(seconds_of("end"), rel=0.1)


def test_whole_seconds_are_said() -> None:
    site = Site(step_s=1.0)
    calibration = learnt(site, site.run(SPLIT))
    assert any("steps by 1.00 s" in note for note in calibration.notes)


def test_without_anything_that_ended_well_nothing_is_learnt() -> None:
    site = Site()
    asked = problem()
    calibration = learnt(site, site.run(ON_M1, fails=tuple(NAMES)), asked=asked, where=ON_M1)
    assert not calibration.learnt
    assert calibration.workload == asked.workload
    assert calibration.sentence.startswith("No task times")


def cut(run: Run, without: tuple[str, ...]) -> Run:
    """The run as if these had never started."""
    return replace(run, tasks=tuple(one for one in run.tasks if one.task not in without))


assert set(RAW) < set(NAMES)


def test_what_took_no_time_was_there_already_and_is_not_learnt() -> None:
    site = Site()
    run = site.run(SPLIT, 1)
    cached = replace(
        run,
        tasks=tuple(replace(one, end_s=one.start_s) if one.task == "raw1" else one
                    for one in run.tasks),
    )  # fmt: skip
    calibration = learnt(site, cached)
    assert "Left out: 1 entry of no time at all, as of results that were there already" in (
        calibration.notes
    )
    assert calibration.sentence.startswith("12 tasks measured in 1 run")
    assert seconds_on(calibration, "raw1", "M1") > 0.3


def test_whole_seconds_may_show_no_time_for_what_ran() -> None:
    calibration = learnt(Site(), Site(step_s=10.0).run(SPLIT, 1))
    assert not any("no time at all" in note for note in calibration.notes)


def test_runs_of_which_nothing_ended_well_are_not_counted() -> None:
    site = Site()
    calibration = learnt(site, site.run(SPLIT, 1), site.run(SPLIT, 2, fails=tuple(NAMES)))
    assert calibration.sentence.startswith("13 tasks measured in 1 run")


def test_two_times_far_apart_are_said() -> None:
    site = Site(noise=0.01)
    second = site.run(SPLIT, 2)
    late = replace(
        second,
        tasks=tuple(replace(one, end_s=one.end_s + 90.0) if one.task == "end" else one
                    for one in second.tasks),
    )  # fmt: skip
    calibration = learnt(site, site.run(SPLIT, 1), late)
    assert any(
        note.startswith("end on M2 took") and "too few" in note for note in calibration.notes
    )
