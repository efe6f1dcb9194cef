"""Advise, run, learn, advise again: what a run tells makes the next prediction better."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.learning.calibrations import calibrated, calibrations
from advisor.project.examples import load_example
from advisor.running import RunSettings, run_plan
from advisor.runs.matching import matched
from advisor.runs.run_record import Run
from advisor.search import advise
from machines import Direction, Link, Machine, Platform
from resources.programs import mosaic
from tests.dask_cluster import running_cluster


def round_trip(problem: Problem, settings: RunSettings) -> tuple[float, float, Problem, Run]:
    """Advise and run: what was predicted and what it took, and what is known afterwards."""
    plan = advise(problem).plan
    predicted_s = predict(problem, plan).makespan_s
    run = run_plan(problem, plan, settings)
    actual = matched(run, problem)
    assert actual.complete
    learnt = [one for one in calibrations(problem, plan, [actual]) if one.learnt]
    return predicted_s, actual.makespan_s, Problem.of(*calibrated(problem, learnt)), run


def test_a_second_prediction_is_closer_than_the_first(tmp_path: Path) -> None:
    """Guesses are ten times too short, and M2 is slower than it is said to be."""
    wait = "case $PLACEWISE_MACHINE in M1) sleep {};; *) sleep {};; esac"
    tasks = tuple(
        Task(f"{kind}{i}", work=0.01, kind=kind, command=wait.format(*seconds))
        for kind, seconds in (("cut", (0.1, 0.2)), ("search", (0.15, 0.3))) for i in range(3)
    )  # fmt: skip
    flows = tuple(Flow(f"cut{i}", f"search{i}", ((1, 100.0),)) for i in range(3))
    way = Direction(0.0, 1e9)
    platform = Platform(
        "two", (Machine("M1"), Machine("M2", speed=0.9)), (Link("M1", "M2", way, way),)
    )
    problem = Problem.of(platform, Workload("search", tasks, flows))
    workers = {name: {"name": name, "nthreads": 1} for name in ("M1", "M2")}
    with running_cluster(workers) as cluster:
        settings = RunSettings("dask", cluster.scheduler_address, folder=tmp_path)
        first_s, ran_s, learnt, _ = round_trip(problem, settings)
        second_s, ran_again_s, _, _ = round_trip(learnt, settings)
    assert abs(second_s - ran_again_s) < abs(first_s - ran_s)


@pytest.mark.engines
def test_the_mosaic_goes_round_twice_on_a_cluster_of_two_unequal_workers(tmp_path: Path) -> None:
    example = load_example("mosaic")
    settings = RunSettings("dask", record=tmp_path / "run.csv", folder=tmp_path)
    first_s, ran_s, learnt, run = round_trip(example.problem(), settings)
    assert sorted(one.task for one in run.tasks) == sorted(mosaic.NEEDS)
    assert {one.machine for one in run.tasks} == {"M1", "M2"}
    second_s, ran_again_s, _, _ = round_trip(learnt, settings)
    print(f"predicted {first_s:.2f} s, ran {ran_s:.2f} s; then {second_s:.2f} s, {ran_again_s:.2f}")
    assert abs(second_s - ran_again_s) < abs(first_s - ran_s)
