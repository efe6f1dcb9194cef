"""Every change a user can make to a project, as pure functions: Project → Project.

Each keeps all references: a renamed machine is renamed in links, tasks, flows and files; a removed
one hands its tasks to the machine that runs them fastest; plan and pins are carried along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from advisor.allocation.choices import kept_choices, reindexed
from advisor.allocation.costs import speed_of
from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.processors import canonical, checked, lowered, unfit
from advisor.allocation.workload import Flow, Task, replaced_at
from advisor.project import overlay_edits
from advisor.project.case_edits import with_subject_names
from advisor.project.file_edits import left_by
from advisor.project.project import Pin, Project
from advisor.project.run_names import with_machine_names, with_names_in_runs, without_machine
from advisor.project.study_case import MACHINE, TASK
from machines import InfeasibleError, InputError, Link, Machine, Platform


def with_machine(project: Project, position: int, machine: Machine) -> Project:
    """The machine at `position` replaced; a new name is carried wherever it is named."""
    old = project.platform.machines[position]
    machines = replaced_at(project.platform.machines, position, machine)
    if old.name == machine.name:
        changed = replace(project, platform=replace(project.platform, machines=machines))
    else:
        _refuse_name(machine.name, project.platform.index, "machine")
        rename = {old.name: machine.name}
        links = tuple(relinked(link, rename) for link in project.platform.links)
        changed = replace(
            project,
            platform=replace(project.platform, machines=machines, links=links),
            workload=with_machine_names(project.workload, rename),
        )
        changed = overlay_edits.with_machine_names(changed, rename)
        changed = with_subject_names(changed, MACHINE, rename)
        changed = with_names_in_runs(changed, machines=rename)
    return repaired(changed)


def with_property(project: Project, position: int, name: str, value: object) -> Project:
    """The machine at `position` with another value of a property that it declares."""
    changed: Any = {name: value}
    return with_machine(project, position, replace(project.platform.machines[position], **changed))


def add_machine(project: Project, machine: Machine) -> Project:
    """One more machine, on the switch that joins most if there is one; no task moves to it."""
    platform = project.platform
    _refuse_name(machine.name, platform.degree, "machine, store or switch")
    links = platform.links
    port = hub(platform)
    if port is not None:
        like = next(link for link in links if port in link.ends)
        way = like.to_second if like.second == port else like.to_first
        links = (*links, Link(machine.name, port, way, way, sharing=like.sharing))
    changed = replace(platform, machines=(*platform.machines, machine), links=links)
    return replace(project, platform=changed)


def remove_machine(project: Project, position: int) -> Project:
    """Without that machine, its links and what tasks, flows and files say about it.

    Files that lie there are then on the platform's only store, or left out.

    Raises
    ------
    InputError
        It is the last machine, or a task can run nowhere else.
    """
    platform = project.platform
    gone = platform.machines[position].name
    if len(platform.machines) == 1:
        remedy = "Add another machine before"
        raise InputError(
            "a platform needs at least one machine", where=f'machine "{gone}"', remedy=remedy
        )
    smaller = replace(
        platform,
        machines=platform.machines[:position] + platform.machines[position + 1 :],
        links=tuple(link for link in platform.links if gone not in link.ends),
    )
    project = overlay_edits.without_machine(project, gone)
    workload = without_machine(project.workload, gone)

    def moved(plan: Plan) -> Plan:
        allocation = tuple(
            _fastest(task, smaller) if machine == position else machine - (machine > position)
            for task, machine in zip(workload.tasks, plan.allocation, strict=True)
        )
        return replace(plan, allocation=allocation)

    return repaired(_replan(replace(project, platform=smaller, workload=workload), moved))


def with_link(project: Project, position: int, link: Link) -> Project:
    """The link at `position` replaced."""
    links = replaced_at(project.platform.links, position, link)
    return replace(project, platform=replace(project.platform, links=links))


def add_link(project: Project, link: Link) -> Project:
    """One more link; a pair that is linked already is refused by the platform."""
    links = (*project.platform.links, link)
    return replace(project, platform=replace(project.platform, links=links))


def remove_link(project: Project, position: int) -> Project:
    """Without that link; its machines may then be unable to exchange data."""
    links = project.platform.links[:position] + project.platform.links[position + 1 :]
    return replace(project, platform=replace(project.platform, links=links))


def with_task(project: Project, position: int, task: Task) -> Project:
    """The task at `position` replaced; a new name is carried into its flows."""
    old = project.workload.tasks[position].name
    workload = project.workload
    if workload.tasks[position].cores != task.cores:
        project = _each_plan(project, lambda plan: _with_count(plan, position, task.cores))
    project = _each_plan(project, lambda plan: _still_chosen(plan, position, task))
    if old == task.name:
        return repaired(
            replace(project, workload=workload.with_task(position, task)), positions=(position,)
        )
    _refuse_name(task.name, workload.index, "task")
    flows = tuple(
        replace(
            flow,
            source=task.name if flow.source == old else flow.source,
            target=task.name if flow.target == old else flow.target,
        )
        if old in (flow.source, flow.target)
        else flow
        for flow in workload.flows
    )
    tasks = replaced_at(workload.tasks, position, task)
    renamed_ = replace(project, workload=replace(workload, tasks=tasks, flows=flows))
    renamed_ = with_names_in_runs(renamed_, tasks={old: task.name})
    return repaired(with_subject_names(renamed_, TASK, {old: task.name}), positions=(position,))


def with_processors(project: Project, position: int, processors: int) -> Project:
    """The scalable task at `position` on so many processors; the pins stay as they are.

    Raises
    ------
    InputError
        It does not scale, does not take so many, or its machine has fewer cores.
    """
    workload, plan = project.workload, project.plan
    task, machine = workload.tasks[position], project.platform.machines[plan.allocation[position]]
    _ = task.on(processors)
    if processors > machine.cores:
        raise InputError(
            f"{machine.name} has fewer cores",
            where=f'task "{task.name}"',
            value=processors,
            remedy=f"Take at most {machine.cores}, or move the task first",
        )
    counts = list(checked(workload, plan.processors))
    counts[position] = processors
    found = canonical(workload, checked(workload, counts))
    return replace(project, plan=replace(plan, processors=found, strategy="manual"))


def add_task(project: Project, task: Task, machine: int | None = None) -> Project:
    """One more task, on `machine` or where it runs fastest; placed last."""
    return add_tasks(project, (task,), machines=None if machine is None else (machine,))


def add_tasks(
    project: Project,
    tasks: Sequence[Task],
    flows: Sequence[Flow] = (),
    files: Sequence[DataFile] = (),
    machines: Sequence[int] | None = None,
) -> Project:
    """More tasks with their flows and files, each on its entry of `machines` or the fastest one.

    They are placed last; the flows may lead to them from tasks that the project already has.
    """
    workload, platform = project.workload, project.platform
    for task in tasks:
        _refuse_name(task.name, workload.index, "task")
    larger = replace(
        workload,
        tasks=(*workload.tasks, *tasks),
        flows=(*workload.flows, *flows),
        files=(*workload.files, *files),
    )
    if machines is None:
        machines = [_fastest(task, platform) for task in tasks]
    new = [task for task in larger.topological_order.tolist() if task >= len(workload.tasks)]

    def extended(plan: Plan) -> Plan:
        order = None if plan.order is None else (*plan.order, *new)
        counts = plan.processors
        if counts is not None:
            counts = (*counts, *(task.cores for task in tasks))
        allocation = (*plan.allocation, *machines)
        return replace(plan, allocation=allocation, order=order, processors=counts)

    return _replan(replace(project, workload=larger), extended)


def remove_tasks(project: Project, positions: Iterable[int]) -> Project:
    """Without those tasks and the flows that touch them; at least one task must stay.

    What they make and others read comes from outside then; what only they touched goes with them.
    """
    gone = set(positions)
    workload = project.workload
    names = {workload.tasks[position].name for position in gone}
    kept = [position for position in range(len(workload.tasks)) if position not in gone]
    if not kept:
        raise InputError("a workload needs at least one task", remedy="Add another task before")
    smaller = replace(
        workload,
        tasks=tuple(workload.tasks[position] for position in kept),
        flows=tuple(
            flow for flow in workload.flows if flow.source not in names and flow.target not in names
        ),
        files=left_by(workload, gone),
    )
    place = {old: new for new, old in enumerate(kept)}

    def shrunk(plan: Plan) -> Plan:
        order, counts = plan.order, plan.processors
        if order is not None:
            order = tuple(place[task] for task in order if task in place)
        if counts is not None:
            counts = tuple(counts[old] for old in kept)
        allocation = tuple(plan.allocation[old] for old in kept)
        choices = reindexed(plan.choices, place)
        ways = plan.variants and tuple(plan.variants[old] for old in kept)
        return Plan(allocation, order, plan.strategy, counts, choices, plan.overlays, ways)

    return _replan(replace(project, workload=smaller), shrunk)


def with_flow(project: Project, position: int, flow: Flow) -> Project:
    """The flow at `position` replaced; other ends make the plan's order start afresh."""
    old = project.workload.flows[position]
    changed = replace(project, workload=project.workload.with_flow(position, flow))
    if (old.source, old.target) == (flow.source, flow.target):
        return changed
    return _replan(changed, _unordered)


