"""Advice in single steps: the moves of one task that gain most.

Every move is valued as `predict` would value it. Where that is too much for all of them, the
previews that the board shows while a task is dragged rank them, and the first are valued.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from advisor.allocation.choices import Choices
from advisor.allocation.evaluation import reached_s
from advisor.allocation.moved_programs import best_elsewhere, moved_plan
from advisor.allocation.objectives import MAKESPAN, SPREAD, WITHIN
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.preview import preview
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.quantities import count, duration, percent
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from machines.arrays import Floats

# placements of a task that all previews together may cost: about two seconds compiled, more
# where machines have several cores; what a task or transfer is worth where transfers share; and
# how many moves for each that is wanted are valued at most, of those ranked by previews
_PLACEMENTS, _EXECUTED, _CHECKED = 10_000_000, 20, 4


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
    choices : Choices
        What is best there of what the task's program leaves open.
    """

    task: int
    machine: int
    value_s: float
    gain_s: float
    sentence: str
    choices: Choices = ()


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
    exactly = _affordable(problem, objective, len(tasks))
    found = []
    for done, task in enumerate(tasks):
        if should_stop is not None and should_stop():
            break
        if on_progress is not None:
            on_progress(done / len(tasks))
        known = None if exactly else prediction
        values_s = _elsewhere(problem, plan, task, objective, known)
        machine = int(np.argmin(values_s))
        gain_s = now_s - float(values_s[machine])
        if gain_s > ALIKE * now_s:
            found.append((-gain_s, task, machine))
    found.sort()
    if not exactly and problem.sharing == FAIR and objective == MAKESPAN:
        size = len(problem.workload.tasks) + len(problem.workload.edges)
        checks = min(_CHECKED * limit, max(limit, _PLACEMENTS // (_EXECUTED * size)))
        found = _checked(problem, plan, now_s, found[:checks])
    return tuple(
        Move(
            task,
            machine,
            now_s + loss_s,
            -loss_s,
            _sentence(problem, plan, found_move, now_s),
            best_elsewhere(problem, plan, (task,))[machine],
        )
        for found_move in found[:limit]
        for loss_s, task, machine in [found_move]
    )


def _elsewhere(
    problem: Problem, plan: Plan, task: int, objective: str, now: Prediction | None
) -> Floats:
    """The objective with the task on each machine, ∞ on its own; estimated where `now` is known."""
    if now is None:
        values_s = np.array(_values(problem, plan, task, objective))
    else:
        values_s = preview(problem, plan, (task,), objective, now=now).values_s.copy()
    values_s[plan.allocation[task]] = np.inf
    return values_s


def _moved(problem: Problem, plan: Plan, task: int, machine: int) -> Plan:
    """The plan after a move, with what is best there of what the task's program leaves open."""
    best = best_elsewhere(problem, plan, (task,))[machine]
    return moved_plan(plan, problem.workload, problem.platform, (task,), machine, best)


def _values(problem: Problem, plan: Plan, task: int, objective: str) -> list[float]:
    """The objective after a move to each machine; inf where that can't be, and where it is now."""
    now = plan.allocation[task]
    return [
        np.inf if q == now else reached_s(problem, objective, _moved(problem, plan, task, q))
        for q in range(len(problem.platform.machines))
    ]


def _checked(
    problem: Problem, plan: Plan, now_s: float, found: list[tuple[float, int, int]]
) -> list[tuple[float, int, int]]:
    """Moves that gain when the plan is carried out, best first."""
    exact = [
        (reached_s(problem, MAKESPAN, _moved(problem, plan, task, machine)) - now_s, task, machine)
        for _, task, machine in found
    ]
    return sorted(one for one in exact if one[0] < -ALIKE * now_s)


def _affordable(problem: Problem, objective: str, tasks: int) -> bool:
    """Whether every move of so many tasks is to be valued by the executed timeline itself."""
    if problem.sharing != FAIR or objective != MAKESPAN:
        return False
    size = len(problem.workload.tasks) + len(problem.workload.edges)
    return tasks * len(problem.platform.machines) * size * _EXECUTED <= _PLACEMENTS


def tasks_to_examine(problem: Problem, plan: Plan) -> tuple[int, ...]:
    """The tasks whose moves `best_moves` values, in that order.

    Tasks on the critical path first, longest first, then the others; all of them unless the
    workload is so large that valuing every move would take more than a few seconds.
    """
    return _examined(problem, predict(problem, plan))


def _examined(problem: Problem, prediction: Prediction) -> tuple[int, ...]:
    tasks, machines = problem.costs.task_s.shape
    size = tasks + (len(problem.workload.edges) if problem.sharing == FAIR else 0)
    affordable = max(_PLACEMENTS // (size * machines), machines)
    order = np.lexsort((-prediction.task_s, ~prediction.critical))
    return tuple(order[:affordable].tolist())


def _sentence(problem: Problem, plan: Plan, move: tuple[float, int, int], now_s: float) -> str:
    """What to do, and what it saves."""
    loss_s, task, machine = move
    gain_s, share = -loss_s, -loss_s / now_s
    name = problem.workload.tasks[task].name
    place = problem.platform.machines[machine].name
    before = plan.counts(problem.workload).get(name)
    taken = _moved(problem, plan, task, machine).counts(problem.workload).get(name)
    on = "" if taken is None or taken == before else f", on {count(taken, 'processor')}"
    close = f", a tie {WITHIN}" if share <= SPREAD else ""
    return f"Move {name} to {place}{on}: saves {duration(gain_s)} ({percent(share)}){close}."
