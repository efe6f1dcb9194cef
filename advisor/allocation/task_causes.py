"""What the time of every task goes to: its own computing, waiting, and the messages inside it.

Joins the costs of tasks with the split of their programs, for the bars of the board and for
their descriptions; `advisor.allocation.predict` sums the same by cause.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.allocation.costs import Costs
from advisor.allocation.prediction import Prediction
from advisor.basics.causes import CAUSES, COMPUTING, PROCESSOR_WAIT
from advisor.programs.costs import PROGRAM_CAUSES
from machines.arrays import Floats


@dataclass(frozen=True, eq=False)
class TaskCauses:
    """Seconds of every task by cause.

    Attributes
    ----------
    causes : tuple of str
        Those that occur, in the order of `advisor.basics.causes.CAUSES`; computing and waiting for
        the processor always.
    seconds : array (causes, tasks)
        A column sums to the task's time.
    """

    causes: tuple[str, ...]
    seconds: Floats

    def of(self, task: int) -> dict[str, float]:
        """Cause → seconds of one task, those that take time."""
        column = self.seconds[:, task].tolist()
        return {cause: s for cause, s in zip(self.causes, column, strict=True) if s > 0}


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
    waiting = np.maximum(prediction.task_s - prediction.task_dedicated_s, 0.0)
    rows = {COMPUTING: prediction.task_dedicated_s.copy(), PROCESSOR_WAIT: waiting}
    programs = costs.program_tasks
    where = np.array(prediction.plan.allocation)[programs]
    parts = costs.program_parts_s[np.arange(programs.size), where]
    for column, cause in enumerate(PROGRAM_CAUSES):
        if cause != COMPUTING and parts[:, column].any():
            rows.setdefault(cause, np.zeros(waiting.size))[programs] += parts[:, column]
            rows[COMPUTING][programs] -= parts[:, column]
    np.maximum(rows[COMPUTING], 0.0, out=rows[COMPUTING])
    causes = tuple(cause for cause in CAUSES if cause in rows)
    return TaskCauses(causes, np.array([rows[cause] for cause in causes]))
