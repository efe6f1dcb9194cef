"""Edits of overlays: each a new project, whose plan and pins keep the trees that still fit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Task, Workload
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_plan import OverlayPlan, tree_of_shape
from advisor.project.overlay_edits import (
    add_overlay,
    first_overlay,
    remove_overlay,
    with_machine_names,
    with_overlay,
    with_placement,
    with_shape,
    with_tree,
    without_machine,
)
from advisor.project.project import Pin, Project
from machines import InputError
from tests.advisor.overlays.monitored import cluster

FLAT = OverlayPlan.of(tree_of_shape("16", 16))
TWO = OverlayPlan.of(tree_of_shape("2x8", 16), ("svc", "n1"))
FIRST = Overlay("first", "login", (("n1", 8), ("n2", 8)))
SECOND = Overlay("second", "svc", (("n3", 2),), internal_on=("svc", "n4"))


def project(*trees: OverlayPlan | None, overlays: tuple[Overlay, ...] = (FIRST, SECOND)) -> Project:
    workload = Workload("w", (Task("t", work=1.0),), (), (), overlays)
    plan = Plan((0,), overlays=trees)
    pins = (Pin("kept", Plan((1,))), Pin("other", replace(plan, allocation=(2,))))
    return Project(cluster(), workload, plan, pins=pins)


def trees_of(found: Project) -> list[tuple[OverlayPlan | None, ...]]:
    return [found.plan.overlays, *(pin.plan.overlays for pin in found.pins)]


def test_a_new_overlay_comes_last_with_its_default_tree() -> None:
    third = replace(SECOND, name="third")
    found = add_overlay(project(TWO, None), third)
    assert found.workload.overlays == (FIRST, SECOND, third)
    assert trees_of(found) == [(TWO, None, None), (), (TWO, None, None)]
    assert trees_of(add_overlay(project(), third)) == [(), (), ()]


def test_an_overlay_goes_with_its_trees() -> None:
    found = remove_overlay(project(None, OverlayPlan.of(tree_of_shape("2", 2))), 0)
    assert found.workload.overlays == (SECOND,)
    kept = (OverlayPlan.of(tree_of_shape("2", 2)),)
    assert trees_of(found) == [kept, (), kept]
    assert trees_of(remove_overlay(project(TWO, None), 0)) == [(), (), ()]


def test_an_overlay_that_changes_keeps_the_trees_that_it_can_still_have() -> None:
    faster = replace(FIRST, rate_hz=20.0)
    found = with_overlay(project(TWO, None), 0, faster)
    assert found.workload.overlays == (faster, SECOND)
    assert trees_of(found) == [(TWO, None), (), (TWO, None)]
    for other in (
        replace(FIRST, back_ends=(("n1", 8),)),  # half the leaves
        replace(FIRST, internal_on=("svc",)),  # one of its internal processes is on n1
        replace(FIRST, rate_hz=1e6),  # it can't keep up
    ):
        assert trees_of(with_overlay(project(TWO, None), 0, other)) == [(), (), ()]


def test_a_tree_is_the_plans_and_pins_keep_theirs() -> None:
    found = with_tree(project(TWO, None), 0, FLAT)
    assert trees_of(found) == [(FLAT, None), (), (TWO, None)]
    assert found.plan.strategy == "manual"
    assert trees_of(with_tree(project(), 0, TWO))[0] == (TWO, None)
    assert with_tree(project(TWO, None), 0, None).plan.overlays == (None, None)
    with pytest.raises(InputError, match="16 back-ends"):
        with_tree(project(), 0, OverlayPlan.of(tree_of_shape("8", 8)))


def test_machines_are_renamed_wherever_overlays_name_them() -> None:
    found = with_machine_names(project(TWO, None), {"n1": "first node", "svc": "service"})
    assert found.workload.overlays == (
        replace(FIRST, back_ends=(("first node", 8), ("n2", 8))),
        replace(SECOND, front_end="service", internal_on=("service", "n4")),
    )
    renamed = OverlayPlan(TWO.fanouts, ("service", "first node"))
    assert trees_of(found) == [(renamed, None), (), (renamed, None)]


def test_a_machine_goes_with_its_back_ends_and_the_trees_that_used_it() -> None:
    found = without_machine(project(TWO, None), "n2")
    assert found.workload.overlays[0].back_ends == (("n1", 8),)
    assert trees_of(found) == [(), (), ()]
    apart = without_machine(project(TWO, None), "n5")  # which no overlay uses
    assert trees_of(apart) == [(TWO, None), (), (TWO, None)]
    held = without_machine(project(TWO, None), "n4")
    assert held.workload.overlays[1].internal_on == ("svc",)
    assert trees_of(held) == [(TWO, None), (), (TWO, None)]


@pytest.mark.parametrize(
    ("machine", "overlay", "words"),
    [
        ("login", "first", "its front-end runs on login"),
        ("svc", "second", "its front-end runs on svc"),
        ("n3", "second", "all its back-ends run on n3"),
    ],
)
def test_a_machine_that_an_overlay_needs_stays(machine: str, overlay: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        without_machine(project(), machine)
    assert overlay in caught.value.where


def test_a_shape_keeps_its_internal_processes_where_as_many_stay() -> None:
    now = project(TWO, None)
    assert with_shape(now, 0, "2x8").plan.overlays[0] == TWO
    found = with_shape(now, 0, "4x4").plan.overlays[0]
    assert found is not None
    assert found.shape == "4x4"
    assert len(found.internal) == 4
    assert with_shape(project(), 0, "16").plan.overlays == (FLAT, None)


def test_a_shape_that_can_run_nowhere_is_refused() -> None:
    with pytest.raises(InputError, match="fewer than 16 back-ends"):
        with_shape(project(), 0, "3x3")
    nowhere = project(overlays=(replace(FIRST, internal_on=()),))
    with pytest.raises(InputError):
        with_shape(nowhere, 0, "4x4")
    fast = project(overlays=(replace(FIRST, rate_hz=1e6),))
    with pytest.raises(InputError, match="keep up"):
        with_shape(fast, 0, "4x4")


def test_internal_processes_are_placed_by_number() -> None:
    found = with_placement(project(TWO, None), 0, TWO, [("n2", 1), ("svc", 1)])
    assert found.plan.overlays[0] == OverlayPlan(TWO.fanouts, ("n2", "svc"))
    with pytest.raises(InputError, match="2 internal processes, and 1 are placed"):
        with_placement(project(TWO, None), 0, TWO, [("n2", 1)])


def test_a_first_overlay_reaches_every_machine_that_is_linked() -> None:
    found = first_overlay(project())
    assert (found.name, found.front_end) == ("monitor", "n1")
    others = [*(f"n{k}" for k in range(2, 9)), "login", "svc"]
    assert dict(found.back_ends) == dict.fromkeys(others, 1)
    again = first_overlay(add_overlay(project(), found))
    assert again.name == "monitor2"
