"""Machines on which nothing ran: by benchmarks of kinds, else by speed, with their doubt."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.problem import Problem
from advisor.learning.calibration import Calibration
from advisor.learning.calibrations import calibrations
from advisor.learning.unseen import machine_factor
from tests.advisor.learning.site import NAMES, ON_M1, Site, actuals, planned, problem, seconds_of
from tests.advisor.learning.test_times import cut, seconds_on, source_of


def benchmarked(odd: float = 0.5) -> Problem:
    """Short benchmarks of every kind: M2 takes half as long, for `use` another factor."""
    stated = {
        name: {"M1": 0.01, "M2": 0.01 * (odd if name.startswith("use") else 0.5)} for name in NAMES
    }
    return problem(stated=stated)


def learnt(asked: Problem, *without: str) -> Calibration:
    site = Site(noise=0.02)
    runs = [cut(site.run(ON_M1, seed), without) for seed in range(3)]
    return calibrations(asked, planned(asked, ON_M1), actuals(asked, *runs))[0]


def range_of(calibration: Calibration, task: str, machine: str) -> float:
    """The greatest over the least of a row, from its cells."""
    (row,) = [row for row in calibration.rows if row[:2] == (task, machine)]
    low, high = (float(cell.split()[0]) * (0.001 if "ms" in cell else 1.0) for cell in row[3:5])
    return high / low


def note_of(calibration: Calibration) -> str:
    (note,) = [one for one in calibration.notes if one.startswith("Machines on which nothing ran")]
    return note


def test_benchmarks_of_a_kind_on_both_machines_give_its_times_on_the_one_that_ran_nothing() -> None:
    calibration = learnt(benchmarked())
    for name in NAMES:
        assert seconds_on(calibration, name, "M2") == pytest.approx(0.5 * seconds_of(name), rel=0.1)
        assert source_of(calibration, name, "M2") == "as stated, scaled"
    assert note_of(calibration).startswith(
        "Machines on which nothing ran, against M1: M2 takes ×0.500 as long by the stated times of "
        "3 kinds, 9 of 10 within a factor of 1."
    )


def test_a_task_that_did_not_run_takes_its_kinds_line_times_the_machines_factor() -> None:
    calibration = learnt(benchmarked(), "use3")
    assert source_of(calibration, "use3", "M2").startswith("estimated: line through 5 use")
    assert seconds_on(calibration, "use3", "M2") == pytest.approx(0.5 * seconds_of("use3"), rel=0.1)


def test_kinds_whose_benchmarks_differ_keep_their_own_and_widen_the_ranges() -> None:
    alike, unlike = learnt(benchmarked()), learnt(benchmarked(odd=4.0))
    factor = seconds_on(unlike, "use0", "M2") / seconds_of("use0")
    assert factor == pytest.approx(4.0, rel=0.1)
    assert range_of(unlike, "use0", "M2") > 1.1 * range_of(alike, "use0", "M2")
    assert "M2 takes ×0.500 to ×4.00 as long" in note_of(unlike)


def test_without_benchmarks_a_machine_has_its_speed_within_a_wide_range() -> None:
    calibration = learnt(problem(speed=4.0))
    assert seconds_on(calibration, "end", "M2") == pytest.approx(0.25 * seconds_of("end"), rel=0.1)
    assert range_of(calibration, "end", "M2") == pytest.approx(math.exp(2 * 1.645 * 0.3), rel=0.02)
    assert "M2 takes ×0.250 as long by its stated speed" in note_of(calibration)


def test_a_kind_without_a_benchmark_has_the_mean_of_the_others() -> None:
    asked = benchmarked()
    tasks = tuple(
        replace(task, work=1.0, seconds=()) if task.name == "end" else task
        for task in asked.workload.tasks
    )
    asked = Problem.of(asked.platform, replace(asked.workload, tasks=tasks))
    calibration = learnt(asked)
    assert source_of(calibration, "end", "M2") == "by the stated times of others"
    assert seconds_on(calibration, "end", "M2") == pytest.approx(0.5 * seconds_of("end"), rel=0.1)
    assert range_of(calibration, "end", "M2") > range_of(calibration, "raw0", "M2")


def test_ranges_of_kinds_with_and_without_a_benchmark_hold_nine_of_ten() -> None:
    draw, inside = np.random.default_rng(5), []
    for _ in range(300):
        truth = math.log(2.0) + draw.normal(0.0, 0.3, 13)
        benchmarks = truth + draw.normal(0.0, 0.3, 13)
        own = np.append(benchmarks[:12], np.nan)
        factor, doubt = machine_factor(benchmarks[:12]).of(own)
        inside.append(np.abs(np.log(factor) - truth) <= 1.645 * doubt)
    assert np.mean(inside) >= 0.9
    assert np.mean([one[-1] for one in inside]) >= 0.87


def test_what_was_calibrated_and_applied_is_calibrated_alike_again() -> None:
    for asked in (benchmarked(odd=2.0), problem(speed=4.0)):
        once = learnt(asked)
        again = learnt(Problem.of(once.platform, once.workload))
        assert again.workload.tasks == once.workload.tasks
        assert again.rows == once.rows
