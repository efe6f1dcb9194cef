"""The schedule as CSV: one row a task, in order of start."""

from __future__ import annotations

import numpy as np

from advisor.export import csv_text
from advisor.plan import Plan
from advisor.prediction import Prediction
from advisor.problem import Problem
from advisor.report import ratio

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
