"""Study: which allocation is best where, over two load parameters that the user picks.

A grid over both ranges, computed from coarse to fine; every point holds the best allocation
there and its value. Exact for chains and few tasks, else among a pool of candidate plans.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from advisor.advice.contest import (
    Judge,
    at_best_counts,
    candidates,
    contestants_at,
    distinct,
    exact_judge,
    keeping,
    pool_judge,
)
from advisor.advice.known import best_known
from advisor.allocation.labels import label
from advisor.allocation.loads import (
    CONTENDERS,
    LINK_SLOWDOWN,
    MACHINE_SLOWDOWN,
    LoadParameter,
    find_parameter,
    parameters_of,
)
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.basics.stopping import ShouldStop
from advisor.search import advise
from advisor.studies.decision_map.parameters import DecisionMapParameters
from advisor.studies.decision_map.picture import UNKNOWN, DecisionMap
from advisor.studies.decision_map.views import answer, name_of
from advisor.studies.study import OnProgress, StudyProgress, StudyResult
from machines import InfeasibleError, InputError, Platform
from machines.arrays import Floats, Indices

_STRIDES = (8, 4, 2, 1)
_FEWEST = 5  # points on an axis, however large the workload


def run(
    parameters: DecisionMapParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Compute the map, coarse first.

    Parameters
    ----------
    parameters : DecisionMapParameters
    on_progress : callable, optional
        Gets a partial result with a filled-in coarse map after each refinement.
    should_stop : callable, optional
        Asked before every grid point.

    Returns
    -------
    StudyResult
        its picture is the `DecisionMap`; not complete when stopped.

    Raises
    ------
    InputError
        Unknown or conflicting load parameters, an empty range.
    InfeasibleError
        No plan can run at the present load.
    """
    stop = should_stop or (lambda: False)
    asked, effort = parameters.problem, parameters.seconds / 8.0
    problem, counts = at_best_counts(asked, parameters.objective, effort, stop, parameters.known)
    parameters = replace(parameters, problem=problem)
    axes = _axes(problem.platform, parameters.x, parameters.y)
    judge, best = keeping(counts, *_judge(parameters, axes, stop))
    points = min(parameters.points, max(_FEWEST, math.isqrt(int(parameters.seconds / judge.cost))))
    painter = _Painter(parameters, axes, judge, best, points)
    done = 0
    for stride in _STRIDES:
        for row, column in _fresh(points, stride):
            if stop():
                return answer(parameters, painter.map(stride, complete=False), judge)
            if on_progress is not None and done % 16 == 0:
                text = f"{done} of {points * points} points"
                on_progress(StudyProgress(done / points**2, text))
            painter.paint(row, column, stop)
            done += 1
        if on_progress is not None and stride > 1:
            partial = answer(parameters, painter.map(stride, complete=False), judge)
            on_progress(StudyProgress(done / points**2, f"every {stride}th point", partial))
    # stopped at the last point, that one is missing
    return answer(parameters, painter.map(1, complete=not stop()), judge)


class _Painter:
    """The grid while it is being filled."""

    def __init__(
        self,
        parameters: DecisionMapParameters,
        axes: tuple[LoadParameter, LoadParameter],
        judge: Judge,
        best: Plan,
        points: int,
    ) -> None:
        self._parameters, self._axes, self._judge, self._best = parameters, axes, judge, best
        self._plans = {best.allocation: 0}
        self._kept = [best]
        low_high = (
            (parameters.x_low, parameters.x_high),
            (parameters.y_low, parameters.y_high),
        )
        self._values = [
            _values(axis, low, high, points)
            for axis, (low, high) in zip(axes, low_high, strict=True)
        ]
        self._region = np.full((points, points), UNKNOWN, dtype=np.int32)
        self._values_s = np.full((points, points), np.nan)

    def paint(self, row: int, column: int, stop: ShouldStop) -> None:
        """Find what is best at one point; nothing is kept of one that was stopped."""
        problem = self._parameters.problem
        loads = (float(self._values[0][column]), float(self._values[1][row]))
        verdict = self._judge(_loaded(problem, self._axes, loads), self._best)
        if not math.isfinite(verdict.best_s) or stop():
            return
        allocation = verdict.best.allocation
        if allocation not in self._plans:
            self._plans[allocation] = len(self._kept)
            self._kept.append(verdict.best)
        self._region[row, column] = self._plans[allocation]
        self._values_s[row, column] = verdict.best_s

    def map(self, stride: int, complete: bool) -> DecisionMap:
        """The map so far; points not yet computed take their coarse neighbour's region."""
        problem, (x, y) = self._parameters.problem, self._axes
        region = self._region.copy()
        if not complete:
            _fill(region, stride)
        reading, platform = problem.reading, problem.platform
        reference = self._best.allocation
        return DecisionMap(
            objective=self._parameters.objective,
            x=x,
            y=y,
            x_values=self._values[0],
            y_values=self._values[1],
            region=region,
            plans=tuple(self._kept),
            labels=tuple(
                label(problem, plan.allocation, reference) if index else name_of(problem, plan)
                for index, plan in enumerate(self._kept)
            ),
            values_s=self._values_s.copy(),
            present=(x.value(platform, reading), y.value(platform, reading)),
            exact=self._judge.exact,
            complete=complete,
            sharing=problem.sharing,
        )


