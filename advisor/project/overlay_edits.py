"""Edits of overlays, and what becomes of them when machines are renamed or go.

As `edits`: pure functions from project to project, each one undo step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import TypeVar

from advisor.allocation.plan import Plan
from advisor.allocation.workload import replaced_at
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_options import placements
from advisor.overlays.overlay_plan import OverlayPlan, tree_of_shape
from advisor.overlays.placed import check_placed
from advisor.project.case_edits import with_subject_names
from advisor.project.project import Pin, Project
from advisor.project.study_case import OVERLAY
from machines import InputError

T = TypeVar("T")
Trees = tuple[OverlayPlan | None, ...]


def add_overlay(project: Project, overlay: Overlay) -> Project:
    """One more overlay, with its default tree."""
    overlays = (*project.workload.overlays, overlay)
    changed = replace(project, workload=project.workload.with_overlays(overlays))
    return _each_trees(changed, lambda trees: (*trees, None) if trees else ())


def remove_overlay(project: Project, position: int) -> Project:
    """Without that overlay."""
    overlays = _without(project.workload.overlays, position)
    changed = replace(project, workload=project.workload.with_overlays(overlays))
    return _each_trees(changed, lambda trees: _without(trees, position) if trees else ())


def with_overlay(project: Project, position: int, overlay: Overlay) -> Project:
    """The overlay at `position` replaced; trees that it can't have any more become its default."""
    overlays = replaced_at(project.workload.overlays, position, overlay)
    changed = replace(project, workload=project.workload.with_overlays(overlays))
    rename = {project.workload.overlays[position].name: overlay.name}
    changed = with_subject_names(changed, OVERLAY, rename)

    def kept(trees: Trees) -> Trees:
        if not trees or _fits(changed, overlay, trees[position]):
            return trees
        return replaced_at(trees, position, None)

    return _each_trees(changed, kept)


def with_tree(project: Project, position: int, tree: OverlayPlan | None) -> Project:
    """Another tree for the overlay at `position` in the plan; the pins stay as they are.

    Raises
    ------
    InputError
        The overlay can't run so.
    """
    overlays = project.workload.overlays
    if tree is not None:
        check_placed(project.platform, overlays[position], tree)
    trees = project.plan.overlays or (None,) * len(overlays)
    changed = replaced_at(trees, position, tree)
    return replace(project, plan=replace(project.plan, overlays=changed, strategy="manual"))


def with_shape(project: Project, position: int, shape: str) -> Project:
    """A tree of that shape ("8x8") in the plan; where its internal processes run is kept if it can.

    Else they go where `advisor.overlays.overlay_options` has them first of where they keep up.

    Raises
    ------
    InputError
        No shape, one of another number of back-ends, or one that can't run anywhere.
    """
    platform, overlay = project.platform, project.workload.overlays[position]
    tree = tree_of_shape(shape, overlay.count)
    now = project.plan.overlays[position] if project.plan.overlays else None
    kept = (now.internal,) if now is not None and len(now.internal) == tree.internal else ()
    refused: InputError | None = None
    for placed in (*kept, *placements(platform, overlay, tree)):
        try:
            return with_tree(project, position, OverlayPlan.of(tree, placed))
        except InputError as error:
            refused = refused or error
    if refused is not None:
        raise refused
    raise InputError(
        f"its {tree.internal} internal processes may run nowhere", where="tree", value=shape,
        remedy="Allow a machine to hold some",
    )  # fmt: skip


def with_placement(
    project: Project, position: int, tree: OverlayPlan, machines: Sequence[tuple[str, int]]
) -> Project:
    """The tree with so many internal processes on machines, filled breadth first in that order.

    Raises
    ------
    InputError
        Another number of them than the tree has, or they can't run so.
    """
    placed = tuple(name for name, many in machines for _ in range(many))
    if len(placed) != tree.tree.internal:
        raise InputError(
            f"the tree has {tree.tree.internal} internal processes, and {len(placed)} are placed",
            where="placement", remedy="Give every internal process one machine",
        )  # fmt: skip
    return with_tree(project, position, OverlayPlan(tree.fanouts, placed))


def first_overlay(project: Project) -> Overlay:
    """An overlay to begin with: the front-end on the first machine, a back-end on every other.

    Machines without any link are left out.
    """
    taken = {one.name for one in project.workload.overlays}
    names = (f"monitor{number}" if number > 1 else "monitor" for number in count(1))
    first, *others = project.platform.machines
    linked = [one for one in others if project.platform.degree[one.name]]
    back_ends = tuple((one.name, 1) for one in linked or (first,))
    name = next(name for name in names if name not in taken)
    return Overlay(name, first.name, back_ends)


def with_machine_names(project: Project, rename: Mapping[str, str]) -> Project:
    """Overlays and their trees on renamed machines."""

    def new(name: str) -> str:
        return rename.get(name, name)

    overlays = tuple(
        replace(
            one,
            front_end=new(one.front_end),
            back_ends=tuple((new(name), many) for name, many in one.back_ends),
            internal_on=None if one.internal_on is None else tuple(map(new, one.internal_on)),
        )
        for one in project.workload.overlays
    )

    def renamed(trees: Trees) -> Trees:
        return tuple(
            None if one is None else OverlayPlan(one.fanouts, tuple(map(new, one.internal)))
            for one in trees
        )

    changed = replace(project, workload=project.workload.with_overlays(overlays))
    return _each_trees(changed, renamed)


def without_machine(project: Project, gone: str) -> Project:
    """Overlays without a machine; those that need it are refused.

    Raises
    ------
    InputError
        The machine has the front-end, or all back-ends, of an overlay.
    """
    overlays = []
    for one in project.workload.overlays:
        back_ends = tuple(pair for pair in one.back_ends if pair[0] != gone)
        if one.front_end == gone or not back_ends:
            part = "its front-end runs" if one.front_end == gone else "all its back-ends run"
            raise InputError(
                f"{part} on {gone}",
                where=f'overlay "{one.name}"',
                remedy="Move it to another machine, or remove the overlay first",
            )
        allowed = one.internal_on and tuple(name for name in one.internal_on if name != gone)
        overlays.append(replace(one, back_ends=back_ends, internal_on=allowed))
    changed = replace(project, workload=project.workload.with_overlays(tuple(overlays)))

    def kept(trees: Trees) -> Trees:
        return tuple(
            tree if tree is not None and gone not in tree.internal and new == old else None
            for tree, new, old in zip(trees, overlays, project.workload.overlays, strict=False)
        )

    return _each_trees(changed, kept)


def _fits(project: Project, overlay: Overlay, tree: OverlayPlan | None) -> bool:
    if tree is None:
        return True
    try:
        check_placed(project.platform, overlay, tree)
    except InputError:
        return False
    return True


def _each_trees(project: Project, change: Callable[[Trees], Trees]) -> Project:
    """The trees of the plan and of every pin changed; none where all are the default."""

    def changed(plan: Plan) -> Plan:
        trees = change(plan.overlays)
        return replace(plan, overlays=trees if any(one is not None for one in trees) else ())

    pins = tuple(Pin(pin.name, changed(pin.plan)) for pin in project.pins)
    return replace(project, plan=changed(project.plan), pins=pins)


def _without(values: tuple[T, ...], position: int) -> tuple[T, ...]:
    return values[:position] + values[position + 1 :]
