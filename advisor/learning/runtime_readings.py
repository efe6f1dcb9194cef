"""How a runtime may have worked that its logs do not tell: told by simulating the runs again.

Each reading (when data are fetched, in which order tasks start, what a task costs the engine) gives
other starts of the same tasks on the same machines. The reading whose starts are nearest to those
observed is taken where every reading with another value is clearly further off.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.execution import Executed, executed_run
from advisor.allocation.placement import placement
from advisor.basics.quantities import duration
from advisor.learning.run_evidence import Evidence, alone_seconds, crossed, tells_fetching
from advisor.runs.actual import Actual
from advisor.runs.matched_problem import Question, question
from machines.arrays import Floats
from machines.errors import InputError
from machines.runtime import AHEAD, PLAN, READY, SLOT
from machines.stopping import ask

_MOST_RUNS = 3
_CLEARLY = 0.5  # of the distance of every other reading, at most
_VISIBLE = 0.002  # of the makespan by which the others are further off, at least
_MEETS = 0.05  # of the makespan: a reading that is further off explains nothing
_STEPS = 12  # of the search for an overhead
FOLLOWS = 0.9  # of a run's tasks on the plan's machines, so that its order counts


@dataclass(frozen=True)
class Reading:
    """A way to work. `counted`: the log counts fetching in the slot as part of the task."""

    fetch: str
    order: str
    overhead_s: float
    counted: bool = False


@dataclass(frozen=True, eq=False)
class _Run:
    """A run: its question, the tasks' seconds alone, and when the log has them start, (tasks,).

    `engine`: how it is simulated again, but for what is tried.
    """

    asked: Question
    engine: Executed
    alone_s: Floats
    start_s: Floats


@dataclass(frozen=True, eq=False)
class Readings:
    """All readings with the mean distance of their starts from the observed ones, s; best first.

    `makespan_s`: the mean one of the runs. `resolution_s`: of their clocks.
    """

    tried: tuple[tuple[float, Reading], ...]
    makespan_s: float
    resolution_s: float
    runs: tuple[_Run, ...] = ()

    @property
    def best(self) -> Reading | None:
        """The nearest; None: nothing could be tried."""
        return self.tried[0][1] if self.tried else None

    @property
    def meets(self) -> bool:
        """Whether the nearest explains the starts at all."""
        allowed = max(_MEETS * self.makespan_s, self.resolution_s)
        return bool(self.tried) and self.tried[0][0] <= allowed

    def told(self, name: str) -> tuple[bool, float, float]:
        """(whether a field of the best is told, its distance, that of the nearest other), s."""
        value = getattr(self.best, name)
        others = [off for off, one in self.tried if getattr(one, name) != value]
        if not others:
            return False, self.tried[0][0], np.inf
        best, other = self.tried[0][0], others[0]
        visible = max(_VISIBLE * self.makespan_s, self.resolution_s)
        clear = best <= _CLEARLY * other and other - best >= visible
        return self.meets and clear, best, other

    def evidence(self, name: str) -> str:
        """Such as "starts are then 20 ms off on average, else 1.20 s"."""
        _, best, other = self.told(name)
        return f"starts are then {duration(best)} off on average, else {duration(other)}"


def readings(evidence: Evidence, overhead_s: float | None, tick_s: float) -> Readings | None:
    """Try all readings on the runs; None where the logs tell of fetching, or nothing was moved.

    `overhead_s`: of a task; None: the stated one is compared with what suits each reading best.
    `tick_s`: from tick to tick of an engine that starts tasks at such; 0: as stated.
    """
    moved = [one for one in evidence.actuals if crossed(evidence.problem, one).any()]
    if not moved or any(map(tells_fetching, evidence.actuals)):
        return None
    runs = tuple(itertools.islice(_runs(evidence, moved, tick_s), _MOST_RUNS))
    if not runs:
        return None
    ways = ((AHEAD, False), (SLOT, False), (SLOT, True))
    stated = evidence.problem.platform.runtime.task_overhead_s
    tried = []
    for (fetch, counted), order in itertools.product(ways, (PLAN, READY)):
        one = Reading(fetch, order, stated if overhead_s is None else overhead_s, counted)
        tried.append(one)
        if overhead_s is None:
            tried.append(_with_overhead(runs, one))
    off_s = [_mean_distance(runs, one) for one in tried]
    return Readings(
        tuple((off_s[at], tried[at]) for at in sorted(range(len(tried)), key=off_s.__getitem__)),
        float(np.mean([run.asked.end_s.max() for run in runs])),
        evidence.resolution_s,
        runs,
    )


def _runs(evidence: Evidence, actuals: list[Actual], tick_s: float) -> Iterator[_Run]:
    """Runs of the plan whose starts are known."""
    plan_on = np.array(evidence.plan.allocation)
    for actual in actuals:
        rows = actual.ran
        known = actual.run.timed and actual.placed[rows].all()
        if not known or (actual.machine == plan_on)[rows].mean() <= FOLLOWS:
            continue
        try:
            asked = question(evidence.problem, evidence.plan, actual)
        except InputError:
            continue
        engine = asked.problem.executed
        if tick_s > 0.0:
            engine = engine._replace(dispatched=True, cycle_s=tick_s, reclaim_s=tick_s)
        yield _Run(asked, engine, alone_seconds(evidence.here, actual, asked.tasks), asked.start_s)


def _with_overhead(runs: tuple[_Run, ...], reading: Reading) -> Reading:
    """The reading with the overhead that suits it best: of a grid, then between its neighbours."""
    from scipy.optimize import minimize_scalar  # noqa: PLC0415 - slow to import

    def off(overhead_s: float) -> float:
        return _mean_distance(runs, replace(reading, overhead_s=float(overhead_s)))

    most = min(run.asked.end_s.max() / np.bincount(run.asked.machine).max() for run in runs)
    grid = np.linspace(0.0, most, _STEPS)
    at = int(np.argmin([off(one) for one in grid]))
    around = grid[max(at - 1, 0)], grid[min(at + 1, _STEPS - 1)]
    found = minimize_scalar(off, bounds=around, method="bounded", options={"maxiter": _STEPS})
    best = min((float(grid[at]), float(found.x)), key=off)
    return replace(reading, overhead_s=best)


def _mean_distance(runs: tuple[_Run, ...], reading: Reading) -> float:
    return float(np.mean([_distance(run, reading) for run in runs]))


def _distance(run: _Run, reading: Reading) -> float:
    """Mean |start − observed start| of the tasks, both from the run's first."""
    start_s, _ = _carried_out(run, reading)
    off: Floats = (start_s - start_s.min()) - (run.start_s - run.start_s.min())
    return float(np.abs(off - np.median(off)).mean())


