"""Proofs by CP-SAT: the bound of the contention-free schedule, and better plans met on the way.

One worker without linear relaxation, twice: as it is, which finds plans and proves them, then with
the makespan raised from below, which gives the bound where no proof is near. What it may work is
counted in CP-SAT's deterministic time, so that answers repeat.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from advisor.allocation.plan import Plan
from advisor.basics.rounding import ALIKE
from advisor.kernels.executed import Executed
from advisor.kernels.instance import Instance
from advisor.search.constraint_program import Known, ScheduleProgram
from advisor.search.network_program import add_network, crossing_s

WORK_PER_S = 0.075  # deterministic time of a second of one core: measured
_POLL_S = 0.02  # between two looks at whether to stop
_GAP = ALIKE / 2.0  # relative, below which plans are alike


@dataclass(frozen=True)
class Proof:
    """What CP-SAT found.

    Attributes
    ----------
    bound_s : float
        Seconds that no contention-free schedule undercuts; 0 where it found none.
    plans : tuple of Plan
        In the order of its starts; to be checked by our own timeline.
    seconds : float
        Of one core, that its work stands for.
    clocked : bool
        Whether the clock ended it: another run may find another bound.
    """

    bound_s: float
    plans: tuple[Plan, ...]
    seconds: float
    clocked: bool


def prove(
    instance: Instance,
    known: Known,
    seconds: float,
    should_stop: Callable[[], bool],
    guard_s: float | None = None,
    executed: Executed | None = None,
    lower_s: float = 0.0,
) -> Proof:
    """Bound the makespan of an instance, from a known schedule.

    Parameters
    ----------
    instance : Instance
        `constraint_program.small_enough`, and OR-Tools is installed.
    known : Known
        A schedule that can run.
    seconds : float
        Of one core.
    should_stop : callable
        Asked while it works.
    guard_s : float, optional
        Seconds by the clock that end it.
    executed : Executed, optional
        What transfers share, where they do.
    lower_s : float
        A bound that is known.
    """
    bounding = _Bounding(seconds * WORK_PER_S, should_stop, guard_s)
    beside_s = np.zeros(0) if executed is None else crossing_s(executed).ravel()
    alone = ScheduleProgram(instance, known, beside_s)
    bounding.least = int(alone.ticks(lower_s * (1.0 - _GAP)))
    if executed is None:
        bounding.solve(alone, (0.5, False), (1.0, True))
    else:
        bounding.solve(alone, (0.25, False))
        together = ScheduleProgram(instance, known, beside_s)
        add_network(together, executed)
        bounding.solve(together, (0.7, False), (1.0, True))
    bound_s = alone.bound_s(bounding.least)
    return Proof(bound_s, tuple(bounding.plans), bounding.spent / WORK_PER_S, bounding.clocked)


@dataclass
class _Bounding:
    """The bound in ticks while it rises; programs of one scale share it."""

    work: float
    should_stop: Callable[[], bool]
    guard_s: float | None
    least: int = 0
    spent: float = 0.0
    clocked: bool = False
    plans: list[Plan] = field(default_factory=list)

    def solve(self, program: ScheduleProgram, *tries: tuple[float, bool]) -> None:
        """Solve a program: up to a share of the work, as it is or with the makespan from below."""
        known = float(program.ticks(program.known.makespan_s)) * (1.0 - _GAP)
        for until, from_below in tries:
            if self.least >= known or self.clocked or self.should_stop():
                return
            program.at_least(self.least)
            solver = _solver(until * self.work - self.spent, self.guard_s, from_below=from_below)
            found = _solved(solver, program.model, self.should_stop)
            self.spent += solver.deterministic_time
            self.clocked |= self.guard_s is not None and solver.wall_time >= self.guard_s
            if not found:
                return
            self.least = max(self.least, round(solver.best_objective_bound))
            starts, chosen = program.schedule_in(solver)
            self.plans.append(Plan(tuple(chosen), tuple(program.order_of(starts).tolist())))
            if solver.objective_value * (1.0 - _GAP) <= self.least:
                return
            program.begin_from(starts, chosen, round(solver.objective_value))


def _solver(work: float, guard_s: float | None, *, from_below: bool) -> Any:
    from ortools.sat.python import cp_model  # noqa: PLC0415 - an extra, slow to import

    solver = cp_model.CpSolver()
    asked = solver.parameters
    asked.num_workers, asked.random_seed, asked.linearization_level = 1, 1, 0
    asked.use_objective_lb_search = from_below
    asked.relative_gap_limit = _GAP
    asked.cp_model_presolve = False  # 9.15 simplifies such programs wrongly: bounds above optima
    asked.max_deterministic_time = max(0.0, work)
    asked.catch_sigint_signal = False
    if guard_s is not None:
        asked.max_time_in_seconds = guard_s
    return solver


def _solved(solver: Any, model: Any, should_stop: Callable[[], bool]) -> bool:
    """Solve beside this thread, which looks at whether to stop; whether there is a schedule."""
    from ortools.sat.python import cp_model  # noqa: PLC0415 - an extra, slow to import

    with ThreadPoolExecutor(1) as beside:
        solving = beside.submit(solver.solve, model)
        while not wait([solving], _POLL_S).done:
            if should_stop():
                solver.stop_search()
        return solving.result() in {cp_model.OPTIMAL, cp_model.FEASIBLE}
