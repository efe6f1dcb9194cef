"""The subcommand `check`: a plan carried out by another simulator, beside what is predicted."""

from __future__ import annotations

from argparse import Namespace

import numpy as np

from advisor.allocation.problem import Problem
from advisor.basics.quantities import count
from advisor.basics.units import Unit
from advisor.commands.inputs import load_kernels, read_planned, warn
from advisor.commands.interrupts import interruptible
from advisor.commands.text import columns, say, say_json
from advisor.export.simgrid.check import SimulatedPlan, check_with_simgrid

_ROWS = 40


def run_check(arguments: Namespace) -> int:
    """Simulate a plan and set its times beside the predicted ones."""
    problem, plan = read_planned(arguments.plan, arguments.workload, arguments.platform)
    load_kernels(problem)
    with interruptible() as stopped:
        found = check_with_simgrid(problem, plan, should_stop=stopped)
    if found is None:
        raise KeyboardInterrupt
    if arguments.json:
        say_json(check_report(problem, found))
        return 0
    say(found.sentence)
    if found.reason:
        say(found.reason)
    _say_tasks(problem, found)
    warn((*found.notes, *found.prediction.warnings))
    return 0


def check_report(problem: Problem, found: SimulatedPlan) -> dict[str, object]:
    """What `check --json` prints."""
    prediction, machines = found.prediction, problem.platform.machines
    tasks = {
        name: {
            "machine": machines[prediction.plan.allocation[place]].name,
            "predicted_start_s": float(prediction.start_s[place]),
            "predicted_end_s": float(prediction.end_s[place]),
            "simulated_start_s": float(found.start_s[place]),
            "simulated_end_s": float(found.end_s[place]),
        }
        for place, name in enumerate(found.names)
    }
    return {
        "simulator": found.simulator,
        "agrees": found.agrees,
        "predicted_makespan_s": prediction.makespan_s,
        "simulated_makespan_s": found.makespan_s,
        "sentence": found.sentence,
        "reason": found.reason,
        "tasks": tasks,
        "transfers": [
            {
                "item": one.item,
                "from": one.source,
                "to": one.target,
                "start_s": one.start_s,
                "end_s": one.end_s,
                "bytes": one.size_bytes,
            }
            for one in found.transfers
        ],
        "notes": list(found.notes),
        "warnings": list(prediction.warnings),
    }


def _say_tasks(problem: Problem, found: SimulatedPlan) -> None:
    """The tasks that differ most, or in the order of their ends where none does."""
    predicted_s, apart_s = found.prediction.end_s, found.difference_s
    by = found.end_s if found.agrees else -np.abs(apart_s)
    order = np.lexsort((np.arange(len(by)), by)).tolist()
    place, machines = found.prediction.plan.allocation, problem.platform.machines
    listed = order[:_ROWS]
    unit = Unit.of_times(predicted_s[listed], found.end_s[listed])
    apart = unit if found.agrees else Unit.of_times(apart_s[listed])
    rows = [
        (
            found.names[task],
            machines[place[task]].name,
            unit.text(float(predicted_s[task])),
            unit.text(float(found.end_s[task])),
            apart.signed(float(apart_s[task])),
        )
        for task in listed
    ]
    header = ("task", "machine", "predicted end", "simulated end", "difference")
    say("", columns(header, rows, "llrrr"))
    if len(order) > _ROWS:
        say("", f"… and {count(len(order) - _ROWS, 'more task', 'more tasks')}; --json gives all.")
