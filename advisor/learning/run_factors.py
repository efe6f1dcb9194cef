"""How much slower each machine was in each run than in its quickest: what others took from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from machines.arrays import Floats, Indices, Ints

_ROUNDS = 30  # of the polish; it settles within a few
_LEAST = 3  # tasks in common, below which a run says nothing of a machine
_QUICK = 1.3  # within this of the quickest, runs are of one kind
_NEAR = 0.15  # how near a factor must be to that of a whole number of contenders
_COMMON = 0.15  # scatter of the tasks about their factor, above which it is not common
_SLOWER = 1.4  # below, no contender is meant
SLOWEST = 20.0  # above, it is no company: another unit of time, or other inputs


@dataclass(frozen=True, eq=False)
class RunFactors:
    """Arrays (runs, machines).

    `factor`: median over tasks of their time over that in the machine's quick runs; nan: not known.
    """

    factor: Floats
    scatter: Floats  # median of the tasks' relative deviations from it
    tasks: Ints  # how many say so
    contenders: Ints  # CPU-bound contenders that explain it; 0: none must have been there


def run_factors(
    run: Indices, task: Indices, machine: Indices, logs: Floats,
    shape: tuple[int, int], cores: Indices,
) -> RunFactors:  # fmt: skip
    """Factors by run and machine, from logarithms of times.

    On each machine log t(run, task) ≈ w(task) + e(run), by median polish (Tukey 1977, ch. 11),
    which a few odd tasks do not move; e is set against the runs within 30 % of the quickest. k
    contenders on a machine of c busy cores slow its tasks by 1 + k/c.

    `run`, `task`, `machine`: shape (entries,). `logs`: shape (entries,). `shape`: numbers of runs
    and tasks. `cores`: shape (machines,).
    """
    size = (shape[0], cores.size)
    factor, scatter = np.full(size, np.nan), np.full(size, np.nan)
    tasks, contenders = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for place in range(cores.size):
        rows = machine == place
        table = np.full(shape, np.nan)
        table[run[rows], task[rows]] = logs[rows]
        effect, deviation, said = _polished(table)
        if not np.isfinite(effect).any():
            continue
        quick = effect <= np.nanmin(effect) + np.log(_QUICK)
        factor[:, place] = np.exp(effect - np.median(effect[quick]))
        scatter[:, place], tasks[:, place] = deviation, said
        contenders[:, place] = _contenders(factor[:, place], deviation, int(cores[place]))
    return RunFactors(factor, scatter, tasks, contenders)


def _polished(table: Floats) -> tuple[Floats, Floats, Ints]:
    """(e, median |residual|, tasks) of every run; nan where too few tasks are in other runs."""
    shared = np.isfinite(table).sum(axis=0) >= 2
    table = np.where(shared, table, np.nan)
    said = np.isfinite(table).sum(axis=1)
    table = np.where((said >= _LEAST)[:, None], table, np.nan)
    effect, deviation = (np.full(said.size, np.nan) for _ in range(2))
    rows, columns = np.isfinite(table).any(axis=1), np.isfinite(table).any(axis=0)
    if rows.sum() < 2:
        return effect, deviation, said
    part = table[np.ix_(rows, columns)]
    found = np.zeros(part.shape[0])
    for _ in range(_ROUNDS):
        level = np.nanmedian(part - found[:, None], axis=0)
        found = np.nanmedian(part - level, axis=1)
    effect[rows] = found
    deviation[rows] = np.nanmedian(np.abs(part - level - found[:, None]), axis=1)
    return effect, deviation, said


def _contenders(factor: Floats, scatter: Floats, cores: int) -> Ints:
    """The number of contenders that explains each factor; 0 where none does."""
    found = np.zeros(factor.size, np.int64)
    for place, one in enumerate(factor.tolist()):
        if not _SLOWER <= one <= SLOWEST or not scatter[place] <= _COMMON:
            continue
        number = round(cores * (one - 1.0))
        if number >= 1 and abs(one / (1.0 + number / cores) - 1.0) <= _NEAR:
            found[place] = number
    return found
