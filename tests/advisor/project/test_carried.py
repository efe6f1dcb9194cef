"""Other machines: overlays and choices come along as far as the platform can have them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from advisor.allocation.choices import TaskChoice
from advisor.allocation.predict import predict
from advisor.project import opening
from advisor.project.project import Pin, Project
from advisor.project.workload_file import write_workload
from machines import Machine, Platform
from machines.catalogue import interconnect
from machines.formats.platform_toml import write_platform
from tests.advisor.export.decided import decided
from tests.choosing import ALIGN, SPECTRA, choosing


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
