"""Opening any file as a project: what is missing is taken from elsewhere, and said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from advisor.allocation.choices import TaskChoice
from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.workload import Task, Workload
from advisor.project import opening
from advisor.project.project import Pin, Project, new_project
from advisor.project.project_file import write_project
from advisor.project.workload_file import write_workload
from machines import Direction, Link, Machine, Platform, Store
from machines.catalogue import interconnect
from machines.errors import InputError, PlacewiseError
from machines.formats.platform_toml import write_platform
from tests.advisor.export.decided import decided
from tests.choosing import ALIGN, SPECTRA, choosing
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


def deciding() -> Project:
    plan = decided().plan
    return replace(choosing(), plan=plan, pins=(Pin("p", replace(plan, strategy="heft")),))


def without(platform: Platform, *names: str) -> Platform:
    """The platform without those machines and their links."""
    machines = tuple(one for one in platform.machines if one.name not in names)
    links = tuple(one for one in platform.links if not set(names) & set(one.ends))
    return replace(platform, machines=machines, links=links)


def with_network(platform: Platform, name: str, network: str) -> Platform:
    """The platform with another network in one machine."""
    machines = tuple(
        replace(one, network=interconnect(network)) if one.name == name else one
        for one in platform.machines
    )
    return replace(platform, machines=machines)


def test_on_the_same_machines_in_another_order_everything_stays() -> None:
    before = deciding()
    turned = replace(before.platform, machines=before.platform.machines[::-1])
    after = opening.on_platform(before, turned)
    assert after.workload == before.workload
    assert after.plan == replace(before.plan, allocation=(3, 2, 1))
    assert after.pins[0].plan == replace(after.plan, strategy="heft")
    assert (
        predict(after.problem(), after.plan).makespan_s
        == predict(before.problem(), before.plan).makespan_s
    )


def test_nodes_that_a_network_does_not_have_are_forgotten_and_the_rest_is_kept() -> None:
    before = deciding()
    after = opening.on_platform(before, with_network(before.platform, "alewife", "ncube2"))
    network = after.platform.machines[0].network
    assert network is not None
    assert network.network.size != 32
    assert [one.task for one in after.plan.choices] == [ALIGN, ALIGN]
    assert after.pins[0].plan.choices == after.plan.choices
    assert after.plan.overlays == before.plan.overlays


def test_an_overlay_does_without_machines_that_are_gone_and_its_tree_is_the_default(
    tmp_path: Path,
) -> None:
    before = deciding()
    smaller = without(before.platform, "direct")
    write_platform(smaller, tmp_path / "p.toml")
    opened = opening.with_platform(before, tmp_path / "p.toml")
    assert "The platform has no direct: the overlay “monitor” does without." in opened.notes
    (overlay,) = opened.project.workload.overlays
    assert overlay.back_ends == (("alewife", 32),)
    assert opened.project.plan.overlays == ()
    assert opened.project.pins == ()  # its alignment was there


def test_a_new_first_plan_keeps_the_choices_that_are_possible() -> None:
    before = deciding()
    after = opening.on_platform(before, without(before.platform, "direct"))
    assert after.plan.allocation[:2] == (0, 0)
    assert TaskChoice(SPECTRA, "mapping", tuple(reversed(range(32)))) in after.plan.choices
    assert TaskChoice(ALIGN, "block", 16) in after.plan.choices


def test_an_overlay_without_its_front_end_is_left_out_and_that_is_said(tmp_path: Path) -> None:
    before = deciding()
    tasks = before.workload.tasks
    other = without(before.platform, "login")
    write_platform(other, tmp_path / "p.toml")
    opened = opening.with_platform(before, tmp_path / "p.toml")
    assert opened.project.workload.overlays == ()
    assert opened.project.workload.tasks == tasks
    assert opened.project.plan.overlays == ()
    (note,) = [one for one in opened.notes if "monitor" in one]
    assert note.startswith(
        "The overlay “monitor” is left out: front_end: unknown machine (got 'login'). Machines: "
    )


def test_a_workload_is_imported_with_its_overlays_where_its_machines_are(tmp_path: Path) -> None:
    project = choosing()
    write_workload(project.workload, tmp_path / "w.toml")
    kept = opening.with_workload(project, tmp_path / "w.toml")
    assert kept.project.workload.overlays == project.workload.overlays
    assert kept.notes == ()
    net = interconnect("alewife-1")
    other = replace(opening.first_project(), platform=Platform("one", (Machine("M", network=net),)))
    lost = opening.with_workload(other, tmp_path / "w.toml")
    assert lost.project.workload.overlays == ()
    assert lost.notes == (
        "The overlay “monitor” is left out: the platform has no alewife, direct for its back-ends.",
    )


def test_an_overlay_that_can_not_keep_up_on_the_new_machines_is_left_out() -> None:
    before = deciding()
    machines = tuple(
        replace(one, speed=1e-3) if one.name == "login" else one for one in before.platform.machines
    )
    after = opening.on_platform(before, replace(before.platform, machines=machines))
    assert after.workload.overlays == ()
    assert after.plan.choices == before.plan.choices
