"""Advice in single steps: the moves of one task that gain most.

Every move is valued by the same preview that the board shows while a task is dragged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.preview import preview
from advisor.allocation.problem import Problem
from advisor.allocation.spread import SPREAD, WITHIN
from advisor.basics.quantities import count, duration, percent
from advisor.basics.rounding import ALIKE
from advisor.basics.stopping import ShouldStop

# placements of a task that all previews together may cost: about two seconds compiled, more
# where machines have several cores
_PLACEMENTS = 10_000_000


@dataclass(frozen=True)
class Move:
    """One task to another machine.

    Attributes
    ----------
    task, machine : int
        Positions.
    value_s, gain_s : float
        The objective after the move, and how much less that is than now (> 0).
    sentence : str
        "Move B to M1: saves 10.0 s (21 %)."
    """

    task: int
    machine: int
    value_s: float
    gain_s: float
    sentence: str


def best_moves(
    problem: Problem,
    plan: Plan,
    objective: str = MAKESPAN,
    limit: int = 5,
    should_stop: ShouldStop | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> tuple[Move, ...]:
    """The best single moves that gain, at most one a task, best first.

    Parameters
    ----------
    problem, plan
        The question and the present plan.
    objective : str
        "makespan" or "total".
    limit : int
        Moves to return at most.
    should_stop, on_progress
        Asked and told (share done) before every task.

    Returns
    -------
    tuple of Move
        Empty when no examined move gains; `tasks_to_examine` says which are examined.
    """
    prediction = predict(problem, plan)
    now_s = prediction.value_s(objective)
    tasks = _examined(problem, prediction)
    cores = problem.at(plan.processors).costs.task_cores
    found = []
    for done, task in enumerate(tasks):
        if should_stop is not None and should_stop():
            break
        if on_progress is not None:
            on_progress(done / len(tasks))
        offered = preview(problem, plan, (task,), objective)
        values_s = offered.values_s.copy()
        values_s[plan.allocation[task]] = np.inf
        machine = int(np.argmin(values_s))
        gain_s = now_s - float(values_s[machine])
        if gain_s > ALIKE * now_s:
            taken = offered.processors[machine]
            found.append((-gain_s, task, machine, taken if taken != cores[task] else None))
    return tuple(
        Move(
            task,
            machine,
            now_s + loss_s,
            -loss_s,
            _sentence(problem, task, machine, taken, -loss_s / now_s, -loss_s),
        )
        for loss_s, task, machine, taken in sorted(found, key=lambda one: one[:3])[:limit]
    )


def tasks_to_examine(problem: Problem, plan: Plan) -> tuple[int, ...]:
    """The tasks whose moves `best_moves` values, in that order.

    Tasks on the critical path first, longest first, then the others; all of them unless the
    workload is so large that valuing every move would take more than a few seconds.
    """
    return _examined(problem, predict(problem, plan))


def _examined(problem: Problem, prediction: Prediction) -> tuple[int, ...]:
    tasks, machines = problem.costs.task_s.shape
    affordable = max(_PLACEMENTS // (tasks * machines), machines)
    order = np.lexsort((-prediction.task_s, ~prediction.critical))
    return tuple(order[:affordable].tolist())


def _sentence(
    problem: Problem, task: int, machine: int, taken: int | None, share: float, gain_s: float
) -> str:
    name = problem.workload.tasks[task].name
    place = problem.platform.machines[machine].name
    on = "" if taken is None else f", on {count(taken, 'processor')}"
    close = f", alike {WITHIN}" if share <= SPREAD else ""
    return f"Move {name} to {place}{on}: saves {duration(gain_s)} ({percent(share)}){close}."
