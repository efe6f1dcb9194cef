"""What a plan holds for exports of other kinds: a mapping for each task, a tree for each overlay.

What a program's processes and an overlay's tree are is told by the plan as it is settled; defaults
count as decisions, for they are what would run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from advisor.decisions.tree import trees_of
from advisor.export.export import Kind
from advisor.export.placement import MAPPING
from advisor.export.planned import Planned
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
    sources : callable
        planned → {name of that task or overlay: source}.
    lack : str
        What to do where a plan holds none.
    """

    kind: Kind[Any]
    of: str
    sources: Callable[[Planned], Mapping[str, Any]]
    lack: str

    @property
    def flag(self) -> str:
        """The argument on the command line."""
        return f"--{self.of}"


def mappings(planned: Planned) -> dict[str, NamedMapping]:
    """The mapping of every task whose program runs on the nodes of its machine."""
    settled = planned.problem.settled(planned.plan)
    found = {}
    for task, place in zip(settled.workload.tasks, planned.plan.allocation, strict=True):
        program, machine = task.program, settled.platform.machines[place]
        if isinstance(program, MessageProgram) and machine.network is not None:
            places = program.places(machine.network)
            found[task.name] = NamedMapping(machine.network.network, places, machine=machine.name)
    return found


def trees(planned: Planned) -> dict[str, FoundTree]:
    """The tree of every overlay on the machines that the plan gives its processes."""
    problem, plan = planned.problem, planned.plan
    return {
        overlay.name: FoundTree(tree.tree, overlay.name, placed_tree(overlay, tree))
        for overlay, tree in zip(problem.workload.overlays, trees_of(problem, plan), strict=True)
    }


PARTS = (
    Part(
        MAPPING, "task", mappings,
        "Only programs of messages on machines with a network have their processes on nodes",
    ),
    Part(TREE, "overlay", trees, "Give the workload an [[overlay]]"),
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
    found = part.sources(planned)
    if not found:
        raise InputError(
            f"the plan has no {part.of} with a {part.kind.name}",
            remedy=part.lack,
        )
    if name is None and len(found) > 1:
        raise InputError(
            f"the plan has several {part.of}s with a {part.kind.name}",
            value=len(found),
            remedy=f"Give {part.flag} NAME: {', '.join(list(found)[:20])}",
        )
    if name is not None and name not in found:
        raise InputError(
            f"the plan has no {part.of} of that name with a {part.kind.name}",
            where=part.flag,
            value=name,
            remedy=suggestion(name, found),
        )
    return found[next(iter(found)) if name is None else name]
