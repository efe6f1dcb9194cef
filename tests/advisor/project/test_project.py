"""A new project starts with everything on one machine, where that can be."""

from __future__ import annotations

import pytest

from advisor.allocation.feasibility import check_feasible
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.project.project import new_project
from machines import InfeasibleError, Machine, Platform


def test_all_tasks_start_on_the_machine_where_they_take_least_together() -> None:
    platform = Platform("p", (Machine("M1"), Machine("M2", speed=3.0), Machine("M3", speed=2.0)))
    project = new_project(platform, Workload("w", (Task("A", 1.0), Task("B", 2.0))))
    assert project.plan.allocation == (1, 1)
    assert (project.objective, project.reading, project.pins) == ("makespan", "exact", ())


def test_a_slowed_machine_counts_as_slow() -> None:
    platform = Platform("p", (Machine("M1", speed=3.0, slowdown=9.0), Machine("M2")))
    project = new_project(platform, Workload("w", (Task("A", 1.0),)))
    assert project.plan.allocation == (1,)


def test_a_machine_without_the_memory_for_all_is_passed_over() -> None:
    platform = Platform(
        "p", (Machine("M1", speed=3.0, memory_bytes=15, memory="reserved"), Machine("M2"))
    )
    tasks = (Task("A", 1.0, memory_bytes=10), Task("B", 1.0, memory_bytes=10))
    assert new_project(platform, Workload("w", tasks)).plan.allocation == (1, 1)


def test_tasks_that_share_no_machine_are_divided() -> None:
    platform = Platform("p", (Machine("M1"), Machine("M2", cores=4)))
    tasks = (Task("A", seconds=(("M1", 1.0),)), Task("B", 1.0, cores=4))
    project = new_project(platform, Workload("w", tasks))
    assert project.plan.allocation == (0, 1)
    check_feasible(Problem.of(platform, project.workload), project.plan)


def test_a_task_that_fits_nowhere_is_named() -> None:
    with pytest.raises(InfeasibleError, match='"B"'):
        new_project(
            Platform("p", (Machine("M1"),)),
            Workload("w", (Task("A", 1.0), Task("B", 1.0, cores=2))),
        )
