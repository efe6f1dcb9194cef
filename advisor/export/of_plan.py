"""What a plan holds for exports of other kinds: a mapping for each task, a tree for each overlay.

What a program's processes and an overlay's tree are is told by the plan as it is settled; defaults
count as decisions, for they are what would run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.decisions.tree import trees_of
from advisor.export.export_record import Kind, Planned
from advisor.export.process_placement import MAPPING
from advisor.export.tree_on_hosts import TREE
from advisor.messages.mapping.mapping_file import NamedMapping
from advisor.overlays.placed import placed_tree
from advisor.programs.message_program import MessageProgram
from advisor.trees.tree_file import FoundTree
from machines.errors import InputError
from machines.formats.fields import suggestion


@dataclass(frozen=True)
class Part:
    """Sources of one kind that plans hold.

    Attributes
    ----------
    kind : Kind
        Of the exports that write them.
    of : str
        What each belongs to: "task", "overlay"; on the command line an option.
    names : callable
        (problem, plan) → names of the tasks or overlays that have one; quick.
    source : callable
        (planned, one of these) → what its exports are given.
    lack : str
        What to do where a plan holds none.
    """

    kind: Kind[Any]
    of: str
    names: Callable[[Problem, Plan], tuple[str, ...]]
    source: Callable[[Planned, str], Any]
    lack: str

    @property
    def flag(self) -> str:
        """The argument on the command line."""
        return f"--{self.of}"


def mapped(problem: Problem, plan: Plan) -> tuple[str, ...]:
    """The tasks whose programs run on the nodes of their machine."""
    machines = problem.platform.machines
    return tuple(
        task.name
        for task, place in zip(problem.workload.tasks, plan.allocation, strict=True)
        if task.program is not None  # most have none, and an abstract class is slow to ask
        and isinstance(task.program, MessageProgram)
        and machines[place].network is not None
    )


def mapping(planned: Planned, task: str) -> NamedMapping:
    """The node of every process of a task."""
    settled = planned.problem.settled(planned.plan)
    position = settled.workload.index[task]
    program = settled.workload.tasks[position].program
    machine = settled.platform.machines[planned.plan.allocation[position]]
    assert isinstance(program, MessageProgram)
    assert machine.network is not None
    places = program.places(machine.network)
    return NamedMapping(
        machine.network.network, places, machine=machine.name, threads=program.threads
    )


def watched(problem: Problem, _plan: Plan) -> tuple[str, ...]:
    """The overlays."""
    return tuple(overlay.name for overlay in problem.workload.overlays)


def tree(planned: Planned, overlay: str) -> FoundTree:
    """The tree of an overlay on the machines that the plan gives its processes."""
    problem = planned.problem
    position = watched(problem, planned.plan).index(overlay)
    found = trees_of(problem, planned.plan)[position]
    on_machines = placed_tree(problem.workload.overlays[position], found)
    return FoundTree(found.tree, overlay, on_machines)


PARTS = (
    Part(
        MAPPING, "task", mapped, mapping,
        "Only programs of messages on machines with a network have their processes on nodes",
    ),
    Part(TREE, "overlay", watched, tree, "Give the workload an [[overlay]]"),
)  # fmt: skip


def part_of(kind: Kind[Any]) -> Part | None:
    """How plans hold sources of that kind; None: they hold none."""
    return next((part for part in PARTS if part.kind is kind), None)


def source_of(part: Part, planned: Planned, name: str | None = None) -> object:
    """The source of one task or overlay of a plan.

    Parameters
    ----------
    name : str or None
        Of the task or overlay; None: the only one.

    Raises
    ------
    InputError
        There is none, several are there and none is named, or none has that name.
    """
    found = part.names(planned.problem, planned.plan)
    if not found:
        raise InputError(
            f"the plan has no {part.of} with a {part.kind.name}",
            remedy=part.lack,
        )
    if name is None and len(found) > 1:
        raise InputError(
            f"the plan has several {part.of}s with a {part.kind.name}",
            value=len(found),
            remedy=f"Give {part.flag} NAME: {', '.join(found[:20])}",
        )
    if name is not None and name not in found:
        raise InputError(
            f"the plan has no {part.of} of that name with a {part.kind.name}",
            where=part.flag,
            value=name,
            remedy=suggestion(name, found),
        )
    return part.source(planned, found[0] if name is None else name)
