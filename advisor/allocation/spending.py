"""What a plan takes beside its makespan: machines, processors, total time, money and energy.

The run reserves every machine that runs one of its tasks, or an internal process of an overlay, all
its cores, from the start to the makespan T, as a batch system does, and a cloud customer who takes
and returns all at once:

    money = T / 3600 · Σ price_per_hour,    energy = T · Σ watts    over the machines used.

These are the provisioned resources of Deelman, Singh, Livny, Berriman & Good 2008 ("The cost of
doing science on the cloud: the Montage example", SC '08), by the second. Idle and busy draw alike.
Machines that only hold or pass on data, stores, switches, traffic, and the ends of overlays, which
are the same in every plan, cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.basics.rounding import ALIKE
from advisor.overlays.overlay_options import default_plan
from machines import Machine
from machines.arrays import Floats

HOUR_S = 3600.0


@dataclass(frozen=True)
class Spending:
    """What one plan takes.

    Attributes
    ----------
    machines : int
        Those that run a task or an internal process.
    processors : int
        Σ over the machines of the most cores that tasks hold at a time: what to reserve.
    total_s : float
        Sum of all task and transfer times.
    money : float or None
        In the currency of `price_per_hour`; ``None``: a machine used has no price.
    energy_j : float or None
        Joule; ``None``: a machine used has no `watts`.
    unpriced, unmetered : tuple of str
        The machines used that have no price, and those without `watts`.
    """

    machines: int
    processors: int
    total_s: float
    money: float | None
    energy_j: float | None
    unpriced: tuple[str, ...] = ()
    unmetered: tuple[str, ...] = ()


def spending(problem: Problem, prediction: Prediction) -> Spending:
    """What the plan of a prediction takes."""
    used = used_machines(problem, prediction.plan)
    price, unpriced = _summed((one, one.price_per_hour) for one in used)
    watts, unmetered = _summed((one, one.watts) for one in used)
    span_s = prediction.makespan_s
    return Spending(
        machines=len(used),
        processors=_processors(problem, prediction),
        total_s=prediction.total_s,
        money=None if price is None else price * span_s / HOUR_S,
        energy_j=None if watts is None else watts * span_s,
        unpriced=unpriced,
        unmetered=unmetered,
    )


def used_machines(problem: Problem, plan: Plan) -> list[Machine]:
    """The machines of tasks and of internal processes, in the platform's order."""
    platform, overlays = problem.platform, problem.workload.overlays
    found = {platform.machines[machine].name for machine in plan.allocation}
    for overlay, tree in zip(overlays, plan.overlays or (None,) * len(overlays), strict=True):
        found |= set((tree or default_plan(platform, overlay)).internal)
    return [machine for machine in platform.machines if machine.name in found]


def _summed(rates: Iterable[tuple[Machine, float | None]]) -> tuple[float | None, tuple[str, ...]]:
    """The sum of the machines' rates, ``None`` where one is not known; who has none."""
    listed = list(rates)
    unknown = tuple(machine.name for machine, rate in listed if rate is None)
    known = [rate for _, rate in listed if rate is not None]
    return (None if unknown else sum(known)), unknown


def _processors(problem: Problem, prediction: Prediction) -> int:
    """The peak of cores held on every machine, summed."""
    place = np.array(prediction.plan.allocation, dtype=np.intp)
    own = [task.cores for task in problem.workload.tasks]
    cores = np.array(prediction.plan.processors or own, dtype=np.int64)
    start_s = prediction.start_s if prediction.taken_s is None else prediction.taken_s
    # a task that begins where another ends, but for rounding, takes its cores over
    end_s: Floats = np.maximum(start_s, prediction.end_s - ALIKE * prediction.makespan_s)
    at = np.concatenate((end_s, start_s))
    change = np.concatenate((-cores, cores))
    order = np.lexsort((change, at, np.tile(place, 2)))  # by machine, then by time, ends first
    held = np.cumsum(change[order])  # 0 from machine to machine
    peak = np.zeros(len(problem.platform.machines), dtype=np.int64)
    np.maximum.at(peak, np.tile(place, 2)[order], held)
    np.maximum.at(peak, place, cores)  # tasks of no length hold theirs, too
    return int(peak.sum())