def add_flow(project: Project, flow: Flow) -> Project:
    """One more flow; a cycle or a second flow of one pair is refused by the workload."""
    return add_flows(project, (flow,))


def add_flows(project: Project, flows: Sequence[Flow]) -> Project:
    """More flows, refused as one is by `add_flow`."""
    workload = replace(project.workload, flows=(*project.workload.flows, *flows))
    return _replan(replace(project, workload=workload), _unordered)


def remove_flow(project: Project, position: int) -> Project:
    """Without that flow."""
    flows = project.workload.flows
    workload = replace(project.workload, flows=flows[:position] + flows[position + 1 :])
    return replace(project, workload=workload)


def renamed(project: Project, name: str) -> Project:
    """The workload, and so the project, under another name."""
    if not name.strip():
        raise InputError("a project needs a name", where="name", value=name)
    return replace(project, workload=project.workload.renamed(name))


def repaired(project: Project, positions: Sequence[int] | None = None) -> Project:
    """Tasks (all, or those at `positions`) that their machine can't take moved to the fastest.

    A scalable task stays if its machine can take it on fewer processors.

    Raises
    ------
    InfeasibleError
        A task fits nowhere.
    """
    tasks, platform = project.workload.tasks, project.platform
    examined = range(len(tasks)) if positions is None else positions

    def repair(plan: Plan) -> Plan:
        homeless = [
            position
            for position in examined
            if unfit(
                tasks[position], platform.machines[plan.allocation[position]], platform.resources
            )
        ]
        if not homeless:
            return plan
        allocation = list(plan.allocation)
        for position in homeless:
            allocation[position] = _fastest(tasks[position], platform)
        return replace(plan, allocation=tuple(allocation))

    return _replan(project, repair)