def _carried_out(run: _Run, reading: Reading) -> tuple[Floats, Floats]:
    """(when a log has the tasks start, seconds of fetching in the slot), each (tasks,)."""
    asked = run.asked
    _, order = placement(asked.problem, asked.plan)
    each, work_s = np.arange(run.alone_s.size), run.engine.work_s.copy()
    instance = run.engine._replace(
        slot=reading.fetch == SLOT, eager=reading.order == READY, overhead_s=reading.overhead_s
    )
    fetch_s = np.zeros(each.size)
    for _ in range(2 if reading.counted else 1):
        ask()
        work_s[each, asked.machine] = np.maximum(run.alone_s - fetch_s, 0.0)
        makespan_s, done = executed_run(instance._replace(work_s=work_s), asked.machine, order)
        if not np.isfinite(makespan_s):
            return np.full(each.size, np.inf), fetch_s
        fetch_s = done.start_s - done.taken_s if reading.counted else fetch_s
    begin_s = done.taken_s if reading.counted else done.start_s
    return begin_s + reading.overhead_s, fetch_s


def without_fetching(evidence: Evidence, found: Readings) -> Evidence:
    """The evidence where the log counts fetching as the task: the tasks alone, fetching taken off.

    What is fetched is as predicted; of runs that were not simulated again, the mean of the others
    by task and machine.
    """
    if found.best is None or not (found.best.counted and found.told("fetch")[0]):
        return evidence
    shape = (len(evidence.problem.workload.tasks), len(evidence.names))
    total, number = np.zeros(shape), np.zeros(shape)
    for run in found.runs:
        _, fetch_s = _carried_out(run, found.best)
        np.add.at(total, (run.asked.tasks, run.asked.machine), fetch_s)
        np.add.at(number, (run.asked.tasks, run.asked.machine), 1.0)
    taken = (total / np.maximum(number, 1.0))[evidence.task, evidence.machine]
    told = number[evidence.task, evidence.machine] > 0.0
    taken = np.where(evidence.with_fetching, taken, 0.0)
    return replace(
        evidence,
        seconds=np.maximum(evidence.seconds - taken, 0.0),
        alone_s=np.maximum(evidence.alone_s - taken, 0.0),
        with_fetching=evidence.with_fetching & ~told,
    )
