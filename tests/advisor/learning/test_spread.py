"""How times vary: what is told of runs whose truth is known, and of ones unlike the model."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.learning.calibrations import calibrated, calibrations
from advisor.learning.run_evidence import Evidence, evidence_of
from advisor.learning.spread import deviations, spread
from advisor.odds import draws_of
from advisor.odds.drawn_plan import Sampler
from advisor.runs.matching import matched
from advisor.runs.run_record import Run, TaskRun
from machines import Machine, Platform
from machines.default_spreads import Spreads

WIDE = 8  # tasks on each of two machines, one after the other


def problem() -> Problem:
    tasks = tuple(Task(f"t{place}", work=2.0 + place) for place in range(2 * WIDE))
    return Problem.of(Platform("p", (Machine("A"), Machine("B"))), Workload("w", tasks))


def plan() -> Plan:
    return Plan(tuple(place % 2 for place in range(2 * WIDE)))


def run(
    seed: int, own: float = 0.1, common: float = 0.0, step_s: float = 0.0, late: int = -1
) -> Run:
    """Times vary by `own` a task and by `common` a machine; a straggler; a clock of `step_s`."""
    draw = np.random.default_rng(seed)
    shift = draw.normal(0.0, common, 2)
    clock, lines = np.zeros(2), []
    for place in range(2 * WIDE):
        machine = place % 2
        took = (2.0 + place) * np.exp(draw.normal(0.0, own) + shift[machine])
        took *= 5.0 if place == late else 1.0
        start, clock[machine] = clock[machine], clock[machine] + took
        ends = [float(one) for one in (start, clock[machine])]
        if step_s:
            ends = [float(np.floor(one / step_s) * step_s) for one in ends]
        lines.append(TaskRun(f"t{place}", "AB"[machine], *ends))
    return Run(f"run {seed}", tuple(lines), "site", step_s)


def evidence(*runs: Run) -> Evidence:
    asked = problem()
    return evidence_of(asked, plan(), tuple(matched(one, asked) for one in runs))


def test_variances_of_tasks_and_machines_are_told_apart() -> None:
    found = deviations(evidence(*(run(seed, 0.1, 0.2) for seed in range(12))))
    assert found.task_cv == pytest.approx(0.1, rel=0.2)
    assert found.machine_cv == pytest.approx(0.2, rel=0.4)
    alone = deviations(evidence(*(run(seed, 0.1) for seed in range(12))))
    assert alone.task_cv == pytest.approx(0.1, rel=0.2)
    assert alone.machine_cv is not None
    assert alone.machine_cv < 0.04


def test_the_estimate_is_right_in_the_mean() -> None:
    told = [
        deviations(evidence(*(run(10 * seed + at, 0.1, 0.1) for at in range(5))))
        for seed in range(40)
    ]
    own = [one.task_cv or 0.0 for one in told]
    common = [(one.machine_cv or 0.0) ** 2 for one in told]
    assert np.mean(own) == pytest.approx(0.1, rel=0.03)
    assert np.sqrt(np.mean(common)) == pytest.approx(0.1, rel=0.2)


def test_what_the_clock_rounds_is_no_spread() -> None:
    exact = deviations(evidence(*(run(seed, 0.005, step_s=1.0) for seed in range(12))))
    assert exact.task_cv is not None
    assert exact.task_cv <= 0.03  # a second in 5 to 17 is a deviation of 2 to 8 %
    broad = deviations(evidence(*(run(seed, 0.15, step_s=1.0) for seed in range(12))))
    assert broad.task_cv == pytest.approx(0.15, rel=0.25)


def test_one_run_tells_nothing_and_two_nothing_of_machines() -> None:
    asked = problem()
    (*_, told, _) = calibrations(asked, plan(), [matched(run(0), asked)])
    assert not told.learnt
    assert "0 repeats of a task" in told.sentence
    two = deviations(evidence(run(0), run(1)))
    assert two.task_cv is not None
    assert two.machine_cv is None


def test_learnt_spreads_take_the_place_of_assumed_ones() -> None:
    asked = problem()
    runs = [matched(run(seed, 0.05, 0.03), asked) for seed in range(8)]
    (*_, told, _) = calibrations(asked, plan(), runs)
    assert told.sentence.startswith("Task times vary by ")
    platform, workload = calibrated(asked, [told])
    assert workload.spread == Spreads(task_cv=workload.spread.task_cv)
    assert 0.03 < (workload.spread.task_cv or 0.0) < 0.07
    assert platform.spread.machine_cv is not None
    assert platform.machines == asked.platform.machines
    assert workload.tasks == asked.workload.tasks


@pytest.mark.parametrize(("common", "most"), [(0.0, 1.0), (0.1, 0.99), (0.2, 0.97)])
def test_nine_of_ten_fresh_runs_end_as_early_as_is_told(common: float, most: float) -> None:
    """Tasks of a kind do not vary together here, as the odds assume: they are then too careful."""
    asked = problem()
    runs = [matched(run(seed, 0.12, common), asked) for seed in range(10)]
    found = [one for one in calibrations(asked, plan(), runs) if one.learnt]
    after = Problem.of(*calibrated(asked, found))
    drawn_s = Sampler(after, draws_of(after, 1024, 5)).makespans_s(plan())
    within = np.quantile(drawn_s, 0.9)
    fresh = [run(1000 + seed, 0.12, common).makespan_s for seed in range(400)]
    assert 0.82 < np.mean(np.array(fresh) <= within) <= most


def test_runs_of_other_inputs_are_no_spread() -> None:
    asked = problem()
    lines = [TaskRun(f"t{place}", "AB"[place % 2], 0.0, 1.0) for place in range(2 * WIDE)]
    slow = [TaskRun(one.task, one.machine, 0.0, 1e4) for one in lines]
    runs = [matched(Run("r", tuple(some), "site"), asked) for some in (lines, slow)]
    told = spread(evidence_of(asked, plan(), tuple(runs)))
    assert not told.learnt
    assert "of other inputs, or in other units" in told.sentence


def test_a_straggler_widens_what_is_told() -> None:
    calm = deviations(evidence(*(run(seed, 0.05) for seed in range(6))))
    late = deviations(
        evidence(*(run(seed, 0.05, late=3 if seed == 2 else -1) for seed in range(6)))
    )
    assert calm.task_cv is not None
    assert late.task_cv is not None
    assert late.task_cv > 2.0 * calm.task_cv
