"""The transfers as CSV: one row a flow between two machines, in order of start."""

from __future__ import annotations

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.basics import csv_text
from advisor.export.report import ratio

HEADER = (
    "from_task",
    "to_task",
    "from_machine",
    "to_machine",
    "start_s",
    "end_s",
    "dedicated_s",
    "slowdown",
    "bytes",
    "critical",
)


def render(problem: Problem, plan: Plan, prediction: Prediction) -> str:
    """CSV text; a transfer starts when the task before it ends."""
    workload, machines = problem.workload, problem.platform.machines
    allocation = np.asarray(plan.allocation)
    crossing = np.flatnonzero(allocation[workload.sources] != allocation[workload.targets])
    start_s = prediction.end_s[workload.sources]
    rows = []
    for index in crossing[np.argsort(start_s[crossing], kind="stable")].tolist():
        flow = workload.flows[index]
        dedicated_s = float(prediction.flow_dedicated_s[index])
        rows.append(
            (
                flow.source,
                flow.target,
                machines[allocation[workload.sources[index]]].name,
                machines[allocation[workload.targets[index]]].name,
                float(start_s[index]),
                float(start_s[index] + prediction.flow_s[index]),
                dedicated_s,
                ratio(float(prediction.flow_s[index]), dedicated_s),
                float(flow.size_bytes),
                int(prediction.critical_flows[index]),
            )
        )
    return csv_text.render(HEADER, rows)
