"""The schedule as CSV: one row a task, in order of start.

What a plan decides about variants and programs has columns behind the others, where a task leaves
such choices.
"""

from __future__ import annotations

import numpy as np

from advisor.allocation.choices import choosable
from advisor.allocation.prediction import Prediction
from advisor.basics import csv_text
from advisor.decisions.registry import DECISIONS
from advisor.decisions.variant_decision import VARIANT
from advisor.export.export_record import PLAN, Export, Planned
from advisor.export.json_answer import ratio

HEADER = ("task", "machine", "start_s", "end_s", "dedicated_s", "slowdown", "cores", "critical")


def render(planned: Planned) -> str:
    """CSV text; `critical` is 1 on the critical path."""
    problem, plan, prediction = planned
    tasks = problem.settled(plan).workload.tasks
    machines = problem.platform.machines
    chosen = _chosen(planned)
    rows: list[tuple[csv_text.Cell, ...]] = []
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
                *(words.get(index, "") for words in chosen.values()),
            )
        )
    return csv_text.render((*HEADER, *chosen), rows)


def _chosen(planned: Planned) -> dict[str, dict[int, str]]:
    """{kind of choice: {task: in words}} of what may be chosen about variants and programs."""
    problem, plan, _ = planned
    names = {one.name for task in problem.workload.tasks for one in choosable(task)}
    if problem.workload.variable:
        names.add(VARIANT.name)
    return {
        kind.name: {
            task: kind.words(problem, task, value)
            for task, value in kind.values(problem, plan).items()
        }
        for kind in DECISIONS
        if kind.name in names
    }


def parse(text: str) -> object:
    """Start and end of every row that such a text holds."""
    return csv_text.numbers(text, ("start_s", "end_s"))


def _says(planned: Planned) -> object:
    _, _, prediction = planned
    return tuple(
        tuple(csv_text.plain_float(at[index]) for at in (prediction.start_s, prediction.end_s))
        for index in _by_start(prediction)
    )


def _by_start(prediction: Prediction) -> list[int]:
    return [int(index) for index in np.argsort(prediction.start_s, kind="stable")]


EXPORT = Export(
    "csv", "Schedule of the tasks (CSV)", ".csv", PLAN, render, parse, _says, stem="schedule"
)
