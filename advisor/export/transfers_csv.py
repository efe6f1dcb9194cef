"""The transfers as CSV: one row for each, in the order in which they set out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from advisor.allocation.prediction import Transfers
from advisor.basics import csv_text
from advisor.export.export_record import PLAN, Export, Planned
from advisor.export.json_answer import ratio

HEADER = (
    "item",
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
    """CSV text; ``from_task`` is empty where a file lies outside."""
    return csv_text.render(HEADER, list(_rows(planned)))


def parse(text: str) -> object:
    """Start and end of every row that such a text holds."""
    return csv_text.numbers(text, ("start_s", "end_s"))


def _says(planned: Planned) -> object:
    return tuple(
        tuple(csv_text.plain_float(float(at)) for at in row[5:7]) for row in _rows(planned)
    )


def _rows(planned: Planned) -> Iterator[tuple[str | float, ...]]:
    moved = planned.prediction.transfers
    return _alone(planned) if moved is None else _executed(planned, moved)


def _executed(planned: Planned, moved: Transfers) -> Iterator[tuple[str | float, ...]]:
    """Of the executed timeline: every transfer, a copy that several tasks read once."""
    problem, _, prediction = planned
    workload, hosts = problem.workload, problem.platform.hosts
    ends = list(workload.ends())
    critical = {ends[edge] for edge in np.flatnonzero(prediction.critical_flows).tolist()}
    for row in range(moved.source.size):
        file, flow, reader = (int(of[row]) for of in (moved.file, moved.flow, moved.reader))
        writer = int(workload.use.writer[file]) if file >= 0 else int(workload.sources[flow])
        lasted, alone = moved.arrived_s[row] - moved.left_s[row], float(moved.dedicated_s[row])
        yield (
            moved.name(workload, row),
            workload.tasks[writer].name if writer >= 0 else "",
            workload.tasks[reader].name,
            hosts[moved.source[row]],
            hosts[moved.target[row]],
            float(moved.left_s[row]),
            float(moved.arrived_s[row]),
            alone,
            ratio(float(lasted), alone),
            float(moved.size_bytes[row]),
            int((writer, reader) in critical),
        )


def _alone(planned: Planned) -> Iterator[tuple[str | float, ...]]:
    """Of the classical timeline: every flow between two machines, from its source's end."""
    problem, plan, prediction = planned
    workload, machines = problem.workload, problem.platform.machines
    allocation, start_s = np.asarray(plan.allocation), prediction.end_s[workload.sources]
    crossing = np.flatnonzero(allocation[workload.sources] != allocation[workload.targets])
    for index in crossing[np.argsort(start_s[crossing], kind="stable")].tolist():
        edge, dedicated_s = workload.edges[index], float(prediction.flow_dedicated_s[index])
        yield (
            edge.name,
            edge.source,
            edge.target,
            machines[allocation[workload.sources[index]]].name,
            machines[allocation[workload.targets[index]]].name,
            float(start_s[index]),
            float(start_s[index] + prediction.flow_s[index]),
            dedicated_s,
            ratio(float(prediction.flow_s[index]), dedicated_s),
            float(edge.size_bytes),
            int(prediction.critical_flows[index]),
        )


EXPORT = Export(
    "transfers-csv", "Transfers (CSV)", ".csv", PLAN, render, parse, _says, stem="transfers"
)
