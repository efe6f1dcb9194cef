"""What is to run: tasks with their costs, and the flows and files that order them.

Frozen values. A workload is a directed acyclic graph of its `edges`: stated flows, and what files
carry from the task that makes them to those that read them. `sources`, `targets` and
`topological_order` give it as arrays for the kernels.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from advisor.allocation.data_files import DataFile, FileUse, TaskFiles, file_use
from advisor.allocation.task import Flow, Task
from advisor.basics.pickled_columns import InColumns
from advisor.overlays.overlay import Overlay
from machines.arrays import Floats, Indices
from machines.checks import plain_name, repeated
from machines.default_spreads import UNSTATED, Spreads
from machines.errors import InputError

__all__ = ["Flow", "Task", "Workload", "replaced_at"]

T = TypeVar("T")
_PRICED = (
    "scalable",
    "variable",
    "edges",
    "edge_bytes",
)  # derived from costs, which a twin may have others of


@dataclass(frozen=True)
class Workload(InColumns):
    """Tasks, flows, files and overlays, validated: unique names, known ends, no cycle.

    Between two tasks there is one flow; overlays are trees of processes beside the tasks.

    Raises
    ------
    InputError
        Naming the task, flow, file or cycle.
    """

    name: str
    tasks: tuple[Task, ...]
    flows: tuple[Flow, ...] = ()
    files: tuple[DataFile, ...] = ()
    overlays: tuple[Overlay, ...] = ()
    spread: Spreads = UNSTATED

    def __post_init__(self) -> None:
        if not self.tasks:
            raise InputError("a workload needs at least one task", where=f'workload "{self.name}"')
        plain_name("name", self.name, where="workload", empty=True)
        if len(self.index) != len(self.tasks):
            twice = repeated(task.name for task in self.tasks)
            raise InputError("two tasks have one name", where="task", value=twice)
        try:
            _ = self.sources, self.targets
        except KeyError as error:
            (end,) = error.args
            flow = next(one for one in self.flows if end in (one.source, one.target))
            raise InputError("unknown task", where=f"flow {flow.name}", value=end) from None
        stated = len(self.flows)
        pairs = self.sources[:stated].astype(np.int64) * len(self.tasks) + self.targets[:stated]
        _, firsts = np.unique(pairs, return_index=True)
        if firsts.size < pairs.size:
            again = np.setdiff1d(np.arange(pairs.size), firsts)[0]
            raise InputError(
                "two flows join this pair",
                where=f"flow {self.flows[again].name}",
                remedy="Put both into one flow's data_sets",
            )
        _refuse_repeated(self.overlays)
        _ = self.topological_order

    def with_task(self, position: int, task: Task) -> Workload:
        """The workload with another task there; quick when its name and files stay."""
        tasks = replaced_at(self.tasks, position, task)
        old = self.tasks[position]
        if (old.name, old.reads, old.writes) == (task.name, task.reads, task.writes):
            return self.repriced(tasks, self.flows)
        return replace(self, tasks=tasks)

    def with_flow(self, position: int, flow: Flow) -> Workload:
        """The workload with another flow there; quick when its ends stay, as the graph does."""
        old = self.flows[position]
        flows = replaced_at(self.flows, position, flow)
        if (old.source, old.target) == (flow.source, flow.target):
            return self.repriced(self.tasks, flows)
        return replace(self, flows=flows)

    def with_files(self, files: tuple[DataFile, ...]) -> Workload:
        """The workload with other files."""
        return replace(self, files=files)

    def with_spread(self, spread: Spreads) -> Workload:
        """The same tasks with other defaults of how far their times are from known exactly."""
        return self._twin(spread=spread)

    def with_overlays(self, overlays: tuple[Overlay, ...]) -> Workload:
        """The same tasks beside other overlays."""
        _refuse_repeated(overlays)
        return self._twin(overlays=overlays)

    def repriced(self, tasks: tuple[Task, ...], flows: tuple[Flow, ...]) -> Workload:
        """The same graph at other costs: names, ends and files must be as they are, unchecked."""
        return self._twin(tasks=tasks, flows=flows)

    def at(self, processors: Sequence[int]) -> Workload:
        """The ordinary workload in which every scalable task takes its entry of `processors`."""
        tasks = list(self.tasks)
        for position in self.scalable:
            tasks[position] = tasks[position].on(processors[position])
        return self._twin(tasks=tuple(tasks), scalable=())

    def in_variants(self, variants: Sequence[int]) -> Workload:
        """The workload in which every task runs in its entry of `variants`."""
        tasks = list(self.tasks)
        for position in self.variable:
            tasks[position] = tasks[position].in_variant(variants[position])
        return self._twin(tasks=tuple(tasks), variable=())

    def renamed(self, name: str) -> Workload:
        """The same workload under another name."""
        return self._twin(name=name)

    def _twin(self, **changed: object) -> Workload:
        twin = object.__new__(Workload)
        kept = {name: value for name, value in self.__dict__.items() if name not in _PRICED}
        twin.__dict__.update(kept | changed)
        return twin

    @cached_property
    def scalable(self) -> tuple[int, ...]:
        """Positions of the tasks whose number of processors a plan chooses."""
        return tuple(place for place, task in enumerate(self.tasks) if task.scaling is not None)

    @cached_property
    def variable(self) -> tuple[int, ...]:
        """Positions of the tasks whose variant a plan chooses."""
        return tuple(place for place, task in enumerate(self.tasks) if task.variants)

    @property
    def settled(self) -> bool:
        """Whether a plan decides no more of its tasks than machine, order and programs."""
        return not (self.scalable or self.variable)

    @cached_property
    def index(self) -> dict[str, int]:
        """Task name → position."""
        return {task.name: position for position, task in enumerate(self.tasks)}

    @cached_property
    def use(self) -> FileUse:
        """Who makes and who reads the files."""
        return file_use(
            self.files, [TaskFiles(task.name, task.reads, task.writes) for task in self.tasks]
        )

    @cached_property
    def outside(self) -> tuple[int, ...]:
        """Positions of the files that no task makes."""
        return tuple(np.flatnonzero(self.use.writer < 0).tolist())

    @cached_property
    def edges(self) -> tuple[Flow, ...]:
        """All that tasks hand to one another: stated flows, then one for each writer and reader.

        Those of files in the order of `use.pairs`, each file one data set; edge position <
        len(flows): that stated flow.
        """
        return self.flows + self._by_files

    @cached_property
    def _by_files(self) -> tuple[Flow, ...]:
        """The edges of `use.pairs`."""
        tasks, files = self.tasks, self.files
        return tuple(
            Flow(
                tasks[source].name,
                tasks[target].name,
                tuple((1, files[file].size_bytes) for file in carried if files[file].size_bytes),
            )
            for source, target, carried in self.use.pairs
        )

    @cached_property
    def edge_bytes(self) -> Floats:
        """All bytes of every edge, shape (edges,)."""
        use = self.use
        sizes = np.array([file.size_bytes for file in self.files])[use.carried]
        pair = np.repeat(np.arange(use.source.size), np.diff(use.first))
        carried = np.bincount(pair, weights=sizes, minlength=use.source.size)
        stated = np.array([flow.size_bytes for flow in self.flows], dtype=np.float64)
        found: Floats = np.concatenate((stated, carried))
        found.flags.writeable = False
        return found

    def carried(self, edge: int) -> tuple[int, ...]:
        """Positions of the files that an edge carries; none of a stated flow."""
        position = edge - len(self.flows)
        return self.use.files(position) if position >= 0 else ()

    @cached_property
    def sources(self) -> Indices:
        """Position of every edge's source task, shape (edges,)."""
        stated = _frozen([self.index[flow.source] for flow in self.flows])
        return _joined(stated, self.use.source)

    @cached_property
    def targets(self) -> Indices:
        """Position of every edge's target task, shape (edges,)."""
        stated = _frozen([self.index[flow.target] for flow in self.flows])
        return _joined(stated, self.use.target)

    def ends(self) -> Iterator[tuple[int, int]]:
        """(source, target) of every edge: task positions."""
        return zip(self.sources.tolist(), self.targets.tolist(), strict=True)

    @cached_property
    def topological_order(self) -> Indices:
        """Task positions, every edge's source before its target; ties by position."""
        children: list[list[int]] = [[] for _ in self.tasks]
        waiting = [0] * len(self.tasks)
        for source, target in self.ends():
            children[source].append(target)
            waiting[target] += 1
        order = [task for task, count in enumerate(waiting) if count == 0]
        for task in order:
            for child in children[task]:
                waiting[child] -= 1
                if waiting[child] == 0:
                    order.append(child)
        if len(order) < len(self.tasks):
            raise self._cyclic(cycle_among(children, waiting))
        return _frozen(order)

    def _cyclic(self, cycle: list[int]) -> InputError:
        """What to say of a cycle of tasks: the files that close it, if any do."""
        names = " → ".join(self.tasks[task].name for task in cycle[:12])
        stated = {(flow.source, flow.target) for flow in self.flows}
        ends = {(source, target): files for source, target, files in self.use.pairs}
        carried = [
            self.files[ends[pair][0]].name
            for pair in itertools.pairwise(cycle)
            if (self.tasks[pair[0]].name, self.tasks[pair[1]].name) not in stated
        ]
        if not carried:
            return InputError(
                "the flows form a cycle", where=names, remedy="Remove one of these flows"
            )
        return InputError(
            "the files form a cycle",
            where=names,
            value=", ".join(carried[:12]),
            remedy="Let one of these tasks read another file",
        )


