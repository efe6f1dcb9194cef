"""Ways to run a task, of which a plan chooses one: on cores alone, on a GPU.

A workload whose variants are chosen is an ordinary workload (`Workload.in_variants`). Where nothing
is chosen yet, a task takes no less than the least of its variants (`loosest`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from advisor.allocation.costs import misfit, speed_of
from advisor.allocation.task import Task
from advisor.allocation.workload import Workload
from advisor.basics.quantities import count
from machines import InfeasibleError, InputError, Machine, Platform, Resource
from machines.arrays import Ints
from machines.formats.fields import suggestion


def alone_s(task: Task, machine: Machine, shared: Sequence[Resource] | None) -> float:
    """Dedicated seconds of a task without variants and program there; inf where it can't run."""
    if misfit(task, machine, shared):
        return np.inf
    stated = dict(task.seconds)
    if machine.name in stated:
        return stated[machine.name]
    return np.inf if task.work is None else task.work / speed_of(task, machine)


def able_variants(platform: Platform, task: Task) -> tuple[int, ...]:
    """The variants in which a task can run on some machine; (0,) of one without variants."""
    if not task.variants:
        return (0,)
    return tuple(
        place
        for place in range(len(task.variants))
        if any(
            not misfit(task.in_variant(place), machine, platform.resources)
            for machine in platform.machines
        )
    )


def idle_variants(platform: Platform, workload: Workload) -> tuple[str, ...]:
    """A sentence a name of variants that run on no machine, and why: no plan says so otherwise."""
    idle: dict[str, list[tuple[Task, int]]] = {}
    for task in (workload.tasks[place] for place in workload.variable):
        able = able_variants(platform, task)
        for place, one in enumerate(task.variants):
            if place not in able:
                idle.setdefault(one.name, []).append((task, place))
    return tuple(
        f"{count(len(ones), 'task')} can run as {name} on no machine: "
        f"{'; '.join(_misfits(platform, *ones[0])[:2])}."
        for name, ones in idle.items()
    )


def _misfits(platform: Platform, task: Task, variant: int) -> list[str]:
    one = task.in_variant(variant)
    return list(dict.fromkeys(misfit(one, each, platform.resources) for each in platform.machines))


def each_variant(platform: Platform, workload: Workload) -> list[tuple[tuple[int, ...], Ints]]:
    """By number of a variant: a choice in which all tasks run in it that can, and which can.

    The others run in the first in which they can.
    """
    able = [able_variants(platform, task) for task in workload.tasks]
    return [
        (
            tuple(variant if variant in ones else ones[0] for ones in able),
            np.array([task for task, ones in enumerate(able) if variant in ones], np.int64),
        )
        for variant in range(max(map(max, able)) + 1)
    ]


def quickest(task: Task, machine: Machine, shared: Sequence[Resource] | None) -> int:
    """The variant that is quickest there alone, the first of equal ones."""
    seconds = [
        alone_s(task.in_variant(place), machine, shared) for place in range(len(task.variants))
    ]
    return int(np.argmin(seconds))


def chosen_variants(
    platform: Platform, workload: Workload, allocation: Sequence[int]
) -> tuple[int, ...]:
    """What a plan that says nothing of variants runs: the quickest alone where each task is."""
    found = [0] * len(workload.tasks)
    for place in workload.variable:
        machine = platform.machines[allocation[place]]
        found[place] = quickest(workload.tasks[place], machine, platform.resources)
    return tuple(found)


def fitting_variants(
    platform: Platform,
    workload: Workload,
    allocation: Sequence[int],
    variants: Sequence[int] | None,
) -> tuple[int, ...] | None:
    """A plan's variants where these run on their machines, else the quickest there; None: none."""
    if not workload.variable:
        return None
    shared, given, found = platform.resources, variants or (), [0] * len(workload.tasks)
    for place in workload.variable:
        task, machine = workload.tasks[place], platform.machines[allocation[place]]
        kept = given[place] if place < len(given) else len(task.variants)
        fits = kept < len(task.variants) and not misfit(task.in_variant(kept), machine, shared)
        found[place] = kept if fits else quickest(task, machine, shared)
    return tuple(found)


def loosest(platform: Platform, workload: Workload) -> Workload:
    """The ordinary workload that needs no more than any choice of variants; itself without them.

    Raises
    ------
    InfeasibleError
        A task none of whose variants can run anywhere.
    """
    if not workload.variable:
        return workload
    tasks = list(workload.tasks)
    for place in workload.variable:
        tasks[place] = _loosest(tasks[place], platform)
    return workload.repriced(tuple(tasks), workload.flows).in_variants(())


def _loosest(task: Task, platform: Platform) -> Task:
    every = [task.in_variant(place) for place in range(len(task.variants))]
    seconds = []
    for machine in platform.machines:
        least_s = min(alone_s(one, machine, platform.resources) for one in every)
        if least_s < np.inf:
            seconds.append((machine.name, least_s))
    if not seconds:
        reasons = [misfit(task, machine, platform.resources) for machine in platform.machines[:3]]
        raise InfeasibleError(
            "none of its variants fits on any machine",
            where=f'task "{task.name}"',
            remedy="; ".join(one for one in reasons if one),
        )
    memory = [one.memory_bytes or 0 for one in every]
    kinds = {kind for one in every for kind, _ in one.resources}
    least = {kind: min(dict(one.resources).get(kind, 0) for one in every) for kind in kinds}
    return replace(
        every[0],
        work=None,
        seconds=tuple(seconds),
        cores=min(one.cores for one in every),
        memory_bytes=min(memory) or None,
        resources=tuple((kind, units) for kind, units in sorted(least.items()) if units),
        unit_memory=(),  # which the seconds know
    )


def variants_from(value: object, workload: Workload, open_: Sequence[int]) -> tuple[int, ...]:
    """A plan's variants from {task name: variant name}; tasks left out take those of `open_`.

    Raises
    ------
    InputError
        An unknown task, one without variants, or a variant that it does not have.
    """
    if not isinstance(value, Mapping):
        raise InputError("variants must be a table task → variant", where="variants", value=value)
    found = list(open_)
    for name, variant in value.items():
        if name not in workload.index:
            remedy = suggestion(str(name), workload.index)
            raise InputError("unknown task", where="variants", value=name, remedy=remedy)
        task = workload.tasks[workload.index[name]]
        known = {one.name: place for place, one in enumerate(task.variants)}
        if not isinstance(variant, str) or variant not in known:
            remedy = f"Variants: {', '.join(known)}" if known else "It has none; leave it out"
            raise InputError("unknown variant", where=f'variants, task "{name}"', value=variant,
                             remedy=remedy)  # fmt: skip
        found[workload.index[name]] = known[variant]
    return tuple(found)


def variants_table(variants: Sequence[int], workload: Workload) -> dict[str, str]:
    """What a file holds of them: {task name: variant name}."""
    tasks = workload.tasks
    return {
        tasks[place].name: tasks[place].variants[variants[place]].name
        for place in workload.variable
    }
