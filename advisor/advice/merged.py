"""Tasks that follow one another on one machine as one task: the workload and plan with fewer.

A merged task does what its members did, one after the other: their seconds, what they read and
write for others, their commands. What they handed to one another stays inside.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from advisor.allocation.costs import misfit, speed_of
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.basics.ordering import after_needs
from machines import Machine, Platform

Groups = Sequence[tuple[int, ...]]
"""Every task once, members in the order in which they run; most groups have one member."""

_KINDS = 3


@dataclass(frozen=True)
class Merged:
    """A workload and its plan."""

    workload: Workload
    plan: Plan


def may_merge(task: Task) -> bool:
    """Whether a task may be part of another: on cores alone, and nothing of it is left open."""
    return not (task.program or task.scaling or task.variants or task.resources)


def merged(problem: Problem, plan: Plan, order: Sequence[int], groups: Groups) -> Merged | None:
    """The workload and plan of some groups; None: they would wait for one another.

    `problem`, `plan`: the members of a group are on one machine, hold as many cores, and
    `may_merge`. `order`: all tasks, in the plan's order.
    """
    workload = problem.workload
    group = [0] * len(workload.tasks)
    for place, members in enumerate(groups):
        for task in members:
            group[task] = place
    if not _can_sum(workload, group):
        return None
    ordered = _ordered(workload, group, groups, order)
    if ordered is None:
        return None
    machines = problem.platform.machines
    tasks: list[Task] = []
    taken = set(workload.index)
    for members in groups:
        own = [workload.tasks[one] for one in members]
        host = machines[plan.allocation[members[0]]]
        one = own[0] if len(own) == 1 else _task(own, host, problem.platform, taken)
        if one is None:
            return None
        tasks.append(one)
    flows = _flows(workload, group, tasks)
    found = Workload(workload.name, tuple(tasks), flows, workload.files, workload.overlays)
    return Merged(found, _plan(plan, group, groups, ordered))


def _ordered(
    workload: Workload, group: list[int], groups: Groups, order: Sequence[int]
) -> tuple[int, ...] | None:
    """The groups, each after those that it needs, else by its first member; None: no such order."""
    place = {task: at for at, task in enumerate(order)}
    needs = ((group[source], group[target]) for source, target in workload.ends())
    among = (pair for pair in needs if pair[0] != pair[1])
    found = after_needs([place[members[0]] for members in groups], among)
    return found if len(found) == len(groups) else None


def _task(members: list[Task], host: Machine, platform: Platform, taken: set[str]) -> Task | None:
    """One task of several; None: it does not fit where they are."""
    first = members[0]
    name = f"{first.name} +{len(members) - 1}"
    while name in taken:
        name += "+"
    written = {file for one in members for file in one.writes}
    reads = dict.fromkeys(file for one in members for file in one.reads if file not in written)
    kinds = list(dict.fromkeys(one.group for one in members))
    memory = [one.memory_bytes for one in members if one.memory_bytes is not None]
    moved = [one.memory_bandwidth for one in members if one.memory_bandwidth is not None]
    allowed = [one.allowed for one in members if one.allowed is not None]
    work, seconds = _times(members, platform)
    if work is None and not seconds:
        return None
    found = Task(
        name,
        work=work,
        seconds=seconds,
        cores=first.cores,
        memory_bytes=max(memory, default=None),
        allowed=tuple(n for n in allowed[0] if all(n in a for a in allowed)) if allowed else None,
        kind="+".join(kinds[:_KINDS]) + ("+…" if len(kinds) > _KINDS else ""),
        reads=tuple(reads),
        writes=tuple(dict.fromkeys(file for one in members for file in one.writes)),
        command=joined_commands(members),
        memory_bandwidth=max(moved, default=None),
    )
    return None if misfit(found, host) else found


def _times(
    members: list[Task], platform: Platform
) -> tuple[float | None, tuple[tuple[str, float], ...]]:
    """The work of several tasks, or their seconds by machine where all can run."""
    works = [one.work for one in members if one.work is not None]
    if len(works) == len(members):
        return sum(works), ()
    found = []
    for machine in platform.machines:
        known = [s for one in members if (s := _seconds_on(one, machine)) is not None]
        if len(known) == len(members):
            found.append((machine.name, sum(known)))
    return None, tuple(found)


def _seconds_on(task: Task, machine: Machine) -> float | None:
    """Its dedicated seconds there; None: the workload gives it none."""
    if task.work is not None:
        return task.work / speed_of(task, machine)
    return dict(task.seconds).get(machine.name)


def joined_commands(members: Sequence[Task]) -> str:
    """The commands one after the other, until one fails; empty where one is not stated.

    Each runs in a shell of its own, under the name of its own task, so that what it leaves open,
    changes or ends stays its own.
    """
    if not all(one.command for one in members):
        return ""
    return " &&\n".join(
        f"PLACEWISE_TASK={shlex.quote(one.name)} /bin/sh -c {shlex.quote(one.command)}"
        for one in members
    )


def _can_sum(workload: Workload, group: list[int]) -> bool:
    """Whether the flows between two groups are all of bytes, or all of seconds in the same ways."""
    for _, flows in _between(workload, group):
        if len(flows) > 1 and any(one.seconds for one in flows):
            ways = {tuple(way for way, _ in one.seconds) for one in flows}
            if len(ways) > 1:
                return False
    return True


def _between(workload: Workload, group: list[int]) -> list[tuple[tuple[int, int], list[Flow]]]:
    """The flows from one group to another."""
    index = workload.index
    ends = [
        ((group[index[one.source]], group[index[one.target]]), place)
        for place, one in enumerate(workload.flows)
    ]
    apart = sorted(one for one in ends if one[0][0] != one[0][1])
    return [
        (pair, [workload.flows[place] for _, place in found])
        for pair, found in groupby(apart, lambda one: one[0])
    ]


def _flows(workload: Workload, group: list[int], tasks: list[Task]) -> tuple[Flow, ...]:
    """One flow between every two groups."""
    found = []
    for (source, target), flows in _between(workload, group):
        ways = [way for way, _ in flows[0].seconds]
        seconds = tuple((way, sum(dict(one.seconds)[way] for one in flows)) for way in ways)
        data_sets = tuple(one for flow in flows for one in flow.data_sets)
        found.append(Flow(tasks[source].name, tasks[target].name, data_sets, seconds))
    return tuple(found)


def _plan(plan: Plan, group: list[int], groups: Groups, order: tuple[int, ...]) -> Plan:
    """The plan of the groups: machines and decisions are those of their members."""
    processors = plan.processors
    return replace(
        plan,
        allocation=tuple(plan.allocation[members[0]] for members in groups),
        order=order,
        processors=None if processors is None else tuple(processors[one[0]] for one in groups),
        choices=tuple(replace(one, task=group[one.task]) for one in plan.choices),
        variants=plan.variants and tuple(plan.variants[one[0]] for one in groups),
    )
