"""Numbers of processors to begin with, and single and paired changes of them.

Starts are of one idea each, so that they change together what no single change would: all tasks
on few processors, on many, at their knee, at one efficiency, within one time, or on equal shares
of a machine.

Annealing of numbers of processors: HEFT places what they give, or allocation and order go along.

One task a step: another number, machine or place in the order; or two tasks of one machine, of
which one takes the cores that the other leaves. HEFT finds the region, the rest its best plan.
Deterministic for a seed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from advisor.allocation.problem import Problem
from advisor.basics.rounding import ROUNDING
from advisor.basics.stop_rule import ShouldStop
from advisor.search.trial_evaluator import Numbers, Trial, TrialEvaluator
from machines.arrays import Indices

_EFFICIENCIES = (0.9, 0.75, 0.6, 0.45, 0.3)
_SHARES = 12  # of a machine's cores, into which equal shares are cut at most
_TIMES = 12
_PARTNERS = 4  # tasks of the same machine that change together with one, at most

FEWEST, MOST, KNEE = "fewest processors", "most processors", "knee"


def starts(problem: Problem, numbers: tuple[Numbers, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """(name, rows) of every start; those without a name of their own are HEFT's."""
    yield FEWEST, tuple(0 for _ in numbers)
    yield MOST, tuple(len(one.processors) - 1 for one in numbers)
    knees = [_knee(problem, one) for one in numbers]
    yield KNEE, tuple(one.at_most(knee) for one, knee in zip(numbers, knees, strict=True))
    for least in _EFFICIENCIES:
        yield "heft", tuple(_efficient(one, least) for one in numbers)
    cores = sorted({machine.cores for machine in problem.platform.machines}, reverse=True)
    for parts in range(1, min(_SHARES, len(numbers) + 1) + 1):
        for whole in cores[:3]:
            yield "heft", tuple(one.at_most(whole // parts) for one in numbers)
    yield from (("heft", rows) for rows in _within(numbers))


def improved(desk: TrialEvaluator, trial: Trial, going: ShouldStop) -> Trial:
    """The trial after single and paired changes, the best for each task in turn, while they help.

    Parameters
    ----------
    going : callable
        Asked at every change.
    """
    helped = True
    while helped and going():
        helped = False
        for position in range(len(desk.numbers)):
            for other in _changes(desk, trial, position):
                if _better(other.key, trial.key):
                    trial, helped = other, True
                if not going():
                    return trial
    return trial


def thrifty(desk: TrialEvaluator, trial: Trial, going: ShouldStop) -> Trial:
    """The same makespan on fewer processors, where some are of no use; by bisection, task by task.

    Parameters
    ----------
    going : callable
        Asked at every change.
    """
    for position in range(len(desk.numbers)):
        low, high = 0, trial.rows[position]
        while low < high and going():
            middle = (low + high) // 2
            rows = _with(trial.rows, position, middle)
            other = desk.placed(rows, trial.allocation, trial.order)
            if other.value_s <= trial.value_s:
                trial, high = other, middle
            else:
                low = middle + 1
    return trial


def _changes(desk: TrialEvaluator, trial: Trial, position: int) -> Iterator[Trial]:
    """One task on another number or machine, alone or with a partner that makes room or takes it.

    Every change is placed as the trial is, and by HEFT.
    """
    one, here = desk.numbers[position], trial.rows[position]
    home = int(trial.allocation[one.task])
    for row in _near(here, len(one.processors)):
        rows = _with(trial.rows, position, row)
        for machine in np.flatnonzero(np.isfinite(one.task_s[row])).tolist():
            if row != here or machine != home:
                allocation = trial.allocation.copy()
                allocation[one.task] = machine
                yield desk.placed(rows, allocation, trial.order)
        yield from _by_heft(desk, rows)
        if row != here and np.isfinite(one.task_s[row, home]):
            room = desk.problem.platform.machines[home].cores - int(one.processors[row])
            for partner in _partners(desk, trial, position, home):
                fitting = desk.numbers[partner].at_most(room)
                if fitting != trial.rows[partner]:
                    both = _with(rows, partner, fitting)
                    yield desk.placed(both, trial.allocation, trial.order)
                    yield from _by_heft(desk, both)


def _by_heft(desk: TrialEvaluator, rows: tuple[int, ...]) -> Iterator[Trial]:
    trial = desk.heft(rows)
    if trial is not None:
        yield trial


def _partners(desk: TrialEvaluator, trial: Trial, position: int, machine: int) -> list[int]:
    """The other scalable tasks of a machine, those that take longest there first."""
    found = [
        (-float(one.task_s[row, machine]), other)
        for other, (one, row) in enumerate(zip(desk.numbers, trial.rows, strict=True))
        if other != position and trial.allocation[one.task] == machine
    ]
    return [other for _, other in sorted(found)[:_PARTNERS]]


def _near(row: int, count: int) -> list[int]:
    """The row, those 1, 2, 4, … away, and both ends."""
    found = {0, row, count - 1}
    step = 1
    while step < count:
        found |= {row - step, row + step}
        step *= 2
    return sorted(one for one in found if 0 <= one < count)


def _better(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether a key is less beyond rounding."""
    if abs(one[0] - other[0]) > ROUNDING * other[0]:
        return one[0] < other[0]
    return one[1] < other[1] * (1 - ROUNDING)


def _with(rows: tuple[int, ...], position: int, row: int) -> tuple[int, ...]:
    return (*rows[:position], row, *rows[position + 1 :])


def _knee(problem: Problem, one: Numbers) -> float:
    scaling = problem.workload.tasks[one.task].scaling
    return 1.0 if scaling is None else scaling.knee


def _efficient(one: Numbers, least: float) -> int:
    """The last row that holds at most 1/least of the first one's core-seconds."""
    held = one.processors * one.quickest_s
    return int(np.flatnonzero(held <= held[0] / least).max(initial=0))


def _within(numbers: tuple[Numbers, ...]) -> Iterator[tuple[int, ...]]:
    """Rows of the fewest processors that take at most some time, the same for all tasks."""
    least = max(float(one.quickest_s.min()) for one in numbers)
    most = max(float(one.quickest_s[0]) for one in numbers)
    if least <= 0.0:
        return
    for limit in np.geomspace(least, max(most, least), _TIMES).tolist():
        quick = [np.flatnonzero(one.quickest_s <= limit * (1 + ROUNDING)) for one in numbers]
        yield tuple(int(found[0]) for found in quick)


STEPS = 4000  # of one run
_HOT, _COLD = 0.1, 0.002  # temperature, in shares of the makespan to begin with
_EARLY = 0.05  # weight of the mean end, which tells apart schedules of one makespan


class Annealing:
    """The moves, and what they need to know of the tasks."""

    def __init__(self, desk: TrialEvaluator, rng: np.random.Generator) -> None:
        self._desk, self._rng = desk, rng
        instance = desk.instance
        self._tasks, self._machines = instance.task_s.shape
        self._before: list[list[int]] = [[] for _ in range(self._tasks)]
        self._after: list[list[int]] = [[] for _ in range(self._tasks)]
        ends = zip(instance.source.tolist(), instance.target.tolist(), strict=True)
        for source, target in ends:
            self._before[target].append(source)
            self._after[source].append(target)

    def run(self, trial: Trial, going: ShouldStop, *, by_heft: bool) -> Trial:
        """The best trial met on the way down from hot to cold.

        Parameters
        ----------
        going : callable
            Asked before every step.
        by_heft : bool
            Numbers alone are changed, and HEFT places the tasks.
        """
        best = now = trial
        scale = trial.value_s
        for step in range(STEPS):
            if not going():
                break
            heat = scale * _HOT * (_COLD / _HOT) ** (step / STEPS)
            other = self._renumbered(now, by_heft=True) if by_heft else self._changed(now)
            gain = self._energy(now) - self._energy(other)
            if gain >= 0 or self._rng.random() < math.exp(max(gain / heat, -700.0)):
                now = other
                if now.key < best.key:
                    best = now
        return best

    def _energy(self, trial: Trial) -> float:
        makespan_s, ends_s = trial.key
        return makespan_s + _EARLY * ends_s / float(self._tasks)

    def _changed(self, trial: Trial) -> Trial:
        """One random change; where it can't run, its energy is inf."""
        kind = self._rng.random()
        if kind < 0.45:
            return self._renumbered(trial, by_heft=False)
        if kind < 0.65 and self._machines > 1:
            return self._moved(trial)
        return self._reordered(trial)

    def _renumbered(self, trial: Trial, *, by_heft: bool) -> Trial:
        """Another number near the present one; every second time a neighbour takes the rest."""
        numbers, rows = self._desk.numbers, list(trial.rows)
        position = int(self._rng.integers(len(rows)))
        one = numbers[position]
        reach = max(1, len(one.processors) // 4)
        shift = int(self._rng.integers(1, reach + 1)) * (1 if self._rng.random() < 0.5 else -1)
        rows[position] = min(max(rows[position] + shift, 0), len(one.processors) - 1)
        machine = int(trial.allocation[one.task])
        other = int(self._rng.integers(len(rows)))
        partner = numbers[other]
        beside = other != position and trial.allocation[partner.task] == machine
        if beside and self._rng.random() < 0.5:
            cores = int(self._desk.instance.machine_cores[machine])
            rows[other] = partner.at_most(cores - int(one.processors[rows[position]]))
        placed = self._desk.heft(rows) if by_heft else None
        return placed or self._desk.placed(rows, trial.allocation, trial.order)

    def _moved(self, trial: Trial) -> Trial:
        """One task to another machine, on as many processors as that has."""
        task = int(self._rng.integers(self._tasks))
        shift = int(self._rng.integers(1, self._machines))
        machine = int((trial.allocation[task] + shift) % self._machines)
        allocation = trial.allocation.copy()
        allocation[task] = machine
        rows = list(trial.rows)
        cores = int(self._desk.instance.machine_cores[machine])
        for position, one in enumerate(self._desk.numbers):
            if one.task == task:
                rows[position] = min(rows[position], one.at_most(cores))
        return self._desk.placed(rows, allocation, trial.order)

    def _reordered(self, trial: Trial) -> Trial:
        """One task to another place between what feeds it and what it feeds."""
        order: list[int] = trial.order.tolist()
        place = int(self._rng.integers(self._tasks))
        task = order.pop(place)
        first, last = place, place
        while first > 0 and order[first - 1] not in self._before[task]:
            first -= 1
        while last < len(order) and order[last] not in self._after[task]:
            last += 1
        order.insert(int(self._rng.integers(first, last + 1)), task)
        changed: Indices = np.array(order, dtype=np.int32)
        return self._desk.placed(trial.rows, trial.allocation, changed)
