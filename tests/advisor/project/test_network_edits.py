"""Edits of switches, stores and the runtime: names carried along, links made, refusals."""

from __future__ import annotations

import pytest

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.workload import Task, Workload
from advisor.project import network_edits
from advisor.project import project_edits as edits
from advisor.project.project import Project
from machines import Direction, InputError, Link, Machine, Platform, Store, Switch

WIRE = Direction(0.1, 100.0)


def star() -> Project:
    """Two machines and a store on one switch, and a task that reads a file from there."""
    ends = ("M1", "M2", "nfs")
    platform = Platform(
        "star",
        (Machine("M1"), Machine("M2")),
        tuple(Link(end, "sw", WIRE, WIRE, sharing="shared") for end in ends),
        switches=(Switch("sw"),),
        stores=(Store("nfs"),),
    )
    workload = Workload("w", (Task("t", 1.0, reads=("f",)),), files=(DataFile("f", 50.0, "nfs"),))
    return Project(platform, workload, Plan((0,)))


def test_a_switch_of_another_name_keeps_its_links() -> None:
    changed = network_edits.with_switch(star(), 0, "name", "core")
    assert [link.second for link in changed.platform.links] == ["core"] * 3
    assert predict(changed.problem(), changed.plan).makespan_s == pytest.approx(1.7)


def test_a_switch_gets_a_bandwidth_that_transfers_share() -> None:
    changed = network_edits.with_switch(star(), 0, "bandwidth", 10.0)
    assert predict(changed.problem(), changed.plan).makespan_s == pytest.approx(0.2 + 5.0 + 1.0)


def test_a_store_of_another_name_keeps_links_and_files() -> None:
    changed = network_edits.with_store(star(), 0, "name", "disk")
    assert changed.workload.files[0].at == "disk"
    assert "disk" in changed.platform.links[2].ends
    assert predict(changed.problem(), changed.plan).makespan_s == pytest.approx(1.7)


def test_the_runtime_takes_one_property_at_a_time() -> None:
    changed = network_edits.with_runtime(star(), "task_overhead_s", 2.0)
    assert changed.platform.runtime.task_overhead_s == 2.0
    assert predict(changed.problem(), changed.plan).makespan_s == pytest.approx(3.7)
    with pytest.raises(InputError, match="ahead, slot"):
        network_edits.with_runtime(star(), "fetch", "early")


def test_a_new_switch_joins_every_machine() -> None:
    lonely = Project(
        Platform("p", (Machine("M1"), Machine("M2"))),
        Workload("w", (Task("t", 1.0),)),
        Plan((0,)),
    )
    changed = network_edits.add_switch(lonely)
    assert changed.platform.switches == (Switch("switch 1"),)
    assert {link.first for link in changed.platform.links} == {"M1", "M2"}
    again = network_edits.add_switch(changed)
    assert again.platform.switches[1].name == "switch 2"
    single = Project(Platform("p", (Machine("M1"),)), lonely.workload, Plan((0,)))
    with pytest.raises(InputError, match="at least two machines"):
        network_edits.add_switch(single)


def test_a_new_store_and_a_new_machine_hang_on_the_switch_that_joins_most() -> None:
    with_store = network_edits.add_store(star())
    assert with_store.platform.links[-1].ends == {"store 1", "sw"}
    with_machine = edits.add_machine(star(), Machine("M3"))
    new = with_machine.platform.links[-1]
    assert (new.ends, new.to_second, new.sharing) == ({"M3", "sw"}, WIRE, "shared")
    with pytest.raises(InputError, match="nfs"):
        edits.add_machine(star(), Machine("nfs"))


def test_without_its_store_a_file_lies_nowhere() -> None:
    changed = network_edits.remove_store(star(), 0)
    assert changed.platform.stores == ()
    assert changed.workload.files[0].at is None
    assert len(changed.platform.links) == 2


def test_a_switch_that_alone_joins_the_machines_stays() -> None:
    with pytest.raises(InputError):
        network_edits.remove_switch(star(), 0)


def test_machines_are_linked_in_both_directions_once() -> None:
    machines = tuple(Machine(name) for name in ("M1", "M2", "M3"))
    lonely = Project(Platform("p", machines), star().workload, star().plan)
    assert network_edits.unlinked(lonely.platform, "M1") == ("M2", "M3")
    linked = network_edits.link_machines(lonely, "M1", "M3")
    (link,) = linked.platform.links
    assert (link.to_first, link.to_second) == (network_edits.NEW_LINK, network_edits.NEW_LINK)
    assert network_edits.unlinked(linked.platform, "M1") == ("M2",)
    with pytest.raises(InputError):
        network_edits.link_machines(linked, "M3", "M1")
