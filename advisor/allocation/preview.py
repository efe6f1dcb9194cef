"""What moving tasks to each machine would give: the previews while one drags.

Where transfers share, every machine's value is estimated by queues at what is shared
(`advisor.kernels.estimate`), corrected by how far that is from the simulation of the present plan;
or each is simulated, as `predict` does it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from advisor.allocation.choices import Choices
from advisor.allocation.execution import executed_makespan, executed_run
from advisor.allocation.feasibility import check_feasible, check_fitting, why_not
from advisor.allocation.moved_programs import at_best_where_moved
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.processors import canonical, checked, lowered
from advisor.allocation.timeline import previews
from advisor.allocation.timeline_modes import FAIR
from advisor.allocation.variants import fitting_variants
from advisor.basics.stop_rule import ShouldStop
from advisor.kernels import estimate as kernel
from advisor.kernels import schedule_kernel as schedule
from machines import InfeasibleError
from machines.arrays import Floats, Indices


@dataclass(frozen=True, eq=False)
class Preview:
    """What moving tasks together to each machine would give.

    Attributes
    ----------
    values_s : array (machines,)
        The objective in seconds; inf where infeasible.
    reasons : tuple of str
        Why a machine is out of the question; empty where it is not.
    best : int or None
        The machine of the least value, the first of several; None: not known, or there is none.
    start_s, end_s : array (machines,)
        When the first of the tasks would run there; inf where infeasible.
    processors : tuple of int
        How many the first of the tasks would take there.
    exact : bool
        Values and times are those of `predict`; else they are estimated.
    choices : tuple of Choices, length machines
        What the programs of the moved tasks leave open, at its best there.
    """

    values_s: Floats
    reasons: tuple[str, ...]
    best: int | None
    start_s: Floats
    end_s: Floats
    processors: tuple[int, ...]
    exact: bool = True
    choices: tuple[Choices, ...] = ()


class _Times(NamedTuple):
    """By machine: both objectives; start and end of the first task; how good the makespans are."""

    makespans_s: Floats
    totals_s: Floats
    start_s: Floats
    end_s: Floats
    exact: bool


def preview(
    problem: Problem,
    plan: Plan,
    tasks: Sequence[int],
    objective: str = MAKESPAN,
    exact: bool = False,
    should_stop: ShouldStop | None = None,
    now: Prediction | None = None,
) -> Preview:
    """The objective if `tasks` moved together to each machine.

    As `predict` would give it; where transfers share, estimated unless asked for exactly. The total
    adds each task and transfer alone and is always as `predict` gives it.

    A scalable task takes at most a machine's processors, and a task another variant where its own
    can't run, as with `Plan.settled`; a program does what is best of what it leaves open.

    Parameters
    ----------
    tasks : sequence of int
        Positions of the tasks that move; at least one.
    objective : {"makespan", "total"}
    exact : bool
        Carry the plan out for every machine.
    should_stop : callable, optional
        Asked before every plan that is carried out; once stopped, the rest stays estimated.
    now : Prediction, optional
        What `predict` gives the plan: stated, the plan is not carried out again to correct the
        estimates.

    Raises
    ------
    InputError
        The plan is not one for this workload and platform.
    """
    check_fitting(problem, plan)
    shown = _Shown(len(problem.platform.machines), objective)
    moved = np.array(tasks, dtype=np.int32)
    choices: tuple[Choices, ...] = ()
    for (counts, variants), machines in _settled(problem, plan, tasks).items():
        there = replace(plan, processors=counts, variants=variants)
        decided, choices = at_best_where_moved(problem.in_variants(there), there, tasks)
        fixed = decided.at(counts)
        if problem.sharing == FAIR:
            known = now if counts == plan.processors else None
            found = _estimated(fixed, there, moved, known)
            if exact:
                found = _carried_out(fixed, there, moved, machines, found, should_stop)
        else:
            found = _alone(fixed, there, moved)
        shown.take(found, machines, int(fixed.costs.task_cores[tasks[0]]))
        for machine in machines:
            if not np.isfinite(found.makespans_s[machine]):
                shown.refuse(machine, _obstacle(fixed, there, tasks, machine))
    return shown.preview(choices)


class _Shown:
    """A preview while its machines come in, group by group of equal processors."""

    def __init__(self, machines: int, objective: str) -> None:
        self.values_s, self.start_s, self.end_s = (np.full(machines, np.inf) for _ in range(3))
        self.reasons, self.taken = [""] * machines, [0] * machines
        self.exact = True
        self._makespan = objective == MAKESPAN

    def take(self, found: _Times, machines: list[int], cores: int) -> None:
        """What was found of some machines, of which the first task takes so many cores."""
        self.exact &= found.exact
        values_s = found.makespans_s if self._makespan else found.totals_s
        self.values_s[machines] = values_s[machines]
        self.start_s[machines] = found.start_s[machines]
        self.end_s[machines] = found.end_s[machines]
        for machine in machines:
            self.taken[machine] = cores

    def refuse(self, machine: int, reason: str) -> None:
        """The tasks can't be there."""
        self.values_s[machine], self.reasons[machine] = np.inf, reason

    def preview(self, choices: tuple[Choices, ...]) -> Preview:
        """All of it, with the best machine if they can be compared."""
        known = np.isfinite(self.values_s).any()
        best = int(np.argmin(self.values_s)) if known else None
        return Preview(
            self.values_s, tuple(self.reasons), best, self.start_s, self.end_s,
            tuple(self.taken), self.exact, choices,
        )  # fmt: skip


