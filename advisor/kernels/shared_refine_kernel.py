"""Annealing of an allocation and its order for the contention-aware schedule.

The moves are those of `refine`. What they give is estimated (`estimate`); with a slack, what the
estimate does not rule out is then carried out (`execution`), and that decides.
"""

from __future__ import annotations

import numpy as np

from advisor.kernels import backlog, estimate, solution
from advisor.kernels import costs_kernel as costs
from advisor.kernels import execution_kernel as execution
from advisor.kernels import refine_kernel as refine
from advisor.kernels.backlog import Backlog
from advisor.kernels.executed import Executed, small
from advisor.kernels.instance import Instance, tiny
from advisor.kernels.solution import Search, Trial
from machines.arrays import Ints

SHORT = 1e-12  # of a limit, by which rounding may exceed it

BORROWING = ("adopt",)


def adopt(search: Search, trial: Trial) -> None:
    """Make a decoded solution the present one."""
    solution.copy_from(trial, search.now, trial.order, 0)
    for position in range(trial.order.shape[0]):
        search.place[trial.order[position]] = position


def begin(
    instance: Instance, executed: Executed, state: Backlog, search: Search, ordered: bool
) -> float:
    """Start from `now.allocation`, and its order if `ordered`; its estimate, inf if infeasible."""
    now = search.now
    if not ordered:
        refine.reorder(instance, search, now)
    value = np.inf
    if costs.fits(instance, now.allocation):
        value = estimate.estimate(executed, state, now, search.tail, np.inf)
    adopt(search, now)
    solution.copy_from(now, search.trial, now.order, 0)
    solution.copy_from(now, search.best, now.order, 0)
    return value


def anneal(
    instance: Instance,
    executed: Executed,
    state: Backlog,
    search: Search,
    steps: int,
    hot: float,
    cold: float,
    values: tuple[float, float, float],
    slack: float,
    spent: Ints,
) -> tuple[float, float, float]:
    """Take `steps` steps from `now`, cooling from `hot` to `cold` seconds.

    Parameters
    ----------
    values : (value, estimated, best)
        Of `now`, what it is estimated at, and of the best; the value is the executed makespan if
        there is a slack, else the estimate.
    slack : float
        By what share an estimate, corrected as that of `now` was wrong, may exceed the limit to be
        carried out; negative: the estimates decide.
    spent : int64 array (3,)
        How many estimates were made and plans carried out, and how often loads changed in these;
        added to.

    Returns
    -------
    value, estimated, best : float
        `now` and `best` are updated.
    """
    now, trial = search.now, search.trial
    tasks = now.order.shape[0]
    value, guess, best = values
    cooling = (cold / hot) ** (1.0 / steps)
    heat, untraced = hot, np.empty((0, 3))
    for _ in range(steps):
        heat *= cooling
        first = refine.propose(instance, search)
        if first >= tasks:
            continue
        limit = value - heat * np.log(1.0 - solution.draw(search.rng))
        reached, guessed = np.inf, np.inf
        if costs.fits(instance, trial.allocation):
            bar = limit if slack < 0.0 else limit * (1.0 + slack) * max(1.0, guess / value)
            guessed = estimate.estimate(executed, state, trial, search.tail, bar * (1.0 + SHORT))
            spent[0] += 1
            reached = guessed
            if slack >= 0.0 and guessed < np.inf:
                run = execution.blank(executed)
                reached, changes = execution.execute(
                    executed, trial.allocation, trial.order, run, untraced
                )
                spent[1] += 1
                spent[2] += changes
        if reached <= limit and reached < np.inf:
            value, guess = reached, guessed
            adopt(search, trial)
            if value < best:
                best = value
                solution.copy_from(now, search.best, now.order, 0)
        else:
            solution.copy_from(now, trial, now.order, 0)
    return value, guess, best


def warm_up() -> None:
    """Compile for the array types in use."""
    instance, executed = tiny(), small()
    state = backlog.new_backlog(executed)
    search = solution.new_search(instance, np.zeros((2, 2)), np.full(1, 0.5), 1)
    search.now.order[:] = (0, 1)
    value = begin(instance, executed, state, search, False)
    values = (value, value, value)
    anneal(instance, executed, state, search, 4, 1.0, 0.1, values, 0.1, np.zeros(3, np.int64))
