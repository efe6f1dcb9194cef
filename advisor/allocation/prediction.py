"""What will happen: the predicted schedule of one plan, its totals, causes and bounds."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Workload
from machines.arrays import Flags, Floats, Indices, Ints


@dataclass(frozen=True, eq=False)
class Transfers:
    """Everything that moved, in the order in which it set out; arrays (transfers,).

    Attributes
    ----------
    flow, file : int32
        Position of the stated flow, or of the workload's file; else -1.
    reader : int32
        The task for which it was sent; others on that machine may have read the same copy.
    slot : int64
        Which reader of which item that is among the arrays that are carried out.
    source, target : int32
        Hosts (`Platform.hosts`).
    left_s, moved_s, arrived_s : float
        When it set out, when its bytes began to move, and when it was there.
    size_bytes, dedicated_s, alone_s : float
        Its bytes; its time on an idle network, and beside contenders but no other transfer.
    """

    flow: Indices
    file: Indices
    reader: Indices
    slot: Ints
    source: Indices
    target: Indices
    left_s: Floats
    moved_s: Floats
    arrived_s: Floats
    size_bytes: Floats
    dedicated_s: Floats
    alone_s: Floats

    def name(self, workload: Workload, row: int) -> str:
        """The file that moved, or the flow that it is the data of."""
        if self.file[row] >= 0:
            return workload.files[int(self.file[row])].name
        return workload.flows[int(self.flow[row])].name


@dataclass(frozen=True, eq=False)
class ResourceUse:
    """What moved through a link, one of its directions, or a switch.

    Attributes
    ----------
    name : str
        As of `machines.sharing.Resource`.
    capacity : float
        Bytes/s that contenders leave.
    size_bytes : float
        What moved through it.
    busy_share : float
        Of the time until the makespan: its mean load, bytes / (capacity · makespan).
    time_s, load : arrays (changes,)
        From each time on, what share of the capacity is used.
    """

    name: str
    capacity: float
    size_bytes: float
    busy_share: float
    time_s: Floats
    load: Floats


@dataclass(frozen=True, eq=False)
class Prediction:
    """The timeline of a plan; all times in seconds from the start of the first task.

    Attributes
    ----------
    start_s, end_s : array (tasks,)
        Start and end of every task.
    task_dedicated_s, task_s : array (tasks,)
        Duration on its machine alone, and under contention.
    flow_dedicated_s, flow_s : array (flows,)
        The same of every flow; 0 between tasks on one machine.
    critical : bool array (tasks,)
        Tasks on the critical path: a chain of tasks without slack that ends at the makespan.
    critical_flows : bool array (flows,)
        Flows on that chain.
    makespan_s, total_s : float
        The last end; the sum of all task and transfer times.
    breakdown_s : dict
        Cause (`advisor.basics.causes`) → seconds; sums to `total_s`.
    critical_breakdown_s : dict
        Cause, or "idle", → seconds along the critical path; sums to `makespan_s`.
    utilisation : array (machines,)
        Busy core time over cores × makespan.
    lower_bounds_s : dict
        Objective → proved lower bound over all plans.
    warnings : tuple of str
        Validity notes.
    sharing : {"fair", "none"}
        Which timeline it is.
    overhead_s : float
        How much of every task's duration is the runtime's overhead.
    taken_s : array (tasks,) or None
        When every task took its cores, where that is before its start: it fetched its data first.
    engine_s : array (tasks,) or None
        How long every task waited for the engine alone, where that takes time.
    starved_s : array (tasks,) or None
        What every task lost to others that moved memory, where some machine is short of that.
    endless_s : float or None
        What the plan would take without network contention, where each transfer has it to itself;
        ``None`` where that is the makespan by definition.
    transfers : Transfers or None
        What moved between machines and stores, when; ``None``: as the flows say.
    critical_transfers : bool array (transfers,) or None
        Those on the critical path.
    resources : tuple of ResourceUse
        What transfers shared, and its load.
    """

    plan: Plan
    start_s: Floats
    end_s: Floats
    task_dedicated_s: Floats
    task_s: Floats
    flow_dedicated_s: Floats
    flow_s: Floats
    critical: Flags
    critical_flows: Flags
    makespan_s: float
    total_s: float
    breakdown_s: dict[str, float]
    critical_breakdown_s: dict[str, float]
    utilisation: Floats
    lower_bounds_s: dict[str, float]
    warnings: tuple[str, ...] = field(default=())
    sharing: str = NONE
    overhead_s: float = 0.0
    taken_s: Floats | None = None
    engine_s: Floats | None = None
    starved_s: Floats | None = None
    endless_s: float | None = None
    transfers: Transfers | None = None
    critical_transfers: Flags | None = None
    resources: tuple[ResourceUse, ...] = ()

    def value_s(self, objective: str) -> float:
        """The makespan or the total."""
        return self.makespan_s if objective == MAKESPAN else self.total_s

    @property
    def held_s(self) -> Floats:
        """How long every task held its cores: what it fetched in its slot, then its duration."""
        return self.task_s if self.taken_s is None else self.end_s - self.taken_s

    @property
    def busiest(self) -> ResourceUse | None:
        """The link, direction or switch of the greatest mean load; None: nothing was shared."""
        used = [one for one in self.resources if one.size_bytes > 0.0]
        return max(used, key=lambda one: one.busy_share, default=None)

    def gap(self, objective: str, bound_s: float = 0.0) -> float:
        """value/bound − 1; 0 where both are 0. `bound_s`: one that was proved by a search."""
        bound = max(self.lower_bounds_s[objective], bound_s)
        value = self.value_s(objective)
        return value / bound - 1.0 if bound > 0 else (0.0 if value <= 0 else float("inf"))


# What crosses a link, a switch or a store, and when: rows of a prediction's transfers.


def crossing_links(problem: Problem, moved: Transfers, links: Collection[int]) -> Ints:
    """Rows of the transfers whose route takes one of these links, as they set out.

    Parameters
    ----------
    problem : Problem
        Whose platform's links are meant, by position.
    moved : Transfers
        Of a prediction of it.
    """
    table = problem.costs.between.table
    takes = np.isin(table.codes // 2, list(links))
    before = np.concatenate([[0], np.cumsum(takes)])
    crosses = before[table.begin[1:]] > before[table.begin[:-1]]
    route = moved.source.astype(np.int64) * table.hosts + moved.target
    flowed = moved.arrived_s > moved.left_s
    return np.flatnonzero(crosses[route] & flowed)


def links_of(problem: Problem, name: str) -> tuple[int, ...]:
    """Positions of the links that end at a machine, switch or store."""
    links = problem.platform.links
    return tuple(place for place, link in enumerate(links) if name in link.ends)
