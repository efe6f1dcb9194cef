"""What to do: every decision about a workload on a platform.

Where every task runs, in which order, on how many processors; how the programs inside tasks send
and where their processes are; which tree every overlay has, and where.

A Plan holds positions, not names, so that it is small and pickles fast; `named` and `from_names`
translate. It belongs to the workload and platform it was made for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.choices import Choices, choices_from
from advisor.allocation.processors import canonical, from_counts, lowered
from advisor.allocation.variants import chosen_variants, fitting_variants, variants_from
from advisor.allocation.workload import Workload
from advisor.overlays.overlay_plan import OverlayPlan
from advisor.overlays.overlay_tables import placed_from
from machines import Platform
from machines.errors import InputError
from machines.formats.fields import suggestion


@dataclass(frozen=True)
class Plan:
    """An allocation, its order and where it came from.

    Attributes
    ----------
    allocation : tuple of int, length tasks
        Machine position of every task.
    order : tuple of int or None
        Task positions in the order of placement, every flow's source before its target;
        ``None``: decreasing upward rank without contention (Topcuoglu, Hariri & Wu 2002), or the
        starts that follow from it (`advisor.allocation.placement`).
    strategy : str
        The search strategy that found it, or "manual".
    processors : tuple of int, length tasks, or None
        Processors, and so cores, that every task takes; ``None``: its own `cores`. Only scalable
        tasks may take another number (`advisor.allocation.processors`).
    variants : tuple of int, length tasks, or None
        The variant in which every task runs; ``None``: the quickest alone where it is
        (`advisor.allocation.variants`).
    choices : tuple of TaskChoice
        What is chosen about the programs inside tasks, by task and name; where nothing is, what
        the program says holds (`advisor.allocation.choices`).
    overlays : tuple of OverlayPlan or None
        Tree and placement of the workload's overlays; ``None``, and empty for all of them: the
        default one (`advisor.overlays.overlay_options.default_plan`).
    """

    allocation: tuple[int, ...]
    order: tuple[int, ...] | None = None
    strategy: str = "manual"
    processors: tuple[int, ...] | None = None
    choices: Choices = ()
    overlays: tuple[OverlayPlan | None, ...] = ()
    variants: tuple[int, ...] | None = None

    def moved(self, tasks: Sequence[int], machine: int) -> Plan:
        """The plan with `tasks` on `machine`; the order of placement is kept."""
        allocation = list(self.allocation)
        for task in tasks:
            allocation[task] = machine
        return replace(self, allocation=tuple(allocation), strategy="manual")

    def deciding_as(self, other: Plan) -> Plan:
        """The same allocation and order with all other decisions of another plan."""
        return replace(
            self, processors=other.processors, choices=other.choices, overlays=other.overlays,
            variants=other.variants,
        )  # fmt: skip

    def bare(self) -> Plan:
        """Allocation and order alone."""
        return replace(self, processors=None, choices=(), overlays=(), variants=None)

    def decides_as(self, other: Plan) -> bool:
        """Whether all but allocation and order is decided as in another plan."""
        return self.deciding_as(other) == self

    def settled(self, workload: Workload, platform: Platform) -> Plan:
        """The plan with processors and variants that fit its tasks and, as far as can be, machines.

        A number above the cores of the task's machine falls to these, one out of its scaling's
        range moves to the end of it; a task that does not scale takes its own `cores`. A variant
        that can't run on its machine becomes the quickest there.
        """
        if self.variants is not None or workload.variable:
            fitting = fitting_variants(platform, workload, self.allocation, self.variants)
            if fitting != self.variants:
                return replace(self, variants=fitting).settled(workload, platform)
        if self.processors is None and not workload.scalable:
            return self
        own = [task.cores for task in workload.tasks]
        found = list(own if self.processors is None else self.processors)
        for place, task in enumerate(workload.tasks):
            if task.scaling is None:
                found[place] = task.cores
            else:
                machine = platform.machines[self.allocation[place]]
                found[place] = lowered(task, found[place], machine)
        return replace(self, processors=canonical(workload, found))

    def alike(self, other: Plan) -> bool:
        """Whether all is decided as in another plan but the order of placement."""
        return self == replace(other, order=self.order, strategy=self.strategy)

    def named(self, workload: Workload, platform: Platform) -> dict[str, str]:
        """{task name: machine name}, in the workload's order."""
        return {
            task.name: platform.machines[machine].name
            for task, machine in zip(workload.tasks, self.allocation, strict=True)
        }

    def counts(self, workload: Workload) -> dict[str, int]:
        """{name of a scalable task: its processors}, in the workload's order."""
        tasks, chosen = workload.tasks, self.processors
        return {
            tasks[place].name: tasks[place].cores if chosen is None else chosen[place]
            for place in workload.scalable
        }


