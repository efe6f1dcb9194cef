"""Where the seconds of a plan go: by cause, inside programs, and by machine."""

from __future__ import annotations

import numpy as np

from advisor.allocation.costs import Costs
from advisor.basics.causes import COMPUTING, LINK_WAIT, PROCESSOR_WAIT, TRANSFERRING
from advisor.programs.program import PROGRAM_CAUSES
from machines.arrays import Flags, Floats, Indices


def marked(positions: Indices | list[int], size: int) -> Flags:
    """Which of `size` positions are among some."""
    marks = np.zeros(size, dtype=np.bool_)
    marks[positions] = True
    return marks


def by_cause(
    task_s: Floats,
    task_dedicated_s: Floats,
    flow_s: Floats,
    flow_dedicated_s: Floats,
    inside: dict[str, float],
) -> dict[str, float]:
    """Cause → seconds: what takes long by itself, and what contention adds.

    `inside` is what the dedicated time of parallel programs goes to beside computing.
    """
    alone, transferring = float(task_dedicated_s.sum()), float(flow_dedicated_s.sum())
    found = {
        COMPUTING: max(0.0, alone - sum(inside.values())),
        PROCESSOR_WAIT: max(0.0, float(task_s.sum()) - alone),
        TRANSFERRING: transferring,
        LINK_WAIT: max(0.0, float(flow_s.sum()) - transferring),
    }
    for cause, seconds in inside.items():
        found[cause] = found.get(cause, 0.0) + seconds
    return found


def add_transfers(spent: dict[str, float], seconds: float, alone: float) -> None:
    """Count transfers, which take `seconds` and would take `alone` on free links."""
    spent[TRANSFERRING] += float(alone)
    spent[LINK_WAIT] += max(0.0, float(seconds - alone))


def inside_programs(costs: Costs, allocation: Indices, tasks: Indices) -> dict[str, float]:
    """Cause → seconds beside computing that the programs among `tasks` spend; empty without any."""
    rows = np.flatnonzero(np.isin(costs.program_tasks, tasks))
    if not rows.size:
        return {}
    parts = costs.program_parts_s[rows, allocation[costs.program_tasks[rows]]].sum(axis=0)
    spent = dict(zip(PROGRAM_CAUSES, parts.tolist(), strict=True))
    return {cause: seconds for cause, seconds in spent.items() if cause != COMPUTING}


def utilisation(costs: Costs, allocation: Indices, task_s: Floats, makespan_s: float) -> Floats:
    """Busy core time over cores × makespan, by machine; 0 of a makespan of 0."""
    machines = costs.machine_cores.size
    busy = np.bincount(allocation, task_s * costs.task_cores, minlength=machines)
    available = costs.machine_cores * makespan_s
    share: Floats = np.divide(busy, available, out=np.zeros(machines), where=available > 0)
    return share
