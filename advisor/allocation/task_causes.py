"""What the time of every task goes to: fetching, its own computing, waiting, messages inside it.

Joins the costs of tasks with the split of their programs, for the bars of the board and for
their descriptions; `transfer_causes` splits what one transfer takes. Of a task that fetches in its
slot, what it takes of the transfer for which it waited longest is split as that transfer is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.allocation.costs import Costs
from advisor.allocation.prediction import Prediction, Transfers
from advisor.basics.causes import (
    CAUSES,
    COMPUTING,
    LINK_SHARING,
    LINK_WAIT,
    MEMORY_SHARING,
    PROCESSOR_WAIT,
    STARTING,
    TRANSFERRING,
)
from advisor.programs.program import PROGRAM_CAUSES
from machines.arrays import Flags, Floats, Indices

FETCHING = (TRANSFERRING, LINK_WAIT, LINK_SHARING)


@dataclass(frozen=True, eq=False)
class TaskCauses:
    """Seconds of every task by cause.

    Attributes
    ----------
    causes : tuple of str
        Those that occur, in the order of `advisor.basics.causes.CAUSES`; computing and waiting for
        the processor always.
    seconds : array (causes, tasks)
        A column sums to how long the task held its cores (`Prediction.held_s`): its time, and
        before that what it fetched in its slot.
    fetched : array (3, tasks)
        Of these, what went to fetching before the start, by `FETCHING`.
    """

    causes: tuple[str, ...]
    seconds: Floats
    fetched: Floats

    def of(self, task: int) -> dict[str, float]:
        """Cause → seconds of one task, those that take time."""
        column = self.seconds[:, task].tolist()
        return {cause: s for cause, s in zip(self.causes, column, strict=True) if s > 0}

    def segments(self, task: int) -> tuple[tuple[str, float], ...]:
        """(cause, seconds) in the order of time: fetching, starting, then the task itself."""
        fetched = dict(zip(FETCHING, self.fetched[:, task].tolist(), strict=True))
        rest = self.of(task)
        starting = rest.pop(STARTING, 0.0)
        found = [*fetched.items(), (STARTING, starting)]
        found += [(cause, seconds - fetched.get(cause, 0.0)) for cause, seconds in rest.items()]
        least = 1e-12 * sum(seconds for _, seconds in found)  # of differences, rounding
        return tuple((cause, seconds) for cause, seconds in found if seconds > least)


def task_causes(costs: Costs, prediction: Prediction) -> TaskCauses:
    """The split of every task where the plan puts it.

    Parameters
    ----------
    costs : Costs
        Of the problem that was predicted.
    prediction : Prediction

    Returns
    -------
    TaskCauses
    """
    dedicated, lasted = prediction.task_dedicated_s, prediction.task_s - prediction.overhead_s
    fetched = _fetched(prediction)
    starved = np.zeros(lasted.size) if prediction.starved_s is None else prediction.starved_s
    rows = {
        COMPUTING: dedicated.copy(),
        PROCESSOR_WAIT: np.maximum(lasted - dedicated - starved, 0.0),
        MEMORY_SHARING: starved,
        STARTING: np.full(lasted.size, prediction.overhead_s),
        **dict(zip(FETCHING, fetched.copy(), strict=True)),
    }
    # what rounding took from one cause, so that the sum holds
    rows[COMPUTING] += lasted - (rows[COMPUTING] + rows[PROCESSOR_WAIT] + starved)
    programs = costs.program_tasks
    where = np.array(prediction.plan.allocation)[programs]
    parts = costs.program_parts_s[np.arange(programs.size), where]
    for column, cause in enumerate(PROGRAM_CAUSES):
        if cause != COMPUTING and parts[:, column].any():
            rows.setdefault(cause, np.zeros(lasted.size))[programs] += parts[:, column]
            rows[COMPUTING][programs] -= parts[:, column]
    np.maximum(rows[COMPUTING], 0.0, out=rows[COMPUTING])
    always = (COMPUTING, PROCESSOR_WAIT)
    causes = tuple(one for one in CAUSES if one in rows and (one in always or rows[one].any()))
    return TaskCauses(causes, np.array([rows[cause] for cause in causes]), fetched)


def transfer_causes(transfers: Transfers, position: int) -> dict[str, float]:
    """Cause → seconds of one transfer from its departure to its arrival, those that take time.

    Parameters
    ----------
    transfers : Transfers
    position : int
        Which of them.
    """
    lasted = float(transfers.arrived_s[position] - transfers.left_s[position])
    column = _shares(transfers, np.array([position], np.int32))[:, 0] * lasted
    return {cause: s for cause, s in zip(FETCHING, column.tolist(), strict=True) if s > 0}


def _shares(transfers: Transfers, rows: Indices) -> Floats:
    """Shares of what transfers take that go to each of `FETCHING`, (3, rows)."""
    lasted = transfers.arrived_s[rows] - transfers.left_s[rows]
    alone = np.minimum(transfers.alone_s[rows], lasted)
    dedicated = np.minimum(transfers.dedicated_s[rows], alone)
    parts = np.array([dedicated, alone - dedicated, lasted - alone])
    shares: Floats = np.divide(parts, lasted, out=np.zeros_like(parts), where=lasted > 0)
    return shares


def _fetched(prediction: Prediction) -> Floats:
    """Seconds from taking the cores to the start, by `FETCHING`, (3, tasks)."""
    found = np.zeros((3, prediction.start_s.size))
    moved = prediction.transfers
    if prediction.taken_s is None or moved is None:
        return found
    waited = prediction.start_s - prediction.taken_s
    tasks = np.flatnonzero(waited > 0.0).astype(np.int32)
    if tasks.size:
        found[:, tasks] = _shares(moved, _awaited(prediction, moved, tasks)) * waited[tasks]
    return found


def _awaited(prediction: Prediction, moved: Transfers, tasks: Indices) -> Indices:
    """The transfer upon whose arrival each task began: its own, or a copy that another fetched."""
    begins = {}
    for row, (reader, target, time) in enumerate(
        zip(moved.reader.tolist(), moved.target.tolist(), moved.arrived_s.tolist(), strict=True)
    ):
        begins[-1 - reader, time] = begins[target, time] = row
    start, where = prediction.start_s, prediction.plan.allocation
    found = [
        begins.get((-1 - task, start[task]), begins.get((where[task], start[task]), -1))
        for task in tasks.tolist()
    ]
    return np.array(found, np.int32)


# Where the seconds of a plan go: by cause, inside programs, and by machine.


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
