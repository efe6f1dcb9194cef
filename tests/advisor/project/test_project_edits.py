"""Edits of a project keep every reference and refuse what can't be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project import project_edits as edits
from advisor.project.file_edits import orphaned
from advisor.project.project import Pin, Project
from machines import (
    Contender,
    Direction,
    InfeasibleError,
    InputError,
    Link,
    Machine,
    Platform,
)


@pytest.fixture
def project() -> Project:
    both = Direction(0.001, 1e6)
    platform = Platform(
        "three",
        (Machine("M1"), Machine("M2", speed=2.0), Machine("M3", cores=4)),
        (Link("M1", "M2", both, both), Link("M2", "M3", both, both)),
    )
    tasks = (
        Task("A", seconds=(("M1", 12.0), ("M2", 18.0))),
        Task("B", work=4.0),
        Task("C", work=6.0, allowed=("M1", "M3")),
    )
    flows = (
        Flow("A", "B", seconds=((("M1", "M2"), 7.0), (("M2", "M1"), 8.0))),
        Flow("B", "C", data_sets=((1, 1000.0),)),
    )
    plan = Plan((0, 1, 2), order=(0, 1, 2))
    return Project(
        platform, Workload("w", tasks, flows), plan, pins=(Pin("other", Plan((1, 1, 0))),)
    )


def test_a_renamed_machine_is_renamed_wherever_it_is_named(project: Project) -> None:
    changed = edits.with_machine(project, 0, replace(project.platform.machines[0], name="front"))
    assert changed.platform.links[0].first == "front"
    assert dict(changed.workload.tasks[0].seconds) == {"front": 12.0, "M2": 18.0}
    assert changed.workload.tasks[2].allowed == ("front", "M3")
    assert dict(changed.workload.flows[0].seconds)["front", "M2"] == 7.0
    assert changed.plan == project.plan


def with_files(project: Project) -> Project:
    """A makes "a" for B, and "log"; B makes "b" for nobody; C reads "in" on M1 and "a"."""
    first, second, third = project.workload.tasks
    tasks = (
        replace(first, writes=("a", "log")),
        replace(second, reads=("a",), writes=("b",)),
        replace(third, reads=("in", "a", "own")),
    )
    files = (
        DataFile("in", 5.0, "M1"),
        DataFile("a", 10.0),
        DataFile("b", 20.0),
        DataFile("log", 1.0),
        DataFile("own", 7.0, "M3"),
        DataFile("unread", 9.0, "M1"),
    )
    return replace(project, workload=replace(project.workload, tasks=tasks, files=files))


def test_files_move_with_the_name_of_their_machine(project: Project) -> None:
    before = with_files(project)
    changed = edits.with_machine(before, 0, replace(project.platform.machines[0], name="front"))
    assert [file.at for file in changed.workload.files] == [
        "front", None, None, None, "M3", "front",
    ]  # fmt: skip
    assert changed.workload.edges[2:] == before.workload.edges[2:]


def test_files_of_a_removed_machine_lie_nowhere_stated(project: Project) -> None:
    changed = edits.remove_machine(with_files(project), 2)
    assert [file.at for file in changed.workload.files] == ["M1", None, None, None, None, "M1"]
    predict(Problem.of(changed.platform, changed.workload, sharing="none"), changed.plan)


def test_a_renamed_task_keeps_its_files(project: Project) -> None:
    before = with_files(project)
    changed = edits.with_task(before, 0, replace(before.workload.tasks[0], name="start"))
    assert changed.workload.files == before.workload.files
    assert [edge.name for edge in changed.workload.edges] == [
        "start → B", "B → C", "start → B", "start → C",
    ]  # fmt: skip


def test_what_a_removed_task_made_for_others_comes_from_outside(project: Project) -> None:
    before = with_files(project)
    assert orphaned(before.workload, (0,)) == ("a",)
    changed = edits.remove_tasks(before, (0,))
    assert [file.name for file in changed.workload.files] == ["in", "a", "b", "own", "unread"]
    assert [changed.workload.files[at].name for at in changed.workload.outside] == [
        "in", "a", "own", "unread",
    ]  # fmt: skip
    assert orphaned(before.workload, (1, 2)) == ()
    kept = edits.remove_tasks(before, (1, 2)).workload
    assert [file.name for file in kept.files] == ["a", "log", "unread"]


def test_adding_tasks_and_flows_keeps_the_files(project: Project) -> None:
    before = with_files(project)
    changed = edits.add_flow(edits.add_task(before, Task("D", 1.0)), Flow("A", "D"))
    assert changed.workload.files == before.workload.files
    assert edits.remove_flow(changed, 0).workload.files == before.workload.files
    assert edits.renamed(changed, "other").workload.files == before.workload.files


def test_a_name_that_is_taken_is_refused(project: Project) -> None:
    with pytest.raises(InputError, match="another machine"):
        edits.with_machine(project, 0, replace(project.platform.machines[0], name="M2"))
    with pytest.raises(InputError, match="another task"):
        edits.add_task(project, Task("A", work=1.0))


def test_a_removed_machine_hands_its_tasks_to_the_fastest_that_can(project: Project) -> None:
    changed = edits.remove_machine(project, 2)
    assert [m.name for m in changed.platform.machines] == ["M1", "M2"]
    assert changed.plan.allocation == (0, 1, 0)
    assert changed.pins[0].plan.allocation == (1, 1, 0)
    assert [link.name for link in changed.platform.links] == ["M1–M2"]


def test_positions_behind_a_removed_machine_move_up(project: Project) -> None:
    changed = edits.remove_machine(project, 1)
    assert changed.plan.allocation == (0, 0, 1)
    assert changed.workload.tasks[0].seconds == (("M1", 12.0),)
    assert changed.workload.flows[0].seconds == ()


def test_a_machine_that_a_task_can_not_do_without_stays(project: Project) -> None:
    tied = edits.with_task(project, 0, Task("A", seconds=(("M1", 12.0),)))
    with pytest.raises(InputError, match="M1 only"):
        edits.remove_machine(tied, 0)


def test_the_last_machine_stays() -> None:
    alone = Project(
        Platform("p", (Machine("M"),)), Workload("w", (Task("A", work=1.0),)), Plan((0,))
    )
    with pytest.raises(InputError, match=r"at least one machine\. Add another"):
        edits.remove_machine(alone, 0)


def test_a_renamed_task_is_renamed_in_its_flows(project: Project) -> None:
    changed = edits.with_task(project, 1, Task("middle", work=4.0))
    assert [flow.name for flow in changed.workload.flows] == ["A → middle", "middle → C"]


def test_a_task_that_its_machine_can_no_longer_take_moves(project: Project) -> None:
    changed = edits.with_task(project, 1, Task("B", work=4.0, cores=2))
    assert changed.plan.allocation[1] == 2


def test_a_task_that_fits_nowhere_is_refused_by_name(project: Project) -> None:
    with pytest.raises(InfeasibleError, match='task "B"'):
        edits.with_task(project, 1, Task("B", work=4.0, cores=64))


def test_memory_and_a_missing_time_keep_a_task_off_a_machine(project: Project) -> None:
    task = Task("T", seconds=(("M1", 1.0),), memory_bytes=100)
    assert edits.seconds_on(task, Machine("M1", memory_bytes=10)) is None
    assert edits.seconds_on(task, Machine("M2")) is None
    assert edits.seconds_on(task, Machine("M1")) == 1.0


def test_a_new_task_is_placed_last_where_it_runs_fastest(project: Project) -> None:
    changed = edits.add_task(project, Task("D", work=2.0))
    assert changed.plan.allocation == (0, 1, 2, 1)
    assert changed.plan.order == (0, 1, 2, 3)


def test_removed_tasks_take_their_flows_along(project: Project) -> None:
    changed = edits.remove_tasks(project, [1])
    assert [task.name for task in changed.workload.tasks] == ["A", "C"]
    assert changed.workload.flows == ()
    assert changed.plan.allocation == (0, 2)
    assert changed.plan.order == (0, 1)


def test_the_last_task_stays(project: Project) -> None:
    with pytest.raises(InputError, match=r"at least one task\. Add another"):
        edits.remove_tasks(project, [0, 1, 2])


def test_a_flow_with_new_ends_starts_the_order_afresh(project: Project) -> None:
    same_ends = edits.with_flow(project, 1, Flow("B", "C", data_sets=((2, 10.0),)))
    assert same_ends.plan.order == (0, 1, 2)
    other_ends = edits.with_flow(project, 1, Flow("A", "C"))
    assert other_ends.plan.order is None


def test_flows_come_and_go(project: Project) -> None:
    more = edits.add_flow(project, Flow("A", "C"))
    assert len(more.workload.flows) == 3
    assert len(edits.remove_flow(more, 0).workload.flows) == 2
    with pytest.raises(InputError, match="cycle"):
        edits.add_flow(project, Flow("C", "A"))


def test_machines_and_links_come_and_go(project: Project) -> None:
    more = edits.add_machine(project, Machine("M4", contenders=(Contender("render", 0.5),)))
    both = Direction(0.0, 1e9)
    linked = edits.add_link(more, Link("M4", "M1", both, both))
    assert linked.platform.link("M1", "M4") is not None
    slower = edits.with_link(linked, 2, replace(linked.platform.links[2], slowdown=3.0))
    assert slower.platform.links[2].slowdown == 3.0
    assert edits.remove_link(slower, 2).platform == more.platform


def test_an_edit_of_one_field_keeps_the_validated_graph(project: Project) -> None:
    order = project.workload.topological_order
    changed = edits.with_task(project, 1, Task("B", work=5.0))
    assert changed.workload.topological_order is order
    assert changed.workload != project.workload
    assert project.workload.tasks[1].work == 4.0


def test_a_project_is_renamed_and_never_nameless(project: Project) -> None:
    assert edits.renamed(project, "night run").name == "night run"
    with pytest.raises(InputError):
        edits.renamed(project, "  ")