def _fill(region: Indices, stride: int) -> None:
    """Give unknown points the region of the computed one up to `stride` before them."""
    for axis in (0, 1):
        view = region if axis == 0 else region.T
        for index in range(1, len(view)):
            if index % stride:
                line, before = view[index], view[index - 1]
                line[line == UNKNOWN] = before[line == UNKNOWN]


def _fresh(points: int, stride: int) -> Iterator[tuple[int, int]]:
    """The grid points of this stride that no coarser one had."""
    coarser = 2 * stride
    for row in range(0, points, stride):
        for column in range(0, points, stride):
            seen = stride < _STRIDES[0] and row % coarser == 0 and column % coarser == 0
            if not seen:
                yield row, column


def _axes(platform: Platform, x: str, y: str) -> tuple[LoadParameter, LoadParameter]:
    known = parameters_of(platform)
    links = [one for one in known if one.kind == LINK_SLOWDOWN]
    first = find_parameter(platform, x) if x else known[0]
    if y:
        second = find_parameter(platform, y)
    else:
        second = next(one for one in (*links, *known) if not _conflicting(first, one))
    if _conflicting(first, second):
        raise InputError(
            "the two axes set the same load",
            where="decision map",
            value=f"{first.key}, {second.key}",
            remedy="Choose two different machines or links",
        )
    return first, second


def _conflicting(one: LoadParameter, other: LoadParameter) -> bool:
    """Whether setting one undoes the other."""
    same = one.kind == other.kind or {one.kind, other.kind} == {CONTENDERS, MACHINE_SLOWDOWN}
    return one.subject == other.subject and same


def _values(axis: LoadParameter, low: float | None, high: float | None, points: int) -> Floats:
    start = axis.low if low is None else low
    end = axis.high if high is None else high
    if not start < end:
        raise InputError(
            "the range is empty",
            where=axis.key,
            value=(start, end),
            remedy="The lower end must be below the upper one",
        )
    return np.linspace(start, end, points)


def _loaded(
    problem: Problem, axes: tuple[LoadParameter, LoadParameter], loads: tuple[float, float]
) -> Platform:
    platform = axes[0].applied(problem.platform, loads[0], problem.reading)
    return axes[1].applied(platform, loads[1], problem.reading)


def _judge(
    parameters: DecisionMapParameters,
    axes: tuple[LoadParameter, LoadParameter],
    stop: ShouldStop,
) -> tuple[Judge, Plan]:
    """The judge of the map and the best plan at the present load."""
    problem, objective = parameters.problem, parameters.objective
    judge = exact_judge(problem, objective)
    if judge is not None:
        anything = Plan((0,) * len(problem.workload.tasks))
        verdict = judge(problem.platform, anything)
        if not math.isfinite(verdict.best_s):
            raise InfeasibleError("no allocation can run", where=problem.workload.name)
        return judge, verdict.best
    effort = parameters.seconds / 8.0
    # numbers of processors are those of the problem: of known plans the allocation is left
    known = [replace(plan, processors=None) for plan in parameters.known]
    found = advise(problem, objective, seconds=effort, should_stop=stop)
    recommendation = best_known(problem, found, known)
    pool = list(candidates(problem, recommendation, None, known))
    corners = [
        _loaded(problem, axes, (x, y))
        for x in (axes[0].low, axes[0].high)
        for y in (axes[1].low, axes[1].high)
    ]
    for platform in corners:
        if not stop():
            pool += contestants_at(problem, platform, objective, effort / len(corners))
    judge = pool_judge(problem, objective, distinct(pool), stop)
    return judge, judge(problem.platform, recommendation.plan).best
