"""Opening any file as a project: a project, a workload, a WfFormat workflow or a platform.

What a file is, is told by its content. A workload needs machines and a platform needs tasks; what
the file does not bring is taken from a preset or from what is open, and the notes say so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from advisor.allocation.choices import check_chosen
from advisor.allocation.plan import Plan
from advisor.allocation.workload import Task, Workload
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_options import default_plan
from advisor.overlays.overlay_plan import OverlayPlan
from advisor.overlays.placed import check_placed
from advisor.project.file_edits import placed
from advisor.project.platforms import PROJECT as PROJECT_READER
from advisor.project.platforms import read_machines, reader_of
from advisor.project.project import Pin, Project, new_project
from advisor.project.project_edits import repaired
from advisor.project.project_file import read_project
from advisor.project.workload_file import WorkloadFile, read_workload
from machines import InputError, Machine, Platform, catalogue
from machines.errors import PlacewiseError
from machines.files import kept_inputs
from machines.local import this_machine

PROJECT, PLATFORM, WORKLOAD = "project", "platform", "workload"
PRESET = "cluster"
UNTITLED = "untitled"  # a project that was begun here, until its file has a name


@dataclass(frozen=True)
class Opened:
    """What a file became.

    Attributes
    ----------
    kind : str
        "project", "workload" or "platform".
    notes : tuple of str
        What was assumed, in sentences for the user.
    """

    project: Project
    kind: str
    notes: tuple[str, ...] = ()


@kept_inputs()
def open_file(path: str | Path) -> Opened:
    """The project that a file of any known kind makes.

    Raises
    ------
    InputError, InfeasibleError
        Naming the file, the place, the value and what to do.
    """
    kind = kind_of(path)
    if kind == PROJECT:
        return Opened(read_project(path), PROJECT)
    if kind == PLATFORM:
        found = read_machines(path)
        note = "The file describes machines only: import a workload, or add tasks."
        return Opened(
            _at(path, lambda: new_project(found.platform, first_workload())),
            PLATFORM,
            (*found.warnings, note),
        )
    return with_machines(read_workload(path), path)


def kind_of(path: str | Path) -> str:
    """What a file would open as: "project", "platform" or, of anything else, "workload"."""
    reader = reader_of(path)
    if reader is PROJECT_READER:
        return PROJECT
    return PLATFORM if reader is not None and reader.alone else WORKLOAD


def whole(project: Project) -> Opened:
    """A project that nothing had to be added to."""
    return Opened(project, PROJECT)


@kept_inputs()
def open_files(paths: Sequence[Path]) -> Opened:
    """The project that a file of tasks and one of machines make, in any order.

    Raises
    ------
    InputError, InfeasibleError
        Other files than these two, or as of `open_file`.
    """
    kinds = {kind_of(path): path for path in paths}
    if len(paths) != 2 or kinds.keys() != {WORKLOAD, PLATFORM}:
        raise InputError(
            "these files are not one workload and one platform",
            where=", ".join(path.name for path in paths),
            value=", ".join(map(kind_of, paths)),
            remedy="Choose a file of tasks and a file of machines",
        )
    file, found = read_workload(kinds[WORKLOAD]), read_machines(kinds[PLATFORM])
    workload, lost = fitted(file.workload, found.platform)
    made = _at(kinds[WORKLOAD], lambda: new_project(found.platform, workload))
    return Opened(made, WORKLOAD, (*file.warnings, *found.warnings, *lost))


def with_machines(file: WorkloadFile, path: str | Path) -> Opened:
    """A workload on the machines of its own file, else on those that it names, else a preset."""
    workload, notes = file.workload, file.warnings
    named = _named_machines(workload)
    if file.platform is not None:
        platform, notes = file.platform, (*notes, *file.platform_warnings)
    elif named:
        platform = Platform("machines of the workload", tuple(Machine(name) for name in named))
        notes = (*notes, "The file names machines but does not describe them: each has 1 core.")
    else:
        platform = catalogue.load(PRESET)
        title = catalogue.entry(PRESET).title
        notes = (
            *notes,
            f"The file describes no machines, so those of a preset are used ({title}). "
            "Import a platform to use your own.",
        )
    workload, lost = fitted(workload, platform)
    return Opened(_at(path, lambda: new_project(platform, workload)), WORKLOAD, (*notes, *lost))


def with_workload(project: Project, path: str | Path) -> Opened:
    """The machines of `project` with the tasks of a file, and a first plan for them."""
    file = read_workload(path)
    workload, lost = fitted(file.workload, project.platform)
    made = _at(path, lambda: new_project(project.platform, workload))
    return Opened(_asking_as(made, project), WORKLOAD, (*file.warnings, *lost))


def _asking_as(made: Project, project: Project) -> Project:
    """A project that asks for the same objective under the same readings as another."""
    return replace(
        made, objective=project.objective, reading=project.reading, sharing=project.sharing
    )


def with_platform(project: Project, path: str | Path) -> Opened:
    """The tasks of `project` on the machines of a file of any kind that describes some.

    Tasks stay where the new platform has a machine of the same name; if one has not, there is a
    new first plan and the pins are dropped. Plans keep those of their choices that are possible.
    """
    found = read_machines(path)
    _, lost = fitted(project.workload, found.platform)
    notes = (*found.warnings, *lost)
    return Opened(on_platform(project, found.platform, path), PLATFORM, notes)


def on_platform(project: Project, platform: Platform, path: str | Path = "") -> Project:
    """The tasks of `project` on other machines; `path` names them in errors."""
    workload, _ = fitted(project.workload, platform)

    def carry(plan: Plan) -> Plan:
        kept = carried(plan, project.workload, workload, platform)
        return kept.settled(workload, platform)

    used = {project.platform.machines[place].name for place in project.plan.allocation}
    if not used <= set(platform.index):
        made = _at(path, lambda: new_project(platform, workload))
        plan = carry(made.plan.deciding_as(project.plan))
        return _asking_as(replace(made, plan=plan, runs=project.runs), project)

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
    found = _at(path, lambda: repaired(changed))
    pins = tuple(Pin(pin.name, carry(pin.plan)) for pin in found.pins)
    return replace(found, plan=carry(found.plan), pins=pins)


def first_workload() -> Workload:
    """One task of ten reference seconds, to begin with."""
    return Workload(UNTITLED, (Task("task 1", work=10.0),))


def named(project: Project, name: str) -> Project:
    """The project under a name; its platform takes it, too, where it has none."""
    platform = project.platform
    if platform.name == UNTITLED:
        platform = replace(platform, name=name)
    return replace(project, platform=platform, workload=replace(project.workload, name=name))


def first_project() -> Project:
    """One machine and one task, to begin with."""
    return Project(Platform(UNTITLED, (Machine("machine 1"),)), first_workload(), Plan((0,)))


def local_project() -> Project:
    """The computer that this runs on, with one task to begin with."""
    return Project(this_machine(), first_workload(), Plan((0,)))


def _named_machines(workload: Workload) -> tuple[str, ...]:
    """Machines that tasks or flows name, in order of appearance."""
    names: dict[str, None] = {}
    for task in workload.tasks:
        names.update(dict.fromkeys(name for name, _ in task.seconds))
        names.update(dict.fromkeys(task.allowed or ()))
    for flow in workload.flows:
        for pair, _ in flow.seconds:
            names.update(dict.fromkeys(pair))
    return tuple(names)


def _at(path: str | Path, make: Callable[[], Project]) -> Project:
    """`make()`, its errors naming the file."""
    try:
        return make()
    except PlacewiseError as error:
        raise error.at(str(path)) from error


# What becomes of overlays and choices when tasks come onto other machines.

_FEW = 3  # names of many


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
