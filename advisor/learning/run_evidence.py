"""What runs showed, one entry a task and run: what every calibration learns from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.quantities import count
from advisor.learning.robust import middle_of
from advisor.runs.actual import Actual
from machines.arrays import Flags, Floats, Indices, Ints
from machines.resources import by_speed, fastest
from machines.stopping import ask

CLEAR = 5.0  # resolutions that a time must be long, for its ratio to others to say something
_SHOWN = 4
_FETCHED_S = 1e-3  # less before a task computes is no fetching


@dataclass(frozen=True, eq=False)
class Evidence:
    """What ended well on known machines; arrays (entries,), one a task and run.

    `problem`, `plan`: what was predicted from; `here` is the problem at the plan's decisions.
    `run`, `task`, `machine`: positions among `actuals`, tasks and machines.
    `alone_s`: the same as on an empty machine, by the slowdown that the platform states there.
    `with_fetching`: an input lay on another machine, and the log does not tell fetching from
        computing.
    """

    problem: Problem
    here: Problem
    plan: Plan
    actuals: tuple[Actual, ...]
    run: Indices
    task: Indices
    machine: Indices
    seconds: Floats  # that the task computed
    alone_s: Floats
    with_fetching: Flags

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the machines."""
        return tuple(machine.name for machine in self.problem.platform.machines)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The kind of every task."""
        return tuple(task.group for task in self.problem.workload.tasks)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """All kinds, in the order of their first task."""
        return tuple(dict.fromkeys(self.groups))

    @cached_property
    def median_s(self) -> Floats:
        """Median seconds alone by task and machine (`middle_of`); nan: not measured."""
        tasks, machines = len(self.problem.workload.tasks), len(self.names)
        found = np.full((tasks, machines), np.nan)
        cell = self.task.astype(np.int64) * machines + self.machine
        rows = np.flatnonzero(self.typical)
        rows = rows[np.argsort(cell[rows], kind="stable")]
        starts = np.flatnonzero(np.diff(cell[rows], prepend=-1))
        for part in np.split(rows, starts[1:]):
            ask()
            if part.size:
                found[self.task[part[0]], self.machine[part[0]]] = middle_of(
                    self.alone_s[part], self.resolution_s
                )
        return found

    @cached_property
    def resolution_s(self) -> float:
        """The coarsest clock of the runs."""
        return max((actual.run.resolution_s for actual in self.actuals), default=0.0)

    @cached_property
    def clear(self) -> Flags:
        """Entries long enough for their clock to be set in a ratio to others."""
        steps: Floats = np.array([actual.run.resolution_s for actual in self.actuals])
        least: Floats = CLEAR * steps[self.run]
        long: Flags = (self.alone_s > 0.0) & (self.alone_s >= least)
        return long

    @cached_property
    def factors(self) -> RunFactors:
        """How much slower every machine was in every run than in its quickest ones."""
        rows = np.flatnonzero(self.clear)
        shape = (len(self.actuals), len(self.problem.workload.tasks))
        cores = self.here.costs.machine_cores
        logs = np.log(self.alone_s[rows])
        return run_factors(self.run[rows], self.task[rows], self.machine[rows], logs, shape, cores)

    @cached_property
    def typical(self) -> Flags:
        """Entries that tell of an empty machine: not of runs in which others were on it.

        Nor, where a task has other entries on that machine, those that may contain fetching.
        """
        quiet = self.factors.contenders[self.run, self.machine] == 0
        cell = self.task.astype(np.int64) * len(self.names) + self.machine
        pure = set(cell[quiet & ~self.with_fetching].tolist())
        mixed = np.array([one in pure for one in cell.tolist()], dtype=np.bool_)
        found: Flags = quiet & ~(self.with_fetching & mixed)
        return found

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """Sentences about tasks that failed, are missing, or ran where the platform has nothing."""
        tasks = self.problem.workload.tasks
        said = []
        for what, found in (
            ("failed", {task for one in self.actuals for task in one.failed}),
            ("missing in some run", {task for one in self.actuals for task in one.missing}),
        ):
            if found:
                some = ", ".join(tasks[task].name for task in sorted(found)[:_SHOWN])
                more = ", …" if len(found) > _SHOWN else ""
                said.append(f"Left out there: {count(len(found), 'task')} {what} ({some}{more})")
        nowhere = sum(int((one.ran & (one.machine < 0)).sum()) for one in self.actuals)
        if nowhere:
            said.append(f"Left out: {count(nowhere, 'entry', 'entries')} without a known machine")
        at_once = sum(int(_at_once(self.here, one).sum()) for one in self.actuals)
        if at_once:
            said.append(
                f"Left out: {count(at_once, 'entry', 'entries')} of no time at all, as of results "
                "that were there already"
            )
        return tuple(said)


def evidence_of(problem: Problem, plan: Plan, actuals: tuple[Actual, ...]) -> Evidence:
    """The entries of some runs.

    `problem`, `plan`: what was predicted from; scalable tasks are taken to have had the plan's
        processors.
    `actuals`: runs of the problem's workload, in the order of time.
    """
    here = problem.settled(plan)
    count_of = [np.flatnonzero(_usable(here, actual)) for actual in actuals]
    run = np.repeat(np.arange(len(actuals)), [rows.size for rows in count_of]).astype(np.int32)
    task = np.concatenate([np.zeros(0, np.int64), *count_of]).astype(np.int32)
    machine, mixed = np.zeros(run.size, np.int32), run < 0
    seconds, alone_s = np.zeros(run.size), np.zeros(run.size)
    for place, (actual, rows) in enumerate(zip(actuals, count_of, strict=True)):
        here_too = run == place
        machine[here_too], seconds[here_too] = actual.machine[rows], actual.task_s[rows]
        alone_s[here_too] = alone_seconds(here, actual, rows)
        if not tells_fetching(actual):
            mixed[here_too] = crossed(problem, actual)[rows]
    return Evidence(
        problem, here, plan, actuals, run, task, machine, seconds, alone_s, mixed,
    )  # fmt: skip


def _usable(here: Problem, actual: Actual) -> Flags:
    """Tasks that ended well on a known machine, in a known time."""
    known: Flags = actual.placed & (actual.task_s >= 0.0)
    return known & ~_at_once(here, actual)


def _at_once(here: Problem, actual: Actual) -> Flags:
    """Tasks that are said to take time and took none, by a clock that would show it: cached."""
    stated = here.costs.task_dedicated_s[np.arange(actual.machine.size), actual.machine]
    none: Flags = actual.placed & (actual.task_s == 0.0) & (stated > 0.0)
    return none if actual.run.resolution_s == 0.0 else np.zeros_like(none)


def crossed(problem: Problem, actual: Actual) -> Flags:
    """Whether data that a task needs lay on another machine in that run; shape (tasks,)."""
    workload = problem.workload
    source, target = workload.sources, workload.targets
    there, here = actual.machine[source], actual.machine[target]
    moves = (there >= 0) & (here >= 0) & (there != here) & (workload.edge_bytes > 0.0)
    found = np.zeros(len(workload.tasks), np.bool_)
    found[target[moves]] = True
    return found


def tells_fetching(actual: Actual) -> bool:
    """Whether the log tells when tasks took their slots apart from when they computed."""
    return any(one.fetch_start_s is not None for one in actual.run.tasks)


def preparation_s(problem: Problem, actual: Actual) -> float:
    """What a task holds its slot for before it computes where it has nothing to fetch: the median.

    0 if the log does not tell it; where all tasks have something to fetch, the least.
    """
    held_s = actual.fetch_s[actual.ran]
    if not tells_fetching(actual) or not held_s.size:
        return 0.0
    idle_s = actual.fetch_s[actual.ran & ~needing(problem, actual)]
    return float(np.median(idle_s) if idle_s.size else held_s.min())


def needing(problem: Problem, actual: Actual) -> Flags:
    """Whether a task needs data from another machine, or from outside; shape (tasks,)."""
    workload = problem.workload
    outside = {workload.files[place].name for place in workload.outside}
    reads = np.array([not outside.isdisjoint(task.reads) for task in workload.tasks])
    found: Flags = crossed(problem, actual) | reads
    return found


def fetching(problem: Problem, actual: Actual) -> Flags:
    """Whether a task held its slot for longer than a task prepares itself; shape (tasks,)."""
    idle_s = preparation_s(problem, actual)
    least_s = idle_s + max(_FETCHED_S, actual.run.resolution_s, idle_s / 2.0)
    found: Flags = actual.fetch_s > least_s
    return found


# What tasks of a run would have taken alone, by the slowdowns that the platform states.


def alone_seconds(problem: Problem, actual: Actual, rows: Ints) -> Floats:
    """Dedicated seconds of some tasks; shape of `rows`.

    Under fair sharing a machine of which the own tasks use r cores runs them at a speed v(r), as
    its contenders have it (`advisor.allocation.execution`): dedicated = ∫ v(r(t)) dt from start to
    end. A run without times, or own tasks that do not share: seconds over the stated slowdown.

    `problem`: at the plan's decisions. `rows`: tasks that ended well on known machines, in known
    times.
    """
    if problem.sharing != FAIR or not actual.run.timed:
        costs, machine = problem.costs, actual.machine[rows]
        with np.errstate(divide="ignore", invalid="ignore"):
            slowdown = costs.task_s[rows, machine] / costs.task_dedicated_s[rows, machine]
        slowdown = np.where(np.isfinite(slowdown) & (slowdown >= 1.0), slowdown, 1.0)
        return actual.task_s[rows] / slowdown
    found = actual.task_s[rows].copy()
    for machine in np.unique(actual.machine[rows]).tolist():
        first, end = problem.executed.first_rate[machine : machine + 2]
        speeds = problem.executed.rates[first:end]
        here = actual.machine[rows] == machine
        if (speeds != 1.0).any():
            found[here] = _worked(problem, actual, rows[here], speeds)
        if groups := problem.platform.machines[machine].core_groups:
            found[here] /= _slow(problem, actual, rows[here], by_speed(groups))
    return found


def _slow(
    problem: Problem, actual: Actual, tasks: Ints, groups: Sequence[tuple[int, float]]
) -> Floats:
    """How many times longer each task of one machine ran than on its fastest cores.

    A log does not tell the cores: each is taken to have had the fastest that were free.
    """
    free, speeds = [number for number, _ in groups], [speed for _, speed in groups]
    running: list[tuple[float, list[int]]] = []
    found = np.ones(tasks.size)
    for row in np.lexsort((actual.end_s[tasks], actual.taken_s[tasks])).tolist():
        now, needs = actual.taken_s[tasks[row]], int(problem.costs.task_cores[tasks[row]])
        for _, held in [one for one in running if one[0] <= now * (1.0 + 1e-9)]:
            free = [number + given for number, given in zip(free, held, strict=True)]
        running = [one for one in running if one[0] > now * (1.0 + 1e-9)]
        best, taken = fastest([number for number, _ in groups], needs), fastest(free, needs)
        free = [number - given for number, given in zip(free, taken, strict=True)]
        running.append((float(actual.end_s[tasks[row]]), taken))
        found[row] = max(1.0, np.dot(best, speeds) / max(np.dot(taken, speeds), speeds[-1]))
    return found


def _worked(problem: Problem, actual: Actual, tasks: Ints, speeds: Floats) -> Floats:
    """The integral of the speed over each task of one machine."""
    start_s, end_s = actual.start_s[tasks], actual.end_s[tasks]
    cores = problem.costs.task_cores[tasks]
    times = np.concatenate((start_s, end_s))
    change = np.concatenate((cores, -cores))
    order = np.argsort(times, kind="stable")
    used = np.clip(np.cumsum(change[order]), 1, speeds.size)
    steps = np.diff(times[order]) * speeds[used[:-1] - 1]
    worked = np.empty(times.size)
    worked[order] = np.concatenate(([0.0], np.cumsum(steps)))
    found: Floats = worked[tasks.size :] - worked[: tasks.size]
    return found


# How much slower each machine was in each run than in its quickest: what others took from it.

_ROUNDS = 30  # of the polish; it settles within a few
_LEAST = 3  # tasks in common, below which a run says nothing of a machine
_QUICK = 1.3  # within this of the quickest, runs are of one kind
_NEAR = 0.15  # how near a factor must be to that of a whole number of contenders
_COMMON = 0.15  # scatter of the tasks about their factor, above which it is not common
_SLOWER = 1.4  # below, no contender is meant
_AS_QUICK = 0.15  # a factor so near to 1 is that of a quick run
_FEW_BETWEEN = 0.2  # of the runs: more between the steps, and there are none
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
        found = _contenders(factor[:, place], deviation, int(cores[place]))
        if not _in_between(factor[:, place], found):
            contenders[:, place] = found
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


def _in_between(factor: Floats, contenders: Ints) -> bool:
    """Whether runs vary without steps: then one that lies on a step says nothing of contenders."""
    known = np.isfinite(factor)
    between = known & (contenders == 0) & (np.abs(factor - 1.0) > _AS_QUICK)
    return int(between.sum()) > max(1, _FEW_BETWEEN * int(known.sum()))


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
