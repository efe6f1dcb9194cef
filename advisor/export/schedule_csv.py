"""The schedule as CSV: one row a task, in order of start."""

from __future__ import annotations

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.basics import csv_text
from advisor.export.report import ratio

HEADER = ("task", "machine", "start_s", "end_s", "dedicated_s", "slowdown", "cores", "critical")


def render(problem: Problem, plan: Plan, prediction: Prediction) -> str:
    """CSV text; `critical` is 1 on the critical path."""
    tasks = problem.at(plan.processors).workload.tasks
    machines = problem.platform.machines
    rows = []
    for index in np.argsort(prediction.start_s, kind="stable").tolist():
        dedicated_s = float(prediction.task_dedicated_s[index])
        rows.append(
            (
                tasks[index].name,
                machines[plan.allocation[index]].name,
                float(prediction.start_s[index]),
                float(prediction.end_s[index]),
                dedicated_s,
                ratio(float(prediction.task_s[index]), dedicated_s),
                tasks[index].cores,
                int(prediction.critical[index]),
            )
        )
    return csv_text.render(HEADER, rows)
