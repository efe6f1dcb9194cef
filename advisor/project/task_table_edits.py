"""The tasks of a table put into a project: new ones added, those of the same name updated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Task, Workload
from advisor.basics.quantities import count
from advisor.basics.table_titles import MACHINE
from advisor.project.graph_edits import FIRST_MACHINE
from advisor.project.project import Pin, Project, new_project
from advisor.project.project_edits import repaired, seconds_on
from advisor.project.task_table import Proposal
from advisor.project.task_table_workload import flows_of, task_of, title_of, workload_of
from machines import InputError, Platform


@dataclass(frozen=True)
class Applied:
    """A project with the tasks of a table; `text` says what was done, in a sentence."""

    project: Project
    text: str


def applied(project: Project, proposal: Proposal, *, replacing: bool = False) -> Applied:
    """The project with the tasks and flows of the table.

    A task of the same name is updated: empty cells leave what it states. Names in *after* state all
    that a task waits for. `replacing`: the tasks of the table take the place of all others; the one
    machine of a new project gets the cores that they need.

    Raises
    ------
    InputError, InfeasibleError
        The first error of the table, an unknown name, a cycle, or a task that fits nowhere.
    """
    if proposal.errors:
        raise proposal.errors[0]
    homes = _homes(proposal, project.platform)
    if replacing:
        workload = workload_of(proposal, project.workload.name)
        platform, widened = _roomy(project.platform, workload)
        made = new_project(platform, workload)
        plan = _placed(made.plan, workload, platform, homes)
        made = replace(
            made,
            plan=plan,
            objective=project.objective,
            reading=project.reading,
            sharing=project.sharing,
        )
        return Applied(repaired(made), f"{_counted(workload)} replace all others.{widened}")
    merged, text = _merged(project.workload, proposal)
    changed = _extended(project, merged, homes)
    return Applied(repaired(changed), text)


def _roomy(platform: Platform, workload: Workload) -> tuple[Platform, str]:
    """The machine that a new project begins with holds any task; and what is said of that."""
    widest = max(task.cores for task in workload.tasks)
    if platform.machines != (FIRST_MACHINE,) or widest == 1:
        return platform, ""
    text = f" {FIRST_MACHINE.name} gets {count(widest, 'core')}, which they need."
    return replace(platform, machines=(replace(FIRST_MACHINE, cores=widest),)), text


def _counted(workload: Workload) -> str:
    return f"{count(len(workload.tasks), 'task')} and {count(len(workload.flows), 'flow')}"


def _merged(before: Workload, proposal: Proposal) -> tuple[Workload, str]:
    """The workload with the rows in it, and what that does."""
    tasks = list(before.tasks)
    updated = 0
    for row in proposal.rows:
        at = before.index.get(row.name)
        if at is None:
            tasks.append(task_of(row, None))
        else:
            tasks[at] = task_of(row, tasks[at])
            updated += tasks[at] != before.tasks[at]
    old = {(flow.source, flow.target): flow for flow in before.flows}
    flows = flows_of(proposal, old, tasks)
    new = len(tasks) - len(before.tasks)
    fresh, gone = len(flows.keys() - old.keys()), len(old.keys() - flows.keys())
    other = sum(old[ends] != flow for ends, flow in flows.items() if ends in old)
    said = [
        _said("added", (new, "task"), (fresh, "flow")),
        _said("updated", (updated, "task"), (other, "flow")),
        _said("removed", (gone, "flow")),
    ]
    workload = replace(before, tasks=tuple(tasks), flows=tuple(flows.values()))
    return workload, " ".join(filter(None, said)) or "Nothing changes."


def _said(what: str, *amounts: tuple[int, str]) -> str:
    some = [(amount, kind) for amount, kind in amounts if amount]
    if not some:
        return ""
    verb = "is" if [amount for amount, _ in some] == [1] else "are"
    return f"{' and '.join(count(*one) for one in some)} {verb} {what}."


def _homes(proposal: Proposal, platform: Platform) -> dict[str, int]:
    """Name of a task → position of the machine that its row names."""
    homes = {}
    for row in proposal.rows:
        if row.machine is None:
            continue
        if row.machine not in platform.index:
            raise InputError(
                "no machine has this name",
                where=f'row {row.line}, column "{title_of(proposal, MACHINE)}"',
                value=row.machine,
                remedy="Add the machine first, or leave this column out",
            )
        homes[row.name] = platform.index[row.machine]
    return homes


def _extended(project: Project, workload: Workload, homes: Mapping[str, int]) -> Project:
    """The project with the tasks of `workload`, of which the first are its own."""
    before, platform = project.workload, project.platform
    new = workload.tasks[len(before.tasks) :]
    places = [homes[task.name] if task.name in homes else _fastest(task, platform) for task in new]
    same = [flow.name for flow in before.flows] == [flow.name for flow in workload.flows]

    def extended(plan: Plan) -> Plan:
        fresh = range(len(before.tasks), len(workload.tasks))
        counts = None
        if plan.processors is not None:
            kept = zip(plan.processors, before.tasks, workload.tasks, strict=False)
            counts = (
                *(n if old.cores == now.cores else now.cores for n, old, now in kept),
                *(task.cores for task in new),
            )
        order = (*plan.order, *fresh) if same and plan.order is not None else None
        longer = replace(
            plan, allocation=(*plan.allocation, *places), order=order, processors=counts
        )
        return longer.settled(workload, platform)

    pins = tuple(Pin(pin.name, extended(pin.plan)) for pin in project.pins)
    plan = _placed(extended(project.plan), workload, platform, homes)
    return replace(project, workload=workload, plan=plan, pins=pins)


def _placed(plan: Plan, workload: Workload, platform: Platform, homes: Mapping[str, int]) -> Plan:
    """The plan with tasks on the machines that the table names."""
    if not homes:
        return plan
    allocation = list(plan.allocation)
    for name, machine in homes.items():
        allocation[workload.index[name]] = machine
    return replace(plan, allocation=tuple(allocation)).settled(workload, platform)


def _fastest(task: Task, platform: Platform) -> int:
    """The machine that runs a new task fastest; the first one if none can, which is found later."""
    times = [
        (seconds, position)
        for position, machine in enumerate(platform.machines)
        if (seconds := seconds_on(task, machine)) is not None
    ]
    return min(times, default=(0.0, 0))[1]
