"""Advice on shared networks against list schedulers and one machine.

``python -m tests.benchmarks.bench_network_search [seconds] [corpus]``, the corpus a folder of
WfFormat files (default ``../shared/corpus/wf`` or ``$PLACEWISE_WORKFLOWS``; what is missing is left
out). Every plan counts as what its execution takes in the better of its own order and that of the
classical starts. Where a Python with SimGrid is found, all plans are simulated, too, and ranked by
both (Kendall's tau). At last how far the estimate is from the execution.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from time import thread_time

import numpy as np

from advisor.allocation.evaluation import reached_s
from advisor.allocation.execution import executed_makespan
from advisor.allocation.objectives import MAKESPAN
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.export.simgrid.check import check_with_simgrid
from advisor.export.simgrid.simgrid_python import find_simgrid
from advisor.kernels import backlog, estimate, load, solution
from advisor.search import advise
from advisor.search.list_scheduling import cpop, heft, max_min, min_min, peft
from advisor.search.network_aware_lists import one_machine
from machines import InfeasibleError, InputError
from tests.benchmarks.network_search_cases import cases

_OTHERS: tuple[Callable[[Problem], Plan], ...] = (heft, peft, min_min, max_min, cpop, one_machine)
_SIMULATED = 2_000  # tasks of the largest case that is simulated
_RANDOM = 4  # plans besides, for the error of the estimate


@dataclass(frozen=True)
class Outcome:
    """One case: what the others reach at best, what the advice reaches, and all plans."""

    name: str
    others_s: float
    other: str
    advised_s: float
    seconds: float
    proved: bool
    plans: tuple[tuple[Plan, float], ...]


def corpus() -> Path:
    """The folder of the workflows, which need not exist."""
    if len(sys.argv) > 2:
        return Path(sys.argv[2])
    beside = Path(__file__).parents[3] / "shared" / "corpus" / "wf"
    return Path(os.environ.get("PLACEWISE_WORKFLOWS") or beside)


def valued(problem: Problem, plan: Plan) -> tuple[Plan, float]:
    """The plan in the better of its two orders, and its makespan."""
    both = (plan, replace(plan, order=None))
    return min(((one, reached_s(problem, MAKESPAN, one)) for one in both), key=lambda one: one[1])


def outcome_of(name: str, problem: Problem, limit_s: float) -> Outcome:
    """Advise, and see what the others give."""
    found = []
    for make in _OTHERS:
        try:
            found.append((make.__name__, *valued(problem, make(problem))))
        except InfeasibleError:
            continue
    other, _, others_s = min(found, key=lambda one: one[2])
    before = thread_time()
    advice = advise(problem, seconds=limit_s)
    seconds = thread_time() - before
    plans = (*((plan, value) for _, plan, value in found), (advice.plan, advice.value_s))
    return Outcome(name, others_s, other, advice.value_s, seconds, advice.proved_optimal, plans)


def simulated_s(problem: Problem, plan: Plan) -> float:
    """The makespan that SimGrid gives."""
    found = check_with_simgrid(problem, plan)
    assert found is not None
    return found.makespan_s


def kendall(first: list[float], second: list[float]) -> float:
    """Kendall's tau-b of two rankings; values within 1e-6 of each other tie."""

    def signs(values: list[float]) -> list[int]:
        return [
            0 if abs(a - b) <= 1e-6 * max(a, b) else 1 if a < b else -1
            for a, b in combinations(values, 2)
        ]

    one, other = np.array(signs(first)), np.array(signs(second))
    untied = float(np.sqrt((one != 0).sum() * (other != 0).sum()))
    return float((one * other).sum()) / untied if untied else 1.0


def estimate_errors(problem: Problem, plans: list[Plan]) -> tuple[list[float], float]:
    """Relative errors of the estimate, and its milliseconds for 1,000 tasks."""
    executed, (tasks, machines) = problem.executed, problem.costs.task_s.shape
    rng = np.random.default_rng(1)
    allowed = [np.flatnonzero(np.isfinite(row)) for row in problem.instance.task_s]
    plans = plans + [
        Plan(tuple(int(rng.choice(row)) for row in allowed), None) for _ in range(_RANDOM)
    ]
    state, trial = backlog.new_backlog(executed), solution.new_trial(tasks)
    tail, errors, spent_s = np.zeros((tasks, machines)), [], 0.0
    for plan in plans:
        trial.allocation[:], trial.order[:] = placement(problem, plan)
        before = thread_time()
        guess = estimate.estimate(executed, state, trial, tail, np.inf)
        spent_s += thread_time() - before
        value = executed_makespan(executed, trial.allocation, trial.order)
        if np.isfinite(value):
            errors.append(guess / value - 1.0)
    return errors, spent_s / len(plans) / tasks * 1e6


def main() -> None:
    """Print a row a case and a summary."""
    limit_s = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    load()
    try:
        simgrid = bool(find_simgrid())
    except InputError:
        simgrid = False
    print(f"\nAdvice on shared networks, {limit_s:g} s of one core each")
    print(f"{'':52}  {'others':>9}  {'':11}  {'advice':>9}  {'ratio':>6}  {'time':>6}  {'tau':>5}")
    ratios, taus, errors, speeds = [], [], [], []
    for name, problem in cases(corpus()):
        found = outcome_of(name, problem, limit_s)
        ratios.append(found.advised_s / found.others_s)
        tau = float("nan")
        if simgrid and len(problem.workload.tasks) <= _SIMULATED:
            real = [simulated_s(problem, plan) for plan, _ in found.plans]
            taus.append(tau := kendall([value for _, value in found.plans], real))
            ratios[-1] = real[-1] / min(real[:-1])
        apart, speed = estimate_errors(problem, [plan for plan, _ in found.plans])
        errors += apart
        speeds.append(speed)
        mark = "*" if found.proved else " "
        print(f"{name:52}  {found.others_s:9.4g}  {found.other:11}  {found.advised_s:9.4g}{mark} "
              f"{ratios[-1]:6.3f}  {found.seconds:4.1f} s  {tau:5.2f}", flush=True)  # fmt: skip
    apart_by = np.abs(errors)
    print(f"\n{len(ratios)} cases, * proved: geometric mean {np.exp(np.mean(np.log(ratios))):.3f}, "
          f"worst {max(ratios):.3f}; tau at least {min(taus, default=float('nan')):.2f}; "
          f"ratios {'simulated' if simgrid else 'predicted'}")  # fmt: skip
    middle, most = np.median(apart_by), np.quantile(apart_by, 0.9)
    print(f"estimate: error median {middle:.2%}, p90 {most:.1%}, worst {apart_by.max():.0%}; "
          f"{np.median(speeds):.2f} ms for 1,000 tasks (median)")  # fmt: skip


if __name__ == "__main__":
    main()