def from_names(
    allocation: Mapping[str, str],
    workload: Workload,
    platform: Platform,
    order: Sequence[str] | None = None,
    strategy: str = "manual",
    processors: Mapping[str, object] | None = None,
    choices: object = None,
    overlays: object = None,
    variants: object = None,
) -> Plan:
    """A Plan from names.

    Raises
    ------
    InputError
        A task without a machine, an unknown task or machine, an order that is no
        permutation of the tasks or puts a task before one that feeds it, a number of
        processors that its task does not take, a choice or variant that it does not have, or a
        tree that its overlay can't have.
    """
    for name in allocation:
        if name not in workload.index:
            raise InputError("unknown task in the allocation", where="allocation", value=name)
    positions = []
    for task in workload.tasks:
        if task.name not in allocation:
            raise InputError("the allocation leaves a task out", where=f'task "{task.name}"')
        machine = allocation[task.name]
        if not isinstance(machine, str) or machine not in platform.index:
            raise InputError(
                "unknown machine in the allocation",
                where=f'task "{task.name}"',
                value=machine,
                remedy="Machines: " + ", ".join(list(platform.index)[:20]),
            )
        positions.append(platform.index[machine])
    ordered = None if order is None else _order(order, workload)
    ways = None
    if variants is not None:
        ways = variants_from(variants, workload, chosen_variants(platform, workload, positions))
    counts = from_counts(workload, processors) if processors else None
    return Plan(
        tuple(positions),
        ordered,
        strategy,
        counts,
        () if choices is None else choices_from(choices, workload),
        () if overlays is None else overlays_from(overlays, workload),
        ways,
    )


def overlays_from(value: object, workload: Workload) -> tuple[OverlayPlan | None, ...]:
    """The trees that a file gives: {overlay: {"tree", "placement"}}; empty without any.

    Raises
    ------
    InputError
        An unknown overlay, or a tree that it can't have.
    """
    if not isinstance(value, Mapping):
        raise InputError("overlays must be a table overlay → tree", where="overlays", value=value)
    known = {one.name: one for one in workload.overlays}
    for name in value:
        if name not in known:
            remedy = suggestion(str(name), known)
            raise InputError("unknown overlay", where="overlays", value=name, remedy=remedy)
    found = tuple(
        placed_from(value[name], one, f'overlays, "{name}"') if name in value else None
        for name, one in known.items()
    )
    return found if any(one is not None for one in found) else ()


def _order(names: Sequence[str], workload: Workload) -> tuple[int, ...]:
    unknown = [name for name in names if name not in workload.index]
    if unknown:
        raise InputError("unknown task in the order", where="order", value=unknown[0])
    order = tuple(workload.index[name] for name in names)
    if len(order) != len(workload.tasks) or len(set(order)) != len(order):
        raise InputError("the order must name every task once", where="order", value=len(order))
    place = np.empty(len(order), dtype=np.int64)
    place[list(order)] = np.arange(len(order))
    late = np.flatnonzero(place[workload.sources] > place[workload.targets])
    if late.size:
        raise InputError(
            "the order puts a task before its input",
            where=f"flow {workload.edges[int(late[0])].name}",
        )
    return order
