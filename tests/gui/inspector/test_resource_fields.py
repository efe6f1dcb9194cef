"""Resources, core groups, what tasks hold and their variants, edited in the inspector."""

from __future__ import annotations

import pytest

from advisor.allocation.task import Variant
from advisor.project.examples import load_example
from gui.inspector.machine_sheet import machine_sheet
from gui.inspector.project_sheet import project_sheet
from gui.inspector.sheet import Field, Sheet
from gui.inspector.task_sheet import task_sheet
from machines import CoreGroup, InfeasibleError, InputError, Resource


def field(sheet: Sheet, key: str) -> Field:
    return next(one for one in sheet.fields if one.key == key)


def test_resources_and_core_groups_of_a_machine_are_words() -> None:
    project = load_example("gpu-sweep")
    resources = field(machine_sheet(project, 0), "resources")
    assert resources.text == "2 gpu of 24 GB"
    changed = resources.write(project, resources.parameter.reads("3 gpu"))
    assert changed.platform.machines[0].resources[0].count == 3
    assert changed.platform.machines[0].resources[0].model == "24 GB card"
    groups = field(machine_sheet(project, 1), "core_groups")
    assert groups.text == "8 P, 8 E × 0.5"
    changed = groups.write(project, groups.parameter.reads("4 P"))
    assert changed.platform.machines[1].cores == 4
    assert changed.platform.machines[1].core_groups == (CoreGroup("P", 4),)


def test_licences_that_all_machines_share_are_a_field_of_the_project() -> None:
    project = load_example("gpu-sweep")
    licences = field(project_sheet(project), "resources")
    assert licences.text == ""
    changed = licences.write(project, licences.parameter.reads("3 licence"))
    assert changed.platform.resources == (Resource("licence", 3),)
    assert field(project_sheet(changed), "resources").text == "3 licence"
    with pytest.raises(InputError, match="whole platform has this kind"):
        licences.write(project, licences.parameter.reads("1 gpu"))


def test_variants_of_a_task_are_lines_and_a_plan_keeps_what_still_runs() -> None:
    project = load_example("gpu-sweep")
    variants = field(task_sheet(project, (1,)), "variants")
    assert variants.text == "cpu: 1.2 s work, 4 cores\ngpu: 0.35 s on server, 1 core, 1 gpu"
    changed = variants.write(project, variants.parameter.reads("cpu: 2 s work"))
    assert changed.workload.tasks[1].variants == (Variant("cpu", 2.0),)
    assert changed.problem().lower_bounds_s["makespan"] > 0.0
    plain = variants.write(project, ())
    assert plain.workload.tasks[1].work == 1.2


def test_a_task_without_variants_gets_a_second_way_to_run() -> None:
    project = load_example("gpu-sweep")
    add = next(one for one in task_sheet(project, (0,)).actions if one.key == "add_variant")
    changed = add.run(project)
    assert [one.name for one in changed.workload.tasks[0].variants] == ["cpu", "other"]
    assert changed.plan.variants is not None
    holds = field(task_sheet(changed, (0,)), "resources")
    held = holds.write(changed, holds.parameter.reads("1 gpu"))
    assert held.workload.tasks[0].resources == (("gpu", 1),)


def test_what_a_task_needs_of_each_unit_is_edited_with_what_it_holds() -> None:
    project = load_example("gpu-sweep")
    holds = field(task_sheet(project, (0, 1)), "resources")
    changed = holds.write(project, holds.parameter.reads("1 gpu of 20 GB"))
    assert changed.workload.tasks[1].unit_memory == (("gpu", 20_000_000_000),)
    assert field(task_sheet(changed, (0, 1)), "resources").text == "1 gpu of 20 GB"
    emptied = holds.write(changed, holds.parameter.reads(""))
    assert emptied.workload.tasks[1].holds == ((), ())
    memory = field(machine_sheet(changed, 0), "resources")
    small = memory.write(changed, memory.parameter.reads("2 gpu of 20 GB"))
    assert small.platform.machines[0].resources[0].memory_bytes == 20_000_000_000


def test_a_platform_without_a_resource_that_a_task_needs_is_refused() -> None:
    project = load_example("gpu-sweep")
    assert Resource("gpu").count == 1
    resources = field(machine_sheet(project, 0), "resources")
    changed = resources.write(project, ())  # the tasks run on cores then
    assert set(changed.plan.variants or ()) == {0}


def test_a_resource_that_nobody_has_is_no_part_of_a_task() -> None:
    project = load_example("two-machines")
    holds = field(task_sheet(project, (0,)), "resources")
    with pytest.raises(InfeasibleError, match="has the cores, memory and resources"):
        holds.write(project, holds.parameter.reads("1 gpu"))
    machine = field(machine_sheet(project, 1), "resources")
    given = machine.write(project, machine.parameter.reads("2 gpu"))
    changed = holds.write(given, holds.parameter.reads("1 gpu"))
    assert changed.plan.allocation[0] == 1


def test_a_task_is_allowed_only_on_machines_that_there_are() -> None:
    project = load_example("gpu-sweep")
    allowed = field(task_sheet(project, (0,)), "allowed")
    with pytest.raises(InputError, match=r"unknown machine \(got 'mars'\)\. Machines: server"):
        allowed.write(project, ("server", "mars"))
    assert allowed.write(project, ("server",)).workload.tasks[0].allowed == ("server",)