def _refuse_repeated(overlays: tuple[Overlay, ...]) -> None:
    twice = repeated(overlay.name for overlay in overlays)
    if twice is not None:
        raise InputError("two overlays have one name", where="overlay", value=twice)


def replaced_at(values: tuple[T, ...], position: int, value: T) -> tuple[T, ...]:
    """The values with another one at `position`."""
    return (*values[:position], value, *values[position + 1 :])


def _joined(stated: Indices, more: Indices) -> Indices:
    """Both, one after the other; read-only."""
    if not more.size:
        return stated
    array = np.concatenate((stated, more))
    array.flags.writeable = False
    return array


def _frozen(values: list[int]) -> Indices:
    array = np.array(values, dtype=np.int32)
    array.flags.writeable = False
    return array


def cycle_among(children: list[list[int]], waiting: list[int]) -> list[int]:
    """One cycle among the tasks that topological sorting could not reach."""
    parent = {}
    for task, count in enumerate(waiting):
        if count > 0:
            for child in children[task]:
                if waiting[child] > 0:
                    parent[child] = task
    task = next(iter(parent))
    seen: dict[int, int] = {}
    walk: list[int] = []
    while task not in seen:
        seen[task] = len(walk)
        walk.append(task)
        task = parent[task]
    return [*walk[seen[task] :], task][::-1]
