"""What kind of instance a problem is: how much it moves for what it computes, how machines differ.

Both are of the problem alone, whatever the plan, and have 12 digits: processors add in different
orders.
"""

from __future__ import annotations

from math import fsum

import numpy as np

from advisor.allocation.host_costs import HostCosts
from advisor.allocation.problem import Problem
from machines.arrays import Flags, Floats


def ccr(problem: Problem) -> float | None:
    """Communication to computation ratio.

    Mean seconds of a transfer alone, over edges and ordered pairs of different machines that can
    exchange it, over mean seconds of a task alone, over tasks and the machines that can run it
    (Topcuoglu, Hariri & Wu 2002, sec. 5.1). Files from outside are not counted.

    Parameters
    ----------
    problem : Problem

    Returns
    -------
    float or None
        ``None``: nothing moves between tasks, no two machines exchange data, or no task takes
        time.
    """
    flows = problem.costs.flows_dedicated
    pairs = _exchanging(flows.startup_s + flows.per_byte_s)
    task_s = float(_mean_by_task(problem.costs.task_dedicated_s).mean())
    if not flows.table.size or not pairs.any() or task_s == 0.0:
        return None
    startup_s, per_byte_s = flows.startup_s[:, pairs], flows.per_byte_s[:, pairs]
    moved_s = (flows.messages * startup_s.mean(axis=1)).sum(axis=1)
    moved_s += (flows.size_bytes * per_byte_s.mean(axis=1)).sum(axis=1)
    stated = flows.table >= 0
    if stated.any():
        moved_s[stated] = _mean_by_table(flows.tables)[flows.table[stated]]
    moved_s = moved_s[np.isfinite(moved_s)]
    return _digits(float(moved_s.mean()) / task_s) if moved_s.size else None


def heterogeneity(problem: Problem) -> float | None:
    """How unlike the machines are: mean over tasks of the coefficient of variation of their times.

    Standard deviation over mean of a task's seconds alone on the machines that can run it (those
    machines are all there are: the deviation is that of a population). Tasks that one machine
    alone can run, or that take no time, are left out.

    Parameters
    ----------
    problem : Problem

    Returns
    -------
    float or None
        0: alike; ``None``: no task has a choice.
    """
    seconds = problem.costs.task_dedicated_s
    can = np.isfinite(seconds)
    mean_s = _mean_by_task(seconds)
    counted = (can.sum(axis=1) > 1) & (mean_s > 0.0)
    if not counted.any():
        return None
    can, mean_s = can[counted], mean_s[counted]
    apart = np.where(can, seconds[counted] / mean_s[:, None] - 1.0, 0.0)
    return _digits(float(np.sqrt((apart**2).sum(axis=1) / can.sum(axis=1)).mean()))


def mean_message(costs: HostCosts) -> tuple[list[float], list[float]] | None:
    """Mean startup (s) and seconds per byte of a message, by piece of the protocol.

    Over ordered pairs of different hosts that can exchange data; ``None``: there are none. The
    sums are exact, so that what is derived from them is the same on every processor.
    """
    pairs = _exchanging(costs.startup_s + costs.per_byte_s)
    count = int(pairs.sum())
    if not count:
        return None
    startup_s, per_byte_s = (
        [fsum(piece.tolist()) / count for piece in pieces[:, pairs]]
        for pieces in (costs.startup_s, costs.per_byte_s)
    )
    return startup_s, per_byte_s


def _exchanging(message_s: Floats) -> Flags:
    """Whether two different machines can exchange data; (machines, machines)."""
    apart: Flags = ~np.eye(message_s.shape[1], dtype=np.bool_)
    return apart & np.isfinite(message_s).all(axis=0)


def _mean_by_task(seconds: Floats) -> Floats:
    """Mean over the machines that can run each task; some can."""
    can = np.isfinite(seconds)
    found: Floats = np.where(can, seconds, 0.0).sum(axis=1) / can.sum(axis=1)
    return found


def _mean_by_table(tables: Floats) -> Floats:
    """Mean of stated seconds over pairs of different machines that have them; NaN: none."""
    machines = tables.shape[1]
    has = np.isfinite(tables) & ~np.eye(machines, dtype=np.bool_)
    with np.errstate(invalid="ignore"):
        found: Floats = np.where(has, tables, 0.0).sum(axis=(1, 2)) / has.sum(axis=(1, 2))
    return found


def _digits(value: float) -> float:
    return float(f"{value:.12g}")
