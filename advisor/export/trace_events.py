"""The timeline as trace events, which Perfetto and chrome://tracing draw.

A machine is a process, a core a thread; a transfer between machines is an arrow. Times are in
microseconds. A task on several cores is drawn on the first of them.
"""

from __future__ import annotations

import heapq

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.variants import variants_table
from advisor.basics import json_text
from advisor.export.export_record import PLAN, Export, Planned

_MICRO = 1e6

Event = dict[str, object]


def render(planned: Planned) -> str:
    """JSON text in the trace event format."""
    problem, plan, prediction = planned
    events = _machines(problem)
    rows = _rows(problem, plan, prediction)
    chosen = problem.variants_of(plan) if problem.workload.variable else ()
    variants = variants_table(chosen, problem.workload)
    for task, described in enumerate(problem.settled(plan).workload.tasks):
        start_s, end_s = float(prediction.start_s[task]), float(prediction.end_s[task])
        events.append(
            {
                "name": described.name,
                "cat": described.group,
                "ph": "X",
                "pid": plan.allocation[task],
                "tid": rows[task],
                "ts": start_s * _MICRO,
                "dur": (end_s - start_s) * _MICRO,
                "args": {
                    "dedicated_s": float(prediction.task_dedicated_s[task]),
                    "cores": described.cores,
                    "critical": bool(prediction.critical[task]),
                    **({"variant": variants[described.name]} if described.name in variants else {}),
                },
            }
        )
    events += _arrows(problem, plan, prediction, rows)
    return json_text.dump_rows({"displayTimeUnit": "ms", "traceEvents": events})


def _machines(problem: Problem) -> list[Event]:
    return [
        {"name": "process_name", "ph": "M", "pid": position, "args": {"name": machine.name}}
        for position, machine in enumerate(problem.platform.machines)
    ]


def _rows(problem: Problem, plan: Plan, prediction: Prediction) -> list[int]:
    """The row of every task on its machine: the lowest that is free when it starts."""
    rows = [0] * len(plan.allocation)
    free: list[list[int]] = [[] for _ in problem.platform.machines]
    busy: list[list[tuple[float, int]]] = [[] for _ in problem.platform.machines]
    for task in np.lexsort((prediction.end_s, prediction.start_s)).tolist():
        machine = plan.allocation[task]
        while busy[machine] and busy[machine][0][0] <= prediction.start_s[task]:
            heapq.heappush(free[machine], heapq.heappop(busy[machine])[1])
        used = len(free[machine]) + len(busy[machine])
        rows[task] = heapq.heappop(free[machine]) if free[machine] else used
        heapq.heappush(busy[machine], (float(prediction.end_s[task]), rows[task]))
    return rows


def _arrows(problem: Problem, plan: Plan, prediction: Prediction, rows: list[int]) -> list[Event]:
    """Two events, its start and its end, for every flow between two machines."""
    workload = problem.workload
    events: list[Event] = []
    ends = workload.ends()
    for flow, (source, target) in enumerate(ends):
        if plan.allocation[source] == plan.allocation[target]:
            continue
        moments = (
            ("s", source, float(prediction.end_s[source])),
            ("f", target, float(prediction.start_s[target])),
        )
        for phase, task, moment_s in moments:
            event: Event = {"name": "transfer", "cat": "flow", "id": flow, "ph": phase}
            event |= {"pid": plan.allocation[task], "tid": rows[task], "ts": moment_s * _MICRO}
            events.append(event if phase == "s" else event | {"bp": "e"})
    return events


def parse(text: str) -> object:
    """Start and duration of every task that such a text draws, in µs."""
    events = json_text.parse(text.encode(), "trace")["traceEvents"]  # type: ignore[index]
    return tuple((event["ts"], event["dur"]) for event in events if event["ph"] == "X")


def _says(planned: Planned) -> object:
    _, _, prediction = planned
    times = zip(prediction.start_s.tolist(), prediction.end_s.tolist(), strict=True)
    return tuple((start_s * _MICRO, (end_s - start_s) * _MICRO) for start_s, end_s in times)


EXPORT = Export(
    "trace", "Timeline (trace events, for Perfetto)", ".json", PLAN, render, parse, _says,
    stem="timeline",
)  # fmt: skip
