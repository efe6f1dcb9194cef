"""The transfers as CSV: one row a flow between two machines, in order of start."""

from __future__ import annotations

import numpy as np

from advisor.basics import csv_text
from advisor.export.export import Export
from advisor.export.planned import PLAN, Planned
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


def render(planned: Planned) -> str:
    """CSV text; a transfer starts when the task before it ends."""
    problem, plan, prediction = planned
    workload, machines = problem.workload, problem.platform.machines
    allocation, start_s = plan.allocation, prediction.end_s[workload.sources]
    rows = []
    for index in _crossing(planned):
        flow = workload.edges[index]
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


def parse(text: str) -> object:
    """Start and end of every row that such a text holds."""
    return csv_text.numbers(text, ("start_s", "end_s"))


def _says(planned: Planned) -> object:
    problem, _, prediction = planned
    start_s = prediction.end_s[problem.workload.sources]
    return tuple(
        (float(start_s[index]), float(start_s[index] + prediction.flow_s[index]))
        for index in _crossing(planned)
    )


def _crossing(planned: Planned) -> list[int]:
    """The flows between two machines, in order of start."""
    problem, plan, prediction = planned
    workload, allocation = problem.workload, np.asarray(plan.allocation)
    crossing = np.flatnonzero(allocation[workload.sources] != allocation[workload.targets])
    start_s = prediction.end_s[workload.sources[crossing]]
    return [int(index) for index in crossing[np.argsort(start_s, kind="stable")]]


EXPORT = Export("transfers-csv", "Transfers (CSV)", ".csv", PLAN, render, parse, _says)
