"""The schedule as CSV: one row a task, in order of start."""

from __future__ import annotations

import numpy as np

from advisor.allocation.prediction import Prediction
from advisor.basics import csv_text
from advisor.export.export import Export
from advisor.export.planned import PLAN, Planned
from advisor.export.report import ratio

HEADER = ("task", "machine", "start_s", "end_s", "dedicated_s", "slowdown", "cores", "critical")


def render(planned: Planned) -> str:
    """CSV text; `critical` is 1 on the critical path."""
    problem, plan, prediction = planned
    tasks = problem.settled(plan).workload.tasks
    machines = problem.platform.machines
    rows = []
    for index in _by_start(prediction):
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


def parse(text: str) -> object:
    """Start and end of every row that such a text holds."""
    return csv_text.numbers(text, ("start_s", "end_s"))


def _says(planned: Planned) -> object:
    _, _, prediction = planned
    return tuple(
        (float(prediction.start_s[index]), float(prediction.end_s[index]))
        for index in _by_start(prediction)
    )


def _by_start(prediction: Prediction) -> list[int]:
    return [int(index) for index in np.argsort(prediction.start_s, kind="stable")]


EXPORT = Export("csv", "Schedule of the tasks (CSV)", ".csv", PLAN, render, parse, _says)