def seconds_on(task: Task, machine: Machine) -> float | None:
    """Dedicated seconds of a task on a machine; ``None`` where it may not run.

    Of a program those without network contention, which takes long to know; of a scalable task
    those on its own `cores`, or on all cores of a machine that has fewer; of one with variants
    those of the quickest.
    """
    if task.variants:
        places = range(len(task.variants))
        known = (seconds_on(task.in_variant(place), machine) for place in places)
        return min((one for one in known if one is not None), default=None)
    if unfit(task, machine):
        return None
    if task.scaling is not None:
        task = task.on(lowered(task, task.cores, machine))
    if task.work is not None:
        return task.work / speed_of(task, machine)
    stated = next((seconds for name, seconds in task.seconds if name == machine.name), None)
    if stated is not None or task.program is None:
        return stated
    return task.program.cost(machine, contended=False).seconds


def _fastest(task: Task, platform: Platform) -> int:
    times = [
        (seconds, position)
        for position, machine in enumerate(platform.machines)
        if not unfit(task, machine, platform.resources)
        and (seconds := seconds_on(task, machine)) is not None
    ]
    if not times:
        raise InfeasibleError(
            "no machine can run this task", where=f'task "{task.name}"',
            remedy="It needs one that is allowed, has the cores, memory and resources, and a time",
        )  # fmt: skip
    return min(times)[1]


def _replan(project: Project, change: Callable[[Plan], Plan]) -> Project:
    """Apply one change to the plan and to every pin, and fit their numbers of processors."""

    def fitted(plan: Plan) -> Plan:
        return change(plan).settled(project.workload, project.platform)

    return _each_plan(project, fitted)


def _each_plan(project: Project, change: Callable[[Plan], Plan]) -> Project:
    pins = tuple(Pin(pin.name, change(pin.plan)) for pin in project.pins)
    return replace(project, plan=change(project.plan), pins=pins)


def _with_count(plan: Plan, position: int, processors: int) -> Plan:
    if plan.processors is None:
        return plan
    return replace(plan, processors=replaced_at(plan.processors, position, processors))


def _still_chosen(plan: Plan, position: int, task: Task) -> Plan:
    return replace(plan, choices=kept_choices(plan.choices, position, task))


def _unordered(plan: Plan) -> Plan:
    return replace(plan, order=None)


def _refuse_name(name: str, taken: dict[str, int], kind: str) -> None:
    if name in taken:
        raise InputError(
            f"another {kind} has this name", where="name", value=name, remedy="Choose another"
        )


def hub(platform: Platform) -> str | None:
    """The switch with most links, the first of several; None without switches."""
    if not platform.switches:
        return None
    return max(platform.switches, key=lambda one: platform.degree[one.name]).name


def relinked(link: Link, rename: dict[str, str]) -> Link:
    """The link with other names of its ends."""
    return replace(
        link,
        first=rename.get(link.first, link.first),
        second=rename.get(link.second, link.second),
    )
