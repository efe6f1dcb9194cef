"""What every task's time goes to: columns sum to its time, rows to the prediction's breakdown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.task_causes import task_causes, transfer_causes
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.allocation.workload import Task, Workload
from advisor.basics.causes import (
    CAUSES,
    COMPUTING,
    LINK_SHARING,
    LINK_WAIT,
    MEMORY_SHARING,
    MESSAGE_OVERHEAD,
    NETWORK_CONTENTION,
    PROCESSOR_WAIT,
    STARTING,
    TRANSFERRING,
)
from advisor.project.examples import load_example
from advisor.project.project import Project
from machines import Contender, Direction, Link, Machine, Platform, Store
from machines.runtime import Runtime
from tests.advisor.random_executed import random_executed
from tests.conftest import cluster


def loaded_multicomputer() -> Project:
    project = load_example("multicomputer")
    first, second = project.platform.machines
    busy = replace(second, contenders=(Contender("other", 1.0),))
    return replace(project, platform=replace(project.platform, machines=(first, busy)))


@pytest.mark.parametrize("make", [cluster, loaded_multicomputer])
@pytest.mark.parametrize("sharing", [FAIR, NONE])
def test_columns_sum_to_the_tasks_and_rows_to_the_breakdown(make, sharing: str) -> None:
    project = make()
    problem = Problem.of(project.platform, project.workload, sharing=sharing)
    prediction = predict(problem, project.plan)
    found = task_causes(problem.costs, prediction)
    assert list(found.causes) == [cause for cause in CAUSES if cause in found.causes]
    assert found.seconds.sum(axis=0) == pytest.approx(prediction.held_s)
    assert (found.seconds >= 0).all()
    rows = dict(zip(found.causes, found.seconds.sum(axis=1).tolist(), strict=True))
    for cause in (COMPUTING, NETWORK_CONTENTION, MESSAGE_OVERHEAD):
        assert rows.get(cause, 0.0) == pytest.approx(prediction.breakdown_s.get(cause, 0.0))
    transfers = prediction.breakdown_s[TRANSFERRING] + prediction.breakdown_s[LINK_WAIT]
    if not problem.costs.program_tasks.size:
        # the total counts each task alone beside the contenders
        together = rows[PROCESSOR_WAIT] - prediction.breakdown_s[PROCESSOR_WAIT]
        assert together > -1e-9
        assert sum(rows.values()) - together + transfers == pytest.approx(prediction.total_s)


def slotted(copies: str = "once", link_slowdown: float = 1.0) -> tuple[Problem, Plan]:
    """Two readers of one file of 100 B on a store at 10 B/s, each with a core and 1 s of overhead.

    The link takes 2 s to start; both tasks take 4 s.
    """
    way = Direction(2.0, 10.0)
    platform = Platform(
        "lab",
        (Machine("M", cores=2),),
        (Link("S", "M", way, way, slowdown=link_slowdown),),
        stores=(Store("S"),),
        runtime=Runtime(fetch="slot", copies=copies, task_overhead_s=1.0),
    )
    tasks = tuple(Task(name, work=4.0, reads=("f",)) for name in "ab")
    workload = Workload("w", tasks, files=(DataFile("f", 100.0, "S"),))
    return Problem.of(platform, workload), Plan((0, 0))


def test_what_a_task_fetches_in_its_slot_comes_first_then_its_start() -> None:
    problem, plan = slotted()
    prediction = predict(problem, plan)
    found = task_causes(problem.costs, prediction)
    for task in (0, 1):  # the second waits for the first one's copy
        assert found.segments(task) == ((TRANSFERRING, 12.0), (STARTING, 1.0), (COMPUTING, 4.0))
        assert found.of(task) == {COMPUTING: 4.0, STARTING: 1.0, TRANSFERRING: 12.0}
    assert prediction.held_s == pytest.approx([17.0, 17.0])


def test_two_fetches_at_once_share_the_link_and_contenders_slow_it() -> None:
    problem, plan = slotted("each", 1.5)
    prediction = predict(problem, plan)
    found = task_causes(problem.costs, prediction)
    # startups 3 s, then 200 B at 10 / 1.5 B/s: 30 s for both; alone 2 + 10 s, on the slowed 18 s
    expected = {TRANSFERRING: 12.0, LINK_WAIT: 6.0, LINK_SHARING: 15.0}
    for task in (0, 1):
        assert dict(found.segments(task)[:3]) == pytest.approx(expected)
    moved = prediction.transfers
    assert moved is not None
    assert transfer_causes(moved, 0) == pytest.approx(expected)


def test_what_own_tasks_wait_for_contenders_is_the_contenders_cost() -> None:
    """8 tasks of 10 s and 4 contenders on 8 cores: each has 8/12 of one, alone all of it."""
    busy = Machine("M", cores=8, contenders=(Contender("c", 1.0),) * 4)
    tasks = tuple(Task(f"t{i}", work=10.0) for i in range(8))
    problem = Problem.of(Platform("p", (busy,)), Workload("w", tasks))
    prediction = predict(problem, Plan((0,) * 8))
    found = task_causes(problem.costs, prediction)
    assert found.of(3) == pytest.approx({COMPUTING: 10.0, PROCESSOR_WAIT: 5.0})


def test_what_others_take_of_the_memory_is_a_cause_of_its_own() -> None:
    """Two that draw 8 B/s share 10 beside a contender, who leaves them 5.33 B/s each."""
    machine = Machine("M", cores=2, contenders=(Contender("c", 1.0),), memory_bandwidth=10.0)
    tasks = tuple(Task(f"t{i}", work=10.0, memory_bandwidth=8.0) for i in range(2))
    problem = Problem.of(Platform("p", (machine,)), Workload("w", tasks))
    prediction = predict(problem, Plan((0, 0)))
    found = task_causes(problem.costs, prediction)
    assert prediction.end_s == pytest.approx([16.0, 16.0])  # 80 bytes at 5 B/s
    # of 16 s processors alone would take 15: in 16 s they allow 10.667 s of computing, of which 10
    # were had, so 1 / 16 was lost to memory
    expected = {COMPUTING: 10.0, PROCESSOR_WAIT: 5.0, MEMORY_SHARING: 1.0}
    assert found.of(0) == pytest.approx(expected)
    assert prediction.critical_breakdown_s == pytest.approx(expected)


@given(st.integers(0, 2**32 - 1))
def test_every_second_of_a_task_and_a_transfer_has_its_cause(seed: int) -> None:
    problem = random_executed(seed)
    allowed = np.isfinite(problem.instance.task_s)
    prediction = predict(problem, Plan(tuple(allowed.argmax(axis=1).tolist())))
    found = task_causes(problem.costs, prediction)
    assert found.seconds.sum(axis=0) == pytest.approx(prediction.held_s)
    assert (found.seconds >= 0).all()
    for task in range(len(problem.workload.tasks)):
        assert sum(s for _, s in found.segments(task)) == pytest.approx(prediction.held_s[task])
    moved = prediction.transfers
    assert moved is not None
    for row, lasted in enumerate((moved.arrived_s - moved.left_s).tolist()):
        assert sum(transfer_causes(moved, row).values()) == pytest.approx(lasted)


def test_a_parallel_task_shows_its_messages_and_a_serial_one_does_not() -> None:
    project = loaded_multicomputer()
    problem = Problem.of(project.platform, project.workload)
    found = task_causes(problem.costs, predict(problem, project.plan))
    index = project.workload.index
    assert set(found.of(index["prepare"])) == {COMPUTING, PROCESSOR_WAIT}
    assert {NETWORK_CONTENTION, MESSAGE_OVERHEAD} < set(found.of(index["spectra"]))
    assert found.of(index["spectra"])[COMPUTING] == pytest.approx(5.0)