def _alone(problem: Problem, plan: Plan, moved: Indices) -> _Times:
    """Each transfer and task alone."""
    allocation, order = placement(problem, plan)
    return _Times(*previews(problem.instance, allocation, order, moved), exact=True)


def _estimated(problem: Problem, plan: Plan, moved: Indices, now: Prediction | None) -> _Times:
    """All machines, at the present plan's order.

    `now` is how the plan is carried out, where that is known.
    """
    allocation = np.array(plan.allocation, dtype=np.int32)
    totals_s = np.empty(len(problem.platform.machines))
    schedule.totals(problem.instance, allocation, moved, totals_s)
    makespans_s, start_s, end_s = _queued(problem, plan, moved, now)
    memory, most = problem.costs.task_memory, problem.costs.machine_memory
    stays = np.ones(allocation.size, dtype=np.bool_)
    stays[moved] = False
    used = np.bincount(allocation[stays], memory[stays], most.size)
    over = used > most
    barred = (used + memory[moved].sum() > most) | (over.sum() > over)
    makespans_s[barred] = start_s[barred] = end_s[barred] = np.inf
    return _Times(makespans_s, totals_s, start_s, end_s, exact=False)


def _queued(
    problem: Problem, plan: Plan, moved: Indices, now: Prediction | None
) -> tuple[Floats, Floats, Floats]:
    """Makespans, starts and ends by queues, by how wrong that is of the present plan."""
    instance = problem.executed
    allocation, order = placement(problem, plan)
    found = np.empty((3, instance.machine_cores.size))
    kernel.lanes(instance, allocation, order, moved, *found)
    home = found[0, allocation[moved[0]]]
    if (allocation[moved] == allocation[moved[0]]).all() and 0.0 < home < np.inf:
        now_s = now.makespan_s if now else executed_makespan(instance, allocation, order)
        found *= now_s / home
    makespans_s, start_s, end_s = found
    return makespans_s, start_s, end_s


def _carried_out(
    problem: Problem,
    plan: Plan,
    moved: Indices,
    machines: list[int],
    guess: _Times,
    should_stop: ShouldStop | None,
) -> _Times:
    """As `predict` gives it on each of the machines, until stopped."""
    for machine in machines:
        if should_stop is not None and should_stop():
            return guess
        if np.isfinite(guess.makespans_s[machine]):
            there = placement(problem, plan.moved(moved.tolist(), machine))
            guess.makespans_s[machine], run = executed_run(problem.executed, *there)
            guess.start_s[machine] = run.start_s[moved[0]]
            guess.end_s[machine] = run.end_s[moved[0]]
    return guess._replace(exact=True)


Settled = tuple[tuple[int, ...] | None, tuple[int, ...] | None]


def _settled(problem: Problem, plan: Plan, tasks: Sequence[int]) -> dict[Settled, list[int]]:
    """Processors and variants after a move → the machines to which it leads to them."""
    found: dict[Settled, list[int]] = {}
    for counts, machines in _settled_counts(problem, plan, tasks).items():
        for machine in machines:
            moved = plan.moved(tasks, machine) if problem.workload.variable else plan
            variants = fitting_variants(
                problem.platform, problem.workload, moved.allocation, plan.variants
            )
            found.setdefault((counts, variants), []).append(machine)
    return found


def _settled_counts(
    problem: Problem, plan: Plan, tasks: Sequence[int]
) -> dict[tuple[int, ...] | None, list[int]]:
    """Numbers of processors after a move → the machines to which it leads to them."""
    machines, workload = problem.platform.machines, problem.workload
    scalable = [task for task in tasks if workload.tasks[task].scaling is not None]
    if not scalable:
        return {plan.processors: list(range(len(machines)))}
    chosen = checked(workload, plan.processors)
    found: dict[tuple[int, ...] | None, list[int]] = {}
    for position, machine in enumerate(machines):
        counts = list(chosen)
        for task in scalable:
            counts[task] = lowered(workload.tasks[task], chosen[task], machine)
        found.setdefault(canonical(problem.workload, counts), []).append(position)
    return found


def _obstacle(problem: Problem, plan: Plan, tasks: Sequence[int], machine: int) -> str:
    """Why `tasks` can't move to `machine`, in words."""
    for task in tasks:
        if reason := why_not(problem, task, machine):
            return reason
    try:
        check_feasible(problem, plan.moved(tasks, machine))
    except InfeasibleError as error:
        return f"{error.where}: {error.what}"
    return ""
