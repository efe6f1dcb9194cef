"""Late workers: runs of platforms that have some tell when each was up, and predict the next."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.learning.calibration import Calibration
from advisor.learning.calibrations import calibrations
from advisor.runs.matching import matched
from advisor.runs.run_record import Run, TaskRun
from machines import Direction, Link, Machine, Platform, Runtime
from tests.advisor.learning.site import SPLIT, Site, actuals, planned, problem

PLAN = Plan((0, 0, 1, 1, 2, 2), tuple(range(6)))


def of(*up_s: float, runtime: Runtime | None = None, data: float = 0.0) -> Problem:
    """Six tasks of 10 s, two a machine; the first of M0 feeds the first of M2 with these bytes."""
    tasks = tuple(Task(f"t{k}", 10.0) for k in range(6))
    flows = (Flow("t0", "t4", ((1, data),)),) if data else ()
    machines = tuple(Machine(f"M{at}", up_s=one) for at, one in enumerate(up_s))
    way = Direction(0.0, 1.0)
    links = (Link("M0", "M2", way, way),) if data else ()
    platform = Platform("p", machines, links, runtime=runtime or Runtime())
    return Problem.of(platform, Workload("w", tasks, flows))


def run_of(truth: Problem, name: str = "run 1") -> Run:
    """What happens on a platform as it is."""
    found = predict(truth, PLAN)
    taken = found.start_s if found.taken_s is None else found.taken_s
    names = [one.name for one in truth.platform.machines]
    return Run(name, tuple(
        TaskRun(task.name, names[PLAN.allocation[at]], float(found.start_s[at]),
                float(found.end_s[at]), fetch_start_s=float(taken[at]))
        for at, task in enumerate(truth.workload.tasks)
    )).from_zero()  # fmt: skip


def learnt(asked: Problem, *runs: Run) -> Calibration:
    found = calibrations(asked, PLAN, tuple(matched(run, asked) for run in runs))[-1]
    assert found.name == "workers"
    return found


def up(found: Calibration) -> list[float]:
    return [one.up_s or 0.0 for one in found.platform.machines]


def test_late_workers_are_learnt_and_the_next_run_is_predicted() -> None:
    asked, truth = of(0.0, 0.0, 0.0), of(0.0, 4.0, 7.5)
    found = learnt(asked, run_of(truth))
    assert up(found) == pytest.approx([0.0, 4.0, 7.5])
    assert found.sentence == "M1's worker is up after 4.00 s; M2's worker is up after 7.50 s"
    assert predict(asked, PLAN).makespan_s == pytest.approx(20.0)
    after = Problem.of(found.platform, asked.workload)
    assert predict(after, PLAN).makespan_s == pytest.approx(predict(truth, PLAN).makespan_s)


def test_of_several_runs_the_median_counts_with_its_range() -> None:
    runs = [run_of(of(0.0, 0.0, late), f"run {late:g}") for late in (6.0, 7.0, 9.0)]
    found = learnt(of(0.0, 0.0, 0.0), *runs)
    assert up(found) == pytest.approx([0.0, 0.0, 7.0])
    assert "(median of 3 runs, 6.00 s to 9.00 s)" in found.sentence


def test_a_worker_that_is_late_no_more_is_so_in_the_platform_too() -> None:
    found = learnt(of(0.0, 0.0, 7.0), run_of(of(0.0, 0.0, 0.0)))
    assert up(found) == [0.0, 0.0, 0.0]
    assert found.learnt


def test_runs_without_late_workers_teach_nothing() -> None:
    asked = of(0.0, 0.0, 0.0)
    found = learnt(asked, run_of(asked))
    assert not found.learnt
    assert found.platform is asked.platform
    assert found.sentence.startswith("No worker was late")


def test_a_first_task_that_waits_for_data_tells_nothing() -> None:
    asked = of(0.0, 0.0, 0.0, data=30.0)
    found = learnt(asked, run_of(asked))
    assert not found.learnt


def test_beside_stated_times_of_the_engine_nothing_is_learnt() -> None:
    runtime = Runtime(submit_s=1.0)
    found = learnt(of(0.0, 0.0, 0.0, runtime=runtime), run_of(of(0.0, 0.0, 7.0)))
    assert not found.learnt
    assert "Not separable" in found.sentence


def test_a_machine_that_comes_late_is_learnt_from_a_log_that_tells_fetching() -> None:
    run, asked = Site().run(SPLIT), problem()
    late = tuple(one.shifted(30.0) if one.machine == "M2" else one for one in run.tasks
                 if one.task.startswith("raw"))  # fmt: skip
    found = calibrations(
        asked, planned(asked, SPLIT, None), actuals(asked, replace(run, tasks=late))
    )
    machines = {one.name: one.up_s or 0.0 for one in found[-1].platform.machines}
    assert machines["M2"] == pytest.approx(30.0, abs=1.0)
    assert np.isfinite(list(machines.values())).all()
