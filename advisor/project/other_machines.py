"""What becomes of files, overlays and choices when tasks come onto other machines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from advisor.allocation.choices import check_chosen
from advisor.allocation.plan import Plan
from advisor.allocation.workload import Workload
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_options import default_plan
from advisor.overlays.overlay_plan import OverlayPlan
from advisor.overlays.placed import check_placed
from advisor.project.file_edits import placed
from advisor.project.project import Pin, Project, new_project
from advisor.project.project_edits import repaired
from machines import InputError, Platform
from machines.errors import PlacewiseError

_FEW = 3  # names of many


def on_platform(project: Project, platform: Platform, path: str | Path = "") -> Project:
    """The tasks of `project` on other machines; `path` names them in errors."""
    workload, _ = fitted(project.workload, platform)

    def carry(plan: Plan) -> Plan:
        kept = carried(plan, project.workload, workload, platform)
        return kept.settled(workload, platform)

    used = {project.platform.machines[place].name for place in project.plan.allocation}
    if not used <= set(platform.index):
        made = at(path, lambda: new_project(platform, workload))
        plan = carry(made.plan.deciding_as(project.plan))
        return asking_as(replace(made, plan=plan, runs=project.runs), project)

    def moved(plan: Plan) -> Plan:
        machines = project.platform.machines
        places = tuple(platform.index[machines[place].name] for place in plan.allocation)
        return replace(plan, allocation=places)

    pins = tuple(
        Pin(pin.name, moved(pin.plan))
        for pin in project.pins
        if {project.platform.machines[place].name for place in pin.plan.allocation}
        <= set(platform.index)
    )
    changed = replace(
        project, platform=platform, workload=workload, plan=moved(project.plan), pins=pins
    )
    found = at(path, lambda: repaired(changed))
    pins = tuple(Pin(pin.name, carry(pin.plan)) for pin in found.pins)
    return replace(found, plan=carry(found.plan), pins=pins)


def asking_as(made: Project, project: Project) -> Project:
    """A project that asks for the same objective under the same readings as another."""
    return replace(
        made, objective=project.objective, reading=project.reading, sharing=project.sharing
    )


def at(path: str | Path, make: Callable[[], Project]) -> Project:
    """`make()`, its errors naming the file."""
    try:
        return make()
    except PlacewiseError as error:
        raise error.at(str(path)) from error


def fitted(workload: Workload, platform: Platform) -> tuple[Workload, tuple[str, ...]]:
    """The workload as a platform can have it, and a sentence on all that it lacks.

    Files lie nowhere stated where their place is missing. Overlays do without machines that are
    missing; those without their front-end, without back-ends, or that can't run, are left out.
    """
    found, notes = placed(workload, platform)
    kept, lost = _overlays(found.overlays, platform)
    if kept == found.overlays:
        return found, notes
    return found.with_overlays(kept), (*notes, *lost)


def _overlays(
    overlays: Sequence[Overlay], platform: Platform
) -> tuple[tuple[Overlay, ...], tuple[str, ...]]:
    kept, notes = [], []
    for overlay in overlays:
        try:
            smaller = _on(overlay, platform)
            _ = default_plan(platform, smaller)
        except InputError as error:
            what = str(error).removeprefix(f'overlay "{overlay.name}": ')
            notes.append(f"The overlay “{overlay.name}” is left out: {what.rstrip('.')}.")
            continue
        kept.append(smaller)
        if smaller != overlay:
            some = _missing(overlay, platform)
            notes.append(f"The platform has no {some}: the overlay “{overlay.name}” does without.")
    return tuple(kept), tuple(notes)


def _on(overlay: Overlay, platform: Platform) -> Overlay:
    """Without machines that are missing; InputError: it has no back-ends then."""
    back_ends = tuple(pair for pair in overlay.back_ends if pair[0] in platform.index)
    if not back_ends:
        raise InputError(f"the platform has no {_missing(overlay, platform)} for its back-ends")
    allowed = overlay.internal_on
    if allowed is not None:
        allowed = tuple(name for name in allowed if name in platform.index)
    return replace(overlay, back_ends=back_ends, internal_on=allowed)


def _missing(overlay: Overlay, platform: Platform) -> str:
    named = [name for name, _ in overlay.back_ends] + list(overlay.internal_on or ())
    names = [name for name in dict.fromkeys(named) if name not in platform.index]
    return ", ".join(names[:_FEW]) + (", …" if len(names) > _FEW else "")


def carried(plan: Plan, old: Workload, new: Workload, platform: Platform) -> Plan:
    """A plan, already on the platform's machines, with those of its choices that are possible.

    Parameters
    ----------
    plan : Plan
        Its allocation is on `platform`; choices and trees are as before.
    old, new : Workload
        Before and after `fitted`: the same tasks, perhaps fewer or smaller overlays.
    platform : Platform
    """
    machines = [platform.machines[place] for place in plan.allocation]
    choices = []
    for one in plan.choices:
        try:
            check_chosen((one,), new, machines)
        except InputError:
            continue
        choices.append(one)
    trees = dict(zip((one.name for one in old.overlays), plan.overlays, strict=False))
    kept = tuple(_tree(overlay, trees.get(overlay.name), platform) for overlay in new.overlays)
    overlays = kept if any(tree is not None for tree in kept) else ()
    return replace(plan, choices=tuple(choices), overlays=overlays)


def _tree(overlay: Overlay, tree: OverlayPlan | None, platform: Platform) -> OverlayPlan | None:
    """The tree, if the overlay can still have it."""
    if tree is None:
        return None
    try:
        check_placed(platform, overlay, tree)
    except InputError:
        return None
    return tree
