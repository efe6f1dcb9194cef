"""What memory and resources limit: how full they are, and what one more of them would save."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.advice.assumptions import with_units
from advisor.advice.kept_decisions import MOST_VARIED
from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import MAKESPAN, SPREAD, WITHIN
from advisor.allocation.peaks import Peak, peaks
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.basics.quantities import count, duration, percent, size
from advisor.search.portfolio import advise
from machines import InfeasibleError, InputError
from machines.resources import CORES, MEMORY

_BUSY = 0.5  # share of the time from which on a resource is told of
_NOTHING = 1e-3  # share of the makespan below which a saving is none
MORE_SECONDS = 0.2  # of effort for a plan with one more unit
_TRIED = 2  # resources, the fullest first


def held_sentence(problem: Problem, prediction: Prediction) -> str:
    """Which resources are the bottleneck, who waits for memory; empty: none, and nobody."""
    if prediction.makespan_s <= 0.0:
        return ""
    found = [one for one in peaks(problem, prediction) if one.kind != CORES]
    memory = [one for one in found if one.kind == MEMORY and np.isfinite(one.count)]
    full = [one for one in found if one.kind != MEMORY and _busy(one, prediction) >= _BUSY]
    full.sort(key=lambda one: -_busy(one, prediction))
    said = [_of_resource(problem, prediction, one) for one in full[:_TRIED]]
    said += [_of_memory(problem, prediction, one) for one in memory]
    return " ".join(one for one in said if one)


def _busy(peak: Peak, prediction: Prediction) -> float:
    """The mean share of a kind that is held until the makespan."""
    held_s = float((peak.level[:-1] * np.diff(peak.time_s)).sum())
    return held_s / (peak.count * prediction.makespan_s)


def _of_resource(problem: Problem, prediction: Prediction, peak: Peak) -> str:
    workload = problem.settled(prediction.plan).workload
    holds = [peak.kind in dict(task.resources) for task in workload.tasks]
    here = [
        held and peak.machine in {None, machine}
        for held, machine in zip(holds, prediction.plan.allocation, strict=True)
    ]
    owner = "" if peak.machine is None else f" of {problem.platform.machines[peak.machine].name}"
    tasks = len(holds)
    verb = "holds" if sum(here) == 1 else "hold"
    told = (
        f"{sum(here)} of {count(tasks, 'task')} {verb} {peak.kind}{owner}, which is "
        f"{percent(_busy(peak, prediction))} in use"
    )
    saved_s = _saved_by_one_more(problem, prediction, peak)
    least = "at least " if tasks > MOST_VARIED else ""
    if saved_s < _NOTHING * prediction.makespan_s:
        return f"{told}; one more would save nothing{' with this plan' if least else ''}."
    share = percent(saved_s / prediction.makespan_s)
    tie = f", {WITHIN}" if saved_s < SPREAD * prediction.makespan_s else ""
    return f"{told}: one more would save {least}{duration(saved_s)} ({share}{tie})."


def _saved_by_one_more(problem: Problem, prediction: Prediction, peak: Peak) -> float:
    """What the best plan found with one more unit saves; of many tasks, what this one saves."""
    try:
        more = problem.on(
            with_units(problem.platform, peak.machine, peak.kind, round(peak.count) + 1)
        )
        if len(problem.workload.tasks) > MOST_VARIED:
            return prediction.makespan_s - reached_s(more, MAKESPAN, prediction.plan)
        found = advise(more, seconds=MORE_SECONDS, start=prediction.plan, clocked=False)
    except (InfeasibleError, InputError):
        return 0.0
    return prediction.makespan_s - found.value_s


def _of_memory(problem: Problem, prediction: Prediction, peak: Peak) -> str:
    """Who waits for memory: the plan is quicker where this machine has no limit."""
    assert peak.machine is not None
    machines = list(problem.platform.machines)
    here = machines[peak.machine]
    machines[peak.machine] = replace(here, memory_bytes=None)
    free = problem.on(replace(problem.platform, machines=tuple(machines)))
    saved_s = prediction.makespan_s - reached_s(free, MAKESPAN, prediction.plan)
    if saved_s < _NOTHING * prediction.makespan_s:
        return ""
    return (
        f"Tasks wait for memory on {here.name}, {size(peak.held)} of {size(peak.count)} held at "
        f"{duration(peak.at_s)}: without this limit the plan takes {duration(saved_s)} less."
    )
