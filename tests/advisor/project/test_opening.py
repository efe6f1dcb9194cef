"""Opening any file as a project: what is missing is taken from elsewhere, and said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from advisor.allocation.files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.workload import Task, Workload
from advisor.project import opening
from advisor.project.new_project import new_project
from advisor.project.project import Pin
from advisor.project.project_file import write_project
from advisor.project.workload_file import write_workload
from machines import Direction, Link, Machine, Platform, Store
from machines.errors import InputError, PlacewiseError
from machines.formats.platform_toml import write_platform
from tests.conftest import cluster, two_machines


def test_a_project_opens_as_it_was_saved(tmp_path: Path) -> None:
    path = tmp_path / "p.placewise"
    write_project(cluster(), path)
    opened = opening.open_file(path)
    assert (opened.kind, opened.project, opened.notes) == ("project", cluster(), ())


def test_a_platform_opens_with_a_first_task(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    write_platform(cluster().platform, path)
    opened = opening.open_file(path)
    assert opened.kind == "platform"
    assert opened.project.platform == cluster().platform
    assert len(opened.project.workload.tasks) == 1
    assert "machines only" in opened.notes[0]


def test_a_platform_is_recognised_without_its_format_line_first(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text("[[machine]]\nname = 'a'\n", encoding="utf-8")
    with pytest.raises(InputError, match="format"):
        opening.open_file(path)


def test_a_workload_that_names_no_machine_gets_a_preset(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    write_workload(cluster().workload, path)
    opened = opening.open_file(path)
    assert opened.kind == "workload"
    assert len(opened.project.platform.machines) > 1
    assert "preset" in opened.notes[-1]


def test_a_workload_that_names_machines_gets_these(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    write_workload(two_machines().workload, path)
    project = opening.open_file(path).project
    assert [machine.name for machine in project.platform.machines] == ["M1", "M2"]


def test_allowed_machines_count_as_named(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    write_workload(Workload("w", (Task("a", work=1.0, allowed=("x",)),)), path)
    assert opening.open_file(path).project.platform.index == {"x": 0}


def test_importing_a_workload_keeps_machines_and_choices(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    write_workload(Workload("w", (Task("a", work=1.0),)), path)
    before = replace(cluster(), objective="total", reading="published")
    after = opening.with_workload(before, path).project
    assert after.platform == before.platform
    assert (after.objective, after.reading) == ("total", "published")
    assert len(after.plan.allocation) == 1


def test_an_error_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    write_workload(two_machines().workload, path)
    with pytest.raises(PlacewiseError, match=r"w\.toml"):
        opening.with_workload(cluster(), path)


FILES = (DataFile("x", 5.0, "nfs"), DataFile("y", 6.0, "nfs"))
READER = Workload("w", (Task("a", work=1.0, reads=("x", "y")),), (), FILES)
LOST = (
    "The platform has no nfs, where the workload has 2 files: taken from its only store if it has "
    "one, else left out."
)


def test_a_place_that_the_machines_do_not_have_is_dropped_and_said(tmp_path: Path) -> None:
    write_workload(READER, tmp_path / "w.toml")
    opened = opening.open_file(tmp_path / "w.toml")
    assert opened.notes[-1] == LOST
    assert [file.at for file in opened.project.workload.files] == [None, None]
    after = opening.with_workload(cluster(), tmp_path / "w.toml").project
    assert [file.at for file in after.workload.files] == [None, None]


def test_files_stay_where_the_new_platform_has_their_place(tmp_path: Path) -> None:
    way = Direction(0.0, 1.0)
    lab = Platform("lab", (Machine("M1"),), (Link("nfs", "M1", way, way),), stores=(Store("nfs"),))
    before = new_project(lab, READER)
    more = replace(lab, machines=(Machine("M1"), Machine("M2")))
    write_platform(more, tmp_path / "p.toml")
    assert opening.with_platform(before, tmp_path / "p.toml").notes == ()
    assert opening.on_platform(before, more).workload == READER
    write_platform(Platform("bare", (Machine("M1"),)), tmp_path / "bare.toml")
    assert opening.with_platform(before, tmp_path / "bare.toml").notes == (LOST,)


def test_the_first_plan_is_where_all_files_can_get() -> None:
    apart = Platform("apart", (Machine("M1"), Machine("M2", speed=9.0)))
    files = (DataFile("x", 5.0, "M1"),)
    project = new_project(apart, Workload("w", (Task("a", 9.0, reads=("x",)),), (), files))
    assert project.plan.allocation == (0,)


def test_tasks_stay_on_machines_of_the_same_name() -> None:
    before = replace(two_machines(), plan=Plan((1, 0)), pins=(Pin("p", Plan((1, 1))),))
    turned = Platform("turned", (Machine("M2"), Machine("M1")), before.platform.links)
    after = opening.on_platform(before, turned)
    assert after.plan.named(after.workload, turned) == {"A": "M2", "B": "M1"}
    assert after.pins[0].plan.allocation == (0, 0)


def test_pins_on_machines_that_are_gone_are_dropped() -> None:
    project = two_machines()
    tasks = tuple(Task(task.name, work=1.0) for task in project.workload.tasks)
    before = replace(
        project, workload=replace(project.workload, tasks=tasks), pins=(Pin("p", Plan((1, 1))),)
    )
    after = opening.on_platform(before, Platform("one", (Machine("M1"),)))
    assert after.plan.allocation == (0, 0)
    assert after.pins == ()


def test_other_machines_mean_a_new_plan() -> None:
    project = two_machines()
    tasks = tuple(Task(task.name, work=1.0) for task in project.workload.tasks)
    before = replace(project, workload=Workload("w", tasks))
    after = opening.on_platform(before, Platform("one", (Machine("other"),)))
    assert after.plan.allocation == (0, 0)


def test_first_projects_are_valid_to_begin_with() -> None:
    for project in (opening.first_project(), opening.local_project()):
        assert len(project.plan.allocation) == len(project.workload.tasks) == 1
        assert project.platform.machines[0].cores >= 1
