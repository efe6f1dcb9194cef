"""Tasks are connected, duplicated, copied and pasted; what can't be is refused with its reason."""

from __future__ import annotations

import pytest

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project import graph_edits as edits
from advisor.project.opening import first_project
from advisor.project.project import Project
from advisor.project.project_edits import with_machine
from machines import Direction, InputError, Link, Machine, Platform

GB = ((1, 1e9),)


def project(*flows: Flow, order: tuple[int, ...] | None = None) -> Project:
    way = Direction(0.001, 1e6)
    platform = Platform("two", (Machine("M1"), Machine("M2")), (Link("M1", "M2", way, way),))
    tasks = (
        Task("A", work=1.0, writes=("a",)),
        Task("B", work=2.0, reads=("a", "in")),
        Task("C 2", seconds=(("M2", 3.0),), allowed=("M2",)),
    )
    files = (DataFile("a", 10.0), DataFile("in", 5.0, "M1"))
    return Project(platform, Workload("w", tasks, flows, files), Plan((0, 1, 1), order=order))


def ends(project: Project) -> list[tuple[str, str]]:
    return [(flow.source, flow.target) for flow in project.workload.flows]


def predicted(project: Project) -> float:
    return predict(project.problem(), project.plan).makespan_s


def test_sources_are_connected_with_targets_and_each_flow_has_the_data() -> None:
    changed = edits.connect(project(), (0, 1), (2,), GB)
    assert ends(changed) == [("A", "C 2"), ("B", "C 2")]
    assert {flow.data_sets for flow in changed.workload.flows} == {GB}
    assert predicted(changed) > 0
    spread = edits.connect(project(), (0,), (1, 2))
    assert ends(spread) == [("A", "B"), ("A", "C 2")]


def test_a_task_among_its_own_sources_is_left_out_and_so_are_flows_that_exist() -> None:
    changed = edits.connect(project(Flow("A", "C 2", GB)), (0, 1, 2), (2,))
    assert ends(changed) == [("A", "C 2"), ("B", "C 2")]
    assert changed.workload.flows[0].data_sets == GB


@pytest.mark.parametrize(
    ("sources", "targets", "reason"),
    [((0,), (0,), "can't feed itself"), ((0,), (2,), "exists already"), ((2,), (0,), "cycle")],
)
def test_what_can_not_be_connected_is_refused(
    sources: tuple[int, ...], targets: tuple[int, ...], reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        edits.connect(project(Flow("A", "C 2")), sources, targets)


def test_a_new_task_waits_for_all_its_sources() -> None:
    changed = edits.grow(project(order=(0, 1, 2)), (0, 1), GB)
    assert changed.workload.tasks[3].name == "task 4"
    assert ends(changed) == [("A", "task 4"), ("B", "task 4")]
    assert predicted(changed) > 0


def test_a_copied_name_gets_the_next_free_number() -> None:
    assert edits.free_name("A", ()) == "A"
    assert edits.free_name("A", ("A",)) == "A 2"
    assert edits.free_name("A 2", ("A", "A 2", "A 3")) == "A 4"
    assert edits.free_name("task 1", ("task 1",)) == "task 2"
    assert edits.numbered("task ", ("x", "task 3")) == "task 4"


def test_copies_are_on_the_same_machines_with_the_flows_and_files_among_them() -> None:
    before = project(Flow("A", "C 2", GB), Flow("B", "C 2"), order=(0, 1, 2))
    changed = edits.duplicate(before, (2, 0, 1))
    names = [task.name for task in changed.workload.tasks[3:]]
    assert names == ["A 2", "B 2", "C 3"]
    assert changed.plan.allocation == (0, 1, 1, 0, 1, 1)
    assert ends(changed)[2:] == [("A 2", "C 3"), ("B 2", "C 3")]
    assert changed.workload.tasks[3].writes == ("a 2",)
    assert changed.workload.tasks[4].reads == ("a 2", "in")
    assert [file.name for file in changed.workload.files] == ["a", "in", "a 2"]
    assert predicted(changed) > 0


def test_a_copy_without_its_neighbours_has_no_flows() -> None:
    changed = edits.duplicate(project(Flow("A", "C 2")), (2,))
    assert ends(changed) == [("A", "C 2")]


def test_copied_text_is_pasted_into_another_project_as_far_as_its_machines_go() -> None:
    text = edits.copied(project(Flow("A", "B", GB), Flow("B", "C 2")), (0, 1))
    changed = edits.pasted(first_project(), text)
    assert [task.name for task in changed.workload.tasks] == ["task 1", "A", "B"]
    assert ends(changed) == [("A", "B")]
    assert changed.workload.files == (DataFile("a", 10.0), DataFile("in", 5.0))
    twice = edits.pasted(changed, text)
    assert [task.name for task in twice.workload.tasks[3:]] == ["A 2", "B 2"]
    assert len(twice.workload.files) == 3


def test_a_task_whose_machines_are_missing_is_not_pasted() -> None:
    with pytest.raises(InputError, match="lacks its machines"):
        edits.pasted(first_project(), edits.copied(project(), (2,)))


@pytest.mark.parametrize("text", ["", "2 GB", 'format = "placewise-workload"'])
def test_other_text_is_not_pasted(text: str) -> None:
    with pytest.raises(InputError):
        edits.pasted(first_project(), text)


@pytest.mark.parametrize(
    ("last", "added"),
    [("machine 1", "machine 2"), ("M2", "M3"), ("node009", "node010"), ("server", "machine 2")],
)
def test_an_added_machine_is_numbered_on(last: str, added: str) -> None:
    project = with_machine(first_project(), 0, Machine(last))
    assert edits.add_new_machine(project).platform.machines[1].name == added
